//! `dicec check`: what is wrong with a rule or a script, or what it is.

use crate::args::Shared;
use crate::error::CliError;
use crate::output;
use crate::rule::{Rule, RuleArgs};
use crate::script;
use clap::Args;
use dicec_compiler::Program;
use dicec_compiler::answer::kind_word;
use dicec_runtime::resource::Owner;
use serde::Serialize;
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

/// The output of `dicec check --json` for a script.
#[derive(Serialize)]
struct ScriptJson<'s> {
    /// Always true; a script that is wrong ends in an error.
    ok: bool,
    /// Always `script`.
    kind: &'static str,
    /// The names of what it defines, in written order.
    types: Vec<&'s str>,
    functions: Vec<&'s str>,
    rolls: Vec<RollJson<'s>>,
}

/// A roll that a script defines.
#[derive(Serialize)]
struct RollJson<'s> {
    name: &'s str,
    /// What players see.
    label: &'s str,
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
        output::json(&CheckJson::new(&rule))
    } else {
        output::print(&report(&rule))
    }
}

fn check_script(path: &Path, shared: &Shared) -> Result<(), CliError> {
    let (_, script) = script::compile(path, shared.compiler(), shared)?;
    let script = ScriptJson::new(&script);
    if shared.json {
        output::json(&script)
    } else {
        output::print(&script.report())
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
            kind: kind_word(rule.kind),
            expression: rule.program.normal_form_in_full(),
            resources: resources.collect(),
        }
    }
}

impl<'s> ScriptJson<'s> {
    /// What the script's own file defines; what it imports is not repeated.
    fn new(script: &'s Program) -> Self {
        let (hir, sources) = (script.hir(), script.sources());
        let types = hir.types.iter();
        let rolls = hir.rolls.iter();
        let functions = hir.functions.iter().zip(0..);
        let is_roll = |id| hir.rolls.iter().any(|roll| roll.function.0 == id);
        Self {
            ok: true,
            kind: "script",
            types: types
                .filter(|ty| sources.is_main(ty.span))
                .map(|ty| ty.name.as_str())
                .collect(),
            functions: functions
                .filter(|(function, id)| sources.is_main(function.span) && !is_roll(*id))
                .map(|(function, _)| function.name.as_str())
                .collect(),
            rolls: rolls
                .filter(|roll| sources.is_main(roll.span))
                .map(|roll| RollJson {
                    name: &roll.name,
                    label: &roll.label,
                })
                .collect(),
        }
    }

    fn report(&self) -> String {
        let rolls = self.rolls.iter();
        let rolls: Vec<String> = rolls
            .map(|roll| format!("{} ({})", roll.name, roll.label.escape_debug()))
            .collect();
        let mut text = "ok: a script\n".to_owned();
        for (what, names) in [
            ("types", self.types.join(", ")),
            ("functions", self.functions.join(", ")),
            ("rolls", rolls.join(", ")),
        ] {
            if !names.is_empty() {
                // Writing to a String cannot fail.
                let _ = writeln!(text, "{what}: {names}");
            }
        }
        text
    }
}
