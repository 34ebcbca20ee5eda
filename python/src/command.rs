//! `python -m dicec`: the command itself.

use pyo3::prelude::*;
use std::ffi::OsString;
use std::io::Write;

/// Run the command `dicec` with these words, of which the first is its name; gives its exit code.
///
/// It is for a process of its own: it takes Ctrl-C, and prints to the process' standard output.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, words: Vec<OsString>) -> PyResult<u8> {
    py.detach(|| {
        let code = dicec::run(words);
        // At the end of a program of Rust, its runtime would do this.
        std::io::stdout().flush()?;
        Ok(code.into())
    })
}
