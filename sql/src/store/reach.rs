//! Who may reach which files.

use crate::SqlError;
use dicec_lang::syntax::{FileCode, Finding};
use std::io;
use std::path::{Path, PathBuf};

/// Which files may be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// All that the user may, to read and to write.
    User,
    /// Those in these folders, to read only. No folder: no file.
    Folders(Vec<PathBuf>),
}

impl Reach {
    /// The files in these folders, whatever leads there.
    ///
    /// # Errors
    /// There is no such folder.
    pub fn folders(given: &[PathBuf]) -> io::Result<Self> {
        let real = |folder: &PathBuf| {
            let real = folder.canonicalize();
            let wrong = |why| io::Error::other(format!("{}: {why}", folder.display()));
            match real.map_err(wrong)? {
                real if real.is_dir() => Ok(real),
                _ => Err(wrong(io::ErrorKind::NotADirectory.into())),
            }
        };
        Ok(Self::Folders(
            given.iter().map(real).collect::<io::Result<_>>()?,
        ))
    }

    /// The file that a path leads to, if it may be read: through links and `..`.
    ///
    /// # Errors
    /// Why not; nothing if there is no such file where one may be read. Of other places nobody
    /// learns whether there is one.
    pub(super) fn readable(&self, path: &Path) -> Result<PathBuf, Option<SqlError>> {
        let Self::Folders(folders) = self else {
            return Ok(path.to_owned());
        };
        let has = |real: &Path| folders.iter().any(|folder| real.starts_with(folder));
        let is_in_one = |path: &Path| path.canonicalize().is_ok_and(|real| has(&real));
        match path.canonicalize() {
            Ok(real) if has(&real) => Ok(real),
            Err(why) if why.kind() == io::ErrorKind::NotFound => {
                let is_missing = path.parent().is_some_and(is_in_one);
                Err((!is_missing).then(|| outside(path, folders)))
            }
            _ => Err(Some(outside(path, folders))),
        }
    }

    /// Checks that a file may be written.
    ///
    /// # Errors
    /// It may not.
    pub(super) fn writable(&self, path: &Path) -> Result<(), SqlError> {
        match self {
            Self::User => Ok(()),
            Self::Folders(_) => {
                let message = "the machines of a cluster write no files";
                Err(refusal(path, message)
                    .help("write the rows here, with -o")
                    .into())
            }
        }
    }
}

fn outside(path: &Path, folders: &[PathBuf]) -> SqlError {
    let message = match folders {
        [] => "the machines of a cluster read no files, for they were not told which",
        _ => "the file is in no folder from which the machines of a cluster read",
    };
    let help = "start the scheduler and all executors with `--files FOLDER`, or move the table to \
                such a folder";
    refusal(path, message).help(help).into()
}

fn refusal(path: &Path, message: &str) -> Finding {
    let path = path.display().to_string();
    Finding::in_file(FileCode::Refused.as_str(), &path, None, message)
}
