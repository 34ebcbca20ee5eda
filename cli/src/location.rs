//! Lines and columns of a text, counted from 1.

/// The line and the column, in characters, of the byte `at`.
pub(crate) fn line_and_column(text: &str, at: usize) -> (u64, u64) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .chars()
        .count()
        + 1;
    (line as u64, column as u64)
}
