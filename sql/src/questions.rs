//! The questions of a session. Equal calls are one question, which is compiled once and remembers
//! its rows, whichever statements, partitions or threads they come from.

use crate::call::Call;
use crate::error::{SqlError, internal};
use crate::question::Question;
use dicec_compiler::answer::percent;
use dicec_games::encounter::Bestiary;
use dicec_lang::syntax::{FileCode, Finding};
use dicec_runtime::bug;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

/// Questions that are kept, at most; then all are forgotten. Each may have worker threads.
const MAX_QUESTIONS: usize = 32;

/// The questions so far, shared by the functions of a session.
#[derive(Default)]
pub struct Questions {
    known: Mutex<HashMap<Call, Arc<Mutex<Question>>>>,
    /// Read when the first encounter is fought.
    bestiary: OnceLock<Arc<Bestiary>>,
    /// What is worth knowing of the answers so far, by what it is about.
    notes: Mutex<BTreeMap<String, Finding>>,
}

impl Questions {
    /// The question of a call, a new one if there is none yet.
    ///
    /// # Errors
    /// What is wrong with the call.
    pub(crate) fn get(&self, call: Call) -> Result<Arc<Mutex<Question>>, SqlError> {
        let mut known = lock(&self.known)?;
        if let Some(question) = known.get(&call) {
            return Ok(Arc::clone(question));
        }
        let bestiary = self.bestiary.get_or_init(|| Arc::new(Bestiary::srd()));
        let question = Question::new(call.clone(), bestiary)?;
        if known.len() >= MAX_QUESTIONS {
            known.clear();
        }
        let question = Arc::new(Mutex::new(question));
        known.insert(call, Arc::clone(&question));
        Ok(question)
    }

    /// Notes on the answers so far, each once: creatures that are not modelled in full, and odds
    /// that clamping at 0 changed.
    ///
    /// # Errors
    /// A thread died of a bug.
    pub fn notes(&self) -> Result<Vec<Finding>, SqlError> {
        Ok(lock(&self.notes)?.values().cloned().collect())
    }

    /// How many different rows the questions remember.
    ///
    /// # Errors
    /// A thread died of a bug.
    pub fn remembered(&self) -> Result<usize, SqlError> {
        let known: Vec<_> = lock(&self.known)?.values().cloned().collect();
        let counts = known
            .iter()
            .map(|question| Ok(lock(question)?.batch.remembered()));
        counts.sum()
    }

    /// Keeps what is to be noted of a question's last answers.
    pub(crate) fn note(&self, question: &Question, clamped: f64) -> Result<(), SqlError> {
        let mut found = Vec::new();
        for (name, missing) in question.batch.unmodelled() {
            let message = format!("{name}: not modelled: {}", missing.join(", "));
            found.push((name.to_owned(), FileCode::EncounterNote, message));
        }
        if clamped > 0.0 {
            let origin = question.call.origin();
            let message = format!(
                "{origin}: clamping at 0 changed up to {} of the rolls of a row: numbers below 0 \
                 count as 0",
                percent(clamped)
            );
            found.push((origin, FileCode::TableNote, message));
        }
        let mut notes = lock(&self.notes)?;
        for (about, code, message) in found {
            if !notes.contains_key(&about) {
                // Of an executor, nobody asks for its notes.
                log::warn!("{message}");
            }
            notes.insert(about, Finding::general(code.as_str(), message).note());
        }
        Ok(())
    }
}

impl fmt::Debug for Questions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Questions").finish_non_exhaustive()
    }
}

/// Locks what threads share.
///
/// # Errors
/// One of them died while it had it, which only a bug can do.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> Result<MutexGuard<'_, T>, SqlError> {
    let poisoned = |_| SqlError::from(internal(&bug!("a thread died with a lock")));
    mutex.lock().map_err(poisoned)
}
