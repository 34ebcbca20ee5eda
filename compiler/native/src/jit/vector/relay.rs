//! Lane refill, here called a *relay*: groups in which each lane runs several trials one after the
//! other ([`VectorForm::relay`]).
//!
//! ```text
//! head:   rounds = min(groups left, max); the parts before the loop        <-+
//! loop:   an iteration; no lane has left it -> loop                          |
//! refill: the parts after it, in the lanes that left -> sink; the parts      |
//!         before it, in those that have trials left; any lane in it -> loop  |
//!         groups left ----------------------------------------------------------+
//! ```
//!
//! A refill draws the dice of the outermost region once: those after the loop for the trials that
//! end, those before it for the trials that begin.

use super::lane::Lane;
use super::node::{Edge, Iteration, Node};
use super::number::{Number, Ranged};
use super::region::exits;
use super::relay_sink::Ended;
use super::state::VectorEmitter;
use super::variable::Kept;
use crate::analysis::{Interval, Part, Region};
use crate::ir::{self, Block, Function, Imm, Op};
use crate::pass::{MAX_ROUNDS, VectorForm};
use cranelift::codegen::ir as clif;
use cranelift::prelude::{InstBuilder, IntCC, types};
use cranelift_entity::SecondaryMap;
use dicec_runtime::bug;

/// The parts of the outermost region around the loop in which lanes refill.
pub(super) struct Relay<'f> {
    before: &'f [Part],
    inner: &'f Region,
    after: &'f [Part],
    header: Block,
}

/// The loop-carried values of a relay.
struct Carried {
    active: Kept,
    /// The number of trials that each lane has left, including the current one.
    left: Kept,
    /// The loop's parameters.
    params: Vec<(ir::Value, Kept)>,
    /// The values that the parts before the loop compute and others use.
    values: Vec<(ir::Value, Kept)>,
}

/// The state of lanes whose trials have ended.
struct Over {
    mask: clif::Value,
    /// The number of trials that each lane had left before, including this one.
    left: Number,
    /// The number of trials per lane, in 64 bits.
    rounds: clif::Value,
}

/// The range of the number of trials left.
const LEFT: Interval = Interval {
    low: 0,
    high: MAX_ROUNDS as i64,
};

impl<'f> Relay<'f> {
    /// The relay of a form, if its lanes refill.
    pub(super) fn of(form: &'f VectorForm) -> Option<Self> {
        let (before, rest) = form.region.parts.split_at_checked(form.relay?)?;
        let (Part::Loop(inner), after) = rest.split_first()? else {
            return None;
        };
        Some(Self {
            before,
            inner,
            after,
            header: inner.header()?,
        })
    }

    /// The values that the parts before the loop compute and others use; constants are emitted
    /// again.
    fn passed_on(&self, function: &Function) -> Vec<ir::Value> {
        let mut is_before: SecondaryMap<Block, bool> = SecondaryMap::new();
        let mut blocks = Vec::new();
        for part in self.before {
            part.for_each_block(&mut |block| {
                is_before[block] = true;
                blocks.push(block);
            });
        }
        let used = function.used(|block| !is_before[block]);
        let defined = blocks.iter().flat_map(|&block| {
            let data = &function.blocks[block];
            let insts = data.insts.iter().map(|&inst| &function.insts[inst]);
            let results = insts.filter(|data| !is_constant(data.op));
            let params = data.params.iter().copied();
            results.map(|data| data.result).chain(params)
        });
        defined.filter(|&value| used[value]).collect()
    }

    /// The number of pools in the parts before the loop.
    fn pools_before(&self, function: &Function) -> usize {
        let blocks = self.before.iter().filter_map(|part| match part {
            Part::Block(block) => Some(*block),
            Part::Loop(_) => None,
        });
        let insts = blocks.flat_map(|block| &function.blocks[block].insts);
        insts
            .filter(|&&inst| matches!(function.insts[inst].imm, Imm::Dice { .. }))
            .count()
    }
}

fn is_constant(op: Op) -> bool {
    matches!(op, Op::Iconst | Op::Bconst | Op::Resource)
}

impl<'f> VectorEmitter<'f, '_> {
    /// Emits a relay; returns the number of trials that each lane runs in it.
    pub(super) fn relay(&mut self, relay: &Relay<'f>) -> clif::Value {
        let rounds = self.rounds();
        let [before, _] = self.draw_around(relay, self.head);
        let mut iteration = Iteration::new(None);
        self.raising(None, |emitter| {
            emitter.emit_parts(&mut iteration, relay.before, before);
        });
        let kept = self.begin_relay(relay, &iteration, rounds);
        let [head, refill, end] = [(); 3].map(|()| self.builder.create_block());
        self.builder.ins().jump(head, &[]);
        self.builder.switch_to_block(head);
        let (edges, ended) = self.relay_iteration(relay, &kept, head);
        self.go_on_if_any(ended, refill, head);
        self.builder.switch_to_block(refill);
        let over = Over {
            mask: ended,
            left: self.get(kept.left),
            rounds,
        };
        self.refill(relay, &kept, edges, &over);
        let active = self.get_mask(kept.active);
        self.go_on_if_any(active, head, end);
        self.builder.switch_to_block(end);
        self.end_rounds(rounds);
        rounds
    }

    /// The number of trials that each lane runs in the next relay.
    fn rounds(&mut self) -> clif::Value {
        let most = self.form.max_rounds() as i64;
        let b = &mut self.builder;
        let groups = b.use_var(self.groups);
        let most = b.ins().iconst(types::I64, most);
        b.ins().umin(groups, most)
    }

    /// Draws the dice of the outermost region; returns the pools of the parts before the loop and
    /// of those after it.
    fn draw_around(&mut self, relay: &Relay<'f>, again: clif::Block) -> [Vec<Number>; 2] {
        let (mut pools, lefts) = self.draw(&self.form.region);
        self.redraw_if(&lefts, again);
        let mut before = pools.pop().unwrap_or_default();
        let after = before.split_off(relay.pools_before(self.form.function()));
        [before, after]
    }

    fn begin_relay(
        &mut self,
        relay: &Relay<'f>,
        iteration: &Iteration,
        rounds: clif::Value,
    ) -> Carried {
        let function = self.form.function();
        let (_, params) = self.meet(iteration, relay.header);
        let all = self.splat(-1);
        let left = self.builder.ins().ireduce(self.lanes.lane_type(), rounds);
        let left = self.builder.ins().splat(self.lanes, left);
        self.refuel(None);
        let names = function.blocks[relay.header].params.iter().copied();
        let params: Vec<_> = names.zip(params).collect();
        let values = relay.passed_on(function).into_iter();
        let values: Vec<_> = values.map(|value| (value, self.value(value))).collect();
        let [params, values] = [params, values].map(|lanes| {
            let numbers = lanes.into_iter();
            let kept =
                numbers.map(|(value, number)| (value, self.kept(number, self.range_of(value))));
            kept.collect()
        });
        Carried {
            active: self.kept_mask(all),
            left: self.kept(Number::One(Lane::new(left, 0)), LEFT),
            params,
            values,
        }
    }

    /// Emits an iteration of the loop; returns the exit edges, and the lanes that take one.
    fn relay_iteration(
        &mut self,
        relay: &Relay<'f>,
        kept: &Carried,
        head: clif::Block,
    ) -> (Vec<Edge>, clif::Value) {
        let (mut pools, lefts) = self.draw(relay.inner);
        self.redraw_if(&lefts, head);
        let active = self.get_mask(kept.active);
        self.burn_iteration(relay.inner, active);
        for &(value, variable) in kept.params.iter().chain(&kept.values) {
            self.values[value] = Some(self.get(variable));
        }
        self.watch(kept.params.iter().map(|&(param, _)| param), active);
        let pools = pools.pop().unwrap_or_default();
        let iteration = self.raising(Some(relay.header), |emitter| {
            emitter.iteration(relay.inner, Some(active), pools)
        });
        let (again, params) = self.meet(&iteration, relay.header);
        let again = again.unwrap_or(active);
        for (&(_, variable), next) in kept.params.iter().zip(params) {
            self.set(variable, next);
        }
        self.set_mask(kept.active, again);
        let ended = self.without(Some(active), again);
        (self.exit_edges(relay, &iteration), ended)
    }

    /// The edges out of the loop.
    fn exit_edges(&mut self, relay: &Relay<'f>, iteration: &Iteration) -> Vec<Edge> {
        let function = self.form.function();
        let mut inside = SecondaryMap::new();
        relay
            .inner
            .for_each_block(&mut |block| inside[block] = true);
        let targets = exits(function, &inside);
        let count = targets.len();
        let edges = targets.into_iter().enumerate().map(|(number, target)| {
            let (mask, args) = self.meet(iteration, target);
            let ranges = function.blocks[target].params.iter();
            let ranges = ranges.map(|&param| self.range_of(param));
            Edge {
                condition: mask.filter(|_| number + 1 < count),
                target,
                args: args.into_iter().zip(ranges).collect(),
            }
        });
        edges.collect()
    }

    /// Ends the trials of some lanes and begins the next ones.
    fn refill(&mut self, relay: &Relay<'f>, kept: &Carried, edges: Vec<Edge>, over: &Over) {
        let again = self.begin_block();
        let [before, after] = self.draw_around(relay, again);
        let mut iteration = Iteration::new(Some(over.mask));
        relay
            .inner
            .for_each_block(&mut |block| iteration.node_of[block] = Some(0));
        iteration.nodes.push(Node {
            mask: Some(over.mask),
            edges,
        });
        self.raising_in(over.mask, |emitter| {
            emitter.emit_parts(&mut iteration, relay.after, after);
        });
        let result = iteration.result;
        let result = result.unwrap_or_else(|| bug!("a relay without a result").raise());
        self.record_ended(result, over);
        // A mask is -1 in each of its lanes.
        let left = self.one(over.left);
        let left = self.above(left, 0);
        let left = self.builder.ins().iadd(left, over.mask);
        self.set(kept.left, Number::One(Lane::new(left, 0)));
        let zero = self.splat(0);
        let any_left = self
            .builder
            .ins()
            .icmp(IntCC::SignedGreaterThan, left, zero);
        let begun = self.builder.ins().band(any_left, over.mask);
        self.begin_trials(relay, kept, begun, before);
        let active = self.get_mask(kept.active);
        let active = self.builder.ins().bor(active, begun);
        self.set_mask(kept.active, active);
    }

    /// Passes the results of trials that have ended to the sink, part by part.
    fn record_ended(&mut self, result: Ranged, over: &Over) {
        let results = self.lanes_of(result);
        let lefts = self.lanes_of((over.left, LEFT));
        let masks = self.masks_of(over.mask);
        let parts = results.into_iter().zip(lefts).zip(masks);
        for (part, ((result, left), mask)) in parts.enumerate() {
            self.in_part(part, |emitter| {
                let left = emitter.above(left, 0);
                let ended = Ended {
                    mask,
                    left,
                    rounds: over.rounds,
                };
                emitter.prepare(&[result]);
                emitter.record(&[result], Some(ended));
            });
        }
    }

    /// Emits the parts before the loop for lanes that begin a trial.
    fn begin_trials(
        &mut self,
        relay: &Relay<'f>,
        kept: &Carried,
        begun: clif::Value,
        pools: Vec<Number>,
    ) {
        let mut iteration = Iteration::new(Some(begun));
        self.raising_in(begun, |emitter| {
            emitter.emit_parts(&mut iteration, relay.before, pools);
        });
        let (_, params) = self.meet(&iteration, relay.header);
        for (&(_, variable), number) in kept.params.iter().zip(params) {
            self.set_in(variable, Some(begun), number);
        }
        for &(value, variable) in &kept.values {
            self.set_in(variable, Some(begun), self.value(value));
        }
        self.refuel(Some(begun));
    }
}
