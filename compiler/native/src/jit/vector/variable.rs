//! Variables of numbers: loop-carried values.

use super::lane::Lane;
use super::node::Mask;
use super::number::{Number, TRUTHS};
use super::state::VectorEmitter;
use crate::analysis::Interval;
use cranelift::codegen::ir as clif;
use cranelift::frontend::Variable;

/// The variable of a number.
#[derive(Clone, Copy)]
pub(super) struct Kept {
    vectors: Vectors,
    /// The range of its numbers.
    range: Interval,
}

#[derive(Clone, Copy)]
enum Vectors {
    One(Variable),
    Halves([Variable; 2]),
}

impl VectorEmitter<'_, '_> {
    /// A variable of numbers in this interval, initialised with this one.
    pub(super) fn kept(&mut self, number: Number, range: Interval) -> Kept {
        let lanes = self.part_lanes();
        let vectors = match self.fits(range) {
            true => Vectors::One(self.builder.declare_var(self.lanes)),
            false => Vectors::Halves([(); 2].map(|()| self.builder.declare_var(lanes))),
        };
        let kept = Kept { vectors, range };
        self.set(kept, number);
        kept
    }

    /// A variable of masks, initialised with this one.
    pub(super) fn kept_mask(&mut self, mask: clif::Value) -> Kept {
        self.kept(Number::One(Lane::new(mask, 0)), TRUTHS)
    }

    /// The current mask of a variable.
    pub(super) fn get_mask(&mut self, kept: Kept) -> clif::Value {
        let mask = self.get(kept);
        self.mask_of_truth(mask)
    }

    /// Sets a variable of masks.
    pub(super) fn set_mask(&mut self, kept: Kept, mask: clif::Value) {
        self.set(kept, Number::One(Lane::new(mask, 0)));
    }

    /// The current number of a variable.
    pub(super) fn get(&mut self, kept: Kept) -> Number {
        let mut lane = |variable| Lane::new(self.builder.use_var(variable), 0);
        match kept.vectors {
            Vectors::One(variable) => Number::One(lane(variable)),
            Vectors::Halves(variables) => Number::Halves(variables.map(lane)),
        }
    }

    /// Sets a variable.
    pub(super) fn set(&mut self, kept: Kept, number: Number) {
        match kept.vectors {
            Vectors::One(variable) => {
                let lane = match number {
                    Number::One(lane) => lane,
                    Number::Halves(halves) => {
                        let joined = self.joined(halves, kept.range);
                        self.one(joined)
                    }
                };
                let vector = self.above(lane, 0);
                self.builder.def_var(variable, vector);
            }
            Vectors::Halves(variables) => {
                let halves = self.halves((number, kept.range));
                for (part, (variable, half)) in variables.into_iter().zip(halves).enumerate() {
                    let vector = self.in_part(part, |emitter| emitter.above(half, 0));
                    self.builder.def_var(variable, vector);
                }
            }
        }
    }

    /// Sets a variable in the lanes of the mask, or in all.
    pub(super) fn set_in(&mut self, kept: Kept, mask: Mask, number: Number) {
        let Some(mask) = mask else {
            return self.set(kept, number);
        };
        // Both use the representation of the variable: only one of them has to be converted.
        let number = match (number, kept.vectors) {
            (Number::One(lane), Vectors::One(_)) if lane.vector.is_some() => {
                Number::One(Lane::new(self.above(lane, 0), 0))
            }
            _ => number,
        };
        let before = self.get(kept);
        let after = self.choose(mask, (number, kept.range), (before, kept.range));
        self.set(kept, after);
    }
}
