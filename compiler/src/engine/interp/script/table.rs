//! What stands round a trial: where dice come from, who decides about options, who hears the lines.

use crate::hir::script::{CHANCE_SIDES, OptionId, Policy, Roll, StatId};
use dicec_runtime::events::Events;
use dicec_runtime::rng::Dice;
use dicec_runtime::span::Span;
use dicec_runtime::text::Text;
use dicec_runtime::trap::{Trap, TrapCode};

/// A roll that is about to happen.
#[derive(Clone, Copy, Debug)]
pub struct RollSite<'a> {
    /// The path of the trial (seed 004); empty unless [`Table::PATHS`].
    pub path: &'a str,
    /// The roll.
    pub roll: &'a Roll,
    /// What fills its holes.
    pub holes: &'a [i64],
    /// Where it is written.
    pub span: Span,
}

/// What a trial plays at.
pub trait Table {
    /// Where faces come from.
    type Dice: Dice;

    /// Whether rolls and options are told by their paths.
    const PATHS: bool;

    /// Rolls: `run` throws the dice that it is given.
    ///
    /// # Errors
    /// What `run` ended in.
    fn roll<T>(
        &mut self,
        site: RollSite<'_>,
        run: impl FnOnce(&mut Self::Dice) -> Result<T, Trap>,
    ) -> Result<T, Trap>;

    /// Whether the option is taken. `who` is who is asked; empty if nobody is named.
    ///
    /// # Errors
    /// What a die that decides can end in.
    fn option(&mut self, path: &str, option: OptionId, who: &str) -> Result<bool, TrapCode>;

    /// A line.
    fn output(&mut self, line: &Text);

    /// The lines that follow belong together.
    fn start_group(&mut self);

    /// The innermost group ends, if there is one.
    fn end_group(&mut self);

    /// A number under a name.
    fn stat(&mut self, stat: StatId, value: i64);
}

/// A simulation's: dice from one source, options by policy, events counted.
#[derive(Debug)]
pub struct Simulated<'t, D> {
    /// The dice.
    pub dice: &'t mut D,
    /// A policy an option; options beyond its end are never taken.
    pub policies: &'t [Policy],
    /// What happened.
    pub events: &'t mut Events,
}

impl<D: Dice> Table for Simulated<'_, D> {
    type Dice = D;

    const PATHS: bool = false;

    fn roll<T>(
        &mut self,
        _site: RollSite<'_>,
        run: impl FnOnce(&mut D) -> Result<T, Trap>,
    ) -> Result<T, Trap> {
        run(self.dice)
    }

    fn option(&mut self, _path: &str, option: OptionId, _who: &str) -> Result<bool, TrapCode> {
        match self.policies.get(option.index()) {
            None | Some(Policy::Never) => Ok(false),
            Some(Policy::Always) => Ok(true),
            Some(Policy::Chance(times)) => {
                let face = self.dice.roll(CHANCE_SIDES.into())?;
                Ok(face <= u64::from(*times))
            }
        }
    }

    fn output(&mut self, line: &Text) {
        self.events.line(&line.template(), 1);
    }

    fn start_group(&mut self) {}

    fn end_group(&mut self) {}

    fn stat(&mut self, stat: StatId, value: i64) {
        self.events.stat(stat.index(), value);
    }
}
