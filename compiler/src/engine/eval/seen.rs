//! What the parameters of loops are in a few trials: what lanes of 8 bits go by
//! ([`VectorForm::in_bytes`]).

use super::machine::Machine;
use crate::analysis::{Interval, loop_heads};
use crate::engine::vector_stat_windows;
use crate::engine::workspaces::Workspaces;
use crate::ir::cfg::ControlFlow;
use crate::ir::{Const, Type, Value};
use crate::pass::VectorForm;
use dicec_runtime::rng::Stream;
use rustc_hash::FxHashMap;

/// How many trials are looked at: enough to see numbers of the usual size, as a number is watched
/// in an interval that reaches twice as far.
const TRIALS: usize = 16;

/// The maximum number of blocks that they execute: long trials must not make compilation long.
const MAX_BLOCKS: usize = 1 << 15;

/// The seed of their dice: which form a script has depends on nothing else.
const SEED: u64 = 0x5ee5;

/// The intervals of the whole numbers that a few trials of a form pass to loops, of those that come
/// to one. `inputs` are those of its kernels; if they are none, there are no trials. Trials that
/// trap say what they were until then.
pub fn seen_in_trials(form: &VectorForm, inputs: &[i64]) -> Vec<(Value, Interval)> {
    let windows = vector_stat_windows(form, &form.ranges());
    let workspaces = Workspaces::new(&form.module, windows);
    let Ok(begun) = Workspaces::begin_lanes(workspaces.as_ref(), inputs) else {
        return Vec::new();
    };
    let workspace = begun.map(|(_, workspace)| workspace);
    let mut machine = Machine::new(&form.module, inputs, workspace);
    let mut dice = Stream::from_seed(SEED);
    let function = form.function();
    let heads = loop_heads(&ControlFlow::new(function));
    let mut seen: FxHashMap<Value, Interval> = FxHashMap::default();
    let mut left = MAX_BLOCKS;
    for _ in 0..TRIALS {
        let mut trial = machine.begin();
        while left > 0
            && let Ok(None) = machine.advance(&mut trial, &mut dice)
        {
            left -= 1;
            let block = trial.block();
            if !heads.contains(&block) {
                continue;
            }
            for &param in &function.blocks[block].params {
                if let Const::I64(number) = trial.value(param)
                    && function.value_type(param) == Type::I64
                {
                    let number = Interval::point(number);
                    let known = seen.entry(param).or_insert(number);
                    *known = known.join(number);
                }
            }
        }
    }
    let mut seen: Vec<_> = seen.into_iter().collect();
    seen.sort_unstable_by_key(|&(param, _)| param);
    seen
}
