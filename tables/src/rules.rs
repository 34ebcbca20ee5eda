//! The rules of a batch: those that are the same for each row ([`Fixed`]), and those that the table
//! holds ([`Texts`]). Both turn a row into an [`Index`], as a roll of a script does.

use crate::Row;
use crate::answer::Numbers;
use crate::cell;
use crate::columns::{Columns, Input};
use crate::fault::TextError;
use crate::memo::{Memo, Solved};
use crate::questions::{Index, NoIndex};
use crate::solve::{Job, Rule, Solver, Tick};
use dicec_compiler::hir::Kind;
use dicec_compiler::{Compiler, Program};
use rustc_hash::FxHashMap;

/// Distinct texts that are kept, at most; then all are forgotten. Each may hold native code for a
/// while, too.
const MAX_TEXTS: usize = 10_000;

/// Bytes of distinct texts that are kept, at most. Their trees take many times as much.
const MAX_TEXT_BYTES: usize = 1 << 20;

/// What both kinds of rules remember.
struct Tuples {
    inputs: Vec<Input>,
    memo: Memo,
    /// The tuple of the row at hand; kept to save an allocation a row.
    tuple: Vec<i64>,
}

impl Tuples {
    fn new(inputs: Vec<Input>) -> Self {
        Self {
            memo: Memo::new(inputs.len()),
            tuple: Vec::with_capacity(inputs.len()),
            inputs,
        }
    }

    fn number(&mut self, row: &dyn Row) -> Result<u32, NoIndex> {
        self.tuple.clear();
        for input in &self.inputs {
            self.tuple.push(match *input {
                Input::Value(value) => value,
                Input::Column(column) => cell::integer(row.cell(column).as_bytes())
                    .map_err(|why| NoIndex::Cell { column, why })?,
            });
        }
        Ok(self.memo.number(&self.tuple))
    }
}

/// A rule, compiled once for the whole table.
pub(crate) struct Fixed {
    name: String,
    rule: Rule,
    tuples: Tuples,
}

impl Fixed {
    /// The rule with its inputs, in the order of its resources.
    pub(crate) fn new(name: &str, program: &Program, numbers: Numbers, inputs: Vec<Input>) -> Self {
        Self {
            name: name.to_owned(),
            rule: Rule::new(program.clone(), numbers),
            tuples: Tuples::new(inputs),
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn program(&self) -> &Program {
        &self.rule.program
    }

    /// What its numbers' columns are.
    pub(crate) fn numbers(&self) -> Numbers {
        self.rule.numbers
    }

    /// How much it remembers, in tuples.
    pub(crate) fn remembered(&self) -> usize {
        self.tuples.memo.weight()
    }

    /// Forgets all tuples.
    pub(crate) fn forget(&mut self) {
        self.tuples.memo.clear();
    }

    pub(crate) fn index(&mut self, row: &dyn Row) -> Result<Index, NoIndex> {
        let tuple = self.tuples.number(row)?;
        Ok(Index { text: 0, tuple })
    }

    pub(crate) fn job(&mut self) -> Job<'_> {
        Job {
            question: &self.rule,
            memo: &mut self.tuples.memo,
        }
    }

    pub(crate) fn solved(&self, index: Index) -> &Solved {
        self.tuples.memo.get(index.tuple)
    }

    /// Whether any answer so far is sampled.
    pub(crate) fn any_sampled(&self) -> bool {
        self.tuples.memo.any_sampled()
    }
}

/// The rules in a column of the table, each text compiled once.
pub(crate) struct Texts {
    name: String,
    column: usize,
    compiler: Compiler,
    shown: Numbers,
    /// What the rules give; empty if that is not known.
    kinds: Vec<Kind>,
    /// The number of each text, among the good or the bad ones.
    numbers: FxHashMap<String, Result<usize, usize>>,
    good: Vec<Text>,
    bad: Vec<BadText>,
    bytes: usize,
}

struct Text {
    program: Program,
    tuples: Tuples,
}

/// A text that is not a rule that can be asked.
struct BadText {
    text: String,
    why: TextError,
}

impl Texts {
    /// The rules of a column.
    pub(crate) fn new(name: &str, column: usize, compiler: Compiler, numbers: Numbers) -> Self {
        Self {
            name: name.to_owned(),
            column,
            compiler,
            shown: numbers,
            kinds: Vec::new(),
            numbers: FxHashMap::default(),
            good: Vec::new(),
            bad: Vec::new(),
            bytes: 0,
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// What their numbers' columns are.
    pub(crate) fn numbers(&self) -> Numbers {
        self.shown
    }

    pub(crate) fn column(&self) -> usize {
        self.column
    }

    /// The same for rules that give only these.
    pub(crate) fn of_kinds(self, kinds: Vec<Kind>) -> Self {
        Self { kinds, ..self }
    }

    /// What the rules give; empty if that is not known.
    pub(crate) fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// How much is remembered, in tuples.
    pub(crate) fn remembered(&self) -> usize {
        let texts = self.good.iter();
        texts.map(|text| text.tuples.memo.weight()).sum()
    }

    /// Whether there are as many texts as are kept.
    pub(crate) fn is_full(&self) -> bool {
        self.numbers.len() >= MAX_TEXTS || self.bytes >= MAX_TEXT_BYTES
    }

    /// Forgets all texts and their tuples.
    pub(crate) fn forget(&mut self) {
        self.numbers = FxHashMap::default();
        self.good = Vec::new();
        self.bad = Vec::new();
        self.bytes = 0;
    }

    pub(crate) fn index(&mut self, row: &dyn Row, columns: &Columns) -> Result<Index, NoIndex> {
        let written = row.cell(self.column).trim();
        let number = match self.numbers.get(written) {
            Some(number) => *number,
            None => self.compile(written, columns),
        };
        let text = number.map_err(NoIndex::Text)?;
        let tuple = self.good[text].tuples.number(row)?;
        Ok(Index { text, tuple })
    }

    fn compile(&mut self, written: &str, columns: &Columns) -> Result<usize, usize> {
        let compiled = self.compiler.rule(written).map_err(TextError::Text);
        let text = compiled.and_then(|program| {
            let inputs = columns.inputs(program.resources());
            Ok(Text {
                tuples: Tuples::new(inputs.map_err(TextError::Missing)?),
                program,
            })
        });
        let number = match text {
            Ok(text) => {
                self.good.push(text);
                Ok(self.good.len() - 1)
            }
            Err(why) => {
                let text = written.to_owned();
                self.bad.push(BadText { text, why });
                Err(self.bad.len() - 1)
            }
        };
        self.numbers.insert(written.to_owned(), number);
        self.bytes += written.len();
        number
    }

    /// How many tuples are pending.
    pub(crate) fn pending(&self) -> usize {
        let texts = self.good.iter();
        texts.map(|text| text.tuples.memo.pending().len()).sum()
    }

    /// Works out what is pending. The samplers live as long as this takes: thousands of texts'
    /// native code is not kept.
    pub(crate) fn solve(&mut self, solver: &Solver, tick: &Tick<'_>) {
        let pending = |text: &&mut Text| !text.tuples.memo.pending().is_empty();
        let texts: Vec<&mut Text> = self.good.iter_mut().filter(pending).collect();
        let shown = self.shown;
        let (rules, memos): (Vec<Rule>, Vec<&mut Memo>) = texts
            .into_iter()
            .map(|text| {
                (
                    Rule::new(text.program.clone(), shown),
                    &mut text.tuples.memo,
                )
            })
            .unzip();
        let jobs = rules.iter().zip(memos);
        let mut jobs: Vec<Job<'_>> = jobs
            .map(|(question, memo)| Job { question, memo })
            .collect();
        solver.solve(&mut jobs, tick);
    }

    /// The program of an index and its answer.
    pub(crate) fn solved(&self, index: Index) -> (&Program, &Solved) {
        let text = &self.good[index.text];
        (&text.program, text.tuples.memo.get(index.tuple))
    }

    /// What is wrong with a text that [`NoIndex::Text`] numbers.
    pub(crate) fn error(&self, number: usize) -> (&str, &TextError) {
        let bad = &self.bad[number];
        (&bad.text, &bad.why)
    }

    /// Whether any answer so far is sampled.
    pub(crate) fn any_sampled(&self) -> bool {
        let mut texts = self.good.iter();
        texts.any(|text| text.tuples.memo.any_sampled())
    }
}
