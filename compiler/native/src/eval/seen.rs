//! Collects the profile of a form ([`Seen`]) from sample trials.

use super::machine::{Machine, Trial};
use crate::analysis::{Interval, loop_heads};
use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Const, Function, Op, Type, Value};
use crate::pass::{Seen, VectorForm};
use crate::vector_stat_windows;
use crate::workspaces::Workspaces;
use cranelift_entity::SecondaryMap;
use dicec_runtime::rng::Stream;
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of sample trials: enough to see numbers of the usual size, because a guarded interval
/// reaches twice as far.
const TRIALS: usize = 16;

/// The maximum number of blocks that they execute: long trials must not make compilation long.
const MAX_BLOCKS: usize = 1 << 15;

/// The seed of the sample trials, fixed so that the form depends on nothing else.
const SEED: u64 = 0x5ee5;

/// The profile of a form. `inputs` are those of its kernels; if they are invalid, no trials run.
/// Trials that trap count up to the trap.
pub fn seen_in_trials(form: &VectorForm, inputs: &[i64]) -> Seen {
    let windows = vector_stat_windows(form, &form.ranges());
    let workspaces = Workspaces::new(&form.module, windows);
    let Ok(begun) = Workspaces::begin_lanes(workspaces.as_ref(), inputs) else {
        return Seen::default();
    };
    let workspace = begun.map(|(_, workspace)| workspace);
    let mut machine = Machine::new(&form.module, inputs, workspace);
    let mut dice = Stream::from_seed(SEED);
    let mut looking = Looking::at(form.function());
    let mut left = MAX_BLOCKS;
    for _ in 0..TRIALS {
        let mut trial = machine.begin();
        let mut block = trial.block();
        looking.arrives(&trial, block);
        while left > 0
            && let Ok(None) = machine.advance(&mut trial, &mut dice)
        {
            left -= 1;
            looking.leaves(&trial, block);
            block = trial.block();
            looking.arrives(&trial, block);
        }
    }
    looking.ends()
}

/// The profile while it is collected.
struct Looking<'f> {
    function: &'f Function,
    heads: FxHashSet<Block>,
    /// The conditions of a `select` that each block computes.
    conditions: SecondaryMap<Block, Vec<Value>>,
    params: FxHashMap<Value, Interval>,
    seen: Seen,
}

impl<'f> Looking<'f> {
    fn at(function: &'f Function) -> Self {
        let selects = function.live_insts().map(|inst| &function.insts[inst]);
        let selects = selects.filter(|data| data.op == Op::Select);
        let chosen: FxHashSet<Value> = selects.map(|data| data.args[0]).collect();
        let mut conditions: SecondaryMap<Block, Vec<Value>> = SecondaryMap::new();
        for (block, data) in &function.blocks {
            let results = data.insts.iter().map(|&inst| function.insts[inst].result);
            conditions[block] = results.filter(|result| chosen.contains(result)).collect();
        }
        Self {
            function,
            heads: loop_heads(&ControlFlow::new(function))
                .into_iter()
                .collect(),
            conditions,
            params: FxHashMap::default(),
            seen: Seen::default(),
        }
    }

    /// A trial reaches the beginning of a block.
    fn arrives(&mut self, trial: &Trial, block: Block) {
        self.seen.visits[block] += 1;
        if !self.heads.contains(&block) {
            return;
        }
        for &param in &self.function.blocks[block].params {
            if let Const::I64(number) = trial.value(param)
                && self.function.value_type(param) == Type::I64
            {
                let number = Interval::point(number);
                let known = self.params.entry(param).or_insert(number);
                *known = known.join(number);
            }
        }
    }

    /// A trial leaves a block.
    fn leaves(&mut self, trial: &Trial, block: Block) {
        for &condition in &self.conditions[block] {
            if matches!(trial.value(condition), Const::Bool(true)) {
                self.seen.holds[condition] += 1;
            }
        }
    }

    fn ends(mut self) -> Seen {
        self.seen.params = self.params.into_iter().collect();
        self.seen.params.sort_unstable_by_key(|&(param, _)| param);
        self.seen
    }
}
