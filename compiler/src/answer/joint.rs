//! The odds of the parts of a result with several: of each, and of some or all together.

use super::distribution::{Distribution, Outcome};
use dicec_lang::hir::{Module, Part, Type};
use dicec_lang::syntax::nearest;
use dicec_runtime::bug;
use std::sync::Arc;

/// The exact odds of all parts of a result together.
#[derive(Clone, Debug)]
pub struct Joint {
    /// The results, ascending, each with the value of every part: once the parts of the answer are
    /// known, an outcome of the odds of each.
    pub rows: Vec<Vec<i64>>,
    /// The texts of which some parts are indices, until the parts of the answer are known.
    pub(super) texts: Vec<String>,
    /// The odds of the indices of the results.
    pub odds: Distribution,
}

/// The odds of a part of a result.
#[derive(Clone, Debug)]
pub struct PartOdds {
    /// The name of the part.
    pub name: String,
    /// Its odds.
    pub odds: Distribution,
}

/// The exact odds of some parts of a result together.
#[derive(Clone, Debug)]
pub struct JointOdds {
    /// The parts, each with the odds that it has by itself.
    pub parts: Vec<PartOdds>,
    /// The possible combinations, ascending, each with an outcome of every part.
    pub(super) rows: Vec<Vec<i64>>,
    /// The odds of the indices of the combinations.
    pub(super) odds: Distribution,
}

/// A choice among the parts of a result that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadParts {
    /// There is only one result.
    None,
    /// There is no part of this name or at this position; with a similar name, if one is.
    Unknown {
        /// The name as it was given.
        name: String,
        /// All names.
        known: Vec<String>,
    },
    /// A part is named twice.
    Twice(String),
    /// Fewer than two are named.
    Few(Vec<String>),
}

impl Joint {
    /// The odds of one part, of whose outcomes the results now consist.
    pub(super) fn take_part(&mut self, index: usize, part: &Part, module: &Module) -> Distribution {
        let kind = module.kind_of_type(&part.ty);
        let kind = kind.unwrap_or_else(|| bug!("a part without a kind").raise());
        let is_text = part.ty == Type::Text;
        let mut labels: Arc<[String]> = Arc::default();
        if is_text {
            let mut held: Vec<i64> = self.rows.iter().map(|row| row[index]).collect();
            held.sort_unstable();
            held.dedup();
            labels = held.iter().map(|text| self.text(*text)).collect();
            for row in &mut self.rows {
                row[index] = held.partition_point(|text| *text < row[index]) as i64;
            }
        }
        let mut odds = self.odds.clone();
        // The odds are of indices of rows.
        odds.renumber(|row| self.rows[row as usize][index]);
        let odds = odds.of_kind(kind, labels);
        match is_text {
            true => odds,
            false => odds.labelled(module.labels_of_type(&part.ty)),
        }
    }

    fn text(&self, index: i64) -> String {
        let text = usize::try_from(index).ok();
        let text = text.and_then(|index| self.texts.get(index));
        let text = text.unwrap_or_else(|| bug!("a text without a name").raise());
        text.clone()
    }
}

impl JointOdds {
    /// Each possible combination with an outcome of every part, ascending, and its probability; the
    /// outcome's value says nothing.
    pub fn outcomes(&self) -> impl Iterator<Item = (&[i64], Outcome)> {
        let outcomes = self.odds.outcomes().into_iter();
        outcomes.map(|outcome| {
            let row = usize::try_from(outcome.value).ok();
            let row = row.and_then(|row| self.rows.get(row));
            let row = row.unwrap_or_else(|| bug!("a combination without a row").raise());
            (row.as_slice(), outcome)
        })
    }

    /// How exact the probabilities are: the odds of the indices of the combinations.
    pub fn exactness(&self) -> &Distribution {
        &self.odds
    }
}

/// The indices of the parts with these names, of parts with the names `known`. A number is the
/// position of a part, from 1 on, unless a part has it as its name.
///
/// # Errors
/// There are no parts, a name is not that of one, is there twice, or there is only one.
pub fn chosen_parts(names: &[String], known: &[String]) -> Result<Vec<usize>, BadParts> {
    if known.is_empty() {
        return Err(BadParts::None);
    }
    let mut chosen = Vec::new();
    for name in names.iter().map(|name| name.trim()) {
        let named = known.iter().position(|part| part == name);
        let counted = || {
            let position: usize = name.parse().ok()?;
            position.checked_sub(1).filter(|index| *index < known.len())
        };
        let index = named.or_else(counted).ok_or_else(|| BadParts::Unknown {
            name: name.to_owned(),
            known: known.to_vec(),
        })?;
        if chosen.contains(&index) {
            return Err(BadParts::Twice(known[index].clone()));
        }
        chosen.push(index);
    }
    match chosen.len() {
        0 | 1 => Err(BadParts::Few(known.to_vec())),
        _ => Ok(chosen),
    }
}

impl BadParts {
    /// The error, and what to write instead.
    pub fn words(&self) -> (String, String) {
        match self {
            Self::None => (
                "this roll has a single result, and no parts".to_owned(),
                "let a script return several: `return { hits: h, crits: c };`".to_owned(),
            ),
            Self::Unknown { name, known } => {
                let listed = known.join(", ");
                let help = match nearest(name, known.iter().map(String::as_str)) {
                    Some(near) => format!("did you mean {near}? The parts are: {listed}"),
                    None => format!("the parts are: {listed}"),
                };
                (format!("the result has no part {name:?}"), help)
            }
            Self::Twice(name) => (
                format!("the part {name} is named twice"),
                "name each part once".to_owned(),
            ),
            Self::Few(known) => (
                "the odds of one part together with no other are its own".to_owned(),
                format!("name two or more of the parts: {}", known.join(", ")),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_chosen_by_name_or_position() {
        let texts = |names: &[&str]| -> Vec<String> {
            names.iter().map(|name| (*name).to_owned()).collect()
        };
        let chosen = |names: &[&str], known: &[&str]| chosen_parts(&texts(names), &texts(known));
        assert_eq!(chosen(&["b", " a"], &["a", "b"]), Ok(vec![1, 0]));
        assert_eq!(chosen(&["2", "1"], &["a", "b"]), Ok(vec![1, 0]));
        // The names of some tuples are numbers.
        assert_eq!(chosen(&["2", "a"], &["2", "a"]), Ok(vec![0, 1]));
        assert_eq!(
            chosen(&["a", "1"], &["a", "b"]),
            Err(BadParts::Twice("a".to_owned()))
        );
        for name in ["0", "3", "A", ""] {
            let found = chosen(&["a", name], &["a", "b"]);
            assert!(matches!(found, Err(BadParts::Unknown { .. })), "{name}");
        }
        assert!(matches!(chosen(&["a"], &["a", "b"]), Err(BadParts::Few(_))));
        assert_eq!(chosen(&["a", "b"], &[]), Err(BadParts::None));
    }
}
