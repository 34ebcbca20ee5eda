//! `dicec bestiary`: stat blocks as they are understood, sentence by sentence.

use crate::bestiary::EditionName;
use crate::error::CliError;
use crate::json::bytes_of;
use crate::output;
use clap::{Args, Subcommand};
use dicec_games::statblock::{Block, Format, Section, Sentence, Verdict, read_blocks};
use serde::Serialize;
use std::fmt::Write as _;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  dicec bestiary read gloomwing.txt
  dicec bestiary read gloomwing.txt --json
  dicec encounter '2 Veteran vs 1 Gloomwing' --bestiary gloomwing.txt";

/// Stat blocks of your own: text of a page or a PDF, or JSON of another tool
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct BestiaryArgs {
    #[command(subcommand)]
    command: BestiaryCommand,
}

#[derive(Debug, Subcommand)]
enum BestiaryCommand {
    Read(ReadArgs),
}

/// Show how each sentence of a stat block is understood
#[derive(Args, Debug)]
struct ReadArgs {
    /// The file, or `-` for standard input
    file: PathBuf,
    /// The edition of the rules, if the wording does not tell
    #[arg(long, value_enum, value_name = "EDITION")]
    edition: Option<EditionName>,
    /// Print JSON: the creature in the layout of `--bestiary`, and the sentences
    #[arg(long)]
    json: bool,
}

impl BestiaryArgs {
    /// Whether the command prints JSON.
    pub(crate) fn json(&self) -> bool {
        let BestiaryCommand::Read(args) = &self.command;
        args.json
    }
}

/// The answer as JSON.
#[derive(Serialize)]
struct Document<'b> {
    blocks: &'b [Block],
}

pub(crate) fn run(args: &BestiaryArgs) -> Result<(), CliError> {
    let BestiaryCommand::Read(args) = &args.command;
    let origin = args.file.display().to_string();
    let edition = args.edition.map(Into::into);
    let blocks = read_blocks(&origin, &bytes_of(&origin, "stat block")?, edition)?;
    if args.json {
        return output::json(&Document { blocks: &blocks });
    }
    let reports: Vec<String> = blocks.iter().map(report).collect();
    output::print(&reports.join("\n"))
}

/// A stat block in text: a line for each sentence, with its verdict.
fn report(block: &Block) -> String {
    let mut text = format!("{}: {}", block.name(), block.format.name());
    if block.format == Format::Own {
        text.push_str(", which has no sentences\n");
        return text;
    }
    let mut line = |line: &str| {
        text.push_str(line);
        text.push('\n');
    };
    line(&format!(", in the wording of {}", block.edition.name()));
    let mut section = None;
    for entry in &block.entries {
        if section.replace(entry.section) != Some(entry.section) {
            line("");
            line(entry.section.heading());
        }
        if entry.section != Section::Head {
            line(&format!("  {}", entry.name));
        }
        entry.sentences.iter().for_each(|one| line(&shown(one)));
    }
    let count = |verdict| {
        let sentences = block.entries.iter().flat_map(|entry| &entry.sentences);
        sentences.filter(|one| one.verdict == verdict).count()
    };
    line("");
    line(&format!(
        "sentences: {} modelled, {} without effect in a fight, {} not modelled",
        count(Verdict::Modelled),
        count(Verdict::WithoutEffect),
        count(Verdict::NotModelled),
    ));
    text
}

/// A sentence with its verdict, and what is missing of it.
fn shown(sentence: &Sentence) -> String {
    let mut text = format!("    {:<14}  {}", short(sentence.verdict), sentence.text);
    let is_part = sentence.missing != sentence.text && !sentence.missing.is_empty();
    let parts = [
        ("missing", Some(&sentence.missing).filter(|_| is_part)),
        (
            "missing where distances count",
            Some(&sentence.missing_with_distances),
        ),
    ];
    for (what, missing) in parts {
        if let Some(missing) = missing.filter(|missing| !missing.is_empty()) {
            let written = write!(text, "\n{:20}{what}: {missing}", "");
            debug_assert!(written.is_ok(), "a string takes any text");
        }
    }
    text
}

fn short(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Modelled => "modelled",
        Verdict::WithoutEffect => "without effect",
        Verdict::NotModelled => "NOT MODELLED",
    }
}
