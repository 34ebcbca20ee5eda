//! Names: of the expressions, from `NAME=EXPR`, and whether the columns that they add are free.

use crate::error::{CliError, FileCode, Finding};
use dicec_tables::Group;
use rustc_hash::FxHashSet;

/// An expression as the user gave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) text: String,
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

/// Splits `NAME=EXPR`. A check holds the same sign, so only a plain word that is no die counts as a
/// name: what else may stand left of a check's `=` has a digit, a bracket or a parenthesis in
/// front, or is a die such as `d20`.
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
        }
    }

    /// What messages call it.
    pub(super) fn origin(&self) -> String {
        format!("expression {}", self.name)
    }
}

/// What to do if a column of an added name is there already.
fn rename(group: &Group) -> &'static str {
    match group.is_script() {
        false => "give the expression another name: -e NAME=EXPR, or --as NAME with --expr-column",
        true => "rename it in the table; or name the roll's own columns with --as NAME",
    }
}

/// Checks that no added column is in the table already or is added twice. `keys` are the
/// expressions' own names if those become keys too, as in JSON.
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
                let (who, help) = match group.is_script() {
                    false => (
                        "two expressions",
                        "give each a name of its own: -e NAME=EXPR",
                    ),
                    true => (
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
        .help(rename(group))
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dicec_compiler::hir::Kind;
    use dicec_tables::Numbers;

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
