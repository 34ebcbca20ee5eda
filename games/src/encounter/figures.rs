//! The names of the statistics of an encounter's script: the script notes them, and reports look
//! them up.

use super::plan::{Kind, Plan};

/// The statistic with the number of rounds.
pub const ROUNDS: &str = "rounds";

/// The statistic with the number of creatures of the first side that stand at the end.
pub const STANDING: &str = "standing";

/// The statistic of the hit points that they have left.
pub const HIT_POINTS: &str = "hit points";

/// The statistic with the number of creatures of the second side that stand at the end.
pub const ENEMIES_STANDING: &str = "enemies standing";

/// The statistics with the number of dead characters of each side at the end, if it has characters.
pub const DEAD: [&str; 2] = ["dead", "enemies dead"];

/// The statistics of the hit points that a side has left, if it has several kinds of creatures.
pub(super) const SIDES_HIT_POINTS: [&str; 2] = [HIT_POINTS, "enemies hit points"];

/// A side, and the statistics about all of its creatures together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideFigures {
    /// Its total hit points at the beginning; `None` if they are rolled.
    pub most: Option<i64>,
    /// The statistic of the hit points that are left.
    pub hit_points: String,
    /// The statistic with the number of dead, if it has characters.
    pub dead: Option<String>,
}

/// A kind of creatures, and the statistics about all of its creatures together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figures {
    /// The title of the kind.
    pub title: String,
    /// The index of its side.
    pub side: usize,
    /// The number of creatures.
    pub count: u32,
    /// Their total hit points at the beginning; `None` if they are rolled.
    pub most: Option<i64>,
    /// The statistic with the number that stand at the end.
    pub standing: String,
    /// The statistic of the hit points that are left.
    pub hit_points: String,
    /// For characters, the statistic with the number of dead.
    pub dead: Option<String>,
    /// How much damage they took.
    pub taken: Taken,
    /// The actions with which its creatures do damage.
    pub deeds: Vec<DeedFigure>,
}

/// The source of the damage taken: the hit points that were lost, temporary ones included.
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
    /// The statistics of each kind, in the order in which kinds are listed.
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

    /// The statistics of each side.
    pub fn side_figures(&self) -> [SideFigures; 2] {
        let all = self.figures();
        [0, 1].map(|side| {
            let kinds: Vec<&Figures> = all.iter().filter(|kind| kind.side == side).collect();
            let most = kinds.iter().map(|kind| kind.most).sum();
            let has_dead = kinds.iter().any(|kind| kind.dead.is_some());
            match &kinds[..] {
                [only] => SideFigures {
                    most,
                    hit_points: only.hit_points.clone(),
                    dead: only.dead.clone(),
                },
                _ => SideFigures {
                    most,
                    hit_points: SIDES_HIT_POINTS[side].to_owned(),
                    dead: has_dead.then(|| DEAD[side].to_owned()),
                },
            }
        })
    }

    fn taken(&self, kind: &Kind) -> Taken {
        match (self.may_recover(kind), &self.hit_dice[kind.number]) {
            (true, _) => Taken::Noted(taken_figure(kind)),
            (false, None) => Taken::Of(i64::from(kind.count) * kind.creature.first_hp()),
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
