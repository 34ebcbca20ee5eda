//! Values that are one of a few numbers, whatever lies between: addresses, sides of dice.

use super::edge::Edge;
use crate::ir::cfg::ControlFlow;
use crate::ir::{Function, Imm, InstData, Op, Type, Value};
use cranelift_entity::SecondaryMap;
use dicec_runtime::ops;

/// The maximum number of values that are told apart.
const MAX_VALUES: usize = 16;

/// The numbers that each value may be, in order; `None` if they are unknown or too many.
pub(crate) struct FewValues(SecondaryMap<Value, Option<Vec<i64>>>);

impl FewValues {
    /// The numbers that a value may be.
    pub(crate) fn numbers(&self, value: Value) -> Option<&[i64]> {
        self.0[value].as_deref()
    }

    /// In one pass in reverse postorder: what depends on a later value is unknown.
    pub(crate) fn of(function: &Function) -> Self {
        let mut values = Self(SecondaryMap::new());
        let graph = ControlFlow::new(function);
        for &block in graph.reverse_postorder() {
            for (index, &param) in function.blocks[block].params.iter().enumerate() {
                if function.value_type(param) != Type::I64 {
                    continue;
                }
                let before = graph.predecessors(block).iter();
                let edges = before.flat_map(|&from| Edge::between(function, from, block));
                let args = edges.map(|edge| edge.target.args[index]);
                values.0[param] = values.union(args);
            }
            for &inst in &function.blocks[block].insts {
                let data = &function.insts[inst];
                values.0[data.result] = values.result(function, data);
            }
        }
        values
    }

    fn result(&self, function: &Function, data: &InstData) -> Option<Vec<i64>> {
        let pairs = |apply: fn(i64, i64) -> Option<i64>| {
            let (left, right) = (
                self.0[data.args[0]].as_ref()?,
                self.0[data.args[1]].as_ref()?,
            );
            let all = left
                .iter()
                .flat_map(|&a| right.iter().map(move |&b| apply(a, b)));
            few(all.collect::<Option<_>>()?)
        };
        match data.op {
            Op::Iconst => function.as_iconst(data.result).map(|number| vec![number]),
            Op::Pool => match data.imm {
                Imm::Dice { count, sides }
                    if u64::from(count) * u64::from(sides) <= MAX_VALUES as u64 =>
                {
                    let (count, sides) = (i64::from(count), i64::from(sides));
                    few((count..=count * sides).collect())
                }
                _ => None,
            },
            Op::Select => self.union(data.args[1..].iter().copied()),
            Op::Iadd | Op::IaddWrap => pairs(i64::checked_add),
            Op::Isub | Op::IsubWrap => pairs(i64::checked_sub),
            Op::Imul | Op::ImulWrap => pairs(i64::checked_mul),
            // Others trap.
            Op::DieSides => {
                let mut sides = self.0[data.args[0]].clone()?;
                sides.retain(|&sides| sides >= 1);
                few(sides)
            }
            Op::NotNegative => {
                let mut counts = self.0[data.args[0]].clone()?;
                counts.retain(|&count| count >= 0);
                few(counts)
            }
            Op::DiceCount => {
                let counts = self.0[data.args[0]].as_ref()?.iter();
                few(counts.map(|&count| count.max(0)).collect())
            }
            Op::Index => self.0[data.args[0]].clone(),
            Op::Ior => pairs(|a, b| Some(ops::ior(a, b))),
            Op::IandNot => pairs(|a, b| Some(ops::iand_not(a, b))),
            Op::Imin => pairs(|a, b| Some(a.min(b))),
            Op::Imax => pairs(|a, b| Some(a.max(b))),
            _ => None,
        }
    }

    fn union(&self, values: impl Iterator<Item = Value>) -> Option<Vec<i64>> {
        let mut all = Vec::new();
        for value in values {
            all.extend(self.0[value].as_ref()?);
        }
        few(all)
    }
}

/// Each number once, in order, if they are few.
fn few(mut numbers: Vec<i64>) -> Option<Vec<i64>> {
    numbers.sort_unstable();
    numbers.dedup();
    (1..=MAX_VALUES).contains(&numbers.len()).then_some(numbers)
}
