//! The shortcuts of the exact engine. Each has a name, a premise and a switch. Invariant: an answer
//! does not depend on them; with a shortcut off it is the same, or exceeds the budget.
//!
//! `DICEC_EXACT=-orders,-columns` switches some off, in every build; `-all,+columns` leaves one.

use bitflags::bitflags;
use std::cell::Cell;
use std::fmt;
use std::sync::OnceLock;

bitflags! {
    /// A set of shortcuts. [`SHORTCUTS`] has their names and premises.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct Shortcuts: u32 {
        /// Reuse the odds that earlier questions computed.
        const KEPT = 1 << 0;
        /// Merge states that differ only by the order of a list of records.
        const ORDERS = 1 << 1;
        /// Keep lists of values sorted if nothing observes their order.
        const LISTS = 1 << 2;
        /// Let numbers saturate at a bound.
        const FLOORS = 1 << 3;
        /// Compose several segments into one distribution.
        const COMPOSITES = 1 << 4;
        /// Store states that differ in one number as a column.
        const COLUMNS = 1 << 5;
        /// Take all states that share one case through a segment together.
        const TOGETHER = 1 << 6;
        /// Follow all outcomes of a roll or call at once.
        const OUTCOMES = 1 << 7;
        /// Compute a segment once for all states with the same answers.
        const CASES = 1 << 8;
        /// Compute a call once for each input.
        const CALLS = 1 << 9;
        /// Let a call depend only on the words that it touches.
        const TOUCHED = 1 << 10;
        /// Compute the roll of a dice value as one distribution.
        const DICE_VALUES = 1 << 11;
        /// Merge equal states.
        const EQUAL = 1 << 12;
        /// Use closed forms of dice.
        const CLOSED_FORMS = 1 << 13;
        /// Walk a pool whose dice are selected before later changes as a multiset.
        const MULTISETS = 1 << 14;
        /// Forget the elements of a list that its last loop has read.
        const CONSUMED = 1 << 15;
        /// Roll a list of dice when it is read.
        const LATE = 1 << 16;
        /// Roll the dice of a list face by face.
        const FACES = 1 << 17;
        /// Roll dice of which some are dropped in the order of their faces.
        const DROPPED = 1 << 18;
    }
}

/// A row of [`SHORTCUTS`].
#[derive(Clone, Copy, Debug)]
pub struct Shortcut {
    /// Its name in `DICEC_EXACT`.
    pub name: &'static str,
    /// Its flag.
    pub flag: Shortcuts,
    /// The shortcuts that it depends on: without them it is off too.
    pub needs: Shortcuts,
    /// Why it changes no answer, and the extra comparisons of it besides the plain solution.
    pub premise: &'static str,
}

/// All shortcuts. A fault is searched in this order, and a shortcut comes after those it depends
/// on.
pub const SHORTCUTS: [Shortcut; 19] = [
    Shortcut {
        name: "closed_forms",
        flag: Shortcuts::CLOSED_FORMS,
        needs: Shortcuts::empty(),
        premise: "sums, selections and counts of independent dice; pools.rs",
    },
    Shortcut {
        name: "multisets",
        flag: Shortcuts::MULTISETS,
        needs: Shortcuts::CLOSED_FORMS,
        premise: "which of equal dice is kept makes no difference, or all are alike; pools.rs",
    },
    Shortcut {
        name: "dropped",
        flag: Shortcuts::DROPPED,
        needs: Shortcuts::CLOSED_FORMS,
        premise: "nothing observes the order of the list of dice; rewritten.rs",
    },
    Shortcut {
        name: "late",
        flag: Shortcuts::LATE,
        needs: Shortcuts::empty(),
        premise: "nothing between reads the list or changes its dice; rewritten.rs",
    },
    Shortcut {
        name: "faces",
        flag: Shortcuts::FACES,
        needs: Shortcuts::CLOSED_FORMS,
        premise: "a loop asks only how many equal dice compare with each face; rewritten.rs",
    },
    Shortcut {
        name: "equal",
        flag: Shortcuts::EQUAL,
        needs: Shortcuts::empty(),
        premise: "equal rows have the same future; scripts.rs",
    },
    Shortcut {
        name: "dice_values",
        flag: Shortcuts::DICE_VALUES,
        needs: Shortcuts::CLOSED_FORMS,
        premise: "the loop over the terms of a dice value adds independent pools; dice_values.rs",
    },
    Shortcut {
        name: "touched",
        flag: Shortcuts::TOUCHED,
        needs: Shortcuts::empty(),
        premise: "a call reads no field but those that its functions name; scripts.rs",
    },
    Shortcut {
        name: "calls",
        flag: Shortcuts::CALLS,
        needs: Shortcuts::empty(),
        premise: "a call depends only on its arguments and their objects; scripts.rs",
    },
    Shortcut {
        name: "cases",
        flag: Shortcuts::CASES,
        needs: Shortcuts::empty(),
        premise: "a segment depends only on the words that it read; scripts.rs",
    },
    Shortcut {
        name: "outcomes",
        flag: Shortcuts::OUTCOMES,
        needs: Shortcuts::empty(),
        premise: "nothing reads the result, and one word keeps it; columns.rs",
    },
    Shortcut {
        name: "together",
        flag: Shortcuts::TOGETHER,
        needs: Shortcuts::CASES,
        premise: "ranges show that all states give the same answers; scripts.rs",
    },
    Shortcut {
        name: "columns",
        flag: Shortcuts::COLUMNS,
        needs: Shortcuts::EQUAL,
        premise: "an outcome moves all states of a column by the same; columns.rs",
    },
    Shortcut {
        name: "composites",
        flag: Shortcuts::COMPOSITES,
        needs: Shortcuts::COLUMNS.union(Shortcuts::CASES),
        premise: "states that meet the path conditions take the same path; columns.rs",
    },
    Shortcut {
        name: "consumed",
        flag: Shortcuts::CONSUMED,
        needs: Shortcuts::empty(),
        premise: "nothing reads the list after the loop, which changes no list; consumed.rs",
    },
    Shortcut {
        name: "floors",
        flag: Shortcuts::FLOORS,
        needs: Shortcuts::empty(),
        premise: "all comparisons have one answer below a bound, checked at each use; fights.rs",
    },
    Shortcut {
        name: "lists",
        flag: Shortcuts::LISTS,
        needs: Shortcuts::empty(),
        premise: "nothing observes the order of the values of a list; unordered.rs",
    },
    Shortcut {
        name: "orders",
        flag: Shortcuts::ORDERS,
        needs: Shortcuts::EQUAL,
        premise: "nothing observes the order of the records of a list; interchange.rs",
    },
    Shortcut {
        name: "kept",
        flag: Shortcuts::KEPT,
        needs: Shortcuts::CASES,
        premise: "cases and calls of other questions depend on nothing that differs; kept.rs",
    },
];

/// A word of `DICEC_EXACT` that is not the name of a shortcut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownShortcut {
    /// The word.
    pub word: String,
}

impl fmt::Display for UnknownShortcut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { word } = self;
        write!(f, "`{word}` switches no shortcut of exact odds")
    }
}

impl std::error::Error for UnknownShortcut {}

impl Default for Shortcuts {
    fn default() -> Self {
        Self::all()
    }
}

impl Shortcuts {
    /// The environment variable of [`Shortcuts::from_environment`].
    pub const VARIABLE: &'static str = "DICEC_EXACT";

    /// The shortcuts that `DICEC_EXACT` leaves on.
    ///
    /// # Errors
    /// A word in it is not the name of a shortcut.
    pub fn from_environment() -> Result<Self, UnknownShortcut> {
        static WRITTEN: OnceLock<Result<Shortcuts, UnknownShortcut>> = OnceLock::new();
        let read = || Self::parse(&std::env::var(Self::VARIABLE).unwrap_or_default());
        WRITTEN.get_or_init(read).clone()
    }

    /// Reads words such as `-orders,-columns`: each switches one off (`-`) or on (`+`).
    ///
    /// # Errors
    /// A word is not the name of a shortcut.
    pub fn parse(text: &str) -> Result<Self, UnknownShortcut> {
        let words = text.split([',', ' ']).filter(|word| !word.is_empty());
        words.into_iter().try_fold(Self::all(), |mut on, word| {
            let name = word.trim_start_matches(['-', '+']);
            let flag = match SHORTCUTS.iter().find(|shortcut| shortcut.name == name) {
                _ if name.len() + 1 != word.len() => None,
                _ if name == "all" => Some(Self::all()),
                found => found.map(|shortcut| shortcut.flag),
            };
            let Some(flag) = flag else {
                return Err(UnknownShortcut {
                    word: word.to_owned(),
                });
            };
            on.set(flag, word.starts_with('+'));
            Ok(on)
        })
    }

    /// Removes shortcuts that depend on one that is off.
    pub(super) fn closed(mut self) -> Self {
        loop {
            let before = self;
            for shortcut in SHORTCUTS {
                if !self.contains(shortcut.needs) {
                    self.remove(shortcut.flag);
                }
            }
            if self == before {
                return self;
            }
        }
    }
}

/// How often each shortcut was used.
pub type Fired = [u64; SHORTCUTS.len()];

thread_local! {
    static FIRED: Cell<Fired> = const { Cell::new([0; SHORTCUTS.len()]) };
}

/// Counts uses of a shortcut.
pub(super) fn fire(flag: Shortcuts) {
    let mut fired = FIRED.get();
    count(&mut fired, flag);
    FIRED.set(fired);
}

/// Counts a use of a shortcut.
#[inline]
pub(super) fn count(fired: &mut Fired, flag: Shortcuts) {
    fired[flag.bits().trailing_zeros() as usize] += 1;
}

/// Adds uses that were counted elsewhere.
pub(super) fn fired_more(more: &Fired) {
    let mut fired = FIRED.get();
    fired
        .iter_mut()
        .zip(more)
        .for_each(|(all, more)| *all += more);
    FIRED.set(fired);
}

/// The number of uses of each shortcut by this thread since the last call, by name. Tests assert
/// that a shortcut was exercised at all.
pub fn take_fired() -> Vec<(&'static str, u64)> {
    let fired = FIRED.replace([0; SHORTCUTS.len()]);
    let of = |shortcut: &Shortcut| fired[shortcut.flag.bits().trailing_zeros() as usize];
    SHORTCUTS
        .iter()
        .map(|shortcut| (shortcut.name, of(shortcut)))
        .collect()
}
