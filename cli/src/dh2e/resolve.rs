//! `dicec dh2e resolve`: the resolved modifiers of items for a roll, before it is made.

use crate::error::CliError;
use crate::output;
use crate::report::Reporter;
use crate::scenario::Document;
use clap::Args;
use dicec_games::dh2e::{
    Asked, At, CAP, Notes, Options, Resolved, Synthetics, note_characteristic,
};
use serde::Serialize;
use std::fmt::Write;

const EXAMPLES: &str = "\
Examples:
  dicec dh2e resolve items.json --domain attack:ranged --characteristic bs
  dicec dh2e resolve items.json --domain skill:dodge:evade --option self:prone
  dicec dh2e resolve items.json --domain damage:melee --toggle 'Brutal Charge'";

/// Add up the modifiers of items for a roll, and say of each why it applies or not
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct ResolveArgs {
    /// The items: a JSON file, `-` for standard input, or the JSON itself; or a list of modifiers,
    /// each with label, value, exclusionGroup, predicate, enabled
    #[arg(value_name = "ITEMS.json")]
    items: String,
    /// The domain of the roll: attack:melee, skill:dodge:evade
    #[arg(long, value_name = "DOMAIN")]
    domain: String,
    /// The characteristic that the roll tests, whose modifiers apply, too: ws
    #[arg(long, value_name = "NAME")]
    characteristic: Option<String>,
    /// An option that is set; may be repeated
    #[arg(long = "option", value_name = "OPTION")]
    options: Vec<String>,
    /// Switch a modifier that may be switched; may be repeated
    #[arg(long = "toggle", value_name = "LABEL")]
    toggles: Vec<String>,
    /// Print JSON, errors too
    #[arg(long)]
    pub(super) json: bool,
}

/// The output of `dicec dh2e resolve --json`, and a part of that of `dicec dh2e test --json`.
#[derive(Serialize)]
pub(super) struct ResolveJson<'m> {
    /// The sum of what applies, within ±60.
    total: i64,
    /// The labels of what applies, in written order.
    applied: Vec<&'m str>,
    /// Whether the sum was beyond ±60.
    capped: bool,
    /// Every modifier of the roll, in written order.
    modifiers: Vec<LineJson<'m>>,
}

#[derive(Serialize)]
struct LineJson<'m> {
    label: &'m str,
    value: i64,
    source: &'m str,
    applies: bool,
    /// Why it does not apply; null if it does.
    why: Option<&'m str>,
}

pub(super) fn run(args: &ResolveArgs) -> Result<(), CliError> {
    let document = Document::read(&args.items, "items")?;
    let mut notes = Notes::default();
    let items = Synthetics::read(&At::root(&document.json), &mut notes);
    let mut items = items.map_err(|wrong| document.wrong(&wrong))?;
    for option in &args.options {
        items.note_option(option, "--option", &mut notes);
    }
    if let Some(name) = &args.characteristic {
        note_characteristic(name, &items, "--characteristic", &mut notes);
    }
    let toggled = items.toggle(&args.toggles, "$");
    toggled.map_err(|wrong| document.wrong(&wrong))?;
    let mut options: Options = args.options.iter().map(String::as_str).collect();
    items.set_options(&mut options);
    let asked = Asked {
        domain: &args.domain,
        characteristic: args.characteristic.as_deref(),
    };
    let resolved = items.resolve(asked, &options);
    if resolved.lines.is_empty() {
        items.note_domain(&args.domain, "--domain", &mut notes);
    }
    document.tell(&notes, Reporter::new(args.json));
    match args.json {
        true => output::json(&document_of(&resolved)),
        false => output::print(&breakdown(&resolved)),
    }
}

pub(super) fn document_of(resolved: &Resolved) -> ResolveJson<'_> {
    let lines = resolved.lines.iter();
    ResolveJson {
        total: resolved.total,
        applied: resolved.applied().collect(),
        capped: resolved.is_capped,
        modifiers: lines
            .map(|line| LineJson {
                label: &line.label,
                value: line.value,
                source: &line.source,
                applies: line.why_not.is_none(),
                why: line.why_not.as_deref(),
            })
            .collect(),
    }
}

/// Each modifier of a roll with its value, or with why it does not apply, and the total.
pub(super) fn breakdown(resolved: &Resolved) -> String {
    let lines = resolved.lines.iter();
    let widths = lines.map(|line| line.label.chars().count());
    let width = widths.max().unwrap_or_default();
    let mut text = String::new();
    for line in &resolved.lines {
        let value = format!("{:+}", line.value);
        let label = &line.label;
        // Writing to a String cannot fail.
        let _ = match &line.why_not {
            None => writeln!(text, "{value:>5}  {label}"),
            Some(why) => writeln!(text, "{:>5}  {label:width$}  ({value}: {why})", "-"),
        };
    }
    let capped = match resolved.is_capped {
        true => format!("  (at most ±{CAP})"),
        false => String::new(),
    };
    let _ = writeln!(text, "{:>+5}  in total{capped}", resolved.total);
    text
}
