//! An encounter as a scene: the plan of its fights, and the script that these become.

use crate::error::{CliError, FileCode, Finding};
use crate::report::Reporter;
use crate::script::laid_out;
use dicec_games::encounter::{Bestiary, Encounter, Plan, Purpose, Source, Told, encounter_script};

/// An encounter and what it comes to.
pub(crate) struct Scene {
    /// What people call it: its sides.
    pub(crate) title: String,
    pub(crate) plan: Plan,
}

impl Scene {
    /// An encounter as a document, between creatures of the SRD and its own.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn of_document(source: &Source) -> Result<Self, CliError> {
        Self::planned(&source.encounter()?, source, &Bestiary::srd())
    }

    /// An encounter between creatures of a bestiary.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn planned(
        encounter: &Encounter,
        source: &Source,
        bestiary: &Bestiary,
    ) -> Result<Self, CliError> {
        let plan = Plan::new(encounter, bestiary).map_err(|wrong| source.wrong(&wrong))?;
        Ok(Self {
            title: plan.title(),
            plan,
        })
    }

    /// The script, in its normal layout.
    ///
    /// # Errors
    /// It is too long, or an internal one.
    pub(crate) fn script(&self, told: Told, purpose: Purpose) -> Result<String, CliError> {
        script_of(&self.plan, told, purpose)
    }

    /// Tells what creatures have that is not modelled.
    pub(crate) fn tell_notes(&self, reporter: Reporter) {
        for (name, missing) in self.plan.missing() {
            let code = FileCode::EncounterNote.as_str();
            let message = format!("{name}: not modelled: {}", missing.join(", "));
            reporter.note(&Finding::in_file(code, &self.title, None, message).note());
        }
    }
}

/// The script of an encounter, in its normal layout.
///
/// # Errors
/// It is too long, or an internal one.
pub(crate) fn script_of(plan: &Plan, told: Told, purpose: Purpose) -> Result<String, CliError> {
    let title = plan.title();
    let script = encounter_script(plan, told, purpose);
    let script = script.map_err(|wrong| Source::line(&title).wrong(&wrong))?;
    laid_out(&title, &script)
}
