//! The script of a test: of a characteristic, a skill or a psychic power (seed 003, "Check Flow").

use super::write::{Script, quoted};
use crate::front::dh2e::combatant::{Combatant, characteristic_name};
use crate::front::dh2e::json::{Notes, Wrong};
use crate::front::dh2e::model::{Actor, Skill};
use crate::front::dh2e::modifier::{Asked, Resolved};
use crate::front::dh2e::predicate::Options;

/// What is tested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tested<'a> {
    /// A characteristic: `ws`.
    Characteristic(&'a str),
    /// A skill, or a use of it: `dodge`, `dodge:dodge-attack`.
    Skill(&'a str),
    /// A psychic power, and whether it is pushed.
    Power(&'a str, bool),
}

/// A test before it is rolled.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What it is: `Dodge (dodge-attack)`.
    pub title: String,
    /// What the target begins with, each with what it is called.
    pub base: Vec<(String, i64)>,
    /// The modifiers.
    pub resolved: Resolved,
    /// The target, at least 1.
    pub target: i64,
    /// The degrees that are added after the roll.
    pub degrees: i64,
    /// Whether it spends the reaction of the round.
    pub is_reaction: bool,
    /// The script, with one roll that returns the degrees.
    pub script: String,
}

/// Seed 003, "Focus Power Flow", 3.
const UNFETTERED: i64 = 25;
const PUSHED: i64 = 50;

/// The script of a test of an actor, with these options and with switched modifiers.
///
/// # Errors
/// What is wrong with the actor, or does not exist.
pub fn test_script(
    actor: &Actor,
    tested: &Tested<'_>,
    given: &[String],
    toggles: &[String],
    notes: &mut Notes,
) -> Result<Plan, Wrong> {
    let mut actor = Combatant::new(actor, "$", notes)?;
    let toggled = actor.synthetics.toggle(toggles.iter().map(String::as_str));
    toggled.map_err(|label| {
        actor.wrong(
            "items",
            format!("have no modifier `{label}` that may be switched"),
        )
    })?;
    let mut options: Options = given.iter().map(String::as_str).collect();
    let prepared = prepare(&actor, tested, &mut options)?;
    actor.set_options("self", &mut options);
    let usual = prepared.characteristic.clone();
    let characteristic = actor.tested(&prepared.domain, &usual, &options);
    let asked = Asked {
        domain: &prepared.domain,
        characteristic: Some(characteristic),
    };
    let mut base = vec![(
        characteristic_name(characteristic).to_owned(),
        actor.characteristic(characteristic)?,
    )];
    base.extend(prepared.added);
    if actor.actor.fatigue > 0 {
        base.push(("Fatigue".to_owned(), -10 * actor.actor.fatigue));
    }
    let resolved = actor.synthetics.resolve(asked, &options);
    let sum: i64 = base.iter().map(|(_, value)| value).sum();
    let mut plan = Plan {
        title: prepared.title,
        base,
        target: (sum + resolved.total).max(1),
        degrees: actor.degrees(asked, &options),
        resolved,
        is_reaction: prepared.is_reaction,
        script: String::new(),
    };
    plan.script = write(&plan, &actor.actor.name, tested);
    Ok(plan)
}

/// What a test is about.
struct Prepared {
    title: String,
    domain: String,
    characteristic: String,
    added: Vec<(String, i64)>,
    is_reaction: bool,
}

fn prepare(
    actor: &Combatant<'_>,
    tested: &Tested<'_>,
    options: &mut Options,
) -> Result<Prepared, Wrong> {
    match *tested {
        Tested::Characteristic(name) => Ok(Prepared {
            title: characteristic_name(name).to_owned(),
            domain: format!("characteristic:{name}"),
            characteristic: name.to_owned(),
            added: Vec::new(),
            is_reaction: false,
        }),
        Tested::Skill(words) => prepare_skill(actor, words),
        Tested::Power(name, pushed) => {
            let mut powers = actor.actor.powers.iter();
            let power = powers.find(|power| power.name == name).ok_or_else(|| {
                let names = actor.actor.powers.iter().map(|power| power.name.as_str());
                actor.wrong("powers", unknown(name, names))
            })?;
            let (mode, bonus) = if pushed {
                ("pushed", PUSHED)
            } else {
                ("unfettered", UNFETTERED)
            };
            options.set(format!("power:mode:{mode}"));
            Ok(Prepared {
                title: format!("{} ({mode})", power.name),
                domain: format!("power:{}", power.name),
                characteristic: power.characteristic.clone(),
                added: vec![("Focus".to_owned(), power.focus), (mode.to_owned(), bonus)],
                is_reaction: false,
            })
        }
    }
}

fn prepare_skill(actor: &Combatant<'_>, words: &str) -> Result<Prepared, Wrong> {
    let (name, used) = match words.split_once(':') {
        Some((name, used)) => (name, Some(used)),
        None => (words, None),
    };
    let skills = &actor.actor.skills;
    let skill = skills
        .iter()
        .find(|skill| skill.name == name)
        .ok_or_else(|| {
            actor.wrong(
                "skills",
                unknown(name, skills.iter().map(|skill| skill.name.as_str())),
            )
        })?;
    let is_reaction = match used {
        None => false,
        Some(wanted) => {
            let found = skill.uses.iter().find(|one| one.name == wanted);
            let names = skill.uses.iter().map(|one| one.name.as_str());
            found
                .ok_or_else(|| actor.wrong("skills", unknown(wanted, names)))?
                .reaction
        }
    };
    let title = match used {
        None => skill.name.clone(),
        Some(used) => format!("{} ({used})", skill.name),
    };
    Ok(Prepared {
        title,
        domain: format!("skill:{words}"),
        characteristic: skill.characteristic.clone(),
        added: vec![advance(actor, skill)?],
        is_reaction,
    })
}

/// What the tier of a skill adds (seed 003, "Skill Checks").
fn advance(actor: &Combatant<'_>, skill: &Skill) -> Result<(String, i64), Wrong> {
    let (label, bonus) = match skill.tier {
        0 => ("untrained", 0),
        1 => ("known", 0),
        2 => ("trained", 10),
        3 => ("experienced", 20),
        4 => ("veteran", 30),
        tier => {
            let what = format!("has `{}` at tier {tier}; tiers are 0 to 4", skill.name);
            return Err(actor.wrong("skills", what));
        }
    };
    Ok((label.to_owned(), bonus))
}

/// Something that an actor does not have.
fn unknown<'n>(wanted: &str, names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<&str> = names.collect();
    match names.is_empty() {
        true => format!("has no `{wanted}`: the list is empty"),
        false => format!("has no `{wanted}`; there are {}", names.join(", ")),
    }
}

fn write(plan: &Plan, who: &str, tested: &Tested<'_>) -> String {
    let mut out = Script::default();
    out.comment(format!("{who}: {}.", plan.title));
    for (label, value) in &plan.base {
        out.comment(format!("{value} {label}"));
    }
    out.breakdown(&plan.resolved, |_| None);
    out.line("\nimport std.dh2e;\n");
    let title = quoted(&plan.title);
    out.line(format!(
        "defroll {title} test(target: int = {}) {{",
        plan.target
    ));
    out.line("face = roll(d100);");
    out.line(match plan.degrees {
        0 => "result = degrees(face, target);".to_owned(),
        more => format!("result = adjusted(degrees(face, target), {more});"),
    });
    out.line("output(result > 0 ? \"Success\" : \"Failure\");");
    // Seed 003, "Focus Power Flow", 5: on doubles, of which 100 is one, or always.
    match tested {
        Tested::Power(_, true) => out.line("output(\"Phenomena\");"),
        Tested::Power(_, false) => {
            out.line("if (face % 11 == 0 || face == 100) { output(\"Phenomena\"); }");
        }
        Tested::Characteristic(_) | Tested::Skill(_) => {}
    }
    out.line("return result;");
    out.line("}");
    out.into_text()
}
