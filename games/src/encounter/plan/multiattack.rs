//! Multiattacks, and the routine of a creature in its turns.

use super::deed::Todo;
use super::dice::Dice;
use super::kind::Kind;
use crate::encounter::bestiary::{Action, Step};
use crate::encounter::wrong::Wrong;
use crate::script_text::code;
use serde_json::Value;

impl Kind {
    /// Its first multiattack (the first alternative), else the attack with the most damage, else an
    /// action with a save.
    pub(super) fn choose_routine(&mut self) -> Result<(), Wrong> {
        let actions = self.creature.actions.clone();
        let multiattack = actions.iter().find(|action| is_multiattack(action));
        if let Some(steps) = multiattack.and_then(|action| alternatives(action).next()) {
            for step in steps {
                match self.todo(step)? {
                    Some(todo) => self.routine.push(todo),
                    None => self.missing.push(format!("{} (multiattack)", step.action)),
                }
            }
        }
        if !self.routine.is_empty() {
            return Ok(());
        }
        let is_apart = |deed: usize| {
            let is_idle = self.deeds[deed].is_idle_spell;
            let is_limited = self.limited.iter().any(|rare| rare.deed == deed);
            is_idle || is_limited || self.apart.contains(&deed)
        };
        let free = (0..self.deeds.len()).filter(|&deed| !is_apart(deed));
        // Of equal ones the first.
        let best = free.max_by_key(|&deed| (self.deeds[deed].worth(), usize::MAX - deed));
        self.routine.extend(best.map(Todo::once));
        Ok(())
    }

    /// A step of a multiattack; `None` if it is not modelled.
    ///
    /// # Errors
    /// Its count is neither a number nor dice.
    pub(super) fn todo(&self, step: &Step) -> Result<Option<Todo>, Wrong> {
        let Some(deed) = self.deed(&step.action) else {
            return Ok(None);
        };
        let path = format!("{}: $.actions.multiattack", self.creature.name);
        let times = match &step.count {
            Value::Number(number) => {
                let count = number.as_u64().and_then(|count| u32::try_from(count).ok());
                let what = format!("does `{}` {number} times", step.action);
                let wrong = Wrong::new(&path, what).help("write a whole number, or dice: `1d4`");
                count.ok_or(wrong)?.into()
            }
            // SRD 5.1, Hydra: it has five heads.
            Value::String(text) if text == "Number of Heads" => "5".into(),
            Value::String(text) => code!("roll({})", Dice::read(text, &path)?.text(false)),
            _ => return Ok(None),
        };
        Ok(Some(Todo { deed, times }))
    }
}

pub(super) fn is_multiattack(action: &Action) -> bool {
    !action.multiattack.is_empty() || !action.multiattack_one_of.is_empty()
}

/// The alternatives of a multiattack.
pub(super) fn alternatives(action: &Action) -> impl Iterator<Item = &Vec<Step>> {
    let own = Some(&action.multiattack).filter(|own| !own.is_empty());
    own.into_iter().chain(&action.multiattack_one_of)
}
