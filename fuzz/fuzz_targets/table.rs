//! A damaged table in any format, and any bytes as one, are answered without a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| dicec_tests::strangers::table(bytes));
