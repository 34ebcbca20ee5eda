//! A fight of a creature with a damaged stat block is answered without a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| dicec_tests::strangers::stat_block(bytes));
