//! The presentation of an answer for `odds` and `sim`: as text, as JSON or as the cells of a table,
//! and as a picture.

use crate::batch::swept::{Form, SweepArgs};
use crate::error::{CliError, FileCode, Finding};
use crate::output;
use crate::plot::PictureFile;
use crate::target::Target;
use dicec_compiler::answer::{
    Answer, Distribution, NamedAnswer, NamedAnswers, Questions, cells, kind_word, named_cells,
};
use serde::Serialize;
use std::io::{self, Write};

/// Where an answer goes, and what else is asked.
pub(super) struct Presenter<'a> {
    pub(super) output: &'a SweepArgs,
    pub(super) plot: Option<&'a PictureFile>,
    pub(super) json: bool,
    pub(super) asked: &'a Questions,
    /// A flag whose answer has no place among the cells of results.
    pub(super) aside: Option<&'static str>,
    /// Whether each answer has rows of its own among the cells; if not, it has a column.
    pub(super) are_rows: bool,
}

impl<'a> Presenter<'a> {
    /// For an answer of one question, whose cells are a column.
    pub(super) fn new(
        output: &'a SweepArgs,
        plot: Option<&'a PictureFile>,
        json: bool,
        asked: &'a Questions,
        aside: Option<&'static str>,
    ) -> Self {
        Self {
            output,
            plot,
            json,
            asked,
            aside,
            are_rows: false,
        }
    }

    /// Shows an answer as a document or as a text of a width; cells and a picture show the odds of
    /// `parts`.
    ///
    /// # Errors
    /// There is nothing to draw, or a file cannot be written.
    pub(super) fn show<D: Serialize>(
        &self,
        parts: impl Fn() -> Result<NamedAnswers, CliError>,
        document: impl FnOnce() -> D,
        text: impl FnOnce(usize) -> String,
    ) -> Result<(), CliError> {
        let form = self.form()?;
        if let Some(file) = self.plot {
            let parts = parts()?.aligned();
            one_axis(&parts)?;
            file.write(&parts.sides())?;
        }
        let lines = || {
            let parts = parts()?;
            // Parts of different kinds share no columns.
            let are_rows = self.are_rows || parts.odd_one().is_some();
            Ok(match are_rows {
                true => named_cells(&parts, self.asked),
                false => cells(&parts.aligned().sides(), self.asked),
            })
        };
        self.write(form, document, text, lines)
    }

    /// How the answer is written.
    ///
    /// # Errors
    /// A file whose name ends in something else.
    pub(super) fn form(&self) -> Result<Form, CliError> {
        self.output.form(self.json)
    }

    /// Writes an answer as a document, as a text of a width or as cells.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub(super) fn write<D: Serialize>(
        &self,
        form: Form,
        document: impl FnOnce() -> D,
        text: impl FnOnce(usize) -> String,
        lines: impl FnOnce() -> Result<Vec<Vec<String>>, CliError>,
    ) -> Result<(), CliError> {
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
                        write_cells(&mut target, &lines()?, delimiter)
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

/// Refuses a picture of results that share no axis.
fn one_axis(parts: &NamedAnswers) -> Result<(), CliError> {
    let (Some(odd), sides) = (parts.odd_one(), parts.sides()) else {
        return Ok(());
    };
    let kinds = (
        sides.first().map(|side| side.odds.kind()),
        odd.answer.result.as_ref(),
    );
    let (Some(first), Some(other)) = kinds else {
        return Ok(());
    };
    let words = [first, other.kind()].map(kind_word);
    let message = format!(
        "a {} and a {} share no axis of a picture",
        words[0], words[1]
    );
    let finding = Finding::general(FileCode::BadSweep.as_str(), message);
    Err(finding
        .help("draw one of them: name it with --roll, or leave the others out")
        .into())
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
/// its results or the parts of them, else its only statistic.
///
/// # Errors
/// It gives nothing, and has several statistics or none.
pub(super) fn of_script(
    label: &str,
    answer: &Answer,
    whole: &[String],
) -> Result<NamedAnswers, CliError> {
    let noted = answer.stats.iter();
    let noted = noted.filter_map(|stat| Some((&stat.name, stat.odds.as_ref()?)));
    let wanted = noted.clone().filter(|(name, _)| whole.contains(name));
    let named = |(name, odds): (&String, &Distribution)| NamedAnswer::of_odds(name, odds.clone());
    let mut parts: Vec<NamedAnswer> = wanted.map(named).collect();
    if parts.is_empty() && !answer.parts.is_empty() {
        return Ok(NamedAnswers::of_parts(answer));
    }
    if parts.is_empty() {
        parts = match &answer.result {
            Some(odds) => vec![NamedAnswer::of_odds(label, odds.clone())],
            None => noted.clone().map(named).collect(),
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
    Ok(NamedAnswers::new(parts))
}
