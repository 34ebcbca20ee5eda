//! Look-ups in tables of known words: the word as a function of the index, with few selects.
//!
//! Either a default word and one select for each exception, or one select for each run of equal
//! words, whichever needs fewer. If the words rise with the index, like `[i for i : 0..51]`, a
//! slope is subtracted first.

use crate::ir::{Function, Imm, Inst, Op, Tables, Value};
use dicec_runtime::bug;
use dicec_runtime::span::Span;

/// The maximum slope, so that the products fit lanes as the words do.
const MAX_RISE: u64 = 4096;

/// The initial contents of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum First {
    /// This number.
    Number(i64),
    /// The open word at this address of the argument block.
    Open(u32),
}

impl First {
    /// The contents of the word at an address of a known argument block.
    pub(super) fn of(tables: &Tables, known: &[i64], address: usize) -> Option<Self> {
        let number = *known.get(address)?;
        let open = u32::try_from(address).ok();
        let open = open.filter(|&address| tables.open.contains(address));
        Some(open.map_or(First::Number(number), First::Open))
    }

    /// The instruction that yields it.
    pub(super) fn inst(self) -> (Op, Imm) {
        match self {
            First::Number(number) => (Op::Iconst, Imm::Int(number)),
            First::Open(address) => (Op::Resource, Imm::Slot(address)),
        }
    }
}

/// A table: the word if no select applies, and the words of the selects; the last that applies
/// wins.
pub(super) struct LookUp {
    /// The slope, which is multiplied by the index and added.
    pub(super) slope: i64,
    /// The comparison of the index with the keys.
    pub(super) op: Op,
    pub(super) first: First,
    pub(super) rest: Vec<(i64, First)>,
}

impl LookUp {
    /// The table of words by key, in order; there is at least one.
    pub(super) fn of(words: &[(i64, First)]) -> Self {
        let level = Self::level(words);
        let Some((slope, rest)) = falling(words) else {
            return level;
        };
        let risen = Self {
            slope,
            ..Self::level(&rest)
        };
        // A multiplication and an addition cost about as much as a select.
        match risen.rest.len() + 1 < level.rest.len() {
            true => risen,
            false => level,
        }
    }

    /// Writes the selects; returns the word at the index.
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

/// The most common slope between consecutive words, if they are numbers, and the words without it.
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
