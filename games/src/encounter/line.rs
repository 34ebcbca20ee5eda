//! Reads an encounter from a line of text: `4 Veteran vs 1 Troll, 6 Goblin`.

use super::bestiary::Bestiary;
use super::document::{
    Encounter, Escape, Flees, Gazes, Group, Heal, HitPoints, Initiative, Side, stranger,
};
use super::policy::Policy;
use super::wrong::Wrong;

/// The words between sides.
const VERSUS: [&str; 4] = ["vs", "vs.", "versus", "against"];

/// Reads a line. Creatures are separated by commas, `and` or `+`, each with an optional number
/// before it.
///
/// # Errors
/// An unknown creature, or a number of sides other than two. The path is the part with the mistake.
pub fn read_line(text: &str, bestiary: &Bestiary) -> Result<Encounter, Wrong> {
    let sides: Vec<String> = sides(text).iter().map(|words| words.join(" ")).collect();
    if text.trim().is_empty() {
        let wrong = Wrong::new("the encounter", "is empty");
        return Err(wrong.help("write it as in `4 Veteran vs 1 Troll, 6 Goblin`"));
    }
    if sides.len() == 2 && sides.iter().any(String::is_empty) {
        let wrong = Wrong::new(text.trim(), "names nobody on one side of `vs`");
        return Err(wrong.help("write it as in `4 Veteran vs 1 Troll, 6 Goblin`"));
    }
    let [first, second] = &sides[..] else {
        let what = match sides.len() {
            1 => "has one side, not two".to_owned(),
            count => format!("has {count} sides, not two"),
        };
        let wrong = Wrong::new(text.trim(), what);
        return Err(wrong.help("write them as in `4 Veteran vs 1 Troll, 6 Goblin`"));
    };
    read_sides(first, second, bestiary)
}

/// Reads two sides, each written as in a line.
///
/// # Errors
/// As those of [`read_line`].
pub fn read_sides(first: &str, second: &str, bestiary: &Bestiary) -> Result<Encounter, Wrong> {
    Ok(Encounter {
        sides: vec![read_side(first, bestiary)?, read_side(second, bestiary)?],
        rounds: 100,
        initiative: Initiative::default(),
        hit_points: HitPoints::default(),
        plain: false,
        without: Vec::new(),
        distance: None,
        functions: None,
    })
}

/// The sides of a line, each as its words.
fn sides(text: &str) -> Vec<Vec<&str>> {
    let mut all = vec![Vec::new()];
    for word in text.split_whitespace() {
        let is_versus = VERSUS
            .iter()
            .any(|versus| word.eq_ignore_ascii_case(versus));
        match all.last_mut() {
            Some(last) if !is_versus => last.push(word),
            _ => all.push(Vec::new()),
        }
    }
    all
}

/// Reads a side of a line: `2 Ogre, 1 Troll`.
///
/// # Errors
/// An unknown creature, or none. The path is the part with the mistake.
pub(super) fn read_side(text: &str, bestiary: &Bestiary) -> Result<Side, Wrong> {
    let mut creatures = Vec::new();
    let mut parts = parts(text);
    if parts.iter().all(String::is_empty) {
        let wrong = Wrong::new("a side", "names nobody");
        return Err(wrong.help("write it as in `4 Veteran vs 1 Troll, 6 Goblin`"));
    }
    while !parts.is_empty() {
        let taken = known(&parts, bestiary)?;
        let part: Vec<String> = parts.drain(..taken).collect();
        let part = part.join(", ");
        let (arrives, part) = arriving(&part)?;
        let (count, name) = counted(part)?;
        creatures.push(Group {
            creature: name.into(),
            count,
            arrives,
            ac: None,
            hp: None,
            at: Vec::new(),
        });
    }
    Ok(Side {
        name: None,
        creatures,
        targets: Policy::default(),
        limited: Policy::default(),
        heal: Heal::default(),
        escape: Escape::default(),
        gazes: Gazes::default(),
        keep: Vec::new(),
        keep_slots_from: None,
        surprised: false,
        flees: Flees::default(),
    })
}

/// Splits a side's text at commas and at the words that replace them.
fn parts(text: &str) -> Vec<String> {
    let text = text
        .replace(" and ", ", ")
        .replace(" + ", ", ")
        .replace(" & ", ", ");
    text.split(',').map(|part| part.trim().to_owned()).collect()
}

/// The number of leading parts that form the name of one creature: some names have a comma.
fn known(parts: &[String], bestiary: &Bestiary) -> Result<usize, Wrong> {
    for taken in (1..=parts.len().min(2)).rev() {
        let part = parts[..taken].join(", ");
        let (_, name) = counted(arriving(&part)?.1)?;
        if bestiary.find(&name).is_some() {
            return Ok(taken);
        }
    }
    let (_, name) = counted(arriving(&parts[0])?.1)?;
    Err(stranger(&name, parts[0].clone(), bestiary))
}

/// The round in which creatures arrive, `2 Orc at round 3`, and the text without it.
fn arriving(part: &str) -> Result<(Option<u32>, &str), Wrong> {
    let Some((who, round)) = part.rsplit_once(" at round ") else {
        return Ok((None, part));
    };
    match round.trim().parse() {
        Ok(round) => Ok((Some(round), who.trim_end())),
        Err(_) => {
            let wrong = Wrong::new(part, "does not say in which round they arrive");
            Err(wrong.help("write it as in `2 Orc at round 3`"))
        }
    }
}

/// Words for numbers, from 1; articles are ones, too.
const NUMBERS: [&[&str]; 12] = [
    &["one", "a", "an", "the"],
    &["two"],
    &["three"],
    &["four"],
    &["five"],
    &["six"],
    &["seven"],
    &["eight"],
    &["nine"],
    &["ten"],
    &["eleven"],
    &["twelve"],
];

/// A count and a name: `6 Goblin`, `6x Goblin`, `six goblins`, `a Goblin`, `Goblin`.
fn counted(part: &str) -> Result<(u32, String), Wrong> {
    if let Some((word, name)) = part.split_once(' ') {
        let is_it = |words: &&[&str]| words.iter().any(|one| one.eq_ignore_ascii_case(word));
        if let Some((count, _)) = (1..).zip(&NUMBERS).find(|(_, words)| is_it(words)) {
            return Ok((count, name.trim().to_owned()));
        }
    }
    let first = part.split(' ').next().unwrap_or(part);
    if first.parse::<f64>().is_ok() && first.parse::<u32>().is_err() {
        return Err(uncounted(part));
    }
    let digits = part
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(part.len());
    let (number, rest) = part.split_at(digits);
    let rest = match rest.strip_prefix(['x', 'X', '×']) {
        Some(after) if after.starts_with(' ') && !number.is_empty() => after,
        _ => rest,
    };
    let name = rest.trim();
    if name.is_empty() {
        return Err(Wrong::new(part, "does not name a creature")
            .help("write it as in `4 Veteran vs 1 Troll, 6 Goblin`"));
    }
    if number.is_empty() {
        return Ok((1, name.to_owned()));
    }
    let count: Result<u32, _> = number.parse();
    match count {
        Ok(count) if count > 0 => Ok((count, name.to_owned())),
        _ => Err(uncounted(part)),
    }
}

/// A number that is not one of creatures.
fn uncounted(part: &str) -> Wrong {
    let wrong = Wrong::new(part, "is not a number of creatures that can fight");
    wrong.help("write a whole number above 0, as in `6 Goblin`")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Vec<(u32, String)>>, String> {
        let found = read_line(text, &Bestiary::srd()).map_err(|wrong| wrong.to_string())?;
        let groups = |side: &Side| {
            let all = side.creatures.iter();
            all.map(|group| {
                (
                    group.count,
                    group.creature.as_str().unwrap_or("?").to_owned(),
                )
            })
            .collect()
        };
        Ok(found.sides.iter().map(groups).collect())
    }

    #[test]
    fn lines_are_read_as_people_write_them() {
        let expected = vec![
            vec![(4, "Veteran".to_owned())],
            vec![(1, "Troll".to_owned()), (6, "goblins".to_owned())],
        ];
        for text in [
            "4 Veteran vs 1 Troll, 6 goblins",
            "4x Veteran against Troll and 6 goblins",
            " 4 Veteran  VS. Troll + 6 goblins ",
            "four Veteran vs a Troll and six goblins",
        ] {
            assert_eq!(read(text), Ok(expected.clone()), "{text}");
        }
        let vampire = read("Vampire, Bat Form, 2 Wolf vs 3 knights").expect("it is an encounter");
        assert_eq!(vampire[0].len(), 2);
        assert_eq!(vampire[0][0].1, "Vampire, Bat Form");
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, expected) in [
            ("4 Veteran", "`4 Veteran` has one side, not two"),
            (
                "4 Gobblin vs Troll",
                "`4 Gobblin` names `Gobblin`, which no bestiary has",
            ),
            ("Troll vs", "`Troll vs` names nobody on one side of `vs`"),
            (
                "0 Troll vs Troll",
                "`0 Troll` is not a number of creatures that can fight",
            ),
            (
                "1.5 Troll vs Troll",
                "`1.5 Troll` is not a number of creatures that can fight",
            ),
            (
                "-2 Troll vs Troll",
                "`-2 Troll` is not a number of creatures that can fight",
            ),
            ("7 vs Troll", "`7` does not name a creature"),
        ] {
            assert_eq!(read(text), Err(expected.to_owned()), "{text}");
        }
    }
}
