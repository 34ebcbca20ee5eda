//! Values: numbers, sequences and dice (section 4).

use crate::draws::Draws;
use dicec_runtime::pmf::{Pmf, Weight};
use std::any::Any;
use std::cell::OnceCell;
use std::hash::{Hash, Hasher};
use std::ptr;
use std::rc::Rc;

/// A value. Its kind is known only when the program runs.
#[derive(Clone, Debug)]
pub(crate) enum Value<W> {
    Number(i64),
    Sequence(Rc<[i64]>),
    Dice(Rc<Dice<W>>),
}

/// Some dice with equal faces; a single die is a pool of one.
#[derive(Debug)]
pub(crate) struct Dice<W> {
    /// The faces of one die; none if it is the empty die.
    pub(crate) die: Option<Rc<Pmf<W>>>,
    /// The number of dice, at least 1; of the empty die, its length.
    pub(crate) count: u64,
    /// The distribution of the sum, once somebody has asked for it.
    sum: OnceCell<Option<Rc<Pmf<W>>>>,
    /// In a trial, the draws that it depends on.
    draws: Draws,
}

impl<W: Weight> Dice<W> {
    pub(crate) fn new(die: Rc<Pmf<W>>, count: u64) -> Self {
        Self {
            die: Some(die),
            count,
            sum: OnceCell::new(),
            draws: Draws::default(),
        }
    }

    /// The empty die, of this length: 0, or 1 if the number of dice was rolled.
    pub(crate) fn empty(length: u64) -> Self {
        Self {
            die: None,
            count: length,
            sum: OnceCell::from(None),
            draws: Draws::default(),
        }
    }

    /// The sum, if it is known already.
    pub(crate) fn known_sum(&self) -> Option<&Option<Rc<Pmf<W>>>> {
        self.sum.get()
    }

    /// Keeps the sum.
    pub(crate) fn remember(&self, sum: Rc<Pmf<W>>) {
        // Whoever was first computed the same.
        let _ = self.sum.set(Some(sum));
    }
}

impl<W: Weight> Value<W> {
    /// A single die with this distribution. Its total is kept at 1: AnyDice's own grows
    /// to 121,605 % after 55 squarings.
    pub(crate) fn die(pmf: Pmf<W>) -> Self {
        Self::Dice(Rc::new(Dice::new(Rc::new(pmf.renormalised()), 1)))
    }

    /// The empty die.
    pub(crate) fn empty() -> Self {
        Self::Dice(Rc::new(Dice::empty(0)))
    }

    /// In a trial, the draws that this depends on.
    pub(crate) fn draws(&self) -> Draws {
        match self {
            Self::Dice(dice) => dice.draws.clone(),
            Self::Number(_) | Self::Sequence(_) => Draws::default(),
        }
    }

    /// The same, as a value that depends on these draws.
    pub(crate) fn depending(self, draws: Draws) -> Self {
        match self {
            Self::Dice(dice) if !draws.are_none() => Self::Dice(Rc::new(Dice {
                die: dice.die.clone(),
                count: dice.count,
                sum: dice.sum.clone(),
                draws,
            })),
            same => same,
        }
    }

    /// A sequence.
    pub(crate) fn sequence(elements: Vec<i64>) -> Self {
        Self::Sequence(elements.into())
    }

    /// The kind of value, in words.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Number(_) => "a number",
            Self::Sequence(_) => "a sequence",
            Self::Dice(dice) if dice.die.is_none() => "the empty die",
            Self::Dice(_) => "dice",
        }
    }

    /// A value that stands for this one among the arguments of calls that are remembered; dice are
    /// equal if they are the same in memory, which a key keeps alive.
    pub(crate) fn key(&self) -> Key {
        match self {
            Self::Number(number) => Key::Number(*number),
            Self::Sequence(elements) => Key::Sequence(Rc::clone(elements)),
            Self::Dice(dice) => Key::Dice(Rc::clone(dice) as Rc<dyn Any>),
        }
    }
}

/// A value as a key.
#[derive(Clone, Debug)]
pub(crate) enum Key {
    Number(i64),
    Sequence(Rc<[i64]>),
    Dice(Rc<dyn Any>),
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Number(one), Self::Number(two)) => one == two,
            (Self::Sequence(one), Self::Sequence(two)) => one == two,
            (Self::Dice(one), Self::Dice(two)) => ptr::addr_eq(Rc::as_ptr(one), Rc::as_ptr(two)),
            _ => false,
        }
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Self::Number(number) => number.hash(state),
            Self::Sequence(elements) => elements.hash(state),
            Self::Dice(dice) => Rc::as_ptr(dice).cast::<()>().hash(state),
        }
    }
}
