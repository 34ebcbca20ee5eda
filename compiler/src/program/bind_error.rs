//! Why a roll cannot be bound.

use super::argument_errors::ArgumentErrors;
use dicec_lang::hir::Offers;
use dicec_lang::syntax::Diagnostics;
use thiserror::Error;

/// Reasons why a roll cannot be bound.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BindError {
    /// The resource table lacks resources; each has a diagnostic.
    #[error("{0}")]
    Resources(Diagnostics),
    /// Arguments do not have the roll's types.
    #[error(transparent)]
    Arguments(#[from] ArgumentErrors),
    /// Too few or too many values of resources.
    #[error("the program reads {expected} resources, and {found} values were given")]
    Values {
        /// The number of resources that the program reads.
        expected: usize,
        /// The number of values.
        found: usize,
    },
    /// An option that the program does not have.
    #[error("there is no option {option:?}")]
    UnknownOption {
        /// The requested text.
        option: String,
        /// The texts of the program's options.
        known: Vec<String>,
    },
    /// A policy that an option does not offer.
    #[error("the option {option:?} cannot be decided like this")]
    NotOffered {
        /// The text of the option.
        option: String,
        /// The policies that it offers.
        offers: Offers,
    },
    /// The program has no roll, or several, so one has to be chosen by name.
    #[error("the program defines {0} rolls: choose one by its name")]
    NoOnlyRoll(usize),
}
