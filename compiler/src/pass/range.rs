//! Range analysis: the interval that each whole number lies in, and what follows from it.
//!
//! The analysis runs over the graph in reverse postorder until nothing changes, along the edges that can be taken
//! ([`super::refine`] has what their branches tell), widening from the fourth round on. Then fuel bounds what loops count
//! ([`super::trips`]), and some rounds more narrow what was widened too far: they may stop at any moment, because each of them
//! follows from bounds that hold. A truth value is a number too, 0 or 1. What the bounds decide is in [`super::decide`].

use super::decide::decided;
use super::interval::Interval;
use super::reals::RealInterval;
use super::refine::{Edge, Refined};
use super::table::Table;
use super::trips;
use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Function, Imm, InstData, Op, Terminator, Type, Value};
use cranelift_entity::SecondaryMap;
use dicec_runtime::limits::{MAX_FUEL_CEILING, MAX_SIDES};

/// Rounds before a bound that still moves is given up.
const ROUNDS_BEFORE_WIDENING: u32 = 3;

/// Rounds that narrow what was given up.
const NARROWING_ROUNDS: u32 = 3;

/// What is taken for granted.
#[derive(Clone, Copy, Debug)]
pub struct Given {
    /// Where resources lie.
    pub resources: Interval,
    /// The most fuel that a trial has.
    pub fuel: u32,
}

impl Default for Given {
    /// Nothing but what no limit exceeds.
    fn default() -> Self {
        Self {
            resources: Interval::ALL,
            fuel: MAX_FUEL_CEILING,
        }
    }
}

/// The intervals of a function's values.
#[derive(Debug)]
pub struct Ranges {
    /// `None`: never computed, because nothing leads there.
    known: SecondaryMap<Value, Option<Interval>>,
    /// Of decimals; `None`: any number, infinite ones included, or none. They follow from whole numbers and each other
    /// in the order of the blocks, so each round computes them anew.
    reals: SecondaryMap<Value, Option<RealInterval>>,
    /// What branches tell besides.
    refined: Refined,
    /// Whether a trial can come to a block.
    reached: SecondaryMap<Block, bool>,
    given: Given,
}

/// How a round takes what it finds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Join,
    /// A bound moves once at most, so that rounds come to an end.
    Widen,
    /// Bounds only come closer.
    Narrow,
}

impl Ranges {
    /// Analyses `function`.
    pub fn new(function: &Function) -> Self {
        Self::within(function, Given::default())
    }

    /// Analyses `function` where so much is given.
    pub fn within(function: &Function, given: Given) -> Self {
        let graph = ControlFlow::new(function);
        let mut ranges = Self {
            known: SecondaryMap::new(),
            reals: SecondaryMap::new(),
            refined: Refined::new(function, &graph),
            reached: SecondaryMap::new(),
            given,
        };
        let mut table = Table::new(function, &graph);
        let mut round = 0;
        let mut widened = false;
        loop {
            let mode = match round {
                0..ROUNDS_BEFORE_WIDENING => Mode::Join,
                _ => Mode::Widen,
            };
            if !ranges.round(function, &graph, &mut table, mode) {
                break;
            }
            widened |= mode == Mode::Widen;
            round += 1;
        }
        if widened {
            let bounds = trips::bounds(function, &graph, &ranges, given.fuel);
            for (value, bound) in bounds {
                ranges.update(value, bound, Mode::Narrow);
            }
            for _ in 0..NARROWING_ROUNDS {
                ranges.round(function, &graph, &mut table, Mode::Narrow);
            }
        }
        ranges
    }

    /// The interval of a whole number, wherever it is defined.
    pub fn of(&self, value: Value) -> Interval {
        self.known[value].unwrap_or(Interval::ALL)
    }

    /// The interval of a whole number or truth value in a block, from the branches that lead there too.
    pub fn at(&self, block: Block, value: Value) -> Interval {
        let known = self.refined.at(block, value);
        known.unwrap_or_else(|| self.of(value))
    }

    /// Whether a trial can come to a block, as far as is known.
    pub fn reaches(&self, block: Block) -> bool {
        self.reached[block]
    }

    /// One round over the graph; says whether anything changed.
    fn round(
        &mut self,
        function: &Function,
        graph: &ControlFlow,
        table: &mut Table,
        mode: Mode,
    ) -> bool {
        let mut changed = false;
        for &block in graph.reverse_postorder() {
            changed |= self.enter(function, graph, block, mode);
            if !self.reached[block] {
                continue;
            }
            for &inst in &function.blocks[block].insts {
                let data = &function.insts[inst];
                if function.value_type(data.result) == Type::F64 {
                    self.reals[data.result] = self.transfer_real(data);
                    continue;
                }
                if mode != Mode::Narrow {
                    changed |= table.note(function, data, self, mode == Mode::Widen);
                }
                let next = match data.imm {
                    Imm::Step(pool, step) => table.result(pool, step),
                    Imm::Recipe(recipe) => {
                        let (low, high) = function.recipes[recipe].bounds();
                        Interval::new(low, high)
                    }
                    _ => self.transfer(data, |value| self.at(block, value)),
                };
                // Every cycle of values leads through a parameter or a pool, so only these widen.
                let mode = if mode == Mode::Widen {
                    Mode::Join
                } else {
                    mode
                };
                changed |= self.update(data.result, next, mode);
            }
        }
        changed
    }

    /// Takes what the blocks before pass on.
    fn enter(
        &mut self,
        function: &Function,
        graph: &ControlFlow,
        block: Block,
        mode: Mode,
    ) -> bool {
        let before = graph.predecessors(block);
        let params = &function.blocks[block].params;
        let mut found: Vec<Option<Interval>> = vec![None; params.len()];
        let mut reached = block == function.entry();
        // A block that leads here twice stands there twice.
        let mut last = None;
        for &from in before {
            if !self.reached[from] || last.replace(from) == Some(from) {
                continue;
            }
            for edge in Edge::between(function, from, block) {
                let Some(facts) = self.facts(function, edge) else {
                    continue;
                };
                reached = true;
                for (found, &arg) in found.iter_mut().zip(&edge.target.args) {
                    let next = facts.of(arg).unwrap_or_else(|| self.at(from, arg));
                    *found = Some(found.map_or(next, |found| found.join(next)));
                }
                self.refined.set(block, facts);
            }
        }
        let mut changed = !std::mem::replace(&mut self.reached[block], reached) && reached;
        for (&param, found) in params.iter().zip(found) {
            if function.value_type(param) != Type::F64
                && let Some(next) = found
            {
                changed |= self.update(param, next, mode);
            }
        }
        changed
    }

    fn update(&mut self, value: Value, next: Interval, mode: Mode) -> bool {
        let new = match (self.known[value], mode) {
            (None, _) => next,
            (Some(old), Mode::Widen) => old.widen(next),
            (Some(old), Mode::Join) => old.join(next),
            (Some(old), Mode::Narrow) => old.clip(next),
        };
        self.known[value].replace(new) != Some(new)
    }

    /// The results that an instruction can have, where it does not trap.
    ///
    /// `at` says where its operands lie.
    pub(super) fn transfer(&self, data: &InstData, at: impl Fn(Value) -> Interval) -> Interval {
        let arg = |index: usize| at(data.args[index]);
        let everything = Interval::ALL;
        match (data.op, data.imm) {
            (Op::Iconst, Imm::Int(value)) => Interval::point(value),
            (Op::Bconst, Imm::Bool(value)) => Interval::truth(value),
            (Op::Not, _) => Interval::new(1 - arg(0).high, 1 - arg(0).low),
            (Op::Ieq | Op::Ine | Op::Ilt | Op::Ile | Op::Igt | Op::Ige, _) => {
                let truth = decided(data.op, arg(0), arg(1));
                truth.map_or(Interval::TRUTHS, Interval::truth)
            }
            (Op::Feq | Op::Fne | Op::Flt | Op::Fle | Op::Fgt | Op::Fge, _) => Interval::TRUTHS,
            (Op::Resource, _) => self.given.resources,
            (_, Imm::Dice { count, sides }) => Interval::pool(count, sides),
            (Op::Iadd | Op::IaddWrap, _) => arg(0).add(arg(1)).unwrap_or(everything),
            (Op::Isub | Op::IsubWrap, _) => arg(0).sub(arg(1)).unwrap_or(everything),
            (Op::Imul | Op::ImulWrap, _) => arg(0).mul(arg(1)).unwrap_or(everything),
            (Op::Ineg | Op::InegWrap, _) => {
                let zero = Interval::point(0);
                zero.sub(arg(0)).unwrap_or(everything)
            }
            (Op::Btoi, _) => arg(0),
            (Op::Idiv, _) => arg(0).div(arg(1)),
            (Op::IdivPos, _) => arg(0).div_pos(arg(1)),
            (Op::Irem, _) => arg(0).rem(arg(1)),
            (Op::Imin, _) => arg(0).min(arg(1)),
            (Op::Imax, _) => arg(0).max(arg(1)),
            (Op::DiceCount, Imm::Limit(limit)) => {
                let fits = Interval::new(0, limit.into());
                arg(0).max(Interval::point(0)).clip(fits)
            }
            (Op::ExplosionsLeft | Op::RerollsLeft | Op::DiceLeft, _) => {
                let less = arg(0).sub(Interval::point(1)).unwrap_or(everything);
                less.clip(Interval::new(0, i64::MAX))
            }
            (Op::Dice, _) => arg(0).dice(arg(1)),
            (Op::Face, Imm::Int(sides)) => Interval::new(1, sides),
            (Op::Select, _) => match arg(0).single() {
                Some(0) => arg(2),
                Some(_) => arg(1),
                None => arg(1).join(arg(2)),
            },
            (Op::Index, _) => {
                let last = arg(1).sub(Interval::point(1)).unwrap_or(everything);
                arg(0).clip(Interval::new(0, last.high.max(0)))
            }
            (Op::Append, _) => Interval::new(1, u32::MAX.into()),
            (Op::Store, _) => arg(1),
            (Op::Alloc | Op::NewList | Op::Fuel | Op::Depth, _) => Interval::new(0, i64::MAX),
            (Op::DieSides, _) => arg(0).clip(Interval::new(1, MAX_SIDES.into())),
            (Op::Roll, _) => arg(0).faces(),
            (Op::Ffloor | Op::Fceil | Op::Fround, _) => {
                let rounded = self.reals[data.args[0]].and_then(|real| real.rounded(data.op));
                rounded.unwrap_or(everything)
            }
            _ => everything,
        }
    }

    /// [`Ranges::transfer`] for decimals.
    fn transfer_real(&self, data: &InstData) -> Option<RealInterval> {
        let arg = |index: usize| self.reals[data.args[index]];
        match (data.op, data.imm, data.args.len()) {
            (_, Imm::Float(value), _) => RealInterval::point(value),
            (Op::Itof, _, _) => RealInterval::of_whole(self.of(data.args[0])),
            (op, _, 1) => arg(0)?.unary(op),
            (op, _, 2) => arg(0)?.binary(op, arg(1)?),
            _ => None,
        }
    }
}

/// The interval of a function's result, where that is a whole number.
pub fn result_range(function: &Function) -> Option<Interval> {
    result_range_of(function, &Ranges::new(function))
}

/// [`result_range`], for a function that was analysed.
pub fn result_range_of(function: &Function, ranges: &Ranges) -> Option<Interval> {
    let results = function
        .blocks
        .values()
        .filter_map(|block| match block.terminator {
            Some(Terminator::Return(value)) => Some(ranges.of(value)),
            _ => None,
        });
    (function.result == Type::I64)
        .then(|| results.reduce(Interval::join))
        .flatten()
}
