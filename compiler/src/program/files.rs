//! From files to the typed tree.

use crate::check::check;
use crate::front::script::{self, Load};
use crate::hir::Module;
use crate::syntax::{Code, Diagnostics, SourceLimits, Sources};
use dicec_runtime::limits::RollLimits;
use std::fmt;

/// The most findings that are worth telling at once.
const MOST_FINDINGS: usize = 100;

/// What is wrong with a script, and in which files.
#[derive(Clone, Debug)]
pub struct ScriptErrors {
    /// Everything that is wrong, file by file in reading order; see `docs/errors.md`.
    pub found: Diagnostics,
    /// The files; [`Sources::localise`] tells where a finding is.
    pub sources: Sources,
}

impl fmt::Display for ScriptErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.found.fmt(f)
    }
}

impl std::error::Error for ScriptErrors {}

/// A typed tree with its files, and what a reader may want to know.
pub(super) struct Compiled {
    pub(super) hir: Module,
    pub(super) sources: Sources,
    pub(super) notes: Diagnostics,
}

/// Compiles the file `name` with all that it imports.
pub(super) fn compile_script(
    name: &str,
    text: &str,
    source: SourceLimits,
    roll: RollLimits,
    load: &mut Load<'_>,
) -> Result<Compiled, ScriptErrors> {
    let gathered = script::gather(name, text, source, load);
    let (mut found, sources) = (gathered.diagnostics, gathered.sources);
    let whole = !found.has_errors();
    // A tree with errors in it still tells about the names and types in the rest.
    let (mut hir, names) = script::to_hir(&gathered.script, sources.text());
    found.append(names);
    let mut types = check(&mut hir, roll);
    if !whole {
        // What could not be read may hold the `return`.
        types.retain(|finding| finding.code != Code::MissingReturn);
    }
    found.append(types);
    found.sort();
    found.dedup();
    found.truncate(MOST_FINDINGS);
    if found.has_errors() {
        return Err(ScriptErrors { found, sources });
    }
    Ok(Compiled {
        hir,
        sources,
        notes: found,
    })
}
