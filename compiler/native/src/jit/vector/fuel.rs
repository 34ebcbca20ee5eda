//! Fuel in lanes: an upper bound on the fuel that any trial of the group has burned, which costs
//! one subtraction per iteration.
//!
//! A block's fuel counts for all lanes; an iteration counts its most expensive path. While the
//! bound is below [`VectorForm::fuel`], no trial can be out of fuel, and no number can exceed its
//! lane. After that, the code leaves the group to the evaluator, which counts the fuel of each
//! trial, and continues with the next group if all trials had enough. In a relay each lane has its
//! own bound, which is reset for each of its trials; narrow lanes count in units
//! ([`VectorForm::fuel_unit`]), and an iteration burns whole units.

use super::node::Mask;
use super::state::VectorEmitter;
use crate::analysis::Region;
use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Function, Imm, InstData, Op, Terminator, Value};
use crate::pass::VectorForm;
use cranelift::codegen::ir as clif;
use cranelift::frontend::{FunctionBuilder, Variable};
use cranelift::prelude::{InstBuilder, IntCC, types};
use cranelift_entity::SecondaryMap;
use dicec_runtime::rng::lanes::LaneWidth;

/// The remaining fuel; in a relay, that of each part of the lanes. None in a form that burns no
/// fuel in loops.
pub(super) fn variables(builder: &mut FunctionBuilder<'_>, form: &VectorForm) -> Vec<Variable> {
    let mut burns = false;
    for_each_loop(&form.region, &mut |region| {
        burns |= max_burned(form.function(), region) > 0;
    });
    let counters: &[clif::Type] = match (form.relay, form.width) {
        _ if !burns => &[],
        (None, _) => &[types::I64],
        (Some(_), LaneWidth::V8) => &[types::I16X8, types::I16X8],
        (Some(_), LaneWidth::V16) => &[types::I16X8],
        (Some(_), LaneWidth::V32) => &[types::I32X4],
    };
    let counters = counters.iter();
    counters
        .map(|&counter| builder.declare_var(counter))
        .collect()
}

fn for_each_loop(region: &Region, f: &mut impl FnMut(&Region)) {
    for inner in region.loops() {
        f(inner);
        for_each_loop(inner, f);
    }
}

/// The maximum fuel that a trial burns on one path through the region's own blocks.
fn max_burned(function: &Function, region: &Region) -> i64 {
    let mut inside: SecondaryMap<Block, bool> = SecondaryMap::new();
    region.for_each_block(&mut |block| inside[block] = true);
    let mut own: SecondaryMap<Block, bool> = SecondaryMap::new();
    for block in region.blocks() {
        own[block] = true;
    }
    let mut before: SecondaryMap<Block, i64> = SecondaryMap::new();
    let mut most = 0;
    let graph = ControlFlow::new(function);
    let order = graph.reverse_postorder().iter();
    for &block in order.filter(|&&block| inside[block]) {
        let data = &function.blocks[block];
        let burned = data.insts.iter().map(|&inst| {
            let data = &function.insts[inst];
            match (data.op, data.imm) {
                (Op::Fuel | Op::Burn, Imm::Int(units)) if own[block] => units,
                _ => 0,
            }
        });
        let burned = burned.fold(before[block], i64::saturating_add);
        most = most.max(burned);
        // Back edges lead to blocks that were visited before.
        for target in data.terminator.iter().flat_map(Terminator::targets) {
            before[target.block] = before[target.block].max(burned);
        }
    }
    most
}

/// The values that are used only to compute the fuel of another instruction of their block.
pub(super) fn only_burned(function: &Function) -> SecondaryMap<Value, bool> {
    let mut only = SecondaryMap::new();
    let mut needed: SecondaryMap<Value, bool> = SecondaryMap::new();
    let mut defined: SecondaryMap<Value, Option<Block>> = SecondaryMap::new();
    for (block, data) in &function.blocks {
        for &inst in &data.insts {
            defined[function.insts[inst].result] = Some(block);
        }
    }
    for (block, data) in &function.blocks {
        if let Some(end) = &data.terminator {
            end.clone().for_each_use(|&mut value| needed[value] = true);
        }
        let args = data
            .insts
            .iter()
            .flat_map(|&inst| &function.insts[inst].args);
        for &arg in args.filter(|&&arg| defined[arg] != Some(block)) {
            needed[arg] = true;
        }
    }
    for data in function.blocks.values() {
        for &inst in data.insts.iter().rev() {
            let InstData {
                op, args, result, ..
            } = &function.insts[inst];
            if *op == Op::Burn {
                continue;
            }
            only[*result] = !needed[*result] && op.may_be_dropped();
            if !only[*result] {
                args.iter().for_each(|&arg| needed[arg] = true);
            }
        }
    }
    only
}

impl VectorEmitter<'_, '_> {
    /// The bound at the beginning of a group.
    pub(super) fn begin_fuel(&mut self) {
        // The numbers of a trial that burns more may exceed their lanes, even if it does not trap.
        // A rule burns no fuel.
        let limit = i64::from(self.form.fuel);
        let burned = max_burned(self.form.function(), &self.form.region);
        let left = self
            .builder
            .ins()
            .iconst(types::I64, limit.saturating_sub(burned));
        if burned > limit {
            self.leave_if_negative(left);
        }
        self.set_fuel(left);
    }

    fn set_fuel(&mut self, left: clif::Value) {
        for &fuel in &self.fuel {
            self.builder.def_var(fuel, left);
        }
    }

    /// Fills the fuel of the lanes in which a trial begins, or of all.
    pub(super) fn refuel(&mut self, begun: Mask) {
        let full = self.full_fuel();
        let Some(begun) = begun.filter(|_| !self.fuel.is_empty()) else {
            return self.set_fuel(full);
        };
        let masks = self.masks_of(begun);
        for (fuel, mask) in self.fuel.clone().into_iter().zip(masks) {
            let left = self.builder.use_var(fuel);
            let left = self.builder.ins().bitselect(mask, full, left);
            self.builder.def_var(fuel, left);
        }
    }

    /// Burns the maximum fuel of an iteration of a loop; `active` are the lanes that are in it.
    pub(super) fn burn_iteration(&mut self, region: &Region, active: clif::Value) {
        let burned = max_burned(self.form.function(), region);
        let Some(&first) = self.fuel.first().filter(|_| burned > 0) else {
            return;
        };
        if self.form.relay.is_none() {
            let left = self.builder.use_var(first);
            let left = self.builder.ins().iadd_imm_s(left, -burned);
            self.builder.def_var(first, left);
            return self.leave_if_negative(left);
        }
        let units = burned.unsigned_abs().div_ceil(self.form.fuel_unit().into());
        let lanes = self.part_lanes();
        let units = self.splat_of(lanes, units as i64);
        let mut lefts = Vec::new();
        for fuel in self.fuel.clone() {
            let left = self.builder.use_var(fuel);
            let left = self.builder.ins().isub(left, units);
            self.builder.def_var(fuel, left);
            lefts.push(left);
        }
        // Narrowed, they keep their signs.
        let left = match lefts[..] {
            [low, high] => self.narrowed(low, high),
            _ => lefts[0],
        };
        let zero = self.splat(0);
        let ins = &mut self.builder;
        let none = ins.ins().icmp(IntCC::SignedGreaterThan, zero, left);
        let none = ins.ins().band(none, active);
        let any = ins.ins().vany_true(none);
        self.leave_if(any);
    }

    /// The units of fuel of each lane when its trial begins, in a relay.
    fn full_fuel(&mut self) -> clif::Value {
        let burned = max_burned(self.form.function(), &self.form.region);
        let left = i64::from(self.form.fuel).saturating_sub(burned);
        let units = left.div_euclid(self.form.fuel_unit().into()).max(-1);
        let lanes = self.part_lanes();
        self.splat_of(lanes, units)
    }

    fn leave_if_negative(&mut self, left: clif::Value) {
        let ins = self.builder.ins();
        let none = ins.icmp_imm_s(IntCC::SignedLessThan, left, 0);
        self.leave_if(none);
    }
}
