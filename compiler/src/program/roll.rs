//! One roll, shown die by die.

use super::bind::Bound;
use super::failure::Failure;
use super::show::show;
use crate::engine::interp::{Interpreter, Observer, Outcome, RolledDie, Scripted, Trace, Value};
use crate::front::notation::{Segment, Style, marked};
use crate::hir::Kind;
use dicec_runtime::driver::CHUNK;
use dicec_runtime::rng::{Stream, Streams};
use dicec_runtime::scale::Shortest;
use dicec_runtime::trap::Trap;

/// Where the faces of rolls come from, one roll after another.
#[derive(Clone, Debug)]
pub struct Session {
    source: Source,
}

#[derive(Clone, Debug)]
enum Source {
    Drawn(Stream),
    Scripted { faces: Vec<u64>, used: usize },
}

impl Session {
    /// Random faces from a seed. The first roll is trial 0 of a faithful simulation with the same seed.
    pub fn seeded(seed: u64) -> Self {
        Self {
            source: Source::Drawn(Stream::from_seed(seed)),
        }
    }

    /// Random faces from the beginning of the chunk that a simulation's trial belongs to; the trial itself is
    /// `trial % CHUNK` rolls further on (see [`dicec_runtime::driver::CHUNK`]).
    pub fn of_trial(seed: u64, trial: u64) -> Self {
        let steps = usize::try_from(trial / CHUNK).unwrap_or(usize::MAX);
        let stream = Streams::new(seed).nth(steps);
        Self {
            source: Source::Drawn(stream.unwrap_or_else(|| Stream::from_seed(seed))),
        }
    }

    /// These faces, in the order in which dice are rolled.
    pub fn scripted(faces: Vec<u64>) -> Self {
        Self {
            source: Source::Scripted { faces, used: 0 },
        }
    }

    /// How many of the scripted faces have been used; 0 for random ones.
    pub fn used(&self) -> usize {
        match &self.source {
            Source::Drawn(_) => 0,
            Source::Scripted { used, .. } => *used,
        }
    }

    fn run(&mut self, bound: &Bound<'_>, observer: &mut impl Observer) -> Result<Outcome, Trap> {
        let interpreter = Interpreter::of_rule(bound.program.hir(), bound.program.limits());
        match &mut self.source {
            Source::Drawn(stream) => interpreter.roll(&bound.values, stream, observer),
            Source::Scripted { faces, used } => {
                let mut dice = Scripted::new(&faces[(*used).min(faces.len())..]);
                let outcome = interpreter.roll(&bound.values, &mut dice, observer);
                *used += dice.used();
                outcome
            }
        }
    }
}

/// The result of one roll.
#[derive(Clone, Debug, PartialEq)]
pub struct Roll {
    /// What the result is.
    pub kind: Kind,
    /// A number, or the total that gave a degree; absent for a check and a label.
    pub total: Option<i64>,
    /// A number before the final clamp to 0 (seed 002, 3.5.3), or the total that gave a degree; absent for a check and a label.
    pub raw: Option<i64>,
    /// A result that is a decimal number, or such a total that gave a degree; the two above are absent then.
    pub decimal: Option<f64>,
    /// A check's truth; absent for a number.
    pub check: Option<bool>,
    /// The name of the rung that a degree reached.
    pub degree: Option<&'static str>,
    /// The label that came up, if the rule is nothing but a die with labels.
    pub label: Option<String>,
    /// The face that could shift the degree: that of the only twenty-sided die on the left of `vs`.
    pub natural: Option<i64>,
    /// How many dice, or totals in groups, succeeded and how many failed, where the rule counts them.
    pub counted: Option<(i64, i64)>,
    /// The dice, pool by pool, in the order in which the pools were completed.
    pub dice: Vec<RolledDie>,
    /// The whole roll as text, what is set off in Markdown: `2d20[~~7~~, 18] + 3 = 21`.
    pub rendered: String,
    /// The same in pieces, without marks.
    pub segments: Vec<Segment>,
}

impl Bound<'_> {
    /// Rolls `times` times without looking: what the rolls before a certain trial draw.
    ///
    /// # Errors
    /// The first trap.
    pub fn skip(&self, session: &mut Session, times: u64) -> Result<(), Failure> {
        for _ in 0..times {
            session.run(self, &mut ())?;
        }
        Ok(())
    }

    /// Rolls once.
    ///
    /// # Errors
    /// A trap.
    pub fn roll(&self, session: &mut Session) -> Result<Roll, Failure> {
        let mut trace = Trace::default();
        let outcome = session.run(self, &mut trace)?;
        let mut segments = show(self, &trace);
        let kind = self.program.kind();
        // A label's place is no total.
        let raw = outcome.raw.and_then(Value::whole);
        let raw = raw.filter(|_| kind != Kind::Label);
        let decimal = outcome.raw.and_then(Value::decimal);
        let (mut total, mut check, mut degree, mut label) = (raw, None, None, None);
        let result = match (outcome.value, kind) {
            (Value::Bool(truth), _) => {
                check = Some(truth);
                truth.to_string()
            }
            (Value::Degree(rung), Kind::Degree(ladder)) if ladder.is_degree(rung) => {
                let name = ladder.name(rung);
                degree = Some(name);
                name.to_owned()
            }
            (Value::Int(place), Kind::Label) => {
                let name = self.program.label(place).unwrap_or_default();
                label = Some(name.to_owned());
                name.to_owned()
            }
            // The `vs` was dropped: the total is all that there is.
            (Value::Degree(_), _) => match (raw, decimal) {
                (Some(total), _) => total.to_string(),
                (None, decimal) => Shortest(decimal.unwrap_or(0.0)).to_string(),
            },
            (Value::Real(result), _) => Shortest(result).to_string(),
            (Value::Int(result), _) => {
                total = Some(result);
                result.to_string()
            }
        };
        segments.push(Segment {
            text: format!(" = {result}"),
            style: Style::Plain,
        });
        Ok(Roll {
            kind,
            total,
            raw,
            decimal,
            check,
            degree,
            label,
            natural: outcome.natural,
            counted: trace.counted,
            dice: trace.dice,
            rendered: marked(&segments),
            segments,
        })
    }
}
