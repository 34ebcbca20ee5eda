//! Effects of functions besides returning a value: whether they roll, and whether a call can be
//! observed.

use super::calls::Calls;
use crate::hir::CompareOp;
use crate::hir::{
    Expr, ExprKind, Function, Module, Place, Stmt, StmtKind, Type, each_expr, each_stmt,
};
use crate::syntax::{Code, Diagnostic, Diagnostics};

/// The effects of a function, including those of the functions that it calls.
#[derive(Clone, Copy, Default)]
pub(super) struct Effects {
    /// It rolls dice or asks for an option.
    pub(super) rolls: bool,
    /// It changes a record or list.
    pub(super) changes: bool,
    /// It writes a line, notes a number, or changes something.
    pub(super) visible: bool,
}

/// The effects of each function.
pub(super) fn of(script: &Module, calls: &Calls) -> Vec<Effects> {
    let mut effects: Vec<Effects> = script.functions.iter().map(own).collect();
    for group in &calls.groups {
        let mut joined = Effects::default();
        for &member in &group.members {
            let callees = calls.callees[member.index()].iter();
            for id in callees.chain([&member]) {
                joined.rolls |= effects[id.index()].rolls;
                joined.changes |= effects[id.index()].changes;
                joined.visible |= effects[id.index()].visible;
            }
        }
        for member in &group.members {
            effects[member.index()] = joined;
        }
    }
    effects
}

/// Refuses rolls in rolls, and results that are not used.
pub(super) fn check(
    script: &Module,
    function: &Function,
    effects: &[Effects],
    found: &mut Diagnostics,
) {
    each_expr(&function.body, &mut |expr| holes(expr, effects, found));
    each_stmt(&function.body, &mut |stmt| {
        unused(stmt, script, effects, found);
    });
}

/// The effects of a function itself.
fn own(function: &Function) -> Effects {
    let mut effects = Effects::default();
    each_expr(&function.body, &mut |expr| match expr.kind {
        ExprKind::Roll(_) | ExprKind::Option(_) => effects.rolls = true,
        ExprKind::Append(..) | ExprKind::Pop(_) => effects.changes = true,
        _ => {}
    });
    each_stmt(&function.body, &mut |stmt| match &stmt.kind {
        StmtKind::Output(_) | StmtKind::StartGroup | StmtKind::EndGroup | StmtKind::Stat(..) => {
            effects.visible = true;
        }
        StmtKind::Assign(place, _) | StmtKind::Update(place, ..) => {
            effects.changes |= !matches!(place, Place::Local(_));
        }
        _ => {}
    });
    effects.visible |= effects.changes;
    effects
}

/// The first part of an expression that rolls or asks.
fn rolling<'e>(expr: &'e Expr, effects: &[Effects]) -> Option<&'e Expr> {
    let mut rolling = None;
    expr.each(&mut |part| {
        let rolls = match &part.kind {
            ExprKind::Roll(_) | ExprKind::Option(_) => true,
            ExprKind::Call(id, _) => effects[id.index()].rolls,
            _ => false,
        };
        if rolls && rolling.is_none() {
            rolling = Some(part);
        }
    });
    rolling
}

/// The holes of a roll, the name of the player who is asked, and what is asked, must not roll or
/// ask.
fn holes(expr: &Expr, effects: &[Effects], found: &mut Diagnostics) {
    let (parts, asks) = match &expr.kind {
        ExprKind::Roll(roll) => {
            let holes = roll.holes.iter().map(|hole| &hole.value);
            (holes.collect::<Vec<_>>(), false)
        }
        ExprKind::Option(option) => (option.question().collect(), true),
        _ => return,
    };
    for part in parts {
        let Some(rolling) = rolling(part, effects) else {
            continue;
        };
        let help = match (&part.kind, asks) {
            (_, true) => "give it a name first: `who = ...; if (userOption(who, \"...\")) { ... }`",
            (ExprKind::Choose(_), _) => "choose between rolls: `x ? roll(1d6) : roll(1d8)`",
            (ExprKind::Compare(..), _) => "compare what is rolled: `roll(d20) >= 10`",
            _ => "roll it before: `x = ...; roll(2d6 + x)`, or add it outside: `roll(2d6) + ...`",
        };
        let message = match (&rolling.kind, asks) {
            (ExprKind::Call(..), false) => {
                "this function rolls dice or asks, which cannot happen inside a roll"
            }
            (ExprKind::Option(_), false) => "nobody can be asked inside a roll",
            (_, false) => "these dice cannot be a part of the roll",
            (_, true) => "who is asked, and what, cannot be rolled for",
        };
        found.push(Diagnostic::error(Code::RollInRoll, rolling.span, message).help(help));
    }
}

/// Whether an expression removes an element.
fn takes_out(expr: &Expr) -> bool {
    let mut takes = false;
    expr.each(&mut |part| takes |= matches!(part.kind, ExprKind::Pop(_)));
    takes
}

/// An expression as a statement has to do something.
fn unused(stmt: &Stmt, script: &Module, effects: &[Effects], found: &mut Diagnostics) {
    let StmtKind::Eval(expr) = &stmt.kind else {
        return;
    };
    let (message, help) = match &expr.kind {
        ExprKind::Append(..) | ExprKind::Pop(_) => return,
        ExprKind::Block(block) if block.value.is_none() || takes_out(expr) => return,
        ExprKind::Call(id, _) if effects[id.index()].visible => return,
        // Reported already.
        _ if expr.ty == Type::Unknown => return,
        ExprKind::Call(id, _) => {
            let function = script.function(*id);
            let name = &function.name;
            match function.result {
                Type::Unit => (
                    format!("`{name}` is called without effect: it does nothing that can be seen"),
                    "remove the call, or let the function write a line or return a value"
                        .to_owned(),
                ),
                _ => (
                    format!("`{name}` is called without effect: its result is not used"),
                    format!("use its result: `x = {name}(...);`"),
                ),
            }
        }
        ExprKind::Roll(_) => (
            "the result of this roll is not used".to_owned(),
            "give it a name, `x = ...;`, or show it: `output(...);`".to_owned(),
        ),
        ExprKind::Option(_) => (
            "the answer to this question is not used".to_owned(),
            "ask in a condition: `if (userOption(\"...\")) { ... }`".to_owned(),
        ),
        ExprKind::Compare(CompareOp::Equal, ..) | ExprKind::Same(true, ..) => (
            "the result of this comparison is not used".to_owned(),
            "to assign, write `=`; to choose, write `if (...) { ... }`".to_owned(),
        ),
        _ => (
            "this result is not used".to_owned(),
            "assign it, `x = ...;`, return it, or show it: `output(...);`".to_owned(),
        ),
    };
    found.push(Diagnostic::error(Code::Unused, stmt.span, message).help(help));
}
