//! Strips a chat command and a trailing comment: `/roll 1d20+5 # longsword` is the rule `1d20+5`.

use dicec_runtime::span::Span;

/// The words of chats and other tools before a rule.
const PREFIXES: [&str; 5] = ["/roll", "/r", "!roll", "!r", "output"];

/// A rule's text without its frame. Spans are those in the whole text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'t> {
    /// The rule itself.
    pub rule: Span,
    /// The comment after a `#`.
    pub comment: Option<&'t str>,
}

impl<'t> Frame<'t> {
    /// The frame of a rule in a text.
    pub fn of(text: &'t str) -> Self {
        let start = prefix(text);
        let hash = start + comment(&text[start..]);
        let comment = text.get(hash + 1..).map(str::trim);
        Self {
            // The caller bounds texts below 4 GiB.
            rule: Span::new(start as u32, hash as u32),
            comment: comment.filter(|comment| !comment.is_empty()),
        }
    }
}

/// The length of a prefix and the spaces around it.
fn prefix(text: &str) -> usize {
    let rest = text.trim_start();
    let mut after = PREFIXES.iter().filter_map(|prefix| {
        let start = rest.get(..prefix.len())?;
        let after = &rest[prefix.len()..];
        // `output` alone could be a word of a rule.
        let is_alone = after.is_empty() && !prefix.starts_with(char::is_alphabetic);
        let is_prefix = start.eq_ignore_ascii_case(prefix)
            && (is_alone || after.starts_with(char::is_whitespace));
        is_prefix.then_some(after)
    });
    after.next().map_or(0, |after| text.len() - after.len())
}

/// The offset of the `#` that begins a comment, or the end. One in a name, a text or braces belongs
/// to these.
fn comment(text: &str) -> usize {
    let mut outside = outside_brackets(text);
    let found = outside.find(|(_, c)| *c == '#');
    found.map_or(text.len(), |(at, _)| at)
}

/// The characters of a rule outside names, texts and braces, with their offsets.
pub fn outside_brackets(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut closes: Option<char> = None;
    text.char_indices().filter(move |(_, c)| {
        let is_inside = closes.is_some();
        match (c, closes) {
            (c, Some(close)) if *c == close => closes = None,
            (_, Some(_)) => {}
            ('[', None) => closes = Some(']'),
            ('{', None) => closes = Some('}'),
            ('"', None) => closes = Some('"'),
            _ => {}
        }
        !is_inside
    })
}

#[cfg(test)]
mod tests {
    use super::Frame;

    #[test]
    fn what_stands_around_a_rule() {
        for (text, rule, comment) in [
            ("1d20+5 # longsword", "1d20+5 ", Some("longsword")),
            ("/r 1d20", " 1d20", None),
            (" /ROLL 2d6 #", " 2d6 ", None),
            ("output 3d6", " 3d6", None),
            ("/r", "", None),
            ("/rolls", "/rolls", None),
            ("outputs", "outputs", None),
            ("[#1] + d{a#} # no", "[#1] + d{a#} ", Some("no")),
            ("1d6 > 3 ? \"#1\" : \"b\"", "1d6 > 3 ? \"#1\" : \"b\"", None),
        ] {
            let frame = Frame::of(text);
            assert_eq!(&text[frame.rule.range()], rule, "{text}");
            assert_eq!(frame.comment, comment, "{text}");
        }
    }
}
