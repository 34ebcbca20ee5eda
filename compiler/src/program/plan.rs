//! The driver's plan for a simulation of a roll: the target of a precision, and the scale of
//! results.

use super::bind::Bound;
use super::simulation::Simulation;
use dicec_lang::hir::{Kind, StatId};
use dicec_runtime::driver::{Judged, Plan, StatScales};
use dicec_runtime::scale::Scale;

/// The driver's plan for a roll.
pub(super) fn plan(bound: &Bound, simulation: &Simulation) -> Plan {
    let kind = bound.kind();
    let judged = match kind {
        Some(kind) if kind.is_number() => Judged::Mean,
        Some(_) => Judged::Probabilities,
        None => {
            let module = bound.program().hir();
            let known = (0..).map(StatId).take(module.stats.len());
            let scales = StatScales {
                known: known.map(|stat| module.stat_kind(stat).scale()).collect(),
                named: module.named_stat_kind().scale(),
            };
            let has_stats = !module.stats.is_empty() || module.has_named_stats();
            Judged::Events(has_stats.then_some(scales))
        }
    };
    Plan {
        extent: simulation.extent,
        seed: simulation.seed,
        workers: simulation.workers.clone(),
        judged,
        scale: kind.map_or(Scale::Whole, Kind::scale),
    }
}
