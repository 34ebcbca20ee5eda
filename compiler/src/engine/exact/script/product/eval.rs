//! The values of expressions in all states of a product. [`Machine`](super::super::machine::Machine)
//! computes the same in one state; what it does that is not done here is left to it.

use super::factor::{Factor, Sums};
use super::states::{Cell, Product};
use super::{Stop, Walker};
use crate::engine::exact::float::{Unary, binary};
use crate::engine::exact::script::eval::MAX_DOWN;
use crate::engine::exact::script::floors::Floor;
use crate::engine::exact::script::plan::{Piece, Pure};
use crate::engine::exact::script::reads::is_small;
use crate::hir::{ArithOp, CompareOp, Math, written_set};
use dicec_runtime::limits::{MAX_TEXT, join_cost};
use dicec_runtime::ops::OpResult;
use dicec_runtime::pmf::Weight;
use dicec_runtime::text::HOLE;
use std::sync::Arc;

/// The cost of a word of a table, and of a cell in elementary operations.
const WORD_COST: u64 = 2;
const CELL_COST: u64 = 4;

/// The maximum number of words of records.
const MAX_HEAP: usize = 1 << 10;

/// The maximum number of pairs of numbers that an expression is evaluated for.
const MAX_PAIRS: usize = 1 << 14;

/// An expression that is evaluated at a point.
#[derive(Clone, Copy)]
pub(super) struct Site<'s> {
    /// Where the variables of the function begin.
    pub(super) first: usize,
    /// All expressions that are evaluated together.
    pub(super) whole: &'s [Pure],
    /// The variables that nothing reads after it, and the one that is set to it.
    pub(super) last: &'s [usize],
    pub(super) target: Target,
}

/// What is set to the value of an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    Nothing,
    /// A variable.
    Local(usize),
    /// A word of the heap.
    Slot(usize),
}

impl<'p, W: Weight> Walker<'_, 'p, W> {
    /// Works out what the expressions of a site read several times.
    fn prepare(&mut self, product: &mut Product<W>, site: Site<'_>) -> Result<(), Stop> {
        if product.factors.len() < 2 {
            return Ok(());
        }
        for at in site.first..product.len() {
            // What is read twice is not two numbers.
            if product.cell(at).is_sum() && site.reads(product, at) > 1 {
                self.pay_sum(product, at)?;
                if !product.work_out(at) {
                    return Err(Stop::Apart);
                }
            }
        }
        Ok(())
    }

    /// The cell of the only expression of a site.
    pub(super) fn value(
        &mut self,
        product: &mut Product<W>,
        site: Site<'_>,
    ) -> Result<Cell, Stop> {
        self.prepare(product, site)?;
        let [value] = site.whole else {
            return Err(Stop::Apart);
        };
        self.eval(product, site, value)
    }

    /// The cells of all expressions of a site.
    pub(super) fn all(
        &mut self,
        product: &mut Product<W>,
        site: Site<'_>,
    ) -> Result<Vec<Cell>, Stop> {
        self.prepare(product, site)?;
        let values = site.whole.iter();
        values.map(|value| self.eval(product, site, value)).collect()
    }

    /// Pays for working out the sum in a cell.
    pub(super) fn pay_sum(&mut self, product: &Product<W>, at: usize) -> Result<(), Stop> {
        let mut factors = product.cell(at).factors();
        let mut length = || {
            let factor = factors.next();
            factor.map_or(1, |factor| product.factors[factor].len() as u64)
        };
        let lengths = [length(), length()];
        Ok(self.budget.spend(lengths[0] * lengths[1], lengths[0] + lengths[1])?)
    }

    /// The cell of an expression.
    fn eval(
        &mut self,
        product: &mut Product<W>,
        site: Site<'_>,
        value: &Pure,
    ) -> Result<Cell, Stop> {
        self.budget.spend(CELL_COST, 0)?;
        let word = |word| Ok(Cell::Word(word));
        match value {
            Pure::Word(number) => word(*number),
            Pure::Resource(slot) => word(self.world.resources[*slot]),
            Pure::Local(local) => Ok(product.cells[site.first + local].clone()),
            Pure::Unary(unary, value, _) => {
                let value = self.eval(product, site, value)?;
                self.unary(product, site, *unary, value)
            }
            Pure::Not(value) => {
                let value = self.eval(product, site, value)?;
                self.map(product, site, [value], |[word]| Ok(i64::from(word == 0)))
            }
            Pure::Arith(op, of_floats, pair, _) => {
                let left = self.eval(product, site, &pair[0])?;
                let right = self.eval(product, site, &pair[1])?;
                self.arith(product, site, (*op, *of_floats), [left, right])
            }
            Pure::Compare(op, pair) => {
                let left = self.eval(product, site, &pair[0])?;
                let right = self.eval(product, site, &pair[1])?;
                self.compare(product, site, *op, [left, right])
            }
            Pure::And(pair) => self.both(product, site, pair, false),
            Pure::Or(pair) => self.both(product, site, pair, true),
            Pure::Choose(parts) => {
                let condition = self.eval(product, site, &parts[0])?;
                if let Cell::Word(truth) = condition {
                    return self.eval(product, site, &parts[if truth != 0 { 1 } else { 2 }]);
                }
                let yes = self.eval(product, site, &parts[1])?;
                let no = self.eval(product, site, &parts[2])?;
                self.map(product, site, [condition, yes, no], |[truth, yes, no]| {
                    Ok(if truth != 0 { yes } else { no })
                })
            }
            Pure::Extreme(extreme, parts) => {
                let mut best = None;
                for part in parts {
                    let part = self.eval(product, site, part)?;
                    best = Some(match best {
                        None => part,
                        Some(best) => {
                            let is_least = *extreme == Math::Min;
                            self.map(product, site, [best, part], |[best, part]| {
                                Ok(match is_least {
                                    true => best.min(part),
                                    false => best.max(part),
                                })
                            })?
                        }
                    });
                }
                best.ok_or(Stop::Apart)
            }
            Pure::Above(value, floor) => {
                let cell = self.eval(product, site, value)?;
                let cell = self.above(product, cell, floor.least.into());
                cell.ok_or(Stop::Refuted(floor.holder))
            }
            Pure::Down(value, floor) => {
                let cell = self.eval(product, site, value)?;
                let range = product.range(&cell);
                match *range.start() >= 0 && *range.end() <= MAX_DOWN {
                    true => Ok(cell),
                    false => Err(Stop::Refuted(floor.holder)),
                }
            }
            Pure::Floored(value, floor) => {
                let cell = self.eval(product, site, value)?;
                self.floored(product, site, cell, *floor)
            }
            Pure::Fixed(record, place) => {
                let tuple = self.known(product, site, record)?;
                let words = self.world.values.words(tuple);
                words.get(*place).copied().map(Cell::Word).ok_or(Stop::Apart)
            }
            Pure::Len(list, false) => {
                let list = self.known(product, site, list)?;
                word(self.world.values.words(list).len() as i64)
            }
            Pure::Element(pair, false, _) => {
                let list = self.known(product, site, &pair[0])?;
                let index = self.eval(product, site, &pair[1])?;
                let values = &self.world.values;
                let words: Box<[i64]> = values.words(list).into();
                self.map(product, site, [index], |[index]| {
                    let index = usize::try_from(index).ok();
                    let word = index.and_then(|index| words.get(index));
                    word.copied().ok_or(Stop::Apart)
                })
            }
            Pure::Tuple(parts) => {
                let mut words = Vec::with_capacity(parts.len());
                for part in parts {
                    words.push(self.known(product, site, part)?);
                }
                word(self.world.values.tuple(&words))
            }
            Pure::Paid(value, units, _) => {
                let cell = self.eval(product, site, value)?;
                self.burn(product, *units)?;
                Ok(cell)
            }
            Pure::Join(parts, values, _) => self.text(product, site, parts, *values),
            Pure::Slot(record, place) => {
                let at = self.known(product, site, record)? + *place as i64;
                Ok(match usize::try_from(at) {
                    Ok(at) => product.heap.get(at).ok_or(Stop::Apart)?.clone(),
                    Err(_) => {
                        let constant = self.plans.constants.get(!at as usize);
                        Cell::Word(constant.ok_or(Stop::Apart)?.value())
                    }
                })
            }
            Pure::Object(parts) => {
                let mut words = Vec::with_capacity(parts.len());
                for part in parts {
                    words.push(self.eval(product, site, part)?);
                }
                let at = product.heap.len();
                product.heap.extend(words);
                match product.heap.len() <= MAX_HEAP {
                    true => word(at as i64),
                    false => Err(Stop::Apart),
                }
            }
            Pure::Len(_, true)
            | Pure::Element(_, true, _)
            | Pure::List(_)
            | Pure::Sorted(..) => Err(Stop::Apart),
        }
    }

    /// The word of an expression that is the same in all states.
    pub(super) fn known(
        &mut self,
        product: &mut Product<W>,
        site: Site<'_>,
        value: &Pure,
    ) -> Result<i64, Stop> {
        match self.eval(product, site, value)? {
            Cell::Word(word) => Ok(word),
            _ => Err(Stop::Apart),
        }
    }

    /// Pays fuel.
    pub(super) fn burn(&self, product: &mut Product<W>, units: u64) -> Result<(), Stop> {
        product.fuel = product.fuel.saturating_add(units);
        match product.fuel > u64::from(self.world.limits.fuel) {
            true => Err(Stop::Apart),
            false => Ok(()),
        }
    }

    fn unary(
        &mut self,
        product: &mut Product<W>,
        site: Site<'_>,
        unary: Unary,
        value: Cell,
    ) -> Result<Cell, Stop> {
        let mut clamped = false;
        let cell = self.map(product, site, [value], |[word]| {
            clamped |= matches!(unary, Unary::AtLeast(least) if word < least);
            applied(unary.apply(word))
        });
        self.clamped |= clamped;
        cell
    }

    fn arith(
        &mut self,
        product: &mut Product<W>,
        site: Site<'_>,
        (op, of_floats): (ArithOp, bool),
        pair: [Cell; 2],
    ) -> Result<Cell, Stop> {
        let sign = match op {
            ArithOp::Add if !of_floats => 1,
            ArithOp::Sub if !of_floats => -1,
            _ => 0,
        };
        if sign != 0
            && let Some(sum) = self.moved(product, site, sign, &pair)?
        {
            return Ok(sum);
        }
        let apply = binary(op, of_floats);
        self.map(product, site, pair, |[left, right]| {
            applied(apply(left, right))
        })
    }

    /// The sum of a cell and `sign` (1 or -1) another one, if no number has to be looked at.
    fn moved(
        &mut self,
        product: &mut Product<W>,
        site: Site<'_>,
        sign: i64,
        [left, right]: &[Cell; 2],
    ) -> Result<Option<Cell>, Stop> {
        let mut factors = left.factors();
        if factors.any(|factor| right.depends_on(factor)) {
            return Ok(None);
        }
        let are_small = [left, right].iter().all(|cell| {
            let range = product.range(cell);
            is_small(*range.start()) && is_small(*range.end())
        });
        if !are_small {
            return Ok(None);
        }
        let cell = match (left, right) {
            (Cell::Number { of, times, add }, Cell::Word(word)) => Cell::Number {
                of: *of,
                times: *times,
                add: add + sign * word,
            },
            (Cell::Word(word), Cell::Number { of, times, add }) => Cell::Number {
                of: *of,
                times: sign * times,
                add: word + sign * add,
            },
            // The least number is only laid below what the sum is kept as.
            (Cell::Sum { to, of, times, add, .. }, Cell::Word(word)) => Cell::Sum {
                to: *to,
                of: *of,
                times: *times,
                add: add + sign * word,
                least: None,
            },
            (Cell::Sum { to, of, times, add, .. }, _) => {
                let added = Cell::Number { of: *of, times: *times, add: *add };
                let added = self.total(product, site, sign, [added, right.clone()])?;
                return Ok(added.and_then(|added| sum((*to, 1, 0), &added, 1)));
            }
            (Cell::Number { of, times, add }, _) => {
                let right = self.number(product, site, right.clone())?;
                match sum((*of, *times, *add), &right, sign) {
                    Some(sum) => sum,
                    None => return Ok(None),
                }
            }
            _ => return Ok(None),
        };
        let range = product.range(&cell);
        Ok(Some(cell).filter(|_| is_small(*range.start()) && is_small(*range.end())))
    }

    /// The sum of two cells as a number of its own, if nothing else depends on theirs.
    fn total(
        &mut self,
        product: &mut Product<W>,
        site: Site<'_>,
        sign: i64,
        [left, right]: [Cell; 2],
    ) -> Result<Option<Cell>, Stop> {
        let right = self.number(product, site, right)?;
        match (&left, &right) {
            (Cell::Number { of, times: 1, add }, Cell::Number { .. }) => {
                match sum((*of, 1, *add), &right, sign) {
                    Some(sum) => Ok(Some(self.number(product, site, sum)?)),
                    None => Ok(None),
                }
            }
            (Cell::Number { of, times, add }, Cell::Number { of: other, times: by, add: plus })
                if of != other =>
            {
                // Turned round, so that the first is added once.
                let turned = Cell::Sum {
                    to: *of,
                    of: *other,
                    times: times * sign * by,
                    add: times * (add + sign * plus),
                    least: None,
                };
                let turned = self.number(product, site, turned)?;
                Ok(match turned {
                    Cell::Number { of, times: by, add } => Some(Cell::Number {
                        of,
                        times: times * by,
                        add: times * add,
                    }),
                    _ => None,
                })
            }
            _ => Ok(None),
        }
    }

    /// A cell with the numbers of sums and tables as numbers of their own. Nothing else may depend
    /// on those that it is made of.
    fn number(
        &mut self,
        product: &mut Product<W>,
        site: Site<'_>,
        cell: Cell,
    ) -> Result<Cell, Stop> {
        let factor = match &cell {
            Cell::Word(_) | Cell::Number { .. } => return Ok(cell),
            Cell::Table { of, words } => {
                self.alone(product, site, *of, &cell)?;
                self.budget.spend(WORD_COST * words.len() as u64, 0)?;
                product.distribution(&cell)
            }
            Cell::Sum { to, of, times, add, least } => {
                for factor in [*to, *of] {
                    self.alone(product, site, factor, &cell)?;
                }
                let (to, of) = (&product.factors[*to], &product.factors[*of]);
                let pairs = to.len() as u64 * of.len() as u64;
                self.budget.spend(pairs, (to.len() + of.len()) as u64)?;
                to.plus((of, *times, *add), *least)
            }
        };
        let of = product.add(factor.ok_or(Stop::Apart)?);
        // Their weights are in those of the new one.
        cell.factors().for_each(|factor| product.factors[factor].is_whole = true);
        let number = Cell::Number { of, times: 1, add: 0 };
        let held = product.all_mut().filter(|held| is_same(held, &cell));
        held.for_each(|held| *held = number.clone());
        Ok(number)
    }

    /// Makes sure that only this cell of an expression depends on a number, and that nothing does
    /// afterwards except for variables with this sum.
    fn alone(
        &self,
        product: &Product<W>,
        site: Site<'_>,
        factor: usize,
        cell: &Cell,
    ) -> Result<(), Stop> {
        let mut read = 0;
        for (at, held) in product.all().enumerate() {
            if !held.depends_on(factor) {
                continue;
            }
            if !site.ends(product, at) && !is_same(held, cell) {
                return Err(Stop::Apart);
            }
            read += site.reads(product, at);
        }
        match read <= 1 {
            true => Ok(()),
            false => Err(Stop::Apart),
        }
    }

    fn compare(
        &mut self,
        product: &mut Product<W>,
        site: Site<'_>,
        op: CompareOp,
        pair: [Cell; 2],
    ) -> Result<Cell, Stop> {
        if let [Cell::Number { of, times: 1, add }, Cell::Word(word)] = pair {
            let factor = &product.factors[of];
            if factor.is_any {
                return Err(Stop::Apart);
            }
            self.budget.spend(WORD_COST * factor.len() as u64, 0)?;
            let numbers = (factor.first + add..).take(factor.len());
            let truths = numbers.map(|number| i64::from(op.holds(number.cmp(&word))));
            return Ok(table(of, truths.collect(), factor.indices()));
        }
        self.map(product, site, pair, |[left, right]| {
            Ok(i64::from(op.holds(left.cmp(&right))))
        })
    }

    /// Whether both hold, or if `either` is enough, one of them.
    fn both(
        &mut self,
        product: &mut Product<W>,
        site: Site<'_>,
        pair: &[Pure; 2],
        either: bool,
    ) -> Result<Cell, Stop> {
        let left = self.eval(product, site, &pair[0])?;
        if let Cell::Word(truth) = left
            && (truth != 0) == either
        {
            return Ok(Cell::Word(i64::from(either)));
        }
        let right = self.eval(product, site, &pair[1])?;
        if let (Cell::Table { of, words }, Cell::Table { of: other, words: others }) =
            (&left, &right)
            && of == other
        {
            let pairs = words.iter().zip(&**others);
            let truths = pairs.map(|(left, right)| {
                let (left, right) = (*left != 0, *right != 0);
                i64::from(if either { left || right } else { left && right })
            });
            let indices = product.factors[*of].indices();
            return Ok(table(*of, truths.collect(), indices));
        }
        self.map(product, site, [left, right], |words| {
            let [left, right] = words.map(|word| word != 0);
            Ok(i64::from(if either { left || right } else { left && right }))
        })
    }

    /// A cell that is above its floor in all states.
    fn above(&self, product: &Product<W>, cell: Cell, least: i64) -> Option<Cell> {
        let is_above = match &cell {
            // What it is raised to is not above it.
            Cell::Sum { to, of, times, add, .. } => {
                let (to, of) = (&product.factors[*to], &product.factors[*of]);
                let ends = of.numbers();
                let [one, two] = [*ends.start(), *ends.end()].map(|end| end * times + add);
                *to.numbers().start() + one.min(two) > least
            }
            cell => *product.range(cell).start() > least,
        };
        is_above.then_some(cell)
    }

    /// A number as its place keeps it.
    fn floored(
        &mut self,
        product: &mut Product<W>,
        site: Site<'_>,
        cell: Cell,
        floor: Floor,
    ) -> Result<Cell, Stop> {
        let bound = i64::from(floor.least);
        Ok(match cell {
            Cell::Sum { to, of, times, add, .. } => Cell::Sum {
                to,
                of,
                times,
                add,
                least: Some(bound),
            },
            // It stands for others, which may be below.
            Cell::Number { of, times, add }
                if product.factors[of].is_any =>
            {
                let (to, of) = (of, product.add(Factor::certain(0)));
                let (times, least) = (times, Some(bound));
                Cell::Sum { to, of, times, add, least }
            }
            cell if *product.range(&cell).start() >= bound => cell,
            cell => self.map(product, site, [cell], |[word]| {
                Ok(if is_small(word) { word.max(bound) } else { word })
            })?,
        })
    }

    /// A function of cells that depend on two numbers at most.
    fn map<const N: usize>(
        &mut self,
        product: &mut Product<W>,
        site: Site<'_>,
        cells: [Cell; N],
        mut apply: impl FnMut([i64; N]) -> Result<i64, Stop>,
    ) -> Result<Cell, Stop> {
        let mut cells = cells;
        for cell in cells.iter_mut().filter(|cell| cell.is_sum()) {
            *cell = self.number(product, site, cell.clone())?;
        }
        let mut factors = cells.iter().flat_map(Cell::factors);
        let Some(of) = factors.next() else {
            return apply(cells.each_ref().map(|cell| product.word(cell, 0))).map(Cell::Word);
        };
        let Some(other) = factors.find(|factor| *factor != of) else {
            let factor = &product.factors[of];
            if factor.is_any {
                return Err(Stop::Apart);
            }
            self.budget.spend(WORD_COST * factor.len() as u64, 0)?;
            let mut words = vec![0; factor.len()];
            for index in factor.indices() {
                words[index] = apply(cells.each_ref().map(|cell| product.word(cell, index)))?;
            }
            return Ok(table(of, words.into(), factor.indices()));
        };
        if factors.any(|factor| factor != of && factor != other) {
            return Err(Stop::Apart);
        }
        let of_pair = [of, other];
        let lengths = of_pair.map(|factor| product.factors[factor].len());
        let pairs = lengths[0] * lengths[1];
        if pairs > MAX_PAIRS {
            return Err(Stop::Apart);
        }
        self.budget.spend(WORD_COST * pairs as u64, pairs as u64)?;
        for cell in &cells {
            for factor in cell.factors() {
                self.alone(product, site, factor, cell)?;
            }
        }
        let [one, two] = of_pair.map(|factor| product.factors[factor].clone());
        if one.is_any || two.is_any {
            return Err(Stop::Apart);
        }
        let mut found: Vec<(i64, W)> = Vec::with_capacity(pairs);
        for left in one.indices() {
            for right in two.indices() {
                let word = apply(cells.each_ref().map(|cell| {
                    let first = cell.depends_on(of);
                    product.word(cell, if first { left } else { right })
                }))?;
                found.push((word, one.weights[left].mul(&two.weights[right])));
            }
        }
        let words = || found.iter().map(|(word, _)| *word);
        let ends = words().min().zip(words().max());
        let (least, most) = ends.ok_or(Stop::Apart)?;
        let mut sums = Sums::new(least, most, pairs as u64).ok_or(Stop::Apart)?;
        found.iter().for_each(|(word, weight)| sums.add(*word, weight));
        let roundings = one.roundings.saturating_add(two.roundings);
        let mut factor = sums.factor(roundings.saturating_add(1));
        factor.is_whole = one.is_whole && two.is_whole;
        of_pair.into_iter().for_each(|factor| product.factors[factor].is_whole = true);
        let of = product.add(factor);
        Ok(Cell::Number { of, times: 1, add: 0 })
    }

    /// A text whose words are the same in all states; numbers in it are not read.
    fn text(
        &mut self,
        product: &mut Product<W>,
        site: Site<'_>,
        parts: &[(Pure, Piece)],
        values: u64,
    ) -> Result<Cell, Stop> {
        let mut template = String::new();
        for (part, piece) in parts {
            if let Piece::Number = piece {
                self.eval(product, site, part)?;
                template.push_str(HOLE);
                continue;
            }
            let word = self.known(product, site, part)?;
            match piece {
                Piece::Number => {}
                Piece::Text => template.push_str(self.world.values.template(word)),
                Piece::Truth if word != 0 => template.push_str("true"),
                Piece::Truth => template.push_str("false"),
                Piece::Degree(ladder) => template.push_str(ladder.name(word)),
                Piece::Constant(names) => {
                    let place = usize::try_from(word).ok();
                    let name = place.and_then(|place| names.get(place));
                    template.push_str(name.ok_or(Stop::Apart)?);
                }
                Piece::Set(names) => template.push_str(&written_set(names, word)),
            }
        }
        if template.len() > MAX_TEXT {
            return Err(Stop::Apart);
        }
        self.burn(product, join_cost(values, template.len()))?;
        Ok(Cell::Word(self.world.values.text(&template)))
    }
}

/// A number and another one as a sum; `None` if they are not two numbers, or if the first is taken
/// away and the second is, too.
fn sum((to, times, add): (usize, i64, i64), other: &Cell, sign: i64) -> Option<Cell> {
    match *other {
        Cell::Word(word) => Some(Cell::Number {
            of: to,
            times,
            add: add + sign * word,
        }),
        Cell::Number { of, times: by, add: plus } if of != to => {
            let (to, of, times) = match (times, sign * by) {
                (1, by) => (to, of, by),
                (times, 1) => (of, to, times),
                _ => return None,
            };
            Some(Cell::Sum {
                to,
                of,
                times,
                add: add + sign * plus,
                least: None,
            })
        }
        _ => None,
    }
}

/// A table, or a word if that is the same for all indices.
fn table(of: usize, words: Arc<[i64]>, mut indices: impl Iterator<Item = usize>) -> Cell {
    let first = indices.next().map(|index| words[index]);
    match first {
        Some(first) if indices.all(|index| words[index] == first) => Cell::Word(first),
        _ => Cell::Table { of, words },
    }
}

/// Whether two cells of one product are the same sum.
fn is_same(one: &Cell, two: &Cell) -> bool {
    match (one, two) {
        (
            Cell::Sum { to, of, times, add, least },
            Cell::Sum { to: two, of: by, times: other, add: plus, least: low },
        ) => (to, of, times, add, least) == (two, by, other, plus, low),
        _ => false,
    }
}

impl<'s> Site<'s> {
    /// The arguments of a roll.
    pub(super) fn of(whole: &'s [Pure]) -> Self {
        Self {
            first: 0,
            whole,
            last: &[],
            target: Target::Nothing,
        }
    }

    /// How often its expressions read a cell; of a record, at most.
    fn reads<W: Weight>(self, product: &Product<W>, at: usize) -> usize {
        let local = at.checked_sub(self.first).filter(|_| at < product.cells.len());
        let is_slot = at >= product.cells.len();
        let read = |part: &Pure| match part {
            Pure::Local(read) => local == Some(*read),
            Pure::Slot(..) => is_slot,
            _ => false,
        };
        self.whole.iter().map(|value| times(value, &read)).sum()
    }

    /// Whether nothing reads a cell after it.
    fn ends<W: Weight>(self, product: &Product<W>, at: usize) -> bool {
        match at.checked_sub(product.cells.len()) {
            Some(slot) => self.target == Target::Slot(slot),
            None => at.checked_sub(self.first).is_some_and(|local| {
                self.target == Target::Local(local) || self.last.contains(&local)
            }),
        }
    }
}

/// How many parts of an expression are such.
fn times(value: &Pure, is_it: &dyn Fn(&Pure) -> bool) -> usize {
    let mut all = usize::from(is_it(value));
    value.operands(&mut |part| all += times(part, is_it));
    all
}

/// The result of an operation; a trap is found again state by state.
fn applied(result: OpResult) -> Result<i64, Stop> {
    result.map_err(|_| Stop::Apart)
}

