//! Each operator on a small source, what is left alone, and how mutants are chosen.

use crate::find;
use crate::mutant::{Mutant, apart, edited};
use crate::{chosen, wanted};

/// The mutants of a source, with numbers.
fn mutants(source: &str) -> Vec<Mutant> {
    let mut found = find::mutants(source).expect("it is Rust");
    for (id, mutant) in (1..).zip(&mut found) {
        mutant.id = id;
    }
    found
}

/// What the mutants of a source do.
fn told(source: &str) -> Vec<String> {
    mutants(source)
        .into_iter()
        .map(|mutant| mutant.what)
        .collect()
}

/// The source with the one mutant that does this, which has to be Rust.
fn with(source: &str, what: &str) -> String {
    let mut found = mutants(source);
    found.retain(|mutant| mutant.what == what);
    let [mutant] = &mut found[..] else {
        panic!("{what} is not there once: {:?}", told(source));
    };
    mutant.id = 7;
    let text = edited(source, &found);
    syn::parse_file(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    text.replace("dicec_runtime::mutants::on(7)", "ON")
}

/// Holds a mutant of an expression to the text in its place.
#[track_caller]
fn replaced(expression: &str, what: &str, expected: &str) {
    let whole = |inner: &str| format!("fn f(a: A, b: A, c: A) -> A {{ g({inner}); a }}");
    assert_eq!(with(&whole(expression), what), whole(expected));
}

#[test]
fn comparisons() {
    replaced(
        "a == b",
        "replace == with !=",
        "(if ON { (a) != (b) } else { (a) == (b) })",
    );
    replaced(
        "a != b",
        "replace != with ==",
        "(if ON { (a) == (b) } else { (a) != (b) })",
    );
    for (written, others) in [
        ("<", ["<=", ">="]),
        ("<=", ["<", ">"]),
        (">", [">=", "<="]),
        (">=", [">", "<"]),
    ] {
        for other in others {
            let expected =
                format!("(if ON {{ (a) {other} (b.c()) }} else {{ (a) {written} (b.c()) }})");
            replaced(
                &format!("a {written} b.c()"),
                &format!("replace {written} with {other}"),
                &expected,
            );
        }
    }
}

#[test]
fn arithmetic_keeps_its_operands() {
    let expected = "(if ON { (a * b) * (c) } else { (a * b) + (c) })";
    replaced("a * b + c", "replace + with *", expected);
    replaced(
        "a - b",
        "replace - with +",
        "(if ON { (a) + (b) } else { (a) - (b) })",
    );
    replaced(
        "a / b",
        "replace / with *",
        "(if ON { (a) * (b) } else { (a) / (b) })",
    );
    replaced(
        "a % b",
        "replace % with /",
        "(if ON { (a) / (b) } else { (a) % (b) })",
    );
    replaced(
        "a & b",
        "replace & with |",
        "(if ON { (a) | (b) } else { (a) & (b) })",
    );
    replaced(
        "a << b",
        "replace << with >>",
        "(if ON { (a) >> (b) } else { (a) << (b) })",
    );
    replaced(
        "a += b",
        "replace += with -=",
        "(if ON { (a) -= (b) } else { (a) += (b) })",
    );
    replaced(
        "a |= b",
        "replace |= with &=",
        "(if ON { (a) &= (b) } else { (a) |= (b) })",
    );
}

#[test]
fn conditions() {
    replaced(
        "a && b",
        "replace && with ||",
        "(if ON { (a) || (b) } else { (a) && (b) })",
    );
    replaced(
        "a || b",
        "replace || with &&",
        "(if ON { (a) && (b) } else { (a) || (b) })",
    );
    replaced("!a", "delete !", "(if ON { (a) } else { !(a) })");
    replaced("-a", "delete -", "(if ON { (a) } else { -(a) })");
}

#[test]
fn let_chains_stay_whole() {
    let source = "fn f(a: Option<u8>) { if let Some(a) = a && a > 3 { g(); } }";
    assert_eq!(
        told(source),
        [
            "return () at once",
            "replace > with >=",
            "replace > with <="
        ]
    );
    assert!(with(source, "replace > with >=").contains("= a && (if ON { (a) >= (3) }"));
}

#[test]
fn results_of_functions() {
    let values = |output: &str| {
        let told = told(&format!("fn f() -> {output} {{ g() }}"));
        let values: Vec<String> = told
            .iter()
            .map(|what| {
                what.trim_start_matches("return ")
                    .trim_end_matches(" at once")
                    .to_owned()
            })
            .collect();
        values.join(", ")
    };
    assert_eq!(values("bool"), "true, false");
    assert_eq!(values("u64"), "0, 1");
    assert_eq!(values("f64"), "0.0, 1.0");
    assert_eq!(values("()"), "()");
    assert_eq!(values("Option<Vec<u8>>"), "None, Some(Default::default())");
    assert_eq!(values("Option<&'a Thing>"), "None");
    assert_eq!(values("std::io::Result<()>"), "Ok(())");
    assert_eq!(values("Result<bool, Wrong>"), "Ok(true), Ok(false)");
    assert_eq!(values("fmt::Result"), "");
    assert_eq!(values("impl Iterator<Item = u8>"), "");
    assert_eq!(values("Thing"), "");
}

#[test]
fn bodies_begin_with_the_switch() {
    let source = "impl A { fn is(&self) -> bool { self.b } fn no(&self) -> bool { false } }";
    let expected = "impl A { fn is(&self) -> bool { if ON { return false; } self.b } fn no(&self) -> bool { false } }";
    assert_eq!(with(source, "return false at once"), expected);
    // Not twice: a function that says `false` is not changed by it.
    assert_eq!(mutants(source).len(), 3);
    assert_eq!(mutants(source)[0].function, "A::is");
}

#[test]
fn arms_before_a_wildcard_and_guards() {
    let source = "fn f(a: A) -> A { match a { A(1 | 2) => x, A(n) if n.b() => y, _ => a } }";
    let deleted = with(source, "delete match arm A(1 | 2)");
    assert!(deleted.contains("{ A(1 | 2) if !ON => x,"), "{deleted}");
    let always = with(source, "replace match guard with true");
    assert!(always.contains("A(n) if ON || (n.b()) => y"), "{always}");
    let never = with(source, "replace match guard with false");
    assert!(never.contains("A(n) if !ON && (n.b()) => y"), "{never}");
    assert_eq!(mutants(source).len(), 3);
    assert!(told("fn f(a: A) -> A { match a { B => x, C => y } }").is_empty());
    assert!(told("fn f(a: A) -> A { match a { B if let D = e => x, C => y } }").is_empty());
}

#[test]
fn what_is_not_run_stays() {
    for source in [
        "const A: u8 = 1 + 2; static B: bool = !true; enum C { D = 1 << 3 }",
        "impl A { const B: u8 = 1 + 2; } trait C { const D: u8 = 1 + 2; fn e(&self) -> bool; }",
        "const fn f(a: u8) -> u8 { a + 1 }",
        "unsafe fn f(a: u8) -> u8 { a + 1 }",
        "fn main() { f(1 + 2) }",
        "fn f(a: [u8; 1 + 2]) -> A { g::<{ 1 + 2 }>([0; 1 + 2], const { 1 + 2 }) }",
        "fn f(a: A) -> A { assert!(a > 3); debug_assert_eq!(a + 1, 4); matches!(a, 1 if a > 3); a }",
        "fn f(a: A) -> A { match a { -1 => x, 1..=-2 => y } }",
        "#[cfg(test)] mod tests { fn f() -> bool { 1 > 2 } }",
        "#[test] fn f() { g(1 + 2); }",
        "impl fmt::Display for A { fn fmt(&self, f: &mut Formatter) -> fmt::Result { g(1 + 2) } }",
    ] {
        assert_eq!(told(source), [""; 0], "{source}");
        assert_eq!(edited(source, &mutants(source)), source);
    }
}

#[test]
fn mutants_in_one_text_do_not_meet() {
    let source =
        "fn f(a: A) -> bool { match a { B(b) if b > 1 => !c(a + 1 < 2), _ => d(|x| x && y) } }";
    let found = mutants(source);
    let together = apart(found.clone());
    assert!(together.len() < found.len());
    let text = edited(source, &together);
    syn::parse_file(&text).expect("it is Rust");
    for mutant in &together {
        assert_eq!(
            text.matches(&format!("::on({})", mutant.id)).count(),
            1,
            "{text}"
        );
    }
    assert_eq!(edited(source, &[]), source);
}

#[test]
fn the_same_seed_chooses_the_same() {
    let source = format!("fn f() {{ {} }}", "g(a == b); ".repeat(999));
    let keys = |one_in, seed| -> Vec<String> {
        let chosen = chosen(mutants(&source), one_in, seed);
        chosen.iter().map(Mutant::key).collect()
    };
    assert_eq!(keys(10, 1), keys(10, 1));
    assert_ne!(keys(10, 1), keys(10, 2));
    assert_eq!(keys(1, 1).len(), 1000);
    // A hundred, give or take five standard deviations.
    assert!(
        (52..148).contains(&keys(10, 1).len()),
        "{}",
        keys(10, 1).len()
    );
}

#[test]
fn only_the_compiler_is_changed() {
    let words = |text: &str| wanted(text.split(' ').map(str::to_owned));
    assert!(words("tree out --one-in 3 --seed 2 compiler/native/src/pass").is_ok());
    assert!(words("tree out runtime/src").is_err());
    assert!(words("tree out").is_err());
    assert!(words("tree out compiler/src --seed").is_err());
}

#[test]
fn the_switch_is_rust() {
    syn::parse_file(&crate::switch::module(12)).expect("it is Rust");
}
