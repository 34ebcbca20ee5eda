//! Odds of encounters against code that was written for these match-ups from the rules of the SRD
//! 5.1, and knows no stat block.

use super::encounter_odds::{plan, sampled, wins};
use dicec_games::encounter::{Bestiary, read_line};
use dicec_tests::by_hand::{self, Luck};
use rayon::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};

/// A fight by hand: whether the first side wins.
type Fight = fn(&mut Luck) -> bool;

/// The match-ups, and the rules that decide them.
const MATCH_UPS: [(&str, Fight); 7] = [
    // Dreadful Glare: by 5 or more; immunity.
    ("3 Veteran vs 2 Mummy", by_hand::mummies),
    // Bite: half of the poison on a save; no paralysis above 0 hit points.
    ("2 Veteran vs 3 Giant Spider", by_hand::spiders),
    // Shortsword: the poison once, with the save. Assassinate, Sneak Attack.
    ("2 Veteran vs 1 Assassin", by_hand::assassin),
    // Hooves: only of prone targets.
    ("1 Veteran vs 1 Giant Elk", by_hand::elk),
    // Claws, which paralyze, in place of the bite.
    ("2 Veteran vs 6 Ghoul", by_hand::ghouls),
    // Petrifying Gaze.
    ("3 Veteran vs 1 Medusa", by_hand::medusa),
    ("3 Veteran vs 1 Basilisk", by_hand::basilisk),
];

const FIGHTS: u64 = 100_000;

#[test]
fn odds_agree_with_fights_by_hand() {
    let wrong: Vec<String> = MATCH_UPS
        .par_iter()
        .filter_map(|(line, fight)| {
            let encounter = read_line(line, &Bestiary::srd()).expect("it is an encounter");
            let [own, _] = wins(&sampled(&plan(&encounter), FIGHTS));
            let seeds = (0..FIGHTS).into_par_iter();
            let won = seeds
                .filter(|seed| fight(&mut Luck::new(seed << 20)))
                .count();
            let other = won as f64 / FIGHTS as f64;
            // Of the difference of two shares.
            let p = f64::midpoint(own, other);
            let sigma = (2.0 * p * (1.0 - p) / FIGHTS as f64).sqrt();
            let is_far = (own - other).abs() > 5.0 * sigma;
            is_far.then(|| format!("{line}: {own} and by hand {other}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
