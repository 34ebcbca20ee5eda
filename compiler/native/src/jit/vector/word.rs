//! Lane words: the generators, and the steps of [`dicec_runtime::rng::lanes::Word`] as
//! instructions.

use super::lane::{Face, Lane};
use super::number::Number;
use super::state::VectorEmitter;
use crate::analysis::Interval;
use cranelift::codegen::ir as clif;
use cranelift::codegen::ir::Endianness;
use cranelift::frontend::FunctionBuilder;
use cranelift::prelude::{InstBuilder, IntCC, MemFlagsData};
use dicec_runtime::rng::lanes::{Die, Word, WordWidth};

/// The rests of words: the minimum in each lane. If it is below the threshold, a word is rejected.
pub(super) struct Left {
    x: clif::Value,
    threshold: u32,
}

impl VectorEmitter<'_, '_> {
    /// Draws a word and passes its faces to `add`; returns the rests of the word in each part of
    /// the group if it may be rejected.
    pub(super) fn word(
        &mut self,
        word: &Word,
        mut add: impl FnMut(&mut Self, Number),
    ) -> Vec<Left> {
        let parts = 0..self.parts();
        let mut rests: Vec<clif::Value> = parts
            .map(|part| self.in_part(part, |emitter| emitter.rest_before(word)))
            .collect();
        let needed = if word.reject() > 0 {
            word.dice().len()
        } else {
            // The rest after the last die is never used.
            word.dice().len() - 1
        };
        for (index, die) in word.dice().iter().enumerate() {
            let mut faces = Vec::new();
            for (part, x) in rests.iter_mut().enumerate() {
                let (face, left) = self.in_part(part, |emitter| match word.width() {
                    WordWidth::W16 => emitter.die_16(*x, *die, index < needed),
                    WordWidth::W32 => emitter.die_32(*x, *die, word.bits(), index < needed),
                });
                *x = left;
                faces.push(face);
            }
            let face = match faces[..] {
                [low, high] => self.joined([low, high], Interval::new(1, die.sides().into())),
                _ => Number::One(faces[0]),
            };
            add(self, face);
        }
        let threshold = word.reject();
        let rests = rests.into_iter().filter(|_| threshold > 0);
        rests.map(|x| Left { x, threshold }).collect()
    }

    /// The next lane words, reduced to the bits that count.
    fn rest_before(&mut self, word: &Word) -> clif::Value {
        let x = self.lane_words();
        match word.width() {
            WordWidth::W16 => x,
            WordWidth::W32 => {
                let unused = i64::from(32 - word.bits());
                self.builder.ins().ushr_imm_u(x, unused)
            }
        }
    }

    /// Merges the rests of a word with those of others.
    pub(super) fn leave(&mut self, lefts: &mut Vec<Left>, more: Vec<Left>) {
        for left in more {
            let known = lefts
                .iter_mut()
                .find(|known| known.threshold == left.threshold);
            match known {
                Some(known) => known.x = self.builder.ins().umin(known.x, left.x),
                None => lefts.push(left),
            }
        }
    }

    /// Not 0 in lanes that reject a word; `None` if no word can be rejected.
    pub(super) fn rejects(&mut self, lefts: &[Left]) -> Option<clif::Value> {
        let masks = lefts.iter().map(|left| self.rejected(left));
        let masks: Vec<_> = masks.collect();
        masks
            .into_iter()
            .reduce(|a, b| self.builder.ins().bor(a, b))
    }

    fn rejected(&mut self, &Left { x, threshold }: &Left) -> clif::Value {
        let lanes = self.part_lanes();
        let threshold = self.splat_of(lanes, threshold.into());
        match self.width.word() {
            // One instruction, where an unsigned comparison takes three.
            WordWidth::W16 => self.builder.ins().usub_sat(threshold, x),
            // Neither has its top bit set.
            WordWidth::W32 => {
                let ins = self.builder.ins();
                ins.icmp(IntCC::SignedGreaterThan, threshold, x)
            }
        }
    }

    /// A face, and the rest of the word if it is needed.
    fn die_16(&mut self, x: clif::Value, die: Die, needed: bool) -> (Lane, clif::Value) {
        if die.drawn == 1 {
            return (Lane::constant(1), x);
        }
        let power = die.drawn.is_power_of_two();
        let log = i64::from(die.drawn.trailing_zeros());
        let half = i64::from(die.drawn / 2);
        let rounded = if power {
            // The shift is the same for these sides.
            self.builder.ins().sshr_imm_u(x, 16 - log)
        } else {
            let shift = self.splat(die.shift().into());
            let below = self.builder.ins().ssub_sat(x, shift);
            let half = self.splat(half);
            self.mulhrs(below, half)
        };
        let left = match (needed, power) {
            (false, _) => x,
            (true, true) => self.builder.ins().ishl_imm_u(x, log),
            (true, false) => {
                let sides = self.splat(die.drawn.into());
                self.builder.ins().imul(x, sides)
            }
        };
        let face = |above| Face {
            x,
            bits: self.width.bits(),
            die,
            above,
        };
        if !die.halved {
            return (Lane::face(rounded, face(half + 1)), left);
        }
        let face = face(1);
        let from_zero = self.above(Lane::new(rounded, half), 0);
        let shown = self.builder.ins().sshr_imm_u(from_zero, 1);
        (Lane::face(shown, face), left)
    }

    /// The rounded product of 16 bits, `(a b + 2^14) >> 15`.
    pub(super) fn mulhrs(&mut self, a: clif::Value, b: clif::Value) -> clif::Value {
        if self.has_pmulhrsw {
            // Without the check for the one product that saturates: it does not occur.
            self.builder.ins().x86_pmulhrsw(a, b)
        } else {
            self.builder.ins().sqmul_round_sat(a, b)
        }
    }

    fn die_32(&mut self, x: clif::Value, die: Die, bits: u32, needed: bool) -> (Lane, clif::Value) {
        let sides = self.splat(die.drawn.into());
        let product = self.builder.ins().imul(x, sides);
        let face = self.builder.ins().ushr_imm_u(product, i64::from(bits));
        let left = if needed {
            let mask = self.splat((1 << bits) - 1);
            self.builder.ins().band(product, mask)
        } else {
            x
        };
        let above = 1;
        let shown = Face {
            x,
            bits,
            die,
            above,
        };
        (Lane::face(face, shown), left)
    }

    /// The next lane words.
    pub(super) fn lane_words(&mut self) -> clif::Value {
        let bits = self.next();
        let little = MemFlagsData::new().with_endianness(Endianness::Little);
        self.builder.ins().bitcast(self.lanes, little, bits)
    }

    /// The next word of both generators.
    fn next(&mut self) -> clif::Value {
        let b = &mut self.builder;
        let [s0, s1, s2, s3] = self.state.map(|word| b.use_var(word));
        let sum = b.ins().iadd(s0, s3);
        let turned = rotate(b, sum, 23);
        let word = b.ins().iadd(turned, s0);
        let shifted = b.ins().ishl_imm_u(s1, 17);
        let s2 = b.ins().bxor(s2, s0);
        let s3 = b.ins().bxor(s3, s1);
        let s1 = b.ins().bxor(s1, s2);
        let s0 = b.ins().bxor(s0, s3);
        let s2 = b.ins().bxor(s2, shifted);
        let s3 = rotate(b, s3, 45);
        for (variable, value) in self.state.into_iter().zip([s0, s1, s2, s3]) {
            b.def_var(variable, value);
        }
        word
    }
}

/// Rotates lanes of `i64` left; most machines have no instruction for it.
fn rotate(b: &mut FunctionBuilder<'_>, value: clif::Value, by: i64) -> clif::Value {
    let left = b.ins().ishl_imm_u(value, by);
    let right = b.ins().ushr_imm_u(value, 64 - by);
    b.ins().bor(left, right)
}
