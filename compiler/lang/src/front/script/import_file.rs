//! Imports from files, for whoever compiles a script of a file.

use super::Loaded;
use crate::syntax::{SourceLimits, read_file};
use std::path::{Component, Path, PathBuf};

/// An imported file: its name is relative to the folder of the file that imports it.
///
/// # Errors
/// Why it cannot be read.
pub fn import_file(importer: &str, written: &str, limits: SourceLimits) -> Result<Loaded, String> {
    let folder = Path::new(importer).parent().unwrap_or(Path::new(""));
    let path = plain(&folder.join(written));
    match read_file(&path, limits) {
        Ok(text) => Ok(Loaded {
            name: path.display().to_string(),
            text,
        }),
        // The file is named where it is imported.
        Err(error) => Err(error.to_string()),
    }
}

/// A path without `.` and without folders that are left again, so that a file has one name however
/// it is reached.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(plain.components().next_back(), Some(Component::Normal(_))) =>
            {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}
