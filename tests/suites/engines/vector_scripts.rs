//! Scripts in lanes: which have a vector form, that native code and the evaluator agree on them,
//! and that their samples fit their exact odds. So the dice that are drawn for inactive trials
//! change nothing.

use arbitrary::Unstructured;
use dicec_compiler::unstable::Backend;
use dicec_compiler::{Bound, Compiler, Simulation};
use dicec_native::ir::Op;
use dicec_native::jit::vector_listing_for_aarch64;
use dicec_native::pass::Obstacle;
use dicec_native::vector_sink;
use dicec_runtime::limits::ScriptLimits;
use dicec_runtime::rng::Stream;
use dicec_tests::generate::routine::{MAX_LINES, routine};
use dicec_tests::{engines, fit, programs, stages};
use serde_json::json;

/// The only roll of a script, which has no parameters.
fn bound(text: &str) -> Bound {
    programs::first(&programs::script(text), &json!({}))
}

/// Routines with known numbers, each of another shape.
const SCRIPTS: [(&str, &str); 16] = [
    (
        "attack",
        "defroll \"\" r() { d = roll(d20); if (d == 20) { return roll(4d6) + 4; } if (d + 7 >= 15) { return roll(2d6) + 4; } return 0; }",
    ),
    (
        "effects in one side",
        "defroll \"\" r() { if (roll(d20) >= 11) { x = roll(2d6); stat(\"x\", x); output(\"hit\"); return x; } else { y = roll(3d4); stat(\"y\", y); output(\"miss\"); return 20 + y; } }",
    ),
    (
        "sides in sides",
        "defroll \"\" r() { x = 0; if (roll(d4) == 1) { if (roll(d6) > 2) { x = roll(d8); } else { x = roll(2d4); } stat(\"x\", x); } return x + roll(d6); }",
    ),
    (
        "until six",
        "defroll \"\" r() { last = 0; while (true) { d = roll(d6); if (d == 6) { break; } last = d; stat(\"d\", d); } output(\"six\"); return last; }",
    ),
    (
        "counted rounds",
        "defroll \"\" r() { hp = 30; rounds = 0; while (hp > 0) { rounds++; if (roll(d20) + 5 >= 14) { hp -= roll(2d6) + 1; } } stat(\"rounds\", rounds); return hp; }",
    ),
    (
        "left in many ways",
        "defroll \"\" r() { a = 0; while (a < 20) { d = roll(d10); if (d == 1) { output(\"fumble\"); return 100; } if (d == 2) { continue; } if (d == 3) { break; } a += d; } return a + roll(d4); }",
    ),
    (
        "two sides",
        "defroll \"\" r() { a = 12; b = 15; while (true) { if (roll(d20) >= 10) { b -= roll(d8); if (b <= 0) { output(\"a wins\"); return a; } } if (roll(d20) >= 12) { a -= roll(2d4); if (a <= 0) { output(\"b wins\"); return 0 - b; } } } return 0; }",
    ),
    (
        "loops in loops",
        "defroll \"\" r() { t = 0; while (t < 12) { d = roll(d4); while (d < 5) { d += roll(d3); if (d == 4) { output(\"four\"); break; } } t += d; stat(\"d\", d); } return t; }",
    ),
    (
        "out of two loops",
        "defroll \"\" r() { t = 0; while (t < 9) { d = 0; while (d < 6) { f = roll(d6); if (f == 1) { return 50 + d; } d += f; } if (roll(d8) == 8) { break; } t = d + roll(d3); } return t; }",
    ),
    (
        "a loop in a side",
        "defroll \"\" r() { x = roll(d6); if (x > 3) { while (roll(d4) > 1) { x = roll(d8); } } else { x = roll(d10) + 10; } return x; }",
    ),
    (
        "one loop behind the other",
        "defroll \"\" r() { a = 0; while (a < 6) { a += roll(d4); } b = 0; while (b < a) { b += roll(d6); stat(\"b\", b); } return b - a; }",
    ),
    (
        "a map",
        "const MAP = [[1, 2, 4], [2, 1, 3]]; defroll \"\" r() { x = 0; y = 0; cost = 0; while (x < 2) { if (roll(d3) == 1) { x++; } else if (y < 1) { y++; } else { y = 0; } cost = min(20, cost + MAP[y][x]); } return cost; }",
    ),
    (
        "rooms of unequal exits",
        "const EXITS = [[1,], [0, 2, 3], [1, 3], [3,]]; defroll \"\" r() { at = 0; steps = 0; while (at != 3 && steps < 9) { steps++; at = pick(EXITS[at]); } return steps * 10 + at; }",
    ),
    (
        "a board",
        "defroll \"\" r() { board = [[0; 3]; 2]; repeat (4) { board[roll(d2) - 1][roll(d3) - 1]++; } return board[0][0] * 10 + sum(board[1]); }",
    ),
    (
        "drawn until one",
        "defroll \"\" r() { bag = [1; 2] + [2; 3] + [4, 9]; sum = 0; while (true) { token = draw(bag); if (token == 1) { break; } sum += token; } return sum; }",
    ),
    (
        "a check",
        "defroll \"\" r() { best = 0; while (best < 4) { d = roll(d6); best = max(best, d); if (d == 1) { return false; } } return roll(d2) == 1; }",
    ),
];

/// More trials than any group has, and not a whole number of groups.
const SOME: usize = 203;

#[test]
fn native_code_agrees() {
    for (name, text) in SCRIPTS {
        let bound = bound(text);
        for trials in [1, 16, SOME] {
            let outcome = engines::check_lanes(&bound, 3, trials, &name).expect("a vector form");
            assert_eq!(outcome.stopped, None, "{name}");
            assert_eq!(outcome.results.len(), trials);
        }
    }
}

/// Cranelift makes code of them for another machine.
#[test]
fn kernels_for_aarch64() {
    for (name, text) in SCRIPTS {
        let form = stages::form(&bound(text), true).expect("a vector form");
        let listing = vector_listing_for_aarch64(&form, vector_sink(&form));
        let listing = listing.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(!listing.clif.contains("x86_"), "{name}");
    }
}

/// A trial that runs out of fuel is found by its number, whatever the rest of its group does.
#[test]
fn little_fuel() {
    let mut trapped = 0;
    for (name, text) in SCRIPTS {
        for fuel in 1..12 {
            let limits = ScriptLimits {
                fuel,
                ..ScriptLimits::default()
            };
            let script = Compiler::new().script_limits(limits).script(text);
            let bound = programs::first(&script.expect("a script"), &json!({}));
            let what = (name, fuel);
            let outcome = engines::check_lanes(&bound, fuel.into(), SOME, &what);
            let stopped = outcome.and_then(|outcome| outcome.stopped);
            trapped += usize::from(stopped.is_some_and(|stopped| stopped.trial > 0));
        }
    }
    assert!(trapped >= 12, "{trapped}");
}

/// Samples of both engines fit the exact odds.
#[test]
fn samples_fit() {
    for (_, text) in SCRIPTS {
        let bound = bound(text);
        for (backend, trials) in [(Backend::Jit, 400_000), (Backend::Interp, 10_000)] {
            let simulation = Simulation::trials(trials).seed(7).backend(backend);
            fit::check(&bound, &simulation, 3.0);
        }
    }
}

/// Generated routines: nearly all run in lanes, most with branches, many with loops. Native code
/// agrees with the evaluator, and what it samples with the exact odds.
#[test]
fn generated_routines() {
    let mut stream = Stream::from_seed(1);
    let (mut forms, mut branches, mut loops) = (0, 0, 0);
    for seed in 0..90 {
        let bytes: Vec<u8> = (0..512).map(|_| stream.word().to_le_bytes()[0]).collect();
        let text = routine(&mut Unstructured::new(&bytes)).expect("bytes are never missing");
        let bound = bound(&text);
        let Some(form) = stages::form(&bound, true) else {
            continue;
        };
        forms += 1;
        branches += usize::from(form.function().blocks.len() > 1);
        loops += usize::from(!form.region.is_loop_free());
        engines::check_lanes(&bound, seed, SOME, &text);
        let simulation = Simulation::trials(30_000).seed(seed).backend(Backend::Jit);
        fit::check(&bound, &simulation, MAX_LINES);
    }
    assert!(
        forms >= 50 && branches >= 30 && loops >= 20,
        "{forms}, {branches}, {loops}"
    );
}

/// What prevents lanes is named with the part of the script that it comes from.
#[test]
fn obstacles_have_a_location() {
    for (body, obstacle, source) in [
        (
            "return d(roll(1d40), 8);",
            Obstacle::Op(Op::Dice),
            "d(roll(1d40), 8)",
        ),
        ("return 0.5 * roll(1d6);", Obstacle::Op(Op::Fconst), "0.5"),
        (
            "return roll(1d1000000) * 1000000;",
            Obstacle::Wide,
            "roll(1d1000000) * 1000000",
        ),
        (
            "x = 7 / roll(1d3); return x;",
            Obstacle::Op(Op::IdivPos),
            "7 / roll(1d3)",
        ),
        ("return 3;", Obstacle::NoDice, ""),
        ("return roll(300d6);", Obstacle::TooLarge, ""),
    ] {
        let text = format!("defroll \"\" r() {{ {body} }}");
        let bound = bound(&text);
        let form = bound.specialised_vector_form().expect("no bug");
        let why = form.expect_err("no vector form");
        let shown = why.span.map_or("", |span| &text[span.range()]);
        assert_eq!((why.obstacle, shown), (obstacle, source), "{body}");
    }
}
