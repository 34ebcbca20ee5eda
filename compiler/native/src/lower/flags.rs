//! Sets of flags: a bit for each.

use super::body::Body;
use crate::ir::{Imm, Op, Value};
use dicec_lang::hir::written_set;
use dicec_runtime::span::Span;

/// The text of a set of at most this many flags is one of a list of texts: these keep a script in
/// lanes.
const MAX_LISTED: usize = 4;

impl Body<'_, '_> {
    /// Whether a set has all flags of another.
    pub(super) fn has(&mut self, [set, flags]: [Value; 2], span: Span) -> Value {
        let missing = self.inst(span, Op::IandNot, &[flags, set], Imm::None);
        let none = self.builder.iconst(0);
        self.inst(span, Op::Ieq, &[missing, none], Imm::None)
    }

    /// The text of a set of these flags.
    pub(super) fn set_text(&mut self, set: Value, names: &[String], span: Span) -> Value {
        if let Some(set) = self.builder.as_iconst(set) {
            return self.text(&written_set(names, set), span);
        }
        if names.len() <= MAX_LISTED {
            let sets: Vec<_> = (0..1 << names.len())
                .map(|set| written_set(names, set))
                .collect();
            return self.named(set, &sets, span);
        }
        let mut text = self.text("", span);
        for (place, name) in names.iter().enumerate() {
            let name = self.listed(set, (place, name), span);
            // The checker bounds the length of all names, so this does not trap.
            text = self.inst(span, Op::TextJoin, &[text, name], Imm::Int(0));
        }
        let none = self.builder.iconst(0);
        let is_empty = self.inst(span, Op::Ieq, &[set, none], Imm::None);
        let none = self.text(&written_set(names, 0), span);
        self.inst(span, Op::Select, &[is_empty, none, text], Imm::None)
    }

    /// The name of a flag, after a comma if an earlier one is in the set, or nothing if it is not
    /// in the set itself.
    fn listed(&mut self, set: Value, (place, name): (usize, &str), span: Span) -> Value {
        let flag = self.builder.iconst(1 << place);
        let has = self.has([set, flag], span);
        let earlier = self.builder.iconst((1 << place) - 1);
        let missing = self.inst(span, Op::IandNot, &[earlier, set], Imm::None);
        let alone = self.inst(span, Op::Ieq, &[missing, earlier], Imm::None);
        let [first, later, nothing] =
            [name, &format!(", {name}"), ""].map(|text| self.text(text, span));
        let name = self.inst(span, Op::Select, &[alone, first, later], Imm::None);
        self.inst(span, Op::Select, &[has, name, nothing], Imm::None)
    }
}
