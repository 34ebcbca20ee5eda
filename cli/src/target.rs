//! The destination of a table or a picture: standard output, or a file that is replaced as a whole.

use crate::error::{CliError, FileCode, Finding};
use crate::output;
use dicec_tables::WholeFile;
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::{Path, PathBuf};

/// An open output.
pub(crate) enum Target {
    Stdout(BufWriter<StdoutLock<'static>>),
    File { whole: WholeFile, place: Place },
}

/// What goes where, for errors.
#[derive(Clone)]
pub(crate) struct Place {
    path: PathBuf,
    /// As in "cannot write the table".
    what: &'static str,
}

impl Target {
    /// Opens a file for a `table` or a `picture`, or standard output.
    ///
    /// # Errors
    /// A place that cannot be written to.
    pub(crate) fn open(path: Option<&Path>, what: &'static str) -> Result<Self, CliError> {
        let Some(path) = path else {
            return Ok(Self::Stdout(output::stdout()));
        };
        let place = Place {
            path: path.to_owned(),
            what,
        };
        match WholeFile::open(path) {
            Ok(whole) => Ok(Self::File { whole, place }),
            Err(error) => Err(place.unwritable(&error)),
        }
    }

    /// Writes what is left, and puts a file in its place.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn commit(self) -> Result<(), CliError> {
        match self {
            Self::Stdout(mut stream) => stream.flush().map_err(output::write_failed),
            Self::File { whole, place } => whole.commit().map_err(|error| place.unwritable(&error)),
        }
    }

    /// What a failure to write means. It stands apart from the target, which is lent to a sink
    /// while there is writing.
    pub(crate) fn on_failure(&self) -> impl Fn(io::Error) -> CliError + use<> {
        let place = match self {
            Self::Stdout(_) => None,
            Self::File { place, .. } => Some(place.clone()),
        };
        move |error| match &place {
            Some(place) => place.unwritable(&error),
            None => output::write_failed(error),
        }
    }

    /// The file that is replaced as a whole; none for a stream or a device.
    pub(crate) fn file(&self) -> Option<&Path> {
        match self {
            Self::File {
                whole: WholeFile::New { .. },
                place,
            } => Some(&place.path),
            Self::File { .. } | Self::Stdout(_) => None,
        }
    }

    fn stream(&mut self) -> &mut dyn Write {
        match self {
            Self::Stdout(stream) => stream,
            Self::File { whole, .. } => whole,
        }
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream().flush()
    }
}

impl Place {
    fn unwritable(&self, error: &io::Error) -> CliError {
        let message = format!("cannot write the {}: {error}", self.what);
        let path = self.path.display().to_string();
        Finding::in_file(FileCode::Unwritable.as_str(), &path, None, message).into()
    }
}
