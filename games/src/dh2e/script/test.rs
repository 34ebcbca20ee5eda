//! The script of a test: of a characteristic, a skill or a psychic power (seed 003, "Check Flow").

use super::assault::{class_option, weapon};
use super::write::{ScriptText, breakdown, quoted};
use crate::dh2e::combatant::{Combatant, characteristic_name};
use crate::dh2e::json::{Notes, Wrong, instead};
use crate::dh2e::model::{Actor, Skill};
use crate::dh2e::modifier::{Asked, Resolved, slug};
use crate::dh2e::predicate::Options;
use crate::dh2e::tables::PhenomenaTable;
use crate::script_text::{ScriptCode, code};

/// The results in the script of a test: a success, or a failure.
pub const OUTCOMES: [&str; 2] = ["Success", "Failure"];

/// The subject of a test.
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
    /// Its title: `Dodge (dodge-attack)`.
    pub title: String,
    /// The base of the target number, part by part, each with its name.
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

/// In which circumstances a test is made.
#[derive(Clone, Copy, Debug, Default)]
pub struct Circumstances<'a> {
    /// Options that are set.
    pub options: &'a [String],
    /// Modifiers that are switched, by their labels.
    pub toggles: &'a [String],
    /// The weapon in hand, whose qualities and elements count.
    pub weapon: Option<&'a str>,
}

/// The script of a test of an actor in these circumstances. A power with phenomena looks them up in
/// the tables, if there are any.
///
/// # Errors
/// The errors in the actor or the tables, or a name that does not exist.
pub fn test_script(
    actor: &Actor,
    tested: &Tested<'_>,
    phenomena: Option<&PhenomenaTable>,
    circumstances: Circumstances<'_>,
    notes: &mut Notes,
) -> Result<Plan, Wrong> {
    let mut actor = Combatant::new(actor, "$", notes)?;
    let wanted = circumstances.weapon;
    let in_hand = wanted.map(|wanted| weapon(&actor, Some(wanted), "--weapon"));
    let in_hand = in_hand.transpose()?;
    if let Some(weapon) = in_hand {
        actor = actor.with(weapon, notes)?;
    }
    actor.synthetics.toggle(circumstances.toggles, "$.items")?;
    note_exhaustion(&actor, notes);
    let check = Check::new(&actor, tested)?;
    let given = circumstances.options.iter();
    for option in given.clone() {
        actor.synthetics.note_option(option, "--option", notes);
    }
    let mut options: Options = given.map(String::as_str).collect();
    check.set_options(&mut options);
    if let Some(weapon) = in_hand {
        options.set(class_option(weapon));
    }
    actor.set_options(&mut options);
    let mut base = check.base(&options)?;
    if actor.actor.fatigue > 0 {
        base.push(("Fatigue".to_owned(), -10 * actor.actor.fatigue));
    }
    let resolved = check.resolved(&options);
    let sum: i64 = base.iter().map(|(_, value)| value).sum();
    let mut plan = Plan {
        title: check.prepared.title.clone(),
        base,
        target: (sum + resolved.total).max(1),
        degrees: check.degrees(&options),
        resolved,
        is_reaction: check.prepared.is_reaction,
        script: String::new(),
    };
    plan.script = write(&plan, &actor.actor.name, tested, phenomena)?;
    Ok(plan)
}

/// Notes that somebody has too much fatigue to test anything (seed 003, "Fatigue").
fn note_exhaustion(actor: &Combatant<'_>, notes: &mut Notes) {
    let fatigue = actor.actor.fatigue;
    let (Ok(tb), Ok(wpb)) = (actor.bonus("t"), actor.bonus("wp")) else {
        return;
    };
    if fatigue > tb + wpb {
        let (who, most) = (&actor.actor.name, tb + wpb);
        let what = format!("is {fatigue}, above TB and WPB together, {most}: {who} is unconscious");
        notes.push(actor.wrong("fatigue", what));
    }
}

/// A test of an actor, before its options are known.
pub(super) struct Check<'c, 'a> {
    actor: &'c Combatant<'a>,
    prepared: Prepared,
}

impl<'c, 'a> Check<'c, 'a> {
    /// A test of an actor.
    ///
    /// # Errors
    /// It does not exist.
    pub(super) fn new(actor: &'c Combatant<'a>, tested: &Tested<'_>) -> Result<Self, Wrong> {
        let prepared = prepare(actor, tested)?;
        Ok(Self { actor, prepared })
    }

    /// Sets the options that follow from the subject of the test.
    fn set_options(&self, options: &mut Options) {
        if let Some(mode) = self.prepared.mode {
            options.set(format!("power:mode:{mode}"));
        }
    }

    fn characteristic(&self, options: &Options) -> &str {
        let Prepared {
            domain,
            characteristic,
            ..
        } = &self.prepared;
        self.actor.tested(domain, characteristic, options)
    }

    fn asked<'o>(&'o self, options: &Options) -> Asked<'o> {
        Asked {
            domain: &self.prepared.domain,
            characteristic: Some(self.characteristic(options)),
        }
    }

    /// The base of the target number, without fatigue.
    fn base(&self, options: &Options) -> Result<Vec<(String, i64)>, Wrong> {
        let name = self.characteristic(options);
        let value = self.actor.characteristic(name)?;
        let mut base = vec![(characteristic_name(name).to_owned(), value)];
        base.extend(self.prepared.added.iter().cloned());
        Ok(base)
    }

    fn resolved(&self, options: &Options) -> Resolved {
        self.actor.synthetics.resolve(self.asked(options), options)
    }

    /// The target without fatigue, which may be below 1.
    ///
    /// # Errors
    /// The actor lacks the characteristic.
    pub(super) fn number(&self, options: &Options) -> Result<i64, Wrong> {
        let base = self.base(options)?;
        let base: i64 = base.iter().map(|(_, value)| value).sum();
        Ok(base + self.resolved(options).total)
    }

    /// The degrees that are added after the roll.
    pub(super) fn degrees(&self, options: &Options) -> i64 {
        self.actor.degrees(self.asked(options), options)
    }
}

/// The resolved parts of a test.
struct Prepared {
    title: String,
    domain: String,
    characteristic: String,
    added: Vec<(String, i64)>,
    /// How a power is focused.
    mode: Option<&'static str>,
    is_reaction: bool,
}

fn prepare(actor: &Combatant<'_>, tested: &Tested<'_>) -> Result<Prepared, Wrong> {
    match *tested {
        Tested::Characteristic(name) => Ok(Prepared {
            title: characteristic_name(name).to_owned(),
            domain: format!("characteristic:{name}"),
            characteristic: name.to_owned(),
            added: Vec::new(),
            mode: None,
            is_reaction: false,
        }),
        Tested::Skill(words) => prepare_skill(actor, words),
        Tested::Power(name, pushed) => {
            let mut powers = actor.actor.powers.iter();
            let power = powers
                .find(|power| slug(&power.name) == slug(name))
                .ok_or_else(|| {
                    let names = actor.actor.powers.iter().map(|power| power.name.as_str());
                    unknown(actor, "powers", name, names)
                })?;
            let (mode, bonus) = if pushed {
                ("pushed", PUSHED)
            } else {
                ("unfettered", UNFETTERED)
            };
            Ok(Prepared {
                title: format!("{} ({mode})", power.name),
                domain: format!("power:{}", slug(&power.name)),
                characteristic: power.characteristic.clone(),
                added: vec![("Focus".to_owned(), power.focus), (mode.to_owned(), bonus)],
                mode: Some(mode),
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
    let index = skills
        .iter()
        .position(|skill| slug(&skill.name) == slug(name));
    let index = index.ok_or_else(|| {
        let names = skills.iter().map(|skill| skill.name.as_str());
        unknown(actor, "skills", name, names)
    })?;
    let skill = &skills[index];
    let used = used.map(|wanted| {
        let found = skill
            .uses
            .iter()
            .find(|one| slug(&one.name) == slug(wanted));
        let names = skill.uses.iter().map(|one| one.name.as_str());
        let part = format!("skills[{index}].uses");
        found.ok_or_else(|| unknown(actor, &part, wanted, names))
    });
    let used = used.transpose()?;
    let (title, domain) = (&skill.name, format!("skill:{}", slug(&skill.name)));
    let (title, domain) = match used {
        None => (title.clone(), domain),
        Some(one) => (
            format!("{title} ({})", one.name),
            format!("{domain}:{}", slug(&one.name)),
        ),
    };
    Ok(Prepared {
        title,
        domain,
        characteristic: skill.characteristic.clone(),
        added: vec![advance(actor, skill, index)?],
        mode: None,
        is_reaction: used.is_some_and(|one| one.reaction),
    })
}

/// The bonus of a skill's tier (seed 003, "Skill Checks").
fn advance(actor: &Combatant<'_>, skill: &Skill, index: usize) -> Result<(String, i64), Wrong> {
    let (label, bonus) = match skill.tier {
        0 => ("untrained", 0),
        1 => ("known", 0),
        2 => ("trained", 10),
        3 => ("experienced", 20),
        4 => ("veteran", 30),
        tier => {
            let part = format!("skills[{index}].tier");
            let wrong = actor.wrong(&part, format!("is {tier}"));
            return Err(wrong.help("tiers are 0 (untrained) to 4 (veteran)"));
        }
    };
    Ok((label.to_owned(), bonus))
}

/// Something that an actor does not have.
fn unknown<'n>(
    actor: &Combatant<'_>,
    part: &str,
    wanted: &str,
    names: impl Iterator<Item = &'n str>,
) -> Wrong {
    let wrong = actor.wrong(part, format!("has no `{wanted}`"));
    let mut names = names.peekable();
    wrong.help(match names.peek() {
        None => format!("add it to its `{part}`"),
        Some(_) => instead(wanted, names),
    })
}

fn write(
    plan: &Plan,
    who: &str,
    tested: &Tested<'_>,
    phenomena: Option<&PhenomenaTable>,
) -> Result<String, Wrong> {
    let mut out = ScriptText::default();
    out.comment(format!("{who}: {}.", plan.title));
    for (label, value) in &plan.base {
        out.comment(format!("{value} {label}"));
    }
    breakdown(&mut out, &plan.resolved, |_| None);
    out.line("\nimport std.dh2e;\n");
    let mode = match tested {
        Tested::Power(_, true) => Some("pushed"),
        Tested::Power(_, false) => Some("unfettered"),
        Tested::Characteristic(_) | Tested::Skill(_) => None,
    };
    let tables = phenomena.filter(|_| mode.is_some());
    if let Some(tables) = tables {
        write_phenomena(tables, &mut out);
    }
    let title = quoted(&plan.title);
    out.line(code!(
        "defroll {title} test(target: int = {}) {{",
        plan.target,
        title
    ));
    out.line("face = roll(d100);");
    out.line(match plan.degrees {
        0 => "result = degrees(face, target);".into(),
        more => code!("result = adjusted(degrees(face, target), {more});", more),
    });
    let [success, failure] = OUTCOMES.map(quoted);
    out.line(code!(
        "output(result > 0 ? {success} : {failure});",
        success,
        failure
    ));
    // Seed 003, "Focus Power Flow", 5 and 6.
    if let Some(mode) = mode {
        let what = match tables {
            None => "output(\"Phenomena\");",
            Some(_) => "showPhenomena();",
        };
        out.line(code!(
            "if (phenomena(face, {mode})) {{ {what} }}",
            mode,
            what
        ));
    }
    out.line("return result;");
    out.line("}");
    out.into_text()
}

/// The functions that look up phenomena and perils.
fn write_phenomena(tables: &PhenomenaTable, out: &mut ScriptText) {
    if !tables.perils.is_empty() {
        out.comment("Perils of the warp.");
        out.line("deffun showPerils() {");
        out.line("match (roll(d100)) {");
        for row in &tables.perils {
            let text = quoted(&format!("Perils: {}", row.text));
            out.line(code!(
                "{}: {{ output({text}); }}",
                range(row.from, row.to),
                text
            ));
        }
        out.line("}");
        out.line("}\n");
    }
    out.comment("Psychic phenomena.");
    out.line("deffun showPhenomena() {");
    out.line("match (roll(d100)) {");
    for row in &tables.phenomena {
        let text = quoted(&format!("Phenomena: {}", row.text));
        let then = if row.perils { " showPerils();" } else { "" };
        out.line(code!(
            "{}: {{ output({text});{then} }}",
            range(row.from, row.to),
            text,
            then
        ));
    }
    out.line("}");
    out.line("}\n");
}

/// The numbers of an arm.
fn range(from: u32, to: u32) -> ScriptCode {
    match from == to {
        true => from.into(),
        false => code!("{from}..{to}", from, to),
    }
}
