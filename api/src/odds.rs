//! The exact odds: of a rule, of rules that are compared, of a roll of a script, of the outputs of
//! an AnyDice program.

use crate::body::three;
use crate::bounds::Bounds;
use crate::program::{Loaded, ProgramRequest};
use crate::questions::QuestionRequest;
use crate::reply::Reply;
use crate::watch::Watch;
use crate::wording::words;
use crate::wrong::Wrong;
use dicec_compiler::answer::document::{
    AnswersDocument, ComparisonDocument, OddsDocument, OutputsDocument, ScriptOddsDocument,
};
use dicec_compiler::answer::{
    Answer, Distribution, Exactness, NamedAnswer, NamedAnswers, Side, Weights, are_comparable,
    kind_word,
};
use dicec_compiler::{AnyDice, Bound, Limits};
use dicec_lang::hir::Kind;
use dicec_lang::syntax::{Code, Finding};
use dicec_runtime::bug;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

/// What exact odds are asked for.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct OddsRequest {
    /// Other rules to compare with: the odds of each, and how often one is greater than another.
    compare: Vec<String>,
    /// Every probability as a fraction, too.
    pub(crate) rational: bool,
    /// The values of resources or of a script's parameters to go through, `{"AC": "10..25"}`: the
    /// answer is a list with a row for each combination.
    pub(crate) sweep: BTreeMap<String, String>,
    /// The maximum work, in weight operations.
    max_work: Option<u64>,
    /// The maximum number of different totals on the way.
    max_outcomes: Option<u64>,
}

/// Computes exact odds: the document of `dicec odds`.
///
/// # Errors
/// Everything that is wrong with the request, or a budget that does not suffice.
pub(crate) fn odds(body: &[u8], bounds: &Bounds, watch: &Watch<'_>) -> Result<Reply, Wrong> {
    let (program, questions, request): (ProgramRequest, QuestionRequest, OddsRequest) =
        three(body)?;
    let bounds = &request.within(bounds);
    let question = Question {
        program: &program,
        questions: &questions,
        request: &request,
        bounds,
        watch,
    };
    if let Some(outputs) = program.anydice(bounds)? {
        return question.outputs(&outputs);
    }
    let loaded = program.load(bounds)?;
    if !loaded.program.is_rule() {
        question.only_rules()?;
    }
    if !request.sweep.is_empty() {
        return question.sweep(Swept::Rule(loaded));
    }
    match (loaded.program.is_rule(), request.compare.is_empty()) {
        (false, _) => question.script(&loaded),
        (true, true) => question.rule(&loaded),
        (true, false) => question.comparison(loaded),
    }
}

impl OddsRequest {
    /// The bounds with the budget of the request, which may only be smaller.
    fn within(&self, bounds: &Bounds) -> Bounds {
        let mut limits: Limits = bounds.limits;
        let exact = &mut limits.exact;
        exact.work = exact.work.min(self.max_work.unwrap_or(exact.work));
        exact.outcomes = exact
            .outcomes
            .min(self.max_outcomes.unwrap_or(exact.outcomes));
        Bounds { limits, ..*bounds }
    }
}

/// A question about exact odds.
pub(crate) struct Question<'q> {
    pub(crate) program: &'q ProgramRequest,
    pub(crate) questions: &'q QuestionRequest,
    pub(crate) request: &'q OddsRequest,
    pub(crate) bounds: &'q Bounds,
    pub(crate) watch: &'q Watch<'q>,
}

/// A program with values to go through.
enum Swept<'p> {
    /// A rule, or a script with a roll.
    Rule(Loaded),
    AnyDice(&'p AnyDice),
}

impl Question<'_> {
    /// Refuses what can only be asked of rules.
    fn only_rules(&self) -> Result<(), Wrong> {
        let given = [
            ("compare", !self.request.compare.is_empty()),
            ("rational", self.request.rational),
        ];
        match given.into_iter().find(|(_, is_given)| *is_given) {
            None => Ok(()),
            Some((name, _)) => Err(Wrong::request(
                format!("\"{name}\" is for rules, and this is a script"),
                "leave it out",
            )),
        }
    }

    /// The odds of the outputs of an AnyDice program.
    fn outputs(&self, program: &AnyDice) -> Result<Reply, Wrong> {
        let request = self.request;
        let given = [
            ("compare", !request.compare.is_empty()),
            ("rational", request.rational),
        ];
        if let Some((name, _)) = given.into_iter().find(|(_, is_given)| *is_given) {
            let message = format!("\"{name}\" is for rules, and this is an AnyDice program");
            return Err(Wrong::request(message, "leave it out"));
        }
        if !request.sweep.is_empty() {
            return self.sweep(Swept::AnyDice(program));
        }
        let asked = self.questions.plain()?;
        let variables = self.program.variables()?;
        let outputs = program.outputs(&variables, &self.limits().exact, self.watch.control);
        let sources = program.sources();
        let outputs = outputs.map_err(|failure| Wrong::failed(&failure, sources))?;
        let (count, most) = (outputs.answers.iter().count(), self.bounds.questions);
        if count > most {
            let message =
                format!("the program has {count} outputs, and at most {most} are shown here");
            return Err(Wrong::request(message, "leave some of them out"));
        }
        let notes = Finding::all(&outputs.notes, sources, words);
        Reply::new(&OutputsDocument::new(&outputs.answers, &asked), notes)
    }

    /// One rule's odds, with those of its labelled terms.
    fn rule(&self, loaded: &Loaded) -> Result<Reply, Wrong> {
        let asked = self.questions.read(loaded)?;
        let bound = self.program.bind(loaded)?;
        let odds = self.solve(loaded, &bound)?;
        let parts = bound.subtotal_odds(&self.limits().exact, self.exactness(), self.watch.control);
        let parts = parts.map_err(|failure| loaded.failed(&failure))?;
        let parts = parts.into_iter().map(|part| (part.label, part.value));
        let document = OddsDocument::new(&odds, &asked).with_subtotals(parts);
        Reply::new(&document, loaded.notes())
    }

    /// The odds of a roll of a script, or of all its rolls.
    fn script(&self, loaded: &Loaded) -> Result<Reply, Wrong> {
        let asked = self.questions.read(loaded)?;
        if !self.program.chooses(loaded) {
            let bound = self.program.bind_each(loaded)?;
            let answers = Wrong::any(bound.iter().map(|bound| {
                Ok(NamedAnswer {
                    name: bound.definition().name().to_owned(),
                    label: bound.definition().label().to_owned(),
                    answer: self.answer(loaded, bound)?,
                })
            }))?;
            let answers = NamedAnswers::new(answers);
            return Reply::new(&AnswersDocument::new(&answers, &asked), loaded.notes());
        }
        let bound = self.program.bind(loaded)?;
        let answer = self.answer(loaded, &bound)?;
        let names = (bound.definition().name(), bound.definition().label());
        let document = ScriptOddsDocument::new(names, &answer, &asked);
        Reply::new(&document, loaded.notes())
    }

    /// The odds of rules of one kind, or of numbers.
    fn comparison(&self, first: Loaded) -> Result<Reply, Wrong> {
        if self.request.rational {
            let message = "\"rational\" is not for rules that are compared";
            return Err(Wrong::request(message, "leave it out"));
        }
        let rules = self.rules(first)?;
        comparable(&rules)?;
        let asked = self.questions.read(&rules[0])?;
        let all = rules.iter().map(|rule| {
            let bound = self.program.bind(rule)?;
            let odds = self.solve(rule, &bound)?;
            Ok(NamedAnswer::of_odds(rule.program.normal_form(), odds))
        });
        let all = NamedAnswers::new(Wrong::any(all)?).aligned();
        let sides = all.sides();
        self.few_enough(&sides)?;
        let notes = rules.iter().flat_map(Loaded::notes).collect();
        Reply::new(&ComparisonDocument::new(&sides, &asked), notes)
    }

    /// Refuses pairs of rules that would take long: each result of a rule is compared with those of
    /// all others.
    fn few_enough(&self, sides: &[Side<'_>]) -> Result<(), Wrong> {
        let results = sides
            .iter()
            .map(|side| side.odds.probabilities().count() as u64);
        let others = sides.len().saturating_sub(1) as u64;
        if results.sum::<u64>().saturating_mul(others) <= self.bounds.compared {
            return Ok(());
        }
        let message = "these rules have too many results to compare each with each other";
        Err(Wrong::request(message, "compare fewer of them at once"))
    }

    /// The first rule and those that it is compared with.
    ///
    /// # Errors
    /// What is wrong with any of them, or too many.
    pub(crate) fn rules(&self, first: Loaded) -> Result<Vec<Loaded>, Wrong> {
        let most = self.bounds.questions;
        if self.request.compare.len() >= most {
            let message = format!("at most {most} rules are compared here");
            return Err(Wrong::request(message, "leave some of them out"));
        }
        let others = self.request.compare.iter();
        let others = others.map(|text| self.program.rule(text, self.bounds));
        Wrong::any(std::iter::once(Ok(first)).chain(others))
    }

    fn answer(&self, loaded: &Loaded, bound: &Bound) -> Result<Answer, Wrong> {
        let answer = bound.answer(&self.limits().exact, self.exactness(), self.watch.control);
        answer.map_err(|failure| loaded.failed(&failure))
    }

    /// The exact odds of a rule.
    fn solve(&self, loaded: &Loaded, bound: &Bound) -> Result<Distribution, Wrong> {
        let answer = self.answer(loaded, bound)?;
        let odds = answer.result.ok_or_else(|| bug!("a rule without odds"))?;
        if self.request.rational && odds.left_out() > 0.0 {
            let message = "the odds of dice that can explode without end are not fractions";
            let finding = loaded.whole(Code::NoFraction, message.to_owned());
            return Err(finding.help("leave \"rational\" out").into());
        }
        Ok(odds)
    }

    fn limits(&self) -> Limits {
        self.bounds.limits
    }

    fn exactness(&self) -> Exactness {
        Exactness {
            weights: match self.request.rational {
                true => Weights::Fractions,
                false => Weights::Cheapest,
            },
            ..Exactness::default()
        }
    }

    #[cfg(feature = "native")]
    fn sweep(&self, swept: Swept<'_>) -> Result<Reply, Wrong> {
        match swept {
            Swept::Rule(loaded) => crate::sweep::sweep(self, loaded),
            Swept::AnyDice(program) => crate::sweep::sweep_anydice(self, program),
        }
    }

    #[cfg(not(feature = "native"))]
    fn sweep(&self, _: Swept<'_>) -> Result<Reply, Wrong> {
        let message = "a sweep needs the command or its server";
        Err(Wrong::request(message, "ask for one value at a time"))
    }
}

/// Refuses rules that cannot be compared with the first one.
fn comparable(rules: &[Loaded]) -> Result<(), Wrong> {
    let kinds = rules.iter().map(Loaded::kind);
    let kinds = kinds.collect::<Result<Vec<Kind>, Wrong>>()?;
    for (rule, &kind) in rules.iter().zip(&kinds) {
        let same_labels = rule.program.labels() == rules[0].program.labels();
        if kind == Kind::Label {
            return Err(without_order(rule).into());
        }
        if !are_comparable(kinds[0], kind, same_labels) {
            return Err(not_alike([kinds[0], kind].map(kind_word), rule).into());
        }
    }
    Ok(())
}

/// A rule that gives a label, of those that are to be compared, as an error about it.
fn without_order(rule: &Loaded) -> Finding {
    let message = "a label is neither greater nor less than anything".to_owned();
    let finding = rule.whole(Code::CheckAsNumber, message);
    finding.help("leave \"compare\" out, and ask for the odds of each rule by itself")
}

/// Rules of two kinds, as an error about the one that differs from the first.
fn not_alike([first, kind]: [&str; 2], second: &Loaded) -> Finding {
    let message = format!("a {first} cannot be compared with a {kind}");
    let finding = second.whole(Code::CheckAsNumber, message);
    finding.help(format!(
        "the first rule is a {first}: compare it with another {first}"
    ))
}
