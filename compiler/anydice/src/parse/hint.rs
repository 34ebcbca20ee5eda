//! Help where no statement begins: spellings of other languages and of other tools, and typos.

use super::Parser;
use crate::token::{Sign, TokenKind};
use dicec_lang::syntax::nearest;

/// The words that statements begin with.
const WORDS: [&str; 7] = ["output", "function", "result", "if", "loop", "set", "else"];

impl Parser<'_> {
    /// What to write at this place instead, in a function or outside of functions.
    pub(super) fn hint(&self, in_function: bool) -> String {
        let (first, second) = (self.peek(), self.peek_second());
        let is_colon = second == Some(TokenKind::Sign(Sign::Colon));
        let text = match first {
            Some(TokenKind::Word("drop" | "keep" | "kh" | "kl")) => {
                "write [highest 3 of 4d6] to keep dice"
            }
            Some(TokenKind::Word(word)) if word.starts_with("dd") => {
                "small letters next to each other are one word: write 2d d6 or 2d(d6)"
            }
            Some(TokenKind::Word("elseif" | "elif" | "elsif")) => "write else if",
            Some(TokenKind::Word("return")) => "a value is given back with result: ...",
            Some(TokenKind::Word("named")) => "a name follows the value of an output",
            Some(TokenKind::Word("else")) => "`else` follows the block of an `if`",
            Some(TokenKind::Word("and")) => "write & for and",
            Some(TokenKind::Word("or")) => "write | for or",
            Some(TokenKind::Word(word)) => match nearest(word, WORDS) {
                Some(near) if near != word => return format!("did you mean {near}?"),
                _ if is_colon => {
                    return format!("variables have capitals: {}: ...", word.to_uppercase());
                }
                _ if in_function => "a value is given back with result: ...",
                _ => "to show a value, write output before it",
            },
            Some(TokenKind::Variable("D")) => "the d of dice is a small letter: 3d6",
            Some(TokenKind::Variable(name)) => match second {
                Some(TokenKind::Number(_)) => {
                    return format!("variables have no digits: {name}_A, {name}_B");
                }
                _ if in_function && second != Some(TokenKind::Sign(Sign::Equal)) => {
                    return format!("a value is given back with result: {name}");
                }
                _ => return format!("write {name}: value to give a variable its value"),
            },
            Some(TokenKind::Sign(Sign::Slash)) => {
                "a comment is between two backslashes: \\ like this \\"
            }
            _ if in_function => "a value is given back with result: ...",
            _ => "to show a value, write output before it",
        };
        text.to_owned()
    }
}
