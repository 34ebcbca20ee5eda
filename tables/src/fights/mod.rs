//! The fight of each row: columns give an encounter, or change a scenario of the d100 rules, and
//! its trials or odds give the answer. Rows with the same texts are one fight.
//!
//! `source` makes the fights of rows.

mod named;
mod source;

pub use named::NoFights;
pub use source::{CellNote, FightColumns, ScenarioColumns, SideColumns};

use crate::Row;
use crate::answer::{Answer, Events, Odds};
use crate::fault::Fault;
use crate::index::{Index, NoIndex};
use crate::memo::{Memo, Solved};
use crate::solve::{Job, Posed, Question};
use crate::wanted::Numbers;
use dicec_compiler::answer::Answer as RollAnswer;
use dicec_compiler::{Bound, Failure};
use dicec_games::encounter::{Bestiary, Purpose};
use dicec_lang::hir::Kind;
use dicec_runtime::bug;
use rustc_hash::FxHashMap;
use source::{BadFight, Planned, Source, of_encounters, without_lines};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Distinct fights that are kept, at most; then all are forgotten.
const MAX_FIGHTS: usize = 10_000;

/// Separates the cells of a row in the key of its fight.
const BETWEEN: char = '\u{1f}';

/// The fights of the rows.
pub(crate) struct Fights {
    name: String,
    source: Source,
    /// The columns that are read.
    columns: Vec<usize>,
    question: Fought,
    /// The number of each row's texts, among the good or the bad ones.
    numbers: FxHashMap<String, Result<u32, usize>>,
    bad: Vec<BadFight>,
    memo: Memo,
    /// The abilities of creatures in all rows so far that are not modelled.
    missing: BTreeMap<String, Vec<String>>,
    /// The parts of cells in all rows so far that have no effect, each once.
    notes: Vec<CellNote>,
    /// The texts of the row at hand; kept to save an allocation a row.
    key: String,
}

/// Fights as a question.
struct Fought {
    plans: Vec<Planned>,
    /// The kind of their results.
    kind: Kind,
    /// The names of their outcomes.
    outcomes: Arc<[String]>,
    numbers: Numbers,
}

impl Fights {
    /// Encounters in these columns.
    pub(crate) fn encounters(
        name: &str,
        columns: FightColumns,
        bestiary: Arc<Bestiary>,
        purpose: Purpose,
        numbers: Numbers,
    ) -> Self {
        let source = Source::Encounters(columns, bestiary, purpose);
        Self::new(name, source, numbers)
    }

    /// A scenario that these columns change.
    pub(crate) fn scenarios(
        name: &str,
        columns: ScenarioColumns,
        purpose: Purpose,
        numbers: Numbers,
    ) -> Self {
        Self::new(name, Source::Scenarios(Box::new(columns), purpose), numbers)
    }

    fn new(name: &str, source: Source, numbers: Numbers) -> Self {
        let (kind, outcomes) = source.outcomes();
        Self {
            name: name.to_owned(),
            columns: source.columns(),
            source,
            question: Fought {
                plans: Vec::new(),
                kind,
                outcomes: outcomes.into(),
                numbers,
            },
            numbers: FxHashMap::default(),
            bad: Vec::new(),
            memo: Memo::new(1),
            missing: BTreeMap::new(),
            notes: Vec::new(),
            key: String::new(),
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The columns of its numbers.
    pub(crate) fn shown(&self) -> &Numbers {
        &self.question.numbers
    }

    /// How much it remembers, in tuples.
    pub(crate) fn remembered(&self) -> usize {
        self.memo.weight()
    }

    /// Whether there are as many fights as are kept.
    pub(crate) fn is_full(&self) -> bool {
        self.numbers.len() >= MAX_FIGHTS
    }

    /// Forgets all encounters.
    pub(crate) fn forget(&mut self) {
        self.question.plans.clear();
        self.numbers.clear();
        self.bad.clear();
        self.memo.clear();
    }

    /// What the fights return, and the names of their outcomes.
    pub(crate) fn outcomes(&self) -> (Kind, &[String]) {
        (self.question.kind, &self.question.outcomes)
    }

    /// The statistics of the fights so far, some of which have these.
    pub(crate) fn statistics(&self, events: &[&Events]) -> Vec<String> {
        match self.source {
            Source::Encounters(..) => of_encounters(&self.question.plans),
            Source::Scenarios(..) => {
                let mut all: Vec<String> = Vec::new();
                let noted = events.iter().flat_map(|events| &events.stats);
                for stat in noted.filter(|stat| stat.summary.is_some()) {
                    if !all.contains(&stat.name) {
                        all.push(stat.name.clone());
                    }
                }
                all
            }
        }
    }

    /// The abilities of creatures in all rows so far that are not modelled, by name.
    pub(crate) fn missing(&self) -> &BTreeMap<String, Vec<String>> {
        &self.missing
    }

    /// The parts of cells in all rows so far that have no effect, each once.
    pub(crate) fn notes(&self) -> &[CellNote] {
        &self.notes
    }

    pub(crate) fn index(&mut self, row: &dyn Row) -> Result<Index, NoIndex> {
        self.key.clear();
        for column in &self.columns {
            self.key += row.cell(*column);
            self.key.push(BETWEEN);
        }
        let number = match self.numbers.get(&self.key) {
            Some(number) => *number,
            None => self.add(row),
        };
        let tuple = number.map_err(NoIndex::Text)?;
        Ok(Index { text: 0, tuple })
    }

    /// Adds the fight of a row.
    fn add(&mut self, row: &dyn Row) -> Result<u32, usize> {
        let number = match self.source.plan(row) {
            Ok(plan) => {
                for (name, missing) in plan.missing() {
                    let known = self.missing.entry(name.to_owned()).or_default();
                    known.extend_from_slice(missing);
                    known.sort_unstable();
                    known.dedup();
                }
                for note in plan.notes() {
                    if !self.notes.contains(note) {
                        self.notes.push(note.clone());
                    }
                }
                let number = self.question.plans.len();
                self.question.plans.push(plan);
                Ok(self.memo.number(&[number as i64]))
            }
            Err(bad) => {
                self.bad.push(bad);
                Err(self.bad.len() - 1)
            }
        };
        self.numbers.insert(self.key.clone(), number);
        number
    }

    pub(crate) fn job(&mut self) -> Job<'_> {
        Job {
            question: Posed::Roll(&self.question),
            memo: &mut self.memo,
            first: 0,
        }
    }

    /// The number of pending fights.
    pub(crate) fn pending(&self) -> usize {
        self.memo.pending().len()
    }

    pub(crate) fn solved(&self, index: Index) -> &Solved {
        self.memo.get(index.tuple)
    }

    /// The errors in the cells that [`NoIndex::Text`] numbers.
    pub(crate) fn fault(&self, number: usize) -> Fault<'_> {
        let BadFight { column, wrong } = &self.bad[number];
        let column = *column;
        match self.source {
            Source::Encounters(..) => Fault::Encounter { column, wrong },
            Source::Scenarios(..) => Fault::Scenario { column, wrong },
        }
    }

    /// Whether any answer so far is sampled.
    pub(crate) fn any_sampled(&self) -> bool {
        self.memo.any_sampled()
    }
}

impl Question for Fought {
    fn bound(&self, _number: usize, tuple: &[i64]) -> Result<Bound, Failure> {
        let plan = usize::try_from(tuple[0]).ok();
        let plan = plan.and_then(|number| self.plans.get(number));
        let plan = plan.unwrap_or_else(|| bug!("a fight without a plan").raise());
        plan.bound()
    }

    fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// The outcomes have names that readers know.
    fn reduced(&self, answer: RollAnswer, is_sampled: bool) -> Answer {
        let answer = without_lines(answer);
        let mut answer = Answer::new(answer, &self.numbers, is_sampled, true);
        if let Odds::Label(names, _) = &mut answer.odds {
            *names = Arc::clone(&self.outcomes);
        }
        answer
    }
}
