//! How much is compared of a program.

use dicec_compiler::verify;

/// How much is compared.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Brute force follows at most this many rolls.
    pub rolls: usize,
    /// The work of exact odds.
    pub work: u64,
    /// Whether simulations of each kind are compared, and not the long one only.
    pub all_kernels: bool,
    /// The trials in which all engines are compared; 0 for none.
    pub engines: usize,
    /// How each rewrite is checked, if it is.
    pub rewrites: Option<verify::Effort>,
}

/// Checks of each rewrite of one of many programs.
pub const REWRITES: verify::Effort = verify::Effort {
    trials: 32,
    draws: 1 << 11,
    samples: 1 << 9,
    blocks: 1 << 18,
};

impl Effort {
    /// All comparisons.
    pub const ALL: Effort = Effort {
        rolls: 8_000,
        work: 20_000_000,
        all_kernels: true,
        engines: 12,
        rewrites: Some(REWRITES),
    };

    /// What finds most faults in little time.
    pub const QUICK: Effort = Effort {
        rolls: 4_000,
        work: 10_000_000,
        all_kernels: false,
        engines: 0,
        rewrites: None,
    };

    /// Everything for one of eight programs, as all engines and all rewrites take most of the
    /// time; and for the others everything else.
    pub fn of(number: u64) -> Self {
        match number.is_multiple_of(8) {
            true => Self::ALL,
            false => Self {
                engines: 0,
                rewrites: None,
                ..Self::ALL
            },
        }
    }
}
