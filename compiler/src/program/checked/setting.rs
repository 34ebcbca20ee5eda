//! The thoroughness of checks, and their cost limits.

/// Whether answers are checked before they are given ([`Compiler::check`](crate::Compiler::check)).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Check {
    /// Answers are not checked.
    Off,
    /// Up to 256 trials of the interpreter, some milliseconds.
    #[default]
    Usual,
    /// Up to 131,072 trials, at most half a minute; exact odds are computed a second time.
    Thorough,
}

/// Limits on the check of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckLimits {
    /// The maximum number of trials, a power of two; 0 for no check.
    pub trials: u32,
    /// The steps of the interpreter (statements, units of fuel and dice) that a check may always
    /// take. The check of a simulation may take a twentieth of its work if that is more.
    pub steps: u64,
    /// Whether the answer is also computed a second time in another way.
    pub again: bool,
    /// Whether each thing is only checked once: the kernel that many simulations share, and no
    /// exact odds. For most rows of a table.
    pub once: bool,
}

/// The trials of a usual check.
const USUAL_TRIALS: u32 = 1 << 8;

/// The trials of a thorough check.
const THOROUGH_TRIALS: u32 = 1 << 17;

/// The steps of a thorough check.
const THOROUGH_STEPS: u64 = 1_000_000_000;

/// The steps of a usual check, and of its replay. Measured, a step takes 20 ns in loops of dice and
/// 80 in fights, whose statements are long: these take 1 to 4 ms.
const USUAL_STEPS: u64 = 50_000;

impl Check {
    /// Its bounds.
    pub fn limits(self) -> CheckLimits {
        match self {
            Check::Off => CheckLimits {
                trials: 0,
                steps: 0,
                again: false,
                once: false,
            },
            Check::Usual => CheckLimits {
                trials: USUAL_TRIALS,
                steps: USUAL_STEPS,
                again: false,
                once: false,
            },
            Check::Thorough => CheckLimits {
                trials: THOROUGH_TRIALS,
                steps: THOROUGH_STEPS,
                again: true,
                once: false,
            },
        }
    }
}

impl Default for CheckLimits {
    fn default() -> Self {
        Check::default().limits()
    }
}

impl CheckLimits {
    /// Whether exact odds are not checked.
    pub(in crate::program) fn skips_exact(self) -> bool {
        self.is_off() || self.once
    }

    /// Whether there is no check.
    pub fn is_off(self) -> bool {
        self.trials == 0
    }

    /// The same with the number of trials in its range: a power of two, at most that of a thorough
    /// check.
    pub(in crate::program) fn in_range(self) -> Self {
        let trials = self.trials.min(THOROUGH_TRIALS);
        Self {
            trials: trials.checked_ilog2().map_or(0, |log| 1 << log),
            ..self
        }
    }
}
