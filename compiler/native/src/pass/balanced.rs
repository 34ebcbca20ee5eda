//! Turns long chains of selects into trees, for lanes: a select takes a few cycles, and in a chain
//! each one waits for the one before it.
//!
//! ```text
//! a search:   best' = c && k < best ? k : best     best' = min(best, c ? k : first)
//! a look-up:  i == 4 ? d : (i == 3 ? c : (i == 2 ? b : a))
//!             (i == 4 || i == 3) ? (i == 4 ? d : c) : (i == 2 ? b : a)
//! ```
//!
//! A minimum takes one cycle, so the conditions of a search are known early. A tree needs a few
//! more conditions than a chain, but its depth is only the logarithm of the length.

use crate::ir::{Block, Function, Imm, Inst, Op, Type, Value};
use cranelift_entity::SecondaryMap;
use dicec_runtime::span::Span;
use rustc_hash::FxHashMap;

/// Chains that select among at most this many values are not changed.
const MAX_CHAIN: usize = 5;

/// If a step of a search has more conditions than this, the rest counts as one condition.
const MAX_CONDITIONS: usize = 8;

/// Subtrees that select among at most this many values are chains.
const MAX_PART: usize = 3;

/// Makes chains of choices less deep.
pub(super) fn balance(function: &mut Function) {
    let mut firsts = FxHashMap::default();
    rewrite(function, |writer, inst| {
        let search = Search::of(writer.function, inst)?;
        Some(search.extreme(writer, inst, &mut firsts))
    });
    let links = links(function);
    rewrite(function, |writer, inst| {
        let choices = chain(writer.function, &links, inst)?;
        Some((Op::Select, writer.tree(&choices)))
    });
}

/// Rewrites instructions with `new`, which may insert instructions before each.
fn rewrite(
    function: &mut Function,
    mut new: impl FnMut(&mut Writer<'_>, Inst) -> Option<(Op, Vec<Value>)>,
) {
    let blocks: Vec<Block> = function.blocks.keys().collect();
    for block in blocks {
        let insts = std::mem::take(&mut function.blocks[block].insts);
        let mut written = Vec::with_capacity(insts.len());
        for inst in insts {
            let mut writer = Writer {
                span: function.insts[inst].span,
                function,
                written: &mut written,
            };
            if let Some((op, args)) = new(&mut writer, inst) {
                let data = &mut function.insts[inst];
                (data.op, data.args) = (op, args);
            }
            written.push(inst);
        }
        function.blocks[block].insts = written;
    }
}

/// Inserts instructions before the rewritten one.
struct Writer<'f> {
    function: &'f mut Function,
    written: &'f mut Vec<Inst>,
    span: Span,
}

impl Writer<'_> {
    fn write(&mut self, op: Op, args: Vec<Value>, imm: Imm) -> Value {
        let inst = self.function.new_inst(op, args, imm, self.span);
        self.written.push(inst);
        self.function.insts[inst].result
    }

    /// The operands of a select that returns the value of the last choice whose condition holds.
    fn tree(&mut self, choices: &[Choice]) -> Vec<Value> {
        let (before, last) = choices.split_at(choices.len().div_ceil(2));
        let any = self.any(last);
        vec![any, self.chosen(last), self.chosen(before)]
    }

    /// The value of the last choice whose condition holds; the first choice needs no condition.
    fn chosen(&mut self, choices: &[Choice]) -> Value {
        match choices {
            [only] => only.value,
            [before @ .., last] if choices.len() <= MAX_PART => {
                let args = vec![last.condition, last.value, self.chosen(before)];
                self.write(Op::Select, args, Imm::None)
            }
            _ => {
                let args = self.tree(choices);
                self.write(Op::Select, args, Imm::None)
            }
        }
    }

    /// Whether one of the conditions holds.
    fn any(&mut self, choices: &[Choice]) -> Value {
        match choices {
            [only] => only.condition,
            _ => {
                let (before, last) = choices.split_at(choices.len().div_ceil(2));
                let args = vec![self.any(before), self.any(last)];
                self.write(Op::Either, args, Imm::None)
            }
        }
    }
}

/// A step of a search: a number replaces the best one so far if it is better and a condition holds.
struct Search {
    /// [`Op::Imax`] or [`Op::Imin`].
    op: Op,
    conditions: Vec<Value>,
    number: Value,
    best: Value,
}

impl Search {
    fn of(function: &Function, inst: Inst) -> Option<Self> {
        let data = &function.insts[inst];
        let &[condition, number, best] = data.args.as_slice() else {
            return None;
        };
        if data.op != Op::Select || function.value_type(best) != Type::I64 {
            return None;
        }
        let mut conditions = Vec::new();
        conjuncts(function, condition, &mut conditions);
        let (place, op) = conditions
            .iter()
            .enumerate()
            .find_map(|(place, &condition)| {
                let compared = function.def(condition)?;
                let greater = match compared.op {
                    Op::Igt | Op::Ige => true,
                    Op::Ilt | Op::Ile => false,
                    _ => return None,
                };
                let op = match (compared.args.as_slice(), greater) {
                    (&[a, b], true) | (&[b, a], false) if [a, b] == [number, best] => Op::Imax,
                    (&[a, b], true) | (&[b, a], false) if [b, a] == [number, best] => Op::Imin,
                    _ => return None,
                };
                Some((place, op))
            })?;
        conditions.remove(place);
        Some(Self {
            op,
            conditions,
            number,
            best,
        })
    }

    /// The better of the best number so far and this one. If a condition does not hold, this one is
    /// replaced by the initial number of the search, which is not better. `firsts` has the initial
    /// numbers of previous steps' results.
    fn extreme(
        self,
        writer: &mut Writer<'_>,
        step: Inst,
        firsts: &mut FxHashMap<Value, (Op, Value)>,
    ) -> (Op, Vec<Value>) {
        let before = firsts.get(&self.best).filter(|(op, _)| *op == self.op);
        let first = before.map_or(self.best, |&(_, first)| first);
        let result = writer.function.insts[step].result;
        firsts.insert(result, (self.op, first));
        let both = |writer: &mut Writer<'_>, a, b| writer.write(Op::Both, vec![a, b], Imm::None);
        let condition = self
            .conditions
            .into_iter()
            .reduce(|a, b| both(writer, a, b));
        let number = match condition {
            None => self.number,
            Some(condition) => {
                writer.write(Op::Select, vec![condition, self.number, first], Imm::None)
            }
        };
        (self.op, vec![number, self.best])
    }
}

/// Splits `condition` into conditions whose conjunction it is. After a number of them, the rest is
/// not split any further: several steps may share it.
fn conjuncts(function: &Function, condition: Value, found: &mut Vec<Value>) {
    match function.def(condition) {
        Some(data) if data.op == Op::Both && found.len() < MAX_CONDITIONS => {
            data.args
                .iter()
                .for_each(|&arg| conjuncts(function, arg, found));
        }
        _ => found.push(condition),
    }
}

/// A value of a chain, and the condition under which it replaces the values before it.
struct Choice {
    condition: Value,
    value: Value,
}

/// The selects that are links of a chain: the only use of each is another select of its block, as
/// the value for a false condition.
fn links(function: &Function) -> SecondaryMap<Value, bool> {
    let mut uses: SecondaryMap<Value, u32> = SecondaryMap::new();
    for data in function.blocks.values() {
        let args = data
            .insts
            .iter()
            .flat_map(|&inst| &function.insts[inst].args);
        args.for_each(|&arg| uses[arg] += 1);
        if let Some(mut end) = data.terminator.clone() {
            end.for_each_use(|&mut value| uses[value] += 1);
        }
    }
    let mut links = SecondaryMap::new();
    for data in function.blocks.values() {
        let mut here: SecondaryMap<Value, bool> = SecondaryMap::new();
        for data in data.insts.iter().map(|&inst| &function.insts[inst]) {
            if data.op == Op::Select {
                let rest = data.args[2];
                links[rest] = here[rest] && uses[rest] == 1;
                here[data.result] = true;
            }
        }
    }
    links
}

/// The choices of the chain that ends here, if it is long; later choices have precedence.
fn chain(
    function: &Function,
    links: &SecondaryMap<Value, bool>,
    inst: Inst,
) -> Option<Vec<Choice>> {
    let mut data = &function.insts[inst];
    if data.op != Op::Select || links[data.result] {
        return None;
    }
    let mut choices = Vec::new();
    loop {
        let &[condition, value, rest] = data.args.as_slice() else {
            return None;
        };
        choices.push(Choice { condition, value });
        if !links[rest] {
            // The condition of the first choice is not used.
            choices.push(Choice {
                condition,
                value: rest,
            });
            break;
        }
        data = function.def(rest)?;
    }
    choices.reverse();
    (choices.len() > MAX_CHAIN).then_some(choices)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Module, Terminator, verify};
    use crate::ir_text::parse;
    use crate::pass::Pass;
    use std::fmt::Write;

    /// A trial that searches the numbers whose flags are set for the best, and returns its index.
    fn search(numbers: &[(i64, bool)], better: &str) -> String {
        let mut text = "function i64\n\nblock0:\n".to_owned();
        let mut next = 0;
        let mut add = |line: String| {
            writeln!(text, "    v{next} = {line}").expect("a string takes all");
            next += 1;
            next - 1
        };
        let (mut best, mut index) = (add("iconst 500".to_owned()), add("iconst -1".to_owned()));
        for (at, (number, flag)) in numbers.iter().enumerate() {
            let (number, at) = (add(format!("iconst {number}")), add(format!("iconst {at}")));
            let flag = add(format!("bconst {flag}"));
            let better = add(format!("{better} v{number}, v{best}"));
            let both = add(format!("both v{flag}, v{better}"));
            best = add(format!("select v{both}, v{number}, v{best}"));
            index = add(format!("select v{both}, v{at}, v{index}"));
        }
        text + &format!("    return v{index}\n")
    }

    /// What the trial returns, how many selects are in a row at most, and the number of minima.
    fn measured(module: &Module) -> (Option<i64>, usize, usize) {
        let function = module.trial();
        let mut depth: FxHashMap<Value, usize> = FxHashMap::default();
        let mut minima = 0;
        for inst in function.live_insts() {
            let data = &function.insts[inst];
            let before = data.args.iter().filter_map(|arg| depth.get(arg)).max();
            let own = usize::from(data.op == Op::Select);
            minima += usize::from(matches!(data.op, Op::Imin | Op::Imax));
            depth.insert(data.result, before.unwrap_or(&0) + own);
        }
        let mut folded = module.clone();
        Pass::FOLD.run(&mut folded);
        let result = match folded
            .trial()
            .blocks
            .values()
            .next()
            .map(|block| &block.terminator)
        {
            Some(&Some(Terminator::Return(result))) => folded.trial().as_iconst(result),
            _ => None,
        };
        (result, depth.into_values().max().unwrap_or(0), minima)
    }

    #[test]
    fn a_search_finds_the_same_by_minima_and_a_tree() {
        // There are few different numbers, so that many are equal.
        for case in 0..600_i64 {
            let number = |at: i64| {
                (
                    (case * 7 + at * at * (case % 11 + 1)) % 5,
                    (case >> at) & 1 == 1,
                )
            };
            let numbers: Vec<_> = (0..9).map(number).collect();
            for better in ["ilt", "ile", "igt", "ige"] {
                let before = parse(&search(&numbers, better)).expect("IR");
                let mut after = before.clone();
                Pass::BALANCE.run(&mut after);
                Pass::CSE.run(&mut after);
                Pass::DCE.run(&mut after);
                assert_eq!(verify(&after), Ok(()), "{after}");
                let (expected, chain, none) = measured(&before);
                let (found, depth, extremes) = measured(&after);
                assert!(expected.is_some(), "{before}");
                assert_eq!(found, expected, "{numbers:?}\n{after}");
                // Nothing asks for the number that is found.
                assert_eq!((chain, none, extremes), (9, 0, 8));
                assert!(depth <= 5, "{depth}\n{after}");
            }
        }
    }

    #[test]
    fn short_chains_stay() {
        let mut module = parse(&search(&[(3, true), (2, false)], "ilt")).expect("IR");
        Pass::BALANCE.run(&mut module);
        let function = module.trial();
        let mut ops = function.live_insts().map(|inst| function.insts[inst].op);
        assert!(!ops.any(|op| op == Op::Either), "{module}");
    }
}
