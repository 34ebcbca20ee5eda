//! Changes of a text at spans.

use dicec_runtime::span::Span;
use std::ops::Range;

/// A part of a text, and what it becomes.
pub(super) type Edit = (Range<usize>, String);

/// Replaces what has this span.
pub(super) fn replace(span: Span, by: impl Into<String>) -> Edit {
    (span.range(), by.into())
}

/// Puts something where a span begins.
pub(super) fn before(span: Span, text: impl Into<String>) -> Edit {
    let start = span.range().start;
    (start..start, text.into())
}

/// Puts something where a span ends.
pub(super) fn after(span: Span, text: impl Into<String>) -> Edit {
    let end = span.range().end;
    (end..end, text.into())
}

/// The text after the changes; of two that overlap, the first one counts.
pub(super) fn apply(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (range, by) in edits {
        if range.start < done {
            continue;
        }
        out.push_str(&text[done..range.start]);
        out.push_str(&by);
        done = range.end;
    }
    out.push_str(&text[done..]);
    out
}
