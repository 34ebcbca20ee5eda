//! The editions of the rules as values of flags.

use clap::ValueEnum;
use dicec_games::Edition;

/// An edition of the rules.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum EditionName {
    /// The SRD 5.1, rules of 2014
    #[value(name = "5.1", alias = "2014")]
    Srd51,
    /// The SRD 5.2, rules of 2024
    #[value(name = "5.2", alias = "2024")]
    Srd52,
}

impl From<EditionName> for Edition {
    fn from(name: EditionName) -> Self {
        match name {
            EditionName::Srd51 => Self::Srd51,
            EditionName::Srd52 => Self::Srd52,
        }
    }
}
