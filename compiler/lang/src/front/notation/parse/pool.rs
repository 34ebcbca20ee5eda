//! Dice and groups.

use super::Parser;
use super::expression::Operand;
use super::judge::rolls;
use crate::front::notation::ast::BinaryOp;
use crate::front::notation::ast::pool::{Dice, Die, Group, Modifier, ModifierKind};
use crate::front::notation::ast::{Ast, AstKind};
use crate::front::notation::dialect::Dialect;
use crate::front::notation::faces::faces;
use crate::front::notation::rerolled::rerolls_total;
use crate::front::notation::sums::{is_sum_of_dice, subtracted_pool};
use crate::front::notation::token::TokenKind;
use crate::syntax::{Code, Diagnostic, Diagnostics};
use dicec_runtime::span::Span;

impl Parser<'_> {
    /// Dice, after an optional count; the next token is their letter.
    pub(super) fn dice(&mut self, count: Option<Operand>) -> Operand {
        let letter = self.cursor.here();
        let (die, end) = self.die();
        let start = count.as_ref().map_or(letter, |count| count.ast.span);
        if let Some(count) = &count
            && count.open_pool
        {
            self.ambiguous_dice(count.ast.span, letter, &die, end);
        }
        let modifiers = self.modifiers();
        self.judge(&modifiers);
        self.judge_middle(count.as_ref().map(|count| &count.ast), &modifiers);
        let mut dice = Dice {
            count: count.map(|count| count.ast),
            die,
            modifiers,
        };
        self.edge(&mut dice);
        let end = dice.modifiers.last().map_or(end, |last| last.span);
        self.pool(AstKind::Dice(Box::new(dice)), start.to(end))
    }

    /// The modifiers of dice whose count and sides are holes.
    pub(super) fn modifiers_of_call(&mut self, start: Span) -> Ast {
        let modifiers = self.modifiers();
        self.judge(&modifiers);
        let [count, sides] = [0, 1].map(|hole| Ast::new(AstKind::Hole(hole), start));
        let mut dice = Dice::plain(Some(count), sides);
        // The number of dice is computed, so that it has no known middle.
        let rolled = Ast::new(AstKind::Dice(Box::new(dice.clone())), start);
        self.judge_middle(Some(&rolled), &modifiers);
        let end = modifiers.last().map_or(start, |last| last.span);
        dice.modifiers = modifiers;
        self.node(AstKind::Dice(Box::new(dice)), start.to(end))
    }

    /// A die without its count, and where it ends.
    pub(super) fn die(&mut self) -> (Die, Span) {
        let letter = self.cursor.here();
        let fate = self.cursor.take(TokenKind::FateDice).is_some();
        if fate {
            return (Die::Fate, letter);
        }
        self.cursor.bump();
        let next = self.cursor.here();
        match self.cursor.peek_kind() {
            Some(TokenKind::Binary(BinaryOp::Rem)) => {
                self.cursor.bump();
                (Die::Percent, next)
            }
            Some(TokenKind::Faces) => {
                self.cursor.bump();
                let mut found = Diagnostics::new();
                let faces = faces(self.cursor.text, next, &mut found);
                for diagnostic in found.iter() {
                    self.cursor.report(diagnostic.clone());
                }
                (Die::Faces(faces), next)
            }
            _ => {
                let sides = self.primary("a die needs its sides, as in `d20`").ast;
                let end = sides.span;
                (Die::Sides(sides), end)
            }
        }
    }

    /// A group; the next token opens it.
    pub(super) fn group(&mut self, opener: Span) -> Operand {
        self.cursor.bump();
        let list = self.nested(opener, |parser| parser.list(opener, TokenKind::CloseBrace));
        let Some((members, end)) = list else {
            return Operand::error(opener);
        };
        let braces = opener.to(end);
        if members.is_empty() {
            self.cursor.report(
                Diagnostic::error(Code::EmptyBraces, braces, "there is nothing in this group")
                    .help("list what belongs to it, as in `{2d6, 1d12}kh1`"),
            );
        }
        let modifiers = self.modifiers();
        self.judge(&modifiers);
        self.judge_group(&members, &modifiers);
        let end = modifiers.last().map_or(braces, |last| last.span);
        let group = Group {
            members,
            modifiers,
            round: false,
        };
        self.pool(AstKind::Group(Box::new(group)), opener.to(end))
    }

    fn pool(&mut self, kind: AstKind, span: Span) -> Operand {
        let modifiers = match &kind {
            AstKind::Dice(dice) => &dice.modifiers[..],
            AstKind::Group(group) => &group.modifiers[..],
            _ => &[],
        };
        let open_count =
            self.dialect == Dialect::Notation && modifiers.iter().any(Modifier::is_count);
        Operand {
            ast: self.node(kind, span),
            open_pool: true,
            open_count,
            parens: 0,
        }
    }

    /// Modifiers after something that does not end in dice or a group: in the notation dialect it
    /// may be dice, or a sum of dice, in parentheses.
    pub(super) fn late_modifiers(&mut self, left: Operand) -> Operand {
        let start = self.cursor.here();
        let mut modifiers = self.modifiers();
        let end = modifiers.last().map_or(start, |last| last.span);
        let counts_first = modifiers.first().is_some_and(Modifier::is_count);
        let takes = self.dialect == Dialect::Notation && left.parens > 0 && !counts_first;
        let span = left.ast.span.to(end);
        match left.ast.kind {
            AstKind::Dice(mut dice) if takes && !dice.modifiers.iter().any(Modifier::is_count) => {
                if let Some(first) = modifiers.first_mut() {
                    first.closes = left.parens;
                }
                dice.modifiers.append(&mut modifiers);
                self.judge(&dice.modifiers);
                self.judge_middle(dice.count.as_ref(), &dice.modifiers);
                self.pool(AstKind::Dice(dice), span)
            }
            AstKind::Error => left,
            kind => {
                let left = Operand {
                    ast: Ast::new(kind, left.ast.span).in_parens(left.ast.parens),
                    ..left
                };
                if takes && modifiers.iter().all(is_for_sums) && is_sum_of_dice(&left.ast) {
                    return self.round_group(left.ast, modifiers, span);
                }
                let for_groups = modifiers.iter().all(is_for_groups);
                self.not_a_pool(&left.ast, start, start.to(end), for_groups);
                left
            }
        }
    }

    /// `(1d6 + 2d8)s`: what braces would be.
    fn round_group(&mut self, mut member: Ast, modifiers: Vec<Modifier>, span: Span) -> Operand {
        self.judge(&modifiers);
        member.parens = 0;
        let members = vec![member];
        self.judge_group(&members, &modifiers);
        let group = Group {
            members,
            modifiers,
            round: true,
        };
        self.pool(AstKind::Group(Box::new(group)), span)
    }

    /// Reports modifiers that a group cannot have.
    fn judge_group(&mut self, members: &[Ast], modifiers: &[Modifier]) {
        let of_one = self.dialect == Dialect::Notation && members.len() == 1;
        let counts = modifiers.iter().any(Modifier::is_count);
        let rerolls = |modifier: &Modifier| {
            let thresholds_roll = modifier.operands().any(rolls);
            rerolls_total(modifier) && !counts && !thresholds_roll
        };
        let last = modifiers.iter().rposition(|modifier| !rerolls(modifier));
        let is_last = |modifier: &Modifier| {
            let after = last.map_or(0, |last| last + 1);
            modifiers[after..]
                .iter()
                .any(|other| std::ptr::eq(other, modifier))
        };
        let allowed = |modifier: &Modifier| {
            is_for_groups(modifier) || of_one && is_shown(modifier) || is_last(modifier)
        };
        if let Some(wrong) = modifiers.iter().find(|modifier| !allowed(modifier)) {
            self.not_for_groups(wrong.span);
        }
        self.judge_middle(None, modifiers);
        let is_middle = |modifier: &&Modifier| matches!(modifier.kind, ModifierKind::Middle(_));
        if let [member] = members
            && let Some(middle) = modifiers.iter().find(is_middle)
        {
            self.middle_of_one(member, middle.span);
        }
        let selects = modifiers.iter().any(|modifier| modifier.kind.selects());
        if let [member] = members
            && selects
            && let Some(span) = subtracted_pool(member, self.dialect)
        {
            self.subtracted_dice(span);
        }
    }
}

/// Whether a group can have this modifier: keeping, dropping and counting.
fn is_for_groups(modifier: &Modifier) -> bool {
    modifier.is_count() || modifier.kind.selects()
}

/// Whether it is only for the reader.
fn is_shown(modifier: &Modifier) -> bool {
    matches!(
        modifier.kind,
        ModifierKind::Sort(_) | ModifierKind::Critical(_) | ModifierKind::Fumble(_)
    )
}

/// Whether a sum of dice in parentheses can have this modifier.
fn is_for_sums(modifier: &Modifier) -> bool {
    is_for_groups(modifier) || is_shown(modifier)
}
