//! The position of a trial and how it got there: the path string of seed 004.
//!
//! A roll is identified by the string before its `r`, a choice by the string before its `u`. The
//! string after an `if`, a loop or a call does not depend on what happened inside, so a choice
//! changes the rolls that depend on it and no others:
//!
//! * An `if`, after its condition, puts the string on a stack and appends `t` or `f`. At its end it
//!   restores the string from the stack and appends `i`. So does an operand of `&&`, `||` or `?:`
//!   that rolls or asks.
//! * A `while`, or a `for` or `repeat` after its list or bounds, puts the string on the stack; so
//!   do the loops that expressions such as `sum(list)` are. Each
//!   iteration begins with the string on the stack and `w`, `w2`, `w3` and so on. At its end the
//!   loop restores the string and appends `L`.
//! * A call puts the string on the stack and appends `c`. At its end it restores the string and
//!   appends `e`.
//!
//! So no two rolls of a trial have the same path. A `while` evaluates its condition inside the
//! iteration that it decides about. In the seed, the string of an iteration continues that of the
//! previous one, so a decision in one iteration moves all later ones; here each iteration has a
//! beginning of its own. Calls are not in the seed. Without them, a function that returns early
//! would move every later roll to another path. `break`, `continue` and `return` close what they
//! leave as its end does.

use std::fmt::Write;

/// The string and its stack.
#[derive(Debug, Default)]
pub(super) struct Path {
    text: String,
    stack: Vec<usize>,
}

impl Path {
    /// The string.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Puts the string on the stack.
    pub(super) fn push(&mut self) {
        self.stack.push(self.text.len());
    }

    /// Appends a letter.
    pub(super) fn append(&mut self, letter: char) {
        self.text.push(letter);
    }

    /// An iteration of the loop whose string is on the stack, counted from 1.
    pub(super) fn iteration(&mut self, number: u64) {
        self.text.truncate(self.stack.last().copied().unwrap_or(0));
        self.text.push('w');
        if number > 1 {
            // Writing to a String cannot fail.
            let _ = write!(self.text, "{number}");
        }
    }

    /// Takes the string from the stack and appends a letter.
    pub(super) fn pop(&mut self, letter: char) {
        // Letters are only appended in between, so what was there before is its beginning.
        self.text.truncate(self.stack.pop().unwrap_or(0));
        self.text.push(letter);
    }
}

#[cfg(test)]
mod tests {
    use super::Path;

    #[test]
    fn the_example_of_the_seed() {
        let mut path = Path::default();
        assert_eq!(path.text(), "", "X");
        path.append('r');
        path.push();
        path.append('t');
        assert_eq!(path.text(), "rt", "Y");
        path.append('r');
        path.pop('i');
        assert_eq!(path.text(), "ri", "Z");
    }
}
