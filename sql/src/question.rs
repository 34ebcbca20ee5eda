//! A call as a question of `dicec-tables`, with the column that it gives.

use crate::ask::{ask_column, ask_fights, ask_rule, check_kind, header};
use crate::call::{Asked, Call, Function};
use crate::error::SqlError;
use crate::shape::Shape;
use datafusion::arrow::datatypes::DataType;
use dicec_compiler::unstable::Backend;
use dicec_compiler::{Compiler, Program, Simulation};
use dicec_games::encounter::Bestiary;
use dicec_lang::syntax::{FileCode, Finding};
use dicec_runtime::pmf::Limits;
use dicec_runtime::resource::ResourceTable;
use dicec_tables::{Batch, Columns, Method, Numbers, Wanted};
use std::sync::Arc;

/// A question, and what it remembers of the rows so far.
pub(crate) struct Question {
    pub(crate) call: Call,
    /// The rule, if it is the same for each row.
    pub(crate) program: Option<Program>,
    pub(crate) batch: Batch,
    pub(crate) shape: Shape,
}

impl Question {
    /// Compiles the rule of a call, and checks that the resources are there.
    ///
    /// # Errors
    /// What is wrong with the rule, with its resources, or with what is asked of it.
    pub(crate) fn new(call: Call, bestiary: &Arc<Bestiary>) -> Result<Self, SqlError> {
        let program = call.rule.as_deref().map(|rule| {
            let program = Compiler::new().rule(rule);
            program.map_err(|found| SqlError::in_text(&found, &call.origin(), rule))
        });
        let program = program.transpose()?;
        if let Some(program) = &program {
            check_kind(&call, program)?;
        }
        let numbers = numbers(&call);
        let method = method(&call);
        let columns = Columns::new(&header(&call, program.as_ref())?, ResourceTable::new());
        let batch = Batch::new(columns, method, numbers.clone());
        let mut batch = batch.map_err(|why| {
            SqlError::from(Finding::general(FileCode::NoNativeCode.as_str(), why))
        })?;
        match (&program, call.function) {
            (_, Function::Encounter) => ask_fights(&call, &mut batch, bestiary)?,
            (Some(program), _) => ask_rule(&call, program, &mut batch)?,
            (None, _) => ask_column(&call, &mut batch)?,
        }
        let shape = Shape::new(&call, program.as_ref(), &numbers);
        Ok(Self {
            call,
            program,
            batch,
            shape,
        })
    }

    /// The type of the column.
    pub(crate) fn data_type(&self) -> DataType {
        self.shape.data_type()
    }
}

/// What numbers are asked for besides the moments.
fn numbers(call: &Call) -> Numbers {
    match call.asked {
        Asked::Quantile(share) => {
            let wanted = Wanted::new(&[f64::from_bits(share)], &[], &[]);
            Numbers::Asked(Arc::new(wanted))
        }
        _ => Numbers::Quantiles,
    }
}

/// Exact answers stay exact: what is too large for one is an error, and not sampled silently.
fn method(call: &Call) -> Method {
    match call.asked {
        Asked::Sim { trials, seed } | Asked::Encounter { trials, seed, .. } => {
            let simulation = Simulation::trials(trials).seed(seed);
            Method::Sample(simulation.backend(Backend::Jit))
        }
        Asked::Mean | Asked::P | Asked::Quantile(_) | Asked::Odds => {
            Method::Exact(Limits::default(), None)
        }
    }
}
