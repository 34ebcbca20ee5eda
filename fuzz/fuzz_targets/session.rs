//! A damaged session of a script is refused or gone on with, without a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| dicec_tests::strangers::session(bytes));
