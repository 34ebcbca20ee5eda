//! The part of a source that a finding shows. A rule may be one line of 64 KiB: the text around the
//! marked locations is kept, and an ellipsis stands for the rest.

use std::iter;
use std::ops::Range;

/// Some whole lines of a source, each cut to a width, and where the marked locations are in them.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Excerpt {
    /// The lines.
    pub(super) text: String,
    /// The number of the first of them, from 1.
    pub(super) first_line: usize,
    /// Each location as a byte range of `text`, in the order in which they were given.
    pub(super) locations: Vec<Range<usize>>,
}

impl Excerpt {
    /// The lines of `source` from the first location to the last, at most `width` characters each.
    /// A location of several lines is cut to its first.
    pub(super) fn new(source: &str, locations: &[Range<usize>], width: usize) -> Self {
        let locations: Vec<Range<usize>> = locations
            .iter()
            .map(|location| inside(source, location.start)..inside(source, location.end))
            .collect();
        let from = locations
            .iter()
            .map(|location| location.start)
            .min()
            .unwrap_or(0);
        let to = locations
            .iter()
            .map(|location| location.start)
            .max()
            .unwrap_or(0);
        let mut begin = source[..from].rfind('\n').map_or(0, |at| at + 1);
        let mut excerpt = Self {
            text: String::new(),
            first_line: source[..begin].matches('\n').count() + 1,
            locations: vec![0..0; locations.len()],
        };
        for line in source[begin..].split('\n') {
            excerpt.push_line(line, begin, &locations, width);
            begin += line.len() + 1;
            if begin > to {
                break;
            }
            excerpt.text.push('\n');
        }
        excerpt
    }

    /// Adds a line that begins at byte `begin` of the source.
    fn push_line(&mut self, line: &str, begin: usize, locations: &[Range<usize>], width: usize) {
        let chars: Vec<(usize, char)> = line.trim_end_matches('\r').char_indices().collect();
        let column = |byte: usize| chars.partition_point(|&(at, _)| begin + at < byte);
        let here: Vec<(usize, Range<usize>)> = locations
            .iter()
            .enumerate()
            .filter(|(_, location)| (begin..=begin + line.len()).contains(&location.start))
            .map(|(index, location)| (index, column(location.start)..column(location.end)))
            .collect();
        let kept = windows(
            chars.len(),
            here.iter().map(|(_, location)| location),
            width,
        );
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
            self.locations[index] = offsets[columns.start]..offsets[columns.end];
        }
    }
}

/// The nearest position to `byte` that is within the text and between two characters.
fn inside(source: &str, byte: usize) -> usize {
    let mut byte = byte.min(source.len());
    while !source.is_char_boundary(byte) {
        byte -= 1;
    }
    byte
}

/// Which columns of a line of `length` are shown: all if they fit, otherwise a part around each
/// location.
fn windows<'p>(
    length: usize,
    locations: impl ExactSizeIterator<Item = &'p Range<usize>>,
    width: usize,
) -> Vec<Range<usize>> {
    if length <= width || locations.len() == 0 {
        return iter::once(0..length.min(width)).collect();
    }
    let each = (width / locations.len()).max(8);
    locations
        .map(|location| {
            let long = location.len().min(each);
            let before = (each - long) / 2;
            // Near an end of the line, the window keeps its width.
            let start = location.start.saturating_sub(before);
            let start = start.min(length.saturating_sub(each));
            start..(start + each).min(length)
        })
        .collect()
}

/// The renderer shows the control characters of ASCII as pictures; those above it are shown as
/// unknown.
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
    reason = "these are lists of one location"
)]
mod tests {
    use super::*;

    fn marked(
        source: &str,
        locations: &[Range<usize>],
        width: usize,
    ) -> (String, usize, Vec<String>) {
        let excerpt = Excerpt::new(source, locations, width);
        let parts = excerpt.locations.iter();
        let parts = parts.map(|location| excerpt.text[location.clone()].to_owned());
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
}
