//! The part of a source that a finding shows. A rule may be one line of 64 KiB: what surrounds the marked places is kept, and
//! an ellipsis stands for the rest. So it is
//! with messages that quote such a rule.

use std::iter;
use std::ops::Range;

/// Some whole lines of a source, each cut to a width, and where the marked places went.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Excerpt {
    /// The lines.
    pub(crate) text: String,
    /// The number of the first of them, from 1.
    pub(crate) first_line: usize,
    /// Each place as a byte range of `text`, in the order in which they were given.
    pub(crate) places: Vec<Range<usize>>,
}

impl Excerpt {
    /// The lines of `source` from the first place to the last, at most `width` characters each. A place that goes on over
    /// several lines is cut to its first.
    pub(crate) fn new(source: &str, places: &[Range<usize>], width: usize) -> Self {
        let places: Vec<Range<usize>> = places
            .iter()
            .map(|place| inside(source, place.start)..inside(source, place.end))
            .collect();
        let from = places.iter().map(|place| place.start).min().unwrap_or(0);
        let to = places.iter().map(|place| place.start).max().unwrap_or(0);
        let mut begin = source[..from].rfind('\n').map_or(0, |at| at + 1);
        let mut excerpt = Self {
            text: String::new(),
            first_line: source[..begin].matches('\n').count() + 1,
            places: vec![0..0; places.len()],
        };
        for line in source[begin..].split('\n') {
            excerpt.push_line(line, begin, &places, width);
            begin += line.len() + 1;
            if begin > to {
                break;
            }
            excerpt.text.push('\n');
        }
        excerpt
    }

    /// Adds a line that begins at byte `begin` of the source.
    fn push_line(&mut self, line: &str, begin: usize, places: &[Range<usize>], width: usize) {
        let chars: Vec<(usize, char)> = line.trim_end_matches('\r').char_indices().collect();
        let column = |byte: usize| chars.partition_point(|&(at, _)| begin + at < byte);
        let here: Vec<(usize, Range<usize>)> = places
            .iter()
            .enumerate()
            .filter(|(_, place)| (begin..=begin + line.len()).contains(&place.start))
            .map(|(index, place)| (index, column(place.start)..column(place.end)))
            .collect();
        let kept = windows(chars.len(), here.iter().map(|(_, place)| place), width);
        let mut offsets = Vec::with_capacity(chars.len() + 1);
        let mut in_gap = false;
        for (column, &(_, character)) in chars.iter().enumerate() {
            offsets.push(self.text.len());
            if kept.iter().any(|window| window.contains(&column)) {
                self.text.push(visible(character));
                in_gap = false;
            } else if !in_gap {
                self.text.push('…');
                in_gap = true;
            }
        }
        offsets.push(self.text.len());
        for (index, columns) in here {
            self.places[index] = offsets[columns.start]..offsets[columns.end];
        }
    }
}

/// A text on one line of at most `width` characters, an ellipsis in the middle if it is longer.
pub(crate) fn shorten(text: &str, width: usize) -> String {
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

/// The nearest place to `byte` that is within the text and between two characters.
fn inside(source: &str, byte: usize) -> usize {
    let mut byte = byte.min(source.len());
    while !source.is_char_boundary(byte) {
        byte -= 1;
    }
    byte
}

/// Which columns of a line of `length` are shown: all if they fit, otherwise a part around each place.
fn windows<'p>(
    length: usize,
    places: impl ExactSizeIterator<Item = &'p Range<usize>>,
    width: usize,
) -> Vec<Range<usize>> {
    if length <= width || places.len() == 0 {
        return iter::once(0..length.min(width)).collect();
    }
    let each = (width / places.len()).max(8);
    places
        .map(|place| {
            let long = place.len().min(each);
            let before = (each - long) / 2;
            // Near an end of the line, the window keeps its width.
            let start = place.start.saturating_sub(before);
            let start = start.min(length.saturating_sub(each));
            start..(start + each).min(length)
        })
        .collect()
}

/// The renderer shows the control characters of ASCII as pictures; those above it are shown as unknown.
fn visible(character: char) -> char {
    if character.is_control() && !character.is_ascii() {
        char::REPLACEMENT_CHARACTER
    } else {
        character
    }
}

#[cfg(test)]
#[expect(
    clippy::single_range_in_vec_init,
    reason = "a list of one place is what is meant"
)]
mod tests {
    use super::*;

    fn marked(source: &str, places: &[Range<usize>], width: usize) -> (String, usize, Vec<String>) {
        let excerpt = Excerpt::new(source, places, width);
        let parts = excerpt.places.iter();
        let parts = parts.map(|place| excerpt.text[place.clone()].to_owned());
        (excerpt.text.clone(), excerpt.first_line, parts.collect())
    }

    #[test]
    fn short_lines_are_whole() {
        let shown = marked("1d6 +\n2dx\n3", &[7..9, 10..11], 40);
        assert_eq!(shown, ("2dx\n3".into(), 2, vec!["dx".into(), "3".into()]));
        assert_eq!(marked("", &[0..0], 40), ("".into(), 1, vec!["".into()]));
        assert_eq!(marked("1+", &[2..2], 40).2, [""]);
        assert_eq!(marked("1+\n", &[3..3], 40), ("".into(), 2, vec!["".into()]));
    }

    #[test]
    fn a_place_over_several_lines_is_cut_to_its_first() {
        assert_eq!(
            marked("1 +\r\n2", &[0..6], 40),
            ("1 +".into(), 1, vec!["1 +".into()])
        );
    }

    #[test]
    fn long_lines_are_cut_around_each_place() {
        let source = format!("({}x{}", "1+".repeat(1000), "1+".repeat(1000));
        let (text, _, parts) = marked(&source, &[2001..2002, 0..1], 40);
        assert_eq!(parts, ["x", "("]);
        assert_eq!(text, "(1+1+1+1+1+1+1+1+1+1…+1+1+1+1+x1+1+1+1+1+…");
        let (text, _, parts) = marked(&source, &[0..source.len()], 20);
        assert_eq!((text.chars().count(), parts[0].clone()), (21, text));
    }

    #[test]
    fn odd_offsets_and_characters_do_no_harm() {
        assert_eq!(marked("é\u{85}x", &[1..99], 40).0, "é\u{fffd}x");
    }

    #[test]
    fn long_texts_lose_their_middle() {
        assert_eq!(shorten("1d6 + 1", 7), "1d6 + 1");
        assert_eq!(shorten("1d6\n+ 12345678", 9), "1d6 +…678");
        assert_eq!(shorten("abc", 1).chars().count(), 3);
    }
}
