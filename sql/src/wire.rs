//! Findings in the errors of another machine. An executor hands an error on as the text that `{:?}`
//! gives, so [`SqlError`] shows itself there as JSON between two marks, and is read back from it. A
//! scheduler takes the text for people, so what goes wrong there is [`marked`].

use crate::error::{SqlError, within};
use datafusion::error::DataFusionError;
use dicec_lang::syntax::{Code, FileCode, Finding, Location};
use dicec_runtime::span::Span;
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::fmt;

/// What is around the JSON. No message of ours has these.
const OPEN: &str = "\u{2991}";
const CLOSE: &str = "\u{2992}";

/// A finding on its way.
#[derive(Serialize, Deserialize)]
struct Sent {
    code: String,
    message: String,
    help: Option<String>,
    /// Where a text came from, the text, and the part of it.
    text: Option<(String, String, u32, u32)>,
    /// The path of a file, and a place in it.
    file: Option<(String, Option<(u64, u64)>)>,
}

impl From<&Finding> for Sent {
    fn from(finding: &Finding) -> Self {
        let (text, file) = match &finding.location {
            Location::Text {
                origin, text, span, ..
            } => {
                let text = (origin.clone(), text.clone(), span.start, span.end);
                (Some(text), None)
            }
            Location::File { path, at } => (None, Some((path.clone(), *at))),
            Location::Nowhere => (None, None),
        };
        Self {
            code: finding.code.to_owned(),
            message: finding.message.clone(),
            help: finding.help.clone(),
            text,
            file,
        }
    }
}

impl Sent {
    /// The finding; none if its code is not one of this version.
    fn finding(self) -> Option<Finding> {
        let codes = Code::ALL.iter().map(|code| code.as_str());
        let mut codes = codes.chain(FileCode::ALL.into_iter().map(FileCode::as_str));
        let code = codes.find(|code| *code == self.code)?;
        let location = match (self.text, self.file) {
            (Some((origin, text, start, end)), _) => Location::Text {
                origin,
                text,
                span: Span { start, end },
                labels: Vec::new(),
            },
            (None, Some((path, at))) => Location::File { path, at },
            (None, None) => Location::Nowhere,
        };
        let mut finding = Finding::general(code, self.message);
        finding.help = self.help;
        finding.location = location;
        Some(finding)
    }
}

/// The findings between marks.
impl fmt::Debug for SqlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sent: Vec<Sent> = self.findings.iter().map(Sent::from).collect();
        let json = serde_json::to_string(&sent).map_err(|_| fmt::Error)?;
        write!(f, "SqlError {OPEN}{json}{CLOSE}")
    }
}

/// An error whose text for people has the marks, too.
#[derive(Debug)]
struct Marked(SqlError);

impl fmt::Display for Marked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

impl Error for Marked {}

/// An error that a scheduler tells its client, with our findings if it has some.
pub fn marked(error: DataFusionError) -> DataFusionError {
    match within(&error) {
        Some(ours) => DataFusionError::External(Box::new(Marked(ours.clone()))),
        None => error,
    }
}

/// The findings in the text of an error from elsewhere, if there are some.
pub(crate) fn read(text: &str) -> Option<SqlError> {
    let (_, rest) = text.split_once(OPEN)?;
    let (json, _) = rest.split_once(CLOSE)?;
    let sent: Vec<Sent> = serde_json::from_str(json).ok()?;
    let findings: Option<Vec<Finding>> = sent.into_iter().map(Sent::finding).collect();
    let findings = findings.filter(|findings| !findings.is_empty())?;
    Some(SqlError { findings })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_come_back_from_elsewhere() {
        let mut finding = Finding::general(FileCode::BadCell.as_str(), "\"twelve\" is wrong");
        finding.location = Location::Text {
            origin: "the rule of dice_p".to_owned(),
            text: "1d20 + [\u{e4}]".to_owned(),
            span: Span { start: 7, end: 11 },
            labels: Vec::new(),
        };
        let other = Finding::general(Code::Budget.as_str(), "too large").help("sample");
        let place = Some((1, 2));
        let table = Finding::in_file(FileCode::Refused.as_str(), "/a b.csv", place, "outside");
        let sent = SqlError {
            findings: vec![finding, other, table],
        };
        let text = format!("Job failed: Task failed: External({sent:?}))");
        assert_eq!(read(&text).as_ref(), Some(&sent));
        let text = format!("Job failed: {}", marked(sent.clone().into()));
        assert_eq!(read(&text), Some(sent));
        assert_eq!(read("Job failed: the disk is full"), None);
    }
}
