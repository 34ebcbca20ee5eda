//! The comparisons that are made of a program: all of them, or one.

use dicec_native::pass::Pass;

/// Comparisons of [`check`](super::check()). Nearly all of their time is compiling to native code,
/// so a fuzz target makes one for each input and tries many more programs; the suites make all.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    part: Option<Part>,
    ways: Option<u8>,
    own: Option<bool>,
    sink: Option<u8>,
}

/// Modules that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// As lowered.
    Lowered,
    /// After one pass, by its number in [`Pass::ALL`].
    After(usize),
    /// As they run, with the draws of the interpreter.
    Faithful,
    /// As they run, with fused draws.
    Fused,
    /// In lanes.
    Lanes,
    /// For all arguments of a pattern.
    Shared,
}

impl Wanted {
    /// All comparisons.
    pub const ALL: Wanted = Wanted {
        part: None,
        ways: None,
        own: None,
        sink: None,
    };

    /// The comparison that some bits choose.
    pub fn one(bits: u16) -> Self {
        let [part, rest] = [bits & 0xff, bits >> 8].map(usize::from);
        let parts = 10 + Pass::ALL.len();
        let part = match part % parts {
            0 => Part::Lowered,
            1 | 2 => Part::Faithful,
            3 | 4 => Part::Fused,
            5..=7 => Part::Lanes,
            8 | 9 => Part::Shared,
            pass => Part::After(pass - 10),
        };
        Wanted {
            part: Some(part),
            ways: Some(rest as u8 & 3),
            own: Some(rest >> 3 & 1 == 1),
            sink: Some((rest >> 4) as u8 % 3),
        }
    }

    pub(super) fn part(self, part: Part) -> bool {
        self.part.is_none_or(|wanted| wanted == part)
    }

    /// Which forms for lanes are made, a bit each (relays, bytes), if not all are.
    pub(super) fn ways(self) -> Option<u8> {
        self.ways
    }

    /// Whether the module for a roll's own arguments is compared, or that for any.
    pub(super) fn own(self, is_own: bool) -> bool {
        self.own.is_none_or(|wanted| wanted == is_own)
    }

    /// Whether this one is compared: 0 results, 1 counts, 2 moments.
    pub(super) fn sink(self, number: u8) -> bool {
        self.sink.is_none_or(|wanted| wanted == number)
    }
}
