//! Dice in native code: xoshiro256++ and the draws of [`dicec_runtime::rng::draw`], inlined.
//!
//! A rejected word branches back to the draw. The retry has no block of its own, which keeps the
//! state in registers.

use super::state::Emitter;
use crate::ir;
use cranelift::codegen::ir as clif;
use cranelift::prelude::{InstBuilder, IntCC, types};
use dicec_runtime::bug;
use dicec_runtime::limits::{MAX_DICE_CEILING, MAX_SIDES};
use dicec_runtime::rng::draw::{dice_per_word, reject_below};

/// Pools of at most this many dice are unrolled.
const UNROLL_DICE: u32 = 12;

/// Packed pools of at most this many words are unrolled.
const UNROLL_WORDS: u32 = 2;

impl Emitter<'_, '_> {
    /// The generator's next word (Blackman and Vigna, "Scrambled Linear Pseudorandom Number
    /// Generators", 2019).
    pub(super) fn word(&mut self) -> clif::Value {
        let b = &mut self.builder;
        // Cranelift computes the words of the next state in the order in which they are used here.
        // Of all orders of words and operands, this is one of the fastest for the rules that were
        // measured.
        let [s3, s1, s0, s2] = [3, 1, 0, 2].map(|word| b.use_var(self.state[word]));
        let sum = b.ins().iadd(s0, s3);
        let turned = b.ins().rotl_imm_u(sum, 23);
        let word = b.ins().iadd(turned, s0);
        let shifted = b.ins().ishl_imm_u(s1, 17);
        let even = b.ins().bxor(s0, s2);
        let odd = b.ins().bxor(s1, s3);
        let s2 = b.ins().bxor(even, shifted);
        let s1 = b.ins().bxor(even, s1);
        let s0 = b.ins().bxor(s0, odd);
        let s3 = b.ins().rotl_imm_u(odd, 45);
        for (variable, value) in self.state.into_iter().zip([s0, s1, s2, s3]) {
            b.def_var(variable, value);
        }
        word
    }

    /// The high and low halves of `a * b`, by one multiplication.
    fn wide_multiply(&mut self, a: clif::Value, b: clif::Value) -> (clif::Value, clif::Value) {
        let ins = &mut self.builder;
        let a = ins.ins().uextend(types::I128, a);
        let b = ins.ins().uextend(types::I128, b);
        let product = ins.ins().imul(a, b);
        let (low, high) = ins.ins().isplit(product);
        (high, low)
    }

    /// Begins a block to which a rejected word branches back.
    fn begin_draw(&mut self) -> clif::Block {
        let draw = self.new_block();
        self.builder.ins().jump(draw, &[]);
        self.builder.switch_to_block(draw);
        draw
    }

    /// Branches back to `draw` if `low` is below `threshold`.
    fn reject(&mut self, draw: clif::Block, low: clif::Value, threshold: u64) {
        if threshold == 0 {
            return;
        }
        let next = self.new_block();
        let b = &mut self.builder;
        let threshold = b.ins().iconst(types::I64, threshold.cast_signed());
        let rejected = b.ins().icmp(IntCC::UnsignedLessThan, low, threshold);
        b.ins().brif(rejected, draw, &[], next, &[]);
        b.switch_to_block(next);
    }

    /// A face less 1 of a die with constant sides.
    fn face_from_zero(&mut self, sides: u32) -> clif::Value {
        if sides.is_power_of_two() {
            // Nothing is rejected, and the high half of a product with 2^k is the word's top k
            // bits.
            let word = self.word();
            return match sides.trailing_zeros() {
                0 => self.builder.ins().iconst(types::I64, 0),
                bits => self.builder.ins().ushr_imm_u(word, i64::from(64 - bits)),
            };
        }
        let draw = self.begin_draw();
        let word = self.word();
        let factor = self.builder.ins().iconst(types::I64, i64::from(sides));
        let (high, low) = self.wide_multiply(word, factor);
        self.reject(draw, low, reject_below(sides.into()));
        high
    }

    /// `pool count sides`, from 0 on.
    pub(super) fn pool(&mut self, count: u32, sides: u32) -> clif::Value {
        if count <= UNROLL_DICE {
            self.unrolled(count, |emitter| emitter.face_from_zero(sides))
        } else {
            self.looped(count, |emitter| emitter.face_from_zero(sides))
        }
    }

    /// `packed count sides`.
    pub(super) fn packed(&mut self, count: u32, sides: u32) -> clif::Value {
        let share = dice_per_word(sides);
        let (words, rest) = (count / share, count % share);
        let mut sum = if words <= UNROLL_WORDS {
            self.unrolled(words, |emitter| emitter.packed_word(share, sides))
        } else {
            self.looped(words, |emitter| emitter.packed_word(share, sides))
        };
        if rest > 0 {
            let last = self.packed_word(rest, sides);
            sum = self.builder.ins().iadd(sum, last);
        }
        self.builder.ins().iadd_imm_s(sum, i64::from(count))
    }

    /// `word product`.
    pub(super) fn shared_word(&mut self, product: i64) -> clif::Value {
        let draw = self.begin_draw();
        let word = self.word();
        let threshold = reject_below(product.unsigned_abs());
        if threshold > 0 {
            let low = self.builder.ins().imul_imm_s(word, product);
            self.reject(draw, low, threshold);
        }
        word
    }

    /// `face sides`. If one multiplication gives both the face and the rest of the word, the rest
    /// is kept for [`Emitter::rest`].
    pub(super) fn face(&mut self, word: clif::Value, sides: i64) -> clif::Value {
        let high = match sides.unsigned_abs() {
            1 => self.builder.ins().iconst(types::I64, 0),
            power if power.is_power_of_two() => {
                let bits = i64::from(64 - power.trailing_zeros());
                self.builder.ins().ushr_imm_u(word, bits)
            }
            _ => {
                let factor = self.builder.ins().iconst(types::I64, sides);
                let (high, low) = self.wide_multiply(word, factor);
                self.rest = Some((word, sides, low));
                high
            }
        };
        self.builder.ins().iadd_imm_s(high, 1)
    }

    /// The rest of a word after a face was taken: the low half of the word times `sides`.
    pub(super) fn rest(&mut self, word: clif::Value, sides: ir::Value) -> Option<clif::Value> {
        let (of, taken, low) = self.rest?;
        (of == word && self.function.as_iconst(sides) == Some(taken)).then_some(low)
    }

    /// The sum of `dice` faces less 1 each, from one word.
    fn packed_word(&mut self, dice: u32, sides: u32) -> clif::Value {
        let draw = self.begin_draw();
        let mut word = self.word();
        let factor = self.builder.ins().iconst(types::I64, i64::from(sides));
        let mut sum = None;
        for _ in 0..dice {
            let (high, low) = self.wide_multiply(word, factor);
            word = low;
            sum = Some(match sum {
                None => high,
                Some(sum) => self.builder.ins().iadd(sum, high),
            });
        }
        // At most 2^56: `dice` is at most what a word yields.
        let threshold = reject_below(u64::from(sides).saturating_pow(dice));
        self.reject(draw, word, threshold);
        sum.unwrap_or_else(|| bug!("a word of no dice").raise())
    }

    /// The sum of `times` values that `part` emits.
    fn unrolled(
        &mut self,
        times: u32,
        mut part: impl FnMut(&mut Self) -> clif::Value,
    ) -> clif::Value {
        let mut sum = None;
        for _ in 0..times {
            let value = part(self);
            sum = Some(match sum {
                None => value,
                Some(sum) => self.builder.ins().iadd(sum, value),
            });
        }
        sum.unwrap_or_else(|| self.builder.ins().iconst(types::I64, 0))
    }

    /// The sum over a loop of `times` iterations, at least 1.
    fn looped(&mut self, times: u32, part: impl FnOnce(&mut Self) -> clif::Value) -> clif::Value {
        let b = &mut self.builder;
        let (body, next) = (b.create_block(), b.create_block());
        let left = b.append_block_param(body, types::I64);
        let sum = b.append_block_param(body, types::I64);
        let start = b.ins().iconst(types::I64, i64::from(times));
        let zero = b.ins().iconst(types::I64, 0);
        b.ins().jump(body, &[start.into(), zero.into()]);
        b.switch_to_block(body);
        let value = part(self);
        let b = &mut self.builder;
        let sum = b.ins().iadd(sum, value);
        let left = b.ins().iadd_imm_s(left, -1);
        let args = [left.into(), sum.into()];
        b.ins().brif(left, body, &args, next, &[]);
        b.switch_to_block(next);
        sum
    }

    /// `dice`: the sum over a loop with an iteration for each die.
    pub(super) fn dice(&mut self, count: clif::Value, sides: clif::Value) -> clif::Value {
        let b = &mut self.builder;
        let (head, body, done) = (b.create_block(), b.create_block(), b.create_block());
        let left = b.append_block_param(head, types::I64);
        let sum = b.append_block_param(head, types::I64);
        let zero = b.ins().iconst(types::I64, 0);
        let one = b.ins().iconst(types::I64, 1);
        let most = b.ins().iconst(types::I64, i64::from(MAX_DICE_CEILING));
        let count = b.ins().smin(count, most);
        let most = b.ins().iconst(types::I64, i64::from(MAX_SIDES));
        let sides = b.ins().smin(sides, most);
        let sides = b.ins().smax(sides, one);
        b.ins().jump(head, &[count.into(), zero.into()]);
        b.switch_to_block(head);
        let more = b.ins().icmp_imm_s(IntCC::SignedGreaterThan, left, 0);
        b.ins().brif(more, body, &[], done, &[]);
        b.switch_to_block(body);
        let face = self.face_of(sides);
        let b = &mut self.builder;
        let sum_next = b.ins().iadd(sum, face);
        let next = b.ins().iadd_imm_s(left, -1);
        b.ins().jump(head, &[next.into(), sum_next.into()]);
        b.switch_to_block(done);
        sum
    }

    /// `roll`: a die whose sides are known at run time.
    pub(super) fn roll(&mut self, sides: clif::Value) -> clif::Value {
        let b = &mut self.builder;
        let one = b.ins().iconst(types::I64, 1);
        let sides = b.ins().smax(sides, one);
        self.face_of(sides)
    }

    /// The face of a die of at least 1 side.
    fn face_of(&mut self, sides: clif::Value) -> clif::Value {
        let draw = self.begin_draw();
        let word = self.word();
        let (high, low) = self.wide_multiply(word, sides);
        let b = &mut self.builder;
        // The threshold is below `sides`, so the division is rarely needed.
        let (maybe, accepted) = (b.create_block(), b.create_block());
        b.set_cold_block(maybe);
        let doubtful = b.ins().icmp(IntCC::UnsignedLessThan, low, sides);
        b.ins().brif(doubtful, maybe, &[], accepted, &[]);
        b.switch_to_block(maybe);
        let negated = b.ins().ineg(sides);
        // `sides` is at least 1, so this cannot fault.
        let threshold = b.ins().urem(negated, sides);
        let rejected = b.ins().icmp(IntCC::UnsignedLessThan, low, threshold);
        b.ins().brif(rejected, draw, &[], accepted, &[]);
        b.switch_to_block(accepted);
        b.ins().iadd_imm_s(high, 1)
    }
}
