//! Workspaces of a script's trials: every kernel that runs IR makes them the same way, from the
//! argument block of a call.

use crate::ir::{ArgumentBlock, Module};
use crate::pass::VectorForm;
use dicec_runtime::kernel::Stopped;
use dicec_runtime::script::{Windows, Workspace};
use std::sync::Arc;

/// A script's argument block, and the workspace for the trials of a call on it.
pub(super) type Begun<'i> = (ArgumentBlock<'i>, Workspace);

/// Makes workspaces for calls of a script's kernel.
#[derive(Clone, Debug)]
pub(super) struct Workspaces {
    module: Arc<Module>,
    /// The cells of each statistic.
    windows: Arc<Windows>,
}

impl Workspaces {
    /// The workspaces of a module whose statistics have these windows; `None` for a rule, which
    /// needs none.
    pub(super) fn new(module: &Arc<Module>, windows: impl Into<Arc<Windows>>) -> Option<Self> {
        module.is_script().then(|| Self {
            module: module.clone(),
            windows: windows.into(),
        })
    }

    /// Finds the argument block in the inputs of a kernel, and makes a workspace for its trials.
    ///
    /// # Errors
    /// [`Stopped::bad_call`], if the inputs have none.
    pub(super) fn begin<'i>(&self, inputs: &'i [i64]) -> Result<Begun<'i>, Stopped> {
        let tables = &self.module.tables;
        let arguments = ArgumentBlock::read(tables, self.module.slots(), inputs)
            .ok_or_else(Stopped::bad_call)?;
        let workspace = tables.workspace(&arguments, &self.windows);
        Ok((arguments, workspace))
    }

    /// The same for a kernel in lanes; `None` for a rule.
    ///
    /// # Errors
    /// [`Stopped::bad_call`], also if the form does not support a rule's resources.
    pub(super) fn begin_lanes<'i>(
        workspaces: Option<&Self>,
        inputs: &'i [i64],
    ) -> Result<Option<Begun<'i>>, Stopped> {
        match workspaces {
            Some(workspaces) => workspaces.begin(inputs).map(Some),
            None if VectorForm::takes(inputs) => Ok(None),
            None => Err(Stopped::bad_call()),
        }
    }
}
