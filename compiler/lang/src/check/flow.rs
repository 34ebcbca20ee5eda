//! Control flow: missing returns, unreachable statements, endless loops and endless recursion.

use super::calls::Group;
use super::effects::Effects;
use crate::hir::{
    Block, Expr, ExprKind, Function, FunctionId, LocalId, Module, Place, Stmt, StmtKind, Type,
    TypeId, each_expr, each_stmt,
};
use crate::syntax::{Code, Diagnostic, Diagnostics};
use rustc_hash::FxHashSet;

/// How a block can be left.
#[derive(Clone, Copy, Default)]
struct Exits {
    /// By its end.
    falls: bool,
    /// By a `break` of the loop around.
    breaks: bool,
}

/// Checks one function.
pub(super) fn check(function: &Function, effects: &[Effects], found: &mut Diagnostics) {
    let exits = block(&function.body, found);
    let valued = !matches!(function.result, Type::Unit | Type::Unknown);
    if valued && exits.falls {
        let message = format!("`{}` can end without returning a value", function.name);
        found.push(
            Diagnostic::error(Code::MissingReturn, function.span, message)
                .help("add a `return ...;` at its end: some path through it gets there"),
        );
    }
    each_stmt(&function.body, &mut |stmt| {
        if let StmtKind::While(condition, body) = &stmt.kind {
            endless_loop(function, condition, body, effects, found);
        }
    });
}

/// The exits of a block; reports the first statement that is never reached.
fn block(block: &[Stmt], found: &mut Diagnostics) -> Exits {
    let mut exits = Exits {
        falls: true,
        breaks: false,
    };
    for (stmt, before) in block
        .iter()
        .zip(std::iter::once(None).chain(block.iter().map(Some)))
    {
        if !exits.falls {
            let mut note = Diagnostic::note(Code::Unreachable, stmt.span, "this is never reached")
                .help("remove it, or move it before what ends the block");
            if let Some(before) = before {
                note = note.label(before.span, "nothing after this is reached");
            }
            found.push(note);
            return exits;
        }
        let out = statement(stmt, found);
        exits.falls = out.falls;
        exits.breaks |= out.breaks;
    }
    exits
}

fn statement(stmt: &Stmt, found: &mut Diagnostics) -> Exits {
    let (falls, breaks) = match &stmt.kind {
        StmtKind::Return(_) | StmtKind::Continue => (false, false),
        StmtKind::Break => (false, true),
        StmtKind::If(_, yes, no) => {
            let (yes, no) = (block(yes, found), block(no, found));
            (yes.falls || no.falls, yes.breaks || no.breaks)
        }
        StmtKind::While(condition, body) => {
            let body = block(body, found);
            (condition.kind != ExprKind::Bool(true) || body.breaks, false)
        }
        StmtKind::For(_, _, body) | StmtKind::Count(_, _, body) => {
            block(body, found);
            (true, false)
        }
        _ => (true, false),
    };
    Exits { falls, breaks }
}

/// A source of a condition, which a loop may change.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Cell {
    Local(LocalId),
    Field(TypeId, u32),
    /// The elements and the length of any list.
    Elements,
}

impl Cell {
    /// The sources that an expression itself reads; `None` if they are not known, or differ each
    /// time.
    fn read(expr: &Expr, cells: &mut FxHashSet<Cell>) -> bool {
        let cell = match &expr.kind {
            ExprKind::Local(local) => Cell::Local(*local),
            ExprKind::Field(record, field) => match record.ty {
                Type::Record(id) => Cell::Field(id, *field),
                _ => return false,
            },
            ExprKind::Element(..) | ExprKind::Len(_) => Cell::Elements,
            ExprKind::Call(..) | ExprKind::Roll(_) | ExprKind::Option(_) | ExprKind::Pop(_) => {
                return false;
            }
            _ => return expr.ty != Type::Unknown,
        };
        cells.insert(cell);
        expr.ty != Type::Unknown
    }

    fn written(place: &Place) -> Option<Cell> {
        match place {
            Place::Local(local) => Some(Cell::Local(*local)),
            Place::Field(record, field) => match record.ty {
                Type::Record(id) => Some(Cell::Field(id, *field)),
                _ => None,
            },
            Place::Element(..) => Some(Cell::Elements),
        }
    }
}

/// A loop that never changes the operands of its condition, and has no other exit.
fn endless_loop(
    function: &Function,
    condition: &Expr,
    body: &Block,
    effects: &[Effects],
    found: &mut Diagnostics,
) {
    let mut reads = FxHashSet::default();
    let mut known = condition.ty == Type::Bool;
    condition.each(&mut |part| {
        known &= Cell::read(part, &mut reads);
        if let ExprKind::Block(_) = part.kind {
            // Its loops read lists.
            reads.insert(Cell::Elements);
        }
    });
    if !known || condition.kind == ExprKind::Bool(false) || leaves(body, true) {
        return;
    }
    let mut changes = false;
    each_stmt(body, &mut |stmt| {
        let cell = match &stmt.kind {
            StmtKind::Assign(place, _) | StmtKind::Update(place, ..) => Cell::written(place),
            StmtKind::For(local, ..) | StmtKind::Count(local, ..) => Some(Cell::Local(*local)),
            _ => return,
        };
        changes |= cell.is_none_or(|cell| reads.contains(&cell));
    });
    let reads_heap = reads.iter().any(|cell| !matches!(cell, Cell::Local(_)));
    each_expr(body, &mut |expr| {
        changes |= match &expr.kind {
            ExprKind::Append(..) | ExprKind::Pop(_) => reads.contains(&Cell::Elements),
            ExprKind::Call(id, _) => reads_heap && effects[id.index()].changes,
            _ => false,
        };
    });
    if changes {
        return;
    }
    let mut names = reads.iter().filter_map(|cell| match cell {
        Cell::Local(local) => Some(*local),
        _ => None,
    });
    let named = names.next().filter(|_| reads.len() == 1);
    let (message, help) = match named.map(|local| &function.locals[local.index()].name) {
        Some(name) => (
            format!("this loop never ends: nothing in it changes `{name}`"),
            format!(
                "change `{name}` in the loop, such as by `{name}++;` or `{name}--;`, or leave it by `break;`"
            ),
        ),
        None if reads.is_empty() => (
            "this loop never ends: nothing leads out of it".to_owned(),
            "leave it by `break;` or `return`, or give it a condition that changes".to_owned(),
        ),
        None => (
            "this loop never ends: nothing in it changes what its condition reads".to_owned(),
            "change one of these values in the loop, or leave it by `break;`".to_owned(),
        ),
    };
    found.push(Diagnostic::error(Code::EndlessLoop, condition.span, message).help(help));
}

/// Whether a block may leave the loop around it.
fn leaves(block: &[Stmt], own: bool) -> bool {
    block.iter().any(|stmt| match &stmt.kind {
        StmtKind::Return(_) => true,
        StmtKind::Break => own,
        StmtKind::If(_, yes, no) => leaves(yes, own) || leaves(no, own),
        StmtKind::While(_, body) | StmtKind::For(_, _, body) | StmtKind::Count(_, _, body) => {
            leaves(body, false)
        }
        _ => false,
    })
}

/// Whether functions that call each other do so on every path through each of them.
pub(super) fn is_endless(script: &Module, group: &Group) -> bool {
    let members: FxHashSet<FunctionId> = group.members.iter().copied().collect();
    let escapes = |id: &FunctionId| escape(&script.function(*id).body, &members).any();
    group.recursive && !group.members.iter().any(escapes)
}

/// How a block can be left without a call of one of some functions.
#[derive(Clone, Copy)]
struct Escape {
    falls: bool,
    returns: bool,
}

impl Escape {
    fn any(self) -> bool {
        self.falls || self.returns
    }
}

fn escape(block: &[Stmt], members: &FxHashSet<FunctionId>) -> Escape {
    let mut returns = false;
    for stmt in block {
        let calls = stmt
            .exprs()
            .into_iter()
            .any(|expr| always_calls(expr, members));
        let out = match &stmt.kind {
            _ if calls => Escape {
                falls: false,
                returns: false,
            },
            StmtKind::Return(_) => Escape {
                falls: false,
                returns: true,
            },
            StmtKind::If(_, yes, no) => {
                let (yes, no) = (escape(yes, members), escape(no, members));
                Escape {
                    falls: yes.falls || no.falls,
                    returns: yes.returns || no.returns,
                }
            }
            StmtKind::While(_, body) | StmtKind::For(_, _, body) | StmtKind::Count(_, _, body) => {
                Escape {
                    falls: true,
                    returns: escape(body, members).returns,
                }
            }
            _ => Escape {
                falls: true,
                returns: false,
            },
        };
        returns |= out.returns;
        if !out.falls {
            return Escape {
                falls: false,
                returns,
            };
        }
    }
    Escape {
        falls: true,
        returns,
    }
}

/// Whether evaluating an expression calls one of these, whatever its values.
fn always_calls(expr: &Expr, members: &FxHashSet<FunctionId>) -> bool {
    match &expr.kind {
        ExprKind::Call(id, _) if members.contains(id) => true,
        ExprKind::And(first, _) | ExprKind::Or(first, _) => always_calls(first, members),
        ExprKind::Choose(parts) => {
            let [condition, yes, no] = &**parts;
            always_calls(condition, members)
                || (always_calls(yes, members) && always_calls(no, members))
        }
        ExprKind::Block(block) => {
            // Its loops may have no iterations.
            let parts = block.statements.iter().flat_map(Stmt::exprs);
            let mut parts = parts.chain(&block.value);
            parts.any(|part| always_calls(part, members))
        }
        _ => expr
            .parts()
            .into_iter()
            .any(|part| always_calls(part, members)),
    }
}
