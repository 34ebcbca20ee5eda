//! What the fights of an encounter came to, as a document ([`crate::answer::document`]).

use super::fought::Fought;
use crate::answer::{Checked, Distribution, Share};
use serde::Serialize;

/// The fights of an encounter: what `dicec encounter --json` prints of each.
#[derive(Clone, Debug, Serialize)]
pub struct FightDocument<'f> {
    /// The encounter as a line.
    encounter: &'f str,
    sides: Vec<SideEntry<'f>>,
    /// The probability that nobody wins.
    draw: f64,
    rounds: Option<Rounds>,
    creatures: Vec<CreatureEntry<'f>>,
    /// Whether the odds are exact.
    exact: bool,
    /// How many fights were simulated; null if the odds are exact.
    trials: Option<u64>,
    /// The seed that gives the same result again; null if the odds are exact.
    seed: Option<u64>,
    /// Fights by the time that they took; null if the odds are exact.
    trials_per_second: Option<f64>,
    /// The check that the odds have passed; absent if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<Checked>,
}

#[derive(Clone, Debug, Serialize)]
struct SideEntry<'f> {
    name: &'f str,
    /// The probability that it wins.
    win: f64,
    /// Its 95 % interval; null if it is exact.
    interval: Option<[f64; 2]>,
    /// Who is the first of it to fall, and how often.
    first_to_fall: Vec<FallEntry<'f>>,
}

#[derive(Clone, Debug, Serialize)]
struct FallEntry<'f> {
    name: &'f str,
    p: f64,
}

/// How many rounds a fight has.
#[derive(Clone, Debug, Serialize)]
pub struct Rounds {
    mean: f64,
    sd: Option<f64>,
    min: Option<i64>,
    max: Option<i64>,
}

impl Rounds {
    /// The rounds of these odds.
    pub fn new(rounds: &Distribution) -> Self {
        Self {
            mean: rounds.mean(),
            sd: rounds.sd(),
            min: rounds.min(),
            max: rounds.max(),
        }
    }
}

/// Creatures of a kind, all together, on average.
#[derive(Clone, Debug, Serialize)]
struct CreatureEntry<'f> {
    name: &'f str,
    /// The name of its side.
    side: &'f str,
    count: u32,
    /// How many stand at the end.
    standing: f64,
    /// How many are dead at the end; null unless they are characters.
    dead: Option<f64>,
    /// Hit points that are left.
    hit_points: f64,
    /// Hit points at the beginning; null if they are rolled.
    hit_points_before: Option<i64>,
    /// Damage that they did.
    damage: f64,
    /// Hit points that they lost, temporary ones included; null if hit points are rolled.
    damage_taken: Option<f64>,
    actions: Vec<ActionEntry<'f>>,
}

#[derive(Clone, Debug, Serialize)]
struct ActionEntry<'f> {
    name: &'f str,
    damage: f64,
}

impl<'f> FightDocument<'f> {
    /// What the fights came to.
    pub fn new(fought: &'f Fought) -> Self {
        let sides = fought.sides.iter().zip(&fought.wins).enumerate();
        let sides = sides.map(|(index, (name, share))| side(fought, index, name, share));
        let creatures = fought.figures.iter().map(|figures| {
            let actions = figures.deeds.iter().map(|deed| ActionEntry {
                name: &deed.name,
                damage: fought.mean(&deed.damage),
            });
            let actions: Vec<ActionEntry<'_>> = actions.collect();
            CreatureEntry {
                name: &figures.title,
                side: &fought.sides[figures.side],
                count: figures.count,
                standing: fought.mean(&figures.standing),
                dead: figures.dead.as_deref().map(|dead| fought.mean(dead)),
                hit_points: fought.mean(&figures.hit_points),
                hit_points_before: figures.most,
                damage: actions.iter().map(|action| action.damage).sum(),
                damage_taken: fought.taken(figures),
                actions,
            }
        });
        Self {
            encounter: &fought.title,
            sides: sides.collect(),
            draw: fought.draw.p,
            rounds: fought.rounds().map(Rounds::new),
            creatures: creatures.collect(),
            exact: fought.run.is_none(),
            trials: fought.run.as_ref().map(|run| run.trials),
            seed: fought.run.as_ref().map(|run| run.seed),
            trials_per_second: fought.run.as_ref().map(|run| run.trials_per_second()),
            check: fought.checked(),
        }
    }
}

fn side<'f>(fought: &'f Fought, index: usize, name: &'f str, share: &Share) -> SideEntry<'f> {
    let falls = fought.first_to_fall(index).into_iter();
    SideEntry {
        name,
        win: share.p,
        interval: share.interval.map(|(low, high)| [low, high]),
        first_to_fall: falls.map(|(name, p)| FallEntry { name, p }).collect(),
    }
}
