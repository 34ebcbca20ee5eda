//! The script of a fight between two sides: initiative, turns, attacks and what conditions do.

use super::assault::{Assault, Manner};
use super::test::{Tested, test_script};
use super::write::{Changing, Script, by_location, identifier, quoted};
use crate::front::dh2e::combatant::{Combatant, LOCATIONS};
use crate::front::dh2e::json::{Notes, Wrong};
use crate::front::dh2e::model::{FightScenario, Fighter};

/// The most kinds of fighters, and the most fighters.
const MAX_KINDS: usize = 16;
const MAX_FIGHTERS: u64 = 30;

/// Who has won where nobody has, as the script names it.
const NOBODY: &str = "nobody";

/// The conditions of a target that change during a fight, and where the script has them.
const CONDITIONS: [(&str, &str); 6] = [
    ("target:stunned", "foe.stunned > 0"),
    ("target:prone", "foe.prone"),
    ("target:helpless", "foe.helpless"),
    ("target:fatigued", "foe.fatigue > 0"),
    ("self:prone", "self.prone"),
    ("self:fatigued", "self.fatigue > 0"),
];

/// A kind of fighter: an actor, the numbers of its script, and the side that it is on.
struct Kind<'a> {
    /// Its number in the script.
    number: usize,
    side: usize,
    fighter: &'a Fighter,
    who: Combatant<'a>,
    assault: Assault<'a>,
    agility: i64,
    /// The target of the test with which it avoids attacks.
    defence: Option<i64>,
}

/// The script of a fight. Its roll returns the side that is left, or `nobody`.
///
/// # Errors
/// What is wrong with the scenario.
pub(in crate::front::dh2e) fn fight_script(
    scenario: &FightScenario,
    notes: &mut Notes,
) -> Result<String, Wrong> {
    let wrong = |what: String| Wrong {
        path: "$.sides".to_owned(),
        what,
    };
    if scenario.sides.len() != 2 {
        return Err(wrong(format!(
            "has {} sides, and a fight has two",
            scenario.sides.len()
        )));
    }
    let fighters = || scenario.sides.iter().flat_map(|side| &side.fighters);
    let count: u64 = fighters().map(|fighter| u64::from(fighter.count)).sum();
    if count > MAX_FIGHTERS || fighters().count() > MAX_KINDS {
        let most = format!("at most {MAX_FIGHTERS} fighters of {MAX_KINDS} kinds");
        return Err(wrong(format!("has {count} fighters; a fight has {most}")));
    }
    let names: Vec<String> = scenario
        .sides
        .iter()
        .map(|side| identifier(&side.name))
        .collect();
    if names[0] == names[1] || names.iter().any(|name| name == NOBODY) {
        let sides = scenario.sides.iter().map(|side| side.name.as_str());
        let sides: Vec<&str> = sides.collect();
        let what = format!(
            "have the names `{}`, which a script cannot tell apart",
            sides.join("` and `")
        );
        return Err(wrong(what));
    }
    let mut kinds = Vec::new();
    for (side, of_side) in scenario.sides.iter().enumerate() {
        if of_side.fighters.is_empty() {
            return Err(wrong(format!("has nobody on the side `{}`", of_side.name)));
        }
        for (index, fighter) in of_side.fighters.iter().enumerate() {
            let path = format!("$.sides[{side}].fighters[{index}].actor");
            kinds.push(kind(kinds.len(), side, fighter, &path, notes)?);
        }
    }
    let mut out = Script::default();
    write(scenario, &names, &kinds, &mut out)?;
    Ok(out.into_text())
}

fn kind<'a>(
    number: usize,
    side: usize,
    fighter: &'a Fighter,
    path: &str,
    notes: &mut Notes,
) -> Result<Kind<'a>, Wrong> {
    let who = Combatant::new(&fighter.actor, path, notes)?;
    let changing = CONDITIONS.map(|(option, condition)| Changing {
        option: option.to_owned(),
        condition: condition.to_owned(),
    });
    let manner = Manner {
        weapon: fighter.weapon.as_deref(),
        mode: fighter.mode,
        called: None,
        options: &fighter.options,
    };
    let mut assault = Assault::new(&who, manner, changing.to_vec(), notes)?;
    for (option, _) in CONDITIONS {
        assault.options.unset(option);
    }
    let options = &assault.options;
    let domain = "initiative";
    let agility = who.bonus(who.tested(domain, "ag", options))?;
    let defence = match &fighter.defence {
        None => None,
        Some(skill) => {
            let tested = Tested::Skill(skill);
            let plan = test_script(&fighter.actor, &tested, &[], &[], notes)?;
            Some(plan.target)
        }
    };
    Ok(Kind {
        number,
        side,
        fighter,
        who,
        assault,
        agility,
        defence,
    })
}

fn write(
    scenario: &FightScenario,
    names: &[String],
    kinds: &[Kind<'_>],
    out: &mut Script,
) -> Result<(), Wrong> {
    out.comment(format!("{}: {}.", scenario.name, names.join(" against ")));
    out.line("\nimport std.dh2e;\n");
    out.line(format!(
        "enum winner {{ {}, {NOBODY} }}\n",
        names.join(", ")
    ));
    out.line(
        "deftype fighter { name: string, kind: int, side: int, health: int, initiative: int, \
         fatigue: int, stunned: int, prone: bool, helpless: bool, burning: bool, bleeding: bool, \
         reaction: bool }\n",
    );
    out.comment("Whether somebody can go on.");
    out.line("deffun stands(f: fighter) : bool { return f.health > 0 && !f.helpless; }\n");
    write_suffer(kinds, out)?;
    write_turn(kinds, out)?;
    write_defence(kinds, out);
    for kind in kinds {
        write_attack(kind, kinds, out)?;
    }
    write_act(kinds, out);
    write_fighters(kinds, out)?;
    write_fight(scenario, names, out);
    Ok(())
}

/// A value for each kind of fighter, as an expression of `f`.
fn by_kind(
    kinds: &[Kind<'_>],
    mut value: impl FnMut(&Kind<'_>) -> Result<String, Wrong>,
) -> Result<String, Wrong> {
    let values: Result<Vec<String>, Wrong> = kinds.iter().map(&mut value).collect();
    Ok(by_number("f.kind", &values?))
}

/// What a hit does: resistances, armour, penetration and toughness (seed 003, "Damage
/// Calculation").
fn write_suffer(kinds: &[Kind<'_>], out: &mut Script) -> Result<(), Wrong> {
    let armour = by_kind(kinds, |kind| {
        let points = LOCATIONS.map(|at| (at, kind.who.armour(at, &kind.assault.options)));
        Ok(by_location("place", &points))
    })?;
    let toughness = by_kind(kinds, |kind| {
        let of = |felling| kind.who.toughness(felling, &kind.assault.options);
        let (whole, least) = (of(0)?, of(i64::MAX)?);
        Ok(match whole == least {
            true => whole.to_string(),
            false => format!("max({least}, {whole} - felling)"),
        })
    })?;
    let types = damage_types(kinds);
    let raw = by_kind(kinds, |kind| {
        let resisted = |name: &String| {
            kind.who
                .resisted("damage".to_owned(), name, &kind.assault.options)
        };
        let all: Vec<String> = types.iter().map(resisted).collect();
        Ok(by_number("type", &all))
    })?;
    out.comment("Somebody is hit where the digits of `face` say.");
    out.line(
        "deffun suffer(f: fighter, face: int, damage: int, penetration: int, type: int, felling: int) {",
    );
    out.line("place = location(face);");
    out.line(format!("armour = {armour};"));
    out.line(format!("toughness = {toughness};"));
    out.line(format!(
        "hurt = wounds({raw}, armour, penetration, toughness);"
    ));
    out.line("f.health -= hurt;");
    out.line("output(f.name + \" is hit in the \" + place + \": \" + hurt + \" wounds\");");
    out.line("}\n");
    Ok(())
}

/// The types of damage of all weapons, each once; the script has their indices.
fn damage_types(kinds: &[Kind<'_>]) -> Vec<String> {
    let mut types: Vec<String> = Vec::new();
    for kind in kinds {
        let name = &kind.assault.weapon.damage_type;
        if !types.contains(name) {
            types.push(name.clone());
        }
    }
    types
}

/// The value of a number from 0 on, as an expression.
fn by_number(number: &str, values: &[String]) -> String {
    let last = values.len() - 1;
    if values.iter().all(|value| *value == values[last]) {
        return values[last].clone();
    }
    let arms = values
        .iter()
        .enumerate()
        .map(|(index, value)| match index == last {
            true => format!("else: {value}"),
            false => format!("{index}: {value}"),
        });
    let arms: Vec<String> = arms.collect();
    format!("match ({number}) {{ {} }}", arms.join(", "))
}

/// What happens at the beginning of a turn, in the order of seed 003, "Combat Turn Processing".
fn write_turn(kinds: &[Kind<'_>], out: &mut Script) -> Result<(), Wrong> {
    let threshold = by_kind(kinds, |kind| {
        let bonus = |name| kind.who.bonus(name);
        Ok((bonus("t")? + bonus("wp")?).to_string())
    })?;
    out.comment("The beginning of a turn: reactions come back, fire and blood take their toll.");
    out.line("deffun beginTurn(f: fighter) {");
    out.line("f.reaction = true;");
    out.line("if (f.burning) { f.health -= roll(d10); f.fatigue += 1; }");
    out.line("if (f.bleeding) { f.fatigue += 1; }");
    out.line(format!(
        "if (f.fatigue > {threshold}) {{ f.helpless = true; }}"
    ));
    out.line("}\n");
    Ok(())
}

/// Whether anybody can avoid hits.
fn can_avoid(kinds: &[Kind<'_>]) -> bool {
    kinds.iter().any(|kind| kind.defence.is_some())
}

/// The test with which somebody avoids hits: one for each degree of success. It spends the
/// reaction.
fn write_defence(kinds: &[Kind<'_>], out: &mut Script) {
    if !can_avoid(kinds) {
        return;
    }
    out.comment("How many hits somebody avoids, one for each degree; it spends the reaction.");
    out.line("deffun avoided(f: fighter) : int {");
    out.line("if (!f.reaction || f.stunned > 0) { return 0; }");
    let none = |kind: &Kind<'_>| kind.defence.is_none();
    for kind in kinds.iter().filter(|kind| none(kind)) {
        out.line(format!("if (f.kind == {}) {{ return 0; }}", kind.number));
    }
    out.line("f.reaction = false;");
    let able: Vec<&Kind<'_>> = kinds.iter().filter(|kind| !none(kind)).collect();
    let target = |kind: &Kind<'_>| kind.defence.unwrap_or_default().to_string();
    let targets: Vec<String> = match able.split_last() {
        Some((last, [])) => vec![target(last)],
        Some((last, others)) => {
            let arms = others
                .iter()
                .map(|kind| format!("{}: {}", kind.number, target(kind)));
            let arms: Vec<String> = arms.collect();
            let last = target(last);
            vec![format!(
                "match (f.kind) {{ {}, else: {last} }}",
                arms.join(", ")
            )]
        }
        None => Vec::new(),
    };
    let target = targets.concat();
    out.line(format!(
        "return max(0, degrees(roll(d100), max(1, {target} - 10 * f.fatigue)));"
    ));
    out.line("}\n");
}

/// The attack of a kind of fighter.
fn write_attack(kind: &Kind<'_>, kinds: &[Kind<'_>], out: &mut Script) -> Result<(), Wrong> {
    let assault = &kind.assault;
    let number = kind.number;
    out.comment(format!(
        "{} attacks: {}.",
        kind.fighter.actor.name, assault.weapon.name
    ));
    out.line(format!(
        "deffun attack{number}(self: fighter, foe: fighter) {{"
    ));
    let skill = kind.who.characteristic(assault.characteristic())?;
    out.line(format!("skill = {skill} - 10 * self.fatigue;"));
    assault.write_test("skill", out)?;
    let with = quoted(&format!(" with the {}", assault.weapon.name));
    out.line(format!(
        "output(self.name + \" attacks \" + foe.name + {with});"
    ));
    if can_avoid(kinds) {
        out.line("if (shots > 0) { shots -= avoided(foe); }");
    }
    out.line("for (i : 1..shots) {");
    let face = if assault.rate() == 1 {
        "face"
    } else {
        "i == 1 ? face : roll(d100)"
    };
    let penetration = assault.penetration(&assault.weapon.penetration.to_string());
    let felling = assault.quality("felling").unwrap_or(0);
    let damage = assault.damage()?;
    let types = damage_types(kinds);
    let of_weapon = |name: &String| *name == assault.weapon.damage_type;
    let number = types.iter().position(of_weapon).unwrap_or_default();
    out.line(format!(
        "suffer(foe, {face}, {damage}, {penetration}, {number}, {felling});"
    ));
    out.line("}");
    if assault.quality("flame").is_some() {
        out.line("if (shots > 0) { foe.burning = true; }");
    }
    out.line("}\n");
    Ok(())
}

/// The turn of somebody, by its kind.
fn write_act(kinds: &[Kind<'_>], out: &mut Script) {
    out.line("deffun act(f: fighter, foe: fighter) {");
    out.line("match (f.kind) {");
    let last = kinds.len() - 1;
    for kind in kinds {
        let arm = if kind.number == last {
            "else".to_owned()
        } else {
            kind.number.to_string()
        };
        out.line(format!("{arm}: {{ attack{}(f, foe); }}", kind.number));
    }
    out.line("}");
    out.line("}\n");
}

/// All fighters, those with the higher agility bonus first, then by their names: this decides
/// between equal initiatives (seed 003, "Initiative").
fn write_fighters(kinds: &[Kind<'_>], out: &mut Script) -> Result<(), Wrong> {
    let mut all: Vec<(i64, String, &Kind<'_>)> = Vec::new();
    for kind in kinds {
        for number in 1..=kind.fighter.count {
            let name = &kind.fighter.actor.name;
            let name = match kind.fighter.count {
                1 => name.clone(),
                _ => format!("{name} {number}"),
            };
            all.push((kind.agility, name, kind));
        }
    }
    all.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    out.comment("Everybody, in the order that decides between equal initiatives.");
    out.line("deffun fighters() : fighter list {");
    out.line("return [");
    for (agility, name, kind) in &all {
        let conditions = &kind.fighter.actor.conditions;
        let has = |name: &str| conditions.iter().any(|condition| condition == name);
        let mut fields = vec![
            format!("name: {}", quoted(name)),
            format!("kind: {}", kind.number),
            format!("side: {}", kind.side),
            format!("health: {}", kind.fighter.actor.wounds),
            format!("initiative: roll(d10) + {agility}"),
            format!("fatigue: {}", kind.fighter.actor.fatigue),
            "reaction: true".to_owned(),
        ];
        fields.extend(has("prone").then(|| "prone: true".to_owned()));
        fields.extend(has("stunned").then(|| "stunned: 1".to_owned()));
        fields.extend(has("bleeding").then(|| "bleeding: true".to_owned()));
        fields.extend(has("helpless").then(|| "helpless: true".to_owned()));
        out.line(format!("fighter{{ {} }},", fields.join(", ")));
    }
    out.line("];");
    out.line("}\n");
    Ok(())
}

/// The fight itself.
fn write_fight(scenario: &FightScenario, names: &[String], out: &mut Script) {
    let title = quoted(&scenario.name);
    out.line(format!(
        "defroll {title} fight(rounds: int = {}) {{",
        scenario.rounds
    ));
    out.line("everyone = sorted(f by f.initiative descending for f : fighters());");
    out.line(format!("left = winner.{NOBODY};"));
    out.line("ended = rounds;");
    out.line("for (round : 1..rounds) {");
    out.line("for (f : everyone) {");
    out.line("if (!stands(f)) { continue; }");
    out.line("beginTurn(f);");
    out.line("if (f.stunned > 0) { f.stunned -= 1; continue; }");
    out.line("if (!stands(f)) { continue; }");
    out.line("if (!any(stands(foe) for foe : everyone if foe.side != f.side)) { continue; }");
    out.line("act(f, pick(foe for foe : everyone if foe.side != f.side && stands(foe)));");
    out.line("}");
    for (side, name) in names.iter().enumerate() {
        let other = 1 - side;
        out.line(format!(
            "if (!any(stands(f) for f : everyone if f.side == {other})) {{ left = {name}; ended = round; \
             break; }}"
        ));
    }
    out.line("}");
    out.line("stat(\"rounds\", ended);");
    out.line("for (f : everyone) { stat(\"wounds left to \" + f.name, max(0, f.health)); }");
    out.line("return left;");
    out.line("}");
}
