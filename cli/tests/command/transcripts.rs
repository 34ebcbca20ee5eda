//! Runs the transcripts: `tests/cli` has each command at work, `tests/diagnostics` each error code;
//! those of the README, of the language's description, of the guide and of the pages on
//! tables, on the d100 rules and on features are some, too.
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
        .case("docs/language.md")
        .case("docs/guide.md")
        .case("docs/tables.md")
        .case("docs/dh2e.md")
        .case("docs/features.md")
        .case("docs/encounters.md");
}
