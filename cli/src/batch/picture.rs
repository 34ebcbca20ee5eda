//! The picture of a sweep, which is collected while its table is written.

use super::tables::Tables;
use crate::error::{CliError, FileCode, Finding};
use crate::plot::PictureFile;
use crate::report::Reporter;
use dicec_compiler::answer::grouped;
use dicec_compiler::answer::plot::{Curve, Curves, MAX_CURVES, Measure};
use dicec_tables::{Answer, Height, Joined, NoCurves, Numbers, ResultCell, Sweep};
use rustc_hash::{FxHashMap, FxHashSet};

/// A picture to be.
pub(super) struct Picture<'a> {
    file: &'a PictureFile,
    sweep: Option<Sweep>,
    names: Vec<String>,
    drawn: Subject,
}

/// The subject of a picture.
enum Subject {
    /// Chances or means over the swept values.
    Figures(dicec_tables::Curves),
    /// Probabilities over the results, with a curve for each row and question.
    Results(Vec<(String, Vec<(ResultCell, f64)>)>),
}

impl<'a> Picture<'a> {
    /// A picture of the questions of these names over the values on the axis.
    pub(super) fn new(
        file: &'a PictureFile,
        names: &[String],
        tables: &Tables,
        numbers: &Numbers,
    ) -> Self {
        let grid = tables.joins.grid();
        let sweep = grid.sweeps().get(grid.axis()).cloned();
        let values = sweep.as_ref().map_or(1, |sweep| sweep.values().len());
        Self {
            file,
            sweep,
            names: names.to_vec(),
            drawn: match numbers {
                Numbers::Results => Subject::Results(Vec::new()),
                _ => Subject::Figures(dicec_tables::Curves::new(names, values, MAX_CURVES)),
            },
        }
    }

    /// Takes a row.
    pub(super) fn add(&mut self, row: &Joined<'_>, answers: &[Option<Answer>]) {
        match &mut self.drawn {
            Subject::Figures(curves) => curves.add(row, answers),
            // One more than fit says that there are too many.
            Subject::Results(curves) if curves.len() > MAX_CURVES => {}
            Subject::Results(curves) => {
                let mut labels = row.labels();
                if let Some(sweep) = &self.sweep {
                    let value = sweep.values().get(row.point().on_axis());
                    labels.extend(value.map(|value| format!("{} {value}", sweep.name())));
                }
                for (answer, name) in answers.iter().zip(&self.names) {
                    let results = answer.iter().flat_map(|answer| answer.results.iter());
                    for found in results.flat_map(|all| all.iter()) {
                        let question = (self.names.len() > 1).then_some(name);
                        let parts = question.into_iter().chain(found.part.as_ref());
                        let parts: Vec<String> = labels.iter().chain(parts).cloned().collect();
                        curves.push((parts.join(", "), found.all.clone()));
                    }
                }
            }
        }
    }

    /// Draws it.
    ///
    /// # Errors
    /// There is nothing to draw, or the file cannot be written.
    pub(super) fn write(self, reporter: Reporter) -> Result<(), CliError> {
        let drawn = match self.drawn {
            Subject::Results(curves) if curves.len() > MAX_CURVES => {
                return Err(too_many(&format!("more than {MAX_CURVES}")));
            }
            Subject::Results(curves) => return self.file.write_curves(&over_results(curves)),
            Subject::Figures(curves) => curves.finish().map_err(unclear)?,
        };
        if drawn.curves.len() > MAX_CURVES {
            return Err(too_many(&drawn.curves.len().to_string()));
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

fn too_many(count: &str) -> CliError {
    let message = format!("a picture has at most {MAX_CURVES} curves, and these are {count}");
    let finding = Finding::general(FileCode::BadSweep.as_str(), message);
    finding.help("leave some of the rules out").into()
}

/// The curves of these results: numbers in their order, anything else as it comes. A result that a
/// curve does not have never happens there.
fn over_results(curves: Vec<(String, Vec<(ResultCell, f64)>)>) -> Curves {
    let mut known = FxHashSet::default();
    let all = curves.iter().flat_map(|(_, results)| results);
    let new = all.filter(|(value, _)| known.insert(value.to_string()));
    let mut values: Vec<ResultCell> = new.map(|(value, _)| value.clone()).collect();
    values.sort_by(|a, b| match (a, b) {
        (ResultCell::Number(a), ResultCell::Number(b)) => a.number().total_cmp(&b.number()),
        _ => std::cmp::Ordering::Equal,
    });
    let curve = |(name, results): (String, Vec<(ResultCell, f64)>)| {
        let results = results.iter();
        let results: FxHashMap<String, f64> =
            results.map(|(value, p)| (value.to_string(), *p)).collect();
        let p = |value: &ResultCell| results.get(&value.to_string()).copied();
        let points = values.iter().map(|value| Some(p(value).unwrap_or(0.0)));
        Curve {
            name,
            points: points.collect(),
        }
    };
    Curves {
        axis: "result".to_owned(),
        curves: curves.into_iter().map(curve).collect(),
        values: values.iter().map(ToString::to_string).collect(),
        measure: Measure::Probability,
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
