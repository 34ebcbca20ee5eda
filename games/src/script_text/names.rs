//! Names of a script of which no two are the same. Two names of a document may be alike in letters
//! and digits (`Bite!` and `Bite?`), or like one that every script has; what is called so must not
//! become one thing.

use super::{ScriptCode, code, identifier};
use dicec_lang::front::notation::begins_dice;
use dicec_lang::front::script::is_reserved;
use std::collections::{BTreeMap, BTreeSet};

/// The names that are given.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    taken: BTreeSet<ScriptCode>,
    given: BTreeMap<String, ScriptCode>,
}

impl Names {
    /// Names next to those that are taken.
    pub(crate) fn beside(taken: impl IntoIterator<Item = ScriptCode>) -> Self {
        Self {
            taken: taken.into_iter().collect(),
            given: BTreeMap::new(),
        }
    }

    /// A name with which all names that end so are free. Others get a letter more.
    pub(crate) fn claim(&mut self, mut name: ScriptCode, ends: &[ScriptCode]) -> ScriptCode {
        let with = |name: &ScriptCode| -> Vec<ScriptCode> {
            let all = ends.iter().map(|end| code!("{name}{end}", name, end));
            all.collect()
        };
        let is_dice = |name: &ScriptCode| begins_dice(name.as_str());
        let is_taken = |name: &ScriptCode| self.taken.contains(name) || is_reserved(name.as_str());
        loop {
            let all = with(&name);
            if all.iter().any(is_dice) {
                // Whatever comes after dice, they are still dice.
                name = code!("n{name}", name);
            } else if all.iter().any(is_taken) {
                name = code!("{name}X", name);
            } else {
                break;
            }
        }
        self.taken.extend(with(&name));
        name
    }

    /// The name for words, which is the same each time, with an end.
    pub(crate) fn of(&mut self, words: &str, end: &'static str) -> ScriptCode {
        if let Some(name) = self.given.get(words) {
            return name.clone();
        }
        let name = code!("{}{end}", identifier(words), end);
        let name = self.claim(name, &["".into()]);
        self.given.insert(words.to_owned(), name.clone());
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_alike_stay_apart() {
        let mut names = Names::beside(["hurt".into()]);
        assert_eq!(names.of("Bite!", ""), "bite");
        assert_eq!(names.of("Bite?", ""), "biteX");
        assert_eq!(names.of("Bite!", ""), "bite");
        for (words, name) in [
            ("Hurt", "hurtX"),
            ("If", "ifX"),
            ("d 6", "nd6"),
            ("D20 die", "nd20Die"),
            ("max", "maxX"),
        ] {
            assert_eq!(names.of(words, ""), name);
        }
        let ends = ["".into(), "Save".into()];
        assert_eq!(names.claim("claw".into(), &ends), "claw");
        assert_eq!(names.claim("clawSave".into(), &ends), "clawSaveX");
    }
}
