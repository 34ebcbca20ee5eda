//! The walk over statements: one function per kind. Expressions are in [`super::expr`].

use super::heap::{self, Heap};
use super::host::Host;
use super::path::Path;
use crate::hir::{
    ArithOp, Block, Expr, Function, FunctionId, LocalId, Module, Place, Stmt, StmtKind, Type,
    TypeId,
};
use dicec_runtime::bug;
use dicec_runtime::degree::Naturals;
use dicec_runtime::limits::{RollLimits, ScriptLimits};
use dicec_runtime::ops::iadd;
use dicec_runtime::pool::Flags;
use dicec_runtime::span::Span;
use dicec_runtime::text::Text;
use dicec_runtime::trap::{Trap, TrapCode};

/// Stack space that is ensured before a call or a block in an expression, and how much is added if
/// it is short. In between, statements and expressions nest at most as deeply as the text may.
pub(super) const STACK_LEFT: usize = 1 << 20;
pub(super) const STACK_ADDED: usize = 4 << 20;

/// How a statement ends.
pub(super) enum Flow<'w> {
    /// The next one follows.
    Next,
    /// The innermost loop ends.
    Break,
    /// Its iteration ends.
    Continue,
    /// The function ends, with this value.
    Return(heap::Value<'w>),
}

pub(super) struct Walk<'w, H> {
    pub(super) module: &'w Module,
    pub(super) rolls: RollLimits,
    pub(super) limits: ScriptLimits,
    pub(super) resources: &'w [i64],
    pub(super) host: &'w mut H,
    pub(super) heap: Heap<'w>,
    pub(super) path: Path,
    fuel: u64,
    /// The statements that were begun.
    statements: u64,
    depth_left: u32,
    /// The variables of the function that runs.
    frame: Vec<heap::Value<'w>>,
    /// Collects the dice that may shift a degree, on the left of a `vs`.
    pub(super) naturals: Option<Naturals>,
    /// The mark of the dice that are rolled here.
    pub(super) role: Flags,
    /// The result of the `vs` in the roll.
    pub(super) grade: Option<Grade>,
}

/// The result of a `vs`.
#[derive(Clone, Copy)]
pub(super) struct Grade {
    pub(super) grade: i64,
    /// The face that could shift it.
    pub(super) natural: Option<i64>,
    /// The number that the total was held against.
    pub(super) against: i64,
}

/// The trap of an operation written at `span`.
pub(super) fn at(span: Span) -> impl Fn(TrapCode) -> Trap {
    move |code| Trap { code, span }
}

impl<'w, H: Host> Walk<'w, H> {
    pub(super) fn new(
        module: &'w Module,
        rolls: RollLimits,
        limits: ScriptLimits,
        resources: &'w [i64],
        host: &'w mut H,
    ) -> Self {
        Self {
            module,
            rolls,
            limits,
            resources,
            host,
            heap: Heap::default(),
            path: Path::default(),
            fuel: limits.fuel.into(),
            statements: 0,
            depth_left: limits.depth,
            frame: Vec::new(),
            naturals: None,
            role: Flags::empty(),
            grade: None,
        }
    }

    /// Begins the next trial of a script.
    pub(super) fn restart(&mut self) {
        self.heap.clear();
        self.path = Path::default();
        self.fuel = self.limits.fuel.into();
        self.depth_left = self.limits.depth;
    }

    /// The work of the trial so far, but for its dice: statements and fuel.
    pub(super) fn work(&self) -> u64 {
        self.statements + u64::from(self.limits.fuel).saturating_sub(self.fuel)
    }

    /// Pays for something.
    #[inline]
    pub(super) fn burn(&mut self, units: u64, span: Span) -> Result<(), Trap> {
        if self.host.is_cancelled() {
            return Err(at(span)(TrapCode::Cancelled));
        }
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
        args: Vec<heap::Value<'w>>,
        span: Span,
    ) -> Result<heap::Value<'w>, Trap> {
        self.burn(1, span)?;
        let less = self.depth_left.checked_sub(1);
        self.depth_left = less.ok_or(TrapCode::TooDeep).map_err(at(span))?;
        self.enter('c');
        let function = self.module.function(function);
        let value = stacker::maybe_grow(STACK_LEFT, STACK_ADDED, || self.body(function, args));
        self.leave('e');
        self.depth_left += 1;
        value
    }

    /// A function on a frame of its own.
    pub(super) fn body(
        &mut self,
        function: &Function,
        mut args: Vec<heap::Value<'w>>,
    ) -> Result<heap::Value<'w>, Trap> {
        args.resize(function.locals.len(), heap::Value::Unit);
        let outer = std::mem::replace(&mut self.frame, args);
        let flow = self.block(&function.body);
        self.frame = outer;
        Ok(match flow? {
            Flow::Return(value) => value,
            Flow::Next | Flow::Break | Flow::Continue => heap::Value::Unit,
        })
    }

    pub(super) fn block(&mut self, block: &Block) -> Result<Flow<'w>, Trap> {
        for stmt in block {
            let flow = self.stmt(stmt)?;
            if !matches!(flow, Flow::Next) {
                return Ok(flow);
            }
        }
        Ok(Flow::Next)
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<Flow<'w>, Trap> {
        self.statements += 1;
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
            StmtKind::Count(local, bounds, body) => {
                return self.count(*local, bounds, body, stmt.span);
            }
            StmtKind::Require(condition) => {
                if !self.truth(condition)? {
                    return Err(at(stmt.span)(TrapCode::NoElement));
                }
            }
            StmtKind::Break => return Ok(Flow::Break),
            StmtKind::Continue => return Ok(Flow::Continue),
            StmtKind::Return(value) => {
                let value = value.as_ref().map(|value| self.expr(value)).transpose()?;
                return Ok(Flow::Return(value.unwrap_or(heap::Value::Unit)));
            }
            StmtKind::Output(line) => {
                let line = self.line(line)?;
                self.host.output(&line).map_err(at(stmt.span))?;
            }
            StmtKind::StartGroup => self.host.start_group().map_err(at(stmt.span))?,
            StmtKind::EndGroup => self.host.end_group(),
            StmtKind::Stat(name, value) => self.stat(name, value, stmt.span)?,
        }
        Ok(Flow::Next)
    }

    fn choice(&mut self, condition: &Expr, then: &Block, or: &Block) -> Result<Flow<'w>, Trap> {
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

    fn while_loop(&mut self, condition: &Expr, body: &Block, span: Span) -> Result<Flow<'w>, Trap> {
        self.begin();
        let mut flow = Flow::Next;
        for number in 1.. {
            self.start_iteration(number);
            if !self.truth(condition)? {
                break;
            }
            self.burn(1, span)?;
            if let Some(end) = self.iteration(body)? {
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
    ) -> Result<Flow<'w>, Trap> {
        let units = self.module.iteration_cost(&list.ty);
        let list = self.expr(list)?;
        self.begin();
        let mut flow = Flow::Next;
        let mut index = 0;
        while let Some(element) = self.heap.part(&list, index).map_err(at(span))? {
            index += 1;
            self.burn(units, span)?;
            self.start_iteration(index as u64);
            self.set(local, element);
            if let Some(end) = self.iteration(body)? {
                flow = end;
                break;
            }
        }
        self.leave('L');
        Ok(flow)
    }

    fn count(
        &mut self,
        local: LocalId,
        [first, last]: &[Expr; 2],
        body: &Block,
        span: Span,
    ) -> Result<Flow<'w>, Trap> {
        let first = self.int(first)?;
        let last = self.int(last)?;
        let end = iadd(last, 1).map_err(at(span))?;
        self.begin();
        let mut flow = Flow::Next;
        for (iteration, value) in (1..).zip(first..end) {
            self.burn(1, span)?;
            self.start_iteration(iteration);
            self.set(local, heap::Value::Int(value));
            if let Some(end) = self.iteration(body)? {
                flow = end;
                break;
            }
        }
        self.leave('L');
        Ok(flow)
    }

    /// An iteration of a loop; returns how the loop ends, if it does.
    fn iteration(&mut self, body: &Block) -> Result<Option<Flow<'w>>, Trap> {
        Ok(match self.block(body)? {
            Flow::Next | Flow::Continue => None,
            Flow::Break => Some(Flow::Next),
            Flow::Return(value) => Some(Flow::Return(value)),
        })
    }

    #[inline]
    fn assign(&mut self, place: &Place, value: &Expr, span: Span) -> Result<(), Trap> {
        match place {
            Place::Local(local) => {
                let value = self.expr(value)?;
                self.set(*local, value);
                Ok(())
            }
            Place::Field(record, field) => {
                let record = self.expr(record)?;
                let value = self.expr(value)?;
                self.put(&record, *field as usize, value, span)
            }
            Place::Element(list, index) => {
                let list = self.expr(list)?;
                let index = self.int(index)?;
                let value = self.expr(value)?;
                let index = self.index(&list, index, span)?;
                self.put(&list, index, value, span)
            }
        }
    }

    #[inline]
    fn update(&mut self, place: &Place, op: ArithOp, value: &Expr, span: Span) -> Result<(), Trap> {
        match place {
            Place::Local(local) => {
                let old = self.local(*local);
                let new = self.updated(&old, op, value, span)?;
                self.set(*local, new);
                Ok(())
            }
            Place::Field(record, field) => {
                let record = self.expr(record)?;
                let old = self.part(&record, *field as usize, span)?;
                let new = self.updated(&old, op, value, span)?;
                self.put(&record, *field as usize, new, span)
            }
            Place::Element(list, index) => {
                let list = self.expr(list)?;
                let index = self.int(index)?;
                let index = self.index(&list, index, span)?;
                let old = self.part(&list, index, span)?;
                let new = self.updated(&old, op, value, span)?;
                self.put(&list, index, new, span)
            }
        }
    }

    #[inline]
    fn updated(
        &mut self,
        old: &heap::Value<'w>,
        op: ArithOp,
        value: &Expr,
        span: Span,
    ) -> Result<heap::Value<'w>, Trap> {
        let value = self.expr(value)?;
        let new = match (old, &value) {
            (heap::Value::Int(old), heap::Value::Int(value)) => {
                op.apply(*old, *value).map(heap::Value::Int)
            }
            (heap::Value::Float(old), heap::Value::Float(value)) => {
                op.apply_float(*old, *value).map(heap::Value::Float)
            }
            _ => Err(bug!("{old:?} {op} {value:?}").into()),
        };
        new.map_err(at(span))
    }

    /// The index of an element; a trap if there is none.
    #[inline]
    pub(super) fn index(
        &mut self,
        list: &heap::Value<'w>,
        index: i64,
        span: Span,
    ) -> Result<usize, Trap> {
        let length = self.heap.length(list).map_err(at(span))?;
        let known = usize::try_from(index).ok().filter(|&index| index < length);
        if known.is_none() {
            self.host.no_element(index, length);
        }
        known.ok_or(TrapCode::NoElement).map_err(at(span))
    }

    #[inline]
    fn put(
        &mut self,
        whole: &heap::Value<'w>,
        part: usize,
        value: heap::Value<'w>,
        span: Span,
    ) -> Result<(), Trap> {
        self.heap.parts_mut(whole).map_err(at(span))?[part] = value;
        Ok(())
    }

    #[inline]
    pub(super) fn local(&self, local: LocalId) -> heap::Value<'w> {
        self.frame[local.index()].clone()
    }

    #[inline]
    pub(super) fn set(&mut self, local: LocalId, value: heap::Value<'w>) {
        self.frame[local.index()] = value;
    }

    /// The player's name as players know it.
    pub(super) fn who(&mut self, who: &Expr, written: &str) -> Result<String, Trap> {
        let value = self.expr(who)?;
        let name = match (&who.ty, &value) {
            (Type::Record(id), record) => self.name_of(record, *id, who.span)?,
            (_, heap::Value::Text(text)) => text.to_string(),
            _ => String::new(),
        };
        Ok(if name.is_empty() {
            written.to_owned()
        } else {
            name
        })
    }

    /// The name of a record: its first field that is a text.
    pub(super) fn name_of(
        &self,
        record: &heap::Value<'w>,
        id: TypeId,
        span: Span,
    ) -> Result<String, Trap> {
        let fields = &self.module.record(id).fields;
        let named = fields.iter().position(|field| field.ty == Type::Text);
        let named = named.map(|field| self.part(record, field, span));
        Ok(match named.transpose()? {
            Some(heap::Value::Text(text)) => text.to_string(),
            _ => String::new(),
        })
    }

    pub(super) fn text(&mut self, expr: &Expr) -> Result<Text, Trap> {
        match self.expr(expr)? {
            heap::Value::Text(text) => Ok(text),
            other => Err(at(expr.span)(bug!("a text that is {other:?}").into())),
        }
    }

    // The path is kept only for hosts that ask for it.

    pub(super) fn begin(&mut self) {
        if H::PATHS {
            self.path.push();
        }
    }

    pub(super) fn mark(&mut self, letter: char) {
        if H::PATHS {
            self.path.append(letter);
        }
    }

    fn start_iteration(&mut self, number: u64) {
        if H::PATHS {
            self.path.iteration(number);
        }
    }

    fn enter(&mut self, letter: char) {
        self.begin();
        self.mark(letter);
    }

    pub(super) fn leave(&mut self, letter: char) {
        if H::PATHS {
            self.path.pop(letter);
        }
    }
}
