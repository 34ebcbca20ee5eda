//! Resources meet the rule that reads them.

use super::compile::Program;
use super::failure::Failure;
use super::sampler::Sampler;
use super::simulate::{Sampling, Simulated, Simulation, native_from};
use crate::engine::exact::{Exact, Question, solve};
use crate::hir::ResourceUse;
use crate::syntax::{Code, Diagnostic, Diagnostics, nearest};
use dicec_runtime::bug;
use dicec_runtime::driver::Control;
use dicec_runtime::pmf::{Budget, Limits, Pmf, Weight};
use dicec_runtime::resource::{Owner, ResourceName, ResourceTable};
use dicec_runtime::span::Span;
use dicec_runtime::trap::{Trap, TrapCode};
use num_bigint::BigUint;

/// A rule with a value for each resource that it reads.
#[derive(Clone, Debug)]
pub struct Bound<'p> {
    pub(super) program: &'p Program,
    pub(super) values: Vec<i64>,
}

impl Program {
    /// Gives the rule its resources.
    ///
    /// # Errors
    /// A diagnostic for each resource that the table lacks.
    pub fn bind(&self, table: &ResourceTable) -> Result<Bound<'_>, Diagnostics> {
        let values = resource_values(self.resources(), table)?;
        Ok(Bound {
            program: self,
            values,
        })
    }

    /// Gives the rule its resources' values directly, in the order of [`Program::resources`]; missing ones are 0.
    pub fn bind_values(&self, values: &[i64]) -> Bound<'_> {
        let mut values = values.to_vec();
        values.resize(self.resources().len(), 0);
        Bound {
            program: self,
            values,
        }
    }
}

impl<'p> Bound<'p> {
    /// The rule.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The values, in the order of [`Program::resources`].
    pub fn values(&self) -> &[i64] {
        &self.values
    }

    /// The exact distribution, in `f64` weights with the error bound that [`Pmf::error_bound`] states; a check's is over
    /// 0 (false) and 1 (true).
    ///
    /// # Errors
    /// A trap that can happen, or a budget that is too small.
    pub fn distribution(&self, limits: &Limits) -> Result<Pmf<f64>, Failure> {
        self.solve(limits).map(|exact| exact.pmf)
    }

    /// The exact distribution, in integer weights: the number of equally likely rolls that give each outcome.
    ///
    /// # Errors
    /// As for [`Bound::distribution`].
    pub fn fractions(&self, limits: &Limits) -> Result<Pmf<BigUint>, Failure> {
        self.solve(limits).map(|exact| exact.pmf)
    }

    /// The exact distribution in either kind of weight, and how much it leaves out: dice that explode or are rerolled can go on
    /// for ever, and there the rolls that are too unlikely to matter are cut.
    ///
    /// # Errors
    /// As for [`Bound::distribution`].
    pub fn solve<W: Weight>(&self, limits: &Limits) -> Result<Exact<W>, Failure> {
        let mut budget = Budget::new(*limits);
        let (hir, roll) = (self.program.hir(), self.program.limits());
        let question = Question::of_rule(hir, &self.values, roll);
        let odds = solve(&question, &mut budget).map_err(Failure::from)?;
        let bug = || TrapCode::from(bug!("a rule without a result"));
        let span = Span::new(0, 0);
        let pmf = odds
            .result
            .ok_or_else(|| Failure::from(Trap { code: bug(), span }))?;
        Ok(Exact {
            pmf,
            residual: odds.residual,
        })
    }

    /// From so many trials on, native code is taken to be worth its compilation.
    pub fn native_from(&self, sampling: Sampling) -> u64 {
        let instructions = self.program.lowered().trial().live_insts().count();
        native_from(instructions as u64, sampling)
    }

    /// A simulation with its back end chosen, if that was left to us. The result is the same on all.
    pub fn settled(&self, simulation: &Simulation) -> Simulation {
        simulation.settled(self.native_from(simulation.sampling))
    }

    /// A simulation of this rule, specialised on its resources.
    ///
    /// # Errors
    /// A trap, or a machine that native code cannot be made for.
    pub fn simulate(&self, simulation: &Simulation) -> Result<Simulated, Failure> {
        self.simulate_with(simulation, &Control::default())
    }

    /// [`Bound::simulate`] under a caller's eye: `control` reports progress and can cancel.
    ///
    /// # Errors
    /// As for [`Bound::simulate`], or that it was cancelled.
    pub fn simulate_with(
        &self,
        simulation: &Simulation,
        control: &Control,
    ) -> Result<Simulated, Failure> {
        let simulation = self.settled(simulation);
        let sampler = Sampler::specialised(self, simulation.backend, simulation.sampling)?;
        sampler.run(&self.values, &simulation, control)
    }
}

/// A value for each resource that is used, or a diagnostic for each that the table lacks.
pub(super) fn resource_values(
    used: &[ResourceUse],
    table: &ResourceTable,
) -> Result<Vec<i64>, Diagnostics> {
    let mut missing = Diagnostics::new();
    let mut values = Vec::with_capacity(used.len());
    for used in used {
        match table.get(&used.name) {
            Some(value) => values.push(value),
            None => missing.push(unknown_resource(used, table)),
        }
    }
    if missing.is_empty() {
        Ok(values)
    } else {
        Err(missing)
    }
}

fn unknown_resource(used: &ResourceUse, table: &ResourceTable) -> Diagnostic {
    let name = &used.name;
    let known: Vec<String> = table.names().map(ToString::to_string).collect();
    let help = if known.is_empty() {
        format!(
            "no resources were given; give this one a value: {}",
            flag(name)
        )
    } else if let Some(near) = nearest(&name.to_string(), known.iter().map(String::as_str)) {
        format!("did you mean [{near}]? There are: {}", listed(&known))
    } else {
        format!("there are: {}", listed(&known))
    };
    Diagnostic::error(
        Code::UnknownResource,
        used.span,
        format!("there is no resource [{name}]"),
    )
    .help(help)
}

/// How the command is given a resource.
fn flag(name: &ResourceName) -> String {
    let (flag, name) = match name.owner() {
        Owner::Actor => ("-r", name.name()),
        Owner::Target => ("-t", name.name()),
    };
    if name.contains(' ') {
        format!("{flag} '{name}=4'")
    } else {
        format!("{flag} {name}=4")
    }
}

/// The names in brackets, at most a dozen of them.
fn listed(names: &[String]) -> String {
    let shown: Vec<String> = names
        .iter()
        .take(12)
        .map(|name| format!("[{name}]"))
        .collect();
    let rest = names.len() - shown.len();
    let more = if rest > 0 {
        format!(" and {rest} more")
    } else {
        String::new()
    };
    shown.join(", ") + &more
}
