//! Conditions of creatures, and what they do to attacks and saves.

/// Conditions of the SRD 5.1 that are modelled, and other effects of features on creatures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::encounter) enum Condition {
    Blinded,
    Frightened,
    Incapacitated,
    Paralyzed,
    Petrified,
    Poisoned,
    Prone,
    Restrained,
    Stunned,
    Unconscious,
    /// Attacks on it have advantage (SRD 5.1, "Faerie Fire").
    Outlined,
    /// The next attack on it has advantage (SRD 5.1, "Guiding Bolt").
    Lit,
    /// Does nothing in its next turn (seed 001: `Surprised`).
    Surprised,
    /// Does not move (seed 001: `MOVESPEED` is 0).
    Rooted,
    /// Has disadvantage on attack rolls.
    Hampered,
    /// Misses with all attacks.
    Harmless,
    /// Has disadvantage on saving throws.
    Shaken,
    /// Fails all saving throws.
    Doomed,
    /// Has disadvantage on ability checks.
    Clumsy,
    /// Fails all ability checks.
    Inept,
    /// Has disadvantage on checks to escape.
    Entangled,
    /// Fails all checks to escape.
    Trapped,
}

/// The condition of this name, if stat blocks name it so.
pub(crate) fn condition_named(name: &str) -> Option<&'static str> {
    let mut names = Condition::ALL.iter().map(|one| one.name());
    names.find(|one| *one == name)
}

impl Condition {
    /// Those that stat blocks name.
    pub(in crate::encounter) const ALL: [Condition; 10] = [
        Self::Blinded,
        Self::Frightened,
        Self::Incapacitated,
        Self::Paralyzed,
        Self::Petrified,
        Self::Poisoned,
        Self::Prone,
        Self::Restrained,
        Self::Stunned,
        Self::Unconscious,
    ];

    /// Those that spells cause, by the names of their actions.
    pub(in crate::encounter) const OF_SPELLS: [Condition; 2] = [Self::Outlined, Self::Lit];

    /// As stat blocks name it.
    pub(in crate::encounter) fn name(self) -> &'static str {
        match self {
            Self::Blinded => "blinded",
            Self::Frightened => "frightened",
            Self::Incapacitated => "incapacitated",
            Self::Paralyzed => "paralyzed",
            Self::Petrified => "petrified",
            Self::Poisoned => "poisoned",
            Self::Prone => "prone",
            Self::Restrained => "restrained",
            Self::Stunned => "stunned",
            Self::Unconscious => "unconscious",
            Self::Outlined => "outlined",
            Self::Lit => "lit",
            Self::Surprised => "surprised",
            Self::Rooted => "rooted to the ground",
            Self::Hampered => "hampered in attacks",
            Self::Harmless => "unable to hit",
            Self::Shaken => "hampered in saves",
            Self::Doomed => "unable to save",
            Self::Clumsy => "hampered in checks",
            Self::Inept => "unable to succeed in checks",
            Self::Entangled => "hampered in escapes",
            Self::Trapped => "unable to escape",
        }
    }

    /// Whether creatures with it cannot act (SRD 5.1, "Conditions").
    pub(in crate::encounter) fn incapacitates(self) -> bool {
        matches!(self, Self::Incapacitated | Self::Surprised) || self.fails_saves()
    }

    /// Whether saves of Strength and Dexterity fail.
    pub(in crate::encounter) fn fails_saves(self) -> bool {
        use Condition::{Paralyzed, Petrified, Stunned, Unconscious};
        matches!(self, Paralyzed | Petrified | Stunned | Unconscious)
    }

    /// Whether attacks by creatures with it have disadvantage.
    pub(in crate::encounter) fn hinders(self) -> bool {
        use Condition::{Blinded, Frightened, Hampered, Poisoned, Prone, Restrained};
        matches!(
            self,
            Blinded | Frightened | Hampered | Poisoned | Prone | Restrained
        )
    }

    /// Whether attacks on creatures with it have advantage; on prone ones only in melee.
    pub(in crate::encounter) fn exposes(self) -> bool {
        use Condition::{Blinded, Lit, Outlined, Restrained};
        matches!(self, Blinded | Lit | Outlined | Restrained) || self.fails_saves()
    }

    /// Whether a hit in melee is critical.
    pub(in crate::encounter) fn makes_critical(self) -> bool {
        matches!(self, Self::Paralyzed | Self::Unconscious)
    }
}
