//! Collects the profile of a form ([`Seen`]) from sample trials.

use super::machine::{Machine, Trial};
use crate::analysis::{Interval, loop_heads};
use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Const, Function, Type, Value};
use crate::pass::{Seen, VectorForm};
use crate::vector_stat_windows;
use crate::workspaces::Workspaces;
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
        looking.arrives(&trial);
        while left > 0
            && let Ok(None) = machine.advance(&mut trial, &mut dice)
        {
            left -= 1;
            looking.arrives(&trial);
        }
    }
    looking.ends()
}

/// The profile while it is collected.
struct Looking<'f> {
    function: &'f Function,
    heads: FxHashSet<Block>,
    params: FxHashMap<Value, Interval>,
}

impl<'f> Looking<'f> {
    fn at(function: &'f Function) -> Self {
        Self {
            function,
            heads: loop_heads(&ControlFlow::new(function))
                .into_iter()
                .collect(),
            params: FxHashMap::default(),
        }
    }

    /// A trial reaches the beginning of a block.
    fn arrives(&mut self, trial: &Trial) {
        let block = trial.block();
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

    fn ends(self) -> Seen {
        let mut params: Vec<(Value, Interval)> = self.params.into_iter().collect();
        params.sort_unstable_by_key(|&(param, _)| param);
        Seen { params }
    }
}
