//! The features that ship with the bestiary, and the creatures of the SRD 5.1 that have them.
//! `library.json` is in the format of seed 001; `known.json` maps traits of creatures to features,
//! with the values of their variables.

use crate::encounter::bestiary::{Creature, Trait};
use crate::encounter::wrong::Wrong;
use crate::features::{Feature, read_features};
use dicec_runtime::bug;
use serde_json::Value;
use std::sync::LazyLock;

/// All features that ship.
static LIBRARY: LazyLock<Vec<Feature>> = LazyLock::new(|| {
    let (features, wrong) = read_features(include_str!("library.json"));
    // `adhesive` has `V0` for the result of its trigger, as the seed says, of which a note tells.
    if wrong.has_errors() {
        bug!("the shipped features: {wrong:?}").raise();
    }
    features
});

/// The name of a trait, the creature that has it (empty: any creature), the name of a feature, and
/// the values of its variables.
type Row = (String, String, String, Vec<Value>);

static KNOWN: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let rows = serde_json::from_str(include_str!("known.json"));
    rows.unwrap_or_else(|error| bug!("the known traits: {error}").raise())
});

/// A shipped feature by its name.
pub(super) fn shipped(name: &str) -> Option<Feature> {
    let mut all = LIBRARY.iter();
    all.find(|feature| feature.name.written().eq_ignore_ascii_case(name))
        .cloned()
}

/// The feature of a creature's trait: the name of the feature, and its variables. Not for a trait
/// with a feature of its own.
pub(super) fn known(one: &Trait, creature: &Creature) -> Option<(&'static str, Vec<Value>)> {
    let mut all = KNOWN.iter();
    let is_it = |who: &str| who.is_empty() || who == creature.name;
    let (_, _, feature, variables) = all.find(|row| row.0 == one.name && is_it(&row.1))?;
    if one.v.is_some() {
        return Some((feature, Vec::new()));
    }
    let variables = variables.iter().map(|value| match value.as_str() {
        Some("PROF") => Some(creature.proficiency.into()),
        Some("PER DAY") => {
            let usage = one.usage.as_ref().and_then(|usage| usage.per_day);
            Some(usage.unwrap_or(LEGENDARY_RESISTANCES).into())
        }
        // Nobody knows the number of this creature if its stat block does not say it.
        Some("VALUE") => one.value.clone(),
        _ => Some(value.clone()),
    });
    Some((feature, variables.collect::<Option<Vec<Value>>>()?))
}

/// Failed saves a day that succeed all the same (SRD 5.1, "Legendary Resistance").
const LEGENDARY_RESISTANCES: u32 = 3;

/// The meaning of a trait's `value`, by the name of its feature.
enum Gives {
    /// The first variable.
    Number,
    /// The first two: the count and the sides of dice.
    Dice,
}

fn given(feature: &str) -> Option<Gives> {
    match feature {
        "martial advantage" | "sneak attack" | "surprise attack" => Some(Gives::Dice),
        "regeneration"
        | "regeneration but for one type"
        | "regeneration but for two types"
        | "relentless" => Some(Gives::Number),
        _ => None,
    }
}

/// The variables of a feature with the `value` of a trait in them, if it has one.
///
/// # Errors
/// A `value` that the trait cannot take.
pub(super) fn with_value(
    one: &Trait,
    feature: &str,
    mut variables: Vec<Value>,
    creature: &str,
) -> Result<Vec<Value>, Wrong> {
    let (Some(value), Some(gives)) = (&one.value, given(feature)) else {
        return Ok(variables);
    };
    let path = format!("{creature}: the value of {}", one.name);
    let own = match gives {
        Gives::Number => {
            let number = value
                .as_i64()
                .filter(|number| (0..=10_000).contains(number));
            let number = number.ok_or_else(|| Wrong::new(path, "is not a number of hit points"))?;
            vec![number]
        }
        Gives::Dice => value.as_str().and_then(dice).ok_or_else(|| {
            Wrong::new(path, "is not dice of one kind").help("write them as in `\"3d6\"`")
        })?,
    };
    for (place, number) in variables.iter_mut().zip(own) {
        *place = number.into();
    }
    Ok(variables)
}

/// The count and the sides of dice: `3d6`.
fn dice(text: &str) -> Option<Vec<i64>> {
    let (count, sides) = text.trim().split_once(['d', 'D'])?;
    let number = |text: &str| match text.trim() {
        "" => Some(1),
        text => text
            .parse()
            .ok()
            .filter(|number| (1..=1000).contains(number)),
    };
    Some(vec![number(count)?, number(sides)?])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encounter::Bestiary;

    #[test]
    fn what_ships_is_there() {
        let bestiary = Bestiary::srd();
        for (name, creature, feature, variables) in KNOWN.iter() {
            assert!(shipped(feature).is_some(), "{feature}");
            if creature.is_empty() {
                continue;
            }
            let block = bestiary.find(creature).expect("it is in the SRD");
            let one = block.find(name).expect("it has the trait");
            let (_, read) = known(one, &block).expect("it is known");
            assert_eq!(read.len(), variables.len(), "{creature}: {name}");
        }
        assert!(shipped("Death Bursts").is_none());
    }

    /// `3d6` in a stat block replaces the usual dice; other dice are refused.
    #[test]
    fn a_value_stands_for_the_usual_numbers() {
        let one: Trait = serde_json::from_str(r#"{"name": "Sneak Attack", "value": "3d8"}"#)
            .expect("it is a trait");
        let usual = || vec![2.into(), 6.into()];
        let read = with_value(&one, "sneak attack", usual(), "Rogue").expect("it is dice");
        assert_eq!(read, [Value::from(3), Value::from(8)]);
        let wrong = Trait {
            value: Some("3d6+1".into()),
            ..one
        };
        assert!(with_value(&wrong, "sneak attack", usual(), "Rogue").is_err());
    }
}
