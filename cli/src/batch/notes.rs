//! Notes for readers of the odds that the table does not have: the answers that were sampled, and
//! the rows that are missing.

use super::fault::Places;
use super::policy::Policy;
use crate::error::{CliError, FileCode, Finding, Location};
use crate::loaded::Loaded;
use crate::report::Reporter;
use dicec_compiler::Simulation;
use dicec_compiler::answer::{grouped, percent, significant};
use dicec_games::dh2e::{Change, Scenario};
use dicec_lang::syntax::Code;
use dicec_runtime::driver::Extent;
use dicec_runtime::resource::ResourceName;
use dicec_tables::{Answer, Field, Group, Joined, Method, TRIES, Varying};

/// Collects notes during a run. Those on sampling are told at once, the count of bad rows at the
/// end.
pub(super) struct Notes<'b> {
    policy: Policy,
    /// The simulation that stands in for exact answers.
    fallback: Option<Simulation>,
    groups: &'b [Group],
    /// Whether the fallback was told of, for each expression.
    told: Vec<bool>,
    untold: usize,
    rows: u64,
    left_out: Bad,
    kept: Bad,
    /// Rows whose answer was refuted by its check, among these.
    wrong: Bad,
    /// Rows with lines or statistics of a script that no column counts.
    uncounted: Bad,
    /// Rows whose odds clamping at 0 changed.
    clamped: Bad,
    /// Rows with AnyDice programs that have notes.
    noted: Bad,
}

/// Bad rows of one treatment.
#[derive(Default)]
struct Bad {
    count: u64,
    first: Option<CliError>,
}

impl Bad {
    fn add(&mut self, describe: impl FnOnce() -> CliError) {
        self.count += 1;
        self.first.get_or_insert_with(describe);
    }
}

impl<'b> Notes<'b> {
    pub(super) fn new(policy: Policy, method: &Method, groups: &'b [Group]) -> Self {
        let fallback = match method {
            Method::Exact(_, fallback) => fallback.clone(),
            Method::Sample(_) => None,
        };
        let untold = if fallback.is_some() { groups.len() } else { 0 };
        Self {
            policy,
            fallback,
            groups,
            told: vec![false; groups.len()],
            untold,
            rows: 0,
            left_out: Bad::default(),
            kept: Bad::default(),
            wrong: Bad::default(),
            uncounted: Bad::default(),
            clamped: Bad::default(),
            noted: Bad::default(),
        }
    }

    /// Counts a row, and tells when an expression is sampled for the first time though exact odds
    /// were wanted.
    pub(super) fn row(&mut self, places: &Places, row: &Joined<'_>, answers: &[Option<Answer>]) {
        self.rows += 1;
        self.note_lines(places, row, answers);
        self.note_clamps(places, row, answers);
        self.note_programs(places, row, answers);
        if self.untold == 0 {
            return;
        }
        for (index, answer) in answers.iter().enumerate() {
            if answer.as_ref().is_some_and(|answer| answer.is_sampled) && !self.told[index] {
                self.told[index] = true;
                self.untold -= 1;
                let line = row.record.line();
                self.tell_fallback(places.of_row(row.record), line, &self.groups[index]);
            }
        }
    }

    /// Counts a row if the table does not tell of all its lines and statistics.
    fn note_lines(&mut self, places: &Places, row: &Joined<'_>, answers: &[Option<Answer>]) {
        if self.policy.is_json() {
            return;
        }
        for (group, answer) in self.groups.iter().zip(answers) {
            let events = answer.as_ref().and_then(|answer| answer.events.as_deref());
            if let Some(line) = events.and_then(|events| group.uncounted(events)) {
                self.uncounted.add(|| {
                    let place = Some((row.record.line(), 1));
                    let message = format!("{line:?}");
                    let (code, path) = (FileCode::TableNote.as_str(), places.of_row(row.record));
                    let found = Finding::in_file(code, path, place, message);
                    found
                        .help("--json has all lines and statistics of each row")
                        .into()
                });
            }
        }
    }

    /// Counts a row if clamping at 0 changed its odds.
    fn note_clamps(&mut self, places: &Places, row: &Joined<'_>, answers: &[Option<Answer>]) {
        let groups = self.groups.iter().zip(answers);
        let mut clamped = groups.filter_map(|(group, answer)| {
            let share = answer.as_ref()?.clamped?;
            Some((&group.name, share))
        });
        if let Some((name, share)) = clamped.next() {
            self.clamped.add(|| {
                let of = if name.is_empty() { "" } else { " of " };
                let message = format!("{}{of}{name}", percent(share));
                let code = FileCode::TableNote.as_str();
                let found = match places.of_row(row.record) {
                    "" => Finding::general(code, message),
                    path => Finding::in_file(code, path, Some((row.record.line(), 1)), message),
                };
                found.help("-d notation keeps numbers below 0").into()
            });
        }
    }

    /// Counts a row if there are notes on its AnyDice program.
    fn note_programs(&mut self, places: &Places, row: &Joined<'_>, answers: &[Option<Answer>]) {
        let notes = answers
            .iter()
            .flatten()
            .filter_map(|answer| answer.notes.as_ref());
        if let Some(note) = notes.flat_map(|notes| notes.iter()).next() {
            self.noted.add(|| {
                let finding = match places.of_row(row.record) {
                    "" => Finding::general(note.code.as_str(), &note.message),
                    path => {
                        let at = Some((row.record.line(), 1));
                        Finding::in_file(note.code.as_str(), path, at, &note.message)
                    }
                };
                Finding {
                    help: note.help.clone(),
                    ..finding
                }
                .into()
            });
        }
    }

    /// A bad row stays out of the table.
    pub(super) fn left_out(&mut self, describe: impl FnOnce() -> CliError) {
        self.left_out.add(describe);
    }

    /// A bad row stays in the table without odds.
    pub(super) fn kept(&mut self, describe: impl FnOnce() -> CliError) {
        self.kept.add(describe);
    }

    /// The answer of a bad row was refuted by its check.
    pub(super) fn wrong(&mut self, describe: impl FnOnce() -> CliError) {
        self.wrong.add(describe);
    }

    /// Tells how many rows were bad, and why the first one was.
    ///
    /// # Errors
    /// Answers that were refuted by their checks: the table lacks them, which is a fault of ours.
    pub(super) fn summarise(mut self) -> Result<(), CliError> {
        let rows = grouped(self.rows);
        for (bad, what) in [
            (&self.left_out, "left out"),
            (&self.kept, "kept without odds"),
            (
                &self.uncounted,
                "written without lines or statistics that the first rows did not have",
            ),
            (
                &self.clamped,
                "changed by clamping at 0: numbers below 0 count as 0",
            ),
            (&self.noted, "worked out with a note on the program"),
        ] {
            let Some(first) = bad.first.as_ref().and_then(|error| error.findings.first()) else {
                continue;
            };
            let count = grouped(bad.count);
            let were = if bad.count == 1 {
                "row was"
            } else {
                "rows were"
            };
            let all = if self.rows == 1 { "row" } else { "rows" };
            let message = format!(
                "{count} {were} {what} ({rows} {all} in all); the first: {}",
                first.message
            );
            self.policy.reporter.note(&Finding {
                code: FileCode::TableNote.as_str(),
                is_error: false,
                message,
                help: first.help.clone(),
                location: first.location.clone(),
            });
        }
        let Some(mut wrong) = self.wrong.first.take() else {
            return Ok(());
        };
        if let Some(first) = wrong.findings.first_mut() {
            let count = grouped(self.wrong.count);
            first.message = format!(
                "the answers of {count} of {rows} rows were refuted by their checks and are not given; the first: {}",
                first.message
            );
        }
        Err(wrong)
    }

    fn tell_fallback(&self, path: &str, line: u64, group: &Group) {
        let Some(simulation) = &self.fallback else {
            return;
        };
        let name = match group.name.as_str() {
            "" => "a fight",
            name => name,
        };
        let mut message = format!(
            "{name} is sampled where an exact answer is too large, with {}",
            described(simulation)
        );
        if group.is_script() {
            message += &format!(
                "; once {TRIES} rows in which nothing but numbers and texts differ were too large, others like them are sampled without a try"
            );
        }
        if !self.policy.is_json() && group.can_err() && !group.fields.contains(&Field::Se) {
            message += "; the first rows were exact, so there is no column for the standard error";
        }
        self.policy.reporter.note(&Finding {
            code: Code::Budget.as_str(),
            is_error: false,
            message,
            help: Some(
                "raise the budget with --max-work or --max-outcomes, or sample all rows with --jit"
                    .to_owned(),
            ),
            location: Location::File {
                path: path.to_owned(),
                at: Some((line, 1)),
            },
        });
    }
}

/// Tells of columns that were perhaps meant to name a parameter of a script's roll.
pub(super) fn near_misses(reporter: Reporter, places: &Places, loaded: &Loaded, varying: &Varying) {
    let resources = loaded.program.resources();
    for (column, name) in places.header.iter().enumerate() {
        let resource = ResourceName::parse(name);
        let Some(near) = varying.near(name) else {
            continue;
        };
        if resources.iter().any(|used| used.name == resource) {
            continue;
        }
        let roll = varying.roll().name();
        let name = name.trim();
        let message =
            format!("column \"{name}\" names no parameter of {roll} and is left as it is");
        note_column(
            reporter,
            places,
            column,
            message,
            format!("did you mean {near}?"),
        );
    }
}

/// Tells of columns that are perhaps about somebody who is not in the scenario.
pub(super) fn strangers(reporter: Reporter, places: &Places, scenario: &Scenario) {
    for (column, name) in places.header.iter().enumerate() {
        let name = name.trim();
        if !name.contains('.') || !matches!(Change::named(name, scenario), Ok(None)) {
            continue;
        }
        let owners = Change::owners(scenario).join(", ");
        let message = format!("column \"{name}\" is about nobody here and is left as it is");
        let help = format!("columns change a member of one of these: {owners}");
        note_column(reporter, places, column, message, help);
    }
}

/// Notes something about a column, at its heading.
fn note_column(reporter: Reporter, places: &Places, column: usize, message: String, help: String) {
    let (path, at) = places.heading(column);
    reporter.note(&Finding {
        code: FileCode::TableNote.as_str(),
        is_error: false,
        message,
        help: Some(help),
        location: Location::File {
            path: path.to_owned(),
            at,
        },
    });
}

/// Tells how everything is sampled, where the user left the seed open.
pub(super) fn sampled_everywhere(policy: &Policy, method: &Method) {
    let Some(simulation) = method.simulation() else {
        return;
    };
    policy.reporter.note(&Finding {
        code: FileCode::TableNote.as_str(),
        is_error: false,
        message: format!("sampled with {}", described(simulation)),
        help: None,
        location: Location::Nowhere,
    });
}

fn described(simulation: &Simulation) -> String {
    let seed = simulation.seed;
    match simulation.extent {
        Extent::Trials(trials) => {
            format!(
                "{} trials a row (--seed {seed} repeats it)",
                grouped(trials)
            )
        }
        Extent::Precision { half_width, .. } => {
            format!("trials up to a precision of {half_width} (--seed {seed} repeats it)")
        }
        Extent::OfRange { share, .. } => {
            let share = significant(share * 100.0, 3);
            format!("trials up to a precision of {share} % of the range (--seed {seed} repeats it)")
        }
    }
}
