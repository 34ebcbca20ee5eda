//! One execution for a player: its lines, its rolls, its options, in the order in which they happened.

use super::BoundScript;
use super::session::{ScriptSession, Throw};
use crate::engine::interp::Value;
use crate::engine::interp::script::{RollSite, ScriptInterpreter, Table};
use crate::hir::script::{OptionId, Script, StatId};
use crate::program::failure::Failure;
use dicec_runtime::rng::{Dice, Stream};
use dicec_runtime::span::Span;
use dicec_runtime::text::Text;
use dicec_runtime::trap::{Trap, TrapCode};

/// What an execution showed.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// What happened, step by step.
    pub steps: Vec<Step>,
    /// The rolls, in the order in which they happened.
    pub rolls: Vec<Thrown>,
    /// The options that were met.
    pub options: Vec<Asked>,
    /// The numbers that were noted, by the places of their statistics.
    pub stats: Vec<(StatId, i64)>,
    /// What was returned: a number, a truth value, a degree or nothing.
    pub result: Option<Value>,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A line.
    Line(String),
    /// A roll, by its place in [`Played::rolls`].
    Roll(usize),
    /// An option, by its place in [`Played::options`].
    Option(usize),
    /// Steps that belong together.
    Group(Vec<Step>),
}

/// A roll that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thrown {
    /// Its path.
    pub path: String,
    /// Its dice: sides and faces.
    pub dice: Throw,
    /// Whether its faces were remembered.
    pub remembered: bool,
    /// Where it is written.
    pub span: Span,
}

/// An option that was met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Its path.
    pub path: String,
    /// Who is asked; empty if nobody is named.
    pub who: String,
    /// What is offered.
    pub text: String,
    /// Whether it was taken.
    pub taken: bool,
}

impl BoundScript<'_> {
    /// Executes the roll for a player: rolls that `session` remembers show their faces again, new ones are drawn and remembered.
    ///
    /// # Errors
    /// A trap; the session then remembers what was rolled before it.
    pub fn play(&self, session: &mut ScriptSession) -> Result<Played, Failure> {
        let mut seat = Seat {
            script: self.script.hir(),
            session,
            groups: vec![Vec::new()],
            rolls: Vec::new(),
            options: Vec::new(),
            stats: Vec::new(),
        };
        let interpreter = self.interpreter();
        let result = interpreter.run(&self.args, &self.resources, &mut seat)?;
        while seat.groups.len() > 1 {
            seat.end_group();
        }
        Ok(Played {
            steps: seat.groups.pop().unwrap_or_default(),
            rolls: seat.rolls,
            options: seat.options,
            stats: seat.stats,
            result,
        })
    }

    pub(super) fn interpreter(&self) -> ScriptInterpreter<'_> {
        let script = self.script;
        ScriptInterpreter::new(
            script.hir(),
            self.roll.function,
            script.roll_limits(),
            script.limits(),
        )
    }
}

/// A player's place at the table.
struct Seat<'s> {
    script: &'s Script,
    session: &'s mut ScriptSession,
    /// The steps so far, of the groups that are open; the outermost is what belongs to none.
    groups: Vec<Vec<Step>>,
    rolls: Vec<Thrown>,
    options: Vec<Asked>,
    stats: Vec<(StatId, i64)>,
}

impl Seat<'_> {
    fn note(&mut self, step: Step) {
        if let Some(group) = self.groups.last_mut() {
            group.push(step);
        }
    }

    fn note_roll(&mut self, site: RollSite<'_>, dice: Throw, remembered: bool) {
        self.note(Step::Roll(self.rolls.len()));
        self.rolls.push(Thrown {
            path: site.path.to_owned(),
            dice,
            remembered,
            span: site.span,
        });
    }
}

impl Table for Seat<'_> {
    type Dice = Hand;

    const PATHS: bool = true;

    fn roll<T>(
        &mut self,
        site: RollSite<'_>,
        mut run: impl FnMut(&mut Hand) -> Result<T, Trap>,
    ) -> Result<T, Trap> {
        let known = self.session.rolls.get(site.path).cloned();
        for throw in known.into_iter().flatten() {
            let mut hand = Hand::remembering(throw);
            let result = run(&mut hand);
            if hand.fits() {
                self.note_roll(site, hand.thrown, true);
                return result;
            }
        }
        let mut hand = Hand::drawing(self.session.stream.clone());
        let result = run(&mut hand)?;
        if let Faces::Drawn(stream) = hand.faces {
            self.session.stream = stream;
        }
        let throws = self.session.rolls.entry(site.path.to_owned()).or_default();
        throws.push(hand.thrown.clone());
        self.note_roll(site, hand.thrown, false);
        Ok(result)
    }

    fn option(&mut self, path: &str, option: OptionId, who: &str) -> Result<bool, TrapCode> {
        let taken = self.session.choice(path);
        let text = self.script.options.get(option.index());
        self.note(Step::Option(self.options.len()));
        self.options.push(Asked {
            path: path.to_owned(),
            who: who.to_owned(),
            text: text.cloned().unwrap_or_default(),
            taken,
        });
        Ok(taken)
    }

    fn output(&mut self, line: &Text) {
        self.note(Step::Line(line.to_string()));
    }

    fn start_group(&mut self) {
        self.groups.push(Vec::new());
    }

    fn end_group(&mut self) {
        if self.groups.len() > 1
            && let Some(group) = self.groups.pop()
        {
            self.note(Step::Group(group));
        }
    }

    fn stat(&mut self, stat: StatId, value: i64) {
        self.stats.push((stat, value));
    }
}

/// The dice of one roll: remembered ones, or new ones.
struct Hand {
    faces: Faces,
    thrown: Throw,
}

enum Faces {
    Drawn(Stream),
    Remembered {
        throw: Throw,
        /// Whether other dice were asked for.
        differs: bool,
    },
}

impl Hand {
    fn drawing(stream: Stream) -> Self {
        Self {
            faces: Faces::Drawn(stream),
            thrown: Throw::new(),
        }
    }

    fn remembering(throw: Throw) -> Self {
        let differs = false;
        Self {
            faces: Faces::Remembered { throw, differs },
            thrown: Throw::new(),
        }
    }

    /// Whether exactly the remembered dice were asked for.
    fn fits(&self) -> bool {
        match &self.faces {
            Faces::Drawn(_) => true,
            Faces::Remembered { throw, differs } => !differs && throw.len() == self.thrown.len(),
        }
    }
}

impl Dice for Hand {
    fn roll(&mut self, sides: u64) -> Result<u64, TrapCode> {
        let face = match &mut self.faces {
            Faces::Drawn(stream) => stream.roll(sides)?,
            Faces::Remembered { throw, differs } => match throw.get(self.thrown.len()) {
                Some(&(of, face)) if u64::from(of) == sides => face.into(),
                _ => {
                    *differs = true;
                    return Err(TrapCode::FacesRanOut);
                }
            },
        };
        // Dice have at most 10^9 sides.
        self.thrown.push((sides as u32, face as u32));
        Ok(face)
    }
}
