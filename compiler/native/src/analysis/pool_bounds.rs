//! Bounds of pools, for range analysis: the number of dice that each pool can hold, and the values
//! of the dice.
//!
//! The order of the steps is ignored: a pool's bounds hold at every moment. If a trial could add to
//! a pool any number of times (in a loop, or through several pools), the pool has no bounds.

use super::interval::Interval;
use super::ranges::Ranges;
use crate::ir::cfg::ControlFlow;
use crate::ir::{Function, Imm, InstData, Pool};
use cranelift_entity::SecondaryMap;
use dicec_runtime::limits::MAX_DICE_CEILING;
use dicec_runtime::pool::{Explosion, Step};

/// More dice than any pool holds.
const MAX_DICE: i64 = MAX_DICE_CEILING as i64;

/// The facts about a pool. All fields but `drawn`, `single` and `growth` are computed once.
#[derive(Clone, Debug, Default)]
struct Known {
    /// The maximum number of dice that are drawn, or that are there after an explosion.
    drawn: i64,
    /// The number of sub-rolls that are pushed.
    pushed: i64,
    /// The pools that are joined.
    joined: Vec<Pool>,
    /// The number of compounding explosions.
    compounds: u32,
    /// Whether steps that add to it are in a loop.
    looped: bool,
    /// The faces that are drawn, once some are.
    faces: Option<Interval>,
    /// The value of a die before compounding.
    single: Option<Interval>,
    /// The sum that compounding adds.
    growth: Option<Interval>,
}

impl Known {
    fn is_bounded(&self) -> bool {
        !self.looped && self.compounds <= 1
    }

    /// The fields that grow during the analysis.
    fn moving(&self) -> (i64, [Option<Interval>; 3]) {
        (self.drawn, [self.faces, self.single, self.growth])
    }

    /// Widens each bound of the value of a die that moved since `before`. (Faces, and bounds that
    /// follow from them, are bounded anyway.)
    fn widen(&mut self, before: &Known) {
        if let (Some(old), Some(new)) = (before.single, self.single) {
            self.single = Some(old.widen(new));
        }
    }

    /// The values of its own dice.
    fn values(&self) -> Option<Interval> {
        match (self.single, self.growth) {
            (Some(single), Some(growth)) => Some(single.add(growth).unwrap_or(Interval::ALL)),
            (single, _) => single,
        }
    }
}

/// The facts about all pools.
#[derive(Debug)]
pub(super) struct PoolBounds {
    pools: SecondaryMap<Pool, Known>,
}

impl PoolBounds {
    /// The bounds before anything is known about the function's values.
    pub(super) fn new(function: &Function, graph: &ControlFlow) -> Self {
        let mut pools: SecondaryMap<Pool, Known> = SecondaryMap::new();
        for (block, data) in &function.blocks {
            for &inst in &data.insts {
                let Imm::Step(pool, step) = function.insts[inst].imm else {
                    continue;
                };
                let known = &mut pools[pool];
                match step {
                    Step::Push => known.pushed += 1,
                    Step::Join(other) => known.joined.push(Pool::from_u32(other)),
                    Step::Explode {
                        how: Explosion::Compound,
                        ..
                    } => known.compounds += 1,
                    _ => continue,
                }
                known.looped |= graph.is_looped(function, block);
            }
        }
        Self { pools }
    }

    /// Updates the facts for an instruction; returns whether anything changed. With `widen`, each
    /// bound moves at most once.
    pub(super) fn note(
        &mut self,
        function: &Function,
        data: &InstData,
        ranges: &Ranges,
        widen: bool,
    ) -> bool {
        let Imm::Step(pool, step) = data.imm else {
            return false;
        };
        let before = self.pools[pool].clone();
        self.note_step(function, data, pool, step, ranges);
        let known = &mut self.pools[pool];
        if widen {
            known.widen(&before);
        }
        known.moving() != before.moving()
    }

    fn note_step(
        &mut self,
        function: &Function,
        data: &InstData,
        pool: Pool,
        step: Step,
        ranges: &Ranges,
    ) {
        let arg = |index: usize| ranges.of(data.args[index]);
        let known = &mut self.pools[pool];
        match step {
            Step::Draw => {
                let custom = function.pools[pool].iter().copied().map(Interval::point);
                let faces = custom
                    .reduce(Interval::join)
                    .unwrap_or_else(|| arg(1).faces());
                known.faces = join(known.faces, faces);
                known.single = join(known.single, faces);
                known.drawn = known.drawn.max(arg(0).high.clamp(0, MAX_DICE));
            }
            Step::Push | Step::Bound(_) => {
                known.single = join(known.single, arg(0));
            }
            Step::Explode {
                how,
                most,
                max_dice,
            } => {
                let Some(faces) = known.faces else { return };
                if how == Explosion::Compound {
                    // Faces are within ±10^9 and chains within 10^6.
                    let most = i64::from(most);
                    let added = Interval::new(faces.low.min(0) * most, faces.high.max(0) * most);
                    known.growth = join(known.growth, added);
                } else {
                    known.drawn = known.drawn.max(max_dice.into());
                    let lowered = Interval::new(faces.low - 1, faces.high);
                    known.single = join(known.single, lowered);
                }
            }
            _ => {}
        }
    }

    /// The interval of a step's result, as far as it is known.
    pub(super) fn result(&self, pool: Pool, step: Step) -> Interval {
        let dice = self.dice(pool);
        let count = Interval::new(0, dice.unwrap_or(MAX_DICE));
        match step {
            Step::Sum if dice.is_none() => Interval::ALL,
            Step::Sum => self
                .values(pool)
                .map_or(Some(Interval::point(0)), |values| count.mul(values))
                .unwrap_or(Interval::ALL),
            // A natural die shows at most its sides.
            Step::NaturalFace(sides) => Interval::new(0, i64::from(sides) * count.high),
            Step::Keeps(_) => Interval::new(0, 1),
            _ => count,
        }
    }

    /// The maximum number of dice in a pool, if it is known.
    fn dice(&self, pool: Pool) -> Option<i64> {
        let known = &self.pools[pool];
        let mut most = known.drawn + known.pushed;
        for &other in &known.joined {
            let other = &self.pools[other];
            if !other.is_bounded() || !other.joined.is_empty() {
                return None;
            }
            most = most.checked_add(other.drawn + other.pushed)?;
        }
        (known.is_bounded() && most <= MAX_DICE).then_some(most)
    }

    /// The possible values of the dice of a pool, if it can have any.
    fn values(&self, pool: Pool) -> Option<Interval> {
        let known = &self.pools[pool];
        let joined = known.joined.iter().map(|&other| self.pools[other].values());
        joined
            .chain([known.values()])
            .flatten()
            .reduce(Interval::join)
    }
}

fn join(known: Option<Interval>, next: Interval) -> Option<Interval> {
    Some(known.map_or(next, |known| known.join(next)))
}
