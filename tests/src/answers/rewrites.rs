//! Each rewrite by its contract.

use super::guard::guarded;
use super::{Check, Counts, Effort, Fault, limits};
use dicec_compiler::{Bound, verify};

/// Each rewrite and each stage does what its contract says; `counts` has the passes that ran.
///
/// # Errors
/// The first that does not.
pub fn verified(
    bound: &Bound,
    rewrites: &verify::Effort,
    effort: &Effort,
    counts: &mut Counts,
) -> Result<(), Fault> {
    guarded(Check::Verified, || {
        let found = bound.verify(rewrites, &limits(effort));
        let found = found.map_err(|failure| failure.to_string())?;
        if let Some(fault) = found.fault {
            let dicec_compiler::unstable::Fault {
                name,
                place,
                difference,
                ..
            } = fault;
            return Err(format!("{name} ({place}): {difference}"));
        }
        for (pass, checked) in found.passes {
            let passed = counts.passes.entry(pass).or_default();
            *passed = passed.and(&checked);
        }
        Ok(())
    })?;
    counts.note(Check::Verified);
    Ok(())
}
