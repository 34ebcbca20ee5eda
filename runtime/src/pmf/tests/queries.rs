//! Tails, quantiles, comparisons and ratios against known values.

use dashu_int::UBig;
use num_traits::Pow;

use super::{Exact, big, pool};
use crate::float::key;
use crate::pmf::{Pmf, Weight, ratio};
use crate::scale::Scale;

#[test]
fn tails_and_quantiles() {
    fn check<W: Weight>() {
        let die: Pmf<W> = pool(1, 10);
        for tenths in 1..=10 {
            assert_eq!(die.quantile(f64::from(tenths) / 10.0), i64::from(tenths));
        }
        assert_eq!((die.quantile(0.0), die.quantile(f64::NAN)), (1, 1));
        assert_eq!((die.quantile(-5.0), die.quantile(7.0)), (1, 10));
        assert!((die.at_least(8) - 0.3).abs() < 1e-15);
        assert!((die.at_most(8) - 0.8).abs() < 1e-15);
        assert_eq!((die.at_least(11), die.at_most(0)), (0.0, 0.0));
        assert_eq!((die.at_least(i64::MIN), die.at_most(i64::MAX)), (1.0, 1.0));
        assert_eq!((die.at_least(i64::MAX), die.at_most(i64::MIN)), (0.0, 0.0));
    }
    check::<f64>();
    check::<UBig>();
}

#[test]
fn relations() {
    let relation = pool::<UBig>(2, 6).relation(&pool(1, 8));
    // Of 288 pairs; by hand, sum over t of ways(2d6 = t) times the faces of the d8 above, at and
    // below t.
    assert_eq!(relation.total, big(288));
    let (mut less, mut equal) = (0, 0);
    for (a, b, c) in
        (1..=6).flat_map(|a| (1..=6).flat_map(move |b| (1..=8).map(move |c| (a, b, c))))
    {
        less += u64::from(a + b < c);
        equal += u64::from(a + b == c);
    }
    assert_eq!((&relation.less, &relation.equal), (&big(less), &big(equal)));
    assert_eq!(relation.greater, big(288 - less - equal));
    let float = pool::<f64>(2, 6).relation(&pool(1, 8));
    assert!((float.less - less as f64 / 288.0).abs() < 1e-15);
    assert!((float.equal - equal as f64 / 288.0).abs() < 1e-15);
    let sum = float.less + float.equal + float.greater;
    assert!((sum - 1.0).abs() <= float.error_bound() && float.error_bound() < 1e-13);
}

#[test]
fn ratios_of_numbers_beyond_f64() {
    let large: UBig = Pow::pow(big(6), 1000_u32);
    assert_eq!(ratio(&large, &(&large * 10_u32)), 0.1);
    assert_eq!(ratio(&(&large * 7_u32), &large), 7.0);
    assert_eq!(ratio(&big(1), &large), 0.0);
    assert_eq!(ratio(&large, &big(1)), f64::INFINITY);
    assert_eq!(ratio(&UBig::ZERO, &large), 0.0);
    let third = ratio(&large, &(&large * 3_u32 + 1_u32));
    assert_eq!(third, 1.0 / 3.0);
    let exact: Exact = pool(1000, 6);
    assert_eq!(exact.mean(), 3500.0);
    assert_eq!(exact.at_least(3500) + exact.at_most(3499), 1.0);
}

#[test]
fn moments_of_floats() {
    let halves = Pmf::from_weights((1..=6).map(|face| (key(f64::from(face) / 2.0), 1.0)));
    let halves = halves.expect("weights");
    assert_eq!(halves.mean_on(Scale::Float), 1.75);
    assert!((halves.sd_on(Scale::Float) - (35.0_f64 / 48.0).sqrt()).abs() < 1e-15);
    assert_eq!(halves.mean_on(Scale::Whole), halves.mean());
    let point = Pmf::<UBig>::point(key(0.1));
    assert_eq!(
        (point.mean_on(Scale::Float), point.sd_on(Scale::Float)),
        (0.1, 0.0)
    );
    let far = Pmf::from_weights([(key(-1e308), 1.0), (key(1e308), 1.0)]).expect("weights");
    assert_eq!(far.mean_on(Scale::Float), 0.0);
    assert_eq!(far.sd_on(Scale::Float), f64::INFINITY);
}
