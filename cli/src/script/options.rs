//! The policies of a script's simulated players: `--option 'Reroll?=always'`.

use crate::error::CliError;
use clap::Args;
use dicec_compiler::{Bound, Program};
use dicec_lang::hir::Policy;

/// The decisions of simulated players, and what is shown of many trials.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Scripts (FILE.dice)")]
pub(crate) struct OptionArgs {
    #[command(flatten)]
    decisions: DecisionArgs,
    /// Show all of a statistic; may be repeated
    #[arg(long = "stat", value_name = "NAME")]
    stats: Vec<String>,
}

/// The decisions of simulated players.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Scripts (FILE.dice)")]
pub(crate) struct DecisionArgs {
    /// How often an option is taken: --option 'Reroll?=always', `never` (the default) or a share
    /// such as 0.3; or what is answered: --option 'How many dice?=3', `random`; may be repeated
    #[arg(long = "option", value_name = "TEXT=HOW", value_parser = option)]
    options: Vec<(String, String)>,
}

impl DecisionArgs {
    /// The flag, if it was given; a rule that is not a script takes no decisions.
    pub(crate) fn given(&self) -> Option<&'static str> {
        (!self.options.is_empty()).then_some("--option")
    }

    /// All decisions, by the texts of their options.
    ///
    /// # Errors
    /// An option that the script does not have, or a decision that it does not offer.
    pub(crate) fn all(&self, script: &Program) -> Result<Vec<(String, Policy)>, CliError> {
        Ok(script.decisions(&self.options)?)
    }

    /// The roll with these decisions.
    ///
    /// # Errors
    /// As for [`DecisionArgs::all`].
    pub(crate) fn decided(&self, bound: Bound) -> Result<Bound, CliError> {
        let options = self.all(bound.program())?;
        Ok(bound.decided(&options)?)
    }
}

impl OptionArgs {
    /// The decisions of simulated players.
    pub(crate) fn decisions(&self) -> &DecisionArgs {
        &self.decisions
    }

    /// The names of the statistics that are asked for.
    pub(crate) fn stats(&self) -> &[String] {
        &self.stats
    }

    /// The first of these flags that was given; a rule that is not a script takes none of them.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let stat = (!self.stats.is_empty()).then_some("--stat");
        self.decisions.given().or(stat)
    }

    /// The roll with these decisions.
    ///
    /// # Errors
    /// An option that the script does not have.
    pub(crate) fn decided(&self, bound: Bound) -> Result<Bound, CliError> {
        self.decisions.decided(bound)
    }

    /// The names of the statistics that are shown whole.
    ///
    /// # Errors
    /// A statistic that the script does not have.
    pub(crate) fn whole(&self, bound: &Bound) -> Result<&[String], CliError> {
        self.known(bound.program())
    }

    /// The same of a script.
    ///
    /// # Errors
    /// As for [`OptionArgs::whole`].
    pub(crate) fn known(&self, script: &Program) -> Result<&[String], CliError> {
        script.check_stats(&self.stats)?;
        Ok(&self.stats)
    }
}

/// Parses `TEXT=HOW`, for clap.
fn option(text: &str) -> Result<(String, String), String> {
    let wrong = "write TEXT=always, TEXT=never, a share, TEXT=0.3, or an answer, TEXT=3";
    let (name, how) = text.rsplit_once('=').ok_or(wrong)?;
    Ok((name.to_owned(), how.to_owned()))
}
