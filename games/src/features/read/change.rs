//! Reads changes of effects: phrases, and postfix expressions that store.

use super::condition::number;
use super::phrase::{Found, Said};
use crate::features::attribute::Kind;
use crate::features::document::{Node, Piece};
use crate::features::expr::{Expr, ExprKind, Type, fits, fitted, holds, parse};
use crate::features::findings::Findings;
use crate::features::model::{Action, Change, Damage, RollClass, Save};
use crate::features::noun::Noun;
use crate::features::operand::Operand;
use dicec_lang::syntax::Code;

/// The meaning of a phrase as an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Move,
    Speed,
    Push,
    Set,
    Destroyed,
    Death,
    Surprised,
    Disadvantage,
    DisadvantageOn,
    Advantage,
    AdvantageOn,
    Critical,
    Fails,
    Succeeds,
    Damage,
    SavedDamage,
    FlatDamage,
    WeaponDice,
    MagicalDamage,
    ReduceDamage,
    Regain,
    Act,
    ImmuneTo,
    Disable,
    Corrode,
    Polymorph,
    Nothing,
}

/// The phrases that are effects (seed 001, "EFFECTS"). More special ones come first.
const PHRASES: &[(Meaning, &str)] = &[
    (Meaning::Move, "Move up to X ft toward N"),
    (Meaning::Speed, "Increase movement speed by X"),
    (Meaning::Push, "Pushed X feet in DIRECTION direction"),
    (Meaning::Push, "Pushed X feet DIRECTION"),
    (Meaning::Set, "Set N = N"),
    (Meaning::Destroyed, "Destroyed"),
    (Meaning::Death, "Death"),
    (Meaning::Surprised, "Surprised"),
    (Meaning::DisadvantageOn, "Impose disadvantage on TYPE"),
    (Meaning::Disadvantage, "Impose disadvantage"),
    (Meaning::AdvantageOn, "Grant advantage on TYPE"),
    (Meaning::Advantage, "Grant advantage"),
    (Meaning::AdvantageOn, "Advantage on rolls ROLL_CLASS"),
    (Meaning::DisadvantageOn, "Disadvantage on rolls ROLL_CLASS"),
    (Meaning::Critical, "Grant critical hit"),
    (Meaning::Fails, "Automatic fail on rolls ROLL_CLASS"),
    (Meaning::Succeeds, "Automatic succeed on rolls ROLL_CLASS"),
    (
        Meaning::SavedDamage,
        "Inflict XdX TYPE damage, dc X ABILITY save halves",
    ),
    (Meaning::Damage, "Inflict XdX TYPE damage"),
    (Meaning::FlatDamage, "Deal X damage"),
    (Meaning::WeaponDice, "Deal +X weapon die damage"),
    (Meaning::WeaponDice, "Deal X weapon die damage"),
    (Meaning::MagicalDamage, "Damage dealt is magical"),
    (Meaning::ReduceDamage, "Reduce incoming damage by X"),
    (Meaning::Regain, "Regain X hp"),
    (Meaning::Act, "Take action ACTION"),
    (Meaning::Act, "Take ACTION action"),
    (Meaning::ImmuneTo, "Immune to feature FEATURE"),
    (Meaning::Disable, "Disable other feature"),
    (Meaning::Disable, "Disable feature FEATURE"),
    (Meaning::Corrode, "Weapon/armor corrodes"),
    (Meaning::Corrode, "Weapon corrodes"),
    (Meaning::Corrode, "Armor corrodes"),
    (Meaning::Polymorph, "Polymorph N into creature <= X cr"),
    (Meaning::Nothing, "Increase jump distance by X"),
    (Meaning::Nothing, "Increase jump height by X"),
    (Meaning::Nothing, "Immune to spells with trait SPELL_TRAIT"),
    (Meaning::Nothing, "Move X distance"),
    (
        Meaning::Nothing,
        "Know distance/direction to creature/object within X distance",
    ),
    (Meaning::Nothing, "Ignite flammable objects"),
    (Meaning::Nothing, "Expend spell slot"),
    (Meaning::Nothing, "Special movement"),
    (Meaning::Nothing, "Plane shift"),
    (Meaning::Nothing, "Grant spell effect"),
    (Meaning::Nothing, "Transparency"),
    (Meaning::Nothing, "Prescribed actions"),
    (Meaning::Nothing, "Nothing"),
    (Meaning::Nothing, "Moves in random direction"),
    (Meaning::Nothing, "Attacks random creature within reach"),
    (Meaning::Nothing, "Telepathic command"),
    (Meaning::Nothing, "Learns creature's desires"),
    (Meaning::Nothing, "Spell storing"),
    (Meaning::Nothing, "Creates X diameter tunnel"),
];

/// Reads the change of an effect.
pub(super) fn change(node: &Node, findings: &mut Findings) -> Option<Change> {
    let said = Said::read(node, "an effect", findings)?;
    // These take any number of values, which nobody defines.
    let open = [
        "Disable other feature",
        "Grant spell effect",
        "Prescribed actions",
    ];
    let is_open = open
        .iter()
        .any(|phrase| phrase.eq_ignore_ascii_case(said.words.text));
    let asked = match is_open {
        true => Said {
            values: Vec::new(),
            ..said.clone()
        },
        false => said.clone(),
    };
    if let Some(found) = asked.find(PHRASES, findings).ok()? {
        return phrase(&found, &said, findings);
    }
    if !said.values.is_empty() || !said.words.text.contains(',') {
        said.unknown("an effect", PHRASES, findings);
        return None;
    }
    let expr = parse(said.words, findings)?;
    let stores = |part: &Expr| matches!(part.kind, ExprKind::Store(..));
    if !expr.any(&stores) {
        let help = "store a value to an attribute: (0,creature.MOVESPEED,store)";
        findings.error(
            Code::BadFeature,
            node,
            "calculates something and stores nothing",
            help,
        );
        return None;
    }
    sources(&expr, &said.words, findings);
    Some(Change::Store(expr))
}

/// Notes numbers that are stored to conditions, whose values are the creatures that cause them.
fn sources(expr: &Expr, at: &Piece<'_>, findings: &mut Findings) {
    if let ExprKind::Store(value, place) = &expr.kind
        && place.attribute.kind() == Kind::Source
    {
        source(value, &place.to_string(), at, findings);
    }
    for part in expr.parts() {
        sources(part, at, findings);
    }
}

fn source(value: &Expr, place: &str, at: &Piece<'_>, findings: &mut Findings) {
    if matches!(value.kind, ExprKind::Number(number) if number != 0.0) {
        let what = format!("sets {place} to {value}, where the id of its source belongs");
        let help = "write `self`, or the noun of the creature that it comes from; a number is read as `self`";
        findings.odd(at, what, help);
    }
}

fn phrase(found: &Found<'_, Meaning>, said: &Said<'_>, findings: &mut Findings) -> Option<Change> {
    let at = &said.words;
    let text = |index: usize| found.values.get(index).map(|piece| piece.text.to_owned());
    let value = |index: usize| found.values.get(index).copied();
    Some(match found.meaning {
        Meaning::Move => Change::Move {
            feet: number(value(0)?, findings)?,
            toward: noun(value(1)?, at, findings)?,
        },
        Meaning::Push => Change::Push {
            feet: number(value(0)?, findings)?,
            direction: text(1)?,
        },
        Meaning::Set => set(value(0)?, value(1)?, at, findings)?,
        Meaning::Polymorph => {
            findings.without_effect(
                at,
                "changes nothing in a fight: who becomes another creature keeps its numbers",
            );
            Change::Polymorph {
                who: noun(value(0)?, at, findings)?,
                rating: number(value(1)?, findings)?,
            }
        }
        Meaning::Speed => Change::Speed(number(value(0)?, findings)?),
        Meaning::FlatDamage => Change::FlatDamage(number(value(0)?, findings)?),
        Meaning::WeaponDice => Change::WeaponDice(number(value(0)?, findings)?),
        Meaning::ReduceDamage => Change::ReduceDamage(number(value(0)?, findings)?),
        Meaning::Regain => Change::Regain(number(value(0)?, findings)?),
        Meaning::Damage | Meaning::SavedDamage => Change::Damage(damage(found, at, findings)?),
        Meaning::Destroyed => Change::Destroyed,
        Meaning::Death => Change::Death,
        Meaning::Surprised => Change::Surprised,
        Meaning::Disadvantage => Change::Disadvantage(None),
        Meaning::Advantage => Change::Advantage(None),
        Meaning::Critical => Change::Critical,
        Meaning::MagicalDamage => Change::MagicalDamage,
        Meaning::Corrode => Change::Corrode,
        Meaning::DisadvantageOn => Change::Disadvantage(Some(class(&text(0)?))),
        Meaning::AdvantageOn => Change::Advantage(Some(class(&text(0)?))),
        Meaning::Fails => Change::Fails(class(&text(0)?)),
        Meaning::Succeeds => Change::Succeeds(class(&text(0)?)),
        Meaning::Act => Change::Act(action(&text(0)?)),
        Meaning::ImmuneTo => Change::ImmuneTo(text(0)?),
        Meaning::Disable => {
            // `Disable other feature` has the feature's name after it.
            let name = value(0).or_else(|| said.values.first().copied());
            let Some(name) = name else {
                let help = "name the feature: [\"Disable feature FEATURE\", \"regeneration\"]";
                findings.error(
                    Code::BadFeature,
                    at,
                    "disables a feature without a name",
                    help,
                );
                return None;
            };
            Change::Disable(name.text.to_owned())
        }
        Meaning::Nothing => {
            findings.without_effect(at, "changes nothing in a fight");
            let values = said.values.iter().map(|piece| piece.text);
            let words: Vec<&str> = [at.text].into_iter().chain(values).collect();
            Change::Nothing(words.join(", "))
        }
    })
}

fn noun(value: Piece<'_>, at: &Piece<'_>, findings: &mut Findings) -> Option<Noun> {
    let expr = parse(value.without('{', '}'), findings)?;
    match fitted(expr, Operand::Who, &value, at.text, findings)?.kind {
        ExprKind::Noun(noun) => Some(noun),
        _ => {
            let what = format!("has `{}` where a noun is wanted", value.text);
            let nouns: Vec<&str> = Noun::words().collect();
            let help = format!("nouns are {}, and names", nouns.join(", "));
            findings.error(Code::PostfixType, &value, what, help);
            None
        }
    }
}

/// `Set N = N`: an attribute and its value.
fn set(
    place: Piece<'_>,
    value: Piece<'_>,
    at: &Piece<'_>,
    findings: &mut Findings,
) -> Option<Change> {
    let target = parse(place.without('{', '}'), findings);
    let value = parse(value.without('{', '}'), findings)?;
    let target = target?;
    let ExprKind::Attribute(target) = target.kind else {
        let what = format!("sets `{}`, which is not an attribute", place.text);
        let help = "write whose attribute it is: creature.PRONE";
        findings.error(Code::PostfixType, &place, what, help);
        return None;
    };
    if !fits(&value, target.attribute) {
        let what = format!("sets `{target}` to {}", value.ty.words());
        findings.error(Code::PostfixType, at, what, holds(target.attribute));
        return None;
    }
    if target.attribute.kind() == Kind::Source {
        source(&value, &target.to_string(), at, findings);
    }
    let place = target;
    Some(Change::Set { place, value })
}

fn damage(found: &Found<'_, Meaning>, at: &Piece<'_>, findings: &mut Findings) -> Option<Damage> {
    let value = |index: usize| found.values.get(index).copied();
    let count = number(value(0)?, findings);
    let sides = number(value(1)?, findings);
    let kind = parse(value(2)?.without('{', '}'), findings).and_then(|kind| {
        if matches!(kind.ty, Type::Word | Type::Unknown) {
            return Some(kind);
        }
        let what = format!("has {} where a type of damage is wanted", kind.ty.words());
        findings.error(
            Code::PostfixType,
            at,
            what,
            "write a type, such as `acid`, or V0",
        );
        None
    });
    let save = match found.meaning {
        Meaning::SavedDamage => Some(save(value(3)?, value(4)?, findings)?),
        _ => None,
    };
    Some(Damage {
        count: count?,
        sides: sides?,
        kind: kind?,
        save,
    })
}

/// A saving throw: its difficulty and its ability.
pub(super) fn save(dc: Piece<'_>, ability: Piece<'_>, findings: &mut Findings) -> Option<Save> {
    let dc = number(dc, findings);
    let word = parse(ability, findings)?;
    let word = fitted(word, Operand::Ability, &ability, "save", findings)?;
    let ExprKind::Word(ability) = word.kind else {
        let help = "write an ability, such as `dexterity`";
        findings.error(
            Code::PostfixType,
            &ability,
            "has a variable for an ability",
            help,
        );
        return None;
    };
    Some(Save { dc: dc?, ability })
}

/// A class of rolls.
fn class(text: &str) -> RollClass {
    match text.trim().to_lowercase().as_str() {
        "attack rolls" | "attack roll" | "attacks" | "attack" => RollClass::Attacks,
        "ability checks" | "ability check" | "checks" => RollClass::Checks,
        "saving throws" | "saving throw" | "saves" => RollClass::Saves,
        other => RollClass::Named(other.to_owned()),
    }
}

fn action(text: &str) -> Action {
    match text.trim().to_lowercase().as_str() {
        "attack" => Action::Attack,
        "cantrip" => Action::Cantrip,
        "cast spell" | "cast a spell" | "spell" => Action::Spell,
        _ => Action::Feature(text.trim().to_owned()),
    }
}
