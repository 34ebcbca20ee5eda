//! Where resources come from: sheets, then `-r` and `-t`, each overriding what came before it.

use crate::error::{CliError, FileCode, Finding};
use crate::number;
use clap::Args;
use dicec_runtime::resource::{Owner, ResourceName, ResourceTable};
use serde::de::{self, DeserializeSeed, MapAccess, Visitor};
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A sheet larger than this is no character sheet.
const MOST_SHEET_BYTES: u64 = 16 << 20;

/// The flags that give resources.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Resources")]
pub(crate) struct ResourceArgs {
    /// A resource of the acting character: -r Strength=4
    #[arg(short = 'r', long = "resource", value_name = "NAME=INT", value_parser = assignment)]
    own: Vec<(String, i64)>,
    /// A resource of the target: -t Defense=12 for [Target Defense]
    #[arg(short = 't', long = "target-resource", value_name = "NAME=INT", value_parser = assignment)]
    target: Vec<(String, i64)>,
    /// A JSON object of names and whole numbers: the resources of the acting character
    #[arg(long = "self", value_name = "SHEET.json")]
    self_sheet: Vec<PathBuf>,
    /// A JSON object of names and whole numbers: the target's resources
    #[arg(long = "target", value_name = "SHEET.json")]
    target_sheet: Vec<PathBuf>,
    /// A value for each resource that has none
    #[arg(long, value_name = "INT", value_parser = number::integer)]
    default_resource: Option<i64>,
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
        for (owner, sheets) in [
            (Owner::Actor, &self.self_sheet),
            (Owner::Target, &self.target_sheet),
        ] {
            for path in sheets {
                for (name, value) in read_sheet(path)? {
                    table.set(named(owner, &name), value);
                }
            }
        }
        for (owner, given) in [(Owner::Actor, &self.own), (Owner::Target, &self.target)] {
            for (name, value) in given {
                table.set(named(owner, name), *value);
            }
        }
        Ok(table)
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

/// Parses `NAME=INT`, for clap. The name may stand in brackets as in a rule.
fn assignment(text: &str) -> Result<(String, i64), String> {
    let wrong = "write NAME=INT, such as Strength=4";
    // A name may hold any character but brackets, so the value is what follows the last sign.
    let (name, value) = text.rsplit_once('=').ok_or(wrong)?;
    let name = name.trim();
    let bare = name
        .strip_prefix('[')
        .and_then(|name| name.strip_suffix(']'));
    let name = bare.unwrap_or(name).trim();
    if name.is_empty() {
        return Err(format!("the name is missing: {wrong}"));
    }
    Ok((name.to_owned(), number::integer(value)?))
}

/// Reads a sheet: its names and values, in order.
fn read_sheet(path: &Path) -> Result<Vec<(String, i64)>, CliError> {
    let shown = path.display().to_string();
    let unreadable = |why: String| {
        let message = format!("cannot read the sheet: {why}");
        CliError::from(Finding::in_file(
            FileCode::Unreadable.as_str(),
            &shown,
            None,
            message,
        ))
    };
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MOST_SHEET_BYTES + 1).read_to_end(&mut bytes))
        .map_err(|error| unreadable(error.to_string()))?;
    if bytes.len() as u64 > MOST_SHEET_BYTES {
        return Err(unreadable("it is larger than 16 MiB".to_owned()));
    }
    parse_sheet(&bytes).map_err(|wrong| {
        let place = Some((wrong.line as u64, wrong.column as u64));
        Finding::in_file(FileCode::BadSheet.as_str(), &shown, place, wrong.message)
            .help("a sheet is one JSON object: {\"Strength\": 4, \"Armor Class\": 15}")
            .into()
    })
}

/// Why a text is no sheet, and where.
#[derive(Debug, PartialEq, Eq)]
struct BadSheet {
    line: usize,
    column: usize,
    message: String,
}

fn parse_sheet(bytes: &[u8]) -> Result<Vec<(String, i64)>, BadSheet> {
    let mut sheet = Sheet::default();
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let read = sheet.deserialize_from(&mut json).and_then(|()| json.end());
    read.map_err(|error| {
        let full = error.to_string();
        // The place is shown on its own.
        let place = format!(" at line {} column {}", error.line(), error.column());
        let what = full.strip_suffix(&place).unwrap_or(&full);
        let message = match (&sheet.open_key, error.is_data()) {
            (Some(key), true) => format!("`{key}`: {what}"),
            _ => what.to_owned(),
        };
        BadSheet {
            line: error.line(),
            column: error.column(),
            message,
        }
    })?;
    Ok(sheet.entries)
}

/// What has been read of a sheet; kept outside of serde's visitors so that an error can name the
/// key it is about.
#[derive(Default)]
struct Sheet {
    entries: Vec<(String, i64)>,
    names: rustc_hash::FxHashSet<String>,
    open_key: Option<String>,
}

impl Sheet {
    fn deserialize_from<'de, D: de::Deserializer<'de>>(&mut self, json: D) -> Result<(), D::Error> {
        json.deserialize_map(SheetVisitor(self))
    }
}

struct SheetVisitor<'s>(&'s mut Sheet);

impl<'de> Visitor<'de> for SheetVisitor<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of names and whole numbers")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let sheet = self.0;
        while let Some(key) = map.next_key::<String>()? {
            sheet.open_key = Some(key.clone());
            let value = map.next_value_seed(WholeNumber)?;
            if !sheet.names.insert(key.clone()) {
                return Err(de::Error::custom("the name is there twice"));
            }
            sheet.entries.push((key, value));
            sheet.open_key = None;
        }
        Ok(())
    }
}

/// Reads an `i64` and says so in its own words when it is something else.
struct WholeNumber;

impl<'de> DeserializeSeed<'de> for WholeNumber {
    type Value = i64;

    fn deserialize<D: de::Deserializer<'de>>(self, json: D) -> Result<i64, D::Error> {
        json.deserialize_i64(self)
    }
}

impl Visitor<'_> for WholeNumber {
    type Value = i64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number")
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<i64, E> {
        Ok(value)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<i64, E> {
        i64::try_from(value).map_err(|_| E::custom("the number is too large"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assignments() {
        let parsed = |name: &str, value| Ok((name.to_owned(), value));
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

    #[test]
    fn sheets() {
        let entries = parse_sheet(br#"{"Strength": 4, "Max Health": -2}"#);
        let expected = vec![("Strength".to_owned(), 4), ("Max Health".to_owned(), -2)];
        assert_eq!(entries, Ok(expected));
        assert_eq!(parse_sheet(b" {} "), Ok(vec![]));
    }

    #[test]
    fn a_bad_sheet_names_key_and_place() {
        for (text, line, start) in [
            (
                "{\n\"A\": 1,\n\"B\": \"two\"}",
                3,
                "`B`: invalid type: string \"two\", expected a whole number",
            ),
            (
                "{\"A\": 1.5}",
                1,
                "`A`: invalid type: floating point `1.5`, expected a whole number",
            ),
            ("{\"A\": 1,\n\"A\": 2}", 2, "`A`: the name is there twice"),
            (
                "{\"A\": 9223372036854775808}",
                1,
                "`A`: the number is too large",
            ),
            ("[1]", 1, "invalid type: sequence, expected an object"),
            ("{\"A\": 1", 1, "EOF while parsing an object"),
            ("{} {}", 1, "trailing characters"),
            ("", 1, "EOF while parsing a value"),
        ] {
            let wrong = parse_sheet(text.as_bytes()).expect_err(text);
            assert!(wrong.message.starts_with(start), "{text}: {wrong:?}");
            assert_eq!(wrong.line.max(1), line, "{text}");
        }
    }
}
