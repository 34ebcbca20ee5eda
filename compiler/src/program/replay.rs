//! The host of one execution for a player: dice come from a session, and the steps are recorded for
//! display.

use super::bind::Bound;
use super::dice_session::Session;
use super::played::{Answered, Asked, StatKey, Step, Thrown};
use super::session::{Choice, Faces, ScriptSession, Throw};
use super::thrown::{self, Purposes};
use dicec_lang::hir::{Module, StatId};
use dicec_lang::interp::{Decision, Host, Offer, OptionSite, Outcome, RollSite, Trace};
use dicec_runtime::control::Control;
use dicec_runtime::limits::PlayLimits;
use dicec_runtime::rng::{Dice, PathKey, Stream, draw};
use dicec_runtime::span::Span;
use dicec_runtime::text::Text;
use dicec_runtime::trap::TrapCode;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The source of an execution's faces.
pub(super) enum Source<'s> {
    /// A session that remembers faces and choices by path.
    Session(&'s mut ScriptSession),
    /// A sequence of faces, without choices. The current roll borrows it.
    Faces(Option<&'s mut Session>),
}

/// The record of an execution.
pub(super) struct Shown {
    pub(super) steps: Vec<Step>,
    pub(super) rolls: Vec<Thrown>,
    pub(super) options: Vec<Asked>,
    pub(super) stats: Vec<(StatKey, i64)>,
}

/// The host of one execution for a player.
pub(super) struct Replay<'s> {
    script: &'s Module,
    source: Source<'s>,
    /// The steps so far, by open group; the outermost has the steps outside of any group.
    groups: Vec<Vec<Step>>,
    rolls: Vec<Thrown>,
    options: Vec<Asked>,
    stats: Vec<(StatKey, i64)>,
    /// The remaining bytes of output.
    room: Room,
    /// The dice of the current roll, its path, and its record.
    dice: ReplayDice<'s>,
    path: Arc<str>,
    trace: Trace,
    purposes: Purposes,
    /// The missing index of a list access, and the length of the list.
    pub(super) missed: Option<(i64, usize)>,
    /// The last number that was clamped, and the location of the clamp.
    pub(super) clamped: Option<(i64, Span)>,
    bound: &'s Bound,
    control: &'s Control,
}

impl<'s> Replay<'s> {
    pub(super) fn new(bound: &'s Bound, source: Source<'s>, control: &'s Control) -> Self {
        let program = bound.program();
        Self {
            script: program.hir(),
            source,
            groups: vec![Vec::new()],
            rolls: Vec::new(),
            options: Vec::new(),
            stats: Vec::new(),
            room: Room::new(program.limits().play),
            dice: ReplayDice::default(),
            path: Arc::default(),
            trace: Trace::default(),
            purposes: Purposes::of(program.hir()),
            missed: None,
            clamped: None,
            bound,
            control,
        }
    }

    /// The record; groups that are still open end.
    pub(super) fn shown(mut self) -> Shown {
        while self.groups.len() > 1 {
            self.end_group();
        }
        Shown {
            steps: self.groups.remove(0),
            rolls: self.rolls,
            options: self.options,
            stats: self.stats,
        }
    }

    /// What a player chose at a path.
    fn choice(&self, path: &str) -> Option<&Choice> {
        match &self.source {
            Source::Session(session) => session.choice(path),
            Source::Faces(_) => None,
        }
    }

    /// Records an option that was reached.
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

impl<'s> Host for Replay<'s> {
    type Dice = ReplayDice<'s>;
    type Observer = Trace;

    const PATHS: bool = true;

    fn dice(&mut self) -> &mut ReplayDice<'s> {
        &mut self.dice
    }

    fn observer(&mut self) -> &mut Trace {
        &mut self.trace
    }

    fn no_element(&mut self, index: i64, length: usize) {
        self.missed = Some((index, length));
    }

    fn clamped(&mut self, raw: i64, span: Span) {
        self.clamped = Some((raw, span));
    }

    fn begin_roll(&mut self, site: RollSite<'_>) -> Result<(), TrapCode> {
        self.room.take(PlayLimits::ROLL + 2 * site.path.len())?;
        match &mut self.source {
            Source::Session(session) => {
                let key = PathKey::new(session.seed(), site.path);
                let (path, known) = session.at(site.path);
                self.dice = ReplayDice::new(key, std::mem::take(known), self.room);
                self.path = path;
            }
            Source::Faces(faces) => {
                self.dice = ReplayDice::of_faces(faces.take(), self.room);
                self.path = site.path.into();
            }
        }
        self.trace = Trace::default();
        Ok(())
    }

    fn end_roll(&mut self, site: RollSite<'_>, outcome: Option<&Outcome>) {
        let dice = std::mem::take(&mut self.dice);
        let path = std::mem::take(&mut self.path);
        let trace = std::mem::take(&mut self.trace);
        self.room = dice.room;
        match &mut self.source {
            Source::Session(session) => *session.at(&path).1 = dice.remembered,
            Source::Faces(faces) => *faces = dice.faces,
        }
        self.note(Step::Roll(self.rolls.len()));
        let shown = thrown::Site {
            sources: self.bound.program().sources(),
            module: self.script,
            resources: self.bound.resources(),
            span: site.span,
            roll: site.roll,
            holes: site.holes,
        };
        let mut segments = shown.segments(&trace);
        segments.extend(outcome.map(|outcome| thrown::result(outcome, site.roll)));
        let total = outcome.map(|outcome| outcome.raw.unwrap_or(outcome.value));
        self.rolls.push(Thrown {
            path,
            dice: dice.thrown,
            new: dice.new,
            span: site.span,
            purpose: self.purposes.get(site.span).unwrap_or_default().to_owned(),
            table: trace.dice,
            total: total.filter(|_| site.roll.labels.is_empty()),
            test: outcome.and_then(|outcome| thrown::test(outcome, site.roll)),
            segments,
        });
    }

    fn option(&mut self, site: OptionSite<'_>) -> Result<bool, TrapCode> {
        let taken = self.choice(site.path) == Some(&Choice::Taken(true));
        self.asked(site, Answered::Taken(taken))?;
        Ok(taken)
    }

    fn answer(&mut self, site: OptionSite<'_>, offer: Offer) -> Result<Decision, TrapCode> {
        let Offer {
            first,
            last,
            labels,
        } = offer;
        let choice = self.choice(site.path);
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
                // An answer that is no longer offered is not chosen either.
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

/// The remaining bytes of output of an execution; see [`PlayLimits`].
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

/// The dice of one roll: those that the session remembers at its path, and new ones.
#[derive(Default)]
pub(super) struct ReplayDice<'s> {
    key: PathKey,
    /// The faces of a session of single rolls, which replace all remembered and drawn ones.
    faces: Option<&'s mut Session>,
    remembered: Faces,
    /// The dice drawn so far, by sides.
    drawn: BTreeMap<u32, Drawn>,
    thrown: Throw,
    /// The number of dice that were not remembered.
    new: usize,
    room: Room,
}

/// The dice of one size in one roll.
struct Drawn {
    /// The number of dice that were rolled.
    rolled: usize,
    /// The number of dice that were drawn from the stream.
    words: usize,
    stream: Stream,
}

impl<'s> ReplayDice<'s> {
    fn of_faces(faces: Option<&'s mut Session>, room: Room) -> Self {
        Self {
            faces,
            room,
            ..Self::default()
        }
    }

    fn new(key: PathKey, remembered: Faces, room: Room) -> Self {
        Self {
            key,
            faces: None,
            remembered,
            drawn: BTreeMap::new(),
            thrown: Throw::new(),
            new: 0,
            room,
        }
    }
}

impl Dice for ReplayDice<'_> {
    fn roll(&mut self, sides: u64) -> Result<u64, TrapCode> {
        self.room.take(PlayLimits::DIE)?;
        if let Some(faces) = &mut self.faces {
            let face = faces.roll(sides)?;
            self.thrown.push((sides as u32, face as u32));
            self.new += 1;
            return Ok(face);
        }
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
    /// The face of the next die; earlier remembered dice took their faces from the stream, too.
    fn next(&mut self, sides: u64) -> u64 {
        while self.words < self.rolled {
            draw::die(&mut self.stream, sides);
            self.words += 1;
        }
        self.words += 1;
        draw::die(&mut self.stream, sides)
    }
}
