//! Compiles files to typed HIR.

use dicec_lang::check::check;
use dicec_lang::front::notation::Dialect;
use dicec_lang::front::script::{self, Gathered, Load};
use dicec_lang::hir::Module;
use dicec_lang::syntax::{Code, Diagnostics, SourceLimits, Sources};
use dicec_runtime::limits::RollLimits;
use std::fmt;

/// The maximum number of findings that are reported at once.
const MAX_FINDINGS: usize = 100;

/// The errors of a script, with its files.
#[derive(Clone, Debug)]
pub struct ScriptErrors {
    /// All errors, file by file in reading order; see `docs/errors.md`.
    pub found: Diagnostics,
    /// The files; [`Sources::localise`] finds the location of a finding.
    pub sources: Sources,
}

impl fmt::Display for ScriptErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.found.fmt(f)
    }
}

impl std::error::Error for ScriptErrors {}

/// A typed tree with its files and notes for the reader.
pub(super) struct Compiled {
    pub(super) hir: Module,
    pub(super) sources: Sources,
    pub(super) notes: Diagnostics,
}

/// Compiles the file `name` and everything that it imports.
pub(super) fn compile_script(
    name: &str,
    text: &str,
    source: SourceLimits,
    roll: RollLimits,
    load: &mut Load<'_>,
) -> Result<Compiled, ScriptErrors> {
    compile(script::gather(name, text, source, load), None, true, roll)
}

/// Compiles a compound rule; its `clamps` may be omitted.
pub(super) fn compile_compound(
    text: &str,
    dialect: Dialect,
    clamps: bool,
    source: SourceLimits,
    roll: RollLimits,
) -> Result<Compiled, ScriptErrors> {
    let gathered = script::gather_rule(text, dialect, source);
    let again = script::rolled_again(&gathered.script, text);
    let mut compiled = compile(gathered, Some(dialect), clamps, roll)?;
    compiled.notes.extend(again);
    Ok(compiled)
}

fn compile(
    gathered: Gathered,
    rule: Option<Dialect>,
    clamps: bool,
    roll: RollLimits,
) -> Result<Compiled, ScriptErrors> {
    let (mut found, sources) = (gathered.diagnostics, gathered.sources);
    let whole = !found.has_errors();
    // Names and types are still checked in the parts of the tree without errors.
    let (mut hir, names) = script::to_hir(&gathered.script, sources.text(), rule, clamps);
    found.append(names);
    let mut types = check(&mut hir, roll);
    if !whole {
        // The part with the syntax error may contain the `return`.
        types.retain(|finding| finding.code != Code::MissingReturn);
    }
    found.append(types);
    found.sort();
    found.dedup();
    found.truncate(MAX_FINDINGS);
    if found.has_errors() {
        return Err(ScriptErrors { found, sources });
    }
    Ok(Compiled {
        hir,
        sources,
        notes: found,
    })
}
