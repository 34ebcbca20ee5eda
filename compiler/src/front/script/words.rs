//! The keywords of a script, and the words that were likely meant to be some.

use crate::syntax::nearest;

/// A reserved word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keyword {
    Import,
    Const,
    Deftype,
    Deffun,
    Defroll,
    If,
    Else,
    While,
    For,
    Break,
    Continue,
    Return,
    True,
    False,
}

use Keyword::{
    Break, Const, Continue, Deffun, Defroll, Deftype, Else, False, For, If, Import, Return, True,
    While,
};

/// Those that begin definitions.
const ITEMS: [Keyword; 5] = [Import, Const, Deftype, Deffun, Defroll];

const ALL: [Keyword; 14] = [
    Import, Const, Deftype, Deffun, Defroll, If, Else, While, For, Break, Continue, Return, True,
    False,
];

impl Keyword {
    /// The keyword of a word, ignoring capitals.
    pub(super) fn of(word: &str) -> Option<Self> {
        ALL.into_iter()
            .find(|keyword| keyword.as_str().eq_ignore_ascii_case(word))
    }

    /// The beginning of a definition that a word was likely meant to be.
    pub(super) fn near_item(word: &str) -> Option<Self> {
        nearest(word, ITEMS.map(Keyword::as_str)).and_then(Keyword::of)
    }

    /// The beginning of a statement that a word was likely meant to be.
    pub(super) fn near_statement(word: &str) -> Option<Self> {
        let near = nearest(word, [If, Else, While, For, Return].map(Keyword::as_str));
        near.and_then(Keyword::of)
    }

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Import => "import",
            Const => "const",
            Deftype => "deftype",
            Deffun => "deffun",
            Defroll => "defroll",
            If => "if",
            Else => "else",
            While => "while",
            For => "for",
            Break => "break",
            Continue => "continue",
            Return => "return",
            True => "true",
            False => "false",
        }
    }

    /// Whether it begins a definition.
    pub(super) fn is_item(self) -> bool {
        ITEMS.contains(&self)
    }

    /// Whether an expression can begin with it.
    pub(super) fn is_value(self) -> bool {
        matches!(self, True | False)
    }
}
