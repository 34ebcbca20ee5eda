//! The command line as a whole: its definition for clap, and the end of a run. `repl` runs
//! others, one after the other.

mod repl;

use crate::batch;
#[cfg(feature = "serve")]
use crate::commands::serve;
use crate::commands::{
    best, bestiary, character, check, completions, describe, emit, explain, fmt, licenses, man,
    odds, roll, show, sim, sql,
};
use crate::day;
use crate::dh2e;
use crate::encounter;
use crate::error::CliError;
use crate::exit::ExitCode;
use crate::features;
use crate::guard::guard;
use crate::interrupt::interrupted;
use crate::misnamed::misnamed;
use crate::order::command_first;
use crate::output;
use crate::report::Reporter;
use crate::settings::Settings;
use crate::view::{limits_page, settled_command};
use crate::welcome;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;

const EXAMPLES: &str = "\
Examples:
  dicec 2d6+3                            one roll, and the exact odds
  dicec '1d20 + [Attack] >= [Target Defense]' -r Attack=6 -t Defense=12
  dicec --jit 3d6                        the odds from ten million native trials
  dicec roll --faces 4,2,5 3d6           the dice that you rolled yourself
  dicec sim -n 100M '(1d8 + 4) * 2 - 3'

An expression has dice (2d6, d20), numbers, your resources ([Name]), the target's ([Target Name]), \
+\u{a0}-\u{a0}*\u{a0}/ and parentheses; / rounds down. A comparison (=\u{a0}!=\u{a0}<\u{a0}>\u{a0}<=\u{a0}>=) makes a check. Quote what the shell would read itself: ( ) [ ] * < >";

/// The compiler for tabletop dice: rolls, exact odds, native simulation
#[derive(Debug, Parser)]
#[command(
    name = "dicec",
    version,
    after_help = EXAMPLES,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) show: show::ShowArgs,
}

/// The commands; without one, a rule is rolled and its odds are shown.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Roll(roll::RollArgs),
    Odds(odds::OddsArgs),
    Best(best::BestArgs),
    Sim(sim::SimArgs),
    Batch(batch::args::BatchArgs),
    Sql(sql::SqlArgs),
    Check(check::CheckArgs),
    Describe(describe::DescribeArgs),
    Fmt(fmt::FmtArgs),
    Emit(emit::EmitArgs),
    Explain(explain::ExplainArgs),
    Encounter(Box<encounter::EncounterArgs>),
    Day(Box<day::DayArgs>),
    Dh2e(dh2e::Dh2eArgs),
    Features(features::FeaturesArgs),
    Bestiary(bestiary::BestiaryArgs),
    Character(character::CharacterArgs),
    #[cfg(feature = "serve")]
    Serve(serve::ServeArgs),
    Repl(repl::ReplArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
    Licenses(licenses::LicensesArgs),
}

impl Cli {
    /// Runs the command; `cli` is the definition of all of them, without settings.
    fn run(&self, cli: clap::Command) -> Result<ExitCode, CliError> {
        match &self.command {
            None => return show::run(&self.show, &cli),
            Some(Command::Roll(args)) => roll::run(args),
            Some(Command::Odds(args)) => odds::run(args),
            Some(Command::Best(args)) => best::run(args),
            Some(Command::Sim(args)) => return sim::run(args),
            Some(Command::Batch(args)) => return batch::run(args),
            Some(Command::Sql(args)) => return sql::run(args),
            Some(Command::Check(args)) => check::run(args),
            Some(Command::Describe(args)) => describe::run(args),
            Some(Command::Fmt(args)) => fmt::run(args),
            Some(Command::Emit(args)) => emit::run(args),
            Some(Command::Explain(args)) => explain::run(args),
            Some(Command::Encounter(args)) => return encounter::run(args),
            Some(Command::Day(args)) => return day::run(args),
            Some(Command::Dh2e(args)) => return dh2e::run(args),
            Some(Command::Features(args)) => features::run(args),
            Some(Command::Bestiary(args)) => bestiary::run(args),
            Some(Command::Character(args)) => character::run(args),
            #[cfg(feature = "serve")]
            Some(Command::Serve(args)) => return serve::run(args),
            Some(Command::Repl(args)) => return repl::run(args),
            Some(Command::Completions(args)) => completions::run(args, cli),
            Some(Command::Man(args)) => man::run(args, cli),
            Some(Command::Licenses(_)) => licenses::run(),
        }?;
        Ok(ExitCode::SUCCESS)
    }

    fn reporter(&self) -> Reporter {
        let json = match &self.command {
            None => self.show.shared.json,
            Some(Command::Roll(args)) => args.shared.json,
            Some(Command::Odds(args)) => args.shared.json,
            Some(Command::Best(args)) => args.shared.json,
            Some(Command::Sim(args)) => args.shared.json,
            Some(Command::Batch(args)) => args.shared.json,
            Some(Command::Check(args)) => args.shared.json,
            Some(Command::Describe(args)) => args.shared.json,
            Some(Command::Fmt(args)) => args.json,
            Some(Command::Emit(args)) => args.shared.json,
            Some(Command::Explain(args)) => args.json,
            Some(Command::Encounter(args)) => args.json,
            Some(Command::Day(args)) => args.json,
            Some(Command::Dh2e(args)) => args.json(),
            Some(Command::Features(args)) => args.json(),
            Some(Command::Bestiary(args)) => args.json(),
            Some(Command::Character(args)) => args.json,
            #[cfg(feature = "serve")]
            Some(Command::Serve(_)) => false,
            // What is wrong with a statement, its own program tells.
            Some(
                Command::Sql(_)
                | Command::Repl(_)
                | Command::Completions(_)
                | Command::Man(_)
                | Command::Licenses(_),
            ) => false,
        };
        Reporter::new(json)
    }
}

/// Runs the command line; the exit code is 0, 1 for an error, 2 for a command line that makes no
/// sense, 3 for an answer that its check refutes, and 130 after Ctrl-C.
pub(crate) fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().collect();
    if args.len() < 2 {
        return ended(welcome::run(), Reporter::new(false));
    }
    run_words(guard(args))
}

/// Runs what somebody typed in a session: the words behind `dicec`.
pub(crate) fn run_line(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    run_words(guard(with_name(words)))
}

/// Whether these words behind `dicec` make sense.
///
/// # Errors
/// What is wrong with them.
pub(crate) fn parses(words: impl IntoIterator<Item = OsString>) -> Result<(), String> {
    let parsed = Cli::command().try_get_matches_from(guard(with_name(words)));
    parsed.map(drop).map_err(|error| {
        let text = error.render().to_string();
        let first = text.lines().next().unwrap_or_default();
        first.trim_start_matches("error: ").to_owned()
    })
}

fn with_name(words: impl IntoIterator<Item = OsString>) -> impl Iterator<Item = OsString> {
    [OsString::from("dicec")].into_iter().chain(words)
}

fn run_words(args: Vec<OsString>) -> ExitCode {
    let mut definition = Cli::command();
    let args = command_first(args, &definition);
    let json = args.iter().any(|arg| arg == "--json");
    if let Some(page) = limits_page(&args, &definition) {
        return ended(output::print(&page), Reporter::new(json));
    }
    let settings = match Settings::load() {
        Ok(settings) => settings,
        Err(error) => return ended(Err(error), Reporter::new(json)),
    };
    settings.apply_colour();
    let parsed = match misnamed(&args, &mut definition) {
        Some(error) => Err(error),
        None => settled_command(definition.clone(), &settings)
            .try_get_matches_from(&args)
            .and_then(|matches| Cli::from_arg_matches(&matches)),
    };
    match parsed {
        Ok(cli) => match cli.run(definition) {
            Ok(code) => code,
            Err(error) => ended(Err(error), cli.reporter()),
        },
        Err(error) => Reporter::new(json).usage(&error),
    }
}

/// Tells an error; gives the exit code.
fn ended(result: Result<(), CliError>, reporter: Reporter) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is_closed_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            reporter.error(&error);
            match (error.is_interrupt(), error.is_wrong_answer()) {
                (true, _) => interrupted(),
                (false, true) => ExitCode::WRONG_ANSWER,
                (false, false) => ExitCode::FAILURE,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Finding;
    use dicec_compiler::Failure;
    use dicec_compiler::answer::Checked;
    use dicec_compiler::unstable::WrongAnswer;
    use dicec_lang::syntax::Sources;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    /// A wrong answer that was planted: nothing but a code of its own is seen of it outside.
    #[test]
    fn a_wrong_answer_has_an_exit_code_of_its_own() {
        let wrong = Failure::WrongAnswer(Box::new(WrongAnswer {
            part: "the mean".to_owned(),
            answer: "8.7554".to_owned(),
            check: "12.2446".to_owned(),
            engine: "exact odds",
            checked: Checked::default(),
            program: "4d6kh3".to_owned(),
            seed: None,
            command: "dicec emit --verify '4d6kh3'".to_owned(),
        }));
        let error = CliError::failure(&wrong, &Sources::single("", "4d6kh3"));
        let found = &error.findings[0];
        assert_eq!(found.code, "D0902");
        let help = found.help.as_deref().expect("what to do");
        for part in ["dicec emit --verify '4d6kh3'", "--no-check", "report it"] {
            assert!(help.contains(part), "{help}");
        }
        assert_eq!(
            ended(Err(error), Reporter::new(true)),
            ExitCode::WRONG_ANSWER
        );
        let other = CliError::from(Finding::general("D0101", "another"));
        assert_eq!(ended(Err(other), Reporter::new(true)), ExitCode::FAILURE);
    }

    /// clap wraps long lines, which is good for paragraphs only.
    #[test]
    fn examples_fit_a_narrow_terminal() {
        let cli = Cli::command();
        for command in std::iter::once(&cli).chain(cli.get_subcommands()) {
            let after = [command.get_after_help(), command.get_after_long_help()];
            for text in after.into_iter().flatten() {
                let text = text.to_string();
                let examples = text.lines().filter(|line| line.starts_with("  "));
                for line in examples {
                    assert!(line.len() <= 80, "{}: {line}", command.get_name());
                }
            }
        }
    }
}
