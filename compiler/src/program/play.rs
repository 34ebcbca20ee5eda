//! Executes a roll once for a player.

use super::bind::Bound;
use super::dice_session::Session;
use super::failure::{Failure, Misuse};
use super::played::{Played, StatKey};
use super::replay::{Replay, Shown, Source};
use super::session::ScriptSession;
use dicec_lang::hir::{Kind, PartNote};
use dicec_lang::interp::{Interpreter, Value};
use dicec_runtime::bug;
use dicec_runtime::control::Control;
use dicec_runtime::trap::Trap;

impl Bound {
    /// Executes the roll for a player: dice that `session` remembers show their faces again, new
    /// ones are drawn and remembered. A die is identified by the path of its roll, its sides, and
    /// the number of earlier dice with the same sides in that roll.
    ///
    /// # Errors
    /// A trap, after which the session remembers the earlier dice; or a rule, which is
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
        self.played(Source::Session(session), control)
    }

    /// Executes the roll once with the next faces of a session of single rolls, like
    /// [`Bound::roll`] for a rule that is a single roll: trial for trial the same as faithful
    /// sampling. Options are not taken.
    ///
    /// # Errors
    /// A trap; or a rule that is a single roll, which is [rolled](Bound::roll).
    pub fn play_once(&self, session: &mut Session) -> Result<Played, Failure> {
        if !self.program().is_script() {
            return Err(Misuse::NotAScript.into());
        }
        self.played(Source::Faces(Some(session)), &Control::default())
    }

    fn played(&self, source: Source<'_>, control: &Control) -> Result<Played, Failure> {
        self.played_by(source, control, |interpreter, replay| {
            interpreter.run(self.arguments(), self.resources(), replay)
        })
    }

    /// Executes the roll once; `run` gives the host to the interpreter, perhaps within another one.
    pub(super) fn played_by(
        &self,
        source: Source<'_>,
        control: &Control,
        run: impl FnOnce(&Interpreter<'_>, &mut Replay<'_>) -> Result<Option<Value>, Trap>,
    ) -> Result<Played, Failure> {
        let mut replay = Replay::new(self, source, control);
        let interpreter = self.interpreter();
        let result = self.answered(None, || {
            let result = run(&interpreter, &mut replay);
            let missed = replay.missed;
            result.map_err(|trap| self.failed(trap.into()).at_element(missed))
        })?;
        let degree = match (result, self.kind()) {
            (Some(Value::Degree(rung)), Some(Kind::Degree(ladder))) => Some(ladder.name(rung)),
            (Some(Value::Degree(_)), Some(Kind::Test)) => None,
            (Some(Value::Degree(_)), _) => {
                return Err(self.bug(bug!("a degree of a roll that gives none")));
            }
            _ => None,
        };
        let label = match (result, self.kind()) {
            (Some(Value::Int(number)), Some(kind)) if kind.is_label() => {
                let labels = self.program().hir().labels(self.definition().function_id());
                let label = labels.name(number);
                Some(label.ok_or_else(|| self.bug(bug!("no label {number}")))?)
            }
            _ => None,
        };
        let success = match (result, self.kind()) {
            (Some(Value::Degree(rung)), Some(Kind::Degree(ladder))) => {
                Some(rung >= ladder.success())
            }
            (Some(Value::Degree(degrees)), Some(Kind::Test)) => Some(degrees > 0),
            (Some(Value::Int(level)), Some(Kind::Level(lowest))) => Some(level >= lowest),
            _ => None,
        };
        let last = self
            .program()
            .hir()
            .last_clamp(self.definition().function_id());
        let raw = replay.clamped.filter(|(_, span)| last == Some(*span));
        let raw = raw.map(|(raw, _)| raw);
        let raw = raw.filter(|raw| result.is_some_and(|result| result != Value::Int(*raw)));
        let Shown {
            steps,
            rolls,
            options,
            mut stats,
        } = replay.shown();
        let mut parts = self.noted_parts(&mut stats);
        let text = match self.definition().parts() {
            Some(all) if all.is_text() => parts.pop().map(|(_, text)| text),
            _ => None,
        };
        let label = label.or(text);
        Ok(Played {
            parts,
            steps,
            rolls,
            options,
            stats,
            result,
            raw,
            degree,
            label,
            success,
        })
    }

    /// Takes the parts of the result out of the statistics.
    fn noted_parts(&self, stats: &mut Vec<(StatKey, i64)>) -> Vec<(String, String)> {
        let module = self.program().hir();
        let parts = self.definition().parts().into_iter();
        let parts = parts.flat_map(|parts| &parts.all).filter_map(|part| {
            let is_its = |(key, _): &(StatKey, i64)| match (key, &part.note) {
                (StatKey::Known(stat), PartNote::Number(noted)) => stat == noted,
                (StatKey::Named(name), PartNote::Text(before)) => name.starts_with(before),
                _ => false,
            };
            let at = stats.iter().position(is_its)?;
            let value = match (stats.remove(at), &part.note) {
                ((StatKey::Named(name), _), PartNote::Text(before)) => {
                    name[before.len()..].to_owned()
                }
                ((_, noted), _) => module.value_text(&part.ty, noted),
            };
            Some((part.name.clone(), value))
        });
        parts.collect()
    }

    pub(super) fn interpreter(&self) -> Interpreter<'_> {
        let program = self.program();
        let limits = program.limits();
        let function = self.definition().function_id();
        Interpreter::new(program.hir(), function, limits.roll, program.trial_limits())
    }
}
