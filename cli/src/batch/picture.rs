//! The picture of a sweep, which is collected while its table is written.

use super::tables::Tables;
use crate::error::{CliError, FileCode, Finding};
use crate::plot::PictureFile;
use crate::report::Reporter;
use dicec_compiler::answer::grouped;
use dicec_compiler::answer::plot::{Curve, Curves, MAX_CURVES, Measure};
use dicec_tables::{Answer, Height, Joined, NoCurves, Sweep};

/// A picture to be.
pub(super) struct Picture<'a> {
    file: &'a PictureFile,
    sweep: Option<Sweep>,
    curves: dicec_tables::Curves,
}

impl<'a> Picture<'a> {
    /// A picture of the questions of these names over the values on the axis.
    pub(super) fn new(file: &'a PictureFile, names: &[String], tables: &Tables) -> Self {
        let grid = tables.joins.grid();
        let sweep = grid.sweeps().get(grid.axis()).cloned();
        let values = sweep.as_ref().map_or(1, |sweep| sweep.values().len());
        Self {
            file,
            sweep,
            curves: dicec_tables::Curves::new(names, values, MAX_CURVES),
        }
    }

    /// Takes a row.
    pub(super) fn add(&mut self, row: &Joined<'_>, answers: &[Option<Answer>]) {
        self.curves.add(row, answers);
    }

    /// Draws it.
    ///
    /// # Errors
    /// There is nothing to draw, or the file cannot be written.
    pub(super) fn write(self, reporter: Reporter) -> Result<(), CliError> {
        let drawn = self.curves.finish().map_err(unclear)?;
        if drawn.curves.len() > MAX_CURVES {
            let count = drawn.curves.len();
            let message =
                format!("a picture has at most {MAX_CURVES} curves, and these are {count}");
            let finding = Finding::general(FileCode::BadSweep.as_str(), message);
            return Err(finding.help("leave some of the rules out").into());
        }
        let mean = drawn.mean_of.map(|rows| {
            let rows = grouped(rows);
            reporter.note(&Finding {
                is_error: false,
                ..Finding::general(
                    FileCode::TableNote.as_str(),
                    format!("the picture shows the mean of {rows} rows for each rule"),
                )
            });
            format!(" (mean of {rows} rows)")
        });
        let mean = mean.unwrap_or_default();
        let curve = |(name, points): (String, Vec<Option<f64>>)| Curve {
            name: format!("{name}{mean}").trim().to_owned(),
            points,
        };
        let (axis, values) = match &self.sweep {
            Some(sweep) => (sweep.name().to_owned(), sweep.values().to_vec()),
            None => (String::new(), vec![String::new()]),
        };
        self.file.write_curves(&Curves {
            axis,
            values,
            measure: match drawn.height {
                Height::Probability => Measure::Probability,
                Height::Mean => Measure::Mean,
            },
            curves: drawn.curves.into_iter().map(curve).collect(),
        })
    }
}

fn unclear(why: NoCurves) -> CliError {
    let (message, help) = match why {
        NoCurves::NotNumbers(name) => {
            let of = match name.as_str() {
                "" => String::new(),
                name => format!(" of {name}"),
            };
            (
                format!("the results{of} are neither chances nor numbers, so nothing can be drawn"),
                "leave --plot out, or ask for a check or a number",
            )
        }
        NoCurves::Mixed => (
            "chances and means do not fit into one picture".to_owned(),
            "draw the checks and the numbers one after the other",
        ),
    };
    let finding = Finding::general(FileCode::BadSweep.as_str(), message);
    finding.help(help).into()
}
