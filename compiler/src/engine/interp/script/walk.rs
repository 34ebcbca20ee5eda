//! The walk over statements: one function a kind. Expressions are in [`super::expr`].

use super::heap::{Heap, Value};
use super::path::Path;
use super::table::Table;
use crate::engine::interp;
use crate::hir::ArithOp;
use crate::hir::script::{
    Block, Data, Expr, Function, FunctionId, LocalId, Place, Script, Stmt, StmtKind, Type,
};
use dicec_runtime::limits::{RollLimits, ScriptLimits};
use dicec_runtime::span::Span;
use dicec_runtime::text::Text;
use dicec_runtime::trap::{Trap, TrapCode};

/// Stack that is made sure of before a call, and how much is added where it is short. A function's statements and expressions nest at most
/// as deep as its text may.
const STACK_LEFT: usize = 1 << 20;
const STACK_ADDED: usize = 4 << 20;

/// Runs a roll of a checked script.
#[derive(Clone, Copy, Debug)]
pub struct ScriptInterpreter<'a> {
    script: &'a Script,
    function: FunctionId,
    rolls: RollLimits,
    limits: ScriptLimits,
}

impl<'a> ScriptInterpreter<'a> {
    /// An interpreter of one function of `script`, mostly the body of a roll.
    pub fn new(
        script: &'a Script,
        function: FunctionId,
        rolls: RollLimits,
        limits: ScriptLimits,
    ) -> Self {
        Self {
            script,
            function,
            rolls,
            limits,
        }
    }

    /// One trial with these arguments, one a parameter, and resources, one a slot of the script; gives what it returns: a
    /// number, a truth value, a degree or nothing.
    ///
    /// # Errors
    /// The first trap, in evaluation order.
    pub fn run(
        &self,
        args: &[Data],
        resources: &[i64],
        table: &mut impl Table,
    ) -> Result<Option<interp::Value>, Trap> {
        let mut walk = Walk {
            script: self.script,
            rolls: self.rolls,
            list: self.limits.list,
            resources,
            table,
            heap: Heap::default(),
            path: Path::default(),
            fuel: self.limits.fuel.into(),
            depth_left: self.limits.depth,
            frame: Vec::new(),
        };
        let values = args.iter().map(|data| walk.heap.load(data)).collect();
        let function = self.script.function(self.function);
        let value = walk.body(function, values)?;
        Ok(match (value, &function.result) {
            (Value::Int(rung), Type::Degree) => Some(interp::Value::Degree(rung)),
            (Value::Int(value), _) => Some(interp::Value::Int(value)),
            (Value::Bool(value), _) => Some(interp::Value::Bool(value)),
            (Value::Unit | Value::Text(_) | Value::Ref(_), _) => None,
        })
    }
}

/// How a statement ends.
pub(super) enum Flow {
    /// The next one follows.
    Next,
    /// The innermost loop ends.
    Break,
    /// Its round ends.
    Continue,
    /// The function ends, with this value.
    Return(Value),
}

pub(super) struct Walk<'w, T> {
    pub(super) script: &'w Script,
    pub(super) rolls: RollLimits,
    /// Most elements of a list.
    pub(super) list: u32,
    pub(super) resources: &'w [i64],
    pub(super) table: &'w mut T,
    pub(super) heap: Heap,
    pub(super) path: Path,
    fuel: u64,
    depth_left: u32,
    /// The variables of the function that runs.
    frame: Vec<Value>,
}

/// The trap of an operation written at `span`.
pub(super) fn at(span: Span) -> impl Fn(TrapCode) -> Trap {
    move |code| Trap { code, span }
}

impl<T: Table> Walk<'_, T> {
    /// Pays for something.
    pub(super) fn burn(&mut self, units: u64, span: Span) -> Result<(), Trap> {
        match self.fuel.checked_sub(units) {
            Some(left) => {
                self.fuel = left;
                Ok(())
            }
            None => Err(at(span)(TrapCode::OutOfFuel)),
        }
    }

    /// A call, its arguments evaluated.
    pub(super) fn call(
        &mut self,
        function: FunctionId,
        args: Vec<Value>,
        span: Span,
    ) -> Result<Value, Trap> {
        self.burn(1, span)?;
        let less = self.depth_left.checked_sub(1);
        self.depth_left = less.ok_or(TrapCode::TooDeep).map_err(at(span))?;
        self.enter('c');
        let function = self.script.function(function);
        let value = stacker::maybe_grow(STACK_LEFT, STACK_ADDED, || self.body(function, args));
        self.leave('e');
        self.depth_left += 1;
        value
    }

    /// A function on a frame of its own.
    fn body(&mut self, function: &Function, mut args: Vec<Value>) -> Result<Value, Trap> {
        args.resize(function.locals.len(), Value::Unit);
        let outer = std::mem::replace(&mut self.frame, args);
        let flow = self.block(&function.body);
        self.frame = outer;
        Ok(match flow? {
            Flow::Return(value) => value,
            Flow::Next | Flow::Break | Flow::Continue => Value::Unit,
        })
    }

    fn block(&mut self, block: &Block) -> Result<Flow, Trap> {
        for stmt in block {
            let flow = self.stmt(stmt)?;
            if !matches!(flow, Flow::Next) {
                return Ok(flow);
            }
        }
        Ok(Flow::Next)
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<Flow, Trap> {
        match &stmt.kind {
            StmtKind::Assign(place, value) => self.assign(place, value, stmt.span)?,
            StmtKind::Update(place, op, value) => self.update(place, *op, value, stmt.span)?,
            StmtKind::Eval(expr) => {
                self.expr(expr)?;
            }
            StmtKind::If(condition, then, otherwise) => {
                return self.choice(condition, then, otherwise);
            }
            StmtKind::While(condition, body) => return self.while_loop(condition, body, stmt.span),
            StmtKind::For(local, list, body) => {
                return self.for_loop(*local, list, body, stmt.span);
            }
            StmtKind::Break => return Ok(Flow::Break),
            StmtKind::Continue => return Ok(Flow::Continue),
            StmtKind::Return(value) => {
                let value = value.as_ref().map(|value| self.expr(value)).transpose()?;
                return Ok(Flow::Return(value.unwrap_or(Value::Unit)));
            }
            StmtKind::Output(line) => {
                let line = self.text(line)?;
                self.table.output(&line);
            }
            StmtKind::StartGroup => self.table.start_group(),
            StmtKind::EndGroup => self.table.end_group(),
            StmtKind::Stat(stat, value) => {
                let value = self.int(value)?;
                self.table.stat(*stat, value);
            }
        }
        Ok(Flow::Next)
    }

    fn choice(&mut self, condition: &Expr, then: &Block, or: &Block) -> Result<Flow, Trap> {
        let truth = self.truth(condition)?;
        self.begin();
        let taken = if truth {
            self.mark('t');
            then
        } else {
            self.mark('f');
            or
        };
        let flow = self.block(taken)?;
        self.leave('i');
        Ok(flow)
    }

    fn while_loop(&mut self, condition: &Expr, body: &Block, span: Span) -> Result<Flow, Trap> {
        self.begin();
        let mut flow = Flow::Next;
        for number in 1.. {
            self.start_round(number);
            if !self.truth(condition)? {
                break;
            }
            self.burn(1, span)?;
            if let Some(end) = self.round(body)? {
                flow = end;
                break;
            }
        }
        self.leave('L');
        Ok(flow)
    }

    fn for_loop(
        &mut self,
        local: LocalId,
        list: &Expr,
        body: &Block,
        span: Span,
    ) -> Result<Flow, Trap> {
        let list = self.expr(list)?;
        self.begin();
        let mut flow = Flow::Next;
        let mut place = 0;
        while let Some(element) = self.heap.parts(&list).get(place).cloned() {
            place += 1;
            self.burn(1, span)?;
            self.start_round(place as u64);
            self.set(local, element);
            if let Some(end) = self.round(body)? {
                flow = end;
                break;
            }
        }
        self.leave('L');
        Ok(flow)
    }

    /// A round of a loop; says how the loop ends, if it does.
    fn round(&mut self, body: &Block) -> Result<Option<Flow>, Trap> {
        Ok(match self.block(body)? {
            Flow::Next | Flow::Continue => None,
            Flow::Break => Some(Flow::Next),
            Flow::Return(value) => Some(Flow::Return(value)),
        })
    }

    fn assign(&mut self, place: &Place, value: &Expr, span: Span) -> Result<(), Trap> {
        match place {
            Place::Local(local) => {
                let value = self.expr(value)?;
                self.set(*local, value);
            }
            Place::Field(record, field) => {
                let record = self.expr(record)?;
                let value = self.expr(value)?;
                self.put(&record, *field as usize, value);
            }
            Place::Element(list, index) => {
                let list = self.expr(list)?;
                let index = self.int(index)?;
                let value = self.expr(value)?;
                let index = self.index(&list, index, span)?;
                self.put(&list, index, value);
            }
        }
        Ok(())
    }

    fn update(&mut self, place: &Place, op: ArithOp, value: &Expr, span: Span) -> Result<(), Trap> {
        match place {
            Place::Local(local) => {
                let old = self.local(*local);
                let new = self.updated(&old, op, value, span)?;
                self.set(*local, new);
            }
            Place::Field(record, field) => {
                let record = self.expr(record)?;
                let new = self.updated_part(&record, *field as usize, op, value, span)?;
                self.put(&record, *field as usize, new);
            }
            Place::Element(list, index) => {
                let list = self.expr(list)?;
                let index = self.int(index)?;
                let index = self.index(&list, index, span)?;
                let new = self.updated_part(&list, index, op, value, span)?;
                self.put(&list, index, new);
            }
        }
        Ok(())
    }

    fn updated_part(
        &mut self,
        whole: &Value,
        part: usize,
        op: ArithOp,
        value: &Expr,
        span: Span,
    ) -> Result<Value, Trap> {
        let old = self.heap.parts(whole).get(part).cloned();
        self.updated(&old.unwrap_or(Value::Unit), op, value, span)
    }

    fn updated(
        &mut self,
        old: &Value,
        op: ArithOp,
        value: &Expr,
        span: Span,
    ) -> Result<Value, Trap> {
        let value = self.int(value)?;
        let old = match old {
            Value::Int(old) => *old,
            // The type checker puts no other value here.
            _ => 0,
        };
        op.apply(old, value).map(Value::Int).map_err(at(span))
    }

    /// The place of an element in its list.
    pub(super) fn index(&self, list: &Value, index: i64, span: Span) -> Result<usize, Trap> {
        let length = self.heap.parts(list).len();
        let place = usize::try_from(index).ok().filter(|&place| place < length);
        place.ok_or(TrapCode::NoElement).map_err(at(span))
    }

    fn put(&mut self, whole: &Value, part: usize, value: Value) {
        let parts = self.heap.parts_mut(whole);
        if let Some(place) = parts.and_then(|parts| parts.get_mut(part)) {
            *place = value;
        }
    }

    pub(super) fn local(&self, local: LocalId) -> Value {
        self.frame
            .get(local.index())
            .cloned()
            .unwrap_or(Value::Unit)
    }

    fn set(&mut self, local: LocalId, value: Value) {
        if let Some(place) = self.frame.get_mut(local.index()) {
            *place = value;
        }
    }

    /// Who is asked, as players know them.
    pub(super) fn who(&mut self, who: &Expr, written: &str) -> Result<String, Trap> {
        let value = self.expr(who)?;
        let name = match (&value, &who.ty) {
            (Value::Text(text), _) => text.to_string(),
            (record, Type::Record(id)) => {
                let fields = &self.script.record(*id).fields;
                let named = fields.iter().position(|field| field.ty == Type::Text);
                let name = named.and_then(|field| self.heap.parts(record).get(field));
                match name {
                    Some(Value::Text(text)) => text.to_string(),
                    _ => String::new(),
                }
            }
            _ => String::new(),
        };
        Ok(if name.is_empty() {
            written.to_owned()
        } else {
            name
        })
    }

    pub(super) fn text(&mut self, expr: &Expr) -> Result<Text, Trap> {
        Ok(match self.expr(expr)? {
            Value::Text(text) => text,
            // The type checker puts no other value here.
            _ => Text::default(),
        })
    }

    // The path is kept for tables that ask for it alone.

    pub(super) fn begin(&mut self) {
        if T::PATHS {
            self.path.push();
        }
    }

    pub(super) fn mark(&mut self, letter: char) {
        if T::PATHS {
            self.path.append(letter);
        }
    }

    fn start_round(&mut self, number: u64) {
        if T::PATHS {
            self.path.round(number);
        }
    }

    fn enter(&mut self, letter: char) {
        self.begin();
        self.mark(letter);
    }

    pub(super) fn leave(&mut self, letter: char) {
        if T::PATHS {
            self.path.pop(letter);
        }
    }
}
