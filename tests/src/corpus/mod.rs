//! The scripts that the project has, and programs that are like them: each is one of the scripts
//! with a few changes, which are made to the text at the spans of the syntax tree.
//!
//! ```text
//! files, documents, tests --source--> scripts of one roll --smaller--> few rolls
//!                         --mutate--> mutants
//! ```
//!
//! [`same`] has the changes that keep all odds.

mod argument;
mod edit;
mod mutate;
pub mod same;
mod site;
mod smaller;
mod source;

use crate::answers::compiled;
use arbitrary::{Result, Unstructured};
use edit::apply;
pub use source::{Source, sources};

/// A change that does not compile is made in another way at most this often.
const MAX_TRIES: usize = 4;

/// A script like one of the corpus.
///
/// # Errors
/// Never for lack of bytes: missing ones count as zeros.
pub fn mutant(bytes: &mut Unstructured<'_>) -> Result<String> {
    let source = bytes.choose(sources())?;
    let mut text = source.text.clone();
    let small = smaller::smaller(&text, bytes)?;
    if compiled(&small) {
        text = small;
    }
    for _ in 0..bytes.int_in_range(0..=4)? {
        for _ in 0..MAX_TRIES {
            let edits = mutate::edits(&text, bytes)?;
            let changed = apply(&text, edits);
            if changed != text && compiled(&changed) {
                text = changed;
                break;
            }
        }
    }
    Ok(text)
}
