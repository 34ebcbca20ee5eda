//! The rolling language's types: what correct scripts become, and what is wrong with the others.

use dicec_compiler::front::script::{Loaded, libraries};
use dicec_compiler::hir::script::{ExprKind, Script, StmtKind, Type, each_expr, each_stmt};
use dicec_compiler::hir::{self, Kind};
use dicec_compiler::syntax::{Code, Diagnostics, Severity};
use dicec_compiler::{Compiler, ScriptErrors};
use proptest::prelude::*;
use std::fs;
use std::path::Path;

fn compile(text: &str) -> Result<(Script, Diagnostics), Diagnostics> {
    let script = Compiler::new().script(text)?;
    Ok((script.hir().clone(), script.notes().clone()))
}

fn script(text: &str) -> Script {
    match compile(text) {
        Ok((script, _)) => script,
        Err(found) => panic!("{text}\n{found:#?}"),
    }
}

/// The codes and the marked texts of everything that is wrong or worth a note.
fn found(text: &str) -> Vec<(Code, &str)> {
    let found = match compile(text) {
        Ok((_, notes)) => notes,
        Err(found) => found,
    };
    found
        .iter()
        .map(|found| (found.code, &text[found.span.range()]))
        .collect()
}

/// The script with a roll of these statements, and with a type and functions that they may use.
fn around(statements: &str) -> String {
    format!(
        "deftype c {{ hp: int, name: string = \"nobody\", xs: int list }}\n\
         deffun double(x: int) {{ return 2 * x; }}\n\
         deffun show(x: c) {{ output(x.name); }}\n\
         deffun rolls() {{ return roll(2d6); }}\n\
         deffun gone() {{ return; }}\n\
         defroll \"R\" r(n: int, b: bool, t: string, who: c, xs: int list) {{ {statements} }}\n"
    )
}

/// What is wrong with statements.
fn wrong(statements: &str) -> Vec<(Code, String)> {
    let text = around(statements);
    let found = found(&text).into_iter();
    found
        .map(|(code, marked)| (code, marked.to_owned()))
        .collect()
}

fn file(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    fs::read_to_string(path).expect("the file is part of the project")
}

/// All kinds of expression and statement, each of them right.
const EVERYTHING: &str = r#"
    const DC = 15;
    const NAMES = list("a", "b");
    const DICE = "2d6";
    const START = pos{ y: 2 };
    deftype pos { x: int = 3, y: int }
    deftype c { name: string = "nobody", hp: int, at: pos, hits: int list }
    deffun fact(n: int) { if (n > 1) { return n * fact(n - 1); } return 1; }
    deffun even(n: int) { if (n == 0) { return true; } return odd(n - 1); }
    deffun odd(n: int) { if (n == 0) { return false; } return even(n - 1); }
    deffun show(x: c) { output(x.name + " at " + x.at.x + "," + x.at.y); }
    defroll "All" all(n: int, flag: bool, who: c, xs: int list, t: string) {
        a = roll(2d6 + 3) + roll(d20) - d(n, 6) + 2d6 + {2d6, 1d12}kh1;
        b = roll(DICE) + roll("2d6+" + n) + roll(n + "d" + n) + roll(DICE + "+1");
        deg = roll(d20) + n vs DC;
        deg2 = roll(d20 + n vs DC + roll(1d4));
        if (deg >= success && deg2 != criticalFailure || flag) { output(deg); }
        else if (deg == failure) { output("x" + deg + flag + n); }
        else { output(a); }
        word = roll(d{hit,miss});
        word2 = roll("d{hit,miss}");
        if (word == "hit" && word2 != word) { stat("hits", flag); }
        ys = list();
        while (len(ys) < 3) {
            for (y : ys) { b += y + 1; }
            append(ys, roll(d6));
            if (b > 100) { break; }
            if (b > 50) { continue; }
            b++;
        }
        who.hp -= max(1, min(b, abs(-a)), 3) % 5;
        who.hits = ys;
        ys[0] = 3;
        ys[1]++;
        p = START;
        q = c{ name: "x", at: p, hits: list() };
        q.name += "!" + n;
        show(q);
        t2 = "a";
        t2 += n;
        output(t2);
        startGroup();
        endGroup();
        m = flag ? list() : list(1);
        stat("z", len(m) + [Strength] + roll([Level]d[Die]));
        if (userOption("Again?") || userOption(who, "Force?") || userOption("GM", "x")) { return fact(3); }
        if (!even(4)) { return -a; }
        for (k : NAMES) { output(k); }
        return n == 1 ? 0 : d(1, n);
    }
"#;

#[test]
fn everything_has_its_type() {
    let script = script(EVERYTHING);
    assert!(script.field_names.is_empty());
    for function in &script.functions {
        assert_ne!(function.result, Type::Unknown);
        for local in &function.locals {
            assert!(!is_open(&local.ty), "{local:?}");
        }
        each_expr(&function.body, &mut |expr| {
            assert!(!is_open(&expr.ty), "{expr:?}")
        });
    }
    let results = script
        .functions
        .iter()
        .map(|function| function.result.clone());
    let results: Vec<Type> = results.collect();
    assert_eq!(
        results,
        [Type::Int, Type::Bool, Type::Bool, Type::Unit, Type::Int]
    );
    let rolls: Vec<bool> = script
        .functions
        .iter()
        .map(|function| function.rolls)
        .collect();
    assert_eq!(rolls, [false, false, false, false, true]);
    assert_eq!(script.options, ["Again?", "Force?", "x"]);
    assert_eq!(script.stats, ["hits", "z"]);
    assert_eq!(script.resources.len(), 3);
}

fn is_open(ty: &Type) -> bool {
    match ty {
        Type::Unknown => true,
        Type::List(element) => is_open(element),
        _ => false,
    }
}

/// The rolls of statements: their kinds, and the places of their holes.
fn rolls(statements: &str) -> Vec<(Kind, Vec<String>)> {
    let text = around(statements);
    let script = script(&text);
    let mut rolls = Vec::new();
    let roll = script.functions.last().expect("the roll");
    each_expr(&roll.body, &mut |expr| {
        if let ExprKind::Roll(roll) = &expr.kind {
            let holes = roll.holes.iter();
            let holes = holes.map(|hole| text[hole.span.range()].to_owned());
            rolls.push((roll.rule.kind, holes.collect()));
        }
    });
    rolls
}

#[test]
fn dice_become_rolls() {
    let degree = Kind::Degree(dicec_runtime::degree::Ladder::Pathfinder);
    for (statement, expected) in [
        // One roll, however many dice it holds; constants are part of the rule.
        (
            "return roll(2d6 + d8 * 3 - max(d4, 2));",
            vec![(Kind::Number, vec![])],
        ),
        // A pool outside is a roll of its own.
        (
            "return 2d6 + d8;",
            vec![(Kind::Number, vec![]), (Kind::Number, vec![])],
        ),
        // The largest parts without dice are holes.
        (
            "return roll(d20 + (n + 1) * 2 - [Strength]);",
            vec![(Kind::Number, vec!["(n + 1) * 2", "[Strength]"])],
        ),
        (
            "return roll(roll(d6) + d(n, d(2, 4)));",
            vec![(Kind::Number, vec!["n"])],
        ),
        (
            "return roll(d20) + n vs 10 + len(xs);",
            vec![(degree, vec!["n", "10 + len(xs)"])],
        ),
        (
            "return roll(who.hp + \"d\" + n + \"+1\");",
            vec![(Kind::Number, vec!["who.hp", "n"])],
        ),
        ("output(roll(d{hit,miss}));", vec![(Kind::Label, vec![])]),
        (
            "return roll([Level]d6 + [Level]);",
            vec![(Kind::Number, vec!["[Level]"])],
        ),
    ] {
        let expected: Vec<(Kind, Vec<String>)> = expected
            .into_iter()
            .map(|(kind, holes): (_, Vec<&str>)| {
                (kind, holes.into_iter().map(String::from).collect())
            })
            .collect();
        assert_eq!(rolls(statement), expected, "{statement}");
    }
}

#[test]
fn totals_keep_their_sign() {
    let script = script("defroll \"R\" r() { return roll(1d4 - 5); }");
    each_expr(&script.functions[0].body, &mut |expr| {
        if let ExprKind::Roll(roll) = &expr.kind {
            assert!(matches!(roll.rule.body.kind, hir::ExprKind::Arith(..)));
        }
    });
}

/// A trap names its place in the script, also where dice are put together from texts.
#[test]
fn dice_in_texts_have_places() {
    let text = "defroll \"R\" r(n: int) { return roll(\"2d6 + \" + n + \"d8\"); }";
    let script = script(text);
    let mut places = Vec::new();
    each_expr(&script.functions[0].body, &mut |expr| {
        if let ExprKind::Roll(roll) = &expr.kind
            && let hir::ExprKind::Arith(_, left, right) = &roll.rule.body.kind
        {
            places = vec![&text[left.span.range()], &text[right.span.range()]];
        }
    });
    assert_eq!(places, ["2d6", "n + \"d8"]);
}

#[test]
fn texts_are_joined_and_compared_as_what_they_are() {
    let script = script(&around(
        "x = t + n + b; y = t == \"a\"; z = b != true; w = n == 1; x += 1; output(n); stat(\"s\", y || z || w);",
    ));
    let body = &script.functions.last().expect("the roll").body;
    let mut kinds = Vec::new();
    each_stmt(body, &mut |stmt| match &stmt.kind {
        StmtKind::Assign(_, value) | StmtKind::Output(value) | StmtKind::Stat(_, value) => {
            kinds.push(match &value.kind {
                ExprKind::Join(parts) => format!("join {}", parts.len()),
                ExprKind::Same(wanted, ..) => format!("same {wanted}"),
                ExprKind::Compare(..) => "compare".to_owned(),
                ExprKind::Choose(_) => "choose".to_owned(),
                other => format!("{other:?}"),
            });
        }
        _ => {}
    });
    let expected = [
        "join 3",
        "same true",
        "same false",
        "compare",
        "join 2",
        "join 1",
        "choose",
    ];
    assert_eq!(kinds, expected);
}

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
        ("x = who == who;", "who == who"),
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
        ("return t;", "r"),
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
        ("x = list();", Code::UntoldType, "list()"),
        ("x = len(list());", Code::UntoldType, "list()"),
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
        ("x = userOption(t);", Code::NotConstant, "t"),
        ("stat(t, 1);", Code::NotConstant, "t"),
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

#[test]
fn a_function_and_a_type_may_share_a_name() {
    script(
        "deftype a { x: int } deffun a(y: a) { return y.x; } defroll \"R\" r(y: a) { return a(y); }",
    );
}

#[test]
fn recursion_tells_its_type() {
    let script = script(
        "deffun f(n: int) { if (n > 0) { return g(n - 1); } return \"end\"; }\n\
         deffun g(n: int) { return f(n - 1); }",
    );
    assert!(
        script
            .functions
            .iter()
            .all(|function| function.result == Type::Text)
    );
}

/// One text for each file, which nobody reads from a disk.
fn with_files(files: &[(&str, &str)]) -> Result<Script, ScriptErrors> {
    let mut load = |_: &str, path: &str| {
        let mut files = files.iter();
        let found = files.find(|(name, _)| *name == path);
        let (name, text) = found.ok_or_else(|| "it does not exist".to_owned())?;
        Ok(Loaded {
            name: (*name).to_owned(),
            text: (*text).to_owned(),
        })
    };
    let (name, text) = files[0];
    let script = Compiler::new().script_file(name, text, &mut load)?;
    Ok(script.hir().clone())
}

#[test]
fn files_are_compiled_together() {
    let script = with_files(&[
        (
            "a.dice",
            "import \"b.dice\"; import \"c.dice\"; const A = B + 1; defroll \"R\" r() { return f() + A; }",
        ),
        (
            "b.dice",
            "import \"c.dice\"; const B = C + 1; deffun f() { return roll(d6) + B; }",
        ),
        ("c.dice", "const C = 1;"),
    ]);
    let script = script.unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(script.functions.len(), 2);
}

#[test]
fn a_finding_is_in_its_file() {
    let errors = with_files(&[
        ("a.dice", "import \"b.dice\";\ndeffun f() { return 1; }"),
        (
            "b.dice",
            "// here\ndeffun f() {\n    return x;\n}\ndeffun g( {",
        ),
    ]);
    let errors = errors.expect_err("both are wrong");
    let places: Vec<(Code, String, usize)> = errors
        .found
        .iter()
        .map(|found| {
            let (place, local) = errors.sources.localise(found);
            (local.code, place.name.to_owned(), place.line())
        })
        .collect();
    assert_eq!(places[0], (Code::DefinedTwice, "a.dice".into(), 2));
    assert!(
        places.contains(&(Code::UnknownName, "b.dice".into(), 3)),
        "{places:?}"
    );
    assert!(
        places
            .iter()
            .all(|(_, name, line)| name == "b.dice" || *line == 2),
        "{places:?}"
    );
}

#[test]
fn files_that_import_each_other_are_refused() {
    let errors = with_files(&[
        ("a.dice", "import \"b.dice\";"),
        ("b.dice", "import \"a.dice\";"),
    ]);
    let errors = errors.expect_err("a cycle");
    let codes: Vec<Code> = errors.found.iter().map(|found| found.code).collect();
    assert_eq!(codes, [Code::ImportCycle]);
}

#[test]
fn there_is_a_bound_on_files() {
    let names: Vec<String> = (0..80).map(|i| format!("f{i}.dice")).collect();
    let texts: Vec<String> = (1..81).map(|i| format!("import \"f{i}.dice\";")).collect();
    let files: Vec<(&str, &str)> = names
        .iter()
        .zip(&texts)
        .map(|(n, t)| (&**n, &**t))
        .collect();
    let errors = with_files(&files).expect_err("too many");
    assert!(
        errors
            .found
            .iter()
            .any(|found| found.code == Code::BadImport)
    );
}

#[test]
fn every_library_compiles_without_a_note() {
    for name in libraries() {
        let (script, notes) = compile(&format!("import std.{name};")).expect("it compiles");
        assert!(notes.is_empty(), "{name}: {notes:?}");
        assert!(!script.functions.is_empty());
    }
}

#[test]
fn the_examples_compile_without_a_note() {
    for name in ["attack", "duel", "party", "ability_scores"] {
        let text = file(&format!("examples/{name}.dice"));
        let (_, notes) = compile(&text).unwrap_or_else(|found| panic!("{name}: {found:#?}"));
        assert!(notes.is_empty(), "{name}: {notes:#?}");
    }
}

/// Seed 004 verbatim, with the slips that it says it has.
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

/// A hostile script takes no long time and no deep stack.
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
                prop_assert!(found.severity == Severity::Note || found.help.is_some(), "{found:?}");
            }
        }
    }
}
