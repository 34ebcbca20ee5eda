//! Tables of what a function of a script gives, on every engine.

use crate::engines;
use crate::programs::{first, script};
use dicec_runtime::pmf::Limits;
use serde_json::json;

/// Each row has the numbers `r[0]`, `r[1]`, ... of a call and last what it has to give: the
/// interpreter, every engine and exact odds have to agree.
///
/// # Panics
/// If a row does not hold.
pub fn hold<const N: usize>(definitions: &str, call: &str, rows: &[[i64; N]]) {
    let last = N - 1;
    let text = format!(
        "{definitions}\n\
         defroll \"Rows\" rows(all: int list list) {{\n\
             for (i : 0..len(all) - 1) {{\n\
                 r = all[i];\n\
                 if (({call}) != r[{last}]) {{ return i; }}\n\
             }}\n\
             return -1;\n\
         }}"
    );
    let rows: Vec<Vec<i64>> = rows.iter().map(|row| row.to_vec()).collect();
    let bound = first(&script(&text), &json!({ "all": rows }));
    let outcome = engines::check(&bound, 1, 2, &call);
    let wrong = outcome.results.first().copied();
    let row = wrong.and_then(|row| rows.get(usize::try_from(row).ok()?));
    assert_eq!(row, None, "{call}");
    assert_eq!(wrong, Some(-1), "{call}");
    let exact = bound.fractions(&Limits::default()).expect("small");
    assert!(exact.weight(-1).is_some(), "exact odds: {call}");
}
