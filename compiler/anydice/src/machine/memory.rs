//! Calls that were made, with their results. A call is a function of its arguments, of the
//! variables that it reads from outside, of the depth and the settings.

use crate::settings::Settings;
use crate::value::{Key, Value};
use dicec_runtime::pmf::Weight;
use rustc_hash::FxHashMap;

/// The maximum number of remembered calls.
const MAX_CALLS: usize = 200_000;

/// All that the result of a call depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct CallKey {
    pub(super) function: u32,
    pub(super) depth: usize,
    pub(super) settings: Settings,
    /// Whether the arguments are those of the call, or of one call of its expansion.
    pub(super) is_one: bool,
    pub(super) arguments: Vec<Key>,
    /// The variables from outside; none if one has no value.
    pub(super) outside: Vec<Option<Key>>,
}

/// The remembered calls.
pub(super) struct Memory<W> {
    calls: FxHashMap<CallKey, Option<Value<W>>>,
}

impl<W> Default for Memory<W> {
    fn default() -> Self {
        Self {
            calls: FxHashMap::default(),
        }
    }
}

impl<W: Weight> Memory<W> {
    /// The result of a call; `Some(None)` if it ended without one.
    pub(super) fn find(&self, key: &CallKey) -> Option<Option<Value<W>>> {
        self.calls.get(key).cloned()
    }

    pub(super) fn keep(&mut self, key: CallKey, result: Option<Value<W>>) {
        if self.calls.len() >= MAX_CALLS {
            self.forget();
        }
        self.calls.insert(key, result);
    }

    /// Forgets everything: a function was defined.
    pub(super) fn forget(&mut self) {
        self.calls.clear();
    }
}
