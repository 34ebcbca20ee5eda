//! Lists whose order nothing observes are kept sorted, so that states with the same elements are
//! merged. Seven dice in a list are 792 states instead of 6^7. Elements are numbers, or records
//! that the script never writes to, such as those of `dice(7d6)`.
//!
//! All names of such a list agree on that: the variables it is assigned to, the parameters and
//! results of functions, the list of a comprehension. The script asks only for its length, reads it
//! in loops whose iterations commute ([`iteration`]), or sorts it before any other use.
//!
//! Sums may overflow in one order only, and a loop that ends early burns different fuel; see
//! [`super::interchange`].

mod iteration;
mod names;
mod pure;

use super::shape::Shapes;
use dicec_lang::hir::{
    Aggregate, Elements, Expr, ExprKind, Function, FunctionId, LocalId, Module, Place, Reduction,
    Sorting, Stmt, StmtKind, Type, ValueBlock, each_expr, each_own_stmt,
};
pub(super) use iteration::{Pure, Reads};
use iteration::{are_fixed, are_safe, in_any_order, is_search};
use names::{Name, Names};
pub(super) use pure::{lists_made, pure_functions};
use rustc_hash::FxHashSet;

/// Whether the iterations of a loop over records commute.
pub(super) fn can_be_in_any_order(local: LocalId, body: &[Stmt], reads: &Reads) -> bool {
    in_any_order(local, body, reads, &Pure::default()).is_some_and(|appended| appended.is_empty())
}

/// The lists of a script whose order nothing observes.
#[derive(Debug, Default)]
pub(super) struct Unordered {
    variables: FxHashSet<(FunctionId, LocalId)>,
    /// Whether a loop over one of them may end before its last element.
    leaves: bool,
}

impl Unordered {
    pub(super) fn of(script: &Module, shapes: &Shapes, pure: &Pure) -> Self {
        let (mut names, mut leaves) = (Names::of(script, shapes), false);
        for (id, function) in (0..).map(FunctionId).zip(&script.functions) {
            let mut body = Body {
                id,
                function,
                reads: Reads::of(&function.body),
                collects: None,
                picks: None,
                sorted: Vec::new(),
                leaves: false,
                names: &mut names,
                pure,
            };
            body.block(&function.body);
            leaves |= body.leaves;
        }
        Self {
            variables: names.unordered(),
            leaves,
        }
    }

    /// Whether the lists in a variable are kept sorted.
    pub(super) fn has(&self, function: FunctionId, local: LocalId) -> bool {
        self.variables.contains(&(function, local))
    }

    /// The factor by which other orders of lists of at most this length may burn more fuel; 0 if
    /// there are no such lists.
    pub(super) fn fuel_of_orders(&self, longest: u64) -> u64 {
        match longest {
            0 | 1 => 0,
            _ if self.leaves => longest.saturating_add(2),
            _ => 1,
        }
    }
}

/// A function under analysis.
struct Body<'n, 's> {
    id: FunctionId,
    function: &'s Function,
    reads: Reads,
    /// The list under construction in the innermost block.
    collects: Option<LocalId>,
    /// The index of the random element that the innermost block picks.
    picks: Option<LocalId>,
    /// The lists that were sorted before, in this block or an enclosing one.
    sorted: Vec<LocalId>,
    /// Whether a loop over one of the lists may end before its last element.
    leaves: bool,
    names: &'n mut Names<'s>,
    /// The functions whose calls commute.
    pure: &'n Pure,
}

impl<'s> Body<'_, 's> {
    fn block(&mut self, block: &'s [Stmt]) {
        let before = self.sorted.len();
        for stmt in block {
            self.stmt(stmt);
            self.sorted.extend(sorted_by(stmt));
        }
        self.sorted.truncate(before);
    }

    fn stmt(&mut self, stmt: &'s Stmt) {
        match &stmt.kind {
            StmtKind::Assign(Place::Local(local), value) => self.assign(*local, value),
            StmtKind::Return(Some(value)) if self.names.is_list_of_words(&self.function.result) => {
                let result = self.names.result(self.id);
                self.goes_to(result, value);
            }
            StmtKind::For(local, list, body) => self.for_each(*local, list, body),
            _ => stmt.each_expr(&mut |expr| self.expr(expr)),
        }
        if !matches!(stmt.kind, StmtKind::For(..)) {
            stmt.blocks().for_each(|block| self.block(block));
        }
    }

    fn assign(&mut self, local: LocalId, value: &'s Expr) {
        if !self.names.is_list_of_words(&value.ty) {
            return self.expr(value);
        }
        let name = self.variable(local);
        self.goes_to(name, value);
        if self.sorted.contains(&local) && sorted_block(value).is_none() {
            self.names.order(name);
        }
    }

    /// Gives a list one more name.
    fn goes_to(&mut self, name: Name, value: &'s Expr) {
        self.names.hold(name);
        self.each_name(value, &mut |body, found| match found {
            Some(other) => body.names.tie(name, other),
            None => body.names.order(name),
        });
    }

    fn for_each(&mut self, local: LocalId, list: &'s Expr, block: &'s [Stmt]) {
        if self.names.is_list_of_words(&list.ty) {
            if self.picks.is_some() && can_be_picked(block, self.pure) {
                // Each of those that pass is equally likely, whichever is first.
                self.leaves = true;
                self.each_name(list, &mut |_, _| {});
                return self.block(block);
            }
            let search = is_search(block);
            let appended = match search {
                true => Some(FxHashSet::default()),
                false => self.in_any_order(local, block),
            };
            self.leaves |= search;
            self.each_name(list, &mut |body, name| {
                let Some(name) = name else { return };
                match &appended {
                    Some(appended) => {
                        for list in appended {
                            let appended = body.variable(*list);
                            body.names.follow(appended, name);
                            if body.collects != Some(*list) {
                                body.names.apart(appended, name);
                            }
                        }
                    }
                    None => body.observe(name),
                }
            });
        } else {
            self.expr(list);
            // Lists in a list.
            self.names.order(self.variable(local));
        }
        self.block(block);
    }

    /// The lists to which the iterations append, if they commute.
    fn in_any_order(&self, local: LocalId, block: &[Stmt]) -> Option<FxHashSet<LocalId>> {
        let appended = in_any_order(local, block, &self.reads, self.pure)?;
        let is_new = |list: &LocalId| self.function.locals[list.index()].name.is_empty();
        // A list with a name may be one of those that are read.
        let mut reads = false;
        each_expr(block, &mut |expr| {
            let is_appended =
                matches!(expr.kind, ExprKind::Local(local) if appended.contains(&local));
            reads |= matches!(expr.ty, Type::List(_)) && !is_appended;
        });
        (!reads || appended.iter().all(is_new)).then_some(appended)
    }

    fn is_list_of_words(&self, local: LocalId) -> bool {
        let ty = &self.function.locals[local.index()].ty;
        self.names.is_list_of_words(ty)
    }

    fn variable(&self, local: LocalId) -> Name {
        self.names.variable(self.id, local)
    }

    /// Marks the order of a list as observed, by a use that does not change the list.
    fn observe(&mut self, name: Name) {
        let is_sorted = |local: &LocalId| self.variable(*local) == name;
        if self.sorted.iter().any(is_sorted) {
            self.names.settle(name);
        } else {
            self.names.order(name);
        }
    }

    /// Analyses an expression; if it is a list, it may be stored and its order observed.
    fn expr(&mut self, expr: &'s Expr) {
        match &expr.kind {
            ExprKind::Local(local) => {
                let name = self.variable(*local);
                self.names.order(name);
            }
            ExprKind::Len(list) if self.names.is_list_of_words(&list.ty) => {
                self.each_name(list, &mut |_, _| {});
            }
            ExprKind::Append(list, value) if self.names.is_list_of_words(&list.ty) => {
                self.each_name(list, &mut |body, name| {
                    let is_sorted = |local: &LocalId| Some(body.variable(*local)) == name;
                    if body.sorted.iter().any(is_sorted) {
                        name.into_iter().for_each(|name| body.names.order(name));
                    }
                });
                self.expr(value);
            }
            ExprKind::Element(list, index) => {
                let is_random = matches!(index.kind, ExprKind::Local(at) if self.picks == Some(at));
                match &list.kind {
                    ExprKind::Local(_) if is_random => {}
                    ExprKind::Local(local) => {
                        let name = self.variable(*local);
                        self.observe(name);
                    }
                    _ => self.expr(list),
                }
                self.expr(index);
            }
            ExprKind::Call(callee, args) => {
                self.call(*callee, args);
                if self.names.is_list_of_words(&expr.ty) {
                    let name = self.names.result(*callee);
                    self.names.order(name);
                }
            }
            ExprKind::Block(block) => {
                let picks = match block.aggregate {
                    Some(Aggregate::Pick {
                        index,
                        passing: None,
                    }) => Some(index),
                    _ => None,
                };
                let around = std::mem::replace(&mut self.picks, picks);
                self.value_block(block);
                // A new list that was sorted has one order, whatever order it was made in.
                if sorted_list(block).is_none() {
                    block.value.iter().for_each(|value| self.expr(value));
                }
                self.picks = around;
            }
            _ => expr.each_part(&mut |part| self.expr(part)),
        }
    }

    fn call(&mut self, callee: FunctionId, args: &'s [Expr]) {
        for (param, arg) in (0..).map(LocalId).zip(args) {
            if self.names.is_list_of_words(&arg.ty) {
                let name = self.names.variable(callee, param);
                self.goes_to(name, arg);
            } else {
                self.expr(arg);
            }
        }
    }

    fn value_block(&mut self, block: &'s ValueBlock) {
        if let Some(reduction) = block.reduction() {
            // Sums of floats are rounded in their order.
            let is_float = block
                .value
                .as_ref()
                .is_some_and(|value| value.ty == Type::Float);
            if let (Some(Aggregate::ExtremeOf { .. }), Some(kept)) =
                (block.aggregate, block.statements.first())
            {
                self.stmt(kept);
            }
            return self.reduction(&reduction, !is_float);
        }
        if let Some(drawing) = block.drawing()
            && let [list, _] = drawing.from
            && self.is_list_of_words(list)
        {
            // A random one is taken out, and the others keep their order.
            drawing.kept.into_iter().for_each(|kept| self.stmt(kept));
            return;
        }
        match block.sorting() {
            None => {
                let collects = match block.aggregate {
                    Some(Aggregate::Collected(list)) if block.collects() => Some(list),
                    _ => None,
                };
                let around = std::mem::replace(&mut self.collects, collects);
                self.block(&block.statements);
                self.collects = around;
            }
            Some(Sorting::InPlace) => {}
            Some(Sorting::Kept(_)) => self.stmt(&block.statements[0]),
            Some(Sorting::New(reduction)) => {
                let made = sorted_list(block).map(|list| self.variable(list));
                made.into_iter().for_each(|made| self.names.hold(made));
                self.reduction(&reduction, true);
            }
        }
    }

    /// Analyses a reduction. In `any_order` of its elements it is the same if the expression for
    /// each element does not depend on the order.
    fn reduction(&mut self, reduction: &Reduction<'s>, any_order: bool) {
        let Reduction {
            element,
            elements,
            exprs,
            leaves,
        } = reduction;
        match elements {
            Elements::Range(bounds) => bounds.iter().for_each(|bound| self.expr(bound)),
            Elements::List(list) if self.names.is_list_of_words(&list.ty) => {
                let fits = any_order && are_fixed(exprs, self.pure) && (!leaves || are_safe(exprs));
                self.leaves |= leaves;
                self.each_name(list, &mut |body, name| {
                    if let Some(name) = name
                        && !fits
                    {
                        body.observe(name);
                    }
                });
            }
            Elements::List(list) => {
                self.expr(list);
                // Lists in a list.
                self.names.order(self.variable(*element));
            }
        }
        exprs.iter().for_each(|expr| self.expr(expr));
    }

    /// Calls `look` with each name of the list that an expression yields, or with `None` if the
    /// list is unknown.
    fn each_name(&mut self, expr: &'s Expr, look: &mut dyn FnMut(&mut Self, Option<Name>)) {
        match &expr.kind {
            ExprKind::Local(local) => {
                let name = self.variable(*local);
                look(self, Some(name));
            }
            ExprKind::List(values) => values.iter().for_each(|value| self.expr(value)),
            ExprKind::Call(callee, args) => {
                self.call(*callee, args);
                let name = self.names.result(*callee);
                look(self, Some(name));
            }
            ExprKind::Choose(parts) => {
                let [condition, ways @ ..] = &**parts;
                self.expr(condition);
                ways.iter().for_each(|way| self.each_name(way, look));
            }
            ExprKind::Block(block) => {
                self.value_block(block);
                // A list that was sorted has the same order whatever it was before.
                if sorted_list(block).is_none() {
                    let value = block.value.iter();
                    value.for_each(|value| self.each_name(value, look));
                }
            }
            _ => {
                self.expr(expr);
                look(self, None);
            }
        }
    }
}

/// Whether a loop only counts the elements that pass a filter, or finds one of them by its number:
/// what else `pick` has besides is its own.
fn can_be_picked(block: &[Stmt], pure: &Pure) -> bool {
    let mut exprs = Vec::new();
    each_own_stmt(block, &mut |stmt| {
        stmt.each_expr(&mut |expr| exprs.push(expr))
    });
    are_fixed(&exprs, pure)
}

/// The variable whose list is sorted after a statement: `sort(list);` or `list = sorted(...);`.
fn sorted_by(stmt: &Stmt) -> Option<LocalId> {
    match &stmt.kind {
        StmtKind::Eval(value) => sorted_block(value),
        StmtKind::Assign(Place::Local(local), value) => sorted_block(value).map(|_| *local),
        _ => None,
    }
}

/// The list that an expression sorts.
fn sorted_block(value: &Expr) -> Option<LocalId> {
    match &value.kind {
        ExprKind::Block(block) => sorted_list(block),
        _ => None,
    }
}

fn sorted_list(block: &ValueBlock) -> Option<LocalId> {
    match block.aggregate {
        Some(Aggregate::Sorted(list)) => Some(list),
        _ => None,
    }
}
