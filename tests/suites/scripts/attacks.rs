//! Programs that attack native code: deep recursion, lists and indices at their bounds, many
//! variables and fields, numbers at their ends, fuel that runs out anywhere. All engines agree
//! trial by trial, also about where a trial ends, and one thread gives the results of two.

use dicec_compiler::{Bound, Compiler, Failure, Limits, Simulation};
use dicec_exact::Odds;
use dicec_runtime::driver::RunError;
use dicec_tests::engines;
use dicec_tests::programs::{compiled, first};
use serde_json::json;
use std::fmt::Write;

/// The trials in which all engines are compared.
const TRIALS: usize = 4;

/// Those of a simulation: more than a chunk, so that two threads have something to do, or few where
/// trials are slow.
const MANY: u64 = 66_000;
const FEW: u64 = 200;

/// Fuel that runs out soon.
const LITTLE_FUEL: u32 = 3_000;

/// Numbers at which indices, counts and sums may go wrong.
const NUMBERS: [&str; 12] = [
    "0",
    "1",
    "-1",
    "999",
    "1000",
    "1001",
    "2147483648",
    "4294967295",
    "1152921504606846976",
    "9223372036854775807",
    "(-9223372036854775807 - 1)",
    "-4611686018427387904",
];

fn roll(text: &str, fuel: u32) -> Bound {
    let mut limits = Limits::untrusted();
    limits.script.fuel = fuel;
    let compiler = Compiler::new().limits(limits);
    first(&compiled(text, compiler.script(text)), &json!({}))
}

/// All engines agree about a script.
fn attack(text: &str) {
    attack_with(text, MANY);
}

/// The same with this many trials of a simulation.
fn attack_with(text: &str, trials: u64) {
    attack_within(Limits::untrusted().script.fuel, text, trials);
}

/// The same with this much fuel.
fn attack_within(fuel: u32, text: &str, trials: u64) {
    let bound = roll(text, fuel);
    engines::check(&bound, 7, TRIALS, &text);
    let [one, two] = [1, 2].map(|threads| {
        let simulation = Simulation::trials(trials).threads(threads).seed(7);
        match bound.simulate(&simulation) {
            Ok(report) => Ok(format!("{:?} {:?}", report.results, report.events)),
            Err(Failure::Run(RunError::Trapped { trap, trial, .. })) => Err((trap, trial)),
            Err(other) => panic!("{other}: {text}"),
        }
    });
    assert_eq!(one, two, "{text}");
    let limits = Limits::untrusted().exact;
    let solved: Result<Odds, Failure> = bound.solve(&limits);
    match solved {
        Ok(_) | Err(Failure::Trap(_) | Failure::Exhausted(_)) => {}
        Err(other) => panic!("{other}: {text}"),
    }
}

/// The body of a roll.
fn body(statements: &str) -> String {
    format!("defroll \"A\" a() {{ {statements} }}")
}

#[test]
fn recursion_to_any_depth() {
    for depth in [1, 48, 49, 50, 51, 1_000_000] {
        attack_with(&format!(
            "deffun f(n: int, xs: int list): int {{ if (n <= 0) {{ return roll(d6); }} append(xs, n); return f(n - 1, xs) + xs[0]; }}
             defroll \"A\" a() {{ return f({depth} - roll(d2), [1, 2]); }}"
        ), FEW);
    }
}

#[test]
fn indices_at_every_bound() {
    for number in NUMBERS {
        for statement in [
            "return xs[i];",
            "xs[i] = 5; return sum(xs);",
            "return remove(xs, i) + sum(xs);",
            "insert(xs, i, 5); return sum(xs);",
            "return xs[roll(d2) - 1 + i];",
        ] {
            let list = "xs = [roll(d6) for k : 1..roll(d3)];";
            attack(&body(&format!("{list} i = {number}; {statement}")));
        }
    }
}

#[test]
fn lists_up_to_their_limit() {
    for length in [1, 2, 31, 32, 33, 64, 65, 998, 999, 1000, 1001] {
        attack_with(
            &body(&format!(
                "xs = []; repeat ({length}) {{ append(xs, roll(d6)); }} sort(xs); t = pop(xs); append(xs, t); return sum(xs) + count(x == 6 for x : xs);"
            )),
            FEW,
        );
        attack_with(
            &body(&format!(
                "rows = [[roll(d6), 2] for k : 1..{length}]; t = 0; for (xs : rows) {{ if (t < 50) {{ append(xs, 1); }} t += sum(xs); }} return t;"
            )),
            FEW,
        );
    }
}

#[test]
fn records_of_many_fields() {
    for fields in [1, 5, 63, 64, 65, 66, 130, 300] {
        let (mut types, mut values, mut sum) = (String::new(), String::new(), String::new());
        for field in 0..fields {
            let comma = if field > 0 { ", " } else { "" };
            let plus = if field > 0 { " + " } else { "" };
            write!(types, "{comma}f{field}: int").expect("memory");
            write!(values, "{comma}f{field}: {field}").expect("memory");
            write!(sum, "{plus}b.f{field}").expect("memory");
        }
        let last = fields - 1;
        attack(&format!(
            "deftype r {{ {types} }}
             defroll \"A\" a() {{ rs = [r{{ {values} }} for i : 1..3]; b = rs[roll(d3) - 1]; b.f{last} = roll(d6); b = rs[roll(d3) - 1]; return {sum}; }}"
        ));
    }
}

#[test]
fn many_variables_that_live_together() {
    for variables in [8, 40, 120, 250] {
        let (mut made, mut sum) = (String::new(), "0".to_owned());
        for variable in 0..variables {
            write!(made, "v{variable} = roll(d6) * {variable}; ").expect("memory");
            write!(sum, " + v{variable}").expect("memory");
        }
        attack(&body(&format!(
            "{made} for (i : 1..roll(d3)) {{ v0 += v1; v{} -= i; }} return {sum};",
            variables - 1
        )));
    }
}

#[test]
fn numbers_at_their_ends() {
    for number in NUMBERS {
        for expression in [
            "x + y",
            "x - y",
            "x * y",
            "x / y",
            "y / x",
            "x % y",
            "y % x",
            "-x",
            "abs(x)",
            "max(x, y) - min(x, y)",
        ] {
            attack_with(
                &body(&format!(
                    "x = {number}; y = roll(d3) - 2; return {expression};"
                )),
                FEW,
            );
        }
        attack_with(&body(&format!("n = {number}; return roll(d(n, 6));")), FEW);
        attack_with(&body(&format!("n = {number}; return roll(d(2, n));")), FEW);
        attack_with(
            &body(&format!(
                "t = 0; for (i : {number}..roll(d3)) {{ t += 1; }} return t;"
            )),
            FEW,
        );
        attack_with(
            &body(&format!(
                "t = 0; repeat ({number}) {{ t += roll(d6); }} return t;"
            )),
            FEW,
        );
    }
}

#[test]
fn fuel_that_runs_out_anywhere() {
    for statement in [
        "x += roll(d6);",
        "append(xs, x);",
        "output(\"x\" + x);",
        "stat(\"n\" + (x % 5), x);",
        "xs = [x, x + 1]; x = xs[roll(d2) - 1];",
        "if (roll(d6) > 3) { x += 1; } else { x -= 1; }",
    ] {
        let (repeat, until) = (
            format!("repeat (50000) {{ {statement} }}"),
            format!("n = 0; while (n < 50000 + roll(d6)) {{ n += 1; {statement} }}"),
        );
        for looped in [repeat, until] {
            let text = body(&format!("x = 0; xs = [0, 0]; {looped} return x;"));
            attack_within(LITTLE_FUEL, &text, FEW);
        }
    }
}

#[test]
fn texts_that_grow() {
    for doublings in [1, 12, 62] {
        attack_with(
            &body(&format!(
                "s = \"x\" + roll(d6); repeat ({doublings}) {{ s = s + s; }} output(s); return 1;"
            )),
            FEW,
        );
    }
}
