//! Best play of a script's decisions.
//!
//! ```text
//! goal (what is wanted) --> dicec_exact::with_best --> Advisor
//!                                                        |
//!              sample (trials by guided hosts) --check---+--> BestPlay: values, policy
//!                                                        |       |
//!                    guided, for a player who is advised-+       +--tree--> rules
//! ```

mod goal;
mod guided;
mod naming;
mod policy;
mod sample;
mod tree;

use super::bind::Bound;
use super::failure::{Failure, Misuse};
use dicec_exact::{Aim, Goal, Mover, Solved};
use dicec_lang::hir::{Data, Offers};
use dicec_runtime::control::Control;
use dicec_runtime::pmf::{Budget, Limits};
use dicec_runtime::trap::Trap;
pub use goal::BestGoal;
pub use guided::{Advice, Advised};
pub use policy::{BestPlay, OptionPolicy, PolicyState};
pub use sample::Sampled;
pub use tree::{Rule, Test};

/// A question about best play.
#[derive(Clone, Debug)]
pub struct BestAsked {
    /// What is wanted.
    pub goal: BestGoal,
    /// Whether little of it is wanted.
    pub minimise: bool,
    /// The texts of the options that are decided for the best; if empty, all of them.
    pub decide: Vec<String>,
    /// The player who decides for the best; the other players keep to policies.
    pub player: Option<String>,
    /// The player who wants the opposite.
    pub against: Option<String>,
}

/// The solved decisions of a roll.
pub struct Advisor<'s, 'p, 'a> {
    solved: &'s mut Solved<'p, 'a>,
    bound: &'s Bound,
    asked: &'s BestAsked,
    decided: &'s [bool],
    control: &'s Control,
}

impl Bound {
    /// Solves the decisions of the roll for the best play, and calls `then` with it.
    ///
    /// # Errors
    /// A trap that any answer can lead to, a budget that is too small, a rule, a name of an option
    /// that the script does not have, or that it was cancelled.
    pub fn with_best<R>(
        &self,
        asked: &BestAsked,
        limits: &Limits,
        control: &Control,
        then: impl FnOnce(&mut Advisor<'_, '_, '_>) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        if !self.program().is_script() {
            return Err(Misuse::NotAScript.into());
        }
        let options = self.program().options();
        let is_decided = |text: &String| asked.decide.is_empty() || asked.decide.contains(text);
        let decided: Vec<bool> = options.iter().map(is_decided).collect();
        let offers = &self.program().hir().offers;
        let yes_or_no = offers.iter().map(|offers| *offers == Offers::YesNo);
        let yes_or_no: Vec<bool> = yes_or_no.collect();
        let (mine, theirs) = match asked.minimise {
            false => (Mover::Maximiser, Mover::Minimiser),
            true => (Mover::Minimiser, Mover::Maximiser),
        };
        let players = asked.player.iter().map(|name| (name.clone(), mine));
        let others = asked.against.iter().map(|name| (name.clone(), theirs));
        let players: Vec<(String, Mover)> = players.chain(others).collect();
        let value = |parts: &[Data]| -> Result<f64, Trap> { asked.goal.number(parts) };
        let goal = match &asked.goal {
            BestGoal::Result(_) => Goal::Result(&value),
            BestGoal::Statistic(stat, _) => {
                let floats = &self.program().hir().float_stats;
                Goal::Statistic(*stat, floats.contains(stat))
            }
        };
        let aim = Aim {
            goal,
            decided: &decided,
            yes_or_no: &yes_or_no,
            players: &players,
            all: mine,
        };
        let mut budget = Budget::new(*limits).under(control);
        self.answered(None, || {
            let question = self.question();
            let solved = dicec_exact::with_best(&question, &aim, &mut budget, |solved| {
                then(&mut Advisor {
                    solved,
                    bound: self,
                    asked,
                    decided: &decided,
                    control,
                })
            });
            solved.map_err(|error| self.failed(error.into()))?
        })
    }
}
