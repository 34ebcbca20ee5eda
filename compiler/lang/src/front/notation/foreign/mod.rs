//! Spellings of other tools. docs/language.md has the [table](TABLE). A rule that does not compile
//! is searched for them, so that its error gives the spelling of this notation.
//!
//! A spelling is recognised in the text, not in the tree: most do not parse. `words` has those of
//! modifiers, `signs` those with brackets, signs and methods, `anydice` calls in brackets,
//! `repeated` several results of one roll, `english` rolls in the words of rule books, `phrases`
//! whole rules in words.
//!
//! A suggestion has the odds of the text in its own tool; `tests/suites/notation/hints` runs each.

mod anydice;
mod english;
mod faces;
mod phrases;
mod repeated;
mod signs;
mod table;
mod words;

use crate::syntax::{Code, Diagnostic, Diagnostics};
use anydice::Brackets;
use dicec_runtime::span::Span;
use std::ops::Range;

pub use table::{Outcome, Row, Spelling, TABLE, TOOLS};

/// A spelling of other tools.
struct Found {
    at: Range<usize>,
    tools: &'static str,
    help: String,
}

impl Found {
    /// A spelling whose equivalent here is `instead`.
    fn new(at: Range<usize>, tools: &'static str, instead: &str) -> Self {
        Self {
            at,
            tools,
            help: format!("write `{instead}`"),
        }
    }

    /// A spelling without an equivalent.
    fn without(at: Range<usize>, tools: &'static str) -> Self {
        let help = "it has no equivalent here; dice that are kept are written as in `4d6kh3`";
        Self {
            at,
            tools,
            help: help.to_owned(),
        }
    }

    /// With more help.
    fn or(mut self, more: &str) -> Self {
        self.help.push_str(more);
        self
    }

    fn diagnostic(self, text: &str, start: usize) -> Diagnostic {
        let written = &text[self.at.clone()];
        let message = format!("`{written}` is a spelling of {}", self.tools);
        let at = start + self.at.start..start + self.at.end;
        // The caller bounds texts below 4 GiB.
        let span = Span::new(at.start as u32, at.end as u32);
        Diagnostic::error(Code::OtherTool, span, message).help(self.help)
    }
}

/// What a rule means in other tools although it compiles here: calls of AnyDice in brackets, which
/// would be resources, and several results of one roll.
pub fn misread(text: &str, part: Span) -> Option<Diagnostic> {
    let rule = text.get(part.range())?;
    let call = each_bracket(rule).find_map(|found| match found {
        Brackets::Call(call) => Some(call),
        Brackets::Name(_) => None,
    });
    if let Some(call) = call.or_else(|| signs::compared(rule)) {
        return Some(call.diagnostic(rule, part.start as usize));
    }
    Some(repeated::commented(text)?.diagnostic(text, 0))
}

/// Notes on resources whose names begin like a call of AnyDice.
pub fn call_names(text: &str, part: Span) -> Diagnostics {
    let rule = text.get(part.range()).unwrap_or_default();
    let mut notes = Diagnostics::new();
    for found in each_bracket(rule) {
        if let Brackets::Name(at) = found {
            let span = Span::new(at.start as u32, at.end as u32).shifted(part.start);
            let message = "this is the name of a resource, not a function of AnyDice";
            let help = "to keep or count dice, write them, as in `4d6kh3` or `5d6 count>=5`";
            notes.push(Diagnostic::note(Code::OtherDialect, span, message).help(help));
        }
    }
    notes
}

fn each_bracket(rule: &str) -> impl Iterator<Item = Brackets> {
    let brackets = rule.match_indices('[');
    brackets.filter_map(|(at, _)| anydice::brackets(rule, at))
}

/// The errors in a part of a text. If it has a spelling of another tool, that is the error, and the
/// later ones are its consequences.
pub fn explained(text: &str, part: Span, mut found: Diagnostics) -> Diagnostics {
    let Some(rule) = text.get(part.range()).filter(|_| found.has_errors()) else {
        return found;
    };
    let spellings = [
        repeated::multiplied(rule),
        signs::find(rule),
        words::find(rule),
        english::find(rule),
        phrases::find(rule),
    ];
    let first = spellings
        .into_iter()
        .flatten()
        .min_by_key(|found| found.at.start);
    if let Some(first) = first {
        let diagnostic = first.diagnostic(rule, part.start as usize);
        found.retain(|other| other.span.end <= diagnostic.span.start);
        found.push(diagnostic);
    }
    found
}

/// A spelling is searched for in this number of bytes, so that the search takes linear time.
const WINDOW: usize = 200;

/// The text from an offset on.
fn after(rule: &str, at: usize) -> &str {
    let far = rule.len().min(at + WINDOW);
    let end = (at..=far).rev().find(|end| rule.is_char_boundary(*end));
    &rule[at..end.unwrap_or(at)]
}

/// The beginning of the dice that end at an offset: the text back to an operator, a comma, a space
/// or the parenthesis around them. `None` if these are not dice.
fn dice_before(rule: &str, end: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut start = end;
    for (at, c) in rule[..end].char_indices().rev().take(WINDOW) {
        match c {
            ')' | '}' => depth += 1,
            '(' | '{' if depth == 0 => break,
            '(' | '{' => depth -= 1,
            ' ' | '+' | '-' | '*' | '/' | ',' if depth == 0 => break,
            _ => {}
        }
        start = at;
    }
    let dice = rule[start..end].to_ascii_lowercase();
    let mut letters = dice.match_indices('d');
    let is_dice = letters.any(|(at, _)| {
        let die = &dice[at + 1..];
        die.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '%' | '(' | '{' | '[' | 'f'))
    });
    is_dice.then_some(start)
}
