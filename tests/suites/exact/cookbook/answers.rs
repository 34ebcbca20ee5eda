//! Answers, and computing them from all rolls of a few dice or from the chances of one die.

/// What a question is answered by.
#[derive(Debug)]
pub(super) enum Answer {
    Chance(f64),
    Mean(f64),
    /// The chance of each outcome.
    Each(Vec<f64>),
}

impl Answer {
    /// As the page shows it.
    pub(super) fn text(&self, names: &[String]) -> String {
        // 41.375 is shown as 41.38, as the fraction is, in whatever order its terms are added up.
        let tidy = |chance: f64| (chance * 1e11).round() / 1e9;
        let percent = |chance: f64| match chance {
            0.01.. => format!("{:.2} %", tidy(chance)),
            _ => format!("{:.4} %", tidy(chance)),
        };
        match self {
            Answer::Chance(chance) => percent(*chance),
            Answer::Mean(mean) => format!("mean {mean:.3}"),
            Answer::Each(chances) => {
                let parts = names.iter().zip(chances);
                let parts = parts.map(|(name, chance)| format!("{name} {}", percent(*chance)));
                parts.collect::<Vec<String>>().join(", ")
            }
        }
    }

    /// Expects the other answer to be the same but for rounding.
    pub(super) fn expect_near(&self, other: &Answer, what: &str) {
        let numbers = |answer: &Answer| match answer {
            Answer::Chance(x) | Answer::Mean(x) => vec![*x],
            Answer::Each(chances) => chances.clone(),
        };
        let (left, right) = (numbers(self), numbers(other));
        let same_kind = std::mem::discriminant(self) == std::mem::discriminant(other);
        let near = |(x, y): (&f64, &f64)| (x - y).abs() < 1e-9 * x.abs().max(1.0);
        assert!(
            same_kind && left.len() == right.len() && left.iter().zip(&right).all(near),
            "{what}: {self:?}, and exact odds say {other:?}"
        );
    }
}

/// All rolls of these dice.
fn all<const N: usize>(sides: [i64; N]) -> impl ExactSizeIterator<Item = [i64; N]> {
    let rolls: usize = sides.iter().product::<i64>() as usize;
    (0..rolls).map(move |roll| {
        let mut rest = roll as i64;
        sides.map(|sides| {
            let face = rest % sides + 1;
            rest /= sides;
            face
        })
    })
}

/// How likely `holds` is.
pub(super) fn chance<const N: usize>(sides: [i64; N], holds: impl Fn([i64; N]) -> bool) -> Answer {
    let rolls = all(sides).len();
    let true_ones = all(sides).filter(|faces| holds(*faces)).count();
    Answer::Chance(true_ones as f64 / rolls as f64)
}

/// The mean of `value`.
pub(super) fn mean<const N: usize>(sides: [i64; N], value: impl Fn([i64; N]) -> i64) -> Answer {
    let rolls = all(sides).len();
    let sum: i64 = all(sides).map(value).sum();
    Answer::Mean(sum as f64 / rolls as f64)
}

/// How likely each outcome is.
pub(super) fn each<const N: usize, const M: usize>(
    sides: [i64; N],
    outcome: impl Fn([i64; N]) -> [bool; M],
) -> Answer {
    let rolls = all(sides).len();
    let mut counts = [0; M];
    for faces in all(sides) {
        let first = outcome(faces).iter().position(|holds| *holds);
        counts[first.expect("one of the outcomes")] += 1;
    }
    Answer::Each(counts.map(|count| f64::from(count) / rolls as f64).to_vec())
}

/// The chances of the sum of `n` dice, given the chances that one counts 0, 1, 2 ...
pub(super) fn times(n: u32, die: &[f64]) -> Vec<f64> {
    let mut total = vec![1.0];
    for _ in 0..n {
        let mut next = vec![0.0; total.len() + die.len() - 1];
        for (i, p) in total.iter().enumerate() {
            for (j, q) in die.iter().enumerate() {
                next[i + j] += p * q;
            }
        }
        total = next;
    }
    total
}

/// The chance of at least this sum.
pub(super) fn at_least(least: usize, chances: &[f64]) -> f64 {
    chances[least..].iter().sum()
}

/// The chance that a die that explodes on its highest face comes to exactly this.
pub(super) fn exploding(sides: i32, total: i32) -> f64 {
    match total % sides {
        0 => 0.0,
        _ => f64::from(sides).powi(-1 - total / sides),
    }
}
