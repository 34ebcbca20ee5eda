//! Brackets, signs and methods of other tools: `[highest 3 of 4d6]`, `[[1d6]]d8`, `6 @ d6`.

use super::{Found, after, dice_before};

/// The first of these spellings in a rule that does not compile.
pub(super) fn find(rule: &str) -> Option<Found> {
    rule.char_indices().find_map(|(at, c)| match c {
        '[' => inline(rule, at),
        '?' => question(rule, at),
        '@' => repetition(rule, at),
        '.' => method(rule, at),
        '/' => whole_quotient(rule, at),
        '(' => list(rule, at),
        't' | 'T' => table(rule, at),
        _ => None,
    })
}

/// `[[1d6]]`.
fn inline(rule: &str, at: usize) -> Option<Found> {
    let inner = after(rule, at).strip_prefix("[[")?;
    let length = inner.find("]]")?;
    let end = at + length + 4;
    let instead = format!("({})", &inner[..length]);
    Some(Found::new(at..end, "Roll20 and Foundry VTT", &instead))
}

/// `?{Bonus|2}`.
fn question(rule: &str, at: usize) -> Option<Found> {
    let inner = after(rule, at).strip_prefix("?{")?;
    let length = inner.find('}')?;
    let name = inner[..length].split('|').next()?;
    let found = Found::new(at..at + length + 3, "Roll20", &format!("[{name}]"));
    Some(found.or(&format!(", and give its value: `-r '{name}=2'`")))
}

/// `6 @ d6`.
fn repetition(rule: &str, at: usize) -> Option<Found> {
    let die = rule[at + 1..].trim_start();
    let before = rule[..at].trim_end();
    let count = before.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = &before[count.len()..];
    let die = die.strip_prefix(['d', 'D'])?;
    let sides = die.trim_start_matches(|c: char| c.is_ascii_digit());
    if number.is_empty() || sides.len() == die.len() {
        return None;
    }
    let end = rule.len() - sides.len();
    let instead = format!("{number}d{}", &die[..die.len() - sides.len()]);
    let found = Found::new(count.len()..end, "icepool", &instead);
    Some(match sides.starts_with(".explode()") {
        true => Found::new(
            count.len()..end + ".explode()".len(),
            "icepool",
            &format!("{instead}!"),
        ),
        false => found,
    })
}

/// `d6.explode()`, `d6.highest(4, 3)`.
fn method(rule: &str, at: usize) -> Option<Found> {
    let start = dice_before(rule, at)?;
    let dice = &rule[start..at];
    let (name, rest) = after(rule, at + 1).split_once('(')?;
    let length = rest.find(')')?;
    let whole = start..at + 1 + name.len() + 1 + length + 1;
    let arguments: Vec<&str> = rest[..length].split(',').map(str::trim).collect();
    let instead = match (name, &arguments[..]) {
        ("explode", _) => format!("{dice}!"),
        ("highest", [number, kept]) => format!("{number}{dice}kh{kept}"),
        ("highest", [number]) => format!("{number}{dice}kh1"),
        ("lowest", [number, kept]) => format!("{number}{dice}kl{kept}"),
        ("lowest", [number]) => format!("{number}{dice}kl1"),
        _ => return None,
    };
    Some(Found::new(whole, "icepool", &instead))
}

/// `1d6 // 2`.
fn whole_quotient(rule: &str, at: usize) -> Option<Found> {
    rule[at..].strip_prefix("//")?;
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '[' | ']' | '@' | '%');
    let left = rule[..at].trim_end();
    let start = left.trim_end_matches(is_part).len();
    let right = rule[at + 2..].trim_start();
    let end = rule.len() - right.trim_start_matches(is_part).len();
    let divisor = &rule[rule.len() - right.len()..end];
    if start == left.len() || divisor.is_empty() {
        return None;
    }
    let instead = format!("floor({} / {divisor})", &left[start..]);
    Some(Found::new(start..end, "Avrae", &instead))
}

/// `(2d6, 1d12)kh1`: a list in parentheses, with what is kept of it.
fn list(rule: &str, at: usize) -> Option<Found> {
    if rule[..at].ends_with(char::is_alphanumeric) {
        return None;
    }
    let inner = after(rule, at + 1);
    let length = inner
        .find(['(', ')'])
        .filter(|end| inner[*end..].starts_with(')'))?;
    let keeps = ["kh", "kl", "dh", "dl", "k"];
    let rest = &inner[length + 1..];
    let is_list = inner[..length].contains(',') && keeps.iter().any(|word| rest.starts_with(word));
    let instead = format!("{{{}}}", &inner[..length]);
    is_list.then(|| Found::new(at..at + length + 2, "Avrae", &instead))
}

/// `6d(d6>=5)`: AnyDice adds up comparisons of single dice.
pub(super) fn compared(rule: &str) -> Option<Found> {
    let mut sides = rule.match_indices(['d', 'D']);
    sides.find_map(|(at, _)| {
        let die = after(rule, at + 1).strip_prefix("(d")?;
        let inner = &die[..die.find(')')?];
        let digits = |text: &str| text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (sides, condition) = inner.split_at(inner.len() - digits(inner));
        let op = condition.trim_start();
        let number = op.trim_start_matches(['<', '>', '=', '!', ' ']);
        let op = &op[..op.len() - number.len()];
        let is_number = !number.is_empty() && digits(number) == 0;
        let count = rule[..at]
            .trim_end_matches(|c: char| c.is_ascii_digit())
            .len();
        let whole = count..at + "d(d)".len() + inner.len();
        let instead = format!(
            "{{{}d{sides} count{}{number}}}",
            &rule[count..at],
            op.trim_end()
        );
        let is_count = !sides.is_empty() && !op.is_empty() && is_number;
        is_count.then(|| Found::new(whole, "AnyDice", &instead))
    })
}

/// `1t[wounds]`.
fn table(rule: &str, at: usize) -> Option<Found> {
    let name = after(rule, at + 1).strip_prefix('[')?;
    let length = name.find(']')?;
    let counted = rule[..at].ends_with(|c: char| c.is_ascii_digit());
    let found = Found::new(at..at + length + 3, "Roll20", "d{1,1,2,3}");
    counted.then(|| found.or(" with the rows of the table as faces"))
}
