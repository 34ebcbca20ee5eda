//! **Unstable.** Checks of the compiler's work on a program: that each rewrite keeps its contract,
//! that lanes equal scalar code with the same dice, and that the IR as lowered means what the
//! interpreter computes.
//!
//! ```text
//! interpreter --enumeration--> joint distribution == that of the lowered module
//! module --Exact pass--> module      the same words, trial by trial              (trials)
//! module --Redraw pass--> module     the same joint distribution, as fractions   (distribution)
//!                                    or samples that fit, if that is too large   (samples)
//! vector form --lanes--> trials      the faces of each lane, in scalar code      (lanes)
//! ```
//!
//! Nothing here depends on how a rewrite works. [`Checker`] observes each one as it happens
//! ([`Watch`](dicec_native::pass::Watch)) and keeps the first that changes the meaning.

mod checker;
mod difference;
mod distribution;
mod draws;
mod kernels;
mod lanes;
#[cfg(feature = "jit")]
mod native;
mod odds;
mod reference;
mod samples;
mod trials;

pub use checker::{Checked, Checker, Guilty};
pub use difference::Difference;
pub use distribution::{Distribution, Means};
pub use kernels::kernels_differ;
pub use lanes::lanes_differ;
#[cfg(feature = "jit")]
pub use native::{native_differs, native_lanes_differ};
pub use odds::odds_differ;
pub use reference::module_differs;
pub use trials::trials_differ;

/// The seed of the words of the checks.
pub const SEED: u64 = 0xd1ce;

/// How much work a check may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// The trials that are compared one by one.
    pub trials: usize,
    /// The maximum number of joint draws of a distribution that is compared as fractions; with
    /// more, samples are compared. With 0, neither is.
    pub draws: usize,
    /// The trials of a sample.
    pub samples: usize,
    /// The maximum number of blocks that one check runs through.
    pub blocks: u64,
}

impl Effort {
    /// For each rewrite in a debug build: a few trials of `Exact` passes only.
    pub const DEBUG: Self = Self {
        trials: 4,
        draws: 0,
        samples: 0,
        blocks: 1 << 12,
    };

    /// For one program on request: some seconds.
    pub const THOROUGH: Self = Self {
        trials: 64,
        draws: 1 << 14,
        samples: 1 << 12,
        blocks: 1 << 22,
    };
}
