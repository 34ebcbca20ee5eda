//! Lowers a function: its variables, its exits, and calls.

use super::inside::Inside;
use super::{Shared, Word, type_of};
use crate::ir::{
    Block, Function, FunctionBuilder, Imm, ListData, ListKind, Op, Shape, Type as IrType, Value,
};
use dicec_lang::hir::{Expr, Function as Source, FunctionId, LocalId, Type};
use dicec_runtime::bug;
use dicec_runtime::span::Span;

/// A function with at least this many instructions inlines nothing more.
const INLINE_UNTIL: usize = 10_000;

/// The maximum depth to which a recursive function is inlined into itself, and the number of
/// instructions at which that ends: a call costs as much as two dice, which are all that many such
/// functions do.
const MAX_RECURSION: usize = 2;
const RECURSION_UNTIL: usize = 400;

/// Stack space that is ensured before a call is inlined and before a block in an expression, and
/// how much is added if it is short: in between, statements and expressions nest as deeply as the
/// source may.
pub(super) const STACK_LEFT: usize = 1 << 20;
pub(super) const STACK_ADDED: usize = 4 << 20;

/// A function that is being lowered.
pub(super) struct Body<'l, 's> {
    pub(super) shared: &'l mut Shared<'s>,
    pub(super) builder: FunctionBuilder,
    pub(super) frame: Frame<'s>,
    /// The depth of inlined calls at this point.
    depth: u32,
    /// The functions whose inlined code is being emitted, the outermost first.
    within: Vec<FunctionId>,
    /// Whether other functions call this one, at an unknown depth.
    is_called: bool,
    /// Whether the code that comes next can be reached.
    pub(super) open: bool,
    /// The roll that the code belongs to.
    pub(super) inside: Inside,
}

/// The variables of a source function, inlined or not.
pub(super) struct Frame<'s> {
    id: FunctionId,
    function: &'s Source,
    /// The value of each variable; `None` before its first assignment.
    locals: Vec<Option<Value>>,
    /// The loops that enclose the code that comes next, the innermost last.
    pub(super) loops: Vec<Loop>,
    /// The block that an inlined function goes to at its end; its parameter is the result.
    exit: Option<Block>,
}

/// A loop that encloses the code that comes next.
pub(super) struct Loop {
    /// The block where the next iteration begins.
    pub(super) next: Block,
    /// The arguments before the variables there.
    pub(super) with: Option<Value>,
    /// The block after the loop.
    pub(super) exit: Block,
    /// The variables that both take.
    pub(super) carried: Vec<LocalId>,
}

impl<'l, 's> Body<'l, 's> {
    pub(super) fn lower(shared: &'l mut Shared<'s>, id: FunctionId, is_called: bool) -> Function {
        let function = shared.script.function(id);
        let result = match &function.result {
            Type::Bool if !is_called => IrType::Bool,
            _ => IrType::I64,
        };
        let builder = FunctionBuilder::new(result, shared.words.clone());
        let mut body = Body {
            shared,
            builder,
            frame: Frame::new(id, function, None),
            depth: 0,
            within: Vec::new(),
            is_called,
            open: true,
            inside: Inside::default(),
        };
        body.builder.set_span(function.span);
        for (place, param) in (0..).zip(&function.locals[..function.params]) {
            let word = match is_called {
                true => body.builder.function_param(),
                false => {
                    let shape = body.shared.layout.variable(id, LocalId(place));
                    body.slot(place, shape)
                }
            };
            let value = body.value_of(word, &param.ty);
            body.frame.locals[place as usize] = Some(value);
        }
        body.block(&function.body);
        if body.open {
            body.end(None);
        }
        let mut function = body.builder.finish();
        function.compact();
        function
    }

    /// A word that is read by slot.
    pub(super) fn slot(&mut self, slot: u32, shape: Shape) -> Value {
        let word = self.shared.known(slot.into(), shape);
        self.known_word(word.unwrap_or(Word::Open(slot)))
    }

    /// A word that no trial changes.
    pub(super) fn known_word(&mut self, word: Word) -> Value {
        match word {
            Word::Number(number) => self.builder.iconst(number),
            Word::Open(slot) => self.builder.inst(Op::Resource, &[], Imm::Slot(slot)),
        }
    }

    /// A word of memory as a value.
    pub(super) fn value_of(&mut self, word: Value, ty: &Type) -> Value {
        match ty {
            Type::Bool => {
                let zero = self.builder.iconst(0);
                self.builder.inst(Op::Ine, &[word, zero], Imm::None)
            }
            Type::Float => self.builder.inst(Op::Unkey, &[word], Imm::None),
            _ => word,
        }
    }

    /// A value as a word of memory.
    pub(super) fn word_of(&mut self, value: Value, ty: &Type) -> Value {
        match ty {
            Type::Bool => self.builder.inst(Op::Btoi, &[value], Imm::None),
            Type::Float => self.builder.inst(Op::Fkey, &[value], Imm::None),
            _ => value,
        }
    }

    /// Any value of a type.
    pub(super) fn zero(&mut self, ty: &Type) -> Value {
        match ty {
            Type::Bool => self.builder.inst(Op::Bconst, &[], Imm::Bool(false)),
            Type::Float => self.builder.inst(Op::Fconst, &[], Imm::Float(0.0)),
            _ => self.builder.iconst(0),
        }
    }

    /// Ends the function, inlined or not.
    pub(super) fn end(&mut self, value: Option<Value>) {
        let ty = &self.frame.function.result;
        match self.frame.exit {
            Some(exit) if *ty == Type::Unit => self.builder.jump(exit, &[]),
            Some(exit) => {
                let value = value.unwrap_or_else(|| self.zero(ty));
                self.builder.jump(exit, &[value]);
            }
            None => {
                let value = match value {
                    // The truth value of a trial is its result, unconverted.
                    Some(value) if *ty == Type::Bool && !self.is_called => value,
                    Some(value) => self.word_of(value, ty),
                    None if *ty == Type::Bool && !self.is_called => self.zero(ty),
                    None => self.builder.iconst(0),
                };
                self.builder.ret(value);
            }
        }
        self.open = false;
    }

    /// Burns fuel.
    pub(super) fn fuel(&mut self, units: u64, span: Span) {
        if units == 0 {
            return;
        }
        // More than the ceiling traps in any case.
        let most = u64::from(dicec_runtime::limits::MAX_FUEL_CEILING);
        let over = units > most;
        self.builder.set_span(span);
        let part = Imm::Int(units.min(most).cast_signed());
        self.builder.inst(Op::Fuel, &[], part);
        if over {
            self.builder.inst(Op::Fuel, &[], part);
        }
    }

    /// A call; the arguments are evaluated. A function without a value gives 0.
    pub(super) fn call(&mut self, id: FunctionId, args: Vec<Value>, span: Span) -> Value {
        self.fuel(1, span);
        self.depth += 1;
        if self.is_called || self.depth > self.shared.limits.depth {
            self.builder
                .inst(Op::Depth, &[], Imm::Int(self.depth.into()));
        }
        let value = if self.is_inlined(id) {
            self.within.push(id);
            let value =
                stacker::maybe_grow(STACK_LEFT, STACK_ADDED, || self.inlined(id, args, span));
            self.within.pop();
            value
        } else {
            self.called(id, &args)
        };
        self.depth -= 1;
        value
    }

    /// Whether a call is inlined.
    fn is_inlined(&self, id: FunctionId) -> bool {
        let size = self.builder.len();
        let small = size < INLINE_UNTIL
            && self.shared.insts + size < super::MAX_INSTS
            && self.depth <= self.shared.limits.depth;
        let often = || self.within.iter().filter(|&&outer| outer == id).count();
        small
            && (!self.shared.reach.is_recursive(id)
                || size < RECURSION_UNTIL && often() < MAX_RECURSION)
    }

    fn called(&mut self, id: FunctionId, args: &[Value]) -> Value {
        let function = self.shared.script.function(id);
        let params = function.locals.iter().zip(args);
        let args: Vec<Value> = params
            .map(|(param, &arg)| self.word_of(arg, &param.ty))
            .collect();
        let callee = self.shared.func(id);
        let call = Imm::Call(callee, self.depth);
        let result = self.builder.inst(Op::Call, &args, call);
        self.value_of(result, &function.result)
    }

    fn inlined(&mut self, id: FunctionId, args: Vec<Value>, span: Span) -> Value {
        let function = self.shared.script.function(id);
        let result = match &function.result {
            Type::Unit => None,
            ty => Some(type_of(ty)),
        };
        let exit = self.builder.block(result.as_slice());
        let mut frame = Frame::new(id, function, Some(exit));
        for (local, arg) in frame.locals.iter_mut().zip(args) {
            *local = Some(arg);
        }
        let outer = std::mem::replace(&mut self.frame, frame);
        self.block(&function.body);
        if self.open {
            self.end(None);
        }
        self.frame = outer;
        self.builder.switch_to(exit);
        self.builder.set_span(span);
        self.open = true;
        match result {
            Some(_) => self.builder.param(exit, 0),
            None => self.builder.iconst(0),
        }
    }

    /// The properties of lists that an expression yields.
    pub(super) fn list_data(&mut self, list: &Expr) -> (ListKind, ListData) {
        let kind = self.shared.layout.kind_of(self.frame.id, list);
        (kind, self.shared.layout.tables.lists[kind])
    }

    pub(super) fn local(&mut self, local: LocalId) -> Value {
        match self.frame.locals[local.index()] {
            Some(value) => value,
            None => bug!("{local:?} is read before it is assigned").raise(),
        }
    }

    pub(super) fn set(&mut self, local: LocalId, value: Value) {
        self.frame.locals[local.index()] = Some(value);
    }

    /// The variables that have a value here; only these are merged after a statement.
    pub(super) fn known(&self, locals: Vec<LocalId>) -> Vec<LocalId> {
        let known = |local: &LocalId| self.frame.locals[local.index()].is_some();
        locals.into_iter().filter(known).collect()
    }

    /// A block whose parameters are those of `with`, then these variables.
    pub(super) fn block_of(&mut self, with: Option<IrType>, carried: &[LocalId]) -> Block {
        let locals = carried.iter();
        let types = locals.map(|local| type_of(&self.frame.function.locals[local.index()].ty));
        let types: Vec<IrType> = with.into_iter().chain(types).collect();
        self.builder.block(&types)
    }

    /// Jumps to a block with the arguments `with`, then these variables.
    pub(super) fn jump(&mut self, block: Block, with: Option<Value>, carried: &[LocalId]) {
        let mut args: Vec<Value> = with.into_iter().collect();
        for &local in carried {
            args.push(self.local(local));
        }
        self.builder.jump(block, &args);
        self.open = false;
    }

    /// Continues at a block whose parameters, after the first `skipped`, are these variables.
    pub(super) fn enter(&mut self, block: Block, skipped: usize, carried: &[LocalId]) {
        self.builder.switch_to(block);
        for (place, &local) in carried.iter().enumerate() {
            let value = self.builder.param(block, skipped + place);
            self.set(local, value);
        }
        self.open = true;
    }

    /// The values of the variables here.
    pub(super) fn snapshot(&self) -> Vec<Option<Value>> {
        self.frame.locals.clone()
    }

    /// Restores the values of the variables.
    pub(super) fn restore(&mut self, locals: &[Option<Value>]) {
        self.frame.locals.clone_from_slice(locals);
    }
}

impl<'s> Frame<'s> {
    fn new(id: FunctionId, function: &'s Source, exit: Option<Block>) -> Self {
        Self {
            id,
            function,
            locals: vec![None; function.locals.len()],
            loops: Vec::new(),
            exit,
        }
    }
}
