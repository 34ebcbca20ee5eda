//! The phrases about a fighter in lines of attacks and fights, after the name: scripts output them,
//! and reports parse them.

/// A hit, before the location.
pub(super) const HIT: &str = " is hit in the ";

/// A critical injury, before its text.
pub(super) const INJURED: &str = ": ";

/// A fighter on fire, before the wounds.
pub(super) const BURNS: &str = " burns: wounds ";

/// A fighter with too much fatigue.
pub(super) const FALLS_UNCONSCIOUS: &str = " falls unconscious";

/// A condition, before its name.
pub(super) const SUFFERS: &str = " is ";

/// The event that a line reports about a fighter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happening<'l> {
    /// A hit.
    Hit,
    /// A critical injury, with this text.
    Injury(&'l str),
    /// A condition, in these words: `is stunned for 2 rounds`.
    Condition(&'l str),
}

/// The event that a line reports about the fighter with this name; `None` for other lines.
pub fn happening<'l>(name: &str, line: &'l str) -> Option<Happening<'l>> {
    let said = line.strip_prefix(name)?;
    if let Some(injury) = said.strip_prefix(INJURED) {
        return Some(Happening::Injury(injury));
    }
    if said.starts_with(HIT) {
        return Some(Happening::Hit);
    }
    if said.starts_with(BURNS) {
        return Some(Happening::Condition("burns"));
    }
    let suffers = said == FALLS_UNCONSCIOUS || said.starts_with(SUFFERS);
    suffers.then(|| Happening::Condition(said.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_about_somebody() {
        let scav = |line| happening("Scav 1", line);
        let hit = "Scav 1 is hit in the head: damage {}, wounds {}";
        assert_eq!(scav(hit), Some(Happening::Hit));
        let injury = Happening::Injury("ribs break");
        assert_eq!(scav("Scav 1: ribs break"), Some(injury));
        let stunned = Happening::Condition("is stunned for 2 rounds");
        assert_eq!(scav("Scav 1 is stunned for 2 rounds"), Some(stunned));
        let burns = Happening::Condition("burns");
        assert_eq!(scav("Scav 1 burns: wounds {}"), Some(burns));
        let falls = Happening::Condition("falls unconscious");
        assert_eq!(scav("Scav 1 falls unconscious"), Some(falls));
        assert_eq!(scav("Scav 1 attacks Orrin Vale with the Pipe gun"), None);
        assert_eq!(scav("Scav 10: ribs break"), None);
    }
}
