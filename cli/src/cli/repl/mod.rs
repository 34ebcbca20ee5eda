//! `dicec repl`: a session at the keyboard.
//!
//! ```text
//! editor (rustyline) --a line--> entry (what it asks for) --> memory (what is remembered)
//!                                                                |
//!                                     the command line, as if typed: dicec odds ...
//! ```
//!
//! An entry is run as the command line that it represents, with the stored flags, so everything
//! that a command can do works here, in the same words.

mod editor;
mod entry;
mod memory;

use crate::cli;
use crate::error::CliError;
use crate::exit::ExitCode;
use crate::interrupt;
use crate::output;
use crate::report::Reporter;
use clap::Args;
use editor::{Editor, Read};
use entry::Entry;
use memory::Memory;

const EXAMPLES: &str = "\
Examples:
  dicec repl
  dicec repl -r Strength=4 --target goblin.json
  printf '2d6\\n:odds 3d6 --ge 15\\n' | dicec repl

";

/// What a line can be.
const ENTRIES: &str = "\
A line of a session is a rule, the definition of a roll, or one of these:
  :odds RULE --ge 15       the exact odds; any flag of dicec odds works here
  :sim RULE -n 100M        a simulation
  :roll RULE               one roll; with the name of a defined roll, that one
  :compare RULE            the last rule against this one
  :set Strength=4          a resource from now on: a number, or dice
  :set --target orc.json   any other flag that all commands have
  :set, :unset Strength    what is set, and no longer
  :load attack.dice        the rolls of a script
  :explain D0012           what a message means
  :check, :emit            as the commands of these names
  :help, :quit
";

/// Ask about rules and scripts in a session that remembers resources, flags and rolls
#[derive(Args, Debug)]
#[command(after_help = [EXAMPLES, ENTRIES].concat())]
pub(crate) struct ReplArgs {
    /// Flags that hold in all of the session, such as -r Strength=4
    #[arg(
        value_name = "FLAGS",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    flags: Vec<String>,
}

/// Runs a session. Its exit code tells of failures where nobody sees them: if the entries are not
/// typed.
pub(crate) fn run(args: &ReplArgs) -> Result<ExitCode, CliError> {
    let mut memory = Memory::default();
    memory.set(&args.flags)?;
    let mut editor = Editor::new()?;
    if editor.is_at_terminal() {
        output::print("a rule, or :help; Ctrl-D ends the session\n")?;
    }
    let mut code = ExitCode::SUCCESS;
    loop {
        let text = match editor.read(&memory)? {
            Read::Line(text) => text,
            Read::Interrupted => continue,
            Read::End => return Ok(code),
        };
        let answered = match Entry::of(&text) {
            Entry::Nothing => continue,
            Entry::Quit => return Ok(code),
            entry => answer(entry, &mut memory),
        };
        interrupt::forget();
        let ended = match answered {
            Ok(ended) => ended,
            Err(error) if error.is_closed_pipe() => return Ok(code),
            Err(error) => {
                Reporter::new(false).error(&error);
                ExitCode::FAILURE
            }
        };
        if ended != ExitCode::SUCCESS && !editor.is_at_terminal() {
            code = ExitCode::FAILURE;
        }
    }
}

/// Does what an entry asks for.
fn answer(entry: Entry<'_>, memory: &mut Memory) -> Result<ExitCode, CliError> {
    match entry {
        Entry::Nothing | Entry::Quit => Ok(()),
        Entry::Help => output::print(ENTRIES),
        Entry::Settings => output::print(&memory.listed()),
        Entry::Set(words) => memory.set(&words),
        Entry::Unset(name) => memory.unset(name),
        Entry::Load(path) => memory.load(path),
        Entry::Definition(text) => memory.define(text),
        Entry::Unknown(word) => Err(entry::unknown(word).into()),
        Entry::Explain(code) => return Ok(cli::run_line(["explain".into(), code.into()])),
        Entry::Rule {
            command,
            rule,
            flags,
        } => return Ok(cli::run_line(memory.line(command, rule, flags)?)),
        Entry::Compare { rule, flags } => {
            return Ok(cli::run_line(memory.comparison(rule, flags)?));
        }
    }?;
    Ok(ExitCode::SUCCESS)
}
