//! The rolling language's text: what parses, what is reported and where, and the formatter.

use dicec_lang::front::script::{ExprKind, ItemKind, Parsed, StmtKind, TypeName, format, parse};
use dicec_lang::syntax::{Code, SourceLimits};
use proptest::prelude::*;
use std::fs;
use std::path::Path;

fn parsed(text: &str) -> Parsed {
    parse(text, SourceLimits::default())
}

pub(super) fn formatted(text: &str) -> String {
    format(text, SourceLimits::default()).unwrap_or_else(|found| panic!("{text}: {found}"))
}

/// The codes and the marked text of everything that is wrong.
pub(super) fn wrong(text: &str) -> Vec<(Code, &str)> {
    let found = parsed(text).diagnostics;
    found
        .iter()
        .map(|found| (found.code, &text[found.span.range()]))
        .collect()
}

fn file(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    fs::read_to_string(path).expect("the file is part of the project")
}

/// A statement in a roll.
pub(super) fn in_roll(statement: &str) -> String {
    format!("defroll \"R\" r(a: int, b: int) {{\n    {statement}\n}}\n")
}

#[test]
fn definitions() {
    let script = parsed(
        "import \"a.dice\"; import std.dnd; const N = 3;\n\
         deftype t { a: int, b: t list list = list(), }\n\
         deffun f(x: string) : bool { return true; }",
    )
    .script;
    let [_, _, _, ty, function] = &script.items[..] else {
        panic!("{script:?}");
    };
    let ItemKind::Type(ty) = &ty.kind else {
        panic!("{ty:?}");
    };
    let [a, b] = &ty.fields.kind[..] else {
        panic!("{ty:?}");
    };
    assert_eq!(a.kind.ty.kind, (TypeName::Int, 0));
    assert_eq!(b.kind.ty.kind, (TypeName::Named("t".into()), 2));
    assert!(b.kind.default.is_some());
    let ItemKind::Function(function) = &function.kind else {
        panic!("{function:?}");
    };
    assert_eq!(
        function.result.as_ref().map(|ty| &ty.kind.0),
        Some(&TypeName::Bool)
    );
    assert!(matches!(
        function.body.kind[0].kind,
        StmtKind::Return(Some(_))
    ));
}

#[test]
fn expressions_in_their_layout() {
    for (text, expected) in [
        ("x=1+2*3;", "x = 1 + 2 * 3;"),
        ("x = (a) ;", "x = (a);"),
        ("x= - -a - !b;", "x = - -a - !b;"),
        ("x = a?b:c?1:2;", "x = a ? b : c ? 1 : 2;"),
        ("x = 2D6 +3 - D20;", "x = 2d6 + 3 - d20;"),
        ("x = (1d4)d6 + 4d6KH3;", "x = (1d4)d6 + 4d6kh3;"),
        ("x = [Self  Level]d[Die] % 2;", "x = [Level]d[Die] % 2;"),
        (
            "x = d% + 2d%kh1 + dF + 4dFkh2;",
            "x = d% + 2d%kh1 + dF + 4dFkh2;",
        ),
        ("x = max(1,2)d6;", "x = max(1, 2)d6;"),
        (
            "x = (-[Level] + {2d6,d8}kl1 * 2)d6;",
            "x = (-[Level] + {2d6, d8}kl1 * 2)d6;",
        ),
        ("x = 2d6 kh1 + 1;", "x = 2d6kh1 + 1;"),
        ("x = 2d6!>=5 >= 5;", "x = 2d6!>=5 >= 5;"),
        ("x = 2d6!=5;", "x = 2d6 != 5;"),
        ("x = 3d6!!r<2 <b;", "x = 3d6!!r<2 < b;"),
        ("x = 10d10count>=6;", "x = 10d10 count>=6;"),
        (
            "x = 10d10 cs>=6 fail=1 > 2;",
            "x = 10d10 count>=6 fail=1 > 2;",
        ),
        (
            "x = {2d6,1d12}kh1 + d{1,1,hit};",
            "x = {2d6, 1d12}kh1 + d{1,1,hit};",
        ),
        ("x = d20+a VS 15;", "x = d20 + a vs 15;"),
        ("xs[ 0 ].hp-=[Armour];", "xs[0].hp -= [Armour];"),
        ("x = t{a:1,b : t{ } ,};", "x = t{ a: 1, b: t{} };"),
        ("x ++ ; y –; z––;", "x++;\n    y--;\n    z--;"),
        ("x = a – b ≥ c × 2;", "x = a - b >= c * 2;"),
        ("output (“a’s b”) ;", "output(\"a’s b\");"),
        ("output(”a“ + \"“b”\");", "output(\"a\" + \"“b”\");"),
        ("return;", "return;"),
        ("returns vs 3;", "returns vs 3;"),
        ("roll(r.n+\"d\"+r.s);", "roll(r.n + \"d\" + r.s);"),
        ("x = d(n, 6) + d[0] + d%2;", "x = d(n, 6) + d[0] + d % 2;"),
        ("x = \"\\\"\\\\\\n“\";", "x = \"\\\"\\\\\\n“\";"),
    ] {
        assert_eq!(formatted(&in_roll(text)), in_roll(expected));
        assert_eq!(formatted(&in_roll(expected)), in_roll(expected));
    }
}

#[test]
fn the_layout_of_statements_and_comments() {
    let text = "// the file\n\n\n\ndeftype t{a:int// the a\n,b:bool}// the type\ndeffun f( /* p */ x:int){ // starts\n\
                \n\nif(x>0){a();}else   if(x<0){ /* none */ } // why\nelse{b();}\n\n\n\nwhile(true){break;} c( // inside\n);\n// last\n}\n/* end */";
    let expected = "\
// the file

deftype t {
    // the a
    a: int,
    b: bool,
} // the type
/* p */
deffun f(x: int) { // starts
    if (x > 0) {
        a();
    } else if (x < 0) { /* none */
    } else {
        // why
        b();
    }

    while (true) {
        break;
    }
    // inside
    c();
    // last
}
/* end */
";
    assert_eq!(formatted(text), expected);
    assert_eq!(formatted(expected), expected);
    assert_eq!(formatted(" \n"), "");
}

#[test]
fn each_error_has_its_code_and_place() {
    for (statement, code, marked) in [
        ("If (a == b) { }", Code::Misspelt, "If"),
        ("whlie (a > 0) { a--; }", Code::Misspelt, "whlie"),
        ("retrun a;", Code::Misspelt, "retrun"),
        ("a = b", Code::MissingSeparator, ""),
        ("a = 1\n    b = 2;", Code::MissingSeparator, ""),
        ("if (a = b) { }", Code::AssignmentAsValue, "="),
        ("a = b = 3;", Code::AssignmentAsValue, "="),
        ("if a == b { }", Code::Expected, "a"),
        ("if (a == b) return 1;", Code::Expected, "return"),
        ("for (x list) { }", Code::Expected, "list"),
        ("x = \"text;", Code::EndlessText, "\"text;"),
        ("output(\"text);", Code::EndlessText, "\"text);"),
        ("x = \"a\\q\";", Code::UnknownEscape, "\\q"),
        ("3 = a;", Code::BadTarget, "3"),
        ("f() += a;", Code::BadTarget, "f()"),
        ("const A = 3;", Code::Misplaced, "const"),
        ("else { }", Code::Misplaced, "else"),
        ("x = (a)d6;", Code::VariableInDice, "a"),
        ("x = (b ? 1 : 2)d6;", Code::VariableInDice, "b ? 1 : 2"),
        ("x = max()d6;", Code::WrongArguments, "max()"),
        ("x = 2d(b);", Code::VariableInDice, "b"),
        ("x = 2dx;", Code::VariableInDice, "dx"),
        ("x = 2d6d8;", Code::AmbiguousDice, "2d6d8"),
        ("x = (2)d6d8;", Code::AmbiguousDice, "d6d8"),
        ("x = d6 ~;", Code::StrayCharacter, "~"),
        ("x = 2d6kg1;", Code::UnknownModifier, "kg1"),
        ("x = 2d;", Code::ExpectedOperand, ""),
        ("x = a < b < 3;", Code::ChainedComparison, "<"),
        ("x = d20 vs a vs b;", Code::NestedVersus, "vs"),
        ("x = 'a;", Code::StrayCharacter, "'"),
        ("x = a b;", Code::Trailing, "b"),
        ("x = d6\n    kl;", Code::MissingSeparator, ""),
        ("f(a b);", Code::Trailing, "b"),
        ("x = (a + b;", Code::Unclosed, "("),
        ("x = 3 + ;", Code::ExpectedOperand, ";"),
        (
            "x = 99999999999999999999;",
            Code::NumberTooLarge,
            "99999999999999999999",
        ),
        ("x = [a, b;", Code::Unclosed, "["),
        ("x = [a, b c];", Code::Trailing, "c"),
        ("x = [a, , b];", Code::ExpectedOperand, ","),
        ("x = f(a\n    b = 3;", Code::Unclosed, "("),
        ("x = 3 +* 4;", Code::ExpectedOperand, "*"),
        ("x = = 3;", Code::ExpectedOperand, "="),
        ("x = a ? 1;", Code::Expected, ";"),
        ("for x in xs { }", Code::Expected, "x"),
        ("x = 2(3);", Code::Trailing, "2"),
    ] {
        let text = in_roll(statement);
        assert_eq!(wrong(&text), [(code, marked)], "{statement}");
    }
    let long = "99999999999999999999";
    let found = [(Code::NumberTooLarge, long), (Code::Trailing, long)];
    assert_eq!(wrong(&in_roll(&format!("x = 2d6 {long};"))), found);
}

#[test]
fn errors_in_definitions() {
    for (text, expected) in [
        ("deffype t { a: int }", vec![(Code::Misspelt, "deffype")]),
        (
            "Deftype t { a: Int }",
            vec![(Code::Misspelt, "Deftype"), (Code::Misspelt, "Int")],
        ),
        (
            "deftype t { a: int b: int }",
            vec![(Code::MissingSeparator, "")],
        ),
        (
            "deftype t { a }",
            vec![(Code::Expected, "}"), (Code::Expected, "}")],
        ),
        ("x = 3; deftype t { }", vec![(Code::Misplaced, "x")]),
        ("}", vec![(Code::Unopened, "}")]),
        ("defroll r() { }", vec![(Code::Expected, "r")]),
        (
            "deffun f() { if (a) { \n deffun g() { }",
            vec![(Code::Unclosed, "{")],
        ),
        ("import 3;", vec![(Code::Expected, "3")]),
        ("/* a", vec![(Code::EndlessText, "/*")]),
        ("deffun d6(a: int) { }", vec![(Code::Expected, "d6")]),
    ] {
        let found = wrong(text);
        if text == "deftype t { a }" {
            assert!(
                found.iter().all(|(code, _)| *code == Code::Expected),
                "{found:?}"
            );
        } else {
            assert_eq!(found, expected, "{text}");
        }
    }
}

/// The errors in the text of seed 004: every mistake that a parser can find.
#[test]
fn the_seeds_program_as_it_stands() {
    let text = file("tests/scripts/seed_004.dice");
    let found = wrong(&text);
    let of = |code: Code| -> Vec<&str> {
        let same = found.iter().filter(|(other, _)| *other == code);
        same.map(|(_, marked)| *marked).collect()
    };
    let misspelt = of(Code::Misspelt);
    assert_eq!(misspelt[..2], ["deffype", "Deffun"]);
    assert_eq!(
        misspelt.iter().filter(|word| **word == "If").count(),
        12,
        "{misspelt:?}"
    );
    assert_eq!(misspelt.iter().filter(|word| **word == "Return").count(), 2);
    assert_eq!(misspelt.len(), 18, "{misspelt:?}");
    // The comma after `critreduce: int`, and the semicolons of `modifier`, `crit` and `total`.
    assert_eq!(of(Code::MissingSeparator).len(), 4);
    assert_eq!(of(Code::Trailing), ["mod"]);
    assert_eq!(of(Code::Unclosed), ["{"]);
    assert_eq!(found.len(), 24, "{found:?}");
}

#[test]
fn the_seeds_program_mended() {
    let text = file("examples/attack.dice");
    assert_eq!(wrong(&text), []);
    assert_eq!(formatted(&text), text);
}

#[test]
fn the_program_of_the_documentation() {
    let page = file("docs/script.md");
    let program = page.split("```\n").nth(1).expect("a program");
    assert_eq!(formatted(program), program);
}

#[test]
fn limits_are_errors() {
    let deep = |depth: usize| {
        let (open, close) = ("(".repeat(depth), ")".repeat(depth));
        in_roll(&format!("x = {open}1{close};"))
    };
    assert!(wrong(&deep(120)).is_empty());
    assert_eq!(wrong(&deep(128))[0].0, Code::NestedTooDeep);
    let long = |terms: usize| in_roll(&format!("x = 1{};", " + 1".repeat(terms)));
    assert_eq!(formatted(&long(900)), long(900));
    let fields = in_roll(&format!("x = a{};", ".b".repeat(900)));
    assert_eq!(formatted(&fields), fields);
    assert_eq!(wrong(&long(1_000))[0].0, Code::ChainTooLong);
    assert_eq!(wrong(&long(1_000)).len(), 1);
    let bytes = SourceLimits {
        bytes: 10,
        ..SourceLimits::default()
    };
    let found = parse(&in_roll("f();"), bytes).diagnostics;
    assert_eq!(
        found.iter().next().map(|found| found.code),
        Some(Code::SourceTooLong)
    );
}

/// The deepest scripts that the limits allow, on the stack of a thread.
#[test]
fn deep_scripts_need_little_stack() {
    let limits = SourceLimits::default().with_nesting(SourceLimits::NESTING_CEILING);
    for (open, middle, close) in [
        ("(", "1", ")"),
        ("f(", "1", ")"),
        ("a[", "1", "]"),
        ("t{ a: ", "1", " }"),
        ("- ", "1", ""),
        ("1 ? 2 : ", "3", ""),
    ] {
        let value = format!("{}{middle}{}", open.repeat(250), close.repeat(250));
        let text = in_roll(&format!("x = {value};"));
        format(&text, limits).unwrap_or_else(|found| panic!("{open}: {found}"));
    }
    let blocks = format!("{}{}", "if (a) { ".repeat(250), "}".repeat(250));
    assert!(format(&in_roll(&blocks), limits).is_ok());
}

/// Unclosed brackets, and many mistakes, take little work.
#[test]
fn broken_scripts_end_soon() {
    for part in [
        "{", "={", "(", "x = {(", "(1)d{", "2d(", "if (a) {", "2d6", "\"", "[", "/*", "}", "d6!",
        "={a b)", "2d6kh(", "d{", "d6 [", "2d6,", "d6 d",
    ] {
        let text = in_roll(&part.repeat(20_000 / part.len()));
        parsed(&text);
    }
}

#[test]
fn holes_are_the_seeds_template() {
    let script = parsed(&in_roll("roll(r.n + \"d\" + r.s);")).script;
    let ItemKind::Roll(roll) = &script.items[0].kind else {
        panic!("{script:?}");
    };
    let StmtKind::Expr(call) = &roll.body.kind[0].kind else {
        panic!("{roll:?}");
    };
    assert!(matches!(&call.kind, ExprKind::Call(name, _) if name.kind == "roll"));
}

/// Pieces of scripts, so that random ones are often right.
const PIECES: &[&str] = &[
    "deftype t { a: int, b: t list = list() }",
    "deffun f(x: int) : bool {",
    "defroll \"R\" r() {",
    "}",
    "{",
    "}\n",
    "\n",
    "\n\n",
    "if (a) {",
    "} else if (b) {",
    "} else {",
    "while (x > 0) {",
    "for (x : xs) {",
    "x = 2d6 + 3;",
    "x++;",
    "t.a -= d20;",
    "output(\"a\" + x);",
    "return x;",
    "break;",
    "// note\n",
    "/* note */",
    "/* two\nlines */",
    "x = a ? b : (1d4)d6kh1;",
    "x = {2d6, 1d12}kh1;",
    "x = t{ a: 1 };",
    "(",
    ")",
    "+",
    "-",
    "–",
    "!",
    "=",
    "==",
    "x",
    "2d6",
    "d20",
    "\"s\"",
    ";",
    ",",
    ":",
    "[A]",
    "vs",
    " and ",
    " or ",
    " not ",
    "let ",
    "const N = 1;",
    "import \"a\";",
    "import std.a;",
    "If",
    "deffype",
    "“q”",
    "\t",
    "'",
    "#",
    "é",
    "\u{feff}",
    "\r\n",
];

fn pieces() -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(PIECES), 0..40)
        .prop_map(|pieces| pieces.concat())
}

/// Correct scripts, with comments and spaces anywhere.
fn right() -> impl Strategy<Value = String> {
    let whole = file("examples/attack.dice");
    let words: Vec<String> = whole
        .split_inclusive(char::is_whitespace)
        .map(str::to_owned)
        .collect();
    let count = words.len();
    let insert = proptest::sample::select(vec![
        "\n",
        "\n\n\n",
        " /* c */ ",
        " // c\n",
        "\n/* a\nb */\n",
        "\n// d\n\n",
    ]);
    proptest::collection::vec((0..count, insert), 0..12).prop_map(move |inserts| {
        let mut words = words.clone();
        for (at, text) in inserts {
            words[at].push_str(text);
        }
        words.concat()
    })
}

/// Checks the promises of the formatter, if the text is correct.
fn check_format(text: &str) -> bool {
    let Ok(once) = format(text, SourceLimits::default()) else {
        return false;
    };
    let (before, after) = (parsed(text), parsed(&once));
    assert!(
        after.diagnostics.is_empty(),
        "{text}\n{once}\n{}",
        after.diagnostics
    );
    assert_eq!(before.script, after.script, "{text}\n{once}");
    let comments = |parsed: &Parsed, text: &str| -> Vec<String> {
        let spans = parsed.comments.iter();
        spans.map(|span| text[span.range()].to_owned()).collect()
    };
    assert_eq!(comments(&before, text), comments(&after, &once));
    assert_eq!(formatted(&once), once, "{text}");
    true
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn formatting_right_scripts(text in right()) {
        // Comments of the example end at the line's end, so what is inserted into one may break it.
        check_format(&text);
    }

    #[test]
    fn formatting_pieces(text in pieces()) {
        check_format(&text);
        check_format(&format!("deffun f() {{ {text} }}"));
    }

    #[test]
    fn any_text_ends(text in "\\PC{0,200}") {
        check_format(&text);
        check_format(&in_roll(&text));
    }
}
