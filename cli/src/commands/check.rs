//! `dicec check`: what is wrong with a rule, or what it is.

use crate::args::Shared;
use crate::distribution::kind_word;
use crate::error::CliError;
use crate::output;
use crate::rule::{Rule, RuleArgs};
use clap::Args;
use dicec_runtime::resource::Owner;
use serde::Serialize;
use std::fmt::Write;

const EXAMPLES: &str = "\
Examples:
  dicec check '1d20 + [Attack] >= [Target Defense]'
  dicec check -f rule.txt --self fighter.json        the resources, too";

/// Check a rule without rolling: is it right, what is it, which resources does it need
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    rule: RuleArgs,
    #[command(flatten)]
    pub(crate) shared: Shared,
}

/// The output of `dicec check --json`.
#[derive(Serialize)]
struct CheckJson {
    /// Always true; a rule that is wrong ends in an error.
    ok: bool,
    /// `number`, `check`, `degree` or `label`.
    kind: &'static str,
    /// The rule in its normal form, implied counts written.
    expression: String,
    /// What it needs, in the order of first mention.
    resources: Vec<ResourceJson>,
}

/// A resource that a rule reads.
#[derive(Serialize)]
struct ResourceJson {
    /// As between brackets, `Target Defense`.
    name: String,
    /// `self` or `target`.
    owner: &'static str,
    /// Where it is first named, as byte offsets.
    start: u32,
    end: u32,
}

pub(crate) fn run(args: &CheckArgs) -> Result<(), CliError> {
    let rule = args.rule.compile(&args.shared)?;
    if args.shared.resources.is_given() {
        rule.bind(&args.shared)?;
    }
    if args.shared.json {
        output::json(&CheckJson::new(&rule))
    } else {
        output::print(&report(&rule))
    }
}

fn report(rule: &Rule) -> String {
    let program = &rule.program;
    let kind = kind_word(program.kind());
    let mut text = format!("ok: a {kind}\n{}\n", program.expression());
    if !program.resources().is_empty() {
        let names = program.resources().iter();
        let names: Vec<String> = names.map(|used| format!("[{}]", used.name)).collect();
        // Writing to a String cannot fail.
        let _ = writeln!(text, "needs {}", names.join(", "));
    }
    text
}

impl CheckJson {
    fn new(rule: &Rule) -> Self {
        let resources = rule.program.resources().iter().map(|used| ResourceJson {
            name: used.name.to_string(),
            owner: match used.name.owner() {
                Owner::Actor => "self",
                Owner::Target => "target",
            },
            start: used.span.start,
            end: used.span.end,
        });
        Self {
            ok: true,
            kind: kind_word(rule.program.kind()),
            expression: rule.program.expression_in_full(),
            resources: resources.collect(),
        }
    }
}
