//! Sources of resources: sheets, then `-r` and `-t`; later ones override earlier ones.

use crate::error::{CliError, FileCode, Finding};
use crate::number;
use clap::Args;
use dicec_compiler::Compiler;
use dicec_compiler::unstable::{DiceResources, Sheet, is_dice, is_expression, read_sheet};
use dicec_lang::syntax::Sources;
use dicec_runtime::resource::{Owner, ResourceName, ResourceTable};
use std::cell::OnceCell;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A sheet larger than this is not a character sheet.
const MAX_SHEET_BYTES: u64 = 16 << 20;

/// The flags that give resources.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Resources")]
pub(crate) struct ResourceArgs {
    /// A resource of the acting character, a number or dice: -r Strength=4, -r Damage=2d6+5
    #[arg(short = 'r', long = "resource", value_name = "NAME=VALUE", value_parser = assignment)]
    own: Vec<(String, Given)>,
    /// A resource of the target: -t Defense=12 for [Target Defense]
    #[arg(short = 't', long = "target-resource", value_name = "NAME=VALUE", value_parser = assignment)]
    target: Vec<(String, Given)>,
    /// The resources of the acting character: a JSON file of names and whole numbers, `-` for
    /// standard input, or an object in braces; fields of nested objects are [abilities.str]
    #[arg(long = "self", value_name = "SHEET.json")]
    self_sheet: Vec<String>,
    /// The target's resources, in the same way
    #[arg(long = "target", value_name = "SHEET.json")]
    target_sheet: Vec<String>,
    /// A folder in which --self, --target and --targets look for files, too: `--target goblin` is
    /// goblin.json in one of them; for `batch --encounter` a file of stat blocks; may be repeated
    #[arg(long, value_name = "DIR")]
    bestiary: Vec<PathBuf>,
    /// A value for each resource that has none
    #[arg(long, value_name = "INT", value_parser = number::integer)]
    default_resource: Option<i64>,
    /// The sheets, read once: one may be standard input.
    #[arg(skip)]
    sheets: OnceCell<Vec<(Owner, Sheet)>>,
}

impl ResourceArgs {
    /// Whether any flag gives a resource, so that a missing one is a mistake and not just left
    /// open.
    pub(crate) fn is_given(&self) -> bool {
        let flags = !self.own.is_empty() || !self.target.is_empty();
        let sheets = !self.self_sheet.is_empty() || !self.target_sheet.is_empty();
        flags || sheets || self.default_resource.is_some()
    }

    /// All of them.
    ///
    /// # Errors
    /// A sheet that cannot be read or is not one.
    pub(crate) fn table(&self) -> Result<ResourceTable, CliError> {
        let mut table = ResourceTable::new();
        table.set_default(self.default_resource);
        for (owner, sheet) in self.sheets()? {
            for (name, held) in &sheet.others {
                table.set_unusable(named(*owner, name), held);
            }
            for (name, value) in &sheet.numbers {
                table.set(named(*owner, name), *value);
            }
        }
        for (name, given) in self.flags() {
            if let Given::Number(value) = given {
                table.set(name, *value);
            }
        }
        Ok(table)
    }

    /// The sheets with whose they are, in the order in which they override each other.
    fn sheets(&self) -> Result<&[(Owner, Sheet)], CliError> {
        if let Some(sheets) = self.sheets.get() {
            return Ok(sheets);
        }
        let mut read = Vec::new();
        for (owner, flag, sheets) in [
            (Owner::Actor, "--self", &self.self_sheet),
            (Owner::Target, "--target", &self.target_sheet),
        ] {
            for given in sheets {
                let given = self.found(given, &["json"]);
                read.push((owner, sheet(&given.to_string_lossy(), flag)?));
            }
        }
        Ok(self.sheets.get_or_init(|| read))
    }

    /// The resources of `-r` and `-t`.
    fn flags(&self) -> impl Iterator<Item = (ResourceName, &Given)> {
        let own = self.own.iter().map(|given| (Owner::Actor, given));
        let target = self.target.iter().map(|given| (Owner::Target, given));
        own.chain(target)
            .map(|(owner, (name, given))| (named(owner, name), given))
    }

    /// What --bestiary names.
    pub(crate) fn bestiaries(&self) -> &[PathBuf] {
        &self.bestiary
    }

    /// A file that is not here, but in a folder of --bestiary, with one of these extensions; any
    /// other name as it is.
    pub(crate) fn found(&self, given: impl AsRef<OsStr>, extensions: &[&str]) -> OsString {
        let given = given.as_ref();
        let is_inline = given.to_string_lossy().trim_start().starts_with('{');
        if given == "-" || is_inline || Path::new(given).exists() {
            return given.to_owned();
        }
        let with = |extension: &&str| {
            let mut name = given.to_owned();
            name.push(".");
            name.push(extension);
            name
        };
        let names: Vec<OsString> = extensions.iter().map(with).collect();
        let places = self.bestiary.iter().flat_map(|folder| {
            let names = [given]
                .into_iter()
                .chain(names.iter().map(OsString::as_os_str));
            names.map(|name| folder.join(name))
        });
        let mut found = places.filter(|path| path.is_file());
        found
            .next()
            .map_or_else(|| given.to_owned(), PathBuf::into_os_string)
    }

    /// Those that are dice or decimals. What only looks like that in a sheet stays unusable.
    ///
    /// # Errors
    /// What is wrong with the dice of a flag, or a sheet that cannot be read.
    pub(crate) fn dice(&self, compiler: &Compiler) -> Result<DiceResources, CliError> {
        let mut dice = DiceResources::default();
        for (owner, sheet) in self.sheets()? {
            let numbers = sheet.numbers.iter().map(|(name, _)| name);
            for name in numbers.chain(sheet.others.iter().map(|(name, _)| name)) {
                dice.remove(&named(*owner, name));
            }
            for (name, text) in &sheet.expressions {
                // A remark such as `d20 system` is not dice, and matters only if a rule names it.
                let _not_dice = compiler.set_dice(&mut dice, named(*owner, name), text);
            }
        }
        for (name, given) in self.flags() {
            match given {
                Given::Number(_) => dice.remove(&name),
                Given::Expression(text) => {
                    let shown = format!("[{name}]");
                    let set = compiler.set_dice(&mut dice, name, text);
                    set.map_err(|found| CliError::found(&found, &Sources::single(shown, text)))?;
                }
            }
        }
        Ok(dice)
    }

    /// Whether a flag gives dice or a decimal.
    pub(crate) fn any_expression(&self) -> bool {
        self.flags()
            .any(|(_, given)| matches!(given, Given::Expression(_)))
    }
}

/// The resource that `text` names for someone who speaks of `owner`: as between brackets, so that
/// `Target Defense` is the target's whoever gives it, and a plain name is the owner's.
fn named(owner: Owner, text: &str) -> ResourceName {
    let parsed = ResourceName::parse(text);
    if owner == Owner::Target && parsed.owner() == Owner::Actor {
        ResourceName::new(Owner::Target, text)
    } else {
        parsed
    }
}

/// What a resource is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Given {
    Number(i64),
    /// The text of dice, or a decimal.
    Expression(String),
}

/// Parses `NAME=VALUE`, for clap. The name may stand in brackets as in a rule.
fn assignment(text: &str) -> Result<(String, Given), String> {
    let wrong = "write NAME=VALUE, such as Strength=4 or Damage=2d6+5";
    // A name may hold any character but brackets, so a number is what follows the last sign. Dice
    // may hold signs themselves.
    let dice = text.split_once('=').filter(|(_, value)| is_dice(value));
    let (name, value) = dice.or_else(|| text.rsplit_once('=')).ok_or(wrong)?;
    let name = name.trim();
    let bare = name
        .strip_prefix('[')
        .and_then(|name| name.strip_suffix(']'));
    let name = bare.unwrap_or(name).trim();
    if name.is_empty() {
        return Err(format!("the name is missing: {wrong}"));
    }
    let value = match is_expression(value) {
        true => Given::Expression(value.trim().to_owned()),
        false => Given::Number(number::integer(value)?),
    };
    Ok((name.to_owned(), value))
}

/// Reads a sheet: a file, standard input for `-`, or the JSON itself.
fn sheet(given: &str, flag: &str) -> Result<Sheet, CliError> {
    let is_inline = given.trim_start().starts_with('{');
    let origin = match given {
        _ if is_inline => flag,
        "-" => "standard input",
        path => path,
    };
    let bytes = match is_inline {
        true => given.as_bytes().to_vec(),
        false => read(given, origin)?,
    };
    read_sheet(&bytes).map_err(|wrong| {
        let place = Some((wrong.line as u64, wrong.column as u64));
        Finding::in_file(FileCode::BadSheet.as_str(), origin, place, wrong.message)
            .help("a sheet is one JSON object: {\"Strength\": 4, \"Armor Class\": 15}")
            .into()
    })
}

fn read(path: &str, origin: &str) -> Result<Vec<u8>, CliError> {
    let unreadable = |why: String| {
        let message = format!("cannot read the sheet: {why}");
        let code = FileCode::Unreadable.as_str();
        CliError::from(Finding::in_file(code, origin, None, message))
    };
    let mut bytes = Vec::new();
    let read = match path {
        "-" => io::stdin()
            .take(MAX_SHEET_BYTES + 1)
            .read_to_end(&mut bytes),
        path => {
            let file = File::open(path);
            file.and_then(|file| file.take(MAX_SHEET_BYTES + 1).read_to_end(&mut bytes))
        }
    };
    read.map_err(|error| unreadable(error.to_string()))?;
    match bytes.len() as u64 > MAX_SHEET_BYTES {
        true => Err(unreadable("it is larger than 16 MiB".to_owned())),
        false => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assignments() {
        let parsed = |name: &str, value| Ok((name.to_owned(), Given::Number(value)));
        let dice =
            |name: &str, dice: &str| Ok((name.to_owned(), Given::Expression(dice.to_owned())));
        assert_eq!(assignment("Damage=2d6+5"), dice("Damage", "2d6+5"));
        assert_eq!(
            assignment("Damage= (d8+1)*2r=1"),
            dice("Damage", "(d8+1)*2r=1")
        );
        assert_eq!(assignment("Damage=5 + 4dF"), dice("Damage", "5 + 4dF"));
        assert_eq!(assignment("Strength=4"), parsed("Strength", 4));
        assert_eq!(assignment("Max Health = -4"), parsed("Max Health", -4));
        assert_eq!(assignment("[Armor Class]=15"), parsed("Armor Class", 15));
        assert_eq!(assignment("a=b=3"), parsed("a=b", 3));
        for text in [
            "Strength",
            "=4",
            "[]=4",
            "Strength=",
            "Strength=four",
            "x=9223372036854775808",
        ] {
            assert!(assignment(text).is_err(), "{text}");
        }
    }

    #[test]
    fn owners() {
        let shown = |owner, text| named(owner, text).to_string();
        assert_eq!(shown(Owner::Actor, "Strength"), "Strength");
        assert_eq!(shown(Owner::Actor, "Target Defense"), "Target Defense");
        assert_eq!(shown(Owner::Target, "Defense"), "Target Defense");
        assert_eq!(shown(Owner::Target, "Target Defense"), "Target Defense");
    }
}
