//! A second computation of odds: from all rolls of a few dice, from all multisets of many, or by
//! recursion. It shares nothing with the compiler.

use std::collections::BTreeMap;

/// The probability of each number.
pub(super) type Odds = BTreeMap<i64, f64>;

/// A number that is certain.
pub(super) fn certain(number: i64) -> Odds {
    Odds::from([(number, 1.0)])
}

/// A truth value with this chance.
pub(super) fn chance(yes: f64) -> Odds {
    Odds::from([(0, 1.0 - yes), (1, yes)])
}

/// One die.
pub(super) fn die(sides: i64) -> Odds {
    (1..=sides).map(|face| (face, 1.0 / sides as f64)).collect()
}

/// All rolls of these dice.
pub(super) fn rolls(sides: &[i64], result: &dyn Fn(&[i64]) -> i64) -> Odds {
    let mut odds = Odds::new();
    let each = 1.0 / sides.iter().map(|sides| *sides as f64).product::<f64>();
    let mut faces = vec![1; sides.len()];
    loop {
        *odds.entry(result(&faces)).or_default() += each;
        let Some(place) = (0..faces.len()).find(|&place| faces[place] < sides[place]) else {
            return odds;
        };
        faces[..place].fill(1);
        faces[place] += 1;
    }
}

/// All multisets of faces of equal dice, sorted, each with its probability.
pub(super) fn hands(dice: usize, sides: i64) -> Vec<(Vec<i64>, f64)> {
    let (mut all, mut hand) = (Vec::new(), Vec::new());
    let each = (sides as f64).powi(dice as i32).recip();
    extend(dice, sides, 1, each, &mut hand, &mut all);
    all
}

/// `weight` counts the orders of the dice so far: the number of orders of all is that of the
/// places of each face among those that are left.
fn extend(
    left: usize,
    sides: i64,
    face: i64,
    weight: f64,
    hand: &mut Vec<i64>,
    all: &mut Vec<(Vec<i64>, f64)>,
) {
    if face == sides {
        let length = hand.len();
        hand.extend(vec![face; left]);
        all.push((hand.clone(), weight));
        hand.truncate(length);
        return;
    }
    for number in 0..=left {
        let length = hand.len();
        hand.extend(vec![face; number]);
        let weight = weight * choose(left, number);
        extend(left - number, sides, face + 1, weight, hand, all);
        hand.truncate(length);
    }
}

/// A result of equal dice, whose faces it gets in ascending order.
pub(super) fn pool(dice: usize, sides: i64, result: &dyn Fn(&[i64]) -> i64) -> Odds {
    let mut odds = Odds::new();
    for (hand, p) in hands(dice, sides) {
        *odds.entry(result(&hand)).or_default() += p;
    }
    odds
}

/// A result of two pools of equal dice.
pub(super) fn pools(
    [(first, sides), (second, others)]: [(usize, i64); 2],
    result: &dyn Fn(&[i64], &[i64]) -> i64,
) -> Odds {
    let mut odds = Odds::new();
    let second = hands(second, others);
    for (one, p) in hands(first, sides) {
        for (two, q) in &second {
            *odds.entry(result(&one, two)).or_default() += p * q;
        }
    }
    odds
}

/// Odds that depend on a number.
pub(super) fn then(first: &Odds, next: &dyn Fn(i64) -> Odds) -> Odds {
    let mut odds = Odds::new();
    for (number, p) in first {
        for (result, q) in next(*number) {
            *odds.entry(result).or_default() += p * q;
        }
    }
    odds
}

/// The sum of two independent numbers.
pub(super) fn plus(left: &Odds, right: &Odds) -> Odds {
    then(left, &|a| right.iter().map(|(b, p)| (a + b, *p)).collect())
}

/// The sum of independent numbers.
pub(super) fn sum(all: impl IntoIterator<Item = Odds>) -> Odds {
    let add = |total: Odds, next: Odds| plus(&total, &next);
    all.into_iter().fold(certain(0), add)
}

/// A function of a number.
pub(super) fn map(odds: &Odds, result: &dyn Fn(i64) -> i64) -> Odds {
    then(odds, &|number| certain(result(number)))
}

/// The number of ways to choose some of `all`.
pub(super) fn choose(all: usize, some: usize) -> f64 {
    let some = some.min(all - some.min(all));
    (0..some).fold(1.0, |ways, i| ways * (all - i) as f64 / (i + 1) as f64)
}

/// How many of the drawn cards are among the marked ones of a deck.
pub(super) fn drawn(deck: usize, marked: usize, cards: usize) -> Odds {
    let ways = |hits: usize| match cards - hits > deck - marked {
        true => 0.0,
        false => choose(marked, hits) * choose(deck - marked, cards - hits),
    };
    let most = cards.min(marked);
    let all = choose(deck, cards);
    (0..=most)
        .map(|hits| (hits as i64, ways(hits) / all))
        .collect()
}

/// How many of the faces are equal to one.
pub(super) fn of(faces: &[i64], face: i64) -> i64 {
    faces.iter().filter(|other| **other == face).count() as i64
}

/// The most equal faces.
pub(super) fn widest(faces: &[i64]) -> i64 {
    let widths = faces.iter().map(|face| of(faces, *face));
    widths.max().unwrap_or(0)
}

/// How many different faces there are.
pub(super) fn different(sorted: &[i64]) -> i64 {
    sorted.chunk_by(|a, b| a == b).count() as i64
}

/// The length of the longest run of faces without a gap.
pub(super) fn run(sorted: &[i64]) -> i64 {
    let mut faces = sorted.to_vec();
    faces.dedup();
    let runs = faces.chunk_by(|a, b| a + 1 == *b);
    runs.map(<[i64]>::len).max().unwrap_or(0) as i64
}
