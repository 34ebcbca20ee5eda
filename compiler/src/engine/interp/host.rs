//! What a trial plays at: where dice come from, who watches them, who decides about options, who hears the lines.

use super::trace::Observer;
use crate::hir::{CHANCE_SIDES, OptionId, Policy, Roll, StatId};
use dicec_runtime::bug;
use dicec_runtime::events::Events;
use dicec_runtime::rng::Dice;
use dicec_runtime::span::Span;
use dicec_runtime::text::Text;
use dicec_runtime::trap::TrapCode;

/// A roll that is about to happen.
#[derive(Clone, Copy, Debug)]
pub struct RollSite<'a> {
    /// The path of the trial (seed 004); empty unless [`Host::PATHS`].
    pub path: &'a str,
    /// The roll.
    pub roll: &'a Roll,
    /// Where it is written.
    pub span: Span,
}

/// What a trial plays at.
pub trait Host {
    /// Where faces come from.
    type Dice: Dice;

    /// What watches the dice.
    type Observer: Observer;

    /// Whether rolls and options are told by their paths.
    const PATHS: bool;

    /// The dice of the roll that is under way.
    fn dice(&mut self) -> &mut Self::Dice;

    /// What watches them.
    fn observer(&mut self) -> &mut Self::Observer;

    /// A roll begins: all dice up to [`Host::end_roll`] are its own.
    fn begin_roll(&mut self, site: RollSite<'_>);

    /// The roll is over, be it by a trap.
    fn end_roll(&mut self);

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
    /// Nobody watches the dice.
    pub observer: (),
}

impl<D: Dice> Host for Simulated<'_, D> {
    type Dice = D;
    type Observer = ();

    const PATHS: bool = false;

    #[inline]
    fn dice(&mut self) -> &mut D {
        self.dice
    }

    #[inline]
    fn observer(&mut self) -> &mut () {
        &mut self.observer
    }

    #[inline]
    fn begin_roll(&mut self, _site: RollSite<'_>) {}

    #[inline]
    fn end_roll(&mut self) {}

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

/// One roll of a rule: dice from one source, watched. Rules have no options, lines or statistics.
#[derive(Debug)]
pub struct AtTable<'t, D, O> {
    /// The dice.
    pub dice: &'t mut D,
    /// What watches them.
    pub observer: &'t mut O,
}

impl<D: Dice, O: Observer> Host for AtTable<'_, D, O> {
    type Dice = D;
    type Observer = O;

    const PATHS: bool = false;

    #[inline]
    fn dice(&mut self) -> &mut D {
        self.dice
    }

    #[inline]
    fn observer(&mut self) -> &mut O {
        self.observer
    }

    #[inline]
    fn begin_roll(&mut self, _site: RollSite<'_>) {}

    #[inline]
    fn end_roll(&mut self) {}

    fn option(&mut self, _path: &str, option: OptionId, _who: &str) -> Result<bool, TrapCode> {
        Err(bug!("a rule asks for {option:?}").into())
    }

    fn output(&mut self, _line: &Text) {}

    fn start_group(&mut self) {}

    fn end_group(&mut self) {}

    fn stat(&mut self, _stat: StatId, _value: i64) {}
}
