//! Where rows are written to, and as what. A file is replaced when everything is written.

use super::args::{Args, Format};
use super::columns::plain;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::csv;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::json::writer::{LineDelimited, WriterBuilder};
use datafusion::arrow::util::pretty::pretty_format_batches;
use dicec_lang::syntax::{FileCode, Finding};
use dicec_sql::SqlError;
use dicec_tables::{BatchWriter, Container, WholeFile};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

const BUFFER: usize = 1 << 16;

/// An open output.
pub(super) struct Output {
    target: Target,
    form: Form,
}

enum Target {
    Stdout(BufWriter<io::Stdout>),
    File(Box<WholeFile>, PathBuf),
}

/// How rows are written.
enum Form {
    /// Cells between these characters.
    Text(u8),
    Lines,
    /// An array of objects; whether there was one.
    Array(bool),
    Batches(Box<BatchWriter>),
    /// For people, all at once, so that columns are as wide as their cells.
    Table(Vec<RecordBatch>),
}

impl Output {
    /// Opens what the flags ask for.
    ///
    /// # Errors
    /// A file of an unknown kind, or one that cannot be written.
    pub(super) fn open(args: &Args, schema: &SchemaRef) -> Result<Self, SqlError> {
        let format = format(args)?;
        let target = match &args.output {
            Some(path) => {
                let whole = WholeFile::open(path).map_err(|why| unwritable(path, &why))?;
                Target::File(Box::new(whole), path.clone())
            }
            None => Target::Stdout(BufWriter::with_capacity(BUFFER, io::stdout())),
        };
        let batches = |container| {
            BatchWriter::new(container, schema).map(|writer| Form::Batches(Box::new(writer)))
        };
        let is_file = args.output.is_some();
        let form = match format {
            Format::Csv | Format::Auto => Ok(Form::Text(b',')),
            Format::Tsv => Ok(Form::Text(b'\t')),
            Format::Json => Ok(Form::Array(false)),
            Format::Jsonl => Ok(Form::Lines),
            Format::Table => Ok(Form::Table(Vec::new())),
            Format::Parquet => batches(Container::Parquet),
            Format::Arrow if is_file => batches(Container::ArrowFile),
            Format::Arrow => batches(Container::ArrowStream),
        };
        let form = form.map_err(|why| unwritten(&why.to_string()))?;
        let mut output = Self { target, form };
        if let Form::Text(delimiter) = output.form {
            // The header is there even if no row is.
            let empty = plain(&RecordBatch::new_empty(SchemaRef::clone(schema)));
            let header = csv::WriterBuilder::new().with_delimiter(delimiter);
            let mut bytes = Vec::new();
            let written = empty.and_then(|empty| header.build(&mut bytes).write(&empty));
            written.map_err(|why| unwritten(&why.to_string()))?;
            output.send(&bytes)?;
        }
        Ok(output)
    }

    /// Writes rows; false if nobody reads them any more.
    ///
    /// # Errors
    /// They cannot be written.
    pub(super) fn write(&mut self, batch: &RecordBatch) -> Result<bool, SqlError> {
        let bytes = self
            .form
            .bytes(batch)
            .map_err(|why| unwritten(&why.to_string()))?;
        self.send(&bytes)
    }

    /// Writes what follows the last row, and puts a file in its place.
    ///
    /// # Errors
    /// It cannot be written.
    pub(super) fn end(mut self) -> Result<(), SqlError> {
        let last = self.form.end().map_err(|why| unwritten(&why.to_string()))?;
        if !self.send(&last)? {
            return Ok(());
        }
        match self.target {
            Target::Stdout(mut stream) => ended(stream.flush()).map(drop),
            Target::File(whole, path) => {
                whole.commit().map_err(|why| unwritable(&path, &why).into())
            }
        }
    }

    fn send(&mut self, bytes: &[u8]) -> Result<bool, SqlError> {
        match &mut self.target {
            Target::Stdout(stream) => ended(stream.write_all(bytes)),
            Target::File(whole, path) => {
                let written = whole.write_all(bytes);
                written.map_err(|why| unwritable(path, &why))?;
                Ok(true)
            }
        }
    }
}

impl Form {
    /// Rows as bytes that are complete.
    fn bytes(&mut self, batch: &RecordBatch) -> Result<Vec<u8>, ArrowError> {
        let mut bytes = Vec::new();
        match self {
            Self::Text(delimiter) => {
                let writer = csv::WriterBuilder::new().with_delimiter(*delimiter);
                let mut writer = writer.with_header(false).build(&mut bytes);
                writer.write(&plain(batch)?)?;
                drop(writer);
            }
            Self::Lines => bytes = lines(batch)?,
            Self::Array(has_some) => {
                let lines = lines(batch)?;
                let lines = lines.split(|byte| *byte == b'\n');
                for line in lines.filter(|line| !line.is_empty()) {
                    bytes.extend_from_slice(if *has_some { b",\n" } else { b"[" });
                    bytes.extend_from_slice(line);
                    *has_some = true;
                }
            }
            Self::Batches(writer) => {
                writer.write(batch)?;
                bytes = writer.written();
            }
            Self::Table(batches) => batches.push(plain(batch)?),
        }
        Ok(bytes)
    }

    /// What follows the last row.
    fn end(&mut self) -> Result<Vec<u8>, ArrowError> {
        Ok(match self {
            Self::Text(_) | Self::Lines => Vec::new(),
            Self::Array(true) => b"]\n".to_vec(),
            Self::Array(false) => b"[]\n".to_vec(),
            Self::Batches(writer) => {
                writer.finish()?;
                writer.written()
            }
            Self::Table(batches) => format!("{}\n", pretty_format_batches(batches)?).into_bytes(),
        })
    }
}

/// A line of JSON for each row; what is missing is null.
fn lines(batch: &RecordBatch) -> Result<Vec<u8>, ArrowError> {
    let builder = WriterBuilder::new().with_explicit_nulls(true);
    let mut writer = builder.build::<_, LineDelimited>(Vec::new());
    writer.write(batch)?;
    writer.finish()?;
    Ok(writer.into_inner())
}

/// What `auto` means here.
fn format(args: &Args) -> Result<Format, SqlError> {
    let is_watched = args.output.is_none() && io::stdout().is_terminal();
    let named = args.output.as_deref().and_then(|path| {
        let end = path.extension()?.to_string_lossy().to_ascii_lowercase();
        Some((path, end))
    });
    let extension = named.as_ref().map(|(path, end)| (*path, end.as_str()));
    Ok(match (args.format, extension) {
        (Format::Auto, Some((_, "csv"))) => Format::Csv,
        (Format::Auto, Some((_, "tsv" | "tab"))) => Format::Tsv,
        (Format::Auto, Some((_, "json"))) => Format::Json,
        (Format::Auto, Some((_, "jsonl" | "ndjson"))) => Format::Jsonl,
        (Format::Auto, Some((_, "parquet"))) => Format::Parquet,
        (Format::Auto, Some((_, "arrow" | "feather" | "ipc"))) => Format::Arrow,
        (Format::Auto, Some((path, other))) => {
            let path = path.display();
            let message = format!("no table is written as .{other}");
            let code = FileCode::UnknownFormat.as_str();
            let finding = Finding::in_file(code, &path.to_string(), None, message);
            let help = "end the name in .csv, .tsv, .json, .jsonl, .parquet or .arrow, or choose \
                        with --format";
            return Err(finding.help(help).into());
        }
        (Format::Auto, None) if args.json => Format::Jsonl,
        (Format::Auto, None) if is_watched => Format::Table,
        (Format::Auto, None) => Format::Csv,
        (format, _) => format,
    })
}

/// Whether standard output is still read.
fn ended(written: io::Result<()>) -> Result<bool, SqlError> {
    match written {
        Ok(()) => Ok(true),
        Err(why) if why.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(why) => Err(unwritten(&format!(
            "cannot write to standard output: {why}"
        ))),
    }
}

fn unwritten(why: &str) -> SqlError {
    Finding::general(FileCode::Unwritable.as_str(), why).into()
}

fn unwritable(path: &Path, why: &io::Error) -> Finding {
    let message = format!("cannot write the table: {why}");
    let path = path.display().to_string();
    Finding::in_file(FileCode::Unwritable.as_str(), &path, None, message)
}
