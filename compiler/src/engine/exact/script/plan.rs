//! A script in the form that the exact engine runs: a function is a tree of blocks, a block is a
//! sequence of *segments*, and equal states merge between two segments.
//!
//! A segment branches at most once, at its head: a roll, an option, or a call, whose outcomes are
//! known as a distribution. The rest is deterministic. So an expression of two rolls is two
//! segments, and the result of the first is kept in a variable of its own.

use super::dice_value::DiceLayout;
use super::floors::{Floor, Floors};
use super::live::Live;
use super::order::Unobserved;
use super::reads::Word;
use super::shape::ShapeId;
use super::touch::Touched;
use super::unordered::Unordered;
use crate::engine::exact::float::Unary;
use crate::hir::{ArithOp, CompareOp, FunctionId, Math, OptionId, Roll, StatId};
use dicec_runtime::degree::Ladder;
use dicec_runtime::span::Span;
use std::sync::Arc;

/// A script.
pub(super) struct Plans {
    /// Its functions.
    pub(super) functions: Vec<Plan>,
    /// The objects of its constants, see [`super::data`].
    pub(super) constants: Vec<Word>,
    /// Its rolls.
    pub(super) rolls: Vec<RollSite>,
    /// What each function touches.
    pub(super) touched: Vec<Touched>,
    pub(super) floors: Floors,
    /// How many segments there are, and those that begin with a call: their numbers, and which
    /// function they call.
    pub(super) segments: usize,
    pub(super) calls: Vec<(usize, FunctionId)>,
    /// Whether each function reads resources, or calls one that does.
    pub(super) readers: Vec<bool>,
    pub(super) unordered: Unordered,
    /// What lowering each function costs.
    pub(super) told: Vec<u64>,
}

impl Plans {
    /// From now on, equal states stay apart.
    pub(super) fn keep_apart(&self) {
        let lives = self.functions.iter().flat_map(|plan| &plan.lives);
        lives.for_each(|live| live.keep_apart());
    }

    /// Forgets how states were packed.
    pub(super) fn renew(&self) {
        let lives = self.functions.iter().flat_map(|plan| &plan.lives);
        let empty = Arc::default();
        lives.for_each(|live| live.renew(&empty));
    }
}

/// A roll.
pub(super) struct RollSite {
    pub(super) dice: RolledDice,
    /// The words of the texts that it can yield, if it is a die with labels.
    pub(super) labels: Vec<i64>,
    /// The resources that its dice read.
    pub(super) reads: Vec<usize>,
}

/// The dice of a roll.
pub(super) enum RolledDice {
    Written(Roll),
    /// Those of the value in the only hole.
    Value(DiceLayout),
}

/// A function.
pub(super) struct Plan {
    /// Its variables: the parameters, the other written ones, those that are kept between segments,
    /// and at last the one for its result.
    pub(super) locals: Vec<ShapeId>,
    /// The names of the written variables, which come first.
    pub(super) names: Vec<String>,
    pub(super) params: Live,
    /// The lists of records whose order nothing observes, if it is a roll.
    pub(super) unobserved: Unobserved,
    pub(super) body: Block,
    /// What is live at its beginning, and at its end.
    pub(super) begin: Arc<Live>,
    pub(super) end: Arc<Live>,
    /// All of these.
    pub(super) lives: Vec<Arc<Live>>,
}

impl Plan {
    /// The variable that holds the result.
    pub(super) fn result(&self) -> usize {
        self.locals.len() - 1
    }
}

/// Segments, one after the other.
#[derive(Default)]
pub(super) struct Block {
    pub(super) segments: Vec<Segment>,
}

impl Block {
    /// Whether its first segment is decided with the one that leads to it, so that there are no
    /// other states between the two.
    pub(super) fn begins_decided(&self) -> bool {
        match self.segments.as_slice() {
            [segment] => segment.head.is_none() && !matches!(segment.tail, Tail::Loop(_)),
            [segment, _, ..] => segment.head.is_none() && matches!(segment.tail, Tail::Next),
            [] => false,
        }
    }

    /// How many [`Entry`]s there are where it begins.
    pub(super) fn entries(&self) -> usize {
        match self.segments.as_slice() {
            [segment] if self.begins_decided() => match &segment.tail {
                Tail::If(_, then, otherwise) => then.entries() + otherwise.entries(),
                _ => 0,
            },
            [] => 0,
            _ => 1,
        }
    }

    /// Calls `see` with each of them, in the order of their numbers.
    fn each_entry<'b>(&'b self, see: &mut dyn FnMut(Entry<'b>)) {
        match self.segments.as_slice() {
            [segment] if self.begins_decided() => segment.each_entry(see),
            [_, rest @ ..] if self.begins_decided() => see(rest),
            [] => {}
            all => see(all),
        }
    }
}

/// What states run through after they left a segment for a block.
pub(super) type Entry<'b> = &'b [Segment];

/// See the module.
pub(super) struct Segment {
    /// Its number among all of the script.
    pub(super) number: usize,
    /// The statement that it is part of.
    pub(super) span: Span,
    pub(super) head: Option<Head>,
    pub(super) straight: Vec<Step>,
    pub(super) tail: Tail,
    /// What is live before it.
    pub(super) live: Arc<Live>,
}

impl Segment {
    /// Where its outcomes can lead inside its tail, by the numbers of their exits.
    pub(super) fn entries(&self) -> Vec<Entry<'_>> {
        let mut entries = Vec::new();
        match &self.tail {
            Tail::Loop(iterations) => entries.push(iterations.body.segments.as_slice()),
            _ => self.each_entry(&mut |entry| entries.push(entry)),
        }
        entries
    }

    /// What is live where one of these begins; `next` is what is live after the segment.
    pub(super) fn begin(&self, entry: Entry<'_>, next: &Arc<Live>) -> Arc<Live> {
        match (&self.tail, entry.first()) {
            (Tail::Loop(iterations), _) => iterations.live.clone(),
            (_, Some(first)) => first.live.clone(),
            (_, None) => next.clone(),
        }
    }

    fn each_entry<'b>(&'b self, see: &mut dyn FnMut(Entry<'b>)) {
        if let Tail::If(_, then, otherwise) = &self.tail {
            then.each_entry(see);
            otherwise.each_entry(see);
        }
    }
}

/// What has several outcomes.
pub(super) enum Head {
    /// Dice, by their index in [`Plans::rolls`], with the values of their holes; into a variable.
    Roll(usize, usize, Vec<Pure>),
    /// An option, into a variable.
    Option(usize, OptionId),
    /// A call, into a variable if it returns something.
    Call {
        into: Option<usize>,
        function: FunctionId,
        args: Vec<Pure>,
        span: Span,
    },
}

impl Head {
    /// The variable that takes its result.
    pub(super) fn into(&self) -> Option<usize> {
        match self {
            Head::Roll(_, into, _) | Head::Option(into, _) => Some(*into),
            Head::Call { into, .. } => *into,
        }
    }
}

/// The deterministic parts.
pub(super) enum Step {
    /// Evaluates for its traps.
    Eval(Pure),
    /// Puts a value in a variable; whether that is a reference to an object.
    Set(usize, Pure, bool),
    /// Puts a value in a word of a record; whether that is a reference to an object.
    Slot(Pure, usize, Pure, bool),
    /// Puts a value in a list, by its index.
    Element(Pure, Pure, Pure, Span),
    /// Puts a value at the end of a list.
    Append(Pure, Pure, Span),
    /// Removes the last element of a list.
    Shorten(Pure),
    /// Traps unless this is true: a list does not have the element that is wanted.
    Require(Pure, Span),
    /// Pays fuel.
    Pay(u64, Span),
    /// A line for players.
    Output(Pure),
    /// A number of a statistic.
    Stat(StatId, Pure),
    /// A number of the statistic whose name is a text.
    NamedStat(Pure, Pure),
}

impl Step {
    /// Whether it changes what objects hold.
    pub(super) fn changes_objects(&self) -> bool {
        matches!(
            self,
            Step::Slot(..) | Step::Element(..) | Step::Append(..) | Step::Shorten(_)
        )
    }
}

/// Where a segment leads.
pub(super) enum Tail {
    /// To the next segment, or to the end of the block.
    Next,
    /// To one of two blocks.
    If(Pure, Block, Block),
    /// To a loop: iterations of a block until one leaves it.
    Loop(Loop),
    /// Out of the innermost loop.
    Break,
    /// To its next iteration.
    Continue,
    /// To the end of the function, with its result.
    Return(Option<Pure>),
}

/// A loop.
pub(super) struct Loop {
    pub(super) body: Block,
    /// What is live before each iteration.
    pub(super) live: Arc<Live>,
    /// Whether it goes over a list or counts, and so ends by itself.
    pub(super) ends: bool,
    /// The variables that its body needs, and passes on to a `break`; see [`super::live`].
    pub(super) flow: super::live::Flow,
}

/// An expression without effects: its value is a word, or it traps.
#[derive(Clone, Debug)]
pub(super) enum Pure {
    Word(i64),
    /// The value of a resource: the same for all states of a question.
    Resource(usize),
    Local(usize),
    Unary(Unary, Box<Pure>, Span),
    Not(Box<Pure>),
    /// Whether the operands are floats.
    Arith(ArithOp, bool, Box<[Pure; 2]>, Span),
    Compare(CompareOp, Box<[Pure; 2]>),
    And(Box<[Pure; 2]>),
    Or(Box<[Pure; 2]>),
    Choose(Box<[Pure; 3]>),
    Extreme(Math, Vec<Pure>),
    /// A word of a tuple.
    Fixed(Box<Pure>, usize),
    /// A word of an object.
    Slot(Box<Pure>, usize),
    /// The length of a list; whether the list is an object.
    Len(Box<Pure>, bool),
    /// An element of a list; whether the list is an object.
    Element(Box<[Pure; 2]>, bool, Span),
    /// A tuple of these.
    Tuple(Vec<Pure>),
    /// A new object of these words.
    Object(Vec<Pure>),
    /// A new list that is an object, of these elements.
    List(Vec<Pure>),
    /// A number, after a check that it is above its floor ([`super::floors`]).
    Above(Box<Pure>, Floor),
    /// What is taken away from a number that has a floor, after a check that it is not negative.
    Down(Box<Pure>, Floor),
    /// A number that its place keeps with this floor.
    Floored(Box<Pure>, Floor),
    /// A list of numbers, after its elements were sorted; whether it is an object.
    Sorted(Box<Pure>, bool),
    /// A list that is an object, after its last element went to its place among the sorted others.
    Inserted(Box<Pure>),
    /// A value, and the fuel that making it costs, paid after it was evaluated.
    Paid(Box<Pure>, u64, Span),
    /// A text, and how many of its parts are paid for.
    Join(Vec<(Pure, Piece)>, u64, Span),
}

/// How a part of a text is shown.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    Text,
    Number,
    Truth,
    Degree(Ladder),
    /// A constant of an enum: their names.
    Constant(Arc<[String]>),
    /// A set of flags: their names.
    Set(Arc<[String]>),
}

impl Pure {
    /// Calls `see` with each operand.
    pub(super) fn operands(&self, see: &mut dyn FnMut(&Pure)) {
        match self {
            Pure::Word(_) | Pure::Resource(_) | Pure::Local(_) => {}
            Pure::Unary(_, value, _)
            | Pure::Not(value)
            | Pure::Fixed(value, _)
            | Pure::Slot(value, _)
            | Pure::Len(value, _)
            | Pure::Above(value, _)
            | Pure::Down(value, _)
            | Pure::Floored(value, _)
            | Pure::Sorted(value, _)
            | Pure::Inserted(value)
            | Pure::Paid(value, ..) => see(value),
            Pure::Arith(_, _, pair, _)
            | Pure::Compare(_, pair)
            | Pure::And(pair)
            | Pure::Or(pair)
            | Pure::Element(pair, ..) => pair.iter().for_each(see),
            Pure::Choose(parts) => parts.iter().for_each(see),
            Pure::Extreme(_, parts)
            | Pure::Tuple(parts)
            | Pure::Object(parts)
            | Pure::List(parts) => parts.iter().for_each(see),
            Pure::Join(parts, ..) => parts.iter().for_each(|(part, _)| see(part)),
        }
    }

    /// Whether any of it, or of its operands, is such.
    pub(super) fn any(&self, is_it: &mut dyn FnMut(&Pure) -> bool) -> bool {
        let mut any = is_it(self);
        self.operands(&mut |part| any = any || part.any(is_it));
        any
    }

    /// Whether it makes objects.
    pub(super) fn makes_objects(&self) -> bool {
        self.any(&mut |part| matches!(part, Pure::Object(_) | Pure::List(_)))
    }

    /// Whether its value depends on a variable.
    pub(super) fn reads_local(&self, local: usize) -> bool {
        self.any(&mut |part| matches!(part, Pure::Local(read) if *read == local))
    }
}
