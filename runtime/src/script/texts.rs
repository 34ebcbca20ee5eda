//! Interned texts. A text's **id** identifies its template ([`crate::text`]): the texts of the
//! program come first, then those of the arguments, then those that a call of the kernel joins.
//! Equal templates have one id.

use crate::limits::MAX_TEXT;
use crate::trap::TrapCode;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The text around an inserted text: `before + text + after` is the line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Site {
    /// The text before it.
    pub before: String,
    /// The text after it.
    pub after: String,
    /// Whether the line is put together, and so has to be short enough, or is the text itself.
    pub joined: bool,
}

impl Site {
    /// The line's template.
    pub fn line(&self, text: &str) -> String {
        [&self.before, text, &self.after].concat()
    }

    /// Whether texts of this many bytes make a line.
    pub fn fits(&self, bytes: usize) -> bool {
        !self.joined || self.before.len() + bytes + self.after.len() <= MAX_TEXT
    }
}

/// The maximum memory of joined texts before they are dropped at the beginning of a trial.
const KEPT_BYTES: usize = 16 << 20;

/// The memory of a text besides its bytes: its entries in three tables.
const TEXT_BYTES: usize = 128;

/// The texts of a call of a kernel.
#[derive(Clone, Debug)]
pub struct Texts {
    program: Arc<[String]>,
    /// All that come after the program's.
    more: Vec<Arc<str>>,
    /// The number of texts known before the first trial.
    known: usize,
    /// Ids by text; filled when the first text is put together.
    ids: FxHashMap<Arc<str>, i64>,
    /// The results of joining pairs of ids.
    joined: FxHashMap<(i64, i64), i64>,
    /// The memory of joined texts.
    bytes: usize,
}

impl Texts {
    /// The texts of the program and those of the arguments, all different.
    pub fn new(program: Arc<[String]>, arguments: Vec<String>) -> Self {
        Self {
            known: program.len() + arguments.len(),
            program,
            more: arguments.into_iter().map(Arc::from).collect(),
            ids: FxHashMap::default(),
            joined: FxHashMap::default(),
            bytes: 0,
        }
    }

    /// The number of texts before the first trial: their ids are below it.
    pub fn known(&self) -> usize {
        self.known
    }

    /// A text; one that does not exist is empty.
    pub fn text(&self, id: i64) -> &str {
        let Ok(id) = usize::try_from(id) else {
            return "";
        };
        match id.checked_sub(self.program.len()) {
            None => &self.program[id],
            Some(id) => self.more.get(id).map_or("", |text| text),
        }
    }

    /// The bytes of the longest text that was known before the first trial.
    pub fn longest_known(&self) -> usize {
        let arguments = self.more[..self.known - self.program.len()].iter();
        let program = self.program.iter().map(String::len);
        let all = program.chain(arguments.map(|text| text.len()));
        all.max().unwrap_or(0)
    }

    /// The concatenation of two texts.
    ///
    /// # Errors
    /// More than [`MAX_TEXT`] bytes.
    pub fn join(&mut self, a: i64, b: i64) -> Result<i64, TrapCode> {
        if let Some(&id) = self.joined.get(&(a, b)) {
            return Ok(id);
        }
        let text = [self.text(a), self.text(b)].concat();
        if text.len() > MAX_TEXT {
            return Err(TrapCode::TextTooLong);
        }
        let id = self.intern(&text);
        self.joined.insert((a, b), id);
        self.bytes += TEXT_BYTES;
        Ok(id)
    }

    /// Whether there is reason to forget the texts that trials put together.
    pub fn are_many(&self) -> bool {
        self.bytes > KEPT_BYTES
    }

    /// Drops joined texts: between two trials, no id refers to one.
    pub fn forget(&mut self) {
        self.more.truncate(self.known - self.program.len());
        self.ids = FxHashMap::default();
        self.joined = FxHashMap::default();
        self.bytes = 0;
    }

    fn intern(&mut self, text: &str) -> i64 {
        if self.ids.is_empty() {
            let program = self.program.iter().map(|text| Arc::from(text.as_str()));
            let all = program.chain(self.more.iter().cloned());
            self.ids = all.zip(0..).collect();
        }
        if let Some(&id) = self.ids.get(text) {
            return id;
        }
        // There are at most as many as there is memory for.
        let id = (self.program.len() + self.more.len()) as i64;
        let text: Arc<str> = text.into();
        self.bytes += text.len() + TEXT_BYTES;
        self.more.push(text.clone());
        self.ids.insert(text, id);
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_have_one_id() {
        let program: Arc<[String]> = ["a", "bc", "abc"].map(str::to_owned).into();
        let mut texts = Texts::new(program, vec!["ab".to_owned(), "c".to_owned()]);
        assert_eq!((texts.known(), texts.longest_known()), (5, 3));
        assert_eq!(texts.join(0, 1), Ok(2));
        assert_eq!(texts.join(3, 4), Ok(2));
        let new = texts.join(2, 2).expect("short");
        assert_eq!((new, texts.text(new)), (5, "abcabc"));
        assert_eq!(texts.join(2, 2), Ok(5));
        assert_eq!((texts.text(99), texts.text(-1)), ("", ""));
    }

    #[test]
    fn what_trials_put_together_is_forgotten() {
        let digit = |digit: &str| digit.repeat(400);
        let program: Arc<[String]> = ["0", "1", "2"].map(digit).into();
        let mut texts = Texts::new(program, vec![digit("3")]);
        // Each number in base 4 is another text.
        let mut number = 0;
        while !texts.are_many() {
            let digits = (0..10).map(|place| number >> (2 * place) & 3);
            let joined = digits.reduce(|text, digit| texts.join(text, digit).expect("short"));
            assert!(joined.is_some());
            number += 1;
        }
        assert!(number > 100);
        texts.forget();
        assert!(!texts.are_many());
        assert_eq!((texts.text(3), texts.text(4)), (digit("3").as_str(), ""));
        assert_eq!(texts.join(0, 1), Ok(4));
    }

    #[test]
    fn texts_are_bounded() {
        let mut texts = Texts::new(["x".to_owned()].into(), Vec::new());
        let mut id = 0;
        for _ in 0..12 {
            id = texts.join(id, id).expect("4096 bytes");
        }
        assert_eq!(texts.join(id, 0), Err(TrapCode::TextTooLong));
    }
}
