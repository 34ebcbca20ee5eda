//! A player's choices only change the rolls that depend on them.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| dicec_tests::properties::script_sessions(bytes));
