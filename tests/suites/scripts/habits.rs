//! What other languages write is one error, and its help is the statement as it is written here.

use dicec_lang::syntax::Code;
use dicec_tests::checked::{around, compile, found};

/// The only error of statements: its code, the marked text, the help.
fn mistake(statements: &str) -> (Code, String, String) {
    let text = around(statements);
    let errors = compile(&text).expect_err(statements);
    assert_eq!(errors.len(), 1, "{statements}: {errors:#?}");
    let error = errors.iter().next().expect("an error");
    let marked = text[error.span.range()].to_owned();
    (error.code, marked, error.full_help().unwrap_or_default())
}

#[test]
fn loops() {
    for (statements, marked, help) in [
        ("for (q in xs) { n += q; }", "q in", "for (q : xs) { ... }"),
        (
            "for (let q of xs) { n += q; }",
            "let q of",
            "for (q : xs) { ... }",
        ),
        (
            "for (int q : list(1, 2)) { n += q; }",
            "int q :",
            "for (q : list(1, 2)) { ... }",
        ),
        (
            "for (i = 0; i < 5; i++) { n += i; }",
            "i = 0; i < 5; i++",
            "for (i : 0..4) { ... }",
        ),
        (
            "for (int i = 1; i <= len(xs); ++i) { n += i; }",
            "int i = 1; i <= len(xs); ++i",
            "for (i : 1..len(xs)) { ... }",
        ),
        (
            "for (let i = 0; i < len(xs); i += 1) { n += xs[i]; }",
            "let i = 0; i < len(xs); i += 1",
            "for (i : 0..len(xs) - 1) { ... }",
        ),
        (
            "for (i = 5; i > 0; i--) { n += i; }",
            "i = 5; i > 0; i--",
            "i = 5; while (i > 0) { ... }",
        ),
    ] {
        let expected = (Code::Misspelt, marked.to_owned(), format!("write `{help}`"));
        assert_eq!(mistake(statements), expected, "{statements}");
        let ours = help.replace("...", "n += 1; i = 0;");
        assert!(compile(&around(&ours)).is_ok(), "{ours}");
    }
}

#[test]
fn variables() {
    for (statements, marked, help) in [
        ("int x = 5; n = x;", "int", "x = 5;"),
        ("bool ready = n > 3; b = ready;", "bool", "ready = n > 3;"),
        ("var x = xs[0]; n = x;", "var", "x = xs[0];"),
        ("int list ys = [1, 2]; xs = ys;", "int list", "ys = [1, 2];"),
        (
            "c other = c{ hp: 3, xs: [] }; show(other);",
            "c",
            "other = c{ hp: 3, xs: [] };",
        ),
    ] {
        let expected = (Code::Misspelt, marked.to_owned(), format!("write `{help}`"));
        assert_eq!(mistake(statements), expected, "{statements}");
        assert!(compile(&around(&statements.replace(&format!("{marked} "), ""))).is_ok());
    }
}

#[test]
fn types_of_lists() {
    for (ty, help) in [
        ("int[]", "int list"),
        ("[int]", "int list"),
        ("list(int)", "int list"),
        ("List<int>", "int list"),
        ("string[][]", "string list list"),
        ("c list[]", "c list list"),
    ] {
        for define in [
            |ty: &str| format!("deffun f(xs: {ty}) {{ return len(xs); }}"),
            |ty: &str| format!("deffun f(xs: {ty} = []) : int {{ return len(xs); }}"),
            |ty: &str| format!("deftype bag {{ own: {ty}, n: int }}"),
        ] {
            let text = |ty| format!("deftype c {{ hp: int }} {}", define(ty));
            let errors = compile(&text(ty)).expect_err(ty);
            assert_eq!(errors.len(), 1, "{ty}: {errors:#?}");
            let error = errors.iter().next().expect("an error");
            assert_eq!(&text(ty)[error.span.range()], ty);
            let wanted = format!("write `{help}`");
            assert_eq!(error.full_help(), Some(wanted), "{ty}");
            assert!(compile(&text(help)).is_ok(), "{help}");
        }
    }
}

#[test]
fn an_element_without_an_index() {
    let (code, marked, help) = mistake("insert(xs, 4);");
    assert_eq!((code, marked.as_str()), (Code::WrongCount, "insert(xs, 4)"));
    assert!(
        help.ends_with("or `append(list, value)` to put it at the end"),
        "{help}"
    );
}

#[test]
fn methods() {
    for (statements, marked, help) in [
        ("xs.append(4);", "xs.append", "append(xs, 4)"),
        ("xs.push(n + 1);", "xs.push", "append(xs, n + 1)"),
        ("n = xs.size();", "xs.size", "len(xs)"),
        ("n = who.xs.length();", "who.xs.length", "len(who.xs)"),
        ("n = double(n).abs();", "double(n).abs", "abs(double(n))"),
    ] {
        let help = format!("what is worked on is the first argument: `{help}`");
        let expected = (Code::Trailing, marked.to_owned(), help);
        assert_eq!(mistake(statements), expected, "{statements}");
    }
    let (code, marked, help) = mistake("n = xs.length;");
    assert_eq!((code, marked.as_str()), (Code::WrongType, "xs"));
    assert!(help.contains("`len(list)`"), "{help}");
}

#[test]
fn results_of_rolls() {
    let text = "defroll \"A\" a(n: int): int { return n; }";
    assert_eq!(found(text), [(Code::Misplaced, ": int")]);
}

/// What looks like another language's and is ours.
#[test]
fn our_own_forms_stay() {
    for statements in [
        "for (q : xs) { n += q; }",
        "of = 3; n = of;",
        "var = 3; n = var;",
        "let x = 5; n = x;",
        "in = xs; for (of : in) { n += of; }",
    ] {
        assert!(compile(&around(statements)).is_ok(), "{statements}");
    }
}
