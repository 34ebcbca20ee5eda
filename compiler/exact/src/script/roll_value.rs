//! Lowers the roll of a value of the type `dice` to one head of a segment, whatever its terms are.

use super::dice_value::DiceLayout;
use super::lowering::Lowering;
use super::plan::{Pure, RollSite, RolledDice};
use super::shape::FieldPlace;
use crate::Shortcuts;
use dicec_lang::hir::{DiceTypes, LocalId, Place, StmtKind, Type, ValueBlock};
use dicec_runtime::span::Span;

impl<'s> Lowering<'_, '_, 's> {
    /// A block that rolls the value in a variable; `None` if that is an object.
    pub(super) fn roll_value(
        &mut self,
        block: &'s ValueBlock,
        value: LocalId,
        span: Span,
    ) -> Option<Pure> {
        let allowed = self.context.shortcuts.contains(Shortcuts::DICE_VALUES);
        let types = self.context.script.dice.filter(|_| allowed)?;
        let layout = self.dice_layout(types, span)?;
        for stmt in &block.statements {
            self.statement(stmt);
            if matches!(stmt.kind, StmtKind::Assign(Place::Local(local), _) if local == value) {
                break;
            }
        }
        let site = RollSite {
            dice: RolledDice::Value(layout),
            labels: Vec::new(),
            reads: Vec::new(),
        };
        Some(self.rolled(site, vec![Pure::Local(value.index())]))
    }

    fn dice_layout(&self, types: DiceTypes, span: Span) -> Option<DiceLayout> {
        let place = |record, field| match self.field(&Type::Record(record), field) {
            Some((FieldPlace::Fixed(place), false)) => Some(place),
            _ => None,
        };
        let [terms, bonus, times] = [0, 1, 2].map(|field| place(types.dice, field));
        let [dice, sides, keep, sign] = [0, 1, 2, 3].map(|field| place(types.term, field));
        Some(DiceLayout {
            value: [terms?, bonus?, times?],
            term: [dice?, sides?, keep?, sign?],
            span,
        })
    }
}
