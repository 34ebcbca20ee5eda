//! Shortens texts that do not fit.

/// A text on one line of at most `width` characters, an ellipsis in the middle if it is longer.
pub fn shorten(text: &str, width: usize) -> String {
    let one_line = |character: char| {
        if character.is_control() {
            ' '
        } else {
            character
        }
    };
    let length = text.chars().count();
    if length <= width {
        return text.chars().map(one_line).collect();
    }
    let tail = (width / 3).max(1);
    let head = width.saturating_sub(tail + 1).max(1);
    let start = text.chars().take(head).map(one_line);
    let end = text.chars().skip(length - tail).map(one_line);
    start.chain(['…']).chain(end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_lose_their_middle() {
        assert_eq!(shorten("1d6 + 1", 7), "1d6 + 1");
        assert_eq!(shorten("1d6\n+ 12345678", 9), "1d6 +…678");
        assert_eq!(shorten("abc", 1).chars().count(), 3);
    }
}
