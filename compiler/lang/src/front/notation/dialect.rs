//! The two dialects of the dice notation. They share one grammar; where they differ, the parser and
//! [`super::to_hir`] test the dialect.

use std::fmt;

/// How a text is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// The rule book's (seed 002): whole numbers, totals of at least 0, a comparison is always a
    /// check.
    #[default]
    Rulebook,
    /// That of virtual tabletops: decimals, totals keep their sign, a comparison directly after
    /// dice counts them.
    Notation,
}

impl Dialect {
    /// Both of them.
    pub const ALL: [Dialect; 2] = [Dialect::Rulebook, Dialect::Notation];

    /// Its name, as the command's `--dialect` takes it.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Rulebook => "rulebook",
            Dialect::Notation => "notation",
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
