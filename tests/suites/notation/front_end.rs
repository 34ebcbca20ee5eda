//! The front end: what parses, what is reported, and the limits.

use dicec_compiler::Compiler;
use dicec_lang::front::notation::{Dialect, parse, print};
use dicec_lang::hir::Kind;
use dicec_lang::syntax::{Code, Diagnostics, SourceLimits};
use dicec_runtime::limits::RollLimits;
use dicec_runtime::span::Span;

fn found(text: &str) -> Diagnostics {
    Compiler::new().rule(text).expect_err("an error")
}

fn normal(text: &str) -> String {
    let parsed = parse(text, Dialect::Rulebook, SourceLimits::default());
    assert!(
        parsed.diagnostics.is_empty(),
        "{text}: {}",
        parsed.diagnostics
    );
    print(&parsed.ast, Dialect::Rulebook)
}

#[test]
fn normal_forms() {
    for (text, expected) in [
        (" 2D6+ 3 ", "2d6 + 3"),
        (
            "((1d8)+[ Self   Strength ])*2-[Target  Defense]",
            "(1d8 + [Strength]) * 2 - [Target Defense]",
        ),
        ("1-(2-3)-4", "1 - (2 - 3) - 4"),
        ("(1-2)-3", "1 - 2 - 3"),
        ("2*(3/4)", "2 * (3 / 4)"),
        ("-(1+2)*3", "-(1 + 2) * 3"),
        ("--3", "--3"),
        ("-1d6", "-1d6"),
        ("(-1)d6", "(-1)d6"),
        ("(2d6)d8", "(2d6)d8"),
        ("2d(6)", "2d6"),
        ("d(d6)", "d(d6)"),
        ("[Level]d[Die]", "[Level]d[Die]"),
        ("[Level}] + [}]", "[Level}] + [}]"),
        ("1d20>=15", "1d20 >= 15"),
        ("3 × 4 ÷ 2 − 1 ≥ 2", "3 * 4 / 2 - 1 >= 2"),
        ("1\n+\t2", "1 + 2"),
    ] {
        assert_eq!(normal(text), expected);
        assert_eq!(normal(expected), expected);
    }
}

#[test]
fn forms_in_full() {
    for (text, expected) in [
        ("d20", "1d20"),
        ("d%+2D%", "1d100 + 2d100"),
        ("dF", "1dF"),
        ("d{hit,miss}", "1d{hit,miss}"),
        ("d(d6)", "1d(1d6)"),
        ("(d4)d6kh", "(1d4)d6kh"),
        ("4d6dl1", "4d6dl1"),
        ("d20+[A] vs d%", "1d20 + [A] vs 1d100"),
        ("{d6,d8}kh1", "{1d6, 1d8}kh1"),
    ] {
        let full = |text: &str| {
            let program = Compiler::new().rule(text);
            program.expect("a rule").normal_form_in_full()
        };
        assert_eq!(full(text), expected);
        assert_eq!(full(expected), expected);
    }
}

#[test]
fn the_note_on_a_lookalike_says_what_to_write() {
    let long = format!("10d10>={}1", "1+".repeat(40));
    for (text, what) in [
        ("10d10>=8", "show >= 8 write `10d10count>=8`"),
        ("10d10=[A]", "show [A] write `10d10count=[A]`"),
        ("10d10<[A]+1", "show < [A] + 1 write `10d10count<([A] + 1)`"),
        ("10d10!=8", "that shows 8 write `10d10!==8`"),
        (&long, "show >= the number write `count>=` instead of `>=`"),
    ] {
        let program = Compiler::new().rule(text).expect("a rule");
        let note = program.notes().iter().next().expect("a note");
        let help = note.help.as_deref().unwrap_or_default();
        assert!(help.contains(what), "{text}: {help}");
        // What it says is a rule, and not a check of a total.
        if let Some(instead) = what.split('`').nth(1).filter(|text| text.contains("10d10")) {
            let instead = Compiler::new().rule(instead).expect("a rule");
            assert_eq!(instead.kind(), Some(Kind::Number));
        }
    }
}

#[test]
fn each_error_has_its_code_and_place() {
    for (text, code, start, end) in [
        ("", Code::Empty, 0, 0),
        ("  \n", Code::Empty, 0, 0),
        ("2d6 $ 3", Code::StrayCharacter, 4, 5),
        ("2d6 + 99999999999999999999", Code::NumberTooLarge, 6, 26),
        ("(2d6 + 3", Code::Unclosed, 0, 1),
        ("1 + [Strength", Code::Unclosed, 4, 5),
        ("2d6) + 3", Code::Unopened, 3, 4),
        ("Strength] + 3", Code::Unopened, 8, 9),
        ("2d6 + ", Code::ExpectedOperand, 5, 5),
        ("2d", Code::ExpectedOperand, 2, 2),
        ("* 3", Code::ExpectedOperand, 0, 1),
        ("1d6 2", Code::Trailing, 4, 5),
        ("1d6 [A]", Code::Trailing, 4, 7),
        ("3(4)", Code::Trailing, 1, 2),
        ("[ ]", Code::EmptyName, 0, 3),
        ("1 < 2 < 3", Code::ChainedComparison, 6, 7),
        ("2d6d8", Code::AmbiguousDice, 0, 5),
        ("2d6 + Strength", Code::UnknownWord, 6, 14),
        ("2 x 3", Code::UnknownWord, 2, 3),
        ("1d0", Code::NoSides, 2, 3),
        ("1d(1 < 2) + 3", Code::CheckAsNumber, 2, 9),
        ("{1d20, (1 < 2)}", Code::CheckAsNumber, 7, 14),
        ("1d9999999999", Code::TooManySides, 2, 12),
        ("10001d6", Code::TooManyDice, 0, 5),
        ("999999999999d6", Code::TooManyDice, 0, 12),
    ] {
        let found = found(text);
        let error = found.errors().find(|error| error.code == code);
        let error = error.unwrap_or_else(|| panic!("{text}: {found}"));
        assert_eq!(error.span, Span::new(start, end), "{text}: {found}");
    }
}

#[test]
fn several_errors_come_in_one_run() {
    let found = found("2d6d8 + @ [ ] - (3 * ");
    let codes: Vec<Code> = found.errors().map(|error| error.code).collect();
    assert_eq!(
        codes,
        [
            Code::AmbiguousDice,
            Code::StrayCharacter,
            Code::EmptyName,
            Code::Unclosed,
            Code::ExpectedOperand
        ]
    );
}

#[test]
fn a_lookalike_gets_a_note_and_compiles() {
    let program = Compiler::new().rule("10d10>=8").expect("a check");
    let notes: Vec<Code> = program.notes().iter().map(|note| note.code).collect();
    assert_eq!(notes, [Code::OtherDialect]);
    for text in ["10d10 >= 60", "1d20>=8", "10d10+1>=60"] {
        let program = Compiler::new().rule(text).expect("a check");
        assert!(program.notes().is_empty(), "{text}");
    }
}

/// One mistake gives one message; its consequences are not reported.
#[test]
fn consequences_are_not_reported() {
    for text in [
        "1d20 versus 15",
        "(1d20 versus 15) + 2",
        "1 < 2 < 3 < 4",
        "(1 + 2",
        "[Strength",
        "10d",
        "3 $ ",
    ] {
        let found = found(text);
        assert_eq!(found.len(), 1, "{text}: {found}");
    }
}

/// The deepest and longest programs that the limits allow go through every stage on a 2 MiB stack,
/// and one step more is refused.
#[test]
fn limits_hold_and_are_enough() {
    let deepest = SourceLimits::default().with_nesting(SourceLimits::NESTING_CEILING);
    let nested = |n: usize| format!("{}1d6{}", "(1+".repeat(n), ")".repeat(n));
    let chain = |n: usize| format!("1d6{}", "+1d6".repeat(n));
    let compiler = Compiler::new().source_limits(deepest);
    let most = SourceLimits::NESTING_CEILING as usize;
    let class = format!("{} vs 1d20{}", chain(498), "+1".repeat(498));
    for text in [nested(most), chain(998), "-".repeat(most) + "1d6", class] {
        let program = compiler
            .rule(&text)
            .unwrap_or_else(|found| panic!("{found}"));
        let bound = program.bind(&Default::default()).expect("no resources");
        bound
            .roll(&mut dicec_compiler::Session::seeded(1))
            .expect("no trap");
        bound
            .distribution(&Default::default())
            .expect("within the budget");
        bound
            .simulate(&dicec_compiler::Simulation::trials(10))
            .expect("no trap");
        program.normal_form();
    }
    let code = |text: &str| {
        let found = compiler.rule(text).expect_err("an error");
        found.errors().next().map(|error| error.code)
    };
    assert_eq!(code(&nested(most + 1)), Some(Code::NestedTooDeep));
    assert_eq!(code(&chain(1_000)), Some(Code::ChainTooLong));
    assert_eq!(code(&"(".repeat(10_000)), Some(Code::NestedTooDeep));
    assert_eq!(code(&"-".repeat(10_000)), Some(Code::NestedTooDeep));
    assert_eq!(code(&"1+".repeat(500_000)), Some(Code::SourceTooLong));
    assert_eq!(code(&")".repeat(10_000)), Some(Code::Unopened));
}

/// A text twice as long takes about twice the work, counted in allocated bytes.
#[test]
fn the_work_on_a_text_grows_with_its_length() {
    let texts: [&dyn Fn(usize) -> String; 7] = [
        &|n| "1d6+".repeat(n) + "1",
        &|n| "(".repeat(n),
        &|n| "-".repeat(n) + "1",
        &|n| format!("[{}]", "x".repeat(n)),
        &|n| "9".repeat(n),
        &|n| "x".repeat(n),
        &|n| "$ ".repeat(n),
    ];
    let long = SourceLimits {
        bytes: 1 << 20,
        ..SourceLimits::default()
    };
    let compiler = Compiler::new().source_limits(long);
    for text in texts {
        let work = |n| {
            let text = text(n);
            // Whatever it says.
            allocation_counter::measure(|| drop(compiler.rule(&text))).bytes_total
        };
        let (half, whole) = (work(50_000), work(100_000));
        assert!(
            whole < half * 5 / 2,
            "{half}, then {whole} bytes: {}",
            text(4)
        );
    }
}

#[test]
fn more_dice_can_be_allowed() {
    let limits = RollLimits {
        dice: 20_000,
        ..RollLimits::default()
    };
    assert!(Compiler::new().roll_limits(limits).rule("20000d6").is_ok());
    assert!(Compiler::new().roll_limits(limits).rule("20001d6").is_err());
}
