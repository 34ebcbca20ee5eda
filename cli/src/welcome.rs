//! The output of `dicec` without arguments: its abilities, and examples to try.

use crate::error::CliError;
use crate::output;

const WELCOME: &str = "\
Rolls and exact odds of dice: of rules, tables of rules, and scripts (FILE.dice).
  dicec 4d6kh3                                one roll, and the odds
  dicec odds '1d20+5 >= 15 ? 1d8+3 : 0'       the damage of an attack
  dicec repl                                  a session that remembers names
dicec --help lists the commands; docs/cookbook.md has the dice of many games.
";

pub(crate) fn run() -> Result<(), CliError> {
    output::print(WELCOME)
}
