//! Accepts flags before the command: `dicec -d notation odds 4dF`, although clap wants them after
//! it.

use clap::Command;
use std::ffi::OsString;

/// The arguments with the command in front of the flags that precede it.
pub(crate) fn command_first(mut args: Vec<OsString>, cli: &Command) -> Vec<OsString> {
    let mut at = 1;
    while let Some(text) = args.get(at).and_then(|arg| arg.to_str()) {
        match width_of_flag(text, cli) {
            Some(width) => at += width,
            None => break,
        }
    }
    let is_command = args
        .get(at)
        .is_some_and(|name| cli.find_subcommand(name).is_some());
    if at > 1 && is_command {
        args[1..=at].rotate_right(1);
    }
    args
}

/// How many arguments a flag takes up with its value; `None` if this is not a flag.
fn width_of_flag(text: &str, cli: &Command) -> Option<usize> {
    let (flag, has_value) = match text.strip_prefix("--") {
        Some(long) => {
            let (name, value) = long
                .split_once('=')
                .map_or((long, false), |(name, _)| (name, true));
            let mut flags = cli.get_arguments();
            (flags.find(|flag| flag.get_long() == Some(name))?, value)
        }
        None => {
            let mut letters = text.strip_prefix('-')?.chars();
            let letter = letters.next()?;
            let mut flags = cli.get_arguments();
            let flag = flags.find(|flag| flag.get_short() == Some(letter))?;
            (flag, letters.next().is_some())
        }
    };
    let wants_value = flag.get_action().takes_values() && !has_value;
    Some(if wants_value { 2 } else { 1 })
}

#[cfg(test)]
mod tests {
    use super::command_first;
    use crate::cli::Cli;
    use clap::CommandFactory;
    use std::ffi::OsString;

    #[test]
    fn a_command_comes_first() {
        for (typed, ordered) in [
            ("dicec --json roll d6", "dicec roll --json d6"),
            ("dicec -d notation odds 4dF", "dicec odds -d notation 4dF"),
            (
                "dicec -dnotation --json odds 4dF",
                "dicec odds -dnotation --json 4dF",
            ),
            (
                "dicec --dialect=notation odds 4dF",
                "dicec odds --dialect=notation 4dF",
            ),
            ("dicec -r Strength=4 sim d6", "dicec sim -r Strength=4 d6"),
            ("dicec -f odds", "dicec -f odds"),
            ("dicec 2d6 odds", "dicec 2d6 odds"),
            ("dicec --unknown odds", "dicec --unknown odds"),
            ("dicec --json", "dicec --json"),
        ] {
            let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
            let found = command_first(words(typed), &Cli::command());
            assert_eq!(found, words(ordered), "{typed}");
        }
    }
}
