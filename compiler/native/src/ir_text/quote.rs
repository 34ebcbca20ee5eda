//! Quoted texts in the textual IR: `"` and `\` are escaped by a `\`, line breaks and tabs are `\n`,
//! `\r` and `\t`.

use super::lexer::Read;
use winnow::combinator::{alt, delimited, preceded, repeat};
use winnow::prelude::*;
use winnow::token::{literal, one_of, take_while};

/// The text in quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Reads a text in quotes.
pub(super) fn text(input: &mut &str) -> Read<String> {
    let plain = take_while(1.., |c| c != '"' && c != '\\').map(str::to_owned);
    let named = alt((
        literal("n").value("\n"),
        literal("r").value("\r"),
        literal("t").value("\t"),
    ));
    let escaped = preceded(
        '\\',
        alt((
            one_of(['"', '\\']).map(String::from),
            named.map(str::to_owned),
        )),
    );
    let parts = repeat(0.., alt((plain, escaped))).fold(String::new, |mut text, part: String| {
        text.push_str(&part);
        text
    });
    delimited('"', parts, '"').parse_next(input)
}
