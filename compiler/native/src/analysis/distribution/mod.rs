//! The exact distribution of the result of straight-line code, in integer weights.
//!
//! ```text
//! pools, steps on pools --closed forms--> sources --> operations on independent operands
//!                                            |
//!                                            +--> sums by rank, if all are equal: order.rs
//!                                            +--> all others: the joint outcomes of their sources
//! ```

mod order;

use crate::ir::{Const, Function, Imm, InstData, Op, Pool, Type, Value, evaluate};
use cranelift_entity::SecondaryMap;
use dashu_int::UBig;
use dicec_runtime::compare::CompareOp;
use dicec_runtime::pmf::{Budget, Limits, Pmf};
use dicec_runtime::pool::{Selector, Step};
use rustc_hash::FxHashMap;
use std::num::NonZeroU64;

type Distribution = Pmf<UBig>;

/// The maximum length of the code: the recursion is as deep as the code is long.
const MAX_INSTS: usize = 256;

/// Sets of sources are machine words.
const MAX_SOURCES: usize = 64;

/// The maximum number of joint outcomes, times the instructions evaluated for each: some
/// milliseconds.
const MAX_STEPS: u64 = 1 << 19;

/// The budget of closed forms, in the units of [`Limits`]: some milliseconds.
const LIMITS: Limits = Limits {
    work: 1 << 24,
    outcomes: 1 << 16,
};

/// The distribution of the result of `code`, a verified function. `None` if `code` is not
/// straight-line code with known dice that cannot trap, or if computing it takes too long.
pub(super) fn distribution(code: &Function) -> Option<Distribution> {
    let result = code.straight_result()?;
    if code.result != Type::I64 || code.live_insts().count() > MAX_INSTS {
        return None;
    }
    let mut distributions = Distributions::new(code);
    for inst in code.live_insts() {
        distributions.note(&code.insts[inst])?;
    }
    distributions.distribution(result)
}

/// The distributions of the values of the code.
struct Distributions<'f> {
    code: &'f Function,
    /// The independent random values (sources), with their distributions.
    sources: Vec<(Value, Distribution)>,
    /// The sources on which a value depends, one bit each; `None` if the value must not be used.
    depends: SecondaryMap<Value, Option<u64>>,
    tables: SecondaryMap<Pool, Option<Table>>,
    budget: Budget,
}

impl<'f> Distributions<'f> {
    fn new(code: &'f Function) -> Self {
        Self {
            code,
            sources: Vec::new(),
            depends: SecondaryMap::new(),
            tables: SecondaryMap::new(),
            budget: Budget::new(LIMITS),
        }
    }

    /// Records the dependences of an instruction, and its distribution if it is a source.
    fn note(&mut self, data: &InstData) -> Option<()> {
        let mut sources = 0;
        for &arg in &data.args {
            sources |= self.depends[arg]?;
        }
        let distribution = match (data.op, data.imm) {
            (Op::Pool, Imm::Dice { count, sides }) => {
                let sides = NonZeroU64::new(sides.into())?;
                Pmf::pool(count.into(), sides, &mut self.budget).ok()?
            }
            (_, Imm::Step(pool, step)) => match self.step(pool, step, data)? {
                Some(distribution) => distribution,
                // The number of dice in a pool must not be used.
                None => return Some(()),
            },
            (op, _) if op.is_pure() => {
                self.depends[data.result] = Some(sources);
                return Some(());
            }
            _ => return None,
        };
        if self.sources.len() == MAX_SOURCES {
            return None;
        }
        self.depends[data.result] = Some(1 << self.sources.len());
        self.sources.push((data.result, distribution));
        Some(())
    }

    /// The number that a value always is.
    fn constant(&mut self, value: Value) -> Option<i64> {
        if self.depends[value]? != 0 {
            return None;
        }
        Some(self.distribution(value)?.min())
    }

    /// Takes a step; returns the distribution of the value that it reads.
    fn step(&mut self, pool: Pool, step: Step, data: &InstData) -> Option<Option<Distribution>> {
        let args: Option<Vec<i64>> = data.args.iter().map(|&arg| self.constant(arg)).collect();
        if let (Step::Draw, &[count, sides]) = (step, args.as_deref()?) {
            let faces = &self.code.pools[pool];
            let die = if faces.is_empty() {
                let sides = u64::try_from(sides).ok().and_then(NonZeroU64::new)?;
                Pmf::die(sides, &mut self.budget).ok()?
            } else {
                Pmf::from_weights(faces.iter().map(|&face| (face, UBig::from(1_u32))))?
            };
            self.tables[pool] = Some(Table::new(count, die)?);
            return Some(None);
        }
        let table = self.tables[pool].as_mut()?;
        table.take(step, args?.first().copied(), &mut self.budget)
    }

    /// The distribution of a value.
    fn distribution(&mut self, value: Value) -> Option<Distribution> {
        let sources = self.depends[value]?;
        if let Some((_, distribution)) = self.sources.iter().find(|source| source.0 == value) {
            return Some(distribution.clone());
        }
        let data = self.code.def(value)?;
        let apart = data.args.iter().try_fold(0, |seen, &arg| {
            let more = self.depends[arg]?;
            (seen & more == 0).then_some(seen | more)
        });
        if apart.is_none() {
            return match self.sorted(value, sources) {
                Some(distribution) => Some(distribution),
                None => self.enumerated(value, sources),
            };
        }
        let distributions: Option<Vec<Distribution>> = data
            .args
            .iter()
            .map(|&arg| self.distribution(arg))
            .collect();
        let distributions = distributions?;
        match (data.op, distributions.as_slice()) {
            (Op::Iadd | Op::IaddWrap, [a, b]) => a.sum(b, &mut self.budget).ok(),
            (Op::Isub | Op::IsubWrap, [a, b]) => {
                let negative = b.map(&mut self.budget, |value| value.checked_neg().ok_or(()));
                a.sum(&negative.ok()?, &mut self.budget).ok()
            }
            _ => {
                let types: Vec<Type> = data.args.iter().map(|&a| self.code.value_type(a)).collect();
                let parts: Vec<&Distribution> = distributions.iter().collect();
                joint(&parts, 1, |cells| {
                    let args = cells.iter().zip(&types);
                    let args: Vec<Const> = args.map(|(&cell, &ty)| of_cell(cell, ty)).collect();
                    Some(evaluate(data.op, &args, data.imm)?.ok()?.to_cell())
                })
            }
        }
    }

    /// The distribution of a sum of sources selected by rank, if all of them have the same
    /// distribution.
    fn sorted(&mut self, value: Value, sources: u64) -> Option<Distribution> {
        let numbered = self.sources.iter().enumerate();
        let mut chosen = numbered.filter(|(number, _)| sources >> number & 1 == 1);
        let (_, (first, distribution)) = chosen.next()?;
        let mut dice = vec![*first];
        for (_, (die, other)) in chosen {
            dice.push((other == distribution).then_some(*die)?);
        }
        let ranks = order::ranks(self.code, value, &dice)?;
        let keeps = |index: u64| ranks.get(index as usize).is_some_and(|&kept| kept);
        let budget = &mut self.budget;
        distribution
            .select_sum(dice.len() as u64, budget, keeps, |face| face)
            .ok()
    }

    /// The distribution of a value, from the joint outcomes of its sources.
    fn enumerated(&self, value: Value, sources: u64) -> Option<Distribution> {
        let numbered = self.sources.iter().enumerate();
        let chosen = numbered.filter(|(number, _)| sources >> number & 1 == 1);
        let (values, parts): (Vec<Value>, Vec<&Distribution>) = chosen
            .map(|(_, (value, distribution))| (*value, distribution))
            .unzip();
        let steps = self.steps_to(value, &values);
        let mut cells: SecondaryMap<Value, Const> = SecondaryMap::with_default(Const::I64(0));
        joint(&parts, steps.len() as u64, |outcome| {
            for (&source, &cell) in values.iter().zip(outcome) {
                cells[source] = Const::I64(cell);
            }
            for data in &steps {
                let args: Vec<Const> = data.args.iter().map(|&arg| cells[arg]).collect();
                cells[data.result] = evaluate(data.op, &args, data.imm)?.ok()?;
            }
            Some(cells[value].to_cell())
        })
    }

    /// The instructions that compute a value from these sources, in order.
    fn steps_to(&self, value: Value, sources: &[Value]) -> Vec<&'f InstData> {
        let mut needed: SecondaryMap<Value, bool> = SecondaryMap::new();
        needed[value] = true;
        let mut steps = Vec::new();
        // Operands come before their uses.
        for inst in self.code.insts.values().rev() {
            if needed[inst.result] && !sources.contains(&inst.result) {
                inst.args.iter().for_each(|&arg| needed[arg] = true);
                steps.push(inst);
            }
        }
        steps.reverse();
        steps
    }
}

/// The distribution of `f` over the joint outcomes of independent parts; each outcome costs `steps`
/// steps.
fn joint(
    parts: &[&Distribution],
    steps: u64,
    f: impl FnMut(&[i64]) -> Option<i64>,
) -> Option<Distribution> {
    let outcomes = parts.iter().map(|part| part.len() as u64);
    let cost = outcomes.fold(steps.max(1), u64::saturating_mul);
    if cost > MAX_STEPS {
        return None;
    }
    let mut joint = Joint {
        parts,
        chosen: Vec::with_capacity(parts.len()),
        found: FxHashMap::default(),
        f,
    };
    joint.visit(&UBig::from(1_u32))?;
    Pmf::from_weights(joint.found)
}

struct Joint<'p, F> {
    parts: &'p [&'p Distribution],
    chosen: Vec<i64>,
    found: FxHashMap<i64, UBig>,
    f: F,
}

impl<F: FnMut(&[i64]) -> Option<i64>> Joint<'_, F> {
    /// Visits the outcomes of the remaining parts; `weight` is that of the outcomes chosen so far.
    fn visit(&mut self, weight: &UBig) -> Option<()> {
        let Some(part) = self.parts.get(self.chosen.len()).copied() else {
            let outcome = (self.f)(&self.chosen)?;
            *self.found.entry(outcome).or_default() += weight;
            return Some(());
        };
        for (value, share) in part.iter() {
            self.chosen.push(value);
            self.visit(&(weight * share))?;
            self.chosen.pop();
        }
        Some(())
    }
}

fn of_cell(cell: i64, ty: Type) -> Const {
    match ty {
        Type::Bool => Const::Bool(cell != 0),
        _ => Const::I64(cell),
    }
}

/// A pool of dice.
#[derive(Clone)]
struct Table {
    count: u64,
    /// The values of one die.
    die: Distribution,
    selects: Vec<(Selector, i64)>,
    conditions: Vec<(CompareOp, i64)>,
    /// Whether its dice were read: two results of the same dice are not independent.
    is_read: bool,
}

impl Table {
    fn new(count: i64, die: Distribution) -> Option<Self> {
        Some(Self {
            count: u64::try_from(count.max(0)).ok()?,
            die,
            selects: Vec::new(),
            conditions: Vec::new(),
            is_read: false,
        })
    }

    /// Takes a step; returns the distribution of the value that it reads. `None` if the
    /// distribution of the dice is not known after it.
    fn take(
        &mut self,
        step: Step,
        number: Option<i64>,
        budget: &mut Budget,
    ) -> Option<Option<Distribution>> {
        if self.is_read {
            return None;
        }
        match (step, number) {
            (Step::Bound(how), Some(bound)) if self.selects.is_empty() => {
                self.clamp(budget, |value| how.apply(value, bound))?;
            }
            (Step::Select(selector), Some(count)) => self.selects.push((selector, count)),
            (Step::When(op), Some(threshold)) => self.conditions.push((op, threshold)),
            (Step::Sum, _) => return self.read(budget, |value| value).map(Some),
            (Step::Count, _) => {
                let conditions = std::mem::take(&mut self.conditions);
                let meets = |value: i64| {
                    let mut conditions = conditions.iter();
                    conditions.any(|(op, threshold)| op.holds(value.cmp(threshold)))
                };
                return self.read(budget, |value| meets(value).into()).map(Some);
            }
            _ => return None,
        }
        Some(None)
    }

    fn clamp(&mut self, budget: &mut Budget, to: impl Fn(i64) -> i64) -> Option<()> {
        self.die = self.die.map(budget, |value| Ok::<_, ()>(to(value))).ok()?;
        Some(())
    }

    /// The distribution of the sum of what the kept dice count.
    fn read(&mut self, budget: &mut Budget, counts: impl Fn(i64) -> i64) -> Option<Distribution> {
        self.is_read = true;
        let keeps = |index: u64| {
            self.selects.iter().all(|&(selector, count)| {
                let from_top = selector.is_high();
                let rank = if from_top {
                    self.count - 1 - index
                } else {
                    index
                };
                selector.keeps(rank, count)
            })
        };
        self.die.select_sum(self.count, budget, keeps, counts).ok()
    }
}
