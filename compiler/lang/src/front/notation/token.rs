//! The tokens of the notation.

use super::ast::pool::{Bound, Explosion, Selector, SortOrder};
use super::ast::{BinaryOp, CompareOp, Float};
use dicec_runtime::against::Against;
use dicec_runtime::resource::ResourceName;
use dicec_runtime::span::Span;

/// A token and its location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
    /// No space precedes it.
    pub(super) glued: bool,
}

/// The kinds of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Number(i64),
    Float(Float),
    /// The `d` of dice.
    Dice,
    /// `dF`, whole.
    FateDice,
    /// The faces in braces after a `d`, braces included; [`super::faces`] reads them.
    Faces,
    /// A resource with its brackets; [`resource_name`] reads its name.
    Resource,
    /// A hole of the text, by its index.
    Hole(u32),
    Binary(BinaryOp),
    Compare(CompareOp),
    /// `!`, `!!` or `!p`.
    Explode(Explosion),
    /// `!==`.
    ExplodeEqual,
    Open,
    Close,
    OpenBrace,
    CloseBrace,
    Comma,
    /// The word `vs` or `under`.
    Versus(Against),
    /// A word that can follow dice.
    Modifier(ModifierWord),
    /// Any other word: a function's name, or one that the language does not know.
    Word,
    /// An operand that could not be read; already reported.
    Broken,
}

impl TokenKind {
    /// Whether it is made of letters.
    pub(super) fn is_word(self) -> bool {
        matches!(
            self,
            TokenKind::Word
                | TokenKind::Modifier(_)
                | TokenKind::Dice
                | TokenKind::FateDice
                | TokenKind::Versus(_)
        )
    }
}

/// A word that can follow dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ModifierWord {
    /// `k`, `kh`, `kl`, `dh`, `dl`
    Select(Selector),
    /// `km`
    Middle,
    /// `r`, `ro`
    Reroll { once: bool },
    /// `min`, `max`; functions as well
    Bound(Bound),
    /// `count`
    Count,
    /// `double`
    Double,
    /// `cs`
    Cs,
    /// `cf`
    Cf,
    /// `fail`, `f`
    Fail,
    /// `s`, `sa`, `sd`
    Sort(SortOrder),
}

/// The name of the resource that is written so.
pub(in crate::front) fn resource_name(written: &str) -> ResourceName {
    let within = |opener, closer| written.strip_prefix(opener)?.strip_suffix(closer);
    let name = within("[", "]")
        .or_else(|| within("@{", "}"))
        .or_else(|| written.strip_prefix('@'));
    ResourceName::parse(name.unwrap_or(written))
}
