//! The distinct rolls of a pool, with their weights: each multiset of faces once, never each
//! sequence. And, where only some numbers of a roll are asked for, their joint distribution, face
//! by face, without the rolls.

use crate::failure::Unplaced;
use dicec_runtime::pmf::{Budget, Pmf, Weight};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The numbers of ways to choose some of a number of dice, row by row of Pascal's triangle.
struct Binomials<W> {
    rows: Vec<Vec<W>>,
}

impl<W: Weight> Binomials<W> {
    /// The rows up to `count`, for as many columns as are asked for.
    fn new(count: u64, budget: &mut Budget) -> Result<Self, Unplaced> {
        // A number of the last row has up to `count` bits.
        let words = 1 + count / 64;
        budget.spend(count.saturating_mul(count).saturating_mul(words), count)?;
        let mut rows = vec![vec![W::from_u64(1)]];
        for _ in 0..count {
            let last = &rows[rows.len() - 1];
            let mut row = Vec::with_capacity(last.len() + 1);
            row.push(W::from_u64(1));
            for pair in last.windows(2) {
                let mut sum = pair[0].clone();
                sum.add(&pair[1]);
                row.push(sum);
            }
            row.push(W::from_u64(1));
            rows.push(row);
        }
        Ok(Self { rows })
    }

    fn choose(&self, of: u64, some: u64) -> &W {
        &self.rows[of as usize][some as usize]
    }
}

/// The number of distinct rolls of `count` dice with `faces` faces; `None` if it is out of reach.
pub(crate) fn distinct(count: u64, faces: u64) -> Option<u64> {
    // (count + faces - 1) choose (faces - 1); each product is divisible.
    let (top, few) = (
        count.checked_add(faces)?.checked_sub(1)?,
        count.min(faces - 1),
    );
    let mut ways = 1_u64;
    for step in 1..=few {
        ways = ways.checked_mul(top - few + step)? / step;
    }
    Some(ways)
}

/// A roll in order, with its weight.
pub(crate) type Roll<W> = (Rc<[i64]>, W);

/// All distinct rolls of `count` dice, each sorted, in the order of the dictionary: with the
/// highest die first 33, 32, 31, 22, 21, 11.
pub(crate) fn rolls<W: Weight>(
    die: &Pmf<W>,
    count: u64,
    lowest_first: bool,
    budget: &mut Budget,
) -> Result<Vec<Roll<W>>, Unplaced> {
    if count == 1 {
        // A single die always begins with its lowest face.
        budget.spend(die.len() as u64, die.len() as u64)?;
        let each = die
            .iter()
            .map(|(face, weight)| ([face].into(), weight.clone()));
        return Ok(each.collect());
    }
    let faces: Vec<(i64, W)> = match lowest_first {
        true => die
            .iter()
            .map(|(face, weight)| (face, weight.clone()))
            .collect(),
        false => die
            .iter()
            .rev()
            .map(|(face, weight)| (face, weight.clone()))
            .collect(),
    };
    let number = distinct(count, faces.len() as u64).unwrap_or(u64::MAX);
    let each = W::mul_cost(die.total(), die.total()).saturating_mul(count.max(1));
    budget.spend(number.saturating_mul(each), number)?;
    let mut walk = Walk {
        binomials: Binomials::new(count, budget)?,
        faces,
        roll: Vec::with_capacity(count as usize),
        rolls: Vec::with_capacity(number as usize),
    };
    walk.from(0, count, W::from_u64(1));
    Ok(walk.rolls)
}

struct Walk<W> {
    binomials: Binomials<W>,
    faces: Vec<(i64, W)>,
    roll: Vec<i64>,
    rolls: Vec<Roll<W>>,
}

impl<W: Weight> Walk<W> {
    /// All rolls whose other dice show faces from this one on.
    fn from(&mut self, face: usize, left: u64, weight: W) {
        let (value, one) = self.faces[face].clone();
        let is_last = face + 1 == self.faces.len();
        let start = self.roll.len();
        // The powers of the weight of the face, for 0 dice and more.
        let mut powers = vec![W::from_u64(1)];
        for place in 0..left as usize {
            powers.push(powers[place].mul(&one));
        }
        self.roll.extend(std::iter::repeat_n(value, left as usize));
        for dice in (0..=left).rev() {
            self.roll.truncate(start + dice as usize);
            let ways = self
                .binomials
                .choose(left, dice)
                .mul(&powers[dice as usize]);
            let weight = weight.mul(&ways);
            if dice == left {
                self.rolls.push((self.roll.as_slice().into(), weight));
            } else if !is_last {
                self.from(face + 1, left - dice, weight);
            }
            if is_last {
                break;
            }
        }
        self.roll.truncate(start);
    }
}

/// A number that is asked about a roll.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Observer {
    /// The sum of a number for each die, by its face; faces that are not listed count 0.
    Faces(FxHashMap<i64, i64>),
    /// The sum of the dice, each as often as is listed for its place, the lowest die first.
    Positions(Vec<i64>),
}

impl Observer {
    /// The part of `dice` dice that show `face` and come after `before` lower ones.
    fn part(&self, face: i64, before: u64, dice: u64) -> Option<i64> {
        match self {
            Self::Faces(each) => {
                let each = each.get(&face).copied().unwrap_or(0);
                each.checked_mul(i64::try_from(dice).ok()?)
            }
            Self::Positions(times) => {
                let places = &times[before as usize..(before + dice) as usize];
                face.checked_mul(places.iter().sum())
            }
        }
    }
}

/// The joint distribution of some numbers that are asked about the rolls of `count` dice, face by
/// face from the lowest. States with equal numbers are merged.
pub(crate) fn observed<W: Weight>(
    die: &Pmf<W>,
    observers: &[Observer],
    count: u64,
    budget: &mut Budget,
) -> Result<Vec<(Vec<i64>, W)>, Unplaced> {
    let binomials: Binomials<W> = Binomials::new(count, budget)?;
    let mut states: FxHashMap<(u64, Vec<i64>), W> = FxHashMap::default();
    states.insert((0, vec![0; observers.len()]), W::from_u64(1));
    let faces = die.len();
    // A weight of all dice has as many words as those of one, times their number.
    let each = W::mul_cost(die.total(), die.total()).saturating_mul(1 + count / 16);
    for (place, (face, one)) in die.iter().enumerate() {
        let work = (states.len() as u64).saturating_mul(count + 1);
        let numbers = 1 + observers.len() as u64;
        budget.spend(work.saturating_mul(numbers).saturating_mul(each), 1)?;
        let mut powers = vec![W::from_u64(1)];
        for dice in 0..count as usize {
            powers.push(powers[dice].mul(one));
        }
        let mut next: FxHashMap<(u64, Vec<i64>), W> = FxHashMap::default();
        for ((before, numbers), weight) in states {
            let left = count - before;
            let least = if place + 1 == faces { left } else { 0 };
            for dice in least..=left {
                let mut numbers = numbers.clone();
                for (number, observer) in numbers.iter_mut().zip(observers) {
                    let part = observer
                        .part(face, before, dice)
                        .ok_or(Unplaced::Overflow)?;
                    *number = number.checked_add(part).ok_or(Unplaced::Overflow)?;
                }
                let ways = binomials.choose(left, dice).mul(&powers[dice as usize]);
                let weight = weight.mul(&ways);
                match next.entry((before + dice, numbers)) {
                    std::collections::hash_map::Entry::Occupied(mut known) => {
                        known.get_mut().add(&weight);
                    }
                    std::collections::hash_map::Entry::Vacant(place) => {
                        place.insert(weight);
                    }
                }
            }
        }
        budget.check_outcomes(next.len() as u64)?;
        states = next;
    }
    // The order does not depend on hashes.
    let mut seen: Vec<(Vec<i64>, W)> = states
        .into_iter()
        .map(|((_, numbers), weight)| (numbers, weight))
        .collect();
    seen.sort_by(|one, two| one.0.cmp(&two.0));
    Ok(seen)
}
