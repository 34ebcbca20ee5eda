//! A kind of creatures in an encounter: its actions, policies and defences.

use super::aim::Aim;
use super::deed::{Deed, Todo, What};
use super::effect::Hit;
use super::facts::Fact;
use super::grip::Grip;
use super::occasion::{Aside, Besides, Handled, Healing, Rare};
use super::short_name::short;
use super::traits::Traits;
use crate::encounter::bestiary::Creature;
use crate::encounter::document::{Escape, Limited, Targets};
use crate::encounter::feature::{Only, Spelled, Uses, When};
use crate::encounter::policy::Policy;
use crate::script_text::{ScriptCode, code, identifier};

/// A kind of creatures.
#[derive(Clone, Debug)]
pub(in crate::encounter) struct Kind {
    /// Its number in the script.
    pub(in crate::encounter) number: usize,
    pub(in crate::encounter) side: usize,
    pub(in crate::encounter) count: u32,
    pub(in crate::encounter) creature: Creature,
    /// Its name in reports: with its side if both sides have some.
    pub(in crate::encounter) title: String,
    /// Its name in the script.
    pub(in crate::encounter) word: ScriptCode,
    pub(in crate::encounter) traits: Traits,
    pub(in crate::encounter) deeds: Vec<Deed>,
    /// Its speed in feet per turn, in fights with distances.
    pub(in crate::encounter) speed: u32,
    /// Its actions in a turn if nothing limited is available.
    pub(in crate::encounter) routine: Vec<Todo>,
    /// The alternatives if its routine is out of reach, in the order in which they are tried.
    pub(in crate::encounter) options: Vec<Vec<Todo>>,
    /// Its opportunity attack.
    pub(in crate::encounter) opportunity: Option<usize>,
    /// The alternatives to its routine that are better where they are possible, the best first.
    pub(in crate::encounter) preferred: Vec<Vec<Todo>>,
    /// Its limited alternatives, in the order in which they are tried.
    pub(in crate::encounter) limited: Vec<Rare>,
    /// Its legendary actions, the best first, each with its cost.
    pub(in crate::encounter) legendary: Vec<(u32, Todo)>,
    /// Its event handlers.
    pub(in crate::encounter) handled: Vec<Handled>,
    /// Its bonus and free actions, in the order in which they are tried.
    pub(in crate::encounter) asides: Vec<Aside>,
    /// The deeds of features that are not actions.
    pub(super) apart: Vec<usize>,
    /// Its spell triggers.
    pub(super) spelled: Vec<Spelled>,
    /// The side effects of its spells on others.
    pub(in crate::encounter) besides: Vec<Besides>,
    /// How it heals, in the order in which it tries.
    pub(in crate::encounter) healing: Vec<Healing>,
    pub(in crate::encounter) is_character: bool,
    pub(in crate::encounter) targets: Policy<Targets>,
    pub(in crate::encounter) limits: Policy<Limited>,
    /// The policy for escaping from holds.
    pub(in crate::encounter) escapes: Escape,
    /// Whether it averts its eyes from gazes.
    pub(in crate::encounter) averts: bool,
    pub(in crate::encounter) is_surprised: bool,
    /// The round at whose beginning it arrives; it is there from the start without one.
    pub(in crate::encounter) arrives: Option<u32>,
    /// The names of its traits that others cannot disable.
    pub(in crate::encounter) fixed: Vec<String>,
    /// The names of its traits that are modelled.
    pub(in crate::encounter) modelled: Vec<String>,
    /// Its abilities that are not modelled.
    pub(in crate::encounter) missing: Vec<String>,
}

impl Kind {
    /// Adds a deed with a name of its own in the script.
    pub(super) fn push(&mut self, name: &str, what: What, grip: Option<Grip>) {
        let short = short(name);
        let is_thrown = self.deeds.iter().any(|deed| deed.name == short)
            && matches!(&what, What::Strike(strike) if !strike.is_melee);
        let thrown = if is_thrown { " thrown" } else { "" };
        let mut word = identifier(&format!("{} {short}{thrown}", self.word));
        while self.deeds.iter().any(|deed| deed.word == word) {
            word = code!("{word}B", word);
        }
        self.deeds.push(Deed {
            name: short.to_owned(),
            word,
            what,
            grip,
            times: 1,
            aim: Aim::default(),
            range: None,
            sight: None,
            needs_concentration: false,
            level: None,
            is_reaction: false,
            lasting_with: None,
            is_unheld: false,
            is_sequel: false,
            is_idle_spell: false,
        });
    }

    pub(super) fn deed(&self, name: &str) -> Option<usize> {
        self.deeds.iter().position(|deed| deed.name == short(name))
    }

    /// The attack that follows when somebody falls.
    pub(in crate::encounter) fn rampage(&self) -> Option<usize> {
        let rampage = self.traits.rampage.as_ref()?;
        let is_it = |deed: &Deed| deed.name.eq_ignore_ascii_case(&rampage.attack);
        self.deeds.iter().position(is_it)
    }

    /// The attack of a handler that is triggered after a run.
    pub(in crate::encounter) fn charge(&self, handled: &Handled) -> Option<usize> {
        let Only { run, with, .. } = &handled.only;
        let with = with.as_ref().filter(|_| run.is_some())?;
        let is_it =
            |deed: &Deed| deed.name.eq_ignore_ascii_case(with) && deed.is_melee() == Some(true);
        self.deeds.iter().position(is_it)
    }

    /// The names of its deeds that may do damage, each once.
    pub(in crate::encounter) fn damaging(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for deed in self.used().into_iter().map(|deed| &self.deeds[deed]) {
            if deed.does_damage() && !names.contains(&deed.name.as_str()) {
                names.push(&deed.name);
            }
        }
        names
    }

    /// Whether something that it does takes creatures out of the fight at once.
    pub(in crate::encounter) fn kills(&self) -> bool {
        let mut used = self.used().into_iter();
        used.any(|deed| self.deeds[deed].hit().is_some_and(Hit::removes))
    }

    /// Whether it does anything in its turn, or recharges something for later, apart from effects
    /// of others.
    pub(super) fn acts_in_turn(&self) -> bool {
        let uses_limited = self.limits != Policy::Known(Limited::Never);
        let mut asides = self.asides.iter();
        let mut own = self.handled.iter();
        let mut attacked = self.traits.attacked.iter();
        !self.routine.is_empty()
            || !self.options.is_empty()
            || !self.preferred.is_empty()
            || self.opportunity.is_some()
            || !self.legendary.is_empty()
            || uses_limited && !self.limited.is_empty()
            || asides.any(|one| uses_limited || one.uses == Uses::Free)
            || own.any(|one| matches!(one.when, When::TurnStart | When::TurnEnd))
            || attacked.any(|edge| edge.when.mentions(&|fact| *fact == Fact::Begun))
    }

    /// The deeds that it may do, each once.
    pub(in crate::encounter) fn used(&self) -> Vec<usize> {
        let others = self.options.iter().chain(&self.preferred).flatten();
        let routine = self.routine.iter().chain(others);
        let routine = routine.map(|todo| todo.deed).chain(self.opportunity);
        let limited = self.limited.iter().map(|rare| rare.deed);
        let limited = limited.filter(|_| self.limits != Policy::Known(Limited::Never));
        let legendary = self.legendary.iter().map(|(_, todo)| todo.deed);
        let handled = self.handled.iter();
        let handled = handled.flat_map(|one| [Some(one.deed), one.follow, self.charge(one)]);
        let handled = handled.flatten().chain(self.rampage());
        let asides = self.asides.iter().map(|aside| aside.deed);
        let besides = self.besides.iter().map(|one| one.deed);
        let all = routine.chain(limited).chain(legendary).chain(handled);
        let all = all.chain(asides).chain(besides);
        let mut all: Vec<usize> = all.collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}
