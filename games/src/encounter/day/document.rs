//! A day as a document: the party, and its fights and rests in order.

use super::super::bestiary::Bestiary;
use super::super::document::{Encounter, HitPoints, Initiative, Limited, Side};
use super::super::line::read_side;
use super::super::policy::Policy;
use super::super::rest::Rest;
use super::super::wrong::{self, Wrong};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// The most fights of a day.
const MAX_FIGHTS: usize = 12;

/// A day.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Day {
    /// The party: its creatures as in `champion 5, 2 Veteran`, or a side of an encounter with its
    /// policies.
    pub party: Value,
    /// Its fights and rests in order: the enemies as in `6 Goblin`, `short rest`, `long rest`, or a
    /// fight with its own rules.
    pub steps: Vec<Value>,
    /// When the party spends hit dice in a short rest.
    #[serde(default)]
    pub hit_dice: HitDiceUse,
    /// After how many rounds a fight ends undecided; 100 if this is missing.
    #[serde(default)]
    pub rounds: Option<u32>,
    /// Who rolls for initiative.
    #[serde(default)]
    pub initiative: Initiative,
    /// Where hit points of enemies come from. Those of the party are its own.
    #[serde(default)]
    pub hit_points: HitPoints,
    /// Traits and actions that are left out, as if nobody had them.
    #[serde(default)]
    pub without: Vec<String>,
    /// How many feet are between the sides at the beginning of a fight that does not say so.
    #[serde(default)]
    pub distance: Option<u32>,
}

/// When the party spends hit dice in a short rest (SRD 5.1, "Resting").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum HitDiceUse {
    /// One at a time, while at least the average of a die is missing.
    #[default]
    Needed,
    /// Never.
    Never,
}

/// A fight of a day that has rules of its own.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct FightStep {
    /// The enemies: a text such as `6 Goblin`, or a side with its policies.
    fight: Value,
    /// What people call the fight.
    #[serde(default)]
    name: Option<String>,
    /// How many feet are between the sides.
    #[serde(default)]
    distance: Option<u32>,
    /// After how many rounds it ends undecided.
    #[serde(default)]
    rounds: Option<u32>,
    /// The side that is surprised.
    #[serde(default)]
    surprised: Option<Surprised>,
    /// When the party uses limited actions in this fight.
    #[serde(default)]
    limited: Option<Policy<Limited>>,
    /// The actions that the party saves for later.
    #[serde(default)]
    keep: Vec<String>,
    /// The level from which on the party saves its spell slots for later.
    #[serde(default)]
    keep_slots_from: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum Surprised {
    Party,
    Enemies,
}

/// A step of a day.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// A fight: its index among the steps, its name, and both sides.
    Fight(usize, String, Box<Encounter>),
    Rest(Rest),
}

impl Day {
    /// Reads a document.
    ///
    /// # Errors
    /// The path of what is wrong.
    pub fn read(json: &Value) -> Result<Self, Wrong> {
        wrong::read(json, "$")
    }

    /// A day of a party against these steps, each as in a line.
    pub fn of(party: Value, steps: Vec<Value>) -> Self {
        Self {
            party,
            steps,
            hit_dice: HitDiceUse::default(),
            rounds: None,
            initiative: Initiative::default(),
            hit_points: HitPoints::default(),
            without: Vec::new(),
            distance: None,
        }
    }

    /// The same day with more creatures among the enemies of its last fight.
    #[must_use]
    pub fn joined_by(&self, creature: &str, count: u32) -> Self {
        let mut day = self.clone();
        let is_fight = |step: &&mut Value| matches!(rest(step, "$"), Ok(None));
        let last = day.steps.iter_mut().rev().find(is_fight);
        let enemies = last.and_then(|step| match step {
            Value::Object(members) => members.get_mut("fight"),
            text => Some(text),
        });
        match enemies {
            Some(Value::String(text)) => *text += &format!(", {count} {creature}"),
            Some(Value::Object(side)) => {
                if let Some(Value::Array(creatures)) = side.get_mut("creatures") {
                    creatures.push(json!({ "creature": creature, "count": count }));
                }
            }
            // Such a day has an error, which resolving it reports.
            _ => {}
        }
        day
    }

    /// Its steps, resolved.
    ///
    /// # Errors
    /// A creature that no bestiary has, a step that is neither a fight nor a rest, or a day without
    /// a fight or with too many.
    pub(super) fn resolved(&self, bestiary: &Bestiary) -> Result<Vec<Step>, Wrong> {
        let party = side(&self.party, "$.party", bestiary)?;
        let steps = self.steps.iter().enumerate();
        let steps = steps.map(|(index, step)| {
            let path = format!("$.steps[{index}]");
            match rest(step, &path)? {
                Some(rest) => Ok(Step::Rest(rest)),
                None => {
                    let (name, fight) = self.fight(step, &path, &party, bestiary)?;
                    Ok(Step::Fight(index, name, Box::new(fight)))
                }
            }
        });
        let steps: Vec<Step> = steps.collect::<Result<_, Wrong>>()?;
        let fights = steps.iter().filter(|step| matches!(step, Step::Fight(..)));
        match fights.count() {
            0 => Err(Wrong::new("$.steps", "have no fight")
                .help("name the enemies of a fight, as in `6 Goblin`")),
            count if count > MAX_FIGHTS => Err(Wrong::new(
                "$.steps",
                format!("have {count} fights; a day has at most {MAX_FIGHTS}"),
            )),
            _ => Ok(steps),
        }
    }

    fn fight(
        &self,
        step: &Value,
        path: &str,
        party: &Side,
        bestiary: &Bestiary,
    ) -> Result<(String, Encounter), Wrong> {
        let (own, at) = match step {
            Value::Object(_) => (
                wrong::read::<FightStep>(step, path)?,
                format!("{path}.fight"),
            ),
            _ => (FightStep::against(step.clone()), path.to_owned()),
        };
        let mut party = party.clone();
        let mut enemies = side(&own.fight, &at, bestiary)?;
        match own.surprised {
            Some(Surprised::Party) => party.surprised = true,
            Some(Surprised::Enemies) => enemies.surprised = true,
            None => {}
        }
        party.limited = own.limited.unwrap_or(party.limited);
        party.keep.extend(own.keep);
        party.keep_slots_from = own.keep_slots_from.or(party.keep_slots_from);
        let named = own.name.or_else(|| enemies.name.clone());
        let encounter = Encounter {
            sides: vec![party, enemies],
            rounds: own.rounds.or(self.rounds).unwrap_or(100),
            initiative: self.initiative,
            hit_points: self.hit_points,
            plain: false,
            without: self.without.clone(),
            distance: own.distance.or(self.distance),
            functions: None,
        };
        let listed = encounter.creatures(bestiary)?;
        let name = named.unwrap_or_else(|| encounter.side_name(1, &listed));
        Ok((name, encounter))
    }
}

impl FightStep {
    fn against(fight: Value) -> Self {
        Self {
            fight,
            name: None,
            distance: None,
            rounds: None,
            surprised: None,
            limited: None,
            keep: Vec::new(),
            keep_slots_from: None,
        }
    }
}

/// The rest that a step is, if it is one.
fn rest(step: &Value, path: &str) -> Result<Option<Rest>, Wrong> {
    let named = match step {
        Value::String(text) => text.trim(),
        Value::Object(members) => match members.get("rest") {
            None => return Ok(None),
            Some(Value::String(text)) => text.trim(),
            Some(_) => return Err(Wrong::new(format!("{path}.rest"), "is not a text")),
        },
        _ => return Ok(None),
    };
    match named.to_lowercase().as_str() {
        "short rest" | "short" | "rest" => Ok(Some(Rest::Short)),
        "long rest" | "long" | "night" => Ok(Some(Rest::Long)),
        _ if step.is_object() => {
            let wrong = Wrong::new(format!("{path}.rest"), format!("is `{named}`"));
            Err(wrong.help("there are `short` and `long`"))
        }
        _ => Ok(None),
    }
}

/// A side that a document has as a text or in full.
fn side(value: &Value, path: &str, bestiary: &Bestiary) -> Result<Side, Wrong> {
    match value {
        // The path of a mistake is the text with it.
        Value::String(text) => read_side(text, bestiary),
        Value::Object(_) => wrong::read(value, path),
        _ => Err(Wrong::new(path, "is neither a text nor a side")
            .help("name the creatures, as in `6 Goblin, 1 Bugbear`")),
    }
}
