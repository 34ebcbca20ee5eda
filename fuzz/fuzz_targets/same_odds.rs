//! Two scripts that say the same in other words have equal odds.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| dicec_tests::properties::same_odds(bytes));
