//! Writes the script of an encounter: a record for creatures, functions for their actions, and the
//! roll. Parts of a rule that cannot matter in this fight are omitted.
//!
//! `creatures` writes the record and the creatures, `movement` their moves, `ground` difficult
//! terrain, `areas` the creatures in areas, `arrivals`
//! reinforcements, `aims` whom a deed may be done to, `conditions` their
//! conditions, `facts` conditions on attacks, `saves`, `deeds` and `blasts` and `outcomes` their
//! actions, `sights` gazes, `edges` advantage, `concentration` its rules, `corrosion` damage to
//! equipment, `holding` and `escaping` grapples, `handlers` event handlers of features, `asides`
//! bonus and free actions, `health` and `endurance` damage and falling, `endings` the ends of
//! effects, `dying` and `healing` fallen creatures, `turns` the turns, `order` their order, and
//! `fight` the roll, and `carried` a fight that others follow. `boons`, `favours` and `images` have
//! help for friends, `counters` stopped spells, `martial` rules of characters: rage, smites,
//! further actions.

mod aims;
mod areas;
mod arrivals;
mod asides;
mod blasts;
mod boons;
mod carried;
mod concentration;
mod conditions;
mod corrosion;
mod counters;
mod creatures;
mod deeds;
mod dying;
mod edges;
mod endings;
mod endurance;
mod escaping;
mod facts;
mod favours;
mod fight;
mod ground;
mod handlers;
mod healing;
mod health;
mod holding;
mod images;
mod martial;
mod movement;
mod order;
mod outcomes;
mod saves;
mod sights;
mod targets;
mod turns;

pub(in crate::encounter) use carried::Carried;

use super::figures::damage_figure;
use super::plan::{Kind, Plan};
use super::wrong::Wrong;
use crate::purpose::Purpose;
use crate::script_text::{IsCode, Joined, ScriptCode, ScriptText, code, quoted};

/// The report form of a fight's script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// Numbers of each kind of creatures. Damage is noted when it happens: exact odds would have to
    /// keep apart creatures with different totals.
    Figures,
    /// Numbers of each side, for tables of encounters, exact or not.
    Sides,
    /// Every blow, for one fight.
    Blows,
}

/// The script of an encounter. Its roll returns `first`, `second` or `draw`.
///
/// # Errors
/// It is too long.
pub fn encounter_script(plan: &Plan, told: Told, purpose: Purpose) -> Result<String, Wrong> {
    let mut writer = Writer::new(plan, told, purpose, None);
    let [first, second] = plan.sides();
    writer.out.comment(format!("{first} against {second}."));
    writer.out.line("\nenum winner { first, second, draw }\n");
    writer.write_definitions();
    writer.write_fight();
    writer.out.into_text()
}

/// A fight of a day: the definitions that it needs, and the function `encounter(heroes)`, which
/// changes the heroes as the fight leaves them. It returns 1 if the party stands, 2 if the enemies
/// do, and 0 if both do.
///
/// # Errors
/// It is too long.
pub(in crate::encounter) fn fight_of_day(
    plan: &Plan,
    told: Told,
    carried: &Carried,
) -> Result<String, Wrong> {
    let mut writer = Writer::new(plan, told, Purpose::Trials, Some(carried));
    writer.write_definitions();
    writer.write_carried_fight();
    writer.out.into_text()
}

impl<'p> Writer<'p> {
    fn new(plan: &'p Plan, told: Told, purpose: Purpose, carried: Option<&'p Carried>) -> Self {
        Self {
            plan,
            told,
            purpose,
            carried,
            idle: Vec::new(),
            out: ScriptText::default(),
        }
    }

    /// The record of a creature, and all functions.
    fn write_definitions(&mut self) {
        self.write_record();
        self.write_conditions();
        self.write_targets();
        self.write_movement();
        self.write_holding();
        self.write_concentration();
        self.write_health();
        self.write_saves();
        self.write_hurting();
        self.write_counters();
        self.write_deeds();
        self.write_healing();
        self.write_death_save();
        self.write_turns();
        self.write_end_of_turn();
        self.write_next();
    }
}

/// A script while it is written.
struct Writer<'p> {
    plan: &'p Plan,
    told: Told,
    purpose: Purpose,
    /// How the first side enters a fight of a day.
    carried: Option<&'p Carried>,
    /// The kinds whose turns have no effect, once turns are written.
    idle: Vec<usize>,
    out: ScriptText,
}

impl Writer<'_> {
    fn line(&mut self, code: impl Into<ScriptCode>) {
        self.out.line(code);
    }

    /// An output line of a fight with narration; `parts` are joined.
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
