//! Source code of scripts as a type of its own, so that a text of a document cannot become code by
//! mistake. Code is made from literals of this program, numbers, quoted texts and names, and from
//! codes with [`code!`].

use dicec_lang::front::notation::{begins_dice, written_dice};
use dicec_lang::front::script::quoted;
use dicec_lang::hir::DiceValue;
use dicec_lang::syntax::{Diagnostic, SourceLimits};
use std::borrow::Cow;
use std::fmt;
use std::num::NonZeroU32;

/// Source code of a script.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScriptCode(Cow<'static, str>);

/// What [`code!`] puts into code: code, numbers, and literals of this program. A text of a document
/// is none of them; quote it.
pub(crate) trait IsCode: fmt::Display {
    /// Writes it as code.
    ///
    /// # Errors
    /// Those of the formatter.
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl IsCode for ScriptCode {}
impl IsCode for &'static str {}
impl IsCode for bool {}
impl IsCode for i32 {}
impl IsCode for u8 {}
impl IsCode for NonZeroU32 {}
impl IsCode for u32 {}
impl IsCode for u64 {}
impl IsCode for usize {}

/// The language has no sign in its numbers, so the least one is a difference.
impl IsCode for i64 {
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            i64::MIN => write!(f, "({} - 1)", i64::MIN + 1),
            number => fmt::Display::fmt(&number, f),
        }
    }
}

impl<T: IsCode> IsCode for &T {
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (*self).write(f)
    }
}

impl ScriptCode {
    /// The characters.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A term added to it; one that begins with a minus is subtracted: `roll(d20) - 1`.
    pub(crate) fn plus(&self, term: impl Into<Self>) -> Self {
        let term = term.into();
        Self(Cow::Owned(match term.as_str().strip_prefix('-') {
            Some(positive) => format!("{self} - {positive}"),
            None => format!("{self} + {term}"),
        }))
    }

    /// A number, with at least some decimals; 0 for none.
    pub(crate) fn decimals(number: f64, least: usize) -> Self {
        let number = if number.is_finite() { number } else { 0.0 };
        Self(Cow::Owned(match number.fract() == 0.0 {
            true => format!("{number:.least$}"),
            false => number.to_string(),
        }))
    }

    /// A name that a document gives something in a script that it brings along, if it is a name and
    /// nothing else.
    pub(crate) fn name(text: &str) -> Option<Self> {
        let mut letters = text.chars();
        let is_name = letters
            .next()
            .is_some_and(|first| first.is_alphabetic() || first == '_')
            && letters.all(|c| c.is_alphanumeric() || c == '_');
        is_name.then(|| Self(Cow::Owned(text.to_owned())))
    }

    /// Dice of a document, and what they are.
    ///
    /// # Errors
    /// Anything but sums of dice and numbers.
    pub(crate) fn dice(text: &str) -> Result<(Self, DiceValue), Diagnostic> {
        let (value, written) = written_dice(text, SourceLimits::default())?;
        Ok((Self(Cow::Owned(written)), value))
    }

    /// Code that a document brings along to be part of the script.
    pub(crate) fn brought(code: &str) -> Self {
        Self(Cow::Owned(code.to_owned()))
    }

    /// The code that [`code!`] has put together.
    pub(crate) fn made(parts: fmt::Arguments<'_>) -> Self {
        Self(match parts.as_str() {
            Some(literal) => Cow::Borrowed(literal),
            None => Cow::Owned(parts.to_string()),
        })
    }

    /// A comment of one line, which holds no line break.
    pub(super) fn comment(line: &str) -> Self {
        Self(Cow::Owned(format!("// {line}").trim_end().to_owned()))
    }

    /// A text: the same characters when it is read again.
    pub(super) fn quoted(text: &str) -> Self {
        Self(Cow::Owned(quoted(text)))
    }

    /// A name for words, which begins neither with a digit nor like dice: `d6` would be read as
    /// dice, whatever follows.
    pub(super) fn identifier(words: &str) -> Self {
        let parts = words.split(|c: char| !c.is_ascii_alphanumeric());
        let mut name = String::new();
        for part in parts.filter(|part| !part.is_empty()) {
            let mut characters = part.chars();
            match (name.is_empty(), characters.next()) {
                (false, Some(first)) => name.push(first.to_ascii_uppercase()),
                (true, Some(first)) => name.push(first.to_ascii_lowercase()),
                (_, None) => {}
            }
            name.extend(characters);
        }
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic()) && !begins_dice(&name);
        Self(Cow::Owned(match is_name {
            true => name,
            false => format!("n{name}"),
        }))
    }
}

impl fmt::Display for ScriptCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl PartialEq<str> for ScriptCode {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

impl PartialEq<&str> for ScriptCode {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

impl From<&'static str> for ScriptCode {
    fn from(literal: &'static str) -> Self {
        Self(Cow::Borrowed(literal))
    }
}

impl From<&Self> for ScriptCode {
    fn from(code: &Self) -> Self {
        code.clone()
    }
}

impl From<i64> for ScriptCode {
    fn from(number: i64) -> Self {
        Self(Cow::Owned(checked(&number).to_string()))
    }
}

impl From<u32> for ScriptCode {
    fn from(number: u32) -> Self {
        i64::from(number).into()
    }
}

impl From<usize> for ScriptCode {
    fn from(number: usize) -> Self {
        Self(Cow::Owned(number.to_string()))
    }
}

impl FromIterator<ScriptCode> for ScriptCode {
    fn from_iter<T: IntoIterator<Item = ScriptCode>>(codes: T) -> Self {
        let codes = codes.into_iter().map(|code| code.0);
        Self(Cow::Owned(codes.collect()))
    }
}

/// Codes that are joined.
pub(crate) trait Joined {
    /// All of them, with a separator between them.
    fn joined(&self, separator: &'static str) -> ScriptCode;
}

impl<T: IsCode> Joined for [T] {
    fn joined(&self, separator: &'static str) -> ScriptCode {
        let mut all = String::new();
        for (index, one) in self.iter().enumerate() {
            if index > 0 {
                all += separator;
            }
            all += &checked(one).to_string();
        }
        ScriptCode(Cow::Owned(all))
    }
}

/// Code from a template, as `format!` makes text: `code!("{} -= {cost};", field, cost)`. What it
/// holds is [`IsCode`]. A name in the template has to be named again after it, or given a value
/// (`cost = price + 1`), after those without names: `format!` would take any variable of the name.
macro_rules! code {
    ($template:literal $(, $($arguments:tt)*)?) => {
        code!(@ $template [] [] $($($arguments)*)?)
    };
    (@ $template:literal [$($value:expr,)*] [$($name:ident = $named:expr,)*]) => {{
        const _: () = assert!(
            $crate::script_text::names_all($template, &[$(stringify!($name)),*]),
            "a name in the template is not among the arguments"
        );
        $crate::script_text::ScriptCode::made(format_args!(
            $template
            $(, $crate::script_text::checked(&$value))*
            $(, $name = $crate::script_text::checked(&$named))*
        ))
    }};
    (@ $template:literal $values:tt [$($named:tt)*] $name:ident = $value:expr
        $(, $($rest:tt)*)?) => {
        code!(@ $template $values [$($named)* $name = $value,] $($($rest)*)?)
    };
    (@ $template:literal $values:tt [$($named:tt)*] $name:ident $(, $($rest:tt)*)?) => {
        code!(@ $template $values [$($named)* $name = $name,] $($($rest)*)?)
    };
    (@ $template:literal [$($values:tt)*] [] $value:expr $(, $($rest:tt)*)?) => {
        code!(@ $template [$($values)* $value,] [] $($($rest)*)?)
    };
}
pub(crate) use code;

/// An argument of [`code!`].
pub(crate) fn checked<T: IsCode>(value: &T) -> impl fmt::Display {
    fmt::from_fn(|f| value.write(f))
}

/// Whether every part in braces of a template is empty or one of these names. It is asked when this
/// program is compiled.
pub(crate) const fn names_all(template: &str, names: &[&str]) -> bool {
    let text = template.as_bytes();
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            brace @ (b'{' | b'}') if at + 1 < text.len() && text[at + 1] == brace => at += 2,
            b'{' => {
                let start = at + 1;
                at = start;
                while at < text.len() && text[at] != b'}' {
                    at += 1;
                }
                if at > start && !is_among(text, start, at, names) {
                    return false;
                }
                at += 1;
            }
            _ => at += 1,
        }
    }
    true
}

/// Whether a part of a text is one of these names.
const fn is_among(text: &[u8], start: usize, end: usize, names: &[&str]) -> bool {
    let mut index = 0;
    while index < names.len() {
        let name = names[index].as_bytes();
        if name.len() == end - start {
            let mut same = 0;
            while same < name.len() && name[same] == text[start + same] {
                same += 1;
            }
            if same == name.len() {
                return true;
            }
        }
        index += 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_hold_code_in_order_and_by_name() {
        let (field, cost) = (ScriptCode::identifier("uses left"), 2_u32);
        let less = code!("self.{field} -= {};", cost + 1, field);
        assert_eq!(less, "self.usesLeft -= 3;");
        let more = code!(
            "if ({a} > {a} + {b}) {{ {less} }}",
            less,
            a = 1_u32,
            b = "c"
        );
        assert_eq!(more, "if (1 > 1 + c) { self.usesLeft -= 3; }");
        assert!(names_all("{{x}} {} {y}", &["y"]));
        assert!(!names_all("{x}", &["y"]));
        assert!(!names_all("{y:?}", &["y"]));
    }

    #[test]
    fn a_term_is_added_with_its_sign() {
        let roll = ScriptCode::from("roll(d20)");
        assert_eq!(roll.plus(3_i64), "roll(d20) + 3");
        assert_eq!(roll.plus(-3_i64), "roll(d20) - 3");
    }

    #[test]
    fn only_a_name_is_a_name() {
        assert_eq!(
            ScriptCode::name("mostDangerous"),
            Some("mostDangerous".into())
        );
        for text in ["", "a b", "f(x); g", "1st", "a\n"] {
            assert_eq!(ScriptCode::name(text), None);
        }
    }
}
