//! What a caller sees of long work.

use dicec_compiler::Control;

/// How a caller follows an answer that takes long, and ends it.
pub struct Watch<'w> {
    /// Tells of progress, and ends the work.
    pub control: &'w Control,
    /// Takes the document of what is known so far, from time to time; without it none is made.
    pub partial: Option<&'w (dyn Fn(String) + Sync)>,
}

impl<'w> Watch<'w> {
    /// Work that nobody sees before it is done.
    pub fn unseen(control: &'w Control) -> Self {
        Self {
            control,
            partial: None,
        }
    }
}
