//! Control flow in lanes: the blocks of a region one after the other, each for all lanes; loops as
//! loops.
//!
//! Inactive lanes are computed too; their results are discarded. At a join, each lane takes the
//! value of its own path ([`super::gate`]). Only effects and loops need the *mask* of the active
//! lanes. A loop's masks and parameters are Cranelift variables, and so are the values of lanes
//! that leave the loop early.

use super::node::{Edge, Iteration, Mask, Node};
use super::number::{Number, Ranged, TRUTHS};
use super::state::VectorEmitter;
use super::variable::Kept;
use crate::analysis::{Part, Region};
use crate::ir::{self, Block, Function, Imm, Op, Terminator};
use cranelift::codegen::ir as clif;
use cranelift::prelude::InstBuilder;
use cranelift_entity::SecondaryMap;
use dicec_runtime::bug;
use std::collections::VecDeque;

/// The lanes that leave a loop for one block.
struct Exit {
    target: Block,
    /// The lanes that left; not stored for the last exit, which takes all others.
    mask: Option<Kept>,
    args: Vec<Kept>,
}

/// The variables of a loop.
pub(super) struct Loop {
    /// The lanes that are at the header.
    pub(super) active: Kept,
    pub(super) params: Vec<(ir::Value, Kept)>,
    exits: Vec<Exit>,
    /// Values of the loop that are used outside of it, except its parameters.
    kept: Vec<(ir::Value, Kept)>,
    /// Whether each of its values is used outside.
    used: SecondaryMap<ir::Value, bool>,
    /// Whether no lane leaves it before the others.
    together: bool,
}

impl<'f> VectorEmitter<'f, '_> {
    /// The function's result for trials with these sums of the pools in the outermost region.
    pub(super) fn trial(&mut self, pools: Vec<Number>) -> Ranged {
        let region = &self.form.region;
        let iteration = self.raising(None, |emitter| emitter.iteration(region, None, pools));
        let result = iteration.result;
        result.unwrap_or_else(|| bug!("a trial without a result").raise())
    }

    /// Emits an iteration of a region for the lanes of `mask`.
    pub(super) fn iteration(
        &mut self,
        region: &'f Region,
        mask: Mask,
        pools: Vec<Number>,
    ) -> Iteration {
        let mut iteration = Iteration::new(mask);
        self.emit_parts(&mut iteration, &region.parts, pools);
        iteration
    }

    /// Emits parts of a region, with these pools, after those of the iteration.
    pub(super) fn emit_parts(
        &mut self,
        iteration: &mut Iteration,
        parts: &'f [Part],
        pools: Vec<Number>,
    ) {
        let mut pools = VecDeque::from(pools);
        for part in parts {
            let index = iteration.nodes.len();
            let node = match part {
                Part::Block(block) => match self.only_edge(iteration, *block) {
                    Some((before, place)) => {
                        iteration.node_of[*block] = Some(before);
                        let edges = self.block(iteration, *block, None, &mut pools);
                        self.splice(&mut iteration.nodes[before], place, edges);
                        Node::default()
                    }
                    None => {
                        iteration.node_of[*block] = Some(index);
                        let mask = self.enter(iteration, *block);
                        let edges = self.block(iteration, *block, mask, &mut pools);
                        Node { mask, edges }
                    }
                },
                Part::Loop(inner) => {
                    inner.for_each_block(&mut |block| iteration.node_of[block] = Some(index));
                    self.looped(iteration, inner)
                }
            };
            iteration.nodes.push(node);
        }
    }

    /// The edge, by its node and its index there, to a block that is merged into its predecessor.
    fn only_edge(&self, iteration: &Iteration, block: Block) -> Option<(usize, usize)> {
        let function = self.form.function();
        let data = &function.blocks[block];
        let &[before] = self.graph.predecessors(block) else {
            return None;
        };
        let node = iteration.node_of[before]?;
        let edges = &iteration.nodes.get(node)?.edges;
        let place = edges.iter().position(|edge| edge.target == block)?;
        let again = edges
            .iter()
            .skip(place + 1)
            .any(|edge| edge.target == block);
        let mut ops = data.insts.iter().map(|&inst| function.insts[inst].op);
        let returns = matches!(data.terminator, Some(Terminator::Return(_)));
        let joins = data.params.is_empty() && !again && !returns && !ops.any(needs_mask);
        joins.then_some((node, place))
    }

    /// The lanes that reach a block; assigns the block's parameters.
    fn enter(&mut self, iteration: &Iteration, block: Block) -> Mask {
        if iteration.nodes.is_empty() {
            return iteration.mask;
        }
        let (mask, params) = self.meet(iteration, block);
        let function = self.form.function();
        for (&param, number) in function.blocks[block].params.iter().zip(params) {
            self.values[param] = Some(number);
        }
        mask
    }

    /// Emits a block for the lanes of `mask`; returns the edges out of it.
    fn block(
        &mut self,
        iteration: &mut Iteration,
        block: Block,
        mask: Mask,
        pools: &mut VecDeque<Number>,
    ) -> Vec<Edge> {
        let function = self.form.function();
        let data = &function.blocks[block];
        self.block = block;
        for &inst in &data.insts {
            let data = &function.insts[inst];
            if self.only_burned[data.result] {
                continue;
            }
            let value = match data.imm {
                Imm::Dice { .. } => pools.pop_front(),
                _ => {
                    let noted = self.noted(data, mask);
                    let checked = noted.or_else(|| self.checked(data, mask));
                    checked.or_else(|| self.inst(data))
                }
            };
            self.values[data.result] = value;
        }
        match &data.terminator {
            Some(Terminator::Jump(target)) => vec![self.edge(None, target)],
            Some(Terminator::Branch {
                condition,
                then,
                otherwise,
            }) => {
                let condition = self.value(*condition);
                let condition = self.mask_of_truth(condition);
                vec![self.edge(Some(condition), then), self.edge(None, otherwise)]
            }
            Some(Terminator::Return(value)) => {
                iteration.result = Some(self.ranged(*value));
                Vec::new()
            }
            None => bug!("{block} has no terminator").raise(),
        }
    }

    /// The lanes that reach `target` in this iteration, and its parameters for them.
    pub(super) fn meet(&mut self, iteration: &Iteration, target: Block) -> (Mask, Vec<Number>) {
        let mask = self.mask(iteration, target);
        let params = 0..self.form.function().blocks[target].params.len();
        let params = params.map(|param| self.chosen(iteration, target, param));
        (mask, params.collect())
    }

    /// Emits a loop after the emitted part of this iteration.
    fn looped(&mut self, iteration: &Iteration, region: &'f Region) -> Node {
        // No region is empty.
        let header = region
            .header()
            .unwrap_or_else(|| self.form.function().entry());
        let (mask, params) = self.meet(iteration, header);
        let together = self.uniform.leave_together(self.form.function(), region);
        let variables = self.begin_loop(region, (header, mask, params), together);
        let [head, after] = [(); 2].map(|()| self.builder.create_block());
        match mask {
            Some(mask) => self.go_on_if_any(mask, head, after),
            None => {
                self.builder.ins().jump(head, &[]);
            }
        }
        self.builder.switch_to_block(head);
        // No lane may have entered the loop.
        let again = self.aside(|emitter| emitter.repeat(region, (header, head), &variables));
        self.go_on_if_any(again, head, after);
        self.builder.switch_to_block(after);
        self.leave_loop(mask, variables)
    }

    /// Emits an iteration of a loop; returns the lanes that continue.
    fn repeat(
        &mut self,
        region: &'f Region,
        (header, head): (Block, clif::Block),
        variables: &Loop,
    ) -> clif::Value {
        let (mut pools, lefts) = self.draw(region);
        self.redraw_if(&lefts, head);
        let pools = pools.pop().unwrap_or_default();
        let active = self.get_mask(variables.active);
        self.burn_iteration(region, active);
        for &(param, variable) in &variables.params {
            self.values[param] = Some(self.get(variable));
        }
        let params = variables.params.iter().map(|&(param, _)| param);
        self.watch(params, active);
        let inner = self.raising(Some(header), |emitter| {
            emitter.iteration(region, Some(active), pools)
        });
        self.end_iteration(&inner, header, active, variables)
    }

    pub(super) fn go_on_if_any(
        &mut self,
        mask: clif::Value,
        head: clif::Block,
        after: clif::Block,
    ) {
        let b = &mut self.builder;
        let any = b.ins().vany_true(mask);
        b.ins().brif(any, head, &[], after, &[]);
    }

    fn begin_loop(
        &mut self,
        region: &Region,
        (header, mask, params): (Block, Mask, Vec<Number>),
        together: bool,
    ) -> Loop {
        let function = self.form.function();
        let mut inside = SecondaryMap::new();
        region.for_each_block(&mut |block| inside[block] = true);
        let all = match mask {
            Some(mask) => mask,
            None => self.splat(-1),
        };
        let active = self.kept_mask(all);
        let names = function.blocks[header].params.iter();
        let params = names
            .zip(params)
            .map(|(&param, number)| (param, self.kept(number, self.range_of(param))))
            .collect();
        // A value that no lane has passed yet is never used.
        let zero = Number::constant(0);
        let targets = exits(function, &inside);
        let count = targets.len();
        let exits = targets.into_iter().enumerate().map(|(number, target)| {
            let args = &function.blocks[target].params;
            Exit {
                target,
                mask: (number + 1 < count).then(|| self.kept(zero, TRUTHS)),
                args: args
                    .iter()
                    .map(|&arg| self.kept(zero, self.range_of(arg)))
                    .collect(),
            }
        });
        let exits = exits.collect();
        let used = function.used(|block| !inside[block]);
        let defined = defined_inside(function, &inside, header);
        // A constant in the loop is also one outside.
        let varies = |value| {
            let def = function.def(value);
            def.is_none_or(|data| !matches!(data.op, Op::Iconst | Op::Bconst))
        };
        let kept = defined
            .into_iter()
            .filter(|&value| used[value] && varies(value));
        let kept = kept
            .map(|value| (value, self.kept(zero, self.range_of(value))))
            .collect();
        Loop {
            active,
            params,
            exits,
            kept,
            used,
            together,
        }
    }

    /// Updates the loop's variables after an iteration; returns the lanes that continue.
    fn end_iteration(
        &mut self,
        iteration: &Iteration,
        header: Block,
        active: clif::Value,
        variables: &Loop,
    ) -> clif::Value {
        let (again, params) = self.meet(iteration, header);
        let again = again.unwrap_or(active);
        self.keep_left(iteration, active, variables);
        for (&(param, variable), next) in variables.params.iter().zip(params) {
            if variables.used[param] {
                // Lanes that leave keep their values.
                self.set_in(variable, Some(again), next);
            } else {
                self.set(variable, next);
            }
        }
        self.set_mask(variables.active, again);
        again
    }

    /// Saves the values of lanes that left in an iteration.
    fn keep_left(&mut self, iteration: &Iteration, active: clif::Value, variables: &Loop) {
        for exit in &variables.exits {
            let (mask, args) = self.meet(iteration, exit.target);
            let mask = mask.unwrap_or(active);
            for (&variable, number) in exit.args.iter().zip(args) {
                let mask = (!variables.together).then_some(mask);
                self.set_in(variable, mask, number);
            }
            if let Some(variable) = exit.mask {
                let before = self.get_mask(variable);
                let after = self.builder.ins().bor(before, mask);
                self.set_mask(variable, after);
            }
        }
        for &(value, variable) in &variables.kept {
            let active = (!variables.together).then_some(active);
            self.set_in(variable, active, self.value(value));
        }
    }

    /// The node of a loop that lanes entered with `mask`.
    fn leave_loop(&mut self, mask: Mask, variables: Loop) -> Node {
        for &(value, variable) in variables.params.iter().chain(&variables.kept) {
            self.values[value] = Some(self.get(variable));
        }
        let edges = variables.exits.into_iter().map(|exit| {
            let params = &self.form.function().blocks[exit.target].params;
            let args = exit.args.iter().zip(params);
            let args = args.map(|(&variable, &param)| (self.get(variable), self.range_of(param)));
            let args = args.collect();
            Edge {
                condition: exit.mask.map(|mask| self.get_mask(mask)),
                target: exit.target,
                args,
            }
        });
        Node {
            mask,
            edges: edges.collect(),
        }
    }
}

/// Whether an operation has an effect that is limited to the lanes of a mask.
fn needs_mask(op: Op) -> bool {
    matches!(
        op,
        Op::Index
            | Op::DieSides
            | Op::NotNegative
            | Op::DiceCount
            | Op::ExplosionsLeft
            | Op::RerollsLeft
            | Op::DiceLeft
            | Op::Output
            | Op::Stat
            | Op::NamedStat
    )
}

/// The blocks to which a loop exits.
pub(super) fn exits(function: &Function, inside: &SecondaryMap<Block, bool>) -> Vec<Block> {
    let mut exits = Vec::new();
    for (_, data) in function.blocks.iter().filter(|(block, _)| inside[*block]) {
        for target in data.terminator.iter().flat_map(Terminator::targets) {
            if !inside[target.block] && !exits.contains(&target.block) {
                exits.push(target.block);
            }
        }
    }
    exits
}

/// The values that these blocks define, except the header's parameters.
fn defined_inside(
    function: &Function,
    inside: &SecondaryMap<Block, bool>,
    header: Block,
) -> Vec<ir::Value> {
    let mut defined = Vec::new();
    for (block, data) in function.blocks.iter().filter(|(block, _)| inside[*block]) {
        if block != header {
            defined.extend(&data.params);
        }
        defined.extend(data.insts.iter().map(|&inst| function.insts[inst].result));
    }
    defined
}
