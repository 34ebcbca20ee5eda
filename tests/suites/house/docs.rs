//! Documentation that is generated from the code or checked against it. `UPDATE_DOCS=1` writes the
//! generated pages.

use dicec_lang::front::notation::foreign::{Outcome, TABLE, TOOLS};
use dicec_lang::syntax::Code;
use dicec_native::ir::Op;
use dicec_native::ir::op::ImmKind;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs")
}

const MADE: &str =
    "<!-- Made from the op table by `UPDATE_DOCS=1 cargo test -p dicec-tests --test house`. -->";

/// The reference page of the IR's operations.
fn op_page() -> String {
    let mut page = format!(
        "# Operations of the IR\n\n{MADE}\n\n\
         A function computes one trial; a script's has others that it calls, and tables that they refer to. The text is described in `compiler/native/src/ir_text/print.rs` and `module.rs`, the invariants in \
         `compiler/native/src/ir/verify.rs`.\n\n\
         | operation | operands | immediate | result | effect | meaning |\n|---|---|---|---|---|---|\n"
    );
    for op in Op::ALL {
        let info = op.info();
        let mut operands: Vec<String> = info.params.iter().map(ToString::to_string).collect();
        if info.variadic {
            operands.push("i64...".to_owned());
        }
        let imm = match info.imm {
            ImmKind::None => "",
            ImmKind::Int => "integer",
            ImmKind::Float => "float",
            ImmKind::Bool => "truth value",
            ImmKind::Slot => "resource slot",
            ImmKind::Dice => "count, sides",
            ImmKind::Limit => "limit",
            ImmKind::Step => "pool, what is done",
            ImmKind::Field => "field",
            ImmKind::List => "kind of lists",
            ImmKind::Site => "site",
            ImmKind::Stat => "statistic",
            ImmKind::Draw => "draw",
            ImmKind::Call => "function, how much deeper",
        };
        let effect = match (info.traps, info.effect) {
            (false, false) => "",
            (true, false) => "may trap",
            (false, true) => "effect",
            (true, true) => "may trap, effect",
        };
        writeln!(
            page,
            "| `{}` | {} | {imm} | {} | {effect} | {} |",
            info.name,
            operands.join(", "),
            info.result,
            info.doc
        )
        .expect("writing to a String cannot fail");
    }
    page
}

#[test]
fn the_op_page_is_up_to_date() {
    let path = docs().join("ir.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, op_page()).expect("docs can be written");
    }
    let page = fs::read_to_string(&path).expect("docs/ir.md exists");
    assert_eq!(page, op_page(), "run with UPDATE_DOCS=1");
}

#[test]
fn every_code_is_described() {
    let page = fs::read_to_string(docs().join("errors.md")).expect("docs/errors.md exists");
    for code in Code::ALL {
        let heading = format!("### {code}: {}", code.title());
        assert!(page.contains(&heading), "docs/errors.md lacks `{heading}`");
    }
}

#[test]
fn codes_are_unique_and_in_order() {
    let codes: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
    assert!(codes.is_sorted_by(|a, b| a < b), "{codes:?}");
}

/// The table of what other tools write.
fn table_of_spellings() -> String {
    let mut page = format!("| dicec | {} |\n", TOOLS.join(" | "));
    page += &"|---".repeat(TOOLS.len() + 1);
    page += "|\n";
    // A bar would end the column.
    let code = |text: &str| format!("`{}`", text.replace('|', "\\|"));
    for row in TABLE {
        let ours: Vec<String> = row.ours.iter().map(|text| code(text)).collect();
        write!(page, "| {} |", ours.join(", ")).expect("writing to a String cannot fail");
        for cell in row.theirs {
            let shown = cell.iter().map(|spelling| match spelling.outcome {
                Outcome::Same => format!("{} ✓", code(spelling.text)),
                Outcome::Help => code(spelling.text),
                Outcome::Other => format!("{} ≠", code(spelling.text)),
            });
            let shown: Vec<String> = shown.collect();
            let shown = match shown.is_empty() {
                true => "-".to_owned(),
                false => shown.join(", "),
            };
            write!(page, " {shown} |").expect("writing to a String cannot fail");
        }
        page.push('\n');
    }
    page
}

/// `tests/suites/notation/foreign.rs` holds the table to what the compiler does.
#[test]
fn the_table_of_spellings_is_up_to_date() {
    let path = docs().join("language.md");
    let page = fs::read_to_string(&path).expect("docs/language.md exists");
    let (before, rest) = page
        .split_once("foreign/table.rs` by")
        .expect("a comment before the table");
    let (opening, rest) = rest.split_once("-->\n").expect("its end");
    let (table, after) = rest
        .split_once("<!-- The end of the table. -->")
        .expect("a comment after the table");
    let made = format!("\n{}\n", table_of_spellings());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        let page = format!(
            "{before}foreign/table.rs` by{opening}-->\n{made}<!-- The end of the table. -->{after}"
        );
        fs::write(&path, page).expect("docs can be written");
        return;
    }
    assert_eq!(table, made, "run with UPDATE_DOCS=1");
}

/// The guide shows the scripts that its commands run.
#[test]
fn the_guide_shows_its_scripts() {
    let guide = fs::read_to_string(docs().join("guide.md")).expect("the guide");
    let scripts = docs().join("../examples/guide");
    let mut names: Vec<PathBuf> = fs::read_dir(&scripts)
        .expect("the guide's scripts")
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    names.sort();
    for kind in ["dice", "json"] {
        let opening = format!("```{kind}\n");
        let blocks = guide.split(&opening).skip(1);
        let shown: Vec<&str> = blocks
            .filter_map(|block| block.split("```").next())
            .collect();
        let files: Vec<String> = names
            .iter()
            .filter(|path| path.extension().is_some_and(|end| end == kind))
            .map(|path| fs::read_to_string(path).expect("a readable file"))
            .collect();
        match kind {
            "dice" => assert_eq!(shown, files),
            // The guide does not show the last sheet.
            _ => assert_eq!(shown[..], files[..1]),
        }
    }
}
