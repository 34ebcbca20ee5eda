//! Finds the records and lists that may be constant. Constants never change, so nothing may be
//! assigned in them or appended to them, under any name.
//!
//! The places that hold records and lists (variables, fields, results, and the elements of lists,
//! by their types) are nodes of a graph; an edge means that some reference is copied from one to
//! the other. A change is refused if a mention of a constant can reach it. A part of a constant is
//! constant, too.

use crate::hir::{
    ConstantId, Expr, ExprKind, FunctionId, LocalId, Module, Place, Stmt, StmtKind, Type, TypeId,
    each_expr, each_stmt,
};
use crate::syntax::{Code, Diagnostic, Diagnostics};
use dicec_runtime::span::Span;
use rustc_hash::FxHashMap;

/// Refuses changes of constants.
pub(super) fn check(script: &Module, found: &mut Diagnostics) {
    if script.constants.is_empty() {
        return;
    }
    let mut flow = References::of(script);
    for (function, id) in script.functions.iter().zip(0..) {
        flow.function(FunctionId(id), &function.body);
    }
    let reached = flow.reached();
    for (function, id) in script.functions.iter().zip(0..) {
        each_change(&function.body, &mut |whole, span| {
            let mut sources = Vec::new();
            flow.sources(FunctionId(id), whole, &mut sources);
            let mention = sources.iter().find_map(|source| match source {
                Source::Mention(mention) => Some(*mention),
                // Other expressions are not stored anywhere.
                Source::Node(node) => reached.get(*node).copied().flatten(),
            });
            if let Some(mention) = mention {
                complain(script, FunctionId(id), span, mention, found);
            }
        });
    }
}

/// Calls `look` with each record or list that is changed, and where that happens.
fn each_change<'s>(body: &'s [Stmt], look: &mut dyn FnMut(&'s Expr, Span)) {
    each_stmt(body, &mut |stmt| {
        if let StmtKind::Assign(place, _) | StmtKind::Update(place, ..) = &stmt.kind
            && let Place::Field(whole, _) | Place::Element(whole, _) = place
        {
            look(whole, stmt.span);
        }
    });
    each_expr(body, &mut |expr| {
        if let ExprKind::Append(list, _) | ExprKind::Pop(list) = &expr.kind {
            look(list, expr.span);
        }
    });
}

/// A change is reported where it is written; if the constant comes from another function, its
/// mention there is reported instead.
fn complain(
    script: &Module,
    function: FunctionId,
    change: Span,
    mention: Mention,
    found: &mut Diagnostics,
) {
    let name = &script.constant(mention.constant).name;
    let (place, label, text) = if mention.function == function {
        (change, mention.span, "it comes from here")
    } else {
        (mention.span, change, "it is changed here")
    };
    let message = format!("the constant `{name}` cannot be changed");
    let mut refused = Diagnostic::error(Code::ChangedConstant, place, message);
    if !(place.start <= label.start && label.end <= place.end) {
        refused = refused.label(label, text);
    }
    found.push(
        refused.help(
            "make a new one each time: `deffun new() { return ...; }` instead of the constant",
        ),
    );
}

/// A place where a constant is written in a function.
#[derive(Clone, Copy)]
struct Mention {
    constant: ConstantId,
    function: FunctionId,
    span: Span,
}

/// Where a reference comes from.
enum Source {
    Mention(Mention),
    Node(usize),
}

/// The graph of where references go.
struct References<'s> {
    script: &'s Module,
    /// The first node of each function's variables, and of each type's fields.
    locals: Vec<usize>,
    fields: Vec<usize>,
    results: usize,
    /// The elements of lists, by their type.
    elements: FxHashMap<&'s Type, usize>,
    /// The nodes that the references of each node are copied to.
    edges: Vec<Vec<usize>>,
    /// The nodes that mentions of constants are copied to.
    mentions: Vec<(Mention, usize)>,
}

impl<'s> References<'s> {
    fn of(script: &'s Module) -> Self {
        let mut nodes = 0;
        let mut places = |count: usize| {
            let first = nodes;
            nodes += count;
            first
        };
        let functions = script.functions.iter();
        let locals = functions.map(|function| places(function.locals.len()));
        let locals = locals.collect();
        let types = script.types.iter();
        let fields = types.map(|ty| places(ty.fields.len())).collect();
        let results = places(script.functions.len());
        Self {
            script,
            locals,
            fields,
            results,
            elements: FxHashMap::default(),
            edges: vec![Vec::new(); nodes],
            mentions: Vec::new(),
        }
    }

    /// For each node, a mention of a constant that it may hold, if there is one.
    fn reached(&self) -> Vec<Option<Mention>> {
        let mut reached = vec![None; self.edges.len()];
        let mut pending = Vec::new();
        for (mention, node) in &self.mentions {
            pending.push((*mention, *node));
            while let Some((mention, node)) = pending.pop() {
                if reached[node].is_none() {
                    reached[node] = Some(mention);
                    pending.extend(self.edges[node].iter().map(|next| (mention, *next)));
                }
            }
        }
        reached
    }

    fn local(&self, function: FunctionId, local: LocalId) -> usize {
        self.locals[function.index()] + local.index()
    }

    fn field(&self, id: TypeId, field: u32) -> usize {
        self.fields[id.index()] + field as usize
    }

    /// The elements of lists like this one.
    fn elements(&mut self, list: &'s Type) -> Option<usize> {
        let Type::List(element) = list else {
            return None;
        };
        let next = self.edges.len();
        let node = *self.elements.entry(&**element).or_insert(next);
        if node == next {
            self.edges.push(Vec::new());
        }
        Some(node)
    }

    /// Adds the edges of a function.
    fn function(&mut self, id: FunctionId, body: &'s [Stmt]) {
        each_stmt(body, &mut |stmt| match &stmt.kind {
            StmtKind::Assign(place, value) => {
                let to = self.place(id, place);
                self.goes(id, value, to);
            }
            StmtKind::Return(Some(value)) => {
                self.goes(id, value, Some(self.results + id.index()));
            }
            StmtKind::For(local, list, _) => {
                let to = self.local(id, *local);
                if is_reference(&self.script.function(id).locals[local.index()].ty) {
                    // An element of any list of this type.
                    let elements = self.elements(&list.ty);
                    self.edges_from(elements.map(Source::Node), to);
                    self.goes(id, list, Some(to));
                }
            }
            _ => {}
        });
        each_expr(body, &mut |expr| match &expr.kind {
            ExprKind::List(items) => {
                let to = self.elements(&expr.ty);
                for item in items {
                    self.goes(id, item, to);
                }
            }
            ExprKind::Append(list, value) => {
                let to = self.elements(&list.ty);
                self.goes(id, value, to);
            }
            ExprKind::Record(ty, fields) => {
                for (field, value) in fields {
                    self.goes(id, value, Some(self.field(*ty, *field)));
                }
            }
            ExprKind::Call(callee, arguments) => {
                for (argument, place) in arguments.iter().zip(0..) {
                    self.goes(id, argument, Some(self.local(*callee, LocalId(place))));
                }
            }
            _ => {}
        });
    }

    fn place(&mut self, id: FunctionId, place: &'s Place) -> Option<usize> {
        match place {
            Place::Local(local) => Some(self.local(id, *local)),
            Place::Field(record, field) => match record.ty {
                Type::Record(ty) => Some(self.field(ty, *field)),
                _ => None,
            },
            Place::Element(list, _) => self.elements(&list.ty),
        }
    }

    /// Adds that a value is copied to a node; none if its type is wrong, which was reported.
    fn goes(&mut self, id: FunctionId, value: &'s Expr, to: Option<usize>) {
        let Some(to) = to.filter(|_| is_reference(&value.ty)) else {
            return;
        };
        let mut sources = Vec::new();
        self.sources(id, value, &mut sources);
        self.edges_from(sources, to);
    }

    fn edges_from(&mut self, sources: impl IntoIterator<Item = Source>, to: usize) {
        for source in sources {
            match source {
                Source::Mention(mention) => self.mentions.push((mention, to)),
                Source::Node(node) => self.edges[node].push(to),
            }
        }
    }

    /// The sources of an expression's value: the contents of the places that it reads, and the
    /// constants that it mentions.
    fn sources(&mut self, id: FunctionId, expr: &'s Expr, sources: &mut Vec<Source>) {
        match &expr.kind {
            ExprKind::Constant(constant) => sources.push(Source::Mention(Mention {
                constant: *constant,
                function: id,
                span: expr.span,
            })),
            ExprKind::Local(local) => sources.push(Source::Node(self.local(id, *local))),
            ExprKind::Field(record, field) => {
                if let Type::Record(ty) = record.ty {
                    sources.push(Source::Node(self.field(ty, *field)));
                }
                self.sources(id, record, sources);
            }
            ExprKind::Element(list, _) | ExprKind::Pop(list) => {
                sources.extend(self.elements(&list.ty).map(Source::Node));
                self.sources(id, list, sources);
            }
            ExprKind::Call(callee, _) => {
                sources.push(Source::Node(self.results + callee.index()));
            }
            ExprKind::Choose(parts) => {
                for part in &parts[1..] {
                    self.sources(id, part, sources);
                }
            }
            ExprKind::Block(block) => {
                if let Some(value) = &block.value {
                    self.sources(id, value, sources);
                }
            }
            _ => {}
        }
    }
}

/// Whether values of a type are references.
fn is_reference(ty: &Type) -> bool {
    matches!(ty, Type::List(_) | Type::Record(_))
}
