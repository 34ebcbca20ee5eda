//! Tables with a row for each result of each question.

use crate::answer::Answer;
use crate::group::Group;
use crate::results::ResultCell;

/// The columns of a table with a row for each result, after the table's own: `rule`, `part`,
/// `result` and `p`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LongColumns {
    /// Whether there is a column for the name of the question.
    pub has_rule: bool,
    /// Whether there is a column for the name of the part.
    pub has_part: bool,
}

/// The cells of a row for a result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResultRow<'a> {
    /// The name of the question.
    pub rule: &'a str,
    /// The name of the part, if it is a part's result.
    pub part: Option<&'a str>,
    /// The result and its probability; none if the question has no answer.
    pub found: Option<(&'a ResultCell, f64)>,
}

impl LongColumns {
    /// The names of the columns, in order.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let names = [
            (self.has_rule, "rule"),
            (self.has_part, "part"),
            (true, "result"),
            (true, "p"),
        ];
        names
            .into_iter()
            .filter(|(is_there, _)| *is_there)
            .map(|(_, name)| name)
    }

    /// The rows that the answers to these questions become.
    pub fn rows<'a>(
        groups: &'a [Group],
        answers: &'a [Option<Answer>],
    ) -> impl Iterator<Item = ResultRow<'a>> {
        groups.iter().zip(answers).flat_map(|(group, answer)| {
            let rule = group.name.as_str();
            let parts = answer
                .iter()
                .flat_map(|answer| answer.results.iter().flat_map(|all| all.iter()));
            let found = parts.flat_map(move |results| {
                let part = results.part.as_deref();
                results.all.iter().map(move |(result, p)| ResultRow {
                    rule,
                    part,
                    found: Some((result, *p)),
                })
            });
            let nothing = answer.is_none().then_some(ResultRow {
                rule,
                part: None,
                found: None,
            });
            nothing.into_iter().chain(found)
        })
    }
}
