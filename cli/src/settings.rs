//! The user's settings, in a configuration file and in environment variables: the dialect, colours,
//! and the folders of sheets. Flags override variables, variables override the file.

use crate::error::{CliError, FileCode, Finding};
use crate::location::line_and_column;
use anstream::ColorChoice;
use dicec_exact::{SHORTCUTS, Shortcuts};
use dicec_lang::syntax::nearest;
use dicec_native::pass::{Pass, Switches, WrongSwitch};
use etcetera::BaseStrategy;
use serde::Deserialize;
use std::env;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Names the configuration file; empty for none.
const FILE: &str = "DICEC_CONFIG";
const DIALECT: &str = "DICEC_DIALECT";
const COLOUR: &str = "DICEC_COLOUR";
const BESTIARY: &str = "DICEC_BESTIARY";

const DIALECTS: [&str; 2] = ["rulebook", "notation"];
const COLOURS: [&str; 3] = ["auto", "always", "never"];

/// The settings of a user; what is not set is left to each command.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Settings {
    /// The dialect of rules.
    pub(crate) dialect: Option<String>,
    /// When reports have colours.
    #[serde(alias = "color")]
    colour: Option<String>,
    /// Folders in which sheets and tables are looked for, too.
    #[serde(default)]
    pub(crate) bestiary: Vec<PathBuf>,
}

/// The maximum number of bytes of a configuration: a path may lead to something without an end.
const MAX_BYTES: u64 = 64 << 10;

/// The text of a file that is not long.
pub(crate) fn bounded(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let read = File::open(path)?
        .take(MAX_BYTES + 1)
        .read_to_string(&mut text)?;
    match read as u64 > MAX_BYTES {
        true => Err(io::Error::other(format!(
            "it has more than {MAX_BYTES} bytes"
        ))),
        false => Ok(text),
    }
}

impl Settings {
    /// Those of the file, overridden by those of the environment.
    ///
    /// # Errors
    /// A file that cannot be read or is not one, or a value that means nothing.
    pub(crate) fn load() -> Result<Self, CliError> {
        let mut settings = match file() {
            Some((path, is_wanted)) => Self::of_file(&path, is_wanted)?,
            None => Self::default(),
        };
        settings.dialect = variable(DIALECT).or(settings.dialect);
        settings.colour = variable(COLOUR).or(settings.colour);
        if let Some(folders) = env::var_os(BESTIARY).filter(|folders| !folders.is_empty()) {
            settings.bestiary = env::split_paths(&folders).collect();
        }
        check_switches()?;
        check_shortcuts()?;
        settings.check()
    }

    fn of_file(path: &Path, is_wanted: bool) -> Result<Self, CliError> {
        let origin = path.display().to_string();
        let text = match bounded(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound && !is_wanted => {
                return Ok(Self::default());
            }
            Err(error) => {
                let message = format!("cannot read the configuration: {error}");
                let code = FileCode::Unreadable.as_str();
                return Err(Finding::in_file(code, &origin, None, message).into());
            }
        };
        let mut settings: Self = toml::from_str(&text).map_err(|error| {
            let place = error.span().map(|span| line_and_column(&text, span.start));
            let message = error.message().to_owned();
            let finding = Finding::in_file(FileCode::BadSettings.as_str(), &origin, place, message);
            CliError::from(finding.help(
                "the settings are: dialect = \"notation\", colour = \"never\", bestiary = [\"folder\"]",
            ))
        })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let home = etcetera::home_dir().ok();
        for written in &mut settings.bestiary {
            *written = match (written.strip_prefix("~"), &home) {
                (Ok(rest), Some(home)) => home.join(rest),
                _ => folder.join(&written),
            };
        }
        Ok(settings)
    }

    fn check(self) -> Result<Self, CliError> {
        for (name, variable, value, known) in [
            ("dialect", DIALECT, &self.dialect, &DIALECTS[..]),
            ("colour", COLOUR, &self.colour, &COLOURS[..]),
        ] {
            let Some(value) = value.as_deref().filter(|value| !known.contains(value)) else {
                continue;
            };
            let message = format!("the {name} in {variable} or the configuration is {value:?}");
            let help = match nearest(value, known.iter().copied()) {
                Some(near) => format!("did you mean {near}?"),
                None => format!("it can be: {}", known.join(", ")),
            };
            let finding = Finding::general(FileCode::BadSettings.as_str(), message);
            return Err(finding.help(help).into());
        }
        Ok(self)
    }

    /// Lets reports have colours, or not; `NO_COLOR` and its like decide where nothing is set.
    pub(crate) fn apply_colour(&self) {
        match self.colour.as_deref() {
            Some("always") => ColorChoice::Always.write_global(),
            Some("never") => ColorChoice::Never.write_global(),
            _ => {}
        }
    }
}

/// Reports variables that switch passes of the compiler off, but say nothing.
fn check_switches() -> Result<(), CliError> {
    let Err(wrong) = Switches::from_environment() else {
        return Ok(());
    };
    let names = Pass::ALL.iter().map(|pass| pass.name);
    let help = match &wrong {
        WrongSwitch::NoPass(name) => match nearest(name, names) {
            Some(near) => format!("did you mean -{near}?"),
            None => "`dicec emit --help` lists the passes".to_owned(),
        },
        WrongSwitch::NoSign(name) => format!("to switch a pass off, write -{name}"),
        WrongSwitch::NoNumber(_) => "write a whole number, such as 20".to_owned(),
    };
    let finding = Finding::general(FileCode::BadSettings.as_str(), wrong.to_string());
    Err(finding.help(help).into())
}

/// The configuration file, and whether the user named it.
fn file() -> Option<(PathBuf, bool)> {
    match env::var_os(FILE) {
        Some(path) if path.is_empty() => None,
        Some(path) => Some((path.into(), true)),
        None => {
            let folders = etcetera::choose_base_strategy().ok()?;
            Some((
                folders.config_dir().join("dicec").join("config.toml"),
                false,
            ))
        }
    }
}

/// The shortcuts of exact odds that a variable switches off have to be some.
fn check_shortcuts() -> Result<(), CliError> {
    let Err(unknown) = Shortcuts::from_environment() else {
        return Ok(());
    };
    let names = || SHORTCUTS.iter().map(|shortcut| shortcut.name);
    let word = unknown.word.trim_start_matches(['-', '+']);
    let help = match nearest(word, names()) {
        Some(near) => format!("did you mean `-{near}`?"),
        None => {
            let names: Vec<&str> = names().collect();
            format!(
                "write `-` or `+` before one of these: all, {}",
                names.join(", ")
            )
        }
    };
    let message = format!("in {}, {unknown}", Shortcuts::VARIABLE);
    let finding = Finding::general(FileCode::BadSettings.as_str(), message);
    Err(finding.help(help).into())
}

/// A variable that is set to something.
fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}
