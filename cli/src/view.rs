//! The command line for display: the user's settings are its defaults, and limits, which few need,
//! have a page of their own.

use crate::args::dialects_with_anydice;
use crate::settings::Settings;
use clap::builder::{OsStr, Resettable};
use clap::{Arg, ArgAction, Command};
use std::ffi::OsString;

/// The heading of the limits.
const LIMITS: &str = "Limits";
const LIMITS_ONLY: &str = "help-limits";

/// The command line with these settings, its limits hidden.
pub(crate) fn settled_command(cli: Command, settings: &Settings) -> Command {
    let is_limit = |arg: &Arg| arg.get_help_heading() == Some(LIMITS);
    each(cli, &|command| {
        let has_anydice = ["odds", "sim", "roll", "batch", "emit"].contains(&command.get_name());
        let settled = command.mut_args(|arg| match (has_anydice, arg.get_id().as_str()) {
            (true, "dialect") => settled(arg, settings).value_parser(dialects_with_anydice()),
            _ => settled(arg, settings),
        });
        let has_limits = settled.get_arguments().any(is_limit);
        let shown = settled.mut_args(|arg| {
            let is_hidden = is_limit(&arg);
            let is_hidden = is_hidden || arg.is_hide_set();
            arg.hide(is_hidden)
        });
        match has_limits {
            true => shown.arg(limits_flag()),
            false => shown,
        }
    })
}

fn limits_flag() -> Arg {
    Arg::new(LIMITS_ONLY)
        .long(LIMITS_ONLY)
        .action(ArgAction::SetTrue)
        .help_heading(Resettable::Reset)
        .help("Print the limits on dice, texts and work, and the flags that raise them")
}

/// The command and all of its subcommands, each changed.
fn each(command: Command, change: &dyn Fn(Command) -> Command) -> Command {
    change(command).mut_subcommands(|command| each(command, change))
}

fn settled(arg: Arg, settings: &Settings) -> Arg {
    match (arg.get_id().as_str(), &settings.dialect) {
        ("dialect", Some(dialect)) => arg.default_value(dialect.clone()),
        ("bestiary", _) if !settings.bestiary.is_empty() => {
            let folders = settings
                .bestiary
                .iter()
                .map(|folder| OsStr::from(folder.clone().into_os_string()));
            arg.default_values(folders.collect::<Vec<OsStr>>())
        }
        _ => arg,
    }
}

/// The page of limits, if these arguments ask for it.
pub(crate) fn limits_page(args: &[OsString], cli: &Command) -> Option<String> {
    let flag = format!("--{LIMITS_ONLY}");
    let mut flags = args.iter().take_while(|arg| *arg != "--");
    if !flags.any(|arg| *arg == *flag) {
        return None;
    }
    let mut command = cli;
    let mut heading = "The limits of dicec".to_owned();
    for name in args.iter().skip(1) {
        let Some(inner) = command.find_subcommand(name) else {
            break;
        };
        heading += &format!(" {}", inner.get_name());
        command = inner;
    }
    let command = command.clone();
    let mut page = command
        .disable_help_flag(true)
        .disable_version_flag(true)
        .disable_help_subcommand(true)
        .help_template("{about}\n\n{options}")
        .about(heading)
        .mut_args(|arg| {
            let other = arg.get_help_heading() != Some(LIMITS);
            arg.hide(other)
        });
    Some(page.render_help().to_string())
}
