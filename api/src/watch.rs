//! The caller's view of long work.

use dicec_compiler::Control;

/// How a caller follows an answer that takes long, and ends it.
#[derive(Clone, Copy)]
pub struct Watch<'w> {
    /// Reports progress, and ends the work.
    pub control: &'w Control,
    /// Receives intermediate results.
    pub partial: Option<&'w dyn Partial>,
}

/// A receiver of results that are not final yet.
pub trait Partial {
    /// Whether one is wanted now: making its document takes time.
    fn is_due(&self) -> bool;

    /// Takes the document of one.
    fn take(&self, document: &str);
}

impl<'w> Watch<'w> {
    /// Work without intermediate results.
    pub fn unseen(control: &'w Control) -> Self {
        Self {
            control,
            partial: None,
        }
    }
}
