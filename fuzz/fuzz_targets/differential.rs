//! The interpreter agrees with the IR before and after a pass, and with native code, on any rule.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| dicec_tests::properties::differential(bytes));
