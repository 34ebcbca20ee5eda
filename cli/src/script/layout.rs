//! Formats scripts that front ends generate.

use crate::error::CliError;
use dicec_games::GENERATED;
use dicec_lang::front::script::format;
use dicec_lang::syntax::Sources;

/// A generated script in its normal layout.
pub(crate) fn laid_out(origin: &str, script: &str) -> Result<String, CliError> {
    format(script, GENERATED)
        .map_err(|found| CliError::found(&found, &Sources::single(origin, script)))
}
