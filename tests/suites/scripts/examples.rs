//! The scripts in `examples/`, each with golden results for a fixed seed: a change of what a seed
//! gives fails here.

use dicec_compiler::unstable::{Backend, Sampling};
use dicec_compiler::{Bound, ScriptSession, Simulation, Step};
use dicec_lang::hir::Policy;
use dicec_tests::programs;
use std::fmt::Write;

/// The only roll of an example.
fn example(name: &str) -> Bound {
    let (script, args) = programs::example(name);
    programs::first(&script, &args)
}

/// The lines of an execution from seed 1, groups in brackets.
fn lines(bound: &Bound) -> String {
    fn write(text: &mut String, steps: &[Step]) {
        for step in steps {
            match step {
                Step::Line(line) => {
                    let _ = writeln!(text, "{}", line.trim());
                }
                Step::Group(steps) => {
                    text.push_str("[\n");
                    write(text, steps);
                    text.push_str("]\n");
                }
                Step::Roll(_) | Step::Option(_) => {}
            }
        }
    }
    let played = bound.play(&mut ScriptSession::new(1)).expect("no trap");
    let mut text = String::new();
    write(&mut text, &played.steps);
    text
}

/// Sums of results and statistics and counts of lines, from this many faithful trials of seed 1 on
/// each back end.
fn sums(bound: &Bound, trials: u64) -> String {
    let run = |backend| {
        let simulation = Simulation::trials(trials)
            .backend(backend)
            .sampling(Sampling::Faithful)
            .seed(1);
        let got = bound.simulate(&simulation).expect("no trap");
        let mut text = String::new();
        let sum = |tally: &dicec_runtime::stats::Tally| -> i64 {
            tally
                .outcomes()
                .map(|(value, times)| value * times as i64)
                .sum()
        };
        let _ = writeln!(text, "result {}", sum(got.tally().expect("kept")));
        let names = bound.program().stats().iter().map(String::as_str);
        let known = names.zip(got.events.stats());
        for (name, tally) in known.chain(got.events.named().iter()) {
            let _ = writeln!(text, "{name} {} in {}", sum(tally), tally.count());
        }
        for (line, times) in got.events.lines.iter() {
            let _ = writeln!(text, "{times} {}", line.trim());
        }
        text
    };
    let native = run(Backend::Jit);
    assert_eq!(run(Backend::Interp), native);
    native
}

#[test]
fn the_seeds_attack() {
    let bound = example("attack");
    assert_eq!(
        lines(&bound),
        "\
[\n\
Miss (miss chance)\n\
]\n\
[\n\
Hit 10\n\
]\n\
[\n\
Miss (miss chance)\n\
]\n\
Total damage: 10\n\
"
    );
    assert_eq!(
        sums(&bound, 500),
        "\
result 11937\n\
8 Critical Hit {}\n\
39 Critical Sneak Attack {}\n\
166 Hit {}\n\
588 Miss (AC)\n\
155 Miss (miss chance)\n\
70 Miss (natural 1)\n\
474 Sneak Attack {}\n\
500 Total damage: {}\n\
"
    );
    let eager = bound
        .with_policy("Reroll?", Policy::Always)
        .and_then(|bound| bound.with_policy("Force Reroll?", Policy::Chance(500_000)))
        .expect("two options");
    assert_eq!(
        sums(&eager, 500),
        "\
result 13142\n\
21 Critical Hit {}\n\
50 Critical Sneak Attack {}\n\
184 Hit {}\n\
526 Miss (AC)\n\
171 Miss (miss chance)\n\
45 Miss (natural 1)\n\
503 Sneak Attack {}\n\
500 Total damage: {}\n\
"
    );
}

#[test]
fn the_duel() {
    let bound = example("duel");
    assert_eq!(
        lines(&bound),
        "\
Ayla wins\n\
"
    );
    assert_eq!(
        sums(&bound, 500),
        "\
result 279\n\
rounds 3478 in 500\n\
hp left 8783 in 500\n\
279 Ayla wins\n\
221 the ogre wins\n\
"
    );
}

#[test]
fn the_party() {
    let bound = example("party");
    assert_eq!(
        lines(&bound),
        "\
The heroes win\n\
"
    );
    assert_eq!(
        sums(&bound, 50),
        "\
result 16\n\
felled heroes 167 in 368\n\
rounds 401 in 50\n\
heroes left 33 in 50\n\
34 The goblins win\n\
16 The heroes win\n\
"
    );
}

#[test]
fn the_ability_scores() {
    let bound = example("ability_scores");
    assert_eq!(
        lines(&bound),
        "\
Str 12  Dex 13  Con 11  Int 10  Wis 15  Cha 11\n\
"
    );
    assert_eq!(
        sums(&bound, 500),
        "\
result 37639\n\
sets 570 in 500\n\
500 Str {}  Dex {}  Con {}  Int {}  Wis {}  Cha {}\n\
"
    );
}

#[test]
fn the_burst() {
    let bound = example("burst");
    assert_eq!(
        lines(&bound),
        "\
The rifle misses\n\
"
    );
    // Full: the third of the answers.
    let full = Policy::Answer(2);
    let bound = bound.with_policy("How?", full).expect("an option");
    assert_eq!(
        sums(&bound, 500),
        "\
result 2221\n\
wounds to the arm 452 in 94\n\
wounds to the body 902 in 210\n\
wounds to the head 222 in 48\n\
wounds to the leg 645 in 129\n\
306 The rifle misses\n\
94 the raider is hit in the arm: {}\n\
210 the raider is hit in the body: {}\n\
48 the raider is hit in the head: {}\n\
129 the raider is hit in the leg: {}\n\
"
    );
}

#[test]
fn the_delve() {
    let bound = example("delve");
    assert_eq!(
        lines(&bound),
        "\
Wren falls into a pit\n\
Brom falls into a pit\n\
They meet the dragon\n\
"
    );
    assert_eq!(
        sums(&bound, 500),
        "\
result 5182\n\
damage of Ayla 1706 in 240\n\
damage of Brom 1734 in 246\n\
damage of Wren 1709 in 246\n\
240 Ayla falls into a pit\n\
246 Brom falls into a pit\n\
332 They meet the dragon\n\
246 Wren falls into a pit\n\
"
    );
}

#[test]
fn the_guide() {
    let bound = example("guide/5_fight");
    assert_eq!(
        lines(&bound),
        "\
Ayla stands\n\
"
    );
    assert_eq!(
        sums(&bound, 500),
        "\
result 202\n\
rounds 1946 in 500\n\
202 Ayla stands\n\
298 The troll stands\n\
"
    );
}
