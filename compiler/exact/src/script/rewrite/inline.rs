//! Calls of functions that take lists, change nothing and do not roll, such as `deffun of(all: int
//! list, face: int) : int { return count(x == face for x : all); }`, become their statements, so
//! that the loops over a list are seen next to the one that rolls it.
//!
//! Premise: a call evaluates its arguments once, in order, and then the body. Only rolls are
//! changed, which no function calls: no limit on the depth of calls is near.

use super::super::unordered::Pure;
use super::edit::{assignments, each_operand_mut, each_operand_of_mut, own_operands_mut, replace};
use super::quiet::is_quiet;
use dicec_lang::hir::{
    Aggregate, Block, Expr, ExprKind, Function, FunctionId, Local, LocalId, Module, Place, Search,
    Stmt, StmtKind, Type, ValueBlock, each_expr, each_stmt, each_stmt_mut,
};
use dicec_runtime::bug;
use dicec_runtime::span::Span;

/// How deep calls in calls are inlined. Calls may nest more deeply under any limit in use.
const MAX_DEPTH: usize = 4;

/// Inlines the calls in the body of a roll; returns how many.
pub(super) fn inline(script: &Module, id: FunctionId, function: &mut Function, pure: &Pure) -> u64 {
    let mut is_called = false;
    for function in &script.functions {
        each_expr(&function.body, &mut |expr| {
            is_called |= matches!(expr.kind, ExprKind::Call(callee, _) if callee == id);
        });
    }
    if is_called {
        return 0;
    }
    let mut inlined = 0;
    for _ in 0..MAX_DEPTH {
        let (body, locals) = (&mut function.body, &mut function.locals);
        let before = inlined;
        each_operand_of_mut(body, &mut |expr| {
            calls((script, pure), expr, locals, &mut inlined);
        });
        if inlined == before {
            break;
        }
    }
    inlined
}

fn calls(
    (script, pure): (&Module, &Pure),
    expr: &mut Expr,
    locals: &mut Vec<Local>,
    inlined: &mut u64,
) {
    each_operand_mut(expr, &mut |part| {
        calls((script, pure), part, locals, inlined)
    });
    let ExprKind::Call(callee, args) = &expr.kind else {
        return;
    };
    let callee = script.function(*callee);
    let takes_list = args.iter().any(|arg| matches!(arg.ty, Type::List(_)));
    let are_plain = args.iter().all(|arg| {
        matches!(
            arg.kind,
            ExprKind::Local(_) | ExprKind::Int(_) | ExprKind::Bool(_)
        )
    });
    let [
        statements @ ..,
        Stmt {
            kind: StmtKind::Return(Some(value)),
            ..
        },
    ] = &callee.body[..]
    else {
        return;
    };
    let params = (0..callee.params as u32).map(LocalId);
    let is_assigned = |param| assignments(&callee.body, param) > 0;
    if !takes_list || !can_be_renamed(statements, value) {
        return;
    }
    let new = match statements {
        [] if are_plain && !params.clone().any(is_assigned) => renamed(value, callee, args, locals),
        _ => in_block((statements, value), callee, args, (locals, expr.span)),
    };
    if is_quiet(&new, pure) {
        *expr = new;
        *inlined += 1;
    }
}

/// The block that sets the parameters of a function and runs it.
fn in_block(
    (statements, value): (&[Stmt], &Expr),
    callee: &Function,
    args: &[Expr],
    (locals, span): (&mut Vec<Local>, Span),
) -> Expr {
    let first = locals.len() as u32;
    locals.extend(callee.locals.iter().cloned());
    let to = |local: LocalId| LocalId(first + local.0);
    let params = (0..).map(|param| to(LocalId(param))).zip(args);
    let set = |(param, arg): (LocalId, &Expr)| Stmt {
        kind: StmtKind::Assign(Place::Local(param), arg.clone()),
        span,
    };
    let mut block: Block = params.map(set).collect();
    let (mut rest, mut value) = (statements.to_vec(), value.clone());
    rename_in(&mut rest, &to);
    rename(&mut value, &to);
    block.append(&mut rest);
    Expr {
        ty: value.ty.clone(),
        kind: ExprKind::Block(Box::new(ValueBlock {
            initials: Vec::new(),
            statements: block,
            value: Some(value),
            aggregate: None,
        })),
        span,
    }
}

/// The value of a function for these arguments, with its variables as new ones of the caller.
fn renamed(value: &Expr, callee: &Function, args: &[Expr], locals: &mut Vec<Local>) -> Expr {
    let first = locals.len() as u32;
    locals.extend(callee.locals.iter().cloned());
    let to = |local: LocalId| LocalId(first + local.0);
    let mut value = value.clone();
    rename(&mut value, &to);
    let params = callee.params as u32;
    replace(&mut value, &mut |part| match part.kind {
        ExprKind::Local(local) if local.0 >= first && local.0 - first < params => {
            let arg = args.get((local.0 - first) as usize);
            Some(
                arg.cloned()
                    .unwrap_or_else(|| bug!("a call without an argument").raise()),
            )
        }
        _ => None,
    });
    value
}

/// A new name for each variable.
type Names<'n> = &'n dyn Fn(LocalId) -> LocalId;

fn rename(expr: &mut Expr, to: Names<'_>) {
    match &mut expr.kind {
        ExprKind::Local(local) => *local = to(*local),
        ExprKind::Block(block) => {
            block.aggregate = block.aggregate.map(|aggregate| named(aggregate, to));
            rename_in(&mut block.statements, to);
            block.value.iter_mut().for_each(|value| rename(value, to));
        }
        _ => each_operand_mut(expr, &mut |part| rename(part, to)),
    }
}

fn rename_in(block: &mut Block, to: Names<'_>) {
    each_stmt_mut(block, &mut |stmt| {
        match &mut stmt.kind {
            StmtKind::Assign(Place::Local(local), _)
            | StmtKind::Update(Place::Local(local), ..)
            | StmtKind::For(local, ..)
            | StmtKind::Count(local, ..) => *local = to(*local),
            _ => {}
        }
        own_operands_mut(stmt, &mut |expr| rename(expr, to));
    });
}

fn named(aggregate: Aggregate, to: Names<'_>) -> Aggregate {
    let search = |search: Search| Search {
        value: to(search.value),
        best: to(search.best),
        limit: to(search.limit),
        found: to(search.found),
    };
    match aggregate {
        Aggregate::Rolled(local) => Aggregate::Rolled(to(local)),
        Aggregate::Sum { total, value } => Aggregate::Sum {
            total: to(total),
            value: to(value),
        },
        Aggregate::Count(local) => Aggregate::Count(to(local)),
        Aggregate::Decided { answer, by } => Aggregate::Decided {
            answer: to(answer),
            by,
        },
        Aggregate::Extreme(of) => Aggregate::Extreme(search(of)),
        Aggregate::ExtremeOf { list, best } => Aggregate::ExtremeOf {
            list: to(list),
            best: to(best),
        },
        Aggregate::Collected(local) => Aggregate::Collected(to(local)),
        Aggregate::Sorted(local) => Aggregate::Sorted(to(local)),
        Aggregate::Selected { list, selector } => Aggregate::Selected {
            list: to(list),
            selector,
        },
        Aggregate::Pick { index, passing } => Aggregate::Pick {
            index: to(index),
            passing: passing.map(to),
        },
        Aggregate::Drawn { list, index } => Aggregate::Drawn {
            list: to(list),
            index: to(index),
        },
        Aggregate::Best { search: of, index } => Aggregate::Best {
            search: search(of),
            index: to(index),
        },
    }
}

/// Whether a function has only parts that can be named again, and that a block may have.
fn can_be_renamed(statements: &[Stmt], value: &Expr) -> bool {
    let mut can = true;
    each_stmt(statements, &mut |stmt| {
        can &= !matches!(
            stmt.kind,
            StmtKind::Return(_)
                | StmtKind::Output(_)
                | StmtKind::StartGroup
                | StmtKind::EndGroup
                | StmtKind::Stat(..)
        );
    });
    let mut look = |expr: &Expr| {
        expr.each(&mut |part| {
            can &= !matches!(part.kind, ExprKind::Roll(_) | ExprKind::Option(_));
        });
    };
    each_expr(statements, &mut look);
    look(value);
    can
}
