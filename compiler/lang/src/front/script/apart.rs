//! Gives the definitions of a script other names, so that several scripts fit into one.

use super::ast::{Item, ItemKind};
use super::parse::{Parsed, parse};
use super::token::{TokenKind, tokens};
use crate::syntax::{Diagnostics, SourceLimits};
use dicec_runtime::span::Span;
use std::collections::HashSet;

/// A script whose types, enums, constants, tables and functions have `prefix` before their names:
/// `hurt` becomes `first_hurt`. Every word that is such a name is renamed, also where it names a
/// field or a variable, so the meaning stays the same as long as the script has no word that begins
/// with the prefix. Names of rolls and texts stay.
///
/// # Errors
/// The errors in the script.
pub fn set_apart(text: &str, prefix: &str, limits: SourceLimits) -> Result<String, Diagnostics> {
    let Parsed {
        script,
        mut diagnostics,
        ..
    } = parse(text, limits);
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    let names: HashSet<&str> = script.items.iter().filter_map(defined).collect();
    let whole = Span::new(0, text.len() as u32);
    let lexemes = tokens(text, whole, None, limits, &mut diagnostics);
    let mut renamed = String::with_capacity(text.len() + text.len() / 8);
    let mut at = 0;
    for token in lexemes.tokens {
        let range = token.span.range();
        if token.kind == TokenKind::Word && names.contains(&text[range.clone()]) {
            renamed += &text[at..range.start];
            renamed += prefix;
            at = range.start;
        }
    }
    renamed += &text[at..];
    Ok(renamed)
}

/// The name that an item defines for the rest of the script.
fn defined(item: &Item) -> Option<&str> {
    let name = match &item.kind {
        ItemKind::Const(one) => &one.name,
        ItemKind::Type(one) => &one.name,
        ItemKind::Enum(one) => &one.name,
        ItemKind::Function(one) => &one.name,
        ItemKind::Table(one) => &one.name,
        ItemKind::Import(_) | ItemKind::Roll(_) => return None,
    };
    Some(name.kind.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_renamed_wherever_they_are_named() {
        let text = "enum side { left, right }\n\
                    deftype foe { side: side, hp: int }\n\
                    deffun hurt(foe: foe, by: int) : int { return foe.hp - by; }\n\
                    // hurt stays here\n\
                    defroll \"hurt\" swing() { x = foe{ side: side.left, hp: 3 }; return hurt(x, roll(d6)); }";
        let apart = set_apart(text, "a_", SourceLimits::default());
        assert_eq!(
            apart.as_deref(),
            Ok("enum a_side { left, right }\n\
                deftype a_foe { a_side: a_side, hp: int }\n\
                deffun a_hurt(a_foe: a_foe, by: int) : int { return a_foe.hp - by; }\n\
                // hurt stays here\n\
                defroll \"hurt\" swing() { x = a_foe{ a_side: a_side.left, hp: 3 }; return a_hurt(x, roll(d6)); }")
        );
    }

    #[test]
    fn a_script_with_errors_is_refused() {
        assert!(set_apart("deffun f( {", "a_", SourceLimits::default()).is_err());
    }
}
