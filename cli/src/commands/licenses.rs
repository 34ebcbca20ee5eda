//! `dicec licenses`: the terms of this command, of the font that it carries and of the crates that
//! are linked into it.

use crate::error::CliError;
use crate::output;
use clap::Args;

const TERMS: &str = "\
dicec is licensed under the MIT licence or the Apache License, Version 2.0, at your choice. Its pictures are
drawn with Noto Sans, which is licensed under the SIL Open Font License 1.1. The texts of the MIT licence and
of the Open Font License follow, and then the licences of the crates that are linked into it.";

const MIT: &str = include_str!("../../LICENSE-MIT");

const OPEN_FONT: &str = include_str!("../../licenses/NotoSans-OFL.txt");

/// Written by `packaging/licenses`.
const CRATES: &str = include_str!("../../licenses/crates.txt");

/// Print the licences of this command, of its font and of the crates linked into it
#[derive(Args, Debug)]
pub(crate) struct LicensesArgs {}

pub(crate) fn run() -> Result<(), CliError> {
    let texts = [TERMS, MIT, OPEN_FONT, CRATES].map(str::trim_end);
    output::print(&format!("{}\n", texts.join("\n\n")))
}
