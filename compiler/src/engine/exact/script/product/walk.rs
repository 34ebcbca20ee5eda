//! The walk of products over segments.

use super::eval::{Site, Target};
use super::factor::Factor;
use super::join::join;
use super::states::{Cell, Product};
use super::{Stop, Walker};
use crate::engine::exact::script::live::Live;
use crate::engine::exact::script::notes::{Mean, StatKey};
use crate::engine::exact::script::plan::{Head, Loop, Plan, Segment, Step, Tail};
use crate::engine::exact::script::walk::{LOOKED_UP_COST, STACK_ADDED, STACK_LEFT};
use crate::hir::FunctionId;
use dicec_runtime::pmf::Weight;
use std::slice::from_ref;

/// States at one point: several products.
pub(super) type Products<W> = Vec<Product<W>>;

/// A function that is being computed.
pub(super) struct Frame<'p, W> {
    pub(super) plan: &'p Plan,
    /// Where its variables begin among the cells.
    pub(super) first: usize,
    pub(super) returns: Products<W>,
    /// The exits of the enclosing loops, the innermost last.
    pub(super) loops: Vec<LoopExits<'p, W>>,
}

/// The exits of an iteration of a loop, and what is live there.
pub(super) struct LoopExits<'p, W> {
    pub(super) breaks: Products<W>,
    pub(super) continues: Products<W>,
    pub(super) after: &'p Live,
    pub(super) again: &'p Live,
}

/// Where the states of a segment lead.
struct Leads<W> {
    next: Products<W>,
    /// To the first block of its tail, and to the second.
    inner: [Products<W>; 2],
}

impl<'p, W: Weight> Walker<'_, 'p, W> {
    /// The states in which a function ends; the last cell is its result.
    pub(super) fn function(
        &mut self,
        function: FunctionId,
        mut product: Product<W>,
        args: Vec<Cell>,
    ) -> Result<Products<W>, Stop> {
        let active = &mut self.active[function.index()];
        if *active || self.depth > self.world.limits.depth {
            return Err(Stop::Apart);
        }
        *active = true;
        self.depth += 1;
        let plan = &self.plans.functions[function.index()];
        let first = product.cells.len();
        product.cells.extend(args);
        product.cells.resize(first + plan.locals.len(), Cell::Word(0));
        product.keep(first, &plan.begin);
        let mut frame = Frame {
            plan,
            first,
            returns: Vec::new(),
            loops: Vec::new(),
        };
        let end = self.block(&mut frame, &plan.body.segments, vec![product], &plan.end)?;
        for product in end {
            join(&mut frame.returns, product)?;
        }
        self.active[function.index()] = false;
        self.depth -= 1;
        let result = first + plan.result();
        for product in &mut frame.returns {
            product.cells.swap(first, result);
            product.cells.truncate(first + 1);
        }
        Ok(frame.returns)
    }

    /// Takes states through segments; returns those that reach the end.
    pub(super) fn block(
        &mut self,
        frame: &mut Frame<'p, W>,
        block: &'p [Segment],
        mut states: Products<W>,
        end: &'p Live,
    ) -> Result<Products<W>, Stop> {
        for (index, segment) in block.iter().enumerate() {
            if states.is_empty() {
                return Ok(states);
            }
            if let Some(end) = self.again(frame, &block[index..], &states, end)? {
                return Ok(end);
            }
            let after = block.get(index + 1).map_or(end, |next| &next.live);
            states = self.segment(frame, segment, states, after)?;
        }
        Ok(states)
    }

    fn segment(
        &mut self,
        frame: &mut Frame<'p, W>,
        segment: &'p Segment,
        states: Products<W>,
        after: &'p Live,
    ) -> Result<Products<W>, Stop> {
        let mut leads = Leads {
            next: Vec::new(),
            inner: [Vec::new(), Vec::new()],
        };
        for product in states {
            self.head(frame, segment, product, (after, &mut leads))?;
        }
        let Leads { mut next, inner } = leads;
        let [first, second] = inner;
        match &segment.tail {
            Tail::If(_, then, otherwise) => {
                for (block, states) in [(then, first), (otherwise, second)] {
                    let end = stacker::maybe_grow(STACK_LEFT, STACK_ADDED, || {
                        self.block(frame, &block.segments, states, after)
                    })?;
                    for product in end {
                        join(&mut next, product)?;
                    }
                }
            }
            Tail::Loop(iterations) => stacker::maybe_grow(STACK_LEFT, STACK_ADDED, || {
                self.iterations(frame, iterations, first, (after, &mut next))
            })?,
            Tail::Next | Tail::Break | Tail::Continue | Tail::Return(_) => {}
        }
        Ok(next)
    }

    /// Takes states through a segment, to the blocks of its tail.
    fn head(
        &mut self,
        frame: &mut Frame<'p, W>,
        segment: &'p Segment,
        mut product: Product<W>,
        (after, leads): (&'p Live, &mut Leads<W>),
    ) -> Result<(), Stop> {
        self.budget.spend(LOOKED_UP_COST, 0)?;
        let first = frame.first;
        let last = segment.last.first().map_or(&[][..], Vec::as_slice);
        let site = |whole| Site {
            first,
            whole,
            last,
            target: Target::Nothing,
        };
        let into = match &segment.head {
            None => None,
            Some(Head::Roll(site_of, into, holes)) => {
                let holes = self.all(&mut product, site(holes))?;
                let factor = self.rolled(*site_of, &holes, &product)?;
                Some((*into, factor))
            }
            Some(Head::Option(into, option)) => {
                let option = self.distributions.option(*option);
                let factor = Factor::of(&option.pmf);
                Some((*into, factor.ok_or(Stop::Apart)?))
            }
            Some(Head::Call {
                into,
                function,
                args,
                ..
            }) => {
                let args = self.all(&mut product, site(args))?;
                self.burn(&mut product, 1)?;
                forget(&mut product, first, last);
                let ends = self.function(*function, product, args)?;
                for mut product in ends {
                    let result = product.cells.pop();
                    if let (Some(into), Some(result)) = (into, result) {
                        product.cells[first + into] = result;
                    }
                    forget(&mut product, first, last);
                    self.rest(frame, segment, product, (after, &mut *leads))?;
                }
                return Ok(());
            }
        };
        if let Some((into, factor)) = into {
            let of = product.add(factor);
            product.cells[first + into] = Cell::Number { of, times: 1, add: 0 };
            forget(&mut product, first, last);
        }
        self.rest(frame, segment, product, (after, leads))
    }

    /// The distribution of a roll, whose holes have to be known.
    fn rolled(
        &mut self,
        site: usize,
        holes: &[Cell],
        product: &Product<W>,
    ) -> Result<Factor<W>, Stop> {
        let holes = holes.iter().map(|hole| match hole {
            Cell::Word(word) => Ok(*word),
            _ => Err(Stop::Apart),
        });
        let holes = holes.collect::<Result<Vec<i64>, Stop>>()?;
        let rolled = self.distributions.roll(
            (site, &self.plans.rolls[site]),
            (self.question.resources, &holes),
            self.question.rolls,
            self.budget,
        );
        let rolled = rolled.map_err(|_| Stop::Apart)?;
        if rolled.exact.residual > 0.0 {
            self.left_out(product.mean().value * rolled.exact.residual);
        }
        rolled.factor().ok_or(Stop::Apart)
    }

    /// The steps and the tail of a segment.
    fn rest(
        &mut self,
        frame: &mut Frame<'p, W>,
        segment: &'p Segment,
        mut product: Product<W>,
        (after, leads): (&'p Live, &mut Leads<W>),
    ) -> Result<(), Stop> {
        let first = frame.first;
        for (step, last) in segment.straight.iter().zip(segment.last.iter().skip(1)) {
            self.step(&mut product, step, (first, last))?;
            forget(&mut product, first, last);
        }
        let last = segment.last.last().map_or(&[][..], Vec::as_slice);
        match &segment.tail {
            Tail::Next => {
                // What is not live there was forgotten on the way.
                product.settle();
                join(&mut leads.next, product)
            }
            Tail::If(condition, then, otherwise) => {
                let site = Site {
                    first,
                    whole: from_ref(condition),
                    last,
                    target: Target::Nothing,
                };
                let truth = self.value(&mut product, site)?;
                let [yes, no] = split(product, &truth)?;
                let Leads { next, inner } = leads;
                let [left, right] = inner;
                for (taken, block, into) in [(yes, then, left), (no, otherwise, right)] {
                    let Some(mut product) = taken else {
                        continue;
                    };
                    let (live, into) = match block.segments.first() {
                        Some(segment) => (&*segment.live, into),
                        None => (after, &mut *next),
                    };
                    product.keep(first, live);
                    join(into, product)?;
                }
                Ok(())
            }
            Tail::Loop(iterations) => {
                product.keep(first, &iterations.live);
                join(&mut leads.inner[0], product)
            }
            Tail::Break | Tail::Continue => {
                let exits = frame.loops.last_mut().ok_or(Stop::Apart)?;
                let (live, into) = match &segment.tail {
                    Tail::Break => (exits.after, &mut exits.breaks),
                    _ => (exits.again, &mut exits.continues),
                };
                product.keep(first, live);
                join(into, product)
            }
            Tail::Return(value) => {
                if let Some(value) = value {
                    let target = frame.plan.result();
                    let site = Site {
                        first,
                        whole: from_ref(value),
                        last,
                        target: Target::Local(target),
                    };
                    product.cells[first + target] = self.value(&mut product, site)?;
                }
                product.keep(first, &frame.plan.end);
                join(&mut frame.returns, product)
            }
        }
    }

    fn step(
        &mut self,
        product: &mut Product<W>,
        step: &Step,
        (first, last): (usize, &[usize]),
    ) -> Result<(), Stop> {
        let site = |whole, target| Site {
            first,
            whole: from_ref(whole),
            last,
            target,
        };
        match step {
            Step::Eval(value) => {
                self.value(product, site(value, Target::Nothing))?;
            }
            Step::Set(local, value, _) => {
                let cell = self.value(product, site(value, Target::Local(*local)))?;
                product.cells[first + local] = cell;
            }
            Step::Require(condition, _) => {
                let truth = self.value(product, site(condition, Target::Nothing))?;
                if !matches!(truth, Cell::Word(truth) if truth != 0) {
                    return Err(Stop::Apart);
                }
            }
            Step::Pay(units, _) => self.burn(product, *units)?,
            Step::Output(line) => {
                let line = self.value(product, site(line, Target::Nothing))?;
                let Cell::Word(line) = line else {
                    return Err(Stop::Apart);
                };
                self.notes.line(line, product.mean());
                self.noted()?;
            }
            Step::Stat(stat, value) => {
                self.stat(product, StatKey::Known(*stat), site(value, Target::Nothing))?;
            }
            Step::NamedStat(name, value) => {
                let name = self.value(product, site(name, Target::Nothing))?;
                let Cell::Word(name) = name else {
                    return Err(Stop::Apart);
                };
                self.stat(product, StatKey::Template(name), site(value, Target::Nothing))?;
            }
            Step::Slot(record, slot, value, _) => {
                let record = self.value(product, site(record, Target::Nothing))?;
                let Cell::Word(record) = record else {
                    return Err(Stop::Apart);
                };
                let at = usize::try_from(record).map_err(|_| Stop::Apart)? + slot;
                let cell = self.value(product, site(value, Target::Slot(at)))?;
                *product.heap.get_mut(at).ok_or(Stop::Apart)? = cell;
            }
            Step::Element(..) | Step::Append(..) | Step::Shorten(_) => {
                return Err(Stop::Apart);
            }
        }
        Ok(())
    }

    /// Notes the numbers of a statistic.
    fn stat(
        &mut self,
        product: &mut Product<W>,
        stat: StatKey,
        site: Site<'_>,
    ) -> Result<(), Stop> {
        let value = self.value(product, site)?;
        if value.is_sum() {
            return Err(Stop::Apart);
        }
        let of = value.factors().next();
        let mut others = product.clone();
        let mut roundings = 0;
        if let Some(of) = of {
            roundings = product.factors[of].roundings;
            others.factors[of] = Factor::certain(0);
        }
        let others = others.mean();
        self.budget.spend(of.map_or(1, |of| product.factors[of].len() as u64), 0)?;
        let notes = &mut self.notes;
        product.each_word(&value, |word, weight| {
            let value = weight.ratio(&W::from_u64(1));
            notes.stat(stat, word, Mean { value, roundings }.times(others));
        });
        self.noted()
    }

    fn noted(&mut self) -> Result<(), Stop> {
        self.observed += 1;
        let kept = self.world.values.len() + self.notes.len();
        Ok(self.budget.check_outcomes(kept as u64)?)
    }

    /// Counts probability that is left out.
    fn left_out(&mut self, probability: f64) {
        self.observed += 1;
        self.residual += probability;
    }

    /// Iterations of a loop, until no state is left in it or, if it can go on forever, too little
    /// probability to matter.
    fn iterations(
        &mut self,
        frame: &mut Frame<'p, W>,
        iterations: &'p Loop,
        mut states: Products<W>,
        (after, next): (&'p Live, &mut Products<W>),
    ) -> Result<(), Stop> {
        let enough = self.budget.cut() * mass(&states).min(1.0);
        frame.loops.push(LoopExits {
            breaks: Vec::new(),
            continues: Vec::new(),
            after,
            again: &iterations.live,
        });
        while !states.is_empty() {
            if !iterations.ends {
                let left = mass(&states);
                if left <= enough {
                    self.left_out(left);
                    break;
                }
            }
            let body = &iterations.body.segments;
            let mut again = self.block(frame, body, states, &iterations.live)?;
            if let Some(exits) = frame.loops.last_mut() {
                for product in exits.breaks.drain(..) {
                    join(next, product)?;
                }
                for product in exits.continues.drain(..) {
                    join(&mut again, product)?;
                }
            }
            states = Vec::with_capacity(again.len());
            for product in again {
                join(&mut states, self.worked_out(frame.first, product)?)?;
            }
        }
        frame.loops.pop();
        Ok(())
    }

    /// A product whose sums are worked out, so that later ones are not longer than they have to be.
    fn worked_out(&mut self, first: usize, mut product: Product<W>) -> Result<Product<W>, Stop> {
        for at in first..product.len() {
            if product.cell(at).is_sum() {
                self.pay_sum(&product, at)?;
                product.work_out(at);
            }
        }
        Ok(product)
    }
}

/// The probability of states.
fn mass<W: Weight>(states: &[Product<W>]) -> f64 {
    states.iter().map(|product| product.mean().value).sum()
}

/// Forgets variables that nothing reads any more.
fn forget<W>(product: &mut Product<W>, first: usize, last: &[usize]) {
    for local in last {
        product.cells[first + local] = Cell::Word(0);
    }
}

/// The states in which a condition holds, and those in which it does not.
fn split<W: Weight>(
    product: Product<W>,
    truth: &Cell,
) -> Result<[Option<Product<W>>; 2], Stop> {
    let of = match truth {
        Cell::Word(0) => return Ok([None, Some(product)]),
        Cell::Word(_) => return Ok([Some(product), None]),
        Cell::Number { of, .. } | Cell::Table { of, .. } => *of,
        Cell::Sum { .. } => return Err(Stop::Apart),
    };
    let depends = |cell: &Cell| matches!(cell, Cell::Table { of: other, .. } if *other == of);
    let has_table = product.all().any(depends);
    let part = |wanted: bool| {
        let is_it = |index| (product.word(truth, index) != 0) == wanted;
        product.factors[of].only(has_table, is_it)
    };
    let [yes, no] = [part(true), part(false)];
    let mut other = product.clone();
    let mut one = product;
    let mut is_there = [false, false];
    if let Some(yes) = yes {
        one.factors[of] = yes;
        is_there[0] = true;
    }
    if let Some(no) = no {
        other.factors[of] = no;
        is_there[1] = true;
    }
    Ok([
        Some(one).filter(|_| is_there[0]),
        Some(other).filter(|_| is_there[1]),
    ])
}

