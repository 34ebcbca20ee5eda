//! Names: of the expressions, from `NAME=EXPR`, and of the columns that each adds to the table.

use super::answer::Field;
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
}

impl Group {
    /// The columns of an expression of this kind and with these labels, or of either kind where each row has an expression of its own.
    pub(super) fn new(name: &str, kind: Option<Kind>, labels: &[String], is_sampled: bool) -> Self {
        let mut fields = match kind {
            Some(Kind::Check) => vec![Field::P],
            Some(Kind::Number | Kind::Real) => Field::OF_NUMBER.to_vec(),
            Some(Kind::Degree(ladder)) => Field::of_degree(ladder),
            Some(Kind::Label) => Field::of_labels(labels.len()),
            None => [Field::P].into_iter().chain(Field::OF_NUMBER).collect(),
        };
        // Each rung and each label has an error of its own; these are left out.
        if is_sampled && !matches!(kind, Some(Kind::Degree(_) | Kind::Label)) {
            fields.push(Field::Se);
        }
        Self {
            name: name.to_owned(),
            fields,
            labels: labels.iter().map(|label| label.replace(' ', "_")).collect(),
        }
    }

    /// What follows the expression's name in the name of one of its columns.
    pub(super) fn suffix(&self, field: Field) -> &str {
        field.suffix(&self.labels)
    }

    /// The added columns' names.
    pub(super) fn columns(&self) -> impl Iterator<Item = String> {
        let name = |field: &Field| format!("{}_{}", self.name, self.suffix(*field));
        self.fields.iter().map(name)
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
            return Err(collision(path, &group.name, position(header, &group.name)));
        }
        for column in group.columns() {
            if let at @ Some(_) = position(header, &column) {
                return Err(collision(path, &column, at));
            }
            if !taken.insert(column.clone()) {
                let message = format!("two expressions would add the column \"{column}\"");
                let found = Finding::general(FileCode::BadTable, message);
                return Err(found
                    .help("give each a name of its own: -e NAME=EXPR")
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

fn collision(path: &str, column: &str, at: Option<u64>) -> CliError {
    let place = at.map(|number| (1, number));
    let message = format!("the table has a column \"{column}\" already");
    Finding::in_file(FileCode::BadTable, path, place, message)
        .help("give the expression another name: -e NAME=EXPR, or --as NAME with --expr-column")
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
        let check = |name: &str| Group::new(name, Some(Kind::Check), &[], false);
        assert!(check_added("t.csv", &header, &[check("miss")], true).is_ok());
        let found = check_added("t.csv", &header, &[check("hit")], false);
        let message = &found.expect_err("hit_p is taken").findings[0].message;
        assert_eq!(message, "the table has a column \"hit_p\" already");
        assert!(check_added("t.csv", &header, &[check("hurt")], false).is_ok());
        assert!(check_added("t.csv", &header, &[check("hurt")], true).is_err());
        assert!(check_added("t.csv", &header, &[check("a"), check("a")], false).is_err());
    }
}
