//! How a script holds the variables of a function.

use crate::ast::{Binary, Block, Expr, ExprKind, Function, Names, Prefix, Statement, Variable};
use crate::effects::each_part;
use crate::facts::{Facts, Kinds};
use indexmap::IndexMap;
use rustc_hash::FxHashSet;

/// How a script holds a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    Number,
    List,
    /// As an expression that is written again.
    Dice,
    /// Rolled when it is assigned.
    Rolled,
    /// Neither.
    Mixed,
}

/// A variable that a function assigns.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Assigned {
    kinds: Kinds,
    times: u32,
    /// Whether the first assignment is inside of a block.
    pub(super) is_nested: bool,
}

impl Assigned {
    pub(super) fn held(&self) -> Held {
        let Kinds {
            number,
            sequence,
            dice,
        } = self.kinds;
        match (number, sequence, dice) {
            (_, false, false) => Held::Number,
            (false, true, false) => Held::List,
            (false, false, true) if self.times == 1 => Held::Dice,
            (_, false, true) => Held::Rolled,
            (_, true, _) => Held::Mixed,
        }
    }
}

/// The variables that a function assigns, in order. `given` are the kinds of its parameters.
pub(super) fn assignments(
    function: &Function,
    given: &[(Variable, Kinds)],
    facts: &Facts,
) -> IndexMap<Variable, Assigned> {
    let mut all = IndexMap::new();
    gather(&function.body, false, facts, &mut all);
    let loops = loops(&function.body);
    for variable in loops {
        if !is_own(function, variable) {
            let entry: &mut Assigned = all.entry(variable).or_insert(Assigned {
                is_nested: true,
                ..Assigned::default()
            });
            entry.kinds.number = true;
            entry.times += 1;
        }
    }
    for (variable, kinds) in given {
        if let Some(assigned) = all.get_mut(variable) {
            assigned.kinds = assigned.kinds.and(*kinds);
            assigned.times += 1;
            assigned.is_nested = false;
        }
    }
    all
}

fn gather(block: &Block, is_nested: bool, facts: &Facts, all: &mut IndexMap<Variable, Assigned>) {
    for statement in block {
        match statement {
            Statement::Assign(variable, value) => {
                let assigned = all.entry(*variable).or_insert(Assigned {
                    is_nested,
                    ..Assigned::default()
                });
                assigned.times += 1;
                if let Some(seen) = facts.of(value) {
                    assigned.kinds = assigned.kinds.and(seen.kinds);
                }
            }
            other => {
                for block in blocks(other) {
                    gather(block, true, facts, all);
                }
            }
        }
    }
}

/// Whether the order of a sequence changes nothing: a function asks for its length, its sum and for
/// counts only.
pub(super) fn is_unordered(
    function: &Function,
    sequence: Variable,
    names: &Names,
    facts: &Facts,
) -> bool {
    let search = Search {
        sequence,
        names,
        facts,
    };
    search.block(&function.body)
}

/// The search for a use of a sequence that depends on its order.
struct Search<'a> {
    sequence: Variable,
    names: &'a Names,
    facts: &'a Facts,
}

impl Search<'_> {
    fn block(&self, block: &Block) -> bool {
        block.iter().all(|statement| {
            let is_changed = match statement {
                Statement::Assign(variable, _) | Statement::Loop(variable, ..) => {
                    *variable == self.sequence
                }
                _ => false,
            };
            let is_good = |expr: &&Expr| match (&expr.kind, statement) {
                // As a result of an expansion it is summed.
                (ExprKind::Variable(_), Statement::Result(_)) => true,
                _ => self.expr(expr),
            };
            !is_changed
                && expressions(statement).iter().all(is_good)
                && blocks(statement).into_iter().all(|block| self.block(block))
        })
    }

    fn is_sequence(&self, expr: &Expr) -> bool {
        matches!(&expr.kind, ExprKind::Variable(variable) if *variable == self.sequence)
    }

    fn is_number(&self, expr: &Expr) -> bool {
        let seen = self.facts.of(expr);
        seen.is_some_and(|seen| !seen.kinds.sequence && !seen.kinds.dice)
    }

    /// Whether nothing in an expression depends on the order.
    fn expr(&self, expr: &Expr) -> bool {
        if self.is_sequence(expr) {
            return false;
        }
        let is_free = |one: &Expr| self.is_sequence(one) || self.expr(one);
        match &expr.kind {
            ExprKind::Prefix(Prefix::Length | Prefix::Minus | Prefix::Not, inner) => is_free(inner),
            ExprKind::Binary(Binary::Compare(_), left, right) => {
                (self.is_sequence(left) && self.is_number(right) && self.expr(right))
                    || (self.is_sequence(right) && self.is_number(left) && self.expr(left))
                    || (self.expr(left) && self.expr(right))
            }
            ExprKind::Binary(_, left, right) => is_free(left) && is_free(right),
            ExprKind::Call(signature, arguments) => {
                match (self.names.signature_of(*signature), arguments.as_slice()) {
                    ("count ? in ?", [counted, of]) => self.expr(counted) && is_free(of),
                    ("? contains ?", [of, number]) => is_free(of) && self.expr(number),
                    _ => arguments.iter().all(|one| self.expr(one)),
                }
            }
            kind => {
                let mut all = true;
                each_part(kind, &mut |part| all &= self.expr(part));
                all
            }
        }
    }
}

/// The blocks of a statement.
pub(super) fn blocks(statement: &Statement) -> Vec<&Block> {
    match statement {
        Statement::If(arms, otherwise) => {
            let arms = arms.iter().map(|(_, block)| block);
            arms.chain(otherwise).collect()
        }
        Statement::Loop(_, _, body) => vec![body],
        _ => Vec::new(),
    }
}

/// The expressions of a statement, without those of its blocks.
pub(super) fn expressions(statement: &Statement) -> Vec<&Expr> {
    match statement {
        Statement::Assign(_, value) | Statement::Result(value) | Statement::Loop(_, value, _) => {
            vec![value]
        }
        Statement::If(arms, _) => arms.iter().map(|(condition, _)| condition).collect(),
        Statement::Output(..) | Statement::Set(_) | Statement::Function(_) => Vec::new(),
    }
}

/// The variables of the loops in a block.
fn loops(block: &Block) -> FxHashSet<Variable> {
    let mut all = FxHashSet::default();
    for statement in block {
        if let Statement::Loop(variable, ..) = statement {
            all.insert(*variable);
        }
        for block in blocks(statement) {
            all.extend(loops(block));
        }
    }
    all
}

/// Whether the variable of a loop is needed in loops over it only, and changed by them only.
pub(super) fn is_own(function: &Function, variable: Variable) -> bool {
    let is_parameter = function
        .parameters
        .iter()
        .any(|one| one.variable == variable);
    !is_parameter && !is_used(&function.body, variable)
}

/// Whether a variable is assigned, or read outside of loops over it.
fn is_used(block: &Block, variable: Variable) -> bool {
    block.iter().any(|statement| {
        let is_assigned = matches!(statement, Statement::Assign(other, _) if *other == variable);
        let is_read = expressions(statement)
            .into_iter()
            .any(|one| reads(one, variable));
        let inside = blocks(statement);
        let is_inside = match statement {
            Statement::Loop(over, _, body) if *over == variable => is_changed(body, variable),
            _ => inside.into_iter().any(|block| is_used(block, variable)),
        };
        is_assigned || is_read || is_inside
    })
}

/// Whether a block assigns a variable, or loops over it.
fn is_changed(block: &Block, variable: Variable) -> bool {
    block.iter().any(|statement| {
        let is_assigned = match statement {
            Statement::Assign(other, _) | Statement::Loop(other, ..) => *other == variable,
            _ => false,
        };
        is_assigned
            || blocks(statement)
                .into_iter()
                .any(|block| is_changed(block, variable))
    })
}

fn reads(expr: &Expr, variable: Variable) -> bool {
    let mut found = matches!(&expr.kind, ExprKind::Variable(other) if *other == variable);
    each_part(&expr.kind, &mut |part| found |= reads(part, variable));
    found
}
