//! The files that tables are read from. An error in one is reported with its file.

use super::files;
use super::formats::Reading;
use crate::error::{CliError, FileCode, Finding};
use dicec_runtime::bug;
use dicec_tables::{BadTable, DataType, Record, Source};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// A second table is kept in memory, which bounds it.
const MAX_TARGETS_BYTES: u64 = 256 << 20;

/// A table being read.
pub(super) struct Input {
    /// As the user gave it.
    path: String,
    /// Its files, in order, and how each is read.
    files: Vec<TableFile>,
    /// The one that is being read.
    current: usize,
    source: Source,
}

/// A file of a table.
struct TableFile {
    path: PathBuf,
    reading: Reading,
    /// Unknown for what is not a file.
    size: Option<u64>,
}

/// A whole table.
pub(super) struct Whole {
    pub(super) path: String,
    pub(super) files: Vec<String>,
    pub(super) header: Vec<String>,
    pub(super) types: Vec<Option<DataType>>,
    pub(super) rows: Vec<Record>,
}

impl Input {
    /// Opens a table, `-` for standard input, and reads its header; `reading` says how a file is
    /// read.
    ///
    /// # Errors
    /// A file that cannot be read, or a table without a proper header.
    pub(super) fn open(
        table: &Path,
        reading: impl Fn(&Path) -> Result<Reading, CliError>,
    ) -> Result<Self, CliError> {
        let mut files = Vec::new();
        for path in files::of_table(table)? {
            let found = fs::metadata(&path).ok().filter(|found| found.is_file());
            files.push(TableFile {
                reading: reading(&path)?,
                size: found.map(|found| found.len()),
                path,
            });
        }
        let first = files.first().ok_or_else(|| bug!("a table without files"))?;
        let source = first.open()?;
        Ok(Self {
            path: shown(table),
            files,
            current: 0,
            source,
        })
    }

    /// A single row without columns, of no file.
    pub(super) fn single() -> Self {
        Self {
            path: String::new(),
            files: Vec::new(),
            current: 0,
            source: Source::single(),
        }
    }

    /// The table as the user gave it; empty for none.
    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// The names of its files, in order.
    pub(super) fn files(&self) -> Vec<String> {
        let files = self.files.iter();
        files.map(|file| shown(&file.path)).collect()
    }

    /// The table's size in bytes, if it is in files.
    pub(super) fn size(&self) -> Option<u64> {
        let sizes = self.files.iter().map(|file| file.size);
        sizes
            .sum::<Option<u64>>()
            .filter(|_| !self.files.is_empty())
    }

    /// How many bytes its rows so far take.
    pub(super) fn bytes_read(&self) -> u64 {
        let done = self.files.iter().take(self.current);
        let done: u64 = done.filter_map(|file| file.size).sum();
        done + self.source.bytes_read()
    }

    /// The columns' names, as they stand in the table.
    pub(super) fn header(&self) -> &[String] {
        self.source.header()
    }

    /// The columns' types, if the table says them.
    pub(super) fn types(&self) -> &[Option<DataType>] {
        self.source.types()
    }

    /// Reads the next row into `row`; false at the end.
    ///
    /// # Errors
    /// What makes it impossible to go on.
    pub(super) fn read(&mut self, row: &mut Record) -> Result<bool, CliError> {
        loop {
            let read = self.source.read(row);
            if read.map_err(|wrong| finding(&self.current_path(), wrong))? {
                row.set_file(self.current);
                return Ok(true);
            }
            if !self.next_file()? {
                return Ok(false);
            }
        }
    }

    /// Goes on with the next file, if there is one.
    fn next_file(&mut self) -> Result<bool, CliError> {
        let Some(next) = self.files.get(self.current + 1) else {
            return Ok(false);
        };
        let source = next.open()?;
        if source.header() != self.header() || source.types() != self.types() {
            let first = self.files.first().map(|file| shown(&file.path));
            let message = format!("its columns are not those of {}", first.unwrap_or_default());
            let code = FileCode::BadTable.as_str();
            let wrong = Finding::in_file(code, &shown(&next.path), Some((1, 1)), message);
            let help = "all files of a table have the same columns, in the same order and of the \
                        same types";
            return Err(wrong.help(help).into());
        }
        self.source = source;
        self.current += 1;
        Ok(true)
    }

    fn current_path(&self) -> String {
        let file = self.files.get(self.current);
        file.map_or_else(|| self.path.clone(), |file| shown(&file.path))
    }

    /// The whole of a table with rows.
    ///
    /// # Errors
    /// What is wrong with it, that it has no rows, or that they take too much memory.
    pub(super) fn whole(mut self) -> Result<Whole, CliError> {
        let mut rows = Vec::new();
        let mut row = Record::default();
        let mut bytes = 0;
        while self.read(&mut row)? {
            bytes += row.bytes();
            if bytes > MAX_TARGETS_BYTES {
                let message = format!("the table has more than {} MiB", MAX_TARGETS_BYTES >> 20);
                let code = FileCode::BadTable.as_str();
                let place = Some((row.line(), 1));
                let wrong = Finding::in_file(code, &self.current_path(), place, message);
                let help = "it is kept in memory: make the other one the larger table";
                return Err(wrong.help(help).into());
            }
            rows.push(std::mem::take(&mut row));
        }
        if rows.is_empty() {
            return Err(self.no_rows());
        }
        Ok(Whole {
            files: self.files(),
            header: self.header().to_vec(),
            types: self.types().to_vec(),
            path: self.path,
            rows,
        })
    }

    /// The error of a table without rows.
    pub(super) fn no_rows(&self) -> CliError {
        let message = "the table has a header, but no rows";
        let code = FileCode::BadTable.as_str();
        Finding::in_file(code, &self.path, Some((1, 1)), message).into()
    }
}

impl TableFile {
    /// Opens it, and reads its header.
    fn open(&self) -> Result<Source, CliError> {
        let path = shown(&self.path);
        let is_stream = self.path == Path::new("-");
        let source = match self.reading {
            Reading::Parquet if is_stream => {
                let message = "a Parquet file is read from its end, which a pipe does not have yet";
                let code = FileCode::Unreadable.as_str();
                let wrong = Finding::in_file(code, &path, None, message);
                return Err(wrong
                    .help("give the file itself, or pipe Arrow's format")
                    .into());
            }
            Reading::Parquet => Source::parquet(self.file()?),
            Reading::Streamed(shape) => {
                let bytes: Box<dyn io::Read> = match is_stream {
                    true => Box::new(io::stdin().lock()),
                    false => Box::new(self.file()?),
                };
                Source::open(bytes, shape)
            }
        };
        source.map_err(|wrong| finding(&path, wrong).into())
    }

    fn file(&self) -> Result<File, CliError> {
        File::open(&self.path).map_err(|error| {
            let message = format!("cannot read the table: {error}");
            let code = FileCode::Unreadable.as_str();
            Finding::in_file(code, &shown(&self.path), None, message).into()
        })
    }
}

/// A file as messages name it.
fn shown(path: &Path) -> String {
    match path == Path::new("-") {
        true => "standard input".to_owned(),
        false => path.display().to_string(),
    }
}

/// What is wrong with the table in a file.
fn finding(path: &str, wrong: BadTable) -> Finding {
    let code = match wrong.is_unreadable {
        true => FileCode::Unreadable,
        false => FileCode::BadTable,
    };
    Finding {
        help: wrong.help,
        ..Finding::in_file(code.as_str(), path, wrong.place, wrong.message)
    }
}
