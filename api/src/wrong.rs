//! The reason why there is no answer.

use crate::wording::words;
use dicec_compiler::Failure;
use dicec_lang::syntax::{Code, Diagnostics, ErrorDocument, FileCode, Finding, Location, Sources};
use dicec_runtime::bug;
use dicec_runtime::bug::Bug;

/// Why a request has no answer: at least one finding.
#[derive(Clone, Debug)]
pub struct Wrong {
    pub(crate) findings: Vec<Finding>,
}

impl Wrong {
    /// The errors in a rule or a script.
    pub(crate) fn found(found: &Diagnostics, sources: &Sources) -> Self {
        Self {
            findings: Finding::all(found, sources, words),
        }
    }

    /// Why a question to a rule or a script has no answer.
    pub(crate) fn failed(failure: &Failure, sources: &Sources) -> Self {
        failure.finding(sources, words).into()
    }

    /// The same for the generated script of an encounter: the error is about the encounter.
    pub(crate) fn failed_fight(failure: &Failure, title: &str) -> Self {
        let mut finding = failure.finding(&Sources::single("", ""), words);
        finding.location = Location::File {
            path: title.to_owned(),
            at: None,
        };
        if finding.code == Code::Budget.as_str() {
            let help = "leave \"exact\" out: a simulation takes fights of any size";
            finding.help = Some(help.to_owned());
        }
        finding.into()
    }

    /// A request that makes no sense.
    pub(crate) fn request(message: impl Into<String>, help: impl Into<String>) -> Self {
        let finding = Finding::general(FileCode::BadRequest.as_str(), message);
        finding.help(help).into()
    }

    /// An error if anything was found.
    #[cfg(feature = "native")]
    pub(crate) fn of(findings: Vec<Finding>) -> Result<(), Self> {
        match findings.is_empty() {
            true => Ok(()),
            false => Err(Self { findings }),
        }
    }

    /// All that is wrong with any of several, or the good ones.
    pub(crate) fn any<T>(results: impl Iterator<Item = Result<T, Self>>) -> Result<Vec<T>, Self> {
        let (mut good, mut findings) = (Vec::new(), Vec::new());
        for result in results {
            match result {
                Ok(one) => good.push(one),
                Err(wrong) => findings.extend(wrong.findings),
            }
        }
        match findings.is_empty() {
            true => Ok(good),
            false => Err(Self { findings }),
        }
    }

    /// The output of the command on standard error with `--json`.
    pub fn document(&self) -> String {
        let document = ErrorDocument::new(&self.findings);
        let text = serde_json::to_string(&document);
        text.unwrap_or_else(|error| bug!("findings that are not JSON: {error}").raise())
    }

    /// The code of the first error, `D0101`.
    pub fn code(&self) -> &'static str {
        let first = self.findings.iter().find(|finding| finding.is_error);
        first.map_or(Code::Internal.as_str(), |finding| finding.code)
    }

    /// Whether the work was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.code() == FileCode::Cancelled.as_str()
    }

    /// Whether it is our fault.
    pub fn is_internal(&self) -> bool {
        let ours = [Code::Internal, Code::WrongAnswer];
        ours.map(Code::as_str).contains(&self.code())
    }
}

impl From<Finding> for Wrong {
    fn from(finding: Finding) -> Self {
        Self {
            findings: vec![finding],
        }
    }
}

impl From<Box<Finding>> for Wrong {
    fn from(finding: Box<Finding>) -> Self {
        (*finding).into()
    }
}

/// An internal error.
impl From<Bug> for Wrong {
    fn from(bug: Bug) -> Self {
        Finding::from(bug).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dicec_compiler::answer::Checked;
    use dicec_compiler::unstable::WrongAnswer;

    /// A wrong answer that was planted is our fault, and its document says what to do.
    #[test]
    fn a_wrong_answer_is_an_internal_error() {
        let failure = Failure::WrongAnswer(Box::new(WrongAnswer {
            part: "the mean".to_owned(),
            answer: "8.7554".to_owned(),
            check: "12.2446".to_owned(),
            engine: "exact odds",
            checked: Checked::default(),
            program: "4d6kh3".to_owned(),
            seed: Some(5),
            command: "dicec emit --verify '4d6kh3'".to_owned(),
        }));
        let wrong = Wrong::failed(&failure, &Sources::single("", "4d6kh3"));
        assert!(wrong.is_internal() && wrong.code() == "D0902");
        let document = wrong.document();
        for part in ["the mean is 8.7554", "12.2446", "seed 5", "emit --verify"] {
            assert!(document.contains(part), "{document}");
        }
    }
}
