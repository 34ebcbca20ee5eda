//! Single rolls as documents. `program::documents` fills them in, because
//! it has the roll.

use super::number::Number;
use indexmap::IndexMap;
use serde::Serialize;

/// A roll of a rule: the output of `dicec roll --json`.
#[derive(Clone, Debug, Serialize)]
pub struct RollDocument {
    /// `number`, `check`, `degree`, `test` or `label`.
    pub(crate) kind: &'static str,
    /// The rule in its normal form, implied counts written.
    pub(crate) expression: String,
    /// A number's result; null for a check and a label.
    pub(crate) total: Option<Number>,
    /// The same before the final clamp to 0.
    pub(crate) raw: Option<Number>,
    /// A check's truth; null for a number.
    pub(crate) check: Option<bool>,
    /// The name of the degree of success that was reached.
    pub(crate) degree: Option<&'static str>,
    /// The result of a test; absent for anything else.
    #[serde(flatten)]
    pub(crate) test: Option<TestEntry>,
    /// The label that came up, where the rule is nothing but a die with labels.
    pub(crate) label: Option<String>,
    /// The face of the only d20 on the left of a `vs`, or of the only d100 on the left of an
    /// `under`, which can shift the degree.
    pub(crate) natural: Option<i64>,
    /// How many dice or totals succeeded; null where none are counted.
    pub(crate) successes: Option<i64>,
    /// How many of them failed.
    pub(crate) failures: Option<i64>,
    /// The contributions of the terms with each label to the total, and last of those without one;
    /// absent for a rule without labels.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) subtotals: Vec<SubtotalEntry>,
    /// The rule with the faces and resources in it.
    pub(crate) rendered: String,
    /// The dice, pool by pool.
    pub(crate) dice: Vec<DieEntry>,
    /// The seed that gives the roll again; null for given faces.
    pub(crate) seed: Option<u64>,
}

/// The result of a test.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct TestEntry {
    pub(crate) success: bool,
    /// The degrees of success, or of failure below 0.
    pub(crate) degrees: i64,
    /// The target of the test.
    pub(crate) target: i64,
}

/// The contribution of the terms with a label.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SubtotalEntry {
    /// The label; null for the terms without one.
    pub(crate) label: Option<String>,
    pub(crate) total: Number,
}

/// One die of a roll.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct DieEntry {
    /// The number of sides.
    pub(crate) sides: u32,
    /// The face.
    pub(crate) face: i64,
    /// The value, if it is kept.
    pub(crate) value: i64,
    /// Whether it counts.
    pub(crate) kept: bool,
    /// The marks on the die, in words.
    pub(crate) flags: Vec<&'static str>,
    /// The byte range of its pool in the rule or script.
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// An execution of a roll of a script: the output of `dicec roll FILE.dice --json`.
#[derive(Clone, Debug, Serialize)]
pub struct PlayDocument<'p> {
    /// The name of the roll.
    pub(crate) roll: &'p str,
    /// The label for players.
    pub(crate) label: &'p str,
    /// The steps, in order.
    pub(crate) steps: Vec<StepEntry<'p>>,
    /// The rolls, by their places.
    pub(crate) rolls: Vec<ThrownEntry<'p>>,
    /// The options that were met, by their places.
    pub(crate) options: Vec<OptionEntry<'p>>,
    /// The numbers that were noted, by name; the names in the order of their first numbers.
    pub(crate) stats: IndexMap<&'p str, Vec<Number>>,
    /// The parts of a result with several, as texts; absent if it has only one.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub(crate) parts: IndexMap<&'p str, &'p str>,
    /// The result; null if there is none.
    pub(crate) result: Option<ReturnedEntry<'p>>,
    /// The result before it was raised to 0; absent if it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) raw: Option<i64>,
    /// Whether a degree, a level or a test that was returned is a success; absent for anything
    /// else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) success: Option<bool>,
    /// The seed that gives the execution again; null where a session went on.
    pub(crate) seed: Option<u64>,
}

/// Something that happened: `{"line": TEXT}`, `{"roll": PLACE}`, `{"option": PLACE}`,
/// `{"group": [...]}`.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum StepEntry<'p> {
    Line(&'p str),
    Roll(usize),
    Option(usize),
    Group(Vec<StepEntry<'p>>),
}

/// A roll that happened.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ThrownEntry<'p> {
    pub(crate) path: &'p str,
    /// The variable that it is assigned to, or the function that rolls.
    pub(crate) purpose: &'p str,
    /// Its source text.
    pub(crate) expression: &'p str,
    /// The same with the values and faces in it, and the total.
    pub(crate) rendered: String,
    /// The total; null for a label.
    pub(crate) total: Option<Number>,
    /// The result of a test; absent for anything else.
    #[serde(flatten)]
    pub(crate) test: Option<TestEntry>,
    pub(crate) dice: Vec<DieEntry>,
    /// Whether all of its faces were remembered.
    pub(crate) remembered: bool,
    /// The number of new dice.
    pub(crate) new: usize,
    /// Its byte range in the script.
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// An option that was met.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct OptionEntry<'p> {
    pub(crate) path: &'p str,
    pub(crate) who: &'p str,
    pub(crate) text: &'p str,
    /// Whether it was taken; null if it is not answered by yes or no.
    pub(crate) taken: Option<bool>,
    /// The offer and the answer.
    #[serde(flatten)]
    pub(crate) offer: OfferEntry<'p>,
}

/// The possible answers to an option. Only members that apply are written.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct OfferEntry<'p> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) answers: Option<&'p [String]>,
    /// The least number, and the greatest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) numbers: Option<[i64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) answer: Option<AnswerEntry<'p>>,
}

/// An answer.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum AnswerEntry<'p> {
    Text(&'p str),
    Number(i64),
}

/// The result of a roll of a script.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum ReturnedEntry<'p> {
    Number(Number),
    Truth(bool),
    /// The name of a degree or of a constant of an enum.
    Name(&'p str),
}
