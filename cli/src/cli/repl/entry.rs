//! Parses a line of a session.

use crate::error::{FileCode, Finding};
use crate::guard::is_negative;
use dicec_lang::front::frame::outside_brackets;
use dicec_lang::syntax::nearest;

/// The words that begin with a colon, for completion and corrections.
pub(super) const WORDS: [&str; 12] = [
    ":odds", ":sim", ":roll", ":check", ":compare", ":set", ":unset", ":load", ":explain", ":help",
    ":emit", ":quit",
];

/// The words that begin a definition of a script.
pub(super) const DEFINITIONS: [&str; 8] = [
    "import", "const", "deftype", "enum", "flags", "deffun", "table", "defroll",
];

/// What a line asks for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Entry<'t> {
    Nothing,
    Quit,
    Help,
    /// The settings are listed.
    Settings,
    /// These flags and resources hold from now on.
    Set(Vec<String>),
    Unset(&'t str),
    Load(&'t str),
    Explain(&'t str),
    /// A part of a script.
    Definition(&'t str),
    /// A command about a rule, or about the last one if that is empty; no command for a bare rule.
    Rule {
        command: Option<&'t str>,
        rule: &'t str,
        flags: Vec<String>,
    },
    /// A comparison of the last rule with this one.
    Compare {
        rule: &'t str,
        flags: Vec<String>,
    },
    Unknown(&'t str),
}

impl<'t> Entry<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let text = text.trim();
        if !text.starts_with(':') {
            return Self::bare(text);
        }
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        match word {
            ":q" | ":quit" | ":exit" => Self::Quit,
            ":h" | ":help" | ":?" => Self::Help,
            ":set" if rest.is_empty() => Self::Settings,
            ":set" => Self::Set(words(rest)),
            ":unset" => Self::Unset(rest),
            ":load" => Self::Load(rest),
            ":explain" => Self::Explain(rest),
            ":compare" => {
                let (rule, flags) = split(rest);
                Self::Compare { rule, flags }
            }
            ":odds" | ":sim" | ":roll" | ":check" | ":emit" => {
                let (rule, flags) = split(rest);
                Self::Rule {
                    command: word.strip_prefix(':'),
                    rule,
                    flags,
                }
            }
            _ => Self::Unknown(word),
        }
    }

    fn bare(text: &'t str) -> Self {
        if text.is_empty() || text.starts_with('#') {
            return Self::Nothing;
        }
        if matches!(text, "quit" | "exit") {
            return Self::Quit;
        }
        if text == "help" {
            return Self::Help;
        }
        if is_definition(text) {
            return Self::Definition(text);
        }
        let (rule, flags) = split(text);
        Self::Rule {
            command: None,
            rule,
            flags,
        }
    }
}

/// Whether a text defines something rather than being a rule.
pub(super) fn is_definition(text: &str) -> bool {
    let word = text
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .next();
    word.is_some_and(|word| DEFINITIONS.contains(&word))
}

/// The rule, and the flags behind it. A rule may hold spaces, signs and quotes; a flag begins with
/// a minus sign and a letter, outside brackets and texts.
fn split(text: &str) -> (&str, Vec<String>) {
    let mut signs = outside_brackets(text).filter(|(_, c)| *c == '-');
    let flag = signs.find(|&(at, _)| {
        let follows_space = text[..at]
            .chars()
            .next_back()
            .is_none_or(char::is_whitespace);
        follows_space && is_flag(&text[at..])
    });
    match flag {
        Some((at, _)) => (text[..at].trim(), words(&text[at..])),
        None => (text, Vec::new()),
    }
}

fn is_flag(text: &str) -> bool {
    let begins = text
        .trim_start_matches('-')
        .starts_with(char::is_alphabetic);
    begins && !is_negative(text)
}

/// Words as a shell reads them; a text whose quotes do not match is taken as it is.
fn words(text: &str) -> Vec<String> {
    shlex::split(text).unwrap_or_else(|| text.split_whitespace().map(str::to_owned).collect())
}

/// A word with a colon that means nothing.
pub(super) fn unknown(word: &str) -> Finding {
    let message = format!("a session has no `{word}`");
    let finding = Finding::general(FileCode::BadEntry.as_str(), message);
    finding.help(match nearest(word, WORDS) {
        Some(near) => format!("did you mean `{near}`? `:help` lists them all"),
        None => "`:help` lists what there is".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::{Entry, split};

    #[test]
    fn flags_follow_a_rule() {
        for (text, rule, flags) in [
            ("3d6 --ge 15", "3d6", &["--ge", "15"][..]),
            (
                "1d20 - 2 -r 'Armor Class=3'",
                "1d20 - 2",
                &["-r", "Armor Class=3"],
            ),
            ("1d20 -d6 + [a -r b]", "1d20 -d6 + [a -r b]", &[]),
            (
                "match (2d6) { ..6: \"a -b\", 7+: \"c\" }",
                "match (2d6) { ..6: \"a -b\", 7+: \"c\" }",
                &[],
            ),
            ("--json", "", &["--json"]),
            ("2d6 -[Strength]", "2d6 -[Strength]", &[]),
        ] {
            let (found, given) = split(text);
            assert_eq!(found, rule, "{text}");
            assert_eq!(given, flags, "{text}");
        }
    }

    #[test]
    fn what_lines_ask_for() {
        assert_eq!(Entry::of("  "), Entry::Nothing);
        assert_eq!(Entry::of(":set"), Entry::Settings);
        assert_eq!(Entry::of(":set a=1"), Entry::Set(vec!["a=1".into()]));
        assert_eq!(Entry::of(":od 3d6"), Entry::Unknown(":od"));
        let text = "defroll \"A\" a() { return d6; }";
        assert_eq!(Entry::of(text), Entry::Definition(text));
        let Entry::Rule { command, rule, .. } = Entry::of(":odds 3d6") else {
            panic!("a rule")
        };
        assert_eq!((command, rule), (Some("odds"), "3d6"));
    }
}
