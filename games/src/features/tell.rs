//! Describes features in words.

use super::expr::{Expr, ExprKind, filled};
use super::model::{
    Action, Advantage, Change, Damage, Duration, Effect, Recharge, Restore, RollClass, Save,
    Subfeature, Unit,
};
use super::noun::Noun;
use super::trigger::{Alternative, Event, Trigger};

/// A part of a feature in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// When it acts: `when self hits any`.
    pub trigger: String,
    /// The conditions.
    pub conditions: Vec<String>,
    /// The effects.
    pub effects: Vec<ToldEffect>,
    /// The limit on its uses: `1 use, back on 5-6 of a d6`.
    pub recharge: Option<String>,
}

/// An effect in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToldEffect {
    /// The target.
    pub target: String,
    /// The conditions on each target.
    pub conditions: Vec<String>,
    /// The change: `creatures take V2dV3 acid damage`.
    pub effect: String,
    /// The duration; `None` for an instant effect.
    pub duration: Option<String>,
}

/// Describes a part of a feature.
pub fn tell(part: &Subfeature) -> Told {
    Told {
        trigger: trigger(&part.trigger),
        conditions: part.conditions.iter().map(Expr::to_string).collect(),
        effects: part.effects.iter().map(effect).collect(),
        recharge: part.recharge.as_ref().map(recharge),
    }
}

fn trigger(trigger: &Trigger) -> String {
    let alternatives = trigger.alternatives.iter().map(alternative);
    alternatives.collect::<Vec<_>>().join(", or ")
}

fn alternative(alternative: &Alternative) -> String {
    match (&alternative.event, &alternative.condition) {
        (Some(event), None) => self::event(event),
        (Some(event), Some(condition)) => format!("{} if {condition}", self::event(event)),
        (None, Some(condition)) => format!("when {condition}"),
        (None, None) => "always".to_owned(),
    }
}

fn event(event: &Event) -> String {
    let nouns = event.nouns.iter().map(|noun| {
        let kind = ExprKind::Noun(noun.clone());
        Expr::new(kind, super::expr::Type::Creature, Default::default())
    });
    let operands: Vec<Expr> = nouns.chain(event.number.clone()).collect();
    filled(event.kind.info().words, &operands)
}

fn effect(effect: &Effect) -> ToldEffect {
    ToldEffect {
        target: effect.target.to_string(),
        conditions: effect.conditions.iter().map(Expr::to_string).collect(),
        effect: change(&effect.target, &effect.change),
        duration: duration(&effect.duration),
    }
}

fn change(who: &Noun, change: &Change) -> String {
    // `creatures take`, `self takes`.
    let s = if *who == Noun::Creatures { "" } else { "s" };
    let (has, is) = match who {
        Noun::Creatures => ("have", "are"),
        _ => ("has", "is"),
    };
    match change {
        Change::Move { feet, toward } => {
            format!("{who} may move up to {feet} ft toward {toward}")
        }
        Change::Speed(feet) => format!("{who} move{s} {feet} ft faster"),
        Change::Push { feet, direction } => format!("{who} {is} pushed {feet} ft {direction}"),
        Change::Set { place, value } => format!("{place} becomes {value}"),
        Change::Store(expr) => stores(expr),
        Change::Destroyed => format!("{who} {is} destroyed"),
        Change::Death => format!("{who} die{s}"),
        Change::Surprised => format!("{who} {is} surprised"),
        Change::Disadvantage(class) => format!("{who} {has} disadvantage on {}", rolls(class)),
        Change::Advantage(class) => format!("{who} {has} advantage on {}", rolls(class)),
        Change::Critical => "the hit is a critical hit".to_owned(),
        Change::Fails(class) => format!("{who} fail{s} {}", rolls_of(class)),
        Change::Succeeds(class) => format!("{who} succeed{s} on {}", rolls_of(class)),
        Change::Damage(damage) => format!("{who} take{s} {}", dice(damage)),
        Change::FlatDamage(points) => format!("{who} take{s} {points} damage"),
        Change::WeaponDice(dice) => format!("the attack deals {dice} more of its weapon's dice"),
        Change::MagicalDamage => "the damage is magical".to_owned(),
        Change::ReduceDamage(points) => format!("the damage is reduced by {points}"),
        Change::Regain(points) => format!("{who} regain{s} {points} hit points"),
        Change::Act(action) => match action {
            Action::Attack => format!("{who} may attack"),
            Action::Cantrip => format!("{who} may cast a cantrip"),
            Action::Spell => format!("{who} may cast a spell"),
            Action::Feature(name) => format!("{who} may use {name}"),
        },
        Change::ImmuneTo(feature) => format!("{who} {is} immune to the feature {feature}"),
        Change::Disable(feature) => format!("the feature {feature} of {who} does not act"),
        Change::Corrode => format!("the weapon or armour of {who} corrodes"),
        Change::Polymorph { who, rating } => {
            format!(
                "{who} becomes a creature of challenge rating {rating} or less (no effect in a fight)"
            )
        }
        Change::Nothing(text) => format!("{who}: {text} (no effect in a fight)"),
    }
}

/// The stores of an expression.
fn stores(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Store(value, place) => {
            let first = match value.any(&|part| matches!(part.kind, ExprKind::Store(..))) {
                true => format!("{}, and ", stores(value)),
                false => String::new(),
            };
            format!("{first}{place} becomes {value}")
        }
        ExprKind::Before(one, other) | ExprKind::After(one, other) => {
            let parts = [one, other].map(|part| stores(part));
            let parts = parts.iter().filter(|part| !part.is_empty());
            parts.cloned().collect::<Vec<_>>().join(", and ")
        }
        _ => {
            let parts = expr.parts().into_iter().map(stores);
            let parts = parts.filter(|part| !part.is_empty());
            parts.collect::<Vec<_>>().join(", and ")
        }
    }
}

fn rolls(class: &Option<RollClass>) -> String {
    match class {
        None => "this roll".to_owned(),
        Some(class) => rolls_of(class),
    }
}

fn rolls_of(class: &RollClass) -> String {
    match class {
        RollClass::Attacks => "attack rolls".to_owned(),
        RollClass::Checks => "ability checks".to_owned(),
        RollClass::Saves => "saving throws".to_owned(),
        RollClass::Named(name) => format!("rolls of the class {name}"),
    }
}

fn dice(damage: &Damage) -> String {
    let Damage {
        count,
        sides,
        kind,
        save,
    } = damage;
    let save = save.as_ref();
    let save = save.map_or_else(String::new, |save| format!(" ({} for half)", saved(save)));
    format!("{}d{} {kind} damage{save}", short(count), short(sides))
}

/// A number next to a `d`.
fn short(expr: &Expr) -> String {
    match expr.parts().is_empty() {
        true => expr.to_string(),
        false => format!("({expr})"),
    }
}

fn saved(save: &Save) -> String {
    format!("DC {} {} save", save.dc, save.ability)
}

fn duration(duration: &Duration) -> Option<String> {
    Some(match duration {
        Duration::Instant => return None,
        Duration::Until(trigger) => format!("until {}", self::until(trigger)),
        Duration::EndOfTurn => "until the end of the turn".to_owned(),
        Duration::StartOfNextTurn => "until the start of the next turn".to_owned(),
        Duration::EndOfOwnNextTurn => "until the end of the next turn of self".to_owned(),
        Duration::EndOfTargetNextTurn => "until the end of the target's next turn".to_owned(),
        Duration::UntilAction => "until an action is taken to end it".to_owned(),
        Duration::Time { count, unit } => {
            let words = unit_words(*unit);
            match count.kind {
                ExprKind::Number(1.0) => format!("for 1 {}", words.trim_end_matches('s')),
                _ => format!("for {count} {words}"),
            }
        }
        Duration::RepeatedSaves(save, advantage) => {
            let save = save.as_ref().map_or_else(|| "the save".to_owned(), saved);
            let how = match advantage {
                Advantage::None => "",
                Advantage::Advantage => " with advantage",
                Advantage::Disadvantage => " with disadvantage",
            };
            format!("until {save}, repeated each turn{how}, succeeds")
        }
        Duration::UntilSpell(spell) => format!("until {spell} is cast"),
        Duration::UntilOverridden => "until overridden or dead".to_owned(),
        Duration::UntilEffect(effect) => format!("until {effect} expires"),
    })
}

/// A trigger after `until`.
fn until(trigger: &Trigger) -> String {
    let text = self::trigger(trigger);
    text.strip_prefix("when ")
        .map_or(text.clone(), str::to_owned)
}

fn unit_words(unit: Unit) -> &'static str {
    match unit {
        Unit::Second => "seconds",
        Unit::Minute => "minutes",
        Unit::Hour => "hours",
        Unit::Day => "days",
        Unit::Month => "months",
        Unit::Year => "years",
    }
}

fn recharge(recharge: &Recharge) -> String {
    let uses = &recharge.uses;
    let uses = match uses.kind {
        ExprKind::Number(1.0) => "1 use".to_owned(),
        _ => format!("{uses} uses"),
    };
    let back = match recharge.back {
        Restore::Turn => "back each turn".to_owned(),
        Restore::ShortRest => "back after a short rest".to_owned(),
        Restore::LongRest => "back after a long rest".to_owned(),
        Restore::OnD6 { from, to } if from == to => format!("back on a {from} of a d6"),
        Restore::OnD6 { from, to } => format!("back on {from}-{to} of a d6"),
    };
    format!("{uses}, {back}")
}
