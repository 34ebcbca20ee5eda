//! The script of a fight between two sides: initiative, turns, attacks and conditions.
//!
//! `entrant` has the fighters, `state` their possible events, `kind` their numbers; `hits`, `turn`,
//! `act` and `wrestling` write the functions of the script.

mod act;
mod called;
mod entrant;
mod figures;
mod hits;
mod kind;
mod order;
mod state;
mod turn;
mod wrestling;

use super::condition::{OUT, duration, field};
use super::write::{ScriptText, identifier, quoted};
use crate::dh2e::json::{Notes, Wrong};
use crate::dh2e::model::FightScenario;
use crate::dh2e::synthetics::Synthetics;
use crate::dh2e::tables::Injuries;
use crate::purpose::Purpose;
use crate::script_text::{Joined, ScriptCode, code};
use act::{loaded, loaded_fields, write_acts};
use called::called;
use entrant::Entrant;
pub use figures::{FightPlan, FightSide, FighterFigures, ROUNDS};
use figures::{WOUNDS_LEFT, figures, standing};
use hits::write_hits;
use kind::Kind;
use order::{write_next, write_order, write_round};
use state::State;
use turn::{has_beginning, write_turn};
use wrestling::write_wrestling;

/// The most kinds of fighters, and the most fighters.
const MAX_KINDS: usize = 16;
const MAX_FIGHTERS: u64 = 30;

/// The name of a draw in the script.
const NOBODY: &str = "nobody";

/// The script of a fight. Its roll returns the side that is left, or `nobody`.
///
/// # Errors
/// The errors in the scenario.
pub(in crate::dh2e) fn fight(
    scenario: &FightScenario,
    purpose: Purpose,
    notes: &mut Notes,
) -> Result<FightPlan, Wrong> {
    let names = check_sides(scenario)?;
    let called = called(scenario)?;
    let mut entrants = Vec::new();
    for (side, of_side) in scenario.sides.iter().enumerate() {
        for (index, fighter) in of_side.fighters.iter().enumerate() {
            let path = format!("$.sides[{side}].fighters[{index}]");
            entrants.push(Entrant::new(side, fighter, path, notes)?);
        }
    }
    let injuries = scenario
        .injuries
        .as_deref()
        .map(Injuries::new)
        .transpose()?;
    let state = State::new(&entrants, injuries, purpose)?;
    let mut kinds = Vec::new();
    for (entrant, called) in entrants.into_iter().zip(called) {
        kinds.push(Kind::new(kinds.len(), entrant, called, &state, notes)?);
    }
    note_conditions(&kinds, notes);
    let mut out = ScriptText::default();
    write(scenario, &names, &kinds, &state, &mut out)?;
    let sides = scenario.sides.iter().zip(names);
    let sides = sides.map(|(side, result)| FightSide {
        name: side.name.clone(),
        result: result.to_string(),
    });
    Ok(FightPlan {
        title: scenario.name.clone(),
        sides: sides.collect(),
        nobody: NOBODY,
        kinds: figures(&kinds),
        script: out.into_text()?,
    })
}

/// Notes the conditions at the beginning that do nothing in this fight.
fn note_conditions(kinds: &[Kind<'_>], notes: &mut Notes) {
    let armed = kinds.iter().flat_map(|kind| &kind.assaults);
    let armed = armed.map(|assault| &assault.attacker.synthetics);
    let own = kinds.iter().map(|kind| &kind.who.synthetics);
    let all: Vec<&Synthetics> = armed.chain(own).collect();
    for kind in kinds {
        kind.who.note_conditions(&all, notes);
    }
}

/// Checks the sides and the number of fighters; returns the names of the sides in the script.
fn check_sides(scenario: &FightScenario) -> Result<Vec<ScriptCode>, Wrong> {
    let wrong = |what: String, help: &str| Err(Wrong::new("$.sides", what).help(help));
    if scenario.sides.len() != 2 {
        let what = format!("has {} sides, and a fight has two", scenario.sides.len());
        return wrong(what, "let allies stand on one side");
    }
    let fighters = || scenario.sides.iter().flat_map(|side| &side.fighters);
    let count: u64 = fighters().map(|fighter| u64::from(fighter.count)).sum();
    if count > MAX_FIGHTERS || fighters().count() > MAX_KINDS {
        let most = format!("at most {MAX_FIGHTERS} fighters of {MAX_KINDS} kinds");
        let what = format!("has {count} fighters; a fight has {most}");
        return wrong(what, "lower a `count`, or leave fighters out");
    }
    let mut sides = scenario.sides.iter();
    if let Some(side) = sides.find(|side| side.fighters.iter().all(|one| one.count == 0)) {
        let what = format!("has nobody on the side `{}`", side.name);
        return wrong(what, "add a fighter with a `count` above 0");
    }
    let names = scenario.sides.iter().map(|side| identifier(&side.name));
    let names: Vec<ScriptCode> = names.collect();
    if names[0] == names[1] || names.iter().any(|name| name == NOBODY) {
        let sides = scenario.sides.iter().map(|side| side.name.as_str());
        let sides: Vec<&str> = sides.collect();
        let what = format!(
            "have the names `{}`, which a script cannot tell apart",
            sides.join("` and `")
        );
        return wrong(what, "rename a side");
    }
    Ok(names)
}

fn write(
    scenario: &FightScenario,
    names: &[ScriptCode],
    kinds: &[Kind<'_>],
    state: &State<'_>,
    out: &mut ScriptText,
) -> Result<(), Wrong> {
    out.comment(format!("{}: {}.", scenario.name, names.joined(" against ")));
    out.line("\nimport std.dh2e;\n");
    out.line(code!(
        "enum winner {{ {}, {NOBODY} }}\n",
        names.joined(", "),
        NOBODY
    ));
    write_fighter(kinds, state, out);
    out.comment("Whether somebody can go on.");
    out.line("deffun stands(f: fighter) : bool {");
    out.line(code!("return {};", stands(state).joined(" && ")));
    out.line("}\n");
    write_hits(kinds, state, out)?;
    if state.wrestles {
        write_wrestling(kinds, state, out)?;
    }
    write_turn(kinds, state, out)?;
    write_acts(kinds, state, out)?;
    write_fighters(kinds, state, out);
    write_next(count(kinds), state, out);
    write_fight(scenario, names, kinds, state, out);
    Ok(())
}

/// The type of a fighter: its kind, and the states that are possible in this fight.
fn write_fighter(kinds: &[Kind<'_>], state: &State<'_>, out: &mut ScriptText) {
    let mut fields = vec!["name: string", "kind: int", "side: int", "health: int"];
    fields.push("initiative: int");
    fields.push("place: int");
    let mut fields: Vec<ScriptCode> = fields.into_iter().map(ScriptCode::from).collect();
    fields.extend(
        state
            .has_fatigue()
            .then(|| ScriptCode::from("fatigue: int")),
    );
    let conditions = state.conditions.iter();
    fields.extend(conditions.map(|one| code!("{}: int", one.field)));
    fields.extend(state.avoids.then(|| ScriptCode::from("reaction: bool")));
    let loaded_weapons = |kind: &Kind<'_>| loaded_fields(kind).len();
    let most = kinds.iter().map(loaded_weapons).max().unwrap_or_default();
    fields.extend((0..most).map(|index| code!("{}: int", loaded(index))));
    fields.extend(state.watches.then(|| ScriptCode::from("overwatch: bool")));
    if state.wrestles {
        let numbers = ["number: int", "holds: int", "heldBy: int"];
        fields.extend(numbers.map(ScriptCode::from));
    }
    out.line(code!("deftype fighter {{ {} }}\n", fields.joined(", ")));
}

/// The conditions under which `f` can go on.
fn stands(state: &State<'_>) -> Vec<ScriptCode> {
    let health = state
        .injuries
        .is_none()
        .then(|| ScriptCode::from("f.health > 0"));
    let out = OUT.into_iter().filter(|field| state.has(field));
    health
        .into_iter()
        .chain(out.map(|field| code!("f.{field} == 0", field)))
        .collect()
}

/// All fighters, those with the higher agility bonus first, then by their names: this decides
/// between equal initiatives (seed 003, "Initiative").
fn write_fighters(kinds: &[Kind<'_>], state: &State<'_>, out: &mut ScriptText) {
    let mut all: Vec<(i64, &String, &Kind<'_>)> = Vec::new();
    for kind in kinds {
        let names = kind.names.iter();
        all.extend(names.map(|name| (kind.agility, name, kind)));
    }
    all.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(other.1)));
    out.comment("Everybody, in the order that decides between equal initiatives.");
    out.line("deffun fighters() : fighter list {");
    // A line takes the dice that were rolled since the last one.
    if state.is_told() {
        for (index, (_, name, kind)) in all.iter().enumerate() {
            let told = quoted(&format!("{name} has initiative "));
            out.line(code!("initiative{index} = {};", kind.initiative, index));
            out.line(code!("output({told} + initiative{index});", told, index));
        }
    }
    out.line("return [");
    for (index, (_, name, kind)) in all.iter().enumerate() {
        let actor = &kind.fighter.actor;
        let initiative = match state.is_told() {
            true => code!("initiative{index}", index),
            false => kind.initiative.clone(),
        };
        let mut fields = vec![
            code!("name: {}", quoted(name)),
            code!("kind: {}", kind.number),
            code!("side: {}", kind.side),
            code!("health: {}", actor.wounds),
            code!("initiative: {initiative}", initiative),
        ];
        fields.extend((actor.fatigue > 0).then(|| code!("fatigue: {}", actor.fatigue)));
        for condition in &actor.conditions {
            let name = condition.name();
            let rounds = duration(name, condition.rounds());
            fields.push(code!("{}: {rounds}", field(name), rounds));
        }
        fields.extend(
            kind.is_exhausted
                .then(|| ScriptCode::from("unconscious: ENDLESS")),
        );
        fields.extend(state.avoids.then(|| ScriptCode::from("reaction: true")));
        fields.extend(loaded_fields(kind));
        fields.extend(state.wrestles.then(|| code!("number: {}", index + 1)));
        out.line(code!("fighter{{ {} }},", fields.joined(", ")));
    }
    out.line("];");
    out.line("}\n");
}

/// The number of fighters.
fn count(kinds: &[Kind<'_>]) -> usize {
    kinds.iter().map(|kind| kind.names.len()).sum()
}

/// The fight itself.
fn write_fight(
    scenario: &FightScenario,
    names: &[ScriptCode],
    kinds: &[Kind<'_>],
    state: &State<'_>,
    out: &mut ScriptText,
) {
    let title = quoted(&scenario.name);
    out.line(code!(
        "defroll {title} fight(rounds: int = {}) {{",
        scenario.rounds,
        title
    ));
    let everybody = match state.wrestles {
        true => {
            out.line("roster = fighters();");
            "roster"
        }
        false => "fighters()",
    };
    let count = count(kinds);
    write_order(everybody, count, state, out);
    out.line(code!("left = winner.{NOBODY};", NOBODY));
    out.line("round = 0;");
    out.line("while (round <= rounds) {");
    out.line("f = most(one by soon(one, place) for one : everyone);");
    write_round(names, count, state, out);
    out.line("place = f.place;");
    write_turn_of(state, out);
    out.line("}");
    write_figures(kinds, state, out);
    out.line("return left;");
    out.line("}");
}

/// The statistics at the end of a fight.
fn write_figures(kinds: &[Kind<'_>], state: &State<'_>, out: &mut ScriptText) {
    out.line(code!("stat({}, round);", quoted(ROUNDS)));
    for kind in kinds {
        let (name, number) = (quoted(&standing(kind)), kind.number);
        out.line(code!(
            "stat({name}, count(stands(f) for f : everyone if f.kind == {number}));",
            name,
            number
        ));
    }
    let (name, left) = match state.injuries {
        None => (quoted(WOUNDS_LEFT), "max(0, f.health)"),
        Some(_) => (quoted(WOUNDS_LEFT), "f.health"),
    };
    out.line(code!(
        "for (f : everyone) {{ stat({name} + f.name, {left}); }}",
        name,
        left
    ));
}

/// The turn of `f`.
fn write_turn_of(state: &State<'_>, out: &mut ScriptText) {
    let begin = match (has_beginning(state), state.wrestles) {
        (false, _) => None,
        (true, false) => Some("beginTurn(f);"),
        (true, true) => Some("beginTurn(f, roster);"),
    };
    if state.watches {
        let mut able = vec![
            "watcher.overwatch",
            "watcher.side != f.side",
            "stands(watcher)",
        ];
        able.extend(state.has("stunned").then_some("watcher.stunned == 0"));
        able.extend(state.wrestles.then_some("watcher.heldBy == 0"));
        able.push("stands(f)");
        out.line(code!(
            "for (watcher : everyone) {{ if ({}) {{ shoot(watcher, f); }} }}",
            able.joined(" && ")
        ));
    }
    out.line(begin.unwrap_or_default());
    let stunned = if state.has("stunned") {
        "f.stunned != 0"
    } else {
        ""
    };
    let falls = state.may_return() || state.may_fall_alone() || state.watches;
    let idle = [if falls { "!stands(f)" } else { "" }, stunned];
    let idle: Vec<&'static str> = idle.into_iter().filter(|one| !one.is_empty()).collect();
    if !idle.is_empty() {
        out.line(code!("if ({}) {{ continue; }}", idle.joined(" || ")));
    }
    out.line("if (!any(stands(foe) for foe : everyone if foe.side != f.side)) { continue; }");
    if state.wrestles {
        write_holds(out);
    }
    if state.watches {
        out.line("if (keepsWatch(f)) { continue; }");
    }
    out.line("foe = pick(other for other : everyone if other.side != f.side && stands(other));");
    out.line("act(f, foe);");
}

/// The grapple in a turn: of a fighter that is held, holds a foe, or intends to.
fn write_holds(out: &mut ScriptText) {
    out.line(
        "if (f.heldBy > 0 && !stands(roster[f.heldBy - 1])) { letGo(roster[f.heldBy - 1], f); }",
    );
    out.line("if (f.heldBy > 0) { breakFree(f, roster[f.heldBy - 1]); continue; }");
    out.line("if (f.holds > 0) { useHold(f, roster[f.holds - 1]); continue; }");
    out.line("if (wrestles(f)) {");
    out.line(
        "free = [foe for foe : everyone if foe.side != f.side && stands(foe) && foe.heldBy == 0];",
    );
    out.line("if (len(free) > 0) {\nfoe = pick(free);\nseize(f, foe);\ncontinue;\n}\n}");
}
