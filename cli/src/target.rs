//! Where a table or a picture is written to. A file is replaced as a whole, when everything is
//! written; until then, and after any error, what was there before stays.

use crate::error::{CliError, FileCode, Finding};
use crate::output;
use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

const BUFFER: usize = 1 << 16;

/// An open output.
pub(crate) enum Target {
    Stdout(BufWriter<StdoutLock<'static>>),
    /// A file that does not exist yet, or is to be replaced.
    File {
        whole: BufWriter<NamedTempFile>,
        place: Place,
    },
    /// What cannot be replaced: `/dev/null`, a named pipe.
    Device {
        open: BufWriter<File>,
        place: Place,
    },
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
        let named = Place {
            path: path.to_owned(),
            what,
        };
        Self::open_file(&named).map_err(|error| named.unwritable(&error))
    }

    fn open_file(named: &Place) -> io::Result<Self> {
        // A link stays a link: the file that it leads to is replaced.
        let path = fs::canonicalize(&named.path).unwrap_or_else(|_| named.path.clone());
        let place = Place {
            path,
            what: named.what,
        };
        let path = &place.path;
        let old = fs::metadata(path).ok();
        if let Some(old) = &old
            && !old.is_file()
        {
            let open = File::options().write(true).open(path)?;
            let open = BufWriter::with_capacity(BUFFER, open);
            return Ok(Self::Device { open, place });
        }
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let temporary = tempfile::Builder::new()
            .prefix(".dicec-")
            .suffix(".tmp")
            .permissions(permissions(old.as_ref()))
            .tempfile_in(folder.unwrap_or(Path::new(".")))?;
        let whole = BufWriter::with_capacity(BUFFER, temporary);
        Ok(Self::File { whole, place })
    }

    /// Writes what is left, and puts a file in its place.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn commit(self) -> Result<(), CliError> {
        match self {
            Self::Stdout(mut stream) => stream.flush().map_err(output::write_failed),
            Self::Device { mut open, place } => {
                open.flush().map_err(|error| place.unwritable(&error))
            }
            Self::File { whole, place } => {
                let replace = || -> io::Result<()> {
                    let temporary = whole.into_inner().map_err(io::IntoInnerError::into_error)?;
                    // The name must not come to lead to a file whose bytes a power cut can still
                    // lose.
                    temporary.as_file().sync_all()?;
                    temporary.persist(&place.path)?;
                    Ok(())
                };
                replace().map_err(|error| place.unwritable(&error))
            }
        }
    }

    /// What a failure to write means. It stands apart from the target, which is lent to a sink
    /// while there is writing.
    pub(crate) fn on_failure(&self) -> impl Fn(io::Error) -> CliError + use<> {
        let place = match self {
            Self::Stdout(_) => None,
            Self::File { place, .. } | Self::Device { place, .. } => Some(place.clone()),
        };
        move |error| match &place {
            Some(place) => place.unwritable(&error),
            None => output::write_failed(error),
        }
    }

    /// Whether it is a file.
    pub(crate) fn is_file(&self) -> bool {
        matches!(self, Self::File { .. })
    }

    fn stream(&mut self) -> &mut dyn Write {
        match self {
            Self::Stdout(stream) => stream,
            Self::File { whole, .. } => whole,
            Self::Device { open, .. } => open,
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
        let why = error.to_string();
        // tempfile adds the name of the temporary file, which the user has never heard of.
        let why = why.split(" at path ").next().unwrap_or_default();
        let message = format!("cannot write the {}: {why}", self.what);
        let path = self.path.display().to_string();
        Finding::in_file(FileCode::Unwritable.as_str(), &path, None, message).into()
    }
}

/// The old file's, or those of any new file: temporary ones are private otherwise.
#[cfg(unix)]
fn permissions(old: Option<&fs::Metadata>) -> Permissions {
    use std::os::unix::fs::PermissionsExt;
    old.map_or_else(|| Permissions::from_mode(0o666), fs::Metadata::permissions)
}
