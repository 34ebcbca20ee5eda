//! Where the table is written to. A file is replaced as a whole, when everything is written; until then, and after any
//! error, what was there before stays.

use crate::error::{CliError, FileCode, Finding};
use crate::output;
use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

const BUFFER: usize = 1 << 16;

/// An open output.
pub(super) enum Target {
    Stdout(BufWriter<StdoutLock<'static>>),
    /// A file that does not exist yet, or is to be replaced.
    File {
        whole: BufWriter<NamedTempFile>,
        path: PathBuf,
    },
    /// What cannot be replaced: `/dev/null`, a named pipe.
    Device {
        open: BufWriter<File>,
        path: PathBuf,
    },
}

impl Target {
    /// Opens a file, or standard output.
    ///
    /// # Errors
    /// A place that cannot be written to.
    pub(super) fn open(path: Option<&Path>) -> Result<Self, CliError> {
        let Some(path) = path else {
            return Ok(Self::Stdout(output::stdout()));
        };
        Self::open_file(path).map_err(|error| unwritable(path, &error))
    }

    fn open_file(path: &Path) -> io::Result<Self> {
        // A link stays a link: the file that it leads to is replaced.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let old = fs::metadata(&path).ok();
        if let Some(old) = &old
            && !old.is_file()
        {
            let open = File::options().write(true).open(&path)?;
            let open = BufWriter::with_capacity(BUFFER, open);
            return Ok(Self::Device { open, path });
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
        Ok(Self::File { whole, path })
    }

    /// Writes what is left, and puts a file in its place.
    ///
    /// # Errors
    /// It cannot be written.
    pub(super) fn commit(self) -> Result<(), CliError> {
        match self {
            Self::Stdout(mut stream) => stream.flush().map_err(output::write_failed),
            Self::Device { mut open, path } => {
                open.flush().map_err(|error| unwritable(&path, &error))
            }
            Self::File { whole, path } => {
                let replace = || -> io::Result<()> {
                    let temporary = whole.into_inner().map_err(io::IntoInnerError::into_error)?;
                    // The name must not come to lead to a file whose bytes a power cut can still lose.
                    temporary.as_file().sync_all()?;
                    temporary.persist(&path)?;
                    Ok(())
                };
                replace().map_err(|error| unwritable(&path, &error))
            }
        }
    }

    /// What a failure to write means. It stands apart from the target, which is lent to a sink while there is writing.
    pub(super) fn on_failure(&self) -> impl Fn(io::Error) -> CliError + use<> {
        let path = match self {
            Self::Stdout(_) => None,
            Self::File { path, .. } | Self::Device { path, .. } => Some(path.clone()),
        };
        move |error| match &path {
            Some(path) => unwritable(path, &error),
            None => output::write_failed(error),
        }
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

fn unwritable(path: &Path, error: &io::Error) -> CliError {
    let why = error.to_string();
    // tempfile adds the name of the temporary file, which the user has never heard of.
    let why = why.split(" at path ").next().unwrap_or_default();
    let message = format!("cannot write the table: {why}");
    Finding::in_file(
        FileCode::Unwritable,
        &path.display().to_string(),
        None,
        message,
    )
    .into()
}

/// The old file's, or those of any new file: temporary ones are private otherwise.
#[cfg(unix)]
fn permissions(old: Option<&fs::Metadata>) -> Permissions {
    use std::os::unix::fs::PermissionsExt;
    old.map_or_else(|| Permissions::from_mode(0o666), fs::Metadata::permissions)
}
