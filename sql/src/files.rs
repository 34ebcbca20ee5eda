//! Files as tables: a statement names one by its path, `SELECT * FROM 'monsters.csv'`. How a file
//! is read follows from its ending, as for `dicec batch`.

use crate::error::{SqlError, in_file, internal};
use crate::unwound::reading;
use async_trait::async_trait;
use datafusion::catalog::{TableProvider, UrlTableFactory};
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::file_format::arrow::ArrowFormat;
use datafusion::datasource::file_format::csv::CsvFormat;
use datafusion::datasource::file_format::json::JsonFormat;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{
    ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl,
};
use datafusion::error::Result;
use datafusion::execution::SessionState;
use datafusion::prelude::SessionContext;
use dicec_lang::syntax::{FileCode, Finding};
use dicec_runtime::bug;
use dicec_tables::Format;
use std::fmt;
use std::fs;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// The state of a session at the moment, as long as there is one.
type State = Box<dyn Fn() -> Option<SessionState> + Send + Sync>;

/// Makes tables of paths.
pub(crate) struct Files {
    /// Whether other machines read them.
    is_remote: bool,
    /// The session whose settings hold; it exists only after its catalog.
    session: OnceLock<State>,
}

impl Files {
    /// Tables that other machines read, or this one.
    pub(crate) fn new(is_remote: bool) -> Self {
        Self {
            is_remote,
            session: OnceLock::new(),
        }
    }

    /// From now on, the settings of this session hold.
    pub(crate) fn of_session(&self, context: &SessionContext) {
        let state = context.state_weak_ref();
        self.session
            .get_or_init(|| Box::new(move || state.upgrade().map(|state| state.read().clone())));
    }
}

impl fmt::Debug for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Files").finish_non_exhaustive()
    }
}

#[async_trait]
impl UrlTableFactory for Files {
    async fn try_new(&self, path: &str) -> Result<Option<Arc<dyn TableProvider>>> {
        let Some(ending) = ending(path)? else {
            return Ok(None);
        };
        let Some(format) = format(&ending) else {
            return Err(SqlError::from(unknown(path, &ending)).into());
        };
        if self.is_remote && ending.eq_ignore_ascii_case("json") {
            return Err(SqlError::from(not_on_cluster(path)).into());
        }
        let Some(state) = self.session.get().and_then(|state| state()) else {
            return Err(SqlError::from(internal(&bug!("a catalog without a session"))).into());
        };
        let options = ListingOptions::new(format).with_file_extension(format!(".{ending}"));
        let config = ListingTableConfig::new(ListingTableUrl::parse(path)?);
        let config = config.with_listing_options(options);
        let config = reading(path, config.infer_schema(&state)).await?;
        let config = config.map_err(|why| in_file(Path::new(path), why))?;
        let table = ListingTable::try_new(config)?;
        Ok(Some(Arc::new(table)))
    }
}

/// How files with this ending are read.
fn format(ending: &str) -> Option<Arc<dyn FileFormat>> {
    let csv = || CsvFormat::default().with_has_header(true);
    Some(match Format::of_ending(ending)? {
        Format::Csv => Arc::new(csv()),
        Format::Tsv => Arc::new(csv().with_delimiter(b'\t')),
        Format::Json => Arc::new(JsonFormat::default().with_newline_delimited(false)),
        Format::Jsonl => Arc::new(JsonFormat::default()),
        Format::Parquet => Arc::new(ParquetFormat::default()),
        Format::Arrow => Arc::new(ArrowFormat),
    })
}

/// The ending of a file, of the files in a folder, or of those that a pattern finds; none for a
/// plain name, which may be that of a table.
fn ending(path: &str) -> Result<Option<String>, SqlError> {
    let file = Path::new(path);
    let own = || file.extension()?.to_str().map(str::to_owned);
    let is_pattern = path.contains(['*', '?', '[']);
    if path.contains("://") || is_pattern {
        return Ok(own());
    }
    match fs::metadata(file) {
        Ok(found) if found.is_dir() => in_folder(path).map(Some),
        Ok(_) => Ok(own()),
        Err(_) if own().is_none() && !path.contains('/') => Ok(None),
        Err(error) => Err(unreadable(path, &error).into()),
    }
}

/// The ending of the tables in a folder.
fn in_folder(path: &str) -> Result<String, SqlError> {
    let entries = fs::read_dir(path).map_err(|error| unreadable(path, &error))?;
    let names = entries.flatten().map(|entry| entry.path());
    let endings = names.filter_map(|name| name.extension()?.to_str().map(str::to_owned));
    let mut endings: Vec<String> = endings.filter(|ending| format(ending).is_some()).collect();
    endings.sort_unstable();
    endings.dedup();
    let wrong = |message: &str, help: &str| {
        let code = FileCode::BadTable.as_str();
        SqlError::from(Finding::in_file(code, path, None, message).help(help))
    };
    match &mut endings[..] {
        [only] => Ok(std::mem::take(only)),
        [] => Err(wrong("there is no table in this folder", "name a file")),
        _ => {
            let help = format!("choose with a pattern: '{path}/*.{}'", endings[0]);
            Err(wrong(
                "the tables in this folder are of several kinds",
                &help,
            ))
        }
    }
}

fn unreadable(path: &str, error: &std::io::Error) -> Finding {
    let message = format!("cannot read the table: {error}");
    Finding::in_file(FileCode::Unreadable.as_str(), path, None, message)
}

fn unknown(path: &str, ending: &str) -> Finding {
    let message = format!("no table is written as .{ending}");
    let help = "tables are .csv, .tsv, .json, .jsonl, .parquet or .arrow files";
    Finding::in_file(FileCode::UnknownFormat.as_str(), path, None, message).help(help)
}

/// Ballista's plans do not say whether JSON is an array or lines, and mean lines.
fn not_on_cluster(path: &str) -> Finding {
    let message = "the machines of a cluster do not read arrays of objects";
    let finding = Finding::in_file(FileCode::NotOnCluster.as_str(), path, None, message);
    finding.help("save the table as .jsonl, .csv, .parquet or .arrow")
}
