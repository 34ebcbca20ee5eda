//! STUB
use crate::hir::script::Script;
use crate::syntax::{Diagnostics, SourceLimits};
use dicec_runtime::limits::RollLimits;
pub(super) fn compile_script(
    _: &str,
    _: SourceLimits,
    _: RollLimits,
) -> Result<(Script, Diagnostics), Diagnostics> {
    Err(Diagnostics::new())
}
