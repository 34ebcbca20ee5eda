//! The pictures of the book: each is what a command on its page draws today.
//! `UPDATE_DOCS=1 cargo test -p dicec --test command pictures` draws them again.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The commands of a page, in words. A command goes on after a backslash.
fn commands(page: &str) -> Vec<Vec<String>> {
    let mut commands: Vec<String> = Vec::new();
    let mut goes_on = false;
    for line in page.lines() {
        let text = match goes_on {
            true => line.strip_prefix("> "),
            false => line.strip_prefix("$ dicec "),
        };
        let Some(text) = text else {
            goes_on = false;
            continue;
        };
        let part = text.trim_end_matches('\\');
        match commands.last_mut().filter(|_| goes_on) {
            Some(command) => command.push_str(part),
            None => commands.push(part.to_owned()),
        }
        goes_on = text.ends_with('\\');
    }
    let words = |command: &String| shlex::split(command).expect("quotes are closed");
    commands.iter().map(words).collect()
}

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).expect("a readable folder");
    let paths = entries.map(|entry| entry.expect("a readable folder").path());
    let name = |path: PathBuf| {
        path.file_name()
            .map(|name| name.to_string_lossy().into_owned())
    };
    paths.filter_map(name).collect()
}

#[test]
fn the_pictures_of_the_book_are_drawn_by_its_commands() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let (pages, pictures) = (docs.join("how-to"), docs.join("pictures"));
    let folder = tempfile::tempdir().expect("a folder");
    let mut drawn = BTreeSet::new();
    for page in names(&pages) {
        let text = fs::read_to_string(pages.join(&page)).expect("a readable page");
        for mut command in commands(&text) {
            let Some(plot) = command.iter().position(|word| word == "--plot") else {
                continue;
            };
            let name = command[plot + 1].clone();
            assert!(
                text.contains(&format!("](../pictures/{name})")),
                "{page} shows {name}"
            );
            let new = folder.path().join(&name);
            command[plot + 1] = new.to_string_lossy().into_owned();
            let words: Vec<&str> = command.iter().map(String::as_str).collect();
            let output = super::dicec(&words, b"").expect("the command starts");
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{page}: {errors}");
            let old = pictures.join(&name);
            if std::env::var_os("UPDATE_DOCS").is_some() {
                fs::copy(&new, &old).expect("docs can be written");
            }
            let same = fs::read(&old).ok() == fs::read(&new).ok();
            assert!(
                same,
                "{name} of {page} is another picture today: run with UPDATE_DOCS=1"
            );
            assert!(
                drawn.insert(name),
                "{page}: each picture has a name of its own"
            );
        }
    }
    assert_eq!(
        drawn,
        names(&pictures),
        "each picture is drawn by a command"
    );
}
