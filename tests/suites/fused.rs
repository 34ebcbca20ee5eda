//! Sums that are drawn at once: the odds stay those of the dice, and native code draws as the evaluator does, to the rarest word.

use dicec_compiler::backend::eval::EvalKernel;
use dicec_compiler::backend::jit::JitKernel;
use dicec_compiler::ir::{Function, Imm, Op};
use dicec_compiler::pass::fuse;
use dicec_compiler::{Compiler, Sampling};
use dicec_runtime::events::Events;
use dicec_runtime::kernel::{Kernel, Sink};
use dicec_runtime::pmf::{Budget, Pmf};
use dicec_runtime::rng::{Stream, SumTable};
use dicec_tests::properties;
use num_bigint::BigUint;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::collections::BTreeSet;
use std::num::NonZeroU64;

/// The sums of these dice, by additions of dice.
fn sums(count: u32, sides: u32) -> Pmf<BigUint> {
    let sides = NonZeroU64::new(sides.into()).expect("sides");
    Pmf::pool(count.into(), sides, &mut Budget::default()).expect("few sums")
}

/// Fusing changes how pools are drawn and nothing else; gives the dice that are drawn at once.
fn drawn_dice(lowered: &Function) -> Vec<(u32, u32)> {
    let mut fused = lowered.clone();
    fuse(&mut fused);
    let mut drawn = Vec::new();
    for inst in lowered.live_insts() {
        let (before, after) = (&lowered.insts[inst], &mut fused.insts[inst]);
        if before != after {
            assert_eq!(before.op, Op::Pool, "{lowered}");
            assert!(matches!(after.op, Op::Packed | Op::Drawn), "{fused}");
            if let (Op::Drawn, Imm::Dice { count, sides }) = (after.op, after.imm) {
                drawn.push((count, sides));
            }
            after.op = before.op;
        }
    }
    assert_eq!(fused, *lowered);
    drawn
}

/// In generated rules: only pools are changed, into what draws the same dice, and the distribution that a table is drawn with equals theirs
/// weight for weight. So that of the rule does.
#[test]
fn the_odds_of_generated_rules_stay() {
    let bytes = proptest::collection::vec(any::<u8>(), 0..512);
    let mut runner = TestRunner::deterministic();
    let mut seen = BTreeSet::new();
    for _ in 0..2000 {
        let tree = bytes
            .new_tree(&mut runner)
            .expect("bytes are always possible");
        let Some(case) = properties::case(&tree.current()) else {
            continue;
        };
        let Ok(program) = properties::compiler(&case).compile(&case.text) else {
            continue;
        };
        for (count, sides) in drawn_dice(&program.lowered()) {
            if !seen.insert((count, sides)) {
                continue;
            }
            let drawn = SumTable::new(count, sides).expect("a table").law();
            let dice = sums(count, sides);
            assert_eq!(drawn.len(), dice.len(), "{count}d{sides}");
            for ((sum, weight), (value, odds)) in drawn.iter().zip(dice.iter()) {
                let (left, right) = (weight * dice.total(), odds * drawn.total());
                assert_eq!((sum, left), (value, right), "{count}d{sides}");
            }
        }
    }
    assert!(seen.len() > 20, "{seen:?}");
}

/// The stream whose next word is this one, and that goes on by `salt`.
fn stream_of(word: u64, salt: u64) -> Stream {
    // The first word of xoshiro256++ is made of the outer words of its state.
    let last = word.wrapping_sub(salt).rotate_right(23).wrapping_sub(salt);
    let stream = Stream::from_state([salt, 0x9e37_79b9_7f4a_7c15, !salt, last]);
    assert_eq!(stream.clone().word(), word);
    stream
}

/// The words that leave open which sum of their column it is, which no test would meet by chance: native code calls the runtime then, and
/// goes on with everything that it had in registers.
#[test]
fn native_code_settles_what_a_word_leaves_open() {
    for (text, count, sides) in [
        ("100d6", 100, 6),
        ("16d2 + 2d6 * [S]", 16, 2),
        ("40d20 >= 400 + 16d6", 40, 20),
    ] {
        let program = Compiler::new().compile(text).expect("a rule");
        let function = program.optimised(None, Sampling::Fused);
        let table = SumTable::new(count, sides).expect("a table");
        let native = JitKernel::compile(&function, Sink::Values).expect("native code");
        let evaluated = EvalKernel::new(&function, Sink::Values);
        for (column, &entry) in table.columns().iter().enumerate() {
            let word = (column as u64) << (64 - table.bits()) | entry >> table.bits();
            for salt in [1, 1 << 63, word] {
                let start = stream_of(word, salt);
                let run = |kernel: &dyn Kernel| {
                    let (mut stream, mut cells) = (start.clone(), [0; 3]);
                    let mut events = Events::default();
                    let ran = kernel.run(&mut stream, &[7], 3, &mut cells, &mut events);
                    ran.expect("no trap");
                    (cells, stream)
                };
                assert_eq!(run(&native), run(&evaluated), "{text}, column {column}");
            }
        }
    }
}
