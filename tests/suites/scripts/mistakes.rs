//! Mistakes in scripts: what is reported and where, one diagnostic per mistake.

use dicec_lang::syntax::{Code, Severity};
use dicec_tests::checked::{EVERYTHING, around, compile, file, found, script, wrong};
use proptest::prelude::*;

#[test]
fn names() {
    for (statements, expected) in [
        ("x = hpp;", vec![(Code::UnknownName, "hpp")]),
        // Once for each name.
        ("x = hpp + hpp; y = hpp;", vec![(Code::UnknownName, "hpp")]),
        ("x = who.hitpoints;", vec![(Code::UnknownName, "hitpoints")]),
        ("who.hitpoints = 3;", vec![(Code::UnknownName, "who")]),
        ("x = c{ hq: 3 };", vec![(Code::UnknownName, "hq")]),
        ("x = C{ hp: 3 };", vec![(Code::UnknownType, "C")]),
        ("x = dubble(3);", vec![(Code::NoSuchFunction, "dubble")]),
        ("x = r(3);", vec![(Code::NoSuchFunction, "r")]),
        ("if (b) { x = 1; } return x;", vec![(Code::OutOfScope, "x")]),
        (
            "for (x : xs) { n += x; } return x;",
            vec![(Code::OutOfScope, "x")],
        ),
        (
            "if (b) { x = 1; n = x; } else { n = x; }",
            vec![(Code::OutOfScope, "x")],
        ),
        ("x += 1;", vec![(Code::UnknownName, "x")]),
        ("success = 3;", vec![(Code::DefinedTwice, "success")]),
        ("N = 3; n = N;", vec![(Code::CapitalsOnly, "N")]),
        (
            "output(\"{z} {n\"); output(\"{z} and {n}\");",
            vec![(Code::NameInText, "\"{z} and {n}\"")],
        ),
        ("x = c{ hp: 1, hp: 2 };", vec![(Code::DefinedTwice, "hp")]),
        ("if (b) { break; }", vec![(Code::OutsideLoop, "break;")]),
        ("continue;", vec![(Code::OutsideLoop, "continue;")]),
    ] {
        let expected = expected
            .into_iter()
            .map(|(code, marked)| (code, marked.to_owned()));
        assert_eq!(
            wrong(statements),
            expected.collect::<Vec<_>>(),
            "{statements}"
        );
    }
}

#[test]
fn variables_of_blocks_may_share_a_name() {
    script(&around(
        "if (b) { x = 1; n = x; } else { x = \"a\"; output(x); } for (x : xs) { n = x; }",
    ));
}

#[test]
fn types() {
    for (statements, marked) in [
        ("x = 1; x = t;", "t"),
        ("x = n + b;", "b"),
        ("x = n - t;", "t"),
        ("x = -b;", "b"),
        ("x = !n;", "n"),
        ("if (n) { show(who); }", "n"),
        ("while (t) { show(who); }", "t"),
        ("x = b && n;", "n"),
        ("x = n == b;", "n == b"),
        ("x = who < who;", "who < who"),
        ("x = xs != xs;", "xs != xs"),
        ("x = t < t;", "t < t"),
        ("x = n == success;", "n == success"),
        ("x = b ? 1 : t;", "b ? 1 : t"),
        ("x = max(1, t);", "t"),
        ("x = abs(xs);", "xs"),
        ("x = len(t);", "t"),
        ("x = list(1, b);", "b"),
        ("append(xs, t);", "t"),
        ("append(n, 1);", "n"),
        ("x = n.hp;", "n"),
        ("x = xs.hp;", "xs"),
        ("x = n[0];", "n"),
        ("x = xs[b];", "b"),
        ("x = c{ hp: t };", "t"),
        ("who.hp = t;", "t"),
        ("who.hp += t;", "t"),
        ("t -= 1;", "t -= 1;"),
        ("xs[0] = t;", "t"),
        ("x = double(t);", "t"),
        ("for (x : n) { show(who); }", "n"),
        ("output(xs);", "xs"),
        ("output(who);", "who"),
        ("x = t + xs;", "xs"),
        ("stat(\"s\", t);", "t"),
        ("x = roll(d6 + t);", "t"),
        ("x = roll(\"2d\" + t);", "t"),
        ("x = userOption(n, \"x\");", "n"),
        ("if (b) { return 1; } return b;", "b"),
        ("return xs;", "r"),
    ] {
        assert_eq!(
            wrong(statements),
            [(Code::WrongType, marked.to_owned())],
            "{statements}"
        );
    }
}

#[test]
fn an_unknown_type_is_not_complained_about_twice() {
    for statements in [
        "x = nothing; y = x + 1; z = y.hp; for (k : z) { n += k; } if (x) { n = x; } return x;",
        "x = nothing(3); roll(d6 + x); who.hp = x; append(xs, x); x.foo(); ",
        "x = who.nothing; output(x); stat(\"s\", x); y = max(x, 1) + x[0];",
    ] {
        let errors: Vec<_> = wrong(statements);
        assert!(errors.len() <= 2, "{statements}: {errors:?}");
    }
}

#[test]
fn calls_and_values() {
    for (statements, code, marked) in [
        ("x = double();", Code::WrongCount, "double()"),
        ("x = double(1, 2);", Code::WrongCount, "double(1, 2)"),
        ("x = len();", Code::WrongCount, "len()"),
        ("x = max();", Code::WrongCount, "max()"),
        ("output();", Code::WrongCount, "output()"),
        ("x = d(6);", Code::WrongCount, "d(6)"),
        ("x = show(who);", Code::NoValue, "show(who)"),
        ("x = gone();", Code::NoValue, "gone()"),
        ("x = append(xs, 1);", Code::NoValue, "append(xs, 1)"),
        ("x = output(t);", Code::NoValue, "output(t)"),
        ("x = list();", Code::UnresolvedType, "list()"),
        ("x = len(list());", Code::UnresolvedType, "list()"),
        (
            "if (b) { return; } return 1;",
            Code::MissingReturn,
            "return;",
        ),
        (
            "if (b) { return 1; } return;",
            Code::MissingReturn,
            "return;",
        ),
        ("if (b) { return 1; }", Code::MissingReturn, "r"),
        ("while (n > 0) { return 1; }", Code::MissingReturn, "r"),
        ("n + 1;", Code::Unused, "n + 1;"),
        ("n == 1;", Code::Unused, "n == 1;"),
        ("roll(d6);", Code::Unused, "roll(d6);"),
        ("2d6;", Code::Unused, "2d6;"),
        ("rolls();", Code::Unused, "rolls();"),
        ("double(1);", Code::Unused, "double(1);"),
        ("gone();", Code::Unused, "gone();"),
        ("userOption(\"x\");", Code::Unused, "userOption(\"x\");"),
        ("return 1; output(t);", Code::Unreachable, "output(t);"),
        (
            "while (true) { n++; if (n > 9) { return; n = 1; } }",
            Code::Unreachable,
            "n = 1;",
        ),
        ("while (true) { n++; }", Code::EndlessLoop, "true"),
        ("while (n > 0) { xs[0] = n; }", Code::EndlessLoop, "n > 0"),
        (
            "while (n > 0) { while (b) { n--; break; } b = false; continue; n = 1; }",
            Code::Unreachable,
            "n = 1;",
        ),
        (
            "while (who.hp > 0) { n--; }",
            Code::EndlessLoop,
            "who.hp > 0",
        ),
        (
            "while (n > 0) { for (x : xs) { break; } }",
            Code::EndlessLoop,
            "n > 0",
        ),
        ("x = roll(n);", Code::NothingRolled, "n"),
        ("x = roll(\"hello\");", Code::NothingRolled, "\"hello\""),
        (
            "x = roll(\"d20 >= 3\");",
            Code::NothingRolled,
            "\"d20 >= 3\"",
        ),
        ("x = roll(rolls());", Code::NothingRolled, "rolls()"),
        ("x = roll(d6 + rolls());", Code::RollInRoll, "rolls()"),
        ("x = roll(b ? d6 : 1);", Code::RollInRoll, "d6"),
        ("x = roll(d6 >= 3);", Code::RollInRoll, "d6"),
        (
            "x = roll((d20 vs 10) + 1);",
            Code::MisplacedVersus,
            "d20 vs 10",
        ),
        ("x = roll(d0);", Code::NoSides, "0"),
        ("x = roll(\"d0\");", Code::NoSides, "0"),
        (
            "x = roll(\"2d\" + n + \"d8\");",
            Code::AmbiguousDice,
            "2d\" + n + \"d8",
        ),
        ("x = roll(\"2\" + xs[0] + \"d6\");", Code::Trailing, "xs[0]"),
        ("x = \"a\" + n == t;", Code::TextsCompared, "\"a\" + n == t"),
        (
            "who.name = \"a\" + n; x = who.name; y = x; z = y != t;",
            Code::TextsCompared,
            "y != t",
        ),
        (
            "ys = list(\"a\"); append(ys, \"b\" + n); for (y : ys) { b = y == t; }",
            Code::TextsCompared,
            "y == t",
        ),
    ] {
        let found = wrong(statements);
        let first = found.iter().find(|(found, _)| *found == code);
        assert_eq!(
            first,
            Some(&(code, marked.to_owned())),
            "{statements}: {found:?}"
        );
        assert!(found.len() <= 2, "{statements}: {found:?}");
    }
}

/// Holes are tokens, so no text can write one.
#[test]
fn no_text_is_a_hole() {
    for text in ["\u{1}0", "\u{0}", "n"] {
        let statements = format!("x = roll(n + \"d6 + {text}\");");
        assert!(!wrong(&statements).is_empty(), "{text:?}");
    }
    let named = script(&around("x = roll(n + \"d6 + [\u{1}0]d6\");"));
    assert_eq!(named.resources.len(), 1);
}

#[test]
fn what_only_looks_wrong() {
    for statements in [
        "while (n > 0) { n--; }",
        "while (true) { n++; if (n > 9) { break; } }",
        "while (true) { n++; if (n > 9) { return n; } }",
        "while (roll(d6) < 6) { n++; }",
        "while (userOption(\"x\")) { n++; }",
        "while (who.hp > 0) { who.hp -= roll(d6); }",
        "while (len(xs) < 5) { append(xs, 1); }",
        "while (xs[0] > 0) { xs[0]--; }",
        "while (false) { n++; }",
        "x = t + b + success == \"a\";",
        "x = roll(d{a,b}) == t;",
        "output(double(3));",
        "rolls = rolls(); output(rolls);",
        "x = list(); append(x, list()); append(x[0], 1); output(x[0][0]);",
        "x = list(); x = xs; n = x[0];",
        "x = b ? xs : list(); n = len(x);",
        "if (b) { return 1; } else { return 2; }",
    ] {
        let found = wrong(statements);
        assert!(found.is_empty(), "{statements}: {found:?}");
    }
}

#[test]
fn definitions() {
    for (text, code, marked) in [
        ("deftype a { b: a }", Code::EndlessType, "b"),
        ("deftype a { b: int, b: int }", Code::DefinedTwice, "b"),
        ("deftype a { xs: a list }", Code::EndlessType, "xs"),
        (
            "deftype a { x: b } deftype b { y: a }",
            Code::EndlessType,
            "x",
        ),
        ("deftype int { x: bool }", Code::DefinedTwice, "int"),
        (
            "deftype a { x: int } deftype a { y: int }",
            Code::DefinedTwice,
            "a",
        ),
        ("deftype a { x: foo }", Code::UnknownType, "foo"),
        ("deftype a { x: int = true }", Code::WrongType, "true"),
        (
            "deftype a { x: int = roll(d6) }",
            Code::NotConstant,
            "roll(d6)",
        ),
        (
            "deffun max(a: int) { output(a); }",
            Code::DefinedTwice,
            "max",
        ),
        (
            "deffun f(a: int, a: int) { output(a); }",
            Code::DefinedTwice,
            "a",
        ),
        (
            "deffun f() { output(1); } deffun f() { output(2); }",
            Code::DefinedTwice,
            "f",
        ),
        (
            "deffun f() { output(1); } defroll \"F\" f() { f(); }",
            Code::DefinedTwice,
            "f",
        ),
        ("const A = 1; const A = 2;", Code::DefinedTwice, "A"),
        (
            "const A = 1; deffun f(A: int) { output(A); }",
            Code::DefinedTwice,
            "A",
        ),
        (
            "const A = 1; deffun f() { A = 2; }",
            Code::DefinedTwice,
            "A",
        ),
        ("const success = 1;", Code::DefinedTwice, "success"),
        ("const A = B;", Code::NotConstant, "B"),
        ("const A = 1 + true;", Code::WrongType, "1 + true"),
        ("const A = list(1, true);", Code::WrongType, "list(1, true)"),
        (
            "const A = 9223372036854775807 + 1;",
            Code::NumberTooLarge,
            "9223372036854775807 + 1",
        ),
        ("deffun f() { return f(); }", Code::EndlessRecursion, "f"),
        (
            "deffun f(n: int) : int { x = g(n); return x; } deffun g(n: int) : int { return f(n); }",
            Code::EndlessRecursion,
            "f",
        ),
        (
            "deffun f(b: bool) : int { if (b) { return 1; } }",
            Code::MissingReturn,
            "f",
        ),
        ("deffun f() : int { output(1); }", Code::MissingReturn, "f"),
        (
            "deffun f() : int { return; }",
            Code::MissingReturn,
            "return;",
        ),
        ("deffun f() : int { return true; }", Code::WrongType, "true"),
        ("import std.dndd;", Code::UnknownLibrary, "dndd"),
        ("import \"a.dice\";", Code::BadImport, "\"a.dice\""),
        ("import \"a.txt\";", Code::BadImport, "\"a.txt\""),
    ] {
        assert_eq!(found(text), [(code, marked)], "{text}");
    }
}

/// Seed 004 verbatim, with the mistakes that it announces.
#[test]
fn the_seeds_slips_are_found() {
    let text = file("tests/scripts/seed_004.dice");
    let found = found(&text);
    for slip in [
        (Code::UnknownName, "attackbuffs"),
        (Code::UnknownName, "rerollbonus"),
        (Code::UnknownName, "forcererollpen"),
        (Code::EndlessLoop, "recount <0"),
        (Code::UnknownName, "autoconf"),
        (Code::UnknownName, "critReduce"),
        (Code::UnknownName, "couldSneak"),
        (Code::UnknownName, "sneakReduce"),
        (Code::CapitalsOnly, "Tohit"),
        (Code::UnknownName, "dmg"),
    ] {
        assert!(found.contains(&slip), "{slip:?} in {found:?}");
    }
}

/// A hostile script takes little work and no deep stack.
#[test]
fn sizes_are_bounded() {
    let mut chain = String::from("deftype t0 { a: int }\n");
    let mut doubled = chain.clone();
    let mut constants = String::from("const C0 = list(1, 2);\n");
    let mut calls = String::from("deffun f0() { return 1; }\n");
    for i in 1..400 {
        chain += &format!("deftype t{i} {{ a: t{} }}\n", i - 1);
        doubled += &format!("deftype t{i} {{ a: t{}, b: t{} }}\n", i - 1, i - 1);
        constants += &format!("const C{i} = list(C{}, C{});\n", i - 1, i - 1);
        calls += &format!("deffun f{i}() {{ return list(f{}()); }}\n", i - 1);
    }
    for text in [&chain, &doubled, &constants, &calls] {
        assert!(compile(text).is_err());
    }
    let elses = "else if (n == 1) { n = 2; } ".repeat(1000);
    let text = around(&format!("if (b) {{ n = 1; }} {elses}"));
    assert!(
        found(&text)
            .iter()
            .any(|(code, _)| *code == Code::NestedTooDeep)
    );
    let text = around(&format!("x = {}1{};", "list(".repeat(100), ")".repeat(100)));
    assert!(
        found(&text)
            .iter()
            .any(|(code, _)| *code == Code::TooLargeType)
    );
    let text = around(&"x = n;".repeat(9000));
    assert!(compile(&text).is_ok());
}

/// Trees as high as they may be pass through every stage on a small stack.
#[test]
fn high_trees_are_walked() {
    for text in [
        format!("x = n{};", " + 1".repeat(990)),
        format!("x = t{}; output(x);", " + n".repeat(990)),
        format!("x = roll(d6{});", " + n".repeat(990)),
        format!("x = roll(\"d6\"{});", " + \"+1\"".repeat(900)),
        format!("x = {}n;", "- ".repeat(100)),
        format!("x = {}1;", "b ? n : ".repeat(100)),
        format!("{}n++;{}", "if (b) { ".repeat(100), " }".repeat(100)),
        format!(
            "if (n == 0) {{ n = 1; }} {}",
            "else if (n == 1) { n = 2; } ".repeat(250)
        ),
        format!("x = {}n{};", "max(".repeat(100), ")".repeat(100)),
        format!("x = {}n{};", "double(".repeat(100), ")".repeat(100)),
    ] {
        let found = wrong(&text);
        assert!(found.is_empty(), "{}: {found:?}", &text[..40]);
    }
}

/// Many mistakes, large constants and many names: twice as many take about twice the work, counted
/// in allocated bytes.
#[test]
fn the_work_on_hostile_scripts_grows_with_their_length() {
    fn each(count: usize, line: impl Fn(usize) -> String) -> String {
        (0..count).map(line).collect()
    }
    let large = format!("const A = list({});", "1,".repeat(1000));
    let scripts: [&dyn Fn(usize) -> String; 10] = [
        &|n| around(&format!("x = list({});", "2d6kh1 + {d6, d8}kl1,".repeat(n))),
        &|n| around(&format!("x {};", "= {a b)".repeat(n))),
        &|n| around(&each(n, |i| format!("aaaa{i} = bbbb{i};"))),
        &|n| around(&each(2 * n, |i| format!("v{i}=1;"))),
        &|n| around(&each(n, |i| format!("stat(\"s{i}\", {i});"))),
        &|n| around(&each(n, |i| format!("x = f{i}(); y = who.f{i};"))),
        &|n| format!("{large} const B = list({});", "A,".repeat(n)),
        &|n| {
            let reads = "x = len(A);".repeat(n);
            format!("{large} defroll \"R\" r() {{ {reads} }}")
        },
        &|n| {
            each(n, |i| {
                format!("deffun f{i}() {{ return f{}(); }}", (i + 1) % n)
            })
        },
        &|n| format!("deftype t {{ {} }}", each(n, |i| format!("a{i}:int,"))),
    ];
    for script in scripts {
        let work = |n| {
            let text = script(n);
            // Whatever it says.
            allocation_counter::measure(|| drop(compile(&text))).bytes_total
        };
        let (half, whole) = (work(750), work(1500));
        assert!(
            whole < half * 5 / 2,
            "{half}, then {whole} bytes: {:.80}",
            script(10)
        );
    }
}

proptest! {
    /// Cut and joined scripts never end in a panic, and whatever they report is in the text.
    #[test]
    fn broken_scripts_are_refused_quietly(cuts in proptest::collection::vec((0_usize..4000, 0_usize..60), 1..6)) {
        let mut text = EVERYTHING.to_owned();
        for (at, length) in cuts {
            let start = (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
            let end = (start + length).min(text.len());
            if text.is_char_boundary(end) {
                text.replace_range(start..end, "");
            }
        }
        if let Err(found) = compile(&text) {
            prop_assert!(found.has_errors());
            for found in found.iter() {
                prop_assert!(found.span.range().end <= text.len());
                prop_assert!(found.severity == Severity::Note || found.full_help().is_some(), "{found:?}");
            }
        }
    }
}
