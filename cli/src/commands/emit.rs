//! `dicec emit`: a rule at each stage of the compiler.

use super::tree;
use crate::args::{SamplingName, Shared};
use crate::error::CliError;
use crate::output;
use crate::rule::{Rule, RuleArgs};
use clap::{Args, ValueEnum};
use dicec_compiler::Failure;
use dicec_compiler::backend::best_sink;
use dicec_compiler::backend::jit::{Listing, listing};
use dicec_compiler::ir::Function;
use serde::Serialize;

const EXAMPLES: &str = "\
Examples:
  dicec emit --stage ir 2d6+3
  dicec emit --stage ir-opt '1d20 + [Attack] >= 15' -r Attack=6
  dicec emit --stage asm --sampling faithful 3d6";

/// Print a rule at a stage of the compiler
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct EmitArgs {
    #[command(flatten)]
    rule: RuleArgs,
    /// Which stage
    #[arg(long, value_name = "STAGE")]
    stage: Stage,
    /// How dice are drawn, from ir-opt on
    #[arg(long, value_name = "MODE", default_value = "fused")]
    sampling: SamplingName,
    #[command(flatten)]
    pub(crate) shared: Shared,
}

/// The stages, in the order in which a rule goes through them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Stage {
    /// The syntax tree
    Ast,
    /// The typed tree
    Hir,
    /// The SSA function of one trial
    Ir,
    /// The same, optimised; for the resources' values if they are given
    IrOpt,
    /// Cranelift's IR of the trial loop
    Clif,
    /// Its machine code for this machine
    Asm,
}

/// The output of `dicec emit --json`.
#[derive(Serialize)]
struct EmitJson {
    /// The stage, as `--stage` names it.
    stage: String,
    /// What is printed without `--json`.
    text: String,
}

pub(crate) fn run(args: &EmitArgs) -> Result<(), CliError> {
    let rule = args.rule.compile(&args.shared)?;
    let program = &rule.program;
    let mut text = match args.stage {
        Stage::Ast => tree::ast(program.ast()),
        Stage::Hir => tree::hir(program.hir()),
        Stage::Ir => program.lowered().to_string(),
        Stage::IrOpt => optimised(args, &rule)?.to_string(),
        Stage::Clif => native(args, &rule)?.clif,
        Stage::Asm => native(args, &rule)?.assembly,
    };
    if !text.ends_with('\n') {
        text.push('\n');
    }
    if args.shared.json {
        let stage = args.stage.to_possible_value();
        let stage = stage.map(|stage| stage.get_name().to_owned());
        let stage = stage.unwrap_or_default();
        output::json(&EmitJson { stage, text })
    } else {
        output::print(&text)
    }
}

fn optimised(args: &EmitArgs, rule: &Rule) -> Result<Function, CliError> {
    let sampling = args.sampling.into();
    if args.shared.resources.is_given() {
        let bound = rule.bind(&args.shared)?;
        Ok(rule.program.optimised(Some(bound.values()), sampling))
    } else {
        Ok(rule.program.optimised(None, sampling))
    }
}

fn native(args: &EmitArgs, rule: &Rule) -> Result<Listing, CliError> {
    let function = optimised(args, rule)?;
    listing(&function, best_sink(&function)).map_err(|error| rule.failed(&Failure::Jit(error)))
}
