//! Lists of equal dice, as scripts and rules write them: `dice(9d6)`, `[roll(d6) for i : 1..9]`,
//! `sorted(d.face for d : dice(9d6))`.

use super::deck::Deck;
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
    /// Of cards that are drawn, the deck.
    pub(super) deck: Option<Deck>,
}

/// The lists of dice in variables, and the decks.
#[derive(Default)]
pub(super) struct Known {
    pub(super) dice: FxHashMap<LocalId, Dice>,
    pub(super) decks: FxHashMap<LocalId, Deck>,
}

impl Dice {
    /// The dice that an expression rolls or has; `None` if it may be anything else.
    pub(super) fn of(expr: &Expr, known: &Known) -> Option<Self> {
        let dice = match &expr.kind {
            ExprKind::List(values) => {
                let (first, rest) = values.split_first()?;
                let die = Self::die(first)?;
                let alike = rest
                    .iter()
                    .all(|value| Self::die(value).as_ref() == Some(&die));
                let count = values.len() as i64;
                alike.then_some(Self { count, ..die })?
            }
            ExprKind::Local(local) => known.dice.get(local)?.clone(),
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
            let [
                Stmt {
                    kind: StmtKind::Eval(append),
                    ..
                },
            ] = &body[..]
            else {
                return None;
            };
            return match &append.kind {
                ExprKind::Append(_, value) => Self::each(element, elements, value, known),
                _ => None,
            };
        }
        // `dice(9d6)`
        match (&block.aggregate, &block.statements[..]) {
            (
                None,
                [
                    Stmt {
                        kind: StmtKind::Assign(Place::Local(to), value),
                        ..
                    },
                ],
            ) if to == list => Self::of(value, known),
            // `dice(20d6)`
            (None, [begin @ .., each]) => Self::counted(begin, each, *list),
            _ => None,
        }
    }

    /// The dice that a loop appends to a new list.
    fn counted(begin: &[Stmt], each: &Stmt, list: LocalId) -> Option<Self> {
        let mut number = None;
        for stmt in begin {
            match &stmt.kind {
                StmtKind::Assign(
                    Place::Local(to),
                    Expr {
                        kind: ExprKind::Int(count),
                        ..
                    },
                ) => {
                    number = Some((*to, *count));
                }
                StmtKind::Assign(
                    Place::Local(to),
                    Expr {
                        kind: ExprKind::List(all),
                        ..
                    },
                ) if *to == list && all.is_empty() => {}
                _ => return None,
            }
        }
        let (number, count) = number?;
        let StmtKind::Count(index, bounds, body) = &each.kind else {
            return None;
        };
        let ([first, last], [before @ .., append]) = (&**bounds, &body[..]) else {
            return None;
        };
        let fits = first.kind == ExprKind::Int(1)
            && last.kind == ExprKind::Local(number)
            && *index != number
            && begin.len() == 2;
        let StmtKind::Eval(append) = &append.kind else {
            return None;
        };
        let ExprKind::Append(to, die) = &append.kind else {
            return None;
        };
        let die = Self::made(before, die)?;
        (fits && to.kind == ExprKind::Local(list)).then_some(Self { count, ..die })
    }

    /// The dice of a value for each element.
    fn each(element: LocalId, of: Elements<'_>, value: &Expr, known: &Known) -> Option<Self> {
        match of {
            Elements::Range([first, last]) => {
                let (ExprKind::Int(first), ExprKind::Int(last)) = (&first.kind, &last.kind) else {
                    return None;
                };
                let count = last.checked_sub(*first)?.checked_add(1)?;
                let one = match Self::card(value, known) {
                    Some(card) => card,
                    None => Self::die(value)?,
                };
                // Of a deck with too few cards, none can be drawn.
                let fits = one.deck.as_ref().is_none_or(|deck| count <= deck.cards());
                fits.then_some(Self { count, ..one })
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
            deck: None,
        };
        match &expr.kind {
            ExprKind::Roll(_) => Some(one(sides_of(expr)?, Element::Face)),
            ExprKind::Block(block) => Self::made(&block.statements, block.value.as_ref()?),
            _ => None,
        }
    }

    /// A card that is drawn from a deck.
    fn card(expr: &Expr, known: &Known) -> Option<Self> {
        let ExprKind::Block(block) = &expr.kind else {
            return None;
        };
        let drawing = block.drawing()?;
        let deck = known.decks.get(&drawing.from[0])?;
        drawing.kept.is_none().then(|| Self {
            count: 1,
            sides: deck.highest(),
            element: Element::Face,
            order: Order::Rolled,
            deck: Some(deck.clone()),
        })
    }

    /// One die that is a record, made by these statements.
    fn made(statements: &[Stmt], value: &Expr) -> Option<Self> {
        let [
            Stmt {
                kind: StmtKind::Assign(Place::Local(face), rolled),
                ..
            },
        ] = statements
        else {
            return None;
        };
        let ExprKind::Record(_, fields) = &value.kind else {
            return None;
        };
        let mut all = Vec::new();
        for (field, value) in fields {
            let value = match &value.kind {
                ExprKind::Int(_) | ExprKind::Bool(_) => Some(plain(value)),
                ExprKind::Local(local) if local == face => None,
                _ => return None,
            };
            all.push((*field, value));
        }
        Some(Self {
            count: 1,
            sides: sides_of(rolled)?,
            element: Element::Record(all),
            order: Order::Rolled,
            deck: None,
        })
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

    /// A bound on the fuel for rolling the dice one by one, and sorting them.
    pub(super) fn cost(&self) -> u64 {
        let count = self.count.unsigned_abs();
        let sorting = if self.order == Order::Rolled {
            0
        } else {
            count * count
        };
        let cards = self
            .deck
            .as_ref()
            .map_or(0, |deck| deck.cards().unsigned_abs());
        16 + 12 * count + sorting + cards * (8 + 2 * count)
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
    let [
        Stmt {
            kind: StmtKind::Count(_, _, body),
            ..
        },
    ] = &inner[..]
    else {
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
        StmtKind::Assign(Place::Local(local), value) => Some((*local, Dice::of(value, known)?)),
        _ => None,
    }
}

/// The variables of `known` that a statement reads to make its list.
pub(super) fn made_of(stmt: &Stmt, known: &Known) -> Vec<LocalId> {
    let StmtKind::Assign(Place::Local(_), value) = &stmt.kind else {
        return Vec::new();
    };
    debug_assert!(assigned(stmt).is_some());
    let all = known.dice.keys().chain(known.decks.keys());
    all.copied()
        .filter(|local| reads_of(value, *local) > 0)
        .collect()
}
