//! `f64` and exact weights agree on random tables.

use dashu_int::UBig;
use proptest::prelude::*;

use super::{Exact, Float, assert_agree, big, pool};
use crate::pmf::{Budget, CombineError, Overflow, Pmf, Weight};

/// A table of up to 12 values near zero, or far apart, with small weights.
fn any_entries() -> impl Strategy<Value = Vec<(i64, u64)>> {
    let near = prop::collection::vec((-20_i64..20, 1_u64..50), 1..12);
    let far = prop::collection::vec(
        (-1_000_000_000_000_i64..1_000_000_000_000, 1_u64..50),
        1..12,
    );
    prop_oneof![near, far]
}

fn both(entries: &[(i64, u64)]) -> (Float, Exact) {
    let float = Pmf::from_weights(entries.iter().map(|(v, w)| (*v, *w as f64)));
    let exact = Pmf::from_weights(entries.iter().map(|(v, w)| (*v, big(*w))));
    (float.expect("weights"), exact.expect("weights"))
}

/// A table that depends on a value.
fn alternate<W: Weight>(
    n: i64,
    even: &Pmf<W>,
    odd: &Pmf<W>,
) -> Result<Pmf<W>, CombineError<Overflow>> {
    Ok(if n % 2 == 0 {
        even.clone()
    } else {
        odd.clone()
    })
}

proptest! {
    #[test]
    fn pools_agree(count in 0_u64..150, s in 1_u64..40) {
        assert_agree(&pool(count, s), &pool(count, s))?;
    }

    #[test]
    fn sums_agree_with_combinations(a in any_entries(), b in any_entries()) {
        let mut budget = Budget::default();
        let ((fa, ea), (fb, eb)) = (both(&a), both(&b));
        let float = fa.sum(&fb, &mut budget).expect("fits");
        let exact = ea.sum(&eb, &mut budget).expect("fits");
        assert_agree(&float, &exact)?;
        let pairs = ea.combine(&eb, &mut budget, |x, y| Ok::<_, Overflow>(x + y)).expect("fits");
        prop_assert_eq!(&exact, &pairs);
        let sum: UBig = exact.iter().map(|(_, w)| w).sum();
        prop_assert_eq!(&sum, exact.total());
        prop_assert!((float.mean() - exact.mean()).abs() <= 1e-12 * (1.0 + exact.mean().abs() + exact.sd()));
        prop_assert!((float.sd() - exact.sd()).abs() <= 1e-12 * (1.0 + exact.sd()));
    }

    #[test]
    fn products_and_maps_agree(a in any_entries(), b in any_entries(), modulus in 1_i64..9) {
        let mut budget = Budget::default();
        let ((fa, ea), (fb, eb)) = (both(&a), both(&b));
        let product = |x: i64, y: i64| Ok::<_, Overflow>((x % 1000).wrapping_mul(y));
        let float = fa.combine(&fb, &mut budget, product).expect("fits");
        let exact = ea.combine(&eb, &mut budget, product).expect("fits");
        assert_agree(&float, &exact)?;
        let rest = |x: i64| Ok::<_, Overflow>(x.rem_euclid(modulus));
        let float = float.map(&mut budget, rest).expect("fits");
        let exact = exact.map(&mut budget, rest).expect("fits");
        assert_agree(&float, &exact)?;
        let float = float.bind(&mut budget, |n, _| alternate(n, &fa, &fb)).expect("fits");
        let exact = exact.bind(&mut budget, |n, _| alternate(n, &ea, &eb)).expect("fits");
        assert_agree(&float, &exact)?;
    }

    #[test]
    fn quantiles_and_tails_agree(a in any_entries(), p in 0.0..=1.0_f64, x in -25_i64..25) {
        let (float, exact) = both(&a);
        prop_assert!((float.at_least(x) - exact.at_least(x)).abs() < 1e-13);
        prop_assert!((float.at_most(x) + exact.at_least(x + 1) - 1.0).abs() < 1e-13);
        let v = exact.quantile(p);
        prop_assert!(exact.at_most(v) >= p && (v == exact.min() || exact.at_most(v - 1) < p));
    }
}
