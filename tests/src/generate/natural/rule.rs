//! Rules as people write them: damage, checks against numbers and sheets, pools.

use arbitrary::{Result, Unstructured};

/// A rule of the rule book; its resources are `Strength` and `Target Defense`.
///
/// # Errors
/// Never for lack of bytes: missing ones count as zeros.
pub fn natural_rule(bytes: &mut Unstructured<'_>) -> Result<String> {
    let sum = sum(bytes)?;
    let against = ["15", "[Target Defense]", "1d20 + 3", "12"];
    let against = *bytes.choose(&against)?;
    Ok(match bytes.int_in_range(0..=5)? {
        0 | 1 => {
            let op = *bytes.choose(&[">=", ">", "<=", "<", "vs"])?;
            format!("{sum} {op} {against}")
        }
        2 => format!("({sum}) * {} - {against}", bytes.int_in_range(2..=3)?),
        3 => format!("max({sum}, {})", self::sum(bytes)?),
        _ => sum,
    })
}

/// Dice and numbers.
fn sum(bytes: &mut Unstructured<'_>) -> Result<String> {
    let mut sum = dice(bytes)?;
    for _ in 0..bytes.int_in_range(0..=2)? {
        let sign = *bytes.choose(&["+", "+", "-"])?;
        let term = match bytes.int_in_range(0..=3)? {
            0 => dice(bytes)?,
            1 => "[Strength]".to_owned(),
            _ => bytes.int_in_range(1..=9)?.to_string(),
        };
        sum = format!("{sum} {sign} {term}");
    }
    Ok(sum)
}

/// One die, a pool, or the best or worst of it.
fn dice(bytes: &mut Unstructured<'_>) -> Result<String> {
    let sides = *bytes.choose(&[4, 6, 8, 10, 12, 20, 100])?;
    Ok(match bytes.int_in_range(0..=5)? {
        0 => format!("2d20k{}1", bytes.choose(&["h", "l"])?),
        1 => format!("4d{sides}kh3"),
        2 => format!("{}d{sides}", bytes.int_in_range(2..=12)?),
        3 => format!("2d{sides}!"),
        _ => format!("1d{sides}"),
    })
}
