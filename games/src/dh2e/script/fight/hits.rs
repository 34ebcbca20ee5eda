//! The effect of a hit in a fight: resistances, armour, toughness and critical injuries.

use super::kind::{Kind, by_kind};
use super::state::State;
use crate::dh2e::json::Wrong;
use crate::dh2e::location::LOCATIONS;
use crate::dh2e::script::condition::{duration, field, lasts, suffers};
use crate::dh2e::script::injuries::write_injuries;
use crate::dh2e::script::said::{HIT, INJURED};
use crate::dh2e::script::write::{ScriptText, by_location, by_number, identifier, quoted};
use crate::dh2e::tables::{Injuries, InjuryRow};
use crate::script_text::{Joined, Names, ScriptCode, code};
use std::num::NonZeroU32;

/// Writes the functions `suffer` and, with a table of injuries, `lose` and `injure`.
pub(super) fn write_hits(
    kinds: &[Kind<'_>],
    state: &State<'_>,
    out: &mut ScriptText,
) -> Result<(), Wrong> {
    if let Some(injuries) = state.injuries {
        write_injure(injuries, state, out)?;
        out.comment(
            "Somebody loses wounds; what exceeds those that were left is a critical injury.",
        );
        out.line("deffun lose(f: fighter, hurt: int, type: int, place: hitLocation) {");
        out.line("severe = severity(f.health, hurt);");
        out.line("f.health = max(0, f.health - hurt);");
        out.line("if (severe > 0) { injure(f, type, place, severe); }");
        out.line("}\n");
    }
    write_suffer(kinds, state, out)
}

/// The effect of a hit (seed 003, "Damage Calculation").
fn write_suffer(kinds: &[Kind<'_>], state: &State<'_>, out: &mut ScriptText) -> Result<(), Wrong> {
    let armour = by_kind(kinds, |kind| {
        kind.by_state(state, |options| {
            let points = LOCATIONS.map(|at| (at, kind.who.armour(at, options)));
            Ok(by_location("place", &points))
        })
    })?;
    let toughness = by_kind(kinds, |kind| {
        kind.by_state(state, |options| {
            let of = |felling| kind.who.toughness(felling, options);
            let (whole, least) = (of(0)?, of(i64::MAX)?);
            Ok(match whole == least {
                true => whole.into(),
                false => code!("max({least}, {whole} - felling)", least, whole),
            })
        })
    })?;
    let raw = by_kind(kinds, |kind| {
        kind.by_state(state, |options| {
            let resisted = |name: &String| kind.who.resisted("damage".into(), name, options);
            let all: Vec<ScriptCode> = state.types.iter().map(resisted).collect();
            Ok(by_number("type", &all))
        })
    })?;
    out.comment("Somebody is hit.");
    out.line(
        "deffun suffer(f: fighter, place: hitLocation, damage: int, penetration: int, type: \
         int, felling: int) {",
    );
    out.line(code!("armour = {armour};", armour));
    out.line(code!("toughness = {toughness};", toughness));
    out.line(code!(
        "hurt = wounds({raw}, armour, penetration, toughness);",
        raw
    ));
    let hit = quoted(HIT);
    out.line(code!(
        "output(f.name + {hit} + place + \": damage \" + damage + \", wounds \" + hurt);",
        hit
    ));
    out.line(match state.injuries {
        None => state.loses("hurt"),
        Some(_) => ScriptCode::from("lose(f, hurt, type, place);"),
    });
    out.line("}\n");
    Ok(())
}

/// A function for the injuries of each type of damage, and one that chooses among them.
fn write_injure(
    injuries: Injuries<'_>,
    state: &State<'_>,
    out: &mut ScriptText,
) -> Result<(), Wrong> {
    let mut calls = Vec::new();
    let mut names = Names::default();
    for damage_type in &state.types {
        let function = names.claim(
            identifier(&format!("injure by {damage_type}")),
            &["".into()],
        );
        out.comment(format!("Critical injuries of {damage_type} damage."));
        out.line(code!(
            "deffun {function}(f: fighter, place: hitLocation, severe: int) {{",
            function
        ));
        write_injuries(injuries, damage_type, &effect, out)?;
        out.line("}\n");
        calls.push(code!("{function}(f, place, severe);", function));
    }
    out.line("deffun injure(f: fighter, type: int, place: hitLocation, severe: int) {");
    match &calls[..] {
        [only] => out.line(only),
        calls => {
            out.line("match (type) {");
            let last = calls.len() - 1;
            for (index, call) in calls.iter().enumerate() {
                let arm = if index == last {
                    ScriptCode::from("else")
                } else {
                    index.into()
                };
                out.line(code!("{arm}: {{ {call} }}", arm, call));
            }
            out.line("}");
        }
    }
    out.line("}\n");
    Ok(())
}

/// The effect of an injury on `f`.
fn effect(row: &InjuryRow) -> ScriptCode {
    let mut lines = vec![code!(
        "output(f.name + {});",
        quoted(&format!("{INJURED}{}", row.text))
    )];
    if row.fatigue > 0 {
        lines.push(code!("f.fatigue += {};", row.fatigue));
    }
    let conditions = row.conditions();
    lines.extend(conditions.map(|(name, rounds)| befall("f", name, rounds)));
    lines.joined("\n")
}

/// Somebody gets a condition, as statements: a longer one of the same kind stays.
pub(super) fn befall(who: &'static str, name: &str, rounds: Option<NonZeroU32>) -> ScriptCode {
    let field = field(name);
    let said = quoted(&suffers(name, rounds));
    let duration = duration(name, rounds);
    let rounds = match lasts(name, rounds) {
        None => duration,
        Some(_) => code!("longer({who}.{field}, {duration})", who, field, duration),
    };
    code!(
        "output({who}.name + {said});\n{who}.{field} = {rounds};",
        who,
        said,
        field,
        rounds
    )
}
