//! The table of spellings: those of other tools, and their equivalents here.

/// The result of reading a spelling of another tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It has the same meaning here.
    Same,
    /// It is an error that names our spelling.
    Help,
    /// It has another meaning here.
    Other,
}

/// A spelling of another tool.
#[derive(Clone, Copy, Debug)]
pub struct Spelling {
    /// The text.
    pub text: &'static str,
    /// The result in the notation dialect.
    pub outcome: Outcome,
}

/// A construct and its spellings; every tool may have several or none.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Those of this notation.
    pub ours: &'static [&'static str],
    /// Those of the [tools](TOOLS).
    pub theirs: [&'static [Spelling]; TOOLS.len()],
}

/// The tools, as columns of the table.
pub const TOOLS: [&str; 5] = ["Roll20", "Foundry VTT", "Avrae (d20)", "AnyDice", "icepool"];

const fn same(text: &'static str) -> Spelling {
    Spelling {
        text,
        outcome: Outcome::Same,
    }
}

const fn help(text: &'static str) -> Spelling {
    Spelling {
        text,
        outcome: Outcome::Help,
    }
}

const fn other(text: &'static str) -> Spelling {
    Spelling {
        text,
        outcome: Outcome::Other,
    }
}

/// The table, in the order of docs/language.md.
pub const TABLE: [Row; 45] = [
    Row {
        ours: &["4d6"],
        theirs: [
            &[same("4d6")],
            &[same("4d6")],
            &[same("4d6")],
            &[same("4d6")],
            &[help("4 @ d6")],
        ],
    },
    Row {
        ours: &["d%"],
        theirs: [
            &[same("d100")],
            &[same("d100")],
            &[same("d%")],
            &[same("d100")],
            &[same("d100")],
        ],
    },
    Row {
        ours: &["4dF"],
        theirs: [
            &[same("4dF")],
            &[same("4df")],
            &[],
            &[same("4d{-1..1}")],
            &[],
        ],
    },
    Row {
        ours: &["d{1,1,2,3}"],
        theirs: [&[help("1t[table]")], &[], &[], &[same("d{1,1,2,3}")], &[]],
    },
    Row {
        ours: &["(1d4)d6"],
        theirs: [
            &[help("[[1d4]]d6")],
            &[same("(1d4)d6")],
            &[],
            &[same("(1d4)d6")],
            &[],
        ],
    },
    Row {
        ours: &["2d20kh1"],
        theirs: [
            &[same("2d20kh1")],
            &[same("2d20kh")],
            &[same("1d20adv")],
            &[help("[highest 1 of 2d20]")],
            &[help("d20.highest(2)")],
        ],
    },
    Row {
        ours: &["2d20kl1"],
        theirs: [
            &[same("2d20kl1")],
            &[same("2d20kl")],
            &[same("1d20dis")],
            &[help("[lowest 1 of 2d20]")],
            &[help("d20.lowest(2)")],
        ],
    },
    Row {
        ours: &["4d6kh3"],
        theirs: [
            &[same("4d6kh3"), same("4d6k3")],
            &[same("4d6kh3"), same("4d6k3")],
            &[same("4d6kh3")],
            &[help("[highest 3 of 4d6]")],
            &[help("d6.highest(4, 3)")],
        ],
    },
    Row {
        ours: &["4d6dl1"],
        theirs: [
            &[same("4d6dl1"), help("4d6d1")],
            &[same("4d6dl1"), help("4d6d1")],
            &[help("4d6pl1")],
            &[help("[highest 3 of 4d6]")],
            &[help("d6.highest(4, 3)")],
        ],
    },
    Row {
        ours: &["4d6dh1"],
        theirs: [
            &[same("4d6dh1")],
            &[same("4d6dh1")],
            &[help("4d6ph1")],
            &[help("[lowest 3 of 4d6]")],
            &[help("d6.lowest(4, 3)")],
        ],
    },
    Row {
        ours: &["5d6km1"],
        theirs: [&[], &[], &[], &[help("[middle 1 of 5d6]")], &[]],
    },
    Row {
        ours: &["3d6!"],
        theirs: [
            &[same("3d6!")],
            &[help("3d6x")],
            &[help("3d6e6")],
            &[],
            &[help("3 @ d6.explode()")],
        ],
    },
    Row {
        ours: &["3d6!>=5"],
        theirs: [
            &[other("3d6!>5")],
            &[help("3d6x>=5")],
            &[help("3d6e>4")],
            &[],
            &[],
        ],
    },
    Row {
        ours: &["4d6!=5"],
        theirs: [
            &[help("4d6!5")],
            &[help("4d6x5"), help("4d6x=5")],
            &[help("4d6e5")],
            &[],
            &[],
        ],
    },
    Row {
        ours: &["d{1..5:6, 7..12}"],
        theirs: [&[], &[help("d6xo")], &[help("d6ra6")], &[], &[]],
    },
    Row {
        ours: &["3d{1..5:36, 7..11:6, 13..18}"],
        theirs: [&[], &[], &[], &[help("3d[explode d6]")], &[]],
    },
    Row {
        ours: &["3d6!!"],
        theirs: [&[same("3d6!!")], &[], &[], &[], &[]],
    },
    Row {
        ours: &["3d6!p"],
        theirs: [&[same("3d6!p")], &[], &[], &[], &[]],
    },
    Row {
        ours: &["4d6r=1"],
        theirs: [
            &[help("4d6r1")],
            &[help("4d6rr1")],
            &[help("4d6rr1")],
            &[same("4d{2..6}")],
            &[],
        ],
    },
    Row {
        ours: &["4d6r<=2"],
        theirs: [
            &[other("4d6r<2")],
            &[help("4d6rr<=2")],
            &[help("4d6rr<3")],
            &[same("4d{3..6}")],
            &[],
        ],
    },
    Row {
        ours: &["4d6ro=1"],
        theirs: [
            &[help("4d6ro1")],
            &[help("4d6r1")],
            &[help("4d6ro1")],
            &[],
            &[],
        ],
    },
    Row {
        ours: &["8d6ro<2"],
        theirs: [&[], &[same("8d6ro<2")], &[same("8d6ro<2")], &[], &[]],
    },
    Row {
        ours: &["4d6min2"],
        theirs: [
            &[],
            &[same("4d6min2")],
            &[help("4d6mi2")],
            &[same("4d{2,2..6}")],
            &[],
        ],
    },
    Row {
        ours: &["4d6max5"],
        theirs: [
            &[],
            &[same("4d6max5")],
            &[help("4d6ma5")],
            &[same("4d{1..5,5}")],
            &[],
        ],
    },
    Row {
        ours: &["10d10>=8"],
        theirs: [
            &[other("10d10>8")],
            &[other("10d10cs>=8")],
            &[],
            &[help("[count {8..10} in 10d10]")],
            &[],
        ],
    },
    Row {
        ours: &["7d6={2,4}"],
        theirs: [&[], &[], &[], &[help("[count {2,4} in 7d6]")], &[]],
    },
    Row {
        ours: &["6d6>=5"],
        theirs: [&[], &[], &[], &[help("6d(d6>=5)")], &[]],
    },
    Row {
        ours: &["10d10>=8f1"],
        theirs: [
            &[other("10d10>8f1")],
            &[help("10d10cs>=8df=1")],
            &[],
            &[same("10d{-1,0:6,1:3}")],
            &[],
        ],
    },
    Row {
        ours: &["4d6sd"],
        theirs: [&[same("4d6sd")], &[], &[], &[], &[]],
    },
    Row {
        ours: &["1d20cs>=19cf<=2"],
        theirs: [&[other("1d20cs>19cf<2")], &[], &[], &[], &[]],
    },
    Row {
        ours: &["{2d6, 1d12}kh1"],
        theirs: [
            &[same("{2d6,1d12}kh1")],
            &[same("{2d6,1d12}kh")],
            &[help("(2d6, 1d12)kh1")],
            &[help("[highest of 2d6 and 1d12]")],
            &[],
        ],
    },
    Row {
        ours: &["{2d6 + 2d8}kh2"],
        theirs: [&[same("{2d6+2d8}kh2")], &[], &[], &[], &[]],
    },
    Row {
        ours: &["{2d6, 2d6}>=10"],
        theirs: [&[other("{2d6,2d6}>10")], &[], &[], &[], &[]],
    },
    Row {
        ours: &["7 % 3"],
        theirs: [
            &[same("7 % 3")],
            &[same("7 % 3")],
            &[same("7 % 3")],
            &[],
            &[],
        ],
    },
    Row {
        ours: &["2 ** 3"],
        theirs: [
            &[same("2**3")],
            &[same("pow(2, 3)")],
            &[],
            &[same("2^3")],
            &[],
        ],
    },
    Row {
        ours: &["floor(1d6 / 2)"],
        theirs: [
            &[same("floor(1d6/2)")],
            &[same("floor(1d6/2)")],
            &[help("1d6 // 2")],
            &[other("1d6/2")],
            &[],
        ],
    },
    Row {
        ours: &["max(1d6, 3)"],
        theirs: [
            &[same("{1d6,3}kh1")],
            &[same("max(1d6, 3)")],
            &[help("(1d6, 3)kh1")],
            &[help("[highest of 1d6 and 3]")],
            &[],
        ],
    },
    Row {
        ours: &["@Strength", "[Strength]"],
        theirs: [&[same("@{Strength}")], &[], &[], &[], &[]],
    },
    Row {
        ours: &["@abilities.str.mod"],
        theirs: [&[], &[same("@abilities.str.mod")], &[], &[], &[]],
    },
    Row {
        ours: &["[Bonus]"],
        theirs: [&[help("?{Bonus|2}")], &[], &[], &[], &[]],
    },
    Row {
        ours: &["1d20+5"],
        theirs: [
            &[same("/r 1d20+5"), same("/roll 1d20+5")],
            &[same("/r 1d20+5")],
            &[same("!r 1d20+5")],
            &[same("output 1d20+5")],
            &[],
        ],
    },
    Row {
        ours: &["1d20+5 # attack"],
        theirs: [&[], &[same("/r 1d20+5 # attack")], &[], &[], &[]],
    },
    Row {
        ours: &["2d6[cold] + 1d8[fire]"],
        theirs: [
            &[same("2d6[cold]+1d8[fire]")],
            &[same("2d6[cold]+1d8[fire]")],
            &[same("2d6[cold]+1d8[fire]")],
            &[],
            &[],
        ],
    },
    Row {
        ours: &["1d20 + 5 >= 15"],
        theirs: [
            &[],
            &[],
            &[same("1d20 + 5 >= 15")],
            &[same("1d20+5 >= 15")],
            &[],
        ],
    },
    Row {
        ours: &["1d20 + 5 vs 15"],
        theirs: [&[], &[], &[], &[], &[]],
    },
];
