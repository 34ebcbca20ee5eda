//! Reads a day from a line of text: `4 Veteran: 6 Goblin; short rest; 2 Ogre`.

use super::super::wrong::Wrong;
use super::document::Day;

/// The advice of every mistake in the form of a line.
const FORM: &str = "write it as in `4 Veteran: 6 Goblin; short rest; 2 Ogre, 1 Troll`";

/// Reads a line: the party, a colon, and the steps of the day between semicolons. Names are looked
/// up later.
///
/// # Errors
/// A line without a party or without steps. The path is the part with the mistake.
pub fn read_day_line(text: &str) -> Result<Day, Wrong> {
    let text = text.trim();
    let Some((party, steps)) = text.split_once(':') else {
        let path = if text.is_empty() { "the day" } else { text };
        return Err(Wrong::new(path, "has no party before a colon").help(FORM));
    };
    if party.trim().is_empty() {
        return Err(Wrong::new(text, "has nobody before the colon").help(FORM));
    }
    let steps: Vec<&str> = steps.split(';').map(str::trim).collect();
    let steps: Vec<&str> = match steps.split_last() {
        // A semicolon at the end is allowed.
        Some((&"", before)) if !before.is_empty() => before.to_vec(),
        _ => steps,
    };
    if steps.iter().any(|step| step.is_empty()) {
        return Err(Wrong::new(text, "has a step without a fight or a rest").help(FORM));
    }
    let steps = steps.into_iter().map(Into::into).collect();
    Ok(Day::of(party.trim().into(), steps))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_party_and_its_steps() {
        let day = read_day_line("2 Veteran, Priest: 6 Goblin; short rest ;2 Ogre, 1 Troll;");
        let day = day.expect("it is a day");
        assert_eq!(day.party, "2 Veteran, Priest");
        assert_eq!(day.steps, ["6 Goblin", "short rest", "2 Ogre, 1 Troll"]);
    }

    #[test]
    fn a_line_in_another_form_is_refused_with_advice() {
        for text in [
            "",
            "4 Veteran",
            ": 6 Goblin",
            "Veteran:",
            "Veteran: Orc;; Orc",
        ] {
            let wrong = read_day_line(text).expect_err("this is wrong");
            assert_eq!(wrong.help.as_deref(), Some(FORM), "{text}");
        }
    }
}
