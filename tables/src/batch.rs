//! A run over a table, block by block.

use crate::Row;
use crate::answer::{Answer, Events};
use crate::columns::Columns;
use crate::fault::{ArgumentFault, Fault};
use crate::fights::{CellNote, FightColumns, Fights, ScenarioColumns};
use crate::group::Group;
use crate::index::{Index, NoIndex};
use crate::long::LongColumns;
use crate::outputs::{AnyDiceCells, Variables};
use crate::questions::Asked;
use crate::rolls::{BadRoll, Roll};
use crate::rules::{Column, Fixed};
use crate::solve::{Job, Method, Solver};
use crate::swept::Swept;
use crate::varying::Varying;
use crate::wanted::Numbers;
use dicec_compiler::unstable::CheckLimits;
use dicec_compiler::{AnyDice, Compiler, Failure, Program};
use dicec_games::encounter::{Bestiary, Purpose};
use dicec_lang::hir::{Policy, ResourceUse};
use dicec_runtime::control::Control;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Tuples that are remembered, over all questions; then all are forgotten. A tuple takes about 100
/// bytes.
const MAX_TUPLES: usize = 1_000_000;

/// A run over a table: questions, and the rows of the block at hand.
pub struct Batch {
    columns: Columns,
    numbers: Numbers,
    asked: Vec<Asked>,
    solver: Solver,
    /// An index for each question, row after row.
    indices: Vec<Result<Index, NoIndex>>,
    /// The rows of all blocks that are worked out, those left out among them.
    done: u64,
    progress: Option<Progress>,
    /// Whether results of parts have a column in a table with a row for each result; the first
    /// block decides it.
    has_parts: Option<bool>,
}

/// The receiver of progress, and the number of rows of the table, if it is known.
struct Progress {
    rows: Option<u64>,
    report: Box<dyn Fn(u64, Option<u64>) + Send + Sync>,
}

impl Batch {
    /// A run over a table with these columns, on all threads of the machine.
    ///
    /// # Errors
    /// The system gives no threads.
    pub fn new(columns: Columns, method: Method, numbers: Numbers) -> Result<Self, String> {
        Self::controlled(columns, method, numbers, None, Control::default())
    }

    /// The same on this many threads, which `control` can stop.
    ///
    /// # Errors
    /// As for [`Batch::new`].
    pub fn controlled(
        columns: Columns,
        method: Method,
        numbers: Numbers,
        threads: Option<usize>,
        control: Control,
    ) -> Result<Self, String> {
        Ok(Self {
            columns,
            numbers,
            asked: Vec::new(),
            solver: Solver::new(method, threads, control)?,
            indices: Vec::new(),
            done: 0,
            progress: None,
            has_parts: None,
        })
    }

    /// From now on, [`Batch::solve`] calls `report(done, rows)` after each tuple, from any thread,
    /// and at its end: how many rows of all blocks are done, and how many the table has, if that is
    /// known. Within a block, rows are done as its tuples are: they are spread evenly over them.
    pub fn on_progress(
        &mut self,
        rows: Option<u64>,
        report: impl Fn(u64, Option<u64>) + Send + Sync + 'static,
    ) {
        let report = Box::new(report);
        self.progress = Some(Progress { rows, report });
    }

    /// From now on, answers are checked within these bounds, whatever their programs say: those of
    /// a sample of rows, or with a thorough check those of all rows.
    pub fn check(&mut self, check: CheckLimits) {
        self.solver.check = Some(check);
    }

    /// The columns.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// How answers are found.
    pub fn method(&self) -> &Method {
        self.solver.method()
    }

    /// The number of questions.
    pub fn questions(&self) -> usize {
        self.asked.len()
    }

    /// Asks for the odds of a rule in each row. Questions are asked before the first row.
    ///
    /// # Errors
    /// The resources that come from neither a column nor a value.
    pub fn ask_rule(&mut self, name: &str, program: &Program) -> Result<(), Vec<ResourceUse>> {
        let inputs = self.columns.inputs(program.resources())?;
        let fixed = Fixed::new(name, program, self.numbers.clone(), inputs);
        self.asked.push(Asked::Fixed(Box::new(fixed)));
        Ok(())
    }

    /// Asks for the odds of the rule or the AnyDice program in this column, each row's own.
    pub fn ask_column(
        &mut self,
        name: &str,
        column: usize,
        compiler: Compiler,
        cells: &AnyDiceCells,
    ) {
        let texts = Column::new(name, column, compiler, cells, self.numbers.clone());
        self.asked.push(Asked::Column(Box::new(texts)));
    }

    /// Asks for the odds of the outputs of a program whose variables get these values.
    pub fn ask_anydice(&mut self, name: &str, program: AnyDice, variables: &Variables) {
        let swept = Swept::new(name, program, variables, self.numbers.clone());
        self.asked.push(Asked::AnyDice(Box::new(swept)));
    }

    /// Asks for the odds of the rule in this column, which is always one of these.
    ///
    /// # Errors
    /// The resources that come from neither a column nor a value, each with its rule's index.
    pub fn ask_some(
        &mut self,
        name: &str,
        column: usize,
        compiler: Compiler,
        rules: &[Program],
    ) -> Result<(), Vec<(usize, ResourceUse)>> {
        let lacking = rules.iter().enumerate().flat_map(|(index, rule)| {
            let lacking = self.columns.inputs(rule.resources()).err();
            let lacking = lacking.into_iter().flatten();
            lacking.map(move |used| (index, used))
        });
        let lacking: Vec<(usize, ResourceUse)> = lacking.collect();
        if !lacking.is_empty() {
            return Err(lacking);
        }
        let kinds = rules.iter().filter_map(Program::kind).collect();
        let cells = AnyDiceCells::default();
        let rules = Column::new(name, column, compiler, &cells, self.numbers.clone());
        let rules = rules.of_kinds(kinds);
        self.asked.push(Asked::Column(Box::new(rules)));
        Ok(())
    }

    /// Asks for the odds, lines and statistics of a roll whose arguments columns give, of players
    /// who decide like this.
    ///
    /// # Errors
    /// Arguments that are wrong for every row, and resources that come from nowhere.
    pub fn ask_roll(
        &mut self,
        name: &str,
        varying: Varying,
        policies: &[(String, Policy)],
    ) -> Result<(), BadRoll> {
        let roll = Roll::new(name, varying, policies, self.numbers.clone(), &self.columns)?;
        self.asked.push(Asked::Roll(Box::new(roll)));
        Ok(())
    }

    /// Asks for the odds of the encounters in these columns, between creatures of a bestiary.
    pub fn ask_fights(&mut self, name: &str, columns: FightColumns, bestiary: Arc<Bestiary>) {
        let purpose = self.purpose();
        let fights = Fights::encounters(name, columns, bestiary, purpose, self.numbers.clone());
        self.asked.push(Asked::Fights(Box::new(fights)));
    }

    /// Asks for the odds of a scenario of the d100 rules that these columns change.
    pub fn ask_scenarios(&mut self, name: &str, columns: ScenarioColumns) {
        let fights = Fights::scenarios(name, columns, self.purpose(), self.numbers.clone());
        self.asked.push(Asked::Fights(Box::new(fights)));
    }

    /// The report form of the scripts of its fights.
    fn purpose(&self) -> Purpose {
        match self.solver.method() {
            Method::Exact(..) => Purpose::Odds,
            Method::Sample(_) => Purpose::Trials,
        }
    }

    /// The abilities of creatures in the encounters so far that are not modelled, by name.
    pub fn unmodelled(&self) -> impl Iterator<Item = (&str, &[String])> {
        let all = self.asked.iter().filter_map(Asked::unmodelled).flatten();
        all.filter(|(_, missing)| !missing.is_empty())
            .map(|(name, missing)| (name.as_str(), &missing[..]))
    }

    /// The parts of cells in the scenarios so far that have no effect, each once.
    pub fn cell_notes(&self) -> impl Iterator<Item = &CellNote> {
        self.asked.iter().flat_map(Asked::cell_notes)
    }

    /// The number of distinct tuples in the memo; large answers count as several.
    pub fn remembered(&self) -> usize {
        self.asked.iter().map(Asked::remembered).sum()
    }

    /// Begins a block. Rows pushed before are gone, their answers remembered.
    pub fn clear(&mut self) {
        self.indices.clear();
        // Memory stays bounded. Only between blocks, for indices mean nothing afterwards.
        if self.remembered() >= MAX_TUPLES || self.asked.iter().any(Asked::is_full) {
            self.asked.iter_mut().for_each(Asked::forget);
        }
    }

    /// Adds a row to the block; whether its cells fit all questions.
    pub fn push(&mut self, row: &(impl Row + ?Sized)) -> bool {
        let first = self.indices.len();
        let row: &dyn Row = &row;
        for asked in &mut self.asked {
            self.indices.push(asked.index(row, &self.columns));
        }
        self.indices[first..].iter().all(Result::is_ok)
    }

    /// Adds a row to the block that is not worked out.
    pub fn skip(&mut self) {
        let skipped = std::iter::repeat_n(Err(NoIndex::Skipped), self.asked.len());
        self.indices.extend(skipped);
    }

    /// Works out the block's new tuples.
    ///
    /// # Errors
    /// It was cancelled; no answer means anything then.
    pub fn solve(&mut self) -> Result<(), Failure> {
        let rows = self.indices.len().checked_div(self.asked.len());
        let rows = rows.unwrap_or(0) as u64;
        let pending = self.asked.iter_mut().map(Asked::pending).sum::<usize>() as u64;
        let (before, solved) = (self.done, AtomicU64::new(0));
        let tick = || {
            if let Some(Progress { rows: all, report }) = &self.progress {
                let solved = solved.fetch_add(1, Ordering::Relaxed) + 1;
                report(before + rows * solved / pending, *all);
            }
        };
        let mut jobs: Vec<Job<'_>> = self.asked.iter_mut().filter_map(Asked::job).collect();
        self.solver.solve(&mut jobs, &tick);
        for asked in &mut self.asked {
            asked.solve_texts(&self.solver, &tick);
        }
        if self.solver.is_cancelled() {
            let (done, units) = (before, "rows");
            return Err(Failure::Cancelled { done, units });
        }
        self.asked.iter_mut().for_each(Asked::decide);
        if self.has_parts.is_none() {
            let has_parts = self.answers().any(has_parts);
            self.has_parts = Some(has_parts);
        }
        self.done += rows;
        if let Some(Progress { rows: all, report }) = &self.progress {
            report(self.done, *all);
        }
        Ok(())
    }

    /// The columns that each question adds, after the first block: an answer that had to be sampled
    /// adds one, and the lines of its rows decide about theirs.
    pub fn groups(&self) -> Vec<Group> {
        let always = matches!(self.solver.method(), Method::Sample(_));
        let group = |(question, asked): (usize, &Asked)| {
            let indices = self.indices.iter().skip(question).step_by(self.asked.len());
            let solved = indices.flatten().map(|index| asked.solved(*index));
            let events = solved
                .flatten()
                .filter_map(|answer| answer.events.as_deref());
            asked.group(always, &events.collect::<Vec<&Events>>())
        };
        self.asked.iter().enumerate().map(group).collect()
    }

    /// The columns of a table with a row for each result, if that is asked for; after the first
    /// block, whose answers decide whether any has parts.
    pub fn long_columns(&self) -> Option<LongColumns> {
        (self.numbers == Numbers::Results).then_some(LongColumns {
            has_rule: self.asked.len() > 1,
            has_part: self.has_parts.unwrap_or(false),
        })
    }

    /// The answers of the block.
    fn answers(&self) -> impl Iterator<Item = &Answer> {
        let indices = self.indices.iter().enumerate();
        indices.filter_map(|(place, index)| {
            let asked = &self.asked[place % self.asked.len()];
            asked.solved((*index).ok()?).as_ref().ok()
        })
    }

    /// The answer to a question in a row of the block.
    ///
    /// # Errors
    /// Why there is none.
    ///
    /// # Panics
    /// If the row or the question does not exist, or the row was not worked out.
    pub fn answer(&self, row: usize, question: usize) -> Result<Answer, Fault<'_>> {
        let asked = &self.asked[question];
        let index = self.indices[row * self.asked.len() + question];
        let index = index.map_err(|lack| asked.fault(lack))?;
        match asked.solved(index) {
            Ok(answer) => match asked.misfit(answer) {
                Some(fault) if !self.has_room(answer) => Err(fault),
                _ => Ok(answer.clone()),
            },
            Err(why) => Err(asked.failed(index, why)),
        }
    }

    /// Whether a table with a row for each result has columns for all of an answer's.
    fn has_room(&self, answer: &Answer) -> bool {
        answer.results.is_some() && (self.has_parts == Some(true) || !has_parts(answer))
    }

    /// The errors in the arguments of a row, for a question about a roll.
    pub fn wrong_arguments(
        &self,
        question: usize,
        row: &(impl Row + ?Sized),
    ) -> Vec<ArgumentFault> {
        let row: &dyn Row = &row;
        self.asked[question].wrong_arguments(row)
    }

    /// The roll and its arguments, of a question about one.
    pub fn varying(&self, question: usize) -> Option<&Varying> {
        self.asked[question].varying()
    }
}

/// Whether some of an answer's results are those of parts.
fn has_parts(answer: &Answer) -> bool {
    let mut results = answer.results.iter().flat_map(|all| all.iter());
    results.any(|found| found.part.is_some())
}
