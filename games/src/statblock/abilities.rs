//! Tables of ability scores: scores with modifiers in brackets (5.1), and scores with modifiers and
//! saves (5.2), by ability or in rows.

use super::numbers::{ABILITIES, ability};
use super::raw::Raw;

/// A cell of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cell {
    Ability(&'static str),
    Score(i64),
    Signed(i64),
}

/// Reads the table that some text is; whether it has all six scores.
pub(super) fn read(text: &str, raw: &mut Raw) -> bool {
    let cells = cells(text);
    let first = cells
        .iter()
        .position(|cell| !matches!(cell, Cell::Ability(_)));
    let is_in_rows = first.is_some_and(|first| first >= ABILITIES.len());
    let columns: Vec<Vec<i64>> = match is_in_rows {
        true => in_rows(&cells),
        false => by_ability(&cells),
    };
    let names = cells.iter().filter_map(|cell| match cell {
        Cell::Ability(name) => Some(*name),
        _ => None,
    });
    for (name, column) in names.zip(columns) {
        if let Some(score) = column.first() {
            raw.scores.insert(name, *score);
        }
        if let [_, _, save, ..] = column[..] {
            raw.saves.insert(name, save);
        }
    }
    raw.scores.len() == ABILITIES.len()
}

fn cells(text: &str) -> Vec<Cell> {
    let mut all = Vec::new();
    let text = text
        .replace(['(', ')', '/', ','], " ")
        .replace("+ ", "+")
        .replace("- ", "-");
    for word in text.split_whitespace() {
        let lower = word.to_lowercase();
        if let Some(name) = ability(&lower) {
            all.push(Cell::Ability(name));
        } else if let Ok(number) = word.trim_start_matches('+').parse() {
            all.push(match word.starts_with(['+', '-']) {
                true => Cell::Signed(number),
                false => Cell::Score(number),
            });
        }
    }
    all
}

/// Six names, then six scores; with modifiers next to them or in rows of their own.
fn in_rows(cells: &[Cell]) -> Vec<Vec<i64>> {
    let scores: Vec<i64> = cells
        .iter()
        .filter_map(|cell| match cell {
            Cell::Score(score) => Some(*score),
            _ => None,
        })
        .collect();
    let signed: Vec<i64> = cells
        .iter()
        .filter_map(|cell| match cell {
            Cell::Signed(number) => Some(*number),
            _ => None,
        })
        .collect();
    let count = ABILITIES.len();
    let columns = scores.iter().take(count).enumerate().map(|(index, score)| {
        // Twelve signs: a row of modifiers and one of saves, or both by ability.
        let modifier = (score - 10).div_euclid(2);
        let is_row = signed.get(index) == Some(&modifier);
        let save = match signed.len() == 2 * count {
            true if is_row => signed.get(count + index),
            true => signed.get(2 * index + 1),
            false => None,
        };
        let mut column = vec![*score];
        column.extend(save.into_iter().flat_map(|save| [modifier, *save]));
        column
    });
    columns.collect()
}

/// A name, then its score, its modifier and perhaps its save.
fn by_ability(cells: &[Cell]) -> Vec<Vec<i64>> {
    let mut columns: Vec<Vec<i64>> = Vec::new();
    for cell in cells {
        match (cell, columns.last_mut()) {
            (Cell::Ability(_), _) => columns.push(Vec::new()),
            (Cell::Score(number) | Cell::Signed(number), Some(column)) => column.push(*number),
            _ => {}
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Raw {
        let mut raw = Raw::default();
        assert!(read(text, &mut raw), "{text}");
        raw
    }

    #[test]
    fn all_layouts_have_the_same_scores() {
        let texts = [
            "STR DEX CON INT WIS CHA 16 (+3) 12 (+1) 14 (+2) 2 (-4) 10 (+0) 7 (-2)",
            "STR 16 (+3) DEX 12 (+1) CON 14 (+2) INT 2 (-4) WIS 10 (+0) CHA 7 (-2)",
            "MOD SAVE MOD SAVE Str 16 +3 +3 Dex 12 +1 +4 Con 14 +2 +2 Int 2 -4 -4 Wis 10 +0 +0 Cha 7 -2 -2",
            "STR DEX CON INT WIS CHA 16 12 14 2 10 7 +3 +1 +2 -4 +0 -2 +3 +4 +2 -4 +0 -2",
        ];
        for text in texts {
            let raw = of(text);
            assert_eq!(raw.scores.get("INT"), Some(&2), "{text}");
            let save = text.contains("+4").then_some(&4);
            assert_eq!(raw.saves.get("DEX"), save, "{text}");
        }
    }
}
