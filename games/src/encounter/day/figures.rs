//! The names of the statistics of a day's script: the script notes them, and reports look them up.
//!
//! Those of a fight are noted on the days that win it, its rounds on all days that come to it.

/// The statistics of a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DayFigures {
    /// The hit points of the whole party.
    pub most: i64,
    /// The spell slots of the whole party.
    pub slots: i64,
    /// The kinds of creatures of the party.
    pub heroes: Vec<HeroFigures>,
    /// The fights, in order.
    pub fights: Vec<FightFigures>,
}

/// A kind of creatures of the party.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeroFigures {
    /// Its name.
    pub name: String,
    /// The number of creatures.
    pub count: u32,
    /// The hit points of all of them.
    pub most: i64,
}

/// The statistics of a fight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FightFigures {
    /// What people call it: its enemies.
    pub name: String,
    /// The number of rounds.
    pub rounds: String,
    /// The number of the party that stand after it.
    pub standing: String,
    /// The number of the party that are dead after it.
    pub dead: String,
    /// The hit points of the party after it.
    pub hit_points: String,
    /// The spell slots of the party after it.
    pub slots: String,
    number: usize,
}

impl FightFigures {
    pub(super) fn of(number: usize, name: &str) -> Self {
        let named = |what: &str| format!("{number}: {what}");
        Self {
            name: name.to_owned(),
            rounds: named("rounds"),
            standing: named("standing"),
            dead: named("dead"),
            hit_points: named("hit points"),
            slots: named("slots"),
            number,
        }
    }

    /// The hit points of the creatures of a kind, by its index, after the fight.
    pub fn hit_points_of(&self, hero: usize) -> String {
        format!("{}: hit points of {}", self.number, hero + 1)
    }

    /// The number of its creatures that are dead after the fight.
    pub fn dead_of(&self, hero: usize) -> String {
        format!("{}: dead of {}", self.number, hero + 1)
    }

    /// The results of the day's script that this fight ends: the party is defeated, flees, or
    /// fights until the last round.
    pub fn endings(&self) -> [String; 3] {
        ["defeated", "fled", "undecided"].map(|how| format!("{how}{}", self.number))
    }
}

/// The result of the day's script if the party wins all fights.
pub const SURVIVED: &str = "survived";
