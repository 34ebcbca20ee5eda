//! Values that are made once and kept, for any number of threads.

use indexmap::IndexMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// The maximum number of values that are kept: the most recent ones.
const MAX_KEPT: usize = 256;

/// Values by key. Each is made once, even if several threads need it at the same time. The oldest
/// are dropped.
pub(super) struct Kept<K, V>(Mutex<IndexMap<K, Arc<OnceLock<V>>>>);

impl<K, V> Default for Kept<K, V> {
    fn default() -> Self {
        Self(Mutex::new(IndexMap::new()))
    }
}

impl<K: Clone + Eq + Hash, V: Clone> Kept<K, V> {
    pub(super) fn get(&self, key: K, make: impl FnOnce(&K) -> V) -> V {
        let value = {
            let mut kept = locked(&self.0);
            if kept.len() == MAX_KEPT && !kept.contains_key(&key) {
                kept.shift_remove_index(0);
            }
            Arc::clone(kept.entry(key.clone()).or_default())
        };
        value.get_or_init(|| make(&key)).clone()
    }
}

/// The cached values are valid at any time, so a panic elsewhere does not matter.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
