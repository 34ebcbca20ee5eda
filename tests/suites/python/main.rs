//! The tests of the package for Python, a file of them each. `.ci/python` builds the package; if it
//! is not there, or older than its sources, the tests are reported as ignored, with the reason.

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

/// The folders whose code is in the package.
const SOURCES: [&str; 5] = ["runtime", "compiler", "tables", "cli", "python/src"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn main() {
    let args = Arguments::from_args();
    let files = files().expect("the tests are part of the project");
    let trials = files.into_iter().map(|file| {
        let name = file.file_stem().unwrap_or_default();
        let name = format!("python::{}", name.to_string_lossy());
        Trial::ignorable_test(name, move || tested(&file))
    });
    libtest_mimic::run(&args, trials.collect()).exit();
}

/// The files with tests.
fn files() -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(root().join("python/tests"))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with("test_") {
            files.push(path.clone());
        }
    }
    files.sort();
    Ok(files)
}

/// Runs the tests of a file, if the package is there.
fn tested(file: &Path) -> Result<Completion, Failed> {
    let environment = root().join("python/.venv");
    let Ok(built) = fs::metadata(environment.join("built")) else {
        let reason = "no package for Python: .ci/python builds it";
        return Ok(Completion::ignored_with(reason));
    };
    if newest(&SOURCES.map(|folder| root().join(folder)))? > built.modified()? {
        let reason = "the package for Python is older than its sources: .ci/python builds it again";
        return Ok(Completion::ignored_with(reason));
    }
    let run = Command::new(environment.join("bin/python"))
        .args(["-m", "pytest", "-q"])
        .arg(file)
        .current_dir(root().join("python"))
        .output()?;
    match run.status.success() {
        true => Ok(Completion::Completed),
        false => Err(String::from_utf8_lossy(&run.stdout).into_owned().into()),
    }
}

/// When the newest file of some folders was changed.
fn newest(paths: &[PathBuf]) -> io::Result<SystemTime> {
    let mut newest = SystemTime::UNIX_EPOCH;
    for path in paths {
        let found = fs::metadata(path)?;
        let changed = match found.is_dir() {
            true => {
                let inside = fs::read_dir(path)?.map(|entry| Ok(entry?.path()));
                self::newest(&inside.collect::<io::Result<Vec<_>>>()?)?
            }
            false => found.modified()?,
        };
        newest = newest.max(changed);
    }
    Ok(newest)
}
