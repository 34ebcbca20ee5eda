//! Expressions.

use super::numbers::agree;
use super::scope::Scope;
use super::types::{MAX_LISTS, list_of, lists, unify};
use crate::hir::{Answers, CompareOp, Expr, ExprKind, Field, FunctionId, Math, Type};
use crate::syntax::{Code, Diagnostic, RESOURCE_OR_LIST, unknown_field};
use dicec_runtime::span::Span;

/// Stack space that is ensured before going down a tree, and how much is added if it is short.
const STACK_LEFT: usize = 128 << 10;
const STACK_ADDED: usize = 2 << 20;

impl Scope<'_> {
    /// Infers an expression that has to have a value.
    pub(super) fn value(&mut self, expr: &mut Expr) {
        self.infer(expr);
        if expr.ty == Type::Unit {
            self.no_value(expr);
            expr.ty = Type::Unknown;
        }
    }

    /// Infers an expression, which may have no value.
    pub(super) fn infer(&mut self, expr: &mut Expr) {
        stacker::maybe_grow(STACK_LEFT, STACK_ADDED, || self.infer_type(expr));
        // Whole numbers need no rounding.
        if let ExprKind::Math(Math::Floor | Math::Ceil | Math::Round, args) = &mut expr.kind
            && args.iter().all(|arg| arg.ty == Type::Int)
            && let Some(arg) = args.pop()
        {
            *expr = arg;
        }
    }

    fn infer_type(&mut self, expr: &mut Expr) {
        let span = expr.span;
        expr.ty = match &mut expr.kind {
            ExprKind::Int(_) | ExprKind::Resource(_) => Type::Int,
            ExprKind::Float(_) | ExprKind::ToFloat(_) => Type::Float,
            ExprKind::Bool(_) => Type::Bool,
            ExprKind::Degree(ladder, _) => Type::Degree(*ladder),
            // Of a constant without a type, see `named`.
            ExprKind::Named(_) => expr.ty.clone(),
            ExprKind::Text(_) | ExprKind::Join(_) => Type::Text,
            ExprKind::Constant(id) => self.script.constant(*id).ty.clone(),
            ExprKind::Local(local) => self.locals[local.index()].ty.clone(),
            ExprKind::Negate(value) => {
                if self.inside.is_some() {
                    self.number_in_roll(value);
                } else {
                    self.value(value);
                    self.require_number(value, "arithmetic takes");
                }
                match value.ty {
                    Type::Float => Type::Float,
                    _ => Type::Int,
                }
            }
            ExprKind::AtLeast(..) => return self.clamped(expr),
            ExprKind::NotNegative(count) => self.not_negative(count),
            ExprKind::Math(Math::Max | Math::Min, args)
                if args.len() == 1 && self.inside.is_none() =>
            {
                return self.extreme(expr);
            }
            ExprKind::Math(function, args) => self.math(*function, args),
            ExprKind::Pool(pool) => {
                self.pool(pool, span);
                Type::Int
            }
            ExprKind::Group(group) => {
                self.group(group);
                Type::Int
            }
            ExprKind::Versus(against, roll, number) => self.versus(against, roll, number, span),
            ExprKind::Degrees(_) => Type::Int,
            ExprKind::Not(value) => {
                self.value(value);
                self.require_truth(value);
                Type::Bool
            }
            ExprKind::Has(..) => return self.has(expr),
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                for side in [left, right] {
                    self.value(side);
                    self.require_truth(side);
                }
                Type::Bool
            }
            ExprKind::Arith(..) => return self.arith(expr),
            ExprKind::Compare(..) | ExprKind::Same(..) => return self.compare(expr),
            ExprKind::Choose(parts) => self.choose(parts, span),
            ExprKind::Len(list) => {
                self.value(list);
                self.element_of(list);
                Type::Int
            }
            ExprKind::List(items) => self.list(items, span),
            ExprKind::Append(list, value) => {
                self.value(list);
                self.value(value);
                self.append(list, value);
                Type::Unit
            }
            ExprKind::Pop(list) => {
                self.value(list);
                self.element_of(list)
            }
            ExprKind::Field(record, field) => {
                self.value(record);
                if let Some(constant) = self.constant_of_type(record, *field, span) {
                    *expr = constant;
                    return;
                }
                if record.ty == Type::Test {
                    return self.field_of_test(expr);
                }
                if let Some(lowest) = self.asked_success(record, *field) {
                    let rung = std::mem::replace(record, Box::new(lowest.clone()));
                    expr.kind = ExprKind::Compare(CompareOp::GreaterEqual, rung, Box::new(lowest));
                    expr.ty = Type::Bool;
                    return;
                }
                self.field(record, field, Some(span))
            }
            ExprKind::Element(list, index) => {
                self.value(list);
                self.value(index);
                self.require(index, &Type::Int, "an index is");
                self.element_of(list)
            }
            ExprKind::Record(id, fields) => {
                for (place, value) in fields {
                    self.value(value);
                    let field = &self.script.record(*id).fields[*place as usize];
                    match field.ty {
                        Type::Unknown => self.part_of_result(value, field, *place as usize),
                        _ => self.require_field(value, field),
                    }
                }
                Type::Record(*id)
            }
            ExprKind::Call(id, arguments) => self.call(*id, arguments, span),
            ExprKind::Roll(roll) => self.roll(roll, span),
            ExprKind::Option(option) => {
                if let Some(who) = &mut option.who {
                    self.value(who);
                    self.require_who(who);
                }
                if let Some(text) = &mut option.text {
                    self.value(text);
                    self.require(text, &Type::Text, "an option is offered by");
                }
                match &mut option.answers {
                    Some(answers) => self.answers(answers),
                    None => Type::Bool,
                }
            }
            ExprKind::Block(block) => self.value_block(block),
        };
    }

    /// A part of a result, which has the type of the first one in its place.
    fn part_of_result(&mut self, value: &mut Expr, field: &Field, place: usize) {
        let known = self.parts.get(place).cloned();
        let field = Field {
            ty: known.unwrap_or_default(),
            ..field.clone()
        };
        self.require_field(value, &field);
        if self.parts.len() <= place {
            self.parts.resize(place + 1, Type::Unknown);
        }
        if let Some(ty) = unify(&field.ty, &value.ty) {
            self.parts[place] = ty;
        }
    }

    fn answers(&mut self, answers: &mut Answers) -> Type {
        for part in answers.bounds.iter_mut().chain([&mut answers.random]) {
            self.value(part);
        }
        if let Some(list) = &mut answers.list {
            self.value(list);
            let element = self.element_of(list);
            self.require_answer(list, &element);
        }
        Type::Int
    }

    fn choose(&mut self, parts: &mut [Expr; 3], span: Span) -> Type {
        let [condition, yes, no] = parts;
        self.value(condition);
        self.require_truth(condition);
        self.value(yes);
        self.value(no);
        self.count_either(yes, no);
        if yes.ty.is_number() && no.ty.is_number() {
            return agree(&mut [yes, no]);
        }
        self.sets(yes, no);
        self.dice_among(&mut [&mut *yes, &mut *no]);
        let Some(ty) = unify(&yes.ty, &no.ty) else {
            self.unlike(yes, no, span);
            return Type::Unknown;
        };
        self.complete(yes, &ty);
        self.complete(no, &ty);
        ty
    }

    fn list(&mut self, items: &mut [Expr], span: Span) -> Type {
        let mut element = Type::Unknown;
        let mut first: Option<Span> = None;
        for item in &mut *items {
            self.value(item);
        }
        let is_list = |item: &Expr| matches!(item.ty, Type::List(_));
        let is_resource = |item: &Expr| matches!(item.kind, ExprKind::Resource(_));
        let help = match items.iter().any(is_list) && items.iter().any(is_resource) {
            true => RESOURCE_OR_LIST,
            false => "make a type that holds both, or two lists",
        };
        if items.iter().all(|item| item.ty.is_number()) {
            agree(&mut items.iter_mut().collect::<Vec<_>>());
        }
        self.dice_among(&mut items.iter_mut().collect::<Vec<_>>());
        for item in &mut *items {
            match unify(&element, &item.ty) {
                Some(ty) => element = ty,
                None => {
                    self.other_element(item, (&element, first), help);
                    return Type::Unknown;
                }
            }
            first.get_or_insert(item.span);
        }
        for item in items {
            self.complete(item, &element);
        }
        self.list_of(element, span)
    }

    /// A list of this type, if it is not nested too deeply.
    fn list_of(&mut self, element: Type, span: Span) -> Type {
        if lists(&element) < MAX_LISTS {
            return list_of(element);
        }
        let message = format!("lists nest at most {MAX_LISTS} deep");
        let found = Diagnostic::error(Code::TooLargeType, span, message);
        self.report(found.help("make a type that holds a list"));
        Type::Unknown
    }

    fn append(&mut self, list: &mut Expr, value: &mut Expr) {
        let element = self.element_of(list);
        if !self.require(value, &element, "the list holds") {
            return;
        }
        if let Some(element) = unify(&element, &value.ty)
            && matches!(list.ty, Type::List(_))
        {
            let ty = self.list_of(element, value.span);
            self.complete(list, &ty);
        }
    }

    /// The type of a field, whose name is replaced by its index. `span`: the expression that reads
    /// it, which ends with the name.
    pub(super) fn field(&mut self, record: &Expr, field: &mut u32, span: Option<Span>) -> Type {
        let name = &self.script.field_names[*field as usize];
        let Type::Record(id) = record.ty else {
            if record.ty != Type::Unknown {
                self.no_record(record, name);
            }
            return Type::Unknown;
        };
        let known = self.script.record(id);
        let place = known.fields.iter().position(|known| known.name == *name);
        if let Some(place) = place {
            // A type has fewer fields than a text has bytes.
            *field = place as u32;
            return known.fields[place].ty.clone();
        }
        let span = span.map_or(record.span, |span| name_at_end(name, span));
        let fields = known.fields.iter().map(|field| field.name.as_str());
        let fields = fields.filter(|name| !name.starts_with(' '));
        self.report(unknown_field(name, span, &known.name, fields));
        Type::Unknown
    }

    fn call(&mut self, id: FunctionId, arguments: &mut [Expr], span: Span) -> Type {
        for argument in &mut *arguments {
            self.value(argument);
        }
        let signatures = self.signatures;
        let signature = &signatures[id.index()];
        for (argument, (name, ty)) in arguments.iter_mut().zip(&signature.params) {
            self.require_argument(argument, name, ty, signature);
        }
        if signature.result == Type::Unknown {
            self.unresolved.get_or_insert(span);
        }
        signature.result.clone()
    }
}

/// Where the name is at the end of an expression.
pub(super) fn name_at_end(name: &str, whole: Span) -> Span {
    Span::new(whole.end - (name.len() as u32).min(whole.end), whole.end)
}
