//! Computes sums of compared numbers with fewer comparisons. A sum does not depend on the order of
//! its terms, and the minimum and the maximum of two numbers are the same two numbers, so
//!
//! ```text
//! imin(a, b) + imax(a, b)  =  a + b
//! imax(a, b)               =  a + b - imin(a, b)
//! ```
//!
//! For example, the highest three of four dice are all four minus the lowest: three minima, while
//! their sorting network (`lower/dice/inline.rs`) has two of them and three maxima. Arithmetic
//! wraps, so this holds for all numbers. Fused draws recognise kept dice by sums of minima and
//! maxima, so no pass does this. Only the emitter of scalar code does, where a minimum is two
//! instructions, and it omits the unused rest of the sorting network.

use crate::ir::{Function, Inst, Op, Value};
use cranelift_entity::SecondaryMap;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Sums of more numbers or comparisons than this are emitted as written.
const MAX_SIZE: usize = 128;

/// Two compared numbers. Pairs whose numbers need more comparisons come first.
pub(super) type Pair = (Reverse<u32>, [Value; 2]);

/// A term of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Term {
    Plain(Value),
    Lower(Pair),
    Higher(Pair),
}

/// The result of a comparison that remains if the other one is replaced.
#[derive(Clone, Copy)]
enum Left {
    Either,
    Lower,
    Higher,
}

/// The factor of each term; negative if it is subtracted.
pub(super) type Terms = BTreeMap<Term, i64>;

/// The sums of a function.
pub(super) struct Sums<'f> {
    function: &'f Function,
    /// The height of a value in comparisons.
    height: SecondaryMap<Value, u32>,
    uses: SecondaryMap<Value, u32>,
    /// Whether a value is part of a longer sum.
    part: SecondaryMap<Value, bool>,
    /// The sums for which there is a cheaper way than as written.
    better: FxHashMap<Value, Terms>,
    /// Whether a value is used; `None` if no sum changes, so that all values are.
    needed: Option<SecondaryMap<Value, bool>>,
}

impl<'f> Sums<'f> {
    pub(super) fn of(function: &'f Function) -> Self {
        let mut sums = Self {
            function,
            height: SecondaryMap::new(),
            uses: SecondaryMap::new(),
            part: SecondaryMap::new(),
            better: FxHashMap::default(),
            needed: None,
        };
        let op = |inst: Inst| function.insts[inst].op;
        let ordered = |op| matches!(op, Op::Imin | Op::Imax);
        if !function.live_insts().any(|inst| ordered(op(inst))) {
            return sums;
        }
        for inst in function.live_insts() {
            let data = &function.insts[inst];
            for &arg in &data.args {
                sums.uses[arg] += 1;
                sums.part[arg] = sums.uses[arg] == 1 && data.op == Op::IaddWrap;
            }
            if ordered(data.op) {
                let below = data.args.iter().map(|&arg| sums.height[arg]);
                sums.height[data.result] = below.max().unwrap_or(0) + 1;
            }
        }
        for inst in function.live_insts() {
            let data = &function.insts[inst];
            if data.op == Op::IaddWrap
                && let Some(terms) = sums.other_way(data.result)
            {
                sums.better.insert(data.result, terms);
            }
        }
        if !sums.better.is_empty() {
            sums.needed = Some(sums.find_needed());
        }
        sums
    }

    /// Whether a value is unused after sums are rewritten.
    pub(super) fn leaves_out(&self, value: Value) -> bool {
        self.needed.as_ref().is_some_and(|needed| !needed[value])
    }

    /// Takes the cheaper terms of a sum.
    pub(super) fn take(&mut self, result: Value) -> Option<Terms> {
        self.better.remove(&result)
    }

    /// The used values: those of terminators and of instructions with effects, and their operands.
    fn find_needed(&self) -> SecondaryMap<Value, bool> {
        let function = self.function;
        let mut pending = Vec::new();
        for block in function.blocks.values() {
            if let Some(terminator) = &block.terminator {
                terminator
                    .clone()
                    .for_each_use(|value| pending.push(*value));
            }
        }
        let kept = |inst: &Inst| {
            let info = function.insts[*inst].op.info();
            info.effect || info.traps
        };
        let kept = function.live_insts().filter(kept);
        pending.extend(kept.map(|inst| function.insts[inst].result));
        let mut needed: SecondaryMap<Value, bool> = SecondaryMap::new();
        while let Some(value) = pending.pop() {
            if std::mem::replace(&mut needed[value], true) {
                continue;
            }
            if let Some(terms) = self.better.get(&value) {
                for term in terms.keys() {
                    match term {
                        Term::Plain(number) => pending.push(*number),
                        Term::Lower(pair) | Term::Higher(pair) => pending.extend(pair.1),
                    }
                }
            } else if let Some(data) = function.def(value) {
                pending.extend(&data.args);
            }
        }
        needed
    }

    /// The terms of the sum that `result` is, if they are cheaper than the written ones.
    fn other_way(&self, result: Value) -> Option<Terms> {
        if self.part[result] {
            return None;
        }
        let mut written = Terms::new();
        let mut pending = vec![result];
        while let Some(value) = pending.pop() {
            let sum = self.function.def(value);
            match sum.filter(|data| data.op == Op::IaddWrap) {
                Some(data) if value == result || self.part[value] => pending.extend(&data.args),
                _ => *written.entry(self.term(value)).or_default() += 1,
            }
            if written.len() + pending.len() > MAX_SIZE {
                return None;
            }
        }
        if written.keys().all(|term| matches!(term, Term::Plain(_))) {
            return None;
        }
        let choices = [Left::Either, Left::Lower, Left::Higher];
        let other = choices.map(|left| self.spread(written.clone(), left));
        let other = other.into_iter().flatten();
        let best = other.min_by_key(|terms| self.cost(terms))?;
        (self.cost(&best) < self.cost(&written)).then_some(best)
    }

    fn term(&self, value: Value) -> Term {
        let Some(data) = self.function.def(value) else {
            return Term::Plain(value);
        };
        match (data.op, data.args.as_slice()) {
            (Op::Imin, &[a, b]) => Term::Lower((Reverse(self.height[value]), [a.min(b), a.max(b)])),
            (Op::Imax, &[a, b]) => {
                Term::Higher((Reverse(self.height[value]), [a.min(b), a.max(b)]))
            }
            _ => Term::Plain(value),
        }
    }

    /// The same sum with the fewest comparisons among its terms; `None` if a term would occur
    /// twice.
    fn spread(&self, mut terms: Terms, left: Left) -> Option<Terms> {
        let mut pairs: BTreeMap<Pair, [i64; 2]> = BTreeMap::new();
        let mut done = Terms::new();
        let mut looked = 0;
        loop {
            for (term, times) in std::mem::take(&mut terms) {
                match term {
                    Term::Plain(_) => *done.entry(term).or_default() += times,
                    Term::Lower(pair) => pairs.entry(pair).or_default()[0] += times,
                    Term::Higher(pair) => pairs.entry(pair).or_default()[1] += times,
                }
            }
            let Some((pair, [lower, higher])) = pairs.pop_first() else {
                break;
            };
            let both = match left {
                Left::Lower => higher,
                Left::Higher => lower,
                Left::Either if lower.signum() == higher.signum() => {
                    lower.signum() * lower.abs().min(higher.abs())
                }
                Left::Either => 0,
            };
            for number in pair.1 {
                *terms.entry(self.term(number)).or_default() += both;
            }
            done.insert(Term::Lower(pair), lower - both);
            done.insert(Term::Higher(pair), higher - both);
            looked += 1;
            if looked > MAX_SIZE {
                return None;
            }
        }
        done.retain(|_, times| *times != 0);
        let once = done.values().all(|times| times.abs() == 1);
        once.then_some(done)
    }

    /// The number of instructions: two for a minimum or a maximum, one for a term.
    fn cost(&self, terms: &Terms) -> usize {
        let mut seen = FxHashSet::default();
        let mut pending: Vec<Term> = terms.keys().copied().collect();
        while let Some(term) = pending.pop() {
            if let Term::Lower(pair) | Term::Higher(pair) = term
                && seen.insert(term)
            {
                pending.extend(pair.1.map(|number| self.term(number)));
            }
        }
        2 * seen.len() + terms.len()
    }
}

#[cfg(test)]
mod tests {
    use super::Sums;
    use crate::ir::{Op, Terminator};
    use crate::ir_text::parse;

    /// Four dice in order, of which `last` says what is returned.
    fn four_dice(last: &str) -> String {
        format!(
            "function i64

block0:
    v0 = pool 1 6
    v1 = pool 1 6
    v2 = pool 1 6
    v3 = pool 1 6
    v4 = imin v0, v2
    v5 = imax v0, v2
    v6 = imin v1, v3
    v7 = imax v1, v3
    v8 = imin v4, v6
    v9 = imax v4, v6
    v10 = imin v5, v7
    v11 = imax v5, v7
    v12 = imin v9, v10
    v13 = imax v9, v10
{last}"
        )
    }

    /// The comparisons that the result takes, and its terms; `None` if it is emitted as written.
    fn comparisons_and_terms(last: &str) -> Option<(usize, usize)> {
        let module = parse(&four_dice(last)).expect("a rule");
        let function = module.trial();
        let sums = Sums::of(function);
        let Some(Terminator::Return(result)) = function.blocks[function.entry()].terminator else {
            panic!("one block");
        };
        let data = function.def(result).filter(|data| data.op == Op::IaddWrap);
        let terms = sums.better.get(&data?.result)?;
        assert!(terms.values().all(|times| times.abs() == 1));
        Some(((sums.cost(terms) - terms.len()) / 2, terms.len()))
    }

    #[test]
    fn the_highest_three_are_all_less_the_lowest() {
        let kept = "    v14 = iadd_wrap v11, v12\n    v15 = iadd_wrap v14, v13\n    return v15\n";
        assert_eq!(comparisons_and_terms(kept), Some((3, 5)));
    }

    #[test]
    fn the_lowest_three_are_all_less_the_highest() {
        let kept = "    v14 = iadd_wrap v8, v12\n    v15 = iadd_wrap v14, v13\n    return v15\n";
        assert_eq!(comparisons_and_terms(kept), Some((3, 5)));
    }

    #[test]
    fn all_of_them_need_no_order() {
        let kept = "    v14 = iadd_wrap v8, v12
    v15 = iadd_wrap v14, v13
    v16 = iadd_wrap v15, v11
    return v16
";
        assert_eq!(comparisons_and_terms(kept), Some((0, 4)));
    }

    #[test]
    fn what_would_not_be_shorter_stays() {
        let bonus = "    v14 = iconst 2\n    v15 = iadd_wrap v11, v14\n    return v15\n";
        assert_eq!(comparisons_and_terms(bonus), None);
    }
}
