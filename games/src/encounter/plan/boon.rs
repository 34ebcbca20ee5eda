//! Boons: what an action does for its creature or for friends, as long as it lasts (SRD 5.1,
//! "Bless", "Shield of Faith", "Divine Favor").

use super::damage::{By, DamagePart};
use super::dice::Dice;
use super::effect::LASTING;
use super::saving::turns;
use crate::encounter::bestiary::{Action, Counter, Help};
use crate::encounter::wrong::Wrong;

/// The greatest number of creatures that an action helps.
const MAX_TARGETS: u32 = 20;

/// The greatest number of images (SRD 5.1, "Mirror Image").
const MAX_IMAGES: u32 = 3;

/// The greatest number that is added to an armour class.
const MAX_ARMOUR: i64 = 20;

/// What an action does for somebody.
#[derive(Clone, Debug, Default)]
pub(in crate::encounter) struct Boon {
    /// How it stops spells of enemies, as a reaction.
    pub(in crate::encounter) counters: Option<Counter>,
    /// How many creatures it helps.
    pub(in crate::encounter) targets: u32,
    /// Whether it helps its own creature only.
    pub(in crate::encounter) is_own: bool,
    /// Whether it is a bonus action: the creature does what it does usually, too.
    pub(in crate::encounter) is_bonus: bool,
    /// Whether it lasts until its creature's next turn.
    pub(in crate::encounter) is_reaction: bool,
    /// Whether other deeds of its creature are possible as long as it lasts.
    pub(in crate::encounter) has_deeds: bool,
    /// The number of turns of those whom it helps.
    pub(in crate::encounter) turns: u32,
    /// Dice that are added to attack rolls.
    pub(in crate::encounter) attack_dice: Option<Dice>,
    /// Dice that are added to saves.
    pub(in crate::encounter) save_dice: Option<Dice>,
    /// What is added to the armour class.
    pub(in crate::encounter) armour: i64,
    /// Damage that hits with weapons add.
    pub(in crate::encounter) hits: Option<DamagePart>,
    /// Whether that is damage of hits by spells, too.
    pub(in crate::encounter) is_of_spells: bool,
    /// Whether that is damage only to an enemy that its creature marks.
    pub(in crate::encounter) marks: bool,
    /// Whether saves of Dexterity have advantage.
    pub(in crate::encounter) is_nimble: bool,
    /// Whether there is one more attack with a weapon in a turn.
    pub(in crate::encounter) has_attack: bool,
    /// Whether its end costs a turn.
    pub(in crate::encounter) tires: bool,
    /// Its images: 0 to 3.
    pub(in crate::encounter) images: u32,
    /// Whether they are in the place of hits (SRD 5.2), and not of attacks (SRD 5.1).
    pub(in crate::encounter) images_take_hits: bool,
    /// Whether it is hard to see: attackers have disadvantage.
    pub(in crate::encounter) is_blurred: bool,
    /// Whether it cannot be seen: its attacks have advantage, too.
    pub(in crate::encounter) is_invisible: bool,
}

impl Boon {
    /// What an action at a path does for others; `None` if it does nothing.
    ///
    /// # Errors
    /// Numbers out of range, something else than dice, or another duration than those of saves.
    pub(super) fn of(action: &Action, path: &str) -> Result<Option<Self>, Wrong> {
        if let Some(counter) = &action.counters {
            if !action.reaction {
                let wrong = Wrong::new(format!("{path}.counters"), "are of no reaction");
                return Err(wrong.help("add `\"reaction\": true`"));
            }
            return Ok(Some(Self {
                counters: Some(counter.clone()),
                is_reaction: true,
                ..Self::default()
            }));
        }
        let Some(help) = &action.helps else {
            return Ok(None);
        };
        if action.usage.is_none() {
            let wrong = Wrong::new(format!("{path}.usage"), "is missing next to `helps`");
            return Err(wrong.help("say how often: `\"usage\": { \"per day\": 1 }`"));
        }
        let path_of_on = format!("{path}.on");
        let path = format!("{path}.helps");
        let wrong = |member: &str, what: String| Wrong::new(format!("{path}.{member}"), what);
        let targets = help.targets.unwrap_or(1);
        if !(1..=MAX_TARGETS).contains(&targets) {
            return Err(wrong(
                "targets",
                format!("is {targets}, not in 1 to {MAX_TARGETS}"),
            ));
        }
        let armour = help.ac.unwrap_or(0);
        if !(0..=MAX_ARMOUR).contains(&armour) {
            return Err(wrong(
                "ac",
                format!("is {armour}, not in 0 to {MAX_ARMOUR}"),
            ));
        }
        let is_own = match action.on.as_deref() {
            None => false,
            Some("self") => true,
            Some(other) => {
                let wrong = Wrong::new(path_of_on, format!("is `{other}`"));
                return Err(wrong.help("there is only `self`"));
            }
        };
        if action.reaction && (armour == 0 || !is_own) {
            let wrong = Wrong::new(&path, "are those of a reaction, and add nothing to `ac`");
            return Err(wrong.help("such a reaction is `on` itself, and adds to `ac`"));
        }
        if !is_own && (help.aura.is_some() || help.attack.is_some()) {
            let wrong = Wrong::new(&path, "have an aura or an attack for friends");
            return Err(wrong.help("write `\"on\": \"self\"`"));
        }
        let images = help.images.unwrap_or(0);
        if images > MAX_IMAGES || images > 0 && !is_own {
            let wrong = wrong("images", format!("is {images}"));
            return Err(wrong.help("there are up to 3, of the creature itself: `\"on\": \"self\"`"));
        }
        if help.marks && (!is_own || help.hits.is_none()) {
            let wrong = Wrong::new(&path, "mark somebody to no effect, or for friends");
            return Err(wrong.help("a mark needs `hits`, and is `on` itself"));
        }
        let hits = DamagePart::all(help.hits.as_slice(), By::Spell, &format!("{path}.hits"))?;
        let boon = Self {
            counters: None,
            targets,
            is_own,
            is_bonus: action.bonus_action,
            is_reaction: action.reaction,
            has_deeds: help.aura.is_some() || help.attack.is_some(),
            turns: match action.reaction {
                true => 1,
                false => lasts(help, &path)?,
            },
            attack_dice: dice(
                help.attack_rolls.as_deref(),
                &format!("{path}.attack rolls"),
            )?,
            save_dice: dice(help.saves.as_deref(), &format!("{path}.saves"))?,
            armour,
            hits: hits.into_iter().next(),
            is_of_spells: help.hits_of_spells,
            marks: help.marks,
            is_nimble: help.nimble,
            has_attack: help.extra_attack,
            tires: help.tires,
            images,
            images_take_hits: help.images_take_hits,
            is_blurred: help.blurred || help.invisible,
            is_invisible: help.invisible,
        };
        Ok(boon.does_something().then_some(boon))
    }

    fn does_something(&self) -> bool {
        let is_quick = self.is_nimble || self.has_attack;
        let has_dice =
            is_quick || self.images > 0 || self.attack_dice.is_some() || self.save_dice.is_some();
        has_dice || self.armour > 0 || self.hits.is_some() || self.is_blurred || self.has_deeds
    }

    /// Whether it ends in a fight by itself.
    pub(in crate::encounter) fn ends(&self) -> bool {
        self.turns < LASTING && !self.is_reaction
    }
}

/// The number of turns that a help at a path lasts.
fn lasts(help: &Help, path: &str) -> Result<u32, Wrong> {
    let Some(text) = help.lasts.as_deref() else {
        return Ok(LASTING);
    };
    let turns = turns(Some(text)).filter(|_| text.starts_with("for "));
    turns.map(|(turns, _)| turns).ok_or_else(|| {
        let wrong = Wrong::new(format!("{path}.lasts"), format!("is `{text}`"));
        wrong.help("write it as in `for 1 minute`")
    })
}

/// Dice at a path that are added to rolls.
fn dice(text: Option<&str>, path: &str) -> Result<Option<Dice>, Wrong> {
    let Some(text) = text else {
        return Ok(None);
    };
    let dice = Dice::read(text, path)?;
    match dice.rolls() && !dice.may_be_negative() {
        true => Ok(Some(dice)),
        false => Err(Wrong::new(path, format!("is `{text}`; write dice: `1d4`"))),
    }
}
