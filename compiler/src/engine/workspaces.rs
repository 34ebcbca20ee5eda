//! Workspaces of a script's trials: every kernel that runs IR makes them the same way, from the
//! argument block of a call.

use crate::ir::{ArgumentBlock, Module};
use crate::pass::VectorForm;
use dicec_runtime::kernel::Stopped;
use dicec_runtime::script::{Windows, Workspace};
use std::sync::Arc;

/// A script's argument block, and what the trials of a call on it work on.
pub(super) type Begun<'i> = (ArgumentBlock<'i>, Workspace);

/// Makes workspaces for calls of a script's kernel.
#[derive(Clone, Debug)]
pub(super) struct Workspaces {
    module: Arc<Module>,
    /// The cells of each statistic.
    windows: Arc<Windows>,
}

impl Workspaces {
    /// Those of a module whose statistics have these windows; `None` for a rule, which needs none.
    pub(super) fn new(module: &Arc<Module>, windows: impl Into<Arc<Windows>>) -> Option<Self> {
        module.is_script().then(|| Self {
            module: module.clone(),
            windows: windows.into(),
        })
    }

    /// The argument block in what a kernel was given, and what its trials work on.
    ///
    /// # Errors
    /// [`Stopped::bad_call`], if there is none in it.
    pub(super) fn begin<'i>(&self, inputs: &'i [i64]) -> Result<Begun<'i>, Stopped> {
        let tables = &self.module.tables;
        let arguments = ArgumentBlock::read(tables, self.module.slots(), inputs)
            .ok_or_else(Stopped::bad_call)?;
        let workspace = tables.workspace(&arguments, &self.windows);
        Ok((arguments, workspace))
    }

    /// The same for a kernel in lanes: those of a script, or `None` for a rule.
    ///
    /// # Errors
    /// [`Stopped::bad_call`], also if the form does not take a rule's resources.
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
