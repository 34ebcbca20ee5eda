//! Actions that creatures concentrate on.

use super::deed::What;
use super::kind::Kind;
use crate::encounter::bestiary::Action;
use crate::encounter::wrong::Wrong;

impl Kind {
    /// Whether a deed, which is an action at a path, needs concentration.
    ///
    /// # Errors
    /// The action is an attack or heals.
    pub(super) fn concentrate(
        &mut self,
        deed: usize,
        action: &Action,
        path: &str,
    ) -> Result<(), Wrong> {
        if !action.concentration {
            return Ok(());
        }
        let own = &mut self.deeds[deed];
        match &own.what {
            What::Strike(_) => return Err(no_concentration(path)),
            What::Boon(_) => own.needs_concentration = true,
            What::Blast(hit, _) if hit.effect.is_some() => own.needs_concentration = true,
            What::Blast(..) | What::Mend(_) => {
                let what = format!("{} (concentration)", action.name);
                self.missing.push(what);
            }
        }
        Ok(())
    }
}

/// The error for an action that cannot need concentration.
pub(super) fn no_concentration(path: &str) -> Wrong {
    let path = format!("{path}.concentration");
    let wrong = Wrong::new(
        path,
        "is of an action that causes no conditions by a save and helps nobody",
    );
    wrong.help("creatures concentrate on actions that are not attacks, with conditions in a save or `helps`")
}
