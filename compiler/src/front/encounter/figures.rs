//! The names of the numbers that the script of an encounter notes: the script writes them, and
//! reports look them up.

use super::plan::{Kind, Plan};

/// The statistic of how many rounds a fight had.
pub const ROUNDS: &str = "rounds";

/// The statistic of how many of the first side stand at the end, where sides are told of.
pub const STANDING: &str = "standing";

/// The statistic of the hit points that they have left.
pub const HIT_POINTS: &str = "hit points";

/// The statistic of how many of the second side stand at the end.
pub const ENEMIES_STANDING: &str = "enemies standing";

/// The statistics of how many characters of each side are dead at the end, if it has some.
pub const DEAD: [&str; 2] = ["dead", "enemies dead"];

/// A kind of creatures, and the statistics about all of its creatures together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figures {
    /// What people call it.
    pub title: String,
    /// The index of its side.
    pub side: usize,
    /// How many there are.
    pub count: u32,
    /// Hit points of all of them at the beginning; `None` if they are rolled.
    pub most: Option<i64>,
    /// The statistic of how many stand at the end.
    pub standing: String,
    /// The statistic of the hit points that are left.
    pub hit_points: String,
    /// The statistic of how many are dead, of characters.
    pub dead: Option<String>,
    /// How much damage they took.
    pub taken: Taken,
    /// What its creatures do damage with.
    pub deeds: Vec<DeedFigure>,
}

/// Where the damage that creatures took is known from: the hit points that they lost, temporary
/// ones included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taken {
    /// From the hit points that are left of these.
    Of(i64),
    /// From a statistic.
    Noted(String),
    /// From nothing: hit points are rolled.
    Unknown,
}

/// An attack or another action, and the statistic of the damage that it does at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeedFigure {
    /// Its name.
    pub name: String,
    /// The statistic of its damage.
    pub damage: String,
}

impl Plan {
    /// What is known about each kind after a fight, in the order in which kinds are listed.
    pub fn figures(&self) -> Vec<Figures> {
        let kinds = self.kinds.iter().map(|kind| {
            let name = |what: &str| format!("{}: {what}", kind.title);
            let deeds = kind.damaging().into_iter().map(|deed| DeedFigure {
                name: deed.to_owned(),
                damage: damage_figure(kind, deed),
            });
            let is_known = self.hit_dice[kind.number].is_none();
            Figures {
                title: kind.title.clone(),
                side: kind.side,
                count: kind.count,
                most: is_known.then(|| i64::from(kind.count) * kind.creature.hp),
                standing: name("standing"),
                hit_points: name("hit points"),
                dead: kind.is_character.then(|| name("dead")),
                taken: self.taken(kind),
                deeds: deeds.collect(),
            }
        });
        kinds.collect()
    }

    fn taken(&self, kind: &Kind) -> Taken {
        match (self.may_recover(kind), &self.hit_dice[kind.number]) {
            (true, _) => Taken::Noted(taken_figure(kind)),
            (false, None) => Taken::Of(i64::from(kind.count) * kind.creature.hp),
            (false, Some(_)) => Taken::Unknown,
        }
    }
}

/// The statistic of the damage that a kind takes, where it is noted.
pub(super) fn taken_figure(kind: &Kind) -> String {
    format!("{}: damage taken", kind.title)
}

/// The statistic of the damage of something that a kind does.
pub(super) fn damage_figure(kind: &Kind, deed: &str) -> String {
    format!("{}: damage, {deed}", kind.title)
}
