//! What lines of attacks and fights say of somebody, after the name: scripts say it, and reports
//! read it.

/// Of somebody who is hit, before the location.
pub(super) const HIT: &str = " is hit in the ";

/// Of somebody who has a critical injury, before its text.
pub(super) const INJURED: &str = ": ";

/// Of somebody who is on fire, before the wounds.
pub(super) const BURNS: &str = " burns: wounds ";

/// Of somebody who has too much fatigue.
pub(super) const FALLS_UNCONSCIOUS: &str = " falls unconscious";

/// Of somebody who suffers a condition, before the condition.
pub(super) const SUFFERS: &str = " is ";

/// What a line tells of somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happening<'l> {
    /// A hit.
    Hit,
    /// A critical injury, with this text.
    Injury(&'l str),
    /// A condition, in these words: `is stunned for 2 rounds`.
    Condition(&'l str),
}

/// What a line tells of somebody of this name; `None` if it tells something else.
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
