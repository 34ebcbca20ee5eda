//! A fight of a creature whose stat block was pasted and damaged is answered without a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| dicec_tests::strangers::pasted(bytes));
