//! Odds as text for people: charts, figures, comparisons. The numbers come from
//! [`dicec_compiler::answer`].

mod answers;
mod chart;
mod compare;
mod ending;
mod fights;
mod given;
mod joint;
mod rational;
mod script;
mod segments;
mod summary;

pub(crate) use answers::{answers_report, simulated_answers_report};
pub(crate) use compare::comparison_report;
pub(crate) use fights::{columns, duration, winners};
pub(crate) use given::given_report;
pub(crate) use joint::joint_report;
pub(crate) use script::{how_exact, script_odds_report, script_simulation_report, sim_ending};
pub(crate) use segments::segments;
pub(crate) use summary::{
    heading, odds_body, odds_report, sim_footer, sim_report, subtotals_report,
};
