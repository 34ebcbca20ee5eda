//! States as products of independent numbers: hit points that are left, a sum, a roll that waits in
//! a variable. A roll adds a number, and its distribution is kept with the roll for all questions;
//! a condition divides the numbers that it is about; where paths meet that differ in one variable
//! only, its distribution is mixed; damage is taken away by one convolution for all of the paths.
//!
//! Most scripts that a table asks of thousands of rows are like this. No state is packed or looked
//! up, and what is the same in all states is computed once. What does not fit (states that differ
//! in several variables which depend on each other, lists that change, traps, a budget that is spent) is
//! left to the states themselves, [`super::walk`], as if nothing had happened: [`Stop::Apart`].
//! Whether it fits depends on the question only.
//!
//! ```text
//! segments --walk--> products --join--> fewer products
//!             +--eval--> cells (states) of numbers (factor)
//!             +--again--> iterations of a loop that do the same to other numbers
//! ```

mod again;
mod eval;
mod factor;
mod join;
mod regions;
mod states;
mod walk;

use super::eval::World;
use super::floors::Holder;
use super::notes::Notes;
use super::plan::{Plans, Pure};
use super::roll_distributions::RollDistributions;
use super::{Odds, Question};
use crate::hir::Type;
use dicec_runtime::pmf::{Budget, Exhausted, Pmf, Weight};
use eval::Site;
use states::Product;

pub(super) use factor::Factor;
pub(super) use regions::{Region, regions};

/// Why there is no answer.
pub(super) enum Stop {
    /// The states are no products, or it takes too much work to see whether they are.
    Apart,
    /// What this floor belongs to got below it.
    Refuted(Holder),
}

impl From<Exhausted> for Stop {
    fn from(_: Exhausted) -> Self {
        Stop::Apart
    }
}

/// The walk through the functions of a script.
struct Walker<'w, 'p, W> {
    question: &'p Question<'p>,
    plans: &'p Plans,
    world: &'w mut World,
    distributions: &'w mut RollDistributions<W>,
    budget: &'w mut Budget,
    notes: Notes,
    residual: f64,
    clamped: bool,
    /// How often something was noted or left out.
    observed: u64,
    /// The functions that are being computed, and how many they are.
    active: Vec<bool>,
    depth: u32,
    repeated: again::Repeated<W>,
}

/// The odds of a roll, if its states are products.
pub(super) fn odds<W: Weight>(
    question: &Question<'_>,
    plans: &Plans,
    (world, distributions): (&mut World, &mut RollDistributions<W>),
    args: &[Pure],
    budget: &mut Budget,
) -> Result<Odds<W>, Stop> {
    let mut walker = Walker {
        question,
        plans,
        world,
        distributions,
        budget,
        notes: Notes::default(),
        residual: 0.0,
        clamped: false,
        observed: 0,
        active: vec![false; plans.functions.len()],
        depth: 0,
        repeated: again::Repeated::default(),
    };
    let mut start = Product::certain(Vec::new());
    let args = walker.all(&mut start, Site::of(args))?;
    start.fuel = 0;
    let mut ends = Vec::new();
    for mut product in walker.function(question.function, start, args)? {
        // Nothing observes records any more.
        product.heap.clear();
        product.settle();
        join::join(&mut ends, product)?;
    }
    let script = question.module;
    let (stats, named) = walker.notes.stats(&script.stats, &walker.world.values);
    let result = match script.function(question.function).result {
        Type::Unit => None,
        // If all of it was left out, there is nothing to tell.
        _ => Some(result(&ends).ok_or(Stop::Apart)?),
    };
    Ok(Odds {
        result,
        residual: walker.residual.min(1.0),
        may_clamp: walker.clamped,
        lines: walker.notes.lines(&walker.world.values),
        stats,
        named,
    })
}

/// The distribution of the only cell.
fn result<W: Weight>(ends: &[Product<W>]) -> Option<Pmf<W>> {
    let mut weights = Vec::new();
    let mut roundings = 0;
    for product in ends {
        let mut product = product.clone();
        if product.cells[0].is_sum() && !product.work_out(0) {
            return None;
        }
        let of = product.cells[0].factors().next();
        let more = of.map_or(0, |of| product.factors[of].roundings);
        roundings = roundings.max(product.roundings.saturating_add(more) + 1);
        product.each_word(&product.cells[0], |word, weight| {
            weights.push((word, weight.mul(&product.mass)));
        });
    }
    Some(Pmf::from_weights(weights)?.with_roundings(roundings))
}
