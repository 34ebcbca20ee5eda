//! Distributions of a total together with something that depends on the same dice: a **label**.

use dicec_runtime::degree::{Naturals, SHIFTING_FACES};
use dicec_runtime::pmf::Pmf;
use rustc_hash::FxHashMap;

/// What is known about the dice of a total.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Label {
    /// Nothing: there is no die that could shift a degree, and no degree.
    None,
    /// One natural die, on the face that lowers.
    Lowers,
    /// One natural die, on the face that raises.
    Raises,
    /// One natural die, on another face.
    Other,
    /// Several dice that could shift a degree, so that none does.
    Several,
    /// The degree that a `vs` gave.
    Rung(i64),
}

impl Label {
    /// The label of one natural die.
    pub(super) fn of_face(face: i64) -> Self {
        let (lowers, raises) = SHIFTING_FACES;
        match face {
            _ if face == lowers => Label::Lowers,
            _ if face == raises => Label::Raises,
            _ => Label::Other,
        }
    }

    /// The label of `number` dice whose faces sum to `face`.
    pub(super) fn of_dice(number: i64, face: i64) -> Self {
        let mut naturals = Naturals::default();
        naturals.add(number, face);
        match naturals.natural() {
            Some(face) => Self::of_face(face),
            None if number > 0 => Label::Several,
            None => Label::None,
        }
    }

    /// The label of two values together. There is one `vs`, so two rungs never meet.
    pub(super) fn and(self, other: Label) -> Label {
        match (self, other) {
            (Label::None, label) | (label, Label::None) => label,
            (Label::Rung(rung), _) | (_, Label::Rung(rung)) => Label::Rung(rung),
            _ => Label::Several,
        }
    }

    /// A face that shifts the degree like this label.
    pub(super) fn natural(self) -> Option<i64> {
        match self {
            Label::Lowers => Some(SHIFTING_FACES.0),
            Label::Raises => Some(SHIFTING_FACES.1),
            Label::None | Label::Other | Label::Several | Label::Rung(_) => None,
        }
    }
}

/// Gives each pair of a total and a label an index, in the order of first use.
#[derive(Default)]
pub(super) struct PairTable {
    known: FxHashMap<(i64, Label), i64>,
    values: Vec<(i64, Label)>,
}

impl PairTable {
    pub(super) fn of(&mut self, total: i64, label: Label) -> i64 {
        *self.known.entry((total, label)).or_insert_with(|| {
            self.values.push((total, label));
            // The budget on outcomes bounds their number.
            self.values.len() as i64 - 1
        })
    }

    /// The pair at an index.
    pub(super) fn at(&self, index: i64) -> (i64, Label) {
        let index = usize::try_from(index).unwrap_or(usize::MAX);
        // Outcomes are indices of known pairs.
        self.values.get(index).copied().unwrap_or((0, Label::None))
    }
}

/// A distribution over totals with their labels. The [`Pmf`] is over indices, so that any pair can
/// be an outcome.
pub(super) struct Joint<W> {
    pub(super) indices: Pmf<W>,
    known: PairTable,
}

impl<W> Joint<W> {
    pub(super) fn new(indices: Pmf<W>, known: PairTable) -> Self {
        Self { indices, known }
    }

    /// The pair at an index of this distribution.
    pub(super) fn at(&self, index: i64) -> (i64, Label) {
        self.known.at(index)
    }

    /// Whether every value has several dice that could be natural, so no further one matters.
    pub(super) fn has_several(&self) -> bool {
        let mut labels = self.known.values.iter().map(|(_, label)| *label);
        labels.all(|label| label == Label::Several)
    }
}
