//! Names: of the expressions, from `NAME=EXPR`, and of the columns that each of them, or a roll of a script, adds to the table.

use super::answer::{Answer, Events, Field, Figure, Numbers, tidy};
use super::lines::Lines;
use crate::error::{CliError, FileCode, Finding};
use dicec_compiler::hir::Kind;
use rustc_hash::FxHashSet;

/// An expression as the user gave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) text: String,
}

/// Names the expressions: by their own `NAME=`, or `expr`, or `expr1`, `expr2` ... if several have none.
pub(super) fn name_all(given: &[String]) -> Vec<Named> {
    let split: Vec<_> = given.iter().map(|text| split_name(text)).collect();
    let unnamed = split.iter().filter(|(name, _)| name.is_none()).count();
    let mut number = 0;
    split
        .into_iter()
        .map(|(name, text)| Named {
            name: name.map_or_else(
                || {
                    number += 1;
                    if unnamed == 1 {
                        "expr".to_owned()
                    } else {
                        format!("expr{number}")
                    }
                },
                str::to_owned,
            ),
            text: text.to_owned(),
        })
        .collect()
}

/// Splits `NAME=EXPR`. A check holds the same sign, so only a plain word that is no die counts as a name: what else may
/// stand left of a check's `=` has a digit, a bracket or a parenthesis in front, or is a die such as `d20`.
fn split_name(text: &str) -> (Option<&str>, &str) {
    match text.split_once('=') {
        Some((name, rest)) if is_name(name.trim()) => (Some(name.trim()), rest.trim()),
        _ => (None, text.trim()),
    }
}

fn is_name(word: &str) -> bool {
    let plain = |character: char| character.is_alphanumeric() || character == '_';
    word.starts_with(char::is_alphabetic) && word.chars().all(plain) && !is_die(word)
}

/// `d20`, `D6`, and `dF` of the dice notation to come.
fn is_die(word: &str) -> bool {
    let Some(sides) = word.strip_prefix(['d', 'D']) else {
        return false;
    };
    sides.eq_ignore_ascii_case("f")
        || (!sides.is_empty() && sides.bytes().all(|byte| byte.is_ascii_digit()))
}

/// What an expression adds to the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) name: String,
    pub(super) fields: Vec<Field>,
    /// Labels as parts of column names, as degrees have them.
    labels: Vec<String>,
    /// What a roll of a script adds beside its result.
    script: Option<ScriptColumns>,
}

/// The columns of a roll's statistics and lines.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ScriptColumns {
    /// The statistics' names.
    stats: Vec<String>,
    lines: Lines,
    /// The names of the lines' columns.
    titles: Vec<String>,
}

impl Group {
    /// Whether it is a roll of a script.
    pub(super) fn is_script(&self) -> bool {
        self.script.is_some()
    }

    /// The columns of an expression of this kind and with these labels, or of either kind where each row has an expression of its own.
    pub(super) fn new(
        name: &str,
        kind: Option<Kind>,
        labels: &[String],
        numbers: Numbers,
        is_sampled: bool,
    ) -> Self {
        let of_number = numbers.fields();
        let mut fields = match kind {
            Some(Kind::Check) => vec![Field::P],
            Some(Kind::Number | Kind::Float) => of_number.to_vec(),
            Some(Kind::Degree(ladder)) => Field::of_degree(ladder),
            Some(Kind::Label) => Field::of_labels(labels.len()),
            None => [&[Field::P], of_number].concat(),
        };
        // Each rung and each label has an error of its own; these are left out.
        if is_sampled && !matches!(kind, Some(Kind::Degree(_) | Kind::Label)) {
            fields.push(Field::Se);
        }
        Self {
            name: name.to_owned(),
            fields,
            labels: labels.iter().map(|label| label.replace(' ', "_")).collect(),
            script: None,
        }
    }

    /// The columns of a roll of a script, which returns this, or nothing, and has these statistics and lines.
    pub(super) fn of_script(
        name: &str,
        (kind, numbers): (Option<Kind>, Numbers),
        is_sampled: bool,
        stats: &[String],
        lines: Lines,
    ) -> Self {
        let mut group = Self::new(name, kind, &[], numbers, is_sampled);
        if kind.is_none() {
            group.fields.clear();
        }
        for (place, _) in (0..).zip(stats) {
            group
                .fields
                .extend([Field::StatMean(place), Field::StatSd(place)]);
        }
        let places = (0..).zip(lines.columns());
        group
            .fields
            .extend(places.map(|(place, _)| Field::Line(place)));
        let title = |line: &String| match line.replace(['\n', '\r', '\t'], " ").trim() {
            "" => "(empty line)".to_owned(),
            title => title.to_owned(),
        };
        group.script = Some(ScriptColumns {
            stats: stats.to_vec(),
            titles: lines.columns().iter().map(title).collect(),
            lines,
        });
        group
    }

    /// The number in a column, if this answer has one.
    pub(super) fn figure(&self, answer: &Answer, field: Field) -> Option<Figure> {
        match (field, &self.script, &answer.events) {
            (Field::Line(place), Some(script), Some(events)) => {
                let times = script.lines.times(events, usize::from(place));
                // A column adds up several lines.
                Some(Figure::Float(match answer.is_sampled {
                    true => times,
                    false => tidy(times),
                }))
            }
            _ => answer.figure(field),
        }
    }

    /// A line of a roll that none of the columns counts.
    pub(super) fn uncounted<'e>(&self, events: &'e Events) -> Option<&'e str> {
        self.script.as_ref()?.lines.uncounted(events)
    }

    /// The names over the columns, and how many columns each stands over: the expression's, or the roll's and its statistics'. Lines have
    /// none.
    pub(super) fn headings(&self) -> Vec<(&str, usize)> {
        let Some(script) = &self.script else {
            return vec![(&self.name, self.fields.len())];
        };
        let result = self.fields.len() - 2 * script.stats.len() - script.titles.len();
        let result = (result > 0).then_some((self.name.as_str(), result));
        let stats = script.stats.iter().map(|stat| (stat.as_str(), 2));
        let lines = script.titles.iter().map(|_| ("", 1));
        result.into_iter().chain(stats).chain(lines).collect()
    }

    /// What a column is called below its heading.
    pub(super) fn suffix(&self, field: Field) -> &str {
        let title = match (field, &self.script) {
            (Field::Line(place), Some(script)) => script.titles.get(usize::from(place)),
            _ => None,
        };
        title.map_or_else(|| field.suffix(&self.labels), String::as_str)
    }

    /// Whether sampled answers have a standard error.
    pub(super) fn can_err(&self) -> bool {
        matches!(self.fields.first(), Some(Field::P | Field::Mean))
    }

    /// The added columns' names.
    pub(super) fn columns(&self) -> impl Iterator<Item = String> {
        self.fields.iter().map(|field| self.column(*field))
    }

    fn column(&self, field: Field) -> String {
        let suffix = self.suffix(field);
        let stats = self.script.as_ref().map(|script| &script.stats);
        match (field, stats) {
            (Field::Line(_), _) => suffix.to_owned(),
            (Field::StatMean(place) | Field::StatSd(place), Some(stats)) => {
                let stat = stats.get(usize::from(place)).map_or("", String::as_str);
                format!("{}_{suffix}", stat.replace(' ', "_"))
            }
            _ => format!("{}_{suffix}", self.name),
        }
    }

    /// What to do where a column of this name is there already.
    fn rename(&self) -> &'static str {
        match self.script {
            None => {
                "give the expression another name: -e NAME=EXPR, or --as NAME with --expr-column"
            }
            Some(_) => "rename it in the table; or name the roll's own columns with --as NAME",
        }
    }
}

/// Sees to it that no added column is in the table already or is added twice. `keys` are the expressions' own names where
/// those become keys too, as in JSON.
pub(super) fn check_added(
    path: &str,
    header: &[String],
    groups: &[Group],
    keys_too: bool,
) -> Result<(), CliError> {
    let mut taken: FxHashSet<String> = FxHashSet::default();
    for group in groups {
        if keys_too && header.contains(&group.name) {
            return Err(collision(
                path,
                group,
                &group.name,
                position(header, &group.name),
            ));
        }
        for column in group.columns() {
            if let at @ Some(_) = position(header, &column) {
                return Err(collision(path, group, &column, at));
            }
            if !taken.insert(column.clone()) {
                let (who, help) = match group.script {
                    None => (
                        "two expressions",
                        "give each a name of its own: -e NAME=EXPR",
                    ),
                    Some(_) => (
                        "a result, a statistic or a line and another one",
                        "name the roll's own columns with --as NAME, or rename one in the script",
                    ),
                };
                let message = format!("{who} would add the column \"{column}\"");
                return Err(Finding::general(FileCode::BadTable.as_str(), message)
                    .help(help)
                    .into());
            }
        }
    }
    Ok(())
}

/// A column's number, from 1.
fn position(header: &[String], column: &str) -> Option<u64> {
    let index = header.iter().position(|name| name == column)?;
    Some(index as u64 + 1)
}

fn collision(path: &str, group: &Group, column: &str, at: Option<u64>) -> CliError {
    let place = at.map(|number| (1, number));
    let message = format!("the table has a column \"{column}\" already");
    Finding::in_file(FileCode::BadTable.as_str(), path, place, message)
        .help(group.rename())
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_words() {
        for (given, name, text) in [
            ("hit=1d20 >= 5", Some("hit"), "1d20 >= 5"),
            (" hit = 1d20 = 20 ", Some("hit"), "1d20 = 20"),
            ("to_hit2=[A]=[B]", Some("to_hit2"), "[A]=[B]"),
            ("d=1d6", Some("d"), "1d6"),
            ("d20x=1d6", Some("d20x"), "1d6"),
            ("Größe=1d6", Some("Größe"), "1d6"),
            ("hit==5", Some("hit"), "=5"),
            ("1d20 = 20", None, "1d20 = 20"),
            ("d20=20", None, "d20=20"),
            ("D6 = 6", None, "D6 = 6"),
            ("dF=1", None, "dF=1"),
            ("[A]=[B]", None, "[A]=[B]"),
            ("(2)=2", None, "(2)=2"),
            ("hit>=5", None, "hit>=5"),
            ("hit!=5", None, "hit!=5"),
            ("two words=5", None, "two words=5"),
            ("_x=5", None, "_x=5"),
            ("=5", None, "=5"),
            (" 2d6 ", None, "2d6"),
        ] {
            assert_eq!(split_name(given), (name, text), "{given}");
        }
    }

    #[test]
    fn expressions_without_a_name_are_numbered_if_several() {
        let names = |given: &[&str]| -> Vec<String> {
            let given: Vec<String> = given.iter().map(|text| (*text).to_owned()).collect();
            name_all(&given)
                .into_iter()
                .map(|named| named.name)
                .collect()
        };
        assert_eq!(names(&["1d6"]), ["expr"]);
        assert_eq!(names(&["hit=1d20>=5", "1d6"]), ["hit", "expr"]);
        assert_eq!(
            names(&["1d6", "hit=1d20>=5", "d20=20"]),
            ["expr1", "hit", "expr2"]
        );
    }

    #[test]
    fn added_columns_do_not_hide_others() {
        let header = ["Attack".to_owned(), "hit_p".to_owned(), "hurt".to_owned()];
        let check =
            |name: &str| Group::new(name, Some(Kind::Check), &[], Numbers::Quantiles, false);
        assert!(check_added("t.csv", &header, &[check("miss")], true).is_ok());
        let found = check_added("t.csv", &header, &[check("hit")], false);
        let message = &found.expect_err("hit_p is taken").findings[0].message;
        assert_eq!(message, "the table has a column \"hit_p\" already");
        assert!(check_added("t.csv", &header, &[check("hurt")], false).is_ok());
        assert!(check_added("t.csv", &header, &[check("hurt")], true).is_err());
        assert!(check_added("t.csv", &header, &[check("a"), check("a")], false).is_err());
    }
}
