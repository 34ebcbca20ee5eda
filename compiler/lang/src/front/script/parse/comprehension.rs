//! Values for the elements of a list: `sum(f.hp for f : foes if f.hp > 0)`.

use super::Parser;
use crate::front::script::ast::{Arguments, Comprehension, Expr, Key, Name};
use crate::front::script::signs::Sign;
use crate::front::script::words::Keyword;
use dicec_runtime::span::Span;

/// The contents of parentheses or brackets.
pub(super) enum Items {
    /// Values, separated by commas.
    Values(Arguments),
    /// A value for each element of a list.
    Each(Box<Comprehension>),
    /// A value, with its number of copies in a list.
    Copies(Box<[Expr; 2]>),
    /// Unreadable text, which was reported.
    Broken,
}

impl Parser<'_> {
    /// Whether the value before the cursor is one for each element of a list.
    pub(super) fn goes_through(&self) -> bool {
        self.cursor.keyword() == Some(Keyword::For)
            || self.cursor.is_word("by")
            || self.cursor.is_word_before_operand("in")
    }

    /// The part after the first value, up to `closer`.
    pub(super) fn comprehension(&mut self, value: Expr, opener: Span, closer: Sign) -> Items {
        let key = self.cursor.is_word("by").then(|| {
            self.cursor.bump();
            let value = self.expression();
            let descending = self.cursor.is_word("descending");
            if descending {
                self.cursor.bump();
            }
            Key { value, descending }
        });
        let parts = self.each(value, key);
        if self.cursor.take(closer).is_none() {
            self.unclosed(opener);
        }
        match parts {
            Some(parts) => Items::Each(Box::new(parts)),
            None => Items::Broken,
        }
    }

    /// The number of copies of `value` in a list; the `;` is taken.
    pub(super) fn copies(&mut self, value: Expr, opener: Span) -> Items {
        let count = self.expression();
        if self.cursor.take(Sign::CloseBracket).is_none() {
            self.unclosed(opener);
        }
        Items::Copies(Box::new([value, count]))
    }

    /// `for x : xs if c`
    fn each(&mut self, value: Expr, key: Option<Key>) -> Option<Comprehension> {
        if self.cursor.is_word("in") {
            self.in_for_colon("write `... x.hp for x : list`");
            self.cursor.bump();
            self.expression();
            return None;
        }
        if self.cursor.keyword() != Some(Keyword::For) {
            self.expected("`for`", "write `... by x.hp for x : list`");
            return None;
        }
        self.cursor.bump();
        let name: Name = self.name("the variable for the elements")?;
        self.colon("write `... for x : list` or `... for i : 1..n`");
        let list = self.expression();
        let last = self.cursor.take(Sign::DotDot).map(|_| self.expression());
        let filter = (self.cursor.keyword() == Some(Keyword::If)).then(|| {
            self.cursor.bump();
            self.expression()
        });
        Some(Comprehension {
            value,
            key,
            name,
            list,
            last,
            filter,
        })
    }

    /// The colon after a variable; `in` is read as one.
    fn colon(&mut self, help: &str) {
        if self.cursor.is_word("in") {
            self.in_for_colon(help);
            self.cursor.bump();
        } else {
            self.require(Sign::Colon, ':', help);
        }
    }
}
