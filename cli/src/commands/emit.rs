//! `dicec emit`: a rule at each stage of the compiler.

use crate::args::{SamplingName, Shared};
use crate::error::{CliError, FileCode, Finding};
use crate::output;
use crate::rule::RuleArgs;
use crate::script::{Loaded, ScriptArgs, no_script};
use clap::{Args, ValueEnum};
use dicec_compiler::engine::jit::{Listing, listing, vector_listing};
use dicec_compiler::engine::{best_sink, vector_sink};
use dicec_compiler::front::notation::Ast;
use dicec_compiler::ir::Module;
use dicec_compiler::pass::VectorForm;
use dicec_compiler::{Bound, Failure, Sampling};
use serde::Serialize;
use std::fmt;
use std::path::Path;

const EXAMPLES: &str = "\
Examples:
  dicec emit --stage ir 2d6+3
  dicec emit --stage ir-opt '1d20 + [Attack] >= 15' -r Attack=6
  dicec emit --stage ir-opt duel.dice --roll duel
  dicec emit --stage ir-opt duel.dice --args duel.json
  dicec emit --stage asm --sampling faithful 3d6";

/// Print a rule at a stage of the compiler. A file FILE.dice is a script, of which one roll is
/// printed
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
    #[command(flatten)]
    script: ScriptArgs,
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
    if let Some(path) = args.rule.script() {
        return print(args, script_text(path, args)?);
    }
    no_script(args.script.given())?;
    let rule = args.rule.compile(&args.shared)?;
    let program = &rule.program;
    let bound = if args.shared.resources.is_given() {
        rule.bind(&args.shared)?
    } else {
        rule.bind_zeros()?
    };
    let failed = |failure: Failure| rule.failed(&failure);
    let text = match args.stage {
        Stage::Ast => program.ast().map(Ast::tree).unwrap_or_default(),
        Stage::Hir => program.hir().tree(),
        Stage::Ir => bound.lowered().to_string(),
        Stage::IrOpt => optimised(args, &bound).map_err(failed)?.to_string(),
        Stage::Clif => native(args, &bound).map_err(failed)?.clif,
        Stage::Asm => native(args, &bound).map_err(failed)?.assembly,
    };
    print(args, text)
}

/// A roll of the script at `path`: with the arguments that are given as a simulation runs it,
/// otherwise the code for any.
fn script_text(path: &Path, args: &EmitArgs) -> Result<String, CliError> {
    let loaded = Loaded::read(path, &args.script, &args.shared)?;
    let known = args.script.brings_arguments() || args.shared.resources.is_given();
    let bound = if known {
        loaded.bind(&args.script, &args.shared)?
    } else {
        loaded.bind_zeros(&args.script)?
    };
    let failed = |failure: Failure| loaded.failed(&failure);
    let code = || Code::new(&bound, known, args.sampling.into()).map_err(failed);
    let listing = || code()?.listing().map_err(failed);
    Ok(match args.stage {
        Stage::Ast | Stage::Hir => {
            let message = "the trees of scripts have no text of their own";
            let finding = Finding::general(FileCode::UnknownRoll.as_str(), message);
            let help = "take --stage ir, or `dicec fmt` for the script in its normal layout";
            return Err(finding.help(help).into());
        }
        Stage::Ir => bound.lowered().to_string(),
        Stage::IrOpt => code()?.to_string(),
        Stage::Clif => listing()?.clif,
        Stage::Asm => listing()?.assembly,
    })
}

/// What code is made of for a script.
enum Code {
    Lanes(Box<VectorForm>),
    Scalar(Box<Module>),
}

impl Code {
    fn new(bound: &Bound, known: bool, sampling: Sampling) -> Result<Self, Failure> {
        if !known {
            let module = Module::clone(bound.optimised(sampling));
            return Ok(Code::Scalar(Box::new(module)));
        }
        let form = match sampling {
            Sampling::Fused => bound.specialised_vector_form()?,
            Sampling::Faithful => None,
        };
        Ok(match form {
            Some((form, _)) => Code::Lanes(Box::new(form)),
            None => Code::Scalar(Box::new(bound.specialised(sampling)?.0)),
        })
    }

    fn listing(&self) -> Result<Listing, Failure> {
        Ok(match self {
            Code::Lanes(form) => vector_listing(form, vector_sink(form))?,
            Code::Scalar(module) => listing(module, best_sink(module))?,
        })
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Code::Lanes(form) => form.fmt(f),
            Code::Scalar(module) => module.fmt(f),
        }
    }
}

fn print(args: &EmitArgs, mut text: String) -> Result<(), CliError> {
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

/// The code of a rule, for the resources that are given or for any.
fn optimised(args: &EmitArgs, bound: &Bound) -> Result<Module, Failure> {
    let sampling = args.sampling.into();
    if args.shared.resources.is_given() {
        bound.specialised(sampling).map(|(module, _)| module)
    } else {
        Ok(Module::clone(bound.optimised(sampling)))
    }
}

/// What fused sampling runs in lanes.
fn vector_form(args: &EmitArgs, bound: &Bound) -> Result<Option<VectorForm>, Failure> {
    if Sampling::from(args.sampling) == Sampling::Faithful {
        return Ok(None);
    }
    if args.shared.resources.is_given() {
        let form = bound.specialised_vector_form()?;
        Ok(form.map(|(form, _)| form))
    } else {
        Ok(bound.vector_form().map(|form| VectorForm::clone(form)))
    }
}

fn native(args: &EmitArgs, bound: &Bound) -> Result<Listing, Failure> {
    if let Some(form) = vector_form(args, bound)? {
        return Ok(vector_listing(&form, vector_sink(&form))?);
    }
    let module = optimised(args, bound)?;
    Ok(listing(&module, best_sink(&module))?)
}
