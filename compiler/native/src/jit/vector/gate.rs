//! Joins in lanes: the value that each lane takes at a merge of paths.
//!
//! The parameters of a block are computed backward, from the edges into it to the beginning of the
//! iteration. A branch whose sides pass equal values disappears; one whose sides pass different
//! values becomes a select on its condition. That needs no mask, because the parameters of a lane
//! that does not reach the block are never used. (These are the gating functions of Tu and Padua,
//! "Efficient Building and Placing of Gating Functions", 1995.)

use super::lane::Lane;
use super::node::{Edge, Iteration};
use super::number::{Number, Ranged, TRUTHS};
use super::state::VectorEmitter;
use crate::analysis::Interval;
use crate::ir::Block;
use cranelift::codegen::ir as clif;
use cranelift::codegen::ir::{Endianness, Opcode};
use cranelift::prelude::{InstBuilder, MemFlagsData, types};
use dicec_runtime::bug;

/// A value, or a select between two earlier choices.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Choice {
    Value(Number, Interval),
    Either {
        condition: clif::Value,
        yes: usize,
        no: usize,
    },
}

/// Choices, each only once.
#[derive(Default)]
struct Choices(Vec<Choice>);

impl Choices {
    fn add(&mut self, choice: Choice) -> usize {
        if let Choice::Either { yes, no, .. } = choice
            && yes == no
        {
            return yes;
        }
        let known = self.0.iter().position(|&other| other == choice);
        known.unwrap_or_else(|| {
            self.0.push(choice);
            self.0.len() - 1
        })
    }

    /// The choice, at the beginning of the iteration, between the arguments that the paths to
    /// `target` pass for its parameter of this index.
    fn of_iteration(
        &mut self,
        iteration: &Iteration,
        target: Block,
        param: usize,
    ) -> Option<usize> {
        let mut chosen: Vec<Option<usize>> = vec![None; iteration.nodes.len()];
        for (index, node) in iteration.nodes.iter().enumerate().rev() {
            let mut here = None;
            for edge in node.edges.iter().rev() {
                let there = if edge.target == target {
                    let arg = edge.args.get(param);
                    arg.map(|&(number, range)| self.add(Choice::Value(number, range)))
                } else {
                    let next = iteration.node_of[edge.target].filter(|&next| next > index);
                    next.and_then(|next| chosen.get(next).copied().flatten())
                };
                here = self.either(edge, there, here);
            }
            chosen[index] = here;
        }
        chosen.first().copied().flatten()
    }

    fn either(&mut self, edge: &Edge, yes: Option<usize>, no: Option<usize>) -> Option<usize> {
        match (edge.condition, yes, no) {
            (Some(condition), Some(yes), Some(no)) => {
                let choice = Choice::Either { condition, yes, no };
                Some(self.add(choice))
            }
            _ => yes.or(no),
        }
    }

    /// The possible values of `last`, and the number of selects. The most frequent value comes
    /// first.
    fn ends(&self, last: usize) -> (Vec<usize>, usize) {
        let needed = self.needed(last);
        let mut uses = vec![0; self.0.len()];
        uses[last] = 1;
        let mut choices = 0;
        for (_, choice) in self
            .0
            .iter()
            .enumerate()
            .filter(|&(index, _)| needed[index])
        {
            if let Choice::Either { yes, no, .. } = *choice {
                choices += 1;
                uses[yes] += 1;
                uses[no] += 1;
            }
        }
        let all = 0..=last;
        let mut ends: Vec<usize> = all
            .filter(|&index| needed[index] && matches!(self.0[index], Choice::Value(..)))
            .collect();
        ends.sort_by_key(|&index| std::cmp::Reverse(uses[index]));
        (ends, choices)
    }

    /// The choices on which `last` depends.
    fn needed(&self, last: usize) -> Vec<bool> {
        let mut needed = vec![false; self.0.len()];
        needed[last] = true;
        for index in (0..=last).rev() {
            if let (true, Choice::Either { yes, no, .. }) = (needed[index], self.0[index]) {
                needed[yes] = true;
                needed[no] = true;
            }
        }
        needed
    }
}

impl VectorEmitter<'_, '_> {
    /// The parameter of this index of `target`, for the lanes that reach it in this iteration.
    pub(super) fn chosen(&mut self, iteration: &Iteration, target: Block, param: usize) -> Number {
        let mut choices = Choices::default();
        let Some(last) = choices.of_iteration(iteration, target, param) else {
            return Number::constant(0);
        };
        let (ends, count) = choices.ends(last);
        // One mask per value takes fewer steps, and parameters share the masks.
        let Some((&usual, others)) = ends.split_first().filter(|_| count >= ends.len()) else {
            return self.chosen_of(&choices, last, |_, value| value).0;
        };
        let value = |index: usize| match choices.0[index] {
            Choice::Value(number, range) => (number, range),
            Choice::Either { .. } => bug!("a choice is not a value").raise(),
        };
        let mut chosen = value(usual);
        for &other in others {
            let truth = |index: usize, _| {
                let truth = -i64::from(index == other);
                (Number::constant(truth), Interval::point(truth))
            };
            let (mask, _) = self.chosen_of(&choices, last, truth);
            let mask = self.mask_of_truth(mask);
            let value = value(other);
            chosen = (self.choose(mask, value, chosen), chosen.1.join(value.1));
        }
        chosen.0
    }

    /// Emits the choices on which `last` depends; `of` maps their values.
    fn chosen_of(
        &mut self,
        choices: &Choices,
        last: usize,
        of: impl Fn(usize, Ranged) -> Ranged,
    ) -> Ranged {
        let needed = choices.needed(last);
        let mut emitted = vec![(Number::constant(0), Interval::point(0)); choices.0.len()];
        let all = choices.0.iter().enumerate();
        for (index, &choice) in all.filter(|&(index, _)| needed[index]) {
            emitted[index] = match choice {
                Choice::Value(number, range) => of(index, (number, range)),
                Choice::Either { condition, yes, no } => {
                    let (yes, no) = (emitted[yes], emitted[no]);
                    (self.choose(condition, yes, no), yes.1.join(no.1))
                }
            };
        }
        emitted[last]
    }

    /// A select: `yes` in the lanes of the mask, `no` in the others.
    pub(super) fn choose(&mut self, mask: clif::Value, yes: Ranged, no: Ranged) -> Number {
        if yes.0 == no.0 {
            return no.0;
        }
        let mask = (Number::One(Lane::new(mask, 0)), TRUTHS);
        let range = yes.1.join(no.1);
        let chosen = self.on_lanes(&[mask, yes, no], range, |emitter, args| {
            let mask = emitter.above(args[0].0, 0);
            Some(emitter.choose_lanes(mask, args[1], args[2]))
        });
        chosen.unwrap_or_else(|| bug!("a choice of nothing").raise())
    }

    /// The same for numbers in lanes.
    pub(super) fn choose_lanes(
        &mut self,
        mask: clif::Value,
        yes: (Lane, Interval),
        no: (Lane, Interval),
    ) -> Lane {
        if yes.0 == no.0 {
            return no.0;
        }
        let name = [Lane::new(mask, 0), yes.0, no.0];
        self.choice_once(name, |emitter| emitter.choice(mask, yes, no))
    }

    fn choice(&mut self, mask: clif::Value, yes: (Lane, Interval), no: (Lane, Interval)) -> Lane {
        if let (Some(yes), Some(no)) = (yes.0.as_constant(), no.0.as_constant()) {
            return self.choose_constant(mask, yes, no);
        }
        let constants = [yes.0.as_constant(), no.0.as_constant()];
        let ([a, b], base) = self.aligned([yes, no]);
        let [yes, no] = constants.map(|constant| constant.map(|number| number.wrapping_sub(base)));
        let ins = self.builder.ins();
        let vector = match (yes, no) {
            (_, Some(0)) => ins.band(mask, a),
            (Some(0), _) => ins.band_not(b, mask),
            (Some(-1), _) => ins.bor(b, mask),
            (_, Some(-1)) => ins.bor_not(a, mask),
            _ => self.blend(mask, a, b),
        };
        Lane::new(vector, base)
    }

    /// `a` where the mask is -1, `b` where it is 0. Cranelift finds this instruction by itself only
    /// after a comparison.
    fn blend(&mut self, mask: clif::Value, a: clif::Value, b: clif::Value) -> clif::Value {
        let dfg = &self.builder.func.dfg;
        let def = dfg.value_def(mask).inst();
        let compared = def.is_some_and(|inst| dfg.insts[inst].opcode() == Opcode::Icmp);
        if compared || !self.has_blend {
            return self.builder.ins().bitselect(mask, a, b);
        }
        let little = MemFlagsData::new().with_endianness(Endianness::Little);
        let ins = &mut self.builder;
        let [mask, a, b] =
            [mask, a, b].map(|vector| ins.ins().bitcast(types::I8X16, little, vector));
        let blended = ins.ins().blendv(mask, a, b);
        ins.ins().bitcast(self.lanes, little, blended)
    }

    /// The same for two constants: the mask is already 0 or -1.
    fn choose_constant(&mut self, mask: clif::Value, yes: i64, no: i64) -> Lane {
        match yes.wrapping_sub(no) {
            0 => Lane::constant(no),
            -1 => Lane::new(mask, no),
            1 => Lane::new(mask, no.wrapping_neg()).negative(),
            more => {
                let more = self.splat(more);
                Lane::new(self.builder.ins().band(mask, more), no)
            }
        }
    }
}
