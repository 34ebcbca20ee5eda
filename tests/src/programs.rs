//! Programs for tests: compiled or the test fails, and bound to what the test says.

use dicec_compiler::{Bound, Compiler, Dialect, Program, Roll, Rolled, Session};
use dicec_lang::syntax::Diagnostics;
use dicec_runtime::resource::{ResourceName, ResourceTable};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// A rule of the rule book.
///
/// # Panics
/// If the text has an error.
pub fn rule(text: &str) -> Program {
    compiled(text, Compiler::new().rule(text))
}

/// A rule of the notation dialect.
///
/// # Panics
/// If the text has an error.
pub fn notation(text: &str) -> Program {
    compiled(text, Compiler::new().dialect(Dialect::Notation).rule(text))
}

/// A script.
///
/// # Panics
/// If the text has an error.
pub fn script(text: &str) -> Program {
    compiled(text, Compiler::new().script(text))
}

/// What a compiler made of `text`.
///
/// # Panics
/// If that has an error.
pub fn compiled(text: &str, program: Result<Program, Diagnostics>) -> Program {
    program.unwrap_or_else(|found| panic!("{found:#?}\n{text}"))
}

/// Resources by name.
pub fn table(resources: &[(&str, i64)]) -> ResourceTable {
    let mut table = ResourceTable::new();
    for &(name, value) in resources {
        table.set(ResourceName::parse(name), value);
    }
    table
}

/// A roll of dice that show these faces.
///
/// # Panics
/// If it fails, or rolls fewer dice.
pub fn scripted(bound: &Bound, faces: &[i64]) -> Rolled {
    let text = bound.program().text();
    let mut session = Session::scripted(faces.to_vec());
    let roll = bound.roll(&mut session);
    assert_eq!(session.used(), faces.len(), "the dice of {text}");
    roll.unwrap_or_else(|failure| panic!("{text}: {failure}"))
}

/// A rule with all its resources at 0.
///
/// # Panics
/// If it is a script.
pub fn bare(rule: &Program) -> Bound {
    let zeros = vec![0; rule.resources().len()];
    rule.bind_values(&zeros).expect("a rule")
}

/// A roll with these arguments and resources.
///
/// # Panics
/// If they do not fit.
pub fn given(roll: &Roll, args: &Value, resources: &ResourceTable) -> Bound {
    let args = roll.arguments(args).expect("the arguments fit");
    let bound = roll.bind(args, resources);
    bound.expect("all resources are known")
}

/// Expects exactly one error in the arguments of a roll, at this path and with this help.
///
/// # Panics
/// If the arguments fit, or have other errors.
pub fn refuses(roll: &Roll, bad: &Value, path: &str, help: Option<&str>) {
    let errors = roll.arguments(bad).expect_err("it is wrong").0;
    assert_eq!(errors.len(), 1, "{bad}");
    assert_eq!(errors[0].path, path, "{bad}");
    assert_eq!(errors[0].help.as_deref(), help, "{bad}");
}

/// A roll of a script that reads no resources.
///
/// # Panics
/// If there is none of this name, or the arguments do not fit.
pub fn bind(script: &Program, name: &str, args: &Value) -> Bound {
    let roll = script.roll(name).expect("the roll is there");
    given(&roll, args, &ResourceTable::new())
}

/// The first roll of a script that reads no resources.
///
/// # Panics
/// If there is none, or the arguments do not fit.
pub fn first(script: &Program, args: &Value) -> Bound {
    let roll = script.rolls().next().expect("it has a roll");
    given(&roll, args, &ResourceTable::new())
}

/// An example, and the sheet of the same name if there is one.
///
/// # Panics
/// If there is none of this name.
pub fn example(name: &str) -> (Program, Value) {
    let (text, sheet) = example_text(name);
    (script(&text), sheet)
}

/// The text of an example, and the sheet of the same name if there is one.
///
/// # Panics
/// If there is none of this name.
pub fn example_text(name: &str) -> (String, Value) {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let path = examples.join(name);
    let text = fs::read_to_string(path.with_extension("dice")).expect("an example");
    let sheet = fs::read_to_string(path.with_extension("json")).ok();
    let sheet = sheet.map(|sheet| serde_json::from_str(&sheet).expect("JSON"));
    (text, sheet.unwrap_or_else(|| json!({})))
}
