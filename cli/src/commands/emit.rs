//! `dicec emit`: a rule at each stage of the compiler.

use super::verify;
use crate::anydice;
use crate::args::{SamplingName, Shared};
use crate::error::{CliError, FileCode, Finding};
use crate::loaded::{Loaded, ScriptArgs};
use crate::output;
use crate::rule::RuleArgs;
use crate::script::DecisionArgs;
use clap::{Args, ValueEnum};
use dicec_compiler::unstable::Sampling;
use dicec_compiler::{AnyDice, Bound, Failure};
use dicec_games::dh2e::Purpose;
use dicec_native::ir::Module;
use dicec_native::jit::{Listing, listing, vector_listing};
use dicec_native::pass::{NoLanes, Obstacle, Pass, VectorForm};
use dicec_native::{best_sink, vector_sink};
use serde::Serialize;

const EXAMPLES: &str = "\
Examples:
  dicec emit --stage dice stats.anydice      an AnyDice program as a script
  dicec emit --stage ir 2d6+3
  dicec emit --stage ir-opt '1d20 + [Attack] >= 15' -r Attack=6
  dicec emit --stage ir-opt duel.dice --roll duel
  dicec emit --stage ir-opt duel.dice --args duel.json   its lanes, or why not
  dicec emit --stage ir-opt sneak.dice --option 'Use inspiration?=25%'
  dicec emit --stage asm --sampling faithful 3d6
  dicec emit --verify duel.dice --args duel.json         is each number right?";

/// The examples, and the passes.
fn with_passes() -> String {
    let names = Pass::ALL.map(|pass| format!("-{}", pass.name)).join(" ");
    format!(
        "{EXAMPLES}\n\nTo find the pass that changes a meaning, switch passes off \
         (DICEC_PASSES=-labels,-few_dice), or run only the first rewrites (DICEC_FUEL=20):\n{names}"
    )
}

/// Print a rule at a stage of the compiler. A file FILE.dice is a script, of which one roll is
/// printed; from ir-opt on the first line says whether it runs in lanes, and if not, what prevents
/// it
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, after_long_help = with_passes())]
pub(crate) struct EmitArgs {
    #[command(flatten)]
    rule: RuleArgs,
    /// Which stage
    #[arg(long, value_name = "STAGE", required_unless_present = "verify")]
    stage: Option<Stage>,
    /// Check every rewrite and shortcut on this program; name the first that changes the meaning
    #[arg(long, conflicts_with_all = ["stage", "sampling"])]
    verify: bool,
    /// How dice are drawn, from ir-opt on
    #[arg(long, value_name = "MODE", default_value = "fused")]
    sampling: SamplingName,
    #[command(flatten)]
    pub(crate) shared: Shared,
    #[command(flatten)]
    script: ScriptArgs,
    #[command(flatten)]
    decisions: DecisionArgs,
}

/// The stages, in the order in which a rule goes through them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Stage {
    /// The script, of a script, a scenario or an AnyDice program
    Dice,
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
    let (script, shared) = (&args.script, &args.shared);
    if args.stage == Some(Stage::Dice)
        && let Some(program) = anydice::given(&args.rule, shared)?
    {
        return run_anydice(args, &program);
    }
    let loaded = Loaded::new(
        &args.rule,
        script,
        args.decisions.given(),
        Purpose::Trials,
        shared,
    )?;
    let program = &loaded.program;
    // A script that takes nothing is known as it is.
    let takes_nothing = program.is_script()
        && program.resources().is_empty()
        && loaded.roll(script)?.parameters().is_empty();
    let known = script.brings_arguments() || shared.resources.is_given() || takes_nothing;
    let bound = if known {
        loaded.bind(script, shared)?
    } else {
        loaded.bind_zeros(script)?
    };
    let bound = args.decisions.decided(bound)?;
    let Some(stage) = args.stage else {
        let verified = verify::run(&bound, shared.json);
        return verified.map_err(|failure| loaded.failed(&failure))?;
    };
    let code = Code {
        bound: &bound,
        known,
        sampling: args.sampling.into(),
    };
    let text = match (stage, program.ast()) {
        (Stage::Dice, _) if !program.is_rule() => Ok(program.normal_form()),
        (Stage::Dice, _) => return Err(not_a_script(&loaded).into()),
        (Stage::Ast, Some(ast)) => Ok(ast.tree()),
        (Stage::Hir, Some(_)) => Ok(program.hir().tree()),
        (Stage::Ast | Stage::Hir, None) => return Err(without_trees().into()),
        (Stage::Ir, _) => Ok(bound.lowered().to_string()),
        (Stage::IrOpt, Some(_)) => code.module().map(|module| module.to_string()),
        (Stage::IrOpt, None) => code.text(),
        (Stage::Clif, _) => code.listing().map(|listing| listing.clif),
        (Stage::Asm, _) => code.listing().map(|listing| listing.assembly),
    };
    let text = text.map_err(|failure| loaded.failed(&failure))?;
    let has_form = matches!(stage, Stage::IrOpt | Stage::Clif | Stage::Asm);
    let text = if program.is_script() && has_form {
        let line = code.line(&loaded);
        let line = line.map_err(|failure| loaded.failed(&failure))?;
        format!("; {line}\n{text}")
    } else {
        text
    };
    print(stage, shared.json, text)
}

/// Prints the script that an AnyDice program becomes.
fn run_anydice(args: &EmitArgs, program: &AnyDice) -> Result<(), CliError> {
    if let Some(flag) = args.script.given().filter(|flag| *flag != "--set") {
        let message = format!("{flag} says nothing about the script of an AnyDice program");
        let finding = Finding::general(FileCode::BadArguments.as_str(), message);
        return Err(finding.help("leave the flag out").into());
    }
    let written = anydice::translated(program, args.script.set(), &args.shared)?;
    let written = written.map_err(|why| CliError::failure(&why, program.sources()))?;
    print(Stage::Dice, args.shared.json, written.text)
}

/// An expression where a script is wanted, as an error about it.
fn not_a_script(loaded: &Loaded) -> Finding {
    let message = format!(
        "`{}` is an expression, not a script",
        loaded.program.normal_form()
    );
    let finding = Finding::general(FileCode::UnknownRoll.as_str(), message);
    finding.help("name a script or a scenario: a file whose name ends in .dice or .json")
}

/// A stage that a script does not show, as an error.
fn without_trees() -> Finding {
    let message = "the trees of scripts and compound rules have no text of their own";
    let finding = Finding::general(FileCode::UnknownRoll.as_str(), message);
    finding.help("take --stage ir, or `dicec fmt` for the script in its normal layout")
}

/// What code is made of: for what is given if anything is, as a simulation runs it, otherwise for
/// any arguments and resources.
struct Code<'b> {
    bound: &'b Bound,
    known: bool,
    sampling: Sampling,
}

impl Code<'_> {
    /// The scalar code.
    fn module(&self) -> Result<Module, Failure> {
        match self.known {
            true => Ok(self.bound.specialised(self.sampling)?.0),
            false => Ok(Module::clone(self.bound.optimised(self.sampling))),
        }
    }

    /// What fused sampling runs in lanes, or why it does not.
    fn fused_form(&self) -> Result<Result<VectorForm, NoLanes>, Failure> {
        Ok(match self.known {
            true => self.bound.specialised_vector_form()?.map(|(form, _)| form),
            false => self.bound.vector_form().map(|form| (**form).clone()),
        })
    }

    /// What runs in lanes, if anything does.
    fn form(&self) -> Result<Option<VectorForm>, Failure> {
        match self.sampling {
            Sampling::Faithful => Ok(None),
            Sampling::Fused => Ok(self.fused_form()?.ok()),
        }
    }

    /// Which form a script has, and why.
    fn line(&self, script: &Loaded) -> Result<String, Failure> {
        if self.sampling == Sampling::Faithful {
            return Ok("scalar: faithful sampling draws each die by itself".to_owned());
        }
        let why = match self.fused_form()? {
            Ok(form) => {
                let (lanes, bits) = (form.width.lanes(), form.width.bits());
                let trials = form.trials();
                let relay = form.relay.map_or("", |_| ", in relays");
                return Ok(format!(
                    "vector: {lanes} lanes of {bits} bits, {trials} trials a group{relay}"
                ));
            }
            Err(why) => why,
        };
        let location = why.span.and_then(|span| script.shown(span));
        let details = match why.obstacle {
            Obstacle::AnyArguments => {
                Some("--args, --set or a resource; --args '{}' takes the defaults".to_owned())
            }
            _ => location,
        };
        let details = details.map_or_else(String::new, |details| format!(" ({details})"));
        Ok(format!("scalar: {}{details}", why.obstacle))
    }

    fn text(&self) -> Result<String, Failure> {
        match self.form()? {
            Some(form) => Ok(form.module.to_string()),
            None => Ok(self.module()?.to_string()),
        }
    }

    fn listing(&self) -> Result<Listing, Failure> {
        Ok(match self.form()? {
            Some(form) => vector_listing(&form, vector_sink(&form))?,
            None => {
                let module = self.module()?;
                listing(&module, best_sink(&module))?
            }
        })
    }
}

fn print(stage: Stage, json: bool, mut text: String) -> Result<(), CliError> {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    if json {
        let stage = stage.to_possible_value();
        let stage = stage.map(|stage| stage.get_name().to_owned());
        let stage = stage.unwrap_or_default();
        output::json(&EmitJson { stage, text })
    } else {
        output::print(&text)
    }
}
