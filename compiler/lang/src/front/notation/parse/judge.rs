//! Which modifiers go together.

use super::Parser;
use crate::front::notation::ast::pool::{Explosion, Modifier, ModifierKind};
use crate::front::notation::ast::{Ast, AstKind};
use crate::front::notation::dialect::Dialect;
use crate::syntax::Code;

impl Parser<'_> {
    /// Reports modifiers that do not go together.
    pub(super) fn judge(&mut self, modifiers: &[Modifier]) {
        let explosions = modifiers
            .iter()
            .filter(|modifier| matches!(modifier.kind, ModifierKind::Explode(..)));
        self.only_one(Code::SecondExplosion, explosions);
        let successes = modifiers.iter().filter(|modifier| is_success(modifier));
        let counted = successes.clone().next().is_some();
        self.only_one(Code::BadCount, successes);
        let kinds: [fn(&ModifierKind) -> bool; 2] = [
            |kind| matches!(kind, ModifierKind::Failure(_)),
            |kind| matches!(kind, ModifierKind::Double(_)),
        ];
        for is_it in kinds {
            let same = modifiers.iter().filter(|modifier| is_it(&modifier.kind));
            if let Some(first) = same.clone().next()
                && !counted
            {
                self.count_missing(first);
            }
            self.only_one(Code::BadCount, same);
        }
    }

    /// Reports a middle of a number of dice that is not known before they are rolled.
    pub(super) fn judge_middle(&mut self, number: Option<&Ast>, modifiers: &[Modifier]) {
        let is_middle = |modifier: &Modifier| matches!(modifier.kind, ModifierKind::Middle(_));
        let Some(index) = modifiers.iter().position(is_middle) else {
            return;
        };
        let middle = &modifiers[index];
        let adds_dice = |modifier: &Modifier| {
            let how = match modifier.kind {
                ModifierKind::Explode(how, _) => how,
                _ => return false,
            };
            how != Explosion::Compound
        };
        let is_rolled = number.is_some_and(rolls) || middle.operands().any(rolls);
        let adds = match self.dialect {
            Dialect::Rulebook => modifiers.iter().any(adds_dice),
            Dialect::Notation => modifiers[..index].iter().any(adds_dice),
        };
        // What follows a change or parentheses sees only the dice that were kept before.
        let first = modifiers
            .iter()
            .position(|modifier| modifier.kind.selects());
        let kept_before = self.dialect == Dialect::Notation
            && first.is_some_and(|first| {
                let mut between = modifiers[first..=index].iter().skip(1);
                between.any(|modifier| modifier.changes_dice() || modifier.closes > 0)
            });
        if is_rolled || adds || kept_before {
            self.unknown_middle(middle.span);
        }
    }
}

/// Whether dice are rolled in it.
pub(super) fn rolls(ast: &Ast) -> bool {
    matches!(ast.kind, AstKind::Dice(_) | AstKind::Group(_)) || ast.kind.any_part(rolls)
}

pub(super) fn is_success(modifier: &Modifier) -> bool {
    matches!(modifier.kind, ModifierKind::Success(_))
}
