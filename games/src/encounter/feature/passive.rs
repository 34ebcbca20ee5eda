//! Permanent changes of a feature to its own creature, for the whole fight.

use super::attached::Attached;
use super::conditions::is_standing;
use super::flags::{Flag, Flags};
use super::parts::{assigned, is_own};
use crate::encounter::plan::{
    CheckClass, Condition, Edge, Fact, Regeneration, RollRule, SaveClass, Traits,
};
use crate::features::{
    ABILITIES, Change, Duration, Effect, EventKind, Expr, ExprKind, Noun, Place, RollClass,
    Subfeature,
};

/// Changes of a creature by a feature.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::encounter) struct Passive {
    /// Its traits.
    pub(in crate::encounter) traits: Traits,
    /// Its hit points, if they differ from those of the stat block.
    pub(in crate::encounter) hit_points: Option<i64>,
    /// Its speed, if it is another one.
    pub(in crate::encounter) speed: Option<u32>,
    /// The number of feet added to its speed.
    pub(in crate::encounter) more_speed: u32,
}

impl Passive {
    /// Adds the changes of a part of a feature. Returns whether the part does nothing else.
    pub(super) fn add(&mut self, part: &Subfeature, attached: &Attached, flags: &Flags) -> bool {
        let [alternative] = &part.trigger.alternatives[..] else {
            return false;
        };
        let Some(event) = &alternative.event else {
            return false;
        };
        let conditions = part.conditions.iter().chain(&alternative.condition);
        let conditions = conditions.filter(|condition| !is_standing(condition));
        let holds = |condition: &Expr| attached.number(condition).is_some_and(|it| it != 0.0);
        let others: Vec<&Expr> = conditions.filter(|condition| !holds(condition)).collect();
        let stopped_by = match &others[..] {
            [] => Vec::new(),
            [condition] => match unless_hurt(condition, flags) {
                Some(types) if event.kind == EventKind::TurnStart => types,
                _ => return false,
            },
            _ => return false,
        };
        if part.recharge.is_some() {
            return false;
        }
        let mut all = self.clone();
        let add = |effect: &Effect| {
            let is_own = effect.target == Noun::Myself && effect.conditions.iter().all(holds);
            let is_lasting = matches!(
                effect.duration,
                Duration::Instant | Duration::UntilOverridden
            );
            is_own
                && is_lasting
                && match (event.kind, &event.nouns[..]) {
                    (EventKind::Passive, _) => all.change(&effect.change, attached),
                    (EventKind::Bonus, _) => all.run(&effect.change, attached),
                    (EventKind::TurnStart, [Noun::Myself]) => {
                        all.regain(&effect.change, attached, &stopped_by)
                    }
                    _ => false,
                }
        };
        let is_all = !part.effects.is_empty() && part.effects.iter().all(add);
        if is_all {
            *self = all;
        }
        is_all
    }

    /// Whether it has something that goes on even if the feature is disabled.
    pub(in crate::encounter) fn is_fixed(&self) -> bool {
        let mut rest = self.clone();
        rest.traits.regeneration = None;
        rest.traits.parry = None;
        rest.traits.rampage = None;
        rest.traits.attacks.clear();
        rest.traits.attacked.clear();
        rest.traits.extras.clear();
        rest.traits.criticals.clear();
        rest.traits.berserk.clear();
        rest.traits.endurance.clear();
        rest != Self::default()
    }

    fn change(&mut self, change: &Change, attached: &Attached) -> bool {
        if let Some((place, value)) = assigned(change) {
            return self.set(place, value, attached);
        }
        let (rule, class) = match change {
            Change::Speed(feet) => return self.hurry(feet, attached),
            Change::ImmuneTo(feature) => {
                self.traits.immune_to.push(feature.clone());
                return true;
            }
            Change::Advantage(Some(class)) => (RollRule::Advantage, class),
            Change::Disadvantage(Some(class)) => (RollRule::Disadvantage, class),
            Change::Succeeds(class) => (RollRule::Succeeds, class),
            Change::Fails(class) => (RollRule::Fails, class),
            _ => return false,
        };
        self.roll(rule, class)
    }

    /// A rule for rolls of a class.
    fn roll(&mut self, rule: RollRule, class: &RollClass) -> bool {
        if *class == RollClass::Attacks {
            let when = Fact::known(true);
            self.traits.attacks.push(Edge { rule, when });
            return true;
        }
        if let Some(class) = check_class(class) {
            self.traits.checks.push((rule, class));
            return true;
        }
        let class = save_class(class).map(|class| (rule, class));
        let is_known = class.is_some();
        self.traits.saves.extend(class);
        is_known
    }

    fn hurry(&mut self, feet: &Expr, attached: &Attached) -> bool {
        let feet = attached.feet(feet).filter(|_| attached.has_positions);
        self.more_speed = self.more_speed.saturating_add(feet.unwrap_or(0));
        feet.is_some()
    }

    /// Sets an attribute of the creature to a value that is known before the fight.
    fn set(&mut self, place: &Place, value: &Expr, attached: &Attached) -> bool {
        let (Noun::Myself, Some(number)) = (&place.owner, attached.number(value)) else {
            return false;
        };
        match place.attribute.to_string().as_str() {
            // Nothing in a fight is an antimagic field.
            "ANTIMAGIC_INCAPACITATES" => {}
            "MAXHP" if number.fract() == 0.0 => self.hit_points = Some(number as i64),
            "MOVESPEED" if attached.has_positions => {
                self.speed = attached.feet(value);
                return self.speed.is_some();
            }
            "PROVOKES_OPPORTUNITY_ATTACKS" if attached.has_positions && number == 0.0 => {
                self.traits.flies_by = true;
            }
            // 1 is a bonus action (seed 001, "Variables"): one a turn, so a creature that may
            // disengage does not dash. It disengages whenever it would be attacked.
            "DISENGAGE" if attached.has_positions && number == 1.0 => self.traits.flies_by = true,
            "DASH" if attached.has_positions && number == 1.0 && !self.traits.flies_by => {
                self.traits.is_aggressive = true;
            }
            _ => return false,
        }
        true
    }

    /// It moves up to its speed toward an enemy.
    fn run(&mut self, change: &Change, attached: &Attached) -> bool {
        let Change::Move { feet, toward } = change else {
            return false;
        };
        let is_speed = is_own(feet, "MOVESPEED");
        let is_meant = attached.has_positions && is_speed && *toward == Noun::Creature;
        self.traits.is_aggressive |= is_meant;
        is_meant
    }

    fn regain(&mut self, change: &Change, attached: &Attached, stopped_by: &[String]) -> bool {
        let Change::Regain(hit_points) = change else {
            return false;
        };
        let hit_points = attached.number(hit_points).map(|number| number as i64);
        let Some(hit_points) = hit_points.filter(|number| (0..=10_000).contains(number)) else {
            return false;
        };
        let before = self.traits.regeneration.replace(Regeneration {
            of: attached.name.clone(),
            hit_points,
            stopped_by: stopped_by.to_vec(),
        });
        before.is_none()
    }
}

/// The types of damage that keep something from happening at the start of the next turn.
fn unless_hurt(condition: &Expr, flags: &Flags) -> Option<Vec<String>> {
    let ExprKind::Not(inner) = &condition.kind else {
        return None;
    };
    match flags.asked(inner)? {
        Flag::Hurt(types) => Some(types.clone()),
        Flag::Begun | Flag::Felled(_) => None,
    }
}

/// The saves of a class of rolls: all, those against magic or a condition, or those of an ability,
/// possibly only against magic.
pub(super) fn save_class(class: &RollClass) -> Option<SaveClass> {
    let name = match class {
        RollClass::Saves => return Some(SaveClass::All),
        RollClass::Named(name) => name.to_lowercase(),
        RollClass::Attacks | RollClass::Checks => return None,
    };
    let mut conditions = Condition::ALL.into_iter();
    if let Some(condition) = conditions.find(|condition| condition.name() == name) {
        return Some(SaveClass::Against(condition));
    }
    if name == "magic" {
        return Some(SaveClass::Magic);
    }
    match name.strip_suffix(" against magic") {
        Some(of) => ability(of, " saving throws").map(SaveClass::OfAgainstMagic),
        None => ability(&name, " saving throws").map(SaveClass::Of),
    }
}

/// The checks of a class of rolls: all, those to escape, or those of an ability.
fn check_class(class: &RollClass) -> Option<CheckClass> {
    match class {
        RollClass::Checks => Some(CheckClass::All),
        class if is_escape(class) => Some(CheckClass::Escapes),
        RollClass::Named(name) => ability(&name.to_lowercase(), " checks").map(CheckClass::Of),
        RollClass::Attacks | RollClass::Saves => None,
    }
}

/// The ability of a class of rolls, which is named before these words.
fn ability(name: &str, words: &str) -> Option<String> {
    let ability = name.strip_suffix(words)?;
    let mut abilities = ABILITIES.iter();
    let (short, _) = abilities.find(|(_, long)| *long == ability)?;
    Some((*short).to_owned())
}

/// Whether a class of rolls has the checks to escape from a grapple.
pub(super) fn is_escape(class: &RollClass) -> bool {
    matches!(class, RollClass::Named(name) if name.eq_ignore_ascii_case("escape grapple"))
}
