//! Which texts may contain numbers that are inserted at run time. Such texts cannot be compared:
//! native code and the exact engine know only their templates.
//!
//! The places that hold texts (variables, fields, results, and the elements of all lists as one)
//! are nodes of a graph; an edge means that some text is copied from one to the other. A text may
//! contain a number if a join of a number can reach it.

use crate::hir::{
    Expr, ExprKind, FunctionId, LocalId, Module, Place, RollDef, Stmt, StmtKind, Type, TypeId,
    each_expr, each_stmt,
};
use crate::syntax::{Code, Diagnostic, Diagnostics};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{Dfs, VisitMap};

/// Refuses comparisons of texts that may hold numbers, and rolls that return such texts.
pub(super) fn check(script: &Module, found: &mut Diagnostics) {
    if !compares(script) && !returns_text(script) {
        return;
    }
    let mut texts = Texts::of(script);
    for (function, id) in script.functions.iter().zip(0..) {
        texts.function(script, FunctionId(id), &function.body);
    }
    let mut reached = Dfs::new(&texts.graph, texts.number);
    while reached.next(&texts.graph).is_some() {}
    for roll in &script.rolls {
        if texts
            .returned(script, roll.function)
            .any(|node| reached.discovered.is_visited(&node))
        {
            returned(roll, found);
        }
    }
    for (function, id) in script.functions.iter().zip(0..) {
        each_expr(&function.body, &mut |expr| {
            let ExprKind::Same(_, left, right) = &expr.kind else {
                return;
            };
            for side in [left, right] {
                let mut sources = Vec::new();
                texts.sources(FunctionId(id), side, &mut sources);
                if sources
                    .iter()
                    .any(|node| reached.discovered.is_visited(node))
                {
                    complain(expr, side, found);
                    return;
                }
            }
        });
    }
}

/// Whether a roll returns a text, by itself or as a part.
fn returns_text(script: &Module) -> bool {
    let mut results = script
        .rolls
        .iter()
        .map(|roll| &script.function(roll.function).result);
    results.any(|result| match result {
        Type::Record(id) => {
            let mut fields = script.record(*id).fields.iter();
            fields.any(|field| field.ty == Type::Text)
        }
        other => *other == Type::Text,
    })
}

/// Whether anything is compared that may be texts.
fn compares(script: &Module) -> bool {
    let mut compares = false;
    for function in &script.functions {
        each_expr(&function.body, &mut |expr| {
            compares |= matches!(expr.kind, ExprKind::Same(..));
        });
    }
    compares
}

fn complain(compared: &Expr, side: &Expr, found: &mut Diagnostics) {
    let message = "texts that may contain numbers cannot be compared";
    found.push(
        Diagnostic::error(Code::TextsCompared, compared.span, message)
            .label(side.span, "this text may contain a number")
            .help("compare the number itself, or remember what is meant in a variable of its own"),
    );
}

fn returned(roll: &RollDef, found: &mut Diagnostics) {
    let message = format!(
        "the roll `{}` returns a text that may contain a number",
        roll.name
    );
    let diagnostic = Diagnostic::error(Code::TextsCompared, roll.span, message);
    found.push(diagnostic.help(
        "return the number, or show the text: `output(text);` counts texts without their numbers",
    ));
}

/// The graph of how texts are copied.
struct Texts {
    graph: DiGraph<(), ()>,
    /// The first node of each function's variables, and of each type's fields.
    locals: Vec<u32>,
    fields: Vec<u32>,
    results: u32,
    elements: NodeIndex,
    number: NodeIndex,
}

impl Texts {
    fn of(script: &Module) -> Self {
        let mut next = 0_u32;
        let mut places = |count: usize| {
            let first = next;
            // A text below 4 GiB holds fewer names than that.
            next += count as u32;
            first
        };
        let locals = script
            .functions
            .iter()
            .map(|function| places(function.locals.len()));
        let locals = locals.collect();
        let fields = script
            .types
            .iter()
            .map(|ty| places(ty.fields.len()))
            .collect();
        let results = places(script.functions.len());
        let elements = NodeIndex::new(places(1) as usize);
        let number = NodeIndex::new(places(1) as usize);
        let mut graph = DiGraph::new();
        for _ in 0..next {
            graph.add_node(());
        }
        Self {
            graph,
            locals,
            fields,
            results,
            elements,
            number,
        }
    }

    fn local(&self, function: FunctionId, local: LocalId) -> NodeIndex {
        NodeIndex::new((self.locals[function.index()] + local.0) as usize)
    }

    fn field(&self, id: TypeId, field: u32) -> NodeIndex {
        NodeIndex::new((self.fields[id.index()] + field) as usize)
    }

    /// The texts that a function returns, by themselves or in a record.
    fn returned(
        &self,
        script: &Module,
        function: FunctionId,
    ) -> impl Iterator<Item = NodeIndex> + use<> {
        let nodes: Vec<NodeIndex> = match script.function(function).result {
            Type::Text => vec![self.result(function)],
            Type::Record(id) => {
                let fields = script.record(id).fields.iter().zip(0..);
                let texts = fields.filter(|(field, _)| field.ty == Type::Text);
                texts.map(|(_, place)| self.field(id, place)).collect()
            }
            _ => Vec::new(),
        };
        nodes.into_iter()
    }

    fn result(&self, function: FunctionId) -> NodeIndex {
        NodeIndex::new((self.results + function.0) as usize)
    }

    /// Adds the edges of a function.
    fn function(&mut self, script: &Module, id: FunctionId, body: &[Stmt]) {
        each_stmt(body, &mut |stmt| match &stmt.kind {
            StmtKind::Assign(place, value) => {
                if let Some(node) = self.place(id, place) {
                    self.goes(id, value, node);
                }
            }
            StmtKind::Return(Some(value)) => self.goes(id, value, self.result(id)),
            StmtKind::For(local, ..)
                if script.function(id).locals[local.index()].ty == Type::Text =>
            {
                let to = self.local(id, *local);
                self.graph.add_edge(self.elements, to, ());
            }
            _ => {}
        });
        each_expr(body, &mut |expr| match &expr.kind {
            ExprKind::List(items) => {
                for item in items {
                    self.goes(id, item, self.elements);
                }
            }
            ExprKind::Append(_, value) => self.goes(id, value, self.elements),
            ExprKind::Record(ty, fields) => {
                for (field, value) in fields {
                    self.goes(id, value, self.field(*ty, *field));
                }
            }
            ExprKind::Call(callee, arguments) => {
                for (argument, place) in arguments.iter().zip(0..script.function(*callee).params) {
                    self.goes(id, argument, self.local(*callee, LocalId(place as u32)));
                }
            }
            _ => {}
        });
    }

    fn place(&self, id: FunctionId, place: &Place) -> Option<NodeIndex> {
        match place {
            Place::Local(local) => Some(self.local(id, *local)),
            Place::Field(record, field) => match record.ty {
                Type::Record(ty) => Some(self.field(ty, *field)),
                _ => None,
            },
            Place::Element(..) => Some(self.elements),
        }
    }

    fn goes(&mut self, id: FunctionId, value: &Expr, to: NodeIndex) {
        let mut sources = Vec::new();
        self.sources(id, value, &mut sources);
        for source in sources {
            self.graph.add_edge(source, to, ());
        }
    }

    /// The nodes that the parts of a text come from.
    fn sources(&self, id: FunctionId, text: &Expr, sources: &mut Vec<NodeIndex>) {
        if text.ty != Type::Text {
            return;
        }
        match &text.kind {
            ExprKind::Local(local) => sources.push(self.local(id, *local)),
            ExprKind::Field(record, field) => {
                if let Type::Record(ty) = record.ty {
                    sources.push(self.field(ty, *field));
                }
            }
            ExprKind::Element(..) | ExprKind::Pop(_) => sources.push(self.elements),
            ExprKind::Call(callee, _) => sources.push(self.result(*callee)),
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
            ExprKind::Join(parts) => {
                for part in parts {
                    match part.ty {
                        Type::Int | Type::Float => sources.push(self.number),
                        _ => self.sources(id, part, sources),
                    }
                }
            }
            _ => {}
        }
    }
}
