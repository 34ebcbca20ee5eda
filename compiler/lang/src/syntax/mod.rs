//! The shared parts of all front ends: limits on the source, files as one text, diagnostics as
//! data, suggestions.
//!
//! Nothing here prints. A [`Diagnostic`] has an error, its location, and a suggestion; a
//! [`Finding`] adds the text, and can be rendered.

mod advice;
mod code;
mod diagnostic;
mod file_code;
mod finding;
mod findings;
mod json;
mod json_path;
mod limits;
mod reading;
mod sources;
mod suggest;

pub(crate) use finding::{
    RESOURCE_OR_FLAG, RESOURCE_OR_LIST, ambiguous_constant, misplaced_versus, nested_too_deep,
    not_dice_value, nothing_rolled, second_versus, stray, too_high, unknown_constant,
    unknown_field,
};

pub use advice::{Advice, Limit, worded};
pub use code::Code;
pub use diagnostic::{Diagnostic, Diagnostics, Label, Severity};
pub use file_code::FileCode;
#[cfg(feature = "render")]
pub use findings::render;
#[cfg(feature = "serde")]
pub use findings::{ErrorDocument, FindingDocument, NoteDocument};
pub use findings::{Finding, Location, shorten};
pub use json::{json_in, read_json};
pub use json::{whole, without_mark};
pub use json_path::locate_json;
pub use limits::SourceLimits;
pub use reading::{Unreadable, read_file, read_text};
pub use sources::{Located, Sources};
pub use suggest::nearest;
