//! Functions that ask only for a few numbers of a rolled sequence: its length, its sum, how many
//! elements are equal to something, the element at a position. Their calls need the joint
//! distribution of these numbers, not the rolls.
//!
//! The premise: every use of the parameter is such a number, with operands that are the same for
//! all calls of the expansion; neither the body nor a function that it calls reads the parameter in
//! another way or assigns it. Otherwise each roll is a call.

use super::Machine;
use crate::ast::{Binary, Block, Expr, ExprKind, Function, Prefix, Statement, Variable};
use crate::effects::{assigned, each_part};
use crate::engine::Observer;
use crate::value::{Dice, Value};
use dicec_runtime::compare::CompareOp;
use dicec_runtime::pmf::Weight;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// How the value of an expression follows from the observed numbers.
#[derive(Clone, Copy, Debug)]
enum How {
    /// It is the same for all rolls.
    Constant(i64),
    /// The number of an observer.
    Number(usize),
    /// Whether that number is greater than 0.
    Positive(usize),
}

/// What a body asks about a parameter.
#[derive(Debug, Default)]
pub(super) struct Plan {
    values: FxHashMap<u32, How>,
    pub(super) observers: Vec<Observer>,
}

/// The observed numbers of a call, for each parameter that is observed.
#[derive(Debug, Default)]
pub(super) struct Observed(pub(super) Vec<(Rc<Plan>, Rc<[i64]>)>);

impl Observed {
    /// The value of an expression, if it is observed.
    pub(super) fn value(&self, id: u32) -> Option<i64> {
        self.0.iter().find_map(|(plan, numbers)| {
            Some(match *plan.values.get(&id)? {
                How::Constant(number) => number,
                How::Number(observer) => numbers[observer],
                How::Positive(observer) => i64::from(numbers[observer] > 0),
            })
        })
    }
}

/// The search for a plan.
struct Search<'m, 'a, 'p, 'b, W> {
    machine: &'m mut Machine<'p, 'b, W>,
    parameter: Variable,
    dice: &'a Dice<W>,
    /// Variables that differ between calls.
    varying: FxHashSet<Variable>,
    plan: Plan,
}

impl<'p, 'b, W: Weight> Machine<'p, 'b, W> {
    /// What the body asks about a parameter that is given dice; none if it asks for more. The
    /// frame of the call has the parameters that are not expanded; `expanded` are the others.
    pub(super) fn plan(
        &mut self,
        function: &Function,
        parameter: Variable,
        expanded: &[Variable],
        dice: &Dice<W>,
    ) -> Option<Plan> {
        let mut varying: FxHashSet<Variable> = expanded.iter().copied().collect();
        assigned(&function.body, &mut varying);
        let mut own = FxHashSet::default();
        assigned(&function.body, &mut own);
        if own.contains(&parameter) {
            return None;
        }
        varying.insert(parameter);
        let mut search = Search {
            machine: self,
            parameter,
            dice,
            varying,
            plan: Plan::default(),
        };
        search.block(&function.body)?;
        Some(search.plan)
    }
}

impl<W: Weight> Search<'_, '_, '_, '_, W> {
    fn block(&mut self, block: &Block) -> Option<()> {
        for statement in block {
            match statement {
                Statement::Assign(_, value) => self.expr(value)?,
                Statement::If(arms, otherwise) => {
                    for (condition, block) in arms {
                        self.expr(condition)?;
                        self.block(block)?;
                    }
                    if let Some(block) = otherwise {
                        self.block(block)?;
                    }
                }
                Statement::Loop(_, over, body) => {
                    self.expr(over)?;
                    self.block(body)?;
                }
                // In an expansion, the result of a call is the sum of a sequence.
                Statement::Result(value) => self.summed(value)?,
                Statement::Output(..) | Statement::Set(_) | Statement::Function(_) => {}
            }
        }
        Some(())
    }

    fn is_parameter(&self, expr: &Expr) -> bool {
        matches!(expr.kind, ExprKind::Variable(variable) if variable == self.parameter)
    }

    /// An expression of which the sum of a sequence is wanted.
    fn summed(&mut self, expr: &Expr) -> Option<()> {
        if !self.is_parameter(expr) {
            return self.expr(expr);
        }
        let die = self.dice.die.clone()?;
        let faces = die.iter().map(|(face, _)| (face, face)).collect();
        self.observe(expr, Observer::Faces(faces), How::Number);
        Some(())
    }

    fn observe(&mut self, expr: &Expr, observer: Observer, how: impl Fn(usize) -> How) {
        let known = self.plan.observers.iter().position(|one| *one == observer);
        let place = known.unwrap_or_else(|| {
            self.plan.observers.push(observer);
            self.plan.observers.len() - 1
        });
        self.plan.values.insert(expr.id, how(place));
    }

    fn expr(&mut self, expr: &Expr) -> Option<()> {
        match &expr.kind {
            ExprKind::Variable(variable) => (*variable != self.parameter).then_some(()),
            ExprKind::Prefix(Prefix::Length, inner) if self.is_parameter(inner) => {
                let length = i64::try_from(self.dice.count).ok()?;
                self.plan.values.insert(expr.id, How::Constant(length));
                Some(())
            }
            ExprKind::Prefix(Prefix::Minus | Prefix::Not, inner) => self.summed(inner),
            ExprKind::Binary(Binary::Compare(comparison), left, right) => {
                self.comparison(expr, *comparison, left, right)
            }
            ExprKind::Binary(_, left, right) => {
                self.summed(left)?;
                self.summed(right)
            }
            ExprKind::At(positions, of) if self.is_parameter(of) => self.position(expr, positions),
            ExprKind::Call(signature, arguments) => {
                let defined = self.machine.functions.get(&signature.0).cloned();
                if defined.is_some() {
                    let (effects, functions) = (&mut self.machine.effects, &self.machine.functions);
                    let (reads, _) = effects.of(functions, signature.0);
                    if reads.outside.contains(&self.parameter) {
                        return None;
                    }
                } else if let Some(found) = self.library(expr, *signature, arguments) {
                    return found;
                }
                arguments
                    .iter()
                    .try_for_each(|argument| self.expr(argument))
            }
            kind => {
                let mut parts = Vec::new();
                each_part(kind, &mut |part| parts.push(part));
                parts.into_iter().try_for_each(|part| self.expr(part))
            }
        }
    }

    fn comparison(
        &mut self,
        expr: &Expr,
        comparison: CompareOp,
        left: &Expr,
        right: &Expr,
    ) -> Option<()> {
        let holds: Box<dyn Fn(i64, i64) -> bool> =
            match (self.is_parameter(left), self.is_parameter(right)) {
                (false, false) => {
                    self.expr(left)?;
                    return self.expr(right);
                }
                (true, true) => return None,
                (true, false) => Box::new(move |face, number| comparison.holds(face.cmp(&number))),
                (false, true) => Box::new(move |face, number| comparison.holds(number.cmp(&face))),
            };
        let other = if self.is_parameter(left) { right } else { left };
        let Value::Number(number) = self.fixed(other)? else {
            return None;
        };
        let die = self.dice.die.clone()?;
        let faces = die.iter().map(|(face, _)| face);
        let faces = faces
            .filter(|&face| holds(face, number))
            .map(|face| (face, 1));
        self.observe(expr, Observer::Faces(faces.collect()), How::Number);
        Some(())
    }

    fn position(&mut self, expr: &Expr, positions: &Expr) -> Option<()> {
        let places = match self.fixed(positions)? {
            Value::Number(number) => vec![number],
            Value::Sequence(elements) => elements.to_vec(),
            Value::Dice(_) => return None,
        };
        let count = self.dice.count;
        let mut times = vec![0_i64; usize::try_from(count).ok()?];
        for place in places {
            let index = u64::try_from(place)
                .ok()
                .and_then(|place| place.checked_sub(1));
            if let Some(index) = index.filter(|&index| index < count) {
                let lowest = match self.machine.settings.lowest_first {
                    true => index,
                    false => count - 1 - index,
                };
                times[lowest as usize] += 1;
            }
        }
        self.observe(expr, Observer::Positions(times), How::Number);
        Some(())
    }

    /// `[count V in S]` and `[S contains N]`; nothing if it is another call.
    fn library(
        &mut self,
        expr: &Expr,
        signature: crate::ast::Signature,
        arguments: &[Expr],
    ) -> Option<Option<()>> {
        let name = self.machine.names.signature_of(signature);
        let (is_contains, of, other) = match (name, arguments) {
            ("count ? in ?", [values, of]) => (false, of, values),
            ("? contains ?", [of, value]) => (true, of, value),
            _ => return None,
        };
        if !self.is_parameter(of) {
            return None;
        }
        let mut faces: FxHashMap<i64, i64> = FxHashMap::default();
        match self.fixed(other) {
            Some(Value::Number(number)) => {
                faces.insert(number, 1);
            }
            Some(Value::Sequence(values)) if !is_contains => {
                values
                    .iter()
                    .for_each(|&value| *faces.entry(value).or_default() += 1);
            }
            _ => return Some(None),
        }
        let how = if is_contains {
            How::Positive
        } else {
            How::Number
        };
        self.observe(expr, Observer::Faces(faces), how);
        Some(Some(()))
    }

    /// The value of an expression that is the same for all calls of the expansion.
    fn fixed(&mut self, expr: &Expr) -> Option<Value<W>> {
        if !self.is_fixed(expr) {
            return None;
        }
        // A mistake in it is found when the body runs, if it runs that far.
        self.machine.value(expr).ok()
    }

    fn is_fixed(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Number(_) => true,
            ExprKind::Variable(variable) => !self.varying.contains(variable),
            ExprKind::Call(..) | ExprKind::Dice(..) => false,
            kind => {
                let mut all = true;
                each_part(kind, &mut |part| all &= self.is_fixed(part));
                all
            }
        }
    }
}
