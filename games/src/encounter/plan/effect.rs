//! Effects on creatures that may make a save, and what happens to those that fail it.

use super::aim::Aim;
use super::condition::Condition;
use super::damage::DamagePart;
use super::roll_class::RollRule;

/// The effect of an action, a hit or a feature, usually after a failed save.
#[derive(Clone, Debug)]
pub(in crate::encounter) struct Hit {
    /// The saving throw; without one, the effect always happens.
    pub(in crate::encounter) ask: Option<Ask>,
    /// Whether a successful save halves the damage; otherwise it avoids all damage.
    pub(in crate::encounter) is_halved: bool,
    /// Whether it is magical: advantage for those with Magic Resistance.
    pub(in crate::encounter) is_magical: bool,
    pub(in crate::encounter) damage: Vec<DamagePart>,
    pub(in crate::encounter) effect: Option<Effect>,
    /// The creatures that it affects.
    pub(in crate::encounter) aim: Aim,
    /// The effect on those that fail by 5 or more, in addition.
    pub(in crate::encounter) worse: Option<Effect>,
    /// The effect on those that fail a second save, when the first effect is over.
    pub(in crate::encounter) twice: Option<Effect>,
    /// The effect on those whom its damage drops to 0 hit points.
    pub(in crate::encounter) drops: Option<Effect>,
    /// Whether a failed save kills.
    pub(in crate::encounter) kills: bool,
    /// The number of feet that a failed save pushes the creature away, in fights with distances.
    pub(in crate::encounter) pushes: u32,
    /// The equipment that corrodes after a failed save.
    pub(in crate::encounter) corrodes: Option<Gear>,
}

/// Equipment that may corrode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::encounter) enum Gear {
    /// 1 is taken from the armour class, down to 10.
    Armour,
    /// 1 is taken from the damage of hits, up to 5.
    Weapon,
}

/// A saving throw, or a check.
#[derive(Clone, Debug)]
pub(in crate::encounter) struct Ask {
    /// STR, DEX, CON, INT, WIS or CHA.
    pub(in crate::encounter) ability: String,
    pub(in crate::encounter) dc: i64,
    pub(in crate::encounter) roll: Roll,
}

/// The kind of roll that avoids the effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::encounter) enum Roll {
    /// By a saving throw.
    Save,
    /// By an ability check that reaches the number.
    Check,
    /// By an ability check that stays below the number: some files say so.
    LowCheck,
}

impl Hit {
    /// Damage, and nothing else.
    pub(in crate::encounter) fn of_damage(damage: &[DamagePart]) -> Self {
        Self {
            ask: None,
            is_halved: false,
            is_magical: false,
            damage: damage.to_vec(),
            effect: None,
            aim: Aim::default(),
            worse: None,
            twice: None,
            drops: None,
            kills: false,
            pushes: 0,
            corrodes: None,
        }
    }

    /// Whether it has no effect.
    pub(in crate::encounter) fn does_nothing(&self) -> bool {
        let is_harmless = !self.kills && self.pushes == 0 && self.corrodes.is_none();
        self.damage.is_empty() && self.effect.is_none() && is_harmless
    }

    /// Its effects, each with the event that causes it.
    pub(in crate::encounter) fn parts(&self) -> impl Iterator<Item = (Part, &Effect)> {
        let all = [
            (Part::Fails, &self.effect),
            (Part::FailsBy5, &self.worse),
            (Part::FailsTwice, &self.twice),
            (Part::Drops, &self.drops),
        ];
        all.into_iter()
            .filter_map(|(part, effect)| Some((part, effect.as_ref()?)))
    }

    /// Whether it matters by how much a save fails.
    pub(in crate::encounter) fn counts(&self) -> bool {
        self.worse.is_some()
    }

    /// Whether it may take a creature out of the fight, other than by damage.
    pub(in crate::encounter) fn removes(&self) -> bool {
        self.kills || self.parts().any(|(_, effect)| effect.is_final())
    }

    /// Whether it disables a feature for a time.
    pub(super) fn takes_away(&self, feature: &str) -> bool {
        let effect = self.effect.as_ref();
        effect.is_some_and(|effect| effect.takes_away(feature))
    }

    /// Whether it may do damage.
    pub(in crate::encounter) fn does_damage(&self) -> bool {
        !self.damage.is_empty()
    }

    /// Whether its save is of this ability.
    pub(in crate::encounter) fn asks_for(&self, ability: &str) -> bool {
        let ask = self.ask.as_ref();
        ask.is_some_and(|ask| ask.ability == ability && ask.roll == Roll::Save)
    }
}

/// The event that causes a part of a [`Hit`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::encounter) enum Part {
    /// A failed save; or nothing, without a save.
    Fails,
    /// A save that fails by 5 or more.
    FailsBy5,
    /// A second save that fails.
    FailsTwice,
    /// Damage that drops the creature to 0 hit points.
    Drops,
}

/// The creatures that are safe from an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::encounter) enum Safe {
    /// None.
    Never,
    /// Those that made the save.
    Saved,
    /// Those that made the save, though the effect of an earlier one goes on.
    SavedLater,
    /// Also those for which the effect has ended (Frightful Presence).
    Over,
}

/// Conditions after a failed save, with their duration.
#[derive(Clone, Debug)]
pub(in crate::encounter) struct Effect {
    pub(in crate::encounter) conditions: Vec<Condition>,
    /// The number of turns, of the kind in `ends`, that it lasts.
    pub(in crate::encounter) turns: u32,
    /// The event that ends it.
    pub(in crate::encounter) ends: Ends,
    /// The save at the end of each turn, if there is one.
    pub(in crate::encounter) repeats: Option<Repeat>,
    /// The creatures that are safe from it for the rest of the fight.
    pub(in crate::encounter) safe: Safe,
    /// The feature that does not act while it lasts.
    pub(in crate::encounter) disables: Option<String>,
    /// The damage at the start of each turn of its victim.
    pub(in crate::encounter) each_turn: Vec<DamagePart>,
}

/// The event that ends an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::encounter) enum Ends {
    /// The end of turns of its victim.
    OwnEnd,
    /// The start of a turn of its victim.
    OwnStart,
    /// The end of turns of whoever causes it: of the one in which it begins, too, if `turns` is 1.
    CauseEnd,
    /// The start of a turn of whoever causes it.
    CauseStart,
    /// The end of the turn in which it begins, whoever's that is.
    Turn,
    /// Damage to its victim.
    Damage,
    /// An action that its victim uses for that.
    Action,
    /// A move of its victim.
    Move,
    /// A move of whoever causes it.
    CauseMove,
}

/// A save that is repeated.
#[derive(Clone, Debug)]
pub(in crate::encounter) struct Repeat {
    /// The repeated save, if it differs from the first one.
    pub(in crate::encounter) ask: Option<Ask>,
    /// Its advantage or disadvantage.
    pub(in crate::encounter) edge: Option<RollRule>,
}

impl Repeat {
    /// The save that was made at first.
    pub(in crate::encounter) const SAME: Self = Self {
        ask: None,
        edge: None,
    };

    /// Whether it is the save that was made at first.
    pub(in crate::encounter) fn is_same(&self) -> bool {
        self.ask.is_none() && self.edge.is_none()
    }
}

impl Effect {
    /// Whether the script must store which creature caused it.
    pub(super) fn needs_cause(&self) -> bool {
        matches!(
            self.ends,
            Ends::CauseStart | Ends::CauseEnd | Ends::CauseMove
        )
    }

    /// Whether it keeps a feature from acting.
    pub(in crate::encounter) fn takes_away(&self, feature: &str) -> bool {
        let name = self.disables.as_ref();
        name.is_some_and(|name| name.eq_ignore_ascii_case(feature))
    }

    /// Whether its victim is out of the fight.
    pub(in crate::encounter) fn is_final(&self) -> bool {
        let lasts = self.turns >= LASTING && self.ends == Ends::OwnEnd && self.repeats.is_none();
        lasts && self.conditions.contains(&Condition::Petrified)
    }

    /// Its conditions in words: `blinded and prone`.
    pub(in crate::encounter) fn names(&self) -> String {
        if let ([], Some(part)) = (&self.conditions[..], self.each_turn.first()) {
            let is_fire = part.kind.name == "fire";
            return if is_fire { "burning" } else { "wounded" }.to_owned();
        }
        if let Some(feature) = &self.disables {
            return format!("without {feature}");
        }
        let names = self.conditions.iter().map(|condition| condition.name());
        names.collect::<Vec<_>>().join(" and ")
    }
}

/// The turns of an effect that outlasts a fight.
pub(in crate::encounter) const LASTING: u32 = 1000;
