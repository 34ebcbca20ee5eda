//! The rules of a batch: those that are the same for each row ([`Fixed`]), and those that the table
//! holds ([`Column`]). Both turn a row into an [`Index`], as a roll of a script does.
//!
//! Cells give the resources of a rule. Where they hold dice instead of numbers, the rule is another
//! one, with the dice in place of the resources; there is one for each combination of dice.

use crate::Row;
use crate::columns::{Columns, Input};
use crate::fault::TextError;
use crate::index::{Index, NoIndex};
use crate::memo::Solved;
use crate::outputs::{AnyDiceCells, Decided, Outputs};
use crate::solve::{Job, Posed, Rule, Solver, Tick};
use crate::texts::{BadText, Texts, Written};
use crate::tuples::Tuples;
use crate::wanted::Numbers;
use dicec_compiler::unstable::{DiceResources, is_dice, is_expression};
use dicec_compiler::{AnyDice, Compiler, Dialect, Program, ResourceName};
use dicec_lang::hir::Kind;
use dicec_lang::syntax::Sources;

/// A rule, compiled once for all rows without dice.
pub(crate) struct Fixed {
    name: String,
    rule: Rule,
    tuples: Tuples,
    /// The rule with the dice of cells in it.
    dice: Texts,
    /// The dice of the row at hand, cell by cell; kept to save an allocation a row.
    key: String,
}

impl Fixed {
    /// The rule with its inputs, in the order of its resources.
    pub(crate) fn new(name: &str, program: &Program, numbers: Numbers, inputs: Vec<Input>) -> Self {
        Self {
            name: name.to_owned(),
            rule: Rule::new(program.clone(), numbers.clone()),
            tuples: Tuples::new(inputs),
            dice: Texts::new(numbers),
            key: String::new(),
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The rule without dice in place of resources.
    pub(crate) fn program(&self) -> &Program {
        &self.rule.program
    }

    /// The columns of its numbers.
    pub(crate) fn numbers(&self) -> &Numbers {
        &self.rule.numbers
    }

    /// The rule with the dice of rows in it.
    pub(crate) fn dice(&self) -> &Texts {
        &self.dice
    }

    /// How much it remembers, in tuples.
    pub(crate) fn remembered(&self) -> usize {
        self.tuples.memo.weight() + self.dice.remembered()
    }

    /// Whether the memo is full, apart from tuples.
    pub(crate) fn is_full(&self) -> bool {
        self.dice.is_full()
    }

    /// Forgets all tuples.
    pub(crate) fn forget(&mut self) {
        self.tuples.memo.clear();
        self.dice.forget();
    }

    pub(crate) fn index(&mut self, row: &dyn Row, columns: &Columns) -> Result<Index, NoIndex> {
        let lack = match self.tuples.number(row) {
            Ok(tuple) => return Ok(Index { text: 0, tuple }),
            Err(lack) => lack,
        };
        let program = &self.rule.program;
        let names = program.resources().iter().map(|used| &used.name);
        let cells = names.zip(&self.tuples.inputs);
        let stands = match program.dialect() {
            Some(Dialect::Notation) => is_expression,
            Some(Dialect::Rulebook) | None => is_dice,
        };
        let dice: Vec<(&ResourceName, usize)> = cells
            .filter_map(|(name, input)| match *input {
                Input::Column(column) if stands(row.cell(column)) => Some((name, column)),
                Input::Column(_) | Input::Value(_) => None,
            })
            .collect();
        let Some(&(_, first)) = dice.first() else {
            return Err(lack);
        };
        self.key.clear();
        for (_, column) in &dice {
            self.key += row.cell(*column);
            self.key.push('\n');
        }
        let compile = || with_dice(program, &dice, row).map(Written::Rule);
        let index = self.dice.index((&self.key, first), row, columns, compile)?;
        // The rule without dice is the first one.
        let text = index.text + 1;
        Ok(Index { text, ..index })
    }

    pub(crate) fn job(&mut self) -> Job<'_> {
        Job {
            question: Posed::Roll(&self.rule),
            memo: &mut self.tuples.memo,
            first: 0,
        }
    }

    /// The number of pending tuples.
    pub(crate) fn pending(&self) -> usize {
        self.tuples.memo.pending().len() + self.dice.pending()
    }

    /// Solves the pending work of rows with dice.
    pub(crate) fn solve_dice(&mut self, solver: &Solver, tick: &Tick<'_>) {
        self.dice.solve(solver, tick);
    }

    /// The source of an index and its answer.
    pub(crate) fn solved(&self, index: Index) -> (&Sources, &Solved) {
        match index.text.checked_sub(1) {
            None => {
                let sources = self.rule.program.sources();
                (sources, self.tuples.memo.get(index.tuple))
            }
            Some(text) => self.dice.solved(Index { text, ..index }),
        }
    }

    /// Whether any answer so far is sampled.
    pub(crate) fn any_sampled(&self) -> bool {
        self.tuples.memo.any_sampled() || self.dice.any_sampled()
    }
}

/// The rule with the dice of a row's cells in place of these resources.
fn with_dice(
    rule: &Program,
    cells: &[(&ResourceName, usize)],
    row: &dyn Row,
) -> Result<Program, BadText> {
    let compiler = Compiler::new().limits(rule.limits());
    let compiler = compiler.dialect(rule.dialect().unwrap_or_default());
    let mut dice = DiceResources::default();
    let mut first = 0;
    for &(name, column) in cells.iter().rev() {
        let text = row.cell(column).trim();
        first = column;
        let set = compiler.set_dice(&mut dice, name.clone(), text);
        set.map_err(|found| BadText {
            column,
            text: text.to_owned(),
            why: TextError::Text(found),
        })?;
    }
    let wrong = |text: &str, found| BadText {
        column: first,
        text: text.to_owned(),
        why: TextError::Text(found),
    };
    let expanded = compiler.with_dice(rule.text(), &dice);
    let expanded = expanded.map_err(|found| wrong(rule.text(), found))?;
    compiler
        .rule(&expanded)
        .map_err(|found| wrong(&expanded, found))
}

/// The rules or AnyDice programs in a column of the table.
pub(crate) struct Column {
    name: String,
    column: usize,
    compiler: Compiler,
    /// The kinds of the rules' results; empty if they are not known.
    kinds: Vec<Kind>,
    cells: AnyDiceCells,
    texts: Texts,
    decided: Decided,
}

impl Column {
    /// The texts of a column.
    pub(crate) fn new(
        name: &str,
        column: usize,
        compiler: Compiler,
        cells: &AnyDiceCells,
        numbers: Numbers,
    ) -> Self {
        Self {
            name: name.to_owned(),
            column,
            compiler,
            kinds: match cells.is_every {
                true => vec![Kind::Number],
                false => Vec::new(),
            },
            cells: cells.clone(),
            texts: Texts::new(numbers),
            decided: Decided::default(),
        }
    }

    /// The same for rules that give only these.
    pub(crate) fn of_kinds(self, kinds: Vec<Kind>) -> Self {
        Self { kinds, ..self }
    }

    /// The kinds of the rules' results; empty if they are not known.
    pub(crate) fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Which column.
    pub(crate) fn column(&self) -> usize {
        self.column
    }

    /// Decides about the columns, after the block is solved.
    pub(crate) fn decide(&mut self) {
        self.decided.take(self.texts.answers());
    }

    pub(crate) fn decided(&self) -> &Decided {
        &self.decided
    }

    /// The rules so far.
    pub(crate) fn texts(&self) -> &Texts {
        &self.texts
    }

    pub(crate) fn texts_mut(&mut self) -> &mut Texts {
        &mut self.texts
    }

    pub(crate) fn index(&mut self, row: &dyn Row, columns: &Columns) -> Result<Index, NoIndex> {
        let written = row.cell(self.column).trim();
        let (compiler, column) = (self.compiler, self.column);
        let (cells, numbers) = (&self.cells, self.texts.shown().clone());
        let compile = || {
            let text = match cells.is_every || AnyDice::is_anydice(written) {
                true => compiler.anydice(written).map(|program| {
                    let from = &cells.variables;
                    let outputs = Outputs::new(program, from, numbers);
                    Written::AnyDice(outputs.0, outputs.1)
                }),
                false => compiler.rule(written).map(Written::Rule),
            };
            text.map_err(|found| BadText {
                column,
                text: written.to_owned(),
                why: TextError::Text(found),
            })
        };
        self.texts.index((written, column), row, columns, compile)
    }
}
