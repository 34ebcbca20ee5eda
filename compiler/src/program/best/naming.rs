//! The names of answers, as players read and type them.

use dicec_exact::AnswerValue;

/// The name of an answer.
pub(super) trait Named {
    fn name(&self, yes_or_no: bool) -> String;
}

impl Named for AnswerValue {
    fn name(&self, yes_or_no: bool) -> String {
        match (&self.label, yes_or_no, self.number) {
            (_, true, 0) => "no".to_owned(),
            (_, true, _) => "yes".to_owned(),
            (Some(label), ..) => label.clone(),
            (None, _, number) => number.to_string(),
        }
    }
}
