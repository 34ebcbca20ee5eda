//! Names: of the expressions, from `NAME=EXPR`, and whether the columns that they add are free.

use super::fault::Places;
use crate::error::{CliError, FileCode, Finding};
use dicec_tables::{Collision, Group};
use rustc_hash::FxHashSet;

/// An expression as the user gave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) text: String,
    /// What a picture calls it.
    pub(super) title: String,
}

/// Names the expressions: by their own `NAME=`, or `expr`, or `expr1`, `expr2` ... if several have
/// none.
pub(super) fn name_all(given: &[String]) -> Vec<Named> {
    let split: Vec<_> = given.iter().map(|text| split_name(text)).collect();
    let unnamed = split.iter().filter(|(name, _)| name.is_none()).count();
    let mut number = 0;
    split
        .into_iter()
        .map(|(name, text)| Named {
            title: name.unwrap_or(text).to_owned(),
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

/// Names the columns of expressions: by `--as`, or `expr` if there is nothing else, or by their
/// headings; `others` are the expressions that are given.
pub(super) fn name_columns(headings: &[String], names: &[String], others: &[String]) -> Vec<Named> {
    let is_alone = headings.len() == 1 && others.is_empty();
    let columns = headings.iter().enumerate();
    let named = columns.map(|(index, heading)| match names.get(index) {
        Some(name) => Named::of_column(name),
        None if is_alone => Named::of_column("expr"),
        None => Named::of_column(&heading.trim().replace(' ', "_")),
    });
    named.collect()
}

/// Refuses two expressions of one name.
///
/// # Errors
/// There are such.
pub(super) fn check_names<'n>(all: impl Iterator<Item = &'n Named>) -> Result<(), CliError> {
    let mut seen = FxHashSet::default();
    CliError::of(all.filter_map(|Named { name, .. }| {
        if seen.insert(name) {
            return None;
        }
        let message = format!("two expressions are named {name}");
        let finding = Finding::general(FileCode::NameTwice.as_str(), message);
        let help = "give each a name of its own: -e NAME=EXPR, or --as NAME with --expr-column";
        Some(finding.help(help))
    }))
}

/// Splits `NAME=EXPR`. A check holds the same sign, so only a plain word that is not a die counts
/// as a name: anything else on the left of a check's `=` begins with a digit, a bracket or a
/// parenthesis, or is a die such as `d20`.
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

impl Named {
    /// The expressions of a column, which are each row's own.
    pub(super) fn of_column(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            text: String::new(),
            title: name.to_owned(),
        }
    }

    /// What messages call it.
    pub(super) fn origin(&self) -> String {
        match self.name.as_str() {
            "" => String::new(),
            name => format!("expression {name}"),
        }
    }
}

/// Checks that no added column is in the table already or is added twice. With `json`, the names
/// of the expressions are keys, too.
pub(super) fn check_added(places: &Places, groups: &[Group], json: bool) -> Result<(), CliError> {
    let found = Group::collision(groups, &places.header, json);
    let Some(Collision { group, column, own }) = found else {
        return Ok(());
    };
    let code = FileCode::BadTable.as_str();
    let found = match own {
        Some(own) => {
            let message = format!("the table has a column \"{column}\" already");
            let (path, place) = places.heading(own);
            Finding::in_file(code, path, place, message)
        }
        None => {
            let who = match group.is_script() {
                false => "two expressions",
                true => "a result, a statistic or a line and another one",
            };
            Finding::general(code, format!("{who} would add the column \"{column}\""))
        }
    };
    let help = match (own, group.is_script()) {
        (Some(_), false) => {
            "give the expression another name: -e NAME=EXPR, or --as NAME with --expr-column"
        }
        (Some(_), true) => "rename it in the table; or name the roll's own columns with --as NAME",
        (None, false) => "give each a name of its own: -e NAME=EXPR",
        (None, true) => "name the roll's own columns with --as NAME, or rename one in the script",
    };
    Err(found.help(help).into())
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
}
