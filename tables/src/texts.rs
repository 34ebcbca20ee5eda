//! Rules and AnyDice programs that rows bring: each text is compiled once, and has tuples of its
//! own.

use crate::Row;
use crate::columns::{Columns, Input};
use crate::fault::{Fault, TextError};
use crate::index::{Index, NoIndex};
use crate::memo::{Memo, Solved};
use crate::outputs::Outputs;
use crate::solve::{Job, Posed, Rule, Solver, Tick};
use crate::tuples::Tuples;
use crate::wanted::Numbers;
use dicec_compiler::Program;
use dicec_lang::syntax::Sources;
use rustc_hash::FxHashMap;

/// Distinct texts that are kept, at most; then all are forgotten. Each may hold native code for a
/// while, too.
const MAX_TEXTS: usize = 10_000;

/// Bytes of distinct texts that are kept, at most. Their trees take many times as much.
const MAX_TEXT_BYTES: usize = 1 << 20;

/// The rules of the rows so far, by their texts.
pub(crate) struct Texts {
    shown: Numbers,
    /// The number of each text, among the good or the bad ones.
    numbers: FxHashMap<String, Result<usize, usize>>,
    good: Vec<Text>,
    bad: Vec<BadText>,
    bytes: usize,
}

struct Text {
    source: Source,
    tuples: Tuples,
}

enum Source {
    Rule(Program),
    AnyDice(Box<Outputs>),
}

/// A text that is compiled: a rule, or a program with the inputs of its tuples.
pub(crate) enum Written {
    Rule(Program),
    AnyDice(Box<Outputs>, Vec<Input>),
}

/// A text as a question: a sampler of a rule lives as long as its rows are worked out.
enum Asked<'t> {
    Rule(Box<Rule>),
    AnyDice(&'t Outputs),
}

/// A text that is not a valid question.
pub(crate) struct BadText {
    /// The column that it is from.
    pub(crate) column: usize,
    pub(crate) text: String,
    pub(crate) why: TextError,
}

impl BadText {
    /// The reason why a row with this text has no answer.
    pub(crate) fn fault(&self) -> Fault<'_> {
        Fault::Text {
            column: self.column,
            text: &self.text,
            why: &self.why,
        }
    }
}

impl Texts {
    /// No texts yet.
    pub(crate) fn new(numbers: Numbers) -> Self {
        Self {
            shown: numbers,
            numbers: FxHashMap::default(),
            good: Vec::new(),
            bad: Vec::new(),
            bytes: 0,
        }
    }

    /// The columns of their numbers.
    pub(crate) fn shown(&self) -> &Numbers {
        &self.shown
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
        *self = Self::new(self.shown.clone());
    }

    /// The index of a row whose rule has this text, which `compile` compiles if it is a new one.
    /// It is from this column.
    pub(crate) fn index(
        &mut self,
        (written, column): (&str, usize),
        row: &dyn Row,
        columns: &Columns,
        compile: impl FnOnce() -> Result<Written, BadText>,
    ) -> Result<Index, NoIndex> {
        let number = match self.numbers.get(written) {
            Some(number) => *number,
            None => self.add((written, column), columns, compile),
        };
        let text = number.map_err(NoIndex::Text)?;
        let tuple = self.good[text].tuples.number(row)?;
        Ok(Index { text, tuple })
    }

    fn add(
        &mut self,
        (written, column): (&str, usize),
        columns: &Columns,
        compile: impl FnOnce() -> Result<Written, BadText>,
    ) -> Result<usize, usize> {
        let text = compile().and_then(|written| {
            let program = match written {
                Written::Rule(program) => program,
                Written::AnyDice(outputs, inputs) => {
                    let (source, tuples) = (Source::AnyDice(outputs), Tuples::new(inputs));
                    return Ok(Text { source, tuples });
                }
            };
            let inputs = columns.inputs(program.resources());
            let inputs = inputs.map_err(|missing| BadText {
                column,
                text: program.text().to_owned(),
                why: TextError::Missing(missing),
            })?;
            let tuples = Tuples::new(inputs);
            let source = Source::Rule(program);
            Ok(Text { source, tuples })
        });
        let number = match text {
            Ok(text) => {
                self.good.push(text);
                Ok(self.good.len() - 1)
            }
            Err(bad) => {
                self.bad.push(bad);
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
        let pending = |text: &Text| !text.tuples.memo.pending().is_empty();
        let texts = self.good.iter_mut().enumerate();
        let texts = texts.filter(|(_, text)| pending(text));
        let (firsts, texts): (Vec<usize>, Vec<&mut Text>) = texts.unzip();
        let shown = &self.shown;
        let (questions, memos): (Vec<Asked<'_>>, Vec<&mut Memo>) = texts
            .into_iter()
            .map(|text| {
                let asked = match &text.source {
                    Source::Rule(program) => {
                        Asked::Rule(Box::new(Rule::new(program.clone(), shown.clone())))
                    }
                    Source::AnyDice(outputs) => Asked::AnyDice(outputs),
                };
                (asked, &mut text.tuples.memo)
            })
            .unzip();
        let jobs = questions.iter().zip(memos).zip(firsts);
        let mut jobs: Vec<Job<'_>> = jobs
            .map(|((question, memo), first)| Job {
                question: match question {
                    Asked::Rule(rule) => Posed::Roll(&**rule),
                    Asked::AnyDice(outputs) => Posed::Outputs(outputs),
                },
                memo,
                first,
            })
            .collect();
        solver.solve(&mut jobs, tick);
    }

    /// The answers so far, text by text.
    pub(crate) fn answers(&self) -> impl Iterator<Item = &Solved> {
        let texts = self.good.iter();
        texts.flat_map(|text| text.tuples.memo.answers())
    }

    /// The source of an index and its answer.
    pub(crate) fn solved(&self, index: Index) -> (&Sources, &Solved) {
        let text = &self.good[index.text];
        let sources = match &text.source {
            Source::Rule(program) => program.sources(),
            Source::AnyDice(outputs) => outputs.program().sources(),
        };
        (sources, text.tuples.memo.get(index.tuple))
    }

    /// What is wrong with a text that [`NoIndex::Text`] numbers.
    pub(crate) fn error(&self, number: usize) -> &BadText {
        &self.bad[number]
    }

    /// Whether any answer so far is sampled.
    pub(crate) fn any_sampled(&self) -> bool {
        let mut texts = self.good.iter();
        texts.any(|text| text.tuples.memo.any_sampled())
    }
}
