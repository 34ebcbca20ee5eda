//! Formats scripts that front ends generate.

use crate::error::CliError;
use dicec_compiler::front::script::format;
use dicec_compiler::syntax::{SourceLimits, Sources};

/// A generated script in its normal layout.
pub(crate) fn laid_out(
    origin: &str,
    script: &str,
    limits: SourceLimits,
) -> Result<String, CliError> {
    format(script, limits)
        .map_err(|found| CliError::found(&found, &Sources::single(origin, script)))
}
