//! The result of an encounter's fights as a document ([`dicec_compiler::answer::document`]).

use super::fought::Fought;
use dicec_compiler::answer::{Checked, Distribution, Share};
use serde::Serialize;

/// The fights of an encounter: what `dicec encounter --json` prints of each.
#[derive(Clone, Debug, Serialize)]
pub struct FightDocument<'f> {
    /// The encounter on one line.
    encounter: &'f str,
    sides: Vec<SideEntry<'f>>,
    /// The probability of a draw.
    draw: f64,
    /// Abilities of creatures that the odds leave out; empty if there are none.
    caveats: Vec<CaveatEntry<'f>>,
    rounds: Option<Rounds>,
    creatures: Vec<CreatureEntry<'f>>,
    /// Whether the odds are exact.
    exact: bool,
    /// The number of simulated fights; null if the odds are exact.
    trials: Option<u64>,
    /// The seed that reproduces the result; null if the odds are exact.
    seed: Option<u64>,
    /// Fights per second; null if the odds are exact.
    trials_per_second: Option<f64>,
    /// The check that the odds passed; absent if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<Checked>,
}

#[derive(Clone, Debug, Serialize)]
struct SideEntry<'f> {
    name: &'f str,
    /// The probability that the side wins.
    win: f64,
    /// Its 95 % interval; null if it is exact.
    interval: Option<[f64; 2]>,
    /// The creatures of the side that fall first, with their chances.
    first_to_fall: Vec<FallEntry<'f>>,
}

/// Abilities of a kind of creatures that are not modelled at all.
#[derive(Clone, Debug, Serialize)]
struct CaveatEntry<'f> {
    creature: &'f str,
    without: &'f [String],
}

#[derive(Clone, Debug, Serialize)]
struct FallEntry<'f> {
    name: &'f str,
    p: f64,
}

/// The number of rounds in a fight.
#[derive(Clone, Debug, Serialize)]
pub struct Rounds {
    mean: f64,
    sd: Option<f64>,
    min: Option<i64>,
    max: Option<i64>,
}

impl Rounds {
    /// The rounds from these odds.
    pub fn new(rounds: &Distribution) -> Self {
        Self {
            mean: rounds.mean(),
            sd: rounds.sd(),
            min: rounds.min(),
            max: rounds.max(),
        }
    }
}

/// Mean numbers of all creatures of one kind together.
#[derive(Clone, Debug, Serialize)]
struct CreatureEntry<'f> {
    name: &'f str,
    /// The name of its side.
    side: &'f str,
    count: u32,
    /// The number still standing at the end.
    standing: f64,
    /// The number dead at the end; null unless they are characters.
    dead: Option<f64>,
    /// Remaining hit points.
    hit_points: f64,
    /// Hit points at the beginning; null if they are rolled.
    hit_points_before: Option<i64>,
    /// Damage dealt.
    damage: f64,
    /// Hit points lost, temporary ones included; null if hit points are rolled.
    damage_taken: Option<f64>,
    actions: Vec<ActionEntry<'f>>,
}

#[derive(Clone, Debug, Serialize)]
struct ActionEntry<'f> {
    name: &'f str,
    damage: f64,
}

impl<'f> FightDocument<'f> {
    /// The document of the fights.
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
        let caveats = fought.caveats.iter().map(|caveat| CaveatEntry {
            creature: &caveat.creature,
            without: &caveat.without,
        });
        Self {
            encounter: &fought.title,
            sides: sides.collect(),
            draw: fought.draw.p,
            caveats: caveats.collect(),
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
