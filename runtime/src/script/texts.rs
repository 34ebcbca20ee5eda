//! Texts as numbers. A text's **id** stands for its template ([`crate::text`]): the texts of the
//! program come first, then those of the arguments, then what a call of the kernel puts together.
//! Equal templates have one id.

use crate::limits::MAX_TEXT;
use crate::trap::TrapCode;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What stands around the text that an output puts in: `before + text + after` is the line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Site {
    /// What stands before it.
    pub before: String,
    /// What stands behind it.
    pub after: String,
    /// Whether the line is put together, and so has to be short enough, or is the text itself.
    pub joined: bool,
}

impl Site {
    /// The line's template.
    pub fn line(&self, text: &str) -> String {
        [&self.before, text, &self.after].concat()
    }

    /// Whether texts of so many bytes make a line.
    pub fn fits(&self, bytes: usize) -> bool {
        !self.joined || self.before.len() + bytes + self.after.len() <= MAX_TEXT
    }
}

/// The texts of a call of a kernel.
#[derive(Clone, Debug)]
pub struct Texts {
    program: Arc<[String]>,
    /// All that come after the program's.
    more: Vec<String>,
    /// How many were known before the first trial.
    known: usize,
    /// Ids by text; filled when the first text is put together.
    ids: FxHashMap<String, i64>,
    /// What pairs of ids came to.
    joined: FxHashMap<(i64, i64), i64>,
}

impl Texts {
    /// The texts of the program, each once, and those of the arguments, each once and none of the
    /// program's.
    pub fn new(program: Arc<[String]>, arguments: Vec<String>) -> Self {
        Self {
            known: program.len() + arguments.len(),
            program,
            more: arguments,
            ids: FxHashMap::default(),
            joined: FxHashMap::default(),
        }
    }

    /// How many there were before the first trial: their ids are below.
    pub fn known(&self) -> usize {
        self.known
    }

    /// A text; one that does not exist is empty.
    pub fn text(&self, id: i64) -> &str {
        let Ok(id) = usize::try_from(id) else {
            return "";
        };
        let text = match id.checked_sub(self.program.len()) {
            None => self.program.get(id),
            Some(id) => self.more.get(id),
        };
        text.map_or("", String::as_str)
    }

    /// The bytes of the longest text that was known before the first trial.
    pub fn longest_known(&self) -> usize {
        let arguments = self.known - self.program.len();
        let all = self.program.iter().chain(&self.more[..arguments]);
        all.map(String::len).max().unwrap_or(0)
    }

    /// One text behind the other.
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
        let id = self.intern(text);
        self.joined.insert((a, b), id);
        Ok(id)
    }

    fn intern(&mut self, text: String) -> i64 {
        if self.ids.is_empty() {
            let all = self.program.iter().chain(&self.more).cloned();
            self.ids = all.zip(0..).collect();
        }
        // As many as there is memory for.
        let next = (self.program.len() + self.more.len()) as i64;
        let id = *self.ids.entry(text.clone()).or_insert(next);
        if id == next {
            self.more.push(text);
        }
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
    fn texts_are_bounded() {
        let mut texts = Texts::new(["x".to_owned()].into(), Vec::new());
        let mut id = 0;
        for _ in 0..12 {
            id = texts.join(id, id).expect("4096 bytes");
        }
        assert_eq!(texts.join(id, 0), Err(TrapCode::TextTooLong));
    }
}
