//! Lowers options: by the policies of simulated players, or as decisions whose answers are all
//! possible.

use super::lowering::Lowering;
use super::plan::{Decision, Head, Pure};
use super::shape::{FieldPlace, ShapeId};
use dicec_lang::hir::{Expr, ExprKind, Math, Policy, Type, UserOption};

impl<'s> Lowering<'_, '_, 's> {
    pub(super) fn option(&mut self, option: &'s UserOption) -> Pure {
        for part in option.question() {
            // A literal text needs no join.
            match &part.kind {
                ExprKind::Join(parts) => parts.iter().for_each(|part| self.eval(part)),
                _ => self.eval(part),
            }
        }
        let decided = self.context.decided.get(option.option.index());
        if decided == Some(&true) {
            return self.decision(option);
        }
        let Some(answers) = &option.answers else {
            let into = self.temporary(ShapeId::VALUE);
            self.head(Head::Option(into, option.option));
            return Pure::Local(into);
        };
        let policy = self.context.policies.get(option.option.index());
        let [first, last] = self.operands(answers.bounds.each_ref());
        match policy.copied().unwrap_or_default() {
            Policy::Random => self.expr(&answers.random),
            Policy::Answer(number) => {
                let least = Pure::Extreme(Math::Min, vec![Pure::Word(number), last]);
                Pure::Extreme(Math::Max, vec![least, first])
            }
            Policy::Never | Policy::Always | Policy::Chance(_) => first,
        }
    }

    /// An option whose answers are all possible.
    fn decision(&mut self, option: &'s UserOption) -> Pure {
        let who = option.who.as_ref().and_then(|who| self.name(who));
        let answers = option.answers.as_ref();
        let bounds = answers.map(|answers| {
            let bounds = self.operands(answers.bounds.each_ref());
            bounds.map(|bound| self.spilled(bound, ShapeId::VALUE))
        });
        let list = answers.and_then(|answers| answers.list.as_ref());
        let list = list.map(|list| (self.kept(list), list.ty.clone()));
        let into = self.temporary(ShapeId::VALUE);
        self.head(Head::Decision(Box::new(Decision {
            into,
            option: option.option,
            bounds,
            who,
            list,
        })));
        Pure::Local(into)
    }

    /// The name of a player: a text, or the first text of a record.
    fn name(&mut self, who: &'s Expr) -> Option<Pure> {
        let Type::Record(id) = who.ty else {
            let name = self.expr(who);
            return Some(self.spilled(name, ShapeId::VALUE));
        };
        let fields = &self.context.script.record(id).fields;
        let field = fields.iter().position(|field| field.ty == Type::Text)?;
        let (place, is_object) = self.field(&who.ty, field as u32)?;
        let record = Box::new(self.expr(who));
        let name = match (place, is_object) {
            (FieldPlace::Slot(slot), _) => Pure::Slot(record, slot),
            (FieldPlace::Fixed(fixed), true) => Pure::Fixed(Box::new(Pure::Slot(record, 0)), fixed),
            (FieldPlace::Fixed(fixed), false) => Pure::Fixed(record, fixed),
        };
        Some(self.spilled(name, ShapeId::VALUE))
    }
}
