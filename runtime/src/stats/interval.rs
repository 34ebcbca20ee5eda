//! The uncertainty of a sampled share or mean.

/// The 0.975 quantile of the standard normal distribution: `z` for a 95% interval.
pub const Z95: f64 = 1.959_963_984_540_054;

/// The Wilson score interval (E. B. Wilson, 1927) for the probability behind `successes` out of `n`
/// trials, as (low, high) within 0..=1. Unlike the textbook interval it holds its level for rare
/// events and small samples.
///
/// `z` is the normal quantile of the level ([`Z95`]). More successes than trials count as `n`;
/// without trials the interval is (0, 1).
pub fn wilson(successes: u64, n: u64, z: f64) -> (f64, f64) {
    if n == 0 {
        return (0.0, 1.0);
    }
    let successes = successes.min(n);
    let (centre, half) = centre_and_half(successes, n, z);
    // At the ends the bound is exactly 0 or 1; the formula is a rounding error off.
    let low = if successes == 0 {
        0.0
    } else {
        (centre - half).max(0.0)
    };
    let high = if successes == n {
        1.0
    } else {
        (centre + half).min(1.0)
    };
    (low, high)
}

/// Half the width of the [`wilson`] interval; 0.5 for no trials.
pub fn wilson_half_width(successes: u64, n: u64, z: f64) -> f64 {
    if n == 0 {
        return 0.5;
    }
    centre_and_half(successes.min(n), n, z).1
}

fn centre_and_half(successes: u64, n: u64, z: f64) -> (f64, f64) {
    let n = n as f64;
    let p = successes as f64 / n;
    let scale = 1.0 / (1.0 + z * z / n);
    let centre = scale * (p + z * z / (2.0 * n));
    let half = scale * z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    (centre, half)
}

/// The standard error of the mean of `n` independent values with the standard deviation `sd`;
/// infinite for none.
pub fn standard_error(sd: f64, n: u64) -> f64 {
    if n == 0 {
        f64::INFINITY
    } else {
        sd / (n as f64).sqrt()
    }
}
