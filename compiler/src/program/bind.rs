//! Binds a roll to arguments, resources, and the policies of simulated players.

use super::arguments;
use super::bind_error::BindError;
use super::cache::Stages;
use super::checked::setting::CheckLimits;
use super::program::{Program, Roll};
use crate::answer::Condition;
use dicec_lang::hir::{Data, Kind, Policy, ResourceUse};
use dicec_lang::syntax::{Advice, Code, Diagnostic, Diagnostics, nearest, shorten};
use dicec_runtime::resource::ResourceTable;
use std::fmt;
use std::sync::Arc;

/// The maximum length of a resource's value, if it is not a number, in a message.
const MAX_HELD: usize = 40;

/// A roll with arguments, resources and policies: everything that an answer depends on. Clones
/// share what was compiled.
#[derive(Clone)]
pub struct Bound {
    roll: Roll,
    args: Arc<[Data]>,
    resources: Arc<[i64]>,
    policies: Arc<[Policy]>,
    stages: Arc<Stages>,
    check: CheckLimits,
    condition: Option<Arc<Condition>>,
}

impl Program {
    /// Binds the only roll, which has no parameters, to its resources. All rules have one such
    /// roll.
    ///
    /// # Errors
    /// The program has no such roll, or the table lacks resources.
    pub fn bind(&self, resources: &ResourceTable) -> Result<Bound, BindError> {
        self.sole()?.bind(Vec::new(), resources)
    }

    /// [`Program::bind`] with the values of the resources, in the order of [`Program::resources`].
    ///
    /// # Errors
    /// The program has no such roll, or the values are too few or too many.
    pub fn bind_values(&self, resources: &[i64]) -> Result<Bound, BindError> {
        self.sole()?.bind_values(Vec::new(), resources)
    }

    fn sole(&self) -> Result<Roll, BindError> {
        let count = self.rolls().count();
        self.only_roll().ok_or(BindError::NoOnlyRoll(count))
    }
}

impl Roll {
    /// Gives it its arguments, one for each parameter, as [`Roll::arguments`] makes them, and the
    /// program's resources. Options are never taken until [`Bound::with_policy`] says otherwise.
    ///
    /// # Errors
    /// Arguments of other types, or a diagnostic for each resource that the table lacks.
    pub fn bind(&self, args: Vec<Data>, resources: &ResourceTable) -> Result<Bound, BindError> {
        let values = resource_values(self.program().resources(), resources);
        self.bound(args, values.map_err(BindError::Resources)?)
    }

    /// [`Roll::bind`] with the values of the resources, in the order of [`Program::resources`].
    ///
    /// # Errors
    /// Arguments of other types, or values that are too few or too many.
    pub fn bind_values(&self, args: Vec<Data>, resources: &[i64]) -> Result<Bound, BindError> {
        let expected = self.program().resources().len();
        let found = resources.len();
        if expected != found {
            return Err(BindError::Values { expected, found });
        }
        self.bound(args, resources.to_vec())
    }

    fn bound(&self, args: Vec<Data>, resources: Vec<i64>) -> Result<Bound, BindError> {
        arguments::check(self, &args)?;
        let policies: Arc<[Policy]> = vec![Policy::Never; self.program().options().len()].into();
        Ok(Bound {
            stages: self.program().cache().stages(self.index(), &policies),
            roll: self.clone(),
            args: args.into(),
            resources: resources.into(),
            policies,
            check: self.program().limits().check,
            condition: self.program().condition(self.index()),
        })
    }
}

impl Bound {
    /// The same with a policy of simulated players for the option with this text.
    ///
    /// # Errors
    /// The program has no such option.
    pub fn with_policy(mut self, option: &str, policy: Policy) -> Result<Self, BindError> {
        let known = self.program().options();
        let mut policies = self.policies.to_vec();
        let mut is_known = false;
        for (index, text) in known.iter().enumerate() {
            if text != option {
                continue;
            }
            let offers = &self.program().hir().offers[index];
            if !offers.takes(policy) {
                return Err(BindError::NotOffered {
                    option: option.to_owned(),
                    offers: offers.clone(),
                });
            }
            policies[index] = policy;
            is_known = true;
        }
        if !is_known {
            return Err(BindError::UnknownOption {
                option: option.to_owned(),
                known: known.to_vec(),
            });
        }
        self.policies = policies.into();
        let index = self.roll.index();
        self.stages = self.program().cache().stages(index, &self.policies);
        Ok(self)
    }

    /// The program.
    pub fn program(&self) -> &Program {
        self.roll.program()
    }

    /// The roll that is bound.
    pub fn definition(&self) -> &Roll {
        &self.roll
    }

    /// The kind of its result; `None` if it returns nothing.
    pub fn kind(&self) -> Option<Kind> {
        self.roll.kind()
    }

    /// The arguments, one for each parameter.
    pub fn arguments(&self) -> &[Data] {
        &self.args
    }

    /// The values of the resources, in the order of [`Program::resources`].
    pub fn resources(&self) -> &[i64] {
        &self.resources
    }

    /// The policies of simulated players, in the order of [`Program::options`].
    pub fn policies(&self) -> &[Policy] {
        &self.policies
    }

    pub(super) fn shared_arguments(&self) -> (&Arc<[Data]>, &Arc<[Policy]>) {
        (&self.args, &self.policies)
    }

    /// The limits on the check of its answers.
    pub fn check(&self) -> CheckLimits {
        self.check
    }

    pub(super) fn set_check(&mut self, check: CheckLimits) {
        self.check = check;
    }

    /// The condition that its exact answers are given.
    pub(super) fn condition(&self) -> Option<&Condition> {
        self.condition.as_deref()
    }

    pub(super) fn set_condition(&mut self, condition: Arc<Condition>) {
        self.condition = Some(condition);
    }

    pub(super) fn stages(&self) -> &Stages {
        &self.stages
    }
}

impl fmt::Debug for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bound")
            .field("program", self.program())
            .field("roll", &self.roll.name())
            .field("args", &self.args)
            .field("resources", &self.resources)
            .field("policies", &self.policies)
            .finish_non_exhaustive()
    }
}

/// A value for each resource that is used, or a diagnostic for each that the table lacks.
fn resource_values(used: &[ResourceUse], table: &ResourceTable) -> Result<Vec<i64>, Diagnostics> {
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
    if let Some(held) = table.unusable(name) {
        let message = format!(
            "[{name}] is {}, not a whole number",
            shorten(held, MAX_HELD)
        );
        let found = Diagnostic::error(Code::UnknownResource, used.span, message);
        return found.advise(Advice::GiveResource(name.clone()));
    }
    let message = format!("there is no resource [{name}]");
    let found = Diagnostic::error(Code::UnknownResource, used.span, message);
    let known: Vec<String> = table.names().map(ToString::to_string).collect();
    if known.is_empty() {
        found.advise(Advice::GiveResource(name.clone()))
    } else if let Some(near) = nearest(&name.to_string(), known.iter().map(String::as_str)) {
        found.help(format!(
            "did you mean [{near}]? There are: {}",
            listed(&known)
        ))
    } else {
        found.help(format!("there are: {}", listed(&known)))
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
