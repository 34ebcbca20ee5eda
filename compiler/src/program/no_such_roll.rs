//! The error for a roll that a program does not define.

use dicec_lang::syntax::nearest;
use thiserror::Error;

/// The reason why there is no such roll.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoSuchRoll {
    /// The script defines no rolls.
    #[error("this script defines no roll")]
    None,
    /// The script defines several rolls, and none was named.
    #[error("this script defines several rolls, and none is chosen")]
    Several(Vec<String>),
    /// The script defines other rolls.
    #[error("there is no roll {name}")]
    Unknown {
        /// The requested name.
        name: String,
        /// The names of its rolls.
        known: Vec<String>,
    },
}

impl NoSuchRoll {
    /// A suggestion; `choose` is the way to name a roll.
    pub fn help(&self, choose: &str) -> String {
        let listed = |known: &[String]| format!("there are: {}", known.join(", "));
        match self {
            Self::None => "define one: defroll \"Label\" name() { ... }".to_owned(),
            Self::Several(known) => format!("{choose}; {}", listed(known)),
            Self::Unknown { name, known } => {
                match nearest(name, known.iter().map(String::as_str)) {
                    Some(near) => format!("did you mean {near}?"),
                    None => listed(known),
                }
            }
        }
    }
}
