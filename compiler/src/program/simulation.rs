//! Simulations: extent, seed and settings.

use dicec_lang::hir::Kind;
use dicec_native::ir::Module;
use dicec_native::pass::{Sampling, VectorForm};
use dicec_native::{best_sink, summary_sink, vector_sink, vector_summary_sink};
use dicec_runtime::driver::{Extent, Workers};
use dicec_runtime::kernel::Sink;
use std::hash::{BuildHasher, RandomState};

/// At or above this many trials, compiling a rule with this many lowered instructions is expected
/// to pay off.
///
/// Times in nanoseconds, fitted to rules of 3 to 78 instructions on one thread of a busy machine:
/// compilation takes 320,000 plus 9,000 per instruction. A trial of the interpreter takes 15 plus 5
/// per instruction, and one of the evaluator, which interprets fused sampling, 10 plus 20. Native
/// trials are negligible compared with both. So `3d6` is compiled at or above 4,900 trials (11,500
/// faithful), `10d10kh5` at or above 650 (2,500). Most measurements are within a factor of 2 of
/// that; `ratios` times some rules at their numbers.
pub(super) fn native_from(instructions: u64, sampling: Sampling) -> u64 {
    let compilation = 320_000 + 9_000 * instructions;
    let trial = match sampling {
        Sampling::Faithful => 15 + 5 * instructions,
        Sampling::Fused => 10 + 20 * instructions,
    };
    compilation / trial
}

/// The same for scripts. Their trials take a few hundred nanoseconds to tens of thousands, and
/// their compilation is longer in proportion.
pub(super) const SCRIPT_NATIVE_FROM: u64 = 500;

/// At or above this many trials, a simulation of a script is compiled for its arguments, with
/// everything that no trial changes as constants. With fewer trials it runs a kernel for any
/// arguments, which the program keeps.
///
/// It lies between the break-even points of two very different routines, with the shared kernel
/// already compiled: compiling `fullattack` for its arguments takes some 6 ms and saves 36 ns per
/// trial (175,000 trials), `duel` 2.5 ms and 59 ns (43,000).
pub const KNOWN_FROM: u64 = 100_000;

/// At or above this many trials, a simulation that is one of many of the same script
/// ([`Bound::simulate_shared`](super::Bound::simulate_shared)) runs a kernel that all arguments of
/// its pattern share; with fewer, the kernel for any arguments.
///
/// A table in which every row has its own pattern, because each puts another name into its lines,
/// is compiled row by row: `duel` takes 7.5 ms for that, as much as 50,000 trials of the kernel for
/// any arguments.
pub const SHARED_FROM: u64 = 50_000;

/// The default number of trials of a native simulation.
const NATIVE_TRIALS: u64 = 10_000_000;

/// The default number of trials of the interpreter, which is slower.
const INTERPRETED_TRIALS: u64 = 1_000_000;

/// The default precision of a simulation of a script: half the width of the 95 % interval, as a
/// share of the range.
const SCRIPT_SHARE: f64 = 0.001;

/// The default precision of the chances of a fight: half the width of their 95 % interval.
pub const FIGHTS_HALF_WIDTH: f64 = 0.003;

/// The maximum number of simulated fights of an encounter for a precision.
const MAX_FIGHTS: u64 = 10_000_000;

/// The back end of the trials. For one sampling mode and seed, all give the same result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Backend {
    /// Native code if there are enough trials to pay for its compilation, which depends on the rule
    /// ([`Bound::native_from`](super::Bound::native_from)), otherwise the interpreter.
    #[default]
    Auto,
    /// Native code.
    #[cfg(feature = "jit")]
    Jit,
    /// The interpreter: of the HIR in faithful sampling, of the IR in fused sampling.
    Interp,
}

/// The meaning of [`Backend::Auto`] for many trials.
#[cfg(feature = "jit")]
const FASTEST: Backend = Backend::Jit;
#[cfg(not(feature = "jit"))]
const FASTEST: Backend = Backend::Interp;

/// The results that a simulation keeps. It does not change them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Keep {
    /// The count of each outcome.
    #[default]
    Outcomes,
    /// For numbers only the mean, the spread and the extremes, which takes less time; for a check,
    /// a degree or a label the counts, which are as small.
    Moments,
    /// Each result, in the order of the trials ([`Sampler::fill`](super::Sampler::fill)).
    Samples,
}

/// A simulation: for how long, from which seed, and how.
///
/// ```
/// use dicec_compiler::{Compiler, Keep, Simulation};
///
/// let damage = Compiler::new().rule("8d6 + 3d100")?.bind_values(&[])?;
/// // Until the mean is known to 0.1.
/// let report = damage.simulate(&Simulation::precision(0.1, 1 << 30).seed(7).keep(Keep::Moments))?;
/// let (low, high) = report.summary().interval().expect("many trials");
/// assert!(low < 179.5 && 179.5 < high && high - low <= 0.2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Simulation {
    /// Its extent: a number of trials or a precision.
    pub extent: Extent,
    /// The seed of its rolls.
    pub seed: u64,
    /// The results that it keeps.
    pub keep: Keep,
    /// The threads that run it. They do not change the result.
    pub workers: Workers,
    /// The back end.
    pub backend: Backend,
    /// The sampling mode.
    pub sampling: Sampling,
}

impl Simulation {
    /// This many trials of seed 0 with fused sampling, on all threads of the machine.
    pub fn trials(trials: u64) -> Self {
        Self::of(Extent::Trials(trials))
    }

    /// Trials until the half-width of the 95 % interval is at most `half_width`, but at most
    /// `most`. The interval is that of the mean, or of each probability if the results are not
    /// numbers; without results see [`Simulation::share_of_range`].
    pub fn precision(half_width: f64, most: u64) -> Self {
        Self::of(Extent::Precision { half_width, most })
    }

    /// Trials until the half-width of the 95 % interval is at most this share of the range of the
    /// numbers seen so far, but at most `most`; of probabilities, which have the range 1. Of a roll
    /// that returns nothing, the means of its statistics decide, and without statistics the
    /// probabilities of its lines.
    pub fn share_of_range(share: f64, most: u64) -> Self {
        Self::of(Extent::OfRange { share, most })
    }

    /// The usual simulation of seed 0 on a back end: a script runs until it is precise, as its
    /// trials may be slow.
    pub fn usual(backend: Backend, is_script: bool) -> Self {
        let (trials, sampling) = match backend {
            Backend::Interp => (INTERPRETED_TRIALS, Sampling::Faithful),
            _ => (NATIVE_TRIALS, Sampling::Fused),
        };
        let simulation = match is_script {
            true => Self::share_of_range(SCRIPT_SHARE, trials),
            false => Self::trials(trials),
        };
        simulation.backend(backend).sampling(sampling)
    }

    /// Fights until the chance of each side is known to this ([`FIGHTS_HALF_WIDTH`] usually).
    pub fn fights(half_width: f64) -> Self {
        Self::precision(half_width, MAX_FIGHTS)
    }

    /// A simulation of seed 0 that runs this long.
    pub fn of(extent: Extent) -> Self {
        Self {
            extent,
            seed: 0,
            keep: Keep::default(),
            workers: Workers::default(),
            backend: Backend::default(),
            sampling: Sampling::default(),
        }
    }

    /// The same with this seed.
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// The same, keeping these results.
    pub fn keep(self, keep: Keep) -> Self {
        Self { keep, ..self }
    }

    /// The same on these threads.
    pub fn workers(self, workers: Workers) -> Self {
        Self { workers, ..self }
    }

    /// The same on this many threads of its own; with 1, the caller's.
    pub fn threads(self, threads: usize) -> Self {
        self.workers(Workers::Threads(threads))
    }

    /// The same with this back end.
    pub fn backend(self, backend: Backend) -> Self {
        Self { backend, ..self }
    }

    /// The same with this sampling mode.
    pub fn sampling(self, sampling: Sampling) -> Self {
        Self { sampling, ..self }
    }

    /// Whether the HIR interpreter runs it.
    pub(super) fn is_walked(&self) -> bool {
        (self.backend, self.sampling) == (Backend::Interp, Sampling::Faithful)
    }

    /// Whether a simulation of a script with this kind of result is compiled for its arguments;
    /// this depends only on the number of trials.
    pub(super) fn knows_arguments(&self, kind: Option<Kind>) -> bool {
        self.max_trials(kind) >= KNOWN_FROM
    }

    /// Whether a simulation that is one of many of the same script, with this kind of result,
    /// shares the kernel of its pattern.
    pub(super) fn shares_pattern(&self, kind: Option<Kind>) -> bool {
        self.max_trials(kind) >= SHARED_FROM
    }

    /// The maximum number of trials of a roll with this kind of result.
    fn max_trials(&self, kind: Option<Kind>) -> u64 {
        match kind {
            Some(kind) if !kind.is_number() => self.extent.max_for_probabilities(),
            _ => self.extent.most(),
        }
    }

    /// The same with its back end chosen, if that was left open, given the number of trials at
    /// which native code pays off. The number of trials for a precision is unknown and usually
    /// high, so native code is chosen.
    pub(super) fn resolved(self, native_from: u64) -> Self {
        let few = matches!(self.extent, Extent::Trials(trials) if trials < native_from);
        let backend = match self.backend {
            Backend::Auto if few => Backend::Interp,
            Backend::Auto => FASTEST,
            chosen => chosen,
        };
        Self { backend, ..self }
    }
}

/// A seed from the operating system's randomness, through the keys of the standard library's
/// hasher. It has 53 bits, so that JSON readers that use `f64` keep it exact.
pub fn random_seed() -> u64 {
    RandomState::new().hash_one(std::process::id()) >> 11
}

/// The results that a kernel keeps; it changes none of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Wanted {
    /// The count of each outcome.
    Outcomes,
    /// Only mean, spread and extremes.
    Moments,
    /// Every result.
    Samples,
}

impl Wanted {
    /// The chance of a test's success needs its counts. For results that are not numbers, a
    /// precision is one of probabilities, and their counts are few anyway.
    pub(super) fn new(keep: Keep, kind: Option<Kind>) -> Self {
        match keep {
            Keep::Outcomes => Wanted::Outcomes,
            Keep::Moments if kind.is_none_or(is_only_a_number) => Wanted::Moments,
            Keep::Moments => Wanted::Outcomes,
            Keep::Samples => Wanted::Samples,
        }
    }

    pub(super) fn sink(self, module: &Module) -> Sink {
        match self {
            Wanted::Outcomes => best_sink(module),
            Wanted::Moments => summary_sink(module),
            Wanted::Samples => Sink::Values,
        }
    }

    pub(super) fn vector_sink(self, form: &VectorForm) -> Sink {
        match self {
            Wanted::Outcomes => vector_sink(form),
            Wanted::Moments => vector_summary_sink(form),
            Wanted::Samples => Sink::Values,
        }
    }
}

fn is_only_a_number(kind: Kind) -> bool {
    kind.is_number() && kind != Kind::Test
}
