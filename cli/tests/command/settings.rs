//! What a configuration file and the environment set.

use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::tempdir;

/// What the command prints, and says is wrong, with these variables.
fn with(variables: &[(&str, &Path)], args: &[&str]) -> (String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dicec"));
    for name in [
        "DICEC_DIALECT",
        "DICEC_COLOUR",
        "DICEC_BESTIARY",
        "NO_COLOR",
    ] {
        command.env_remove(name);
    }
    command.env("DICEC_CONFIG", "");
    for (name, value) in variables {
        command.env(name, value);
    }
    let output = command.args(args).output().expect("the command starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (text(output.stdout), text(output.stderr))
}

#[test]
fn a_file_sets_what_flags_and_variables_override() {
    let folder = tempdir().expect("a folder");
    let file = folder.path().join("config.toml");
    let config = "dialect = \"notation\"\ncolour = \"always\"\nbestiary = [\"monsters\"]\n";
    fs::write(&file, config).expect("a file");
    fs::create_dir(folder.path().join("monsters")).expect("a folder");
    let goblin = folder.path().join("monsters").join("goblin.json");
    fs::write(goblin, "{\"AC\": 15}").expect("a sheet");
    let config = ("DICEC_CONFIG", file.as_path());

    let (out, err) = with(&[config], &["odds", "4d6>=5"]);
    assert!(out.contains("max 4"), "{out}{err}");
    assert!(out.starts_with('\u{1b}'), "colours: {out:?}");
    let (out, _) = with(&[config], &["odds", "-d", "rulebook", "4d6>=5"]);
    assert!(out.contains("P(true)"), "{out}");
    let rulebook = ("DICEC_DIALECT", Path::new("rulebook"));
    let never = ("DICEC_COLOUR", Path::new("never"));
    let (out, _) = with(&[config, rulebook, never], &["odds", "4d6>=5"]);
    assert!(out.contains("P(true)") && !out.contains('\u{1b}'), "{out}");

    let (out, err) = with(
        &[config],
        &["odds", "1d20 - [Target AC]", "--target", "goblin"],
    );
    assert!(out.contains("min -14, max 5"), "{out}{err}");
    let (_, err) = with(&[config], &["odds", "[Target AC]", "--target", "orc"]);
    assert!(err.contains("D0501"), "{err}");
    let monsters = folder.path().join("monsters");
    let (out, _) = with(
        &[("DICEC_BESTIARY", &monsters)],
        &["odds", "[Target AC]", "--target", "goblin.json"],
    );
    assert!(out.contains("mean 15"), "{out}");
}

#[test]
fn a_configuration_that_is_wrong_is_named() {
    let folder = tempdir().expect("a folder");
    let file = folder.path().join("config.toml");
    for (config, said) in [
        ("dialct = \"notation\"\n", "unknown field `dialct`"),
        ("\ndialect = 3\n", ":2:11"),
        ("dialect = \"notaton\"\n", "did you mean notation?"),
        ("colour = \"red\"\n", "auto, always, never"),
    ] {
        fs::write(&file, config).expect("a file");
        let (out, err) = with(&[("DICEC_CONFIG", &file)], &["odds", "1d6"]);
        assert!(
            err.contains("D0520") && err.contains(said),
            "{config}: {err}"
        );
        assert_eq!(out, "");
    }
    let gone = folder.path().join("gone.toml");
    let (_, err) = with(&[("DICEC_CONFIG", &gone)], &["odds", "1d6"]);
    assert!(err.contains("D0501") && err.contains("gone.toml"), "{err}");
    let typo = ("DICEC_DIALECT", Path::new("rulbook"));
    let (_, err) = with(&[typo], &["odds", "1d6"]);
    assert!(
        err.contains("DICEC_DIALECT") && err.contains("rulebook?"),
        "{err}"
    );
}
