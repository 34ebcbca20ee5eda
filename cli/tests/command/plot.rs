//! `dicec odds --plot`: the pictures are whole, say what they show, and replace nothing unless they
//! are complete.

use std::collections::HashSet;
use std::fs;
use std::io::Cursor;
use std::path::Path;
use std::process::{Command, Output};

fn dicec(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dicec"));
    command.current_dir(folder).args(args);
    command.output().expect("the command starts")
}

/// Plots into a file of a fresh folder, and gives its bytes.
#[track_caller]
fn picture(name: &str, args: &[&str]) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let args = [&["odds", "--plot", name], args].concat();
    let output = dicec(folder.path(), &args);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert!(!output.stdout.is_empty(), "the odds are told, too");
    fs::read(folder.path().join(name)).expect("a picture")
}

#[track_caller]
fn svg(args: &[&str]) -> String {
    let text = String::from_utf8(picture("odds.svg", args)).expect("an SVG is text");
    well_formed(&text);
    text
}

/// Whether tags are closed in their order, and nothing stands for itself that has a meaning. It is
/// not all of XML, but all that an SVG of ours can get wrong.
#[track_caller]
fn well_formed(text: &str) {
    assert!(!text.contains(|c: char| c.is_control() && c != '\n'));
    let mut open = Vec::new();
    let mut pieces = text.split('<');
    assert_eq!(pieces.next(), Some(""));
    for piece in pieces {
        let (tag, content) = piece.split_once('>').expect("a tag ends");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap_or_default());
        }
        for entity in content.split('&').skip(1) {
            let known = ["lt;", "gt;", "amp;", "quot;", "apos;"];
            assert!(known.iter().any(|known| entity.starts_with(known)));
        }
    }
    assert!(open.is_empty(), "{open:?} stay open");
}

/// The texts of an SVG.
fn texts(svg: &str) -> Vec<&str> {
    let texts = svg.split("<text ").skip(1);
    texts
        .filter_map(|text| text.split_once('>')?.1.split_once('<'))
        .map(|(text, _)| text.trim())
        .collect()
}

#[test]
fn an_svg_says_what_it_shows() {
    let svg = svg(&["2d6+3"]);
    assert!(svg.starts_with("<svg width=\"900\" height=\"500\""));
    let texts = texts(&svg);
    for text in ["2d6 + 3", "total", "probability", "5", "15", "100 %"] {
        assert!(texts.contains(&text), "{text} is not among {texts:?}");
    }
    // The background, and a bar for each of eleven totals.
    assert_eq!(svg.matches("<rect ").count(), 12);
}

#[test]
fn two_rules_have_two_series() {
    let svg = svg(&["1d4", "--compare", "1d6"]);
    let texts = texts(&svg);
    assert!(texts.contains(&"1d4") && texts.contains(&"1d6"));
    // The background, two keys, and a bar for each total that can come.
    assert_eq!(svg.matches("<rect ").count(), 3 + 4 + 6);
}

#[test]
fn several_rules_have_their_order_and_a_legend() {
    let rules = ["1d4", "--compare", "1d6", "--compare", "2d4"];
    let few = svg(&rules);
    let titles: Vec<&str> = texts(&few)
        .into_iter()
        .filter(|text| rules.contains(text))
        .collect();
    assert_eq!(titles, ["1d4", "1d6", "2d4"]);
    assert_eq!(few.matches("<rect ").count(), 1 + 3 + 4 + 6 + 7);
    assert!(!texts(&few).contains(&"cumulative probability (line)"));
    // Flags in another order change nothing.
    let turned = svg(&["--compare", "1d6", "1d4", "--compare=2d4"]);
    assert_eq!(few, turned);
    // Many narrow bars are lines.
    let many = svg(&["10d20", "--compare", "12d20", "--compare", "14d20"]);
    assert_eq!(many.matches("<rect ").count(), 1 + 3);
}

#[test]
fn simulations_scripts_and_statistics_are_drawn() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = r#"defroll "Hurt" hurt() { a = roll(1d6); stat("first", a); stat("second", a * 2);
        return a + 1; }"#;
    fs::write(folder.path().join("hurt.dice"), script).expect("a script");
    let drawn = |args: &[&str]| -> Vec<String> {
        let output = dicec(folder.path(), &[args, &["--plot", "odds.svg"]].concat());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        let svg = fs::read_to_string(folder.path().join("odds.svg")).expect("a picture");
        well_formed(&svg);
        texts(&svg).into_iter().map(str::to_owned).collect()
    };
    let has = |texts: &[String], wanted: &str| texts.iter().any(|text| text == wanted);
    assert!(has(&drawn(&["sim", "-n", "1k", "2d6+3"]), "2d6 + 3"));
    assert!(has(&drawn(&["odds", "hurt.dice"]), "Hurt"));
    let stats = drawn(&[
        "sim",
        "-n",
        "1k",
        "hurt.dice",
        "--stat",
        "second",
        "--stat",
        "first",
    ]);
    assert!(has(&stats, "first") && has(&stats, "second") && !has(&stats, "Hurt"));
}

#[test]
fn checks_and_degrees_have_a_named_bar_each() {
    let check = svg(&["1d20 + [<&\">] >= 15", "-r", "<&\">=3"]);
    let texts_of_check = texts(&check);
    for text in [
        "true",
        "false",
        "45.00 %",
        "1d20 + [&lt;&amp;&quot;&gt;] &gt;= 15",
    ] {
        assert!(texts_of_check.contains(&text), "{text}: {texts_of_check:?}");
    }
    let degree = svg(&["1d20+7 vs 15"]);
    assert!(texts(&degree).contains(&"Critical Success"));
}

#[test]
fn labels_have_a_named_bar_each() {
    let few = svg(&["d{fire,ice,fire}"]);
    for text in ["fire", "ice", "66.67 %", "P(fire) = 2/3 = 66.6667 %"] {
        assert!(texts(&few).contains(&text), "{text}: {:?}", texts(&few));
    }
    let names: Vec<String> = (0..300).map(|n| format!("label x{n}")).collect();
    let many = svg(&[&format!("d{{{}}}", names.join(","))]);
    let shown = |text: &&&str| text.starts_with("label") || text.ends_with('%');
    assert!(texts(&many).iter().filter(shown).count() < 30);
}

#[test]
fn many_results_have_few_bars_and_labels_apart() {
    let svg = svg(&["100d6"]);
    assert!(svg.matches("<rect ").count() <= 151);
    let labels = texts(&svg);
    let labels: Vec<&&str> = labels
        .iter()
        .filter(|text| text.parse::<i64>().is_ok())
        .collect();
    assert!((3..=21).contains(&labels.len()), "{labels:?}");
}

#[test]
fn long_labels_are_few() {
    let svg = svg(&["(1d3 - 1) * 4611686018427387903"]);
    let labels = texts(&svg);
    let labels = labels.iter().filter(|text| text.parse::<i64>().is_ok());
    assert!(labels.count() <= 2);
}

#[test]
fn a_long_expression_is_cut() {
    let long = vec!["1d6"; 300].join(" * 1 + ");
    let svg = svg(&[&long]);
    let title = texts(&svg)[0];
    assert!(
        title.contains('…') && title.chars().count() < 100,
        "{title}"
    );
}

#[test]
fn a_png_has_its_size_and_its_letters() {
    let bytes = picture("odds.PNG", &["3d6"]);
    let mut reader = png::Decoder::new(Cursor::new(bytes))
        .read_info()
        .expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("it fits")];
    let frame = reader.next_frame(&mut pixels).expect("its pixels");
    assert_eq!((frame.width, frame.height), (900, 500));
    assert_eq!(frame.color_type, png::ColorType::Rgb);
    let is_dark = |pixel: &&[u8]| pixel.iter().all(|&part| part < 100);
    // Where the title is, as on a machine without fonts it would not be.
    let title = pixels.chunks_exact(900 * 3).take(40);
    let dark = title.flat_map(|line| line.chunks_exact(3)).filter(is_dark);
    assert!(dark.count() > 50);
    assert_eq!(pixels[..3], [255, 255, 255]);
    let colours: HashSet<&[u8]> = pixels.chunks_exact(3).collect();
    assert!(
        colours.contains([102, 170, 209].as_slice()),
        "bars are blue"
    );
}

#[test]
fn a_sweep_has_a_curve_for_each_rule() {
    let args = ["1d20 + 7 >= [AC]", "--compare", "2d20kh1 + 7 >= [AC]"];
    let svg = svg(&[&args[..], &["--sweep", "AC=10..25"]].concat());
    let texts = texts(&svg);
    for text in [
        "1d20 + 7 &gt;= [AC]",
        "2d20kh1 + 7 &gt;= [AC]",
        "AC",
        "probability",
        "10",
        "25",
        "100 %",
    ] {
        assert!(texts.contains(&text), "{text} is not among {texts:?}");
    }
    assert_eq!(svg.matches("<circle ").count(), 2 * 16);
    // The background and two keys.
    assert_eq!(svg.matches("<rect ").count(), 3);
}

#[test]
fn a_sweep_has_a_curve_for_each_named_outcome() {
    let rule = "match (2d6 + [Bonus]) { ..6: \"miss\", 7-9: \"weak hit\", 10+: \"hit\" }";
    let svg = svg(&[rule, "--sweep", "Bonus=0..3"]);
    let texts = texts(&svg);
    for name in ["miss", "weak hit", "hit", "probability", "Bonus"] {
        assert!(texts.contains(&name), "{name}: {texts:?}");
    }
}

#[test]
fn a_sweep_of_names_has_them_on_its_axis() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = r#"enum size { small, large } defroll "Hurt" hurt(of: size) {
        return of == small ? 1d6 : 2d6; }"#;
    fs::write(folder.path().join("hurt.dice"), script).expect("a script");
    let args = ["odds", "hurt.dice", "--sweep", "of=small,large", "--plot"];
    let output = dicec(folder.path(), &[&args[..], &["hurt.svg"]].concat());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let svg = fs::read_to_string(folder.path().join("hurt.svg")).expect("a picture");
    well_formed(&svg);
    let texts = texts(&svg);
    for text in ["small", "large", "of", "mean", "hurt"] {
        assert!(texts.contains(&text), "{text} is not among {texts:?}");
    }
}

#[test]
fn what_was_there_survives_a_failure() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("odds.svg");
    fs::write(&path, "old").expect("a file");
    for args in [
        ["1d1000000 * 1d1000000", "--exact"],
        ["2d6 +", "--json"],
        ["2d6", "--compare=1d20>=3"],
    ] {
        let args = [&["odds", "--plot", "odds.svg"], args.as_slice()].concat();
        let output = dicec(folder.path(), &args);
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        assert!(output.stdout.is_empty());
    }
    assert_eq!(fs::read_to_string(&path).expect("the file"), "old");
    let files = fs::read_dir(folder.path()).expect("the folder");
    assert_eq!(files.count(), 1, "no temporary file is left");
    let output = dicec(folder.path(), &["odds", "--plot", "odds.svg", "2d6"]);
    assert!(output.status.success());
    assert_ne!(fs::read_to_string(&path).expect("the file"), "old");
}

#[test]
fn parts_together_are_a_heat_map() {
    let script = "defroll \"Two\" two() { a = roll(d4); b = roll(d4); \
                  return { best: max(a, b), twins: a == b }; }";
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("two.dice"), script).expect("a script");
    let args = [
        "odds",
        "two.dice",
        "--joint",
        "best,twins",
        "--plot",
        "a.svg",
    ];
    assert!(dicec(folder.path(), &args).status.success());
    let svg = fs::read_to_string(folder.path().join("a.svg")).expect("a picture");
    well_formed(&svg);
    let texts = texts(&svg);
    for text in ["Two", "best", "twins", "true", "4", "37.50 %", "6.25 %"] {
        assert!(texts.contains(&text), "{text} is not among {texts:?}");
    }
}

#[test]
fn a_folder_is_no_picture() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("odds.png")).expect("a folder in it");
    let output = dicec(folder.path(), &["odds", "--plot", "odds.png", "2d6"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("[D0506]"));
}

#[test]
fn other_extensions_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["odds.pdf", "odds", "odds.svg.gz"] {
        let output = dicec(folder.path(), &["odds", "--plot", name, "2d6"]);
        assert_eq!(output.status.code(), Some(2), "{name}");
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(words.contains(".svg") && words.contains(".png"), "{words}");
    }
    assert_eq!(fs::read_dir(folder.path()).expect("it").count(), 0);
}
