//! Features of stat blocks: the format of seed 001 in JSON.
//!
//! ```text
//! text --document--> values with paths --read--> Feature (model, expr, template) --tell--> words
//!                                           +--script--> functions of the rolling language
//!                                           |
//!                                           +--> findings: mistakes, oddities, what has no effect
//! ```
//!
//! A feature is read as far as possible: all of its mistakes are reported at once. An irregular
//! form with a plain meaning is accepted, with a note.

mod attribute;
mod document;
mod event;
mod expr;
mod findings;
mod model;
mod noun;
mod operand;
mod read;
mod schema;
mod script;
mod tell;
mod template;
mod trigger;

pub use crate::script_text::ScriptCode;
pub use attribute::{ABILITIES, Attribute, Default, Info, Kind, SKILLS};
pub use event::{EventKind, Outcome};
pub(super) use expr::die;
pub use expr::{
    Area, Binary, Evaluation, Expr, ExprKind, Place, Query, Refused, Type, Value, Values, Wrong,
    evaluate,
};
pub use model::{
    Action, Advantage, Change, Damage, Duration, Effect, Feature, Recharge, Restore, RollClass,
    Save, Subfeature, Unit,
};
pub use noun::Noun;
pub use operand::Operand;
pub use read::{read_expression, read_features};
pub use schema::schema;
pub use script::{Code, CodeKind, Statements, World, Writer, feature_script, kind_of};
pub use tell::{Told, ToldEffect, tell};
pub use template::{Filled, Template, variable, variables};
pub use trigger::{Alternative, Event, Trigger};
