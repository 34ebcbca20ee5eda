//! Any text reads as a script or not, without a panic; the normal layout of a script is that of the
//! same script.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| dicec_tests::properties::script_text(bytes));
