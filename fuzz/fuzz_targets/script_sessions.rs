//! Any text parses without a panic, and a tree prints to text that parses back to it.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| dicec_tests::properties::script_sessions(bytes));
