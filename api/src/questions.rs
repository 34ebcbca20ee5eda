//! Questions about odds besides their table.

use crate::program::Loaded;
use crate::wrong::Wrong;
use dicec_compiler::answer::{Questions, Range, Total};
use dicec_lang::hir::Kind;
use dicec_lang::syntax::{Code, FileCode, Finding};
use schemars::JsonSchema;
use serde::Deserialize;

/// Questions next to the table.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct QuestionRequest {
    /// The chance of a total of at least each of these.
    ge: Vec<Number>,
    /// That of at most each of these.
    le: Vec<Number>,
    /// That of exactly each of these.
    eq: Vec<Number>,
    /// That of a total from one to the other, both included.
    between: Vec<[Number; 2]>,
    /// The total that a share of all rolls does not exceed: 0.9.
    quantile: Vec<f64>,
    /// Only the figures, without all results.
    pub(crate) summary: bool,
}

/// A whole number, or one with decimals.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Number {
    Whole(i64),
    Float(f64),
}

impl From<Number> for Total {
    fn from(number: Number) -> Self {
        match number {
            Number::Whole(value) => Total::Whole(value),
            Number::Float(value) => Total::Float(value),
        }
    }
}

impl QuestionRequest {
    /// The questions, if they can be asked of this.
    ///
    /// # Errors
    /// Questions about totals to a rule that has none, or a share that is not one.
    pub(crate) fn read(&self, loaded: &Loaded) -> Result<Questions, Wrong> {
        if loaded.program.is_rule() {
            self.check(loaded, loaded.kind()?)?;
        }
        self.plain()
    }

    /// The questions themselves.
    ///
    /// # Errors
    /// A share that is not one, or a range without totals.
    pub(crate) fn plain(&self) -> Result<Questions, Wrong> {
        if let Some(wrong) = self.quantile.iter().find(|p| !(0.0..=1.0).contains(*p)) {
            let message = format!("\"quantile\": {wrong} is not a share between 0 and 1");
            return Err(Wrong::request(message, "write 0.9 for 90 %"));
        }
        let totals = |all: &[Number]| all.iter().map(|one| Total::from(*one)).collect::<Vec<_>>();
        let between = self.between.iter();
        let between: Vec<(Total, Total)> = between
            .map(|[low, high]| ((*low).into(), (*high).into()))
            .collect();
        if let Some((low, high)) = between
            .iter()
            .find(|(low, high)| low.number() > high.number())
        {
            let message = format!("\"between\": no total is from {low} to {high}");
            return Err(Wrong::request(message, format!("write [{high}, {low}]")));
        }
        let (at_least, at_most) = (totals(&self.ge), totals(&self.le));
        Ok(Questions {
            ranges: Range::all(&at_least, &at_most, &totals(&self.eq), &between),
            quantiles: self.quantile.clone(),
            summary: self.summary,
            all: false,
        })
    }

    /// Refuses questions about totals to a rule whose results are not numbers.
    fn check(&self, loaded: &Loaded, kind: Kind) -> Result<(), Wrong> {
        let asked = self.given().map(|name| format!("\"{name}\""));
        let refused = asked.and_then(|asked| Questions::refused(&asked, kind));
        let Some((message, help)) = refused else {
            return Ok(());
        };
        Err(loaded.whole(Code::CheckAsNumber, message).help(help).into())
    }

    /// Refuses questions about single results where these are not kept.
    ///
    /// # Errors
    /// There is such a question.
    pub(crate) fn check_summary(&self) -> Result<(), Wrong> {
        let Some(name) = self.given().filter(|_| self.summary) else {
            return Ok(());
        };
        let message =
            format!("\"{name}\" asks about single results, and a summary keeps none of them");
        let finding = Finding::general(FileCode::NotInSummary.as_str(), message);
        Err(finding.help("leave \"summary\" out").into())
    }

    /// The first of the questions about totals.
    pub(crate) fn given(&self) -> Option<&'static str> {
        [
            ("ge", !self.ge.is_empty()),
            ("le", !self.le.is_empty()),
            ("eq", !self.eq.is_empty()),
            ("between", !self.between.is_empty()),
            ("quantile", !self.quantile.is_empty()),
        ]
        .into_iter()
        .find_map(|(name, given)| given.then_some(name))
    }
}
