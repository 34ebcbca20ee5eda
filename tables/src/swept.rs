//! An AnyDice program as a question to all rows: columns give its variables their values.

use crate::Row;
use crate::index::{Index, NoIndex};
use crate::memo::Memo;
use crate::outputs::{Decided, Outputs, Variables};
use crate::solve::{Job, Posed};
use crate::tuples::Tuples;
use crate::wanted::Numbers;
use dicec_compiler::AnyDice;

/// A program that is the same for all rows, with columns that give its variables values.
pub(crate) struct Swept {
    name: String,
    outputs: Box<Outputs>,
    tuples: Tuples,
    decided: Decided,
}

impl Swept {
    pub(crate) fn new(
        name: &str,
        program: AnyDice,
        variables: &Variables,
        numbers: Numbers,
    ) -> Self {
        let (outputs, inputs) = Outputs::new(program, variables, numbers);
        Self {
            name: name.to_owned(),
            outputs: outputs.swept(),
            tuples: Tuples::new(inputs),
            decided: Decided::default(),
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn outputs(&self) -> &Outputs {
        &self.outputs
    }

    pub(crate) fn memo(&self) -> &Memo {
        &self.tuples.memo
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
            question: Posed::Outputs(&self.outputs),
            memo: &mut self.tuples.memo,
            first: 0,
        }
    }

    /// Decides about the columns, after the block is solved.
    pub(crate) fn decide(&mut self) {
        self.decided.take(self.tuples.memo.answers());
    }

    pub(crate) fn decided(&self) -> &Decided {
        &self.decided
    }
}
