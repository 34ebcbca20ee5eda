//! Names of expressions, from `NAME=EXPR`.

/// An expression as the user gave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its name, or one that was made for it.
    pub name: String,
    /// The expression; empty for those of a column.
    pub text: String,
    /// Its name in a picture.
    pub title: String,
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
    /// Names expressions: by their own `NAME=`, or `expr`, or `expr1`, `expr2` ... if several have
    /// none.
    pub fn all(given: &[String]) -> Vec<Self> {
        let split: Vec<_> = given.iter().map(|text| split_name(text)).collect();
        let unnamed = split.iter().filter(|(name, _)| name.is_none()).count();
        let mut number = 0;
        let named = split.into_iter().map(|(name, text)| Self {
            title: name.unwrap_or(text).to_owned(),
            name: name.map_or_else(
                || {
                    number += 1;
                    match unnamed {
                        1 => "expr".to_owned(),
                        _ => format!("expr{number}"),
                    }
                },
                str::to_owned,
            ),
            text: text.to_owned(),
        });
        named.collect()
    }

    /// The expressions of a column, which are each row's own.
    pub fn of_column(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            text: String::new(),
            title: name.to_owned(),
        }
    }

    /// Its name in messages.
    pub fn origin(&self) -> String {
        match self.name.as_str() {
            "" => String::new(),
            name => format!("expression {name}"),
        }
    }
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
            Named::all(&given)
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
