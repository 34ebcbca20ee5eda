//! The result of an encounter's fights as a document ([`dicec_compiler::answer::document`]).

use super::fought::Fought;
use super::outlook::{LEVELS, Verdict};
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
    /// A word for the fight from the view of the first side: `hard`.
    verdict: Verdict,
    /// Its difficulty by experience points; null unless all levels and ratings are known.
    budget: Option<BudgetEntry>,
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
    /// The probability that at least one creature falls to 0 hit points.
    somebody_falls: f64,
    /// The probability that at least one character is dead at the end; null without characters.
    somebody_dies: Option<f64>,
    /// The hit points that are left; null if no fight noted them.
    hit_points: Option<LeftEntry>,
}

/// The hit points that a side has left: quantiles of their sum.
#[derive(Clone, Debug, Serialize)]
struct LeftEntry {
    mean: f64,
    quantiles: Vec<QuantileEntry>,
    /// Their sum at the beginning; null if they are rolled.
    before: Option<i64>,
}

#[derive(Clone, Debug, Serialize)]
struct QuantileEntry {
    level: f64,
    value: i64,
}

/// Experience points, and the words for them in both editions of the rules.
#[derive(Clone, Debug, Serialize)]
struct BudgetEntry {
    points: u64,
    /// Increased for the number of monsters, as the rules of 2014 do.
    adjusted_points: u64,
    rules_of_2014: &'static str,
    rules_of_2024: &'static str,
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
            verdict: fought.verdict(),
            budget: fought.budget.as_ref().map(|budget| BudgetEntry {
                points: budget.points,
                adjusted_points: budget.adjusted,
                rules_of_2014: budget.rules_of_2014,
                rules_of_2024: budget.rules_of_2024,
            }),
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
    let outlook = fought.outlook(index);
    SideEntry {
        name,
        win: share.p,
        interval: share.interval.map(|(low, high)| [low, high]),
        first_to_fall: falls.map(|(name, p)| FallEntry { name, p }).collect(),
        somebody_falls: outlook.falls,
        somebody_dies: outlook.dies.as_ref().map(|dies| dies.p),
        hit_points: outlook.left.map(|left| LeftEntry {
            mean: left.mean(),
            quantiles: quantiles(left),
            before: outlook.most,
        }),
    }
}

fn quantiles(left: &Distribution) -> Vec<QuantileEntry> {
    let all = LEVELS.into_iter().map(|level| QuantileEntry {
        level,
        value: left.quantile(level),
    });
    all.collect()
}
