//! The one table of operations. Printer, parser, verifier, evaluator, passes and the reference page
//! (docs/ir.md) are driven by it; [`super::evaluate`] gives each pure operation its meaning.
//!
//! An operation may **trap** (end the trial with an error) and may have an **effect**: take words
//! from the generator, work on a pool, on memory, on fuel or on texts, or note something. No pass
//! merges, reorders or drops an operation with an effect unless its row says so. One that may trap
//! can be dropped only if it is shown not to.
//!
//! The operations on pools are the steps of [`dicec_runtime::pool::Step`]. A pool keeps its dice
//! from one step to the next; `pool_draw` or `pool_clear` begins it.

use dicec_runtime::pool::Step;
use dicec_runtime::trap::TrapCode;
use std::fmt;

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// A whole number.
    I64,
    /// A float, IEEE 754 binary64.
    F64,
    /// True or false.
    Bool,
}

impl Type {
    /// All types.
    pub const ALL: [Type; 3] = [Type::I64, Type::F64, Type::Bool];
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Type::I64 => "i64",
            Type::F64 => "f64",
            Type::Bool => "bool",
        })
    }
}

/// The kind of an instruction's immediate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImmKind {
    /// Nothing.
    None,
    /// A whole number.
    Int,
    /// A float.
    Float,
    /// True or false.
    Bool,
    /// A resource slot.
    Slot,
    /// A count in `0..=MAX_DICE_CEILING` and a number of sides in `1..=MAX_SIDES`.
    Dice,
    /// Dice that are drawn at once.
    Draw,
    /// The maximum number of dice that a pool may hold.
    Limit,
    /// A pool, and a step on it.
    Step,
    /// A kind of word in memory.
    Field,
    /// A kind of lists.
    List,
    /// A site: a statement that outputs lines.
    Site,
    /// A statistic.
    Stat,
    /// A function, and how much deeper than this one it is called.
    Call,
}

/// A row of the table.
#[derive(Debug)]
pub struct OpInfo {
    /// The name in the textual IR.
    pub name: &'static str,
    /// The types of the operands.
    pub params: &'static [Type],
    /// Whether any number of whole numbers may follow them.
    pub variadic: bool,
    /// The kind of its immediate.
    pub imm: ImmKind,
    /// The type of the result.
    pub result: Type,
    /// Whether it may end the trial.
    pub traps: bool,
    /// Whether it has an effect; see the module.
    pub effect: bool,
    /// Its meaning.
    pub doc: &'static str,
}

macro_rules! ops {
    ($($op:ident = $name:literal ($($param:ident),*) $imm:ident -> $result:ident $(traps $traps:tt)? $(effect $effect:tt)? $(variadic $variadic:tt)?: $doc:literal;)*) => {
        /// An operation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Op {
            $(#[doc = $doc] $op,)*
        }

        impl Op {
            /// All operations, in the order of the table.
            pub const ALL: &[Op] = &[$(Op::$op),*];

            /// The operation's row.
            pub fn info(self) -> &'static OpInfo {
                match self {
                    $(Op::$op => const {
                        &OpInfo {
                            name: $name,
                            params: &[$(Type::$param),*],
                            variadic: false $(|| $variadic)?,
                            imm: ImmKind::$imm,
                            result: Type::$result,
                            traps: false $(|| $traps)?,
                            effect: false $(|| $effect)?,
                            doc: $doc,
                        }
                    },)*
                }
            }
        }
    };
}

ops! {
    Iconst = "iconst" () Int -> I64: "The whole number given.";
    Fconst = "fconst" () Float -> F64: "The float given.";
    Bconst = "bconst" () Bool -> Bool: "The truth value given.";
    Resource = "resource" () Slot -> I64: "The value of a resource. It is the same throughout a trial.";

    Iadd = "iadd" (I64, I64) None -> I64 traps true: "The sum; traps on overflow.";
    Isub = "isub" (I64, I64) None -> I64 traps true: "The difference; traps on overflow.";
    Imul = "imul" (I64, I64) None -> I64 traps true: "The product; traps on overflow.";
    Ineg = "ineg" (I64) None -> I64 traps true: "The negation; traps on overflow.";
    Idiv = "idiv" (I64, I64) None -> I64 traps true: "The quotient rounded down, 0 if the divisor is 0; traps on overflow.";

    IaddWrap = "iadd_wrap" (I64, I64) None -> I64: "The sum modulo 2^64; range analysis turns `iadd` into it.";
    IsubWrap = "isub_wrap" (I64, I64) None -> I64: "The difference modulo 2^64.";
    ImulWrap = "imul_wrap" (I64, I64) None -> I64: "The product modulo 2^64.";
    InegWrap = "ineg_wrap" (I64) None -> I64: "The negation modulo 2^64.";
    IdivPos = "idiv_pos" (I64, I64) None -> I64: "The quotient rounded down by the divisor or 1, whichever is greater; range analysis turns `idiv` by a positive number into it.";

    Irem = "irem" (I64, I64) None -> I64 traps true: "The remainder, with the sign of the first; traps on division by zero.";
    IremPos = "irem_pos" (I64, I64) None -> I64: "The remainder of a division by the divisor or 1, whichever is greater, with the sign of the first; range analysis turns `irem` by a positive number into it.";

    Imin = "imin" (I64, I64) None -> I64: "The smaller of two.";
    Imax = "imax" (I64, I64) None -> I64: "The greater of two.";

    Ior = "ior" (I64, I64) None -> I64: "The bits of either.";
    IandNot = "iand_not" (I64, I64) None -> I64: "The bits of the first that the second has not.";

    Ieq = "ieq" (I64, I64) None -> Bool: "Whether both are equal.";
    Ine = "ine" (I64, I64) None -> Bool: "Whether they differ.";
    Ilt = "ilt" (I64, I64) None -> Bool: "Whether the first is less.";
    Ile = "ile" (I64, I64) None -> Bool: "Whether the first is less or equal.";
    Igt = "igt" (I64, I64) None -> Bool: "Whether the first is greater.";
    Ige = "ige" (I64, I64) None -> Bool: "Whether the first is greater or equal.";

    Btoi = "btoi" (Bool) None -> I64: "1 for true, 0 for false.";
    Not = "not" (Bool) None -> Bool: "Whether it is false.";
    Both = "both" (Bool, Bool) None -> Bool: "Whether both are true.";
    Either = "either" (Bool, Bool) None -> Bool: "Whether the first, the second or both are true.";
    Select = "select" (Bool, I64, I64) None -> I64: "The second if the first is true, otherwise the third.";

    Itof = "itof" (I64) None -> F64: "The nearest float, ties to even.";
    Fadd = "fadd" (F64, F64) None -> F64: "The sum.";
    Fsub = "fsub" (F64, F64) None -> F64: "The difference.";
    Fmul = "fmul" (F64, F64) None -> F64: "The product.";
    Fdiv = "fdiv" (F64, F64) None -> F64: "The quotient; by zero it is infinite or not a number.";
    Frem = "frem" (F64, F64) None -> F64 traps true: "The remainder, with the sign of the first; traps on division by zero.";
    Fpow = "fpow" (F64, F64) None -> F64 traps true: "The first to the power of the second; traps if that is not a real number, on division by zero (0 to a negative power) and on overflow.";
    Fsqrt = "fsqrt" (F64) None -> F64 traps true: "The square root; traps below 0.";
    Finite = "finite" (F64) None -> F64 traps true: "Itself, a negative zero as zero; traps on overflow: if it is infinite or not a number.";
    Nonzero = "nonzero" (F64) None -> F64 traps true: "Itself; traps on division by zero: if it is 0.";
    Fneg = "fneg" (F64) None -> F64: "The difference of 0 and it.";
    Fabs = "fabs" (F64) None -> F64: "Itself without its sign.";
    Fmin = "fmin" (F64, F64) None -> F64: "The second if that is less, otherwise the first.";
    Fmax = "fmax" (F64, F64) None -> F64: "The second if that is greater, otherwise the first.";

    Feq = "feq" (F64, F64) None -> Bool: "Whether both are equal; false if one is not a number.";
    Fne = "fne" (F64, F64) None -> Bool: "Whether they differ; true if one is not a number.";
    Flt = "flt" (F64, F64) None -> Bool: "Whether the first is less; false if one is not a number.";
    Fle = "fle" (F64, F64) None -> Bool: "Whether the first is less or equal; false if one is not a number.";
    Fgt = "fgt" (F64, F64) None -> Bool: "Whether the first is greater; false if one is not a number.";
    Fge = "fge" (F64, F64) None -> Bool: "Whether the first is greater or equal; false if one is not a number.";

    Ffloor = "ffloor" (F64) None -> I64 traps true: "The greatest whole number not above it; traps on overflow.";
    Fceil = "fceil" (F64) None -> I64 traps true: "The least whole number not below it; traps on overflow.";
    Fround = "fround" (F64) None -> I64 traps true: "The nearest whole number, the greater of two; traps on overflow.";
    Unkey = "unkey" (I64) None -> F64: "The number that a key stands for; beyond the keys the last one on its side.";
    Fkey = "fkey" (F64) None -> I64: "Its key, which stands for it when results are counted: keys have the order of the numbers.";

    DiceCount = "dice_count" (I64) Limit -> I64 traps true: "The number of dice that a computed count rolls: itself, or 0 if negative; traps above the limit.";
    NotNegative = "not_negative" (I64) None -> I64 traps true: "A number of dice: itself; traps below 0.";
    DieSides = "die_sides" (I64) None -> I64 traps true: "The sides of a computed die: itself; traps outside 1..=MAX_SIDES.";
    ExplosionsLeft = "explosions_left" (I64) None -> I64 traps true: "One less; traps if no explosion is left.";
    RerollsLeft = "rerolls_left" (I64) None -> I64 traps true: "One less; traps if no reroll is left.";
    DiceLeft = "dice_left" (I64) None -> I64 traps true: "One less; traps if no die is left.";
    Roll = "roll" (I64) None -> I64 effect true: "One die of computed sides (below 1 counts as 1), from a word of its own.";
    Dice = "dice" (I64, I64) None -> I64 effect true: "The sum of the first number of dice, each of the second number of sides (below 1 counts as 1) and from its own word; 0 if the count is negative.";
    Pool = "pool" () Dice -> I64 effect true: "The sum of equal dice, each from a word of its own.";
    Packed = "packed" () Dice -> I64 effect true: "The sum of equal dice, as many from each word as fit: a fused form of `pool`.";
    Drawn = "drawn" () Draw -> I64 effect true: "The result of a fused draw, from the table of its exact distribution: the fused form of whole subexpressions.";

    Word = "word" () Int -> I64 effect true: "A word from which dice are taken whose sides have this product: several `pool`s share it in fused sampling.";
    Face = "face" (I64) Int -> I64: "The face of a die of this many sides, taken from a word or its rest; the word times the sides, modulo 2^64, is the new rest.";

    PoolDraw = "pool_draw" (I64, I64) Step -> I64 effect true: "Begins a pool with as many dice of as many sides, each from a word of its own; dice with faces of their own have these instead. Returns the number of dice in the pool, like all steps without a result of their own.";
    PoolClear = "pool_clear" () Step -> I64 effect true: "Begins a pool without dice.";
    PoolPush = "pool_push" (I64) Step -> I64 effect true: "Adds a sub-roll with this total.";
    PoolJoin = "pool_join" () Step -> I64 effect true: "Adds the dice that another pool keeps.";
    PoolWhen = "pool_when" (I64) Step -> I64 effect true: "Adds a condition for the next explosion, reroll or count.";
    PoolExplode = "pool_explode" () Step -> I64 traps true effect true: "Dice whose face meets a condition, or is the highest if there is none, add another die. Traps above the limits on explosions of a die and on dice of a pool.";
    PoolReroll = "pool_reroll" () Step -> I64 traps true effect true: "Dice whose face meets a condition are rolled again, once or while it does. Traps above the limit on rerolls.";
    PoolBound = "pool_bound" (I64) Step -> I64 effect true: "Raises lower values (min) or lowers higher ones (max).";
    PoolSelect = "pool_select" (I64) Step -> I64 effect true: "Keeps or drops this many of the highest or lowest dice.";
    PoolSetAside = "pool_set_aside" () Step -> I64 effect true: "Sets the dropped dice aside: later changes and selections do not consider them.";
    PoolSum = "pool_sum" () Step -> I64 traps true effect true: "The sum of the kept values; traps on overflow.";
    PoolCount = "pool_count" () Step -> I64 effect true: "How many kept dice have a value that meets a condition.";
    PoolNaturals = "pool_naturals" () Step -> I64 effect true: "How many dice could shift a degree: kept ones with this many sides.";
    PoolNaturalFace = "pool_natural_face" () Step -> I64 effect true: "The sum of their faces.";
    PoolKeeps = "pool_keeps" () Step -> I64 effect true: "Whether the sub-roll at this index is kept: 1 or 0.";

    Peek = "peek" (I64) Field -> I64: "The word of a field, at the address of its record or list, that nothing changes once it is made.";
    Load = "load" (I64) Field -> I64 effect true: "The same of a field that the program may change. It may be dropped, and takes the value that was stored or loaded before it if nothing is between.";
    Store = "store" (I64, I64) Field -> I64 effect true: "At the address that comes first, puts the second into the field; returns it.";
    Alloc = "alloc" () Int -> I64 traps true effect true: "The address of this many new words, uninitialised. Traps if the machine has no memory left.";
    NewList = "new_list" () Int -> I64 traps true effect true: "The address of a new list of this many elements, uninitialised: the header, followed by the elements. Traps if the machine has no memory left.";
    Append = "append" (I64, I64) List -> I64 traps true effect true: "Puts the second at the end of the list at the first; returns its new length. Traps if the list has its maximum length.";
    ShiftDown = "shift_down" (I64, I64) Field -> I64 traps true effect true: "Moves as many words of the field as the second number says, those behind the first address, by one down to it; burns fuel for each, and returns how many there are. Traps if there is less fuel.";
    ShiftUp = "shift_up" (I64, I64) Field -> I64 traps true effect true: "The same up, with the words from the first address on.";
    Index = "index" (I64, I64) None -> I64 traps true: "The first; traps unless it is an index of a list of the second number of elements.";

    Fuel = "fuel" () Int -> I64 traps true effect true: "Burns this much fuel; returns what is left. Traps if there is less.";
    Burn = "burn" (I64) Int -> I64 traps true effect true: "Burns as much fuel as the number says, from 0 to the greatest that is given; returns what is left. Traps if there is less.";
    Depth = "depth" () Int -> I64 traps true effect true: "The depth of a call that is this much deeper than this function; traps above the limit.";
    Call = "call" () Call -> I64 traps true effect true variadic true: "The result of a function of the module for these arguments. Traps if the function does.";

    TextJoin = "text_join" (I64, I64) Int -> I64 traps true effect true: "The two texts joined; burns fuel for this many of the values in them, by the length of the result. Traps if the result is longer than a text may be, or if there is less fuel.";
    Output = "output" (I64) Site -> I64 traps true effect true: "Notes a line: the fixed words of the site around the text; returns the text. Traps if the line is longer than a text may be.";
    Stat = "stat" (I64) Stat -> I64 effect true: "Notes a number of a statistic; returns it.";
    NamedStat = "named_stat" (I64, I64) Site -> I64 traps true effect true: "Notes the second number under the statistic whose name is the first, a text, with the fixed words of the site around it; returns the number. Traps if the name is longer than a text may be.";
}

impl Op {
    /// The operation of this name.
    pub fn from_name(name: &str) -> Option<Op> {
        Self::ALL.iter().copied().find(|op| op.info().name == name)
    }

    /// The trap when a limit that is counted down is exhausted.
    pub fn limit_code(self) -> Option<TrapCode> {
        match self {
            Op::ExplosionsLeft => Some(TrapCode::TooManyExplosions),
            Op::RerollsLeft => Some(TrapCode::TooManyRerolls),
            Op::DiceLeft => Some(TrapCode::TooManyDice),
            _ => None,
        }
    }

    /// Whether only scripts have it: it works on memory, fuel, texts or notes.
    pub fn is_of_scripts(self) -> bool {
        use Op::{
            Alloc, Append, Burn, Depth, Fuel, Load, NamedStat, NewList, Output, Peek, ShiftDown,
            ShiftUp, Stat, Store, TextJoin,
        };
        matches!(
            self,
            Peek | Load
                | Store
                | Alloc
                | NewList
                | Append
                | ShiftDown
                | ShiftUp
                | Fuel
                | Burn
                | Depth
                | TextJoin
                | Output
                | Stat
                | NamedStat
        ) || self == Op::Call
    }

    /// Whether it can be dropped if nothing uses its result.
    pub fn may_be_dropped(self) -> bool {
        let info = self.info();
        !info.traps && !info.effect || matches!(self, Op::Load)
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.info().name)
    }
}

impl Op {
    /// The operation that takes `step`.
    pub fn of_step(step: Step) -> Op {
        match step {
            Step::Draw => Op::PoolDraw,
            Step::Clear => Op::PoolClear,
            Step::Push => Op::PoolPush,
            Step::Join(_) => Op::PoolJoin,
            Step::When(_) => Op::PoolWhen,
            Step::Explode { .. } => Op::PoolExplode,
            Step::Reroll { .. } => Op::PoolReroll,
            Step::Bound(_) => Op::PoolBound,
            Step::Select(_) => Op::PoolSelect,
            Step::SetAside => Op::PoolSetAside,
            Step::Sum => Op::PoolSum,
            Step::Count => Op::PoolCount,
            Step::Naturals(_) => Op::PoolNaturals,
            Step::NaturalFace(_) => Op::PoolNaturalFace,
            Step::Keeps(_) => Op::PoolKeeps,
        }
    }

    /// Whether it is pure, on whole numbers and truth values.
    pub fn is_pure(self) -> bool {
        let info = self.info();
        let whole = |ty: Type| ty != Type::F64;
        !info.effect
            && whole(info.result)
            && info.params.iter().all(|&ty| whole(ty))
            && !matches!(self, Op::Resource | Op::Peek)
    }
}
