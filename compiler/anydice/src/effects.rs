//! The variables that a call of a function reads from outside, and whether the calls of one
//! expansion can tell their order. Premise of remembered calls and of observed rolls.
//!
//! The calls of an expansion share the variables that they assign (section 6). A call can see an
//! earlier one only if it reads a variable that the body assigns, at a point where the body may not
//! have assigned it yet.

use crate::ast::{Block, Expr, ExprKind, Function, Statement, Variable};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

type Functions = FxHashMap<u32, Arc<Function>>;

/// The effects of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reads {
    /// The variables that are read, but may not have been assigned by the call.
    pub(crate) outside: BTreeSet<Variable>,
    /// Whether one of them is assigned by the body.
    pub(crate) shares: bool,
    /// Whether the body calls functions of the program.
    pub(crate) calls: bool,
}

/// The effects of all functions, while their definitions stay.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    known: Option<FxHashMap<u32, Rc<Reads>>>,
}

impl Effects {
    /// Forgets everything: a function was defined.
    pub(crate) fn forget(&mut self) {
        self.known = None;
    }

    /// The effects of the function of this signature, and the steps that it took to find them.
    pub(crate) fn of(&mut self, functions: &Functions, signature: u32) -> (Rc<Reads>, u64) {
        let mut steps = 0;
        let known = self.known.get_or_insert_with(|| all(functions, &mut steps));
        (known.get(&signature).cloned().unwrap_or_default(), steps)
    }
}

/// The least fixed point: functions read what those that they call read.
fn all(functions: &Functions, steps: &mut u64) -> FxHashMap<u32, Rc<Reads>> {
    let mut known: FxHashMap<u32, Rc<Reads>> = FxHashMap::default();
    loop {
        let mut changed = false;
        for (&signature, function) in functions {
            let mut walk = Walk {
                known: &known,
                functions,
                assigned: FxHashSet::default(),
                reads: Reads::default(),
                steps: 0,
            };
            assigned(&function.body, &mut walk.assigned);
            let parameters = function.parameters.iter();
            let mut definite: Definite = parameters.map(|one| one.variable).collect();
            walk.block(&function.body, &mut definite);
            *steps += walk.steps;
            let reads = walk.reads;
            if known.get(&signature).is_none_or(|old| **old != reads) {
                known.insert(signature, Rc::new(reads));
                changed = true;
            }
        }
        if !changed {
            return known;
        }
    }
}

/// The variables that a block assigns.
pub(crate) fn assigned(block: &Block, into: &mut FxHashSet<Variable>) {
    for statement in block {
        match statement {
            Statement::Assign(variable, _) => {
                into.insert(*variable);
            }
            Statement::If(arms, otherwise) => {
                arms.iter().for_each(|(_, block)| assigned(block, into));
                otherwise.iter().for_each(|block| assigned(block, into));
            }
            Statement::Loop(variable, _, body) => {
                into.insert(*variable);
                assigned(body, into);
            }
            Statement::Output(..)
            | Statement::Set(_)
            | Statement::Function(_)
            | Statement::Result(_) => {}
        }
    }
}

/// The variables that every path to a point has assigned.
type Definite = FxHashSet<Variable>;

struct Walk<'a> {
    known: &'a FxHashMap<u32, Rc<Reads>>,
    functions: &'a Functions,
    assigned: FxHashSet<Variable>,
    reads: Reads,
    steps: u64,
}

impl Walk<'_> {
    fn read(&mut self, variable: Variable, definite: &Definite) {
        if definite.contains(&variable) {
            return;
        }
        self.reads.outside.insert(variable);
        self.reads.shares |= self.assigned.contains(&variable);
    }

    /// Whether the block can end without a result.
    fn block(&mut self, block: &Block, definite: &mut Definite) -> bool {
        for statement in block {
            self.steps += 1;
            match statement {
                Statement::Assign(variable, value) => {
                    self.expr(value, definite);
                    definite.insert(*variable);
                }
                Statement::If(arms, otherwise) => {
                    if !self.condition(arms, otherwise.as_ref(), definite) {
                        return false;
                    }
                }
                Statement::Loop(variable, over, body) => {
                    self.expr(over, definite);
                    let mut inside = definite.clone();
                    inside.insert(*variable);
                    self.steps += inside.len() as u64;
                    self.block(body, &mut inside);
                }
                Statement::Result(value) => {
                    self.expr(value, definite);
                    return false;
                }
                Statement::Output(..) | Statement::Set(_) | Statement::Function(_) => {}
            }
        }
        true
    }

    fn condition(
        &mut self,
        arms: &[(Expr, Block)],
        otherwise: Option<&Block>,
        definite: &mut Definite,
    ) -> bool {
        let mut after: Option<Definite> = None;
        let mut join = |end: Definite| match &mut after {
            None => after = Some(end),
            Some(after) => after.retain(|variable| end.contains(variable)),
        };
        for (condition, block) in arms {
            self.expr(condition, definite);
            let mut inside = definite.clone();
            self.steps += inside.len() as u64;
            if self.block(block, &mut inside) {
                join(inside);
            }
        }
        let mut inside = definite.clone();
        if otherwise.is_none_or(|block| self.block(block, &mut inside)) {
            join(inside);
        }
        let goes_on = after.is_some();
        if let Some(after) = after {
            *definite = after;
        }
        goes_on
    }

    fn expr(&mut self, expr: &Expr, definite: &Definite) {
        self.steps += 1;
        match &expr.kind {
            ExprKind::Number(_) => {}
            ExprKind::Variable(variable) => self.read(*variable, definite),
            ExprKind::Call(signature, arguments) => {
                arguments.iter().for_each(|one| self.expr(one, definite));
                self.reads.calls |= self.functions.contains_key(&signature.0);
                if let Some(reads) = self.known.get(&signature.0) {
                    let reads = Rc::clone(reads);
                    for &variable in &reads.outside {
                        self.read(variable, definite);
                    }
                }
            }
            kind => each_part(kind, &mut |part| self.expr(part, definite)),
        }
    }
}

/// Calls `of` for each direct part of an expression.
pub(crate) fn each_part<'e>(kind: &'e ExprKind, of: &mut dyn FnMut(&'e Expr)) {
    match kind {
        ExprKind::Number(_) | ExprKind::Variable(_) => {}
        ExprKind::Prefix(_, inner) => of(inner),
        ExprKind::Binary(_, left, right) | ExprKind::At(left, right) => {
            of(left);
            of(right);
        }
        ExprKind::Dice(number, faces) => {
            number.iter().for_each(|number| of(number));
            of(faces);
        }
        ExprKind::Sequence(parts) => {
            for part in parts {
                of(&part.from);
                part.to.iter().for_each(&mut *of);
                part.times.iter().for_each(&mut *of);
            }
        }
        ExprKind::Call(_, arguments) => arguments.iter().for_each(of),
    }
}
