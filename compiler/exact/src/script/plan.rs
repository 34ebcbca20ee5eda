//! The program form of the exact engine: a function is a tree of blocks, a block is a sequence of
//! *segments*, and equal states merge between segments.
//!
//! A segment branches at most once, at its head: a roll, an option, or a call, whose outcomes are a
//! distribution. The rest is deterministic. So an expression with two rolls is two segments, and
//! the first result is kept in a variable of its own.

use super::dice_value::DiceLayout;
use super::floors::{Floor, Floors};
use super::flow::Flow;
use super::live::Live;
use super::order::Unobserved;
use super::reads::Word;
use super::shape::ShapeId;
use super::touch::Touched;
use super::unordered::Unordered;
use crate::float::Unary;
use dicec_lang::hir::{ArithOp, CompareOp, FunctionId, Math, OptionId, Roll, StatId, Type};
use dicec_runtime::degree::Ladder;
use dicec_runtime::span::Span;
use std::sync::Arc;

/// A lowered script.
pub(super) struct Plans {
    /// Its functions.
    pub(super) functions: Vec<Plan>,
    /// The objects of its constants, see [`super::constants`].
    pub(super) constants: Vec<Word>,
    /// Its rolls.
    pub(super) rolls: Vec<RollSite>,
    /// The words of its arguments that each function touches.
    pub(super) touched: Vec<Touched>,
    pub(super) floors: Floors,
    /// The number of segments, and the segments that begin with a call: their numbers and the
    /// called functions.
    pub(super) segments: usize,
    pub(super) calls: Vec<(usize, FunctionId)>,
    /// Whether each function reads resources, or calls one that does.
    pub(super) readers: Vec<bool>,
    pub(super) unordered: Unordered,
    /// The cost of lowering each function.
    pub(super) told: Vec<u64>,
}

impl Plans {
    /// From now on, equal states are not merged.
    pub(super) fn keep_apart(&self) {
        let lives = self.functions.iter().flat_map(|plan| &plan.lives);
        lives.for_each(|live| live.keep_apart());
    }

    /// Resets the layouts of packed states.
    pub(super) fn renew(&self) {
        let lives = self.functions.iter().flat_map(|plan| &plan.lives);
        let empty = Arc::default();
        lives.for_each(|live| live.renew(&empty));
    }
}

/// A roll.
pub(super) struct RollSite {
    pub(super) dice: RolledDice,
    /// For a die with labels, the words of the labels.
    pub(super) labels: Vec<i64>,
    /// The resources that its dice read.
    pub(super) reads: Vec<usize>,
}

/// The dice of a roll.
pub(super) enum RolledDice {
    Written(Roll),
    /// The dice of a dice value, which is in the only hole.
    Value(DiceLayout),
}

/// A function.
pub(super) struct Plan {
    /// Its variables: the parameters, the other variables of the script, those between segments,
    /// and last the one for its result.
    pub(super) locals: Vec<ShapeId>,
    /// The names of the script's own variables, which come first.
    pub(super) names: Vec<String>,
    pub(super) params: Live,
    /// For a roll, the lists of records whose order nothing observes.
    pub(super) unobserved: Unobserved,
    pub(super) body: Block,
    /// The live variables at its beginning, and at its end.
    pub(super) begin: Arc<Live>,
    pub(super) end: Arc<Live>,
    /// The sets of live variables of all points.
    pub(super) lives: Vec<Arc<Live>>,
}

impl Plan {
    /// The variable that holds the result.
    pub(super) fn result(&self) -> usize {
        self.locals.len() - 1
    }
}

/// A sequence of segments.
#[derive(Default)]
pub(super) struct Block {
    pub(super) segments: Vec<Segment>,
}

impl Block {
    /// Whether its first segment is decided together with the one that leads to it, so that no
    /// states exist between the two.
    pub(super) fn begins_decided(&self) -> bool {
        match self.segments.as_slice() {
            [segment] => segment.head.is_none() && !matches!(segment.tail, Tail::Loop(_)),
            [segment, _, ..] => segment.head.is_none() && matches!(segment.tail, Tail::Next),
            [] => false,
        }
    }

    /// The number of [`Entry`]s at its beginning.
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

    /// Calls `see` with each [`Entry`], in the order of their numbers.
    fn each_entry<'b>(&'b self, see: &mut dyn FnMut(Entry<'b>)) {
        match self.segments.as_slice() {
            [segment] if self.begins_decided() => segment.each_entry(see),
            [_, rest @ ..] if self.begins_decided() => see(rest),
            [] => {}
            all => see(all),
        }
    }
}

/// The segments that states run through after a branch into a block.
pub(super) type Entry<'b> = &'b [Segment];

/// A step with at most one distribution; see the module.
pub(super) struct Segment {
    /// Its number among all of the script.
    pub(super) number: usize,
    /// The statement that it belongs to.
    pub(super) span: Span,
    pub(super) head: Option<Head>,
    pub(super) straight: Vec<Step>,
    pub(super) tail: Tail,
    /// The live variables before it.
    pub(super) live: Arc<Live>,
}

impl Segment {
    /// The entries in its tail to which its outcomes can lead, by the numbers of their exits.
    pub(super) fn entries(&self) -> Vec<Entry<'_>> {
        let mut entries = Vec::new();
        match &self.tail {
            Tail::Loop(iterations) => entries.push(iterations.body.segments.as_slice()),
            _ => self.each_entry(&mut |entry| entries.push(entry)),
        }
        entries
    }

    /// The live variables at the beginning of an entry; `next` are those after the segment.
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

/// The part of a segment with several outcomes.
pub(super) enum Head {
    /// Dice, by their index in [`Plans::rolls`], with the values of their holes; into a variable.
    Roll(usize, usize, Vec<Pure>),
    /// An option, into a variable.
    Option(usize, OptionId),
    /// An option whose answer is not decided yet: any of them may follow.
    Decision(Box<Decision>),
    /// A call; its result goes into a variable if there is one.
    Call {
        into: Option<usize>,
        function: FunctionId,
        args: Vec<Pure>,
        span: Span,
    },
}

impl Head {
    /// The variable that receives its result.
    pub(super) fn into(&self) -> Option<usize> {
        match self {
            Head::Roll(_, into, _) | Head::Option(into, _) => Some(*into),
            Head::Decision(decision) => Some(decision.into),
            Head::Call { into, .. } => *into,
        }
    }
}

/// An option that is decided for the best ([`super::best`]).
pub(super) struct Decision {
    /// The variable that receives the answer.
    pub(super) into: usize,
    pub(super) option: OptionId,
    /// The first and the last answer; none for yes (1) or no (0).
    pub(super) bounds: Option<[Pure; 2]>,
    /// The name of the player who decides.
    pub(super) who: Option<Pure>,
    /// The list of which the answers are indices, with its type.
    pub(super) list: Option<(Pure, Type)>,
}

impl Decision {
    /// The expressions that it reads.
    pub(super) fn parts(&self) -> impl Iterator<Item = &Pure> {
        let bounds = self.bounds.iter().flatten();
        let list = self.list.iter().map(|(list, _)| list);
        bounds.chain(&self.who).chain(list)
    }
}

/// A deterministic step.
pub(super) enum Step {
    /// Evaluates an expression for its traps.
    Eval(Pure),
    /// Assigns to a variable; the flag says whether the value refers to an object.
    Set(usize, Pure, bool),
    /// Assigns to a word of a record; the flag says whether the value refers to an object.
    Slot(Pure, usize, Pure, bool),
    /// Assigns to an element of a list, by its index.
    Element(Pure, Pure, Pure, Span),
    /// Appends a value to a list.
    Append(Pure, Pure, Span),
    /// Removes the last element of a list.
    Shorten(Pure),
    /// Removes the first element of the copy of a list.
    Consume(Pure),
    /// Removes the element of a list at an index, at the cost of moving those after it.
    Remove(Pure, Pure, Span),
    /// Traps unless the value is true: the wanted element does not exist.
    Require(Pure, Span),
    /// Burns fuel.
    Pay(u64, Span),
    /// Outputs a line for players.
    Output(Pure),
    /// Adds a number to a statistic.
    Stat(StatId, Pure),
    /// Adds a number to the statistic with this name.
    NamedStat(Pure, Pure),
}

impl Step {
    /// Whether it changes the contents of objects.
    pub(super) fn changes_objects(&self) -> bool {
        matches!(
            self,
            Step::Slot(..)
                | Step::Element(..)
                | Step::Append(..)
                | Step::Shorten(_)
                | Step::Consume(_)
                | Step::Remove(..)
        )
    }
}

/// The end of a segment.
pub(super) enum Tail {
    /// Continues with the next segment, or ends the block.
    Next,
    /// Branches to one of two blocks.
    If(Pure, Block, Block),
    /// A loop: repeats a block until it is left.
    Loop(Loop),
    /// Leaves the innermost loop.
    Break,
    /// Continues with the next iteration of the innermost loop.
    Continue,
    /// Returns from the function, with its result.
    Return(Option<Pure>),
}

/// Where a state leaves a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Exit {
    Next,
    /// Into a block of the tail, by its index in [`Segment::entries`].
    Inner(usize),
    Break,
    Continue,
    Return,
}

/// A loop.
pub(super) struct Loop {
    pub(super) body: Block,
    /// The live variables before each iteration.
    pub(super) live: Arc<Live>,
    /// Whether it runs over a list or counts, and so terminates.
    pub(super) ends: bool,
    /// The variables that its body needs, and passes on to a `break`; see [`super::liveness`].
    pub(super) flow: Flow,
}

/// An expression without effects: its value is a word, or it traps.
#[derive(Clone, Debug)]
pub(super) enum Pure {
    Word(i64),
    /// The value of a resource; the same for all states of a question.
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
    /// The length of a list; the flag says whether the list is an object.
    Len(Box<Pure>, bool),
    /// An element of a list; the flag says whether the list is an object.
    Element(Box<[Pure; 2]>, bool, Span),
    /// A tuple of these.
    Tuple(Vec<Pure>),
    /// A new object of these words.
    Object(Vec<Pure>),
    /// A new list that is an object, of these elements.
    List(Vec<Pure>),
    /// A number, with a check that it is above its saturation bound ([`super::floors`]).
    Above(Box<Pure>, Floor),
    /// The subtrahend of a saturating number, with a check that it is not negative.
    Down(Box<Pure>, Floor),
    /// A number that is stored with this saturation bound.
    Floored(Box<Pure>, Floor),
    /// A list of words with its elements sorted; the flag says whether it is an object.
    Sorted(Box<Pure>, bool, WordOrder),
    /// A list object whose last element is moved to its position among the sorted others.
    Inserted(Box<Pure>, WordOrder),
    /// A new list object with the elements of one.
    Copied(Box<Pure>),
    /// A value and the fuel of making it, burnt after it was evaluated.
    Paid(Box<Pure>, u64, Span),
    /// A text, and the number of its parts that cost fuel.
    Join(Vec<(Pure, Piece)>, u64, Span),
}

/// How the words of a list are compared that is kept sorted.
#[derive(Clone, Copy, Debug)]
pub(super) enum WordOrder {
    /// They are numbers.
    Numbers,
    /// They are the indices of tuples, whose words are compared: an index depends on the questions
    /// before this one, and the order of sums, so their rounding, must not.
    Tuples,
}

/// The format of a part of a text.
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
            | Pure::Sorted(value, ..)
            | Pure::Inserted(value, _)
            | Pure::Copied(value)
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

    /// Whether the predicate holds for it or any of its operands.
    pub(super) fn any(&self, is_it: &mut dyn FnMut(&Pure) -> bool) -> bool {
        let mut any = is_it(self);
        self.operands(&mut |part| any = any || part.any(is_it));
        any
    }

    /// Whether it makes objects.
    pub(super) fn makes_objects(&self) -> bool {
        self.any(&mut |part| matches!(part, Pure::Object(_) | Pure::List(_) | Pure::Copied(_)))
    }

    /// Whether its value depends on a variable.
    pub(super) fn reads_local(&self, local: usize) -> bool {
        self.any(&mut |part| matches!(part, Pure::Local(read) if *read == local))
    }
}
