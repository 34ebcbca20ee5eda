//! Functions of a value that is one of a few numbers: which record of a list, the number of a row,
//! a degree. Whatever is computed from such a value and constants only has a table, so that vector
//! lanes can look it up in one shuffle of bytes.

use crate::analysis::{FewValues, Ranges};
use crate::ir::cfg::ControlFlow;
use crate::ir::{Const, Function, InstData, Op, Terminator, Type, Value, evaluate};
use cranelift_entity::SecondaryMap;

/// A value depends on one of at most this many numbers.
const MAX_NUMBERS: usize = 32;

/// A shorter computation is not looked up: the shuffle and its operand take as long.
const MIN_OPERATIONS: usize = 4;

/// A value that follows from another one.
#[derive(Clone, Debug)]
pub(super) struct Tabulated {
    /// The other value.
    pub(super) key: Value,
    /// The numbers that the other value may be, in order.
    pub(super) keys: Vec<i64>,
    /// What this one is for each of them; truth values are 0 and 1.
    pub(super) results: Vec<i64>,
}

/// The values of a function that are worth looking up.
pub(super) struct Finite(SecondaryMap<Value, Option<Tabulated>>);

/// What is known of a value that follows from another one.
#[derive(Clone)]
struct Follows {
    key: Value,
    results: Vec<Const>,
    /// How many operations it takes, at most.
    operations: usize,
}

impl Finite {
    /// The table of a value, if it has one.
    pub(super) fn of(&self, value: Value) -> Option<&Tabulated> {
        self.0[value].as_ref()
    }

    /// Finds them from ranges that hold.
    pub(super) fn new(function: &Function, ranges: &Ranges) -> Self {
        let mut search = Search {
            function,
            ranges,
            few: FewValues::of(function),
            keys: SecondaryMap::new(),
            follows: SecondaryMap::new(),
        };
        let graph = ControlFlow::new(function);
        for &block in graph.reverse_postorder() {
            for &inst in &function.blocks[block].insts {
                let data = &function.insts[inst];
                search.follows[data.result] = search.result(data);
            }
        }
        Self(search.tables())
    }
}

struct Search<'f> {
    function: &'f Function,
    ranges: &'f Ranges,
    few: FewValues,
    /// The numbers of keys.
    keys: SecondaryMap<Value, Option<Vec<i64>>>,
    follows: SecondaryMap<Value, Option<Follows>>,
}

/// An operand of an operation that may follow from a key.
enum Operand {
    Constant(Const),
    /// Of this key.
    Of(Value),
}

impl Search<'_> {
    fn result(&mut self, data: &InstData) -> Option<Follows> {
        if !is_function(data.op) {
            return None;
        }
        let operands = data.args.iter().map(|&arg| self.operand(arg));
        let operands: Vec<Operand> = operands.collect::<Option<_>>()?;
        let mut keys = operands.iter().filter_map(|operand| match operand {
            Operand::Of(key) => Some(*key),
            Operand::Constant(_) => None,
        });
        let key = keys.next()?;
        if keys.any(|other| other != key) {
            return None;
        }
        let numbers = self.keys[key].clone()?;
        let results = (0..numbers.len()).map(|index| {
            let args = data.args.iter().zip(&operands).map(|(&arg, operand)| {
                Some(match operand {
                    Operand::Constant(constant) => *constant,
                    Operand::Of(key) if arg == *key => Const::I64(numbers[index]),
                    Operand::Of(_) => self.follows[arg].as_ref()?.results[index],
                })
            });
            evaluate(data.op, &args.collect::<Option<Vec<Const>>>()?, data.imm)?.ok()
        });
        let results = results.collect::<Option<_>>()?;
        let before = data.args.iter().map(|&arg| {
            let follows = self.follows[arg].as_ref();
            follows.map_or(0, |follows| follows.operations)
        });
        Some(Follows {
            key,
            results,
            operations: before.fold(1, usize::saturating_add),
        })
    }

    fn operand(&mut self, value: Value) -> Option<Operand> {
        let constant = match self.function.def(value) {
            Some(data) => match data.op {
                Op::Iconst | Op::Bconst => evaluate(data.op, &[], data.imm)?.ok(),
                _ => None,
            },
            None => None,
        };
        if let Some(constant) = constant {
            return Some(Operand::Constant(constant));
        }
        if let Some(follows) = &self.follows[value] {
            return Some(Operand::Of(follows.key));
        }
        if self.keys[value].is_none() {
            self.keys[value] = Some(self.numbers(value)?);
        }
        Some(Operand::Of(value))
    }

    /// The numbers that a value may be, if they are few.
    fn numbers(&self, value: Value) -> Option<Vec<i64>> {
        if self.function.value_type(value) != Type::I64 {
            return None;
        }
        if let Some(few) = self.few.numbers(value) {
            return Some(few.to_vec());
        }
        let range = self.ranges.of(value);
        let is_narrow = range.width() <= MAX_NUMBERS as u128;
        is_narrow.then(|| (range.low..=range.high).collect())
    }

    /// The tables of those that something else depends on than functions of the same key.
    fn tables(mut self) -> SecondaryMap<Value, Option<Tabulated>> {
        let mut tables: SecondaryMap<Value, Option<Tabulated>> = SecondaryMap::new();
        for value in self.needed() {
            let Some(follows) = self.follows[value].take() else {
                continue;
            };
            let keys = self.keys[follows.key].clone();
            if let Some(keys) = keys.filter(|_| follows.operations >= MIN_OPERATIONS) {
                let results = follows.results.into_iter().map(Const::to_cell);
                tables[value] = Some(Tabulated {
                    key: follows.key,
                    keys,
                    results: results.collect(),
                });
            }
        }
        tables
    }

    fn needed(&self) -> Vec<Value> {
        let mut needed = Vec::new();
        for (_, block) in self.function.blocks.iter() {
            for &inst in &block.insts {
                let data = &self.function.insts[inst];
                let key = self.follows[data.result]
                    .as_ref()
                    .map(|follows| follows.key);
                let others = data.args.iter().copied().filter(|&arg| {
                    let follows = self.follows[arg].as_ref();
                    follows.is_some_and(|follows| Some(follows.key) != key)
                });
                needed.extend(others);
            }
            let end: Option<Terminator> = block.terminator.clone();
            if let Some(mut end) = end {
                end.for_each_use(|&mut value| needed.push(value));
            }
        }
        needed
    }
}

/// Operations without effects on whole numbers and truth values that lanes have.
fn is_function(op: Op) -> bool {
    use Op::{
        Both, Btoi, Either, IaddWrap, IdivPos, Ieq, Ige, Igt, Ile, Ilt, Imax, Imin, ImulWrap, Ine,
        InegWrap, IsubWrap, Not, Select,
    };
    matches!(
        op,
        Both | Btoi
            | Either
            | IaddWrap
            | IdivPos
            | Ieq
            | Ige
            | Igt
            | Ile
            | Ilt
            | Imax
            | Imin
            | ImulWrap
            | Ine
            | InegWrap
            | IsubWrap
            | Not
            | Select
    )
}
