//! The errors or the description of a rule or a script.

use crate::body::one;
use crate::bounds::Bounds;
use crate::program::ProgramRequest;
use crate::reply::Reply;
use crate::wrong::Wrong;
use dicec_compiler::answer::document::{RuleDocument, ScriptDocument};
use serde::Serialize;

/// An AnyDice program without mistakes.
#[derive(Serialize)]
struct AnyDiceDocument<'p> {
    ok: bool,
    kind: &'static str,
    /// The variables that can be given values.
    variables: Vec<&'p str>,
    /// It reads no resources.
    resources: [(); 0],
}

/// Checks a rule or a script: the document of `dicec check`.
///
/// # Errors
/// Everything that is wrong with it.
pub(crate) fn check(body: &[u8], bounds: &Bounds) -> Result<Reply, Wrong> {
    let request: ProgramRequest = one(body)?;
    if let Some(program) = request.anydice(bounds)? {
        let document = AnyDiceDocument {
            ok: true,
            kind: "anydice",
            variables: program.settable(),
            resources: [],
        };
        return Reply::new(&document, Vec::new());
    }
    let loaded = request.load(bounds)?;
    let program = &loaded.program;
    if !program.is_rule() {
        let document = ScriptDocument::new(program.hir(), program.sources());
        return Reply::new(&document, loaded.notes());
    }
    if request.has_resources() {
        request.bind(&loaded)?;
    }
    let expression = program.normal_form_in_full();
    let document = RuleDocument::new(loaded.kind()?, expression, program.resources());
    Reply::new(&document, loaded.notes())
}

/// Describes a script: the document of `dicec describe`.
///
/// # Errors
/// Everything that is wrong with it.
pub(crate) fn describe(body: &[u8], bounds: &Bounds) -> Result<Reply, Wrong> {
    let request: ProgramRequest = one(body)?;
    let loaded = request.load(bounds)?;
    Reply::new(&loaded.program.describe(), loaded.notes())
}
