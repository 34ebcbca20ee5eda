//! What is wrong with a document of JSON or a line of text, and what in it has no effect: for the
//! front ends that read items, scenarios, stat blocks and encounters.

use crate::syntax::nearest;
use thiserror::Error;

/// Something that is wrong with a document or a line of text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{path}` {what}")]
pub struct Wrong {
    /// Where: a path that begins with `$`, or the text.
    pub path: String,
    /// What is wrong with it, after its path.
    pub what: String,
    /// What to write instead.
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

    /// Its path within a value, by the path of the value: `.name`, `[0]`, or nothing of the value
    /// itself. `None` if it is about something else.
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

/// Advice about a name that does not exist: the nearest one that does, or all of them.
pub fn instead<'n>(wanted: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    match (nearest(wanted, known.iter().copied()), &known[..]) {
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, []) => "there are none".to_owned(),
        (None, [only]) => format!("there is `{only}`"),
        (None, known) => format!("there are `{}`", known.join("`, `")),
    }
}
