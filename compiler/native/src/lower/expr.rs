//! Expressions.

use super::body::{Body, STACK_ADDED, STACK_LEFT};
use super::float::{self, is_float};
use super::type_of;
use crate::ir::{Block, Imm, Op, Shape, Value};
use dicec_lang::hir::{ArithOp, CompareOp, Expr, ExprKind, Type};
use dicec_runtime::bug;
use dicec_runtime::limits::{MAX_TEXT, join_cost};
use dicec_runtime::span::Span;
use dicec_runtime::text::HOLE;
use std::sync::Arc;

/// A part of a joined text.
pub(super) enum Part {
    /// Known characters; a number is [`HOLE`].
    Words(String),
    /// A text that is known at run time, by its id.
    Value(Value),
}

impl Part {
    pub(super) fn is_value(&self) -> bool {
        matches!(self, Part::Value(_))
    }
}

impl<'s> Body<'_, 's> {
    pub(super) fn expr(&mut self, expr: &'s Expr) -> Value {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Int(value) | ExprKind::Degree(_, value) | ExprKind::Named(value) => {
                self.builder.set_span(span);
                self.builder.iconst(*value)
            }
            ExprKind::Float(value) => self.inst(span, Op::Fconst, &[], Imm::Float(value.get())),
            ExprKind::ToFloat(value) => {
                let value = self.int(value);
                self.inst(span, Op::Itof, &[value], Imm::None)
            }
            ExprKind::Bool(value) => self.inst(span, Op::Bconst, &[], Imm::Bool(*value)),
            ExprKind::Text(text) => self.text(text, span),
            ExprKind::Constant(id) => {
                let address = self.shared.constants.address(*id, &expr.ty);
                self.builder.set_span(span);
                self.builder.iconst(address)
            }
            ExprKind::Local(local) => self.local(*local),
            ExprKind::Resource(slot) => {
                let arguments = self.shared.layout.tables.inputs.len() as u32;
                self.builder.set_span(span);
                self.slot(arguments + slot.0, Shape::Word)
            }
            ExprKind::Negate(value) => {
                let op = if is_float(value) { Op::Fneg } else { Op::Ineg };
                let value = self.expr(value);
                self.inst(span, op, &[value], Imm::None)
            }
            ExprKind::Not(value) => {
                let value = self.expr(value);
                self.inst(span, Op::Not, &[value], Imm::None)
            }
            ExprKind::Arith(op, left, right) => {
                let (first, second) = (self.expr(left), self.expr(right));
                self.arith(*op, (first, second), is_float(left), span)
            }
            ExprKind::Compare(op, left, right) => {
                let op = match is_float(left) {
                    true => float::compare(*op),
                    false => compare(*op),
                };
                let args = [self.expr(left), self.expr(right)];
                self.inst(span, op, &args, Imm::None)
            }
            ExprKind::Same(wanted, left, right) => {
                let args = [self.word(left), self.word(right)];
                let op = if *wanted { Op::Ieq } else { Op::Ine };
                self.inst(span, op, &args, Imm::None)
            }
            ExprKind::Has(set, flags) => {
                let args = [self.expr(set), self.expr(flags)];
                self.has(args, span)
            }
            ExprKind::And(..) | ExprKind::Or(..) => self.truth(expr),
            ExprKind::Choose(three) => self.choose(three, &expr.ty),
            ExprKind::NotNegative(value) => {
                let value = self.expr(value);
                self.inst(span, Op::NotNegative, &[value], Imm::None)
            }
            ExprKind::AtLeast(floor, value) => {
                let value = self.expr(value);
                self.builder.set_span(span);
                let floor = self.builder.iconst(*floor);
                self.inst(span, Op::Imax, &[value, floor], Imm::None)
            }
            ExprKind::Math(function, args) => self.math(*function, args, span),
            ExprKind::Pool(pool) => match pool.plain_sides() {
                Some(sides) => self.plain(&pool.count, sides, span),
                None => self.changed_pool(pool, span),
            },
            ExprKind::Group(group) => self.group(group, span),
            ExprKind::Versus(against, roll, number) => self.versus(*against, roll, number, span),
            ExprKind::Degrees(test) => self.expr(test),
            ExprKind::Len(list) => {
                let address = self.expr(list);
                self.builder.set_span(span);
                self.length(list, address)
            }
            ExprKind::List(values) => {
                let words: Vec<Value> = values.iter().map(|value| self.word(value)).collect();
                self.fuel(self.shared.script.list_cost(&expr.ty, words.len()), span);
                let (kind, _) = self.list_data(expr);
                self.list(&words, kind)
            }
            ExprKind::Append(list, value) => {
                let address = self.expr(list);
                let word = self.word(value);
                self.fuel(1, span);
                let (kind, _) = self.list_data(list);
                self.inst(span, Op::Append, &[address, word], Imm::List(kind))
            }
            ExprKind::Pop(list) => {
                let address = self.expr(list);
                self.fuel(1, span);
                let word = self.pop(list, address, span);
                self.value_of(word, &expr.ty)
            }
            ExprKind::Join(parts) => {
                let parts = self.join_parts(parts);
                self.joined(parts, span)
            }
            ExprKind::Field(record, place) => {
                let address = self.expr(record);
                let word = self.field(record, address, *place, span);
                self.value_of(word, &expr.ty)
            }
            ExprKind::Element(list, index) => {
                let address = self.expr(list);
                let index = self.int(index);
                let index = self.index(list, address, index, span);
                self.element(list, address, index, span)
            }
            ExprKind::Record(id, fields) => self.record(*id, fields, span),
            ExprKind::Call(function, args) => {
                let args = args.iter().map(|arg| self.expr(arg)).collect();
                self.call(*function, args, span)
            }
            ExprKind::Roll(roll) => self.roll(roll, span),
            ExprKind::Option(option) => self.option(option, span),
            ExprKind::Block(block) => stacker::maybe_grow(STACK_LEFT, STACK_ADDED, || {
                self.block(&block.statements);
                match &block.value {
                    Some(value) => self.expr(value),
                    None => self.builder.iconst(0),
                }
            }),
        }
    }

    pub(super) fn inst(&mut self, span: Span, op: Op, args: &[Value], imm: Imm) -> Value {
        self.builder.set_span(span);
        self.builder.inst(op, args, imm)
    }

    pub(super) fn text(&mut self, text: &str, span: Span) -> Value {
        let id = self.shared.texts.id(text);
        self.builder.set_span(span);
        self.builder.iconst(id)
    }

    /// Branches on a condition; one of `&&`, `||` and `!` needs no value of its own.
    pub(super) fn branch_on(&mut self, condition: &'s Expr, yes: Block, no: Block) {
        match &condition.kind {
            ExprKind::Not(value) => self.branch_on(value, no, yes),
            ExprKind::And(left, right) => {
                let rest = self.builder.block(&[]);
                self.branch_on(left, rest, no);
                self.builder.switch_to(rest);
                self.branch_on(right, yes, no);
            }
            ExprKind::Or(left, right) => {
                let rest = self.builder.block(&[]);
                self.branch_on(left, yes, rest);
                self.builder.switch_to(rest);
                self.branch_on(right, yes, no);
            }
            _ => {
                let condition = self.expr(condition);
                self.builder.branch(condition, (yes, &[]), (no, &[]));
            }
        }
    }

    /// The value of `&&` and `||`.
    fn truth(&mut self, expr: &'s Expr) -> Value {
        let [yes, no] = [(); 2].map(|()| self.builder.block(&[]));
        let join = self.builder.block(&[crate::ir::Type::Bool]);
        self.branch_on(expr, yes, no);
        for (block, truth) in [(yes, true), (no, false)] {
            self.builder.switch_to(block);
            let truth = self.inst(expr.span, Op::Bconst, &[], Imm::Bool(truth));
            self.builder.jump(join, &[truth]);
        }
        self.builder.switch_to(join);
        self.builder.param(join, 0)
    }

    fn choose(&mut self, [condition, yes, no]: &'s [Expr; 3], ty: &Type) -> Value {
        let parts = [condition, yes, no];
        if type_of(ty) == crate::ir::Type::I64 && parts.into_iter().all(is_at_hand) {
            let args = parts.map(|part| self.expr(part));
            return self.builder.inst(Op::Select, &args, Imm::None);
        }
        let blocks = [(); 2].map(|()| self.builder.block(&[]));
        let join = self.builder.block(&[type_of(ty)]);
        self.branch_on(condition, blocks[0], blocks[1]);
        for (block, value) in blocks.into_iter().zip([yes, no]) {
            self.builder.switch_to(block);
            let value = self.expr(value);
            self.builder.jump(join, &[value]);
        }
        self.builder.switch_to(join);
        self.builder.param(join, 0)
    }

    /// `a op b` of two numbers of one type.
    pub(super) fn arith(
        &mut self,
        op: ArithOp,
        (left, right): (Value, Value),
        of_floats: bool,
        span: Span,
    ) -> Value {
        if of_floats {
            return self.float_arith(op, left, right, span);
        }
        let op = match op {
            ArithOp::Add => Op::Iadd,
            ArithOp::Sub => Op::Isub,
            ArithOp::Mul => Op::Imul,
            ArithOp::Rem => return self.total_rem(left, right, span),
            ArithOp::StrictRem => Op::Irem,
            ArithOp::Div => Op::Idiv,
            ArithOp::With => Op::Ior,
            ArithOp::Without => Op::IandNot,
            // The checker makes their operands floats.
            ArithOp::Quotient | ArithOp::Pow => bug!("{op:?} of whole numbers").raise(),
        };
        self.inst(span, op, &[left, right], Imm::None)
    }

    /// Evaluates a text, which nothing reads, without joining its parts.
    pub(super) fn unjoined(&mut self, text: &'s Expr) {
        match &text.kind {
            ExprKind::Join(parts) => {
                self.join_parts(parts);
            }
            _ => {
                self.expr(text);
            }
        }
    }

    /// The parts of a text, evaluated; consecutive known characters are one part.
    pub(super) fn join_parts(&mut self, exprs: &'s [Expr]) -> Vec<Part> {
        let mut parts = Vec::new();
        for expr in exprs {
            let words = match (&expr.kind, &expr.ty) {
                (ExprKind::Text(text), _) => Some(text.clone()),
                (ExprKind::Bool(value), _) => Some(value.to_string()),
                (_, Type::Text) => None,
                (_, Type::Bool) => None,
                (_, Type::Degree(_) | Type::Enum(_) | Type::Flags(_)) => None,
                // Its number is not part of the template, but computing it may roll or trap.
                _ => {
                    self.expr(expr);
                    Some(HOLE.to_owned())
                }
            };
            match (words, parts.last_mut()) {
                (Some(words), Some(Part::Words(before))) => before.push_str(&words),
                (Some(words), _) => parts.push(Part::Words(words)),
                (None, _) => {
                    let value = self.as_text(expr);
                    parts.push(Part::Value(value));
                }
            }
        }
        parts
    }

    /// A text, truth value, degree, constant of an enum or set of flags as a text.
    fn as_text(&mut self, expr: &'s Expr) -> Value {
        let value = self.expr(expr);
        let span = expr.span;
        match &expr.ty {
            Type::Bool => {
                let [yes, no] = [true, false].map(|truth| self.text(&truth.to_string(), span));
                self.inst(span, Op::Select, &[value, yes, no], Imm::None)
            }
            Type::Degree(ladder) => {
                let names: Vec<&str> = ladder.names().collect();
                self.named(value, &names, span)
            }
            Type::Enum(id) => {
                let names = Arc::clone(&self.shared.script.choice(*id).constants);
                self.named(value, &names, span)
            }
            Type::Flags(id) => {
                let names = Arc::clone(&self.shared.script.choice(*id).constants);
                self.set_text(value, &names, span)
            }
            _ => value,
        }
    }

    /// The text at an index of `names`; beyond the ends, the first or the last.
    pub(super) fn named<N: AsRef<str>>(&mut self, place: Value, names: &[N], span: Span) -> Value {
        let mut text = None;
        for (number, name) in (0..).zip(names) {
            let name = self.text(name.as_ref(), span);
            text = Some(match text {
                None => name,
                Some(text) => {
                    let number = self.builder.iconst(number);
                    let here = self.inst(span, Op::Ige, &[place, number], Imm::None);
                    self.inst(span, Op::Select, &[here, name, text], Imm::None)
                }
            });
        }
        text.unwrap_or_else(|| self.text("", span))
    }

    /// A text of these parts. The last join pays for all: its result is the longest.
    pub(super) fn joined(&mut self, parts: Vec<Part>, span: Span) -> Value {
        let values = parts.iter().filter(|part| part.is_value()).count();
        let alone = parts.len() == 1;
        let parts = self.merged(parts);
        let last = parts.len().saturating_sub(1);
        let mut text = None;
        for (place, part) in parts.into_iter().enumerate() {
            let paid = if place == last { values as u64 } else { 0 };
            let next = match part {
                Part::Words(words) if last == 0 && !alone => self.paid_words(&words, paid, span),
                Part::Words(words) => self.words(&words, 0, span),
                Part::Value(value) => value,
            };
            text = Some(match text {
                None => next,
                Some(text) => {
                    let paid = Imm::Int(paid.cast_signed());
                    self.inst(span, Op::TextJoin, &[text, next], paid)
                }
            });
        }
        text.unwrap_or_else(|| self.text("", span))
    }

    /// The same parts, with texts that are known, such as those of known arguments, as words.
    fn merged(&mut self, parts: Vec<Part>) -> Vec<Part> {
        let mut merged: Vec<Part> = Vec::new();
        for part in parts {
            let words = match &part {
                Part::Words(words) => Some(words.clone()),
                Part::Value(value) => {
                    let id = self.builder.as_iconst(*value);
                    id.and_then(|id| self.shared.texts.text(id).map(str::to_owned))
                }
            };
            match (words, merged.last_mut()) {
                (Some(words), Some(Part::Words(before))) => before.push_str(&words),
                (Some(words), _) => merged.push(Part::Words(words)),
                (None, _) => merged.push(part),
            }
        }
        merged
    }

    /// A text that was put together of known ones, `values` of which are paid for.
    fn paid_words(&mut self, words: &str, values: u64, span: Span) -> Value {
        if words.len() <= MAX_TEXT && values > 0 {
            self.fuel(join_cost(values, words.len()), span);
        }
        self.words(words, values, span)
    }

    /// A known text; it may be too long.
    fn words(&mut self, words: &str, values: u64, span: Span) -> Value {
        let text = self.text(words, span);
        if words.len() <= MAX_TEXT {
            return text;
        }
        let nothing = self.text("", span);
        let values = Imm::Int(values.cast_signed());
        self.inst(span, Op::TextJoin, &[text, nothing], values)
    }
}

/// Whether an expression has its value already.
fn is_at_hand(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Local(_) | ExprKind::Int(_))
}

/// The comparison of two whole numbers.
pub(super) fn compare(op: CompareOp) -> Op {
    match op {
        CompareOp::Equal => Op::Ieq,
        CompareOp::NotEqual => Op::Ine,
        CompareOp::Less => Op::Ilt,
        CompareOp::LessEqual => Op::Ile,
        CompareOp::Greater => Op::Igt,
        CompareOp::GreaterEqual => Op::Ige,
    }
}
