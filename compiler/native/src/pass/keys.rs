//! Keys: a value with few possible numbers is the *key* of another value if that depends on it
//! only, through selects, comparisons and truth values. Then the other value can be tabulated by
//! the key.

use crate::analysis::FewValues;
use crate::ir::{Const, Function, Op, Value, evaluate};
use rustc_hash::FxHashMap;

/// The maximum number of instructions between a comparison and its key.
const MAX_BETWEEN: usize = 256;

/// The key of a value; `None` if it depends on several values, or on one with many numbers.
pub(super) fn key(function: &Function, few: &FewValues, wanted: Value) -> Option<Value> {
    let mut search = Search {
        function,
        few,
        left: MAX_BETWEEN,
    };
    search.key(wanted)?
}

/// A search for a key.
struct Search<'f> {
    function: &'f Function,
    few: &'f FewValues,
    /// The number of instructions that may still be visited.
    left: usize,
}

impl Search<'_> {
    /// The key of a value, or `Some(None)` for a constant; `None` if it depends on several values.
    fn key(&mut self, wanted: Value) -> Option<Option<Value>> {
        self.left = self.left.checked_sub(1)?;
        let data = self.function.def(wanted)?;
        if !is_transparent(data.op) {
            return None;
        }
        let mut key = None;
        for &arg in &data.args {
            let found = match data.op {
                op if is_comparison(op) => self.operand(arg)?,
                _ => self.key(arg)?,
            };
            match (key, found) {
                (Some(one), Some(other)) if one != other => return None,
                (None, found) => key = found,
                _ => {}
            }
        }
        Some(key)
    }

    /// The key of a compared operand: its own key, or the operand itself if it has none.
    fn operand(&mut self, value: Value) -> Option<Option<Value>> {
        if let Some(key) = self.key(value) {
            return Some(key);
        }
        self.few.numbers(value)?;
        Some(Some(value))
    }
}

/// Whether a result depends only on the operands, by selecting or combining truth values.
fn is_transparent(op: Op) -> bool {
    use Op::{Bconst, Both, Either, Iconst, Not, Select};
    is_comparison(op) || matches!(op, Iconst | Bconst | Select | Not | Both | Either)
}

/// Whether two numbers are compared.
pub(super) fn is_comparison(op: Op) -> bool {
    use Op::{Ieq, Ige, Igt, Ile, Ilt, Ine};
    matches!(op, Ieq | Ine | Ilt | Ile | Igt | Ige)
}

/// The result of a number or truth value that depends only on known values.
pub(super) fn value(
    function: &Function,
    known: &mut FxHashMap<Value, Const>,
    wanted: Value,
) -> Option<Const> {
    if let Some(&known) = known.get(&wanted) {
        return Some(known);
    }
    let data = function.def(wanted)?;
    let args = data.args.iter().map(|&arg| value(function, known, arg));
    let args: Vec<Const> = args.collect::<Option<_>>()?;
    let found = evaluate(data.op, &args, data.imm)?.ok()?;
    known.insert(wanted, found);
    Some(found)
}
