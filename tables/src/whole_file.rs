//! A file that is written as a whole: it is replaced when everything is written; until then, and
//! after any error, what was there before stays.
//!
//! A process that is killed leaves what it has written in a hidden file beside the target. Whoever
//! writes holds a lock on that file, so the next who writes into the folder knows which ones are
//! left, and removes them.

use std::fs::{self, File, Permissions, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

const BUFFER: usize = 1 << 16;

/// How the names of files that are being written begin and end.
const NAME: (&str, &str) = (".dicec-", ".tmp");

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
        let path = linked(path)?;
        let old = fs::metadata(&path).ok();
        if let Some(old) = &old
            && !old.is_file()
        {
            let open = File::options().write(true).open(path)?;
            return Ok(Self::Device(BufWriter::with_capacity(BUFFER, open)));
        }
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        // First, so that at most one more is left, however often a process is killed here.
        clean(folder);
        let temporary = temporary(folder, permissions(old.as_ref())).map_err(plain)?;
        if let Some(old) = &old {
            keep(temporary.as_file(), old)?;
        }
        let whole = BufWriter::with_capacity(BUFFER, temporary);
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

/// A new file with a lock on it.
fn temporary(folder: &Path, permissions: Permissions) -> io::Result<NamedTempFile> {
    loop {
        let file = tempfile::Builder::new()
            .prefix(NAME.0)
            .suffix(NAME.1)
            .permissions(permissions.clone())
            .tempfile_in(folder)?;
        // Who cleans up can have taken it for one that is left, before there was a lock.
        let is_locked = match file.as_file().try_lock() {
            Ok(()) => true,
            Err(TryLockError::WouldBlock) => false,
            // A file system without locks: nobody can clean up there.
            Err(TryLockError::Error(_)) => return Ok(file),
        };
        if is_locked && file.path().exists() {
            return Ok(file);
        }
    }
}

/// Removes what processes that were killed left in a folder. It stays where that fails.
fn clean(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let left = entries.filter(|entry| {
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        name.starts_with(NAME.0.as_bytes()) && name.ends_with(NAME.1.as_bytes())
    });
    for entry in left {
        // A link is none of ours, and a pipe would wait for its other end.
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file
            && let Ok(file) = File::open(entry.path())
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// How many links may lead from one to the next, as on Linux.
const MAX_LINKS: usize = 40;

/// The file that a path leads to, which need not be there yet.
fn linked(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(next) = fs::read_link(&path) else {
            return Ok(path);
        };
        path = path.parent().unwrap_or(Path::new("")).join(next);
    }
    let why = "too many links lead from one to the next";
    Err(io::Error::new(io::ErrorKind::InvalidInput, why))
}

/// Gives a new file the mode of the old one, and its owner and group if the system lets us.
#[cfg(unix)]
fn keep(file: &File, old: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    // Only root may give files away; anybody may set the groups that they are in.
    if fchown(file, Some(old.uid()), Some(old.gid())).is_err() {
        let _ = fchown(file, None, Some(old.gid()));
    }
    // After that, for a change of the owner clears bits, and not by the umask.
    file.set_permissions(old.permissions())
}

#[cfg(not(unix))]
fn keep(file: &File, old: &fs::Metadata) -> io::Result<()> {
    file.set_permissions(old.permissions())
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn write(path: &Path) -> io::Result<()> {
        let mut file = WholeFile::open(path)?;
        file.write_all(b"new")?;
        file.commit()
    }

    #[test]
    fn links_stay_links() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("sub")).expect("a folder");
        // One leads to the other, and that to a file which is not there yet.
        symlink("second", at("first")).expect("a link");
        symlink("sub/file", at("second")).expect("a link");
        for _ in 0..2 {
            write(&at("first")).expect("it is written");
            assert!(at("first").is_symlink() && at("second").is_symlink());
            assert_eq!(fs::read(at("sub/file")).expect("a file"), b"new");
        }
        symlink("circle", at("circle")).expect("a link");
        assert!(write(&at("circle")).is_err());
        assert!(at("circle").is_symlink());
    }

    #[test]
    fn what_a_killed_process_left_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let others = ["dicec-1.tmp", ".dicec-1.tmp.csv", ".other-1.tmp"];
        for name in others.iter().chain(&[".dicec-killed.tmp"]) {
            fs::write(at(name), "half").expect("a file");
        }
        symlink(others[0], at(".dicec-link.tmp")).expect("a link");
        let mut slow = WholeFile::open(&at("slow")).expect("a file");
        slow.write_all(b"slow").expect("it is written");
        write(&at("file")).expect("it is written");
        // Another one is still being written.
        assert!(!at(".dicec-killed.tmp").exists());
        slow.commit().expect("it is there");
        assert_eq!(fs::read(at("slow")).expect("a file"), b"slow");
        let entries = fs::read_dir(folder.path()).expect("a folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<_> = names.collect();
        names.sort();
        let mut expected = [&others[..], &[".dicec-link.tmp", "file", "slow"]].concat();
        expected.sort_unstable();
        assert_eq!(names, expected);
    }

    #[test]
    fn modes_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        fs::write(&path, "old").expect("a file");
        for mode in [0o600, 0o640, 0o666, 0o755] {
            fs::set_permissions(&path, Permissions::from_mode(mode)).expect("its mode");
            write(&path).expect("it is written");
            let found = fs::metadata(&path).expect("a file").permissions().mode();
            assert_eq!(found & 0o777, mode);
        }
    }
}
