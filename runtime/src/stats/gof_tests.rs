//! The chi-square test against a textbook, and with merged or grouped cells.

use super::{Tally, chi_square};
use crate::pmf::Pmf;

fn rolled(values: &[i64]) -> Tally {
    let mut tally = Tally::sparse();
    values.iter().for_each(|&value| tally.record(value));
    tally
}

/// A textbook die: 60 rolls of 5, 8, 9, 8, 10, 20 give 13.4 on 5 degrees of freedom, p = 0.0199.
#[test]
fn chi_square_of_a_loaded_die() {
    let mut tally = Tally::dense(1, 6);
    tally.add_counts(1, &[5, 8, 9, 8, 10, 20]);
    let die = Pmf::from_weights((1..=6).map(|face| (face, 1.0))).expect("weights");
    let fit = chi_square(&tally, &die);
    assert!((fit.statistic - 13.4).abs() < 1e-12, "{fit:?}");
    assert_eq!(fit.degrees_of_freedom, 5);
    assert!(
        (fit.p_value - 0.019_905_220_334_775_24).abs() < 1e-9,
        "{fit:?}"
    );

    tally.record(7);
    let fit = chi_square(&tally, &die);
    assert_eq!((fit.p_value, fit.statistic), (0.0, f64::INFINITY));
}

#[test]
fn chi_square_merges_small_cells() {
    let table = Pmf::from_weights([(1, 1.0), (2, 1.0), (3, 1.0), (5, 7.0)]).expect("weights");
    let mut tally = Tally::sparse();
    tally.add_counts(1, &[2, 4, 3, 0, 21]);
    // Of 30, 3 + 3 are expected in the first cell and 3 + 21 in the last.
    let fit = chi_square(&tally, &table);
    assert_eq!((fit.degrees_of_freedom, fit.statistic), (1, 0.0));
    assert_eq!(fit.p_value, 1.0);
    let fit = chi_square(&Tally::sparse(), &table);
    assert_eq!(
        (fit.degrees_of_freedom, fit.statistic, fit.p_value),
        (0, 0.0, 1.0)
    );
    let fit = chi_square(&rolled(&[4]), &table);
    assert_eq!(fit.p_value, 0.0);
    assert_eq!(chi_square(&rolled(&[4, 4]), &Pmf::point(4)).p_value, 1.0);
}

#[test]
fn chi_square_groups_the_table_like_the_tally() {
    let length = 1500;
    let mut tally = Tally::with_groups(1000);
    (0..2 * length).for_each(|i| tally.record(i % length - 5));
    let table = Pmf::from_weights((0..length).map(|v| (v - 5, 1.0))).expect("weights");
    let fit = chi_square(&tally, &table);
    assert_eq!(tally.resolution(), 2);
    assert!(fit.statistic < 1e-6 && fit.p_value > 0.999_999, "{fit:?}");
}
