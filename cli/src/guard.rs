//! Expressions that begin with a minus sign, which clap would take for flags. No flag begins as an
//! expression does, so such arguments are recognised before clap sees them: [`guard`] prepends a
//! space, [`unguard`] removes it.

use std::ffi::OsString;

/// The arguments with a space before each one that can only be an expression or a negative number.
pub(crate) fn guard(args: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut rest_is_plain = false;
    let guarded = args.into_iter().map(|arg| {
        rest_is_plain |= arg == "--";
        match arg.to_str() {
            Some(text) if !rest_is_plain && is_negative(text) => OsString::from(format!(" {text}")),
            _ => arg,
        }
    });
    guarded.collect()
}

/// An argument as it was typed.
pub(crate) fn unguard(text: &str) -> &str {
    match text.strip_prefix(' ') {
        Some(rest) if is_negative(rest) => rest,
        _ => text,
    }
}

/// Whether a text that begins with a minus sign is an expression, and not a flag.
pub(crate) fn is_negative(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('-') else {
        return false;
    };
    let rest = rest.trim_start_matches(['-', ' ', '\t']);
    let mut characters = rest.chars();
    match characters.next() {
        Some('0'..='9' | '(' | '[') => true,
        Some('d' | 'D') => characters.next().is_some_and(|next| next.is_ascii_digit()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_expressions_are_guarded() {
        for (typed, guarded) in [
            ("-1d6 + 8", " -1d6 + 8"),
            ("-d6", " -d6"),
            ("- [Strength]", " - [Strength]"),
            ("--(2)", " --(2)"),
            ("-", "-"),
            ("--", "--"),
            ("-f", "-f"),
            ("--default-resource", "--default-resource"),
            ("2d6", "2d6"),
            (" -x", " -x"),
        ] {
            assert_eq!(guard([typed.into()]), [OsString::from(guarded)]);
            assert_eq!(unguard(guarded), typed);
        }
        let after = guard(["--".into(), "-1".into()]);
        assert_eq!(after, ["--", "-1"]);
    }
}
