//! Best play by brute force: every roll of the dice and every answer, through the interpreter. A
//! decision sees the whole past; nothing is merged or remembered.

use dicec_exact::{Mover, Question};
use dicec_lang::hir::StatId;
use dicec_lang::interp::{
    Decision, Dice, Host, Interpreter, Offer, OptionSite, Outcome, RollSite, Value,
};
use dicec_runtime::text::Text;
use dicec_runtime::trap::{Trap, TrapCode};
use std::collections::BTreeSet;

/// The number that is wanted.
#[derive(Clone, Copy, Debug)]
pub enum Wanted {
    /// The result.
    Result,
    /// The sum of a statistic.
    Statistic(StatId),
}

/// The value of best play, by brute force.
#[derive(Debug, PartialEq)]
pub enum Expected {
    /// It is this.
    Value(f64),
    /// Some answers and rolls end in these errors, by their codes and locations.
    Traps(BTreeSet<String>),
    /// There are too many rolls.
    Unknown,
}

/// A trial up to the first roll or answer that is not given yet.
#[derive(Default)]
struct Path {
    given: Vec<i64>,
    used: usize,
    need: Option<Need>,
}

#[derive(Clone, Copy)]
enum Need {
    Die(u64),
    Answer { first: i64, last: i64, mover: Mover },
}

impl Path {
    fn next(&mut self, need: Need) -> Result<i64, TrapCode> {
        let Some(given) = self.given.get(self.used) else {
            self.need = Some(need);
            return Err(TrapCode::FacesRanOut);
        };
        self.used += 1;
        Ok(*given)
    }
}

impl Dice for Path {
    fn roll(&mut self, sides: u64) -> Result<u64, TrapCode> {
        Ok(self.next(Need::Die(sides))? as u64)
    }
}

struct Explorer<'m> {
    path: Path,
    mover: &'m dyn Fn(&str) -> Mover,
    noted: Vec<(StatId, i64)>,
    unwatched: (),
}

impl Host for Explorer<'_> {
    type Dice = Path;
    type Observer = ();

    const PATHS: bool = false;

    fn dice(&mut self) -> &mut Path {
        &mut self.path
    }

    fn observer(&mut self) -> &mut () {
        &mut self.unwatched
    }

    fn begin_roll(&mut self, _site: RollSite<'_>) -> Result<(), TrapCode> {
        Ok(())
    }

    fn end_roll(&mut self, _site: RollSite<'_>, _outcome: Option<&Outcome>) {}

    fn option(&mut self, site: OptionSite<'_>) -> Result<bool, TrapCode> {
        let mover = (self.mover)(site.who);
        let need = Need::Answer {
            first: 0,
            last: 1,
            mover,
        };
        Ok(self.path.next(need)? == 1)
    }

    fn answer(&mut self, site: OptionSite<'_>, offer: Offer) -> Result<Decision, TrapCode> {
        let mover = (self.mover)(site.who);
        let need = Need::Answer {
            first: offer.first,
            last: offer.last,
            mover,
        };
        Ok(Decision::Number(self.path.next(need)?))
    }

    fn output(&mut self, _line: &Text) -> Result<(), TrapCode> {
        Ok(())
    }

    fn start_group(&mut self) -> Result<(), TrapCode> {
        Ok(())
    }

    fn end_group(&mut self) {}

    fn stat(&mut self, stat: StatId, value: i64) -> Result<(), TrapCode> {
        self.noted.push((stat, value));
        Ok(())
    }

    fn named_stat(&mut self, _name: &Text, _value: i64) -> Result<(), TrapCode> {
        Ok(())
    }
}

struct Search<'q> {
    question: &'q Question<'q>,
    wanted: Wanted,
    mover: &'q dyn Fn(&str) -> Mover,
    left: usize,
    traps: BTreeSet<String>,
}

/// The value of best play; `None` in place of a number that some trial does not have. `mover` says
/// for whom a player decides.
pub fn expectimax(
    question: &Question<'_>,
    wanted: Wanted,
    mover: &dyn Fn(&str) -> Mover,
    most: usize,
) -> Expected {
    let mut search = Search {
        question,
        wanted,
        mover,
        left: most,
        traps: BTreeSet::new(),
    };
    match search.value(Vec::new()) {
        None => Expected::Unknown,
        Some(_) if !search.traps.is_empty() => Expected::Traps(search.traps),
        Some(value) => Expected::Value(value),
    }
}

/// A trap as text.
pub fn trap_text(trap: &Trap) -> String {
    format!("{:?} at {:?}", trap.code, trap.span)
}

impl Search<'_> {
    fn value(&mut self, given: Vec<i64>) -> Option<f64> {
        self.left = self.left.checked_sub(1)?;
        let question = self.question;
        let (function, limits) = (question.function, question.limits);
        let interpreter = Interpreter::new(question.module, function, question.rolls, limits);
        let mut explorer = Explorer {
            path: Path {
                given,
                ..Path::default()
            },
            mover: self.mover,
            noted: Vec::new(),
            unwatched: (),
        };
        let outcome = interpreter.run(question.args, question.resources, &mut explorer);
        let Path { given, need, .. } = explorer.path;
        match need {
            None => Some(match outcome {
                Ok(result) => self.number(result, &explorer.noted),
                Err(trap) => {
                    self.traps.insert(trap_text(&trap));
                    0.0
                }
            }),
            Some(Need::Die(sides)) => {
                let mut sum = 0.0;
                for face in 1..=sides as i64 {
                    sum += self.value([&given[..], &[face]].concat())?;
                }
                Some(sum / sides as f64)
            }
            Some(Need::Answer { first, last, mover }) => {
                let mut best: Option<f64> = None;
                for answer in first..=last {
                    let value = self.value([&given[..], &[answer]].concat())?;
                    best = Some(match (best, mover) {
                        (None, _) => value,
                        (Some(best), Mover::Maximiser) => best.max(value),
                        (Some(best), Mover::Minimiser) => best.min(value),
                    });
                }
                best
            }
        }
    }

    fn number(&self, result: Option<Value>, noted: &[(StatId, i64)]) -> f64 {
        match self.wanted {
            Wanted::Result => match result {
                Some(Value::Float(number)) => number,
                Some(value) => value.to_cell() as f64,
                None => 0.0,
            },
            Wanted::Statistic(wanted) => {
                let numbers = noted.iter().filter(|(stat, _)| *stat == wanted);
                numbers.map(|(_, number)| *number as f64).sum()
            }
        }
    }
}
