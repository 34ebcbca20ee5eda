//! Subexpressions of dice that can be fused into one draw: everything that one value, the *root*,
//! is computed from, if nothing else uses it.
//!
//! ```text
//!     v0 = pool 2 6
//!     v1 = pool 1 8
//!     v2 = iadd v0, v1        ; the root, if nothing else uses v0 and v1
//! ```
//!
//! A DAG is in one block, and consists of constants, dice with known count and sides, steps on
//! pools that it owns, and operations on whole numbers and truth values. [`super::fused_draw`]
//! computes its distribution.

use crate::ir::{Block, Function, FunctionBuilder, Imm, Inst, Op, Pool, Type, Value, ValueDef};
use cranelift_entity::SecondaryMap;
use dicec_runtime::pool::Step;
use rustc_hash::FxHashMap;

/// The maximum number of instructions: a larger DAG would not have a table.
const MAX_INSTS: usize = 250;

/// The uses of values and pools in a function.
pub(crate) struct Uses {
    /// The instructions that read a value.
    readers: SecondaryMap<Value, Vec<Inst>>,
    /// Whether the terminator of a block reads it.
    escapes: SecondaryMap<Value, bool>,
    /// The position of an instruction.
    positions: SecondaryMap<Inst, Option<(Block, usize)>>,
    /// The steps on a pool.
    steps: SecondaryMap<Pool, Vec<Inst>>,
    /// Whether some block reads dice that another block left in a pool, instead of restarting the
    /// pool.
    is_handed_on: SecondaryMap<Pool, bool>,
}

impl Uses {
    pub(crate) fn of(function: &Function) -> Self {
        let mut uses = Self {
            readers: SecondaryMap::new(),
            escapes: SecondaryMap::new(),
            positions: SecondaryMap::new(),
            steps: SecondaryMap::new(),
            is_handed_on: SecondaryMap::new(),
        };
        for (block, data) in &function.blocks {
            let mut begun: SecondaryMap<Pool, bool> = SecondaryMap::new();
            for (index, &inst) in data.insts.iter().enumerate() {
                uses.positions[inst] = Some((block, index));
                let data = &function.insts[inst];
                data.args
                    .iter()
                    .for_each(|&arg| uses.readers[arg].push(inst));
                if let Imm::Step(pool, step) = data.imm {
                    begun[pool] |= step == Step::Draw;
                    uses.step(pool, inst, begun[pool]);
                    if let Step::Join(other) = step {
                        let other = Pool::from_u32(other);
                        uses.step(other, inst, begun[other]);
                    }
                }
            }
            if let Some(terminator) = &data.terminator {
                let mut terminator = terminator.clone();
                terminator.for_each_use(|value| uses.escapes[*value] = true);
            }
        }
        uses
    }

    fn step(&mut self, pool: Pool, inst: Inst, begun: bool) {
        self.steps[pool].push(inst);
        self.is_handed_on[pool] |= !begun;
    }

    /// The steps that may be on the same dice as one in this block. An unrolled loop uses the same
    /// pool in several blocks.
    fn steps_with(&self, pool: Pool, block: Block) -> impl Iterator<Item = Inst> {
        let is_handed_on = self.is_handed_on[pool];
        let steps = self.steps[pool].iter().copied();
        steps.filter(move |&inst| {
            is_handed_on || self.positions[inst].is_none_or(|(home, _)| home == block)
        })
    }
}

/// A subexpression of dice.
pub(crate) struct ExpressionDag {
    /// Its instructions, in order; the last is the root.
    insts: Vec<Inst>,
    /// The instructions that cannot be copied: dice, and computations from them.
    pub(crate) rolled: Vec<Inst>,
}

impl ExpressionDag {
    /// The DAG of `root`, if it can be fused.
    pub(crate) fn of(function: &Function, uses: &Uses, root: Inst) -> Option<Self> {
        let (home, _) = uses.positions[root]?;
        let mut known: SecondaryMap<Inst, bool> = SecondaryMap::new();
        let (mut insts, mut pending) = (Vec::new(), vec![root]);
        while let Some(inst) = pending.pop() {
            if std::mem::replace(&mut known[inst], true) {
                continue;
            }
            let data = &function.insts[inst];
            let (block, index) = uses.positions[inst]?;
            let near = block == home || data.op == Op::Iconst;
            if !near || !is_allowed(data.op, data.imm) || insts.len() == MAX_INSTS {
                return None;
            }
            // Numbers of other blocks come first.
            insts.push((block == home, index, inst));
            for &arg in &data.args {
                match function.values[arg].1 {
                    ValueDef::Result(inst) => pending.push(inst),
                    ValueDef::Param(_) => return None,
                }
            }
            if let Imm::Step(pool, _) = data.imm {
                pending.extend(uses.steps_with(pool, block));
            }
        }
        insts.sort_unstable();
        let insts: Vec<Inst> = insts.into_iter().map(|(_, _, inst)| inst).collect();
        let rolled = rolled(function, &insts);
        let alone = rolled.iter().filter(|&&inst| inst != root).all(|&inst| {
            let value = function.insts[inst].result;
            !uses.escapes[value] && uses.readers[value].iter().all(|&reader| known[reader])
        });
        // Steps after the root would be lost.
        let whole = insts.last() == Some(&root) && rolled.last() == Some(&root);
        (alone && whole).then_some(Self { insts, rolled })
    }

    /// The DAG as a function; a truth value becomes 1 or 0.
    pub(crate) fn code(&self, function: &Function) -> Option<Function> {
        let mut builder = FunctionBuilder::new(Type::I64, Vec::new());
        let mut values: FxHashMap<Value, Value> = FxHashMap::default();
        let mut pools: FxHashMap<Pool, Pool> = FxHashMap::default();
        let mut last = None;
        for &inst in &self.insts {
            let data = &function.insts[inst];
            let imm = match data.imm {
                Imm::Step(pool, step) => {
                    let faces = &function.pools[pool];
                    let own = pools.entry(pool);
                    Imm::Step(*own.or_insert_with(|| builder.pool(faces.clone())), step)
                }
                imm => imm,
            };
            let args: Option<Vec<Value>> = data
                .args
                .iter()
                .map(|arg| values.get(arg).copied())
                .collect();
            let value = builder.inst(data.op, &args?, imm);
            values.insert(data.result, value);
            last = Some((value, data.op.info().result));
        }
        let result = match last? {
            (truth, Type::Bool) => builder.inst(Op::Btoi, &[truth], Imm::None),
            (number, _) => number,
        };
        builder.ret(result);
        Some(builder.finish())
    }
}

/// Those that are dice, or computed from dice.
fn rolled(function: &Function, insts: &[Inst]) -> Vec<Inst> {
    let mut is_rolled: SecondaryMap<Value, bool> = SecondaryMap::new();
    let mut rolled = Vec::new();
    for &inst in insts {
        let data = &function.insts[inst];
        if data.op.info().effect || data.args.iter().any(|&arg| is_rolled[arg]) {
            is_rolled[data.result] = true;
            rolled.push(inst);
        }
    }
    rolled
}

fn is_allowed(op: Op, imm: Imm) -> bool {
    match imm {
        Imm::Step(_, step) => matches!(
            step,
            Step::Draw | Step::When(_) | Step::Bound(_) | Step::Select(_) | Step::Sum | Step::Count
        ),
        _ => op == Op::Pool || op.is_pure(),
    }
}
