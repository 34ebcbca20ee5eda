//! Runs the transcripts: `tests/cli` has each command at work, `tests/diagnostics` each error code.
//! `TRYCMD=overwrite cargo test -p dicec --test transcripts` writes what the command says now.

#[test]
fn transcripts() {
    trycmd::TestCases::new()
        .env("NO_COLOR", "1")
        .case("../tests/cli/*.trycmd")
        .case("../tests/diagnostics/*.trycmd");
}
