//! Findings in the errors of another machine. Ballista hands an error on as the text that `{:?}`
//! gives, so [`SqlError`] shows itself there as JSON between two marks, and is read back from it.

use crate::error::SqlError;
use dicec_compiler::syntax::{Code, FileCode, Finding, Location};
use dicec_runtime::span::Span;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What is around the JSON. No message of ours has these.
const OPEN: &str = "\u{2991}";
const CLOSE: &str = "\u{2992}";

/// A finding on its way. Only what a function finds is sent: it is in a text, or nowhere.
#[derive(Serialize, Deserialize)]
struct Sent {
    code: String,
    message: String,
    help: Option<String>,
    /// Where a text came from, the text, and the part of it.
    text: Option<(String, String, u32, u32)>,
}

impl From<&Finding> for Sent {
    fn from(finding: &Finding) -> Self {
        let text = match &finding.location {
            Location::Text {
                origin, text, span, ..
            } => Some((origin.clone(), text.clone(), span.start, span.end)),
            Location::Nowhere | Location::File { .. } => None,
        };
        Self {
            code: finding.code.to_owned(),
            message: finding.message.clone(),
            help: finding.help.clone(),
            text,
        }
    }
}

impl Sent {
    /// The finding; none if its code is not one of this version.
    fn finding(self) -> Option<Finding> {
        let codes = Code::ALL.iter().map(|code| code.as_str());
        let mut codes = codes.chain(FileCode::ALL.into_iter().map(FileCode::as_str));
        let code = codes.find(|code| *code == self.code)?;
        let location = match self.text {
            None => Location::Nowhere,
            Some((origin, text, start, end)) => Location::Text {
                origin,
                text,
                span: Span { start, end },
                labels: Vec::new(),
            },
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
        let sent = SqlError {
            findings: vec![finding, other],
        };
        let text = format!("Job failed: Task failed: External({sent:?}))");
        assert_eq!(read(&text), Some(sent));
        assert_eq!(read("Job failed: the disk is full"), None);
    }
}
