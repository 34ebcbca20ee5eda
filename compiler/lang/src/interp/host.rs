//! The host of a trial: it supplies the dice, observes them, decides about options, and receives
//! lines and statistics.

use super::outcome::{Outcome, Value};
use super::trace::Observer;
use crate::hir::{CHANCE_SIDES, Module, OptionId, Policy, Roll, StatId};
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
    /// The values of its holes; empty unless [`Host::PATHS`].
    pub holes: &'a [Value],
}

/// An option that is offered.
#[derive(Clone, Copy, Debug)]
pub struct OptionSite<'a> {
    /// The path of the trial; empty unless [`Host::PATHS`].
    pub path: &'a str,
    /// Which one.
    pub option: OptionId,
    /// Names the player who is asked; empty if nobody is named.
    pub who: &'a str,
    /// The parts of its text, if that is put together.
    pub pieces: Option<&'a [Text]>,
}

impl OptionSite<'_> {
    /// What players read.
    pub fn text(&self, module: &Module) -> String {
        match self.pieces {
            Some(pieces) => pieces.iter().map(ToString::to_string).collect(),
            None => module.options[self.option.index()].clone(),
        }
    }
}

/// The answers to an option that is not answered by yes or no: whole numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The first one, which holds until a player takes another.
    pub first: i64,
    /// The last one.
    pub last: i64,
    /// What players call them, if they are elements of a list; no two are called the same. Only
    /// for hosts with [`Host::PATHS`].
    pub labels: Option<Vec<String>>,
}

/// How an option was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// By this number, which is offered.
    Number(i64),
    /// By chance.
    Random,
}

/// The environment of a trial.
pub trait Host {
    /// The source of the faces.
    type Dice: Dice;

    /// The observer of the dice.
    type Observer: Observer;

    /// Whether rolls and options are identified by their paths.
    const PATHS: bool;

    /// The dice of the current roll.
    fn dice(&mut self) -> &mut Self::Dice;

    /// The observer of the dice.
    fn observer(&mut self) -> &mut Self::Observer;

    /// A roll begins: all dice up to [`Host::end_roll`] are its own.
    ///
    /// # Errors
    /// The output of the roll exceeds the memory budget.
    fn begin_roll(&mut self, site: RollSite<'_>) -> Result<(), TrapCode>;

    /// The roll is over, with this outcome unless it trapped.
    fn end_roll(&mut self, site: RollSite<'_>, outcome: Option<&Outcome>);

    /// A list of `length` elements has none at `index`, so the trial ends.
    fn no_element(&mut self, _index: i64, _length: usize) {}

    /// A clamp of the rule book's dialect, at this location, is about to raise `raw` if it is too
    /// low.
    #[inline]
    fn clamped(&mut self, _raw: i64, _span: Span) {}

    /// Whether the option is taken.
    ///
    /// # Errors
    /// The traps of a die that decides.
    fn option(&mut self, site: OptionSite<'_>) -> Result<bool, TrapCode>;

    /// The decision between several answers.
    ///
    /// # Errors
    /// The output of the option exceeds the memory budget.
    fn answer(&mut self, site: OptionSite<'_>, offer: Offer) -> Result<Decision, TrapCode>;

    /// Whether the caller wants the trial to stop.
    #[inline]
    fn is_cancelled(&self) -> bool {
        false
    }

    /// A line.
    ///
    /// # Errors
    /// It exceeds the memory budget.
    fn output(&mut self, line: &Text) -> Result<(), TrapCode>;

    /// The lines that follow belong together.
    ///
    /// # Errors
    /// The group exceeds the memory budget.
    fn start_group(&mut self) -> Result<(), TrapCode>;

    /// The innermost group ends, if there is one.
    fn end_group(&mut self);

    /// A number under a name.
    ///
    /// # Errors
    /// It exceeds the memory budget.
    fn stat(&mut self, stat: StatId, value: i64) -> Result<(), TrapCode>;

    /// A number under a name that was put together.
    ///
    /// # Errors
    /// It exceeds the memory budget.
    fn named_stat(&mut self, name: &Text, value: i64) -> Result<(), TrapCode>;
}

/// The host of a simulation: dice from one source, options by policy, events counted.
#[derive(Debug)]
pub struct Simulated<'t, D> {
    /// The dice.
    pub dice: &'t mut D,
    /// One policy per option; options beyond its end are never taken.
    pub policies: &'t [Policy],
    /// The lines and statistics.
    pub events: &'t mut Events,
    /// Without an observer of the dice.
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
    fn begin_roll(&mut self, _site: RollSite<'_>) -> Result<(), TrapCode> {
        Ok(())
    }

    #[inline]
    fn end_roll(&mut self, _site: RollSite<'_>, _outcome: Option<&Outcome>) {}

    fn option(&mut self, site: OptionSite<'_>) -> Result<bool, TrapCode> {
        match self.policies.get(site.option.index()) {
            None | Some(Policy::Never | Policy::Answer(_) | Policy::Random) => Ok(false),
            Some(Policy::Always) => Ok(true),
            Some(Policy::Chance(times)) => {
                let face = self.dice.roll(CHANCE_SIDES.into())?;
                Ok(face <= u64::from(*times))
            }
        }
    }

    fn answer(&mut self, site: OptionSite<'_>, offer: Offer) -> Result<Decision, TrapCode> {
        let policy = self.policies.get(site.option.index());
        let answer = policy.copied().unwrap_or_default();
        let answer = answer.answer(offer.first, offer.last);
        Ok(answer.map_or(Decision::Random, Decision::Number))
    }

    fn output(&mut self, line: &Text) -> Result<(), TrapCode> {
        self.events.lines.add(&line.template(), 1);
        Ok(())
    }

    fn start_group(&mut self) -> Result<(), TrapCode> {
        Ok(())
    }

    fn end_group(&mut self) {}

    fn stat(&mut self, stat: StatId, value: i64) -> Result<(), TrapCode> {
        self.events.stat(stat.index(), value);
        Ok(())
    }

    fn named_stat(&mut self, name: &Text, value: i64) -> Result<(), TrapCode> {
        self.events.named_stat(&name.template(), value);
        Ok(())
    }
}

/// The host of one roll of a rule: dice from one source, observed. Rules have no options, lines or
/// statistics.
#[derive(Debug)]
pub struct AtTable<'t, D, O> {
    /// The dice.
    pub dice: &'t mut D,
    /// The observer of the dice.
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
    fn begin_roll(&mut self, _site: RollSite<'_>) -> Result<(), TrapCode> {
        Ok(())
    }

    #[inline]
    fn end_roll(&mut self, _site: RollSite<'_>, _outcome: Option<&Outcome>) {}

    fn option(&mut self, site: OptionSite<'_>) -> Result<bool, TrapCode> {
        Err(bug!("a rule asks for {:?}", site.option).into())
    }

    fn answer(&mut self, site: OptionSite<'_>, _offer: Offer) -> Result<Decision, TrapCode> {
        Err(bug!("a rule asks for {:?}", site.option).into())
    }

    fn output(&mut self, _line: &Text) -> Result<(), TrapCode> {
        Ok(())
    }

    fn start_group(&mut self) -> Result<(), TrapCode> {
        Ok(())
    }

    fn end_group(&mut self) {}

    fn stat(&mut self, _stat: StatId, _value: i64) -> Result<(), TrapCode> {
        Ok(())
    }

    fn named_stat(&mut self, _name: &Text, _value: i64) -> Result<(), TrapCode> {
        Ok(())
    }
}
