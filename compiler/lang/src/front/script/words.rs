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
    /// Not reserved: it begins a definition.
    Enum,
    /// Not reserved: it begins a definition.
    Flags,
    /// Not reserved: it begins a definition.
    Table,
    /// Not reserved: it begins a statement or a value.
    Match,
}

use Keyword::{
    Break, Const, Continue, Deffun, Defroll, Deftype, Else, Enum, False, Flags, For, If, Import,
    Match, Return, Table, True, While,
};

/// Those that begin definitions.
const ITEMS: [Keyword; 8] = [Import, Const, Deftype, Enum, Flags, Deffun, Table, Defroll];

/// The reserved ones.
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

    /// The beginning of a definition that a word is which is not reserved.
    pub(super) fn item(word: &str) -> Option<Self> {
        let mut known = [Enum, Flags, Table].into_iter();
        known.find(|item| word.eq_ignore_ascii_case(item.as_str()))
    }

    /// The beginning of a definition that a word was likely meant to be.
    pub(super) fn near_item(word: &str) -> Option<Self> {
        let near = nearest(word, ITEMS.map(Keyword::as_str))?;
        ITEMS.into_iter().find(|item| item.as_str() == near)
    }

    /// The beginning of a statement that a word was likely meant to be.
    pub(super) fn near_statement(word: &str) -> Option<Self> {
        let statements = [If, Else, While, For, Match, Return];
        let near = nearest(word, statements.map(Keyword::as_str))?;
        statements.into_iter().find(|known| known.as_str() == near)
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
            Enum => "enum",
            Flags => "flags",
            Table => "table",
            Match => "match",
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

/// Whether the braces that a text begins with hold `name: value`, as no group of dice does.
pub(super) fn begins_parts(rest: &str) -> bool {
    let inside = rest[1..].trim_start();
    let named = inside.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
    named.len() < inside.len() && named.trim_start().starts_with(':')
}
