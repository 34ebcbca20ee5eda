//! Value-set analysis: values with a few possible numbers, which need not be consecutive, such as
//! addresses and sides of dice.
//!
//! A value that is computed only from such a value has one result for each of its numbers: the
//! address of row `y` of a table has as many possible values as there are rows.

use super::edge::Edge;
use super::interval::Interval;
use super::ranges::Ranges;
use crate::ir::cfg::ControlFlow;
use crate::ir::{Const, Function, Imm, InstData, Op, Type, Value, evaluate};
use cranelift_entity::SecondaryMap;

/// The default maximum number of values in a set.
const MAX_VALUES: usize = 16;

/// The maximum number of pairs in an operation on two values.
const MAX_PAIRS: usize = 256;

/// The possible numbers of each value.
pub(crate) struct FewValues(SecondaryMap<Value, Option<Few>>);

impl FewValues {
    /// The possible numbers of a value, in order; `None` if they are unknown or too many.
    pub(crate) fn numbers(&self, value: Value) -> Option<&[i64]> {
        self.0[value].as_ref()?.numbers.as_deref()
    }

    /// Computed in one pass in reverse postorder: a value that depends on a later one is unknown.
    pub(crate) fn of(function: &Function) -> Self {
        Self(Search::new(None, MAX_VALUES).all(function))
    }

    /// The same for values in these ranges, with at most `most` numbers each: an index into a short
    /// list has few possible numbers, wherever it comes from.
    pub(crate) fn within(function: &Function, ranges: &Ranges, most: usize) -> Self {
        Self(Search::new(Some(ranges), most).all(function))
    }
}

/// The value set of a value.
#[derive(Clone)]
struct Few {
    /// The value that it depends on, if it is not a constant.
    root: Option<Value>,
    /// Its value for each number of the root; `None` if a trial does not get there.
    results: Vec<Option<Const>>,
    /// The distinct numbers in order; `None` for truth values.
    numbers: Option<Vec<i64>>,
}

/// The value sets found so far.
struct Search<'r> {
    found: SecondaryMap<Value, Option<Few>>,
    /// The ranges of the values, if they are known.
    ranges: Option<&'r Ranges>,
    most: usize,
}

impl<'r> Search<'r> {
    fn new(ranges: Option<&'r Ranges>, most: usize) -> Self {
        Self {
            found: SecondaryMap::new(),
            ranges,
            most,
        }
    }

    fn all(mut self, function: &Function) -> SecondaryMap<Value, Option<Few>> {
        let graph = ControlFlow::new(function);
        for &block in graph.reverse_postorder() {
            for (index, &param) in function.blocks[block].params.iter().enumerate() {
                if function.value_type(param) != Type::I64 {
                    continue;
                }
                let before = graph.predecessors(block).iter();
                let edges = before.flat_map(|&from| Edge::between(function, from, block));
                let args = edges.map(|edge| edge.target.args[index]);
                self.found[param] = self.own(param, self.union(args));
            }
            for &inst in &function.blocks[block].insts {
                let data = &function.insts[inst];
                if function.value_type(data.result) != Type::F64 {
                    self.found[data.result] = self.result(data);
                }
            }
        }
        self.found
    }

    fn result(&self, data: &InstData) -> Option<Few> {
        let args = data.args.iter().map(|&arg| self.found[arg].as_ref());
        let args: Option<Vec<&Few>> = args.collect();
        if let Some(few) = args.and_then(|args| self.computed(data, &args)) {
            return Some(few);
        }
        let numbers = match (data.op, data.imm) {
            (Op::Pool, Imm::Dice { count, sides })
                if u64::from(count) * u64::from(sides) <= self.most as u64 =>
            {
                let (count, sides) = (i64::from(count), i64::from(sides));
                self.few((count..=count * sides).collect())
            }
            (Op::Select, _) => self.union(data.args[1..].iter().copied()),
            (Op::Index, _) => self.union([data.args[0]].into_iter()),
            _ => None,
        };
        self.own(data.result, numbers)
    }

    /// The result of an operation on values of few numbers.
    fn computed(&self, data: &InstData, args: &[&Few]) -> Option<Few> {
        let apply = |args: &[Const]| evaluate(data.op, args, data.imm).map(Result::ok);
        let mut roots = args.iter().filter_map(|few| few.root);
        let first = roots.next();
        if let (&[a, b], Some(_)) = (args, roots.find(|&root| Some(root) != first)) {
            let (a, b) = (a.numbers.as_ref()?, b.numbers.as_ref()?);
            if a.len() * b.len() > MAX_PAIRS {
                return None;
            }
            let pairs = a.iter().flat_map(|&a| b.iter().map(move |&b| [a, b]));
            let results = pairs.map(|pair| apply(&pair.map(Const::I64)));
            let results: Vec<Option<Const>> = results.collect::<Option<_>>()?;
            let numbers = numbers(&results).and_then(|numbers| self.few(numbers));
            return self.own(data.result, numbers);
        }
        let of_one_root = args
            .iter()
            .all(|few| few.root.is_none() || few.root == first);
        if !of_one_root {
            return None;
        }
        let count = args.iter().map(|few| few.results.len()).max().unwrap_or(1);
        let results = (0..count).map(|at| {
            let args = args.iter().map(|few| match few.root {
                Some(_) => few.results[at],
                None => few.results[0],
            });
            match args.collect::<Option<Vec<Const>>>() {
                Some(args) => apply(&args),
                None => Some(None),
            }
        });
        let results: Vec<Option<Const>> = results.collect::<Option<_>>()?;
        let few = Few {
            root: first,
            numbers: numbers(&results).and_then(|numbers| self.few(numbers)),
            results,
        };
        Some(self.in_range(data.result, few))
    }

    /// A value with these possible numbers, independent of other values; without them, the numbers
    /// of its range.
    fn own(&self, value: Value, numbers: Option<Vec<i64>>) -> Option<Few> {
        let numbers = numbers.or_else(|| {
            let range = self.ranges?.of(value);
            self.few(range.numbers(self.most)?)
        })?;
        let few = Few {
            root: Some(value),
            results: numbers
                .iter()
                .map(|&number| Some(Const::I64(number)))
                .collect(),
            numbers: Some(numbers),
        };
        Some(self.in_range(value, few))
    }

    /// A value without the numbers that are not in its range.
    fn in_range(&self, value: Value, mut few: Few) -> Few {
        let range = self.ranges.map(|ranges| ranges.of(value));
        if let (Some(Interval { low, high }), Some(numbers)) = (range, &mut few.numbers) {
            let is_there = |number: &i64| (low..=high).contains(number);
            numbers.retain(is_there);
            for result in &mut few.results {
                *result = result.filter(|result| is_there(&result.to_cell()));
            }
        }
        few
    }

    fn union(&self, values: impl Iterator<Item = Value>) -> Option<Vec<i64>> {
        let mut all = Vec::new();
        for value in values {
            all.extend(self.found[value].as_ref()?.numbers.as_ref()?);
        }
        self.few(all)
    }

    /// The distinct numbers in order, if there are few.
    fn few(&self, mut numbers: Vec<i64>) -> Option<Vec<i64>> {
        numbers.sort_unstable();
        numbers.dedup();
        (1..=self.most).contains(&numbers.len()).then_some(numbers)
    }
}

/// The numbers among results; `None` if there are truth values.
fn numbers(results: &[Option<Const>]) -> Option<Vec<i64>> {
    let numbers = results.iter().flatten().map(|result| match result {
        Const::I64(number) => Some(*number),
        _ => None,
    });
    numbers.collect()
}
