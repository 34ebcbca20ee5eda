//! The tables of a run: the one that is read row by row, and those that its rows are joined with.

use super::args::BatchArgs;
use super::fault::Places;
use super::formats;
use super::input::Input;
use crate::error::{CliError, FileCode, Finding};
use dicec_tables::{BadGrid, DataType, Format, Grid, Joined, Joins, Record, SameName, Sweep};
use std::path::{Path, PathBuf};

/// What the rows are, and what they are called.
pub(super) struct Tables {
    pub(super) input: Input,
    pub(super) joins: Joins,
    pub(super) places: Places,
    /// The columns that tell rows apart: the first of each table, and the sweeps.
    pub(super) keys: Vec<usize>,
    /// The types of the tables' columns, if they say them.
    pub(super) types: Vec<Option<DataType>>,
}

/// The second table: as the user gave it, its files, and the types of its columns.
type Target = (String, Vec<String>, Vec<Option<DataType>>);

impl Tables {
    /// Opens the tables. A column of the second one is the target's, unless `is_plain` says that
    /// its name is to stay as it is.
    ///
    /// # Errors
    /// What is wrong with a table as a whole, or a column that both have.
    pub(super) fn open(
        args: &BatchArgs,
        is_plain: impl Fn(&str) -> bool,
    ) -> Result<Self, CliError> {
        let targets = args.targets.as_ref().map(|table| {
            let found = args
                .shared
                .resources
                .found(table, &Format::ALL.map(Format::name));
            PathBuf::from(found)
        });
        if let Some(targets) = &targets {
            only_one_stream(args, targets)?;
        }
        let shape = |file: &Path| formats::shape(file, args.input_format, args.delimiter);
        let input = Input::open(&args.table, shape)?;
        let (mut joins, mut target) = (Joins::default().sweep(grid(&args.sweep)?), None);
        if let Some(targets) = &targets {
            let whole = Input::open(targets, shape)?.whole()?;
            target = Some((whole.path, whole.files, whole.types));
            joins = joins.targets(&whole.header, whole.rows, is_plain);
        }
        Self::new(input, joins, target)
    }

    /// No table, but all combinations of these sweeps.
    ///
    /// # Errors
    /// They do not combine.
    pub(super) fn swept(sweeps: &[Sweep]) -> Result<Self, CliError> {
        let joins = Joins::default().sweep(grid(sweeps)?);
        Self::new(Input::single(), joins, None)
    }

    fn new(input: Input, joins: Joins, target: Option<Target>) -> Result<Self, CliError> {
        let (target, target_files, target_types) = match target {
            Some((path, files, types)) => (Some(path), files, types),
            None => (None, Vec::new(), Vec::new()),
        };
        let (own, target_width) = (input.header().len(), target_types.len());
        let types = input.types().iter().cloned().chain(target_types).collect();
        let mut places = Places {
            path: input.path().to_owned(),
            files: input.files(),
            target,
            target_files,
            header: Vec::new(),
            width: own,
            target_width,
        };
        let header = joins.header(input.header());
        places.header = header.map_err(|same| same_name(&places, &same))?;
        let swept = own + target_width..places.header.len();
        let keys = [0, own].into_iter().chain(swept);
        Ok(Self {
            keys: keys.collect(),
            types,
            places,
            input,
            joins,
        })
    }

    /// How many joined rows there are, if that is known before the table was read.
    pub(super) fn rows(&self) -> Option<u64> {
        let is_swept = self.input.path().is_empty();
        is_swept.then(|| self.joins.count() as u64)
    }

    /// A row with the `index`-th of what it is joined with.
    pub(super) fn join<'r>(&'r self, record: &'r Record, index: usize) -> Joined<'r> {
        let width = self.input.header().len();
        self.joins.join(record, width, index)
    }
}

/// Refuses two tables in one stream.
fn only_one_stream(args: &BatchArgs, targets: &Path) -> Result<(), CliError> {
    let streams = [args.table.as_path(), targets].map(|path| path == Path::new("-"));
    let arguments = args.roll.reads_standard_input();
    if streams == [true, true] || streams[1] && arguments {
        let other = if arguments {
            "the arguments"
        } else {
            "the table"
        };
        let message = format!("standard input cannot be both {other} and the targets");
        let finding = Finding::general(FileCode::Unreadable.as_str(), message);
        return Err(finding.help("give one of them as a file").into());
    }
    Ok(())
}

/// The combinations of sweeps.
fn grid(sweeps: &[Sweep]) -> Result<Grid, CliError> {
    let help = |why: &BadGrid| match why {
        BadGrid::Twice(_) => "put all values into one: NAME=1..5,10",
        BadGrid::TooMany => "sweep fewer values: NAME=10..30 by 5",
    };
    Grid::new(sweeps.to_vec()).map_err(|why| {
        let finding = Finding::general(FileCode::BadSweep.as_str(), why.to_string());
        finding.help(help(&why)).into()
    })
}

fn same_name(places: &Places, same: &SameName) -> Finding {
    let SameName {
        first,
        second,
        name,
    } = same;
    let (other, _) = places.heading(*first);
    let (path, place) = places.heading(*second);
    let message = format!("{other} has a column \"{name}\", too");
    let is_swept = place.is_none();
    let finding = Finding::in_file(FileCode::BadTable.as_str(), path, place, message);
    finding.help(match is_swept {
        true => "leave the sweep out, or rename the column",
        false => "columns of the targets are named `Target ...`; rename one of the two",
    })
}
