//! The evaluation of constant expressions, for [`super::constant`] and the texts of options.

use super::builtin::Builtin;
use super::constant::{Value, degrees, fits, size};
use super::{Lowering, TypeNamed};
use crate::front::script::ast::{BinaryOp, Expr, ExprKind, Name, UnaryOp};
use crate::hir::{ArithOp, CompareOp};
use crate::hir::{Data, Float, Math, Module, Type};
use crate::syntax::{Code, Diagnostic, RESOURCE_OR_FLAG, RESOURCE_OR_LIST};
use dicec_runtime::float;
use dicec_runtime::limits::MAX_TEXT;
use dicec_runtime::ops::{self, OpResult};
use dicec_runtime::scale::Shortest;
use dicec_runtime::span::Span;

/// The maximum number of values that evaluating the constants of a script may make.
const MAX_EVALUATED: usize = 100_000;

/// The error of a constant; none if it was reported before.
pub(super) type Wrong = Option<Diagnostic>;

impl Lowering<'_> {
    /// The value of a constant expression.
    pub(super) fn evaluate(&self, expr: &Expr) -> Result<Value, Wrong> {
        self.evaluate_as(expr, &Type::Unknown)
    }

    /// The value of a constant expression where a value of this type is wanted: constants of enums
    /// may have no prefix there.
    pub(super) fn evaluate_as(&self, expr: &Expr, wanted: &Type) -> Result<Value, Wrong> {
        if let Some(dice) = self.constant_dice(expr, wanted) {
            return dice;
        }
        match &expr.kind {
            ExprKind::Int(value) => Ok(Value::int(*value)),
            ExprKind::Float(value) => Ok(Value::float(*value)),
            ExprKind::Bool(value) => Ok(Value::bool(*value)),
            ExprKind::Text(text) => Ok(Value::text(text.clone())),
            ExprKind::Name(name) => self.named_constant(name, wanted, expr.span),
            ExprKind::Paren(inner) => self.evaluate_as(inner, wanted),
            ExprKind::Unary(op, value) => self.unary(*op, value, expr.span),
            ExprKind::Binary(op, left, right) => {
                let sides = match wanted {
                    // Their sums are of their type.
                    Type::Flags(_) => wanted,
                    _ => &Type::Unknown,
                };
                let left = self.evaluate_as(left, sides)?;
                let right = self.evaluate_as(right, sides)?;
                binary(&self.out.module, *op, &left, &right, expr.span)
            }
            ExprKind::Choose(parts) => {
                let [condition, yes, no] = &**parts;
                let [yes, no] = [yes, no].map(|side| self.evaluate_as(side, wanted));
                let (yes, no) = (yes?, no?);
                match self.evaluate(condition)?.data {
                    Data::Bool(_) if !fits(&yes.ty, &no.ty) => Err(wrong(expr.span)),
                    Data::Bool(true) => Ok(yes),
                    Data::Bool(false) => Ok(no),
                    _ => Err(wrong(condition.span)),
                }
            }
            ExprKind::Call(name, arguments) => match arguments.unnamed() {
                Some(items) if name.kind == "list" => self.constant_items(items, wanted, expr.span),
                Some(values) => self.constant_call(name, values, expr.span),
                None => Err(not_constant(expr.span)),
            },
            ExprKind::List(items) => self.constant_items(items, wanted, expr.span),
            ExprKind::Field(whole, name) => match self.constant_in(whole, name) {
                Some(found) => found.map_err(Some),
                None => Err(not_constant(expr.span)),
            },
            ExprKind::Record(name, fields) => self.constant_record(name, fields, expr.span),
            ExprKind::Error => Err(None),
            ExprKind::Resource(_) => Err(resource(expr.span, wanted)),
            ExprKind::Dice(_)
            | ExprKind::DiceCall(..)
            | ExprKind::Gather(..)
            | ExprKind::ListOf(_)
            | ExprKind::Slice(_)
            | ExprKind::Range(_)
            | ExprKind::Copies(_)
            | ExprKind::Match(_)
            | ExprKind::Parts(_)
            | ExprKind::Index(..) => Err(not_constant(expr.span)),
        }
    }

    /// A list where one of this type is wanted, or the set of flags that it is.
    fn constant_items(&self, items: &[Expr], wanted: &Type, span: Span) -> Result<Value, Wrong> {
        let list = Type::List(Box::new(Type::Unknown));
        let is_list = |item: &Expr| matches!(item.kind, ExprKind::List(_));
        let element = match wanted {
            Type::List(element) => element,
            Type::Flags(_) => wanted,
            // What stands beside lists is meant as one.
            _ if items.iter().any(is_list) => &list,
            _ => &Type::Unknown,
        };
        let values = items.iter().map(|item| self.evaluate_as(item, element));
        let values = values.collect::<Result<Vec<Value>, Wrong>>()?;
        match wanted {
            Type::Flags(_) => constant_set(&values, wanted, span),
            _ => constant_list(values, span),
        }
    }

    fn named_constant(&self, name: &str, wanted: &Type, span: Span) -> Result<Value, Wrong> {
        let own = self.constants.contains_key(name);
        let constant = self.constant_like(name, wanted);
        if let Some(constant) = constant
            .or_else(|| self.only_constant(name))
            .filter(|_| !own)
        {
            return Ok(constant);
        }
        if !own && !self.enums_with(name).is_empty() {
            return Err(Some(self.ambiguous(name, span)));
        }
        match self.constants.get(name) {
            Some(constant) => {
                let value = constant.value.as_ref().ok_or(None)?;
                self.spend(size(&value.data).0, span)?;
                Ok(value.clone())
            }
            None => {
                let message = format!("`{name}` is not a constant that is defined before this");
                let known = self.constants.keys().chain(self.choices.keys());
                let known = known.map(String::as_str).chain(degrees());
                let help = match self.nearest(name, known) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => {
                        "a constant is made of numbers, texts and constants that are defined before it"
                            .into()
                    }
                };
                let found = Diagnostic::error(Code::NotConstant, span, message);
                Err(Some(found.help(help)))
            }
        }
    }

    /// Counts values that are made: lists of constants that are lists double in size with each
    /// definition.
    fn spend(&self, values: usize, span: Span) -> Result<(), Wrong> {
        let spent = self.evaluated.get().saturating_add(values);
        self.evaluated.set(spent);
        if spent <= MAX_EVALUATED {
            return Ok(());
        }
        let message = "the constants of this script are too large";
        let found = Diagnostic::error(Code::TooLargeType, span, message);
        Err(Some(
            found.help("make a function that builds what is large"),
        ))
    }

    fn unary(&self, op: UnaryOp, value: &Expr, span: Span) -> Result<Value, Wrong> {
        match (op, self.evaluate(value)?.data) {
            (UnaryOp::Negate, Data::Int(value)) => {
                ops::ineg(value).map(Value::int).map_err(|_| overflow(span))
            }
            (UnaryOp::Negate, Data::Float(value)) => computed(float::neg(value.get()), span),
            (UnaryOp::Not, Data::Bool(value)) => Ok(Value::bool(!value)),
            (UnaryOp::Clamp, Data::Int(value)) => Ok(Value::int(value.max(0))),
            _ => Err(wrong(span)),
        }
    }

    fn constant_call(&self, name: &Name, arguments: &[Expr], span: Span) -> Result<Value, Wrong> {
        let values: Result<Vec<Value>, Wrong> = arguments
            .iter()
            .map(|argument| self.evaluate(argument))
            .collect();
        match (name.kind.as_str(), Builtin::named(&name.kind)) {
            (_, Some(Builtin::Pow)) => match &values?[..] {
                [base, exponent] => floats(ArithOp::Pow, base, exponent, span),
                _ => Err(wrong(span)),
            },
            (_, Some(builtin)) if let Some(function) = builtin.math() => {
                math(function, &values?, span)
            }
            _ => Err(not_constant(span)),
        }
    }

    fn constant_record(
        &self,
        name: &Name,
        fields: &[(Name, Expr)],
        span: Span,
    ) -> Result<Value, Wrong> {
        let Some(&TypeNamed::Record(id)) = self.types.get(&name.kind) else {
            return Err(Some(self.not_a_record(name)));
        };
        let ty = Type::Record(id);
        let zero = self.out.module.zero(&ty);
        self.spend(size(&zero).0, span)?;
        let Data::Record(mut values) = zero else {
            return Err(None);
        };
        let mut written: Vec<usize> = Vec::new();
        for (field, value) in fields {
            let known = &self.out.module.record(id).fields;
            let Some(place) = known.iter().position(|known| known.name == field.kind) else {
                return Err(Some(self.unknown_field(field, id)));
            };
            let value_span = value.span;
            let wanted = &known[place].ty;
            let value = self.evaluate_as(value, wanted)?.fitted(wanted);
            if written.contains(&place) || !fits(&value.ty, &known[place].ty) {
                return Err(wrong(value_span));
            }
            written.push(place);
            values[place] = value.data;
        }
        Ok(Value {
            data: Data::Record(values),
            ty,
        })
    }
}

fn constant_set(items: &[Value], wanted: &Type, span: Span) -> Result<Value, Wrong> {
    let mut set = 0;
    for item in items {
        match item.data {
            Data::Named(flags) if item.ty == *wanted => set |= flags,
            _ => return Err(wrong(span)),
        }
    }
    Ok(Value {
        data: Data::Named(set),
        ty: wanted.clone(),
    })
}

fn constant_list(values: Vec<Value>, span: Span) -> Result<Value, Wrong> {
    let mixed = values.iter().any(|value| value.ty == Type::Float);
    let wanted = if mixed { Type::Float } else { Type::Unknown };
    let values: Vec<Value> = values
        .into_iter()
        .map(|value| value.fitted(&wanted))
        .collect();
    let first = values
        .iter()
        .map(|value| &value.ty)
        .find(|ty| !matches!(ty, Type::List(_)));
    let element = first.or_else(|| values.first().map(|value| &value.ty));
    let element = element.cloned().unwrap_or_default();
    if values.iter().any(|value| !fits(&value.ty, &element)) {
        return Err(wrong(span));
    }
    let data = Data::List(values.into_iter().map(|value| value.data).collect());
    let ty = Type::List(Box::new(element));
    Ok(Value { data, ty })
}

fn binary(
    module: &Module,
    op: BinaryOp,
    left: &Value,
    right: &Value,
    span: Span,
) -> Result<Value, Wrong> {
    use Data::{Bool, Float, Int, Named, Text};

    let is_set = matches!(left.ty, Type::Flags(_));
    if let BinaryOp::Compare(op) = op {
        let equality = matches!(op, CompareOp::Equal | CompareOp::NotEqual);
        let ordering = match (&left.data, &right.data) {
            (Int(a), Int(b)) => a.cmp(b),
            (Int(_) | Float(_), Int(_) | Float(_)) => {
                float::compare(number(left, span)?, number(right, span)?)
            }
            (Named(a), Named(b)) if left.ty == right.ty && (equality || !is_set) => a.cmp(b),
            (Bool(a), Bool(b)) if equality => a.cmp(b),
            (Text(a), Text(b)) if equality => a.cmp(b),
            _ => return Err(wrong(span)),
        };
        return Ok(Value::bool(op.holds(ordering)));
    }
    match (&left.data, &right.data, arith(op)) {
        (Int(a), Int(b), Some(op)) => {
            let result = op.apply(*a, *b);
            result.map(Value::int).map_err(|_| overflow(span))
        }
        (Int(_) | Float(_), Int(_) | Float(_), Some(op)) => match op {
            ArithOp::Div => floats(ArithOp::Quotient, left, right, span),
            op => floats(op, left, right, span),
        },
        (Named(a), Named(b), Some(op)) if is_set && left.ty == right.ty => {
            let result = match op {
                ArithOp::Add => ArithOp::With.apply(*a, *b),
                ArithOp::Sub => ArithOp::Without.apply(*a, *b),
                _ => return Err(wrong(span)),
            };
            let data = result.map(Named).map_err(|_| wrong(span))?;
            let ty = left.ty.clone();
            Ok(Value { data, ty })
        }
        (Bool(a), Bool(b), _) if op == BinaryOp::Or => Ok(Value::bool(*a || *b)),
        (Bool(a), Bool(b), _) if op == BinaryOp::And => Ok(Value::bool(*a && *b)),
        (Text(_), _, Some(ArithOp::Add)) | (_, Text(_), Some(ArithOp::Add)) => {
            join(module, left, right, span)
        }
        _ => Err(wrong(span)),
    }
}

/// A constant number as a float.
fn number(value: &Value, span: Span) -> Result<f64, Wrong> {
    match &value.data {
        Data::Int(value) => Ok(float::from_int(*value)),
        Data::Float(value) => Ok(value.get()),
        _ => Err(wrong(span)),
    }
}

/// A float that was computed.
fn computed(value: f64, span: Span) -> Result<Value, Wrong> {
    Float::new(value)
        .map(Value::float)
        .ok_or_else(|| overflow(span))
}

/// An operation on two numbers of which one is a float.
fn floats(op: ArithOp, left: &Value, right: &Value, span: Span) -> Result<Value, Wrong> {
    let (left, right) = (number(left, span)?, number(right, span)?);
    let result = op.apply_float(left, right).map_err(|_| overflow(span))?;
    computed(result, span)
}

/// A function of constant numbers.
fn math(function: Math, values: &[Value], span: Span) -> Result<Value, Wrong> {
    let whole: Option<Vec<i64>> = values
        .iter()
        .map(|value| match value.data {
            Data::Int(value) => Some(value),
            _ => None,
        })
        .collect();
    if let Some(whole) = whole.filter(|_| function != Math::Sqrt) {
        let value = match (function, &whole[..]) {
            (Math::Abs, [value]) => value.checked_abs().ok_or_else(|| overflow(span))?,
            (Math::Max, _) => whole.into_iter().max().ok_or_else(|| wrong(span))?,
            (Math::Min, _) => whole.into_iter().min().ok_or_else(|| wrong(span))?,
            (_, [value]) => *value,
            _ => return Err(wrong(span)),
        };
        return Ok(Value::int(value));
    }
    let numbers = values.iter().map(|value| number(value, span));
    let numbers = numbers.collect::<Result<Vec<f64>, Wrong>>()?;
    let rounded =
        |f: fn(f64) -> OpResult, value| f(value).map(Value::int).map_err(|_| overflow(span));
    match (function, &numbers[..]) {
        (Math::Floor, [value]) => rounded(float::floor, *value),
        (Math::Ceil, [value]) => rounded(float::ceil, *value),
        (Math::Round, [value]) => rounded(float::round, *value),
        (Math::Abs, [value]) => computed(float::abs(*value), span),
        (Math::Sqrt, [value]) => computed(float::sqrt(*value).map_err(|_| wrong(span))?, span),
        (Math::Max, [first, rest @ ..]) => {
            computed(rest.iter().fold(*first, |a, b| float::max(a, *b)), span)
        }
        (Math::Min, [first, rest @ ..]) => {
            computed(rest.iter().fold(*first, |a, b| float::min(a, *b)), span)
        }
        _ => Err(wrong(span)),
    }
}

/// The two as one text.
fn join(module: &Module, left: &Value, right: &Value, span: Span) -> Result<Value, Wrong> {
    let mut joined = String::new();
    for value in [left, right] {
        match (&value.data, &value.ty) {
            (Data::Int(value), _) => joined += &value.to_string(),
            (Data::Float(value), _) => joined += &Shortest(value.get()).to_string(),
            (Data::Bool(value), _) => joined += &value.to_string(),
            (Data::Named(rung), Type::Degree(ladder)) => joined += ladder.name(*rung),
            (Data::Named(value), Type::Enum(id) | Type::Flags(id)) => {
                joined += &module.choice(*id).written(*value).ok_or(None)?;
            }
            (Data::Text(text), _) => joined += text,
            _ => return Err(wrong(span)),
        }
    }
    if joined.len() > MAX_TEXT {
        let message = format!("this text is longer than {MAX_TEXT} bytes");
        let found = Diagnostic::error(Code::TooLargeType, span, message);
        return Err(Some(found.help("shorten it")));
    }
    Ok(Value::text(joined))
}

/// The arithmetic operation of an operator, if it has one.
pub(super) fn arith(op: BinaryOp) -> Option<ArithOp> {
    Some(match op {
        BinaryOp::Add => ArithOp::Add,
        BinaryOp::Sub => ArithOp::Sub,
        BinaryOp::Mul => ArithOp::Mul,
        BinaryOp::Div => ArithOp::Div,
        BinaryOp::Quotient => ArithOp::Quotient,
        BinaryOp::Rem => ArithOp::Rem,
        BinaryOp::StrictRem => ArithOp::StrictRem,
        _ => return None,
    })
}

fn not_constant(span: Span) -> Wrong {
    let found = Diagnostic::error(
        Code::NotConstant,
        span,
        "this is not known before the dice are rolled",
    );
    Some(found.help(
        "a constant is made of numbers, texts, other constants, functions of numbers such as `max`, lists such as `[a, b]`, and records",
    ))
}

/// A resource, which may be meant as the only element of something.
fn resource(span: Span, wanted: &Type) -> Wrong {
    let found = not_constant(span)?;
    Some(match wanted {
        Type::List(_) => found.help(RESOURCE_OR_LIST),
        Type::Flags(_) => found.help(RESOURCE_OR_FLAG),
        _ => found,
    })
}

fn wrong(span: Span) -> Wrong {
    let found = Diagnostic::error(Code::WrongType, span, "these values do not go together");
    Some(found.help("operators take numbers, `&& || !` take truth values, `+` also joins texts; a list holds values of one type"))
}

fn overflow(span: Span) -> Wrong {
    let message = "this number is too large";
    let found = Diagnostic::error(Code::NumberTooLarge, span, message);
    Some(found.help(format!("the largest whole number is {}", i64::MAX)))
}
