//! One execution for a player: its lines, its rolls, its options, in the order in which they
//! happened.

use super::bind::Bound;
use super::failure::{Failure, Misuse};
use super::session::{Choice, Faces, ScriptSession, Throw};
use crate::engine::interp::{Decision, Host, Interpreter, Offer, OptionSite, RollSite, Value};
use crate::hir::{Kind, Module, StatId};
use dicec_runtime::bug;
use dicec_runtime::control::Control;
use dicec_runtime::limits::PlayLimits;
use dicec_runtime::rng::{Dice, PathKey, Stream, draw};
use dicec_runtime::span::Span;
use dicec_runtime::text::Text;
use dicec_runtime::trap::TrapCode;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What an execution showed.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// What happened, step by step.
    pub steps: Vec<Step>,
    /// The rolls, in the order in which they happened.
    pub rolls: Vec<Thrown>,
    /// The options that were met.
    pub options: Vec<Asked>,
    /// The numbers that were noted, by their statistics.
    pub stats: Vec<(StatKey, i64)>,
    /// What was returned: a number, a truth value, a degree, a constant of an enum or nothing.
    pub result: Option<Value>,
    /// The name of the degree, if that is what was returned.
    pub degree: Option<&'static str>,
    /// The name of the constant of an enum, if that is what was returned.
    pub label: Option<String>,
}

/// A statistic of an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatKey {
    /// One whose name is known.
    Known(StatId),
    /// Its name was put together.
    Named(String),
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A line.
    Line(String),
    /// A roll, by its index in [`Played::rolls`].
    Roll(usize),
    /// An option, by its index in [`Played::options`].
    Option(usize),
    /// Steps that belong together.
    Group(Vec<Step>),
}

/// A roll that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thrown {
    /// Its path, which the session shares.
    pub path: Arc<str>,
    /// Its dice: sides and faces.
    pub dice: Throw,
    /// The number of new dice; the faces of the others were remembered.
    pub new: usize,
    /// Its location in the source.
    pub span: Span,
}

/// An option that was met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Its path.
    pub path: String,
    /// Who is asked; empty if nobody is named.
    pub who: String,
    /// The text of the option.
    pub text: String,
    /// What was offered, and what was decided.
    pub answer: Answered,
}

/// What was offered to a player, and what the player decided. Before any decision, it is no, or the
/// first answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answered {
    /// Whether the option was taken.
    Taken(bool),
    /// A number.
    Number {
        /// The least that is offered, and the greatest.
        bounds: [i64; 2],
        /// The one that was chosen.
        chosen: i64,
    },
    /// One of several answers.
    OneOf {
        /// All of them, as players read them; no two are the same.
        answers: Vec<String>,
        /// The index of the chosen one.
        chosen: usize,
    },
}

impl Bound {
    /// Executes the roll for a player: dice that `session` remembers show their faces again, new
    /// ones are drawn and remembered. A die is known by the path of its roll, its sides, and how
    /// many dice of as many sides that roll drew before it.
    ///
    /// # Errors
    /// A trap, after which the session remembers what was rolled before it; or a rule, which is
    /// [rolled](Bound::roll).
    pub fn play(&self, session: &mut ScriptSession) -> Result<Played, Failure> {
        self.play_with(session, &Control::default())
    }

    /// [`Bound::play`] under a caller's control, which is checked whenever the script burns fuel.
    ///
    /// # Errors
    /// As for [`Bound::play`], or that it was cancelled.
    pub fn play_with(
        &self,
        session: &mut ScriptSession,
        control: &Control,
    ) -> Result<Played, Failure> {
        if !self.program().is_script() {
            return Err(Misuse::NotAScript.into());
        }
        let mut replay = Replay {
            script: self.program().hir(),
            session,
            groups: vec![Vec::new()],
            rolls: Vec::new(),
            options: Vec::new(),
            stats: Vec::new(),
            room: Room::new(self.program().limits().play),
            dice: ReplayDice::default(),
            site: Default::default(),
            unwatched: (),
            control,
        };
        let interpreter = self.interpreter();
        let result = self.answered(None, || {
            let result = interpreter.run(self.arguments(), self.resources(), &mut replay);
            result.map_err(|trap| self.failed(trap.into()))
        })?;
        let degree = match (result, self.kind()) {
            (Some(Value::Degree(rung)), Some(Kind::Degree(ladder))) => Some(ladder.name(rung)),
            (Some(Value::Degree(_)), _) => {
                return Err(self.bug(bug!("a degree of a roll that gives none")));
            }
            _ => None,
        };
        let label = match (result, self.kind()) {
            (Some(Value::Int(number)), Some(Kind::Label)) => {
                let labels = self.program().hir().labels(self.definition().function_id());
                let label = labels.name(number);
                Some(label.ok_or_else(|| self.bug(bug!("no label {number}")))?)
            }
            _ => None,
        };
        while replay.groups.len() > 1 {
            replay.end_group();
        }
        Ok(Played {
            steps: replay.groups.remove(0),
            rolls: replay.rolls,
            options: replay.options,
            stats: replay.stats,
            result,
            degree,
            label,
        })
    }

    pub(super) fn interpreter(&self) -> Interpreter<'_> {
        let program = self.program();
        let limits = program.limits();
        let function = self.definition().function_id();
        Interpreter::new(program.hir(), function, limits.roll, program.trial_limits())
    }
}

/// The host of one execution for a player: it replays a session.
struct Replay<'s> {
    script: &'s Module,
    session: &'s mut ScriptSession,
    /// The steps so far, by open group; the outermost has the steps outside of any group.
    groups: Vec<Vec<Step>>,
    rolls: Vec<Thrown>,
    options: Vec<Asked>,
    stats: Vec<(StatKey, i64)>,
    /// The remaining bytes that may be shown.
    room: Room,
    /// The dice of the current roll, its path, and its location.
    dice: ReplayDice,
    site: (Arc<str>, Span),
    unwatched: (),
    control: &'s Control,
}

impl Replay<'_> {
    /// Notes an option that was met.
    fn asked(&mut self, site: OptionSite<'_>, answer: Answered) -> Result<(), TrapCode> {
        let OptionSite { path, who, .. } = site;
        let text = site.text(self.script);
        let answers = match &answer {
            Answered::OneOf { answers, .. } => answers.as_slice(),
            Answered::Taken(_) | Answered::Number { .. } => &[],
        };
        let answers = answers
            .iter()
            .map(|answer| answer.len() + PlayLimits::ANSWER);
        let texts = who.len() + text.len() + answers.sum::<usize>();
        self.room
            .take(PlayLimits::OPTION + 2 * path.len() + texts)?;
        self.note(Step::Option(self.options.len()));
        self.options.push(Asked {
            path: path.to_owned(),
            who: who.to_owned(),
            text,
            answer,
        });
        Ok(())
    }

    fn note(&mut self, step: Step) {
        if let Some(group) = self.groups.last_mut() {
            group.push(step);
        }
    }
}

impl Host for Replay<'_> {
    type Dice = ReplayDice;
    type Observer = ();

    const PATHS: bool = true;

    fn dice(&mut self) -> &mut ReplayDice {
        &mut self.dice
    }

    fn observer(&mut self) -> &mut () {
        &mut self.unwatched
    }

    fn begin_roll(&mut self, site: RollSite<'_>) -> Result<(), TrapCode> {
        self.room.take(PlayLimits::ROLL + 2 * site.path.len())?;
        let key = PathKey::new(self.session.seed(), site.path);
        let (path, known) = self.session.at(site.path);
        self.dice = ReplayDice::new(key, std::mem::take(known), self.room);
        self.site = (path, site.span);
        Ok(())
    }

    fn end_roll(&mut self) {
        let dice = std::mem::take(&mut self.dice);
        let (path, span) = std::mem::take(&mut self.site);
        self.room = dice.room;
        *self.session.at(&path).1 = dice.remembered;
        self.note(Step::Roll(self.rolls.len()));
        self.rolls.push(Thrown {
            path,
            dice: dice.thrown,
            new: dice.new,
            span,
        });
    }

    fn option(&mut self, site: OptionSite<'_>) -> Result<bool, TrapCode> {
        let taken = self.session.choice(site.path) == Some(&Choice::Taken(true));
        self.asked(site, Answered::Taken(taken))?;
        Ok(taken)
    }

    fn answer(&mut self, site: OptionSite<'_>, offer: Offer) -> Result<Decision, TrapCode> {
        let Offer {
            first,
            last,
            labels,
        } = offer;
        let choice = self.session.choice(site.path);
        let (number, answer) = match labels {
            None => {
                let chosen = match choice {
                    Some(&Choice::Number(number)) if (first..=last).contains(&number) => number,
                    _ => first,
                };
                let bounds = [first, last];
                (chosen, Answered::Number { bounds, chosen })
            }
            Some(answers) => {
                // What is offered no longer is not chosen either.
                let chosen = match choice {
                    Some(Choice::Answer(label)) => answers.iter().position(|known| known == label),
                    _ => None,
                };
                let chosen = chosen.unwrap_or(0);
                (chosen as i64, Answered::OneOf { answers, chosen })
            }
        };
        self.asked(site, answer)?;
        Ok(Decision::Number(number))
    }

    fn is_cancelled(&self) -> bool {
        self.control.is_cancelled()
    }

    fn output(&mut self, line: &Text) -> Result<(), TrapCode> {
        let line = line.to_string();
        self.room.take(PlayLimits::LINE + line.len())?;
        self.note(Step::Line(line));
        Ok(())
    }

    fn start_group(&mut self) -> Result<(), TrapCode> {
        self.room.take(PlayLimits::GROUP)?;
        self.groups.push(Vec::new());
        Ok(())
    }

    fn end_group(&mut self) {
        if self.groups.len() > 1
            && let Some(group) = self.groups.pop()
        {
            self.note(Step::Group(group));
        }
    }

    fn stat(&mut self, stat: StatId, value: i64) -> Result<(), TrapCode> {
        self.room.take(PlayLimits::STAT)?;
        self.stats.push((StatKey::Known(stat), value));
        Ok(())
    }

    fn named_stat(&mut self, name: &Text, value: i64) -> Result<(), TrapCode> {
        let name = name.to_string();
        self.room.take(PlayLimits::STAT + name.len())?;
        self.stats.push((StatKey::Named(name), value));
        Ok(())
    }
}

/// The remaining bytes that an execution may leave; see [`PlayLimits`].
#[derive(Clone, Copy, Default)]
struct Room(usize);

impl Room {
    fn new(limits: PlayLimits) -> Self {
        Self(limits.bytes as usize)
    }

    fn take(&mut self, bytes: usize) -> Result<(), TrapCode> {
        let left = self.0.checked_sub(bytes);
        self.0 = left.ok_or(TrapCode::TooMuchToShow)?;
        Ok(())
    }
}

/// The dice of one roll: those that its path remembers, and new ones.
#[derive(Default)]
struct ReplayDice {
    key: PathKey,
    remembered: Faces,
    /// What was drawn so far, by sides.
    drawn: BTreeMap<u32, Drawn>,
    thrown: Throw,
    /// The number of thrown dice that were not remembered.
    new: usize,
    room: Room,
}

/// The dice of one size in one roll.
struct Drawn {
    /// How many were rolled.
    rolled: usize,
    /// How many were drawn from the stream.
    words: usize,
    stream: Stream,
}

impl ReplayDice {
    fn new(key: PathKey, remembered: Faces, room: Room) -> Self {
        Self {
            key,
            remembered,
            drawn: BTreeMap::new(),
            thrown: Throw::new(),
            new: 0,
            room,
        }
    }
}

impl Dice for ReplayDice {
    fn roll(&mut self, sides: u64) -> Result<u64, TrapCode> {
        self.room.take(PlayLimits::DIE)?;
        // Dice have at most 10^9 sides.
        let key = sides as u32;
        let drawn = self.drawn.entry(key).or_insert_with(|| Drawn {
            rolled: 0,
            words: 0,
            stream: self.key.stream(sides),
        });
        let remembered = self.remembered.entry(key).or_default();
        let face = match remembered.get(drawn.rolled) {
            Some(&face) => face,
            None => {
                self.new += 1;
                let face = drawn.next(sides) as u32;
                remembered.push(face);
                face
            }
        };
        drawn.rolled += 1;
        self.thrown.push((key, face));
        Ok(face.into())
    }
}

impl Drawn {
    /// The face of the next die; the remembered dice before it took their faces from the stream,
    /// too.
    fn next(&mut self, sides: u64) -> u64 {
        while self.words < self.rolled {
            draw::die(&mut self.stream, sides);
            self.words += 1;
        }
        self.words += 1;
        draw::die(&mut self.stream, sides)
    }
}
