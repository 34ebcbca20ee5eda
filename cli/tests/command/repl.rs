//! Sessions: what is typed, and what is remembered.

use super::dicec;
use std::process::Output;

/// What a session prints and says is wrong.
fn session(flags: &[&str], lines: &str) -> (Output, String, String) {
    let args = [&["repl"], flags].concat();
    let output = dicec(&args, lines.as_bytes()).expect("the command starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    (output, out, err)
}

#[test]
fn rules_are_asked_about_as_on_the_command_line() {
    let lines = ":odds 3d6 --ge 15\n1d1 + 2\n# a remark\n\n:roll --faces 4 d6\n";
    let (output, out, err) = session(&[], lines);
    assert!(out.contains("P(>= 15) = 5/54"), "{out}");
    assert!(out.contains("1d1[1] + 2 = 3"), "{out}");
    assert!(err.contains("the result is always 3"), "{err}");
    assert!(output.status.success());
    let same = dicec(&["odds", "3d6", "--ge", "15"], b"").expect("the command starts");
    assert!(out.starts_with(&*String::from_utf8_lossy(&same.stdout)));
}

#[test]
fn what_is_set_holds_for_all_lines() {
    let lines = ":odds 1d4 + [Strength] --ge 5\n:set Strength=1\n:odds\n\
                 :set Strength=2 Damage=2d4\n:set\n:odds [Damage]\n:unset strength\n:set\n";
    let (_, out, err) = session(&["-r", "Strength=3"], lines);
    assert!(out.contains("min 4, max 7"), "{out}");
    // The last rule, with its new resource.
    assert!(out.contains("min 2, max 5"), "{out}");
    assert!(out.contains("-r 'Strength=2'\n-r 'Damage=2d4'\n"), "{out}");
    assert!(out.contains("min 2, max 8"), "{out}");
    assert!(out.ends_with("-r 'Damage=2d4'\n"), "{out}");
    assert_eq!(err, "");
    let (_, out, _) = session(&[], ":set dialect notation\n:odds 4d6>=5\n");
    assert!(out.contains("max 4"), "{out}");
}

#[test]
fn rules_are_compared_with_the_last_one() {
    let (_, out, err) = session(&[], ":odds 1d20 >= 12\n:compare 1d20 >= 13\n");
    assert!(
        out.contains("the first is likelier, by 5 percentage points"),
        "{out}"
    );
    assert_eq!(err, "");
    let (output, _, err) = session(&[], ":compare 2d6\n");
    assert!(
        err.contains("D0521") && err.contains("none was asked about before"),
        "{err}"
    );
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn rolls_are_defined_in_several_lines_and_again() {
    let lines = "defroll \"Hit\" hit(bonus: int = 2) {\n  return roll(d20) + bonus;\n}\n\
                 :odds hit --ge 22\n\
                 deffun one() : int { return 1; }\n\
                 defroll \"Hit\" hit() { return one(); }\n\
                 :odds hit\nhit\n";
    let (output, out, err) = session(&[], lines);
    assert_eq!(err, "");
    assert!(
        out.contains("defined: hit\n") && out.contains("P(>= 22) = 1/20"),
        "{out}"
    );
    assert!(
        out.contains("min 1, max 1") && out.contains("\n= 1\n"),
        "{out}"
    );
    assert!(output.status.success());
    // A mistake leaves what was defined before.
    let lines = "defroll \"A\" a() { return d6; }\ndefroll \"B\" b() { return d; }\n:odds a\n";
    let (output, out, err) = session(&[], lines);
    assert!(err.contains("--> session:"), "{err}");
    assert!(out.contains("min 1, max 6"), "{out}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn scripts_are_loaded() {
    let lines = ":load examples/ability_scores.dice\n:load nowhere.dice\n";
    let (_, out, err) = session(&[], lines);
    assert!(out.starts_with("rolls: "), "{out}");
    assert!(err.contains("D0501"), "{err}");
}

#[test]
fn mistakes_are_named_and_the_session_goes_on() {
    let lines =
        ":ods 3d6\n:set nonsense\n:set --trials 5\n2d6 +\n:explain D0012\n:quit\n:odds 1d6\n";
    let (output, out, err) = session(&[], lines);
    for said in ["did you mean `:odds`?", "D0521", "--trials", "D0006"] {
        assert!(err.contains(said), "{said}: {err}");
    }
    assert!(out.starts_with("D0012"), "{out}");
    assert!(!out.contains("max 6"), "{out}");
    assert_eq!(output.status.code(), Some(1));
    let (output, _, err) = session(&["--nonsense"], "");
    assert!(err.contains("D0521") && err.contains("--nonsense"), "{err}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn help_lists_what_a_line_can_be() {
    let (_, out, _) = session(&[], ":help\n");
    let help = dicec(&["repl", "--help"], b"").expect("the command starts");
    assert!(
        String::from_utf8_lossy(&help.stdout).contains(&out),
        "{out}"
    );
}
