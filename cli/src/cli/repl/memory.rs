//! The state of a session: flags, definitions, a loaded script, and the last rule.

use super::entry;
use crate::cli;
use crate::error::{CliError, FileCode, Finding};
use crate::output;
use crate::rule::read_source;
use dicec_compiler::unstable::ScriptErrors;
use dicec_compiler::{Compiler, Program};
use dicec_lang::front::script::import_file;
use dicec_lang::syntax::SourceLimits;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// What a session remembers.
#[derive(Default)]
pub(super) struct Memory {
    /// What was set, by what it sets, and the words of the command line for it.
    settings: Vec<(String, Vec<String>)>,
    /// What was defined, by its name.
    definitions: Vec<(String, String)>,
    defined: Option<Script>,
    loaded: Option<Script>,
    last: Option<String>,
}

/// A script in a file, and the rolls that it defines.
struct Script {
    path: PathBuf,
    rolls: Vec<String>,
    /// The folder of a file that holds what was defined here.
    _folder: Option<TempDir>,
}

impl Memory {
    /// Remembers flags and resources.
    ///
    /// # Errors
    /// A flag that is not one of all commands, or a resource that is neither a number nor dice.
    pub(super) fn set(&mut self, words: &[String]) -> Result<(), CliError> {
        let mut settings = self.settings.clone();
        for (name, words) in assignments(words) {
            settings.retain(|(known, _)| *known != name);
            settings.push((name, words));
        }
        let words = settings.iter().flat_map(|(_, words)| words);
        let line = ["check", "1"].map(OsString::from).into_iter();
        cli::parses(line.chain(words.map(OsString::from))).map_err(|message| {
            let finding = Finding::general(FileCode::BadEntry.as_str(), message);
            finding.help("a setting is `Strength=4`, `Damage=2d6+5`, or a flag that every command has, such as `--target goblin.json` or `-d notation`")
        })?;
        self.settings = settings;
        Ok(())
    }

    /// Forgets a setting.
    ///
    /// # Errors
    /// Nothing of this name is set.
    pub(super) fn unset(&mut self, name: &str) -> Result<(), CliError> {
        let before = self.settings.len();
        self.settings
            .retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        if self.settings.len() < before {
            return Ok(());
        }
        let message = format!("nothing is set by the name {name:?}");
        let finding = Finding::general(FileCode::BadEntry.as_str(), message);
        Err(finding.help("`:set` lists what is").into())
    }

    /// What is remembered, for people.
    pub(super) fn listed(&self) -> String {
        let settings = self.settings.iter().map(|(_, words)| {
            shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
        });
        let scripts = [&self.defined, &self.loaded].into_iter().flatten();
        let rolls = scripts.flat_map(|script| &script.rolls);
        let rolls = rolls.map(|roll| format!("roll {roll}"));
        let lines: Vec<String> = settings.chain(rolls).collect();
        match lines.is_empty() {
            true => "nothing is set: `:set Strength=4` sets a resource\n".to_owned(),
            false => lines.join("\n") + "\n",
        }
    }

    /// Takes the rolls of a script.
    ///
    /// # Errors
    /// A file that cannot be read, or what is wrong with it.
    pub(super) fn load(&mut self, path: &str) -> Result<(), CliError> {
        let path = Path::new(path);
        let limits = SourceLimits::default();
        let (origin, text) = read_source(path, true, "script", limits)?;
        let mut load = |importer: &str, written: &str| import_file(importer, written, limits);
        let program = Compiler::new().script_file(&origin, &text, &mut load);
        let rolls = rolls(program)?;
        output::print(&format!("rolls: {}\n", rolls.join(", ")))?;
        self.loaded = Some(Script {
            path: path.to_owned(),
            rolls,
            _folder: None,
        });
        Ok(())
    }

    /// Adds a definition, in place of an earlier one of the same name.
    ///
    /// # Errors
    /// What is wrong with it, or a file that cannot be written.
    pub(super) fn define(&mut self, text: &str) -> Result<(), CliError> {
        let name = name_of(text).to_owned();
        let mut definitions = self.definitions.clone();
        match definitions.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => text.clone_into(old),
            None => definitions.push((name.clone(), text.to_owned())),
        }
        let parts = definitions.iter().map(|(_, text)| text.as_str());
        let whole = parts.collect::<Vec<_>>().join("\n\n") + "\n";
        let mut load = |_: &str, _: &str| Err("load a file with `:load`".to_owned());
        let program = Compiler::new().script_file("session", &whole, &mut load);
        let rolls = rolls(program)?;
        let unwritable = |error: std::io::Error| {
            let message = format!("cannot keep the definition: {error}");
            CliError::from(Finding::general(FileCode::Unwritable.as_str(), message))
        };
        let folder = TempDir::new().map_err(unwritable)?;
        let path = folder.path().join("session.dice");
        fs::write(&path, whole).map_err(unwritable)?;
        output::print(&format!("defined: {name}\n"))?;
        self.definitions = definitions;
        self.defined = Some(Script {
            path,
            rolls,
            _folder: Some(folder),
        });
        Ok(())
    }

    /// The command line of a command about a rule, or about the last one.
    ///
    /// # Errors
    /// Nothing was asked about so far.
    pub(super) fn line(
        &mut self,
        command: Option<&str>,
        rule: &str,
        flags: Vec<String>,
    ) -> Result<Vec<OsString>, CliError> {
        if rule.is_empty() {
            // Flags may come first, as in `:roll --faces 4 d6`.
            let line: Vec<String> = command
                .map(str::to_owned)
                .into_iter()
                .chain(flags.clone())
                .collect();
            if cli::parses(line.iter().map(OsString::from)).is_ok() {
                return Ok(self.finished(line, Vec::new()));
            }
        }
        let rule = self.rule(rule)?;
        let mut line: Vec<String> = Vec::new();
        match self.script_of(&rule) {
            Some(script) => {
                line.push(command.unwrap_or("roll").to_owned());
                line.push(script.path.display().to_string());
                line.extend(["--roll".to_owned(), rule.clone()]);
            }
            None => line.extend(command.map(str::to_owned).into_iter().chain([rule.clone()])),
        }
        self.last = Some(rule);
        Ok(self.finished(line, flags))
    }

    /// The command line that compares the last rule with this one.
    ///
    /// # Errors
    /// Nothing was asked about so far.
    pub(super) fn comparison(
        &mut self,
        rule: &str,
        flags: Vec<String>,
    ) -> Result<Vec<OsString>, CliError> {
        if rule.is_empty() {
            let finding = Finding::general(
                FileCode::BadEntry.as_str(),
                "a rule to compare with is missing",
            );
            return Err(finding
                .help("`:compare 1d12+3` compares the last rule with this one")
                .into());
        }
        let last = self.rule("")?;
        let line = ["odds", &last, "--compare", rule].map(str::to_owned);
        Ok(self.finished(line.to_vec(), flags))
    }

    fn finished(&self, mut line: Vec<String>, flags: Vec<String>) -> Vec<OsString> {
        line.extend(flags);
        let settings = self.settings.iter().flat_map(|(_, words)| words.clone());
        line.extend(settings);
        line.into_iter().map(OsString::from).collect()
    }

    fn rule(&self, given: &str) -> Result<String, CliError> {
        let last = || self.last.clone();
        let given = Some(given)
            .filter(|rule| !rule.is_empty())
            .map(str::to_owned);
        given.or_else(last).ok_or_else(|| {
            let message = "a rule is missing, and none was asked about before";
            let finding = Finding::general(FileCode::BadEntry.as_str(), message);
            finding.help("write one after it: `:odds 4d6kh3`").into()
        })
    }

    fn script_of(&self, roll: &str) -> Option<&Script> {
        let mut scripts = [&self.defined, &self.loaded].into_iter().flatten();
        scripts.find(|script| script.rolls.iter().any(|known| known == roll))
    }

    /// The names that can be used in rules.
    pub(super) fn names(&self) -> Vec<String> {
        let scripts = [&self.defined, &self.loaded].into_iter().flatten();
        let rolls = scripts.flat_map(|script| script.rolls.clone());
        let resources = self
            .settings
            .iter()
            .filter(|(name, _)| !name.starts_with('-'));
        rolls
            .chain(resources.map(|(name, _)| format!("[{name}]")))
            .collect()
    }
}

/// The rolls of a script.
fn rolls(program: Result<Program, ScriptErrors>) -> Result<Vec<String>, CliError> {
    let program = program.map_err(|errors| CliError::found(&errors.found, &errors.sources))?;
    Ok(program.rolls().map(|roll| roll.name().to_owned()).collect())
}

/// The name that a definition defines: what follows its keyword, and the label of a roll.
fn name_of(text: &str) -> &str {
    let is_name = |word: &&str| word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let unlabelled = match text.find('"').zip(text.find('(')) {
        Some((label, open)) if label < open => text.splitn(3, '"').nth(2).unwrap_or(text),
        _ => text,
    };
    let names = unlabelled.split(|c: char| !c.is_alphanumeric() && c != '_');
    let mut names = names.filter(is_name);
    names
        .find(|name| !entry::DEFINITIONS.contains(name))
        .unwrap_or(text)
}

/// What words set: flags with their values, and resources as `-r NAME=VALUE`.
fn assignments(words: &[String]) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        if word == "dialect" {
            let value = words.next().cloned().unwrap_or_default();
            found.push(("dialect".to_owned(), vec!["-d".to_owned(), value]));
            continue;
        }
        if !word.starts_with('-') {
            let mut whole = word.clone();
            while !whole.contains('=')
                && let Some(more) = words.next()
            {
                whole = format!("{whole} {more}");
            }
            // What follows a name without a flag belongs to its dice: `Damage=2d6 + 5`.
            while let Some(more) =
                words.next_if(|more| !more.starts_with("--") && !more.contains('='))
            {
                whole = format!("{whole} {more}");
            }
            let name = whole
                .split('=')
                .next()
                .unwrap_or_default()
                .trim()
                .to_owned();
            found.push((name, vec!["-r".to_owned(), whole]));
            continue;
        }
        let mut flag = vec![word.clone()];
        flag.extend(words.next_if(|value| !value.starts_with('-')).cloned());
        let name = match (
            word.as_str(),
            flag.get(1).and_then(|value| value.split_once('=')),
        ) {
            ("-r" | "-t" | "--resource" | "--target-resource", Some((name, _))) => name.to_owned(),
            _ => word.clone(),
        };
        found.push((name, flag));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{assignments, name_of};

    #[test]
    fn what_a_definition_defines() {
        for (text, name) in [
            ("defroll \"Full attack\" attack(a: int) { }", "attack"),
            ("deffun damage(bonus: int) : int { return 1; }", "damage"),
            ("const DC = 15;", "DC"),
            ("import std.dnd;", "std"),
        ] {
            assert_eq!(name_of(text), name);
        }
    }

    #[test]
    fn what_words_set() {
        let set = |text: &str| {
            let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            let found = assignments(&words).into_iter();
            found
                .map(|(name, words)| format!("{name}: {}", words.join("|")))
                .collect::<Vec<_>>()
        };
        assert_eq!(set("Strength=4"), ["Strength: -r|Strength=4"]);
        assert_eq!(
            set("Target AC=15 a=1"),
            ["Target AC: -r|Target AC=15", "a: -r|a=1"]
        );
        assert_eq!(set("Damage=2d6 + 5"), ["Damage: -r|Damage=2d6 + 5"]);
        assert_eq!(
            set("-d notation --json"),
            ["-d: -d|notation", "--json: --json"]
        );
        assert_eq!(set("-t AC=15"), ["AC: -t|AC=15"]);
        assert_eq!(set("dialect notation"), ["dialect: -d|notation"]);
    }
}
