//! What other tools write means the same here, or is an error that says what to write.

use dicec_compiler::{Compiler, Program};
use dicec_lang::front::notation::Dialect;
use dicec_lang::front::notation::foreign::{Outcome, TABLE};
use dicec_lang::syntax::{Code, Diagnostic};
use dicec_runtime::pmf::Limits;
use dicec_tests::programs::table;

fn compile(text: &str) -> Result<Program, Vec<Diagnostic>> {
    compile_in(Dialect::Notation, text)
}

fn compile_in(dialect: Dialect, text: &str) -> Result<Program, Vec<Diagnostic>> {
    let compiled = Compiler::new().dialect(dialect).rule(text);
    compiled.map_err(|found| found.errors().cloned().collect())
}

/// The odds of a rule without resources, with small differences rounded away: rerolls that go on
/// and on are cut.
fn odds(program: &Program) -> Option<Vec<(i64, i64)>> {
    let bound = program.bind(&table(&[])).ok()?;
    let odds = bound.distribution(&Limits::default()).expect("odds");
    let rounded = odds
        .probabilities()
        .map(|(value, p)| (value, (p * 1e6).round() as i64));
    Some(rounded.filter(|(_, p)| *p > 0).collect())
}

/// Whether two rules have the same normal form or the same odds.
fn agree(a: &Program, b: &Program) -> bool {
    a.normal_form() == b.normal_form()
        || odds(a).is_some_and(|odds_of_a| Some(odds_of_a) == odds(b))
}

/// The texts in backticks of a message.
fn quoted(message: &str) -> impl Iterator<Item = &str> {
    message.split('`').skip(1).step_by(2)
}

/// Whether the help of an error holds our spelling, or something that makes it of theirs.
fn helps(theirs: &str, error: &Diagnostic, ours: &Program) -> bool {
    let help = error.full_help().unwrap_or_default();
    quoted(&help).any(|instead| {
        let mut mended = theirs.to_owned();
        mended.replace_range(error.span.range(), instead);
        [instead, &mended].iter().any(|text| {
            let compiled = compile(text);
            compiled.is_ok_and(|compiled| agree(&compiled, ours))
        })
    })
}

#[test]
fn every_spelling_of_the_table_has_its_outcome() {
    for row in TABLE {
        let ours = compile(row.ours[0]).unwrap_or_else(|found| panic!("{row:?}: {found:?}"));
        for own in row.ours {
            assert!(agree(&ours, &compile(own).expect("our spelling")), "{own}");
        }
        for spelling in row.theirs.into_iter().flatten() {
            let theirs = compile(spelling.text);
            match (spelling.outcome, theirs) {
                (Outcome::Same, Ok(theirs)) => assert!(agree(&ours, &theirs), "{spelling:?}"),
                (Outcome::Other, Ok(theirs)) => {
                    assert_ne!(ours.normal_form(), theirs.normal_form(), "{spelling:?}");
                }
                (Outcome::Help, Err(found)) => {
                    let [error] = &found[..] else {
                        panic!("{spelling:?} is not one error: {found:?}");
                    };
                    assert!(
                        helps(spelling.text, error, &ours),
                        "{spelling:?}: {error:?}"
                    );
                }
                (_, theirs) => panic!("{spelling:?}: {theirs:?}"),
            }
        }
    }
}

/// The rule book's dialect helps as well: what it lacks, it refuses under the same code.
#[test]
fn the_rule_books_dialect_helps_too() {
    for spelling in TABLE.iter().flat_map(|row| row.theirs).flatten() {
        if spelling.outcome == Outcome::Help {
            let found = compile_in(Dialect::Rulebook, spelling.text);
            let found = found.err().unwrap_or_default();
            let help = found.first().and_then(Diagnostic::full_help);
            let is_told = help.is_some_and(|help| quoted(&help).next().is_some());
            assert!(is_told && found.len() == 1, "{spelling:?}: {found:?}");
        }
    }
}

/// Spellings that the table has in other surroundings.
#[test]
fn spellings_are_found_in_larger_rules() {
    for (rule, help) in [
        ("1d20 + 4d6rr<=2 - 1", "r<=2"),
        ("(1d4)d6x", "!"),
        ("2d6x3", "*3"),
        ("2d20RR1 + [Level]", "r=1"),
        ("[[1d6+1]]d8 + 2", "(1d6+1)"),
        ("1d6 + [highest 2 of 3d8]", "3d8kh2"),
        ("[count 6 in 5d6]", "5d6 count=6"),
        (
            "3d[explode d20] + 1",
            "sum((20 = d20 ? 20 + (20 = d20 ? 20 + d20 : d19) : d19) for i : 1..3)",
        ),
        ("[count {1..2} in 5d6]", "5d6 count<=2"),
        ("(d20) > 10 ? 4d6x6 : 0", "!==6"),
        ("1d6xo + 2", "1d{1..5:6, 7..12}"),
        ("?{Bonus|2} + 1d20", "[Bonus]"),
    ] {
        let found = compile(rule).expect_err(rule);
        assert_eq!(found[0].code, Code::OtherTool, "{rule}: {found:?}");
        assert_eq!(found.len(), 1, "{rule}: {found:?}");
        let given = found[0].full_help().unwrap_or_default();
        assert!(quoted(&given).any(|text| text == help), "{rule}: {given}");
    }
}

/// What looks like a spelling of another tool and is not one.
#[test]
fn other_mistakes_keep_their_errors() {
    for (rule, code) in [
        ("2 x 3", Code::UnknownWord),
        ("2x3", Code::UnknownWord),
        ("[highest] + 1d6 +", Code::ExpectedOperand),
        ("2[Level", Code::Unclosed),
        ("(1, 2)", Code::StrayCharacter),
        ("d6.roll()", Code::Trailing),
        ("4d6kg3", Code::UnknownModifier),
    ] {
        let found = compile(rule).expect_err(rule);
        assert_eq!(found[0].code, code, "{rule}: {found:?}");
    }
    for rule in [
        "[highest score] + 1d6",
        "[count of hits]",
        "[highest 3 of all]",
    ] {
        assert!(compile(rule).is_ok(), "{rule}");
    }
}

/// What comes before a spelling is reported as well, what comes after it is its consequence.
#[test]
fn earlier_errors_stay() {
    let found = compile("(2d6 + 4d6rr1").expect_err("two errors");
    let codes: Vec<Code> = found.iter().map(|found| found.code).collect();
    assert_eq!(codes, [Code::Unclosed, Code::OtherTool]);
}

/// A long rule full of them takes no long time.
#[test]
fn the_search_takes_linear_time() {
    for part in ["1x", "[[", "[a", "(", "d6.", "1 @ ", "// ", "?{"] {
        let rule = part.repeat(60_000 / part.len());
        assert!(compile(&rule).is_err());
    }
}
