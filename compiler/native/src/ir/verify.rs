//! The verifier. A function is well formed if
//!
//! 1. there is an entry block; its parameters are whole numbers, a trial has none, and no branch
//!    leads to it;
//! 2. every block ends in a terminator, and branches lead to blocks of the function;
//! 3. every instruction is in at most one block, and it defines its result;
//! 4. operands, immediates and results fit the row of the operation;
//! 5. a branch passes a value of the right type for each parameter, and its condition is a `bool`;
//! 6. `return` gives a value of the function's type;
//! 7. every use is dominated by its definition (in unreachable blocks anything may be used);
//! 8. immediates are in range: sides in `1..=MAX_SIDES`, counts and limits up to
//!    `MAX_DICE_CEILING`, slots of resources or open words, numbers of pools and draws that exist,
//!    faces within `MAX_FACE` of 0 (whether a draw has a table is checked when it is made); open
//!    words are words of the known argument block, in order, and only these have a range;
//! 9. fields, kinds of lists, sites, statistics and functions exist in the module's tables;
//! 10. no field that `peek` reads is ever written, and lists that `append` changes may grow;
//! 11. a call passes as many whole numbers as the function takes; the function returns a whole
//!     number; the trial is never called.
//!
//! It runs after lowering and after every pass in debug builds and under fuzzing. Back ends rely on
//! all of this.

use super::cfg::ControlFlow;
use super::entity::{Block, Inst, Pool, Value};
use super::function::{Function, Imm, InstData, Target, Terminator, ValueDef};
use super::module::{Module, Tables};
use super::op::{ImmKind, Op, Type};
use super::open::OpenWords;
use cranelift_entity::SecondaryMap;
use dicec_runtime::limits::{
    MAX_CHAIN_CEILING, MAX_DEPTH_CEILING, MAX_DICE_CEILING, MAX_FACE, MAX_FUEL_CEILING, MAX_SIDES,
};
use dicec_runtime::pool::Step;
use dicec_runtime::rng::draw::PACK_LIMIT;
use thiserror::Error;

/// The first invariant that does not hold, by its number in the module's list.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("invariant {invariant}: {message}")]
pub struct VerifyError {
    /// The number.
    pub invariant: u8,
    /// The violated invariant, and its place.
    pub message: String,
}

type Verified = Result<(), VerifyError>;

fn ensure(holds: bool, invariant: u8, message: impl FnOnce() -> String) -> Verified {
    if holds {
        return Ok(());
    }
    Err(VerifyError {
        invariant,
        message: message(),
    })
}

/// Checks all invariants of a module.
///
/// # Errors
/// The first one that does not hold.
pub fn verify(module: &Module) -> Verified {
    let trial = module.functions.values().next();
    ensure(trial.is_some(), 1, || "there is no trial".to_owned())?;
    trial.map_or(Ok(()), verify_trial)?;
    verify_open(&module.tables)?;
    for function in module.functions.values() {
        verify_function(function, &module.tables)?;
        for inst in function.live_insts() {
            verify_call(module, &function.insts[inst])?;
        }
    }
    Ok(())
}

/// Invariant 1 for a trial.
fn verify_trial(function: &Function) -> Verified {
    let entry = function.blocks.values().next();
    let takes_none = entry.is_none_or(|entry| entry.params.is_empty());
    ensure(takes_none, 1, || "the trial has parameters".to_owned())
}

/// Invariant 8 for open words.
fn verify_open(tables: &Tables) -> Verified {
    let words = tables.known.as_deref().unwrap_or_default().len();
    let open = &tables.open.addresses;
    let exist = open.iter().all(|&address| (address as usize) < words);
    ensure(exist && open.is_sorted(), 8, || {
        "an open word is not a word of the known block, or out of order".to_owned()
    })?;
    let is_of_words = !open.is_empty() || tables.open == OpenWords::default();
    ensure(is_of_words, 8, || {
        "there is a range of open words, but no open word".to_owned()
    })
}

/// Invariants 9 and 11 for a call.
fn verify_call(module: &Module, data: &InstData) -> Verified {
    let Imm::Call(function, _) = data.imm else {
        return Ok(());
    };
    let Some(called) = module.functions.get(function) else {
        return ensure(false, 9, || format!("{}: no {function}", data.result));
    };
    let takes = called
        .blocks
        .values()
        .next()
        .map(|entry| entry.params.len());
    let fits = takes == Some(data.args.len()) && called.result == Type::I64;
    ensure(fits && function.as_u32() > 0, 11, || {
        format!("{} does not call {function} as it is", data.result)
    })
}

/// Checks all invariants of one function, except those of its calls, in a module with these tables.
///
/// # Errors
/// The first violation.
pub fn verify_function(function: &Function, tables: &Tables) -> Verified {
    let entry = function.blocks.values().next();
    let whole = |&param: &Value| function.values.get(param).map(|value| value.0) == Some(Type::I64);
    ensure(
        entry.is_some_and(|entry| entry.params.iter().all(whole)),
        1,
        || "the entry block is missing or has a parameter that is not a whole number".to_owned(),
    )?;
    for (block, data) in &function.blocks {
        ensure(data.terminator.is_some(), 2, || {
            format!("{block} has no end")
        })?;
        for target in data.terminator.iter().flat_map(Terminator::targets) {
            verify_target(function, block, target)?;
        }
    }
    for (pool, faces) in &function.pools {
        let in_range = faces
            .iter()
            .all(|face| face.unsigned_abs() <= MAX_FACE.unsigned_abs());
        ensure(in_range, 8, || format!("{pool} has a face out of range"))?;
    }
    let positions = verify_positions(function)?;
    let uses = Uses {
        function,
        graph: ControlFlow::new(function),
        positions,
    };
    for (block, data) in &function.blocks {
        for (index, &inst) in data.insts.iter().enumerate() {
            let data = &function.insts[inst];
            verify_inst(function, tables, data)?;
            verify_tables(tables, data)?;
            uses.verify(block, index, &data.args)?;
        }
        uses.verify_terminator(block)?;
    }
    Ok(())
}

/// Invariants 1, 2 and 5 for one destination.
fn verify_target(function: &Function, from: Block, target: &Target) -> Verified {
    ensure(target.block != function.entry(), 1, || {
        format!("{from} leads to the entry block")
    })?;
    let Some(data) = function.blocks.get(target.block) else {
        return ensure(false, 2, || format!("{from} leads to {}", target.block));
    };
    ensure(target.args.len() == data.params.len(), 5, || {
        format!(
            "{from} passes {} values to {}, which takes {}",
            target.args.len(),
            target.block,
            data.params.len()
        )
    })
}

/// The position of each instruction: its block and its index there.
type Positions = SecondaryMap<Inst, Option<(Block, usize)>>;

/// Invariant 3.
fn verify_positions(function: &Function) -> Result<Positions, VerifyError> {
    let mut positions = Positions::new();
    for (block, data) in &function.blocks {
        for (index, &inst) in data.insts.iter().enumerate() {
            let Some(inst_data) = function.insts.get(inst) else {
                ensure(false, 3, || format!("{inst} does not exist"))?;
                continue;
            };
            ensure(positions[inst].is_none(), 3, || {
                format!("{inst} is in two blocks, or twice in one")
            })?;
            positions[inst] = Some((block, index));
            let result = inst_data.result;
            let def = function.values.get(result).map(|value| value.1);
            ensure(def == Some(ValueDef::Result(inst)), 3, || {
                format!("{result} is not the result of {inst}")
            })?;
        }
        for &param in &data.params {
            let def = function.values.get(param).map(|value| value.1);
            ensure(def == Some(ValueDef::Param(block)), 3, || {
                format!("{param} is not a parameter of {block}")
            })?;
        }
    }
    Ok(positions)
}

/// Invariants 4 and 8.
fn verify_inst(function: &Function, tables: &Tables, data: &InstData) -> Verified {
    let info = data.op.info();
    let result = data.result;
    let fits = data.args.len() == info.params.len()
        || info.variadic && data.args.len() > info.params.len();
    ensure(fits, 4, || {
        format!("{result}: {} takes {} operands", data.op, info.params.len())
    })?;
    let rest = std::iter::repeat(&Type::I64);
    for (&arg, &param) in data.args.iter().zip(info.params.iter().chain(rest)) {
        let ty = function.values.get(arg).map(|value| value.0);
        ensure(ty == Some(param), 4, || {
            format!("{result}: {arg} is not of type {param}")
        })?;
    }
    ensure(function.value_type(result) == info.result, 4, || {
        format!("{result} is not of type {}", info.result)
    })?;
    verify_imm(function, tables, data)
}

fn verify_imm(function: &Function, tables: &Tables, data: &InstData) -> Verified {
    let in_range = match (data.op.info().imm, data.imm) {
        (ImmKind::Int, Imm::Int(amount)) => match data.op {
            Op::Iconst => true,
            Op::Word => (1..=PACK_LIMIT.cast_signed()).contains(&amount),
            Op::Face => (1..=MAX_SIDES.into()).contains(&amount),
            Op::Depth => (0..=MAX_DEPTH_CEILING.into()).contains(&amount),
            _ => (0..=MAX_FUEL_CEILING.into()).contains(&amount),
        },
        (ImmKind::None, Imm::None)
        | (ImmKind::Float, Imm::Float(_))
        | (ImmKind::Bool, Imm::Bool(_))
        | (ImmKind::Field, Imm::Field(_))
        | (ImmKind::List, Imm::List(_))
        | (ImmKind::Site, Imm::Site(_))
        | (ImmKind::Stat, Imm::Stat(_)) => true,
        (ImmKind::Call, Imm::Call(_, deeper)) => deeper <= MAX_DEPTH_CEILING,
        (ImmKind::Slot, Imm::Slot(slot)) => {
            (slot as usize) < function.resources.len() || tables.open.contains(slot)
        }
        (ImmKind::Dice, Imm::Dice { count, sides }) => {
            count <= MAX_DICE_CEILING && (1..=MAX_SIDES).contains(&sides)
        }
        (ImmKind::Draw, Imm::Draw(draw)) => function.draws.is_valid(draw),
        (ImmKind::Limit, Imm::Limit(limit)) => limit <= MAX_DICE_CEILING,
        (ImmKind::Step, Imm::Step(pool, step)) if Op::of_step(step) == data.op => {
            verify_step(function, pool, step)
        }
        _ => {
            return ensure(false, 4, || {
                format!("{}: {} has the wrong immediate", data.result, data.op)
            });
        }
    };
    ensure(in_range, 8, || {
        format!("{}: {}{} is out of range", data.result, data.op, data.imm)
    })
}

/// Invariants 9 and 10.
fn verify_tables(tables: &Tables, data: &InstData) -> Verified {
    let missing = |what: String| ensure(false, 9, || format!("{}: no {what}", data.result));
    match data.imm {
        Imm::Field(field) => {
            let Some(known) = tables.fields.get(field) else {
                return missing(field.to_string());
            };
            ensure(data.op != Op::Peek || !known.written, 10, || {
                format!("{} peeks at {field}, which is written", data.result)
            })
        }
        Imm::List(kind) => {
            let Some(list) = tables.lists.get(kind) else {
                return missing(kind.to_string());
            };
            ensure(tables.grows(list), 10, || {
                format!("{} appends to {kind}, which does not grow", data.result)
            })
        }
        Imm::Site(site) if site as usize >= tables.sites.len() => missing(format!("site {site}")),
        Imm::Stat(stat) if stat as usize >= tables.stat_count() => missing(format!("stat {stat}")),
        _ => Ok(()),
    }
}

/// Invariant 8 for a step on a pool.
fn verify_step(function: &Function, pool: Pool, step: Step) -> bool {
    let exists = |number: u32| (number as usize) < function.pools.len();
    let in_range = match step {
        Step::Join(other) => other != pool.as_u32() && exists(other),
        Step::Explode { most, max_dice, .. } => {
            most <= MAX_CHAIN_CEILING && max_dice <= MAX_DICE_CEILING
        }
        Step::Reroll { most, .. } => most <= MAX_CHAIN_CEILING,
        _ => true,
    };
    exists(pool.as_u32()) && in_range
}

/// Invariants 5, 6 and 7.
struct Uses<'f> {
    function: &'f Function,
    graph: ControlFlow,
    positions: Positions,
}

impl Uses<'_> {
    /// Whether `args` are defined before index `index` of `block`.
    fn verify(&self, block: Block, index: usize, args: &[Value]) -> Verified {
        for &arg in args {
            ensure(self.is_defined(block, index, arg), 7, || {
                format!("{arg} is used in {block} where it is not defined")
            })?;
        }
        Ok(())
    }

    fn is_defined(&self, block: Block, index: usize, value: Value) -> bool {
        if !self.graph.is_reachable(block) {
            return true;
        }
        match self.function.values.get(value).map(|value| value.1) {
            None => false,
            Some(ValueDef::Param(home)) => self.graph.dominates(home, block),
            Some(ValueDef::Result(inst)) => match self.positions[inst] {
                None => false,
                Some((home, position)) if home == block => position < index,
                Some((home, _)) => self.graph.dominates(home, block),
            },
        }
    }

    fn verify_terminator(&self, block: Block) -> Verified {
        let data = &self.function.blocks[block];
        let Some(mut terminator) = data.terminator.clone() else {
            return Ok(());
        };
        let mut used = Vec::new();
        terminator.for_each_use(|&mut value| used.push(value));
        self.verify(block, usize::MAX, &used)?;
        // From here on, all values used exist.
        let type_of = |value| self.function.values.get(value).map(|value| value.0);
        match &terminator {
            Terminator::Return(value) => {
                ensure(type_of(*value) == Some(self.function.result), 6, || {
                    format!(
                        "{block} does not return a value of type {}",
                        self.function.result
                    )
                })?;
            }
            Terminator::Branch { condition, .. } => {
                ensure(type_of(*condition) == Some(Type::Bool), 5, || {
                    format!("{block} decides by {condition}, which is not a bool")
                })?;
            }
            Terminator::Jump(_) => {}
        }
        for target in terminator.targets() {
            let params = &self.function.blocks[target.block].params;
            for (&arg, &param) in target.args.iter().zip(params) {
                ensure(type_of(arg) == type_of(param), 5, || {
                    format!("{block} passes {arg} for {param}, which is of another type")
                })?;
            }
        }
        Ok(())
    }
}
