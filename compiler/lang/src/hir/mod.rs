//! The high-level IR: the typed tree that every front end builds, for rules and scripts alike.
//!
//! ```text
//! front/notation, front/script --Builder--> Module (types unknown) --check--> Module (typed)
//!                                                                        |
//!                                                     interp, and the crates exact and native
//! ```
//!
//! A [`Module`] holds types, functions and rolls, with every name resolved. A rule of the notation
//! is a module with one roll that has no parameters and whose body returns its dice; its resources
//! are the module's inputs. Everything that a dialect decides is explicit here: the rule book's
//! final clamp is a node ([`ExprKind::AtLeast`]), an implied single die has its count. Later stages
//! do not depend on the front end.
//!
//! A front end leaves types as [`Type::Unknown`]; [`crate::check`] fills them in.
//!
//! # What a trial is
//!
//! Records and lists are references. Each trial begins with the same inputs; its changes end with
//! it. Operands are evaluated left to right. A roll evaluates its holes in order and then draws its
//! dice.
//!
//! Each of these costs one unit of fuel
//! ([`ScriptLimits::fuel`](dicec_runtime::limits::ScriptLimits)), before it happens: an iteration
//! of a loop (after its condition held), a call of a function, each field of a record that is made
//! (at least one a record, nested ones counted too, after its values are evaluated), each element
//! of a list that is made and two for the list itself, and each `append` and `pop`. A roll costs
//! one unit for each 64 dice of a written number ([`Roll::cost`]), before its holes are evaluated.
//! A text that is joined costs what [`join_cost`](dicec_runtime::limits::join_cost) says, after its
//! parts are evaluated; a line, or a statistic's name, with only one text in it is noted without
//! being joined, and the text of an option is not joined at all. A constant is made before all
//! trials, and costs nothing. Values of the type `dice` and loops over their terms, of which there
//! are few, cost nothing either. Fuel bounds both time and memory.

mod aggregate;
mod answer_labels;
mod builder;
mod choice;
mod data;
mod dice;
mod drawing;
mod expr;
mod ids;
mod kind;
mod module;
mod offers;
mod parts;
mod record;
mod result;
mod selected;
mod tree;
mod ty;
mod verify;
mod walk;

pub use aggregate::{Aggregate, Search};
pub(crate) use answer_labels::distinct;
pub use builder::Builder;
pub use choice::{
    Case, CaseKind, EnumType, Labels, MAX_COUNTED_FLAGS, MAX_FLAGS, Match, NO_FLAGS, flags_in,
    written_set,
};
pub use data::{CHANCE_SIDES, Data, Policy, joined_values};
pub use dice::{
    DICE, DICE_BONUS, DICE_FIELDS, DICE_HELP, DiceTypes, DiceValue, TERM_FIELDS, WITHOUT_QUOTES,
};
pub use dicec_runtime::compare::CompareOp;
pub use drawing::Drawing;
pub use expr::pool::{
    Condition, Counting, Die, Face, Group, Mark, Marks, Members, Pool, Select, Stage, Term,
    TermPart,
};
pub use expr::stmt::{Block, Place, StatName, Stmt, StmtKind};
pub use expr::{
    Answers, ArithOp, Expr, ExprKind, Float, Hole, Initial, InitialValue, Math, Roll, UserOption,
    ValueBlock,
};
pub use ids::{ConstantId, EnumId, FunctionId, LocalId, OptionId, Slot, StatId, TypeId};
pub use kind::Kind;
pub use module::{Constant, Function, Local, Module, ResourceUse, RollDef};
pub use offers::Offers;
pub use parts::{Elements, Reduction, Sorting};
pub use record::{Field, RecordType};
pub use result::{Part, PartNote, Parts};
pub use selected::Dropping;
pub(crate) use tree::TreeText;
pub use ty::{TEST, Type};
pub use verify::verify;
pub use walk::{each_expr, each_own_stmt, each_stmt, each_stmt_mut};
