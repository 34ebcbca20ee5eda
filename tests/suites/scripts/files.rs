//! Scripts of several files, and the libraries that come with the compiler.

use dicec_compiler::unstable::ScriptErrors;
use dicec_compiler::{Compiler, ScriptSession, Step};
use dicec_lang::front::script::{Loaded, libraries};
use dicec_lang::hir::Module;
use dicec_lang::syntax::Code;
use dicec_tests::checked::compile;
use dicec_tests::programs::{bind, script};
use serde_json::json;
use std::sync::Arc;

/// One text for each file, which nobody reads from a disk.
fn with_files(files: &[(&str, &str)]) -> Result<Arc<Module>, ScriptErrors> {
    let mut load = |_: &str, path: &str| {
        let mut files = files.iter();
        let found = files.find(|(name, _)| *name == path);
        let (name, text) = found.ok_or_else(|| "it does not exist".to_owned())?;
        Ok(Loaded {
            name: (*name).to_owned(),
            text: (*text).to_owned(),
        })
    };
    let (name, text) = files[0];
    let script = Compiler::new().script_file(name, text, &mut load)?;
    Ok(Arc::clone(script.hir()))
}

#[test]
fn files_are_compiled_together() {
    let script = with_files(&[
        (
            "a.dice",
            "import \"b.dice\"; import \"c.dice\"; const A = B + 1; defroll \"R\" r() { return f() + A; }",
        ),
        (
            "b.dice",
            "import \"c.dice\"; const B = C + 1; deffun f() { return roll(d6) + B; }",
        ),
        ("c.dice", "const C = 1;"),
    ]);
    let script = script.unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(script.functions.len(), 2);
}

#[test]
fn a_finding_is_in_its_file() {
    let errors = with_files(&[
        ("a.dice", "import \"b.dice\";\nconst f = 1;"),
        (
            "b.dice",
            "// here\nconst f = 2; deffun f() {\n    return x;\n}\ndeffun g( {",
        ),
    ]);
    let errors = errors.expect_err("both are wrong");
    let places: Vec<(Code, String, usize)> = errors
        .found
        .iter()
        .map(|found| {
            let (place, local) = errors.sources.localise(found);
            (local.code, place.name.to_owned(), place.line())
        })
        .collect();
    assert_eq!(places[0], (Code::DefinedTwice, "a.dice".into(), 2));
    assert!(
        places.contains(&(Code::UnknownName, "b.dice".into(), 3)),
        "{places:?}"
    );
    assert!(
        places
            .iter()
            .all(|(_, name, line)| name == "b.dice" || *line == 2),
        "{places:?}"
    );
}

#[test]
fn files_that_import_each_other_are_refused() {
    let errors = with_files(&[
        ("a.dice", "import \"b.dice\";"),
        ("b.dice", "import \"a.dice\";"),
    ]);
    let errors = errors.expect_err("a cycle");
    let codes: Vec<Code> = errors.found.iter().map(|found| found.code).collect();
    assert_eq!(codes, [Code::ImportCycle]);
}

#[test]
fn there_is_a_bound_on_files() {
    let names: Vec<String> = (0..80).map(|i| format!("f{i}.dice")).collect();
    let texts: Vec<String> = (1..81).map(|i| format!("import \"f{i}.dice\";")).collect();
    let files: Vec<(&str, &str)> = names
        .iter()
        .zip(&texts)
        .map(|(n, t)| (&**n, &**t))
        .collect();
    let errors = with_files(&files).expect_err("too many");
    assert!(
        errors
            .found
            .iter()
            .any(|found| found.code == Code::BadImport)
    );
}

#[test]
fn every_library_compiles_without_a_note() {
    for name in libraries() {
        let (script, notes) = compile(&format!("import std.{name};")).expect("it compiles");
        assert!(notes.is_empty(), "{name}: {notes:?}");
        assert!(!script.functions.is_empty());
    }
}

/// The lines that a roll of these statements writes, with a library.
fn lines(library: &str, statements: &str) -> Vec<String> {
    let text = format!("import std.{library}; defroll \"R\" r() {{ {statements} }}");
    let roll = bind(&script(&text), "r", &json!({}));
    let played = roll.play(&mut ScriptSession::new(7)).expect("it ends");
    let lines = played.steps.iter().filter_map(|step| match step {
        Step::Line(line) => Some(line.to_string()),
        _ => None,
    });
    lines.collect()
}

#[test]
fn the_fifth_edition() {
    for (expression, expected) in [
        ("abilityModifier(7)", "-2"),
        ("abilityModifier(11)", "0"),
        ("abilityModifier(20)", "5"),
        ("proficiencyBonus(4)", "2"),
        ("proficiencyBonus(17)", "6"),
        ("hits(1, 100, 5)", "false"),
        ("hits(20, -100, 5)", "true"),
        ("hits(10, 5, 15)", "true"),
        ("hits(10, 4, 15)", "false"),
        ("weaponDamage(3, 1, 2, false)", "5"),
        ("weaponDamage(3, 1, 2, true)", "8"),
        (
            "attackDamage(-100, 200, 1, 1, 0, edge{ disadvantage: true })",
            "0",
        ),
        ("rollDamage(3d1 + 2)", "5"),
        ("rollDamage(3d1 + 2, true)", "8"),
        ("rollDamage(1d4 - 9)", "0"),
        ("attack(-100, 200, 1d1, edge{ disadvantage: true })", "0"),
        ("savingThrow(20, 15, edge{})", "true"),
        ("halfOnSave(9, true)", "4"),
        ("damageTaken(9, true, false)", "4"),
        ("damageTaken(9, false, true)", "18"),
        ("damageTaken(7, true, true)", "6"),
    ] {
        assert_eq!(
            lines("dnd", &format!("output({expression});")),
            [expected],
            "{expression}"
        );
    }
}

#[test]
fn pathfinder() {
    for (expression, expected) in [
        ("better(failure) == success", "true"),
        ("better(criticalSuccess) == criticalSuccess", "true"),
        ("worse(criticalSuccess) == success", "true"),
        ("worse(criticalFailure) == criticalFailure", "true"),
        ("check(100, 10) == criticalSuccess", "true"),
        ("basicSave(9, criticalSuccess)", "0"),
        ("basicSave(9, success)", "4"),
        ("basicSave(9, failure)", "9"),
        ("basicSave(9, criticalFailure)", "18"),
        ("strikeDamage(9, failure)", "0"),
        ("strikeDamage(9, criticalSuccess)", "18"),
        ("strike(100, 10, 3d1 + 1)", "8"),
        ("strike(-100, 10, 3d1 + 1)", "0"),
        ("multipleAttackPenalty(0, false)", "0"),
        ("multipleAttackPenalty(1, false)", "0"),
        ("multipleAttackPenalty(2, false)", "-5"),
        ("multipleAttackPenalty(5, true)", "-8"),
        ("successes(criticalSuccess)", "2"),
    ] {
        let line = lines("pathfinder", &format!("output({expression});"));
        assert_eq!(line, [expected], "{expression}");
    }
}

#[test]
fn pools() {
    for (expression, expected) in [
        ("sum(rollDice(5, 1))", "5"),
        ("countAtLeast(list(3, 7, 9), 7)", "2"),
        ("countEqual(list(1, 7, 1), 1)", "2"),
        ("sorted(list(3, 9, 1, 9))[0]", "9"),
        ("sorted(list(3, 9, 1, 9))[3]", "1"),
        ("keepHighest(list(3, 9, 1, 4), 2)", "13"),
        ("keepHighest(list(3), 2)", "3"),
        ("keepLowest(list(3, 9, 1, 4), 3)", "8"),
        ("keepLowest(list(3, 9), 0)", "0"),
        ("successPool(0, 6)", "0"),
        ("explodingPool(4, 1) >= 4", "true"),
    ] {
        assert_eq!(
            lines("pools", &format!("output({expression});")),
            [expected],
            "{expression}"
        );
    }
}

/// Functions of two files may share a name: a file's own wins, others need a prefix.
#[test]
fn functions_may_share_a_name() {
    let b = (
        "b.dice",
        "deffun hits(x: int) { return x + 1; } deffun twice(x: int) { return hits(hits(x)); }",
    );
    let c = (
        "lib/c.dice",
        "deffun hits(x: int) { return x + 10; } table once { 1: hits(5), 2: 3 }",
    );
    let main = |body: &str, own: &str| {
        let text = format!(
            "import \"b.dice\"; import \"lib/c.dice\"; import std.dnd; {own} defroll \"R\" r() {{ {body} }}"
        );
        with_files(&[("a.dice", &text), b, c])
    };
    let named = |module: &Module, name: &str| {
        let functions = module.functions.iter();
        functions.filter(|function| function.name == name).count()
    };
    for (body, own) in [
        ("return b.hits(1) + c.hits(2) + twice(3) + once(1);", ""),
        (
            "return hits(1, 2) + b.hits(1) + c.once(number: 2);",
            "deffun hits(x: int, y: int) { return x + y; }",
        ),
        (
            "return dnd.hits(d20, 3, ac: 15) ? b.twice(x: 1) : dnd.rollD20();",
            "",
        ),
    ] {
        let module = main(body, own).unwrap_or_else(|errors| panic!("{errors}"));
        assert_eq!(named(&module, "hits"), 3 + usize::from(!own.is_empty()));
    }
    for (body, own, expected) in [
        ("return hits(1);", "", Code::AmbiguousName),
        ("return b.hitz(1);", "", Code::NoSuchFunction),
        ("return b.once(1);", "", Code::NoSuchFunction),
        ("return b.hits(1, 2);", "", Code::WrongCount),
        ("return e.hits(1);", "", Code::Trailing),
        (
            "return 1;",
            "deffun f() { return 1; } deffun f() { return 2; }",
            Code::DefinedTwice,
        ),
    ] {
        let errors = main(body, own).expect_err("it is wrong");
        let codes: Vec<Code> = errors.found.iter().map(|found| found.code).collect();
        assert!(codes.contains(&expected), "{body}: {codes:?}");
    }
    let errors = main("return hits(1);", "").expect_err("it is ambiguous");
    let found = errors.found.iter().next().expect("there is one");
    assert_eq!(
        found.message,
        "`hits` is a function of `b` and of `c` and of `dnd`"
    );
}
