//! Dice of spells as text: more of them with a higher level.

/// The number of dice, their sides and the number that is added: `3d4+3`, or `70`.
fn parts(dice: &str) -> Option<(u32, u32, u32)> {
    let (dice, more) = match dice.split_once('+') {
        Some((dice, more)) => (dice, more.parse().ok()?),
        None => (dice, 0),
    };
    let Some((count, sides)) = dice.split_once('d') else {
        return Some((0, 0, dice.parse().ok()?));
    };
    Some((count.parse().ok()?, sides.parse().ok()?, more))
}

fn written((count, sides, more): (u32, u32, u32)) -> String {
    match more {
        0 if count > 0 => format!("{count}d{sides}"),
        more if count == 0 => more.to_string(),
        more => format!("{count}d{sides}+{more}"),
    }
}

/// As many dice times a number; text of another form stays.
pub(super) fn times(dice: &str, factor: u32) -> String {
    match parts(dice) {
        Some((count, sides, more)) => written((count * factor, sides, more * factor)),
        None => dice.to_owned(),
    }
}

/// Dice, and others a number of times; those of the same sides become one pool.
pub(super) fn grown(dice: &str, more: Option<&str>, factor: u32) -> String {
    let Some(more) = more.filter(|_| factor > 0).map(|more| times(more, factor)) else {
        return dice.to_owned();
    };
    match (parts(dice), parts(&more)) {
        (Some(own), Some(other)) if own.1 == other.1 => {
            written((own.0 + other.0, own.1, own.2 + other.2))
        }
        _ => format!("{dice}+{more}"),
    }
}
