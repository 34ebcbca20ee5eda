//! Calls: of what every script has, and of functions.

use super::body::{Body, expr};
use super::builtin::Builtin;
use super::comprehension::Elements;
use crate::front::script::ast::{self, Arguments, Name};
use crate::hir::{ArithOp, Data, Expr, ExprKind, StatName};
use crate::syntax::{Code, Diagnostic};
use dicec_runtime::span::Span;

impl Body<'_, '_> {
    pub(super) fn call(&mut self, name: &Name, arguments: &Arguments, span: Span) -> Expr {
        if let Some(builtin) = self.lowering.builtin_named(name) {
            match arguments.unnamed() {
                Some(values) if builtin.arity().contains(&values.len()) => {
                    return self.builtin(builtin, values, span);
                }
                Some(values) => self.wrong_count(builtin, values.len(), span),
                None => self.nameless(builtin, arguments),
            }
        } else {
            match self.lowering.named(name)[..] {
                [id] => return self.call_of(id, arguments, span),
                [] => self.no_such_function(name),
                ref several => self.ambiguous_function(name, several),
            }
        }
        for argument in arguments.all() {
            self.expr(argument);
        }
        self.unresolved(span)
    }

    /// A call with as many arguments as it takes.
    fn builtin(&mut self, builtin: Builtin, arguments: &[ast::Expr], span: Span) -> Expr {
        let kind = match (builtin, arguments) {
            (Builtin::Roll, [dice]) if self.is_dice_value(dice) => {
                return self.roll_value(dice, span);
            }
            (Builtin::Roll, [dice]) => return self.roll(dice, span),
            (Builtin::Critical, [dice]) => return self.critical(dice, span),
            (Builtin::Maximum, [dice]) => return self.maximum(dice, span),
            (Builtin::Average, [dice]) => return self.average(dice, span),
            (Builtin::Dice, _) => return self.dice_call(arguments, span),
            (Builtin::PoolDice, [dice]) => return self.pool_dice(dice, span),
            (Builtin::UserOption, _) => return self.user_option(arguments, span),
            (Builtin::Not, [value]) => ExprKind::Not(self.boxed(value)),
            (Builtin::Len, [list]) => ExprKind::Len(self.boxed(list)),
            (Builtin::Pow, [base, exponent]) => {
                ExprKind::Arith(ArithOp::Pow, self.boxed(base), self.boxed(exponent))
            }
            (Builtin::Append, [list, value]) => {
                ExprKind::Append(self.boxed(list), self.boxed(value))
            }
            (Builtin::List, _) => ExprKind::List(self.all(arguments)),
            (Builtin::Sum | Builtin::Count | Builtin::Any | Builtin::All, [list]) => {
                return self.reduce(builtin, Elements::Of(list), span);
            }
            (Builtin::Contains, [list, value]) => {
                ExprKind::Has(self.boxed(list), self.boxed(value))
            }
            (Builtin::IndexOf, [list, value]) => return self.index_of(list, value, span),
            (Builtin::Pop, [list]) => ExprKind::Pop(self.boxed(list)),
            (Builtin::Insert, [list, index, value]) => {
                return self.insert(list, [index, value], span);
            }
            (Builtin::Remove, [list, index]) => return self.remove(list, index, span),
            (Builtin::Pick, [list]) => {
                let list = self.expr(list);
                return self.pick(list, span);
            }
            (Builtin::Draw, [list]) => return self.draw(list, span),
            (Builtin::Shuffle, [list]) => return self.shuffle(list, span),
            (Builtin::Sort, [list]) => {
                let list = self.expr(list);
                return self.sort(list, false, span);
            }
            (Builtin::Sorted, [list]) => return self.sorted(Elements::Of(list), span),
            (Builtin::Least | Builtin::Most, [_]) => {
                self.key_missing(builtin, span);
                return self.unresolved(span);
            }
            (builtin, _) if let Some(function) = builtin.math() => {
                ExprKind::Math(function, self.all(arguments))
            }
            // Commands: they were handled as statements.
            _ => {
                for argument in arguments {
                    self.expr(argument);
                }
                self.command_as_value(builtin, span);
                return self.unresolved(span);
            }
        };
        expr(kind, span)
    }

    pub(super) fn all(&mut self, arguments: &[ast::Expr]) -> Vec<Expr> {
        arguments
            .iter()
            .map(|argument| self.expr(argument))
            .collect()
    }

    /// The name of a statistic.
    pub(super) fn stat_name(&mut self, name: &ast::Expr) -> StatName {
        match self.constant(name) {
            Some(Data::Text(name)) => StatName::Known(self.lowering.out.stat(&name)),
            _ => StatName::Text(self.expr(name)),
        }
    }

    fn wrong_count(&mut self, builtin: Builtin, found: usize, span: Span) {
        let arity = builtin.arity();
        let wanted = match (*arity.start(), *arity.end()) {
            (0, 0) => "takes no arguments".to_owned(),
            (1, 1) => "takes one argument".to_owned(),
            (least, most) if least == most => format!("takes {least} arguments"),
            (least, usize::MAX) => format!("takes at least {least}"),
            (least, most) if least + 1 == most => format!("takes {least} or {most} arguments"),
            (least, most) => format!("takes {least} to {most} arguments"),
        };
        let message = format!("`{}` {wanted}, but has {found} here", builtin.name());
        let diagnostic = Diagnostic::error(Code::WrongCount, span, message);
        let mut help = format!("write `{}`", builtin.signature());
        if (builtin, found) == (Builtin::Insert, 2) {
            help += ", or `append(list, value)` to put it at the end";
        }
        self.report(diagnostic.help(help));
    }

    /// Names in a call of what every script has.
    fn nameless(&mut self, builtin: Builtin, arguments: &Arguments) {
        let Some((name, _)) = arguments.named.first() else {
            return;
        };
        let message = format!("`{}` takes arguments without names", builtin.name());
        let found = Diagnostic::error(Code::Misplaced, name.span, message);
        self.report(found.help(format!("write `{}`", builtin.signature())));
    }

    fn command_as_value(&mut self, builtin: Builtin, span: Span) {
        let message = format!("`{}` gives no value", builtin.name());
        let found = Diagnostic::error(Code::NoValue, span, message);
        self.report(found.help(format!(
            "let it be a statement of its own: `{};`",
            builtin.signature()
        )));
    }
}
