//! The beginning of a turn in a fight (seed 003, "Combat Turn Processing").

use super::kind::{Kind, by_kind};
use super::state::{FIRE, State};
use crate::dh2e::json::Wrong;
use crate::dh2e::script::said::{BURNS, FALLS_UNCONSCIOUS};
use crate::dh2e::script::write::{ScriptText, quoted};
use crate::script_text::code;

/// Writes the function `beginTurn`, if there is anything to do.
pub(super) fn write_turn(
    kinds: &[Kind<'_>],
    state: &State<'_>,
    out: &mut ScriptText,
) -> Result<(), Wrong> {
    if !has_beginning(state) {
        return Ok(());
    }
    out.comment("The beginning of a turn: actions come back, then everything that lasts goes on.");
    out.line(match state.wrestles {
        true => "deffun beginTurn(f: fighter, roster: fighter list) {",
        false => "deffun beginTurn(f: fighter) {",
    });
    if state.avoids {
        out.line("f.reaction = true;");
    }
    if state.watches {
        out.line("f.overwatch = false;");
    }
    if state.wrestles {
        out.line("if (f.holds > 0) { keepHold(f, roster[f.holds - 1]); }");
    }
    if state.has("onFire") {
        write_fire(kinds, state, out)?;
    }
    if state.has("bleeding") {
        out.line("if (f.bleeding != 0) { f.fatigue += 1; }");
    }
    if state.tires {
        let bonus = |name: &'static str| by_kind(kinds, |kind| Ok(kind.who.bonus(name)?.into()));
        let (tb, wpb) = (bonus("t")?, bonus("wp")?);
        out.line(code!(
            "if (f.unconscious == 0 && isExhausted(f.fatigue, {tb}, {wpb})) {{",
            tb,
            wpb
        ));
        let falls = quoted(FALLS_UNCONSCIOUS);
        out.line(code!("output(f.name + {falls});", falls));
        out.line("f.unconscious = ENDLESS;");
        out.line("}");
    }
    for condition in state.conditions.iter().filter(|one| one.ends) {
        let field = &condition.field;
        out.line(code!("f.{field} = passed(f.{field});", field));
    }
    out.line("}\n");
    Ok(())
}

/// Whether anything happens at the beginning of a turn.
pub(super) fn has_beginning(state: &State<'_>) -> bool {
    let ends = state.conditions.iter().any(|one| one.ends);
    state.avoids || state.watches || state.wrestles || state.may_fall_alone() || ends
}

/// The effect of fire: energy damage, which no armour stops, and fatigue.
fn write_fire(kinds: &[Kind<'_>], state: &State<'_>, out: &mut ScriptText) -> Result<(), Wrong> {
    let burnt = by_kind(kinds, |kind| {
        kind.by_state(state, |options| {
            let toughness = kind.who.toughness(0, options)?;
            let resistances = kind.who.resistances(FIRE, options);
            Ok(match resistances == "[]" {
                true => code!("burn({toughness})", toughness),
                false => code!("burn({toughness}, {resistances})", toughness, resistances),
            })
        })
    })?;
    out.line("if (f.onFire != 0) {");
    out.line(code!("burnt = {burnt};", burnt));
    let burns = quoted(BURNS);
    out.line(code!("output(f.name + {burns} + burnt);", burns));
    out.line(match (state.injuries, state.type_index(FIRE)) {
        (Some(_), Some(index)) => code!("lose(f, burnt, {index}, body);", index),
        _ => state.loses("burnt"),
    });
    out.line("f.fatigue += 1;");
    out.line("}");
    Ok(())
}
