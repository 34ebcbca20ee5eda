//! The variables that are live at one point of a function: its states hold only these. They are
//! found in [`super::liveness`].

use super::packed::Layout;
use super::shape::ShapeId;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The variables that are live at one point.
#[derive(Debug, Default)]
pub(super) struct Live {
    /// The variables that are values.
    pub(super) values: Vec<usize>,
    /// The variables that refer to objects.
    pub(super) objects: Vec<(usize, ShapeId)>,
    /// The last layout of the states there. Only one question uses it at a time, so the lock is
    /// free.
    layout: Mutex<Arc<Layout>>,
    /// Whether equal states there are not merged.
    apart: AtomicBool,
}

impl Live {
    /// Those of a function's variables that are in `live`.
    pub(super) fn new(locals: &[ShapeId], live: impl Iterator<Item = usize>) -> Self {
        let mut all = Self::default();
        for local in live {
            match locals.get(local) {
                Some(shape) if shape.is_object() => all.objects.push((local, *shape)),
                _ => all.values.push(local),
            }
        }
        all
    }

    /// The last layout of the states there.
    pub(super) fn layout(&self) -> Arc<Layout> {
        self.last().clone()
    }

    /// Records the layout of the states there.
    pub(super) fn grown(&self, layout: &Arc<Layout>) {
        *self.last() = layout.clone();
    }

    /// Resets the layout to this empty one.
    pub(super) fn renew(&self, empty: &Arc<Layout>) {
        *self.last() = empty.clone();
    }

    /// From now on, equal states there are not merged.
    pub(super) fn keep_apart(&self) {
        self.apart.store(true, Relaxed);
    }

    /// Whether equal states there are not merged.
    pub(super) fn is_apart(&self) -> bool {
        self.apart.load(Relaxed)
    }

    fn last(&self) -> MutexGuard<'_, Arc<Layout>> {
        self.layout.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the same variables are live.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.values == other.values && self.objects == other.objects
    }
}
