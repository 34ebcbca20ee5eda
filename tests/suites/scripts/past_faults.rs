//! Programs whose numbers were once silently wrong: what a simulation answers has to fit all rolls
//! of their dice in the interpreter, and each rewrite that promises to keep every draw has to.

use dicec_compiler::{Bound, Failure, Simulation};
use dicec_native::eval::EvalKernel;
use dicec_native::ir::Module;
use dicec_native::pass::{Contract, Pass, Rewrites, Sampling, Switches, Watch};
use dicec_runtime::driver::RunError;
use dicec_runtime::kernel::Sink;
use dicec_tests::programs::script;
use dicec_tests::{engines, fit};

/// Evaluates some trials before and after each rewrite.
struct Same<'p> {
    inputs: Vec<i64>,
    program: &'p str,
}

impl Watch for Same<'_> {
    fn rewritten(&mut self, pass: Pass, before: &Module, after: &Module) {
        if pass.contract == Contract::Redraw {
            return;
        }
        let [was, is] = [before, after].map(|module| {
            let kernel = EvalKernel::new(module.clone(), Sink::Values);
            engines::run(&kernel, &self.inputs, 9, 50)
        });
        let (name, program) = (pass.name, self.program);
        assert_eq!(is, was, "{name}\n{program}\n{before}\n{after}");
    }
}

/// Enough for code that is made for these arguments only: with fewer trials, other code runs.
const TRIALS: u64 = 200_000;

fn check(body: &str) {
    let text = format!(
        "deftype pair {{ a: int, b: int }}\ndeftype band {{ all: int list, n: int }}\n\
         defroll \"Main\" main() {{ {body} }}"
    );
    let roll = script(&text).only_roll().expect("one roll");
    let bound: Bound = roll.bind_values(roll.zeros(), &[]).expect("no arguments");
    let (_, inputs) = bound.specialised(Sampling::Faithful).expect("no bug");
    let mut same = Same {
        inputs,
        program: &text,
    };
    let mut rewrites = Rewrites::new(Switches::ALL_ON).watched(&mut same);
    assert!(bound.simulated_by(Sampling::Fused, &mut rewrites).is_ok());
    fit::check_enumerated(&bound, &Simulation::trials(TRIALS).seed(11), 1 << 14);
}

/// A store at an address that is not known was not noted as one of the elements that it may reach,
/// so that these were never read (`pass/known_memory.rs`).
#[test]
fn lists_that_grow_under_conditions() {
    for body in [
        "xs = []; t = 0; repeat (2) { x = roll(d3); for (k : [1, 2]) { if (x > k) { append(xs, x); } } }
         for (v : xs) { t += v; } return t;",
        "t = 0; xs = []; for (i : 0..1) { r = roll(d3); for (k : [1, 2]) { if (r > k) { append(xs, i); } } }
         for (j : 0..len(xs) - 1) { t += xs[j]; } return t;",
        "xs = []; i = 0; while (i < 2) { i++; r = roll(d2); for (k : [1, 1]) { if (r > k) { append(xs, 0); } } }
         return max(x for x : xs + [0, 1]);",
        // Two lists grow in the same loop, and take each other's place.
        "xs = []; ys = list(7); t = 0;
         repeat (2) { x = roll(d3); for (k : [1, 2]) { if (x > k) { append(xs, x); } else { append(ys, k); } } }
         zs = xs; xs = ys; ys = zs; for (v : xs) { t = 3 * t + v; } for (v : ys) { t = 3 * t + v; } return t;",
        // Records in a list that grows.
        "ps = []; t = 0;
         repeat (2) { x = roll(d3); for (k : [1, 2]) { if (x > k) { append(ps, pair{ a: x, b: k }); } } }
         for (p : ps) { p.b += 1; } for (p : ps) { t = 3 * t + p.a * p.b; } return t;",
        // A list in a record.
        "g = band{ all: [], n: 0 }; t = 0;
         repeat (2) { x = roll(d3); for (k : [1, 2]) { if (x > k) { append(g.all, x); g.n += k; } } }
         for (v : g.all) { t = 3 * t + v; } return 10 * t + g.n;",
        // What was taken from the end is put there again.
        "xs = [1, 2]; t = 0;
         repeat (2) { x = roll(d3); if (x > 1 && len(xs) > 0) { t += pop(xs); } for (k : [1, 2]) { if (x > k) { append(xs, x); } } }
         for (v : xs) { t = 3 * t + v; } return t;",
        // Draws from a list, and what is left of it in another one.
        "xs = []; t = 0; h = roll(d4); repeat (2) { append(xs, (len(xs) > 0 ? xs[len(xs) - 1] : 0)); append(xs, h); }
         for (i : [1, 2]) { if (len(xs) > 0) { t += draw(xs); } xs = [v for v : xs if v > 1]; }
         for (v : xs) { t = 2 * t + v; } return t;",
    ] {
        check(body);
    }
}

/// The hits of the slice that trapped were subtracted from trials that did not count it. Found by
/// the corpus, in a build that checks for overflow.
#[test]
fn a_check_that_is_true_until_it_traps() {
    let text = "defroll \"Rule\" rule() { return (2d1r<(1d2)) > 0; }";
    let roll = script(text).only_roll().expect("one roll");
    let bound: Bound = roll.bind_values(roll.zeros(), &[]).expect("no arguments");
    for sampling in [Sampling::Faithful, Sampling::Fused] {
        let simulation = Simulation::trials(1_000).sampling(sampling);
        let ended = bound.simulate(&simulation);
        assert!(
            matches!(ended, Err(Failure::Run(RunError::Trapped { .. }))),
            "{ended:?}"
        );
    }
}
