//! The order of turns: the next turn, and the end of a round.
//!
//! A loop takes the turns one by one and skips fighters without one, so that trials in lanes do not
//! wait for them.

use super::super::condition::OUT;
use super::super::write::ScriptText;
use super::State;
use crate::purpose::Purpose;
use crate::script_text::{Joined, ScriptCode, code};

/// The conditions under which `f` will not come back.
fn gone(state: &State<'_>) -> Vec<ScriptCode> {
    let health = state
        .injuries
        .is_none()
        .then(|| ScriptCode::from("f.health <= 0"));
    let ends = |name: &&&str| {
        let mut conditions = state.conditions.iter();
        conditions.any(|one| one.field == **name && !one.ends)
    };
    let out = OUT
        .iter()
        .filter(ends)
        .map(|field| code!("f.{field} != 0", field));
    health.into_iter().chain(out).collect()
}

/// The function that finds the next turn. A fighter that may come back has turns, in which the
/// rounds of its conditions pass.
pub(super) fn write_next(count: usize, state: &State<'_>, out: &mut ScriptText) {
    let has_none = match state.may_return() {
        true => gone(state),
        false => vec![ScriptCode::from("!stands(f)")],
    };
    out.comment("How soon the turn of somebody comes after the turn at a place.");
    out.line("deffun soon(f: fighter, place: int) : int {");
    let next = code!("f.place < place ? f.place + {} : f.place", later(count));
    match has_none.is_empty() {
        true => out.line(code!("return {next};", next)),
        false => out.line(code!(
            "return {} ? 0 : {next};",
            has_none.joined(" || "),
            next
        )),
    }
    out.line("}\n");
}

/// A number above all places.
fn later(count: usize) -> usize {
    if count < 10 { 10 } else { 100 }
}

/// All fighters by initiative, each with a position, higher ones first.
pub(super) fn write_order(
    everybody: &'static str,
    count: usize,
    state: &State<'_>,
    out: &mut ScriptText,
) {
    out.line(code!(
        "everyone = sorted(f by f.initiative descending for f : {everybody});",
        everybody
    ));
    if state.purpose == Purpose::Odds {
        out.comment("Fights that differ by initiative only count as one from here on.");
        out.line("for (f : everyone) { f.initiative = 0; }");
    }
    out.line(code!("place = {count};", count));
    out.line("for (f : everyone) { f.place = place; place -= 1; }");
    out.line("place = 0;");
    if state.is_told() {
        let names = (0..count).map(|index| code!("everyone[{index}].name", index));
        let names = names.collect::<Vec<_>>().joined(" + \", \" + ");
        out.line(code!("output(\"The order of turns: \" + {names});", names));
    }
}

/// A round begins after all turns of the last one, unless only one side is left.
pub(super) fn write_round(
    names: &[ScriptCode],
    count: usize,
    state: &State<'_>,
    out: &mut ScriptText,
) {
    out.line(code!("if (soon(f, place) < {}) {{", later(count)));
    if state.may_fall_alone() {
        out.line("if (!any(stands(f) for f : everyone)) { break; }");
    }
    for (side, name) in names.iter().enumerate() {
        let other = 1 - side;
        out.line(code!(
            "if (!any(stands(f) for f : everyone if f.side == {other})) {{ left = {name}; \
             break; }}",
            other,
            name
        ));
    }
    out.line("if (round >= rounds) { break; }");
    out.line("round += 1;");
    if state.is_told() {
        out.line("output(\"Round \" + round);");
    }
    out.line("}");
}
