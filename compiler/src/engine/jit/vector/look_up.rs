//! Look-ups in lanes: a function of a value that is one of a few numbers is a table of bytes, and
//! one shuffle of bytes reads it in all lanes.
//!
//! ```text
//! index   (key - least) / step, the bytes above the lowest one 255, which selects nothing
//! result  least of the results + table[index]
//! ```

use super::finite::Tabulated;
use super::lane::Lane;
use super::rounded::RoundedReciprocal;
use super::state::VectorEmitter;
use crate::analysis::Interval;
use crate::ir::{Type, Value};
use cranelift::codegen::ir as clif;
use cranelift::codegen::ir::Endianness;
use cranelift::prelude::{InstBuilder, IntCC, MemFlagsData, types};
use dicec_runtime::rng::lanes::LaneWidth;
use num_integer::gcd;

/// The entries of a vector of bytes.
const ENTRIES: usize = 16;

impl VectorEmitter<'_, '_> {
    /// The value, looked up; `None` if it has no table, or none that fits.
    pub(super) fn looked_up(&mut self, value: Value) -> Option<Lane> {
        let tabulated = self.finite.of(value)?.clone();
        let (entries, least) = entries(&tabulated)?;
        let index = self.index(&tabulated)?;
        let mut found = self.shuffled(&entries[..entries.len().min(ENTRIES)], index);
        if entries.len() > ENTRIES {
            let first = self.splat(ENTRIES as i64);
            let index = self.builder.ins().isub(index, first);
            let more = self.shuffled(&entries[ENTRIES..], index);
            found = self.builder.ins().bor(found, more);
        }
        if self.form.function().value_type(value) == Type::Bool {
            let none = self.splat(-least);
            let mask = self.builder.ins().icmp(IntCC::NotEqual, found, none);
            return Some(Lane::new(mask, 0));
        }
        Some(Lane::new(found, least))
    }

    /// The indices of the entries for the key's numbers.
    fn index(&mut self, tabulated: &Tabulated) -> Option<clif::Value> {
        let key = self.value(tabulated.key);
        // Comparisons of a face are comparisons of its word: they do not wait for the face.
        if key.face.is_some() {
            return None;
        }
        let (least, step) = (tabulated.keys.first()?, step(&tabulated.keys));
        if step == 1 {
            return Some(self.above(key, *least));
        }
        let span = tabulated.keys.last()? - least;
        let by = RoundedReciprocal::new(Interval::new(0, span), step)
            .filter(|_| self.width == LaneWidth::V16)?;
        let dividend = self.above(key, least - by.add);
        let factor = self.splat(by.factor);
        Some(self.mulhrs(dividend, factor))
    }

    /// The entries at some indices, 0 where an index is none of theirs.
    fn shuffled(&mut self, entries: &[u8], index: clif::Value) -> clif::Value {
        let little = MemFlagsData::new().with_endianness(Endianness::Little);
        let mut bytes = [0; ENTRIES];
        bytes[..entries.len()].copy_from_slice(entries);
        let table = self.bytes(bytes);
        let nothing = self.splat(!0xff);
        let ins = &mut self.builder;
        let index = ins.ins().bor(index, nothing);
        let index = ins.ins().bitcast(types::I8X16, little, index);
        let found = ins.ins().swizzle(table, index);
        ins.ins().bitcast(self.lanes, little, found)
    }
}

/// The table by the distance of the key from the least one, in steps, and what is added to it.
/// `None` if the results are too far apart, or the keys.
fn entries(tabulated: &Tabulated) -> Option<(Vec<u8>, i64)> {
    let (keys, results) = (&tabulated.keys, &tabulated.results);
    let (first, last) = (*keys.first()?, *keys.last()?);
    let step = step(keys);
    let count = usize::try_from((last - first) / step + 1).ok()?;
    if count > 2 * ENTRIES {
        return None;
    }
    let least = *results.iter().min()?;
    let mut entries = vec![0; count];
    for (key, result) in keys.iter().zip(results) {
        let index = usize::try_from((key - first) / step).ok()?;
        entries[index] = u8::try_from(result.checked_sub(least)?).ok()?;
    }
    Some((entries, least))
}

/// The greatest step that leads from the first of some numbers in order to all others.
fn step(numbers: &[i64]) -> i64 {
    let distances = numbers.windows(2).map(|pair| pair[1] - pair[0]);
    distances.fold(0, gcd).max(1)
}
