//! `dicec completions`: completion scripts for shells.

use crate::error::CliError;
use crate::output;
use clap::{Args, Command};
use clap_complete::Shell;

const EXAMPLES: &str = "\
Examples:
  dicec completions bash > ~/.local/share/bash-completion/completions/dicec
  dicec completions zsh > ~/.zfunc/_dicec
  dicec completions fish > ~/.config/fish/completions/dicec.fish";

/// Print the completions for a shell
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(args: &CompletionsArgs, mut cli: Command) -> Result<(), CliError> {
    // clap_complete panics where it cannot write, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut cli, "dicec", &mut script);
    output::print(&String::from_utf8_lossy(&script))
}
