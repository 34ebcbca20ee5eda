//! `dicec features eval`: evaluates a postfix expression.

use super::{ValueArgs, json_of};
use crate::error::CliError;
use crate::output;
use crate::report::Reporter;
use clap::Args;
use dicec_games::features::{evaluate, read_expression};
use dicec_lang::syntax::Sources;
use serde::Serialize;
use std::fmt::Write;

const EXAMPLES: &str = "\
Examples:
  dicec features eval '(8,INT,PROF,+,+)' --set INT=3 --set PROF=2
  dicec features eval 'CARRY_CAPACITY' --set STR=10 --set SIZE=5
  dicec features eval '(creature,self,distance,10,<=)' \\
      --set 'distance(creature,self)=10'";

/// Print what a postfix expression of a feature gives, and what it stores
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct EvalArgs {
    /// The expression: (8,INT,PROF,+,+)
    #[arg(value_name = "POSTFIX", allow_hyphen_values = true)]
    expression: String,
    #[command(flatten)]
    values: ValueArgs,
    /// Print JSON, errors too
    #[arg(long)]
    pub(super) json: bool,
}

/// The output of `dicec features eval --json`.
#[derive(Serialize)]
struct EvalJson {
    /// The expression as people write it: `8 + INT + PROF`.
    expression: String,
    /// What it gives: a number, or a word. Truth values are 0 and 1.
    value: serde_json::Value,
    /// What `store` wrote, by name.
    stored: serde_json::Map<String, serde_json::Value>,
}

pub(super) fn run(args: &EvalArgs) -> Result<(), CliError> {
    let text = args.expression.trim();
    let sources = Sources::single("", text);
    let (expr, found) = read_expression(text);
    let expr = match expr {
        Some(expr) if !found.has_errors() => expr,
        _ => return Err(CliError::found(&found, &sources)),
    };
    Reporter::new(args.json).notes(&found, &sources);
    let values = args.values.values()?;
    let evaluation = evaluate(&expr, &values);
    let evaluation =
        evaluation.map_err(|wrong| CliError::found(&wrong.diagnostic().into(), &sources))?;
    if args.json {
        let stored = evaluation.stored.iter();
        return output::json(&EvalJson {
            expression: expr.to_string(),
            value: json_of(&evaluation.value),
            stored: stored
                .map(|(name, value)| (name.clone(), json_of(value)))
                .collect(),
        });
    }
    let mut report = format!("{}\n", evaluation.value);
    for (name, value) in &evaluation.stored {
        // Writing to a String cannot fail.
        let _ = writeln!(report, "{name} = {value}");
    }
    output::print(&report)
}
