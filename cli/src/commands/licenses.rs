//! `dicec licenses`: the terms of this command and of the font that it carries.

use crate::error::CliError;
use crate::output;
use clap::Args;

const TERMS: &str = "\
dicec is licensed under the MIT licence or the Apache License, Version 2.0, at your choice. Its pictures are
drawn with Noto Sans, which is licensed under the SIL Open Font License 1.1. The texts of the MIT licence and
of the Open Font License follow.";

const MIT: &str = include_str!("../../LICENSE-MIT");

const OPEN_FONT: &str = include_str!("../../licenses/NotoSans-OFL.txt");

/// Print the licences of this command and of its font
#[derive(Args, Debug)]
pub(crate) struct LicensesArgs {}

pub(crate) fn run() -> Result<(), CliError> {
    output::print(&format!(
        "{TERMS}\n\n{}\n\n{}\n",
        MIT.trim_end(),
        OPEN_FONT.trim_end()
    ))
}
