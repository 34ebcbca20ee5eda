//! Calls of functions: arguments match parameters by order or by name, and defaults replace missing
//! ones.

use super::body::{Body, expr};
use super::make::Make;
use crate::front::script::ast::{Arguments, Name};
use crate::hir::{Block, Data, Expr, ExprKind, FunctionId, Module, Type};
use crate::syntax::{Code, Diagnostic, nearest};
use dicec_runtime::span::Span;

impl Body<'_, '_> {
    /// A call of a function of the script.
    pub(super) fn call_of(&mut self, id: FunctionId, arguments: &Arguments, span: Span) -> Expr {
        let params = self.lowering.out.module.function(id).params;
        let mut given: Vec<Option<Expr>> = vec![None; params];
        // The parameters of the arguments, in written order.
        let mut places: Vec<usize> = Vec::new();
        let mut fits = arguments.values.len() <= params;
        for (place, value) in arguments.values.iter().enumerate() {
            let value = self.expr(value);
            if let Some(given) = given.get_mut(place) {
                *given = Some(value);
                places.push(place);
            }
        }
        if !fits {
            self.wrong_number(id, arguments.all().count(), span);
        }
        for (name, value) in &arguments.named {
            let value = self.expr(value);
            let Some(place) = self.parameter(id, name) else {
                fits = false;
                continue;
            };
            if given[place].is_some() {
                self.argument_twice(id, name);
            }
            given[place] = Some(value);
            places.push(place);
        }
        if !fits {
            return self.unresolved(span);
        }
        if let Some(missing) = self.left_out(id, &mut given, span) {
            match arguments.unnamed() {
                Some(values) => self.wrong_number(id, values.len(), span),
                None => self.argument_missing(id, missing, span),
            }
            return self.unresolved(span);
        }
        let values: Vec<Expr> = given.into_iter().flatten().collect();
        if places.is_sorted() {
            return expr(ExprKind::Call(id, values), span);
        }
        self.in_written_order(id, &places, values, span)
    }

    /// Puts the defaults where an argument is left out; the first parameter that has none.
    fn left_out(&self, id: FunctionId, given: &mut [Option<Expr>], span: Span) -> Option<usize> {
        let function = self.lowering.out.module.function(id);
        let missing = given.iter_mut().enumerate();
        for (place, given) in missing.filter(|(_, given)| given.is_none()) {
            let Some(default) = &function.defaults[place] else {
                return Some(place);
            };
            let ty = &function.locals[place].ty;
            *given = Some(written_out(&self.lowering.out.module, default, ty, span));
        }
        None
    }

    /// A call whose arguments are written in another order than its parameters: they are evaluated
    /// in written order.
    fn in_written_order(
        &mut self,
        id: FunctionId,
        places: &[usize],
        mut values: Vec<Expr>,
        span: Span,
    ) -> Expr {
        let mut statements = Block::new();
        for place in places {
            let value = &mut values[*place];
            if !is_written(value) {
                let taken = std::mem::replace(value, Make(value.span).int(0));
                let [var] = self.fresh(taken.span);
                statements.push(Make(taken.span).set(var, taken));
                *value = Make(var.span).local(var);
            }
        }
        let call = expr(ExprKind::Call(id, values), span);
        Make(span).block(statements, call)
    }

    /// The index of a parameter.
    fn parameter(&mut self, id: FunctionId, name: &Name) -> Option<usize> {
        let function = self.lowering.out.module.function(id);
        let params = &function.locals[..function.params];
        let place = params.iter().position(|param| param.name == name.kind);
        if place.is_some() {
            return place;
        }
        let known = || params.iter().map(|param| param.name.as_str());
        let help = match nearest(&name.kind, known()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("it is called as `{}`", self.written_call(id)),
        };
        let message = format!("`{}` has no parameter `{}`", function.name, name.kind);
        let found = Diagnostic::error(Code::UnknownName, name.span, message)
            .label(function.span, "it is defined here")
            .help(help);
        self.report(found);
        None
    }
}

/// Whether a value is written in the call, so that it does not matter when it is evaluated.
fn is_written(value: &Expr) -> bool {
    matches!(
        value.kind,
        ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Bool(_)
            | ExprKind::Text(_)
            | ExprKind::Degree(..)
            | ExprKind::Named(_)
            | ExprKind::Constant(_)
    )
}

/// A constant as an expression that makes it: records and lists are new objects.
fn written_out(module: &Module, data: &Data, ty: &Type, span: Span) -> Expr {
    let kind = match (data, ty) {
        (Data::Int(value), _) => ExprKind::Int(*value),
        (Data::Float(value), _) => ExprKind::Float(*value),
        (Data::Bool(value), _) => ExprKind::Bool(*value),
        (Data::Text(text), _) => ExprKind::Text(text.clone()),
        (Data::Named(rung), Type::Degree(ladder)) => ExprKind::Degree(*ladder, *rung),
        (Data::Named(value), Type::Enum(_) | Type::Flags(_)) => ExprKind::Named(*value),
        (Data::List(parts), Type::List(element)) => {
            let parts = parts.iter();
            let parts = parts.map(|part| written_out(module, part, element, span));
            ExprKind::List(parts.collect())
        }
        (Data::Record(parts), Type::Record(id)) => {
            let fields = module.record(*id).fields.iter().zip(parts).zip(0..);
            let fields = fields
                .map(|((field, part), place)| (place, written_out(module, part, &field.ty, span)));
            ExprKind::Record(*id, fields.collect())
        }
        // Its type was wrong, which was reported.
        _ => ExprKind::Int(0),
    };
    Expr {
        kind,
        ty: ty.clone(),
        span,
    }
}

/// Mistakes.
impl Body<'_, '_> {
    /// The names of the parameters as a call has them; those with a default may be left out.
    fn written_call(&self, id: FunctionId) -> String {
        let function = self.lowering.out.module.function(id);
        let params = function.locals.iter().zip(&function.defaults);
        let params = params.map(|(param, default)| match default {
            Some(_) => format!("{}: ...", param.name),
            None => param.name.clone(),
        });
        format!(
            "{}({})",
            function.name,
            params.collect::<Vec<_>>().join(", ")
        )
    }

    fn wrong_number(&mut self, id: FunctionId, found: usize, span: Span) {
        let function = self.lowering.out.module.function(id);
        let least = function.defaults.iter().filter(|default| default.is_none());
        let wanted = match (least.count(), function.params) {
            (_, 0) => "takes no arguments".to_owned(),
            (1, 1) => "takes one argument".to_owned(),
            (0, 1) => "takes at most one argument".to_owned(),
            (least, most) if least == most => format!("takes {most} arguments"),
            (0, most) => format!("takes at most {most} arguments"),
            (least, most) => format!("takes {least} to {most} arguments"),
        };
        let message = format!("`{}` {wanted}, but has {found} here", function.name);
        let found = Diagnostic::error(Code::WrongCount, span, message)
            .label(function.span, "it is defined here")
            .help(format!("write `{}`", self.written_call(id)));
        self.report(found);
    }

    /// A parameter without a default gets no value.
    fn argument_missing(&mut self, id: FunctionId, place: usize, span: Span) {
        let function = self.lowering.out.module.function(id);
        let name = &function.locals[place].name;
        let message = format!("`{}` needs a value for `{name}`", function.name);
        let found = Diagnostic::error(Code::WrongCount, span, message)
            .label(function.locals[place].span, "it has no default")
            .help(format!("add `{name}: ...`"));
        self.report(found);
    }

    fn argument_twice(&mut self, id: FunctionId, name: &Name) {
        let function = &self.lowering.out.module.function(id).name;
        let message = format!("`{}` of `{function}` has two values", name.kind);
        let found = Diagnostic::error(Code::DefinedTwice, name.span, message);
        self.report(found.help("remove one of them"));
    }
}
