//! The flags that ask about odds, for `odds` and `sim`.

use crate::error::{CliError, FileCode, Finding};
use crate::loaded::Loaded;
use crate::number;
use clap::Args;
use dicec_compiler::answer::{Questions, Range, Total};
use dicec_lang::hir::Kind;
use dicec_lang::syntax::Code;
use dicec_tables::{Numbers, Wanted};
use std::sync::Arc;

/// Questions next to the table.
#[derive(Args, Debug)]
pub(super) struct QuestionArgs {
    /// Give the chance of a total of at least N; may be repeated, like the next four
    #[arg(long = "ge", value_name = "N", value_parser = number::total)]
    at_least: Vec<Total>,
    /// Give the chance of a total of at most N
    #[arg(long = "le", value_name = "N", value_parser = number::total)]
    at_most: Vec<Total>,
    /// Give the chance of exactly N
    #[arg(long = "eq", value_name = "N", value_parser = number::total)]
    equal: Vec<Total>,
    /// Give the chance of a total from A to B, both included: --between 7..9
    #[arg(long, value_name = "A..B", value_parser = number::range)]
    between: Vec<(Total, Total)>,
    /// Give the total that a share P of all rolls does not exceed, 0.9 or 90%
    #[arg(long = "quantile", value_name = "P", value_parser = number::share)]
    quantiles: Vec<f64>,
    /// Give each result a row of its own, however many there are
    #[arg(long, conflicts_with = "summary")]
    pub(super) all: bool,
}

impl QuestionArgs {
    /// The questions, if they can be asked of this.
    ///
    /// # Errors
    /// A question about totals to a rule that has none.
    pub(super) fn questions(&self, loaded: &Loaded, summary: bool) -> Result<Questions, CliError> {
        if loaded.program.is_rule() {
            self.check(loaded, loaded.kind()?)?;
        }
        Ok(self.plain(summary))
    }

    /// The questions themselves.
    pub(super) fn plain(&self, summary: bool) -> Questions {
        let (at_least, at_most) = (&self.at_least, &self.at_most);
        Questions {
            ranges: Range::all(at_least, at_most, &self.equal, &self.between),
            quantiles: self.quantiles.clone(),
            summary,
            all: self.all,
        }
    }

    /// What the columns of a sweep tell of numbers. A `summary` has only the quantiles that are
    /// asked for; `stats` are the statistics that are asked for.
    pub(super) fn columns(&self, summary: bool, stats: &[String]) -> Numbers {
        let Questions {
            ranges, quantiles, ..
        } = self.plain(summary);
        match (self.given().is_some() || !stats.is_empty(), summary) {
            _ if self.all => Numbers::Results,
            (true, _) => Numbers::Asked(Arc::new(Wanted::new(&quantiles, &ranges, stats))),
            (false, true) => Numbers::Ends,
            (false, false) => Numbers::Quantiles,
        }
    }

    /// Refuses questions about totals to a rule whose results are not numbers.
    ///
    /// # Errors
    /// There is such a question.
    pub(super) fn check(&self, rule: &Loaded, kind: Kind) -> Result<(), CliError> {
        let refused = self.given().and_then(|flag| Questions::refused(flag, kind));
        let Some((message, help)) = refused else {
            return Ok(());
        };
        let mut finding = rule.finding(Code::CheckAsNumber);
        finding.message = message;
        Err(finding.help(help).into())
    }

    /// Refuses questions next to `--all` in a sweep, whose rows are single results.
    ///
    /// # Errors
    /// There is such a question, or a statistic that is asked for.
    pub(super) fn check_all(&self, stats: &[String]) -> Result<(), CliError> {
        let stat = (!stats.is_empty()).then_some("--stat");
        let Some(flag) = self.given().or(stat).filter(|_| self.all) else {
            return Ok(());
        };
        let message = format!("--all gives each result a row, and these have no column for {flag}");
        let finding = Finding::general(FileCode::BadSweep.as_str(), message);
        Err(finding.help("leave one of the two out").into())
    }

    /// Refuses questions about single results where these are not kept.
    ///
    /// # Errors
    /// There is such a question.
    pub(super) fn check_summary(&self) -> Result<(), CliError> {
        let Some(flag) = self.given() else {
            return Ok(());
        };
        let message = format!("{flag} asks about single results, and --summary keeps none of them");
        let finding = Finding::general(FileCode::NotInSummary.as_str(), message);
        Err(finding.help("leave --summary out").into())
    }

    /// The first of the flags about totals that was given.
    pub(super) fn given(&self) -> Option<&'static str> {
        [
            ("--ge", !self.at_least.is_empty()),
            ("--le", !self.at_most.is_empty()),
            ("--eq", !self.equal.is_empty()),
            ("--between", !self.between.is_empty()),
            ("--quantile", !self.quantiles.is_empty()),
        ]
        .into_iter()
        .find_map(|(flag, given)| given.then_some(flag))
    }
}
