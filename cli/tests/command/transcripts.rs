//! Runs the transcripts: `tests/cli` has each command at work, `tests/diagnostics` each error code;
//! those of the README and of the book's pages are some, too.
//! `TRYCMD=overwrite cargo test -p dicec --test command` writes what the command says now.

#[test]
fn transcripts() {
    // The README's commands are run where a reader runs them.
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    std::env::set_current_dir(root).expect("the project's root");
    trycmd::TestCases::new()
        .env("NO_COLOR", "1")
        .env("DICEC_CONFIG", "")
        .case("tests/cli/*.trycmd")
        .case("tests/diagnostics/*.trycmd")
        .case("README.md")
        .case("docs/README.md")
        .case("docs/commands.md")
        .case("docs/how-to/*.md")
        .case("docs/trust.md")
        .case("docs/language.md")
        .case("docs/anydice.md")
        .case("docs/guide.md")
        .case("docs/tables.md")
        .case("docs/dh2e.md")
        .case("docs/features.md")
        .case("docs/encounters.md");
}
