//! A wrong pass could compute a wrong address. Native code then reads and changes words of the
//! trial's own memory, and nothing else: it ends, and a right module gives the right results
//! afterwards.

use dicec_native::ir_text::parse;
use dicec_native::jit::JitKernel;
use dicec_runtime::kernel::{Kernel, Sink};
use dicec_runtime::rng::Stream;

/// An argument block without arguments: where records and lists end, and the number of texts.
const NO_ARGUMENTS: [i64; 2] = [2, 0];

const TRIALS: usize = 64;

const ADDRESSES: [i64; 13] = [
    -1,
    i64::MIN,
    i64::MAX,
    1 << 20,
    1 << 32,
    1 << 40,
    1 << 60,
    (1 << 60) + 1,
    -(1 << 40),
    321,
    // The last one that every memory has, the first one that some do not have, and its last one.
    255,
    256,
    511,
];

/// A trial that makes a record, writes to a field of another address and reads it.
fn module(address: &str) -> String {
    format!(
        "module fuel 1000000 depth 200 list 10000
site \"\" \"\"
field0 \"p.x\" 0 written
field1 \"p.y\" 100 written
record \"p\" field0 word

function i64

block0:
    v0 = alloc 1
    v1 = {address}
    v2 = iconst 5
    v3 = store field0 v1, v2
    v4 = store field1 v1, v2
    v5 = load field0 v1
    v6 = load field1 v1
    v7 = iadd v5, v6
    return v7
"
    )
}

fn run(text: &str) -> Vec<i64> {
    let module = parse(text).expect("a module");
    let kernel = JitKernel::compile(module, Sink::Values).expect("native code");
    let mut cells = vec![0; TRIALS];
    let mut events = kernel.events();
    let mut stream = Stream::from_seed(1);
    let ran = kernel.run(&mut stream, &NO_ARGUMENTS, TRIALS, &mut cells, &mut events);
    ran.expect("no trap");
    cells
}

#[test]
fn wrong_addresses_stay_in_the_memory_of_the_trial() {
    for address in ADDRESSES {
        assert_eq!(
            run(&module(&format!("iconst {address}"))),
            [10; TRIALS],
            "{address}"
        );
    }
}
