//! Properties of scripts: of any text, any program and any sequence of choices.

use crate::generate::script::{LIMITS, ROLL_LIMITS, ScriptCase};
use arbitrary::{Result, Unstructured};
use dicec_compiler::unstable::{Answered, Asked};
use dicec_compiler::{Bound, Choice, Compiler, Failure, Played, Program, ScriptSession};
use dicec_lang::front::script::{format, parse};
use dicec_lang::syntax::{Diagnostics, SourceLimits};
use dicec_runtime::resource::ResourceTable;
use dicec_runtime::span::Span;
use std::collections::{BTreeMap, BTreeSet};

/// The compiler of generated scripts.
pub fn compiler() -> Compiler {
    Compiler::new()
        .roll_limits(ROLL_LIMITS)
        .script_limits(LIMITS)
}

/// A case's script, unless the checker refuses it.
pub fn compile(case: &ScriptCase) -> Option<Program> {
    compiler().script(&case.text).ok()
}

/// A case's roll with its arguments and its players' decisions.
///
/// # Panics
/// If the generated arguments do not fit.
pub fn bind(script: &Program, case: &ScriptCase) -> Bound {
    let roll = script.roll("main").expect("every case has this roll");
    let args = roll.arguments(&case.args);
    let args = args.unwrap_or_else(|errors| panic!("{errors:?}\n{}", case.text));
    let mut bound = roll
        .bind(args, &ResourceTable::new())
        .expect("no case reads resources");
    // The generator decides about options that the script may not have.
    for (option, policy) in &case.policies {
        // A number may not be offered.
        let offers = script.offers(option);
        if offers.is_some_and(|offers| offers.takes(*policy)) {
            bound = bound.clone().with_policy(option, *policy).unwrap_or(bound);
        }
    }
    bound
}

/// Any text is a script or has errors with spans inside it; the normal layout of a script is that
/// of the same script.
///
/// # Panics
/// If that fails.
pub fn read_any(text: &str) {
    let parsed = parse(text, SourceLimits::default());
    expect_inside(text, &parsed.diagnostics);
    match Compiler::new().script(text) {
        Ok(script) => expect_inside(text, script.notes()),
        Err(found) => expect_inside(text, &found),
    }
    if parsed.diagnostics.has_errors() {
        return;
    }
    let formatted = format(text, SourceLimits::default()).expect("it has no errors");
    let again = parse(&formatted, SourceLimits::default());
    assert_eq!(again.script, parsed.script, "{text}\n{formatted}");
    let twice = format(&formatted, SourceLimits::default());
    assert_eq!(twice.as_ref(), Ok(&formatted), "{text}");
}

fn expect_inside(text: &str, found: &Diagnostics) {
    for found in found.iter() {
        let spans = found.labels.iter().map(|label| label.span);
        for span in spans.chain([found.span]) {
            assert!(text.get(span.range()).is_some(), "{found:?} in {text:?}");
        }
    }
}

/// The text with a few pieces removed, duplicated or moved.
///
/// # Errors
/// Never for lack of bytes.
pub fn damaged(text: &str, bytes: &mut Unstructured<'_>) -> Result<String> {
    let mut pieces: Vec<&str> = text.split_inclusive([' ', '(', ';', '{']).collect();
    for _ in 0..bytes.int_in_range(1..=4)? {
        if pieces.is_empty() {
            break;
        }
        let from = bytes.choose_index(pieces.len())?;
        let to = bytes.choose_index(pieces.len())?;
        match bytes.int_in_range(0..=3)? {
            0 => {
                pieces.remove(from);
            }
            1 => pieces.insert(to, pieces[from]),
            2 => pieces.swap(from, to),
            _ => pieces[from] = *bytes.choose(&["=", "\"", "{", "}", "If", "d6", "-", "list"])?,
        }
    }
    Ok(pieces.concat())
}

/// Executes a roll for a player under many choices: no two rolls share a path; a path that occurs
/// again with the same dice shows the same faces; and a set of choices always gives the same
/// execution.
///
/// # Panics
/// If that fails.
pub fn check_sessions(bound: &Bound, seed: u64, toggles: &mut Unstructured<'_>) {
    let mut session = ScriptSession::new(seed);
    let mut faces: BTreeMap<(String, Span, Vec<u32>), Vec<u32>> = BTreeMap::new();
    let mut outcomes: BTreeMap<BTreeMap<String, String>, Outcome> = BTreeMap::new();
    let mut taken: BTreeMap<String, String> = BTreeMap::new();
    for _ in 0..8 {
        let outcome = Outcome::of(bound.play(&mut session));
        if let Outcome::Played(played) = &outcome {
            note_faces(bound, played, &mut faces);
        }
        let first = outcomes
            .entry(taken.clone())
            .or_insert_with(|| outcome.clone());
        assert_eq!(*first, outcome, "{taken:?}\n{}", bound.program().text());
        let Outcome::Played(played) = outcome else {
            return;
        };
        let Ok(place) = toggles.choose_index(played.options.len()) else {
            return;
        };
        let Asked { path, answer, .. } = &played.options[place];
        let choice = match answer {
            Answered::Taken(taken) => Choice::Taken(!taken),
            Answered::Number { bounds, chosen } if *chosen < bounds[1] => {
                Choice::Number(chosen + 1)
            }
            Answered::Number { bounds, .. } => Choice::Number(bounds[0]),
            Answered::OneOf { answers, chosen } => {
                Choice::Answer(answers[(chosen + 1) % answers.len()].clone())
            }
        };
        match &choice {
            // As before any choice.
            Choice::Taken(false) => taken.remove(path),
            choice => taken.insert(path.clone(), format!("{choice:?}")),
        };
        session.choose(path, choice);
    }
}

/// An execution, whether its rolls were remembered or not.
#[derive(Clone, Debug, PartialEq)]
enum Outcome {
    Played(Played),
    Failed(Failure),
}

impl Outcome {
    fn of(played: std::result::Result<Played, Failure>) -> Self {
        match played {
            Ok(mut played) => {
                for thrown in &mut played.rolls {
                    thrown.new = 0;
                }
                Outcome::Played(played)
            }
            Err(failure) => Outcome::Failed(failure),
        }
    }
}

fn note_faces(
    bound: &Bound,
    played: &Played,
    known: &mut BTreeMap<(String, Span, Vec<u32>), Vec<u32>>,
) {
    let mut paths = BTreeSet::new();
    for thrown in &played.rolls {
        let text = bound.program().text();
        assert!(paths.insert(&thrown.path), "{} twice\n{text}", thrown.path);
        let (sides, faces): (Vec<u32>, Vec<u32>) = thrown.dice.iter().copied().unzip();
        let key = (thrown.path.to_string(), thrown.span, sides);
        let first = known.entry(key).or_insert_with(|| faces.clone());
        assert_eq!(*first, faces, "at {}\n{text}", thrown.path);
    }
}
