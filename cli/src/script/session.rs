//! Session files: read before a roll, written after it, replaced atomically.

use crate::error::{CliError, FileCode, Finding};
use crate::json::json_of;
use crate::target::Target;
use dicec_compiler::unstable::{Given, Identity, SessionError};
use dicec_compiler::{ScriptSession, random_seed};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// What a session remembers of the roll that made it.
pub(crate) struct Remembered {
    pub(crate) roll: String,
    /// What it was bound with; sessions of earlier versions do not say.
    pub(crate) given: Option<Given>,
}

/// What the session of a file remembers; none if the file does not exist.
///
/// # Errors
/// A file that cannot be read or is not a session.
pub(super) fn remembered(path: &Path) -> Result<Option<Remembered>, CliError> {
    if !path.exists() {
        return Ok(None);
    }
    let shown = path.display().to_string();
    let json = json_of(&shown, FileCode::BadSession, "session")?;
    match ScriptSession::remembered(&json) {
        Ok((roll, given)) => Ok(Some(Remembered { roll, given })),
        Err(error) => Err(unusable(&shown, &error).into()),
    }
}

/// Waits until no other command changes a session in this file's folder; others wait until what is
/// returned is dropped. The file itself is replaced as a whole, so a lock on it would be lost.
///
/// # Errors
/// A folder that is not there, or that cannot be locked.
pub(super) fn lock(path: &Path) -> Result<File, CliError> {
    let locked = lock_file(path).and_then(|file| file.lock().map(|()| file));
    locked.map_err(|error| {
        let message = format!("cannot lock the session's folder: {error}");
        let code = FileCode::Unwritable.as_str();
        Finding::in_file(code, &path.display().to_string(), None, message).into()
    })
}

#[cfg(unix)]
fn lock_file(path: &Path) -> io::Result<File> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))
}

/// Folders cannot be opened everywhere.
#[cfg(not(unix))]
fn lock_file(path: &Path) -> io::Result<File> {
    File::create(path.with_added_extension("lock"))
}

/// The session of a file, or a new one if the file does not exist; says whether there was one.
/// Without a `seed`, a new one has a random one.
///
/// # Errors
/// A file that cannot be read, is not a session, or belongs to something else; a seed for a
/// session, which has one.
pub(super) fn open(
    path: &Path,
    identity: &Identity,
    force: bool,
    seed: Option<u64>,
) -> Result<(ScriptSession, bool), CliError> {
    if !path.exists() {
        return Ok((ScriptSession::new(seed.unwrap_or_else(random_seed)), false));
    }
    let shown = path.display().to_string();
    let json = json_of(&shown, FileCode::BadSession, "session")?;
    match ScriptSession::from_json(&json, identity, force) {
        Ok(session) => {
            one_seed(&shown, session.seed(), seed)?;
            Ok((session, true))
        }
        Err(error) => Err(unusable(&shown, &error).into()),
    }
}

/// Why a session cannot be used, and what to do about it.
fn unusable(path: &str, error: &SessionError) -> Finding {
    let help = match error {
        SessionError::Damaged(_) | SessionError::Version(_) => {
            "take another file name, or delete this file to begin again"
        }
        SessionError::OtherScript | SessionError::OtherRoll(_) | SessionError::OtherArguments => {
            "--force keeps the dice whose paths are the same; another file name begins a new session"
        }
    };
    let code = FileCode::BadSession.as_str();
    Finding::in_file(code, path, None, error.to_string()).help(help)
}

/// A session keeps the seed that it began with.
fn one_seed(path: &str, has: u64, given: Option<u64>) -> Result<(), CliError> {
    if given.is_none() {
        return Ok(());
    }
    let message = format!("this session has a seed already: {has}");
    let finding = Finding::in_file(FileCode::SecondSeed.as_str(), path, None, message);
    let help = "leave --seed out to go on with it, or take another file name to begin a session with another seed";
    Err(finding.help(help).into())
}

/// Writes a session.
///
/// # Errors
/// It cannot be written; what was there before is untouched.
pub(super) fn save(
    path: &Path,
    session: &ScriptSession,
    identity: &Identity,
) -> Result<(), CliError> {
    let mut target = Target::open(Some(path), "session")?;
    let failed = target.on_failure();
    serde_json::to_writer(&mut target, &session.file(identity))
        .map_err(io::Error::from)
        .and_then(|()| target.write_all(b"\n"))
        .map_err(failed)?;
    target.commit()
}
