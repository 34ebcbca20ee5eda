//! Which column, or which flag, gives an expression or a script each resource that it reads.

use crate::error::{CliError, FileCode, Finding, Location};
use dicec_compiler::Program;
use dicec_compiler::hir::ResourceUse;
use dicec_compiler::syntax::nearest;
use dicec_runtime::resource::{ResourceName, ResourceTable};
use dicec_runtime::span::Span;
use rustc_hash::FxHashMap;

/// Helps name so many columns.
const MOST_LISTED: usize = 12;

/// Where a resource's value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Input {
    /// A column of the table, counted from 0.
    Column(usize),
    /// The same value in each row.
    Value(i64),
}

/// The columns of a table, and the resources of the flags.
pub(super) struct Columns {
    path: String,
    names: Vec<String>,
    by_resource: FxHashMap<ResourceName, usize>,
    flags: ResourceTable,
}

impl Columns {
    /// The columns of this header; `flags` stand in for columns that are not there.
    pub(super) fn new(path: &str, header: &[String], flags: ResourceTable) -> Self {
        let resources = header.iter().map(|name| ResourceName::parse(name));
        Self {
            path: path.to_owned(),
            names: header.to_vec(),
            by_resource: resources.zip(0..).collect(),
            flags,
        }
    }

    /// The inputs of a program, in the order of its resources.
    ///
    /// # Errors
    /// Each resource that neither a column nor a flag gives.
    pub(super) fn inputs_of(
        &self,
        program: &Program,
        origin: &str,
    ) -> Result<Vec<Input>, CliError> {
        self.inputs(program.resources(), |span| Location::Text {
            origin: origin.to_owned(),
            text: program.text().to_owned(),
            span,
            labels: Vec::new(),
        })
    }

    /// The inputs for these resources, which a text reads at these places.
    ///
    /// # Errors
    /// Each that neither a column nor a flag gives.
    pub(super) fn inputs(
        &self,
        resources: &[ResourceUse],
        place: impl Fn(Span) -> Location,
    ) -> Result<Vec<Input>, CliError> {
        let mut inputs = Vec::with_capacity(resources.len());
        let mut findings = Vec::new();
        for used in resources {
            match self.input(&used.name) {
                Some(input) => inputs.push(input),
                None => findings.push(self.missing(used, place(used.span))),
            }
        }
        if findings.is_empty() {
            Ok(inputs)
        } else {
            Err(CliError { findings })
        }
    }

    /// The column of this name, compared as resources are.
    ///
    /// # Errors
    /// There is none.
    pub(super) fn find(&self, name: &str) -> Result<usize, CliError> {
        let column = self.by_resource.get(&ResourceName::parse(name)).copied();
        column.ok_or_else(|| {
            let message = format!("the table has no column \"{name}\"");
            Finding::in_file(
                FileCode::MissingColumn.as_str(),
                &self.path,
                Some((1, 1)),
                message,
            )
            .help(self.suggest(name))
            .into()
        })
    }

    /// The error of a column that is not there.
    pub(super) fn no_column(&self, name: &str, help: &str) -> Finding {
        let message = format!("{} has no column \"{name}\"", self.path);
        let place = Some((1, 1));
        Finding::in_file(FileCode::MissingColumn.as_str(), &self.path, place, message)
            .help(format!("{}; or {help}", self.suggest(name)))
    }

    /// The value that the flags give a resource.
    pub(super) fn flag(&self, name: &ResourceName) -> Option<i64> {
        self.flags.get(name)
    }

    fn input(&self, name: &ResourceName) -> Option<Input> {
        let column = self.by_resource.get(name).copied().map(Input::Column);
        column.or_else(|| self.flags.get(name).map(Input::Value))
    }

    fn missing(&self, used: &ResourceUse, place: Location) -> Finding {
        let name = used.name.to_string();
        Finding {
            code: FileCode::MissingColumn.as_str(),
            is_error: true,
            message: format!("{} has no column \"{name}\"", self.path),
            help: Some(format!(
                "{}; or give it with -r '{name}=INT'",
                self.suggest(&name)
            )),
            location: place,
        }
    }

    /// The nearest column, and what columns there are.
    pub(super) fn suggest(&self, name: &str) -> String {
        let listed: Vec<String> = self
            .names
            .iter()
            .take(MOST_LISTED)
            .map(|name| format!("\"{}\"", name.trim().escape_debug()))
            .collect();
        let rest = self.names.len() - listed.len();
        let more = if rest > 0 {
            format!(" and {rest} more")
        } else {
            String::new()
        };
        let there = format!("here are {}{more}", listed.join(", "));
        match nearest(name, self.names.iter().map(|name| name.trim())) {
            Some(near) => format!("did you mean \"{near}\"? T{there}"),
            None => format!("t{there}"),
        }
    }
}
