//! All limits of a program in one type: on its text, its rolls, its trials and its exact answers.

use super::checked::setting::CheckLimits;
use dicec_lang::syntax::SourceLimits;
use dicec_runtime::limits::{PlayLimits, RollLimits, ScriptLimits};
use dicec_runtime::pmf;

/// Limits on the time and memory of a text and its rolls. The default suits a person's own rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bounds on the text.
    pub source: SourceLimits,
    /// Bounds on the dice of a roll.
    pub roll: RollLimits,
    /// Bounds on a trial of a script.
    pub script: ScriptLimits,
    /// Limits on the output of an execution for a player.
    pub play: PlayLimits,
    /// Bounds on an exact answer.
    pub exact: pmf::Limits,
    /// Bounds on the check of an answer.
    pub check: CheckLimits,
}

impl Limits {
    /// Limits for a server that takes texts and arguments from untrusted people.
    ///
    /// They guarantee that for any text and any arguments, compiling, one roll, and an exact answer
    /// under [`Limits::exact`] end in an answer or an error, without a panic, and that their time
    /// and memory are bounded: 16 KiB of text, 50,000 dice per roll, 100,000 units of fuel per
    /// trial, 16 MiB of shown output, 50 million weight operations and 100,000 outcomes of an exact
    /// answer. The server has to limit arguments, which take the memory of their JSON.
    ///
    /// The time of a simulation is proportional to its number of trials, each at most as long as
    /// one roll: a server chooses that number, and stops long runs with a
    /// [`Control`](dicec_runtime::control::Control).
    pub fn untrusted() -> Self {
        Self {
            source: SourceLimits {
                bytes: 16 * 1024,
                nesting: 64,
            },
            roll: RollLimits {
                dice: 1_000,
                total: 50_000,
                explosions: 100,
                rerolls: 100,
            },
            script: ScriptLimits {
                fuel: 100_000,
                depth: 50,
                list: 1_000,
            },
            play: PlayLimits { bytes: 16 << 20 },
            exact: pmf::Limits {
                work: 50_000_000,
                outcomes: 100_000,
            },
            check: CheckLimits::default(),
        }
    }

    /// These limits, each brought into its range.
    pub fn in_range(self) -> Self {
        Self {
            source: self.source.with_nesting(self.source.nesting),
            roll: self.roll.in_range(),
            script: self.script.in_range(),
            play: self.play,
            exact: self.exact,
            check: self.check.in_range(),
        }
    }
}
