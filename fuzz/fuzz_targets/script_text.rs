//! Parsing any text as a script never panics; formatting a script twice changes nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| dicec_tests::properties::script_text(bytes));
