//! A single roll of a rule, shown die by die.

use super::bind::Bound;
use super::dice_session::Session;
use super::failure::{Failure, Misuse};
use super::show::show;
use super::subtotals::{Recorder, Subtotal};
use dicec_lang::front::notation::{Segment, marked};
use dicec_lang::hir::Kind;
use dicec_lang::interp::{RolledDie, Simulated, Trace, Value};
use dicec_runtime::against::Degrees;
use dicec_runtime::bug;
use dicec_runtime::events::Events;
use dicec_runtime::scale::Shortest;

/// The result of an `under`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Test {
    /// The degrees of success; negative for failure.
    pub degrees: i64,
    /// The target: the highest roll that succeeds.
    pub target: i64,
}

impl Test {
    /// Whether it succeeded.
    pub fn success(self) -> bool {
        self.degrees > 0
    }
}

/// The result of one roll.
#[derive(Clone, Debug, PartialEq)]
pub struct Rolled {
    /// The kind of the result.
    pub kind: Kind,
    /// A number, or the total that gave a degree; absent for a check and a label.
    pub total: Option<i64>,
    /// A number before the final clamp to 0 (seed 002, 3.5.3), or the total that gave a degree;
    /// absent for a check and a label.
    pub raw: Option<i64>,
    /// A result that is a float, or such a total that gave a degree; the two above are
    /// absent then.
    pub float: Option<f64>,
    /// A check's truth; absent for a number.
    pub check: Option<bool>,
    /// The name of the rung that a degree reached.
    pub degree: Option<&'static str>,
    /// The result of an `under`.
    pub test: Option<Test>,
    /// The label that came up, if the rule is nothing but a die with labels.
    pub label: Option<String>,
    /// The face that could shift the degree: that of the only twenty-sided die on the left of `vs`,
    /// or of the only hundred-sided die on the left of `under`.
    pub natural: Option<i64>,
    /// The numbers of successes and failures among dice, or totals in groups, if the rule counts
    /// them.
    pub counted: Option<(i64, i64)>,
    /// The contributions of the terms with each label, and last of those without one; empty for a
    /// rule without labels.
    pub subtotals: Vec<Subtotal<Value>>,
    /// The dice, pool by pool, in the order in which the pools were completed.
    pub dice: Vec<RolledDie>,
    /// The result as text: a number, `true` or `false`, the name of a degree, or a label.
    pub result: String,
    /// The whole roll as text, with highlights in Markdown: `2d20[~~7~~, 18] + 3 = 21`.
    pub rendered: String,
    /// The same in segments, without Markdown.
    pub segments: Vec<Segment>,
}

impl Bound {
    /// Rolls `times` times and discards the results, to advance to a certain trial.
    ///
    /// # Errors
    /// The first trap.
    pub fn skip(&self, session: &mut Session, times: u64) -> Result<(), Failure> {
        for _ in 0..times {
            self.total(session)?;
        }
        Ok(())
    }

    /// Rolls once, for the result only: dice and lines are not recorded. Options are taken by the
    /// policies; `None` if the roll returns nothing.
    ///
    /// # Errors
    /// A trap.
    pub fn total(&self, session: &mut Session) -> Result<Option<Value>, Failure> {
        let mut events = Events::new(self.program().stats());
        let mut host = Simulated {
            dice: session,
            policies: self.policies(),
            events: &mut events,
            observer: (),
        };
        let interpreter = self.interpreter();
        self.answered(None, || {
            let value = interpreter.run(self.arguments(), self.resources(), &mut host);
            value.map_err(|trap| self.failed(trap.into()))
        })
    }

    /// Rolls a rule once, die by die. A script is [played](Bound::play).
    ///
    /// # Errors
    /// A trap, or a script.
    pub fn roll(&self, session: &mut Session) -> Result<Rolled, Failure> {
        let notation = self.program().notation().ok_or(Misuse::NotARule)?;
        let mut trace = Trace::default();
        let interpreter = self.interpreter();
        let mut dice = Recorder::new(session);
        let outcome = self.answered(None, || {
            let outcome = interpreter.roll(self.resources(), &mut dice, &mut trace);
            outcome.map_err(|trap| self.failed(trap.into()))
        })?;
        let subtotals = self.subtotals_of(&dice.faces)?;
        let mut segments = show(self, notation, &trace);
        let kind = self.kind();
        let kind = kind.ok_or_else(|| self.bug(bug!("a rule that gives nothing")))?;
        // A label's index is not a total.
        let raw = outcome.raw.and_then(Value::whole);
        let raw = raw.filter(|_| kind != Kind::Label);
        let float = outcome.raw.and_then(Value::float);
        let (mut total, mut check, mut degree, mut label) = (raw, None, None, None);
        let mut test = None;
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
            (Value::Degree(degrees), Kind::Test) if let Some(target) = outcome.against => {
                test = Some(Test { degrees, target });
                Degrees(degrees).to_string()
            }
            // A rule that is a single roll has no ladder of its own.
            (Value::Int(place), Kind::Label) => {
                let name = self.program().label(place);
                let name = name.ok_or_else(|| self.bug(bug!("no label {place}")))?;
                label = Some(name.to_owned());
                name.to_owned()
            }
            // The `vs` was dropped: only the total is left.
            (Value::Degree(_), _) => match (raw, float) {
                (Some(total), _) => total.to_string(),
                (None, Some(total)) => Shortest(total).to_string(),
                (None, None) => return Err(self.bug(bug!("a degree without a total"))),
            },
            (Value::Float(result), _) => Shortest(result).to_string(),
            (Value::Int(result), _) => {
                total = Some(result);
                result.to_string()
            }
        };
        segments.push(Segment::plain(format!(" = {result}")));
        segments.extend(subtotals_text(&subtotals).map(Segment::plain));
        Ok(Rolled {
            kind,
            total,
            raw,
            float,
            check,
            degree,
            test,
            label,
            natural: outcome.natural,
            subtotals,
            counted: trace.counted,
            dice: trace.dice,
            result,
            rendered: marked(&segments),
            segments,
        })
    }
}

/// The subtotals in parentheses, if there are any: ` (fire 7, cold 5, other 3)`.
fn subtotals_text(subtotals: &[Subtotal<Value>]) -> Option<String> {
    let parts = subtotals.iter().map(|part| {
        let name = part.label.as_deref().unwrap_or("other");
        match part.value {
            Value::Float(value) => format!("{name} {}", Shortest(value)),
            value => format!("{name} {}", value.to_cell()),
        }
    });
    let parts = parts.collect::<Vec<_>>().join(", ");
    (!parts.is_empty()).then(|| format!(" ({parts})"))
}
