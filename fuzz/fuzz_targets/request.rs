//! Any bytes as the body of a request are answered without a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| dicec_tests::strangers::request(bytes));
