//! Errors that end a command: findings about a rule, a file or the run. [`crate::report`] renders
//! them; `main` turns them into exit code 1.

use crate::advice;
use dicec_compiler::Failure;
use dicec_lang::syntax::{Code, Diagnostics, Sources};
use dicec_runtime::bug::Bug;

pub(crate) use dicec_lang::syntax::{FileCode, Finding, Location};

/// Everything that a command failed for. It is empty only when the reader of standard output went
/// away, as `head` does: then nothing failed and there is nobody to tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CliError {
    pub(crate) findings: Vec<Finding>,
}

impl CliError {
    /// An error if anything was found.
    pub(crate) fn of(findings: impl IntoIterator<Item = Finding>) -> Result<(), Self> {
        let findings: Vec<Finding> = findings.into_iter().collect();
        match findings.is_empty() {
            true => Ok(()),
            false => Err(Self { findings }),
        }
    }

    /// What is wrong with the files of an expression or a script.
    pub(crate) fn found(diagnostics: &Diagnostics, sources: &Sources) -> Self {
        Self {
            findings: Finding::all(diagnostics, sources, advice::words),
        }
    }

    /// Why a question to an expression or a script has no answer.
    pub(crate) fn failure(failure: &Failure, sources: &Sources) -> Self {
        failure.finding(sources, advice::words).into()
    }

    /// Standard output is a pipe that was closed.
    pub(crate) fn closed_pipe() -> Self {
        Self {
            findings: Vec::new(),
        }
    }

    /// Whether nothing failed but the output's reader left.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        self.findings.is_empty()
    }

    /// Whether Ctrl-C was the reason.
    pub(crate) fn is_interrupt(&self) -> bool {
        let mut findings = self.findings.iter();
        findings.any(|found| found.code == FileCode::Cancelled.as_str())
    }

    /// Whether an answer was refuted by its check.
    pub(crate) fn is_wrong_answer(&self) -> bool {
        let mut findings = self.findings.iter();
        findings.any(|found| found.code == Code::WrongAnswer.as_str())
    }

    /// Whether the budget of an exact answer was the reason.
    pub(crate) fn is_budget(&self) -> bool {
        let mut findings = self.findings.iter().peekable();
        findings.peek().is_some() && findings.all(|found| found.code == Code::Budget.as_str())
    }
}

impl From<Finding> for CliError {
    fn from(finding: Finding) -> Self {
        Self {
            findings: vec![finding],
        }
    }
}

impl From<Box<Finding>> for CliError {
    fn from(finding: Box<Finding>) -> Self {
        (*finding).into()
    }
}

/// An internal error.
impl From<Bug> for CliError {
    fn from(bug: Bug) -> Self {
        Finding::from(bug).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    const IN_SQL: &str = "the tests of the workspace in sql/ show it";

    const IN_SERVE: &str = "it is an answer of the server: the tests of serve/ show it";

    /// The codes without a transcript, and why.
    const WITHOUT: [(FileCode, &str); 14] = [
        (FileCode::Cancelled, "it takes someone who presses Ctrl-C"),
        (
            FileCode::NoNativeCode,
            "every machine that runs the tests makes native code",
        ),
        (
            FileCode::BadSettings,
            "transcripts have no variables: cli/tests/command/settings.rs shows it",
        ),
        (FileCode::BadRequest, IN_SERVE),
        (FileCode::Busy, IN_SERVE),
        (FileCode::TooLarge, IN_SERVE),
        (FileCode::OutOfTime, IN_SERVE),
        (FileCode::ProcessEnded, IN_SERVE),
        (FileCode::BadSql, IN_SQL),
        (FileCode::BadCall, IN_SQL),
        (FileCode::NoCluster, IN_SQL),
        (FileCode::Refused, IN_SQL),
        (FileCode::TooMuchMemory, IN_SQL),
        (
            FileCode::NotInstalled,
            "the program may be there: cli/src/commands/sql.rs shows it",
        ),
    ];

    #[test]
    fn every_code_has_a_transcript_that_shows_it() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/diagnostics");
        let transcripts: Vec<(String, String)> = fs::read_dir(folder)
            .expect("the folder is part of the sources")
            .map(|entry| entry.expect("a readable folder").path())
            .filter(|path| path.extension().is_some_and(|end| end == "trycmd"))
            .map(|path| {
                let name = path.file_name().unwrap_or_default();
                let text = fs::read_to_string(&path).expect("a readable file");
                (name.to_string_lossy().into_owned(), text)
            })
            .collect();
        let justified = |code: &FileCode| WITHOUT.iter().any(|(without, _)| without == code);
        let files = FileCode::ALL.into_iter().filter(|code| !justified(code));
        // An internal error or a wrong answer that anybody knew of would be mended.
        let known = |code: &&Code| !matches!(code, Code::Internal | Code::WrongAnswer);
        let codes = Code::ALL.iter().filter(known);
        let codes = codes.map(|code| code.as_str());
        for code in codes.chain(files.map(FileCode::as_str)) {
            let shown = transcripts.iter().any(|(name, text)| {
                name.starts_with(&format!("{code}_")) && text.contains(&format!("[{code}]"))
            });
            assert!(shown, "no tests/diagnostics/{code}_*.trycmd shows [{code}]");
        }
    }
}
