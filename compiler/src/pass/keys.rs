//! Keys: values of few numbers on which others depend, by selects, comparisons and truths only.
//! What such a value is can be found out for each number of its key.

use crate::analysis::FewValues;
use crate::ir::{Const, Function, Op, Value, evaluate};
use rustc_hash::FxHashMap;

/// The maximum number of instructions between a comparison and its key.
const MAX_BETWEEN: usize = 256;

/// The only value of few numbers that a value depends on, by selects, comparisons and truths.
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
    /// How many more instructions are looked at.
    left: usize,
}

impl Search<'_> {
    /// The key of a value, if that is not a constant; `None` if it depends on others, too.
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

    /// The key of what is compared: it may be one itself, where what it depends on is none.
    fn operand(&mut self, value: Value) -> Option<Option<Value>> {
        if let Some(key) = self.key(value) {
            return Some(key);
        }
        self.few.numbers(value)?;
        Some(Some(value))
    }
}

/// Whether a result says nothing but what the operands do.
fn is_transparent(op: Op) -> bool {
    use Op::{Bconst, Both, Either, Iconst, Not, Select};
    is_comparison(op) || matches!(op, Iconst | Bconst | Select | Not | Both | Either)
}

/// Whether two numbers are compared.
pub(super) fn is_comparison(op: Op) -> bool {
    use Op::{Ieq, Ige, Igt, Ile, Ilt, Ine};
    matches!(op, Ieq | Ine | Ilt | Ile | Igt | Ige)
}

/// The value of a number or truth value that depends on known ones only.
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
