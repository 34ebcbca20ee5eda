//! Draws the dice of a region: its words in the order of the layout, and the pool of each die.

use super::lane::Lane;
use super::number::{Number, Ranged};
use super::state::VectorEmitter;
use super::word::Left;
use crate::analysis::{Interval, Region};
use crate::ir::Imm;
use cranelift::codegen::ir as clif;
use cranelift::prelude::{InstBuilder, types};
use dicec_runtime::rng::lanes::Word;

/// At or above this many equal words of one pool, a loop draws them.
const LOOP_WORDS: usize = 6;

impl VectorEmitter<'_, '_> {
    /// Draws the dice of a region. Returns the sums of the pools of each trial of a lane, in the
    /// order of their instructions, and the rests of words that may be rejected; a rejection
    /// redraws the whole region.
    pub(super) fn draw(&mut self, region: &Region) -> (Vec<Vec<Number>>, Vec<Left>) {
        let Some(layout) = &region.layout else {
            return (vec![Vec::new(); self.form.trials_per_lane()], Vec::new());
        };
        let pools = self.pools(region);
        let mut drawn = Drawn::new(&pools, layout.trials_per_lane());
        let mut lefts = Vec::new();
        let mut words = layout.words();
        while let Some((word, rest)) = words.split_first() {
            let equal = 1 + rest.iter().take_while(|&other| other == word).count();
            let dice = word.dice().len();
            let times = equal.min(drawn.left() / dice);
            let sides = word.dice().iter().map(|die| i64::from(die.sides()));
            let faces = Interval::new(1, sides.max().unwrap_or(1));
            if times >= LOOP_WORDS && (word.reject() == 0 || !layout.together()) {
                let sum = self.word_loop(word, times);
                let most = faces.high.saturating_mul((times * dice) as i64);
                drawn.add_sum(self, (sum, Interval::new(1, most)), times * dice);
                words = &words[times..];
                continue;
            }
            if layout.together() {
                let left = self.word(word, |emitter, face| drawn.add(emitter, (face, faces)));
                self.leave(&mut lefts, left);
            } else {
                let shown = self.redrawn(word).into_iter();
                shown.for_each(|face| drawn.add(self, (face, faces)));
            }
            words = rest;
        }
        (drawn.into_sums(), lefts)
    }

    /// The number of dice of each pool of a region, in draw order.
    fn pools(&self, region: &Region) -> Vec<usize> {
        let function = self.form.function();
        let blocks = region.blocks();
        let insts = blocks.flat_map(|block| &function.blocks[block].insts);
        let imms = insts.map(|&inst| function.insts[inst].imm);
        imms.filter_map(|imm| match imm {
            Imm::Dice { count, .. } => Some(count as usize),
            _ => None,
        })
        .collect()
    }

    /// Branches back to `block` if a lane rejects a word.
    pub(super) fn redraw_if(&mut self, lefts: &[Left], block: clif::Block) {
        let Some(rejects) = self.rejects(lefts) else {
            return;
        };
        let b = &mut self.builder;
        let next = b.create_block();
        let any = b.ins().vany_true(rejects);
        b.ins().brif(any, block, &[], next, &[]);
        b.switch_to_block(next);
    }

    /// The faces of a word, which is drawn again until no lane rejects it.
    pub(super) fn redrawn(&mut self, word: &Word) -> Vec<Number> {
        let again = self.begin_block();
        let mut faces = Vec::new();
        let left = self.word(word, |_, face| faces.push(face));
        self.redraw_if(&left, again);
        faces
    }

    pub(super) fn begin_block(&mut self) -> clif::Block {
        let block = self.builder.create_block();
        self.builder.ins().jump(block, &[]);
        self.builder.switch_to_block(block);
        block
    }

    /// The sum of the faces of `times` words, in a loop. A rejected word repeats its iteration.
    fn word_loop(&mut self, word: &Word, times: usize) -> Number {
        let left = self.builder.declare_var(types::I64);
        let lanes = self.part_lanes();
        let parts = 0..self.parts();
        let sums: Vec<_> = parts.map(|_| self.builder.declare_var(lanes)).collect();
        // A trial has few dice.
        let start = self.builder.ins().iconst(types::I64, times as i64);
        self.builder.def_var(left, start);
        let zero = self.splat_of(lanes, 0);
        for &sum in &sums {
            self.builder.def_var(sum, zero);
        }
        let body = self.begin_block();
        let mut faces = vec![Lane::constant(0); sums.len()];
        let rest = self.word(word, |emitter, face| {
            let face = emitter.lanes_of((face, Interval::new(1, 1 << 14)));
            for (part, (faces, face)) in faces.iter_mut().zip(face).enumerate() {
                *faces = emitter.in_part(part, |emitter| emitter.add(*faces, face));
            }
        });
        self.redraw_if(&rest, body);
        // The rest of the constant is added once, after the loop.
        let constant = faces[0].offset();
        for (part, (&sum, faces)) in sums.iter().zip(faces).enumerate() {
            let once = self.in_part(part, |emitter| emitter.above(faces, constant));
            let b = &mut self.builder;
            let before = b.use_var(sum);
            let after = b.ins().iadd(before, once);
            b.def_var(sum, after);
        }
        let b = &mut self.builder;
        let before = b.use_var(left);
        let less = b.ins().iadd_imm_s(before, -1);
        b.def_var(left, less);
        let next = b.create_block();
        b.ins().brif(less, body, &[], next, &[]);
        b.switch_to_block(next);
        let sums = sums.into_iter().map(|sum| {
            let sum = self.builder.use_var(sum);
            Lane::new(sum, constant * times as i64)
        });
        match sums.collect::<Vec<_>>()[..] {
            [low, high] => Number::Halves([low, high]),
            [sum, ..] => Number::One(sum),
            [] => Number::constant(0),
        }
    }
}

/// The partial sums of pools while their dice are drawn.
struct Drawn {
    /// For each trial of a lane.
    sums: Vec<Vec<Ranged>>,
    /// The number of dice that each pool still needs, trial by trial.
    left: Vec<usize>,
    /// The index of the next pool, and the number of pools per trial.
    next: usize,
    pools: usize,
}

impl Drawn {
    fn new(pools: &[usize], per_lane: usize) -> Self {
        let mut drawn = Self {
            sums: vec![vec![(Number::constant(0), Interval::point(0)); pools.len()]; per_lane],
            left: pools.repeat(per_lane),
            next: 0,
            pools: pools.len(),
        };
        drawn.skip_full();
        drawn
    }

    /// The number of dice that the next pool still needs.
    fn left(&self) -> usize {
        self.left.get(self.next).copied().unwrap_or(0)
    }

    fn skip_full(&mut self) {
        while self.left.get(self.next) == Some(&0) {
            self.next += 1;
        }
    }

    fn add(&mut self, emitter: &mut VectorEmitter<'_, '_>, face: Ranged) {
        self.add_sum(emitter, face, 1);
    }

    /// Adds the sum of the next `dice` dice, all of one pool.
    fn add_sum(&mut self, emitter: &mut VectorEmitter<'_, '_>, sum: Ranged, dice: usize) {
        let pool = &mut self.sums[self.next / self.pools][self.next % self.pools];
        *pool = emitter.sum(*pool, sum);
        self.left[self.next] -= dice;
        self.skip_full();
    }

    fn into_sums(self) -> Vec<Vec<Number>> {
        let pools = |pools: Vec<Ranged>| pools.into_iter().map(|(sum, _)| sum).collect();
        self.sums.into_iter().map(pools).collect()
    }
}
