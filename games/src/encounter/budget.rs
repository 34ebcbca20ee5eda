//! How hard the rules expect a fight to be: the experience points of the monsters against the
//! budgets of a party. They are guide lines for game masters; no fight depends on them.

use super::plan::{Kind, Plan};

/// The experience points of a challenge rating (SRD 5.1, "Experience Points"): from 0 to 30.
const OF_RATING: [u64; 31] = [
    10, 200, 450, 700, 1100, 1800, 2300, 2900, 3900, 5000, 5900, 7200, 8400, 10000, 11500, 13000,
    15000, 18000, 20000, 22000, 25000, 33000, 41000, 50000, 62000, 75000, 90000, 105_000, 120_000,
    135_000, 155_000,
];

/// The words for a fight of the rules of 2014, from the points of a character on.
const WORDS_2014: [&str; 4] = ["easy", "medium", "hard", "deadly"];

/// These points by level from 1 to 20 (rules of 2014, "XP Thresholds by Character Level").
const OF_LEVEL_2014: [[u64; 4]; 20] = [
    [25, 50, 75, 100],
    [50, 100, 150, 200],
    [75, 150, 225, 400],
    [125, 250, 375, 500],
    [250, 500, 750, 1100],
    [300, 600, 900, 1400],
    [350, 750, 1100, 1700],
    [450, 900, 1400, 2100],
    [550, 1100, 1600, 2400],
    [600, 1200, 1900, 2800],
    [800, 1600, 2400, 3600],
    [1000, 2000, 3000, 4500],
    [1100, 2200, 3400, 5100],
    [1250, 2500, 3800, 5700],
    [1400, 2800, 4300, 6400],
    [1600, 3200, 4800, 7200],
    [2000, 3900, 5900, 8800],
    [2100, 4200, 6300, 9500],
    [2400, 4900, 7300, 10900],
    [2800, 5700, 8500, 12700],
];

/// The words for a fight of the rules of 2024, up to the points of a character.
const WORDS_2024: [&str; 3] = ["low", "moderate", "high"];

/// These points by level (SRD 5.2, "Combat Encounters": the experience budget per character).
const OF_LEVEL_2024: [[u64; 3]; 20] = [
    [50, 75, 100],
    [100, 150, 200],
    [150, 225, 400],
    [250, 375, 500],
    [500, 750, 1100],
    [600, 1000, 1400],
    [750, 1300, 1700],
    [1000, 1700, 2100],
    [1300, 2000, 2600],
    [1600, 2300, 3100],
    [1900, 2900, 4100],
    [2200, 3700, 4700],
    [2600, 4200, 5400],
    [2900, 4900, 6200],
    [3300, 5400, 7800],
    [3800, 6100, 9800],
    [4500, 7200, 11700],
    [5000, 8700, 14200],
    [5500, 10700, 17200],
    [6400, 13200, 22000],
];

/// Twice the factor of the rules of 2014 for a number of monsters, from that number on
/// ("Encounter Multipliers", for parties of three to five), with the factors beside the table.
const FACTORS: [(u32, u64); 8] = [
    (0, 1),
    (1, 2),
    (2, 3),
    (3, 4),
    (7, 5),
    (11, 6),
    (15, 8),
    (u32::MAX, 10),
];

/// The difficulty of a fight by its experience points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The experience points of the second side.
    pub points: u64,
    /// The same, increased for the number of monsters as the rules of 2014 do.
    pub adjusted: u64,
    /// The word of the rules of 2014: `trivial`, `easy`, `medium`, `hard` or `deadly`.
    pub rules_of_2014: &'static str,
    /// The word of the rules of 2024: `low`, `moderate` or `high`, or `beyond high`.
    pub rules_of_2024: &'static str,
}

impl Plan {
    /// The difficulty by experience points; `None` unless each creature of the first side has a
    /// level, and each of the second one a challenge rating or experience points.
    pub fn budget(&self) -> Option<Budget> {
        let party: Option<Vec<usize>> = self.on_side(0).map(levels).collect();
        let party: Vec<usize> = party?;
        let counts = self.on_side(0).map(|kind| u64::from(kind.count));
        let characters: Vec<(usize, u64)> = party.into_iter().zip(counts).collect();
        let sum = |points: &dyn Fn(usize) -> u64| -> u64 {
            characters
                .iter()
                .map(|&(level, count)| points(level) * count)
                .sum()
        };
        let monsters = self
            .on_side(1)
            .map(|kind| points(kind)?.checked_mul(u64::from(kind.count)));
        let monsters: Option<Vec<u64>> = monsters.collect();
        let points = monsters?.into_iter().try_fold(0, u64::checked_add)?;
        let number = self.on_side(1).map(|kind| kind.count).sum();
        let of_party: u64 = characters.iter().map(|&(_, count)| count).sum();
        let adjusted = points.checked_mul(factor(number, of_party))? / 2;
        let reached = (0..4)
            .rev()
            .find(|&word| adjusted >= sum(&|level| OF_LEVEL_2014[level][word]));
        let within = (0..3).find(|&word| points <= sum(&|level| OF_LEVEL_2024[level][word]));
        Some(Budget {
            points,
            adjusted,
            rules_of_2014: reached.map_or("trivial", |word| WORDS_2014[word]),
            rules_of_2024: within.map_or("beyond high", |word| WORDS_2024[word]),
        })
    }
}

/// The index of a character's level in the tables.
fn levels(kind: &Kind) -> Option<usize> {
    let level = kind
        .creature
        .level
        .filter(|level| (1..=20).contains(level))?;
    usize::try_from(level - 1).ok()
}

/// The experience points of a monster.
fn points(kind: &Kind) -> Option<u64> {
    kind.creature.xp.or_else(|| of_rating(kind.creature.cr?))
}

/// The experience points of a challenge rating.
fn of_rating(rating: f64) -> Option<u64> {
    let below_one = [(0.125, 25), (0.25, 50), (0.5, 100)];
    let mut below_one = below_one.into_iter();
    let small = below_one
        .find(|(small, _)| *small == rating)
        .map(|(_, points)| points);
    small.or_else(|| {
        let mut all = OF_RATING.into_iter().enumerate();
        all.find(|(whole, _)| *whole as f64 == rating)
            .map(|(_, points)| points)
    })
}

/// Twice the factor for this many monsters against a party of this many: small parties take the
/// next row of the table, large ones the row before.
fn factor(monsters: u32, party: u64) -> u64 {
    let rows = FACTORS.len();
    let row = FACTORS
        .iter()
        .rposition(|(from, _)| monsters >= *from)
        .unwrap_or(0);
    let row = match party {
        ..3 => row + 1,
        3..6 => row,
        6.. => row.saturating_sub(1),
    };
    FACTORS[row.min(rows - 1)].1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encounter::{Bestiary, read_line};
    use serde_json::json;

    fn budget(line: &str) -> Option<Budget> {
        let hero = |name: &str, level: u32| {
            json!({"name": name, "ac": 15, "hp": 20, "character": true, "level": level, "actions": [
                {"name": "Sword", "bonus": 5, "kind": "melee", "damage": [{"dice": "1d8+3", "type": "slashing"}]}
            ]})
        };
        let mut bestiary = Bestiary::srd();
        let heroes = json!([hero("Third", 3), hero("Second", 2)]);
        assert_eq!(bestiary.add(heroes), Ok(Vec::new()));
        let encounter = read_line(line, &bestiary).expect("an encounter");
        Plan::new(&encounter, &bestiary).expect("a plan").budget()
    }

    /// The example of the rules of 2014: four characters whose thresholds are 275, 550, 825 and
    /// 1,400, against four monsters of 500 points, which count twice.
    #[test]
    fn points_are_held_against_the_thresholds_of_a_party() {
        let found = budget("3 Third, 1 Second vs 1 Bugbear, 3 Hobgoblin");
        let expected = Budget {
            points: 500,
            adjusted: 1000,
            rules_of_2014: "hard",
            rules_of_2024: "low",
        };
        assert_eq!(found, Some(expected));
        let found = budget("3 Third, 1 Second vs 1 Troll");
        let words = found.map(|found| (found.points, found.adjusted, found.rules_of_2014));
        assert_eq!(words, Some((1800, 1800, "deadly")));
    }

    #[test]
    fn sides_without_levels_have_none() {
        assert_eq!(budget("4 Veteran vs 1 Troll"), None);
        assert_eq!(budget("1 Third vs 1 Second"), None);
    }

    #[test]
    fn small_and_large_parties_take_other_rows() {
        let twice = [(1, 4), (1, 2), (1, 6), (2, 4), (6, 4), (15, 2), (15, 6)]
            .map(|(count, party)| factor(count, party));
        assert_eq!(twice, [2, 3, 1, 3, 4, 10, 6]);
    }
}
