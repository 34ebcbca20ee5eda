//! The presentation of an answer for `odds` and `sim`: as text, as JSON or as the cells of a table,
//! and as a picture.

use crate::batch::swept::{Form, SweepArgs};
use crate::error::{CliError, FileCode, Finding};
use crate::output;
use crate::plot::PictureFile;
use crate::target::Target;
use dicec_compiler::answer::{Answer, Distribution, Questions, Side, cells};
use serde::Serialize;
use std::io::{self, Write};

/// A rule, a roll or a statistic and its odds.
#[derive(Clone)]
pub(super) struct Solved {
    /// The rule in its normal form, or a name.
    pub(super) expression: String,
    pub(super) odds: Distribution,
}

impl Solved {
    pub(super) fn side(&self) -> Side<'_> {
        Side {
            expression: &self.expression,
            odds: &self.odds,
        }
    }
}

/// Makes all of them floats if one is: they share an axis.
pub(super) fn align(solved: &mut [Solved]) {
    let scale = solved.first().map(|first| first.odds.scale());
    if solved.iter().any(|one| Some(one.odds.scale()) != scale) {
        solved.iter_mut().for_each(|one| one.odds.make_float());
    }
}

/// Where an answer goes, and what else is asked.
pub(super) struct Presenter<'a> {
    pub(super) output: &'a SweepArgs,
    pub(super) plot: Option<&'a PictureFile>,
    pub(super) json: bool,
    pub(super) asked: &'a Questions,
    /// A flag whose answer has no place among the cells of results.
    pub(super) aside: Option<&'static str>,
}

impl Presenter<'_> {
    /// Shows an answer as a document or as a text of a width; cells and a picture show the odds of
    /// `parts`.
    ///
    /// # Errors
    /// There is nothing to draw, or a file cannot be written.
    pub(super) fn show<D: Serialize>(
        &self,
        parts: impl Fn() -> Result<Vec<Solved>, CliError>,
        document: impl FnOnce() -> D,
        text: impl FnOnce(usize) -> String,
    ) -> Result<(), CliError> {
        let form = self.output.form(self.json)?;
        if let Some(file) = self.plot {
            let parts = parts()?;
            file.write(&sides(&parts))?;
        }
        match (form, self.output.path()) {
            (Form::Text, None) => output::print(&text(output::width())),
            (Form::Json, None) => output::json(&document()),
            (form, path) => {
                let mut target = Target::open(path, "table")?;
                let failed = target.on_failure();
                let written = match form {
                    Form::Text => {
                        let text = text(output::width());
                        let plain = anstream::adapter::strip_str(&text).to_string();
                        target.write_all(plain.as_bytes())
                    }
                    Form::Json => serde_json::to_writer(&mut target, &document())
                        .map_err(io::Error::from)
                        .and_then(|()| target.write_all(b"\n")),
                    Form::Cells(delimiter) => {
                        self.has_a_place()?;
                        let parts = parts()?;
                        let lines = cells(&sides(&parts), self.asked);
                        write_cells(&mut target, &lines, delimiter)
                    }
                };
                written.map_err(failed)?;
                target.commit()
            }
        }
    }

    /// Refuses questions whose answers are not results.
    fn has_a_place(&self) -> Result<(), CliError> {
        let Some(flag) = self.aside.filter(|_| !self.asked.summary) else {
            return Ok(());
        };
        let message = format!("the table of results has no column for {flag}");
        let finding = Finding::general(FileCode::BadSweep.as_str(), message);
        let help = "add --summary for a line of figures, or leave the flag out";
        Err(finding.help(help).into())
    }
}

fn sides(solved: &[Solved]) -> Vec<Side<'_>> {
    solved.iter().map(Solved::side).collect()
}

fn write_cells(target: &mut Target, lines: &[Vec<String>], delimiter: u8) -> io::Result<()> {
    let mut writer = csv::WriterBuilder::new()
        .delimiter(delimiter)
        .from_writer(target);
    for line in lines {
        writer.write_record(line)?;
    }
    writer.flush()
}

/// What a picture or a table shows of a roll of a script: the statistics that are asked for, else
/// its results, else its only statistic.
///
/// # Errors
/// It gives nothing, and has several statistics or none.
pub(super) fn of_script(
    label: &str,
    answer: &Answer,
    whole: &[String],
) -> Result<Vec<Solved>, CliError> {
    let noted = answer.stats.iter();
    let noted = noted.filter_map(|stat| Some((&stat.name, stat.odds.as_ref()?)));
    let wanted = noted.clone().filter(|(name, _)| whole.contains(name));
    let solved = |(name, odds): (&String, &Distribution)| Solved {
        expression: name.clone(),
        odds: odds.clone(),
    };
    let mut parts: Vec<Solved> = wanted.map(solved).collect();
    if parts.is_empty() {
        parts = match &answer.result {
            Some(odds) => vec![Solved {
                expression: label.to_owned(),
                odds: odds.clone(),
            }],
            None => noted.clone().map(solved).collect(),
        };
    }
    if whole.is_empty() && parts.len() != 1 {
        let names: Vec<String> = noted.map(|(name, _)| format!("{name:?}")).collect();
        let message = "this roll returns nothing that could be drawn or listed";
        let finding = Finding::general(FileCode::BadSweep.as_str(), message);
        let help = match names.is_empty() {
            true => "let the script return a value: `return total;`".to_owned(),
            false => format!("name a statistic with --stat: {}", names.join(", ")),
        };
        return Err(finding.help(help).into());
    }
    align(&mut parts);
    Ok(parts)
}
