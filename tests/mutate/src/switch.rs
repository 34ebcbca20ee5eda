//! The module that changed crates ask whether a mutant is on.

use std::path::Path;
use std::{fs, io};

/// The sources of the crates whose functions can be changed, below the tree.
pub(crate) const CRATES: [&str; 4] = [
    "compiler/lang/src",
    "compiler/exact/src",
    "compiler/native/src",
    "compiler/src",
];

/// The source of the crate that all of them use: it gets the module.
const BELOW: &str = "runtime/src";

/// The module but for the number of mutants. `on` is asked in innermost loops: it reads one number.
const MODULE: &str = r#"//! Which mutant is on: that of the number in `DICEC_MUTANT`. Without one, the numbers of the
//! mutants that are reached are appended to the file of `DICEC_REACHED`, each once a process.

use std::io::Write as _;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

const UNREAD: u32 = 0;
const RECORDING: u32 = 1;
/// No mutant is on; that of number 1 has the next value.
const NONE: u32 = 2;

static MODE: AtomicU32 = AtomicU32::new(UNREAD);
static REACHED: [AtomicBool; COUNT] = [const { AtomicBool::new(false) }; COUNT];

#[inline(always)]
pub fn on(id: u32) -> bool {
    match MODE.load(Relaxed) {
        mode if mode > RECORDING => mode == NONE + id,
        mode => first(mode, id),
    }
}

#[cold]
#[inline(never)]
fn first(mode: u32, id: u32) -> bool {
    if mode == UNREAD {
        let number = std::env::var("DICEC_MUTANT").ok();
        let number: Option<u32> = number.map(|text| text.parse().expect("DICEC_MUTANT is a number"));
        let recording = std::env::var_os("DICEC_REACHED").is_some();
        let mode = match number {
            Some(number) => NONE + number,
            None if recording => RECORDING,
            None => NONE,
        };
        MODE.store(mode, Relaxed);
        return on(id);
    }
    if !REACHED[id as usize].swap(true, Relaxed) {
        let path = std::env::var_os("DICEC_REACHED").expect("it was there before");
        let mut file = std::fs::OpenOptions::new();
        let mut file = file.create(true).append(true).open(path).expect("a file that can be written");
        // At once, so that lines of several threads do not mix.
        file.write_all(format!("{id}\n").as_bytes()).expect("a file that can be written");
    }
    false
}
"#;

/// Lints that mutants offend; some are errors by default.
const ALLOWED: &str =
    "#![allow(warnings, arithmetic_overflow, unconditional_panic, overflowing_literals)]";

/// The module for mutants of numbers up to `last`.
pub(crate) fn module(last: u32) -> String {
    format!("{MODULE}\nconst COUNT: usize = {last} + 1;\n")
}

/// Adds the module to a tree, for mutants of numbers up to `last`.
pub(crate) fn add(tree: &Path, last: u32) -> io::Result<()> {
    fs::write(tree.join(BELOW).join("mutants.rs"), module(last))?;
    edit(tree, BELOW, |text| {
        format!("{text}\n#[allow(missing_docs)]\n#[doc(hidden)]\npub mod mutants;\n")
    })?;
    // Lines keep their numbers.
    CRATES
        .iter()
        .try_for_each(|source| edit(tree, source, |text| format!("{ALLOWED} {text}")))
}

/// Edits the root of a crate.
fn edit(tree: &Path, source: &str, edited: impl Fn(String) -> String) -> io::Result<()> {
    let root = tree.join(source).join("lib.rs");
    let text = fs::read_to_string(&root)?;
    fs::write(root, edited(text))
}
