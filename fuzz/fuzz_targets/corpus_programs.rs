//! Every answer about a program that is like one of the project's own scripts is right.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| dicec_tests::properties::corpus_programs(bytes));
