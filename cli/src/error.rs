//! What ends a command: findings about a rule, a file or the run. [`crate::report`] renders them;
//! `main` turns them into exit code 1.

use crate::advice;
use dicec_compiler::Failure;
use dicec_compiler::syntax::{Code, Diagnostics, Sources};
use dicec_runtime::bug::Bug;

pub(crate) use dicec_compiler::syntax::{Finding, Location};

/// The codes of findings that are not about a rule's text. Their meaning never changes;
/// docs/errors.md describes each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileCode {
    /// A file or standard input cannot be read.
    Unreadable,
    /// A sheet is not an object of names and whole numbers.
    BadSheet,
    /// A table is not well-formed CSV.
    BadTable,
    /// A cell of a table is not what its column needs.
    BadCell,
    /// A table lacks a column that a rule needs.
    MissingColumn,
    /// A file cannot be written; what was there before is untouched.
    Unwritable,
    /// The user cancelled.
    Cancelled,
    /// Native code cannot be made here.
    NoNativeCode,
    /// A note on a table of odds: rows that were left out, or how it was sampled.
    TableNote,
    /// A script is not in its normal layout.
    Unformatted,
    /// Arguments that do not fit a roll of a script.
    BadArguments,
    /// A session that is damaged or belongs to something else.
    BadSession,
    /// A roll that a script does not define.
    UnknownRoll,
    /// An option that a roll did not meet.
    UnknownOption,
    /// A question about what a summary does not keep.
    NotInSummary,
    /// A seed for a session that has one.
    SecondSeed,
    /// A sweep that changes nothing, or whose results cannot be shown.
    BadSweep,
    /// A file of a table whose extension says nothing.
    UnknownFormat,
    /// Two expressions of one name.
    NameTwice,
    /// A configuration that is not one.
    BadSettings,
    /// A line of a session that asks for nothing.
    BadEntry,
    /// An item, an actor or a scenario that is not one.
    BadItem,
    /// A part of an item that has no effect.
    ItemNote,
    /// An encounter or a stat block that is not one.
    BadEncounter,
    /// A part of an encounter that is not modelled.
    EncounterNote,
}

impl FileCode {
    /// All codes, in order.
    #[cfg(test)]
    pub(crate) const ALL: [FileCode; 25] = [
        FileCode::Unreadable,
        FileCode::BadSheet,
        FileCode::BadTable,
        FileCode::BadCell,
        FileCode::MissingColumn,
        FileCode::Unwritable,
        FileCode::Cancelled,
        FileCode::NoNativeCode,
        FileCode::TableNote,
        FileCode::Unformatted,
        FileCode::BadArguments,
        FileCode::BadSession,
        FileCode::UnknownRoll,
        FileCode::UnknownOption,
        FileCode::NotInSummary,
        FileCode::SecondSeed,
        FileCode::BadSweep,
        FileCode::UnknownFormat,
        FileCode::NameTwice,
        FileCode::BadSettings,
        FileCode::BadEntry,
        FileCode::BadItem,
        FileCode::ItemNote,
        FileCode::BadEncounter,
        FileCode::EncounterNote,
    ];

    /// The code as users see it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            FileCode::Unreadable => "D0501",
            FileCode::BadSheet => "D0502",
            FileCode::BadTable => "D0503",
            FileCode::BadCell => "D0504",
            FileCode::MissingColumn => "D0505",
            FileCode::Unwritable => "D0506",
            FileCode::Cancelled => "D0507",
            FileCode::NoNativeCode => "D0508",
            FileCode::TableNote => "D0509",
            FileCode::Unformatted => "D0510",
            FileCode::BadArguments => "D0511",
            FileCode::BadSession => "D0512",
            FileCode::UnknownRoll => "D0513",
            FileCode::UnknownOption => "D0514",
            FileCode::NotInSummary => "D0515",
            FileCode::SecondSeed => "D0516",
            FileCode::BadSweep => "D0517",
            FileCode::UnknownFormat => "D0518",
            FileCode::NameTwice => "D0519",
            FileCode::BadSettings => "D0520",
            FileCode::BadEntry => "D0521",
            FileCode::BadItem => "D0522",
            FileCode::ItemNote => "D0523",
            FileCode::BadEncounter => "D0524",
            FileCode::EncounterNote => "D0525",
        }
    }
}

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
        let findings = diagnostics.iter();
        Self {
            findings: findings
                .map(|found| Finding::in_sources(&advice::worded(found), sources))
                .collect(),
        }
    }

    /// Why a question to an expression or a script has no answer.
    pub(crate) fn failure(failure: &Failure, sources: &Sources) -> Self {
        let finding = match failure.diagnostic(sources.main().len()) {
            Some(diagnostic) => Finding::in_sources(&advice::worded(&diagnostic), sources),
            None => {
                let code = match failure {
                    Failure::Cancelled { .. } => FileCode::Cancelled,
                    _ => FileCode::NoNativeCode,
                };
                Finding::general(code.as_str(), failure.to_string())
            }
        };
        finding.into()
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

/// An internal error.
impl From<Bug> for CliError {
    fn from(bug: Bug) -> Self {
        Finding::general(Code::Internal.as_str(), bug.to_string()).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    /// The codes without a transcript, and why.
    const WITHOUT: [(FileCode, &str); 3] = [
        (FileCode::Cancelled, "it takes someone who presses Ctrl-C"),
        (
            FileCode::NoNativeCode,
            "every machine that runs the tests makes native code",
        ),
        (
            FileCode::BadSettings,
            "transcripts have no variables: cli/tests/command/settings.rs shows it",
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
        // An internal error that anybody knew of would be mended.
        let codes = Code::ALL.iter().filter(|code| **code != Code::Internal);
        let codes = codes.map(|code| code.as_str());
        for code in codes.chain(files.map(FileCode::as_str)) {
            let shown = transcripts.iter().any(|(name, text)| {
                name.starts_with(&format!("{code}_")) && text.contains(&format!("[{code}]"))
            });
            assert!(shown, "no tests/diagnostics/{code}_*.trycmd shows [{code}]");
        }
    }
}
