//! Errors in a JSON document or a line of text, and parts without effect: for the front ends that
//! read items, scenarios, stat blocks and encounters.

use dicec_lang::syntax::nearest;
use thiserror::Error;

/// Something that is wrong with a document or a line of text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{path}` {what}")]
pub struct Wrong {
    /// Where: a path that begins with `$`, or the text.
    pub path: String,
    /// The error, without its path.
    pub what: String,
    /// A suggestion.
    pub help: Option<String>,
}

impl Wrong {
    /// Something wrong at a path.
    pub fn new(path: impl Into<String>, what: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            what: what.into(),
            help: None,
        }
    }

    /// Its path relative to the value at `path`: `.name`, `[0]`, or empty for the value itself.
    /// `None` if it is elsewhere.
    pub fn within(&self, path: &str) -> Option<&str> {
        let rest = self.path.strip_prefix(path)?;
        (rest.is_empty() || rest.starts_with(['.', '['])).then_some(rest)
    }

    /// The same with advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// Advice about a name that does not exist: the nearest existing one, or all of them.
pub fn instead<'n>(wanted: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    match (nearest(wanted, known.iter().copied()), &known[..]) {
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, []) => "there are none".to_owned(),
        (None, [only]) => format!("there is `{only}`"),
        (None, known) => format!("there are `{}`", known.join("`, `")),
    }
}
