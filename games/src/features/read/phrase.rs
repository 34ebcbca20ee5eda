//! Phrases with holes: `["N hits N", "self", "any"]`, or the same with the holes filled in, `"self
//! hits any"`. A hole is a word in capitals, such as `N`, `X` or `TYPE`.

use crate::features::document::{Node, Piece};
use crate::features::expr::area_words;
use crate::features::findings::Findings;
use dicec_lang::syntax::{Code, nearest};
use std::ops::Range;

/// The words that are holes in a phrase. `XdX` has two, `dX` has one.
const HOLES: [&str; 17] = [
    "N",
    "X",
    "+X",
    "TYPE",
    "ABILITY",
    "ATTACK",
    "AOE",
    "LIGHTING",
    "SPELL",
    "SPELL_TRAIT",
    "ACTION",
    "FEATURE",
    "ROLL_CLASS",
    "DIRECTION",
    "EFFECT",
    "XdX",
    "dX",
];

/// A phrase with its holes filled in has fewer words than this.
const MAX_WORDS: usize = 40;

/// A longer text is not a phrase with a typo.
const MAX_NEAR: usize = 200;

/// A phrase, and the values of its holes.
pub(super) struct Found<'p, T> {
    /// The meaning of the phrase.
    pub(super) meaning: T,
    /// The values of its holes, in order.
    pub(super) values: Vec<Piece<'p>>,
}

/// A value of a document as a phrase: its words, and the values that follow.
#[derive(Clone, Debug)]
pub(super) struct Said<'p> {
    pub(super) words: Piece<'p>,
    pub(super) values: Vec<Piece<'p>>,
}

impl<'p> Said<'p> {
    /// A text, or a list of texts and numbers; `what` names the expected value.
    pub(super) fn read(node: &'p Node, what: &str, findings: &mut Findings) -> Option<Self> {
        if let Some(words) = node.piece() {
            let values = Vec::new();
            let words = words.trimmed();
            return Some(Self { words, values });
        }
        let pieces: Option<Vec<Piece<'p>>> = node
            .elements()
            .and_then(|elements| elements.iter().map(Node::piece).collect());
        match pieces.as_deref() {
            Some([words, values @ ..]) => Some(Self {
                words: words.trimmed(),
                values: values.iter().map(|piece| piece.trimmed()).collect(),
            }),
            _ => {
                let is = node.kind();
                let help = format!("{what} is a text, or a list of a text and its values");
                findings.error(Code::BadFeature, node, format!("is {is}, not {what}"), help);
                None
            }
        }
    }

    /// The phrase that it is, of those in a table, in which the more special ones come first. `Err`
    /// if it is one, with a wrong number of values, which is a finding.
    pub(super) fn find<T: Copy>(
        &self,
        table: &[(T, &str)],
        findings: &mut Findings,
    ) -> Result<Option<Found<'p, T>>, ()> {
        let given = words_of(self.words.text);
        if given.len() > MAX_WORDS {
            return Ok(None);
        }
        let mut phrases = table.iter();
        let found = phrases.find_map(|(meaning, phrase)| {
            let pattern: Vec<&str> = phrase.split(' ').collect();
            let holes = matched(&pattern, &given, self.words)?;
            Some((*meaning, *phrase, holes))
        });
        let Some((meaning, phrase, holes)) = found else {
            return Ok(None);
        };
        let mut values = self.values.clone();
        let open = holes.iter().filter(|hole| hole.is_none()).count();
        // The creature with the feature is the one that is left out.
        if values.len() + 1 == open && phrase.starts_with("N ") {
            let what = format!("has `{phrase}` without its first noun, which is read as `self`");
            findings.odd(&self.words, what, "write the noun after the phrase");
            values.insert(0, Piece::typed("self"));
        }
        if values.len() != open {
            let (wanted, there) = (values_of(open), self.values.len());
            let what = format!("has `{phrase}`, which needs {wanted} after it; there are {there}");
            let help = format!("write them in the order of the phrase: [\"{phrase}\", ...]");
            findings.error(Code::BadFeature, &self.words, what, help);
            return Err(());
        }
        let mut values = values.into_iter();
        let filled = holes.into_iter().map(|hole| hole.or_else(|| values.next()));
        Ok(filled
            .collect::<Option<_>>()
            .map(|values| Found { meaning, values }))
    }

    /// Reports that it matches no phrase of a table.
    pub(super) fn unknown<T>(&self, what: &str, table: &[(T, &str)], findings: &mut Findings) {
        let text = self.words.text;
        let phrases = table.iter().map(|(_, phrase)| *phrase);
        let near = (text.len() < MAX_NEAR)
            .then(|| nearest(text, phrases))
            .flatten();
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("docs/features.md lists what {what} can be"),
        };
        let message = format!("has `{text}`, which is not {what}");
        findings.error(Code::UnknownPhrase, &self.words, message, help);
    }

    /// Whether it is a phrase of a table whose holes need values after it.
    pub(super) fn is_open<T>(&self, table: &[(T, &str)]) -> bool {
        let given = words_of(self.words.text);
        given.len() <= MAX_WORDS
            && table.iter().any(|(_, phrase)| {
                let pattern: Vec<&str> = phrase.split(' ').collect();
                let holes = matched(&pattern, &given, self.words);
                holes.is_some_and(|holes| holes.iter().any(Option::is_none))
            })
    }
}

fn values_of(count: usize) -> String {
    match count {
        0 => "nothing".to_owned(),
        1 => "a value".to_owned(),
        count => format!("{count} values"),
    }
}

/// Where the words of a text are.
fn words_of(text: &str) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut at = 0;
    for word in text.split(' ') {
        if !word.is_empty() {
            words.push(at..at + word.len());
        }
        at += word.len() + 1;
    }
    words
}

/// Matches a pattern with the words of a text, and returns the value of each hole: a piece of the
/// text, or `None` for a hole that a later value fills. `None` if they do not match.
fn matched<'p>(
    pattern: &[&str],
    words: &[Range<usize>],
    whole: Piece<'p>,
) -> Option<Vec<Option<Piece<'p>>>> {
    let Some((hole, pattern)) = pattern.split_first() else {
        return words.is_empty().then(Vec::new);
    };
    let (first, rest) = words.split_first()?;
    let start = first.start;
    let first = whole.part(first.clone());
    let with = |mut holes: Vec<Option<Piece<'p>>>| {
        let after = matched(pattern, rest, whole)?;
        holes.extend(after);
        Some(holes)
    };
    if plain(first.text) == plain(hole) && HOLES.contains(&plain(hole)) {
        let count = if *hole == "XdX" { 2 } else { 1 };
        return with(vec![None; count]);
    }
    match *hole {
        "XdX" => {
            let at = first.text.find('d')?;
            let parts = [0..at, at + 1..first.text.len()].map(|range| Some(first.part(range)));
            let is_full = !parts.iter().flatten().any(|part| part.text.is_empty());
            is_full.then(|| with(parts.to_vec())).flatten()
        }
        "dX" => {
            let sides = first
                .text
                .strip_prefix('d')
                .filter(|sides| !sides.is_empty())?;
            let from = first.text.len() - sides.len();
            with(vec![Some(first.part(from..first.text.len()))])
        }
        hole if HOLES.contains(&hole) => (1..=most(hole, words)).find_map(|count| {
            let last = whole.part(words.get(count - 1)?.clone());
            let end = words.get(count - 1)?.start + plain(last.text).len();
            let value = whole.part(start..end);
            if hole == "AOE" && area_words(value).is_none() {
                return None;
            }
            let mut holes = vec![Some(value)];
            holes.extend(matched(pattern, words.get(count..)?, whole)?);
            Some(holes)
        }),
        word => plain(first.text)
            .eq_ignore_ascii_case(plain(word))
            .then(|| with(Vec::new()))
            .flatten(),
    }
}

/// The maximum number of words in a hole: a number has one.
fn most(hole: &str, words: &[Range<usize>]) -> usize {
    match hole {
        "X" | "+X" => 1,
        _ => words.len(),
    }
}

/// A word without the comma after it.
fn plain(word: &str) -> &str {
    word.trim_end_matches([',', '.'])
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: [(u8, &str); 4] = [
        (0, "N is in AOE"),
        (1, "N is in LIGHTING"),
        (2, "Inflict XdX TYPE damage, dc X ABILITY save halves"),
        (3, "N hits N"),
    ];

    #[track_caller]
    fn check(words: &str, values: &[&str], meaning: u8, expected: &[&str]) {
        let said = Said {
            words: Piece::typed(words),
            values: values.iter().map(|text| Piece::typed(text)).collect(),
        };
        let found = said.find(&TABLE, &mut Findings::default());
        let found = found.expect(words).expect(words);
        let texts: Vec<&str> = found.values.iter().map(|piece| piece.text).collect();
        assert_eq!((found.meaning, &texts[..]), (meaning, expected), "{words}");
    }

    /// Issue 16, 1: phrases such as `["N hits N", "self", "any"]`.
    #[test]
    fn holes_are_filled_by_values_or_by_words() {
        check("N hits N", &["self", "any"], 3, &["self", "any"]);
        check(
            "self hits point in space",
            &[],
            3,
            &["self", "point in space"],
        );
        check(
            "creature is in line 60 5",
            &[],
            0,
            &["creature", "line 60 5"],
        );
        check(
            "creature is in dim light",
            &[],
            1,
            &["creature", "dim light"],
        );
        let inflict = "inflict XdX TYPE damage, dc X ABILITY save halves";
        check(
            inflict,
            &["1", "6", "acid", "12", "dexterity"],
            2,
            &["1", "6", "acid", "12", "dexterity"],
        );
        let inflict = "Inflict V0d8 acid damage, dc 12 dexterity save halves";
        check(inflict, &[], 2, &["V0", "8", "acid", "12", "dexterity"]);
    }

    #[test]
    fn a_noun_that_is_left_out_is_self() {
        let said = Said {
            words: Piece::typed("N hits N"),
            values: vec![Piece::typed("any")],
        };
        let mut findings = Findings::default();
        let found = said.find(&TABLE, &mut findings).expect("one").expect("one");
        assert_eq!(found.values[0].text, "self");
        assert_eq!(findings.all().len(), 1);
    }
}
