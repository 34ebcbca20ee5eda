//! Makes fights from the cells of rows: encounters of stat blocks, or scenarios of the d100 rules.

use crate::Row;
use dicec_compiler::answer::Answer as RollAnswer;
use dicec_compiler::{Bound, Compiler, Failure};
use dicec_games::dh2e::{Change as ScenarioChange, Notes, Scenario};
use dicec_games::encounter::{
    Bestiary, Change, DEAD, ENEMIES_STANDING, Encounter, HIT_POINTS, Plan, Purpose, ROUNDS,
    STANDING, Told, Wrong, encounter_script, read_line, read_sides,
};
use dicec_lang::hir::Kind;

use dicec_fights::{EncounterError, compile_encounter, compile_generated};
use dicec_runtime::bug;
use std::sync::Arc;

/// The names of an encounter's outcomes, for the first side.
const OUTCOMES: [&str; 3] = ["win", "lose", "draw"];

/// The statistics of every encounter.
const STATISTICS: [&str; 4] = [ROUNDS, STANDING, HIT_POINTS, ENEMIES_STANDING];

/// The columns that make an encounter.
#[derive(Clone, Debug)]
pub struct FightColumns {
    /// The columns of the sides.
    pub sides: SideColumns,
    /// The change of each of these columns, from 0.
    pub changes: Vec<(Change, usize)>,
}

/// The columns of the sides, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SideColumns {
    /// One column with both: `4 Veteran vs 6 Goblin`, or a document.
    Line(usize),
    /// One for each side.
    Pair(usize, usize),
}

/// A scenario of the d100 rules, and the columns that change it.
#[derive(Clone, Debug)]
pub struct ScenarioColumns {
    /// The scenario of a row without changes.
    pub scenario: Scenario,
    /// The change of each of these columns, from 0.
    pub changes: Vec<(ScenarioChange, usize)>,
}

/// Where the fights of rows come from.
pub(super) enum Source {
    Encounters(FightColumns, Arc<Bestiary>, Purpose),
    Scenarios(Box<ScenarioColumns>, Purpose),
}

/// The fight of a row.
pub(super) enum Planned {
    Encounter(Box<Plan>, Purpose),
    /// The script of a scenario, and the parts of the row's cells without effect.
    Scenario(String, Vec<CellNote>),
}

/// A note on the cell of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellNote {
    /// The column, from 0.
    pub column: usize,
    /// The note, with the path that it is about.
    pub wrong: Wrong,
}

/// The cell because of which a row has no fight.
pub(super) type BadFight = CellNote;

impl Source {
    /// The columns that are read.
    pub(super) fn columns(&self) -> Vec<usize> {
        match self {
            Self::Encounters(columns, ..) => {
                let (first, second) = match columns.sides {
                    SideColumns::Line(column) => (column, None),
                    SideColumns::Pair(first, second) => (first, Some(second)),
                };
                let changes = columns.changes.iter().map(|(_, column)| *column);
                [first].into_iter().chain(second).chain(changes).collect()
            }
            Self::Scenarios(made, _) => made.changes.iter().map(|(_, column)| *column).collect(),
        }
    }

    /// What the fights return, and the names of their outcomes.
    pub(super) fn outcomes(&self) -> (Kind, Vec<String>) {
        match self {
            Self::Encounters(..) => (Kind::Label, OUTCOMES.map(str::to_owned).into()),
            Self::Scenarios(made, _) => match &made.scenario {
                Scenario::Attack(_) => (Kind::Number, Vec::new()),
                // As the script has them, which nobody has to read here.
                Scenario::Fight(fight) => {
                    let sides = fight.sides.iter().map(|side| side.name.clone());
                    (Kind::Label, sides.chain(["nobody".to_owned()]).collect())
                }
            },
        }
    }

    /// The fight of a row.
    pub(super) fn plan(&self, row: &dyn Row) -> Result<Planned, BadFight> {
        match self {
            Self::Encounters(columns, bestiary, purpose) => {
                let plan = encounter(columns, bestiary, row)?;
                Ok(Planned::Encounter(Box::new(plan), *purpose))
            }
            Self::Scenarios(made, purpose) => scenario(made, *purpose, row),
        }
    }
}

fn scenario(made: &ScenarioColumns, purpose: Purpose, row: &dyn Row) -> Result<Planned, BadFight> {
    let mut scenario = made.scenario.clone();
    let mut changed = Vec::new();
    for (change, column) in &made.changes {
        let (cell, column) = (row.cell(*column), *column);
        let applied = change.apply(cell, &mut scenario);
        applied.map_err(|wrong| BadFight { column, wrong })?;
        if !cell.trim().is_empty() {
            changed.push((change, column));
        }
    }
    let of_cell = |wrong: &Wrong| {
        let mut latest = changed.iter().rev();
        latest.find_map(|(change, column)| {
            let (column, wrong) = (*column, change.blamed(wrong, &scenario)?);
            Some(CellNote { column, wrong })
        })
    };
    let mut notes = Notes::default();
    match scenario.script(purpose, &mut notes) {
        // What else has no effect was told of the scenario before the first row.
        Ok(script) => {
            let notes = notes.all().iter().filter_map(of_cell).collect();
            Ok(Planned::Scenario(script, notes))
        }
        Err(wrong) => Err(of_cell(&wrong).unwrap_or_else(|| {
            let column = changed.last().map_or(0, |(_, column)| *column);
            BadFight { column, wrong }
        })),
    }
}

fn encounter(columns: &FightColumns, bestiary: &Bestiary, row: &dyn Row) -> Result<Plan, BadFight> {
    let (first, read) = match columns.sides {
        SideColumns::Line(column) => (column, line(row.cell(column), bestiary)),
        SideColumns::Pair(first, second) => {
            let read = read_sides(row.cell(first), row.cell(second), bestiary);
            (first, read)
        }
    };
    let at = |column| move |wrong| BadFight { column, wrong };
    let mut encounter = read.map_err(at(first))?;
    for (change, column) in &columns.changes {
        let changed = change.apply(row.cell(*column), &mut encounter, bestiary);
        changed.map_err(at(*column))?;
    }
    let plan = Plan::new(&encounter, bestiary).map_err(at(first))?;
    check_script(&plan).map_err(at(first))?;
    Ok(plan)
}

/// An encounter as a line, or as a document.
fn line(cell: &str, bestiary: &Bestiary) -> Result<Encounter, Wrong> {
    if !cell.trim_start().starts_with('{') {
        return read_line(cell, bestiary);
    }
    let json = serde_json::from_str(cell);
    let json = json.map_err(|why| Wrong::new("$", format!("is not JSON: {why}")))?;
    Encounter::read(&json)
}

/// Whether the script of an encounter is not too long, and the functions that the encounter brings
/// along fit it.
fn check_script(plan: &Plan) -> Result<(), Wrong> {
    if plan.functions().is_none() {
        return encounter_script(plan, Told::Sides, Purpose::Odds).map(drop);
    }
    match compile_encounter(&Compiler::new(), plan, Told::Sides, Purpose::Odds) {
        Err(wrong @ EncounterError::Functions(_)) => {
            let wrong = Wrong::new("$.functions", format!("are wrong: {wrong}"));
            Err(wrong.help("a document in a table has the functions themselves, not a file's name"))
        }
        Err(EncounterError::Encounter(wrong)) => Err(wrong),
        // Any other failure is told when the encounter is fought.
        Ok(_) | Err(EncounterError::Failure(_)) => Ok(()),
    }
}

impl Planned {
    /// Its roll.
    pub(super) fn bound(&self) -> Result<Bound, Failure> {
        match self {
            Self::Encounter(plan, purpose) => {
                let bound = compile_encounter(&Compiler::new(), plan, Told::Sides, *purpose);
                bound.map_err(|error| match error {
                    EncounterError::Failure(failure) => failure,
                    EncounterError::Functions(_) | EncounterError::Encounter(_) => {
                        bug!("an encounter that was checked: {error}").raise()
                    }
                })
            }
            Self::Scenario(script, _) => compile_generated(&Compiler::new(), script),
        }
    }

    /// The parts of the row's cells without effect.
    pub(super) fn notes(&self) -> &[CellNote] {
        match self {
            Self::Encounter(..) => &[],
            Self::Scenario(_, notes) => notes,
        }
    }

    /// The abilities of its creatures that are not modelled, by name.
    pub(super) fn missing(&self) -> impl Iterator<Item = (&str, &[String])> {
        let plan = match self {
            Self::Encounter(plan, _) => Some(plan),
            Self::Scenario(..) => None,
        };
        plan.into_iter().flat_map(|plan| plan.missing())
    }
}

/// The statistics of encounters: the dead of a side if one of them has characters on it.
pub(super) fn of_encounters(plans: &[Planned]) -> Vec<String> {
    let has_characters = |side: &usize| {
        let mut plans = plans.iter();
        plans.any(|plan| match plan {
            Planned::Encounter(plan, _) => plan.has_characters_on(*side),
            Planned::Scenario(..) => false,
        })
    };
    let dead = (0..DEAD.len()).filter(has_characters);
    let all = STATISTICS.into_iter().chain(dead.map(|side| DEAD[side]));
    all.map(str::to_owned).collect()
}

/// An answer without the lines that a table of fights has no columns for.
pub(super) fn without_lines(mut answer: RollAnswer) -> RollAnswer {
    answer.lines.clear();
    answer
}
