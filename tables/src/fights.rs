//! The encounter of each row: columns give its sides and what it changes, and its fights give the
//! answer. Rows with the same texts are one encounter.

use crate::Row;
use crate::answer::{Answer, Odds};
use crate::fault::Fault;
use crate::memo::{Memo, Solved};
use crate::questions::{Index, NoIndex};
use crate::solve::{Job, Question};
use crate::wanted::Numbers;
use dicec_compiler::answer::Answer as RollAnswer;
use dicec_compiler::front::encounter::{
    Bestiary, Change, DEAD, ENEMIES_STANDING, Encounter, HIT_POINTS, Plan, Purpose, ROUNDS,
    STANDING, Told, Wrong, read_line, read_sides,
};
use dicec_compiler::{Bound, Compiler, EncounterError, Failure};
use dicec_runtime::bug;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Distinct encounters that are kept, at most; then all are forgotten.
const MAX_FIGHTS: usize = 10_000;

/// Separates the cells of a row in the key of its encounter.
const BETWEEN: char = '\u{1f}';

/// The names of a fight's outcomes, for the first side.
pub(crate) const OUTCOMES: [&str; 3] = ["win", "lose", "draw"];

/// The statistics of every fight.
const STATISTICS: [&str; 4] = [ROUNDS, STANDING, HIT_POINTS, ENEMIES_STANDING];

/// The columns that make an encounter.
#[derive(Clone, Debug)]
pub struct FightColumns {
    /// Who fights whom.
    pub sides: SideColumns,
    /// What each of these columns changes, from 0.
    pub changes: Vec<(Change, usize)>,
}

/// The columns of the sides, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SideColumns {
    /// One column with both: `4 Veteran vs 6 Goblin`, or a document.
    Line(usize),
    /// One for each side.
    Pair(usize, usize),
}

/// The encounters of the rows.
pub(crate) struct Fights {
    name: String,
    columns: FightColumns,
    bestiary: Arc<Bestiary>,
    question: Fought,
    /// The number of each row's texts, among the good or the bad ones.
    numbers: FxHashMap<String, Result<u32, usize>>,
    bad: Vec<BadFight>,
    memo: Memo,
    /// What creatures of all rows so far have that is not modelled.
    missing: BTreeMap<String, Vec<String>>,
    /// The texts of the row at hand; kept to save an allocation a row.
    key: String,
}

/// Fights as a question.
struct Fought {
    plans: Vec<Plan>,
    numbers: Numbers,
}

/// Cells that do not make an encounter.
struct BadFight {
    column: usize,
    wrong: Wrong,
}

impl Fights {
    /// Encounters in these columns.
    pub(crate) fn new(
        name: &str,
        columns: FightColumns,
        bestiary: Arc<Bestiary>,
        numbers: Numbers,
    ) -> Self {
        let plans = Vec::new();
        Self {
            name: name.to_owned(),
            columns,
            bestiary,
            question: Fought { plans, numbers },
            numbers: FxHashMap::default(),
            bad: Vec::new(),
            memo: Memo::new(1),
            missing: BTreeMap::new(),
            key: String::new(),
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// What its numbers' columns are.
    pub(crate) fn shown(&self) -> &Numbers {
        &self.question.numbers
    }

    /// How much it remembers, in tuples.
    pub(crate) fn remembered(&self) -> usize {
        self.memo.weight()
    }

    /// Whether there are as many encounters as are kept.
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

    /// The statistics of the fights so far: the dead of a side if one of them has characters on it.
    pub(crate) fn statistics(&self) -> Vec<String> {
        let has_characters = |side: &usize| {
            let mut plans = self.question.plans.iter();
            plans.any(|plan| plan.has_characters_on(*side))
        };
        let dead = (0..DEAD.len()).filter(has_characters);
        let all = STATISTICS.into_iter().chain(dead.map(|side| DEAD[side]));
        all.map(str::to_owned).collect()
    }

    /// What creatures of all rows so far have that is not modelled, by their names.
    pub(crate) fn missing(&self) -> &BTreeMap<String, Vec<String>> {
        &self.missing
    }

    pub(crate) fn index(&mut self, row: &dyn Row) -> Result<Index, NoIndex> {
        self.key.clear();
        for column in self.columns.all() {
            self.key += row.cell(column);
            self.key.push(BETWEEN);
        }
        let number = match self.numbers.get(&self.key) {
            Some(number) => *number,
            None => self.add(row),
        };
        let tuple = number.map_err(NoIndex::Text)?;
        Ok(Index { text: 0, tuple })
    }

    /// Adds the encounter of a row.
    fn add(&mut self, row: &dyn Row) -> Result<u32, usize> {
        let number = match self.plan(row) {
            Ok(plan) => {
                for (name, missing) in plan.missing() {
                    let known = self.missing.entry(name.to_owned()).or_default();
                    known.extend_from_slice(missing);
                    known.sort_unstable();
                    known.dedup();
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

    fn plan(&self, row: &dyn Row) -> Result<Plan, BadFight> {
        let bestiary = &self.bestiary;
        let (first, read) = match self.columns.sides {
            SideColumns::Line(column) => (column, self.line(row.cell(column))),
            SideColumns::Pair(first, second) => {
                let read = read_sides(row.cell(first), row.cell(second), bestiary);
                (first, read)
            }
        };
        let at = |column| move |wrong| BadFight { column, wrong };
        let mut encounter = read.map_err(at(first))?;
        for (change, column) in &self.columns.changes {
            let changed = change.apply(row.cell(*column), &mut encounter, bestiary);
            changed.map_err(at(*column))?;
        }
        let plan = Plan::new(&encounter, bestiary).map_err(at(first))?;
        check_functions(&plan).map_err(at(first))?;
        Ok(plan)
    }

    /// An encounter as a line, or as a document.
    fn line(&self, cell: &str) -> Result<Encounter, Wrong> {
        if !cell.trim_start().starts_with('{') {
            return read_line(cell, &self.bestiary);
        }
        let json = serde_json::from_str(cell);
        let json = json.map_err(|why| Wrong::new("$", format!("is not JSON: {why}")))?;
        Encounter::read(&json)
    }

    pub(crate) fn job(&mut self) -> Job<'_> {
        Job {
            question: &self.question,
            memo: &mut self.memo,
        }
    }

    /// How many encounters are pending.
    pub(crate) fn pending(&self) -> usize {
        self.memo.pending().len()
    }

    pub(crate) fn solved(&self, index: Index) -> &Solved {
        self.memo.get(index.tuple)
    }

    /// What is wrong with the cells that [`NoIndex::Text`] numbers.
    pub(crate) fn fault(&self, number: usize) -> Fault<'_> {
        let BadFight { column, wrong } = &self.bad[number];
        Fault::Encounter {
            column: *column,
            wrong,
        }
    }

    /// Whether any answer so far is sampled.
    pub(crate) fn any_sampled(&self) -> bool {
        self.memo.any_sampled()
    }
}

/// Whether the functions that an encounter brings along fit its script.
fn check_functions(plan: &Plan) -> Result<(), Wrong> {
    if plan.functions().is_none() {
        return Ok(());
    }
    match Compiler::new().encounter(plan, Told::Sides, Purpose::Odds) {
        Err(wrong @ EncounterError::Functions(_)) => {
            let wrong = Wrong::new("$.functions", format!("are wrong: {wrong}"));
            Err(wrong.help("a document in a table has the functions themselves, not a file's name"))
        }
        // Any other failure is told when the encounter is fought.
        Ok(_) | Err(EncounterError::Failure(_)) => Ok(()),
    }
}

impl FightColumns {
    fn all(&self) -> impl Iterator<Item = usize> {
        let (first, second) = match self.sides {
            SideColumns::Line(column) => (column, None),
            SideColumns::Pair(first, second) => (first, Some(second)),
        };
        let changes = self.changes.iter().map(|(_, column)| *column);
        [first].into_iter().chain(second).chain(changes)
    }
}

impl Question for Fought {
    fn bound(&self, _number: usize, tuple: &[i64]) -> Result<Bound, Failure> {
        let plan = usize::try_from(tuple[0]).ok();
        let plan = plan.and_then(|number| self.plans.get(number));
        let plan = plan.unwrap_or_else(|| bug!("an encounter without a plan").raise());
        let bound = Compiler::new().encounter(plan, Told::Sides, Purpose::Odds);
        bound.map_err(|error| match error {
            EncounterError::Failure(failure) => failure,
            EncounterError::Functions(_) => bug!("functions that were checked: {error}").raise(),
        })
    }

    fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// The outcomes are named for the first side.
    fn reduced(&self, answer: RollAnswer, is_sampled: bool) -> Answer {
        let mut answer = Answer::new(answer, &self.numbers, is_sampled, true);
        if let Odds::Label(names, _) = &mut answer.odds {
            *names = OUTCOMES.map(str::to_owned).into();
        }
        answer
    }
}
