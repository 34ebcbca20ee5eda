//! Refused questions, and the ends of the range of values.

use dashu_int::UBig;

use super::{Exact, Float, big, pool, sides};
use crate::control::Control;
use crate::pmf::{Budget, CombineError, Exhausted, Limits, Overflow, Pmf, Resource, Weight};

#[test]
fn hopeless_questions_are_refused_at_once() {
    fn check<W: Weight>() {
        let limits = [
            Limits::default(),
            Limits {
                work: u64::MAX,
                ..Limits::default()
            },
        ];
        for limits in limits {
            let huge = 1_000_000_000_000_000_000;
            for (count, s) in [
                (huge, huge),
                (huge, 2),
                (1, huge),
                (2, huge),
                (u64::MAX, 1),
                (u64::MAX, u64::MAX),
            ] {
                let mut budget = Budget::new(limits);
                assert!(Pmf::<W>::pool(count, sides(s), &mut budget).is_err());
                assert_eq!(budget.spent(), 0);
            }
            assert!(Pmf::<W>::die(sides(huge), &mut Budget::new(limits)).is_err());
        }
        assert_eq!(pool::<W>(1_000_000, 1), Pmf::point(1_000_000));
    }
    check::<f64>();
    check::<UBig>();
}

#[test]
fn refusals_name_their_limit() {
    let mut budget = Budget::new(Limits {
        work: 10_000,
        outcomes: 100,
    });
    let wide = Float::pool(1, sides(101), &mut budget);
    let outcomes = Exhausted {
        resource: Resource::Outcomes,
        limit: 100,
    };
    assert_eq!(wide, Err(outcomes));
    assert_eq!(
        outcomes.to_string(),
        "an exact answer needs more than 100 outcomes"
    );
    let work = Exhausted {
        resource: Resource::Work,
        limit: 10_000,
    };
    assert_eq!(budget.spend(10_001, 1), Err(work));
    assert_eq!(
        (budget.spend(10_000, 1), budget.spend(1, 1)),
        (Ok(()), Err(work))
    );
    assert_eq!(budget.spent(), 10_000);

    // A result that turns out too large, scattered or dense.
    for stride in [1, 1_000_000] {
        let mut budget = Budget::new(Limits {
            outcomes: 100,
            ..Limits::default()
        });
        let die: Float = pool(1, 90);
        let spread = die.combine(&die, &mut budget, |x, y| {
            Ok::<_, Overflow>((x + 90 * y) * stride)
        });
        assert_eq!(spread, Err(CombineError::Exhausted(outcomes)));
    }
}

#[test]
fn a_cancelled_question_ends_at_its_next_operation() {
    let control = Control::default();
    let mut budget = Budget::default().under(&control);
    assert_eq!(budget.spend(10, 1), Ok(()));
    control.clone().cancel();
    let cancelled = Exhausted {
        resource: Resource::Cancelled,
        limit: 10,
    };
    assert_eq!(budget.spend(10, 1), Err(cancelled));
    assert_eq!(Float::pool(3, sides(6), &mut budget), Err(cancelled));
}

#[test]
fn the_ends_of_i64() {
    let mut budget = Budget::default();
    let ends = Float::from_weights([(i64::MIN, 1.0), (i64::MAX, 1.0)]).expect("weights");
    assert_eq!(
        (ends.min(), ends.max(), ends.len()),
        (i64::MIN, i64::MAX, 2)
    );
    assert_eq!(
        (ends.quantile(0.5), ends.quantile(1.0)),
        (i64::MIN, i64::MAX)
    );
    assert!((ends.mean() + 0.5).abs() < 1.0 && ends.variance() > 1e37);
    assert_eq!(
        ends.sum(&ends, &mut budget),
        Err(CombineError::Value(Overflow))
    );
    let same = ends.map(&mut budget, Ok::<_, Overflow>).expect("fits");
    assert_eq!(same, ends);
    let exact = Exact::from_weights([(i64::MIN, big(1)), (i64::MAX, big(1))]).expect("weights");
    assert_eq!(exact.mean(), -0.5);

    let top = Float::from_weights([(i64::MAX - 1, 1.0), (i64::MAX, 1.0)]).expect("weights");
    let zero = Float::from_weights([(-1, 1.0), (0, 1.0)]).expect("weights");
    let sum = top.sum(&zero, &mut budget).expect("fits");
    assert_eq!(
        (sum.min(), sum.max(), sum.len()),
        (i64::MAX - 2, i64::MAX, 3)
    );
    assert_eq!((top.at_most(i64::MAX), top.at_least(i64::MAX)), (1.0, 0.5));
    let gap = Float::from_weights([(i64::MAX - 2, 1.0), (i64::MAX, 1.0)]).expect("weights");
    let sum = gap.sum(&Float::point(0), &mut budget).expect("fits");
    assert_eq!(
        sum.iter().map(|(v, _)| v).collect::<Vec<_>>(),
        [i64::MAX - 2, i64::MAX]
    );
    assert_eq!(
        (gap.relation(&top).less, top.weight(i64::MAX)),
        (0.5, Some(&0.5))
    );
    let spilled = gap.combine(&ends, &mut budget, |x, y| {
        Ok::<_, Overflow>(if y < 0 { y } else { x })
    });
    assert_eq!(spilled.map(|pmf| pmf.len()), Ok(3));
}
