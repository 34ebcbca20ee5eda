//! Looks at tables in binary formats before DataFusion reads them, once as long as they do not
//! change.

use crate::SqlError;
use dicec_lang::syntax::{FileCode, Finding};
use dicec_tables::{BadTable, vetted};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::SystemTime;

/// The most rows that are decoded at once, as many as DataFusion's batches have.
const MAX_ROWS: usize = 8192;

/// The most tables that are remembered.
const MAX_TABLES: usize = 10_000;

/// A table as it is at the moment: its path, its length, and when it was changed.
type Version = (PathBuf, u64, Option<SystemTime>);

/// The rows of a table that may be decoded at once, or what is wrong with it, when that is known.
type Found = Arc<OnceLock<Result<usize, SqlError>>>;

/// Tables that were looked at.
#[derive(Debug, Default)]
pub(super) struct Vetted(Mutex<HashMap<Version, Found>>);

impl Vetted {
    /// Looks at a table, and tells how many of its rows may be decoded at once. Who asks for a
    /// table that another one looks at waits for that one.
    ///
    /// # Errors
    /// It is damaged or too large, or cannot be read.
    pub(super) fn rows_at_once(&self, path: &Path) -> Result<usize, SqlError> {
        let seen = fs::metadata(path).map(|seen| (seen.len(), seen.modified().ok()));
        let Ok((bytes, changed)) = seen else {
            return look(path);
        };
        let version = (path.to_owned(), bytes, changed);
        let found = {
            let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if known.len() >= MAX_TABLES {
                known.clear();
            }
            Arc::clone(known.entry(version).or_default())
        };
        found.get_or_init(|| look(path)).clone()
    }
}

fn look(path: &Path) -> Result<usize, SqlError> {
    vetted(path, MAX_ROWS).map_err(|wrong| in_table(path, wrong))
}

/// What is wrong with a table.
pub(crate) fn in_table(path: &Path, wrong: BadTable) -> SqlError {
    let code = match wrong.is_unreadable {
        true => FileCode::Unreadable,
        false => FileCode::BadTable,
    };
    let path = path.display().to_string();
    let finding = Finding {
        help: wrong.help,
        ..Finding::in_file(code.as_str(), &path, wrong.place, wrong.message)
    };
    finding.into()
}
