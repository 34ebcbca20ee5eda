//! From text to the typed tree.

use crate::front::script;
use crate::hir::script::Script;
use crate::sema::check_script;
use crate::syntax::{Diagnostics, SourceLimits};
use dicec_runtime::limits::RollLimits;

/// The most findings that are worth telling at once.
const MOST_FINDINGS: usize = 100;

/// Compiles the text of a script; with it comes what a reader may want to know, none of which is an error.
///
/// # Errors
/// Everything that is wrong with the text, in reading order; see `docs/errors.md`.
pub(super) fn compile_script(
    text: &str,
    source: SourceLimits,
    roll: RollLimits,
) -> Result<(Script, Diagnostics), Diagnostics> {
    let parsed = script::parse(text, source);
    let mut found = parsed.diagnostics;
    // A tree with errors in it still tells about the names and types in the rest.
    let (mut hir, names) = script::to_hir(&parsed.script, text);
    found.append(names);
    found.append(check_script(&mut hir, roll));
    found.sort();
    found.dedup();
    found.truncate(MOST_FINDINGS);
    if found.has_errors() {
        Err(found)
    } else {
        Ok((hir, found))
    }
}
