//! The source of an encounter, and its errors: each mistake is shown in its text.

use super::{Bestiary, Day, Encounter, Wrong, read_day_line, read_line};
use dicec_lang::syntax::{
    FileCode, Finding, Location, SourceLimits, json_in, locate_json, read_file,
};
use dicec_runtime::span::Span;
use serde_json::Value;
use std::path::Path;

/// A text with an encounter or stat blocks: a line, or JSON.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its name in errors.
    pub origin: String,
    text: String,
    /// The document that the text is; none of a line.
    json: Option<Value>,
}

impl Source {
    /// A line such as `4 Veteran vs 1 Troll`.
    pub fn line(text: &str) -> Self {
        Self {
            origin: "encounter".to_owned(),
            text: text.to_owned(),
            json: None,
        }
    }

    /// Reads a document of JSON.
    ///
    /// # Errors
    /// It is not JSON.
    pub fn read_json(origin: &str, bytes: &[u8]) -> Result<Self, Box<Finding>> {
        let json = json_in(origin, bytes, FileCode::BadEncounter)?;
        let text = String::from_utf8_lossy(bytes).into_owned();
        Ok(Self::document(origin, text, json))
    }

    /// Reads a day from a line.
    ///
    /// # Errors
    /// What is wrong with its form.
    pub fn read_day_line(text: &str) -> Result<(Self, Day), Box<Finding>> {
        let source = Self {
            origin: "day".to_owned(),
            ..Self::line(text)
        };
        let day = read_day_line(text).map_err(|wrong| Box::new(source.wrong(&wrong)))?;
        Ok((source, day))
    }

    /// The day that the document is.
    ///
    /// # Errors
    /// The path of what is wrong.
    pub fn day(&self) -> Result<Day, Box<Finding>> {
        let day = Day::read(self.json.as_ref().unwrap_or(&Value::Null));
        day.map_err(|wrong| Box::new(self.wrong(&wrong)))
    }

    /// A document of JSON.
    pub fn document(origin: &str, text: String, json: Value) -> Self {
        Self {
            origin: origin.to_owned(),
            text,
            json: Some(json),
        }
    }

    /// Reads an encounter between creatures of a bestiary, written as a line.
    ///
    /// # Errors
    /// The errors in it.
    pub fn read_line(text: &str, bestiary: &Bestiary) -> Result<(Self, Encounter), Box<Finding>> {
        let source = Self::line(text);
        let encounter =
            read_line(text, bestiary).map_err(|wrong| Box::new(source.wrong(&wrong)))?;
        Ok((source, encounter))
    }

    /// Reads an encounter from a JSON document, and its functions from the file that it names,
    /// relative to its origin.
    ///
    /// # Errors
    /// The errors in it, or a file that cannot be read.
    pub fn read_document(origin: &str, bytes: &[u8]) -> Result<(Self, Encounter), Box<Finding>> {
        let source = Self::read_json(origin, bytes)?;
        let encounter = source.encounter()?;
        Ok((source, encounter))
    }

    /// Reads an encounter from a JSON document of another person, which may not name files.
    ///
    /// # Errors
    /// The errors in it, or the name of a file.
    pub fn read_inline(origin: &str, bytes: &[u8]) -> Result<(Self, Encounter), Box<Finding>> {
        let source = Self::read_json(origin, bytes)?;
        let encounter = source.plain_encounter()?;
        if file_of_functions(&encounter).is_some() {
            let wrong = Wrong::new("$.functions", "names a file, and files are not read here");
            let wrong = wrong.help("write the functions themselves");
            return Err(Box::new(source.wrong(&wrong)));
        }
        Ok((source, encounter))
    }

    /// The encounter that the document is, with its functions.
    ///
    /// # Errors
    /// As for [`Source::read_document`].
    pub fn encounter(&self) -> Result<Encounter, Box<Finding>> {
        let mut encounter = self.plain_encounter()?;
        read_functions(&mut encounter, &self.origin)?;
        Ok(encounter)
    }

    /// The encounter as the document has it.
    fn plain_encounter(&self) -> Result<Encounter, Box<Finding>> {
        let json = self.json.as_ref().unwrap_or(&Value::Null);
        Encounter::read(json).map_err(|wrong| Box::new(self.wrong(&wrong)))
    }

    /// A mistake in it as an error.
    pub fn wrong(&self, wrong: &Wrong) -> Finding {
        self.finding(FileCode::BadEncounter, wrong)
    }

    /// A finding about a part of it, shown in its text.
    pub fn finding(&self, code: FileCode, wrong: &Wrong) -> Finding {
        let message = wrong.to_string();
        let finding = match self.locate(&wrong.path) {
            None => Finding::in_file(code.as_str(), &self.origin, None, message),
            Some(span) => Finding {
                location: Location::Text {
                    origin: self.origin.clone(),
                    span,
                    text: self.text.clone(),
                    labels: Vec::new(),
                },
                ..Finding::general(code.as_str(), message)
            },
        };
        match &wrong.help {
            Some(help) => finding.help(help),
            None => finding,
        }
    }

    /// The part of the text at a path: a path in the document, one in the stat block of a creature
    /// (`Ogre: $.hp`), or a part of the line.
    fn locate(&self, path: &str) -> Option<Span> {
        let Some(json) = &self.json else {
            let start = self.text.find(path).filter(|_| !path.is_empty())?;
            let [start, end] = [start, start + path.len()].map(u32::try_from);
            return Some(Span {
                start: start.ok()?,
                end: end.ok()?,
            });
        };
        if path.starts_with('$') {
            return locate_json(&self.text, path);
        }
        if let Some(start) = self.text.find(&format!("\"{path}\"")) {
            let [start, end] = [start, start + path.len() + 2].map(u32::try_from);
            return Some(Span {
                start: start.ok()?,
                end: end.ok()?,
            });
        }
        let (name, rest) = path.split_once(": ")?;
        let block = path_of_creature(json, name, "$")?;
        let rest = rest.strip_prefix('$').unwrap_or_default();
        locate_json(&self.text, &format!("{block}{rest}"))
    }
}

/// The file that an encounter names instead of its functions.
fn file_of_functions(encounter: &Encounter) -> Option<&str> {
    let named = encounter.functions.as_deref().map(str::trim);
    named.filter(|name| name.ends_with(".dice"))
}

/// Reads the functions of an encounter from the file that it names, next to its own.
fn read_functions(encounter: &mut Encounter, origin: &str) -> Result<(), Box<Finding>> {
    let Some(name) = file_of_functions(encounter) else {
        return Ok(());
    };
    let path = Path::new(origin).with_file_name(name);
    let text = read_file(&path, SourceLimits::default());
    let shown = path.display().to_string();
    let text = text.map_err(|error| Box::new(error.finding(&shown, "functions")))?;
    encounter.functions = Some(text);
    Ok(())
}

/// The path of the stat block of a creature, or of the group that names it.
fn path_of_creature(json: &Value, name: &str, path: &str) -> Option<String> {
    match json {
        Value::Object(members) => {
            let is_it = |member: &str| members.get(member).and_then(Value::as_str) == Some(name);
            let is_block = is_it("name") && members.contains_key("ac");
            if is_block || is_it("creature") {
                return Some(path.to_owned());
            }
            let mut all = members.iter();
            all.find_map(|(member, value)| {
                path_of_creature(value, name, &format!("{path}.{member}"))
            })
        }
        Value::Array(elements) => {
            let mut all = elements.iter().enumerate();
            all.find_map(|(index, value)| {
                path_of_creature(value, name, &format!("{path}[{index}]"))
            })
        }
        _ => None,
    }
}
