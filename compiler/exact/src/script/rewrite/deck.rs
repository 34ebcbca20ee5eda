//! Decks: lists of known numbers from which cards are drawn, `[1 + i % 13 for i : 0..51]`.
//!
//! The cards that are drawn are a random part of the deck. So the deck is gone through by its
//! faces, and each card is among those drawn with the share of the cards to draw in the cards that
//! are left.

use super::edit::Make;
use dicec_lang::hir::{
    ArithOp, Block, CompareOp, Expr, ExprKind, LocalId, Math, Place, Stmt, StmtKind, Type,
};
use std::collections::BTreeMap;

/// The largest decks that are gone through card by card.
const MAX_CARDS: i64 = 200;

/// More faces with another number of cards than most have are too many conditions.
const MAX_EXCEPTIONS: usize = 6;

/// How many cards of each face there are; faces are positive.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Deck(BTreeMap<i64, i64>);

impl Deck {
    /// The deck that an expression makes.
    pub(super) fn of(expr: &Expr) -> Option<Self> {
        let mut cards = BTreeMap::new();
        let mut add = |face: i64| *cards.entry(face).or_insert(0) += 1;
        match &expr.kind {
            ExprKind::List(values) => {
                for value in values {
                    add(number(value, None)?);
                }
            }
            ExprKind::Block(block) if block.collects() => {
                let [
                    _,
                    Stmt {
                        kind: StmtKind::Count(index, bounds, body),
                        ..
                    },
                ] = &block.statements[..]
                else {
                    return None;
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
                let ExprKind::Append(_, value) = &append.kind else {
                    return None;
                };
                let [first, last] = [&bounds[0], &bounds[1]].map(|bound| number(bound, None));
                let (first, last) = (first?, last?);
                if last.checked_sub(first)? > MAX_CARDS {
                    return None;
                }
                for at in first..=last {
                    add(number(value, Some((*index, at)))?);
                }
            }
            _ => return None,
        }
        let deck = Self(cards);
        let faces = deck.0.keys().next().is_some_and(|least| *least >= 1);
        let fits = faces && deck.cards() <= MAX_CARDS && deck.exceptions().len() <= MAX_EXCEPTIONS;
        fits.then_some(deck)
    }

    /// The number of cards.
    pub(super) fn cards(&self) -> i64 {
        self.0.values().sum()
    }

    /// The highest face.
    pub(super) fn highest(&self) -> i64 {
        self.0.keys().next_back().copied().unwrap_or(0)
    }

    /// The number of cards with faces for which a comparison holds.
    pub(super) fn cards_with(&self, op: CompareOp, face: i64) -> i64 {
        let cards = self.0.iter();
        let cards = cards.filter(|(other, _)| op.holds((*other).cmp(&face)));
        cards.map(|(_, number)| *number).sum()
    }

    /// The most frequent number of cards of a face from 1 to the highest.
    fn usual(&self) -> i64 {
        let mut times = BTreeMap::new();
        for face in 1..=self.highest() {
            *times.entry(self.of_face(face)).or_insert(0) += 1;
        }
        let most = times
            .into_iter()
            .max_by_key(|(_, times): &(i64, i64)| *times);
        most.map_or(0, |(number, _)| number)
    }

    fn of_face(&self, face: i64) -> i64 {
        self.0.get(&face).copied().unwrap_or(0)
    }

    /// The faces with another number of cards.
    fn exceptions(&self) -> Vec<(i64, i64)> {
        let all = (1..=self.highest()).map(|face| (face, self.of_face(face)));
        all.filter(|(_, number)| *number != self.usual()).collect()
    }

    /// The number of cards of the face in a variable, which is one from 1 to the highest.
    pub(super) fn number(&self, face: LocalId, make: &Make<'_>) -> Expr {
        let mut all = make.int(self.usual());
        for (exception, number) in self.exceptions() {
            let is_it = make.compare(CompareOp::Equal, make.number(face), make.int(exception));
            all = make.choose(is_it, make.int(number), all);
        }
        all
    }
}

/// Draws the cards of a face: `here` counts them, out of `left` to draw from a deck with `cards`.
pub(super) fn draw([here, left, cards]: [LocalId; 3], number: Expr, make: &mut Make<'_>) -> Block {
    let [turn, drawn] = [(); 2].map(|()| make.fresh(Type::Int));
    let is_drawn = make.draw(make.number(cards), make.number(left));
    let update = |local, op, value| StmtKind::Update(Place::Local(local), op, value);
    let body = vec![
        make.set(drawn, is_drawn),
        make.stmt(update(here, ArithOp::Add, make.number(drawn))),
        make.stmt(update(left, ArithOp::Sub, make.number(drawn))),
        make.stmt(update(cards, ArithOp::Sub, make.int(1))),
    ];
    vec![
        make.set(here, make.int(0)),
        make.count(turn, [make.int(1), number], body),
    ]
}

/// The value of an expression of known numbers and at most one variable.
fn number(expr: &Expr, known: Option<(LocalId, i64)>) -> Option<i64> {
    match &expr.kind {
        ExprKind::Int(number) => Some(*number),
        ExprKind::Local(local) => known.filter(|(known, _)| known == local).map(|(_, at)| at),
        ExprKind::Arith(op, left, right) if !op.is_float() => {
            op.apply(number(left, known)?, number(right, known)?).ok()
        }
        ExprKind::Math(function @ (Math::Max | Math::Min), parts) => {
            let parts = parts.iter().map(|part| number(part, known));
            let parts: Option<Vec<i64>> = parts.collect();
            match function {
                Math::Max => parts?.into_iter().max(),
                _ => parts?.into_iter().min(),
            }
        }
        ExprKind::Choose(parts) => {
            let [condition, yes, no] = &**parts;
            let ExprKind::Compare(op, left, right) = &condition.kind else {
                return None;
            };
            let order = number(left, known)?.cmp(&number(right, known)?);
            number(if op.holds(order) { yes } else { no }, known)
        }
        _ => None,
    }
}
