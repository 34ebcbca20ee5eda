//! Results with several parts, and texts: whether their parts can be counted, and the bodies that
//! note them.

use super::Checker;
use super::types::unify;
use crate::hir::{
    Expr, ExprKind, Function, FunctionId, Local, LocalId, Module, Part, PartNote, Parts, Place,
    RecordType, RollDef, StatId, StatName, Stmt, StmtKind, Type, TypeId, each_stmt,
};
use crate::syntax::{Code, Diagnostic};
use dicec_runtime::span::Span;

/// Text parts have names in statistics that begin like this.
const IS: &str = " = ";

impl Checker {
    /// Gives the fields of a result's type their types, once its roll was checked.
    pub(super) fn tell_parts(script: &mut Module, result: &Type, parts: &[Type]) {
        let Type::Record(id) = result else { return };
        let fields = script.types[id.index()].fields.iter_mut();
        for (field, ty) in fields.zip(parts) {
            if let Some(ty) = unify(&field.ty, ty) {
                field.ty = ty;
            }
        }
    }
}

/// The errors of a result that is a record: parts that cannot be counted.
pub(super) fn uncounted(script: &Module, roll: &RollDef) -> Option<Diagnostic> {
    let parts = of(script, &script.function(roll.function).result);
    for (name, ty) in &parts {
        let is_counted = script.kind_of_type(ty).is_some() && !matches!(ty, Type::Flags(_));
        if !is_counted && *ty != Type::Unknown {
            let words = script.words(ty);
            let message = format!(
                "the part `{name}` of what `{}` returns is {words}",
                roll.name
            );
            let found = Diagnostic::error(Code::WrongType, roll.span, message);
            return Some(found.help(
                "a part is a number, a truth value, a degree, a constant of an enum or a text: \
                 return a number of it, such as `len(list)`",
            ));
        }
    }
    let named: Vec<&str> = script.stats.iter().map(String::as_str).collect();
    let named = [named, beginnings(script)].concat();
    let mut taken = parts.iter().filter_map(|(name, ty)| {
        let is_taken = |stat: &&&str| match ty {
            // Each text of the part is the name of a statistic.
            Type::Text => stat.starts_with(&format!("{name}{IS}")),
            _ => **stat == name,
        };
        named.iter().find(is_taken)
    });
    taken.next().map(|stat| {
        let message = format!(
            "a part of what `{}` returns and a statistic are `{stat}`",
            roll.name
        );
        let found = Diagnostic::error(Code::DefinedTwice, roll.span, message);
        found.help("give the statistic another name, or leave it out: a part has odds, too")
    })
}

/// The written beginnings of the names of statistics that are put together.
fn beginnings(script: &Module) -> Vec<&str> {
    let mut found = Vec::new();
    for function in &script.functions {
        each_stmt(&function.body, &mut |stmt| {
            if let StmtKind::Stat(StatName::Text(name), _) = &stmt.kind
                && let ExprKind::Join(pieces) = &name.kind
                && let Some(ExprKind::Text(text)) = pieces.first().map(|piece| &piece.kind)
            {
                found.push(text.as_str());
            }
        });
    }
    found
}

/// The error of a part that is a float in one roll and something else in another: both are noted
/// under its name.
pub(super) fn on_two_scales(script: &Module) -> Option<Diagnostic> {
    let mut known: Vec<(String, bool)> = Vec::new();
    for roll in &script.rolls {
        let parts = of(script, &script.function(roll.function).result);
        for (name, ty) in parts.into_iter().filter(|(_, ty)| *ty != Type::Text) {
            let is_float = ty == Type::Float;
            match known.iter().find(|(other, _)| *other == name) {
                Some((_, other)) if *other != is_float => {
                    let message =
                        format!("the part `{name}` has decimals in only one of two rolls");
                    let found = Diagnostic::error(Code::DefinedTwice, roll.span, message);
                    return Some(found.help("give it another name in one of them"));
                }
                Some(_) => {}
                None => known.push((name, is_float)),
            }
        }
    }
    None
}

/// Lets the body of each roll that returns a record or a text call the function that returns it,
/// and note its parts.
pub(super) fn split(script: &mut Module) {
    for index in 0..script.rolls.len() {
        let body = script.rolls[index].function;
        let result = script.function(body).result.clone();
        if of(script, &result).is_empty() {
            continue;
        }
        let function = match result {
            Type::Record(id) if !script.record(id).is_built_in() => copied(script, body, id),
            _ => body,
        };
        let noted = noted(script, function);
        script.rolls[index].function = noted.0;
        script.rolls[index].parts = Some(noted.1);
    }
}

/// The names and types of the parts of such a result; none of another.
fn of(script: &Module, result: &Type) -> Vec<(String, Type)> {
    match result {
        Type::Text => vec![(String::new(), Type::Text)],
        Type::Record(id) => {
            let fields = script.record(*id).fields.iter();
            fields
                .map(|field| (field.name.clone(), field.ty.clone()))
                .collect()
        }
        _ => Vec::new(),
    }
}

/// A function that returns the fields of a function's result, a record that the script may change,
/// as a record that it cannot name.
fn copied(script: &mut Module, body: FunctionId, of: TypeId) -> FunctionId {
    let id = TypeId(script.types.len() as u32);
    let fields = script.record(of).fields.clone();
    let count = fields.len() as u32;
    script.types.push(RecordType {
        name: script.record(of).name.clone(),
        fields,
        span: Span::default(),
    });
    let mut made = Made::calling(script, body);
    let values = (0..count).map(|field| (field, made.part(script, field)));
    let kind = ExprKind::Record(id, values.collect());
    let value = made.typed(kind, Type::Record(id));
    made.statement(StmtKind::Return(Some(value)));
    made.finish(script, Type::Record(id))
}

/// The body that notes the parts of a function's result.
fn noted(script: &mut Module, function: FunctionId) -> (FunctionId, Parts) {
    let result = script.function(function).result.clone();
    let mut made = Made::calling(script, function);
    let mut all = Vec::new();
    for ((name, ty), field) in of(script, &result).into_iter().zip(0..) {
        let part = match result {
            Type::Record(_) => made.part(script, field),
            _ => made.result(),
        };
        let (note, stat, number) = match ty {
            Type::Text => {
                let before = format!("{name}{IS}");
                let words = made.typed(ExprKind::Text(before.clone()), Type::Text);
                let joined = made.typed(ExprKind::Join(vec![words, part]), Type::Text);
                let one = made.typed(ExprKind::Int(1), Type::Int);
                (PartNote::Text(before), StatName::Text(joined), one)
            }
            _ => {
                let stat = statistic(script, &name, &ty);
                (
                    PartNote::Number(stat),
                    StatName::Known(stat),
                    made.counted(part),
                )
            }
        };
        made.statement(StmtKind::Stat(stat, number));
        all.push(Part { name, ty, note });
    }
    (made.finish(script, Type::Unit), Parts { function, all })
}

/// The statistic of a part. Rolls share one, whose numbers are of the roll that is asked about.
fn statistic(script: &mut Module, name: &str, ty: &Type) -> StatId {
    let known = script.stats.iter().position(|known| known == name);
    // A text below 4 GiB has fewer names than that.
    let stat = StatId(known.unwrap_or(script.stats.len()) as u32);
    if known.is_none() {
        script.stats.push(name.to_owned());
        if *ty == Type::Float {
            script.float_stats.push(stat);
        }
    }
    stat
}

/// A function that is made.
struct Made {
    function: Function,
    result: (LocalId, Type),
    span: Span,
}

impl Made {
    /// A function with the parameters of another one, which it calls.
    fn calling(script: &Module, callee: FunctionId) -> Self {
        let called = script.function(callee);
        let span = called.span;
        let mut locals: Vec<Local> = called.locals[..called.params].to_vec();
        // A text below 4 GiB has fewer parameters than that.
        let result = LocalId(called.params as u32);
        locals.push(Local {
            name: String::new(),
            ty: called.result.clone(),
            span,
        });
        let function = Function {
            name: called.name.clone(),
            locals,
            result: Type::Unit,
            body: Vec::new(),
            is_table: false,
            ..called.clone()
        };
        let mut made = Self {
            function,
            result: (result, called.result.clone()),
            span,
        };
        let params = (0..).map(LocalId).zip(&called.locals[..called.params]);
        let params = params.map(|(id, local)| made.typed(ExprKind::Local(id), local.ty.clone()));
        let call = ExprKind::Call(callee, params.collect());
        let call = made.typed(call, called.result.clone());
        made.statement(StmtKind::Assign(Place::Local(result), call));
        made
    }

    fn typed(&self, kind: ExprKind, ty: Type) -> Expr {
        let span = self.span;
        Expr { kind, ty, span }
    }

    fn statement(&mut self, kind: StmtKind) {
        let span = self.span;
        self.function.body.push(Stmt { kind, span });
    }

    /// What the call returned.
    fn result(&self) -> Expr {
        let (local, ty) = &self.result;
        self.typed(ExprKind::Local(*local), ty.clone())
    }

    /// A field of it.
    fn part(&self, script: &Module, field: u32) -> Expr {
        let ty = match &self.result.1 {
            Type::Record(id) => script.record(*id).fields[field as usize].ty.clone(),
            other => other.clone(),
        };
        let record = Box::new(self.result());
        self.typed(ExprKind::Field(record, field), ty)
    }

    /// A value as statistics hold it: a truth value is 0 or 1.
    fn counted(&self, value: Expr) -> Expr {
        let number = |number| self.typed(ExprKind::Int(number), Type::Int);
        match value.ty {
            Type::Bool => {
                let parts = Box::new([value, number(1), number(0)]);
                self.typed(ExprKind::Choose(parts), Type::Int)
            }
            _ => value,
        }
    }

    fn finish(mut self, script: &mut Module, result: Type) -> FunctionId {
        self.function.result = result;
        script.functions.push(self.function);
        FunctionId(script.functions.len() as u32 - 1)
    }
}
