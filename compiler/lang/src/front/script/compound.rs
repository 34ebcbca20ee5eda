//! Which rules are compound: those with names for dice, conditions, or calls of functions that the
//! notation does not have. They are parsed as an expression of a script; all other rules are the
//! notation's.

use super::to_hir::is_builtin;
use crate::front::notation::Function;

/// The words that only a compound rule has.
const WORDS: [&str; 7] = ["let", "and", "or", "not", "if", "match", "for"];

/// Whether a rule is compound, even if it has errors. Text in brackets and braces is a name, faces
/// or a group, and is ignored.
pub fn is_compound(text: &str) -> bool {
    let mut rest = text;
    // What precedes, without spaces: `!` after an operator or at the beginning negates.
    let mut before: Option<char> = None;
    while let Some(c) = rest.chars().next() {
        match c {
            '?' | ';' | '"' => return true,
            '&' if rest.starts_with("&&") => return true,
            '|' if rest.starts_with("||") => return true,
            '!' if !rest.starts_with("!=") && before.is_none_or(opens_operand) => return true,
            '@' => {
                let name = |c: char| c.is_alphanumeric() || matches!(c, '@' | '_' | '.');
                rest = rest.trim_start_matches(name);
                before = Some('@');
                continue;
            }
            '[' | '{' => {
                let close = if c == '[' { ']' } else { '}' };
                let Some(end) = rest.find(close) else {
                    return false;
                };
                rest = &rest[end..];
            }
            _ if c.is_alphabetic() || c == '_' => {
                let in_word = |c: char| c.is_alphanumeric() || c == '_';
                let end = rest.find(|c| !in_word(c)).unwrap_or(rest.len());
                let (word, after) = rest.split_at(end);
                if is_word_of_compound(word, after) {
                    return true;
                }
                before = word.chars().next_back();
                rest = after;
                continue;
            }
            _ => {}
        }
        let width = rest.chars().next().map_or(0, char::len_utf8);
        if !c.is_whitespace() {
            before = Some(c);
        }
        rest = &rest[width..];
    }
    false
}

/// Whether an operand follows this character.
fn opens_operand(c: char) -> bool {
    matches!(
        c,
        '(' | ',' | ':' | '=' | '<' | '>' | '&' | '|' | '+' | '-' | '*' | '/'
    )
}

fn is_word_of_compound(word: &str, after: &str) -> bool {
    let called = |rest: &str| rest.starts_with('(');
    let is_known = |known: &str| word.eq_ignore_ascii_case(known);
    if WORDS.into_iter().any(is_known) {
        return true;
    }
    // `dnd.attack(`
    if let Some(name) = after.strip_prefix('.') {
        let end = name.find(|c: char| !c.is_alphanumeric() && c != '_');
        return end.is_some_and(|end| end > 0 && called(&name[end..]));
    }
    // `2d(1d8)` is of the notation, and `d(3, 8)` is not.
    if word == "d" {
        return called(after) && has_comma(after);
    }
    called(after) && is_builtin(word) && Function::named(word).is_none()
}

/// Whether there is a comma in these parentheses, not deeper in them.
fn has_comma(parentheses: &str) -> bool {
    let mut depth = 0_usize;
    for c in parentheses.chars() {
        match c {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' if depth <= 1 => return false,
            ')' | '}' | ']' => depth -= 1,
            ',' if depth == 1 => return true,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::is_compound;

    #[test]
    fn conditions_names_and_calls_make_a_rule_compound() {
        for rule in [
            "1d20 + 5 >= 15 ? 1d8 + 3 : 0",
            "let r = 1d20; r + 5",
            "1d20 > 3 and 1d20 > 5",
            "!(1d20 > 3)",
            "(1d6 > 3) + !(1d6 > 3)",
            "dnd.attack(5, 15, 1d8)",
            "if(1d20 > 10, 1, 0)",
            "sum(dice(4d6))",
            "IF (1d20 > 10, 1, 0)",
            "max(d6 for i : 1..3)",
            "d(3, 10) count>=7",
            "2 + d(1d4, 6)",
        ] {
            assert!(is_compound(rule), "{rule}");
        }
    }

    #[test]
    fn all_other_rules_are_the_notations() {
        for rule in [
            "3d6!",
            "2d6!>=5",
            "1d20 != 5",
            "[What; if?] + 2",
            "d{let,or not}",
            "{4d6!, 1d20}kh1",
            "max(1d6, 2)",
            "flor(2)",
            "2d(4)",
            "d(4)",
            "@let.if",
            "@or + 1",
            "1.5 * 2",
            "d",
            "[",
        ] {
            assert!(!is_compound(rule), "{rule}");
        }
    }
}
