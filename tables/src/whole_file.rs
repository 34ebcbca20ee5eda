//! A file that is written as a whole: it is replaced when everything is written; until then, and
//! after any error, what was there before stays.

use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

const BUFFER: usize = 1 << 16;

/// A file that is being written.
pub enum WholeFile {
    /// One that does not exist yet, or is to be replaced.
    New {
        /// Its bytes so far, in a file next to it.
        whole: BufWriter<NamedTempFile>,
        /// Where it goes.
        path: PathBuf,
    },
    /// What cannot be replaced: `/dev/null`, a named pipe.
    Device(BufWriter<File>),
}

impl WholeFile {
    /// Opens a file for writing.
    ///
    /// # Errors
    /// It cannot be written to.
    pub fn open(path: &Path) -> io::Result<Self> {
        // A link stays a link: the file that it leads to is replaced.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let old = fs::metadata(&path).ok();
        if let Some(old) = &old
            && !old.is_file()
        {
            let open = File::options().write(true).open(path)?;
            return Ok(Self::Device(BufWriter::with_capacity(BUFFER, open)));
        }
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let temporary = tempfile::Builder::new()
            .prefix(".dicec-")
            .suffix(".tmp")
            .permissions(permissions(old.as_ref()))
            .tempfile_in(folder.unwrap_or(Path::new(".")));
        let whole = BufWriter::with_capacity(BUFFER, temporary.map_err(plain)?);
        Ok(Self::New { whole, path })
    }

    /// Writes what is left, and puts the file in its place.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn commit(self) -> io::Result<()> {
        match self {
            Self::Device(mut open) => open.flush(),
            Self::New { whole, path } => {
                let temporary = whole.into_inner().map_err(io::IntoInnerError::into_error)?;
                // The name must not come to lead to a file whose bytes a power cut can still lose.
                temporary.as_file().sync_all()?;
                temporary.persist(&path).map_err(|why| plain(why.error))?;
                Ok(())
            }
        }
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::New { whole, .. } => whole.write(bytes),
            Self::Device(open) => open.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::New { whole, .. } => whole.flush(),
            Self::Device(open) => open.flush(),
        }
    }
}

/// tempfile adds the name of the temporary file, which the user has never heard of.
fn plain(error: io::Error) -> io::Error {
    let text = error.to_string();
    let why = text.split(" at path ").next().unwrap_or_default();
    io::Error::new(error.kind(), why)
}

/// The old file's, or those of any new file: temporary ones are private otherwise.
#[cfg(unix)]
fn permissions(old: Option<&fs::Metadata>) -> Permissions {
    use std::os::unix::fs::PermissionsExt;
    old.map_or_else(|| Permissions::from_mode(0o666), fs::Metadata::permissions)
}
