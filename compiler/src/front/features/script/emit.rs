//! The script of one feature: a record for everybody who takes part, and functions for its parts.
//!
//! A part that acts is a function that changes records; one that changes a roll is a function that
//! says how. The game calls them when the trigger says, which stands above each as a comment.

use super::alone::Alone;
use super::code::CodeKind;
use super::part::PartScript;
use crate::front::features::expr::Values;
use crate::front::features::model::Feature;
use crate::front::script_text::identifier;
use std::fmt::Write;

/// The script of a feature, with these values in place of its variables.
pub fn feature_script(feature: &Feature, values: &Values) -> String {
    let name = identifier(&feature.name.written());
    let mut world = Alone::new(&name, values);
    let mut functions = String::new();
    let count = feature.subfeatures.len();
    for (index, part) in feature.subfeatures.iter().enumerate() {
        let name = match count {
            1 => name.clone(),
            _ => format!("{name}{}", index + 1),
        };
        functions += &PartScript::new(name, part, &mut world).into_text();
    }
    let mut text = comment(&feature.name.written());
    text += &comment(&feature.text.written());
    if functions.contains(": edge {") {
        text += "import std.dnd;\n";
    }
    text += &record(&world);
    if functions.contains("hurt(") {
        text += HURT;
    }
    text + &functions
}

const HURT: &str = "\n// Damage of a type. Resistances belong here.\n\
    deffun hurt(target: combatant, amount: int, kind: string) {\n\
    target.hp -= max(amount, 0);\n\
    target.lastDamage = kind;\n}\n";

/// The type of a field or a parameter.
pub(super) fn type_of(kind: CodeKind) -> &'static str {
    match kind {
        CodeKind::Whole | CodeKind::Id => "int",
        CodeKind::Decimal => "float",
        CodeKind::Truth => "bool",
        CodeKind::Text => "string",
    }
}

/// The record of everybody who takes part.
fn record(world: &Alone<'_>) -> String {
    let mut text =
        "\n// Somebody or something that takes part. An id is above 0; a condition holds \
                    the id of whom it comes from.\ndeftype combatant {\nid: int,\n"
            .to_owned();
    for (name, (kind, default)) in &world.fields {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{name}: {} = {default},", type_of(*kind));
    }
    for name in &world.lists {
        let _ = writeln!(text, "{name}: string list,");
    }
    text + "}\n"
}

/// A comment, in lines that are not too long.
pub(super) fn comment(text: &str) -> String {
    let mut lines = String::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if line.len() + word.len() > 95 && !line.is_empty() {
            let _ = writeln!(lines, "//{line}");
            line.clear();
        }
        let _ = write!(line, " {word}");
    }
    if !line.is_empty() {
        let _ = writeln!(lines, "//{line}");
    }
    lines
}
