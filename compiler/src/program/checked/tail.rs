//! Bounds on tail probabilities that hold for any number of trials; a normal approximation would
//! call rare events impossible. All are logarithms, because they are far below the least float.

/// The Chernoff bound on the probability that a chance of `p` comes up in at least `hits` of
/// `trials` independent trials, or in a sample without replacement from a population of which a
/// share `p` has it: at most `exp(-n KL(hits/n || p))`, and 1 if that is not more than expected.
///
/// Source: Hoeffding, "Probability inequalities for sums of bounded random variables", Journal of
/// the American Statistical Association 58 (1963), theorem 1 and section 6 (without replacement).
pub(super) fn ln_at_least(hits: u64, trials: u64, p: f64) -> f64 {
    let (n, q) = (trials as f64, hits as f64 / trials as f64);
    if hits == 0 || q <= p {
        return 0.0;
    }
    if p <= 0.0 {
        return f64::NEG_INFINITY;
    }
    -n * divergence(q, p)
}

/// The same for at most `hits`.
pub(super) fn ln_at_most(hits: u64, trials: u64, p: f64) -> f64 {
    ln_at_least(trials - hits, trials, 1.0 - p)
}

/// The Kullback-Leibler divergence of a chance of `q` from one of `p`, which is above 0 and below
/// `q`, in nats.
fn divergence(q: f64, p: f64) -> f64 {
    let rest = match q < 1.0 {
        true => (1.0 - q) * libm::log((1.0 - q) / (1.0 - p)),
        false => 0.0,
    };
    q * libm::log(q / p) + rest
}

/// The distribution of the number that a trial gives, with the properties that bounds on means
/// need.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Numbers {
    pub(super) mean: f64,
    pub(super) variance: f64,
    pub(super) min: f64,
    pub(super) max: f64,
    /// Each number and its probability, if there are few enough to sum over them often.
    pub(super) points: Vec<(f64, f64)>,
}

/// Up to this many different numbers, Cramér's bound is computed, otherwise Bennett's.
pub(super) const MAX_POINTS: usize = 1 << 12;

/// The number of steps of the search for the best parameter of the bound on a mean.
const SEARCH_STEPS: usize = 40;

impl Numbers {
    /// Of these numbers and probabilities.
    pub(super) fn of(points: impl Iterator<Item = (f64, f64)> + Clone) -> Self {
        // There may be a million of them, so there are only two passes.
        let (mut count, mut total, mut sum) = (0, 0.0, 0.0);
        let (mut min, mut max) = (f64::INFINITY, f64::NEG_INFINITY);
        for (x, p) in points.clone() {
            count += 1;
            total += p;
            sum += x * p;
            (min, max) = (min.min(x), max.max(x));
        }
        let mean = sum / total;
        let square = |(x, p): (f64, f64)| (x - mean) * (x - mean) * p;
        let few = count <= MAX_POINTS;
        Self {
            mean,
            variance: points.clone().map(square).sum::<f64>() / total,
            min,
            max,
            points: match few {
                true => points.map(|(x, p)| (x, p / total)).collect(),
                false => Vec::new(),
            },
        }
    }

    /// A bound on the probability that the mean of `trials` trials is as far from the expected one
    /// as `mean` is, on the same side.
    ///
    /// For few numbers it is Cramér's: `exp(-n l mean) E[exp(l x)]^n` for the best `l`. (Any `l`
    /// of the right sign gives a bound, so the search need not be exact.) For many it is Bennett's,
    /// which needs only the variance and the greatest distance on that side.
    ///
    /// Sources: Boucheron, Lugosi and Massart, "Concentration Inequalities" (2013), sections 2.2
    /// (Cramér) and 2.7 (Bennett, theorem 2.9). Both hold for samples without replacement
    /// (Hoeffding 1963, theorem 4).
    pub(super) fn ln_tail(&self, mean: f64, trials: u64) -> f64 {
        let n = trials as f64;
        let distance = (mean - self.mean).abs();
        // The rounding error of sums of floats.
        let noise = 1e-9 * (self.max - self.min) + 1e-12 * self.mean.abs();
        let is_above = mean > self.mean;
        let reach = match is_above {
            true => self.max - self.mean,
            false => self.mean - self.min,
        };
        // Sums of numbers near the greatest float overflow: no bound is known.
        let is_known = distance.is_finite() && noise.is_finite() && self.variance.is_finite();
        if !is_known || distance <= noise {
            return 0.0;
        }
        if distance > reach + noise {
            return f64::NEG_INFINITY;
        }
        match self.points.is_empty() {
            true => -n * bennett(distance, self.variance, reach),
            false => {
                let sign = if is_above { 1.0 } else { -1.0 };
                let moved = |(x, p): &(f64, f64)| (sign * (x - mean), *p);
                let points: Vec<(f64, f64)> = self.points.iter().map(moved).collect();
                n * cramer(&points, distance / self.variance)
            }
        }
    }
}

/// The rate of Bennett's bound.
fn bennett(distance: f64, variance: f64, reach: f64) -> f64 {
    let u = reach * distance / variance;
    let h = (1.0 + u) * libm::log1p(u) - u;
    variance / (reach * reach) * h
}

/// The least `ln E[exp(l x)]` over positive `l` that the search finds: the function is convex, 0 at
/// 0, and falls there, because the mean of `x` is negative. The search begins at `first`.
fn cramer(points: &[(f64, f64)], first: f64) -> f64 {
    let at = |l: f64| {
        let highest = points.iter().map(|(x, _)| l * x).fold(0.0, f64::max);
        let sum = points.iter().map(|(x, p)| p * libm::exp(l * x - highest));
        highest + libm::log(sum.sum::<f64>())
    };
    let (mut low, mut high) = (0.0, first);
    let mut steps = 0;
    while at(2.0 * high) < at(high) && steps < SEARCH_STEPS {
        (low, high) = (high, 2.0 * high);
        steps += 1;
    }
    high *= 2.0;
    let mut least = at(first).min(0.0);
    while steps < SEARCH_STEPS {
        let (left, right) = ((2.0 * low + high) / 3.0, (low + 2.0 * high) / 3.0);
        let (below, above) = (at(left), at(right));
        least = least.min(below).min(above);
        match below < above {
            true => high = right,
            false => low = left,
        }
        steps += 1;
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The exact tails of binomial distributions are never above the bounds, and the bounds are
    /// within the factor that the number of trials explains.
    #[test]
    fn bounds_hold_for_binomial_tails() {
        for n in [1_u64, 2, 8, 64, 256] {
            for p in [1e-6_f64, 0.01, 0.3, 0.5, 0.9, 0.999] {
                // ln of n choose k.
                let mut choose = vec![0.0_f64];
                for k in 1..=n {
                    let last = choose[k as usize - 1];
                    choose.push(last + libm::log((n - k + 1) as f64 / k as f64));
                }
                let ln_mass = |k: u64| {
                    choose[k as usize] + k as f64 * libm::log(p) + (n - k) as f64 * libm::log1p(-p)
                };
                let mass = |k: u64| libm::exp(ln_mass(k));
                for k in 0..=n {
                    let above: f64 = (k..=n).map(mass).sum();
                    let below: f64 = (0..=k).map(mass).sum();
                    assert!(
                        libm::log(above) <= ln_at_least(k, n, p) + 1e-9,
                        "{k} of {n}, {p}"
                    );
                    assert!(
                        libm::log(below) <= ln_at_most(k, n, p) + 1e-9,
                        "{k} of {n}, {p}"
                    );
                    // The bound of a single point is at most n + 1 times its probability.
                    let slack = libm::log((n + 1) as f64) + 1e-9;
                    if k as f64 > n as f64 * p {
                        assert!(ln_at_least(k, n, p) <= ln_mass(k) + slack);
                    }
                }
            }
        }
        assert_eq!(ln_at_least(1, 10, 0.0), f64::NEG_INFINITY);
        assert_eq!(ln_at_least(0, 10, 0.0), 0.0);
        assert_eq!(ln_at_most(9, 10, 1.0), f64::NEG_INFINITY);
    }

    /// Cramér's bound on the mean of dice is close to the normal tail near the middle, and
    /// Bennett's is above it.
    #[test]
    fn bounds_on_means() {
        let die = (1..=6).map(|face| (f64::from(face), 1.0 / 6.0));
        let cramer = Numbers::of(die);
        assert!((cramer.mean - 3.5).abs() < 1e-12 && (cramer.variance - 35.0 / 12.0).abs() < 1e-12);
        let bennett = Numbers {
            points: Vec::new(),
            ..cramer.clone()
        };
        for sigmas in [-7.0_f64, -3.0, 1.0, 5.0, 7.0] {
            let mean = 3.5 + sigmas * (cramer.variance / 256.0).sqrt();
            let tail = cramer.ln_tail(mean, 256);
            let normal = -sigmas * sigmas / 2.0;
            assert!(
                (tail / normal - 1.0).abs() < 0.1,
                "{sigmas}: {tail}, {normal}"
            );
            assert!(bennett.ln_tail(mean, 256) >= tail);
        }
        assert_eq!(cramer.ln_tail(6.5, 4), f64::NEG_INFINITY);
        // Four dice that all show six.
        let all = cramer.ln_tail(6.0, 4);
        assert!((all - 4.0 * libm::log(1.0 / 6.0)).abs() < 0.1, "{all}");
        assert_eq!(cramer.ln_tail(3.5, 256), 0.0);
        // Sums that overflow.
        let greatest = Numbers::of([(f64::MAX, 0.5), (-f64::MAX, 0.5)].into_iter());
        assert_eq!(greatest.ln_tail(f64::INFINITY, 256), 0.0);
        let certain = Numbers::of([(f64::MAX, 1.0)].into_iter());
        assert_eq!(certain.ln_tail(f64::INFINITY, 256), 0.0);
    }
}
