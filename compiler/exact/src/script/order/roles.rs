//! Alias analysis: which variables of a function may refer to the lists and their records, and
//! which statements observe the order.

use super::nature::Nature;
use super::{Effect, Roles, Search};
use crate::script::unordered::{Reads, can_be_in_any_order};
use dicec_lang::hir::{
    Aggregate, Expr, ExprKind, Function, LocalId, Place, Stmt, StmtKind, Type, ValueBlock,
    each_own_stmt, each_stmt,
};

/// The maximum depth of nested loops that are followed.
const MAX_LOOPS: usize = 8;

/// A function under analysis. Statements are followed in their order, so a variable may refer to
/// different objects at different points.
pub(super) struct Body<'b, 's> {
    pub(super) search: &'b mut Search<'s>,
    function: &'s Function,
    /// If this is the roll, the variables that hold the lists.
    lists: &'b [LocalId],
    /// The objects that each variable may refer to at this point.
    roles: Vec<Roles>,
    /// The same at the points where the innermost loop is left or continued.
    left: Vec<Roles>,
    effect: Effect,
    reads: Reads,
    /// The depth of nested loops at this point.
    loops: usize,
    /// The aggregate that the innermost block computes: one may reach records by index.
    aggregate: Option<Aggregate>,
}

impl<'b, 's> Body<'b, 's> {
    /// The roll, with the lists in question.
    pub(super) fn of_roll(
        search: &'b mut Search<'s>,
        function: &'s Function,
        lists: &'b [LocalId],
    ) -> Self {
        let mut roles = vec![Roles::NONE; function.locals.len()];
        for (index, list) in lists.iter().enumerate() {
            roles[list.index()] = Roles::list(index);
        }
        Self {
            lists,
            ..Self::of(search, function, roles)
        }
    }

    /// A function whose variables may refer to these objects at its beginning.
    pub(super) fn of(
        search: &'b mut Search<'s>,
        function: &'s Function,
        roles: Vec<Roles>,
    ) -> Self {
        Self {
            search,
            function,
            lists: &[],
            left: vec![Roles::NONE; roles.len()],
            roles,
            effect: Effect::default(),
            reads: Reads::of(&function.body),
            loops: 0,
            aggregate: None,
        }
    }

    /// Analyses the function: finds the statements that observe an order, and returns its effect.
    pub(super) fn look(mut self) -> Effect {
        self.block(&self.function.body);
        self.effect
    }

    /// The objects that an expression may refer to.
    pub(super) fn role(&mut self, expr: &Expr) -> Roles {
        let mut roles = Roles::NONE;
        match &expr.kind {
            ExprKind::Local(local) => roles = self.roles[local.index()],
            ExprKind::Element(list, _) => roles = self.role(list).members(),
            ExprKind::Choose(parts) => {
                parts[1..].iter().for_each(|part| roles |= self.role(part));
            }
            ExprKind::Call(callee, args) => {
                let args = args.iter().map(|arg| self.role(arg)).collect();
                roles = self.search.call(*callee, args).result;
            }
            ExprKind::Block(block) => {
                block
                    .value
                    .iter()
                    .for_each(|value| roles |= self.role(value));
            }
            _ => {}
        }
        roles
    }

    fn block(&mut self, block: &'s [Stmt]) {
        block.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &'s Stmt) {
        match &stmt.kind {
            StmtKind::Assign(Place::Local(local), value) => {
                self.expr(value, true);
                let mut roles = self.role(value);
                if let Some(list) = self.lists.iter().position(|list| list == local) {
                    if roles != Roles::NONE {
                        // The object has two names.
                        self.search.observe(roles);
                        self.search.observe(Roles::list(list));
                    }
                    roles |= Roles::list(list);
                }
                self.roles[local.index()] = roles;
            }
            StmtKind::Eval(value) => {
                self.expr(value, true);
                self.collect(value);
            }
            StmtKind::Assign(Place::Field(record, _), value)
            | StmtKind::Update(Place::Field(record, _), _, value) => {
                let changed = self.role(record).indices();
                self.effect.changes.extend(changed);
                self.expr(record, true);
                self.expr(value, false);
            }
            StmtKind::Return(Some(value)) => {
                self.expr(value, true);
                let role = self.role(value);
                self.effect.result |= role;
            }
            StmtKind::If(condition, yes, no) => {
                self.expr(condition, false);
                let before = self.roles.clone();
                self.block(yes);
                let after = std::mem::replace(&mut self.roles, before);
                self.block(no);
                join(&mut self.roles, &after);
            }
            StmtKind::Break | StmtKind::Continue => join(&mut self.left, &self.roles),
            StmtKind::For(local, list, body) => self.for_each(*local, list, body),
            StmtKind::While(..) | StmtKind::Count(..) => {
                stmt.each_expr(&mut |expr| self.expr(expr, false));
                self.iterations(|own| {
                    stmt.each_expr(&mut |expr| own.expr(expr, false));
                    stmt.blocks().for_each(|block| own.block(block));
                });
            }
            _ => stmt.each_expr(&mut |expr| self.expr(expr, false)),
        }
    }

    fn for_each(&mut self, local: LocalId, list: &'s Expr, body: &'s [Stmt]) {
        self.expr(list, true);
        let lists = self.role(list);
        let members = lists.members();
        let changed_before = std::mem::take(&mut self.effect.changes);
        self.iterations(|own| {
            own.roles[local.index()] = members;
            own.block(body);
        });
        if lists != Roles::NONE {
            let permuted = lists.only_list().is_some_and(|list| {
                let changes = self.effect.changes.contains(&list);
                self.can_be_permuted(local, body, changes)
            });
            if !permuted {
                self.search.observe(lists);
            }
        }
        self.effect.changes.extend(changed_before);
        if self.aggregate.is_none() {
            self.roles[local.index()] = lists.last();
        }
    }

    /// Repeats the analysis of an iteration until a fixed point.
    fn iterations(&mut self, iteration: impl Fn(&mut Self)) {
        self.loops += 1;
        if self.loops > MAX_LOOPS {
            // The cost grows exponentially with the depth of nested loops.
            let roles = std::mem::take(&mut self.roles);
            roles.iter().for_each(|roles| self.search.observe(*roles));
            self.roles = roles;
            self.loops -= 1;
            return;
        }
        let none = vec![Roles::NONE; self.roles.len()];
        let around = std::mem::replace(&mut self.left, none);
        loop {
            let before = self.roles.clone();
            iteration(self);
            join(&mut self.roles, &before);
            let left = std::mem::take(&mut self.left);
            join(&mut self.roles, &left);
            self.left = left;
            if self.roles == before {
                break;
            }
        }
        self.left = around;
        self.loops -= 1;
    }

    /// A list to which an aggregate appends a record refers to the same objects as the record.
    fn collect(&mut self, expr: &'s Expr) {
        if let ExprKind::Append(list, value) = &expr.kind
            && let ExprKind::Local(local) = list.kind
        {
            let lists = self.role(value).lists_of_members();
            self.roles[local.index()] |= lists;
        }
    }

    /// Analyses an expression. Its value may be a reference to a list or a record only if
    /// `may_refer`; any other use of such a reference observes the order.
    fn expr(&mut self, expr: &'s Expr, may_refer: bool) {
        let roles = self.role(expr);
        if !may_refer || roles.is_one_of_several() || roles.is_last() {
            self.search.observe(roles);
        }
        match &expr.kind {
            ExprKind::Field(value, _) | ExprKind::Len(value) => self.expr(value, true),
            ExprKind::Same(_, left, right) => {
                self.expr(left, true);
                self.expr(right, true);
            }
            ExprKind::Choose(parts) => {
                let [condition, ways @ ..] = &**parts;
                self.expr(condition, false);
                ways.iter().for_each(|way| self.expr(way, may_refer));
            }
            ExprKind::Element(list, index) => {
                let found = self.is_made(index);
                self.expr(list, found);
                self.expr(index, false);
            }
            ExprKind::Append(list, value) => {
                let collects = self.is_made(list);
                self.expr(list, collects);
                self.expr(value, collects);
            }
            ExprKind::Call(callee, args) => {
                args.iter().for_each(|arg| self.expr(arg, true));
                let roles = args.iter().map(|arg| self.role(arg)).collect();
                let effect = self.search.call(*callee, roles);
                self.effect.changes.extend(effect.changes);
            }
            ExprKind::Block(block) => self.value_block(block, may_refer),
            _ => expr.each_part(&mut |part| self.expr(part, false)),
        }
    }

    /// Whether it is the index of the record that an aggregate finds, or the list in which it is
    /// found.
    fn is_made(&self, expr: &Expr) -> bool {
        let made = match self.aggregate {
            Some(Aggregate::Pick { index, passing }) => [Some(index), passing],
            Some(Aggregate::Best { index, .. }) => [Some(index), None],
            _ => [None; 2],
        };
        made.iter()
            .flatten()
            .any(|made| expr.kind == ExprKind::Local(*made))
    }

    fn value_block(&mut self, block: &'s ValueBlock, may_refer: bool) {
        let aggregate = block.aggregate.filter(|aggregate| !collects(*aggregate));
        let around = std::mem::replace(&mut self.aggregate, aggregate);
        self.block(&block.statements);
        if let Some(Aggregate::Best { search, .. }) = block.aggregate {
            self.best(block, search.value);
        }
        if block.reduction().is_some()
            && let Some(value) = &block.value
            && value.ty == Type::Float
        {
            // Sums of floats are rounded in their order.
            self.observe_loops(block);
        }
        if let Some(value) = &block.value {
            self.expr(value, may_refer);
        }
        self.aggregate = around;
    }

    /// The first record of those that tie is the same for all orders only if they are equal.
    fn best(&mut self, block: &'s ValueBlock, key: LocalId) {
        let mut tells_apart = false;
        each_stmt(&block.statements, &mut |stmt| {
            if let StmtKind::Assign(Place::Local(local), value) = &stmt.kind
                && *local == key
                && let ExprKind::Field(record, field) = &value.kind
            {
                let member = self.role(record).lists_of_members() != Roles::NONE;
                tells_apart |= member && self.search.is_only_assigned(&record.ty, *field);
            }
        });
        if !tells_apart {
            self.observe_loops(block);
        }
    }

    fn observe_loops(&mut self, block: &'s ValueBlock) {
        each_stmt(&block.statements, &mut |stmt| {
            if let StmtKind::For(_, list, _) = &stmt.kind {
                let role = self.role(list);
                self.search.observe(role);
            }
        });
    }

    /// Whether a loop over a list has the same effect for all orders of the list; `changes` says
    /// whether it changes records.
    fn can_be_permuted(&mut self, local: LocalId, body: &'s [Stmt], changes: bool) -> bool {
        match self.aggregate {
            // All records are visited, at least once.
            Some(Aggregate::Pick { .. } | Aggregate::Best { .. } | Aggregate::Sorted(_)) => {
                self.is_straight(body, false)
            }
            Some(
                Aggregate::Sum { .. }
                | Aggregate::Count(_)
                | Aggregate::Decided { .. }
                | Aggregate::Extreme(_)
                | Aggregate::ExtremeOf { .. },
            ) => self.is_straight(body, leaves(body)),
            None
            | Some(
                Aggregate::Rolled(_)
                | Aggregate::Collected(_)
                | Aggregate::Drawn { .. }
                | Aggregate::Selected { .. },
            ) => {
                can_be_in_any_order(local, body, &self.reads)
                    || self.decides(body)
                    || self.changes_own(local, body)
                    || (!changes && self.act_alike(local, body))
            }
        }
    }

    fn act_alike(&mut self, local: LocalId, body: &'s [Stmt]) -> bool {
        let alike = self.all_act_alike(local, body);
        self.search.leaves |= alike && leaves(body);
        alike
    }

    /// Whether a loop body has no effects and no nested loops. If the loop may be left early
    /// (`leaves`), it must not trap either: in another order it might not.
    fn is_straight(&mut self, body: &'s [Stmt], leaves: bool) -> bool {
        let mut all = Nature::default();
        each_own_stmt(body, &mut |stmt| {
            stmt.each_expr(&mut |expr| {
                // The records that pass a filter may be collected.
                if !matches!(expr.kind, ExprKind::Append(..)) {
                    all |= self.search.nature(expr);
                }
            });
        });
        match leaves {
            true => self.search.can_be_a_search(all),
            false => !all.acts && !all.loops,
        }
    }

    /// `for (one : list) { if (condition) { return value; } }`, where the value is a constant.
    fn decides(&mut self, body: &'s [Stmt]) -> bool {
        let [stmt] = body else {
            return false;
        };
        let StmtKind::If(condition, yes, no) = &stmt.kind else {
            return false;
        };
        let is_constant = |value: &Expr| {
            matches!(
                value.kind,
                ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Degree(..)
            )
        };
        let returns = match &yes[..] {
            [stmt] => match &stmt.kind {
                StmtKind::Return(value) => value.as_ref().is_none_or(is_constant),
                _ => false,
            },
            _ => false,
        };
        let nature = self.search.nature(condition);
        returns && no.is_empty() && self.search.can_be_a_search(nature)
    }
}

/// Whether the aggregate makes or changes a list, in the order of the elements.
fn collects(aggregate: Aggregate) -> bool {
    matches!(aggregate, Aggregate::Collected(_) | Aggregate::Drawn { .. })
}

/// Whether a loop body may leave the loop before the last element.
fn leaves(body: &[Stmt]) -> bool {
    let mut leaves = false;
    each_own_stmt(body, &mut |stmt| {
        leaves |= matches!(stmt.kind, StmtKind::Break | StmtKind::Return(_));
    });
    leaves
}

/// Joins the objects that variables may refer to on another path.
fn join(roles: &mut [Roles], others: &[Roles]) {
    for (roles, others) in roles.iter_mut().zip(others) {
        *roles |= *others;
    }
}
