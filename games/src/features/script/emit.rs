//! The script of one feature: a record for creatures, and functions for its parts.
//!
//! A part that acts becomes a function that changes records; one that changes a roll becomes a
//! function that returns the change. The game calls them on the trigger, which precedes each as a
//! comment.

use super::alone::Alone;
use super::part::PartScript;
use crate::features::expr::Values;
use crate::features::model::Feature;
use crate::script_text::{Names, ScriptText, code, identifier};
use crate::wrong::Wrong;

/// Names of the script that are not the feature's own.
const USED: [&str; 4] = ["amount", "combatant", "edge", "hurt"];

/// The script of a feature, with these values in place of its variables.
///
/// # Errors
/// It is too long.
pub fn feature_script(feature: &Feature, values: &Values) -> Result<String, Wrong> {
    let mut names = Names::beside(USED.map(Into::into));
    let name = names.claim(identifier(&feature.name.written()), &["".into()]);
    let mut world = Alone::new(&name, values);
    let mut functions = ScriptText::default();
    let count = feature.subfeatures.len();
    let (mut has_edges, mut hurts) = (false, false);
    for (index, part) in feature.subfeatures.iter().enumerate() {
        let name = match count {
            1 => name.clone(),
            _ => code!("{name}{}", index + 1, name),
        };
        let part = PartScript::new(name, part, &mut world).written();
        has_edges |= part.has_edges;
        hurts |= part.hurts;
        functions.append(part.text);
    }
    let mut out = ScriptText::default();
    out.wrapped_comment(&feature.name.written());
    out.wrapped_comment(&feature.text.written());
    if has_edges {
        out.line("import std.dnd;");
    }
    write_record(&world, &mut out);
    if hurts {
        out.line(HURT);
    }
    out.append(functions);
    out.into_text()
}

const HURT: &str = "\n// Damage of a type. Resistances belong here.\n\
    deffun hurt(target: combatant, amount: int, kind: string) {\n\
    target.hp -= max(amount, 0);\n\
    target.lastDamage = kind;\n}";

/// The record of a creature.
fn write_record(world: &Alone<'_>, out: &mut ScriptText) {
    out.line(
        "\n// Somebody or something that takes part. An id is above 0; a condition holds \
         the id of whom it comes from.\ndeftype combatant {\nid: int,",
    );
    for (name, (kind, default)) in &world.fields {
        let kind = kind.name();
        out.line(code!("{name}: {kind} = {default},", name, kind, default));
    }
    for name in &world.lists {
        out.line(code!("{name}: string list,", name));
    }
    out.line("}");
}
