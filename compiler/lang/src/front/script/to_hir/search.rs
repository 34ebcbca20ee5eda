//! Desugars `min`, `max`, `least` and `most` of a loop.

use super::body::Body;
use super::builtin::Builtin;
use super::make::{Make, Var};
use crate::hir::{self, Block, CompareOp, Expr, Initial, InitialValue, Stmt};
use dicec_runtime::span::Span;

/// A search for the minimum or maximum of some values. The best value starts as one that no other
/// is worse than, so a single comparison decides about each, unless values may be that extreme.
pub(super) struct Search {
    which: Builtin,
    /// The value of the element that is looked at.
    pub(super) value: Var,
    pub(super) best: Var,
    /// The initial value of `best`.
    limit: Var,
    found: Var,
}

impl Search {
    pub(super) fn new(body: &mut Body<'_, '_>, which: Builtin, span: Span) -> Self {
        let [value, best, limit, found] = body.fresh(span);
        Self {
            which,
            value,
            best,
            limit,
            found,
        }
    }

    pub(super) fn initials(&self, make: Make) -> Vec<Initial> {
        let (value, purpose) = match self.which {
            Builtin::Least => (InitialValue::Highest, "`least` compares"),
            Builtin::Min => (InitialValue::Highest, "`min` compares"),
            Builtin::Most => (InitialValue::Lowest, "`most` compares"),
            _ => (InitialValue::Lowest, "`max` compares"),
        };
        let both = [self.best, self.limit];
        both.map(|local| make.initial(local, value, self.value, purpose))
            .into()
    }

    /// Its variables, for analyses of the block.
    pub(super) fn variables(&self) -> hir::Search {
        hir::Search {
            value: self.value.id,
            best: self.best.id,
            limit: self.limit.id,
            found: self.found.id,
        }
    }

    pub(super) fn begins(&self, make: Make) -> Stmt {
        make.set(self.found, make.truth(false))
    }

    /// Looks at the value of an element; does `more` if it is the best one so far. Whatever is
    /// looked at first is, so then something has been found.
    pub(super) fn looks_at(&self, value: Expr, more: Block, make: Make) -> Block {
        let op = match self.which {
            Builtin::Least | Builtin::Min => CompareOp::Less,
            _ => CompareOp::Greater,
        };
        let here = || make.local(self.value);
        let is_first = make.and(
            make.compare(CompareOp::Equal, here(), make.local(self.limit)),
            make.not(make.local(self.found)),
        );
        let better = make.or(make.compare(op, here(), make.local(self.best)), is_first);
        let mut taken = vec![make.set(self.best, here())];
        taken.extend(more);
        vec![
            make.set(self.value, value),
            make.when(better, taken),
            make.set(self.found, make.truth(true)),
        ]
    }

    /// Something was found.
    pub(super) fn ends(&self, make: Make) -> Stmt {
        make.require(make.local(self.found))
    }
}
