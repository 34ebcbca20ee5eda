//! Actions of fighters in their turns: attacks, as long as there is ammunition, and overwatch.

use super::hits::befall;
use super::kind::{Kind, Rolled, by_kind};
use super::state::State;
use crate::dh2e::json::Wrong;
use crate::dh2e::model::{Rounds, Tactic};
use crate::dh2e::script::assault::{Assault, rounds};
use crate::dh2e::script::write::{ScriptText, quoted};
use crate::script_text::{Joined, ScriptCode, code};

/// Writes the attacks of all kinds, and the functions that choose among them.
pub(super) fn write_acts(
    kinds: &[Kind<'_>],
    state: &State<'_>,
    out: &mut ScriptText,
) -> Result<(), Wrong> {
    write_defence(kinds, state, out)?;
    for kind in kinds {
        for (index, assault) in kind.assaults.iter().enumerate() {
            write_attack(kind, index, assault, state, out)?;
        }
    }
    if state.watches {
        write_watch(kinds, out);
    }
    write_act(kinds, out);
    Ok(())
}

/// The test with which somebody avoids hits: one for each degree of success. It spends the
/// reaction.
fn write_defence(kinds: &[Kind<'_>], state: &State<'_>, out: &mut ScriptText) -> Result<(), Wrong> {
    let able: Vec<&Rolled> = kinds
        .iter()
        .filter_map(|kind| kind.defence.as_ref())
        .collect();
    let Some(last) = able.last() else {
        return Ok(());
    };
    out.comment("How many hits somebody avoids, one for each degree; it spends the reaction.");
    // Who tells it knows how many hits there were to avoid.
    let told = if state.is_told() { ", hits: int" } else { "" };
    out.line(code!("deffun avoided(f: fighter{told}) : int {{", told));
    let mut unable = vec![ScriptCode::from("!f.reaction")];
    unable.extend(
        state
            .has("stunned")
            .then(|| ScriptCode::from("f.stunned != 0")),
    );
    unable.extend(state.wrestles.then(|| ScriptCode::from("f.heldBy > 0")));
    let without = kinds.iter().filter(|kind| kind.defence.is_none());
    unable.extend(without.map(|kind| code!("f.kind == {}", kind.number)));
    out.line(code!("if ({}) {{ return 0; }}", unable.joined(" || ")));
    out.line("f.reaction = false;");
    // Kinds without a defence never get here, so any value is right for them.
    let of = |value: fn(&Rolled) -> &ScriptCode| {
        by_kind(kinds, |kind| {
            Ok(value(kind.defence.as_ref().unwrap_or(last)).clone())
        })
    };
    let (number, more) = (of(|rolled| &rolled.number)?, of(|rolled| &rolled.degrees)?);
    let tired = state.fatigue_of("f");
    let degrees = code!(
        "degrees(roll(d100), max(1, {number}{tired}))",
        number,
        tired
    );
    let avoided = match more == "0" {
        true => code!("max(0, {degrees})", degrees),
        false => code!("max(0, adjusted({degrees}, {more}))", degrees, more),
    };
    match state.is_told() {
        false => out.line(code!("return {avoided};", avoided)),
        true => {
            out.line(code!("avoids = {avoided};", avoided));
            out.line("if (avoids == 0) { output(f.name + \" avoids nothing\"); }");
            out.line("else if (avoids >= hits) { output(f.name + \" avoids the attack\"); }");
            out.line(
                "else { output(f.name + \" avoids \" + avoids + \" of \" + hits + \" hits\"); }",
            );
            out.line("return avoids;");
        }
    }
    out.line("}\n");
    Ok(())
}

/// The name of a function with an attack: of a kind, with the weapon of this index.
fn attack(kind: &Kind<'_>, index: usize) -> ScriptCode {
    match index {
        0 => code!("attack{}", kind.number),
        _ => code!("attack{}With{}", kind.number, index + 1),
    }
}

/// The field with the rounds in the weapon of this index.
pub(super) fn loaded(index: usize) -> ScriptCode {
    match index {
        0 => ScriptCode::from("loaded"),
        _ => code!("loaded{}", index + 1),
    }
}

/// The attack of a kind of fighter with a weapon.
fn write_attack(
    kind: &Kind<'_>,
    index: usize,
    assault: &Assault<'_>,
    state: &State<'_>,
    out: &mut ScriptText,
) -> Result<(), Wrong> {
    let weapon = assault.weapon;
    out.comment(format!(
        "{} attacks: {}.",
        kind.fighter.actor.name, weapon.name
    ));
    let function = attack(kind, index);
    out.line(code!(
        "deffun {function}(self: fighter, foe: fighter) {{",
        function
    ));
    let tired = state.fatigue_of("self");
    out.line(code!("skill = {}{tired};", assault.skill()?, tired));
    assault.write_test("skill", out)?;
    let with = format!(" with the {}", weapon.name);
    let with = match &weapon.loaded {
        Some(all) if all.len() > 1 => {
            // Seed 003, "Attack Flow", 10.
            out.comment("Rounds leave last in, first out.");
            let top = top(all, &code!("self.{}", loaded(index)));
            code!("{} + {top} + \")\"", quoted(&format!("{with} (")), top)
        }
        _ => quoted(&with),
    };
    let misses = match state.is_told() {
        true => " + (shots == 0 ? \" and misses\" : \"\")",
        false => "",
    };
    out.line(code!(
        "output(self.name + \" attacks \" + foe.name + {with}{misses});",
        with,
        misses
    ));
    if weapon.loaded.is_some() {
        out.line(code!("self.{} -= {};", loaded(index), assault.rate()));
    }
    if state.avoids {
        let told = if state.is_told() { ", shots" } else { "" };
        out.line(code!(
            "if (shots > 0) {{ shots -= avoided(foe{told}); }}",
            told
        ));
    }
    out.line("for (i : 1..shots) {");
    let place = assault.place();
    let penetration = assault.penetration(weapon.penetration);
    let felling = assault.quality("felling").unwrap_or(0);
    let damage = assault.damage()?;
    let number = state.type_index(&weapon.damage_type).unwrap_or_default();
    out.line(code!(
        "suffer(foe, {place}, {damage}, {penetration}, {number}, {felling});",
        place,
        damage,
        penetration,
        number,
        felling
    ));
    out.line("}");
    if assault.quality("flame").is_some() {
        let befall = befall("foe", "onFire", None);
        out.line(code!("if (shots > 0) {{ {befall} }}", befall));
    }
    out.line("}\n");
    Ok(())
}

/// The kind of the round that was loaded last of those that are left, as an expression.
fn top(loaded: &[Rounds], left: &ScriptCode) -> ScriptCode {
    let mut below = 0;
    let mut arms = Vec::new();
    for (index, rounds) in loaded.iter().enumerate() {
        let name = quoted(&rounds.name);
        below += u64::from(rounds.count);
        arms.push(match index + 1 == loaded.len() {
            true => code!("else: {name}", name),
            false => code!("..{below}: {name}", below, name),
        });
    }
    code!("match ({left}) {{ {} }}", arms.joined(", "), left)
}

/// The fighters on overwatch, and their shots.
fn write_watch(kinds: &[Kind<'_>], out: &mut ScriptText) {
    let watching: Vec<&Kind<'_>> = kinds.iter().filter(|kind| watches(kind)).collect();
    let able = watching.iter().map(|kind| match enough(kind, 0) {
        None => code!("f.kind == {}", kind.number),
        Some(enough) => code!("f.kind == {} && {enough}", kind.number, enough),
    });
    let able: Vec<ScriptCode> = able.collect();
    out.comment("Whether somebody keeps watch now: it does so if it can, rather than attack.");
    out.line("deffun keepsWatch(f: fighter) : bool {");
    out.line(code!("f.overwatch = {};", able.joined(" || ")));
    out.line("if (f.overwatch) { output(f.name + \" keeps watch\"); }");
    out.line("return f.overwatch;");
    out.line("}\n");
    out.comment("Somebody who keeps watch shoots at a foe whose turn begins.");
    out.line("deffun shoot(f: fighter, foe: fighter) {");
    out.line("f.overwatch = false;");
    out.line("output(f.name + \" shoots from overwatch\");");
    let shots = watching
        .iter()
        .map(|kind| (kind.number, code!("{}(f, foe);", attack(kind, 0))));
    write_choice(shots.collect(), out);
    out.line("}\n");
}

/// Whether a kind of fighter keeps watch.
fn watches(kind: &Kind<'_>) -> bool {
    kind.fighter.tactic == Tactic::Overwatch
}

/// Whether `f` has rounds enough in its weapon of this index, as a condition; `None` if it needs
/// none.
fn enough(kind: &Kind<'_>, index: usize) -> Option<ScriptCode> {
    let assault = &kind.assaults[index];
    assault.weapon.loaded.as_ref()?;
    Some(code!("f.{} >= {}", loaded(index), assault.rate()))
}

/// Chooses among statements by the kind of `f`; the last one is for all others.
fn write_choice(mut choices: Vec<(usize, ScriptCode)>, out: &mut ScriptText) {
    let Some((_, last)) = choices.pop() else {
        return;
    };
    if choices.is_empty() {
        return out.line(last);
    }
    out.line("match (f.kind) {");
    for (number, choice) in choices {
        out.line(code!("{number}: {{ {choice} }}", number, choice));
    }
    out.line(code!("else: {{ {last} }}", last));
    out.line("}");
}

/// The turn of somebody, by its kind.
fn write_act(kinds: &[Kind<'_>], out: &mut ScriptText) {
    out.comment("Somebody attacks a foe, as its kind does.");
    out.line("deffun act(f: fighter, foe: fighter) {");
    let acts = kinds.iter().map(|kind| (kind.number, act(kind)));
    write_choice(acts.collect(), out);
    out.line("}\n");
}

/// The attack of a kind, with the first weapon that has rounds enough, as statements.
fn act(kind: &Kind<'_>) -> ScriptCode {
    let mut text = ScriptCode::default();
    // A weapon with rounds enough is what a watch needs, too.
    let from = usize::from(watches(kind) && kind.assaults.len() > 1);
    for index in from..kind.assaults.len() {
        let then = code!("{}(f, foe);", attack(kind, index));
        match (enough(kind, index), index == from) {
            (None, true) => return then,
            (None, false) => return code!("{text} else {{\n{then}\n}}", text, then),
            (Some(enough), true) => text = code!("if ({enough}) {{\n{then}\n}}", enough, then),
            (Some(enough), false) => {
                text = code!(
                    "{text} else if ({enough}) {{\n{then}\n}}",
                    text,
                    enough,
                    then
                );
            }
        }
    }
    code!(
        "{text} else {{\noutput(f.name + \" has too few rounds\");\n}}",
        text
    )
}

/// The rounds that a kind of fighter begins with, as fields.
pub(super) fn loaded_fields(kind: &Kind<'_>) -> Vec<ScriptCode> {
    let assaults = kind.assaults.iter().enumerate();
    let fields = assaults.filter_map(|(index, assault)| {
        let loaded_rounds = assault.weapon.loaded.as_ref()?;
        Some(code!("{}: {}", loaded(index), rounds(loaded_rounds)))
    });
    fields.collect()
}
