//! `dicec features check`: describes features, or reports all of their errors.

use super::FeatureFile;
use crate::error::CliError;
use crate::output;
use crate::report::Reporter;
use clap::Args;
use dicec_games::features::{Feature, Told, ToldEffect, tell};
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  dicec features check examples/features/gore.json
  dicec features check --json *.json";

/// Say what features do in plain words, or tell everything that is wrong with them. Oddities, such
/// as a misplaced member, are notes
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct CheckArgs {
    /// The files; `-` is standard input
    #[arg(value_name = "FILE.json", required = true)]
    files: Vec<PathBuf>,
    /// Print JSON, errors too
    #[arg(long)]
    pub(super) json: bool,
}

/// The output of `dicec features check --json`.
#[derive(Serialize)]
struct CheckJson {
    /// Always true: errors are on standard error.
    ok: bool,
    /// The files, as they were named.
    files: Vec<FileJson>,
}

#[derive(Serialize)]
struct FileJson {
    file: String,
    features: Vec<FeatureJson>,
}

#[derive(Serialize)]
struct FeatureJson {
    /// Its name, with its variables in braces.
    name: String,
    /// Its text, with its variables in braces.
    text: String,
    /// What its parts do, in words.
    parts: Vec<PartJson>,
}

#[derive(Serialize)]
struct PartJson {
    trigger: String,
    conditions: Vec<String>,
    effects: Vec<EffectJson>,
    /// Null if it can act any number of times.
    recharge: Option<String>,
}

#[derive(Serialize)]
struct EffectJson {
    target: String,
    conditions: Vec<String>,
    effect: String,
    /// Null if it is over at once.
    duration: Option<String>,
}

pub(super) fn run(args: &CheckArgs) -> Result<(), CliError> {
    let reporter = Reporter::new(args.json);
    let mut findings = Vec::new();
    let mut text = String::new();
    let mut files = Vec::new();
    for path in &args.files {
        let file = path.display().to_string();
        let read = FeatureFile::read(path);
        let read = read.and_then(|read| Ok(read.features(reporter)?.to_vec()));
        match read {
            Ok(features) => {
                for feature in &features {
                    text += &report(&file, feature);
                }
                let features = features.iter().map(json).collect();
                files.push(FileJson { file, features });
            }
            Err(error) => findings.extend(error.findings),
        }
    }
    match (args.json, findings.is_empty()) {
        (true, true) => output::json(&CheckJson { ok: true, files })?,
        (true, false) => {}
        (false, _) => output::print(&text)?,
    }
    CliError::of(findings)
}

fn json(feature: &Feature) -> FeatureJson {
    let parts = feature.subfeatures.iter().map(tell);
    FeatureJson {
        name: feature.name.written(),
        text: feature.text.written(),
        parts: parts
            .map(|part| PartJson {
                trigger: part.trigger,
                conditions: part.conditions,
                effects: part.effects.into_iter().map(effect_json).collect(),
                recharge: part.recharge,
            })
            .collect(),
    }
}

fn effect_json(effect: ToldEffect) -> EffectJson {
    EffectJson {
        target: effect.target,
        conditions: effect.conditions,
        effect: effect.effect,
        duration: effect.duration,
    }
}

fn report(file: &str, feature: &Feature) -> String {
    let mut text = format!("{file}: {}\n", feature.name.written());
    for part in feature.subfeatures.iter().map(tell) {
        text += &part_report(&part);
    }
    text
}

/// A part in words: when it acts, and a line for each effect.
fn part_report(part: &Told) -> String {
    let mut text = format!("  {}", part.trigger);
    if !part.conditions.is_empty() {
        // Writing to a String cannot fail.
        let _ = write!(text, ", if {}", part.conditions.join(" and "));
    }
    if let Some(recharge) = &part.recharge {
        let _ = write!(text, " ({recharge})");
    }
    text += ":\n";
    for effect in &part.effects {
        let _ = write!(text, "    {}", effect.effect);
        if !effect.conditions.is_empty() {
            let _ = write!(text, ", if {}", effect.conditions.join(" and "));
        }
        if let Some(duration) = &effect.duration {
            let _ = write!(text, ", {duration}");
        }
        text.push('\n');
    }
    text
}
