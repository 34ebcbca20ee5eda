//! `dicec check`: what is wrong with a rule or a script, or what it is.

use crate::args::Shared;
use crate::error::CliError;
use crate::output;
use crate::rule::{Rule, RuleArgs};
use crate::script;
use clap::Args;
use dicec_compiler::answer::document::{RuleDocument, ScriptDocument};
use dicec_compiler::answer::kind_word;
use std::fmt::Write;
use std::path::Path;

const EXAMPLES: &str = "\
Examples:
  dicec check '1d20 + [Attack] >= [Target Defense]'
  dicec check -f rule.txt --self fighter.json        the resources, too
  dicec check attack.dice                            a script";

/// Check a rule without rolling: is it right, what is it, which resources does it need. A file
/// FILE.dice is a script
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    rule: RuleArgs,
    #[command(flatten)]
    pub(crate) shared: Shared,
}

pub(crate) fn run(args: &CheckArgs) -> Result<(), CliError> {
    if let Some(path) = args.rule.script() {
        return check_script(path, &args.shared);
    }
    let rule = args.rule.compile(&args.shared)?;
    if args.shared.resources.is_given() {
        rule.bind(&args.shared)?;
    }
    if args.shared.json {
        let program = &rule.program;
        let expression = program.normal_form_in_full();
        output::json(&RuleDocument::new(
            rule.kind,
            expression,
            program.resources(),
        ))
    } else {
        output::print(&report(&rule))
    }
}

fn check_script(path: &Path, shared: &Shared) -> Result<(), CliError> {
    let (_, script) = script::compile(path, shared.compiler(), shared)?;
    let script = ScriptDocument::new(script.hir(), script.sources());
    if shared.json {
        output::json(&script)
    } else {
        output::print(&script_report(&script))
    }
}

fn report(rule: &Rule) -> String {
    let program = &rule.program;
    let kind = kind_word(rule.kind);
    let mut text = format!("ok: a {kind}\n{}\n", program.normal_form());
    if !program.resources().is_empty() {
        let names = program.resources().iter();
        let names: Vec<String> = names.map(|used| format!("[{}]", used.name)).collect();
        // Writing to a String cannot fail.
        let _ = writeln!(text, "needs {}", names.join(", "));
    }
    text
}

/// What a script defines.
fn script_report(script: &ScriptDocument<'_>) -> String {
    let rolls = script.rolls.iter();
    let rolls: Vec<String> = rolls
        .map(|roll| format!("{} ({})", roll.name, roll.label.escape_debug()))
        .collect();
    let mut text = "ok: a script\n".to_owned();
    for (what, names) in [
        ("types", script.types.join(", ")),
        ("functions", script.functions.join(", ")),
        ("rolls", rolls.join(", ")),
    ] {
        if !names.is_empty() {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{what}: {names}");
        }
    }
    text
}
