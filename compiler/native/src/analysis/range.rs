//! Range analysis: an interval for each whole number.
//!
//! The analysis iterates over the graph in reverse postorder to a fixed point, along the feasible
//! edges ([`super::edge`] has their constraints); an iteration recomputes only dependents of
//! changes ([`super::pending`]). From the fourth iteration on, it widens: a bound that still moves
//! goes to the next constant of the function, which is often its limit, and is dropped if it moves
//! too often. From the result follow bounds of loop counters ([`super::trip_count`]) and
//! accumulators ([`super::accumulated`]), and a few more iterations narrow the widened bounds. They
//! may stop at any time, because each starts from valid bounds. If a parameter still has no close
//! bound, the analysis restarts with the bounds that it found, because a bound that was widened too
//! far may sustain itself: for example a number that loses at most the current value of a counter.
//! A truth value is the number 0 or 1. The pass `fold_by_range` uses the result.

use super::accumulated;
use super::dependents::Position;
use super::edge::{Edge, EdgeConstraints};
use super::interval::Interval;
use super::pending::Pending;
use super::pool_bounds::PoolBounds;
use super::ranges::{Given, Ranges};
use super::trip_count;
use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Function, Imm, InstData, Module, Op, Terminator, Type, Value};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashSet;

/// The number of iterations before a bound that still moves is widened.
const ITERATIONS_BEFORE_WIDENING: u32 = 3;

/// The number of times that a bound moves to the next constant before it is dropped.
const CAREFUL_MOVES: u8 = 2;

/// The number of restarts with the bounds that were found.
const MAX_PHASES: usize = 2;

/// Bounds this far away are rarely those of a game.
const OPEN: Interval = Interval {
    low: -(1 << 31),
    high: 1 << 31,
};

/// The range of a difference whose subtrahend is at most the minuend.
const NOT_NEGATIVE: Interval = Interval {
    low: 0,
    high: i64::MAX,
};

/// The number of iterations that narrow widened bounds.
const NARROWING_ITERATIONS: u32 = 3;

/// How an iteration updates an interval.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Join,
    /// A bound moves at most [`CAREFUL_MOVES`] times and once more, so that the iteration
    /// terminates.
    Widen,
    /// Bounds only narrow.
    Narrow,
}

impl Mode {
    /// The mode for results of instructions: every cycle of values has a parameter or a pool, so
    /// only these widen.
    fn of_results(self) -> Self {
        match self {
            Mode::Widen => Mode::Join,
            mode => mode,
        }
    }
}

impl Ranges {
    /// Analyses `function`.
    pub fn new(function: &Function) -> Self {
        Self::within(function, Given::default())
    }

    /// Analyses `function` under these assumptions.
    pub fn within(function: &Function, given: Given) -> Self {
        Self::bounded(function, given, [])
    }

    /// The same for trials in which these values are in these intervals.
    pub(crate) fn bounded(
        function: &Function,
        given: Given,
        bounds: impl IntoIterator<Item = (Value, Interval)>,
    ) -> Self {
        let graph = ControlFlow::new(function);
        let mut ranges = Self {
            known: SecondaryMap::new(),
            floats: SecondaryMap::new(),
            constraints: EdgeConstraints::new(function, &graph),
            reached: SecondaryMap::new(),
            bounds: SecondaryMap::new(),
            constants: constants(function),
            moves: SecondaryMap::new(),
            given,
            pending: Pending::new(function, &graph),
        };
        ranges.known.resize(function.values.len());
        for (value, bound) in bounds {
            ranges.bounds[value] = Some(bound);
        }
        for phase in 0..=MAX_PHASES {
            let mut pools = PoolBounds::new(function, &graph);
            let Some(open) = ranges.ascend(function, &graph, &mut pools) else {
                break;
            };
            let found = ranges.find_bounds(function, &graph);
            for iteration in 0..NARROWING_ITERATIONS {
                ranges.pending.begin(iteration == 0);
                ranges.iterate(function, &graph, &mut pools, Mode::Narrow);
            }
            let is_open = |param| ranges.is_open(function, param) && !open.contains(&param);
            if !found || phase == MAX_PHASES || !ranges.params(function).any(is_open) {
                break;
            }
            ranges.known.clear();
            ranges.known.resize(function.values.len());
            ranges.floats.clear();
            ranges.reached.clear();
            ranges.moves.clear();
            ranges.constraints.clear();
        }
        ranges
    }

    /// The parameters of reachable blocks.
    fn params<'f>(&self, function: &'f Function) -> impl Iterator<Item = Value> + use<'_, 'f> {
        let blocks = function.blocks.iter();
        let reached = blocks.filter(|&(block, _)| self.reached[block]);
        reached.flat_map(|(_, data)| data.params.iter().copied())
    }

    /// Whether a parameter is bounded so loosely that its bound may sustain itself.
    fn is_open(&self, function: &Function, param: Value) -> bool {
        let range = self.of(param);
        function.value_type(param) == Type::I64 && !(OPEN.low < range.low && range.high < OPEN.high)
    }

    /// Iterates to a fixed point. If it widened, returns the parameters that were open before:
    /// their bounds did not sustain themselves.
    fn ascend(
        &mut self,
        function: &Function,
        graph: &ControlFlow,
        pools: &mut PoolBounds,
    ) -> Option<FxHashSet<Value>> {
        for iteration in 0..ITERATIONS_BEFORE_WIDENING {
            self.pending.begin(iteration == 0);
            if !self.iterate(function, graph, pools, Mode::Join) {
                return None;
            }
        }
        let params = self.params(function);
        let open = params
            .filter(|&param| self.is_open(function, param))
            .collect();
        let mut widened = false;
        loop {
            self.pending.begin(false);
            if !self.iterate(function, graph, pools, Mode::Widen) {
                return widened.then_some(open);
            }
            widened = true;
        }
    }

    /// Finds bounds of counters and accumulators; returns whether there are new ones.
    fn find_bounds(&mut self, function: &Function, graph: &ControlFlow) -> bool {
        let mut is_new = false;
        for bounds in [accumulated::bounds, trip_count::bounds] {
            for (value, bound) in bounds(function, graph, self, self.given) {
                let known = self.bounds[value];
                let new = known.map_or(bound, |known| known.clip(bound));
                is_new |= known != Some(new) && self.of(value).clip(new) != self.of(value);
                self.bounds[value] = Some(new);
                self.update(value, new, Mode::Narrow);
            }
        }
        is_new
    }

    /// One iteration over the graph; returns whether anything changed.
    fn iterate(
        &mut self,
        function: &Function,
        graph: &ControlFlow,
        pools: &mut PoolBounds,
        mode: Mode,
    ) -> bool {
        let mut changed = false;
        let mut from = 0;
        while let Some((at, position)) = self.pending.take(from) {
            from = at + 1;
            changed |= match position {
                Position::Begin(block) => self.enter(function, graph, block, mode),
                Position::Inst(block, _) | Position::Choice(block, _) if !self.reached[block] => {
                    false
                }
                Position::Inst(block, inst) => {
                    let data = &function.insts[inst];
                    match function.value_type(data.result) {
                        Type::F64 => self.compute_float(data),
                        _ => self.compute(function, block, data, pools, mode),
                    }
                }
                Position::Choice(block, inst) => {
                    let data = &function.insts[inst];
                    let next = self.selected(function, block, data);
                    self.update(data.result, next, mode.of_results())
                }
            };
        }
        changed
    }

    /// The result of an instruction; returns whether anything changed.
    fn compute(
        &mut self,
        function: &Function,
        block: Block,
        data: &InstData,
        pools: &mut PoolBounds,
        mode: Mode,
    ) -> bool {
        let noted = mode != Mode::Narrow && pools.note(function, data, self, mode == Mode::Widen);
        let next = match data.imm {
            Imm::Step(pool, step) => pools.result(pool, step),
            Imm::Draw(draw) => {
                let (low, high) = function.draws[draw].bounds();
                Interval::new(low, high)
            }
            _ => {
                let result = self.transfer(data, |value| self.at(block, value));
                // A wrapped result may be anything; an overflow is a trap, without a result.
                let fits = data.op == Op::Isub || result != Interval::ALL;
                match fits && takes_at_most_all(function, data) {
                    true => result.clip(NOT_NEGATIVE),
                    false => result,
                }
            }
        };
        self.update(data.result, next, mode.of_results()) || noted
    }

    /// The result of an instruction that is a float. It follows from earlier values, so it needs no
    /// further iteration.
    fn compute_float(&mut self, data: &InstData) -> bool {
        let next = self.transfer_float(data);
        if self.floats[data.result] != next {
            self.floats[data.result] = next;
            self.pending.add_dependents(data.result);
        }
        false
    }

    /// Joins the arguments of the predecessors.
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
        // A block with two edges to here is listed twice.
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
                let passed = found.iter_mut().zip(params).zip(&edge.target.args);
                // A parameter that passes itself on would sustain its own bounds.
                for ((found, _), &arg) in passed.filter(|((_, param), arg)| param != arg) {
                    let next = facts.of(arg).unwrap_or_else(|| self.at(from, arg));
                    *found = Some(found.map_or(next, |found| found.join(next)));
                }
                let pending = &mut self.pending;
                let constraints = &mut self.constraints;
                constraints.set(block, facts, |value| pending.add_dependents(value));
            }
        }
        let is_other = std::mem::replace(&mut self.reached[block], reached) != reached;
        if is_other {
            self.pending.add_block(function, block);
        }
        let mut changed = is_other && reached;
        for (&param, found) in params.iter().zip(found) {
            let Some(next) = found else { continue };
            let mode = match (function.value_type(param), mode) {
                (Type::F64, _) => continue,
                // A truth value has only two bounds to move to.
                (Type::Bool, Mode::Widen) => Mode::Join,
                _ => mode,
            };
            changed |= self.update(param, next, mode);
        }
        changed
    }

    fn update(&mut self, value: Value, next: Interval, mode: Mode) -> bool {
        let new = match (self.known[value], mode) {
            (None, _) => next,
            (Some(old), Mode::Widen) => self.widened(value, old, next),
            (Some(old), Mode::Join) => old.join(next),
            (Some(old), Mode::Narrow) => old.clip(next),
        };
        let new = self.bounds[value].map_or(new, |bound| new.clip(bound));
        let is_new = self.known[value].replace(new) != Some(new);
        if is_new {
            self.pending.add_dependents(value);
        }
        is_new
    }
}

impl Ranges {
    /// The interval with each moving bound at the next constant, or dropped.
    fn widened(&mut self, value: Value, old: Interval, next: Interval) -> Interval {
        let [below, above] = &mut self.moves[value];
        let constants = self.constants.as_slice();
        Interval {
            low: match next.low < old.low {
                true => next_constant(constants, next.low, false, below).unwrap_or(i64::MIN),
                false => old.low,
            },
            high: match next.high > old.high {
                true => next_constant(constants, next.high, true, above).unwrap_or(i64::MAX),
                false => old.high,
            },
        }
    }
}

/// Whether it is `x - min(x, y)`, as when a shield absorbs at most what it has left: not below 0,
/// unless it wraps.
fn takes_at_most_all(function: &Function, data: &InstData) -> bool {
    let (Op::Isub | Op::IsubWrap, &[x, taken]) = (data.op, data.args.as_slice()) else {
        return false;
    };
    let taken = function.def(taken);
    taken.is_some_and(|taken| taken.op == Op::Imin && taken.args.contains(&x))
}

/// The constant to which a bound moves that has moved `moves` times before.
fn next_constant(constants: &[i64], bound: i64, up: bool, moves: &mut u8) -> Option<i64> {
    if *moves == CAREFUL_MOVES {
        return None;
    }
    // Steps grow, so that not every constant is visited.
    let far = bound.saturating_mul(1 + 3 * i64::from(*moves));
    *moves += 1;
    let index = match up {
        true => constants.partition_point(|&number| number < bound.max(far)),
        false => {
            let least = bound.min(far);
            let below = constants.partition_point(|&number| number <= least);
            below.checked_sub(1)?
        }
    };
    constants.get(index).copied()
}

/// The whole numbers that a function names, in order.
fn constants(function: &Function) -> Vec<i64> {
    let results = function
        .live_insts()
        .map(|inst| function.insts[inst].result);
    let mut numbers: Vec<i64> = results
        .filter_map(|value| function.as_iconst(value))
        .collect();
    numbers.sort_unstable();
    numbers
}

/// The interval of a module's result, if it is a whole number.
pub(crate) fn result_range(module: &Module) -> Option<Interval> {
    let trial = module.trial();
    // The analysis is slow, so only if it is needed.
    let is_whole = trial.result == Type::I64;
    let range = || result_range_of(trial, &Ranges::within(trial, Given::of(&module.tables)));
    is_whole.then(range).flatten()
}

/// [`result_range`], for a function that was analysed.
pub(crate) fn result_range_of(function: &Function, ranges: &Ranges) -> Option<Interval> {
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
