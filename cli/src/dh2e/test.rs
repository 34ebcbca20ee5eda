//! `dicec dh2e test`: a test of a characteristic, a skill or a power.

use super::happenings::{by_frequency, listed};
use super::resolve::{ResolveJson, breakdown, document_of};
use super::show::{Generated, OddsReport, show};
use super::without_rules;
use crate::args::Shared;
use crate::error::CliError;
use crate::number;
use crate::output;
use crate::report::Reporter;
use crate::scenario::{actor, phenomena};
use crate::script::laid_out;
use crate::text::{heading, how_exact, odds_body};
use clap::Args;
use dicec_compiler::answer::{Answer, Questions, share_text};
use dicec_games::dh2e::{Circumstances, Notes, OUTCOMES, Plan, Tested, test_script};
use serde::Serialize;
use std::fmt::Write;

const EXAMPLES: &str = "\
Examples:
  dicec dh2e test vessa.json --skill dodge:dodge-attack
  dicec dh2e test vessa.json --characteristic bs --option self:aim --odds
  dicec dh2e test vessa.json --power smite --pushed --phenomena phenomena.json";

/// What is tested.
#[derive(Args, Debug)]
#[group(id = "tested", required = true, multiple = false)]
struct TestedArgs {
    /// The skill, or a use of it: dodge, dodge:dodge-attack
    #[arg(long, value_name = "SKILL")]
    skill: Option<String>,
    /// The characteristic: ws
    #[arg(long, value_name = "NAME")]
    characteristic: Option<String>,
    /// The psychic power
    #[arg(long, value_name = "NAME")]
    power: Option<String>,
}

impl TestedArgs {
    fn tested(&self, is_pushed: bool) -> Tested<'_> {
        match (&self.skill, &self.characteristic, &self.power) {
            (Some(skill), ..) => Tested::Skill(skill),
            (None, Some(name), _) => Tested::Characteristic(name),
            (None, None, power) => Tested::Power(power.as_deref().unwrap_or_default(), is_pushed),
        }
    }
}

/// Test a characteristic, a skill or a power: what the target is made of, the roll and its degrees
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, mut_args(without_rules))]
pub(super) struct TestArgs {
    /// The actor: a JSON file, `-` for standard input, or the JSON itself
    #[arg(value_name = "ACTOR.json")]
    actor: String,
    #[command(flatten)]
    tested: TestedArgs,
    /// Push the power: +50 instead of +25, and phenomena always
    #[arg(long, requires = "power", conflicts_with_all = ["skill", "characteristic"])]
    pushed: bool,
    /// The tables of phenomena and perils, of which a row is rolled when the power calls them
    #[arg(long, value_name = "FILE.json", requires = "power", conflicts_with_all = ["skill", "characteristic"])]
    phenomena: Option<String>,
    /// The weapon in hand, by its name: a balanced one helps to parry
    #[arg(long, value_name = "NAME")]
    weapon: Option<String>,
    /// An option that is set; may be repeated
    #[arg(long = "option", value_name = "OPTION")]
    options: Vec<String>,
    /// Switch a modifier that may be switched, for this roll; may be repeated
    #[arg(long = "toggle", value_name = "LABEL")]
    toggles: Vec<String>,
    /// The odds, instead of a roll
    #[arg(long)]
    odds: bool,
    /// Print the script of the test, instead of rolling
    #[arg(long, conflicts_with = "odds")]
    emit: bool,
    /// Seed of the roll; the same seed gives the same roll [default: random]
    #[arg(long, value_name = "N", value_parser = number::count)]
    seed: Option<u64>,
    #[command(flatten)]
    pub(super) shared: Shared,
}

pub(super) fn run(args: &TestArgs) -> Result<(), CliError> {
    let (document, actor) = actor(&args.actor)?;
    let tested = args.tested.tested(args.pushed);
    let tables = args.phenomena.as_deref().map(phenomena).transpose()?;
    let circumstances = Circumstances {
        options: &args.options,
        toggles: &args.toggles,
        weapon: args.weapon.as_deref(),
    };
    let mut notes = Notes::default();
    let plan = test_script(&actor, &tested, tables.as_ref(), circumstances, &mut notes);
    let plan = plan.map_err(|wrong| document.wrong(&wrong))?;
    document.tell(&notes, Reporter::new(args.shared.json));
    let text = laid_out(&document.origin, &plan.script)?;
    if args.emit {
        return output::print(&text);
    }
    let generated = Generated {
        origin: &document.origin,
        text: &text,
        before: (made_of(&plan, &actor.name), Some(about(&plan))),
        seed: args.seed,
    };
    let odds = args.odds.then_some(&report as OddsReport<'_>);
    show(&generated, !args.odds, odds, &args.shared)
}

/// The odds of a test, for people: its degrees, success, and what a power calls.
fn report(answer: &Answer, width: usize) -> String {
    let mut text = heading(&how_exact(answer));
    if let Some(degrees) = &answer.result {
        text += "degrees (below 0 of failure)\n\n";
        text += &odds_body(degrees, &Questions::default(), width);
        let success = degrees.within(1, i64::MAX);
        // Writing to a String cannot fail.
        let _ = writeln!(text, "\nP(success) = {}", share_text(&success));
    }
    let lines = answer.lines.iter();
    let called = lines.filter(|(line, _)| !OUTCOMES.contains(&line.as_str()));
    let called = by_frequency(called.map(|(line, times)| (line.as_str(), *times)));
    text + &listed("lines per 100 tests", [(None, &called[..])], true)
}

/// A test before it is rolled, in the output of `dicec dh2e test --json`.
#[derive(Serialize)]
struct TestJson<'p> {
    title: &'p str,
    /// What the target begins with.
    base: Vec<BaseJson<'p>>,
    #[serde(flatten)]
    modifiers: ResolveJson<'p>,
    target: i64,
    /// The degrees that are added after the roll.
    degrees: i64,
    /// Whether it spends the reaction of the round.
    reaction: bool,
}

#[derive(Serialize)]
struct BaseJson<'p> {
    label: &'p str,
    value: i64,
}

fn about(plan: &Plan) -> TestJson<'_> {
    let base = plan.base.iter();
    TestJson {
        title: &plan.title,
        base: base
            .map(|(label, value)| BaseJson {
                label,
                value: *value,
            })
            .collect(),
        modifiers: document_of(&plan.resolved),
        target: plan.target,
        degrees: plan.degrees,
        reaction: plan.is_reaction,
    }
}

/// What the target is made of.
fn made_of(plan: &Plan, who: &str) -> String {
    let mut text = format!("{who}: {}\n", plan.title);
    for (label, value) in &plan.base {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{value:>5}  {label}");
    }
    text += &breakdown(&plan.resolved);
    let _ = writeln!(text, "{:>5}  target", plan.target);
    if plan.degrees != 0 {
        let _ = writeln!(text, "{:>+5}  degrees", plan.degrees);
    }
    if plan.is_reaction {
        text += "       spends the reaction\n";
    }
    text.push('\n');
    text
}
