//! Parsing any text as IR never panics, and every stage of a program prints and reads back.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| dicec_tests::properties::ir_roundtrip(bytes));
