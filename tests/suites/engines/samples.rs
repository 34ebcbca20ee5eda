//! Native samples of every construct fit its exact distribution, by chi-square on fixed seeds, in
//! both sampling modes.

use dicec_compiler::Simulation;
use dicec_compiler::unstable::Sampling;
use dicec_tests::fit;
use dicec_tests::programs::{bare, notation, rule};

/// Each construct alone, and some together.
const RULES: [&str; 64] = [
    "3d6",
    "d%",
    "4dF",
    "3d{1, 1, 2, 3}",
    "2d{hit, -4, 7}",
    "(1d4)d6",
    "2d(1d6 + 1)",
    "4d6kh3",
    "4d6kl3",
    "4d6dh1",
    "4d6dl1",
    "2d20k",
    "20d6kh10",
    "5d8dl1dh1",
    "4d6kh(1d4)",
    "(1d5)d6kh2",
    "3d6!",
    "3d6!>=5",
    "3d6!=2",
    "3d6!!",
    "3d6!!<3",
    "3d6!p",
    "3d6!p>4",
    "4d6!kh3",
    "4d6!!kl2",
    "4d6!pdl1",
    "2d6!>=(1d3 + 3)",
    "4d6r<3",
    "4d6r=1r=6",
    "4d6ro<3",
    "4d6ro=1kh3",
    "4d6r<(1d3)",
    "3d6r<2!",
    "3d6!r<3",
    "4d6min2",
    "4d6max5",
    "4d6min2max5kh2",
    "3d6!min3",
    "3d6min3!",
    "3d6!!max8",
    "10d10>=8",
    "10d10>=8f1",
    "10d10>=8f<3",
    "6d10kh3>=7",
    "5d10!=10>=8",
    "5d10!!>=12",
    "4d6>=(1d6)",
    "4d6sd",
    "{2d6, 1d12}kh1",
    "{1d4, 1d6, 1d8}kl2",
    "{1d8!, 1d6!}kh1",
    "{4d6 + 2d8}kh2",
    "{4d6 + 2d8 + 3}dl1",
    "{2d6, 2d6, 1d10}>=7f<4",
    "{3d6 + 1d8}>=5",
    "{{2d6, 1d8}kh1, 3d4}kl1",
    "{10d10>=6} + 2",
    "max(1d20, 2d6) - min(1d4, 3) + abs(1d6 - 4)",
    "floor(3d6 / 2) + ceil(1d6 / 4) + round(1d6 / 4)",
    "(2d6) % 4 >= 2",
    "100d6",
    "30d4 - 16d6 + 2d8",
    "2d20kh1 + 7 vs 1d6 + 15",
    "{1d20 + 2 vs 15, 1d20!}kh1",
];

#[test]
fn samples_of_every_construct_fit() {
    for (text, seed) in RULES.iter().zip(1000..) {
        let bound = bare(&notation(text));
        for sampling in [Sampling::Faithful, Sampling::Fused] {
            // Of 128 right samples one in about ten thousand runs would fail, and these seeds do
            // not.
            let simulation = Simulation::trials(30_000).seed(seed).sampling(sampling);
            fit::check(&bound, &simulation, 1.0);
        }
    }
}

/// What the two dialects spell differently, in the rule book's.
#[test]
fn samples_of_the_rule_books_spellings_fit() {
    for (text, seed) in [
        ("10d10 count>=8", 1),
        ("10d10 cs>=8 fail=1", 2),
        ("5 + 6d6!==6 count>=4", 3),
        ("4d6kh3 >= 13", 4),
        ("{2d6, 1d8}kh1 count>=7", 5),
    ] {
        let simulation = Simulation::trials(30_000).seed(seed);
        fit::check(&bare(&rule(text)), &simulation, 1.0);
    }
}
