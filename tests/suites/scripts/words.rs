//! Words that are not reserved: what they mean, and that a script's own names win over them.

use super::syntax::{formatted, in_roll, wrong};
use dicec_lang::syntax::Code;
use dicec_tests::checked::script;

#[test]
fn operators_as_people_type_them() {
    for (text, expected) in [
        ("let x=a and not b or c;", "x = a && !b || c;"),
        ("x = not a==b AND not not c;", "x = !(a == b) && !!c;"),
        ("x = not (a) > b;", "x = !((a) > b);"),
        ("x = not(a) and not !b;", "x = not(a) && !!b;"),
        (
            "x = a and [Level] > 2 or b and {2d6, d8}kl1 > 3;",
            "x = a && [Level] > 2 || b && {2d6, d8}kl1 > 3;",
        ),
        (
            "x = a == \"b\" and [Level]d6 > d20 vs [Class];",
            "x = a == \"b\" && [Level]d6 > d20 vs [Class];",
        ),
        ("for(i:1 .. n+1){}", "for (i : 1..n + 1) {}"),
        (
            "for (i:d4..2d6) { f(i); }",
            "for (i : d4..2d6) {\n        f(i);\n    }",
        ),
        ("for (i:1.5..xs[0]) {}", "for (i : 1.5..xs[0]) {}"),
        ("Repeat(3) { a++; }", "repeat (3) {\n        a++;\n    }"),
        // Names, as ever.
        (
            "repeat = 3; repeat (repeat);",
            "repeat = 3;\n    repeat(repeat);",
        ),
        ("let = not - 1; let.a++;", "let = not - 1;\n    let.a++;"),
        ("x = and[0] && not[1] or or;", "x = and[0] && not[1] || or;"),
        ("not = and and let(3);", "not = and && let(3);"),
    ] {
        assert_eq!(formatted(&in_roll(text)), in_roll(expected));
        assert_eq!(formatted(&in_roll(expected)), in_roll(expected));
    }
}

#[test]
fn let_begins_an_assignment() {
    for text in ["let f(a);", "let a.b = 3;", "let x += 3;"] {
        assert_eq!(wrong(&in_roll(text)), [(Code::Misplaced, "let")], "{text}");
    }
}

/// New words of the language leave older scripts as they are.
#[test]
fn own_names_win() {
    script(
        "deffun not(a: int, b: int) : int { return a - b; } deffun let(a: int) : int { return a; } \
         deffun or() : int { return 1; } \
         defroll \"And\" and(or: int) { let = not(or, 1) - not (or, 2); not = let + let(let); return not; }",
    );
}
