//! `dicec man`: the manual pages.

use crate::cli::Cli;
use crate::error::CliError;
use crate::output;
use clap::{Args, CommandFactory};
use clap_mangen::Man;

const EXAMPLES: &str = "\
Examples:
  dicec man | man -l -
  dicec man sim > ~/.local/share/man/man1/dicec-sim.1";

/// Print the manual page, or that of a command
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ManArgs {
    /// The command
    #[arg(value_parser = ["roll", "odds", "sim", "batch", "check", "emit", "completions", "man"])]
    command: Option<String>,
}

pub(crate) fn run(args: &ManArgs) -> Result<(), CliError> {
    let mut cli = Cli::command();
    cli.build();
    let command = args.command.as_ref();
    // clap lets only names of commands through; a test holds the two lists together.
    let page = command
        .and_then(|name| cli.find_subcommand(name))
        .unwrap_or(&cli)
        .clone();
    let mut text = Vec::new();
    Man::new(page)
        .render(&mut text)
        .map_err(output::write_failed)?;
    output::print(&String::from_utf8_lossy(&text))
}
