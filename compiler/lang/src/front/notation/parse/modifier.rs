//! Parses the parts after dice or a group: modifiers, their conditions and their values.

use super::Parser;
use super::judge::is_success;
use crate::front::notation::ast::pool::{
    Condition, Dice, Explosion, Modifier, ModifierKind, Selector,
};
use crate::front::notation::ast::{Ast, AstKind, BinaryOp, CompareOp};
use crate::front::notation::dialect::Dialect;
use crate::front::notation::token::{ModifierWord, Token, TokenKind};
use dicec_runtime::span::Span;

impl Parser<'_> {
    /// All modifiers that follow here.
    pub(super) fn modifiers(&mut self) -> Vec<Modifier> {
        let mut found: Vec<Modifier> = Vec::new();
        while let Some(token) = self.cursor.peek() {
            let (kind, end) = match token.kind {
                TokenKind::Modifier(word) => self.word_modifier(word, token.span),
                TokenKind::Explode(explosion) => self.explosion(explosion, token.span),
                TokenKind::ExplodeEqual => self.explosion_on(token.span),
                TokenKind::Compare(_) if self.dialect == Dialect::Rulebook => break,
                TokenKind::Compare(CompareOp::NotEqual)
                    if self.cursor.slice(token.span) == "!=" =>
                {
                    self.explosion_on(token.span)
                }
                TokenKind::Compare(_) if self.compares_totals() => break,
                // A second comparison compares the count.
                TokenKind::Compare(_) if found.iter().any(is_success) => break,
                TokenKind::Compare(_) => self.bare_comparison(),
                TokenKind::Word if self.edge_word(token).is_some() => break,
                TokenKind::Word if let Some(keeps) = self.keep_or_drop(token) => {
                    self.spelt_out(keeps, token.span)
                }
                TokenKind::Word if self.is_misspelt(token) => {
                    self.misspelt();
                    continue;
                }
                _ => break,
            };
            found.extend(kind.map(|kind| Modifier::new(kind, token.span.to(end))));
        }
        found
    }

    /// A modifier that is a word, and where it ends; `None` if it has no meaning here.
    fn word_modifier(&mut self, word: ModifierWord, span: Span) -> (Option<ModifierKind>, Span) {
        self.cursor.bump();
        match word {
            ModifierWord::Select(selection) => {
                let count = self.starts_value().then(|| self.value());
                let end = count.as_ref().map_or(span, |count| count.span);
                (Some(ModifierKind::Select(selection, count)), end)
            }
            ModifierWord::Reroll { once } => {
                let (condition, end) = self.condition(span);
                (Some(ModifierKind::Reroll { once, condition }), end)
            }
            ModifierWord::Bound(how) => {
                let bound = self.value();
                let end = bound.span;
                (Some(ModifierKind::Bound(how, bound)), end)
            }
            ModifierWord::Middle => {
                let count = self.starts_value().then(|| self.value());
                let end = count.as_ref().map_or(span, |count| count.span);
                (Some(ModifierKind::Middle(count)), end)
            }
            ModifierWord::Count if !self.compares() => {
                let (condition, end) = self.condition(span);
                (Some(ModifierKind::Success(vec![condition])), end)
            }
            ModifierWord::Count => self.counted(ModifierKind::Success),
            ModifierWord::Double => self.counted(ModifierKind::Double),
            ModifierWord::Fail => self.counted(ModifierKind::Failure),
            ModifierWord::Cs if self.dialect == Dialect::Rulebook => {
                self.counted(ModifierKind::Success)
            }
            ModifierWord::Cs => self.mark(ModifierKind::Critical, span),
            ModifierWord::Cf => {
                self.notation_only(span, "has no marks for critical rolls");
                self.mark(ModifierKind::Fumble, span)
            }
            ModifierWord::Sort(order) => (Some(ModifierKind::Sort(order)), span),
        }
    }

    /// Whether a word is `keep` (true) or `drop`, with what is kept or dropped after it.
    fn keep_or_drop(&mut self, token: Token) -> Option<bool> {
        let word = self.cursor.slice(token.span);
        let keeps = word.eq_ignore_ascii_case("keep");
        let is_either = keeps || word.eq_ignore_ascii_case("drop");
        let goes_on = match self.cursor.peek_second_token()? {
            Token {
                kind: TokenKind::Word,
                span,
                ..
            } => match end_of(self.cursor.slice(span)) {
                Some(End::Middle) => keeps,
                end => end.is_some(),
            },
            token => starts_value(token.kind),
        };
        (is_either && goes_on).then_some(keeps)
    }

    /// `keep highest 3`, `drop lowest`, `keep 3`, as players write `kh3`, `dl` and `kh3`.
    fn spelt_out(&mut self, keeps: bool, span: Span) -> (Option<ModifierKind>, Span) {
        self.cursor.bump();
        let mut last = span;
        let mut which = match keeps {
            true => End::High,
            false => End::Low,
        };
        if let Some(token) = self.cursor.peek()
            && let Some(end) = end_of(self.cursor.slice(token.span))
        {
            self.cursor.bump();
            (which, last) = (end, token.span);
        }
        let count = self.starts_value().then(|| self.value());
        let end = count.as_ref().map_or(last, |count| count.span);
        let selector = match (keeps, which) {
            (_, End::Middle) => return (Some(ModifierKind::Middle(count)), end),
            (true, End::High) => Selector::KeepHigh,
            (true, End::Low) => Selector::KeepLow,
            (false, End::High) => Selector::DropHigh,
            (false, End::Low) => Selector::DropLow,
        };
        (Some(ModifierKind::Select(selector, count)), end)
    }

    /// Whether a word is advantage (true) or disadvantage.
    fn edge_word(&mut self, token: Token) -> Option<bool> {
        let word = self.cursor.slice(token.span);
        let is_one_of = |words: [&str; 2]| words.iter().any(|one| word.eq_ignore_ascii_case(one));
        match word {
            _ if is_one_of(["adv", "advantage"]) => Some(true),
            _ if is_one_of(["dis", "disadvantage"]) => Some(false),
            _ => None,
        }
    }

    /// `adv` or `dis` after one die: it is rolled twice, and the higher or the lower one is kept.
    pub(super) fn edge(&mut self, dice: &mut Dice) {
        let Some(token) = self.cursor.peek() else {
            return;
        };
        let is_word = token.kind == TokenKind::Word;
        let Some(advantage) = self.edge_word(token).filter(|_| is_word) else {
            return;
        };
        self.cursor.bump();
        let single = match &dice.count {
            None => true,
            Some(count) => count.kind == AstKind::Number(1),
        };
        let is_plain = |modifier: &Modifier| {
            let kind = &modifier.kind;
            matches!(kind, ModifierKind::Reroll { .. } | ModifierKind::Bound(..))
        };
        if !single || !dice.modifiers.iter().all(is_plain) {
            self.edge_of_several(token.span, advantage);
            return;
        }
        let number = |value| Ast::new(AstKind::Number(value), token.span);
        dice.count = Some(number(2));
        let selector = match advantage {
            true => Selector::KeepHigh,
            false => Selector::KeepLow,
        };
        let kind = ModifierKind::Select(selector, Some(number(1)));
        dice.modifiers.push(Modifier::new(kind, token.span));
    }

    /// A mark, which may have a condition.
    fn mark(
        &mut self,
        kind: impl FnOnce(Option<Condition>) -> ModifierKind,
        word: Span,
    ) -> (Option<ModifierKind>, Span) {
        if !self.compares() && !self.starts_value() {
            return (Some(kind(None)), word);
        }
        let (condition, end) = self.short_condition();
        (Some(kind(Some(condition))), end)
    }

    /// `!`, `!!` or `!p`, and the comparison that directly follows it.
    fn explosion(&mut self, explosion: Explosion, span: Span) -> (Option<ModifierKind>, Span) {
        self.cursor.bump();
        let glued = self.cursor.peek().filter(|token| token.glued);
        let condition = match glued.map(|token| token.kind) {
            Some(TokenKind::Compare(_)) => Some(self.short_condition()),
            // A label: a threshold would need a comparison.
            Some(TokenKind::Resource) if self.takes_labels => None,
            Some(_) if self.starts_value() => {
                let threshold = self.value();
                let end = threshold.span;
                self.explosion_without_comparison(explosion, span, end);
                let op = CompareOp::Equal;
                Some((Condition { op, threshold }, end))
            }
            _ => None,
        };
        let (condition, end) = condition.unzip();
        let kind = ModifierKind::Explode(explosion, condition);
        (Some(kind), end.unwrap_or(span))
    }

    /// `!==7`, or `!=7` in the notation dialect.
    fn explosion_on(&mut self, span: Span) -> (Option<ModifierKind>, Span) {
        self.cursor.bump();
        let threshold = self.value();
        let end = threshold.span.max(span);
        let op = CompareOp::Equal;
        let condition = Some(Condition { op, threshold });
        (
            Some(ModifierKind::Explode(Explosion::Extra, condition)),
            end,
        )
    }

    /// A comparison directly after dice, in the notation dialect.
    fn bare_comparison(&mut self) -> (Option<ModifierKind>, Span) {
        self.counted(ModifierKind::Success)
    }

    /// Whether a value begins here.
    pub(super) fn starts_value(&mut self) -> bool {
        self.cursor.peek_kind().is_some_and(starts_value)
    }

    /// The value of a modifier: a number, a resource or something in parentheses.
    pub(super) fn value(&mut self) -> Ast {
        let value = match self.cursor.peek() {
            Some(token) if token.kind == TokenKind::Open => self.parenthesis().ast,
            Some(token) if token.kind == TokenKind::Binary(BinaryOp::Sub) => {
                self.bare_sign(token.span)
            }
            _ => match self.leaf() {
                Some(leaf) => leaf,
                None => return self.missing_value(),
            },
        };
        if matches!(
            self.cursor.peek_kind(),
            Some(TokenKind::Dice | TokenKind::FateDice)
        ) {
            let letter = self.cursor.here();
            let (die, end) = self.die();
            self.rolled_value(value.span, letter, &die, end);
        }
        value
    }

    /// A negative value outside parentheses.
    fn bare_sign(&mut self, sign: Span) -> Ast {
        self.cursor.bump();
        let value = self.leaf();
        let span = value.map_or(sign, |value| sign.to(value.span));
        self.negative_value(span);
        Ast::new(AstKind::Error, span)
    }

    /// Whether a word directly after dice may be a misspelt modifier.
    fn is_misspelt(&self, token: Token) -> bool {
        let word = self.cursor.slice(token.span);
        let is_operator = ["x", "and", "or", "not"]
            .iter()
            .any(|other| word.eq_ignore_ascii_case(other));
        token.glued && !is_operator
    }

    /// Reports a word that is not a modifier, and skips its operands.
    fn misspelt(&mut self) {
        let word = self.cursor.take_run();
        if matches!(self.cursor.peek_kind(), Some(TokenKind::Compare(_))) {
            self.cursor.bump();
        }
        let value = self.starts_value().then(|| self.value());
        self.unknown_modifier(word, value.map(|value| value.span));
    }
}

/// Whether a value begins with a token.
fn starts_value(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Number(_)
            | TokenKind::Float(_)
            | TokenKind::Resource
            | TokenKind::Hole(_)
            | TokenKind::Broken
            | TokenKind::Open
    )
}

/// A part of dice in their order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    High,
    Low,
    Middle,
}

/// Which dice a word means.
fn end_of(word: &str) -> Option<End> {
    match word.to_ascii_lowercase().as_str() {
        "highest" | "high" => Some(End::High),
        "lowest" | "low" => Some(End::Low),
        "middle" => Some(End::Middle),
        _ => None,
    }
}
