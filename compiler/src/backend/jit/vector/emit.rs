//! A vector kernel: the loop over groups of trials, and the dice that they draw.
//!
//! ```text
//! entry: load state, groups, pointers; no groups -> done
//! group: draw the words; one is rejected -> group           <-+
//! trial: the function, once a slot; results to the sink       |
//!        next group ------------------------------------------+
//! done:  store state and count; return OK
//! ```
//!
//! A rejection goes back to the head of the loop: with a block of its own the accumulators would be spilled.

use super::lane::Lane;
use super::sink::LaneSink;
use crate::backend::jit::emit::{at, trusted};
use crate::ir::{self, Imm};
use crate::pass::{Ranges, VectorForm};
use cranelift::codegen::ir as clif;
use cranelift::codegen::ir::{ConstantData, Endianness};
use cranelift::codegen::isa::TargetIsa;
use cranelift::frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use cranelift::prelude::{AbiParam, InstBuilder, IntCC, MemFlagsData, Signature, types};
use cranelift_entity::SecondaryMap;
use dicec_runtime::abi::{STATUS_OK, offset};
use dicec_runtime::kernel::Sink;
use dicec_runtime::rng::lanes::{Die, Tier, Word};

/// So many equal words of one pool are a loop.
const LOOP_WORDS: usize = 6;

/// Emits the kernel of `form` into `into`.
pub(super) fn kernel(
    form: &VectorForm,
    sink: Sink,
    isa: &dyn TargetIsa,
    into: &mut clif::Function,
) {
    let mut signature = Signature::new(isa.default_call_conv());
    signature.params.push(AbiParam::new(isa.pointer_type()));
    signature.returns.push(AbiParam::new(types::I32));
    into.signature = signature;
    let mut context = FunctionBuilderContext::new();
    let builder = FunctionBuilder::new(into, &mut context);
    let mut emitter = VectorEmitter::new(builder, form, sink, isa);
    emitter.group();
    emitter.exit();
    emitter.builder.seal_all_blocks();
    emitter.builder.finalize(isa.frontend_config());
}

/// The state of emission.
pub(super) struct VectorEmitter<'f, 'c> {
    pub(super) builder: FunctionBuilder<'c>,
    pub(super) form: &'f VectorForm,
    pub(super) ranges: Ranges,
    pub(super) tier: Tier,
    /// The type of a vector of lanes.
    pub(super) lanes: clif::Type,
    pub(super) sink: LaneSink,
    pub(super) context: clif::Value,
    /// The values of the trial that is being emitted.
    pub(super) values: SecondaryMap<ir::Value, Option<Lane>>,
    has_pmulhrsw: bool,
    /// The four words of both generators.
    state: [Variable; 4],
    /// How many groups are left.
    groups: Variable,
    head: clif::Block,
    done: clif::Block,
}

impl<'f, 'c> VectorEmitter<'f, 'c> {
    /// Emits the entry and switches to the head of the loop.
    fn new(
        mut builder: FunctionBuilder<'c>,
        form: &'f VectorForm,
        sink: Sink,
        isa: &dyn TargetIsa,
    ) -> Self {
        let [entry, head, done] = [(); 3].map(|()| builder.create_block());
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        let tier = form.layout.tier();
        let lanes = match tier {
            Tier::V16 => types::I16X8,
            Tier::V32 => types::I32X4,
        };
        let mut emitter = Self {
            context: builder.block_params(entry)[0],
            state: [(); 4].map(|()| builder.declare_var(types::I64X2)),
            groups: builder.declare_var(types::I64),
            sink: LaneSink::new(&mut builder, form, sink, lanes),
            builder,
            form,
            ranges: form.ranges(),
            tier,
            lanes,
            values: SecondaryMap::new(),
            has_pmulhrsw: isa.name() == "x64",
            head,
            done,
        };
        emitter.entry();
        emitter
    }

    fn entry(&mut self) {
        for (word, variable) in self.state.into_iter().enumerate() {
            let ins = self.builder.ins();
            let place = at(offset::TWINS) + 16 * word as i32;
            let value = ins.load(types::I64X2, unaligned(), self.context, place);
            self.builder.def_var(variable, value);
        }
        let groups = self.load(offset::TRIALS);
        self.builder.def_var(self.groups, groups);
        self.begin_sink();
        let ins = self.builder.ins();
        ins.brif(groups, self.head, &[], self.done, &[]);
        self.builder.switch_to_block(self.head);
    }

    /// A word of the context.
    pub(super) fn load(&mut self, offset: usize) -> clif::Value {
        let ins = self.builder.ins();
        ins.load(types::I64, trusted(), self.context, at(offset))
    }

    /// The loop's body.
    fn group(&mut self) {
        let drawn = self.draw();
        let results: Vec<Lane> = (0..self.form.layout.slots())
            .map(|slot| {
                self.values.clear();
                self.function(&drawn[slot])
            })
            .collect();
        self.record(&results);
        let b = &mut self.builder;
        let groups = b.use_var(self.groups);
        let left = b.ins().iadd_imm_s(groups, -1);
        b.def_var(self.groups, left);
        b.ins().brif(left, self.head, &[], self.done, &[]);
    }

    fn exit(&mut self) {
        self.builder.switch_to_block(self.done);
        for (word, variable) in self.state.into_iter().enumerate() {
            let value = self.builder.use_var(variable);
            let place = at(offset::TWINS) + 16 * word as i32;
            let ins = self.builder.ins();
            ins.store(unaligned(), value, self.context, place);
        }
        self.end_sink();
        let ok = self.builder.ins().iconst(types::I32, i64::from(STATUS_OK));
        self.builder.ins().return_(&[ok]);
    }

    /// Draws a group: the sums of each slot's pools, in the order of their instructions.
    fn draw(&mut self) -> Vec<Vec<Lane>> {
        let layout = &self.form.layout;
        let pools = self.pools();
        let mut drawn = Drawn::new(&pools, layout.slots());
        let mut rejects = None;
        let mut words = layout.words();
        while let Some((word, rest)) = words.split_first() {
            let equal = 1 + rest.iter().take_while(|&other| other == word).count();
            let dice = word.dice().len();
            let rounds = equal.min(drawn.left() / dice);
            if rounds >= LOOP_WORDS && (word.reject() == 0 || !layout.together()) {
                let sum = self.word_loop(word, rounds);
                drawn.add_sum(self, sum, rounds * dice);
                words = &words[rounds..];
                continue;
            }
            if layout.together() {
                let rejected = self.word(word, |emitter, face| drawn.add(emitter, face));
                rejects = self.either(rejects, rejected);
            } else {
                let faces = self.redrawn(word);
                faces.into_iter().for_each(|face| drawn.add(self, face));
            }
            words = rest;
        }
        if let Some(rejects) = rejects {
            self.redraw_if(rejects, self.head);
        }
        drawn.sums
    }

    /// How many dice each pool has, in draw order.
    fn pools(&self) -> Vec<usize> {
        let function = &self.form.function;
        let insts = function.live_insts().map(|inst| function.insts[inst].imm);
        insts
            .filter_map(|imm| match imm {
                Imm::Dice { count, .. } => Some(count as usize),
                _ => None,
            })
            .collect()
    }

    fn either(&mut self, a: Option<clif::Value>, b: Option<clif::Value>) -> Option<clif::Value> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.builder.ins().bor(a, b)),
            (a, b) => a.or(b),
        }
    }

    /// Goes back to `block` if any lane of `rejects` is not 0.
    fn redraw_if(&mut self, rejects: clif::Value, block: clif::Block) {
        let b = &mut self.builder;
        let next = b.create_block();
        let any = b.ins().vany_true(rejects);
        b.ins().brif(any, block, &[], next, &[]);
        b.switch_to_block(next);
    }

    /// The faces of a word that is drawn until no lane rejects it.
    fn redrawn(&mut self, word: &Word) -> Vec<Lane> {
        let again = self.begin_block();
        let mut faces = Vec::new();
        if let Some(rejects) = self.word(word, |_, face| faces.push(face)) {
            self.redraw_if(rejects, again);
        }
        faces
    }

    fn begin_block(&mut self) -> clif::Block {
        let block = self.builder.create_block();
        self.builder.ins().jump(block, &[]);
        self.builder.switch_to_block(block);
        block
    }

    /// The sum of the faces of `rounds` words, in a loop. A rejected word begins its round anew.
    fn word_loop(&mut self, word: &Word, rounds: usize) -> Lane {
        let left = self.builder.declare_var(types::I64);
        let sum = self.builder.declare_var(self.lanes);
        // A trial has few dice.
        let start = self.builder.ins().iconst(types::I64, rounds as i64);
        self.builder.def_var(left, start);
        let zero = self.splat(0);
        self.builder.def_var(sum, zero);
        let body = self.begin_block();
        let mut faces = Lane::constant(0);
        let rejects = self.word(word, |emitter, face| faces = emitter.add(faces, face));
        if let Some(rejects) = rejects {
            self.redraw_if(rejects, body);
        }
        // What is left of the constant is added once behind the loop.
        let constant = faces.offset();
        let round = self.above(faces, constant);
        let b = &mut self.builder;
        let before = b.use_var(sum);
        let after = b.ins().iadd(before, round);
        b.def_var(sum, after);
        let before = b.use_var(left);
        let less = b.ins().iadd_imm_s(before, -1);
        b.def_var(left, less);
        let next = b.create_block();
        b.ins().brif(less, body, &[], next, &[]);
        b.switch_to_block(next);
        let sum = b.use_var(sum);
        Lane::new(sum, constant * rounds as i64)
    }

    /// Draws a word and gives its faces to `add`; not 0 in lanes that reject it.
    fn word(&mut self, word: &Word, mut add: impl FnMut(&mut Self, Lane)) -> Option<clif::Value> {
        let bits = self.next();
        let ins = self.builder.ins();
        let little = MemFlagsData::new().with_endianness(Endianness::Little);
        let mut x = ins.bitcast(self.lanes, little, bits);
        if self.tier == Tier::V32 {
            let unused = i64::from(32 - word.bits());
            x = self.builder.ins().ushr_imm_u(x, unused);
        }
        let needed = if word.reject() > 0 {
            word.dice().len()
        } else {
            // What the last die leaves is never looked at.
            word.dice().len() - 1
        };
        for (place, die) in word.dice().iter().enumerate() {
            let (face, left) = match self.tier {
                Tier::V16 => self.die_16(x, *die, place < needed),
                Tier::V32 => self.die_32(x, *die, word.bits(), place < needed),
            };
            x = left;
            add(self, face);
        }
        (word.reject() > 0).then(|| self.rejected(x, word.reject()))
    }

    /// Not 0 in lanes where `x` is below the threshold.
    fn rejected(&mut self, x: clif::Value, threshold: u32) -> clif::Value {
        let threshold = self.splat(threshold.into());
        match self.tier {
            // One instruction, where an unsigned comparison takes three.
            Tier::V16 => self.builder.ins().usub_sat(threshold, x),
            // Neither has its top bit set.
            Tier::V32 => {
                let ins = self.builder.ins();
                ins.icmp(IntCC::SignedGreaterThan, threshold, x)
            }
        }
    }

    /// A face, and what it leaves of the word if that is needed.
    fn die_16(&mut self, x: clif::Value, die: Die, needed: bool) -> (Lane, clif::Value) {
        if die.drawn == 1 {
            return (Lane::constant(1), x);
        }
        let power = die.drawn.is_power_of_two();
        let log = i64::from(die.drawn.trailing_zeros());
        let half = i64::from(die.drawn / 2);
        let rounded = if power {
            // The same for these sides.
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
        if !die.halved {
            return (Lane::new(rounded, half + 1), left);
        }
        let from_zero = self.above(Lane::new(rounded, half), 0);
        let face = self.builder.ins().sshr_imm_u(from_zero, 1);
        (Lane::new(face, 1), left)
    }

    fn mulhrs(&mut self, a: clif::Value, b: clif::Value) -> clif::Value {
        if self.has_pmulhrsw {
            // Without the check for the one product that saturates, which no die comes to.
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
        (Lane::new(face, 1), left)
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

    /// A vector of lanes with this number.
    pub(super) fn splat(&mut self, number: i64) -> clif::Value {
        self.splat_of(self.lanes, number)
    }

    /// A vector of this type with this number in each lane.
    pub(super) fn splat_of(&mut self, ty: clif::Type, number: i64) -> clif::Value {
        let lane = ty.lane_bits() as usize / 8;
        let bytes = number.to_le_bytes()[..lane].repeat(16 / lane);
        let b = &mut self.builder;
        let constant = b
            .func
            .dfg
            .constants
            .insert(ConstantData::from(bytes.as_slice()));
        b.ins().vconst(ty, constant)
    }
}

/// The lanes of `i64` turned left; there is no such instruction on most machines.
fn rotate(b: &mut FunctionBuilder<'_>, value: clif::Value, by: i64) -> clif::Value {
    let left = b.ins().ishl_imm_u(value, by);
    let right = b.ins().ushr_imm_u(value, 64 - by);
    b.ins().bor(left, right)
}

/// Vectors are not aligned in the context.
pub(super) fn unaligned() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}

/// The sums of pools, as their dice come in.
struct Drawn {
    /// Of each slot.
    sums: Vec<Vec<Lane>>,
    /// The numbers of dice that each pool still gets, slot by slot.
    left: Vec<usize>,
    /// Which pool is next, and how many there are a slot.
    next: usize,
    pools: usize,
}

impl Drawn {
    fn new(pools: &[usize], slots: usize) -> Self {
        let mut drawn = Self {
            sums: vec![vec![Lane::constant(0); pools.len()]; slots],
            left: pools.repeat(slots),
            next: 0,
            pools: pools.len(),
        };
        drawn.skip_full();
        drawn
    }

    /// How many dice the next pool still gets.
    fn left(&self) -> usize {
        self.left.get(self.next).copied().unwrap_or(0)
    }

    fn skip_full(&mut self) {
        while self.left.get(self.next) == Some(&0) {
            self.next += 1;
        }
    }

    fn add(&mut self, emitter: &mut VectorEmitter<'_, '_>, face: Lane) {
        self.add_sum(emitter, face, 1);
    }

    /// Adds the sum of the next `dice` dice, which are of one pool.
    fn add_sum(&mut self, emitter: &mut VectorEmitter<'_, '_>, sum: Lane, dice: usize) {
        let pool = &mut self.sums[self.next / self.pools][self.next % self.pools];
        *pool = emitter.add(*pool, sum);
        self.left[self.next] -= dice;
        self.skip_full();
    }
}
