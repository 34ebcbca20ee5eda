//! Switches for passes: two environment variables, in every build, to find out which rewrite
//! changes the meaning of a program.
//!
//! ```text
//! DICEC_PASSES=-labels,-few_dice     all passes but these
//! DICEC_FUEL=12                      only the first 12 rewrites of each module that is compiled
//! ```

use super::contract::Pass;
use std::env;
use std::sync::OnceLock;
use thiserror::Error;

/// The variable that switches passes off.
const PASSES: &str = "DICEC_PASSES";

/// The variable with the maximum number of rewrites.
const FUEL: &str = "DICEC_FUEL";

/// The passes that run, and the maximum number of rewrites that may change a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switches {
    /// The passes that are switched off: bit n is that of `Pass::ALL[n]`.
    off: u64,
    /// The maximum number of rewrites that change a module.
    pub fuel: Option<u32>,
}

/// An invalid variable.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WrongSwitch {
    /// There is no pass of this name.
    #[error("{PASSES} names `{0}`, which is not a pass")]
    NoPass(String),
    /// A name has no sign.
    #[error("{PASSES} has `{0}` without a `-` before it")]
    NoSign(String),
    /// This is not a number of rewrites.
    #[error("{FUEL} is `{0}`, which is not a number of rewrites")]
    NoNumber(String),
}

/// A bit for each pass.
const _: () = assert!(Pass::ALL.len() <= u64::BITS as usize);

impl Switches {
    /// All passes run, as often as they find anything.
    pub const ALL_ON: Self = Self { off: 0, fuel: None };

    /// The switches of the environment, which is read once.
    ///
    /// # Errors
    /// A variable is invalid.
    pub fn from_environment() -> Result<Self, WrongSwitch> {
        static SWITCHES: OnceLock<Result<Switches, WrongSwitch>> = OnceLock::new();
        let read = || {
            let [passes, fuel] = [PASSES, FUEL].map(|name| env::var(name).unwrap_or_default());
            Self::read(&passes, &fuel)
        };
        SWITCHES.get_or_init(read).clone()
    }

    /// The switches in the texts of both variables; an empty text switches nothing.
    ///
    /// # Errors
    /// A text is invalid.
    pub fn read(passes: &str, fuel: &str) -> Result<Self, WrongSwitch> {
        let mut switches = Self::ALL_ON;
        let names = passes.split(',').map(str::trim);
        for name in names.filter(|name| !name.is_empty()) {
            let Some(off) = name.strip_prefix('-') else {
                return Err(WrongSwitch::NoSign(name.to_owned()));
            };
            let pass = Pass::named(off).ok_or_else(|| WrongSwitch::NoPass(off.to_owned()))?;
            switches = switches.without(pass);
        }
        if !fuel.is_empty() {
            let number = fuel.parse();
            let number = number.map_err(|_| WrongSwitch::NoNumber(fuel.to_owned()))?;
            switches.fuel = Some(number);
        }
        Ok(switches)
    }

    /// The same without a pass.
    #[must_use]
    pub fn without(self, pass: Pass) -> Self {
        Self {
            off: self.off | 1 << pass.number(),
            ..self
        }
    }

    /// Whether a pass runs.
    pub fn has(self, pass: Pass) -> bool {
        self.off == 0 || self.off & 1 << pass.number() == 0
    }
}

impl Default for Switches {
    /// Those of the environment.
    ///
    /// # Panics
    /// If a variable is invalid: to ignore it would be silent. The command reports it before it
    /// compiles anything.
    fn default() -> Self {
        match Self::from_environment() {
            Ok(switches) => switches,
            Err(wrong) => panic!("{wrong}"),
        }
    }
}
