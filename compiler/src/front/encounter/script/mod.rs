//! The script of an encounter: a record for its creatures, functions for what they do, and the roll
//! that is the fight. Every part of a rule that cannot matter in this fight is left out.
//!
//! `creatures` writes the record and the creatures, `movement` how they move, `ground` what slows
//! them down, `areas` whom areas reach, `conditions` what they suffer from, `facts` what an attack
//! depends on, `saves`, `deeds` and `blasts` what they do to each other, `edges` what traits change
//! about that, `concentration` how long it lasts, `corrosion` what becomes of equipment, `holding`
//! and `escaping` who holds whom, `handlers` what features do then, `asides` what they do besides
//! actions, `health` and `endurance` what that comes to, `endings` what ends effects, `dying` and
//! `healing` what becomes of those who fall, `turns` what a turn is, `order` whose turn is next,
//! and `fight` the roll.

mod areas;
mod asides;
mod blasts;
mod concentration;
mod conditions;
mod corrosion;
mod creatures;
mod deeds;
mod dying;
mod edges;
mod endings;
mod endurance;
mod escaping;
mod facts;
mod fight;
mod ground;
mod handlers;
mod healing;
mod health;
mod holding;
mod movement;
mod order;
mod saves;
mod targets;
mod turns;

use super::figures::damage_figure;
use super::plan::{Kind, Plan};
use crate::front::purpose::Purpose;
use crate::front::script_text::{IsCode, Joined, ScriptCode, ScriptText, code, quoted};

/// What a script tells of a fight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// Numbers of each kind of creatures. Damage is noted when it is done: exact odds would have to
    /// tell creatures apart by what they have done so far.
    Figures,
    /// Numbers of each side, for tables of encounters, exact or not.
    Sides,
    /// Every blow, for one fight.
    Blows,
}

/// The script of an encounter. Its roll returns `first`, `second` or `draw`.
pub fn encounter_script(plan: &Plan, told: Told, purpose: Purpose) -> String {
    let mut writer = Writer {
        plan,
        told,
        purpose,
        idle: Vec::new(),
        out: ScriptText::default(),
    };
    let [first, second] = plan.sides();
    writer.out.comment(format!("{first} against {second}."));
    writer.out.line("\nenum winner { first, second, draw }\n");
    writer.write_record();
    writer.write_conditions();
    writer.write_targets();
    writer.write_movement();
    writer.write_holding();
    writer.write_concentration();
    writer.write_health();
    writer.write_saves();
    writer.write_deeds();
    writer.write_healing();
    writer.write_death_save();
    writer.write_turns();
    writer.write_end_of_turn();
    writer.write_next();
    writer.write_fight();
    writer.out.into_text()
}

/// A script while it is written.
struct Writer<'p> {
    plan: &'p Plan,
    told: Told,
    purpose: Purpose,
    /// The kinds whose turns change nothing, once turns are written.
    idle: Vec<usize>,
    out: ScriptText,
}

impl Writer<'_> {
    fn line(&mut self, code: impl Into<ScriptCode>) {
        self.out.line(code);
    }

    /// An output line of a fight that is told; `parts` are joined.
    fn tell(&mut self, parts: impl IsCode) {
        if self.told == Told::Blows {
            self.out.line(code!("output({parts});", parts));
        }
    }

    /// Notes the damage of something that `self` has done.
    fn note_damage(&mut self, kind: &Kind, deed: usize, damage: impl IsCode) {
        if self.told == Told::Figures {
            let name = damage_figure(kind, &kind.deeds[deed].name);
            self.line(code!("stat({}, {damage});", quoted(&name), damage));
        }
    }

    /// Whether any creature has something.
    fn any(&self, has: impl Fn(&Kind) -> bool) -> bool {
        self.plan.kinds.iter().any(has)
    }
}

/// An expression for `c.kind` of a list of kinds: true for those.
fn is_one_of(variable: &'static str, kinds: &[usize]) -> ScriptCode {
    let each: Vec<ScriptCode> = kinds
        .iter()
        .map(|kind| code!("{variable}.kind == {kind}", variable, kind))
        .collect();
    match each.len() {
        0 => ScriptCode::from("false"),
        1 => each.into_iter().collect(),
        _ => code!("({})", each.joined(" || ")),
    }
}

/// The opposite of [`is_one_of`].
fn is_none_of(variable: &'static str, kinds: &[usize]) -> ScriptCode {
    let each: Vec<ScriptCode> = kinds
        .iter()
        .map(|kind| code!("{variable}.kind != {kind}", variable, kind))
        .collect();
    match each.is_empty() {
        true => ScriptCode::from("true"),
        false => each.joined(" && "),
    }
}

/// A value by the kind of a creature: a `match` that is as short as it can be.
fn by_kind(variable: &'static str, values: &[(usize, ScriptCode)]) -> ScriptCode {
    let often = |value: &ScriptCode| values.iter().filter(|(_, other)| other == value).count();
    let Some(usual) = values
        .iter()
        .map(|(_, value)| value)
        .max_by_key(|value| often(value))
    else {
        return ScriptCode::from("0");
    };
    let others = values.iter().filter(|(_, value)| value != usual);
    let arms: Vec<ScriptCode> = others
        .map(|(kind, value)| code!("{kind}: {value}", kind, value))
        .collect();
    match arms.is_empty() {
        true => usual.clone(),
        false => code!(
            "match ({variable}.kind) {{ {}, else: {usual} }}",
            arms.joined(", "),
            variable,
            usual
        ),
    }
}

/// A name and a text after it, joined: `self.name + " misses"`.
fn name_and(variable: &'static str, text: &str) -> ScriptCode {
    code!("{variable}.name + {}", quoted(text), variable)
}
