//! Makes fused draws: straight-line code of dice with its exact distribution.

use super::distribution;
use crate::ir::{Function, FusedDraw, Tables, verify_function};

/// The draw of the result of `code`. `None` if its distribution takes too long to compute, or has
/// no table.
pub(crate) fn fused_draw(code: Function) -> Option<FusedDraw> {
    verify_function(&code, &Tables::default()).ok()?;
    let distribution = distribution::distribution(&code)?;
    FusedDraw::new(code, &distribution)
}
