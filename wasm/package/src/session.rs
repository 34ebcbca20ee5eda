//! A roll of a script with the choices of a player.

use crate::wrong::{failed, json, misuse};
use dicec_compiler::{Bound, ScriptSession};
use wasm_bindgen::prelude::wasm_bindgen;

/// A roll of a script with the choices made so far. Dice whose paths stay the same keep their
/// faces.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Session {
    bound: Bound,
    session: ScriptSession,
    seed: u64,
}

impl Session {
    pub(crate) fn new(bound: Bound, seed: u64) -> Self {
        Self {
            bound,
            session: ScriptSession::new(seed),
            seed,
        }
    }
}

#[wasm_bindgen]
impl Session {
    /// The roll so far, as the JSON of `dicec roll` of a script.
    ///
    /// # Errors
    /// The findings, as JSON.
    pub fn play(&mut self) -> Result<String, String> {
        let played = self.bound.play(&mut self.session);
        let played = played.map_err(|failure| failed(&failure, self.bound.program().sources()))?;
        Ok(json(&self.bound.play_document(&played, Some(self.seed))))
    }

    /// Answers an option that is offered now, by its path or its text.
    ///
    /// # Errors
    /// The findings, as JSON: no such option, or no such answer.
    pub fn choose(&mut self, option: &str, answer: &str) -> Result<(), String> {
        let played = self.bound.play(&mut self.session);
        let played = played.map_err(|failure| failed(&failure, self.bound.program().sources()))?;
        let (path, choice) = played.choice(option, answer).map_err(|wrong| {
            let help = wrong.help();
            misuse(
                wrong.to_string(),
                help.unwrap_or_else(|| "look at options".to_owned()),
            )
        })?;
        let path = path.to_owned();
        self.session.choose(&path, choice);
        Ok(())
    }
}
