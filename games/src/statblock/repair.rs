//! Text as pages and PDFs give it, repaired: ligatures, soft hyphens, typographic signs, marks of
//! Markdown, broken lines.

use std::ops::Range;

/// A line of the text, repaired, and its bytes in the text as it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) at: Range<usize>,
}

/// The lines of a text; empty ones are kept, because they end paragraphs.
pub(super) fn lines(text: &str) -> Vec<Line> {
    let mut start = 0;
    let lines = text.split('\n').map(|line| {
        let at = start..start + line.trim_end().len();
        start += line.len() + 1;
        Line {
            text: repaired(line),
            at,
        }
    });
    lines.collect()
}

/// A line or a paragraph with plain signs, and without marks of Markdown.
pub(super) fn repaired(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    for sign in line.chars() {
        match sign {
            '\u{fb00}' => plain.push_str("ff"),
            '\u{fb01}' => plain.push_str("fi"),
            '\u{fb02}' => plain.push_str("fl"),
            '\u{fb03}' => plain.push_str("ffi"),
            '\u{fb04}' => plain.push_str("ffl"),
            // Soft hyphens, marks of byte order and of no width.
            '\u{ad}' | '\u{feff}' | '\u{200b}'..='\u{200d}' | '\u{2060}' => {}
            '\u{2018}' | '\u{2019}' | '\u{2032}' | '`' => plain.push('\''),
            '\u{201c}' | '\u{201d}' | '\u{2033}' => plain.push('"'),
            '\u{2010}'..='\u{2013}' | '\u{2212}' => plain.push('-'),
            '\u{2014}' | '\u{2015}' => plain.push_str(" - "),
            '\u{d7}' => plain.push('x'),
            '*' | '_' | '|' | '\u{2022}' => plain.push(' '),
            sign if sign.is_whitespace() || sign.is_control() => plain.push(' '),
            sign => plain.push(sign),
        }
    }
    let plain = plain.trim().trim_start_matches(['>', '#', ' ']);
    let mut words = plain.split_whitespace();
    let mut out = words.next().unwrap_or_default().to_owned();
    for word in words {
        out.push(' ');
        out.push_str(word);
    }
    out
}

/// Continues a paragraph with the next line: a word that a hyphen breaks is put together.
pub(super) fn join(paragraph: &mut String, line: &str) {
    if paragraph.is_empty() || paragraph.ends_with('\n') || line.is_empty() {
        paragraph.push_str(line);
        return;
    }
    let goes_on = line.starts_with(char::is_lowercase);
    let stem = paragraph.strip_suffix('-').filter(|_| goes_on);
    match stem.map(|stem| stem.len()) {
        None => paragraph.push(' '),
        // A hyphen of `20-foot-radius` and `melee-only` is not one of the line.
        Some(length) => {
            let last = paragraph[..length].rsplit(' ').next().unwrap_or_default();
            if !last.contains('-') && last.chars().all(char::is_alphabetic) {
                paragraph.truncate(length);
            }
        }
    }
    paragraph.push_str(line);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_pages_become_plain() {
        assert_eq!(
            repaired("***Bite.***  The \u{fb01}re\u{2019}s \u{2212}1"),
            "Bite. The fire's -1"
        );
        assert_eq!(repaired("> ## Ac\u{ad}tions"), "Actions");
    }

    #[test]
    fn broken_words_are_put_together() {
        let mut text = "takes necro-".to_owned();
        join(&mut text, "tic damage in a 20-foot-");
        join(&mut text, "radius sphere");
        assert_eq!(text, "takes necrotic damage in a 20-foot-radius sphere");
    }
}
