//! What messages suggest: every suggestion runs, and has the odds of what the user wrote.
//!
//! Each case is a text, and what it means, as a rule in other words. Of the texts in backticks in
//! its help, at least one has to mean the same, alone or in place of the part that the message
//! marks; the case lists all others. `written` finds the messages in the source, so that a new one
//! without a case fails.

mod cases;
mod written;

use cases::{CASES, Case};
use dicec_compiler::{Compiler, Program};
use dicec_lang::front::notation::Dialect;
use dicec_lang::front::notation::foreign::{Outcome, TABLE};
use dicec_lang::syntax::{Advice, Diagnostic};
use dicec_runtime::pmf::Limits;
use dicec_tests::programs::table;
use std::collections::BTreeMap;

fn compile(dialect: Dialect, text: &str) -> Result<Program, Vec<Diagnostic>> {
    let compiled = Compiler::new().dialect(dialect).rule(text);
    compiled.map_err(|found| found.iter().cloned().collect())
}

/// What is found in a text, whether it compiles or not.
fn found(dialect: Dialect, text: &str) -> Vec<Diagnostic> {
    match compile(dialect, text) {
        Ok(program) => program.notes().iter().cloned().collect(),
        Err(found) => found,
    }
}

/// The odds of a rule, as far as dice that go on and on allow.
fn odds(program: &Program) -> Option<BTreeMap<String, i64>> {
    let resources = [
        ("A", 3),
        ("Attack", 4),
        ("Bonus", 2),
        ("Level", 3),
        ("Might", 2),
        ("Strength", 2),
        ("Target Defense", 15),
    ];
    let bound = program.bind(&table(&resources)).ok()?;
    let odds = bound.distribution(&Limits::default()).ok()?;
    let rounded = odds.probabilities().map(|(value, p)| {
        let value = match program.kind() {
            Some(dicec_lang::hir::Kind::Check) => (value != 0).to_string(),
            _ => value.to_string(),
        };
        (value, (p * 1e6).round() as i64)
    });
    Some(rounded.filter(|(_, p)| *p > 0).collect())
}

/// Whether two texts compile and have the same odds.
fn mean_the_same(dialect: Dialect, text: &str, meaning: &Program) -> bool {
    let Ok(program) = compile(dialect, text) else {
        return false;
    };
    let odds_of_meaning = odds(meaning);
    assert!(odds_of_meaning.is_some(), "no odds of {}", meaning.text());
    odds(&program) == odds_of_meaning
}

/// The texts in backticks of a message.
fn quoted(message: &str) -> impl Iterator<Item = &str> {
    message.split('`').skip(1).step_by(2)
}

/// Whether a suggestion for a text, alone or in place of the marked part, means this.
fn suggests(case: &Case, found: &Diagnostic, suggestion: &str, meaning: &Program) -> bool {
    let mut mended = case.text.to_owned();
    mended.replace_range(found.span.range(), suggestion);
    let mut texts = [suggestion, &mended].into_iter();
    texts.any(|text| mean_the_same(case.dialect, text, meaning))
}

#[test]
fn every_suggestion_runs_and_means_what_was_written() {
    let wrong: Vec<String> = CASES
        .iter()
        .filter_map(|case| Some(format!("{case:?}: {}", judge(case).err()?)))
        .collect();
    assert!(
        wrong.is_empty(),
        "{} cases:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// What is wrong with the suggestions for a text.
fn judge(case: &Case) -> Result<(), String> {
    let meaning = match case.meaning {
        "" => None,
        meaning => match compile(case.dialect, meaning) {
            Ok(meaning) => Some(meaning),
            Err(found) => return Err(format!("its meaning is wrong: {found:?}")),
        },
    };
    let all = found(case.dialect, case.text);
    let helps: Vec<&Option<String>> = all.iter().map(|found| &found.help).collect();
    let (mut same, mut others) = (false, Vec::new());
    for found in &all {
        if found.full_help().is_none() {
            return Err(format!("no help: {found:?}"));
        }
        for suggestion in quoted(found.help.as_deref().unwrap_or_default()) {
            match &meaning {
                Some(meaning) if suggests(case, found, suggestion, meaning) => same = true,
                _ => others.push(suggestion),
            }
        }
        // The notation dialect has to read the very text.
        let notation = found.advice.contains(&Advice::UseNotation);
        if notation && compile(Dialect::Notation, case.text).is_err() {
            return Err("it is wrong in the notation dialect, too".to_owned());
        }
    }
    if all.is_empty() || others != case.others || same != meaning.is_some() {
        return Err(format!("{helps:?} leave {others:?}"));
    }
    for other in others {
        // Names of modifiers, signs and brackets are not rules.
        let is_part = cases::PARTS.contains(&other);
        let runs = compile(case.dialect, other).is_ok_and(|rule| odds(&rule).is_some());
        if is_part == runs {
            return Err(format!("`{other}` is a part: {is_part}, and runs: {runs}"));
        }
    }
    Ok(())
}

/// A spelling of another tool with another meaning here has a note, which says how to write the
/// other one.
#[test]
fn what_means_something_else_is_noted() {
    for row in TABLE {
        for spelling in row.theirs.into_iter().flatten() {
            // Decimals are not overlooked.
            if spelling.outcome != Outcome::Other || spelling.text == "1d6/2" {
                continue;
            }
            let case = Case {
                dialect: Dialect::Notation,
                text: spelling.text,
                meaning: row.ours[0],
                others: &[],
            };
            let meaning = compile(case.dialect, case.meaning).expect("ours");
            let notes = found(case.dialect, case.text);
            let help = notes.iter().any(|note| {
                let help = note.help.as_deref().unwrap_or_default();
                quoted(help).any(|suggestion| suggests(&case, note, suggestion, &meaning))
            });
            // Marks change no odds, and several comparisons get one note.
            let is_shown = help || case.text.contains("cs") && !notes.is_empty();
            assert!(
                is_shown || case.text.contains('f'),
                "{spelling:?}: {notes:#?}"
            );
            assert!(!notes.is_empty(), "{spelling:?}");
        }
    }
}

/// Every message in the source of the notation is in a case.
#[test]
fn every_message_has_a_case() {
    let mut said = Vec::new();
    let spellings = TABLE.iter().flat_map(|row| row.theirs).flatten();
    let spellings = spellings.map(|spelling| (Dialect::Notation, spelling.text));
    let cases = CASES.iter().map(|case| (case.dialect, case.text));
    for (dialect, text) in cases.chain(spellings) {
        for found in found(dialect, text) {
            let help = found.help.unwrap_or_default();
            let labels: Vec<String> = found.labels.into_iter().map(|label| label.text).collect();
            let message = found.message;
            said.push(format!("{text}\n{message}\n{}\n{help}", labels.join("\n")));
        }
    }
    let missing: Vec<String> = written::messages()
        .into_iter()
        .filter(|message| !said.iter().any(|said| message.is_in(said)))
        .map(|message| message.to_string())
        .collect();
    assert!(missing.is_empty(), "without a case: {missing:#?}");
}
