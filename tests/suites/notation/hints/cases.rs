//! The cases: a text, its meaning in other words, and what else its help has in backticks.

use dicec_lang::front::notation::Dialect;

use Dialect::{Notation, Rulebook};

/// A text with something to say about it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Case {
    pub(super) dialect: Dialect,
    pub(super) text: &'static str,
    /// A rule with the odds of what was written, if that has any.
    pub(super) meaning: &'static str,
    /// The other texts in backticks of its help, in order: examples, other meanings, and
    /// [`PARTS`] of rules.
    pub(super) others: &'static [&'static str],
}

/// Texts in backticks that are not rules, but signs and words of rules.
pub(super) const PARTS: &[&str] = &[
    "!",
    "!!",
    "!p",
    "!=",
    "!>=5",
    "!!>=5",
    "(",
    ")",
    "*",
    "*3",
    "*6",
    "+",
    "-",
    "/",
    "[",
    "]",
    "{",
    "}",
    "# fire",
    "-r 'Bonus=2'",
    ">=",
    "count>=",
    "r<2",
    "ro=1",
];

/// A text with this meaning.
const fn means(
    dialect: Dialect,
    text: &'static str,
    meaning: &'static str,
    others: &'static [&'static str],
) -> Case {
    Case {
        dialect,
        text,
        meaning,
        others,
    }
}

/// A text without a meaning, which is why its help has examples only.
const fn wrong(dialect: Dialect, text: &'static str, examples: &'static [&'static str]) -> Case {
    means(dialect, text, "", examples)
}

/// AnyDice's exploding die: two more rolls at most.
const EXPLODED_D6: &str =
    "let a = d6; let b = d6; let c = d6; a = 6 ? (b = 6 ? 12 + c : 6 + b) : a";

const THREE_EXPLODED: &str = "sum(6 = d6 ? 6 + (6 = d6 ? 6 + d6 : d5) : d5 for i : 1..3)";

const HIGHEST_EXPLODED: &str = "let a = 6 = d6 ? 6 + (6 = d6 ? 6 + d6 : d5) : d5; \
     let b = 6 = d6 ? 6 + (6 = d6 ? 6 + d6 : d5) : d5; \
     let c = 6 = d6 ? 6 + (6 = d6 ? 6 + d6 : d5) : d5; a + b + c - min(a, b, c)";

pub(super) const CASES: &[Case] = &[
    // The lexer and the faces of dice.
    wrong(Rulebook, "d{1,2", &["}", "d{1,1,2,3}"]),
    wrong(Rulebook, "Strength] + 3", &["[Strength]", "2d6", "["]),
    means(Rulebook, "1d20 == 5", "1d20 = 5", &[]),
    means(Rulebook, "1d20 => 5", "1d20 >= 5", &[]),
    wrong(Rulebook, "1 + [Strength", &["]", "[Strength]"]),
    wrong(Rulebook, "[ ] + 1d6", &["[Strength]"]),
    wrong(Notation, "1d6 + .5", &["0.5"]),
    wrong(Rulebook, "d{ }", &["d{1,1,2,3}", "d{hit,miss}"]),
    means(Rulebook, "d{6..2}", "d5 + 1", &[]),
    wrong(Rulebook, "d{hit..miss}", &["d{hit,miss}"]),
    wrong(Rulebook, "d{1:x}", &["d{1:3, 2}"]),
    wrong(Rulebook, "d{1,2d6}", &["d{1,1,2,hit}"]),
    // Misplaced text.
    wrong(Rulebook, "2d6) + 3", &["("]),
    wrong(Rulebook, "2d6} + 3", &["{"]),
    wrong(Rulebook, "1d6, 2", &["{2d6, 1d12}kh1"]),
    wrong(Rulebook, "1d6 2", &["+", "-", "*", "/"]),
    means(Rulebook, "2 x [A]", "2 * [A]", &[]),
    wrong(Rulebook, "adv 1d20", &["1d20 adv + 5", "+", "-", "*", "/"]),
    means(Rulebook, "2d6 + Strength", "2d6 + [Strength]", &["2d6"]),
    wrong(Rulebook, "(2d6 + 3", &[")"]),
    wrong(Rulebook, "2d6 +", &["2d6 + 3"]),
    wrong(
        Rulebook,
        "",
        &["2d6+3", "1d20 + [Attack] >= [Target Defense]"],
    ),
    wrong(Rulebook, "2d", &["2d6 + 3"]),
    wrong(Rulebook, "{}", &["{2d6, 1d12}kh1"]),
    means(
        Rulebook,
        "3 < 2d6 < 9",
        "2d6 count>=0 = 2 and d36 <= 23",
        &[],
    ),
    wrong(Rulebook, "1d20 vs 15 vs 3", &[]),
    means(Rulebook, "7 % 3", "", &[]),
    // The words of rule books and players.
    means(Rulebook, "best 2 of 4d8 + 1", "4d8kh2 + 1", &[]),
    means(Rulebook, "worst of 2d20", "2d20kl1", &[]),
    means(Notation, "3 + middle 1 of 3d20", "3 + 3d20km1", &[]),
    means(Rulebook, "1d20 with advantage + 5", "1d20 adv + 5", &[]),
    means(Rulebook, "1d20 with disadvantage", "1d20 dis", &[]),
    means(Rulebook, "3d6 exploding", "3d6!", &[]),
    means(Rulebook, "1d10 exploding on 9+", "1d10!>=9", &[]),
    means(Notation, "2 + 1d10 explodes on 9", "2 + 1d10!==9", &[]),
    means(Rulebook, "2d6 reroll 1s", "2d6ro=1", &["2d6r=1"]),
    means(Rulebook, "4d6 rerolling ones", "4d6ro=1", &["4d6r=1"]),
    means(Rulebook, "3d8 successes on 5+", "3d8 count>=5", &[]),
    means(Notation, "3d8 hits on 5", "3d8 count=5", &[]),
    means(Rulebook, "5d6 sixes", "5d6 count=6", &[]),
    means(Rulebook, "1d20+5 vs AC 15", "1d20+5 vs 15", &[]),
    means(Rulebook, "advantage(1d20) + 2", "1d20 adv + 2", &[]),
    means(Rulebook, "d66", "10 * d6 + d6", &[]),
    means(Notation, "d666 + 1", "100 * d6 + 10 * d6 + d6 + 1", &[]),
    // Counts in calculations.
    means(
        Notation,
        "10d10>=6+2",
        "{10d10 count>=6} + 2",
        &["(2d6+3) >= 10"],
    ),
    means(
        Notation,
        "2+10d10>=6",
        "{10d10 count>=6} + 2",
        &["(2d6+3) >= 10"],
    ),
    means(
        Notation,
        "10d10>=6>=2",
        "(10d10>=6) >= 2",
        &["(2d6+3) >= 10"],
    ),
    wrong(Notation, "(1+2) >= 3", &["1d20+5 >= 15", "5d10>=8"]),
    // Functions.
    wrong(Rulebook, "floor 3", &["floor(1d6)"]),
    wrong(Rulebook, "max 3", &["max(1d6, 3)"]),
    means(Rulebook, "flor(2d6)", "2d6", &[]),
    wrong(Rulebook, "foo(2d6)", &[]),
    wrong(Rulebook, "floor(1, 2)", &["floor(1d6)"]),
    wrong(Notation, "pow(1)", &["pow(1d6, 2)"]),
    wrong(Rulebook, "max()", &["max(1d6, 3)"]),
    // Labels.
    wrong(
        Rulebook,
        "floor(2d6[fire])",
        &["2d6[fire] + 1d8[cold]", "floor(2d6 / 2)[fire]"],
    ),
    wrong(Rulebook, "(2d6[fire])[cold]", &[]),
    wrong(Rulebook, "let a = 2d6[fire]; a", &["# fire"]),
    means(Rulebook, "2d6[fire]kh1", "2d6kh1", &[]),
    // Dice.
    means(Rulebook, "4d6d1", "4d6dl1", &["(4d6)d1"]),
    means(Rulebook, "(4d6)2d6", "", &["+", "-", "*", "/"]),
    means(Rulebook, "4d6d%", "(4d6)d%", &[]),
    means(Rulebook, "4d6kh1d2", "4d6kh1dl2", &["(1d2)"]),
    means(Notation, "1d20>=2d6", "1d20>=(2d6)", &[]),
    wrong(Rulebook, "4d6min", &["4d6kh3", "4d6kh(1d4)"]),
    means(Rulebook, "4dFr=-1", "4d{0,1}", &[]),
    means(Rulebook, "4d6r1", "4d{2..6}", &["ro=1"]),
    wrong(Rulebook, "4d6r", &["r<2"]),
    means(Rulebook, "4d6!5", "4d6!==5", &["!>=5", "!"]),
    means(Notation, "4d6!5", "4d6!==5", &["!>=5", "!"]),
    means(Notation, "4d6!!5", "4d6!!=5", &["!!>=5", "!!"]),
    wrong(Rulebook, "2d20 adv", &["2d20kh1"]),
    wrong(Rulebook, "2d20 dis", &["2d20kl1"]),
    means(Rulebook, "4d6kg3", "4d6kh3", &[]),
    wrong(Rulebook, "4d6foo", &[]),
    wrong(Rulebook, "10d10>=6f1", &["10d10 count>=6 fail=1"]),
    means(Rulebook, "(2d6)kh1", "2d6kh1", &[]),
    means(Rulebook, "(2d6)!", "2d6!", &[]),
    means(Rulebook, "(2d6+1)kh1", "{2d6+1}kh1", &[]),
    wrong(Rulebook, "5!", &["2d6!"]),
    wrong(Rulebook, "{1d6}min2", &["{4d6kh3}r<8"]),
    wrong(Rulebook, "{{4d6kh3}r<8, 2d6}kh1", &["{4d6kh3}r<8 + 2"]),
    wrong(Rulebook, "{2d6-1d8}kh1", &["{2d6+1d8}kh2 - 1d4"]),
    wrong(Rulebook, "4d6!!!", &["!", "!!", "!p"]),
    wrong(
        Rulebook,
        "4d6count=1count=2",
        &["5d6 count={5,6}", "{5d6 count=6} + {5d6 count=5}"],
    ),
    means(Notation, "4d6=1=2", "(4d6 count=1) = 2", &["(2d6+3) >= 10"]),
    wrong(Rulebook, "4d6fail=1", &["10d10 count>=6 fail=1"]),
    wrong(Notation, "4d6fail=1", &["10d10>=6f1"]),
    wrong(Rulebook, "4d6double=6", &["8d10 count>=8 double=10"]),
    wrong(Rulebook, "(1d4)d6km1", &["5d6km1"]),
    wrong(Rulebook, "5d6!km1", &["5d6km1"]),
    wrong(Notation, "5d6kh3!!km1", &["5d6km1"]),
    means(Rulebook, "{5d6}km1", "5d6km1", &[]),
    wrong(Rulebook, "{2d6 + 1d8}km1", &["{2d6, 2d6, 2d6}km1"]),
    // Other meanings elsewhere.
    means(Rulebook, "10d10>=8", "10d10 count>=8", &[">="]),
    means(Rulebook, "10d10!=8", "10d10!==8", &["!="]),
    means(
        Rulebook,
        "10d10>=1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1",
        "",
        &["count>=", ">=", ">="],
    ),
    means(Notation, "10d10cs>=8", "10d10 count>=8", &[]),
    means(Notation, "10d10cs>=8 + 2", "{10d10 count>=8} + 2", &[]),
    means(Notation, "10d10>8", "10d10 count>=8", &[]),
    means(Notation, "4d6r<2", "4d6r<=2", &[]),
    wrong(
        Rulebook,
        "[highest 3 of all] + 1d6",
        &["4d6kh3", "5d6 count>=5"],
    ),
    // Whole rules in words.
    means(
        Rulebook,
        "if 1d20+7 >= 15 then 1d8+4 else 0",
        "1d20+7 >= 15 ? 1d8+4 : 0",
        &[],
    ),
    means(Rulebook, "half of 8d6", "8d6 / 2", &[]),
    means(Rulebook, "3 + half 8d6", "3 + 8d6 / 2", &[]),
    means(Rulebook, "count 6s in 10d6", "10d6 count=6", &[]),
    means(Rulebook, "number of sixes in 10d6", "10d6 count=6", &[]),
    means(Rulebook, "count(5d10 >= 7)", "5d10 count>=7", &[]),
    means(
        Rulebook,
        "2d6 between 6 and 8",
        "let r = 2d6; r >= 6 and r <= 8",
        &[],
    ),
    means(Rulebook, "sum of 3d6", "3d6", &[]),
    // The same dice twice.
    means(
        Rulebook,
        "2d6 = 7 or 2d6 = 11",
        "let r = 2d6; r = 7 or r = 11",
        &[],
    ),
    means(
        Rulebook,
        "let r = 7; 2d6 = r or 2d6 = 11",
        "let r2 = 2d6; let r = 7; r2 = r or r2 = 11",
        &[],
    ),
    means(
        Notation,
        "15 < 1d20 + 5 and (1d20 + 5 <= 20)",
        "let r = 1d20 + 5; 15 < r and (r <= 20)",
        &[],
    ),
    // Without effect.
    means(Rulebook, "4d6!!>=7", "4d6", &[]),
    means(Rulebook, "4d6r=7 + 2", "4d6 + 2", &[]),
    means(Rulebook, "4d6kh4", "4d6", &[]),
    means(Notation, "{4d6dl0>=5} + 1", "{4d6>=5} + 1", &[]),
    means(Rulebook, "4d6min1", "4d6", &[]),
    means(Rulebook, "max(3d6)", "3d6kh1", &[]),
    means(Notation, "min(4d6!) + 2", "4d6!kl1 + 2", &[]),
    means(Rulebook, "max(4d6kh3 - 1)", "(4d6kh3 - 1)", &[]),
    wrong(Rulebook, "2d20kh1kl1", &[]),
    wrong(Rulebook, "10d10 count>=11", &[]),
    wrong(Rulebook, "10d10 count>=1", &[]),
    wrong(Rulebook, "10d10 count>=8 double=11", &[]),
    wrong(Rulebook, "10d10 count>=8 fail=11", &[]),
    wrong(Rulebook, "1d4 - 5", &[]),
    wrong(Rulebook, "1d1", &[]),
    wrong(Rulebook, "1d20 >= 21", &[]),
    wrong(Rulebook, "1d20 >= 1", &[]),
    // Spellings of other tools; the table has more.
    means(Rulebook, "2d6x3", "2d6!==3", &["*3"]),
    means(Rulebook, "4d6x6", "4d6!", &["*6"]),
    means(Rulebook, "4d6e4", "4d6!==4", &[]),
    means(Rulebook, "4d6xo", "4d{1..5:6, 7..12}", &[]),
    means(Rulebook, "d6xo>=5", "let a = d6; a >= 5 ? a + d6 : a", &[]),
    means(Rulebook, "1d100xo", "", &["4d6kh3"]),
    means(Rulebook, "[[1d6]]d8", "(1d6)d8", &[]),
    means(
        Rulebook,
        "?{Bonus|2} + 1d20",
        "[Bonus] + 1d20",
        &["-r 'Bonus=2'"],
    ),
    wrong(Rulebook, "1t[wounds]", &["d{1,1,2,3}"]),
    means(Rulebook, "d6.lowest(3)", "3d6kl1", &[]),
    means(Rulebook, "6 @ d6", "6d6", &[]),
    means(Rulebook, "1d6 // 2", "floor(1d6 / 2)", &[]),
    means(Rulebook, "(2d6, 1d12)kl1", "min(2d6, 1d12)", &[]),
    // Several results, each of which has these odds.
    means(Rulebook, "6#4d6dl1", "4d6kh3", &[]),
    means(Notation, "/r 6#4d6dl1", "4d6kh3", &[]),
    means(Rulebook, "6x(4d6kh3)", "4d6kh3", &["6 * (4d6kh3)"]),
    means(Notation, "6 x 4d6kh3", "4d6kh3", &["6 * 4d6kh3"]),
    // AnyDice.
    means(Rulebook, "[explode d6]", EXPLODED_D6, &[]),
    means(Notation, "[explode d6]", EXPLODED_D6, &[]),
    means(
        Rulebook,
        "[explode d6] + 3",
        "let a = d6; let b = d6; let c = d6; (a = 6 ? (b = 6 ? 12 + c : 6 + b) : a) + 3",
        &[],
    ),
    means(Rulebook, "3d[explode d6]", THREE_EXPLODED, &[]),
    means(Notation, "3d[explode d6]", THREE_EXPLODED, &[]),
    means(
        Rulebook,
        "[highest 2 of 3d[explode d6]]",
        HIGHEST_EXPLODED,
        &[],
    ),
    means(
        Rulebook,
        "[explode d20]",
        "let a = d20; let b = d20; let c = d20; a = 20 ? (b = 20 ? 40 + c : 20 + b) : a",
        &[],
    ),
    means(
        Notation,
        "2d[explode d12]",
        "let a = d12; let b = d12; let c = d12; let x = d12; let y = d12; let z = d12; \
         (a = 12 ? (b = 12 ? 24 + c : 12 + b) : a) + (x = 12 ? (y = 12 ? 24 + z : 12 + y) : x)",
        &[],
    ),
    means(
        Rulebook,
        "[explode 2d2]",
        "let a = 2d2; let b = 2d2; let c = 2d2; a = 4 ? (b = 4 ? 8 + c : 4 + b) : a",
        &[],
    ),
    means(
        Notation,
        "[explode 2d6]+3",
        "let a = 2d6; let b = 2d6; let c = 2d6; 3 + (a = 12 ? (b = 12 ? 24 + c : 12 + b) : a)",
        &[],
    ),
    means(
        Rulebook,
        "[count {5,6} in 7d6]",
        "sum(d6 >= 5 ? 1 : 0 for i : 1..7)",
        &[],
    ),
    means(
        Notation,
        "[count {2,4} in 5d6] + 1",
        "1 + sum((match (d6) { 2, 4: 1, else: 0 }) for i : 1..5)",
        &[],
    ),
    means(Rulebook, "[count {1..2} in 5d6]", "5d6 count<3", &[]),
    means(Rulebook, "[count 6 in 5d6]", "5d6 count=6", &[]),
    means(
        Rulebook,
        "[middle 1 of 3d20]",
        "let a = d20; let b = d20; let c = d20; max(min(a, b), min(max(a, b), c))",
        &[],
    ),
    means(Rulebook, "[middle 1 of 4d6]", "{4d6dh1}kh1", &[]),
    means(Rulebook, "[lowest 2 of 3d6]", "3d6dh1", &[]),
    means(Rulebook, "[highest of 2d6 and 1d12]", "max(2d6, 1d12)", &[]),
    means(Rulebook, "[absolute d6-d8]", "abs(d6-d8)", &[]),
    wrong(Rulebook, "[reverse 3d6]", &["4d6kh3"]),
    means(Rulebook, "6d(d6>=5)", "6d6 count>=5", &[]),
    means(Notation, "6d(d6>=5)", "6d6 count>=5", &[]),
];
