//! Words of a sentence, and a cursor that matches short phrases.
//!
//! A phrase is a list of words: `on|with a success`, `repeat|repeats the save?`. `|` separates
//! alternatives, `?` ends an optional word, `#` is a number in digits or as a word, and `*` is a
//! mention of the creature itself (`the spider`).

use std::ops::Range;

/// A word, a number or a sign; the creature itself is one word, `*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    /// Its bytes in the sentence.
    pub(super) at: Range<usize>,
}

const NUMBERS: [&str; 13] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve",
];

impl Word {
    /// The number that it is.
    pub(super) fn number(&self) -> Option<i64> {
        let named = NUMBERS.iter().position(|name| *name == self.text);
        let named = named.and_then(|index| i64::try_from(index).ok());
        named.or_else(|| self.text.replace(',', "").parse().ok())
    }
}

/// The words of a sentence. `own` are the words by which it names its creature.
pub(super) fn words(sentence: &str, own: &[String]) -> Vec<Word> {
    let mut all: Vec<Word> = Vec::new();
    let mut chars = sentence.char_indices().peekable();
    while let Some((start, sign)) = chars.next() {
        if sign.is_whitespace() {
            continue;
        }
        let mut end = start + sign.len_utf8();
        let mut text = sign.to_lowercase().to_string();
        if sign.is_alphanumeric() {
            while let Some(&(at, next)) = chars.peek() {
                let is_inside = next.is_alphanumeric()
                    || next == '\'' && sentence[at + 1..].starts_with(char::is_alphabetic)
                    || next == ',' && is_thousand(&text, &sentence[at + 1..]);
                if !is_inside {
                    break;
                }
                chars.next();
                end = at + next.len_utf8();
                text.extend(next.to_lowercase());
            }
        }
        push(&mut all, text, start..end);
    }
    with_self(all, own)
}

/// Whether a comma is a part of a number: `1,000`.
fn is_thousand(before: &str, after: &str) -> bool {
    let digits = after.chars().take_while(char::is_ascii_digit).count();
    before.chars().all(|sign| sign.is_ascii_digit()) && digits == 3
}

/// Adds a word in its usual form: hyphens between words are left out, feet are `ft`.
fn push(all: &mut Vec<Word>, text: String, at: Range<usize>) {
    let touches = all
        .last()
        .is_some_and(|last| last.at.end == at.start && last.text.ends_with(char::is_alphanumeric));
    match text.as_str() {
        "-" if touches => return,
        "." if touches && all.last().is_some_and(|last| last.text == "ft") => return,
        "\"" | "'" => return,
        _ => {}
    }
    let usual = match text.as_str() {
        "feet" | "foot" => "ft",
        "cannot" => "can't",
        "hp" => "hitpoints",
        _ => &text,
    };
    let points = ["point", "points"].contains(&usual);
    if points && let Some(last) = all.last_mut().filter(|last| last.text == "hit") {
        "hitpoints".clone_into(&mut last.text);
        last.at.end = at.end;
        return;
    }
    let text = usual.to_owned();
    all.push(Word { text, at });
}

/// The same, with mentions of the creature as one word.
fn with_self(all: Vec<Word>, own: &[String]) -> Vec<Word> {
    let stem = |word: &str| word.strip_suffix("'s").unwrap_or(word).to_owned();
    let mut out: Vec<Word> = Vec::with_capacity(all.len());
    let mut words = all.into_iter().peekable();
    while let Some(mut word) = words.next() {
        let is_article = ["the", "this", "that"].contains(&word.text.as_str());
        let mut is_own = false;
        while is_article && let Some(next) = words.next_if(|next| own.contains(&stem(&next.text))) {
            word.at.end = next.at.end;
            is_own = true;
            word.text = if next.text.ends_with("'s") {
                "*'s"
            } else {
                "*"
            }
            .to_owned();
            if word.text == "*'s" {
                break;
            }
        }
        if !is_own || out.last().is_none_or(|last| last.text != word.text) {
            out.push(word);
        }
    }
    out
}

/// A position in the words of a sentence.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'w> {
    pub(super) words: &'w [Word],
    pub(super) at: usize,
}

impl<'w> Cursor<'w> {
    pub(super) fn new(words: &'w [Word]) -> Self {
        Self { words, at: 0 }
    }

    pub(super) fn is_end(&self) -> bool {
        self.at >= self.words.len()
    }

    /// The word at the position; empty at the end.
    pub(super) fn peek(&self) -> &'w str {
        self.words.get(self.at).map_or("", |word| &word.text)
    }

    /// Takes a word.
    pub(super) fn next(&mut self) -> &'w str {
        let word = self.peek();
        self.at += usize::from(!self.is_end());
        word
    }

    /// Takes a word that is a number.
    pub(super) fn number(&mut self) -> Option<i64> {
        let number = self.words.get(self.at)?.number()?;
        self.at += 1;
        Some(number)
    }

    /// Takes a phrase; the numbers in it.
    pub(super) fn take(&mut self, phrase: &str) -> Option<Vec<i64>> {
        let mut at = self.at;
        let mut numbers = Vec::new();
        for wanted in phrase.split(' ') {
            let (wanted, is_optional) = match wanted.strip_suffix('?') {
                Some(wanted) => (wanted, true),
                None => (wanted, false),
            };
            let word = self.words.get(at);
            let found = word.is_some_and(|word| match wanted {
                "#" => word.number().map(|number| numbers.push(number)).is_some(),
                _ => wanted.split('|').any(|one| one == word.text),
            });
            match (found, is_optional) {
                (true, _) => at += 1,
                (false, true) => {}
                (false, false) => return None,
            }
        }
        self.at = at;
        Some(numbers)
    }

    /// Whether it takes a phrase.
    pub(super) fn eat(&mut self, phrase: &str) -> bool {
        self.take(phrase).is_some()
    }

    /// Takes the first of some phrases that is there.
    pub(super) fn eat_any(&mut self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| self.eat(phrase))
    }

    /// The distance to a phrase at or after the position, in words.
    pub(super) fn find(&self, phrase: &str) -> Option<usize> {
        (self.at..self.words.len()).find_map(|at| {
            let mut later = Cursor {
                words: self.words,
                at,
            };
            later.eat(phrase).then_some(at - self.at)
        })
    }

    /// Takes what a function takes, or nothing.
    pub(super) fn attempt<T>(&mut self, take: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let before = self.at;
        let taken = take(self);
        if taken.is_none() {
            self.at = before;
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_creature_is_one_word_and_feet_are_short() {
        let own = ["giant".to_owned(), "spider".to_owned()];
        let all = words("The giant spider's 30-foot line, 10 ft. wide.", &own);
        let texts: Vec<&str> = all.iter().map(|word| word.text.as_str()).collect();
        let wanted = ["*'s", "30", "ft", "line", ",", "10", "ft", "wide", "."];
        assert_eq!(texts, wanted);
    }

    #[test]
    fn phrases_have_alternatives_numbers_and_optional_words() {
        let all = words("must succeed on a DC 12 save", &[]);
        let mut cursor = Cursor::new(&all);
        assert_eq!(
            cursor.take("must make|succeed on? a|an dc #"),
            Some(vec![12])
        );
        assert!(cursor.eat("save|saving throw?") && cursor.is_end());
    }
}
