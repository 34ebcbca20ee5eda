//! Any bytes as an AnyDice program: no panic, bounded work, and the naive evaluator's numbers.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| dicec_tests::anydice::any(bytes));
