//! Where rows are written to, and as what. A file is replaced when everything is written.

use super::args::Args;
use super::columns::plain;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::csv;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::json::writer::{LineDelimited, WriterBuilder};
use datafusion::arrow::util::pretty::pretty_format_batches;
use dicec_lang::syntax::{FileCode, Finding};
use dicec_sql::SqlError;
use dicec_tables::{BatchWriter, Container, Format, WholeFile, Written};
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
        let form = match format {
            None => Ok(Form::Table(Vec::new())),
            Some(Format::Csv) => Ok(Form::Text(b',')),
            Some(Format::Tsv) => Ok(Form::Text(b'\t')),
            Some(Format::Json) => Ok(Form::Array(false)),
            Some(Format::Jsonl) => Ok(Form::Lines),
            Some(Format::Parquet) => batches(Container::Parquet),
            Some(Format::Arrow) => batches(Container::arrow(args.output.as_deref())),
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

/// The format of the answer; `None` is a table for people.
fn format(args: &Args) -> Result<Option<Format>, SqlError> {
    let of_file = match (args.format, &args.output) {
        (Written::Table, _) => return Ok(None),
        (Written::As(format), _) => Some(format),
        (Written::Auto, Some(path)) => Format::of_file(path).map_err(|unknown| {
            let code = FileCode::UnknownFormat.as_str();
            let shown = path.display().to_string();
            let finding = Finding::in_file(code, &shown, None, unknown.to_string());
            let help = "end the name in .csv, .tsv, .json, .jsonl, .parquet or .arrow, or choose \
                        with --format";
            finding.help(help)
        })?,
        (Written::Auto, None) => None,
    };
    let is_watched = args.output.is_none() && io::stdout().is_terminal();
    Ok(match of_file {
        Some(format) => Some(format),
        None if args.json => Some(Format::Jsonl),
        None if is_watched => None,
        None => Some(Format::Csv),
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
