//! What the trials of a script work on: every kernel that runs IR makes it the same way, from the
//! argument block that a call gives it.

use crate::ir::{ArgumentBlock, Module};
use dicec_runtime::script::{Window, Workspace};
use std::sync::Arc;

/// Makes workspaces for calls of a script's kernel.
#[derive(Clone, Debug)]
pub(super) struct Workspaces {
    module: Arc<Module>,
    /// The cells of each statistic.
    windows: Arc<[Window]>,
}

impl Workspaces {
    /// Those of a module whose statistics have these windows; `None` for a rule, which needs none.
    pub(super) fn new(module: &Arc<Module>, windows: impl Into<Arc<[Window]>>) -> Option<Self> {
        module.is_script().then(|| Self {
            module: module.clone(),
            windows: windows.into(),
        })
    }

    /// The argument block in what a kernel was given, and what its trials work on; `None` if there is
    /// none.
    pub(super) fn begin<'i>(&self, inputs: &'i [i64]) -> Option<(ArgumentBlock<'i>, Workspace)> {
        let tables = &self.module.tables;
        let image = ArgumentBlock::read(tables, self.module.slots(), inputs)?;
        let workspace = tables.workspace(&image, &self.windows);
        Some((image, workspace))
    }
}
