//! A feature of a creature, bound to the values of its variables and the creature's numbers.

use super::handler::Shape;
use super::library;
use super::parts::{GRAPPLED, condition_named};
use crate::encounter::bestiary::{ABILITIES, Creature, Trait};
use crate::encounter::plan::short;
use crate::encounter::wrong::Wrong;
use crate::features::{
    Area, Attribute, Binary, Change, Expr, ExprKind, Feature, Kind, Place, Value, Values, evaluate,
    read_features,
};
use serde_json::Value as Json;

/// The distance of two creatures, in feet, where everybody is in reach.
const IN_REACH: &str = "5";

/// A feature of a creature.
#[derive(Clone, Debug)]
pub(in crate::encounter) struct Attached {
    /// The name of the trait that it is.
    pub(super) name: String,
    pub(super) feature: Feature,
    /// The known values: of its variables, of the creature, and those that hold in every fight.
    pub(super) values: Values,
    /// Whether distances count.
    pub(super) has_positions: bool,
    /// The DC of a check to escape from a hold of the feature; no feature has it in its data.
    pub(super) escape_dc: i64,
}

impl Attached {
    /// Whether a trait of a creature is a feature.
    pub(in crate::encounter) fn is_one(one: &Trait, creature: &Creature) -> bool {
        one.feature.is_some() || library::known(one, creature).is_some()
    }

    /// The features that a trait of a creature is; empty if it is none.
    ///
    /// # Errors
    /// A feature that cannot be read, or a value that no variable can hold.
    pub(in crate::encounter) fn of(
        one: &Trait,
        creature: &Creature,
        has_positions: bool,
    ) -> Result<Vec<Self>, Wrong> {
        let path = format!("{}: the feature of {}", creature.name, one.name);
        let known = library::known(one, creature);
        let (features, usual) = match (&one.feature, known) {
            (Some(Json::String(name)), _) => {
                let shipped = library::shipped(name.as_str()).ok_or_else(|| {
                    Wrong::new(
                        &path,
                        format!("is `{name}`, which does not ship with dicec"),
                    )
                })?;
                (vec![shipped], Vec::new())
            }
            (Some(document), _) => (read(document, &path)?, Vec::new()),
            (None, Some((name, usual))) => {
                let usual = library::with_value(one, name, usual, &creature.name)?;
                (library::shipped(name).into_iter().collect(), usual)
            }
            (None, None) => return Ok(Vec::new()),
        };
        let variables = one.v.as_ref().unwrap_or(&usual);
        let mut values = values(creature, variables, &path)?;
        if !has_positions {
            give_reach(&mut values, &path)?;
        }
        set(&mut values, one, &path)?;
        let strength = creature.modifier("STR").unwrap_or(0);
        let attach = |feature| Self {
            name: short(&one.name).to_owned(),
            feature,
            values: values.clone(),
            has_positions,
            escape_dc: 8 + strength + creature.proficiency,
        };
        Ok(features.into_iter().map(attach).collect())
    }

    /// The name of the trait that it is.
    pub(in crate::encounter) fn name(&self) -> &str {
        &self.name
    }

    /// A number that is known before the fight.
    pub(super) fn number(&self, expr: &Expr) -> Option<f64> {
        if expr.any(&|part| self.is_open(part)) {
            return None;
        }
        match evaluate(expr, &self.values).ok()?.value {
            Value::Number(number) => Some(number),
            Value::Word(_) => None,
        }
    }

    /// Whether it is an attribute whose value is only known in the fight. Known before are the
    /// abilities and the proficiency of the creature, the values that its stat block sets, and that
    /// no creature has a condition that fights do not model. The defaults of the format are not
    /// facts about any creature.
    fn is_open(&self, expr: &Expr) -> bool {
        let ExprKind::Attribute(place) = &expr.kind else {
            return false;
        };
        let is_known = match place.attribute {
            Attribute::Listed(info) if info.kind == Kind::Source => {
                condition_named(place).is_none() && info.name != GRAPPLED
            }
            Attribute::Listed(_) => self.values.get(&place.to_string()).is_some(),
            Attribute::Private(_) => false,
        };
        let parts = self.feature.subfeatures.iter();
        let mut effects = parts.flat_map(|part| &part.effects);
        !is_known || effects.any(|effect| stores(&effect.change, place))
    }

    /// A number of feet that is known before the fight, rounded down because positions are whole
    /// feet. `None` below 0.
    pub(super) fn feet(&self, expr: &Expr) -> Option<u32> {
        let feet = self.number(expr)?.floor();
        (0.0..=1e6).contains(&feet).then_some(feet as u32)
    }

    /// An area with known numbers.
    pub(super) fn shape(&self, area: &Area) -> Option<Shape> {
        let feet = |expr| self.feet(expr);
        Some(match area {
            Area::Line(length, width) => Shape::Line(feet(length)?, feet(width)?),
            Area::Cone(length) => Shape::Cone(feet(length)?),
        })
    }

    /// The word that a condition compares the result of the trigger with: `N == N`, `V0`, or a
    /// word.
    pub(super) fn result_word(&self, condition: &Expr) -> Option<String> {
        let ExprKind::Binary(Binary::Eq, left, right) = &condition.kind else {
            return None;
        };
        match (&left.kind, &right.kind) {
            (ExprKind::Result, _) => self.word(right),
            (_, ExprKind::Result) => self.word(left),
            _ => None,
        }
    }

    /// A word that is known before the fight.
    pub(super) fn word(&self, expr: &Expr) -> Option<String> {
        match evaluate(expr, &self.values).ok()?.value {
            Value::Word(word) => Some(word),
            Value::Number(_) => None,
        }
    }
}

/// Whether a change stores to an attribute, of whomever.
fn stores(change: &Change, place: &Place) -> bool {
    match change {
        Change::Set { place: stored, .. } => stored.attribute == place.attribute,
        Change::Store(expr) => expr.any(&|part| match &part.kind {
            ExprKind::Store(_, stored) => stored.attribute == place.attribute,
            _ => false,
        }),
        _ => false,
    }
}

fn read(document: &Json, path: &str) -> Result<Vec<Feature>, Wrong> {
    let (features, found) = read_features(&document.to_string());
    match found.errors().next() {
        Some(error) => Err(Wrong::new(path, format!("is wrong: {}", error.message))
            .help("dicec features check FILE tells all mistakes of features")),
        None => Ok(features),
    }
}

/// The values that expressions of a creature's features may read.
fn values(creature: &Creature, variables: &[Json], path: &str) -> Result<Values, Wrong> {
    let mut values = Values::default();
    let mut give = |name: &str, value: &str| {
        let given = values.give(name, value);
        given.map_err(|refused| Wrong::new(path, refused.what).help(refused.help))
    };
    for (number, value) in variables.iter().enumerate() {
        let value = match value {
            Json::String(text) => text.clone(),
            other => other.to_string(),
        };
        give(&format!("V{number}"), &value)?;
    }
    for ability in ABILITIES {
        let modifier = creature.modifier(ability).unwrap_or(0);
        give(ability, &modifier.to_string())?;
    }
    give("PROF", &creature.proficiency.to_string())?;
    for (one, other) in PAIRS {
        give(&format!("sees({one},{other})"), "1")?;
        give(&format!("hostile({one},{other})"), "1")?;
    }
    // Everybody who fights is a creature, not an object.
    for other in ["any", "creature"] {
        give(&format!("{other}.OBJECT_TYPE"), "-1")?;
    }
    Ok(values)
}

/// Attributes of the creature that its stat block sets for a feature.
fn set(values: &mut Values, one: &Trait, path: &str) -> Result<(), Wrong> {
    for (name, value) in &one.set {
        if name.contains(['.', '(', ',']) {
            let what = format!("sets `{name}`, which is not an attribute of its creature");
            return Err(Wrong::new(path, what).help("write it as in `{ \"FORM_STATE\": 1 }`"));
        }
        let value = match value {
            Json::String(text) => text.clone(),
            other => other.to_string(),
        };
        let given = values.give(name, &value);
        given.map_err(|refused| Wrong::new(path, refused.what).help(refused.help))?;
    }
    Ok(())
}

/// Sets distances for a fight without positions: every creature is in reach, and none has moved.
fn give_reach(values: &mut Values, path: &str) -> Result<(), Wrong> {
    let mut give = |name: &str, value: &str| {
        let given = values.give(name, value);
        given.map_err(|refused| Wrong::new(path, refused.what).help(refused.help))
    };
    for (one, other) in PAIRS {
        give(&format!("distance({one},{other})"), IN_REACH)?;
    }
    for other in ["any", "creature"] {
        give(&format!("movedto(self,{other})"), "0")?;
    }
    Ok(())
}

/// Pairs of creatures that may refer to each other.
const PAIRS: [(&str, &str); 8] = [
    ("self", "creature"),
    ("creature", "self"),
    ("self", "any"),
    ("any", "self"),
    ("point in space", "self"),
    ("self", "point in space"),
    ("point in space", "creature"),
    ("creature", "point in space"),
];
