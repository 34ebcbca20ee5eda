//! A kind of creatures in an encounter: its actions, policies and defences.

use super::asides::Aside;
use super::character::Healing;
use super::deed::{Deed, Todo, What, what};
use super::dice::Dice;
use super::effect;
use super::facts::Fact;
use super::grip::Grip;
use super::handled::Handled;
use super::positions::speed;
use super::short_name::short;
use super::spelled::Besides;
use super::strike::said_in_words;
use super::traits::{Traits, has_no_effect};
use crate::encounter::bestiary::{Action, Creature, Step, Usage};
use crate::encounter::document::{Encounter, Escape, Limited, Listed, Targets};
use crate::encounter::feature::{Spelled, Uses, When};
use crate::encounter::policy::Policy;
use crate::encounter::wrong::Wrong;
use crate::script_text::{ScriptCode, code, identifier};
use serde_json::Value;

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
    pub(in crate::encounter) is_surprised: bool,
    /// The names of its traits that others cannot disable.
    pub(in crate::encounter) fixed: Vec<String>,
    /// The names of its traits that are modelled.
    pub(in crate::encounter) modelled: Vec<String>,
    /// Its abilities that are not modelled.
    pub(in crate::encounter) missing: Vec<String>,
}

/// A deed with few uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::encounter) struct Rare {
    pub(in crate::encounter) deed: usize,
    pub(in crate::encounter) uses: u32,
    /// The lowest face of a d6 that brings it back at the beginning of a turn.
    pub(in crate::encounter) recharge: Option<u32>,
}

impl Kind {
    /// The kind that is listed at an index; `taken` are those before it.
    ///
    /// # Errors
    /// The errors in its stat block.
    pub(super) fn of(
        listed: &Listed,
        number: usize,
        title: String,
        encounter: &Encounter,
        taken: &[Kind],
    ) -> Result<Self, Wrong> {
        let creature = &listed.creature;
        let path = format!("{}: $", creature.name);
        let (traits, modelled, missing) = match encounter.plain {
            true => (Traits::default(), Vec::new(), Vec::new()),
            false => Traits::of(creature, encounter),
        };
        let side = &encounter.sides[listed.side];
        let mut kind = Self {
            number,
            side: listed.side,
            count: listed.count,
            creature: creature.clone(),
            word: word(&creature.name, number, taken),
            title,
            traits,
            deeds: Vec::new(),
            speed: speed(creature, encounter)?,
            routine: Vec::new(),
            options: Vec::new(),
            opportunity: None,
            limited: Vec::new(),
            legendary: Vec::new(),
            handled: Vec::new(),
            asides: Vec::new(),
            apart: Vec::new(),
            spelled: Vec::new(),
            besides: Vec::new(),
            healing: Vec::new(),
            is_character: creature.character && !encounter.plain,
            targets: side.targets.clone(),
            limits: side.limited.clone(),
            escapes: side.escape,
            is_surprised: side.surprised,
            fixed: modelled.clone(),
            modelled,
            missing,
        };
        kind.check()?;
        kind.read_actions(encounter, &path)?;
        if !encounter.plain {
            kind.read_features(encounter)?;
        }
        kind.choose_routine()?;
        if encounter.has_positions() {
            kind.choose_options()?;
        }
        if !encounter.plain {
            kind.read_legendary(encounter, &path)?;
        }
        kind.enchant();
        kind.note_unknown_damage();
        Ok(kind)
    }

    /// Checks that its numbers are in range for a creature.
    fn check(&self) -> Result<(), Wrong> {
        let Creature { name, ac, hp, .. } = &self.creature;
        let bounds = |member: &str, number: i64, least, most| match number {
            number if (least..=most).contains(&number) => Ok(()),
            _ => {
                let path = format!("{name}: $.{member}");
                Err(Wrong::new(
                    path,
                    format!("is {number}, not in {least} to {most}"),
                ))
            }
        };
        bounds("hp", *hp, 1, 100_000)?;
        bounds("temp hp", self.creature.temp_hp, 0, 100_000)?;
        bounds("ac", *ac, 0, 1000)
    }

    /// Its deeds: its actions except multiattacks.
    fn read_actions(&mut self, encounter: &Encounter, path: &str) -> Result<(), Wrong> {
        let (is_plain, creature) = (encounter.plain, self.creature.clone());
        for (index, action) in creature.actions.iter().enumerate() {
            let path = format!("{path}.actions[{index}]");
            let is_out = encounter.leaves_out(&action.name) || (is_plain && action.usage.is_some());
            if is_multiattack(action) || is_out || has_no_effect(&action.name, encounter) {
                self.note_grapple(action, is_plain || is_out);
                continue;
            }
            if action.heals.is_some() {
                self.read_healing(action, encounter, &path)?;
                continue;
            }
            match what(action, is_plain, &path)? {
                Some(what) => {
                    self.add(action, what, is_plain, &path)?;
                    if encounter.has_positions() {
                        self.add_thrown(action);
                    }
                }
                None if is_plain => {}
                None if action.spell => self.add_idle_spell(action, &path)?,
                None => self.missing.push(action.name.clone()),
            }
        }
        Ok(())
    }

    fn add(
        &mut self,
        action: &Action,
        what: What,
        is_plain: bool,
        path: &str,
    ) -> Result<(), Wrong> {
        let deed = self.deeds.len();
        if let Some(save) = &action.save {
            let missing = effect::missing(save, action.grapples.is_some());
            if !missing.is_empty() {
                let what = format!("{} ({})", action.name, missing.join(", "));
                self.missing.push(what);
            }
        }
        if action.bonus_action {
            let what = format!("{} (as a bonus action)", action.name);
            self.missing.push(what);
        }
        if let Some(words) = said_in_words(&self.creature.name, &action.name) {
            self.missing.push(format!("{} ({words})", action.name));
        }
        let grip = Grip::of(action, path)?;
        self.push(&action.name, what, grip.filter(|_| !is_plain));
        self.concentrate(deed, action, path)?;
        if let Some(usage) = &action.usage {
            self.limited.push(rare(deed, usage, path)?);
            self.modelled.push(action.name.clone());
        }
        Ok(())
    }

    /// Whether a deed, which is an action at a path, needs concentration.
    ///
    /// # Errors
    /// The action is an attack or heals.
    pub(super) fn concentrate(
        &mut self,
        deed: usize,
        action: &Action,
        path: &str,
    ) -> Result<(), Wrong> {
        if !action.concentration {
            return Ok(());
        }
        let own = &mut self.deeds[deed];
        match &own.what {
            What::Strike(_) => return Err(no_concentration(path)),
            What::Blast(hit, _) if hit.effect.is_some() => own.needs_concentration = true,
            What::Blast(..) | What::Mend(_) => {
                let what = format!("{} (concentration)", action.name);
                self.missing.push(what);
            }
        }
        Ok(())
    }

    /// Names holding by all attacks of a multiattack together, which is not modelled.
    fn note_grapple(&mut self, action: &Action, is_out: bool) {
        if action.grapples.is_some() && !is_out {
            self.missing.push(format!("{} (holding)", action.name));
        }
    }

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
            needs_concentration: false,
            is_unheld: false,
            is_sequel: false,
            is_idle_spell: false,
        });
    }

    /// Its first multiattack (the first alternative), else the attack with the most damage, else an
    /// action with a save.
    fn choose_routine(&mut self) -> Result<(), Wrong> {
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

    pub(super) fn deed(&self, name: &str) -> Option<usize> {
        self.deeds.iter().position(|deed| deed.name == short(name))
    }

    /// The attack that follows when somebody falls.
    pub(in crate::encounter) fn rampage(&self) -> Option<usize> {
        let rampage = self.traits.rampage.as_ref()?;
        let is_it = |deed: &Deed| deed.name.eq_ignore_ascii_case(&rampage.attack);
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

    /// Whether something that it does kills at once.
    pub(in crate::encounter) fn kills(&self) -> bool {
        let mut used = self.used().into_iter();
        used.any(|deed| self.deeds[deed].hit().is_some_and(|hit| hit.kills))
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
            || self.opportunity.is_some()
            || !self.legendary.is_empty()
            || uses_limited && !self.limited.is_empty()
            || asides.any(|one| uses_limited || one.uses == Uses::Free)
            || own.any(|one| matches!(one.when, When::TurnStart | When::TurnEnd))
            || attacked.any(|edge| edge.when.mentions(&|fact| *fact == Fact::Begun))
    }

    /// The deeds that it may do, each once.
    pub(in crate::encounter) fn used(&self) -> Vec<usize> {
        let routine = self.routine.iter().chain(self.options.iter().flatten());
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

/// The error for an action that cannot need concentration.
pub(super) fn no_concentration(path: &str) -> Wrong {
    let path = format!("{path}.concentration");
    let wrong = Wrong::new(path, "is of an action that causes no conditions by a save");
    wrong.help("creatures concentrate on actions that are not attacks, with conditions in a save")
}

/// The name of a kind in the script: numbers of creatures follow it.
fn word(name: &str, number: usize, taken: &[Kind]) -> ScriptCode {
    let word = identifier(name);
    let is_open = word.as_str().ends_with(|c: char| c.is_ascii_digit());
    match is_open || taken.iter().any(|kind| kind.word == word) {
        true => {
            let numeral: ScriptCode = (0..=number).map(|_| ScriptCode::from("I")).collect();
            code!("{word}K{numeral}", word, numeral)
        }
        false => word,
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

pub(super) fn rare(deed: usize, usage: &Usage, path: &str) -> Result<Rare, Wrong> {
    Ok(Rare {
        deed,
        uses: usage.per_day.unwrap_or(1),
        recharge: recharge(usage, path)?,
    })
}

/// The lowest face of a d6 that brings something back.
pub(super) fn recharge(usage: &Usage, path: &str) -> Result<Option<u32>, Wrong> {
    let recharge = usage.recharge.as_deref().map(|faces| {
        let lowest = faces.split(['-', '–']).next().unwrap_or(faces).trim();
        let lowest: Option<u32> = lowest.parse().ok();
        lowest.filter(|face| (1..=6).contains(face)).ok_or_else(|| {
            let what = format!("is `{faces}`; it is the faces of a d6, such as `5-6`");
            Wrong::new(format!("{path}.usage.recharge"), what)
        })
    });
    recharge.transpose()
}
