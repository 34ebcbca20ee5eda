//! What a word among known ones is, as a function of its index, in few choices.
//!
//! It is one that is usual unless the index is one of a few, or the one of the run of equal words
//! that the index lies in, whichever takes fewer choices. If the words rise with their indices, as
//! those of `[i for i : 0..51]`, the rest after that is.

use crate::ir::{Function, Imm, Inst, Op, Tables, Value};
use dicec_runtime::bug;
use dicec_runtime::span::Span;

/// The maximum of what is added for an index, so that it fits lanes as the words do.
const MAX_RISE: u64 = 4096;

/// What a word holds when a trial begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum First {
    /// This number.
    Number(i64),
    /// The open word at this address of the argument block.
    Open(u32),
}

impl First {
    /// What the word at an address of a known argument block holds.
    pub(super) fn of(tables: &Tables, known: &[i64], address: usize) -> Option<Self> {
        let number = *known.get(address)?;
        let open = u32::try_from(address).ok();
        let open = open.filter(|&address| tables.open.contains(address));
        Some(open.map_or(First::Number(number), First::Open))
    }

    /// The instruction that gives it.
    pub(super) fn inst(self) -> (Op, Imm) {
        match self {
            First::Number(number) => (Op::Iconst, Imm::Int(number)),
            First::Open(address) => (Op::Resource, Imm::Slot(address)),
        }
    }
}

/// The first word, if none of the choices holds, and those whose choices hold: the last of these.
pub(super) struct LookUp {
    /// What is added for each index.
    pub(super) slope: i64,
    /// How an index is compared with the keys.
    pub(super) op: Op,
    pub(super) first: First,
    pub(super) rest: Vec<(i64, First)>,
}

impl LookUp {
    /// Of words by their keys, which are in order; there is at least one.
    pub(super) fn of(words: &[(i64, First)]) -> Self {
        let level = Self::level(words);
        let Some((slope, rest)) = falling(words) else {
            return level;
        };
        let risen = Self {
            slope,
            ..Self::level(&rest)
        };
        // A multiplication and an addition cost about as much as a choice.
        match risen.rest.len() + 1 < level.rest.len() {
            true => risen,
            false => level,
        }
    }

    /// Writes the choices; returns the word at the index.
    pub(super) fn write(
        &self,
        function: &mut Function,
        insts: &mut Vec<Inst>,
        index: Value,
        span: Span,
    ) -> Value {
        let mut inst = |op, args, imm| {
            let inst = function.new_inst(op, args, imm, span);
            insts.push(inst);
            function.insts[inst].result
        };
        let (op, imm) = self.first.inst();
        let mut found = inst(op, Vec::new(), imm);
        for &(key, word) in &self.rest {
            let key = inst(Op::Iconst, Vec::new(), Imm::Int(key));
            let (op, imm) = word.inst();
            let word = inst(op, Vec::new(), imm);
            let here = inst(self.op, vec![index, key], Imm::None);
            found = inst(Op::Select, vec![here, word, found], Imm::None);
        }
        if self.slope == 0 {
            return found;
        }
        let slope = inst(Op::Iconst, Vec::new(), Imm::Int(self.slope));
        let risen = inst(Op::ImulWrap, vec![index, slope], Imm::None);
        inst(Op::IaddWrap, vec![risen, found], Imm::None)
    }

    fn level(words: &[(i64, First)]) -> Self {
        let runs: Vec<(i64, First)> = words
            .chunk_by(|a, b| a.1 == b.1)
            .filter_map(|run| run.first().copied())
            .collect();
        let count = |wanted: First| words.iter().filter(|&&(_, word)| word == wanted).count();
        let usual = words.iter().map(|&(_, word)| word);
        let usual = usual.max_by_key(|&word| count(word));
        let usual = usual.unwrap_or_else(|| bug!("a word among none").raise());
        let others = words.iter().filter(|&&(_, word)| word != usual);
        let others: Vec<(i64, First)> = others.copied().collect();
        let (op, first, rest) = match runs.split_first() {
            Some((&(_, first), rest)) if rest.len() <= others.len() => {
                (Op::Ige, first, rest.to_vec())
            }
            _ => (Op::Ieq, usual, others),
        };
        Self {
            slope: 0,
            op,
            first,
            rest,
        }
    }
}

/// How much most words are above the one before, if they are numbers, and what is left without
/// that.
fn falling(words: &[(i64, First)]) -> Option<(i64, Vec<(i64, First)>)> {
    let number = |word: First| match word {
        First::Number(number) => Some(number),
        First::Open(_) => None,
    };
    let steps = words.windows(2).map(|pair| {
        let [(_, below), (_, above)] = pair else {
            return None;
        };
        number(*above)?.checked_sub(number(*below)?)
    });
    let steps: Vec<i64> = steps.collect::<Option<_>>()?;
    let count = |wanted: i64| steps.iter().filter(|&&step| step == wanted).count();
    let slope = steps.iter().copied().max_by_key(|&step| count(step))?;
    let highest = words.iter().map(|(key, _)| key.unsigned_abs()).max()?;
    if slope == 0 || slope.unsigned_abs().saturating_mul(highest) > MAX_RISE {
        return None;
    }
    let rest = words.iter().map(|&(key, word)| {
        let risen = slope.checked_mul(key)?;
        let rest = number(word)?.checked_sub(risen)?;
        Some((key, First::Number(rest)))
    });
    Some((slope, rest.collect::<Option<_>>()?))
}
