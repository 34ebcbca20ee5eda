//! Interpreter, IR before and after every pass, and native code agree on any compound rule.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| dicec_tests::properties::compound_differential(bytes));
