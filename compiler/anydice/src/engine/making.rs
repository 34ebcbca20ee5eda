//! Making dice: `NdF` (section 4).

use super::Engine;
use crate::arithmetic;
use crate::failure::Unplaced;
use crate::value::{Dice, Value};
use dicec_runtime::pmf::{CombineError, Overflow, Pmf, Weight};
use std::rc::Rc;

impl<W: Weight> Engine<'_, W> {
    /// `NdF`, or `dF` without a number.
    pub(crate) fn make(
        &mut self,
        number: Option<&Value<W>>,
        faces: &Value<W>,
    ) -> Result<Value<W>, Unplaced> {
        let number = match number {
            None => 1,
            Some(Value::Number(number)) => *number,
            Some(Value::Sequence(elements)) => arithmetic::sum(elements)?,
            Some(Value::Dice(number)) => return self.rolled_number(&Rc::clone(number), faces),
        };
        if let (1, Value::Dice(_)) = (number, faces) {
            return Ok(faces.clone());
        }
        let Some(die) = self.die(faces)? else {
            return Ok(Value::empty());
        };
        let (die, count) = match number {
            0 => (Rc::new(Pmf::point(0)), 1),
            1.. => (die, number.unsigned_abs()),
            _ => (Rc::new(self.negated(&die)?), number.unsigned_abs()),
        };
        Ok(self.pool(die, count))
    }

    /// One die with these faces; none for the empty die. Faces that are dice are their sum.
    fn die(&mut self, faces: &Value<W>) -> Result<Option<Rc<Pmf<W>>>, Unplaced> {
        match faces {
            Value::Number(sides) => self.plain(*sides).map(Some),
            Value::Sequence(faces) => self.listed(faces),
            Value::Dice(dice) => self.sum(dice),
        }
    }

    /// The faces 1 to `sides`, `sides` to -1, or the one face 0.
    fn plain(&mut self, sides: i64) -> Result<Rc<Pmf<W>>, Unplaced> {
        if let Some(known) = self.sides.get(&sides) {
            return Ok(Rc::clone(known));
        }
        self.budget
            .spend(sides.unsigned_abs(), sides.unsigned_abs())?;
        let faces = match sides {
            0 => 0..=0,
            1.. => 1..=sides,
            _ => sides..=-1,
        };
        let one = |face| (face, W::from_u64(1));
        let die = Pmf::from_weights(faces.map(one)).ok_or(Unplaced::Overflow)?;
        let die = Rc::new(die);
        self.sides.insert(sides, Rc::clone(&die));
        Ok(die)
    }

    /// These faces, where repeats are weights; none for no faces.
    pub(crate) fn listed(&mut self, faces: &Rc<[i64]>) -> Result<Option<Rc<Pmf<W>>>, Unplaced> {
        if faces.is_empty() {
            return Ok(None);
        }
        if let Some(known) = self.faces.get(faces) {
            return Ok(Some(Rc::clone(known)));
        }
        self.budget.spend(faces.len() as u64, 1)?;
        let weights = faces.iter().map(|&face| (face, W::from_u64(1)));
        let die = Pmf::from_weights(weights).ok_or(Unplaced::Overflow)?;
        let die = Rc::new(die);
        self.faces.insert(Rc::clone(faces), Rc::clone(&die));
        Ok(Some(die))
    }

    pub(super) fn negated(&mut self, die: &Pmf<W>) -> Result<Pmf<W>, Unplaced> {
        let negate = |face: i64| face.checked_neg().ok_or(Overflow);
        Ok(die.map(self.budget, negate)?)
    }

    /// As many dice as other dice show, added up: a single die.
    fn rolled_number(&mut self, number: &Dice<W>, faces: &Value<W>) -> Result<Value<W>, Unplaced> {
        let (Some(number), Some(die)) = (self.sum(number)?, self.die(faces)?) else {
            return Ok(Value::Dice(Rc::new(Dice::empty(1))));
        };
        // A face may have no negative.
        let negative = match number.min() < 0 {
            true => Rc::new(self.negated(&die)?),
            false => Rc::clone(&die),
        };
        let sum = number.bind(self.budget, |number, budget| {
            let die = if number < 0 { &negative } else { &die };
            die.n_fold(number.unsigned_abs(), budget)
        });
        let sum = sum.map_err(|error: CombineError<Overflow>| Unplaced::from(error))?;
        Ok(Value::die(sum))
    }
}
