//! Joint distributions of a total and a **label**: a property of the dice that made the total.

use dicec_runtime::against::Against;
use dicec_runtime::bug;
use dicec_runtime::degree::Naturals;
use dicec_runtime::pmf::Pmf;
use dicec_runtime::pool;
use rustc_hash::FxHashMap;

/// The effect of the dice of a total on a degree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Label {
    /// No die that could shift a degree, and no degree.
    None,
    /// One natural die, whose face shifts the degree by this many rungs.
    Natural(i64),
    /// Several dice that could shift a degree, so that none does.
    Several,
    /// The grade that a `vs` gave.
    Grade(i64),
}

impl Label {
    /// The label of two values taken together. A rule has one `vs`, so two grades never meet.
    pub(super) fn and(self, other: Label) -> Label {
        match (self, other) {
            (Label::None, label) | (label, Label::None) => label,
            (Label::Grade(grade), _) | (_, Label::Grade(grade)) => Label::Grade(grade),
            _ => Label::Several,
        }
    }

    /// The number of rungs by which it shifts the degree.
    pub(super) fn shift(self) -> i64 {
        match self {
            Label::Natural(shift) => shift,
            Label::None | Label::Several | Label::Grade(_) => 0,
        }
    }
}

/// Numbers the pairs of a total and a label, in the order of first use.
pub(super) struct PairTable {
    /// Defines which dice are natural, and by how much their faces shift a grade.
    pub(super) against: Against,
    known: FxHashMap<(i64, Label), i64>,
    values: Vec<(i64, Label)>,
}

impl PairTable {
    pub(super) fn new(against: Against) -> Self {
        Self {
            against,
            known: FxHashMap::default(),
            values: Vec::new(),
        }
    }

    /// The possible labels of one natural die, first that of faces without effect.
    pub(super) fn naturals(&self) -> impl Iterator<Item = Label> {
        let shifts = self.against.shifts().iter().map(|shift| shift.by);
        [0].into_iter().chain(shifts).map(Label::Natural)
    }

    /// The label of one natural die.
    pub(super) fn label_of_face(&self, face: i64) -> Label {
        Label::Natural(self.against.shift(Some(face)))
    }

    /// The label of the rolled dice.
    pub(super) fn label_of(&self, table: &pool::Pool) -> Label {
        let sides = self.against.natural_sides();
        let (count, face) = (table.naturals(sides), table.natural_face(sides));
        let mut naturals = Naturals::new(sides);
        naturals.add(count, face);
        match naturals.natural() {
            Some(face) => self.label_of_face(face),
            None if count > 0 => Label::Several,
            None => Label::None,
        }
    }

    pub(super) fn of(&mut self, total: i64, label: Label) -> i64 {
        *self.known.entry((total, label)).or_insert_with(|| {
            self.values.push((total, label));
            // The budget on outcomes bounds their number.
            self.values.len() as i64 - 1
        })
    }

    /// The pair at an index.
    pub(super) fn at(&self, index: i64) -> (i64, Label) {
        // Outcomes are indices of known pairs.
        let pair = usize::try_from(index)
            .ok()
            .and_then(|index| self.values.get(index));
        *pair.unwrap_or_else(|| bug!("no pair has the index {index}").raise())
    }
}

/// A joint distribution of totals and labels. The [`Pmf`] is over indices of pairs.
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

    /// Whether every value has several dice that could be natural, so that more dice change no
    /// label.
    pub(super) fn has_several(&self) -> bool {
        let mut labels = self.known.values.iter().map(|(_, label)| *label);
        labels.all(|label| label == Label::Several)
    }
}
