//! What ends a statement, as findings; `foreign` makes them of what DataFusion says.

use crate::advice::words;
use datafusion::error::DataFusionError;
use dicec_lang::syntax::{Code, Diagnostics, FileCode, Finding, render};
use dicec_runtime::bug::Bug;
use std::error::Error;
use std::fmt;
use std::path::Path;

/// The columns that a finding may have in a log or in the error of another library.
const WIDTH: usize = 100;

/// Everything that is wrong with a statement, or with a row that it came to; never empty.
#[derive(Clone, PartialEq, Eq)]
pub struct SqlError {
    /// What is wrong.
    pub findings: Vec<Finding>,
}

impl SqlError {
    /// What is wrong with the text that `origin` names.
    pub(crate) fn in_text(found: &Diagnostics, origin: &str, text: &str) -> Self {
        let findings = found.iter();
        Self {
            findings: findings
                .map(|found| Finding::in_text(&found.worded(words), origin, text))
                .collect(),
        }
    }

    /// A call whose arguments do not fit.
    pub(crate) fn call(message: impl Into<String>, help: impl Into<String>) -> Self {
        let finding = Finding::general(FileCode::BadCall.as_str(), message);
        finding.help(help).into()
    }
}

impl From<Finding> for SqlError {
    fn from(finding: Finding) -> Self {
        Self {
            findings: vec![finding],
        }
    }
}

/// The findings as for a person, without colours.
impl fmt::Display for SqlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, finding) in self.findings.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            let text = render(finding, WIDTH);
            write!(f, "{}", anstream::adapter::strip_str(&text))?;
        }
        Ok(())
    }
}

impl Error for SqlError {}

/// So that DataFusion hands it through.
impl From<SqlError> for DataFusionError {
    fn from(error: SqlError) -> Self {
        Self::External(Box::new(error))
    }
}

/// An internal error.
pub(crate) fn internal(bug: &Bug) -> Finding {
    Finding::general(Code::Internal.as_str(), bug.to_string())
}

/// What went wrong while a file was read, with its name, unless our findings say more.
pub(crate) fn in_file(path: &Path, error: DataFusionError) -> DataFusionError {
    let is_known = within(&error).is_some()
        || matches!(error.find_root(), DataFusionError::ResourcesExhausted(_));
    if is_known {
        return error;
    }
    let (path, message) = (path.display().to_string(), error.strip_backtrace());
    let finding = Finding::in_file(FileCode::BadSql.as_str(), &path, None, message.trim());
    SqlError::from(finding).into()
}

/// The error of ours in one of DataFusion's.
pub(crate) fn within(error: &DataFusionError) -> Option<&SqlError> {
    let mut at: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = at {
        if let Some(ours) = error.downcast_ref::<SqlError>() {
            return Some(ours);
        }
        at = match error.downcast_ref::<DataFusionError>() {
            Some(DataFusionError::External(inner)) => Some(inner.as_ref()),
            Some(DataFusionError::Shared(inner)) => Some(inner.as_ref()),
            Some(DataFusionError::Context(_, inner) | DataFusionError::Diagnostic(_, inner)) => {
                Some(inner.as_ref())
            }
            Some(DataFusionError::Collection(all)) => return all.iter().find_map(within),
            Some(DataFusionError::ArrowError(inner, _)) => match inner.as_ref() {
                datafusion::arrow::error::ArrowError::ExternalError(inner) => Some(inner.as_ref()),
                other => other.source(),
            },
            _ => error.source(),
        };
    }
    None
}
