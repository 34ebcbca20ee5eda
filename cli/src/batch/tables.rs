//! The tables of a run: the one that is read row by row, and what its rows are joined with.

use super::args::BatchArgs;
use super::fault::Places;
use super::input::{Input, Whole};
use crate::error::{CliError, FileCode, Finding};
use dicec_tables::{Joined, Joins, Record, SameName};
use std::path::Path;

/// What the rows are, and what they are called.
pub(super) struct Tables {
    pub(super) input: Input,
    pub(super) joins: Joins,
    pub(super) places: Places,
    /// The columns that tell rows apart: the first of each table.
    pub(super) keys: Vec<usize>,
}

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
        if let Some(targets) = &args.targets {
            only_one_stream(args, targets)?;
        }
        let input = Input::open(&args.table, args.delimiter)?;
        let (mut joins, mut target) = (Joins::default(), None);
        if let Some(targets) = &args.targets {
            let Whole { path, header, rows } = Input::open(targets, args.delimiter)?.whole()?;
            joins = joins.targets(&header, rows, is_plain);
            target = Some(path);
        }
        let own = input.header().len();
        let header = joins.header(input.header()).map_err(|same| {
            let path = target.as_deref().unwrap_or_default();
            same_name(path, input.path(), &same)
        })?;
        let keys = [0].into_iter().chain(target.is_some().then_some(own));
        Ok(Self {
            keys: keys.collect(),
            places: Places {
                path: input.path().to_owned(),
                target,
                header,
                width: own,
            },
            input,
            joins,
        })
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

fn same_name(path: &str, first: &str, same: &SameName) -> Finding {
    let SameName { name, .. } = same;
    let message = format!("{first} has a column \"{name}\", too");
    let place = Some((1, same.second as u64 + 1));
    Finding::in_file(FileCode::BadTable.as_str(), path, place, message)
        .help("columns of the targets are named `Target ...`; rename one of the two")
}
