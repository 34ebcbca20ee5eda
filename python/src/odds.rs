//! `dicec.odds`, and the odds of a rule, a script's result or a statistic: exact or sampled.

use crate::asked::{Asked, Reading};
use crate::bounds::{Bounds, total};
use crate::error::{Answered, Wrong};
use crate::html;
use crate::value::{document, fraction, number, outcome, type_error};
use crate::watch::interruptible;
use dicec_compiler::answer::document::{Number, OddsDocument, SimulationDocument};
use dicec_compiler::answer::plot::{Format, picture};
use dicec_compiler::answer::{
    Answer, Distribution, Exactness, Given, Questions, Range, Run, Share, Side, are_comparable,
    figures, kind_word,
};
use dicec_compiler::unstable::Ended;
use dicec_compiler::{Kind, Roll as Definition};
use dicec_runtime::bug;
use dicec_runtime::bug::Bug;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyMapping};
use std::collections::BTreeMap;

/// The odds of a rule, of what a script's roll gives, or of a statistic.
///
/// They are exact, or sampled by `dicec.sim`. In a notebook they are a table; `svg()` is a picture.
#[pyclass(frozen, module = "dicec")]
pub(crate) struct Odds {
    expression: String,
    odds: Distribution,
    /// The simulation, if they are sampled by one.
    run: Option<Run>,
    /// The roll and the answer of a rule.
    rule: Option<Box<(Definition, Answer)>>,
}

/// Compute the exact odds of a rule.
///
/// `resources` has a value for each name in brackets, `{"Attack": 5, "Target AC": 15}`: a number,
/// or dice as text. Names that are words of Python may be keywords: `odds("d20 + [Attack]",
/// Attack=5)`.
#[pyfunction]
#[pyo3(signature = (rule, /, resources=None, *, dialect=None, limits=None, **named))]
pub(crate) fn odds(
    py: Python<'_>,
    rule: &str,
    resources: Option<&Bound<'_, PyMapping>>,
    dialect: Option<String>,
    limits: Option<BTreeMap<String, u64>>,
    named: Option<&Bound<'_, PyDict>>,
) -> Answered<Odds> {
    let asked = Asked::new(py, rule, Reading { dialect, limits }, resources, named)?;
    let bound = &asked.bound;
    let budget = bound.program().limits().exact;
    let answer = interruptible(py, |control| {
        bound.answer(&budget, Exactness::default(), control)
    })?;
    let answer = answer.map_err(|failure| asked.failed(&failure))?;
    Ok(Odds::of_rule(bound.definition(), answer)?)
}

impl Odds {
    pub(crate) fn new(expression: String, odds: Distribution, run: Option<Run>) -> Self {
        Self {
            expression,
            odds,
            run,
            rule: None,
        }
    }

    /// The odds of a rule.
    fn of_rule(roll: &Definition, answer: Answer) -> Result<Self, Bug> {
        let odds = answer.result.clone();
        let odds = odds.ok_or_else(|| bug!("a rule without odds"))?;
        let rule = Some(Box::new((roll.clone(), answer)));
        let expression = roll.program().normal_form();
        Ok(Self {
            rule,
            ..Self::new(expression, odds, None)
        })
    }

    /// The rule, or the arithmetic, that they are the odds of.
    pub(crate) fn text(&self) -> &str {
        &self.expression
    }

    /// The results with their probabilities.
    pub(crate) fn distribution(&self) -> &Distribution {
        &self.odds
    }

    /// The simulation, if they are sampled by one.
    pub(crate) fn run(&self) -> Option<&Run> {
        self.run.as_ref()
    }

    /// The condition that they are given.
    fn condition(&self) -> Option<&Given> {
        self.rule.as_ref()?.1.given.as_ref()
    }

    /// Refuses questions about numbers to what has none.
    fn only_numbers(&self, what: &str) -> PyResult<()> {
        if self.odds.kind().is_number() {
            return Ok(());
        }
        let kind = kind_word(self.odds.kind());
        Err(PyValueError::new_err(format!(
            "a {kind} has no {what}: ask for the probability of a result with p()"
        )))
    }

    /// The share of results that a question is about.
    fn share(
        &self,
        value: Option<&Bound<'_, PyAny>>,
        eq: Option<&Bound<'_, PyAny>>,
        bounds: Bounds<'_, '_>,
    ) -> PyResult<Share> {
        match (value, eq) {
            (None, None) if bounds.is_empty() => self.success(),
            (None, None) => {
                self.only_numbers("order")?;
                let (low, high) = bounds.outcomes(self.odds.scale())?;
                Ok(self.odds.within(low, high))
            }
            (Some(value), None) | (None, Some(value)) if bounds.is_empty() => self.share_of(value),
            _ => Err(PyTypeError::new_err(
                "give a result, or bounds such as ge= and le=, but not both",
            )),
        }
    }

    /// The probability of true, or of a success.
    fn success(&self) -> PyResult<Share> {
        match self.odds.kind() {
            Kind::Check | Kind::Test => Ok(self.odds.at_least(1)),
            Kind::Degree(ladder) => Ok(self.odds.at_least(ladder.success())),
            Kind::Level(success) => Ok(self.odds.at_least(success)),
            Kind::Number | Kind::Float | Kind::Label => Err(PyTypeError::new_err(
                "say of which result, p(7), or of which results, p(ge=15) or p(le=5)",
            )),
        }
    }

    fn share_of(&self, value: &Bound<'_, PyAny>) -> PyResult<Share> {
        let odds = &self.odds;
        if odds.kind().is_number() {
            return Ok(odds.range_share(Range::Equal(total(value)?)));
        }
        let name = match value.cast::<PyBool>() {
            Ok(truth) => if truth.is_true() { "true" } else { "false" }.to_owned(),
            Err(_) => value
                .extract::<String>()
                .map_err(|_| type_error("a result of these odds", "a name", value))?,
        };
        let outcomes = odds.outcomes();
        let names = outcomes.iter().filter_map(|found| odds.name(found.value));
        let found = outcomes
            .iter()
            .find(|found| odds.name(found.value) == Some(&name));
        found.map(|found| odds.share(found)).ok_or_else(|| {
            let names: Vec<&str> = names.collect();
            let names = names.join(", ");
            PyValueError::new_err(format!("there is no result {name:?}; there are: {names}"))
        })
    }

    /// A picture of them as an SVG document.
    pub(crate) fn drawn(&self) -> PyResult<String> {
        let side = self.side();
        let bytes = picture(&[side], Format::Svg).map_err(PyValueError::new_err)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    pub(crate) fn side(&self) -> Side<'_> {
        Side {
            expression: &self.expression,
            odds: &self.odds,
        }
    }

    /// An end of numbers.
    fn end<'py>(&self, py: Python<'py>, end: Option<i64>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let end = end.filter(|_| self.odds.kind().is_number());
        end.map(|end| number(py, Number::new(self.odds.scale(), end)))
            .transpose()
    }
}

#[pymethods]
impl Odds {
    /// The rule in its normal form, or the arithmetic of Python that gave these odds.
    #[getter]
    fn expression(&self) -> &str {
        &self.expression
    }

    /// "number", "check", "degree", "level", "test" or "label".
    #[getter]
    fn kind(&self) -> &'static str {
        kind_word(self.odds.kind())
    }

    /// Whether the probabilities are exact rather than sampled.
    #[getter]
    fn exact(&self) -> bool {
        self.odds.is_exact()
    }

    /// The mean; of a check the probability that it is true.
    #[getter]
    fn mean(&self) -> PyResult<f64> {
        match self.odds.kind() {
            Kind::Check => Ok(self.odds.at_least(1).p),
            _ => {
                self.only_numbers("mean")?;
                Ok(self.odds.mean())
            }
        }
    }

    /// The standard deviation; None for a single trial.
    #[getter]
    fn sd(&self) -> PyResult<Option<f64>> {
        self.only_numbers("standard deviation")?;
        Ok(self.odds.sd())
    }

    /// The least number; None if there is always a lesser one.
    #[getter]
    fn min<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.end(py, self.odds.min())
    }

    /// The greatest number; None if there is always a greater one.
    #[getter]
    fn max<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.end(py, self.odds.max())
    }

    /// The probability of a result, p(7), p(eq=7) or p("hit"), or of several: p(ge=15), p(gt=14),
    /// p(le=4), p(lt=5), p(ge=7, le=9). Without any, that of true or of a success.
    #[pyo3(signature = (value=None, /, *, eq=None, ge=None, gt=None, le=None, lt=None))]
    fn p(
        &self,
        value: Option<&Bound<'_, PyAny>>,
        eq: Option<&Bound<'_, PyAny>>,
        ge: Option<&Bound<'_, PyAny>>,
        gt: Option<&Bound<'_, PyAny>>,
        le: Option<&Bound<'_, PyAny>>,
        lt: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<f64> {
        Ok(self.share(value, eq, Bounds { ge, gt, le, lt })?.p)
    }

    /// The same as a fractions.Fraction; None if the odds are not fractions.
    #[pyo3(signature = (value=None, /, *, eq=None, ge=None, gt=None, le=None, lt=None))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords of Python")]
    fn fraction<'py>(
        &self,
        py: Python<'py>,
        value: Option<&Bound<'_, PyAny>>,
        eq: Option<&Bound<'_, PyAny>>,
        ge: Option<&Bound<'_, PyAny>>,
        gt: Option<&Bound<'_, PyAny>>,
        le: Option<&Bound<'_, PyAny>>,
        lt: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let share = self.share(value, eq, Bounds { ge, gt, le, lt })?;
        let parts = share.fraction.as_ref();
        parts.map(|parts| fraction(py, parts)).transpose()
    }

    /// The 95 % interval of a sampled probability; None if it is exact.
    #[pyo3(signature = (value=None, /, *, eq=None, ge=None, gt=None, le=None, lt=None))]
    fn interval(
        &self,
        value: Option<&Bound<'_, PyAny>>,
        eq: Option<&Bound<'_, PyAny>>,
        ge: Option<&Bound<'_, PyAny>>,
        gt: Option<&Bound<'_, PyAny>>,
        le: Option<&Bound<'_, PyAny>>,
        lt: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<(f64, f64)>> {
        Ok(self.share(value, eq, Bounds { ge, gt, le, lt })?.interval)
    }

    /// The smallest result that at least a share q of all is not above.
    fn quantile<'py>(&self, py: Python<'py>, q: f64) -> PyResult<Bound<'py, PyAny>> {
        self.only_numbers("quantiles")?;
        if !(0.0..=1.0).contains(&q) {
            let message = format!("a quantile is of a share from 0 to 1, not {q}");
            return Err(PyValueError::new_err(message));
        }
        number(py, Number::new(self.odds.scale(), self.odds.quantile(q)))
    }

    /// Each result with its probability, from the least on.
    fn outcomes<'py>(&self, py: Python<'py>) -> PyResult<Vec<(Bound<'py, PyAny>, f64)>> {
        let outcomes = self.odds.outcomes().into_iter();
        let pair = outcomes.map(|found| Ok((outcome(py, &self.odds, found.value)?, found.p)));
        pair.collect()
    }

    /// How an independent roll of this compares with one of `other`: the probabilities that it is
    /// greater, equal and less.
    fn compare<'py>(&self, py: Python<'py>, other: &Odds) -> PyResult<Bound<'py, PyAny>> {
        let same_labels = self.odds.labels() == other.odds.labels();
        let (one, two) = (self.odds.kind(), other.odds.kind());
        if !are_comparable(one, two, same_labels) {
            return Err(PyValueError::new_err(format!(
                "a {} cannot be compared with a {}",
                kind_word(one),
                kind_word(two)
            )));
        }
        let (mut one, mut two) = (self.odds.clone(), other.odds.clone());
        if one.scale() != two.scale() {
            one.make_float();
            two.make_float();
        }
        let chances = one.relation(&two);
        let parts = (chances.greater.p, chances.equal.p, chances.less.p);
        py.import("dicec._values")?
            .getattr("Comparison")?
            .call1(parts)
    }

    /// The odds of the rolls for which a condition on the result holds: given("total >= 10"). A
    /// result that is not a number is called result.
    fn given(&self, condition: &str) -> Answered<Self> {
        let Some((roll, answer)) = self.rule.as_deref() else {
            let message =
                "only the exact odds of a rule, or of all of a roll, are known given a condition";
            return Err(PyValueError::new_err(message).into());
        };
        let compiled = roll.condition(condition);
        let compiled = compiled.map_err(|wrong| Wrong::found(&wrong.found, &wrong.sources))?;
        let given = compiled.applied(answer.clone());
        let given = given.map_err(|failure| Wrong::failed(&failure, roll.program().sources()))?;
        Ok(Self::of_rule(roll, given)?)
    }

    /// The probability of the condition that the odds are given; 1 without one.
    #[getter]
    fn given_p(&self) -> f64 {
        self.condition().map_or(1.0, |given| given.share.p)
    }

    /// The share of all rolls whose result clamping at 0 changed; None if it changed nothing.
    #[getter]
    fn clamped(&self) -> Option<f64> {
        self.odds.clamped().map(|share| share.p)
    }

    /// A bound on the probability of rolls that are left out: of dice that explode very often.
    #[getter]
    fn left_out(&self) -> f64 {
        self.odds.left_out()
    }

    /// The standard error of a sampled mean; None if it is exact.
    #[getter]
    fn stderr(&self) -> Option<f64> {
        self.odds.standard_error()
    }

    /// How many trials were run; None if the odds are exact.
    #[getter]
    fn trials(&self) -> Option<u64> {
        self.run.as_ref().map(|run| run.trials)
    }

    /// The seed that gives the same odds again; None if they are exact.
    #[getter]
    fn seed(&self) -> Option<u64> {
        self.run.as_ref().map(|run| run.seed)
    }

    /// Whether a simulation ended before it was done, because its callback returned False.
    #[getter]
    fn interrupted(&self) -> bool {
        let run = self.run.as_ref();
        run.is_some_and(|run| run.ended == Ended::Finished)
    }

    /// All of it as dictionaries and lists: what `dicec odds --json` and `dicec sim --json` print.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let asked = Questions::default();
        match &self.run {
            Some(run) => document(py, &SimulationDocument::new(&self.odds, run, &asked)),
            None => {
                let odds = OddsDocument::new(&self.odds, &asked);
                document(py, &odds.with_given(self.condition()))
            }
        }
    }

    /// A picture as an SVG document.
    fn svg(&self) -> PyResult<String> {
        self.drawn()
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        // A cell of a notebook may be narrower than the picture.
        let fits = "<svg style=\"max-width:100%;height:auto\" ";
        Ok(self.drawn()?.replacen("<svg ", fits, 1))
    }

    fn _repr_html_(&self) -> String {
        html::odds(&self.expression, &self.odds)
    }

    fn __repr__(&self) -> String {
        let how = match self.odds.is_exact() {
            true => "exact",
            false => "sampled",
        };
        let figures = figures(&self.odds, self.odds.standard_error());
        format!("<{how} odds of {}: {figures}>", self.expression)
    }
}
