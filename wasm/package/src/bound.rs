//! A roll with its arguments and resources.

use crate::host::{drawn, watched};
use crate::session::Session;
use crate::wrong::{failed, json, misuse};
use dicec_compiler::answer::document::{
    OddsDocument, ScriptOddsDocument, ScriptSimulationDocument, SimulationDocument,
};
use dicec_compiler::answer::{Answer, Exactness, Questions};
use dicec_compiler::unstable::Made;
use dicec_compiler::{Bound as Asked, Failure, Session as Faces, Simulation};
use wasm_bindgen::prelude::wasm_bindgen;

/// A roll with its arguments and resources.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Bound {
    asked: Asked,
}

impl Bound {
    pub(crate) fn new(asked: Asked) -> Self {
        Self { asked }
    }

    fn told<T>(&self, result: Result<T, Failure>) -> Result<T, String> {
        result.map_err(|failure| failed(&failure, self.asked.program().sources()))
    }

    /// The document of one roll with these faces.
    fn rolled(&self, faces: &mut Faces, seed: Option<u64>) -> Result<String, String> {
        let made = self.told(Made::new(&self.asked, faces))?;
        Ok(json(&made.document(&self.asked, seed)))
    }

    fn names(&self) -> (&str, &str) {
        let roll = self.asked.definition();
        (roll.name(), roll.label())
    }
}

/// A rule's answer has a result; without one there is nothing to show.
fn result<T>(found: Option<T>) -> Result<T, String> {
    found.ok_or_else(|| misuse("this roll has no result", "give it one with return"))
}

#[wasm_bindgen]
impl Bound {
    /// One roll, as the JSON of `dicec roll`. The seed is a whole number.
    ///
    /// # Errors
    /// The findings, as JSON.
    pub fn roll(&self, seed: f64) -> Result<String, String> {
        let seed = seed as u64;
        self.rolled(&mut Faces::seeded(seed), Some(seed))
    }

    /// One roll with these faces, in the order in which dice are rolled.
    ///
    /// # Errors
    /// The findings, as JSON.
    #[wasm_bindgen(js_name = rollFaces)]
    pub fn roll_faces(&self, faces: Vec<f64>) -> Result<String, String> {
        let faces: Vec<i64> = faces.into_iter().map(|face| face as i64).collect();
        self.told(Faces::with_faces(&faces, |faces| {
            Made::new(&self.asked, faces)
        }))
        .map(|made| json(&made.document(&self.asked, None)))
    }

    /// One roll with the faces of the caller's function.
    ///
    /// # Errors
    /// The findings, as JSON.
    #[wasm_bindgen(js_name = rollCustom)]
    pub fn roll_custom(&self) -> Result<String, String> {
        self.rolled(&mut Faces::custom(drawn), None)
    }

    /// The exact odds, as the JSON of `dicec odds`.
    ///
    /// # Errors
    /// The findings, as JSON.
    pub fn odds(&self) -> Result<String, String> {
        let limits = self.asked.program().limits().exact;
        let answer = watched(|control| self.asked.answer(&limits, Exactness::default(), control));
        let answer: Answer = self.told(answer)?;
        let asked = Questions::default();
        if self.asked.program().is_rule() {
            return Ok(json(&OddsDocument::new(&result(answer.result)?, &asked)));
        }
        Ok(json(&ScriptOddsDocument::new(
            self.names(),
            &answer,
            &asked,
        )))
    }

    /// Sampled odds of this many trials, as the JSON of `dicec sim`.
    ///
    /// # Errors
    /// The findings, as JSON.
    pub fn simulate(&self, trials: f64, seed: f64) -> Result<String, String> {
        let simulation = Simulation::trials(trials as u64).seed(seed as u64);
        let report = watched(|control| self.asked.simulate_with(&simulation, control));
        let report = self.told(report)?;
        let run = report.run();
        let answer = self.asked.sampled(report);
        let asked = Questions::default();
        if self.asked.program().is_rule() {
            let odds = result(answer.result)?;
            return Ok(json(&SimulationDocument::new(&odds, &run, &asked)));
        }
        let document = ScriptSimulationDocument::new(self.names(), &answer, &run, &asked);
        Ok(json(&document))
    }

    /// A session of a script, in which a player makes choices.
    pub fn session(&self, seed: f64) -> Session {
        Session::new(self.asked.clone(), seed as u64)
    }
}
