//! The book of docs/, which `.ci/book` builds: it has every page, its links lead somewhere, and it
//! shows the files that its commands read.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All files below a folder, by their paths from it, with `/` between the parts.
fn files(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable folder").path();
        let name = path.file_name().expect("it has a name").to_string_lossy();
        match path.is_dir() {
            true => found.extend(files(&path).iter().map(|below| format!("{name}/{below}"))),
            false => drop(found.insert(name.into_owned())),
        }
    }
    found
}

/// The pages of docs/ but the table of contents, by their paths.
fn pages() -> BTreeSet<String> {
    let mut pages = files(&root().join("docs"));
    pages.retain(|page| page.ends_with(".md") && page != "SUMMARY.md");
    pages
}

/// The lines of a page that are not in blocks of code.
fn prose(text: &str) -> Vec<&str> {
    let mut in_code = false;
    let outside = text.lines().filter(|line| {
        let is_fence = line.starts_with("```");
        in_code ^= is_fence;
        !in_code && !is_fence
    });
    outside.collect()
}

/// The targets of a page's links and pictures, without those on the web.
fn links(text: &str) -> Vec<String> {
    let prose = prose(text).join("\n");
    // What stands between backquotes is code.
    let texts: String = prose.split('`').step_by(2).collect();
    let targets = texts
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next());
    let here = targets.filter(|target| !target.contains("://"));
    here.map(str::to_owned).collect()
}

/// The ids of a page's headings, as mdBook and GitHub make them.
fn anchors(text: &str) -> Vec<String> {
    let titles = prose(text).into_iter().filter_map(|line| {
        line.trim_start_matches('#')
            .strip_prefix(' ')
            .filter(|_| line.starts_with('#'))
    });
    let id = |title: &str| {
        let kept = title.trim().chars().filter_map(|c| match c {
            ' ' => Some('-'),
            '-' | '_' => Some(c),
            _ if c.is_alphanumeric() => Some(c),
            _ => None,
        });
        kept.collect::<String>().to_lowercase()
    };
    titles.map(id).collect()
}

#[test]
fn the_book_has_every_page_once() {
    let contents = links(&read(&root().join("docs/SUMMARY.md")));
    let listed: BTreeSet<String> = contents.iter().cloned().collect();
    assert_eq!(listed.len(), contents.len(), "a page is listed twice");
    assert_eq!(listed, pages());
}

#[test]
fn the_list_of_questions_has_every_question() {
    let listed: BTreeSet<String> = links(&read(&root().join("docs/how-to/index.md")))
        .into_iter()
        .filter(|target| !target.contains('/'))
        .map(|target| format!("how-to/{target}"))
        .collect();
    let mut questions = pages();
    questions.retain(|page| page.starts_with("how-to/") && page != "how-to/index.md");
    assert_eq!(listed, questions);
}

/// The path from the root that a link of a page leads to.
fn resolved(page: &str, link: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

#[test]
fn every_link_leads_somewhere() {
    let docs = pages().into_iter().map(|page| format!("docs/{page}"));
    let others = [
        "README.md",
        "examples/README.md",
        "CONTRIBUTING.md",
        "ARCHITECTURE.md",
        "SECURITY.md",
    ];
    let mut broken = Vec::new();
    for page in docs.chain(others.map(str::to_owned)) {
        for link in links(&read(&root().join(&page))) {
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = match file {
                "" => page.clone(),
                _ => resolved(&page, file),
            };
            let path = root().join(target);
            let leads = path.exists()
                && (anchor.is_empty() || anchors(&read(&path)).iter().any(|id| id == anchor));
            if !leads {
                broken.push(format!("{page}: {link}"));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

/// mdBook makes `.html` of each `.md` in a link, but of README.md it makes index.html; `.ci/book`
/// copies what is outside docs/.
#[test]
fn links_of_the_book_stay_in_the_book() {
    let script = read(&root().join(".ci/book"));
    let copied = script
        .lines()
        .find_map(|line| line.strip_prefix("for path in ")?.strip_suffix("; do"))
        .expect("the script copies files");
    let is_copied = |target: &str| {
        let is_in = |path| Path::new(target).starts_with(path);
        copied.split(' ').any(is_in) && !target.ends_with(".md")
    };
    let mut outside = Vec::new();
    for page in pages().into_iter().map(|page| format!("docs/{page}")) {
        for link in links(&read(&root().join(&page))) {
            let (file, _) = link.split_once('#').unwrap_or((&link, ""));
            let target = resolved(&page, file);
            let is_inside = target.starts_with("docs/") && !target.ends_with("/README.md");
            if !file.is_empty() && !is_inside && !is_copied(&target) {
                outside.push(format!("{page}: {link}"));
            }
        }
    }
    assert!(outside.is_empty(), "{outside:#?}");
}

#[test]
fn questions_show_the_files_that_they_read() {
    let folder = root().join("examples/how-to");
    let questions = files(&root().join("docs/how-to"));
    let texts: Vec<String> = questions
        .iter()
        .map(|page| read(&root().join("docs/how-to").join(page)))
        .collect();
    for file in files(&folder) {
        let (_, kind) = file.rsplit_once('.').expect("an ending");
        let block = format!("```{kind}\n{}```", read(&folder.join(&file)));
        let shown = texts.iter().any(|text| text.contains(&block));
        assert!(shown, "no question shows examples/how-to/{file} as it is");
    }
}
