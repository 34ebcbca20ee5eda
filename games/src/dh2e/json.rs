//! JSON of items, actors and scenarios with the path of each value, so that errors and values
//! without effect can be located: `$.items[0].rules[1].value`.

pub use crate::wrong::{Wrong, instead};

use dicec_lang::syntax::{nearest, whole};
use serde_json::Value;
use std::fmt::Write;

/// The maximum number in a document. Sums of as many of them as a document can hold fit 64 bits.
pub(super) const MOST: u64 = 1_000_000_000;

/// A value in a document, and where it is.
#[derive(Clone, Debug)]
pub struct At<'v> {
    value: &'v Value,
    path: String,
}

/// Notes about a document: values without effect, or with an unexpected one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes(Vec<Wrong>);

impl Notes {
    /// Notes something about a value.
    pub fn add(&mut self, at: &At<'_>, what: impl Into<String>) {
        self.push(at.wrong(what));
    }

    /// The same with a path and advice. Duplicates are reported once.
    pub fn push(&mut self, noted: Wrong) {
        if !self.0.contains(&noted) {
            self.0.push(noted);
        }
    }

    /// All notes, in the order of the document.
    pub fn all(&self) -> &[Wrong] {
        &self.0
    }
}

impl<'v> At<'v> {
    /// A value that is at a path of a document.
    pub fn new(value: &'v Value, path: String) -> Self {
        Self { value, path }
    }

    /// A whole document.
    pub fn root(value: &'v Value) -> Self {
        Self {
            value,
            path: "$".to_owned(),
        }
    }

    /// The value.
    pub fn value(&self) -> &'v Value {
        self.value
    }

    /// An error or a note about it.
    pub fn wrong(&self, what: impl Into<String>) -> Wrong {
        Wrong::new(self.path.clone(), what)
    }

    /// A member of an object; `null` is as good as missing.
    pub fn member(&self, name: &str) -> Option<At<'v>> {
        let value = self.value.get(name).filter(|value| !value.is_null())?;
        Some(self.named(name, value))
    }

    /// The members of an object in written order; none of anything else.
    pub fn members(&self) -> impl Iterator<Item = (&'v str, At<'v>)> + use<'_, 'v> {
        let members = self.value.as_object().into_iter().flatten();
        members.map(|(name, value)| (name.as_str(), self.named(name, value)))
    }

    /// The elements of a list; none of anything else.
    pub fn elements(&self) -> impl Iterator<Item = At<'v>> + use<'_, 'v> {
        let elements = self.value.as_array().into_iter().flatten();
        elements.enumerate().map(|(index, value)| At {
            value,
            path: format!("{}[{index}]", self.path),
        })
    }

    fn named(&self, name: &str, value: &'v Value) -> At<'v> {
        let plain = |c: char| c.is_alphanumeric() || c == '_';
        let mut path = self.path.clone();
        // Writing to a String cannot fail.
        let _ = match !name.is_empty() && name.chars().all(plain) {
            true => write!(path, ".{name}"),
            false => write!(path, "[{}]", Value::from(name)),
        };
        At { value, path }
    }

    /// A text.
    pub fn text(&self) -> Result<&'v str, Wrong> {
        let text = self.value.as_str();
        text.ok_or_else(|| {
            self.wrong("is not a text")
                .help("write it in double quotes")
        })
    }

    /// A whole number within ±1,000,000,000.
    pub fn whole(&self) -> Result<i64, Wrong> {
        let number = self.value.as_number().and_then(whole);
        let number = number.ok_or_else(|| {
            let help = "write a number without quotes and without a fraction";
            self.wrong("is not a whole number").help(help)
        })?;
        match number.unsigned_abs() > MOST {
            true => Err(self.wrong(format!("is beyond ±{MOST}"))),
            false => Ok(number),
        }
    }

    /// A truth value.
    pub fn truth(&self) -> Result<bool, Wrong> {
        let truth = self.value.as_bool();
        truth.ok_or_else(|| {
            self.wrong("is not `true` or `false`")
                .help("write one of them, without quotes")
        })
    }

    /// A member that has to be there.
    pub fn needed(&self, name: &str) -> Result<At<'v>, Wrong> {
        let member = self.member(name);
        member.ok_or_else(|| {
            let names = self.members().map(|(name, _)| name);
            let help = match nearest(name, names) {
                Some(near) => format!("did you mean `{name}` by `{near}`?"),
                None => format!("add `\"{name}\": ...`"),
            };
            self.wrong(format!("needs a member `{name}`")).help(help)
        })
    }
}
