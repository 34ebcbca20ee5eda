//! Emits results that were not [computed](super::computed) before.

use super::computed::Known;
use super::lane::Lane;
use super::state::VectorEmitter;
use crate::analysis::Interval;
use crate::ir::Op;
use cranelift::codegen::ir as clif;

impl VectorEmitter<'_, '_> {
    /// Emits code that is skipped on some paths: later code must not reuse its results.
    pub(super) fn aside<R>(&mut self, emit: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.computed.clone();
        let emitted = emit(self);
        self.computed = before;
        emitted
    }

    /// The result of an operation on these operands, which `make` emits if it is new. Its code must
    /// be valid for operands in these intervals; paths may narrow them differently.
    pub(super) fn once(
        &mut self,
        (op, args, ranges): (Op, Vec<Lane>, Vec<Interval>),
        make: impl FnOnce(&mut Self) -> Option<Lane>,
    ) -> Option<Lane> {
        let name = (op, args);
        if let Some(known) = self.computed.results.get(&name) {
            let mut pairs = known.ranges.iter().zip(&ranges);
            if pairs.all(|(known, range)| known.join(*range) == *known) {
                return Some(known.result);
            }
        }
        let result = make(self)?;
        self.computed.results.insert(name, Known { ranges, result });
        Some(result)
    }

    /// The select between two lanes by a mask, which `make` emits if it is new.
    pub(super) fn choice_once(
        &mut self,
        [mask, yes, no]: [Lane; 3],
        make: impl FnOnce(&mut Self) -> Lane,
    ) -> Lane {
        let name = (Op::Select, vec![mask, yes, no]);
        if let Some(known) = self.computed.results.get(&name) {
            return known.result;
        }
        let result = make(self);
        let ranges = Vec::new();
        self.computed.results.insert(name, Known { ranges, result });
        result
    }

    /// The vector of a lane's distance from a number, which `make` emits if it is new.
    pub(super) fn vector_once(
        &mut self,
        (lane, base): (Lane, i64),
        make: impl FnOnce(&mut Self) -> clif::Value,
    ) -> clif::Value {
        if let Some(&known) = self.computed.vectors.get(&(lane, base)) {
            return known;
        }
        let vector = make(self);
        self.computed.vectors.insert((lane, base), vector);
        vector
    }
}
