//! Long scripts: the work of compiling them grows like their length. Counted, never timed.

use dicec_compiler::unstable::Sampling;
use dicec_native::best_sink;
use dicec_native::ir::Module;
use dicec_native::jit::listing;
use dicec_tests::programs::{bind, script};
use serde_json::json;

/// A roll that adds up `count` dice, one statement each.
fn sum_of(count: usize) -> String {
    let statements = "x += roll(d6);\n".repeat(count);
    format!("defroll \"Sum\" sum() {{ x = 0;\n{statements}return x; }}")
}

fn compiled(count: usize, sampling: Sampling) -> Module {
    let bound = bind(&script(&sum_of(count)), "sum", &json!({}));
    bound.specialised(sampling).expect("no bug").0
}

/// Four times the statements, about four times the allocated bytes.
#[test]
fn passes_do_linear_work() {
    for sampling in [Sampling::Faithful, Sampling::Fused] {
        let [short, long] = [250, 1000].map(|count| {
            let counted = allocation_counter::measure(|| {
                compiled(count, sampling);
            });
            counted.bytes_total
        });
        assert!(long < 6 * short, "{sampling:?}: {short}, {long}");
    }
}

/// A stack frame that grows with the text means that values wait for their use in slots, for which
/// the register allocator takes quadratic time.
#[cfg(target_arch = "x86_64")]
#[test]
fn native_code_keeps_a_small_stack_frame() {
    for sampling in [Sampling::Faithful, Sampling::Fused] {
        let [short, long] = [300, 1200].map(|count| {
            let module = compiled(count, sampling);
            let listing = listing(&module, best_sink(&module)).expect("native code");
            frame(&listing.assembly)
        });
        assert!(long <= short + 256, "{sampling:?}: {short}, {long}");
    }
}

/// The bytes that code takes from the stack when it begins.
#[cfg(target_arch = "x86_64")]
fn frame(assembly: &str) -> u64 {
    let taken = assembly.lines().find_map(|line| {
        let size = line.trim().strip_prefix("subq $0x")?;
        size.strip_suffix(", %rsp")
    });
    taken.map_or(0, |size| u64::from_str_radix(size, 16).expect("a size"))
}
