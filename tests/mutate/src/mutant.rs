//! One change of a function, and the edit that puts it behind a switch.

use proc_macro2::Span;
use std::collections::HashMap;
use std::ops::Range;

/// Stands in [`Mutant::text`] for the call that asks whether the mutant is on: no source has it.
pub(crate) const SWITCH: char = '\u{1}';

/// A change of one function.
#[derive(Clone, Debug)]
pub(crate) struct Mutant {
    /// The position among all mutants of all files, from 1.
    pub(crate) id: u32,
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) function: String,
    /// For people: `replace < with <=`.
    pub(crate) what: String,
    /// The bytes that [`Mutant::text`] replaces; none are replaced if it is inserted.
    pub(crate) range: Range<usize>,
    pub(crate) text: String,
}

impl Mutant {
    /// A mutant that is told at a span. It has its number and its file when all are known.
    pub(crate) fn new(at: Span, function: String, what: String) -> Self {
        let start = at.start();
        Self {
            id: 0,
            file: String::new(),
            line: start.line,
            column: start.column + 1,
            function,
            what,
            range: at.byte_range(),
            text: String::new(),
        }
    }

    /// The mutant with another text in place of what is at its span.
    pub(crate) fn replacing(mut self, text: String) -> Self {
        self.text = text;
        self
    }

    /// The mutant with a text put where a span begins or ends.
    pub(crate) fn inserting(mut self, at: usize, text: String) -> Self {
        self.range = at..at;
        self.text = text;
        self
    }

    /// Where it is and what it does, as in the lists of mutants.
    pub(crate) fn key(&self) -> String {
        format!(
            "{}\t{}\t{}\t{}\t{}",
            self.file, self.line, self.column, self.function, self.what
        )
    }
}

/// Those of some mutants that go together, the first ones before others. An edit repeats what it
/// replaces: a switch in there would be there twice.
pub(crate) fn apart(mutants: Vec<Mutant>) -> Vec<Mutant> {
    let mut taken: HashMap<String, Vec<Range<usize>>> = HashMap::new();
    let mut kept = Vec::new();
    for mutant in mutants {
        let (start, end) = (mutant.range.start, mutant.range.end);
        let ranges = taken.entry(mutant.file.clone()).or_default();
        if !ranges
            .iter()
            .any(|other| start < other.end && other.start < end)
        {
            ranges.push(start..end);
            kept.push(mutant);
        }
    }
    kept
}

/// A source with mutants that do not meet, all off.
pub(crate) fn edited(source: &str, mutants: &[Mutant]) -> String {
    let mut ordered: Vec<&Mutant> = mutants.iter().collect();
    ordered.sort_by_key(|mutant| (mutant.range.start, mutant.range.end, mutant.id));
    let mut text = String::with_capacity(2 * source.len());
    let mut done = 0;
    for mutant in ordered {
        text += &source[done..mutant.range.start];
        let switch = format!("dicec_runtime::mutants::on({})", mutant.id);
        text += &mutant.text.replace(SWITCH, &switch);
        done = mutant.range.end;
    }
    text += &source[done..];
    text
}
