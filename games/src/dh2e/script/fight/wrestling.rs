//! Grapples, throws and pushes in a fight (seed 003, "Grapple System").

use super::hits::befall;
use super::kind::{Kind, Rolled, by_kind};
use super::state::{GRAPPLING, State, WRESTLING};
use crate::dh2e::json::Wrong;
use crate::dh2e::model::Tactic;
use crate::dh2e::script::test::Tested;
use crate::dh2e::script::write::ScriptText;
use crate::script_text::{Joined, ScriptCode, code};
use std::num::NonZeroU32;

/// Writes the functions about holds; `letGo` and `keepHold` are needed at the beginning of a turn.
pub(super) fn write_wrestling(
    kinds: &[Kind<'_>],
    state: &State<'_>,
    out: &mut ScriptText,
) -> Result<(), Wrong> {
    let strength = tested(kinds, state, "s")?;
    let skill = tested(kinds, state, "ws")?;
    let bonus = by_kind(kinds, |kind| Ok(kind.who.bonus("s")?.into()))?;
    let wrestlers = kinds.iter().filter(|kind| is_wrestler(kind));
    let wrestlers = wrestlers.map(|kind| code!("f.kind == {}", kind.number));
    let wrestlers: Vec<ScriptCode> = wrestlers.collect();

    out.comment("What opposed tests of grapples are about.");
    write_target("strength", &strength, state, out);
    write_target("weaponSkill", &skill, state, out);
    out.comment("Whether somebody grapples rather than attacks.");
    out.line("deffun wrestles(f: fighter) : bool {");
    out.line(code!("return {};", wrestlers.joined(" || ")));
    out.line("}\n");
    out.comment("A hold ends.");
    out.line("deffun letGo(holder: fighter, held: fighter) {");
    out.line("holder.holds = 0;\nheld.heldBy = 0;\n}\n");
    out.comment("A hold begins, by opposed tests of Weapon Skill.");
    out.line("deffun seize(f: fighter, foe: fighter) {");
    out.line("output(f.name + \" tries to grapple \" + foe.name);");
    out.line("if (grapple(weaponSkill(f), weaponSkill(foe))) {");
    out.line("f.holds = foe.number;\nfoe.heldBy = f.number;");
    out.line("output(f.name + \" holds \" + foe.name);");
    if state.is_told() {
        out.line("} else {\noutput(f.name + \" gets no hold of \" + foe.name);");
    }
    out.line("}\n}\n");
    out.comment("A hold goes on or ends, by opposed tests of Strength.");
    out.line("deffun keepHold(f: fighter, held: fighter) {");
    out.line("if (!stands(held)) { letGo(f, held); }");
    out.line("else if (!keepsHold(strength(f), strength(held))) {");
    out.line("letGo(f, held);");
    out.line("output(held.name + \" slips out of the hold of \" + f.name);");
    out.line("}\n}\n");
    out.comment("Somebody who is held tries to break free, by opposed tests of Strength.");
    out.line("deffun breakFree(f: fighter, holder: fighter) {");
    out.line("if (keepsHold(strength(f), strength(holder))) {");
    out.line("letGo(holder, f);");
    out.line("output(f.name + \" breaks free of \" + holder.name);");
    out.line("} else {");
    out.line("output(f.name + \" cannot break free of \" + holder.name);");
    out.line("}\n}\n");
    write_use_hold(kinds, state, &bonus, out);
    Ok(())
}

/// Whether a kind of fighter grapples.
fn is_wrestler(kind: &Kind<'_>) -> bool {
    WRESTLING.contains(&kind.fighter.tactic)
}

/// The targets of tests of a characteristic, by kind.
fn tested(kinds: &[Kind<'_>], state: &State<'_>, name: &str) -> Result<ScriptCode, Wrong> {
    by_kind(kinds, |kind| {
        let Rolled { number, .. } = kind.rolled(&Tested::Characteristic(name), state)?;
        Ok(number)
    })
}

fn write_target(name: &'static str, number: &ScriptCode, state: &State<'_>, out: &mut ScriptText) {
    let tired = state.fatigue_of("f");
    out.line(code!("deffun {name}(f: fighter) : int {{", name));
    out.line(code!("return max(1, {number}{tired});", number, tired));
    out.line("}\n");
}

/// The action against a held fighter, by tactic: a push, a throw, or damage.
fn write_use_hold(kinds: &[Kind<'_>], state: &State<'_>, bonus: &ScriptCode, out: &mut ScriptText) {
    let number = state.type_index(GRAPPLING).unwrap_or_default();
    let prone = befall("held", "prone", NonZeroU32::new(1));
    let hurt = code!(
        "suffer(held, body, grappleDamage({bonus}), 0, {number}, 0);",
        bonus,
        number
    );
    let throw = code!(
        "output(f.name + \" throws \" + held.name + \" \" + throwDistance({bonus}) + \" m\");\n\
         letGo(f, held);\n{prone}",
        bonus,
        prone
    );
    let push =
        ScriptCode::from("output(f.name + \" pushes \" + held.name + \" \" + PUSH + \" m\");");
    out.comment("What somebody does whom it holds.");
    out.line("deffun useHold(f: fighter, held: fighter) {");
    // What is said last is for all others.
    let cases = [
        (Tactic::Push, push),
        (Tactic::Throw, throw),
        (Tactic::Grapple, hurt),
    ];
    let mut cases: Vec<(ScriptCode, ScriptCode)> = cases
        .into_iter()
        .map(|(tactic, does)| {
            let kinds = kinds.iter().filter(|kind| kind.fighter.tactic == tactic);
            let kinds = kinds.map(|kind| code!("f.kind == {}", kind.number));
            (kinds.collect::<Vec<ScriptCode>>().joined(" || "), does)
        })
        .filter(|(kinds, _)| !kinds.is_empty())
        .collect();
    let last = cases.pop().map(|(_, does)| does).unwrap_or_default();
    let others: Vec<ScriptCode> = cases
        .into_iter()
        .map(|(kinds, does)| code!("if ({kinds}) {{\n{does}\n}} else ", kinds, does))
        .collect();
    match others.is_empty() {
        true => out.line(last),
        false => out.line(code!(
            "{}{{\n{last}\n}}",
            others.into_iter().collect::<ScriptCode>(),
            last
        )),
    }
    out.line("}\n");
}
