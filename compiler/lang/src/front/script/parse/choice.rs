//! Enums, flags, `match` and tables.

use super::Parser;
use crate::front::script::ast::{Arm, EnumDef, Expr, ExprKind, Match, Name, Node, Pattern};
use crate::front::script::ast::{PatternKind, Table, UnaryOp};
use crate::front::script::signs::Sign;
use crate::front::script::token::TokenKind;
use crate::front::script::words::Keyword;
use crate::syntax::nearest;
use dicec_runtime::span::Span;

const ARM: &str =
    "write `a: { ... }` or, in an expression or table, `a: value`; the last one may be `else`";

impl Parser<'_> {
    /// An enum or flags; the word is taken.
    pub(super) fn enum_def(&mut self, is_flags: bool) -> Option<EnumDef> {
        let (what, help) = match is_flags {
            false => (
                "an enum",
                "put its constants in braces: `enum mode { single, full }`",
            ),
            true => (
                "flags",
                "put its constants in braces: `flags condition { prone, stunned }`",
            ),
        };
        let name = self.name(what)?;
        let opener = self.require(Sign::OpenBrace, '{', help);
        let mut constants = Vec::new();
        self.until_closing_brace(opener, Self::ends_block, |parser| {
            constants.extend(parser.enum_constant());
            true
        });
        let constants = Node::new(constants, opener.to(self.cursor.last()));
        Some(EnumDef {
            name,
            is_flags,
            constants,
            success: self.succeeds_from(),
        })
    }

    /// `succeeds from regular`, which makes an enum a ladder.
    fn succeeds_from(&mut self) -> Option<Name> {
        const HELP: &str = "name the lowest constant that is a success: `succeeds from regular`";
        if !self.clause_word("succeeds") {
            return None;
        }
        if !self.clause_word("from") {
            self.expected("`from`", HELP);
        }
        self.name("a constant")
    }

    /// Takes a word of a clause after a definition, or what was likely meant to be it: no other
    /// definition begins with such a word.
    fn clause_word(&mut self, right: &str) -> bool {
        let Some(word) = self.cursor.word() else {
            return false;
        };
        if word != right {
            let is_near = Keyword::item(word).is_none()
                && Keyword::near_item(word).is_none()
                && nearest(word, [right]).is_some();
            if !is_near {
                return false;
            }
            self.misspelt(self.cursor.here(), right);
        }
        self.cursor.bump();
        true
    }

    fn enum_constant(&mut self) -> Option<Name> {
        let Some(constant) = self.name("a constant") else {
            self.skip_to_separator();
            return None;
        };
        if self.cursor.take(Sign::Comma).is_none() && !self.cursor.is(Sign::CloseBrace) {
            self.separator_missing(',', "constants are separated by commas");
            self.cursor.take(Sign::Semicolon);
        }
        Some(constant)
    }

    /// Whether a `match` begins here, rather than a call of a function of this name.
    pub(super) fn begins_match(&self) -> bool {
        let word = self.cursor.word();
        word.is_some_and(|word| word.eq_ignore_ascii_case("match"))
            && self.records
            && self.cursor.second_is(Sign::Open)
            && self.cursor.block_follows_parenthesis()
    }

    /// A `match` as a value; its word is next.
    pub(super) fn match_value(&mut self) -> Expr {
        let start = self.cursor.here();
        self.cursor.bump();
        let parts = self.match_of(true, |parser| Some(parser.expression()));
        let span = start.to(self.cursor.last());
        match parts {
            Some(parts) => self.node(ExprKind::Match(Box::new(parts)), span),
            None => Expr::new(ExprKind::Error, span),
        }
    }

    /// What follows the word; `value` takes what an arm does or gives, and `commas` says whether
    /// commas separate them.
    pub(super) fn match_of<T>(
        &mut self,
        commas: bool,
        value: impl Fn(&mut Self) -> Option<T>,
    ) -> Option<Match<T>> {
        let subject = self.condition();
        let arms = self.arms(commas, value)?;
        Some(Match { subject, arms })
    }

    /// A table; its word is taken.
    pub(super) fn table(&mut self) -> Option<Table> {
        let name = self.name("a table")?;
        let result = match self.cursor.take(Sign::Colon) {
            Some(_) => Some(self.ty()?),
            None => None,
        };
        let rows = self.arms(true, |parser| Some(parser.expression()))?;
        Some(Table { name, result, rows })
    }

    /// Arms in braces.
    fn arms<T>(
        &mut self,
        commas: bool,
        value: impl Fn(&mut Self) -> Option<T>,
    ) -> Option<Node<Vec<Node<Arm<T>>>>> {
        let opener = self.require(Sign::OpenBrace, '{', ARM);
        let arms = self.nested(opener, |parser| {
            let mut arms = Vec::new();
            parser.until_closing_brace(opener, Self::ends_block, |parser| {
                match parser.arm(&value) {
                    Some(arm) => {
                        arms.push(arm);
                        parser.arm_ends(commas);
                    }
                    None => parser.skip_to_separator(),
                }
                true
            });
            arms
        })?;
        Some(Node::new(arms, opener.to(self.cursor.last())))
    }

    fn arm<T>(&mut self, value: &impl Fn(&mut Self) -> Option<T>) -> Option<Node<Arm<T>>> {
        let start = self.cursor.here();
        let mut patterns = Vec::new();
        if self.cursor.keyword() == Some(Keyword::Else) {
            self.cursor.bump();
        } else {
            patterns.push(self.pattern()?);
            while self.cursor.take(Sign::Comma).is_some() {
                patterns.push(self.pattern()?);
            }
        }
        self.require(Sign::Colon, ':', ARM);
        let value = value(self)?;
        let arm = Arm { patterns, value };
        Some(Node::new(arm, start.to(self.cursor.last())))
    }

    fn arm_ends(&mut self, comma: bool) {
        let ends = self.cursor.is(Sign::CloseBrace) || self.ends_block();
        if self.cursor.take(Sign::Comma).is_none() && comma && !ends {
            self.separator_missing(',', "arms and rows are separated by commas");
        }
    }

    /// What an arm is for: a value, or whole numbers in a row.
    pub(super) fn pattern(&mut self) -> Option<Pattern> {
        let start = self.cursor.here();
        let kind = if self.cursor.take(Sign::DotDot).is_some() {
            PatternKind::Range(None, Some(self.bound()?))
        } else {
            let first = self.bound()?;
            match self.cursor.kind() {
                Some(TokenKind::Sign(Sign::DotDot)) => {
                    self.cursor.bump();
                    let ends = self.cursor.is(Sign::Colon) || self.cursor.is(Sign::Comma);
                    let last = if ends { None } else { Some(self.bound()?) };
                    PatternKind::Range(Some(first), last)
                }
                Some(TokenKind::Sign(Sign::Minus | Sign::Dash)) => {
                    self.cursor.bump();
                    PatternKind::Range(Some(first), Some(self.bound()?))
                }
                Some(TokenKind::Sign(Sign::Plus)) => {
                    self.cursor.bump();
                    PatternKind::Range(Some(first), None)
                }
                _ => PatternKind::Value(first),
            }
        };
        Some(Pattern::new(kind, start.to(self.cursor.last())))
    }

    /// A known value: a name, a number, a text or a truth value.
    fn bound(&mut self) -> Option<Expr> {
        let span = self.cursor.here();
        let kind = match self.cursor.kind() {
            Some(TokenKind::Sign(Sign::Minus | Sign::Dash)) => {
                self.cursor.bump();
                let Some(TokenKind::Int(value)) = self.cursor.kind() else {
                    self.pattern_missing();
                    return None;
                };
                let value = Expr::new(ExprKind::Int(*value), self.cursor.here());
                ExprKind::Unary(UnaryOp::Negate, Box::new(value))
            }
            Some(TokenKind::Word) => return self.constant_name(),
            Some(TokenKind::Int(value)) => ExprKind::Int(*value),
            Some(TokenKind::Float(value)) => ExprKind::Float(*value),
            Some(TokenKind::Text(text)) => ExprKind::Text(text.clone()),
            Some(TokenKind::Keyword(Keyword::True)) => ExprKind::Bool(true),
            Some(TokenKind::Keyword(Keyword::False)) => ExprKind::Bool(false),
            _ => {
                self.pattern_missing();
                return None;
            }
        };
        self.cursor.bump();
        Some(Expr::new(kind, span.to(self.cursor.last())))
    }

    /// `full`, `mode.full`
    fn constant_name(&mut self) -> Option<Expr> {
        let Name { kind, span } = self.name("a constant")?;
        let mut value = Expr::new(ExprKind::Name(kind), span);
        while self.cursor.take(Sign::Dot).is_some() {
            let name = self.name("a constant")?;
            let span: Span = value.span.to(name.span);
            value = self.node(ExprKind::Field(Box::new(value), name), span);
        }
        Some(value)
    }

    fn pattern_missing(&mut self) {
        self.expected("what this arm is for", ARM);
    }
}
