//! The exact odds of pools and groups: known numbers, and every mix of modifiers against all rolls
//! of the reference interpreter.

use dicec_compiler::{Bound, Compiler, Failure};
use dicec_lang::front::notation::Dialect;
use dicec_lang::hir::Kind;
use dicec_runtime::limits::RollLimits;
use dicec_runtime::pmf::{Limits, Pmf};
use dicec_runtime::trap::TrapCode;
use dicec_tests::likely::{Compared, compare};
use dicec_tests::programs::{bare, notation};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

fn bound(text: &str) -> Bound {
    bare(&notation(text))
}

fn odds(text: &str) -> Pmf {
    let odds = bound(text).distribution(&Limits::default());
    odds.unwrap_or_else(|failure| panic!("{text}: {failure}"))
}

#[test]
fn known_means() {
    for (text, mean) in [
        ("2d20kl1", 7.175),
        ("2d20kh1", 13.825),
        ("4d6dh1", 8.7554),
        ("4d6kh3", 12.2446),
        ("4d6dl1", 12.2446),
        ("3d6!", 12.6),
        ("5d6!!", 21.0),
        ("4d6min2", 14.6667),
        ("4d6max5", 13.3333),
        ("10d10>=8", 3.0),
        ("10d10>=8f1", 2.0),
        ("5d10!=10>=8", 5.0 * 0.3 / 0.9),
        ("(1d4)d6", 8.75),
        ("1d6!p", 4.0),
        ("1d6r<2", 4.0),
        ("1d6ro<3", 3.5 + 2.0 / 6.0 * (3.5 - 1.5)),
        ("d{1,1,2,3}", 1.75),
        ("4dF", 0.0),
        ("2d20kh1kl1", 0.0),
        ("{2d6, 1d12}", 13.5),
        ("{1d8!,1d6!}kh1", 6.478648),
        ("100d6!", 420.0),
        ("1000d6!", 4200.0),
    ] {
        let got = odds(text).mean();
        assert!((got - mean).abs() < 5e-5, "{text}: {got} is not {mean}");
    }
}

#[test]
fn rungs_of_pools() {
    let rungs = |text: &str, counts: &[u32]| {
        let table = bound(text).fractions(&Limits::default()).expect("small");
        let all: u32 = counts.iter().sum();
        for (rung, count) in (0..).zip(counts) {
            let weight = table.weight(rung).cloned().unwrap_or_default();
            assert_eq!(weight * all, table.total() * count, "{text}: rung {rung}");
        }
    };
    rungs("1d20+7 vs 15", &[1, 6, 10, 3]);
    // The raw face counts.
    rungs("1d20min10 vs 15", &[1, 13, 5, 1]);
    // Two natural dice shift nothing.
    rungs("2d20 + 100 vs 0", &[0, 0, 0, 1]);
}

#[test]
fn labels_are_outcomes() {
    for text in ["d{fire,ice,fire}", "{(1d{fire,ice,fire})}"] {
        let bound = bound(text);
        assert_eq!(bound.kind(), Some(Kind::Label));
        assert_eq!(bound.program().labels(), ["fire", "ice"]);
        assert_eq!(bound.program().label(1), Some("ice"));
        let table = bound.fractions(&Limits::default()).expect("small");
        let weights: Vec<_> = table.iter().map(|(place, w)| (place, w.clone())).collect();
        assert_eq!(weights, [(0, 2_u8.into()), (1, 1_u8.into())]);
    }
    // In anything larger a label counts 0.
    for text in [
        "2d{fire,ice}",
        "d{fire,ice} + 0",
        "d{fire,ice}kh1",
        "d{1,2}",
    ] {
        let bound = bound(text);
        assert_eq!(bound.kind(), Some(Kind::Number), "{text}");
        assert!(bound.program().labels().is_empty(), "{text}");
    }
}

#[test]
fn what_is_left_out_is_told() {
    let residual = |text: &str| {
        let exact = bound(text).solve::<f64>(&Limits::default());
        exact.map(|exact| exact.residual).expect("small")
    };
    assert_eq!(residual("4d6kh3"), 0.0);
    assert_eq!(residual("4d6ro<3"), 0.0);
    assert_eq!(residual("10d10>=8f1"), 0.0);
    for text in [
        "3d6!",
        "1d6!!",
        "4d6!kh3",
        "(1d4)d6!",
        "{1d8!, 1d6!}kh1",
        "1d20! vs 15",
    ] {
        let residual = residual(text);
        assert!(residual > 0.0 && residual < 1e-12, "{text}: {residual}");
    }
    // A hundred thousand rerolls cannot be met.
    assert!(residual("3d6r<3") < 1e-300);
}

#[test]
fn limits_that_can_be_met_trap() {
    for (text, code) in [
        ("1d1000!>=2", TrapCode::TooManyExplosions),
        ("1d1000r>=2", TrapCode::TooManyRerolls),
        ("9000d6!", TrapCode::TooManyDice),
        ("1d6r<=(1d6)", TrapCode::TooManyRerolls),
        ("1d6!>=(1d6)", TrapCode::TooManyExplosions),
    ] {
        match bound(text).distribution(&Limits::default()) {
            Err(Failure::Trap(trap)) => assert_eq!(trap.code, code, "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
    assert!(odds("7000d6!").mean() > 8399.0);
}

#[test]
fn large_pools_have_closed_forms() {
    // Each with the binary logarithm of the work that is enough; enumeration would take more by
    // far.
    for (text, work) in [
        ("10d10kh5", 12),
        ("100d6!", 19),
        ("100d6kh50", 20),
        ("20d6!kh10", 19),
        ("10d10!pkh5", 23),
        ("50d6r<2!kh10", 27),
        ("30d10!>=9min3>=7f1", 13),
        ("10d20kh1 vs 25", 12),
        ("10d20kl1 + 3 vs 25", 12),
        ("{8d6, 1d4, 3d8}kl2", 15),
        ("{20d6+20d8}kh15", 20),
        ("{6d6!+6d8!}kh5", 24),
        ("{10d6, 10d6, 10d6, 10d6, 10d6, 10d6}kh3", 15),
        ("1d20!! vs 15", 12),
        ("2d6kh1r<=2", 14),
        ("4d6k3r<=2", 17),
        ("6d4kh3!", 22),
        ("8d4kh4!", 24),
        ("9d6kh4ro<=2kh2", 22),
        ("8d20!dl1 vs 100", 22),
        ("{1d20, 1d20, 1d20, 1d20, 1d20, 1d20}kh1 vs 15", 12),
    ] {
        let limits = Limits {
            work: 1 << work,
            ..Limits::default()
        };
        let odds = bound(text).distribution(&limits);
        assert!(odds.is_ok(), "{text}: {odds:?}");
    }
}

#[test]
fn named_pools_equal_all_rolls() {
    for text in [
        "4d6kh3",
        "4d4dl1dh1",
        "4d4dl1kh3",
        "3d4kh1kl1",
        "2d4!",
        "3d4!kh2",
        "2d4!pkl1",
        "2d6!!kh1",
        "2d4!>=3kh1",
        "2d4!p>=2kh2",
        "3d4!dl1dh1",
        "2d4min2!",
        "2d4!min2",
        "2d4max2!kh1",
        "2d6r<3",
        "2d6r<3r=6",
        "2d6ro<4kh1",
        "2d4r<2!",
        "2d4!r<2",
        "2d4!ro=4",
        "2d4!pr=4",
        "2d4!!r=4",
        "2d4!!ro>=3min3",
        "3d4kh2ro<3",
        "4d4k3ro=1kh2",
        "3d4kl2r=1",
        "3d4kh1!",
        "3d4kh2!kh2",
        "3d3kh2!pkl1",
        "3d4kh1!!",
        "4d3dl1dh1ro=2",
        "3d4kh2ro<3kl1ro=4",
        "3d4kh2min2>=3f1",
        "3d4kh2!=4>=3f1",
        "3d4kh2r=1>=3f2",
        "3d4min2kh2ro<2",
        "3d4min3kh1ro=1",
        "3d4ro=1kh2!",
        "(1d3)d4kh1ro<3",
        "2d4min3r=1",
        "2d4min3ro=1max2",
        "2d4!r=4>=3f1",
        "2d{-2,0,3}!",
        "2dF!=(-1)",
        "3d{1,1,fire}kh1",
        "(1d2)d(1d3 + 1)kh(1d2)",
        "(1d3)d4!>=(1d2 + 2)",
        "2d4r<(1d2)",
        "2d4min(1d3)>=(1d4)f(1d2)",
        "{2d4, 1d6}kh1",
        "{2d4, 1d6, 1d4}kl2",
        "{1d6, 1d6, 1d6}dl1dh1",
        "{2d4 - 3, 1d6}>=3",
        "{1d4!, 1d6}kh1",
        "{2d4+1d6}kh2",
        "{2d4+1d6+3-1}kl1",
        "{2d4+2d6}kh3dh1",
        "{2d4+1d6}>=3",
        "{3d4kh2+1d6}kh2",
        "{2d4!+1d6}kh2",
        "{1d4!+1d4!p+1}kh2",
        "{2d4r<2+1d6min2}dl1",
        "max(2d4kh1, 1d6!)",
        "{1d4*2, 1d6}kh(1d2)",
    ] {
        let compared = compare(&bound(text), 100_000);
        assert_eq!(compared, Compared::Equal, "`{text}`");
    }
}

#[test]
fn named_degrees_equal_all_rolls() {
    for text in [
        "2d20kh1 + 3 vs 15",
        "2d20kl1 vs 5",
        "2d20kh1ro<5 vs 15",
        "2d20dl1 vs 5",
        "2d20kh2 vs 25",
        "2d20kh1kl1 vs 5",
        "3d20dl1dh1 vs 10",
        "1d20! vs 21",
        "1d20!! + 2 vs 21",
        "1d20!p vs 21",
        "2d20!kh1 vs 21",
        "1d20!>=19min5 vs 21",
        "1d20ro<3 vs 15",
        "1d20r<2 vs 15",
        "1d20min5max15 + 3 vs 9",
        "2d20min5kh1 vs 15",
        "2d20max5kl1 vs 3",
        "{1d20>=15} vs 1",
        "d{1,20} vs 15",
        "1d(1d2 + 18) vs 5",
        "(1d3 - 1)d20 vs 15",
        "(1d3)d20kh1 vs 15",
        "1d20 vs 1d20 + 10",
        "{1d20, 1d20 + 2}kh1 vs 15",
        "{1d20, 1d20 + 2}kl1 vs 15",
        "{1d20, 1d12, 1d4}kh2 vs 25",
        "{1d20, 1d4} vs 25",
        "{1d20 + 1d8}kh1 vs 15",
        "{1d20 + 1d8 + 3}kl1 vs 15",
        "{2d20 + 1d4}dl1 vs 15",
        "{1d20 vs 15, 1d20}kh1",
        "{1d20 vs 15, 1d20}kl1",
        "{1d20 vs 15, 1d20}kh1 + 5",
        "{{1d20 vs 15, 1d6}kh1, 1d8}kh1",
        "-(1d20 vs 15)",
        "max(1d20 vs 15, 10)",
        "(1d20 vs 15) / 2",
        "floor((1d20 vs 15) / 2)",
        "{floor((1d20 vs 15) / 2), 1d6}kh1",
        "{1d20 vs 15, 1d20, 1d4}kh2",
    ] {
        let compared = compare(&bound(text), 100_000);
        assert_eq!(compared, Compared::Equal, "`{text}`");
    }
}

/// Text from bytes.
struct Text<'b> {
    bytes: std::slice::Iter<'b, u8>,
    text: String,
}

impl Text<'_> {
    /// A number below `n`.
    fn below(&mut self, n: u8) -> u8 {
        self.bytes.next().map_or(0, |byte| byte % n)
    }

    fn number(&mut self, least: u8, n: u8) {
        let number = least + self.below(n);
        let text = match self.below(12) {
            0 => format!("(1d2 + {number} - 1)"),
            _ => number.to_string(),
        };
        self.text += &text;
    }

    fn pick(&mut self, words: &[&str]) {
        let index = self.below(words.len() as u8);
        self.text += words[usize::from(index)];
    }

    fn select(&mut self) {
        self.pick(&["kh", "kl", "dh", "dl"]);
        self.number(0, 4);
    }

    fn change(&mut self, exploded: &mut bool) {
        match self.below(6) {
            0 | 1 if !*exploded => {
                *exploded = true;
                self.pick(&["!", "!!", "!p"]);
                if self.below(2) == 0 {
                    self.pick(&[">=", "<=", "=="]);
                    self.number(1, 4);
                }
            }
            0..=2 => {
                self.pick(&["r", "ro", "ro"]);
                self.pick(&["<", "=", ">"]);
                self.number(1, 4);
            }
            _ => {
                self.pick(&["min", "max"]);
                self.number(1, 4);
            }
        }
    }

    fn pool(&mut self, most: u8) {
        self.number(0, most);
        self.pick(&["d4", "d3", "d2", "d{0,1,3}", "dF", "d6"]);
        let mut exploded = false;
        for _ in 0..self.below(4) {
            if self.below(8) == 7 {
                self.select();
            }
            self.change(&mut exploded);
        }
        for _ in 0..self.below(3) {
            self.select();
        }
    }

    fn rule(&mut self) {
        match self.below(5) {
            0 => {
                self.text.push('{');
                self.pool(3);
                self.text.push('+');
                self.pool(3);
                self.pick(&["}", " + 2}", " - 1d2}"]);
                (0..1 + self.below(2)).for_each(|_| self.select());
            }
            1 => {
                self.text.push('{');
                self.pool(3);
                self.text.push(',');
                self.pool(3);
                self.pick(&["}", ", 2}", ", 1d3}"]);
                (0..self.below(3)).for_each(|_| self.select());
            }
            _ => self.pool(4),
        }
        if self.below(3) == 0 {
            self.pick(&[" >=", " <", " ="]);
            self.number(1, 3);
            if self.below(2) == 0 {
                self.text += "f";
                self.number(1, 3);
            }
        }
    }
}

#[test]
fn generated_pools_equal_all_rolls() {
    let limits = RollLimits {
        explosions: 40,
        rerolls: 200,
        ..RollLimits::default()
    };
    let compiler = Compiler::new()
        .dialect(Dialect::Notation)
        .roll_limits(limits);
    let cases = std::env::var("DICEC_CASES").ok();
    let cases = cases.and_then(|text| text.parse().ok()).unwrap_or(600);
    let mut runner = TestRunner::deterministic();
    let bytes = proptest::collection::vec(any::<u8>(), 40..41);
    let (mut equal, mut refused) = (0, 0);
    for _ in 0..cases {
        let tree = bytes
            .new_tree(&mut runner)
            .expect("bytes are always possible");
        let bytes = tree.current();
        let mut text = Text {
            bytes: bytes.iter(),
            text: String::new(),
        };
        text.rule();
        let Ok(program) = compiler.rule(&text.text) else {
            continue;
        };
        match compare(&program.bind_values(&[]).expect("its resources"), 10_000) {
            Compared::Equal => equal += 1,
            Compared::Refused => refused += 1,
            Compared::Nothing => {}
        }
    }
    assert!(
        equal > cases / 4 && refused <= cases / 50,
        "of {cases} cases {equal} were equal, {refused} refused"
    );
}
