//! References into a [`super::Function`]. Their `Display` is the textual IR: `block0`, `v3`,
//! `inst7`, `pool0`, `draw0`, `fn1`, `field2`, `kind0`.

use cranelift_entity::entity_impl;

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Block(u32);
entity_impl!(Block, "block");

/// An instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Inst(u32);
entity_impl!(Inst, "inst");

/// A value: the result of an instruction or a parameter of a block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(u32);
entity_impl!(Value, "v");

/// A pool: dice on the table that the instructions of a trial work on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pool(u32);
entity_impl!(Pool, "pool");

/// Dice whose outcome is drawn at once.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Draw(u32);
entity_impl!(Draw, "draw");

/// A function's index in its [`super::Module`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Func(u32);
entity_impl!(Func, "fn");

impl Func {
    /// The function of one trial: the first of every module.
    pub const TRIAL: Func = Func(0);
}

/// A kind of word in memory: a field of a type of records, or a part of a kind of lists. Words of
/// two different fields are never the same word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Field(u32);
entity_impl!(Field, "field");

/// A kind of lists.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ListKind(u32);
entity_impl!(ListKind, "kind");
