//! A question about a table, from the query of an address: `e=hit=1d20+[Attack]>=15&format=csv`.

use super::faults::{bad_table, no_fights, no_native_code};
use super::rows::{OnError, Run};
use crate::bounds::Bounds;
use crate::program::ProgramRequest;
use crate::sample::within;
use crate::watch::Watch;
use crate::wrong::Wrong;
use dicec_compiler::Simulation;
use dicec_compiler::unstable::{Backend, Extent, Workers};
use dicec_games::encounter::Bestiary;
use dicec_lang::syntax::nearest;
use dicec_tables::{
    Batch, Columns, FightColumns, Format, HAS_COLUMNS, Method, NO_COLUMNS, NO_COLUMNS_HELP, Named,
    Numbers, Shape, Source,
};
use serde_json::{Map, Value};
use std::io::{Read, Write};
use std::sync::Arc;

/// The precision of the chances of encounters.
const ENCOUNTER_HALF_WIDTH: f64 = 0.01;

/// The maximum number of fights of a row.
const MAX_FIGHTS: u64 = 10_000_000;

/// The names of a query.
const NAMES: [&str; 10] = [
    "e",
    "format",
    "encounter",
    "set",
    "dialect",
    "trials",
    "seed",
    "summary",
    "on_error",
    "check",
];

/// The bytes of a table.
pub enum Input {
    /// A Parquet file, whose index is at the end of the file.
    Parquet(Vec<u8>),
    /// Anything else, which is read from its beginning to its end.
    Streamed(Box<dyn Read>, Shape),
}

/// A question about each row of a table.
#[derive(Clone, Debug)]
pub struct TableRequest {
    expressions: Vec<String>,
    /// The columns of an encounter's sides; empty for the usual ones.
    encounter: Option<String>,
    program: ProgramRequest,
    /// How the answer is written.
    pub format: Format,
    trials: Option<u64>,
    seed: Option<u64>,
    summary: bool,
    on_error: OnError,
}

impl TableRequest {
    /// Reads the pairs of a query.
    ///
    /// # Errors
    /// A name that nothing knows, or a wrong value.
    pub fn read(pairs: impl Iterator<Item = (String, String)>) -> Result<Self, Wrong> {
        let mut request = Self {
            expressions: Vec::new(),
            encounter: None,
            program: ProgramRequest::default(),
            format: Format::default(),
            trials: None,
            seed: None,
            summary: false,
            on_error: OnError::Stop,
        };
        let (mut set, mut dialect) = (Map::new(), Value::String("rulebook".to_owned()));
        let mut check = Value::String("usual".to_owned());
        for (name, value) in pairs {
            match name.as_str() {
                "e" => request.expressions.push(value),
                "format" => request.format = format_named(&value)?,
                "encounter" if value == "true" => request.encounter = Some(String::new()),
                "encounter" => request.encounter = Some(value),
                "set" => {
                    let (name, value) = assignment(&value)?;
                    set.insert(name, value);
                }
                "dialect" => dialect = Value::String(value),
                "trials" => request.trials = Some(number(&name, &value)?),
                "seed" => request.seed = Some(number(&name, &value)?),
                "summary" => request.summary = value == "true",
                "on_error" => request.on_error = OnError::named(&value)?,
                "check" => check = Value::String(value),
                _ => return Err(unknown(&name)),
            }
        }
        request.program = ProgramRequest::of_table(set, &dialect, &check)?;
        match (request.expressions.is_empty(), &request.encounter) {
            (true, None) => Err(Wrong::request(
                "nothing is asked about the rows",
                "give a rule: ?e=hit=1d20+[Attack]>=15",
            )),
            (false, Some(_)) => Err(Wrong::request(
                "\"e\" and \"encounter\" do not go together",
                "leave one of them out",
            )),
            _ => Ok(request),
        }
    }

    /// Answers the question for each row.
    ///
    /// # Errors
    /// The errors in the rules or the table, or an output that is closed.
    pub fn answer(
        &self,
        input: Input,
        output: &mut dyn Write,
        bounds: &Bounds,
        watch: &Watch<'_>,
    ) -> Result<(), Wrong> {
        let source = match input {
            Input::Parquet(bytes) => Source::parquet_bytes(bytes),
            Input::Streamed(bytes, shape) => Source::open(bytes, shape),
        };
        let source = source.map_err(bad_table)?;
        let compiler = self.program.compiler(bounds)?;
        let given = self.program.resources(&compiler)?;
        let columns = Columns::new(source.header(), given.table);
        let numbers = match self.summary {
            true => Numbers::Ends,
            false => Numbers::Quantiles,
        };
        let method = self.method(bounds)?;
        let control = watch.control.clone();
        let batch = Batch::controlled(columns, method, numbers, None, control);
        let mut batch = batch.map_err(no_native_code)?;
        if let Some(limits) = self.program.check.limits() {
            batch.check(limits);
        }
        match &self.encounter {
            None => self.ask_rules(&mut batch, bounds)?,
            Some(wanted) => {
                let bestiary = Bestiary::srd();
                let columns = FightColumns::named(source.header(), wanted, &bestiary);
                let columns = columns.map_err(|wrong| no_fights(&wrong))?;
                batch.ask_fights("", columns, Arc::new(bestiary));
            }
        }
        Run::new(source, batch, self.on_error, self.format).run(output)
    }

    fn ask_rules(&self, batch: &mut Batch, bounds: &Bounds) -> Result<(), Wrong> {
        let named = Named::all(&self.expressions);
        let asked = named.iter().map(|named| {
            let rule = self.program.rule(&named.text, bounds)?;
            let asked = batch.ask_rule(&named.name, &rule.program);
            asked.map_err(|lacking| rule.lacking(batch.columns(), &lacking))
        });
        Wrong::any(asked).map(drop)
    }

    /// As in the command: exact odds, and sampled ones of rows that are too large for them.
    fn method(&self, bounds: &Bounds) -> Result<Method, Wrong> {
        let usual = Simulation::usual(Backend::Jit, self.encounter.is_some());
        let extent = match (self.trials, &self.encounter) {
            (Some(trials), _) if trials == 0 || trials > bounds.trials => {
                let message = format!("\"trials\" is from 1 to {} here", bounds.trials);
                return Err(Wrong::request(message, "give another number"));
            }
            (Some(trials), _) => Extent::Trials(trials),
            (None, Some(_)) => Extent::Precision {
                half_width: ENCOUNTER_HALF_WIDTH,
                most: MAX_FIGHTS,
            },
            (None, None) => usual.extent,
        };
        let seed = self.seed.unwrap_or_else(dicec_compiler::random_seed);
        let mut simulation = usual.seed(seed).workers(Workers::Auto);
        simulation.extent = within(extent, bounds.trials);
        Ok(match self.trials.is_some() || self.encounter.is_some() {
            true => Method::Sample(simulation),
            false => Method::Exact(bounds.limits.exact, Some(simulation)),
        })
    }
}

/// `Attack=5`, as a member of resources.
fn assignment(text: &str) -> Result<(String, Value), Wrong> {
    match text.split_once('=') {
        Some((name, value)) => Ok((name.trim().to_owned(), Value::String(value.to_owned()))),
        None => Err(Wrong::request(
            format!("\"set\": {text} gives nothing a value"),
            "write set=Attack=5",
        )),
    }
}

/// The format of this name.
///
/// # Errors
/// There is none, or this build does not have it.
fn format_named(name: &str) -> Result<Format, Wrong> {
    let format = Format::named(name).ok_or_else(|| {
        let message = format!("a table is not written as \"{name}\"");
        let names = Format::ALL.map(Format::name);
        Wrong::request(message, format!("there are: {}", names.join(", ")))
    })?;
    match format.is_columnar() && !HAS_COLUMNS {
        true => Err(Wrong::request(NO_COLUMNS, NO_COLUMNS_HELP)),
        false => Ok(format),
    }
}

fn number(name: &str, text: &str) -> Result<u64, Wrong> {
    text.parse().map_err(|_| {
        let message = format!("\"{name}\": {text} is not a whole number");
        Wrong::request(message, "write one such as 10000")
    })
}

fn unknown(name: &str) -> Wrong {
    let help = match nearest(name, NAMES) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!("there are: {}", NAMES.join(", ")),
    };
    Wrong::request(format!("a question about a table has no \"{name}\""), help)
}
