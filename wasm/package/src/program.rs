//! A compiled rule or script.

use crate::bound::Bound;
use crate::wrong::{Finding, failed, findings, found, json, misuse};
use dicec_compiler::answer::kind_word;
use dicec_compiler::unstable::syntax::{Diagnostics, Sources};
use dicec_compiler::unstable::{ArgumentError, BindError};
use dicec_compiler::{
    Compiler, Dialect, Failure, Limits, Program as Compiled, ResourceName, ResourceTable, Roll,
};
use serde::Serialize;
use serde_json::{Map, Value};
use wasm_bindgen::prelude::wasm_bindgen;

/// A compiled rule or script.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Program {
    program: Compiled,
}

/// The description of a program.
#[derive(Serialize)]
struct Description {
    /// The text in its normal layout.
    text: String,
    /// The kind of the result, of a rule: `number`, `check`, `degree`, `test` or `label`.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    /// The names of the resources that it reads.
    resources: Vec<String>,
    /// The rolls of a script; of a rule one without parameters.
    rolls: Vec<RollDescription>,
    /// The texts of the options that a script offers.
    options: Vec<String>,
    notes: Vec<Finding>,
}

/// A roll of a script.
#[derive(Serialize)]
struct RollDescription {
    name: String,
    label: String,
    /// Its parameters as the script writes them.
    parameters: String,
}

/// Compiles a rule, as a rule book writes it or in the notation of virtual tabletops.
///
/// # Errors
/// The findings, as JSON.
#[wasm_bindgen(js_name = compileRule)]
pub fn compile_rule(text: &str, is_notation: bool) -> Result<Program, String> {
    let dialect = match is_notation {
        true => Dialect::Notation,
        false => Dialect::Rulebook,
    };
    let compiler = Compiler::new().limits(Limits::untrusted()).dialect(dialect);
    compiled(compiler.rule(text), text)
}

/// Compiles a script, which can import libraries only.
///
/// # Errors
/// The findings, as JSON.
#[wasm_bindgen(js_name = compileScript)]
pub fn compile_script(text: &str) -> Result<Program, String> {
    compiled(
        Compiler::new().limits(Limits::untrusted()).script(text),
        text,
    )
}

fn compiled(program: Result<Compiled, Diagnostics>, text: &str) -> Result<Program, String> {
    let program = program.map_err(|wrong| found(&wrong, &Sources::single("", text)))?;
    Ok(Program { program })
}

#[wasm_bindgen]
impl Program {
    /// Its description, as JSON.
    pub fn describe(&self) -> String {
        let program = &self.program;
        let rolls = program.rolls().map(|roll| RollDescription {
            name: roll.name().to_owned(),
            label: roll.label().to_owned(),
            parameters: roll.parameter_list(),
        });
        json(&Description {
            text: program.normal_form(),
            kind: program.kind().map(kind_word),
            resources: program
                .resources()
                .iter()
                .map(|used| used.name.to_string())
                .collect(),
            rolls: rolls.collect(),
            options: program.options().to_vec(),
            notes: findings(program.notes(), program.sources()),
        })
    }

    /// A roll with its resources and arguments, two objects as JSON; the only roll if none is
    /// named.
    ///
    /// # Errors
    /// The findings, as JSON.
    pub fn bind(
        &self,
        roll: Option<String>,
        resources: &str,
        arguments: &str,
    ) -> Result<Bound, String> {
        let roll = self.program.roll_or_only(roll.as_deref());
        let roll = roll.map_err(|wrong| {
            let help = wrong.help("choose one with { roll: name }");
            misuse(wrong.to_string(), help)
        })?;
        let table = table(&object(resources)?)?;
        let data = roll.arguments(&Value::Object(object(arguments)?));
        let data = data.map_err(|errors| bad_arguments(&roll, &errors.0))?;
        let bound = roll.bind(data, &table);
        let bound = bound.map_err(|wrong| match wrong {
            BindError::Resources(wrong) => found(&wrong, self.program.sources()),
            other => failed(&Failure::Bind(other), self.program.sources()),
        })?;
        Ok(Bound::new(bound))
    }
}

fn bad_arguments(roll: &Roll, errors: &[ArgumentError]) -> String {
    let takes = format!("{} takes ({})", roll.name(), roll.parameter_list());
    let first = errors.first();
    let help = first.and_then(|error| error.help.clone()).unwrap_or(takes);
    let messages: Vec<String> = errors.iter().map(ToString::to_string).collect();
    misuse(messages.join("; "), help)
}

/// The members of a JSON object; none of an empty text.
fn object(text: &str) -> Result<Map<String, Value>, String> {
    if text.is_empty() {
        return Ok(Map::new());
    }
    let members = serde_json::from_str(text);
    members.map_err(|error| misuse(format!("not an object: {error}"), "give { Strength: 4 }"))
}

/// The values of resources.
fn table(members: &Map<String, Value>) -> Result<ResourceTable, String> {
    let mut table = ResourceTable::new();
    for (name, value) in members {
        let Some(number) = value.as_i64() else {
            let message = format!("the resource [{name}] is {value}, which is not a whole number");
            return Err(misuse(message, "give { Strength: 4 }"));
        };
        table.set(ResourceName::parse(name), number);
    }
    Ok(table)
}
