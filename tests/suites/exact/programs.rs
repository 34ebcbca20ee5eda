//! Programs as people write them and programs like the project's own: every answer about each is
//! held against the interpreter, and the same in other words has the same odds.
//!
//! The number of programs of each generator is `DICEC_PROGRAMS`, 40 if unset, and of pairs five
//! times as many. `.ci/nightly` runs them for hours.

use arbitrary::Unstructured;
use dicec_exact::take_fired;
use dicec_runtime::rng::Stream;
use dicec_tests::answers::{Check, Counts, Effort, bound, check, check_text, compiled};
use dicec_tests::corpus::same::{KINDS, changed};
use dicec_tests::corpus::{mutant, sources};
use dicec_tests::generate::natural::natural;
use dicec_tests::metamorphic::{Compared, compare, pair};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

fn programs() -> u64 {
    let wanted = std::env::var("DICEC_PROGRAMS").ok();
    wanted.and_then(|text| text.parse().ok()).unwrap_or(40)
}

fn bytes(seed: u64) -> Vec<u8> {
    let mut stream = Stream::from_seed(seed);
    (0..256).flat_map(|_| stream.word().to_le_bytes()).collect()
}

type Generator = fn(&mut Unstructured<'_>) -> arbitrary::Result<String>;

/// Checks programs of a generator; what was compared.
fn check_all(generator: Generator, first: u64) -> Counts {
    let mut counts = Counts::default();
    let mut wrong = Vec::new();
    for number in 0..programs() {
        let bytes = bytes(first + number);
        let text = generator(&mut Unstructured::new(&bytes)).expect("bytes never run out");
        match check_text(&text, &Effort::of(number), &mut counts) {
            Ok(compiles) => assert!(compiles, "{text}"),
            Err((fault, small)) => wrong.push(format!("{}: {fault}\n{small}", first + number)),
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
    counts
}

/// The shortcuts of exact odds that no program took since they were counted last.
fn never_taken() -> Vec<&'static str> {
    let fired = take_fired().into_iter();
    fired
        .filter(|(_, n)| *n == 0)
        .map(|(name, _)| name)
        .collect()
}

/// Whether at least this share of all programs was compared in this way.
fn expect_share(counts: &Counts, check: Check, percent: u64) {
    let number = counts.of(check);
    assert!(100 * number >= percent * programs(), "{check:?}: {counts}");
}

#[test]
fn natural_programs_are_answered_right() {
    take_fired();
    let counts = check_all(natural, 1_000);
    // No value of the type `dice` is among these, no pool that keeps dice before changes, and no
    // list that is large enough to be rolled face by face.
    let elsewhere = ["multisets", "dropped", "faces", "dice_values"];
    assert_eq!(never_taken(), elsewhere);
    expect_share(&counts, Check::Enumerated, 90);
    expect_share(&counts, Check::Fractions, 85);
    expect_share(&counts, Check::Shared, 85);
    expect_share(&counts, Check::Lanes, 50);
    expect_share(&counts, Check::Engines, 10);
}

#[test]
fn programs_like_our_own_are_answered_right() {
    let counts = check_all(mutant, 2_000);
    expect_share(&counts, Check::Enumerated, 50);
    expect_share(&counts, Check::Fractions, 70);
    expect_share(&counts, Check::Shared, 70);
    expect_share(&counts, Check::Lanes, 30);
    expect_share(&counts, Check::Engines, 10);
}

/// Generators that no longer write these things test them no longer.
#[test]
fn natural_programs_have_what_people_write() {
    let mut seen: BTreeMap<&str, u64> = BTreeMap::new();
    let parts = [
        "import std.pools",
        ": int list) : int list",
        "append(",
        "insert(",
        "sort(",
        "descending",
        "keepHighest(",
        "shuffle(",
        "draw(",
        "pop(",
        "remove(",
        "fighter list) : fighter",
        ".wounds",
        "least(",
        "while (",
        "repeat (",
        "break;",
        "continue;",
        "output(",
        "stat(",
        "enum outcome",
        "return match",
        "contains(",
        "indexOf(",
        "anyStands(",
        " % 40]",
    ];
    for number in 0..1_000 {
        let bytes = bytes(number);
        let text = natural(&mut Unstructured::new(&bytes)).expect("bytes never run out");
        assert!(number % 50 != 0 || compiled(&text), "{text}");
        for part in parts.into_iter().filter(|part| text.contains(part)) {
            *seen.entry(part).or_default() += 1;
        }
    }
    let rare: Vec<&str> = parts
        .into_iter()
        .filter(|part| seen.get(part) < Some(&10))
        .collect();
    assert!(rare.is_empty(), "{rare:?}: {seen:?}");
}

#[test]
fn the_corpus_has_scripts_of_all_sources() {
    let mut folders: BTreeMap<&str, usize> = BTreeMap::new();
    let wanted = [
        ("README.md", 1),
        ("docs/cookbook.md", 40),
        ("docs/guide.md", 4),
        ("docs/how-to", 10),
        ("docs/language.md", 40),
        ("docs/script.md", 3),
        ("examples", 6),
        ("benches/src/corpus", 30),
        ("tests/suites", 100),
        ("tests/faults", 4),
    ];
    for source in sources() {
        for (folder, _) in wanted {
            let is_there = source.file.contains(&format!("../{folder}"));
            *folders.entry(folder).or_default() += usize::from(is_there);
        }
    }
    for (folder, least) in wanted {
        assert!(folders[folder] >= least, "{folder}: {folders:?}");
    }
}

#[test]
fn the_same_in_other_words_has_the_same_odds() {
    let mut equal: BTreeMap<&str, u64> = BTreeMap::new();
    let mut wrong = Vec::new();
    for number in 0..5 * programs() {
        let bytes = bytes(3_000 + number);
        let pair = pair(&mut Unstructured::new(&bytes)).expect("bytes never run out");
        match pair {
            None | Some((_, Ok(Compared::Trapped | Compared::Refused))) => {}
            Some((kind, Ok(Compared::Equal))) => *equal.entry(kind).or_default() += 1,
            Some((_, Err(found))) => wrong.push(found.to_string()),
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
    let missing = KINDS.into_iter().filter(|kind| !equal.contains_key(kind));
    // Some kinds need shapes that are not in every tenth program.
    assert!(missing.count() <= 4, "{equal:?}");
}

/// Each kind of change finds a place in a script that has one for it, and changes it.
#[test]
fn every_change_is_made_somewhere() {
    let text = "deffun twice(x: int) : int { return x * 2; }
        deffun other(x: int) : int { return x + 1; }
        defroll \"R\" r() {
            xs = [roll(d2), roll(d3), 1];
            t = 0;
            t += sum(x + 1 for x : xs if x > 1);
            for (x : xs) { t += x; }
            for (i : 1..2) { t += roll(d2); }
            for (y : xs) { if (y == 1) { t++; } else { t--; } }
            t += sum(xs);
            a = 3;
            t += t > 3 ? twice(a) : other(1);
            return t * 3 + xs[0];
        }";
    for kind in KINDS {
        let changed = (0..200).find_map(|seed| {
            let bytes = bytes(seed);
            changed(kind, text, &mut Unstructured::new(&bytes)).expect("bytes never run out")
        });
        let changed = changed.unwrap_or_else(|| panic!("{kind}: there is no place"));
        assert_eq!(
            compare(text, &changed),
            Ok(Compared::Equal),
            "{kind}\n{changed}"
        );
    }
}

/// Scripts that were answered wrongly once.
#[test]
fn past_faults_stay_mended() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("faults");
    let mut wrong = Vec::new();
    let mut files = 0;
    for file in fs::read_dir(&folder).expect("the folder of faults") {
        let path = file.expect("an entry").path();
        let text = fs::read_to_string(&path).expect("a script");
        let roll = bound(&text).unwrap_or_else(|| panic!("{} does not compile", path.display()));
        let mut counts = Counts::default();
        if let Err(fault) = check(&roll, &Effort::ALL, &mut counts) {
            wrong.push(format!("{}: {fault}", path.display()));
        }
        assert_eq!(
            counts.of(Check::Sampled),
            0,
            "too many rolls: {}",
            path.display()
        );
        files += 1;
    }
    assert!(
        wrong.is_empty(),
        "{} of {files} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(files >= 8);
}

/// Libraries and the notation: `{}` is a number from 1 to 3.
#[test]
fn libraries_say_what_the_notation_says() {
    for (library, notation) in [
        ("keepHighest(rollDice(4, 6), {})", "roll(4d6kh{})"),
        ("keepHighest(rollDice({}, 4), 2)", "roll({}d4kh2)"),
        ("keepLowest(rollDice(4, 6), {})", "roll(4d6kl{})"),
        ("keepLowest(rollDice(5, 3), {})", "roll(5d3kl{})"),
        ("sum(rollDice({}, 6))", "roll({}d6)"),
        (
            "countAtLeast(rollDice(5, 6), {} + 2)",
            "count(x.face >= {} + 2 for x : dice(5d6))",
        ),
        ("countEqual(rollDice(5, 4), {})", "roll(5d4 count={})"),
        ("pools.sorted(rollDice(3, 4))[0] + {}", "roll(3d4kh1) + {}"),
        ("pools.sorted(rollDice(3, 4))[2] * {}", "roll(3d4kl1) * {}"),
        (
            "dnd.rollD20(edge{ advantage: true }) + {}",
            "roll(2d20kh1) + {}",
        ),
        (
            "dnd.weaponDamage({}, 6, 2, true)",
            "roll({}d6) + roll({}d6) + 2",
        ),
    ] {
        for number in ["1", "2", "3"] {
            let [one, other] = [library, notation].map(|value| {
                let value = value.replace("{}", number);
                format!("import std.pools; import std.dnd; defroll \"R\" r() {{ return {value}; }}")
            });
            assert_eq!(compare(&one, &other), Ok(Compared::Equal), "{one}\n{other}");
        }
    }
}

/// Pairs of bodies with equal odds.
#[test]
fn the_same_said_by_hand() {
    for (one, other) in [
        (
            "xs = [1, 2, 3, 4]; return draw(xs);",
            "xs = [1, 2, 3, 4]; shuffle(xs); return pop(xs);",
        ),
        (
            "xs = [1, 2, 2, 5]; a = draw(xs); b = draw(xs); return a * 10 + b;",
            "xs = [1, 2, 2, 5]; shuffle(xs); return xs[0] * 10 + xs[1];",
        ),
        (
            "xs = [roll(d3), roll(d3), roll(d3)]; return draw(xs) * 10 + max(xs);",
            "xs = [roll(d3), roll(d3), roll(d3)]; i = roll(d3) - 1; return remove(xs, i) * 10 + max(xs);",
        ),
        (
            "xs = [4, 1, 6]; return pick(xs);",
            "xs = [4, 1, 6]; return xs[roll(d3) - 1];",
        ),
        (
            "x = roll(d6); if (x == 1) { return 5; } else if (x < 4) { return 2; } return x;",
            "x = roll(d6); return match (x) { 1: 5, 2..3: 2, else: x };",
        ),
        (
            "xs = [roll(d4) for i : 1..3]; ys = sorted(x by x descending for x : xs); return ys[0] * 10 + ys[2];",
            "xs = [roll(d4) for i : 1..3]; return max(xs) * 10 + min(xs);",
        ),
        (
            "xs = []; repeat (3) { x = roll(d4); if (x > 1) { append(xs, x); } } return sum(xs);",
            "t = 0; repeat (3) { x = roll(d4); if (x > 1) { t += x; } } return t;",
        ),
        (
            "xs = []; repeat (3) { x = roll(d4); if (x > 1) { insert(xs, 0, x); } } return len(xs) > 0 ? xs[0] : 0;",
            "last = 0; repeat (3) { x = roll(d4); if (x > 1) { last = x; } } return last;",
        ),
        (
            "a = roll(d4); b = roll(d4); c = roll(d4); return a + b + c - min(a, b, c);",
            "xs = [roll(d4); 3]; sort(xs); return xs[1] + xs[2];",
        ),
        (
            "return roll(d2) == 1 ? roll(d4) : roll(d3);",
            "x = roll(d4); y = roll(d3); return roll(d2) == 1 ? x : y;",
        ),
    ] {
        let [one, other] = [one, other].map(|body| format!("defroll \"R\" r() {{ {body} }}"));
        assert_eq!(compare(&one, &other), Ok(Compared::Equal), "{one}\n{other}");
    }
}

/// What differs is found.
#[test]
fn other_odds_are_different() {
    for (one, other) in [
        ("return roll(d6);", "return roll(d5);"),
        (
            "return roll(d6);",
            "return max(1, roll(d6) - 0) + (roll(d2) == 1 ? 0 : 0) * 1 + 1;",
        ),
        ("output(\"a\"); return 1;", "output(\"b\"); return 1;"),
        (
            "stat(\"s\", roll(d2)); return 1;",
            "stat(\"s\", roll(d3)); return 1;",
        ),
        ("return roll(2d6kh1);", "return roll(2d6kl1);"),
    ] {
        let [one, other] = [one, other].map(|body| format!("defroll \"R\" r() {{ {body} }}"));
        assert!(compare(&one, &other).is_err(), "{one}\n{other}");
    }
}
