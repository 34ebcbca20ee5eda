//! Every answer about a program as people write them is right.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| dicec_tests::properties::natural_programs(bytes));
