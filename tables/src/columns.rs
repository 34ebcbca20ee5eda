//! Maps the resources of a rule or a script to columns or given values.

use dicec_lang::hir::ResourceUse;
use dicec_lang::syntax::nearest;
use dicec_runtime::resource::{ResourceName, ResourceTable};
use rustc_hash::FxHashMap;

/// Suggestions name at most this many columns.
const MAX_LISTED: usize = 12;

/// Where a resource's value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// A column of the table, counted from 0.
    Column(usize),
    /// The same value in each row.
    Value(i64),
}

/// The columns of a table, and the resources that are the same in each row.
#[derive(Clone, Debug)]
pub struct Columns {
    names: Vec<String>,
    by_resource: FxHashMap<ResourceName, usize>,
    given: ResourceTable,
}

impl Columns {
    /// The columns of this header; `given` replaces missing columns.
    pub fn new(header: &[String], given: ResourceTable) -> Self {
        let resources = header.iter().map(|name| ResourceName::parse(name));
        Self {
            names: header.to_vec(),
            by_resource: resources.zip(0..).collect(),
            given,
        }
    }

    /// The names, as they were given.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The inputs for these resources.
    ///
    /// # Errors
    /// Each that neither a column nor a value gives.
    pub(crate) fn inputs(&self, resources: &[ResourceUse]) -> Result<Vec<Input>, Vec<ResourceUse>> {
        let input = |used: &ResourceUse| self.input(&used.name).ok_or_else(|| used.clone());
        let inputs = resources.iter().map(input);
        let missing: Vec<ResourceUse> = inputs.clone().filter_map(Result::err).collect();
        if missing.is_empty() {
            Ok(inputs.flatten().collect())
        } else {
            Err(missing)
        }
    }

    /// The column of this name, compared as resources are.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.by_resource.get(&ResourceName::parse(name)).copied()
    }

    /// The value that is given to a resource in each row.
    pub(crate) fn given(&self, name: &ResourceName) -> Option<i64> {
        self.given.get(name)
    }

    /// The value of a resource in a sheet, if it is not a whole number.
    pub fn unusable(&self, name: &ResourceName) -> Option<&str> {
        self.given.unusable(name)
    }

    fn input(&self, name: &ResourceName) -> Option<Input> {
        let column = self.by_resource.get(name).copied().map(Input::Column);
        column.or_else(|| self.given.get(name).map(Input::Value))
    }

    /// The nearest column, and the columns that there are.
    pub fn suggest(&self, name: &str) -> String {
        let listed: Vec<String> = self
            .names
            .iter()
            .take(MAX_LISTED)
            .map(|name| format!("\"{}\"", name.trim().escape_debug()))
            .collect();
        let more = match self.names.len() - listed.len() {
            0 => String::new(),
            rest => format!(" and {rest} more"),
        };
        let there = format!("here are {}{more}", listed.join(", "));
        match nearest(name, self.names.iter().map(|name| name.trim())) {
            Some(near) => format!("did you mean \"{near}\"? T{there}"),
            None => format!("t{there}"),
        }
    }
}
