//! The verifier. A function is well formed if
//!
//! 1. there is an entry block; it has no parameters and no branch leads to it;
//! 2. every block ends in a terminator, and branches lead to blocks of the function;
//! 3. every instruction stands in at most one block, and its result is defined by it;
//! 4. operands, immediates and results fit the row of the operation;
//! 5. a branch passes a value of the right type for each parameter, and decides by a `bool`;
//! 6. `return` gives a value of the function's type;
//! 7. every use is dominated by its definition (in unreachable blocks anything may be used);
//! 8. immediates are in range: sides in `1..=MAX_SIDES`, counts and limits up to `MAX_DICE_CEILING`, slots of
//!    resources and numbers of pools that exist, faces within `MAX_FACE` of 0.
//!
//! It runs after lowering and after every pass in debug builds and under fuzzing; back ends rely on it.

use super::cfg::ControlFlow;
use super::entity::{Block, Inst, Pool, Value};
use super::function::{Function, Imm, InstData, Target, Terminator, ValueDef};
use super::op::{ImmKind, Op, Type};
use cranelift_entity::SecondaryMap;
use dicec_runtime::limits::{MAX_CHAIN_CEILING, MAX_DICE_CEILING, MAX_FACE, MAX_SIDES};
use dicec_runtime::pool::Step;
use thiserror::Error;

/// The first invariant that does not hold, by its number in the module's list.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("invariant {invariant}: {message}")]
pub struct VerifyError {
    /// The number.
    pub invariant: u8,
    /// What is wrong and where.
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

/// Checks all invariants.
///
/// # Errors
/// The first one that does not hold.
pub fn verify(function: &Function) -> Verified {
    let entry = function.blocks.values().next();
    ensure(
        entry.is_some_and(|entry| entry.params.is_empty()),
        1,
        || "the entry block is missing or has parameters".to_owned(),
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
    let places = verify_places(function)?;
    let uses = Uses {
        function,
        graph: ControlFlow::new(function),
        places,
    };
    for (block, data) in &function.blocks {
        for (index, &inst) in data.insts.iter().enumerate() {
            let data = &function.insts[inst];
            verify_inst(function, data)?;
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

/// Where each instruction stands: its block and its place in it.
type Places = SecondaryMap<Inst, Option<(Block, usize)>>;

/// Invariant 3.
fn verify_places(function: &Function) -> Result<Places, VerifyError> {
    let mut places = Places::new();
    for (block, data) in &function.blocks {
        for (index, &inst) in data.insts.iter().enumerate() {
            let Some(inst_data) = function.insts.get(inst) else {
                ensure(false, 3, || format!("{inst} does not exist"))?;
                continue;
            };
            ensure(places[inst].is_none(), 3, || {
                format!("{inst} stands in two places")
            })?;
            places[inst] = Some((block, index));
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
    Ok(places)
}

/// Invariants 4 and 8.
fn verify_inst(function: &Function, data: &InstData) -> Verified {
    let info = data.op.info();
    let result = data.result;
    ensure(data.args.len() == info.params.len(), 4, || {
        format!("{result}: {} takes {} operands", data.op, info.params.len())
    })?;
    for (&arg, &param) in data.args.iter().zip(info.params) {
        let ty = function.values.get(arg).map(|value| value.0);
        ensure(ty == Some(param), 4, || {
            format!("{result}: {arg} is not of type {param}")
        })?;
    }
    ensure(function.value_type(result) == info.result, 4, || {
        format!("{result} is not of type {}", info.result)
    })?;
    verify_imm(function, data)
}

fn verify_imm(function: &Function, data: &InstData) -> Verified {
    let in_range = match (data.op.info().imm, data.imm) {
        (ImmKind::None, Imm::None)
        | (ImmKind::Int, Imm::Int(_))
        | (ImmKind::Float, Imm::Float(_))
        | (ImmKind::Bool, Imm::Bool(_)) => true,
        (ImmKind::Slot, Imm::Slot(slot)) => (slot as usize) < function.resources.len(),
        (ImmKind::Dice, Imm::Dice { count, sides }) => {
            count <= MAX_DICE_CEILING && (1..=MAX_SIDES).contains(&sides)
        }
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

/// Invariant 8 for a step on a pool.
fn verify_step(function: &Function, pool: Pool, step: Step) -> bool {
    let exists = |number: u32| (number as usize) < function.pools.len();
    let in_range = match step {
        Step::Join(other) => other != pool.as_u32() && exists(other),
        Step::Explode {
            most, most_dice, ..
        } => most <= MAX_CHAIN_CEILING && most_dice <= MAX_DICE_CEILING,
        Step::Reroll { most, .. } => most <= MAX_CHAIN_CEILING,
        _ => true,
    };
    exists(pool.as_u32()) && in_range
}

/// Invariants 5, 6 and 7.
struct Uses<'f> {
    function: &'f Function,
    graph: ControlFlow,
    places: Places,
}

impl Uses<'_> {
    /// Whether `args` are defined before place `index` of `block`.
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
            Some(ValueDef::Result(inst)) => match self.places[inst] {
                None => false,
                Some((home, place)) if home == block => place < index,
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
