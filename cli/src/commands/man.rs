//! `dicec man`: the manual pages.

use crate::error::CliError;
use crate::output;
use clap::{Args, Command};
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
    #[arg(value_parser = ["roll", "odds", "best", "sim", "batch", "sql", "describe", "check", "fmt", "emit", "explain", "encounter", "day", "character", "bestiary", "dh2e", "features", #[cfg(feature = "serve")] "serve", "repl", "completions", "man", "licenses"])]
    command: Option<String>,
}

pub(crate) fn run(args: &ManArgs, mut cli: Command) -> Result<(), CliError> {
    cli.build();
    let command = args.command.as_ref();
    // clap lets only names of commands through; the test below holds the two lists together.
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

#[cfg(test)]
mod tests {
    use crate::cli::Cli;
    use clap::{Command, CommandFactory};

    #[test]
    fn every_command_has_a_page() {
        let cli = Cli::command();
        let man = cli.find_subcommand("man").expect("it is this one");
        let argument = man.get_arguments().next().expect("it has one");
        let values = argument.get_possible_values();
        let mut pages: Vec<&str> = values.iter().map(|value| value.get_name()).collect();
        let mut names: Vec<&str> = cli.get_subcommands().map(Command::get_name).collect();
        pages.sort_unstable();
        names.sort_unstable();
        assert_eq!(pages, names);
    }
}
