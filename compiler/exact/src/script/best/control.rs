//! The control flow of a roll as single steps. The engine walks a program as a tree; a decision
//! process needs the place of each state by itself: a segment, and what follows the block around
//! it ([`Context`]).

use super::super::dist::Dist;
use super::super::engine::LoopExits;
use super::super::live::Live;
use super::super::machine::Pin;
use super::super::plan::{Block, Exit, Head, Loop, Plan, Plans, Segment, Tail};
use dicec_lang::hir::FunctionId;
use dicec_runtime::bug;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::sync::Arc;

/// The place of a state: a segment by its number, and its context by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Spot {
    pub(super) segment: u32,
    pub(super) context: u32,
}

/// What follows a block; contexts are known by their indices.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Context {
    /// The roll is over.
    Roll,
    /// A segment.
    After(Spot),
    /// The next iteration of the loop of a segment.
    Loop(Spot),
    /// The rest of a segment that called the function, in the caller's state.
    Call {
        caller: Spot,
        /// The words of the caller's variables that are values.
        saved: Box<[i64]>,
        /// The caller's variables that refer to objects, as variables of the function.
        pins: Vec<Pin>,
    },
}

/// Where a state goes.
pub(super) enum Next {
    At(Spot),
    /// A function returns to the caller of this context.
    Return(u32),
    /// The roll is over.
    End,
}

/// The segments of a script, and the contexts that occurred.
pub(super) struct Control<'p> {
    plans: &'p Plans,
    roll: FunctionId,
    /// The rest of the block from each segment on, by the number of the segment.
    blocks: Vec<&'p [Segment]>,
    contexts: IndexSet<Context, FxBuildHasher>,
}

impl<'p> Control<'p> {
    pub(super) fn new(plans: &'p Plans, roll: FunctionId) -> Self {
        let mut control = Self {
            plans,
            roll,
            blocks: vec![&[]; plans.segments],
            contexts: IndexSet::default(),
        };
        for plan in &plans.functions {
            control.block(&plan.body);
        }
        control.contexts.insert(Context::Roll);
        control
    }

    fn block(&mut self, block: &'p Block) {
        for (index, segment) in block.segments.iter().enumerate() {
            self.blocks[segment.number] = &block.segments[index..];
            match &segment.tail {
                Tail::If(_, then, otherwise) => {
                    self.block(then);
                    self.block(otherwise);
                }
                Tail::Loop(iterations) => self.block(&iterations.body),
                _ => {}
            }
        }
    }

    /// The index of a context.
    pub(super) fn add(&mut self, context: Context) -> u32 {
        self.contexts.insert_full(context).0 as u32
    }

    pub(super) fn context(&self, index: u32) -> &Context {
        let context = self.contexts.get_index(index as usize);
        context.unwrap_or_else(|| bug!("no context has the index {index}").raise())
    }

    pub(super) fn segment(&self, spot: Spot) -> &'p Segment {
        let rest = self.blocks[spot.segment as usize];
        let first = rest.first();
        first.unwrap_or_else(|| bug!("no segment has the number {}", spot.segment).raise())
    }

    /// The beginning of a function, or what follows if it is empty.
    pub(super) fn start(&mut self, function: FunctionId, context: u32) -> Next {
        let body = &self.plans.functions[function.index()].body;
        self.enter(&body.segments, context)
    }

    fn enter(&self, segments: &'p [Segment], context: u32) -> Next {
        match segments.first() {
            Some(first) => Next::At(Spot {
                segment: first.number as u32,
                context,
            }),
            None => self.leave(context),
        }
    }

    /// What follows the end of a block in this context.
    fn leave(&self, context: u32) -> Next {
        match self.context(context) {
            Context::Roll => Next::End,
            Context::Call { .. } => Next::Return(context),
            Context::After(spot) => Next::At(*spot),
            Context::Loop(spot) => match &self.segment(*spot).tail {
                Tail::Loop(iterations) => self.enter(&iterations.body.segments, context),
                _ => bug!("a loop without a body").raise(),
            },
        }
    }

    /// What follows a segment.
    fn after(&self, spot: Spot) -> Next {
        match self.blocks[spot.segment as usize].get(1..) {
            Some(rest) if !rest.is_empty() => self.enter(rest, spot.context),
            _ => self.leave(spot.context),
        }
    }

    /// Where a state goes that leaves a segment at an exit.
    pub(super) fn follow(&mut self, spot: Spot, exit: Exit) -> Next {
        let segment = self.segment(spot);
        match exit {
            Exit::Next => self.after(spot),
            Exit::Inner(entry) => {
                let context = match &segment.tail {
                    Tail::Loop(_) => self.add(Context::Loop(spot)),
                    _ => match self.blocks[spot.segment as usize].get(1) {
                        None => spot.context,
                        Some(next) => self.add(Context::After(Spot {
                            segment: next.number as u32,
                            ..spot
                        })),
                    },
                };
                self.enter(segment.entries()[entry], context)
            }
            Exit::Break | Exit::Continue | Exit::Return => {
                let mut context = spot.context;
                loop {
                    match (self.context(context), exit) {
                        (Context::Roll, _) => return Next::End,
                        (Context::Call { .. }, _) => return Next::Return(context),
                        (Context::Loop(outer), Exit::Break) => return self.after(*outer),
                        (Context::Loop(_), Exit::Continue) => return self.leave(context),
                        (Context::After(outer) | Context::Loop(outer), _) => {
                            context = outer.context;
                        }
                    }
                }
            }
        }
    }

    /// The context of the call that a context is in, or that of the roll.
    pub(super) fn call(&self, mut context: u32) -> u32 {
        while let Context::After(spot) | Context::Loop(spot) = self.context(context) {
            context = spot.context;
        }
        context
    }

    /// How many calls a context is in.
    pub(super) fn depth(&self, mut context: u32) -> u32 {
        let mut depth = 0;
        loop {
            match self.context(context) {
                Context::Roll => return depth,
                Context::Call { caller, .. } => {
                    depth += 1;
                    context = caller.context;
                }
                Context::After(spot) | Context::Loop(spot) => context = spot.context,
            }
        }
    }

    /// The function of a context, and the variables that hold the caller's objects.
    pub(super) fn function(&self, context: u32) -> (&'p Plan, &[Pin]) {
        match self.context(self.call(context)) {
            Context::Call { caller, pins, .. } => match &self.segment(*caller).head {
                Some(Head::Call { function, .. }) => {
                    (&self.plans.functions[function.index()], pins)
                }
                _ => bug!("a context of a call without a call").raise(),
            },
            _ => (&self.plans.functions[self.roll.index()], &[]),
        }
    }

    /// The live variables at the end of a block in this context.
    fn live_at_end(&self, context: u32) -> Arc<Live> {
        match self.context(context) {
            Context::Roll | Context::Call { .. } => self.function(context).0.end.clone(),
            Context::After(spot) => self.segment(*spot).live.clone(),
            Context::Loop(spot) => self.iterations(*spot).live.clone(),
        }
    }

    /// The live variables after a segment.
    pub(super) fn live_after(&self, spot: Spot) -> Arc<Live> {
        match self.blocks[spot.segment as usize].get(1) {
            Some(next) => next.live.clone(),
            None => self.live_at_end(spot.context),
        }
    }

    /// The exits of the innermost loop around a segment.
    pub(super) fn exits(&self, spot: Spot) -> Option<LoopExits<f64>> {
        let mut context = spot.context;
        loop {
            match self.context(context) {
                Context::Roll | Context::Call { .. } => return None,
                Context::After(outer) => context = outer.context,
                Context::Loop(outer) => {
                    return Some(LoopExits {
                        breaks: Dist::new(self.live_after(*outer)),
                        continues: Dist::new(self.iterations(*outer).live.clone()),
                    });
                }
            }
        }
    }

    fn iterations(&self, spot: Spot) -> &'p Loop {
        match &self.segment(spot).tail {
            Tail::Loop(iterations) => iterations,
            _ => bug!("a context of a loop without a loop").raise(),
        }
    }
}
