//! What every front end shares: limits on the source, files as one text, diagnostics as data, suggestions.
//!
//! Nothing here prints. A [`Diagnostic`] holds what happened, where, and what to do about it; the command renders it.

mod code;
mod diagnostic;
mod finding;
mod limits;
mod sources;
mod suggest;

pub(crate) use finding::{nested_too_deep, stray, too_high, unknown_field};

pub use code::Code;
pub use diagnostic::{Diagnostic, Diagnostics, Label, Severity};
pub use limits::SourceLimits;
pub use sources::{Located, Sources};
pub use suggest::nearest;
