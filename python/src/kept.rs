//! The rules that were asked about last, compiled: Python asks the same rule with other resources,
//! in a loop. They are kept as `re` keeps patterns; what is answered does not depend on it.

use dicec_compiler::{Compiler, Program};
use dicec_lang::syntax::Diagnostics;
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

/// How many rules are kept; if there are more, all of them are forgotten.
const MAX_RULES: usize = 128;

/// The length of a text above which compiling it again is the lesser cost.
const MAX_BYTES: usize = 1_000;

/// By its text, a rule, and the compiler that has compiled it.
type Kept = HashMap<String, (Compiler, Program)>;

static KEPT: LazyLock<Mutex<Kept>> = LazyLock::new(Mutex::default);

/// A rule, compiled now or earlier.
///
/// # Errors
/// Everything that is wrong with it.
pub(crate) fn rule(compiler: &Compiler, text: &str) -> Result<Program, Diagnostics> {
    let lock = || KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((by, program)) = lock().get(text)
        && by == compiler
    {
        return Ok(program.clone());
    }
    let program = compiler.rule(text)?;
    if text.len() <= MAX_BYTES {
        let mut kept = lock();
        if kept.len() >= MAX_RULES {
            kept.clear();
        }
        kept.insert(text.to_owned(), (*compiler, program.clone()));
    }
    Ok(program)
}
