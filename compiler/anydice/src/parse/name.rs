//! The names of outputs: `"[N] dice"` has a hole for the value of a variable.

use super::Parser;
use crate::ast::{Name, NamePart};
use dicec_runtime::span::Span;

impl Parser<'_> {
    /// The parts of a name. Brackets with anything but a variable between them are text.
    pub(super) fn name(&mut self, text: &str, span: Span) -> Name {
        let mut parts = Vec::new();
        let mut rest = text;
        let mut plain = String::new();
        while let Some(open) = rest.find('[') {
            let after = &rest[open + 1..];
            let is_variable = |name: &str| {
                let mut letters = name.chars();
                !name.is_empty() && letters.all(|c| c.is_ascii_uppercase() || c == '_')
            };
            let hole = after.find(']').map(|close| &after[..close]);
            match hole.filter(|name| is_variable(name)) {
                Some(name) => {
                    plain.push_str(&rest[..open]);
                    parts.push(NamePart::Text(std::mem::take(&mut plain)));
                    parts.push(NamePart::Value(self.names.variable(name)));
                    rest = &after[name.len() + 1..];
                }
                None => {
                    plain.push_str(&rest[..=open]);
                    rest = after;
                }
            }
        }
        plain.push_str(rest);
        parts.push(NamePart::Text(plain));
        Name { parts, span }
    }
}
