//! The script of a single attack: the number of hits, their locations and their damage.

use super::assault::{Assault, Manner, weapon};
use super::condition::{OUT, field, suffers};
use super::injuries::write_injuries;
use super::said::{HIT, INJURED};
use super::write::{Changing, ScriptText, by_location, identifier, quoted};
use crate::dh2e::combatant::Combatant;
use crate::dh2e::condition::DEAD;
use crate::dh2e::json::{Notes, Wrong};
use crate::dh2e::location::LOCATIONS;
use crate::dh2e::model::{AttackScenario, Rounds};
use crate::dh2e::predicate::Options;
use crate::dh2e::tables::{Injuries, InjuryRow};
use crate::script_text::{Joined, Names, code};

/// Names that the script of an attack has, whatever may change.
const USED: &str = "\
    armour attack damage dies dos end face fate goesOn health hurt i injure isOut penetration \
    place severe shots skill total toughness worst";

/// The statistic with the number of hits of an attack.
pub const HITS: &str = "hits";

/// The statistic of whether the target is killed: 1 if it is.
pub const KILLED: &str = "killed";

/// The same of whether it is out of the fight, of attacks with critical injuries.
pub const OUT_OF_THE_FIGHT: &str = "out of the fight";

/// The statistic of the wounds of each hit to a location is this and the location.
pub const WOUNDS_TO: &str = "wounds to the ";

/// The script of an attack. Its roll returns the wounds that the target suffers; statistics have
/// the hits, the wounds by location, and whether the target is killed. The numbers that a table may
/// vary are parameters.
///
/// # Errors
/// The errors in the scenario.
pub(in crate::dh2e) fn attack_script(
    scenario: &AttackScenario,
    notes: &mut Notes,
) -> Result<String, Wrong> {
    let attacker = Combatant::new(&scenario.attacker, "$.attacker", notes)?;
    let target = Combatant::new(&scenario.target, "$.target", notes)?;
    let mut names = Names::beside(USED.split(' ').map(Into::into));
    let changing: Vec<Changing> = scenario
        .changing
        .iter()
        .map(|option| Changing {
            option: option.clone(),
            condition: names.claim(identifier(option), &["".into()]),
        })
        .collect();
    let mut options = scenario.options.clone();
    let mut of_target = Options::default();
    target.set_state("target", &mut of_target);
    options.extend(of_target.all().map(str::to_owned));
    let manner = Manner {
        path: "$",
        weapon: weapon(&attacker, scenario.weapon.as_deref(), "$.weapon")?,
        mode: scenario.mode,
        called: scenario.called.as_deref(),
        options: &options,
    };
    let assault = Assault::new(&attacker, manner, changing, notes)?;
    assault.check_rounds()?;
    for who in [&attacker, &target] {
        let synthetics = [&assault.attacker.synthetics, &target.synthetics];
        who.note_conditions(&synthetics, notes);
    }
    let changing = scenario.changing.iter().enumerate();
    for (index, option) in changing.filter(|(_, option)| !assault.is_automatic_at(option)) {
        let synthetics = &assault.attacker.synthetics;
        synthetics.note_changing(option, &format!("$.changing[{index}]"), notes);
    }
    let injuries = scenario
        .injuries
        .as_deref()
        .map(Injuries::new)
        .transpose()?;
    let mut out = ScriptText::default();
    write(&assault, &target, injuries, &mut out)?;
    out.into_text()
}

fn write(
    assault: &Assault<'_>,
    target: &Combatant<'_>,
    injuries: Option<Injuries<'_>>,
    out: &mut ScriptText,
) -> Result<(), Wrong> {
    let (attacker, weapon) = (&assault.attacker, assault.weapon);
    let (who, whom) = (&attacker.actor.name, &target.actor.name);
    out.comment(format!("{who} attacks {whom}: {}.", weapon.name));
    if let Some(loaded) = &weapon.loaded {
        out.comment(format!("Rounds fired: {}.", fired(loaded, assault.rate())));
    }
    out.line("\nimport std.dh2e;\n");
    if let Some(injuries) = injuries {
        write_fates(injuries, &weapon.damage_type, whom, out)?;
    }
    let skill = attacker.characteristic(assault.characteristic(&assault.options))?;
    let skill = skill - 10 * attacker.actor.fatigue;
    let own = target_options(target);
    let toughness = target.toughness(assault.quality("felling").unwrap_or(0), &own)?;
    let mut parameters = vec![
        code!("skill: int = {skill}", skill),
        code!("penetration: int = {}", weapon.penetration),
        code!("toughness: int = {toughness}", toughness),
        code!("health: int = {}", target.actor.wounds),
    ];
    parameters.extend(
        assault
            .changing
            .iter()
            .map(|one| code!("{}: bool = false", one.condition)),
    );
    let title = quoted(&format!("{who}: {}", weapon.name));
    out.line(code!(
        "defroll {title} attack({}) {{",
        parameters.joined(", "),
        title
    ));
    assault.write_test("skill", out)?;
    write_hits(assault, target, injuries.is_some(), out)?;
    if assault.quality("flame").is_some() {
        let burning = quoted(&format!("{whom} is on fire"));
        out.line(code!("if (shots > 0) {{ output({burning}); }}", burning));
    }
    let mut stat =
        |name, value: &'static str| out.line(code!("stat({}, {value});", quoted(name), value));
    stat(HITS, "shots");
    match injuries {
        None => stat(KILLED, "total >= health ? 1 : 0"),
        Some(_) => {
            stat(OUT_OF_THE_FIGHT, "worst == goesOn ? 0 : 1");
            stat(KILLED, "worst == dies ? 1 : 0");
        }
    }
    out.line("return total;");
    out.line("}");
    Ok(())
}

/// The hits of an attack, one after the other.
fn write_hits(
    assault: &Assault<'_>,
    target: &Combatant<'_>,
    has_injuries: bool,
    out: &mut ScriptText,
) -> Result<(), Wrong> {
    let own = target_options(target);
    out.line("total = 0;");
    if has_injuries {
        out.line("worst = fate.goesOn;");
    }
    out.line("for (i : 1..shots) {");
    out.line(code!("place = {};", assault.place()));
    let points = LOCATIONS.map(|location| (location, target.armour(location, &own)));
    out.line(code!("armour = {};", by_location("place", &points)));
    out.line(code!("damage = {};", assault.damage()?));
    let raw = target.resisted("damage".into(), &assault.weapon.damage_type, &own);
    let penetration = assault.penetration("penetration");
    out.line(code!(
        "hurt = wounds({raw}, armour, {penetration}, toughness);",
        raw,
        penetration
    ));
    let hit = quoted(&format!("{}{HIT}", target.actor.name));
    out.line(code!(
        "output({hit} + place + \": damage \" + damage + \", wounds \" + hurt);",
        hit
    ));
    out.line(code!("stat({} + place, hurt);", quoted(WOUNDS_TO)));
    if has_injuries {
        out.line("severe = severity(health - total, hurt);");
        out.line("if (severe > 0) {");
        out.line("end = injure(place, severe);");
        out.line("if (end > worst) { worst = end; }");
        out.line("}");
    }
    out.line("total += hurt;");
    out.line("}");
    Ok(())
}

/// The function of critical injuries: the effect on the target.
fn write_fates(
    injuries: Injuries<'_>,
    damage_type: &str,
    whom: &str,
    out: &mut ScriptText,
) -> Result<(), Wrong> {
    out.comment("What becomes of somebody who is injured.");
    out.line("enum fate { goesOn, isOut, dies }\n");
    let effect = |row: &InjuryRow| {
        let said = |what: String| code!("output({});", quoted(&format!("{whom}{what}")));
        let mut lines = vec![said(format!("{INJURED}{}", row.text))];
        let conditions = row.conditions();
        lines.extend(conditions.map(|(name, rounds)| said(suffers(name, rounds))));
        let has = |wanted: &[&str]| {
            let mut fields = row.conditions().map(|(name, _)| field(name));
            fields.any(|field| wanted.contains(&field.as_str()))
        };
        let fate = match (has(&[DEAD]), has(&OUT)) {
            (true, _) => "dies",
            (false, true) => "isOut",
            (false, false) => "goesOn",
        };
        lines.push(code!("return {fate};", fate));
        lines.joined("\n")
    };
    out.comment(format!("Critical injuries of {damage_type} damage."));
    out.line("deffun injure(place: hitLocation, severe: int) : fate {");
    write_injuries(injuries, damage_type, &effect, out)?;
    out.line("}\n");
    Ok(())
}

/// The options about a target, as seen by its own items.
fn target_options(target: &Combatant<'_>) -> Options {
    let mut options = Options::default();
    target.set_options(&mut options);
    options
}

/// Which rounds a burst fires: the last ones in are the first ones out (seed 003, "Attack Flow",
/// 10).
fn fired(loaded: &[Rounds], mut shots: u32) -> String {
    let mut parts = Vec::new();
    for rounds in loaded.iter().rev() {
        let count = rounds.count.min(shots);
        shots -= count;
        if count > 0 {
            parts.push(format!("{count} {}", rounds.name));
        }
    }
    parts.join(", then ")
}
