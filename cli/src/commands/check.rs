//! `dicec check`: the errors or the description of a rule or a script.

use crate::args::Shared;
use crate::error::CliError;
use crate::loaded::{Loaded, ScriptArgs};
use crate::output;
use crate::rule::RuleArgs;
use clap::Args;
use dicec_compiler::answer::document::{RuleDocument, ScriptDocument};
use dicec_compiler::answer::kind_word;
use dicec_compiler::{Kind, Program};
use dicec_games::dh2e::Purpose;
use std::fmt::Write;

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
    let (none, shared) = (ScriptArgs::default(), &args.shared);
    let loaded = Loaded::new(&args.rule, &none, None, Purpose::Trials, shared)?;
    let program = &loaded.program;
    if !program.is_rule() {
        let script = ScriptDocument::new(program.hir(), program.sources());
        return match shared.json {
            true => output::json(&script),
            false => output::print(&script_report(&script)),
        };
    }
    if shared.resources.is_given() {
        loaded.bind(&none, shared)?;
    }
    let kind = loaded.kind()?;
    if shared.json {
        let expression = program.normal_form_in_full();
        output::json(&RuleDocument::new(kind, expression, program.resources()))
    } else {
        output::print(&report(program, kind))
    }
}

fn report(program: &Program, kind: Kind) -> String {
    let mut text = format!("ok: a {}\n{}\n", kind_word(kind), program.normal_form());
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
