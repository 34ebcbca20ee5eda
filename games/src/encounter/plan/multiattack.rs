//! Multiattacks, and the routine of a creature in its turns.

use super::aid;
use super::aim::Aim;
use super::deed::{Todo, What};
use super::dice::Dice;
use super::effect::Safe;
use super::kind::Kind;
use super::occasion::Rare;
use super::steps::{alternatives, double_count, is_multiattack};
use super::worth::{Foe, Sides, worth};
use crate::encounter::bestiary::Step;
use crate::encounter::document::Limited;
use crate::encounter::feature::Reach;
use crate::encounter::policy::Policy;
use crate::encounter::wrong::Wrong;
use crate::script_text::code;
use serde_json::Value;
use std::cmp::Reverse;

/// What a creature may do in its turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Choice {
    todos: Vec<Todo>,
    /// Its estimated worth.
    worth: i64,
    does_damage: bool,
    /// Whether it is not always possible.
    is_conditional: bool,
}

impl Choice {
    /// Actions that only cause conditions come last, unless they are worth more than the usual
    /// ones and not always possible.
    fn rank(&self) -> (bool, i64) {
        (self.does_damage || self.is_conditional, self.worth)
    }
}

impl Kind {
    /// The most valuable alternative of its first multiattack, else the most valuable attack or
    /// action with damage, else another action with a save. Those that are possible only on some
    /// creatures, or at some times, are preferred if they are worth more.
    ///
    /// # Errors
    /// A step of a multiattack without a number.
    pub(super) fn choose_routine(
        &mut self,
        sides: &Sides,
        has_positions: bool,
    ) -> Result<(), Wrong> {
        let foes = &sides.enemies;
        let actions = self.creature.actions.clone();
        let multiattack = actions.iter().find(|action| is_multiattack(action));
        let mut all = Vec::new();
        for steps in multiattack.into_iter().flat_map(alternatives) {
            all.push(self.choice(steps, foes)?);
        }
        all.retain(|choice| !choice.todos.is_empty());
        let has_multiattack = !all.is_empty();
        let singles: Vec<Choice> = self
            .singles()
            .filter(|&deed| {
                let competes = self.is_conditional(deed) || self.deeds[deed].is_spell();
                !has_multiattack || competes
            })
            .map(|deed| self.single(deed, foes))
            .collect();
        all.extend(singles);
        // Of equal ones the first.
        all.sort_by_key(|choice| Reverse(choice.rank()));
        let is_usual = |choice: &&Choice| !choice.is_conditional;
        let usual = all.iter().find(is_usual).or(all.first()).cloned();
        let Some(usual) = usual else {
            self.order_by_worth(0, sides, has_positions);
            return Ok(());
        };
        let better = all.into_iter().take_while(|one| *one != usual);
        self.preferred = better.map(|choice| choice.todos).collect();
        self.routine = usual.todos;
        let steps = self.preferred.iter().chain([&self.routine]).flatten();
        let steps: Vec<usize> = steps.map(|todo| todo.deed).collect();
        for rare in &mut self.limited {
            rare.is_step |= steps.contains(&rare.deed);
        }
        self.order_by_worth(usual.worth, sides, has_positions);
        Ok(())
    }

    /// Puts limited actions that are used by their worth after the others, the most valuable first,
    /// without those that are worth less than the routine, and those that never get their turn: of
    /// a level of slots another spell is worth more, and nothing keeps it from being cast.
    fn order_by_worth(&mut self, routine: i64, sides: &Sides, has_positions: bool) {
        let (deeds, own) = (&self.deeds, self.number);
        let instead = self.worth_of_bonus_attacks(&sides.enemies);
        let worth = |index: usize| {
            let deed = &deeds[index];
            let Some(boon) = deed.boon() else {
                return 2 * worth(deed, &sides.enemies);
            };
            let lasting = deeds.iter().filter(|one| one.lasting_with == Some(index));
            let lasting = lasting.map(|one| aid::lasting(boon, one, &sides.enemies));
            let helps = aid::worth(boon, own, sides) + lasting.sum::<i64>();
            let attacks = deeds
                .iter()
                .any(|one| one.lasting_with == Some(index) && one.strike().is_some());
            let spent = match (boon.is_bonus, attacks) {
                (false, _) => 0,
                (true, false) => 1,
                (true, true) => aid::turns(boon),
            };
            let helps = helps - spent * instead;
            // The usual actions follow a bonus action in the same turn.
            2 * helps
                + if boon.is_bonus && helps > 0 {
                    routine
                } else {
                    0
                }
        };
        let is_reaction = |rare: &Rare| deeds[rare.deed].is_reaction;
        let rank = |rare: &Rare| match rare.is_by_worth && !is_reaction(rare) {
            true => (true, Reverse(worth(rare.deed))),
            false => (false, Reverse(0)),
        };
        self.limited
            .retain(|rare| !rare.is_by_worth || is_reaction(rare) || rank(rare).1.0 > routine);
        // Of equal ones the first: spells of lower slots come first in the list.
        self.limited.sort_by_key(rank);
        let mut served: Vec<u32> = Vec::new();
        let always = |rare: &Rare| !has_positions && self.is_always_cast(rare.deed);
        let spent: Vec<bool> = self
            .limited
            .iter()
            .map(|rare| {
                let slot = rare.slot.filter(|_| rare.is_by_worth);
                let is_spent = slot.is_some_and(|slot| served.contains(&slot));
                served.extend(slot.filter(|_| !is_spent && always(rare)));
                is_spent
            })
            .collect();
        let mut spent = spent.into_iter();
        self.limited.retain(|_| spent.next() != Some(true));
    }

    /// The worth of the attacks that it makes as a bonus action in every turn.
    fn worth_of_bonus_attacks(&self, foes: &[Foe]) -> i64 {
        let actions = self.creature.actions.iter();
        let bonus = actions.filter(|action| action.bonus_action && action.usage.is_none());
        let steps = bonus.filter_map(|action| action.multiattack.first());
        let worths = steps.filter_map(|step| {
            let deed = self.deed(&step.action)?;
            Some(worth(&self.deeds[deed], foes) * double_count(step) / 2)
        });
        worths.max().unwrap_or(0)
    }

    /// Whether nothing but its uses can keep a creature from doing a deed in a turn.
    fn is_always_cast(&self, deed: usize) -> bool {
        let own = &self.deeds[deed];
        let is_area = matches!(own.what, What::Blast(_, Reach::Area(_)));
        let may_wait = is_area && self.limits != Policy::Known(Limited::Always);
        let aims = own.hit().is_some_and(|hit| hit.aim != Aim::default());
        !own.needs_concentration
            && !own.is_reaction
            && own.boon().is_none()
            && !self.is_conditional(deed)
            && own.aim == Aim::default()
            && !aims
            && !may_wait
    }

    /// The deeds that may be done instead of a multiattack: those without a limit.
    fn singles(&self) -> impl Iterator<Item = usize> {
        let is_apart = |deed: usize| {
            let is_idle = self.deeds[deed].is_idle_spell;
            let is_limited = self.limited.iter().any(|rare| rare.deed == deed);
            is_idle || is_limited || self.apart.contains(&deed)
        };
        (0..self.deeds.len()).filter(move |&deed| !is_apart(deed))
    }

    /// Whether a deed is possible only on some creatures, which depends on what has happened.
    pub(in crate::encounter) fn is_conditional(&self, deed: usize) -> bool {
        let deed = &self.deeds[deed];
        let effect = deed.hit().and_then(|hit| hit.effect.as_ref());
        let may_be_vain = effect.is_some_and(|effect| effect.safe != Safe::Never);
        let is_blast = deed.strike().is_none();
        deed.aim.has_state || is_blast && may_be_vain
    }

    fn single(&self, deed: usize, foes: &[Foe]) -> Choice {
        Choice {
            todos: vec![Todo::once(deed)],
            worth: 2 * worth(&self.deeds[deed], foes),
            does_damage: self.deeds[deed].does_damage(),
            is_conditional: self.is_conditional(deed),
        }
    }

    /// An alternative of a multiattack.
    fn choice(&mut self, steps: &[Step], foes: &[Foe]) -> Result<Choice, Wrong> {
        let mut choice = Choice {
            does_damage: true,
            ..Choice::default()
        };
        for step in steps {
            let todo = self.todo(step)?;
            let is_limited = |todo: &Todo| self.limited.iter().any(|rare| rare.deed == todo.deed);
            if self.limits == Policy::Known(Limited::Never) && todo.as_ref().is_some_and(is_limited)
            {
                continue;
            }
            let Some(todo) = todo else {
                let what = format!("{} (multiattack)", step.action);
                if !self.missing.contains(&what) {
                    self.missing.push(what);
                }
                continue;
            };
            choice.worth += double_count(step) * worth(&self.deeds[todo.deed], foes);
            let is_limited = self.limited.iter().any(|rare| rare.deed == todo.deed);
            choice.is_conditional |= is_limited || self.deeds[todo.deed].aim.has_state;
            choice.todos.push(todo);
        }
        Ok(choice)
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
