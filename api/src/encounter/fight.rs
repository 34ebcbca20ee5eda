//! Runs the fights of an encounter.

use crate::bounds::Bounds;
use crate::program::CheckName;
use crate::reply::text;
use crate::sample::{SampleRequest, simulate};
use crate::watch::Watch;
use crate::wrong::Wrong;
use dicec_compiler::answer::Exactness;
use dicec_compiler::unstable::FIGHTS_HALF_WIDTH;
use dicec_compiler::{Bound, Compiler, Report, Simulation};
use dicec_games::encounter::{Plan, Purpose, Source, Told};
use dicec_lang::syntax::Sources;

use dicec_fights::{EncounterDocument, EncounterError, Fought, compile_encounter};

/// How encounters are fought.
pub(super) struct Fights<'f> {
    pub(super) sample: &'f SampleRequest,
    pub(super) exact: bool,
    pub(super) check: CheckName,
    pub(super) bounds: &'f Bounds,
    pub(super) watch: &'f Watch<'f>,
}

impl Fights<'_> {
    /// Whether the request fixes the precision of the odds.
    pub(super) fn is_fixed(&self) -> bool {
        self.exact || self.sample.has_extent()
    }

    /// Runs the fights of an encounter; partial results are sent if it is the requested one.
    ///
    /// # Errors
    /// Any reason why the odds are not known.
    pub(super) fn fought(&self, plan: &Plan, is_told: bool) -> Result<Fought, Wrong> {
        let watch = match is_told {
            true => *self.watch,
            false => Watch::unseen(self.watch.control),
        };
        self.fight(plan, Told::Figures, FIGHTS_HALF_WIDTH, &watch)
    }

    /// The chance that the first side wins, known to `half_width` unless the request fixes the
    /// precision.
    ///
    /// # Errors
    /// Any reason why the odds are not known.
    pub(super) fn first_wins(&self, plan: &Plan, half_width: f64) -> Result<f64, Wrong> {
        let watch = Watch::unseen(self.watch.control);
        Ok(self.fight(plan, Told::Sides, half_width, &watch)?.wins[0].p)
    }

    fn fight(
        &self,
        plan: &Plan,
        told: Told,
        half_width: f64,
        watch: &Watch<'_>,
    ) -> Result<Fought, Wrong> {
        let failed = |failure| Wrong::failed_fight(&failure, &plan.title());
        if self.exact {
            let bound = self
                .check
                .on(compiled(plan, told, Purpose::Odds, self.bounds)?);
            let limits = self.bounds.limits.exact;
            let answer = bound.answer(&limits, Exactness::default(), watch.control);
            return Ok(Fought::new(plan, answer.map_err(failed)?, None)?);
        }
        let bound = self
            .check
            .on(compiled(plan, told, Purpose::Trials, self.bounds)?);
        let usual = Simulation::fights(half_width);
        let simulation = self.sample.simulation(usual, self.bounds)?;
        let fought = |report: Report| {
            let run = report.run();
            Fought::new(plan, bound.sampled(report), Some(run))
        };
        let document = |report| text(&EncounterDocument::new(&fought(report)?, None, &[]));
        let report = simulate(&bound, &simulation, watch, document);
        Ok(fought(report.map_err(failed)?)?)
    }
}

/// The script of an encounter, compiled.
///
/// # Errors
/// Functions that the encounter brings along and that are wrong, or an encounter that is too large.
pub(super) fn compiled(
    plan: &Plan,
    told: Told,
    purpose: Purpose,
    bounds: &Bounds,
) -> Result<Bound, Wrong> {
    let compiler = Compiler::new().limits(bounds.of_fights());
    let bound = compile_encounter(&compiler, plan, told, purpose);
    bound.map_err(|error| match error {
        EncounterError::Functions(found) => {
            let functions = plan.functions().unwrap_or_default();
            Wrong::found(&found, &Sources::single("functions", functions))
        }
        EncounterError::Encounter(wrong) => Source::line(&plan.title()).wrong(&wrong).into(),
        EncounterError::Failure(failure) => Wrong::failed_fight(&failure, &plan.title()),
    })
}
