//! A roll that a program does not define.

use crate::syntax::nearest;
use thiserror::Error;

/// Why there is no such roll.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoSuchRoll {
    /// The script defines none.
    #[error("this script defines no roll")]
    None,
    /// It defines these, and none was named.
    #[error("this script defines several rolls, and none is chosen")]
    Several(Vec<String>),
    /// It defines others.
    #[error("there is no roll {name}")]
    Unknown {
        /// The name that was asked for.
        name: String,
        /// Those of its rolls.
        known: Vec<String>,
    },
}

impl NoSuchRoll {
    /// What to do about it; `choose` says how a roll is named.
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
