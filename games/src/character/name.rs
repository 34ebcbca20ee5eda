//! Names of characters in rosters: `champion 5`, `half-orc life cleric 5`, `level 5 wizard`.

use super::class::{class, classes};
use super::sheet::Sheet;
use super::species::{Species, all_species};
use crate::edition::Edition;
use dicec_lang::syntax::nearest;

/// A text as words, with its level and its edition taken out.
struct Words {
    level: i64,
    edition: Option<Edition>,
    rest: String,
}

impl Words {
    /// `champion 5`, `level 5 champion`, `champion 5 (5.2)`; `None` without a level.
    fn of(text: &str) -> Option<Self> {
        let mut words: Vec<&str> = text.split_whitespace().collect();
        let edition = match words.last().copied() {
            Some("(5.1)" | "(2014)") => Some(Edition::Srd51),
            Some("(5.2)" | "(2024)") => Some(Edition::Srd52),
            _ => None,
        };
        if edition.is_some() {
            words.pop();
        }
        let at = words
            .iter()
            .position(|word| word.parse::<i64>().is_ok_and(|level| level > 0))?;
        let level = words.remove(at).parse().ok()?;
        let is_word = at > 0 && words[at - 1].eq_ignore_ascii_case("level");
        if is_word {
            words.remove(at - 1);
        }
        // A number between other words is a part of a name.
        let is_level = is_word || at == words.len();
        is_level.then(|| Self {
            level,
            edition,
            rest: words.join(" "),
        })
    }
}

/// The sheet of a character with everything as usual that a text means, such as `champion 5`;
/// `None` if it does not name a class and a level.
pub fn named(text: &str, edition: Edition) -> Option<Sheet> {
    let words = Words::of(text)?;
    let edition = words.edition.unwrap_or(edition);
    let (species, rest) = species_before(&words.rest, edition);
    class(rest, edition)?;
    let singular = rest
        .strip_suffix('s')
        .filter(|_| class_is_plural(rest, edition));
    let title = [
        species.map(|one| one.name.as_str()),
        Some(singular.unwrap_or(rest)),
    ];
    let title: Vec<String> = title.into_iter().flatten().map(titled).collect();
    Some(Sheet {
        name: Some(format!("{} {}", title.join(" "), words.level)),
        class: rest.to_owned(),
        level: words.level,
        edition: Some(edition),
        species: species.map(|one| one.name.clone()),
        ..Sheet::default()
    })
}

/// Whether a name of a class is in the plural: no name of a class ends with an s itself.
fn class_is_plural(name: &str, edition: Edition) -> bool {
    let singular = name.strip_suffix(['s', 'S']);
    singular.is_some_and(|singular| class(singular, edition).is_some())
}

/// The species that a text begins with, and the rest.
fn species_before(text: &str, edition: Edition) -> (Option<&'static Species>, &str) {
    let lower = text.to_lowercase();
    let found = all_species(edition).find_map(|one| {
        let rest = lower.strip_prefix(&format!("{} ", one.name))?;
        Some((one, text.len() - rest.len()))
    });
    // Lower case may have another length than the text; names of classes are in ASCII.
    match found.and_then(|(one, at)| Some((one, text.get(at..)?))) {
        Some((one, rest)) => (Some(one), rest),
        None => (None, text),
    }
}

/// A name with capital letters, except in small words.
fn titled(name: &str) -> String {
    let words = name.split(' ').map(|word| match word {
        "of" | "the" => word.to_owned(),
        word => {
            let mut letters = word.chars();
            let first = letters.next().into_iter().flat_map(char::to_uppercase);
            first.chain(letters.flat_map(char::to_lowercase)).collect()
        }
    });
    words.collect::<Vec<String>>().join(" ")
}

/// The character that was probably meant by a text with a level: `chanpion 5` is `champion 5`.
pub fn nearest_named(text: &str, edition: Edition) -> Option<String> {
    let words = Words::of(text)?;
    let edition = words.edition.unwrap_or(edition);
    let all = classes(edition).iter().flat_map(|class| {
        let subclasses = class.subclasses.iter();
        let names = subclasses.flat_map(|one| class.names_of(one));
        names.chain([class.name.to_lowercase()])
    });
    let all: Vec<String> = all.collect();
    let (_, rest) = species_before(&words.rest, edition);
    let found = nearest(&rest.to_lowercase(), all.iter().map(String::as_str))?;
    Some(format!("{found} {}", words.level))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_named_as_people_write_them() {
        let read = |text: &str| {
            let sheet = named(text, Edition::Srd51)?;
            Some((sheet.name?, sheet.class, sheet.level))
        };
        let of =
            |name: &str, class: &str, level: i64| Some((name.to_owned(), class.to_owned(), level));
        assert_eq!(read("champion 5"), of("Champion 5", "champion", 5));
        assert_eq!(read("Life Cleric 5"), of("Life Cleric 5", "Life Cleric", 5));
        assert_eq!(read("level 3 wizard"), of("Wizard 3", "wizard", 3));
        assert_eq!(read("evokers 5"), of("Evoker 5", "evokers", 5));
        assert_eq!(
            read("half-orc berserker barbarian 7"),
            of("Half-orc Berserker Barbarian 7", "berserker barbarian", 7)
        );
        assert_eq!(
            read("way of the open hand monk 3"),
            of(
                "Way of the Open Hand Monk 3",
                "way of the open hand monk",
                3
            )
        );
        assert_eq!(read("goblin 5"), None);
        assert_eq!(read("champion"), None);
        let newer = named("evoker 5 (5.2)", Edition::Srd51).and_then(|sheet| sheet.edition);
        assert_eq!(newer, Some(Edition::Srd52));
        let meant = nearest_named("chanpion 5", Edition::Srd51);
        assert_eq!(meant.as_deref(), Some("champion 5"));
    }
}
