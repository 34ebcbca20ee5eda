//! Finds the parts of blocks that iterate over elements, by the shape that their [`Aggregate`]
//! guarantees.

use super::{
    Aggregate, ArithOp, CompareOp, Expr, ExprKind, LocalId, Math, Place, Search, Stmt, StmtKind,
    ValueBlock, each_expr, each_stmt,
};

/// The sequence that a block iterates over.
#[derive(Clone, Copy, Debug)]
pub enum Elements<'b> {
    /// The elements of a list.
    List(&'b Expr),
    /// The numbers from the first to the last.
    Range(&'b [Expr; 2]),
}

/// The parts of a block that computes a number or truth value of elements, the same in any order of
/// them if nothing else depends on it.
#[derive(Clone, Debug)]
pub struct Reduction<'b> {
    /// The variable with the element.
    pub element: LocalId,
    /// The sequence.
    pub elements: Elements<'b>,
    /// The condition for elements and the value for each that passes, as far as they are written.
    pub exprs: Vec<&'b Expr>,
    /// Whether it ends with the element that decides.
    pub leaves: bool,
}

/// The parts of a block that sorts a list.
#[derive(Clone, Debug)]
pub enum Sorting<'b> {
    /// A variable of the script is sorted in place.
    InPlace,
    /// A list that is not a variable of the script is sorted in place.
    Kept(&'b Expr),
    /// A new list of a value for each element.
    New(Reduction<'b>),
}

impl ValueBlock {
    /// The parts of a [sum](Aggregate::Sum), a [count](Aggregate::Count), an
    /// [extreme](Aggregate::Extreme) or a [decision](Aggregate::Decided); `None` for other blocks,
    /// and for those that have not the shape of one.
    pub fn reduction(&self) -> Option<Reduction<'_>> {
        let (aggregate, value) = (self.aggregate?, self.value.as_ref()?);
        let (result, leaves) = match aggregate {
            Aggregate::Sum { total, .. } => (total, false),
            Aggregate::Count(count) => (count, false),
            Aggregate::Decided { answer, .. } => (answer, true),
            Aggregate::Extreme(search) => (search.best, false),
            Aggregate::ExtremeOf { list, best } => {
                return is_local(value, best).then(|| self.extreme_of(list, best))?;
            }
            _ => return None,
        };
        let each = self.statements.iter().position(is_loop)?;
        let (before, rest) = self.statements.split_at(each);
        let (each, after) = rest.split_first()?;
        let begins = before.iter().all(|stmt| match assigned(stmt) {
            Some((local, value)) => aggregate.owns(local) && is_literal(value),
            None => false,
        });
        let ends = match (aggregate, after) {
            (Aggregate::Extreme(search), [stmt]) => {
                matches!(&stmt.kind, StmtKind::Require(found) if is_local(found, search.found))
            }
            (_, after) => after.is_empty(),
        };
        let reduction = through(each, leaves, &|inside| of_each(aggregate, inside))?;
        (begins && ends && is_local(value, result)).then_some(reduction)
    }

    /// Whether it is a block that [collects](Aggregate::Collected).
    pub fn collects(&self) -> bool {
        let (Some(Aggregate::Collected(list)), Some(value)) = (self.aggregate, &self.value) else {
            return false;
        };
        let each = self.statements.iter().position(is_loop);
        let (before, loops) = self.statements.split_at(each.unwrap_or(0));
        let is_empty =
            |value: &Expr| matches!(&value.kind, ExprKind::List(parts) if parts.is_empty());
        let begins = before.iter().all(|stmt| {
            let assigned = assigned(stmt);
            assigned.is_some_and(|(to, value)| to != list || is_empty(value))
        });
        let append = |inside| appended_to(inside, list);
        let appends = loops
            .iter()
            .all(|each| through(each, false, &append).is_some());
        let is_made = before
            .iter()
            .any(|stmt| assigned(stmt).is_some_and(|(to, _)| to == list));
        begins && is_made && appends && is_local(value, list)
    }

    fn extreme_of(&self, list: LocalId, best: LocalId) -> Option<Reduction<'_>> {
        let [made, begins, each] = &self.statements[..] else {
            return None;
        };
        let (to, of) = assigned(made)?;
        let (seed, first) = assigned(begins)?;
        let (StmtKind::For(element, through, inside), ExprKind::Element(from, index)) =
            (&each.kind, &first.kind)
        else {
            return None;
        };
        let better = |stmt: &Stmt| match assigned(stmt) {
            Some((local, value)) => match &value.kind {
                ExprKind::Math(Math::Max | Math::Min, parts) => match &parts[..] {
                    [left, right] => {
                        local == best && is_local(left, best) && is_local(right, *element)
                    }
                    _ => false,
                },
                _ => false,
            },
            None => false,
        };
        let seeded = seed == best && is_local(from, list) && index.kind == ExprKind::Int(0);
        let fits = to == list && seeded && is_local(through, list);
        (fits && matches!(&inside[..], [stmt] if better(stmt))).then_some(Reduction {
            element: *element,
            elements: Elements::List(of),
            exprs: Vec::new(),
            leaves: false,
        })
    }

    /// The parts of a block that [sorts](Aggregate::Sorted); `None` for other blocks, and for those
    /// that have not the shape of one.
    pub fn sorting(&self) -> Option<Sorting<'_>> {
        let Some(Aggregate::Sorted(list)) = self.aggregate else {
            return None;
        };
        let (exchanges, before) = self.statements.split_last()?;
        if !exchanges_elements(exchanges, list) {
            return None;
        }
        match (&self.value, before) {
            (None, []) => Some(Sorting::InPlace),
            (None, [kept]) => {
                let (to, value) = assigned(kept)?;
                (to == list).then_some(Sorting::Kept(value))
            }
            (Some(value), [begins, each]) if is_local(value, list) => {
                let (to, empty) = assigned(begins)?;
                let is_empty = matches!(&empty.kind, ExprKind::List(parts) if parts.is_empty());
                let append = |inside| appended_to(inside, list);
                let reduction = through(each, false, &append)?;
                (to == list && is_empty).then_some(Sorting::New(reduction))
            }
            _ => None,
        }
    }
}

fn is_loop(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::For(..) | StmtKind::Count(..))
}

pub(super) fn is_local(expr: &Expr, local: LocalId) -> bool {
    expr.kind == ExprKind::Local(local)
}

/// A number, truth value, degree or constant that is written.
fn is_literal(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Bool(_)
            | ExprKind::Degree(..)
            | ExprKind::Named(_)
    )
}

/// The variable that a statement assigns, and the value.
pub(super) fn assigned(stmt: &Stmt) -> Option<(LocalId, &Expr)> {
    match &stmt.kind {
        StmtKind::Assign(Place::Local(local), value) => Some((*local, value)),
        _ => None,
    }
}

/// The parts of a loop through elements; `inside` finds the value for an element in the statements
/// for those that pass.
fn through<'b>(
    each: &'b Stmt,
    leaves: bool,
    inside: &dyn Fn(&'b [Stmt]) -> Option<&'b Expr>,
) -> Option<Reduction<'b>> {
    let (element, elements, body) = match &each.kind {
        StmtKind::For(element, list, body) => (*element, Elements::List(list), body),
        StmtKind::Count(element, bounds, body) => (*element, Elements::Range(bounds), body),
        _ => return None,
    };
    let exprs = match (inside(body), &body[..]) {
        (Some(value), _) => vec![value],
        (None, [stmt]) => match &stmt.kind {
            StmtKind::If(filter, yes, no) if no.is_empty() => vec![filter, inside(yes)?],
            _ => return None,
        },
        _ => return None,
    };
    Some(Reduction {
        element,
        elements,
        exprs,
        leaves,
    })
}

/// The value for an element that passes.
fn of_each(aggregate: Aggregate, inside: &[Stmt]) -> Option<&Expr> {
    match (aggregate, inside) {
        (Aggregate::Sum { total, value }, [set, add]) => {
            let (to, of_element) = assigned(set)?;
            let adds = matches!(&add.kind,
                StmtKind::Update(Place::Local(local), ArithOp::Add, added)
                    if *local == total && is_local(added, value));
            (to == value && adds).then_some(of_element)
        }
        (Aggregate::Count(count), [stmt]) => match &stmt.kind {
            StmtKind::If(passes, yes, no) if no.is_empty() => {
                let counts = matches!(&yes[..], [stmt] if matches!(&stmt.kind,
                    StmtKind::Update(Place::Local(local), ArithOp::Add, one)
                        if *local == count && one.kind == ExprKind::Int(1)));
                counts.then_some(passes)
            }
            _ => None,
        },
        (Aggregate::Decided { answer, by }, [stmt]) => match &stmt.kind {
            StmtKind::If(decides, yes, no) if no.is_empty() => {
                let [set, ends] = &yes[..] else { return None };
                let (to, truth) = assigned(set)?;
                let answers = to == answer && truth.kind == ExprKind::Bool(by);
                (answers && ends.kind == StmtKind::Break).then_some(decides)
            }
            _ => None,
        },
        (Aggregate::Extreme(search), inside) => looked_at(search, None, inside),
        _ => None,
    }
}

/// The value that a search looks at, if it does nothing else but to note the index of the best.
fn looked_at(search: Search, index: Option<LocalId>, inside: &[Stmt]) -> Option<&Expr> {
    let [set, better, finds] = inside else {
        return None;
    };
    let (to, of_element) = assigned(set)?;
    let (found, truth) = assigned(finds)?;
    let StmtKind::If(condition, yes, no) = &better.kind else {
        return None;
    };
    let mut only_own = true;
    condition.each(&mut |part| {
        only_own &= match &part.kind {
            ExprKind::Local(local) => Aggregate::Extreme(search).owns(*local),
            ExprKind::Compare(op, ..) => *op != CompareOp::NotEqual,
            ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Not(_) => true,
            _ => false,
        };
    });
    let (best, more) = yes.split_first()?;
    let (to_best, new) = assigned(best)?;
    let notes = match (more, index) {
        ([], None) => true,
        ([stmt], Some(index)) => assigned(stmt).is_some_and(|(to, _)| to == index),
        _ => false,
    };
    let takes = to_best == search.best && is_local(new, search.value) && notes && no.is_empty();
    let fits = to == search.value && found == search.found && truth.kind == ExprKind::Bool(true);
    (only_own && takes && fits).then_some(of_element)
}

/// The value that is appended to a list, if nothing else is done.
fn appended_to(inside: &[Stmt], list: LocalId) -> Option<&Expr> {
    let [stmt] = inside else { return None };
    match &stmt.kind {
        StmtKind::Eval(append) => match &append.kind {
            ExprKind::Append(to, value) if is_local(to, list) => Some(value),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a statement is loops that compare elements of a list, and exchange them: whatever order
/// they had, they are sorted then.
fn exchanges_elements(stmt: &Stmt, list: LocalId) -> bool {
    let StmtKind::Count(index, bounds, inner) = &stmt.kind else {
        return false;
    };
    let [inner] = &inner[..] else { return false };
    let StmtKind::Count(step, steps, body) = &inner.kind else {
        return false;
    };
    let [set_place, set_first, set_second, compares, puts @ ..] = &body[..] else {
        return false;
    };
    let is_one = |expr: &Expr| expr.kind == ExprKind::Int(1);
    let counts = is_one(&bounds[0])
        && is_one(&steps[0])
        && is_local(&steps[1], *index)
        && is_last_index(&bounds[1], list);
    let Some((place, distance)) = assigned(set_place) else {
        return false;
    };
    let is_distance = matches!(&distance.kind, ExprKind::Arith(ArithOp::Sub, left, right)
        if is_local(left, *index) && is_local(right, *step));
    let (Some((first, one)), Some((second, next)), Some((follows, compared))) = (
        assigned(set_first),
        assigned(set_second),
        assigned(compares),
    ) else {
        return false;
    };
    let at = |expr: &Expr, after: bool| match &expr.kind {
        ExprKind::Element(of, index) => is_local(of, list) && is_place(index, place, after),
        _ => false,
    };
    let in_order = matches!(&compared.kind,
        ExprKind::Compare(CompareOp::Less | CompareOp::Greater, left, right)
            if is_local(left, first) && is_local(right, second));
    let put = |stmt: &Stmt, after: bool, [yes, no]: [LocalId; 2]| match &stmt.kind {
        StmtKind::Assign(Place::Element(of, index), value) => {
            let chosen = match &value.kind {
                ExprKind::Choose(parts) => {
                    is_local(&parts[0], follows)
                        && is_local(&parts[1], yes)
                        && is_local(&parts[2], no)
                }
                _ => false,
            };
            chosen && is_local(of, list) && is_place(index, place, after)
        }
        _ => false,
    };
    let swaps = match puts {
        [here, there] => put(here, false, [second, first]) && put(there, true, [first, second]),
        _ => false,
    };
    counts && is_distance && at(one, false) && at(next, true) && in_order && swaps
}

/// `place`, or the place after it.
pub(super) fn is_place(index: &Expr, place: LocalId, after: bool) -> bool {
    match &index.kind {
        ExprKind::Arith(ArithOp::Add, left, right) => {
            after && is_local(left, place) && right.kind == ExprKind::Int(1)
        }
        _ => !after && is_local(index, place),
    }
}

/// `len(list) - 1`
fn is_last_index(expr: &Expr, list: LocalId) -> bool {
    match &expr.kind {
        ExprKind::Arith(ArithOp::Add, left, right) => {
            let of_list = matches!(&left.kind, ExprKind::Len(of) if is_local(of, list));
            of_list && right.kind == ExprKind::Int(-1)
        }
        _ => false,
    }
}

/// How many times statements mention a variable, and how many of these are assignments.
pub(super) fn mentions(block: &[Stmt], local: LocalId) -> usize {
    let mut times = 0;
    each_stmt(block, &mut |stmt| {
        let assigned = match &stmt.kind {
            StmtKind::Assign(Place::Local(to), _)
            | StmtKind::Update(Place::Local(to), ..)
            | StmtKind::For(to, ..)
            | StmtKind::Count(to, ..) => *to == local,
            _ => false,
        };
        times += usize::from(assigned);
    });
    each_expr(block, &mut |expr| {
        times += usize::from(is_local(expr, local))
    });
    times
}

/// Whether a block is a `least` or `most` whose index is noted by its search only.
pub(super) fn is_best(block: &ValueBlock, search: Search, index: LocalId) -> bool {
    let inside = |inside: &'_ [Stmt]| {
        let inside = match inside.split_last() {
            // The number of the element, counted beside the search.
            Some((last, rest)) if matches!(last.kind, StmtKind::Update(..)) => rest,
            _ => inside,
        };
        looked_at(search, Some(index), inside).is_some()
    };
    let each = block.statements.iter().find(|stmt| is_loop(stmt));
    each.is_some_and(|each| match &each.kind {
        StmtKind::For(_, _, body) | StmtKind::Count(_, _, body) => {
            let filtered = match &body[..] {
                [stmt] | [stmt, _] => match &stmt.kind {
                    StmtKind::If(_, yes, _) => inside(yes),
                    _ => false,
                },
                _ => false,
            };
            inside(body) || filtered
        }
        _ => false,
    })
}

/// Whether a block computes a value, and then adds to its number a roll for each of its terms.
pub(super) fn is_rolled(block: &ValueBlock, value: LocalId) -> bool {
    let [made, begins, each] = &block.statements[..] else {
        return false;
    };
    let part = |expr: &Expr, wanted: u32| match &expr.kind {
        ExprKind::Field(of, field) => is_local(of, value) && *field == wanted,
        _ => false,
    };
    let sum = assigned(begins).filter(|(_, number)| part(number, 1));
    let terms = matches!(&each.kind, StmtKind::For(_, terms, _) if part(terms, 0));
    let result = |sum| {
        block
            .value
            .as_ref()
            .is_some_and(|value| is_local(value, sum))
    };
    assigned(made).is_some_and(|(to, _)| to == value)
        && terms
        && sum.is_some_and(|(sum, _)| result(sum))
}
