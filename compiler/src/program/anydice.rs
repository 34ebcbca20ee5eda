//! AnyDice programs and their outputs.

use super::checked::CheckLimits;
use super::compiler::Compiler;
use super::failure::{BugReport, Failure, Refusal, internal};
use super::guard::guarded;
use crate::answer::{Answer, Distribution, FRACTION_WORK, NamedAnswer, NamedAnswers};
use dashu_int::UBig;
use dicec_anydice::{self as anydice, Options, Run};
use dicec_lang::hir::Kind;
use dicec_lang::syntax::{Diagnostics, Sources};
use dicec_runtime::control::Control;
use dicec_runtime::pmf::{Budget, Exhausted, Limits, Resource, Weight};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// The budget of fractions before the cost of an answer is known.
const SOON_WORK: u64 = 200_000;

/// The share of [`FRACTION_WORK`] that floats may take if fractions are to be tried.
const FLOATS_SHARE: (u64, u64) = (1, 10);

/// An AnyDice program: it has several named outputs, and never rolls.
#[derive(Clone, Debug)]
pub struct AnyDice {
    program: anydice::Program,
    sources: Sources,
    check: CheckLimits,
}

/// The outputs of an AnyDice program.
#[derive(Clone, Debug)]
pub struct AnyDiceOutputs {
    /// The outputs, by their names and in order. One without outcomes has no result.
    pub answers: NamedAnswers,
    /// Names of the outputs that differ: with given variables as the program writes them, and with
    /// a number where several are equal. Runs that differ only in given values have equal ones.
    pub headings: Vec<String>,
    /// What a reader may not expect.
    pub notes: Diagnostics,
}

impl Compiler {
    /// Parses an AnyDice program, under the limits on texts.
    ///
    /// # Errors
    /// The first mistake in the text.
    pub fn anydice(&self, text: &str) -> Result<AnyDice, Diagnostics> {
        let limits = self.source_bounds();
        let parsed = guarded(|| anydice::Program::parse(text, limits));
        match parsed {
            Ok(Ok(program)) => Ok(AnyDice {
                program,
                sources: Sources::single("", text),
                check: CheckLimits::default(),
            }),
            Ok(Err(anydice::Failure::Wrong(found))) => Err((*found).into()),
            Ok(Err(anydice::Failure::Exhausted(_))) => {
                Err(internal(text, "a budget of a parser".to_owned()).into())
            }
            Err(what) => Err(internal(text, what).into()),
        }
    }
}

impl AnyDice {
    /// Whether a text is plainly an AnyDice program: it parses as one, and has an output.
    pub fn is_anydice(text: &str) -> bool {
        // Most rules need not be parsed to know.
        if !text.contains("output") {
            return false;
        }
        let program = anydice::Program::parse(text, Compiler::new().source_bounds());
        program.is_ok_and(|program| program.has_outputs())
    }

    /// The text.
    pub fn text(&self) -> &str {
        self.sources.main()
    }

    pub(super) fn parsed(&self) -> &anydice::Program {
        &self.program
    }

    /// The names of the variables whose values [`outputs`](Self::outputs) can be given.
    pub fn settable(&self) -> Vec<&str> {
        self.program.settable()
    }

    /// The same program with these limits on the check of its outputs.
    #[must_use]
    pub fn checked_by(self, check: CheckLimits) -> Self {
        let check = check.in_range();
        Self { check, ..self }
    }

    pub(super) fn check(&self) -> CheckLimits {
        self.check
    }

    /// The same program, from the file of this name.
    #[must_use]
    pub fn from_file(self, name: &str) -> Self {
        let sources = Sources::single(name, self.text());
        Self { sources, ..self }
    }

    /// The text as the only source of its diagnostics.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The outputs, compared with trials; `given` are values of [`settable`](Self::settable)
    /// variables. Odds are fractions if these are cheap.
    ///
    /// # Errors
    /// A mistake that shows when the program runs, a budget that is too small, or an output that
    /// its check refutes.
    pub fn outputs(
        &self,
        given: &[(&str, i64)],
        limits: &Limits,
        control: &Control,
    ) -> Result<AnyDiceOutputs, Failure> {
        let computed = guarded(|| {
            let mut outputs = self.computed(given, limits, control)?;
            self.check_outputs(&mut outputs.answers, given, limits)?;
            Ok(outputs)
        });
        computed.unwrap_or_else(|what| Err(self.bug(what)))
    }

    fn computed(
        &self,
        given: &[(&str, i64)],
        limits: &Limits,
        control: &Control,
    ) -> Result<AnyDiceOutputs, Failure> {
        let within = |work: u64| Limits {
            work: work.min(limits.work),
            ..*limits
        };
        let run = |limits: Limits| self.run::<UBig>(given, limits, control);
        match run(within(SOON_WORK)) {
            Err(anydice::Failure::Exhausted(exhausted)) if !is_cancelled(exhausted) => {}
            other => return finished(other.map(|(run, _)| run), Distribution::fractions),
        }
        let floats = self.run::<f64>(given, *limits, control);
        let spent = floats.as_ref().map_or(u64::MAX, |(_, spent)| *spent);
        let (share, of) = FLOATS_SHARE;
        if spent <= FRACTION_WORK / of * share
            && let Ok((run, _)) = run(within(FRACTION_WORK))
        {
            return finished(Ok(run), Distribution::fractions);
        }
        finished(floats.map(|(run, _)| run), Distribution::floats)
    }

    /// A fault of the compiler.
    pub(super) fn bug(&self, what: String) -> Failure {
        Failure::Bug(Box::new(BugReport {
            what,
            program: self.text().to_owned(),
            seed: None,
        }))
    }

    /// A run, and the work that it took.
    fn run<W: Weight>(
        &self,
        given: &[(&str, i64)],
        limits: Limits,
        control: &Control,
    ) -> Result<(Run<W>, u64), anydice::Failure> {
        let mut budget = Budget::new(limits).under(control);
        let run = self.program.run(given, Options::default(), &mut budget)?;
        Ok((run, budget.spent()))
    }
}

fn is_cancelled(exhausted: Exhausted) -> bool {
    exhausted.resource == Resource::Cancelled
}

/// Why a program has no answer.
pub(super) fn failed(failure: anydice::Failure) -> Failure {
    match failure {
        anydice::Failure::Wrong(found) => Failure::AnyDice(found),
        anydice::Failure::Exhausted(exhausted) if is_cancelled(exhausted) => Failure::Cancelled {
            done: exhausted.limit,
            units: "weight operations",
        },
        anydice::Failure::Exhausted(exhausted) => Failure::from(Refusal {
            exhausted,
            state_explosion: None,
            can_sample: false,
        }),
    }
}

fn finished<W: Weight>(
    run: Result<Run<W>, anydice::Failure>,
    odds: impl Fn(Kind, dicec_runtime::pmf::Pmf<W>) -> Distribution,
) -> Result<AnyDiceOutputs, Failure> {
    let run = run.map_err(failed)?;
    let headings = distinct(run.outputs.iter().map(|output| output.heading.as_str()));
    let answers = run.outputs.into_iter().map(|output| NamedAnswer {
        label: output.name.clone(),
        name: output.name,
        answer: Answer {
            result: output
                .odds
                .map(|table| odds(Kind::Number, Rc::unwrap_or_clone(table))),
            ..Answer::empty()
        },
    });
    let mut notes = Diagnostics::new();
    run.notes.into_iter().for_each(|note| notes.push(note));
    Ok(AnyDiceOutputs {
        answers: NamedAnswers::new(answers.collect()),
        headings,
        notes,
    })
}

/// These names, and a number after those that are there already: `d6`, `d6 (2)`.
pub(super) fn distinct<'n>(names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let mut taken: FxHashSet<String> = FxHashSet::default();
    let mut all = Vec::new();
    for name in names {
        let mut own = name.to_owned();
        let mut number = 2;
        while !taken.insert(own.clone()) {
            own = format!("{name} ({number})");
            number += 1;
        }
        all.push(own);
    }
    all
}
