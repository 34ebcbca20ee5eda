//! Scripts as native code: the interpreter, the IR evaluator before and after every pass, and the
//! JIT agree on results, traps, lines, statistics and the generator's end state.
//!
//! The number of generated cases is `DICEC_SCRIPTS`, 60 if unset.

use dicec_compiler::Compiler;
use dicec_compiler::unstable::Sampling;
use dicec_lang::hir::Policy;
use dicec_runtime::limits::ScriptLimits;
use dicec_runtime::trap::TrapCode;
use dicec_tests::engines::{self, Outcome};
use dicec_tests::generate::script::script_case;
use dicec_tests::programs::{bind, compiled, example, first, given, script, table};
use dicec_tests::script as cases;
use dicec_tests::stages::module;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

fn check_within(text: &str, args: &Value, limits: ScriptLimits) -> Outcome {
    let script = compiled(text, Compiler::new().script_limits(limits).script(text));
    let roll = script.roll("main").expect("the roll is there");
    let resources = table(&[("Strength", 4)]);
    engines::check(&given(&roll, args, &resources), 3, 40, &text)
}

fn check(text: &str, args: &Value) -> Outcome {
    check_within(text, args, ScriptLimits::default())
}

#[test]
fn examples() {
    for (name, roll) in [
        ("attack", "fullattack"),
        ("duel", "duel"),
        ("party", "fight"),
    ] {
        let (script, args) = example(name);
        let bound = bind(&script, roll, &args);
        let outcome = engines::check(&bound, 11, 60, &name);
        assert_eq!(outcome.stopped, None);
        assert!(!outcome.lines.is_empty());
        if script.options().is_empty() {
            continue;
        }
        for policy in [Policy::Always, Policy::Chance(400_000)] {
            let mut bound = bound.clone();
            for option in script.options() {
                bound = bound.with_policy(option, policy).expect("an option");
            }
            engines::check(&bound, 12, 60, &(name, policy));
        }
    }
}

#[test]
fn small_examples() {
    for name in ["ability_scores", "burst", "delve"] {
        let (script, args) = example(name);
        let outcome = engines::check(&first(&script, &args), 5, 20, &name);
        assert!(!outcome.lines.is_empty());
    }
}

#[test]
fn small_programs() {
    for text in [
        "defroll \"\" main() { return roll(2d6 + 3); }",
        "defroll \"\" main() { output(\"x\"); }",
        "defroll \"\" main() { return roll(d20) + 5 vs 15; }",
        "defroll \"\" main() { d = roll(d20) + 5 vs 15; output(\"A \" + d + \"!\"); return d >= success; }",
        "defroll \"\" main() { w = roll(d{hit,miss,hit}); output(w); return w == \"hit\"; }",
        "defroll \"\" main() { a = roll(d6) > 3; b = roll(d6) > 3; output(\"\" + a + b); return a == b; }",
        "defroll \"\" main() { return d(roll(d4), roll(d8)) + roll(4d6kh3) + roll(3d6!) + roll({2d6, 1d12}kh1); }",
        "defroll \"\" main() { x = [Strength]; return roll([Strength]d6) * x / 3 % 5; }",
        "defroll \"\" main() { return max(roll(d6), roll(d8), 3) - abs(min(1, roll(d4) - 4)); }",
        "defroll \"\" main() { n = 0; while (roll(d6) != 6) { n++; if (n > 7) { break; } if (n % 2 == 0) { continue; } stat(\"odd\", n); } return n; }",
        "defroll \"\" main() { t = 0; for (i : list(1, 2, 3)) { for (j : list(4, 5)) { if (roll(d4) == i) { continue; } t += i * j; } } return t; }",
        "deffun f(n: int) { if (n <= 1) { return 1; } return n * f(n - 1); } defroll \"\" main() { return f(roll(d10)); }",
        "deffun even(n: int): bool { return n == 0 || odd(n - 1); } deffun odd(n: int): bool { return n != 0 && even(n - 1); } defroll \"\" main() { return even(roll(d20)); }",
        "deffun walk(l: int list, n: int) { if (n > 0) { append(l, roll(d6)); walk(l, n - 1); } } defroll \"\" main() { l = list(1); walk(l, 20); t = 0; for (x : l) { t += x; } return t * 100 + len(l); }",
        "defroll \"\" main() { l = list(); m = l; while (len(l) < 30) { append(m, roll(d100)); } l[3] = 1000; m[4] += l[3]; return m[4] + m[len(l) - 1]; }",
        "defroll \"\" main() { ll = list(list(1, 2), list(3)); for (l : ll) { append(l, roll(d6)); } append(ll, list(9)); t = \"\"; for (l : ll) { for (x : l) { t += x + \",\"; } } output(t); return len(ll); }",
        "deftype p { x: int = 3, y: int, b: bool = true, s: string = \"q\" } deftype q { a: p, l: p list } defroll \"\" main() { v = q{ a: p{ y: roll(d6) } }; append(v.l, v.a); v.l[0].x += 10; w = q{}; output(v.a.s + w.a.s + w.a.b); w.a.b = v.a.x == 13; return w.a.b; }",
        "defroll \"\" main() { s = \"a\"; n = roll(d4); while (n > 0) { s = s + \"b\"; n--; } output(\"<\" + s + \">\"); if (s == \"abb\") { output(s); } return s != \"ab\"; }",
        "defroll \"\" main() { stat(\"a\", roll(d6) * 1000000); stat(\"a\", -5); stat(\"b\", roll(d2) == 1); stat(\"c\", roll(3d6)); }",
        "deffun pick(b: bool) { if (b) { return \"yes\"; } else { return \"no\"; } } defroll \"\" main() { output(pick(roll(d2) == 1) + \"/\" + pick(roll(d2) == 1)); }",
        "defroll \"\" main() { i = 0; t = 0; while (i < 1000) { t += floor(i * 1.5); if (floor(i * 0.25) > 20) { t++; } i++; } return t + roll(d4); }",
        "defroll \"\" main() { t = 0; for (i : 1..roll(d20)) { t += i; i = 100; if (t > 90) { break; } if (i + roll(d4) % 2 == 101) { continue; } t += 1; } return t; }",
        "defroll \"\" main() { t = 0; for (i : roll(d4)..roll(d4)) { for (j : i..i + 2) { t = t * 3 + j; } } repeat (roll(d6) - 3) { t += roll(d6); } return t; }",
        "defroll \"\" main() { t = 0; for (i : 3..5) { t = t * 10 + i; } for (i : 5..3) { t = -1; } repeat (2) { t += roll(d4); } repeat (-1) { t = -1; } return t; }",
        "defroll \"\" main() { n = 5; t = 0; for (i : 9223372036854775802..9223372036854775800 + n) { t++; n = 0; } return t + n; }",
        "const FACES = [2, 4, 8]; defroll \"\" main() { xs = [roll(d6), roll(d6)]; ys = []; append(ys, [FACES[1],]); for (y : ys) { append(xs, y[0]); } t = 0; for (x : xs) { t = t * 10 + x; } return t + len([xs, []]); }",
        "defroll \"\" main() { let x = roll(d6); let y = not x > 3 and not(x == 1) or roll(d6) > 4; return y; }",
        "defroll \"\" main() { x = roll(d6) > 3 ? roll(d8) : roll(d4); y = x > 2 && roll(d6) > 2 || x == 1; return y ? 1 : x; }",
    ] {
        let outcome = check(text, &json!({}));
        assert_eq!(outcome.stopped, None, "{text}");
    }
}

#[test]
fn traps() {
    let limits = ScriptLimits {
        fuel: 50,
        depth: 5,
        list: 6,
    };
    use TrapCode::{DivisionByZero, ListTooLong, NoElement, NoSides, OutOfFuel, Overflow, TooDeep};
    for (text, code) in [
        ("defroll \"\" main() { repeat (51) { } }", OutOfFuel),
        (
            "defroll \"\" main() { for (i : -9223372036854775807..roll(d4)) { } }",
            OutOfFuel,
        ),
        (
            "defroll \"\" main() { n = 9223372036854775807; for (i : n..n) { } }",
            Overflow,
        ),
        (
            "defroll \"\" main() { n = 1; while (n > 0) { n = roll(d6); } }",
            OutOfFuel,
        ),
        (
            "deffun f(n: int): int { if (n > 9) { return 0; } return f(n) + 1; } defroll \"\" main() { return f(1); }",
            TooDeep,
        ),
        (
            "deffun f(n: int): int { if (n == 0) { return 0; } return f(n - 1) + 1; } defroll \"\" main() { return f(roll(d8)); }",
            TooDeep,
        ),
        (
            "deffun a() { return roll(d6); } deffun b() { return a(); } deffun c() { return b(); } deffun e() { return c(); } deffun f() { return e(); } deffun g() { return f(); } defroll \"\" main() { return g(); }",
            TooDeep,
        ),
        (
            "defroll \"\" main() { l = list(1, 2); return l[roll(d6) - 1]; }",
            NoElement,
        ),
        (
            "defroll \"\" main() { l = list(1, 2); l[0 - roll(d2)] = 3; return l[0]; }",
            NoElement,
        ),
        (
            "defroll \"\" main() { l = list(1, 2); while (roll(d6) > 1) { append(l, 1); } }",
            ListTooLong,
        ),
        (
            "defroll \"\" main() { l = list(1, 2, 3); for (x : l) { append(l, roll(d6)); } }",
            ListTooLong,
        ),
        (
            "defroll \"\" main() { return 9223372036854775807 - 3 + roll(d6); }",
            Overflow,
        ),
        (
            "defroll \"\" main() { x = 9223372036854775805; x += roll(d6); return x; }",
            Overflow,
        ),
        (
            "defroll \"\" main() { return 7.0 % (roll(d6) - 1); }",
            DivisionByZero,
        ),
        (
            "defroll \"\" main() { return d(2, roll(d6) - 1); }",
            NoSides,
        ),
        (
            "deftype p { a: int, b: int, c: int } defroll \"\" main() { x = p{}; i = 0; while (i < 100) { x = p{ a: i }; i++; } return x.a; }",
            OutOfFuel,
        ),
        (
            "defroll \"\" main() { x = list(1); i = 0; while (i < 100) { x = list(i, roll(d6), 3, 4); i++; } return x[0]; }",
            OutOfFuel,
        ),
    ] {
        let outcome = check_within(text, &json!({}), limits);
        let stopped = outcome.stopped.unwrap_or_else(|| panic!("no trap: {text}"));
        assert_eq!(stopped.trap.code, code, "{text}");
    }
}

#[test]
fn too_long_texts() {
    for body in [
        "s = \"abcd\"; while (true) { s += s; if (roll(d1000) == 1) { break; } } output(s);",
        "s = \"abcd\"; i = 0; while (i < 10) { s += s; i++; } output(s + roll(d6));",
    ] {
        let text = format!("defroll \"\" main() {{ {body} }}");
        let outcome = check(&text, &json!({}));
        let code = outcome.stopped.map(|stopped| stopped.trap.code);
        assert_eq!(code, Some(TrapCode::TextTooLong), "{text}");
    }
}

/// The fuel that texts and dice cost is enough for them, and one unit less is not.
#[test]
fn what_texts_and_dice_cost() {
    for (body, fuel) in [
        ("t = s + \"de\" + s; output(t);", 8),
        ("t = s + n + \"de\"; output(t);", 4),
        ("t = s + (n > 3) + s; output(t);", 12),
        ("t = \"0123456789abc\" + s; output(t);", 5),
        ("output(s + \" and \" + s);", 8),
        ("output(s + \" and \" + n);", 0),
        ("t = \"\" + n + \"de\"; output(t);", 0),
        ("for (x : xs) { s = s + x; }", 2 * (1 + 8)),
        ("n = roll(63d6);", 0),
        ("n = roll(64d6);", 1),
        ("n = roll(100d6 + 40d8kh3);", 2),
        ("n = roll([Strength]d6);", 0),
        ("n = roll({60d6, 30d8}kh1 + 40d4);", 2),
    ] {
        let text =
            format!("defroll \"\" main(s: string, xs: string list, n: int) {{ {body} return n; }}");
        let args = json!({"s": "abc", "xs": ["d", "e"], "n": 4});
        let code = |fuel| {
            let limits = ScriptLimits {
                fuel,
                ..ScriptLimits::default()
            };
            let stopped = check_within(&text, &args, limits).stopped;
            stopped.map(|stopped| stopped.trap.code)
        };
        assert_eq!(code(fuel), None, "{text}");
        if let Some(less) = fuel.checked_sub(1) {
            assert_eq!(code(less), Some(TrapCode::OutOfFuel), "{text}");
        }
    }
}

/// Every trial begins with the same inputs, whatever earlier trials did to them.
#[test]
fn inputs_are_restored() {
    let text = "
        deftype item { name: string, uses: int }
        deftype hero { name: string, hp: int, items: item list, scores: int list, best: item, tags: string list }
        defroll \"\" main(heroes: hero list, bonus: int, flag: bool, word: string) {
            for (h : heroes) {
                h.hp -= roll(2d6) + bonus;
                if (flag && len(h.items) > 0) { h.items[0].uses += 1; h.best = h.items[0]; }
                append(h.items, item{ name: h.name, uses: len(h.items) });
                h.scores[0] = h.scores[0] * 2 + 1;
                append(h.tags, word);
                append(h.tags, h.tags[0] + word);
                h.best.name = h.best.name + word;
                output(h.best.name);
                output(h.name + \" has \" + len(h.items));
                output(h.tags[len(h.tags) - 1]);
                stat(\"uses\", h.best.uses);
            }
            flag = !flag;
            bonus += 1;
            heroes[0] = heroes[len(heroes) - 1];
            return heroes[0].hp + heroes[0].scores[0] + bonus;
        }";
    let hero = |name: &str, items: Value| {
        json!({
            "name": name, "hp": 30, "items": items, "scores": [3, 4],
            "best": {"name": "sword", "uses": 0}, "tags": ["brave"],
        })
    };
    let args = json!({
        "heroes": [hero("Ann", json!([])), hero("a longer name, \"quoted\"", json!([{"name": "rope", "uses": 2}]))],
        "bonus": 1, "flag": true, "word": "sword",
    });
    let outcome = check(text, &args);
    assert_eq!(outcome.stopped, None);
}

/// Calls become functions of the module if inlining would produce too much code.
#[test]
fn many_calls() {
    let mut text = String::from("deffun f0(n: int) { return n + roll(d6); }\n");
    for level in 1..=12 {
        let before = level - 1;
        text += &format!(
            "deffun f{level}(n: int) {{ return f{before}(n) + f{before}(n + 1) + f{before}(n - 1); }}\n"
        );
    }
    text += "defroll \"\" main() { return f12(1); }";
    let bound = bind(&script(&text), "main", &json!({}));
    let lowered = bound.lowered();
    assert!(lowered.functions.len() > 2);
    let insts: usize = lowered.functions.values().map(|f| f.insts.len()).sum();
    assert!(insts < 300_000, "{insts}");
}

/// The deepest recursion that a limit allows does not overflow the stack.
#[test]
fn deep_recursion() {
    let text = "
        deffun f(n: int, l: int list): int { x = roll(d6); if (n == 0) { return x; } append(l, n); y = f(n - 1, l); return x + y * 2 % 7 + len(l); }
        defroll \"\" main() { return f(999, list()); }";
    let limits = ScriptLimits {
        depth: 1_000,
        ..ScriptLimits::default()
    };
    assert_eq!(check_within(text, &json!({}), limits).stopped, None);
}

fn cases() -> u32 {
    let wanted = std::env::var("DICEC_SCRIPTS").ok();
    wanted.and_then(|text| text.parse().ok()).unwrap_or(60)
}

#[test]
fn generated_scripts() {
    let config = Config {
        cases: cases(),
        failure_persistence: None,
        ..Config::default()
    };
    let bytes = proptest::collection::vec(any::<u8>(), 0..1024);
    let result = TestRunner::new(config).run(&bytes, |bytes| {
        let case = script_case(&mut arbitrary::Unstructured::new(&bytes)).expect("a case");
        if let Some(compiled) = cases::compile(&case) {
            let bound = cases::bind(&compiled, &case);
            engines::check(&bound, case.seed, 12, &case.text);
        }
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
}

/// Loops that move the elements of a longer list: those of `draw`, `remove` and `insert`, and one
/// that an author writes. Many of them are instructions; if there are few, nothing moves, and the
/// same fuel is burned.
#[test]
fn elements_that_move() {
    let shift = "i = roll(d40) - 1; while (i < 39) { xs[i] = xs[i + 1]; i++; } n += i;";
    for statements in [
        "n += draw(xs); n += 50 * draw(xs);",
        "n += remove(xs, roll(d40) - 1);",
        "insert(xs, roll(d41) - 1, 99);",
        shift,
    ] {
        // The list burns 80 units, and its sum 40: in between, trials run out while elements move.
        moves(statements, None, &[90, 120, 150, 1_000_000]);
    }
    let many = "n += draw(xs);".repeat(17);
    moves(&many, Some("shift_down"), &[150, 250, 1_000_000]);
}

/// Statements that move elements of the list `xs`, and add to `n`, by this instruction or by none.
fn moves(statements: &str, found: Option<&str>, fuels: &[u32]) {
    const CHECKSUM: &str = "for (x : xs) { n = (n * 7 + x) % 1000003; } return n;";
    let text =
        format!("defroll \"\" main() {{ xs = [i for i : 1..40]; n = 0; {statements} {CHECKSUM} }}");
    let module = module(&first(&script(&text), &json!({})), true, Sampling::Faithful);
    let code = module.to_string();
    assert!(code.contains(found.unwrap_or("function")), "{text}\n{code}");
    assert!(found.is_some() || !code.contains("shift"), "{text}\n{code}");
    let mut stopped = 0;
    for &fuel in fuels {
        let limits = ScriptLimits {
            fuel,
            ..ScriptLimits::default()
        };
        let outcome = check_within(&text, &json!({}), limits);
        let trap = outcome.stopped.map(|stopped| stopped.trap.code);
        assert!(matches!(trap, None | Some(TrapCode::OutOfFuel)), "{text}");
        stopped += usize::from(trap.is_some());
    }
    assert!((1..fuels.len()).contains(&stopped), "{stopped}: {text}");
}
