//! Lists of equal dice, as scripts and rules write them: `dice(9d6)`, `[roll(d6) for i : 1..9]`,
//! `sorted(d.face for d : dice(9d6))`.

use super::edit::{assigned, reads_of};
use dicec_lang::hir::{
    CompareOp, Die, Elements, Expr, ExprKind, LocalId, Place, Sorting, Stmt, StmtKind, ValueBlock,
};
use rustc_hash::FxHashMap;

/// The largest pools that are considered: their orders are few enough for bounds on fuel.
const MAX_DICE: i64 = 200;
const MAX_SIDES: i64 = 200;

/// The elements of a list of dice.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Element {
    /// The faces.
    Face,
    /// Records: the value of each field, or `None` if it is the face.
    Record(Vec<(u32, Option<Expr>)>),
}

/// The order of a list of dice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Order {
    /// As rolled.
    Rolled,
    Ascending,
    Descending,
}

/// A list of dice with the faces `1..=sides`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Dice {
    pub(super) count: i64,
    pub(super) sides: i64,
    pub(super) element: Element,
    pub(super) order: Order,
}

/// The lists of dice in variables.
pub(super) type Known = FxHashMap<LocalId, Dice>;

impl Dice {
    /// The dice that an expression rolls or has; `None` if it may be anything else.
    pub(super) fn of(expr: &Expr, known: &Known) -> Option<Self> {
        let dice = match &expr.kind {
            ExprKind::List(values) => {
                let (first, rest) = values.split_first()?;
                let die = Self::die(first)?;
                let alike = rest.iter().all(|value| Self::die(value).as_ref() == Some(&die));
                alike.then(|| Self {
                    count: values.len() as i64,
                    ..die
                })?
            }
            ExprKind::Local(local) => known.get(local)?.clone(),
            ExprKind::Block(block) => Self::of_block(block, known)?,
            _ => return None,
        };
        let fits = (1..=MAX_DICE).contains(&dice.count) && (2..=MAX_SIDES).contains(&dice.sides);
        fits.then_some(dice)
    }

    fn of_block(block: &ValueBlock, known: &Known) -> Option<Self> {
        if let Some(Sorting::New(sorted)) = block.sorting() {
            let [value] = sorted.exprs[..] else {
                return None;
            };
            let dice = Self::each(sorted.element, sorted.elements, value, known)?;
            let order = sorted_in(block.statements.last()?)?;
            return (dice.element == Element::Face).then_some(Self { order, ..dice });
        }
        let Some(Expr {
            kind: ExprKind::Local(list),
            ..
        }) = &block.value
        else {
            return None;
        };
        let [.., last] = &block.statements[..] else {
            return None;
        };
        if block.collects() {
            let [_, _] = &block.statements[..] else {
                return None;
            };
            let (element, elements, body) = match &last.kind {
                StmtKind::For(element, list, body) => (*element, Elements::List(list), body),
                StmtKind::Count(element, bounds, body) => (*element, Elements::Range(bounds), body),
                _ => return None,
            };
            let [Stmt { kind: StmtKind::Eval(append), .. }] = &body[..] else {
                return None;
            };
            return match &append.kind {
                ExprKind::Append(_, value) => Self::each(element, elements, value, known),
                _ => None,
            };
        }
        // `dice(9d6)`
        match (&block.aggregate, &block.statements[..]) {
            (None, [Stmt { kind: StmtKind::Assign(Place::Local(to), value), .. }]) if to == list => {
                Self::of(value, known)
            }
            _ => None,
        }
    }

    /// The dice of a value for each element.
    fn each(element: LocalId, of: Elements<'_>, value: &Expr, known: &Known) -> Option<Self> {
        match of {
            Elements::Range([first, last]) => {
                let (ExprKind::Int(first), ExprKind::Int(last)) = (&first.kind, &last.kind) else {
                    return None;
                };
                let count = last.checked_sub(*first)?.checked_add(1)?;
                Some(Self {
                    count,
                    ..Self::die(value)?
                })
            }
            Elements::List(list) => {
                let dice = Self::of(list, known)?;
                match dice.is_face(value, element) {
                    true => Some(Self {
                        element: Element::Face,
                        ..dice
                    }),
                    false => None,
                }
            }
        }
    }

    /// One die.
    fn die(expr: &Expr) -> Option<Self> {
        let one = |sides, element| Self {
            count: 1,
            sides,
            element,
            order: Order::Rolled,
        };
        match &expr.kind {
            ExprKind::Roll(_) => Some(one(sides_of(expr)?, Element::Face)),
            ExprKind::Block(block) => {
                let [stmt] = &block.statements[..] else {
                    return None;
                };
                let StmtKind::Assign(Place::Local(face), rolled) = &stmt.kind else {
                    return None;
                };
                let ExprKind::Record(_, fields) = &block.value.as_ref()?.kind else {
                    return None;
                };
                let sides = sides_of(rolled)?;
                let mut all = Vec::new();
                for (field, value) in fields {
                    let value = match &value.kind {
                        ExprKind::Int(_) | ExprKind::Bool(_) => Some(plain(value)),
                        ExprKind::Local(local) if local == face => None,
                        _ => return None,
                    };
                    all.push((*field, value));
                }
                Some(one(sides, Element::Record(all)))
            }
            _ => None,
        }
    }

    /// Whether an expression is the face of the element in a variable.
    pub(super) fn is_face(&self, expr: &Expr, element: LocalId) -> bool {
        match (&self.element, &expr.kind) {
            (Element::Face, ExprKind::Local(local)) => *local == element,
            (Element::Record(fields), ExprKind::Field(record, field)) => {
                record.kind == ExprKind::Local(element) && fields.contains(&(*field, None))
            }
            _ => false,
        }
    }

    /// The number of multisets, or the greatest number if there are more.
    pub(super) fn multisets(&self) -> u64 {
        let smaller = self.count.min(self.sides - 1);
        let mut all: u128 = 1;
        for step in 1..=smaller {
            all = all * (self.count + self.sides - step) as u128 / step as u128;
            if all > u128::from(u64::MAX) {
                return u64::MAX;
            }
        }
        all as u64
    }
}

/// An expression without its place, to compare it with others.
fn plain(expr: &Expr) -> Expr {
    Expr {
        span: dicec_runtime::span::Span::default(),
        ..expr.clone()
    }
}

/// The sides of a roll of one die.
fn sides_of(expr: &Expr) -> Option<i64> {
    let ExprKind::Roll(roll) = &expr.kind else {
        return None;
    };
    let ExprKind::Pool(pool) = &roll.body.kind else {
        return None;
    };
    let Die::Sides(sides) = &pool.die else {
        return None;
    };
    let is_plain = roll.holes.is_empty() && roll.labels.is_empty() && pool.plain_sides().is_some();
    match (&pool.count.kind, &sides.kind) {
        (ExprKind::Int(1), ExprKind::Int(sides)) if is_plain => Some(*sides),
        _ => None,
    }
}

/// The order in which the loops of a sort put elements.
fn sorted_in(exchanges: &Stmt) -> Option<Order> {
    let mut order = None;
    let StmtKind::Count(_, _, inner) = &exchanges.kind else {
        return None;
    };
    let [Stmt { kind: StmtKind::Count(_, _, body), .. }] = &inner[..] else {
        return None;
    };
    for stmt in body {
        if let StmtKind::Assign(Place::Local(_), value) = &stmt.kind
            && let ExprKind::Compare(op, ..) = &value.kind
        {
            order = match op {
                CompareOp::Greater => Some(Order::Ascending),
                CompareOp::Less => Some(Order::Descending),
                _ => None,
            };
        }
    }
    order
}

/// The variable that a statement sets to a list of dice, and the dice.
pub(super) fn made(stmt: &Stmt, known: &Known) -> Option<(LocalId, Dice)> {
    match &stmt.kind {
        StmtKind::Assign(Place::Local(local), value) => {
            Some((*local, Dice::of(value, known)?))
        }
        _ => None,
    }
}

/// The variables of `known` that a statement reads to make its list.
pub(super) fn made_of(stmt: &Stmt, known: &Known) -> Vec<LocalId> {
    let StmtKind::Assign(Place::Local(_), value) = &stmt.kind else {
        return Vec::new();
    };
    debug_assert!(assigned(stmt).is_some());
    known
        .keys()
        .copied()
        .filter(|local| reads_of(value, *local) > 0)
        .collect()
}
