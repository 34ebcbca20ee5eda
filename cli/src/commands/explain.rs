//! `dicec explain`: the section of docs/errors.md about a code.

use crate::error::CliError;
use crate::output;
use clap::Args;
use dicec_lang::syntax::nearest;
use serde::Serialize;

/// The description of all codes: a heading of three hashes for each, `### D0012: title`.
const PAGE: &str = include_str!("../../errors.md");

const EXAMPLES: &str = "\
Examples:
  dicec explain D0012
  dicec explain 12 --json";

/// Explain the code of a message
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ExplainArgs {
    /// The code, such as D0012
    #[arg(value_parser = section)]
    code: Section,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// What is said about a code.
#[derive(Clone, Copy, Debug, Serialize)]
struct Section {
    code: &'static str,
    title: &'static str,
    text: &'static str,
}

pub(crate) fn run(args: &ExplainArgs) -> Result<(), CliError> {
    let Section { code, title, text } = args.code;
    if args.json {
        return output::json(&args.code);
    }
    output::print(&format!(
        "{code}: {title}\n\n{}",
        wrapped(text, output::width())
    ))
}

/// All sections, in order.
fn sections() -> impl Iterator<Item = Section> {
    let parts = PAGE.split("\n### ").skip(1);
    parts.filter_map(|part| {
        let (heading, text) = part.split_once('\n')?;
        let (code, title) = heading.split_once(": ")?;
        // The last section of a chapter ends at the heading of the next one.
        let text = text.split("\n## ").next()?.trim();
        Some(Section { code, title, text })
    })
}

/// The section of a code: `D0012`, `d0012`, `12`.
fn section(written: &str) -> Result<Section, String> {
    let digits = written.trim_start_matches(['d', 'D']);
    let number = digits.parse::<u32>().ok();
    let code = number.map_or(written.to_uppercase(), |number| format!("D{number:04}"));
    let known = sections().find(|section| section.code == code);
    known.ok_or_else(
        || match nearest(&code, sections().map(|section| section.code)) {
            Some(near) => format!("this is not a code; did you mean {near}?"),
            None => "this is not a code; a message shows its code in brackets: error[D0012]".into(),
        },
    )
}

/// Paragraphs in lines of at most this many columns.
fn wrapped(text: &str, columns: usize) -> String {
    let mut out = String::new();
    for paragraph in text.split("\n\n") {
        let mut length = 0;
        for word in paragraph.split_whitespace() {
            let width = word.chars().count();
            match length {
                0 => {}
                length if length + 1 + width <= columns => out.push(' '),
                _ => out.push('\n'),
            }
            let begins = out.is_empty() || out.ends_with('\n');
            length = if begins { width } else { length + 1 + width };
            out.push_str(word);
        }
        out.push_str("\n\n");
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::FileCode;
    use dicec_lang::syntax::Code;

    #[test]
    fn every_code_has_a_section() {
        let codes = Code::ALL.iter().map(|code| code.as_str());
        for code in codes.chain(FileCode::ALL.map(FileCode::as_str)) {
            let found = section(code).expect(code);
            assert_eq!(found.code, code);
            assert!(
                !found.text.is_empty() && !found.text.contains("\n#"),
                "{code}"
            );
        }
    }

    #[test]
    fn codes_are_found_as_they_are_typed() {
        for written in ["D0012", "d0012", "12", "D12"] {
            assert_eq!(section(written).map(|found| found.code), Ok("D0012"));
        }
        for (unknown, near) in [
            ("D0099", "D00"),
            ("D9999", "not a code"),
            ("what", "in brackets"),
        ] {
            let found = section(unknown).expect_err(unknown);
            assert!(found.contains(near), "{unknown}: {found}");
        }
    }

    #[test]
    fn paragraphs_are_wrapped() {
        assert_eq!(wrapped("a bc d\ne\n\nlonger", 4), "a bc\nd e\n\nlonger\n");
    }
}
