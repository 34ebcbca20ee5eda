//! Renumbering of labels: a *label* is a number that is only compared and merged, such as the
//! address of a creature. Labels become small numbers, because lanes are narrow and have no cheap
//! products.
//!
//! ```text
//! 20, 32, 44 and 12 * i + 56, merged and compared with 44     0, 1, 2 and i + 3, compared with 2
//! ```
//!
//! A family is a set of merges that pass labels to each other or are compared with each other. The
//! labels of a family are constants and multiples of indices, all of the form `base + n * step`,
//! and nothing but comparisons uses them. So each is replaced by `n`.

use super::merges::{Site, Uses};
use crate::analysis::FewValues;
use crate::ir::{Function, Imm, Inst, Op, Type, Value, ValueDef};
use dicec_runtime::bug;
use num_integer::Integer;
use petgraph::unionfind::UnionFind;
use rustc_hash::{FxHashMap, FxHashSet};

/// Renumbers the labels of a script's trial; returns whether there are any.
pub(super) fn renumber(function: &mut Function) -> bool {
    let families = families(function);
    let any = !families.is_empty();
    for family in families {
        family.renumber(function);
    }
    any
}

/// A multiple of an index plus a constant.
#[derive(Clone, Copy)]
struct Multiple {
    index: Value,
    factor: i64,
    offset: i64,
}

impl Multiple {
    /// The multiple that an instruction computes from an index with few possible numbers, if
    /// neither the product nor the sum wraps around.
    fn of(function: &Function, few: &FewValues, value: Value) -> Option<Self> {
        let data = function.def(value)?;
        let multiple = match (data.op, data.args.as_slice()) {
            (Op::ImulWrap, _) => {
                let (index, factor) = with_constant(function, value)?;
                Self {
                    index,
                    factor,
                    offset: 0,
                }
            }
            (Op::IaddWrap, _) => {
                let (product, offset) = with_constant(function, value)?;
                let scaled = function
                    .def(product)
                    .is_some_and(|data| data.op == Op::ImulWrap);
                let (index, factor) = match scaled {
                    true => with_constant(function, product)?,
                    false => (product, 1),
                };
                Self {
                    index,
                    factor,
                    offset,
                }
            }
            _ => return None,
        };
        let numbers = few.numbers(multiple.index)?;
        let fits = numbers.iter().all(|&number| {
            let product = number.checked_mul(multiple.factor);
            product.is_some_and(|product| product.checked_add(multiple.offset).is_some())
        });
        (fits && multiple.factor > 0).then_some(multiple)
    }
}

/// The operands of a commutative operation with one constant operand.
fn with_constant(function: &Function, value: Value) -> Option<(Value, i64)> {
    let &[a, b] = function.def(value)?.args.as_slice() else {
        return None;
    };
    match (function.as_iconst(a), function.as_iconst(b)) {
        (None, Some(number)) => Some((a, number)),
        (Some(number), None) => Some((b, number)),
        _ => None,
    }
}

/// Merges of labels, with the base and step of the renumbering.
#[derive(Default)]
struct Family {
    base: i64,
    step: i64,
    /// The sites that pass constants.
    passed: Vec<(i64, Value, Site)>,
    /// The sites that compare with constants; the label is the other operand.
    compared: Vec<(i64, Value, Site)>,
    /// The multiples of indices.
    multiples: Vec<(Inst, Multiple)>,
}

impl Family {
    /// The family with its base and step, if renumbering makes its labels smaller.
    fn measured(mut self, function: &Function, few: &FewValues) -> Option<Self> {
        let equal = self
            .compared
            .iter()
            .filter(|&&(_, _, site)| is_equality(function, site));
        let constants = self.passed.iter().chain(equal).map(|&(label, ..)| label);
        let multiples = self.multiples.iter().flat_map(|(_, multiple)| {
            let numbers = few.numbers(multiple.index);
            let numbers =
                numbers.unwrap_or_else(|| bug!("a multiple of an index of any number").raise());
            numbers
                .iter()
                .map(|number| number * multiple.factor + multiple.offset)
        });
        let labels: Vec<i64> = constants.chain(multiples).collect();
        self.base = *labels.iter().min()?;
        let above = labels.iter().map(|label| label.checked_sub(self.base));
        let above: Vec<i64> = above.collect::<Option<_>>()?;
        let factors = self.multiples.iter().map(|(_, multiple)| multiple.factor);
        self.step = above
            .into_iter()
            .chain(factors)
            .fold(0, |step, number| step.gcd(&number));
        (self.step > 0 && self.pays(function)).then_some(self)
    }

    /// The new number of a label.
    fn number(&self, label: i64) -> Option<i64> {
        let above = label.checked_sub(self.base)?;
        Integer::is_multiple_of(&above, &self.step).then(|| above / self.step)
    }

    /// The replacement of a constant that labels are compared with.
    fn bound(&self, function: &Function, bound: i64, site: Site) -> Option<i64> {
        let Site::Inst(inst, index) = site else {
            return None;
        };
        let above = bound.checked_sub(self.base)?;
        // It may be any number between the neighbouring labels.
        match (function.insts[inst].op, index) {
            (Op::Igt | Op::Ile, 1) | (Op::Ilt | Op::Ige, 0) => {
                Some(Integer::div_floor(&above, &self.step))
            }
            (Op::Igt | Op::Ile, _) | (Op::Ilt | Op::Ige, _) => {
                Some(Integer::div_ceil(&above, &self.step))
            }
            _ => self.number(bound),
        }
    }

    /// Whether its labels can be renumbered and get smaller.
    fn pays(&self, function: &Function) -> bool {
        let bounds = self.compared.iter();
        let mut bounds = bounds.map(|&(bound, _, site)| self.bound(function, bound, site));
        (self.step > 1 || !(0..64).contains(&self.base)) && bounds.all(|bound| bound.is_some())
    }

    fn renumber(self, function: &mut Function) {
        let mut constants: FxHashMap<i64, Value> = FxHashMap::default();
        let sites = self
            .passed
            .iter()
            .map(|&(label, old, site)| self.number(label).map(|number| (number, old, site)));
        let bounds = self.compared.iter().map(|&(bound, old, site)| {
            let number = self.bound(function, bound, site);
            number.map(|number| (number, old, site))
        });
        let sites: Vec<_> = sites.chain(bounds).collect();
        for site in sites {
            let (number, old, site) =
                site.unwrap_or_else(|| bug!("a label without a number").raise());
            let constant = *constants.entry(number).or_insert_with(|| {
                function.begin_with(function.entry(), Op::Iconst, Imm::Int(number))
            });
            site.replace(function, old, constant);
        }
        for (inst, multiple) in self.multiples {
            let offset = (multiple.offset - self.base) / self.step;
            let factor = multiple.factor / self.step;
            let mut index = multiple.index;
            let number = |function: &mut Function, number| {
                function.begin_with(function.entry(), Op::Iconst, Imm::Int(number))
            };
            if factor > 1 {
                let args = vec![index, number(function, factor)];
                index = write_before(function, inst, Op::ImulWrap, args);
            }
            let args = vec![index, number(function, offset)];
            let data = &mut function.insts[inst];
            (data.op, data.args) = (Op::IaddWrap, args);
        }
    }
}

/// Writes an instruction before another one; returns its result.
fn write_before(function: &mut Function, inst: Inst, op: Op, args: Vec<Value>) -> Value {
    let new = function.new_inst(op, args, Imm::None, function.insts[inst].span);
    for block in function.blocks.values_mut() {
        if let Some(place) = block.insts.iter().position(|&other| other == inst) {
            block.insts.insert(place, new);
        }
    }
    function.insts[new].result
}

fn is_equality(function: &Function, site: Site) -> bool {
    match site {
        Site::Inst(inst, _) => matches!(function.insts[inst].op, Op::Ieq | Op::Ine),
        Site::Edge(..) => false,
    }
}

/// The families that can be renumbered.
fn families(function: &Function) -> Vec<Family> {
    let uses = Uses::of(function);
    let constant = |value| function.as_iconst(value);
    let mut sets: UnionFind<u32> = UnionFind::new(function.values.len());
    let met = || uses.passed.iter().chain(&uses.compared);
    for &(a, b, _) in met() {
        if constant(a).is_none() && constant(b).is_none() {
            sets.union(a.as_u32(), b.as_u32());
        }
    }
    let mut candidates = Candidates {
        few: FewValues::of(function),
        merges: uses.passed.iter().map(|&(merge, ..)| merge).collect(),
        others: uses.others.iter().copied().collect(),
        seen: FxHashSet::default(),
        found: FxHashMap::default(),
    };
    for &(a, b, _) in met() {
        for member in [a, b] {
            if constant(member).is_none() {
                candidates.add(function, sets.find(member.as_u32()), member);
            }
        }
    }
    for (sites, is_passed) in [(&uses.passed, true), (&uses.compared, false)] {
        for &(label, other, site) in sites {
            if let (None, Some(number)) = (constant(label), constant(other)) {
                let set = sets.find(label.as_u32());
                candidates.add_constant(set, (number, other, site), is_passed);
            }
        }
    }
    let few = &candidates.few;
    let mut found: Vec<(u32, Family)> = candidates
        .found
        .into_iter()
        .filter_map(|(set, family)| Some((set, family?.measured(function, few)?)))
        .collect();
    found.sort_unstable_by_key(|&(set, _)| set);
    found.into_iter().map(|(_, family)| family).collect()
}

/// Families under construction.
struct Candidates {
    few: FewValues,
    merges: FxHashSet<Value>,
    /// The values with uses other than merges and comparisons.
    others: FxHashSet<Value>,
    seen: FxHashSet<Value>,
    /// `None` if the members are not labels.
    found: FxHashMap<u32, Option<Family>>,
}

impl Candidates {
    /// Adds a constant that is passed to a label of a family, or compared with one.
    fn add_constant(&mut self, set: u32, constant: (i64, Value, Site), is_passed: bool) {
        if let Some(Some(family)) = self.found.get_mut(&set) {
            match is_passed {
                true => family.passed.push(constant),
                false => family.compared.push(constant),
            }
        }
    }

    /// Adds a value that is not a constant to its family.
    fn add(&mut self, function: &Function, set: u32, member: Value) {
        if !self.seen.insert(member) {
            return;
        }
        let family = self
            .found
            .entry(set)
            .or_insert_with(|| Some(Family::default()));
        let multiple = match function.values[member].1 {
            _ if self.merges.contains(&member) => None,
            ValueDef::Result(inst) => {
                Multiple::of(function, &self.few, member).map(|multiple| (inst, multiple))
            }
            ValueDef::Param(_) => None,
        };
        let is_number = function.value_type(member) == Type::I64;
        let is_label = self.merges.contains(&member) || multiple.is_some();
        match family {
            Some(family) if is_number && is_label && !self.others.contains(&member) => {
                family.multiples.extend(multiple);
            }
            _ => *family = None,
        }
    }
}
