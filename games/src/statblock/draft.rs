//! An action or a trait while it is read: the members of our JSON that its sentences fill.

use serde_json::{Map, Value, json};

/// A part of damage in our JSON.
pub(super) fn part(dice: &str, damage_type: &str) -> Value {
    json!({ "dice": dice, "type": damage_type })
}

/// An entry of a stat block in our own terms.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    pub(super) name: String,
    pub(super) attack: Option<Attack>,
    pub(super) damage: Vec<Value>,
    pub(super) at_half: Vec<Value>,
    pub(super) only: Premise,
    pub(super) inflicts: Outcome,
    pub(super) save: Option<Save>,
    pub(super) area: Option<Value>,
    pub(super) grapple: Option<Grapple>,
    pub(super) heals: Option<String>,
    /// The alternatives of a multiattack: names of actions, and how often.
    pub(super) multiattack: Vec<Vec<(String, i64)>>,
    /// The attack that a legendary action makes.
    pub(super) makes: Option<String>,
    pub(super) spellcasting: Option<Value>,
    /// The feet within which a trait asks for its save at the start of turns.
    pub(super) within: Option<i64>,
    pub(super) is_gaze: bool,
    /// The feet of the greatest creature that a hit knocks prone without a save, if a hit does.
    pub(super) knocks: Option<i64>,
}

/// An attack roll.
#[derive(Clone, Debug, Default)]
pub(super) struct Attack {
    pub(super) bonus: i64,
    pub(super) kind: &'static str,
    pub(super) is_spell: bool,
    pub(super) reach: Option<i64>,
    pub(super) range: Vec<i64>,
}

/// Whom something is for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Premise {
    pub(super) types: Vec<String>,
    pub(super) not_types: Vec<String>,
    pub(super) max_size: Option<String>,
    pub(super) conditions: Vec<String>,
    pub(super) held: bool,
}

/// What somebody suffers from, and the sentences that say so.
#[derive(Clone, Debug, Default)]
pub(super) struct Outcome {
    pub(super) conditions: Vec<String>,
    pub(super) lasts: Option<String>,
    pub(super) until_damage: bool,
    pub(super) until_action: bool,
    pub(super) each_turn: Vec<Value>,
    pub(super) said_in: Vec<usize>,
}

/// A saving throw.
#[derive(Clone, Debug, Default)]
pub(super) struct Save {
    pub(super) ability: String,
    pub(super) dc: i64,
    pub(super) is_halved: bool,
    pub(super) damage: Vec<Value>,
    pub(super) failure: Outcome,
    pub(super) repeats: bool,
    pub(super) by_5: Outcome,
    pub(super) twice: Outcome,
    pub(super) drops: Outcome,
    pub(super) immune: Option<&'static str>,
    pub(super) only: Premise,
}

/// A grip.
#[derive(Clone, Debug, Default)]
pub(super) struct Grapple {
    pub(super) dc: i64,
    pub(super) restrains: bool,
    pub(super) holds: Option<i64>,
    pub(super) only_held: bool,
    pub(super) has_advantage: bool,
    pub(super) cannot_miss: bool,
    pub(super) max_size: Option<String>,
    pub(super) damage: Vec<Value>,
}

/// Adds a member unless it is empty.
fn add(members: &mut Map<String, Value>, name: &str, value: Value) {
    let is_empty = match &value {
        Value::Null | Value::Bool(false) => true,
        Value::Array(all) => all.is_empty(),
        Value::Object(all) => all.is_empty(),
        _ => false,
    };
    if !is_empty {
        members.insert(name.to_owned(), value);
    }
}

impl Premise {
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn json(&self) -> Value {
        let mut all = Map::new();
        add(&mut all, "types", json!(self.types));
        add(&mut all, "not types", json!(self.not_types));
        add(&mut all, "max size", json!(self.max_size));
        add(&mut all, "conditions", json!(self.conditions));
        add(&mut all, "held", json!(self.held));
        Value::Object(all)
    }
}

impl Outcome {
    pub(super) fn is_empty(&self) -> bool {
        self.conditions.is_empty() && self.each_turn.is_empty()
    }

    /// Its members. A condition whose end no text states lasts longer than a fight.
    fn fill(&self, all: &mut Map<String, Value>, repeats: bool) {
        let is_prone = self.conditions.iter().all(|one| one == "prone");
        let ends = self.lasts.is_some() || repeats || is_prone && self.each_turn.is_empty();
        let lasts = self.lasts.clone();
        let lasts = lasts.or_else(|| (!ends).then(|| "for 24 hours".to_owned()));
        add(all, "conditions", json!(self.conditions));
        add(all, "lasts", json!(lasts));
        add(all, "until damage", json!(self.until_damage));
        add(all, "each turn", json!(self.each_turn));
    }

    fn json(&self) -> Value {
        let mut all = Map::new();
        if !self.is_empty() {
            self.fill(&mut all, false);
            add(&mut all, "until action", json!(self.until_action));
        }
        Value::Object(all)
    }
}

impl Save {
    fn json(&self) -> Value {
        let mut all = Map::new();
        add(&mut all, "ability", json!(self.ability));
        add(&mut all, "dc", json!(self.dc));
        let on_success = if self.is_halved { "half" } else { "none" };
        add(&mut all, "on success", json!(on_success));
        add(&mut all, "damage", json!(self.damage));
        if !self.failure.is_empty() {
            self.failure.fill(&mut all, self.repeats);
            let repeats = self.repeats.then_some("end of turn");
            add(&mut all, "repeats", json!(repeats));
        }
        add(&mut all, "fails by 5", self.by_5.json());
        add(&mut all, "fails twice", self.twice.json());
        add(&mut all, "drops", self.drops.json());
        add(&mut all, "immune", json!(self.immune));
        add(&mut all, "only", self.only.json());
        Value::Object(all)
    }

    /// Whether it has consequences.
    pub(super) fn does_something(&self) -> bool {
        let outcomes = [&self.failure, &self.by_5, &self.twice, &self.drops];
        !self.damage.is_empty() || outcomes.iter().any(|one| !one.is_empty())
    }
}

impl Grapple {
    fn json(&self) -> Value {
        let mut all = Map::new();
        add(&mut all, "escape dc", json!(self.dc));
        add(&mut all, "restrains", json!(self.restrains));
        add(&mut all, "holds", json!(self.holds));
        add(
            &mut all,
            "only held",
            json!(self.only_held && self.holds.is_none_or(|one| one == 1)),
        );
        add(&mut all, "max size", json!(self.max_size));
        add(&mut all, "advantage", json!(self.has_advantage));
        add(&mut all, "cannot miss", json!(self.cannot_miss));
        add(&mut all, "damage", json!(self.damage));
        Value::Object(all)
    }
}

impl Draft {
    /// Whether it is an attack or asks for a save, or does something else as an action.
    pub(super) fn is_action(&self) -> bool {
        let has_save = self.save.as_ref().is_some_and(Save::does_something);
        let saves = has_save || self.save.is_some() && self.has_effects();
        let hits = !self.inflicts.is_empty() || self.knocks.is_some() || self.has_effects();
        self.attack.is_some() && (hits || has_save)
            || saves
            || self.heals.is_some()
            || !self.multiattack.is_empty()
    }

    /// Whether its sentences have said what it does: a roll, attacks, or healing.
    pub(super) fn has_begun(&self) -> bool {
        let rolls = self.attack.is_some() || self.save.is_some();
        rolls || self.makes.is_some() || self.heals.is_some() || !self.multiattack.is_empty()
    }

    fn has_effects(&self) -> bool {
        !self.damage.is_empty() || self.grapple.is_some()
    }

    /// Its members in our JSON; `usage` and `cost` come from its name.
    pub(super) fn json(&self, usage: Value, cost: Option<i64>) -> Value {
        let mut all = Map::new();
        add(&mut all, "name", json!(self.name));
        if let Some(attack) = &self.attack {
            add(&mut all, "bonus", json!(attack.bonus));
            add(&mut all, "kind", json!(attack.kind));
            add(&mut all, "spell", json!(attack.is_spell));
            add(&mut all, "reach", json!(attack.reach));
            add(&mut all, "range", json!(attack.range));
        }
        add(&mut all, "damage", json!(self.damage));
        add(&mut all, "at half", json!(self.at_half));
        add(&mut all, "only", self.only.json());
        add(&mut all, "inflicts", self.inflicts.json());
        let save = self.save.as_ref();
        let save = save.filter(|save| save.does_something() || self.attack.is_none());
        add(&mut all, "save", save.map_or(Value::Null, Save::json));
        add(&mut all, "area", json!(self.area));
        add(
            &mut all,
            "grapples",
            self.grapple.as_ref().map_or(Value::Null, Grapple::json),
        );
        add(&mut all, "heals", json!(self.heals));
        let steps = |steps: &Vec<(String, i64)>| {
            let steps = steps.iter();
            let steps = steps.map(|(name, count)| json!({ "action": name, "count": count }));
            steps.collect::<Vec<_>>()
        };
        match &self.multiattack[..] {
            [] => {}
            [only] => add(&mut all, "multiattack", json!(steps(only))),
            several => {
                let several: Vec<_> = several.iter().map(steps).collect();
                add(&mut all, "multiattack one of", json!(several));
            }
        }
        add(&mut all, "usage", usage);
        add(&mut all, "cost", json!(cost));
        Value::Object(all)
    }

    /// A feature: hits of this attack knock creatures prone, up to a size.
    pub(super) fn knocks(&self) -> Option<Value> {
        let feet = self.knocks?;
        let name = format!("{} (prone)", self.name);
        Some(json!({ "name": name, "feature": {
            "name": name,
            "text": "Who is hit falls prone.",
            "subfeatures": [{
                "trigger": ["N hits N", "self", "any"],
                "conditions": [
                    ["N made attack ATTACK", "self", self.name.to_lowercase()],
                    format!("any.SIZE,{feet},<="),
                ],
                "effects": [{ "target": "any", "effect": ["set N = N", "any.PRONE", "self"] }],
            }],
        }}))
    }

    /// The members of a trait that asks for a save at the start of turns.
    pub(super) fn aura(&self) -> Option<Value> {
        let within = self.within?;
        let save = self.save.as_ref().filter(|save| save.does_something())?;
        Some(json!({
            "name": self.name, "save": save.json(), "within": within, "gaze": self.is_gaze,
        }))
    }
}
