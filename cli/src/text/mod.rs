//! Odds as text for people: charts, figures, comparisons. The numbers come from
//! [`dicec_compiler::answer`].

mod chart;
mod compare;
mod ending;
mod rational;
mod script;
mod segments;
mod summary;

pub(crate) use chart::chart;
pub(crate) use compare::comparison_report;
pub(crate) use script::{script_odds_report, script_simulation_report};
pub(crate) use segments::segments;
pub(crate) use summary::{heading, odds_report, sim_footer, sim_report, subtotals_report};
