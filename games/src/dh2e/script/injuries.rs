//! Critical injuries as functions of a script: `match`es on the location and the severity of a hit
//! (seed 003, "Critical Injuries").

use super::write::ScriptText;
use crate::dh2e::json::Wrong;
use crate::dh2e::location::LOCATIONS;
use crate::dh2e::tables::{Injuries, InjuryRow};
use crate::script_text::{Joined, ScriptCode, code};

/// Writes the choice of an injury for damage of a type, by `place` and `severe`. `effect` gives the
/// effect of a row.
///
/// # Errors
/// The table has a gap, or two rows for one hit.
pub(super) fn write_injuries(
    table: Injuries<'_>,
    damage_type: &str,
    effect: &dyn Fn(&InjuryRow) -> ScriptCode,
    out: &mut ScriptText,
) -> Result<(), Wrong> {
    let mut arms: Vec<(Vec<&'static str>, ScriptCode)> = Vec::new();
    for location in LOCATIONS {
        let choice = by_severity(&table.rows(damage_type, location)?, effect);
        match arms.iter_mut().find(|(_, other)| *other == choice) {
            Some((locations, _)) => locations.push(location),
            None => arms.push((vec![location], choice)),
        }
    }
    match &arms[..] {
        [(_, everywhere)] => out.line(everywhere),
        arms => {
            out.line("match (place) {");
            for (locations, choice) in arms {
                out.line(code!(
                    "{}: {{\n{choice}\n}}",
                    locations.joined(", "),
                    choice
                ));
            }
            out.line("}");
        }
    }
    Ok(())
}

/// The choice between rows of rising severity, as statements.
fn by_severity(rows: &[&InjuryRow], effect: &dyn Fn(&InjuryRow) -> ScriptCode) -> ScriptCode {
    if let [only] = rows {
        return effect(only);
    }
    let mut lines = vec![ScriptCode::from("match (severe) {")];
    for (index, row) in rows.iter().enumerate() {
        let from = row.severity.get();
        let next = rows.get(index + 1).map(|next| next.severity.get() - 1);
        let arm = match (index, next) {
            (0, Some(to)) => code!("..{to}", to),
            (_, Some(to)) if to == from => from.into(),
            (_, Some(to)) => code!("{from}..{to}", from, to),
            (_, None) => code!("{from}..", from),
        };
        lines.push(code!("{arm}: {{\n{}\n}}", effect(row), arm));
    }
    lines.push(ScriptCode::from("}"));
    lines.joined("\n")
}
