//! Policies for the options of a script, as people write them: `never`, `30%`, or an answer.

use crate::hir::{CHANCE_SIDES, Offers, Policy};
use crate::syntax::nearest;

impl Offers {
    /// The policy that a text describes: `never`; for yes or no, `always` or a share such as `0.3`
    /// or `30%`; for other options, `random` or an answer.
    pub fn decided(&self, how: &str) -> Option<Policy> {
        self.policy(how).or_else(|| match (self, how.trim()) {
            (_, "never") => Some(Policy::Never),
            (Offers::YesNo, "always") => Some(Policy::Always),
            (Offers::YesNo, share) => parts(share).map(Policy::Chance),
            (_, "random") => Some(Policy::Random),
            _ => None,
        })
    }

    /// A suggestion if `how` describes no policy.
    pub fn help(&self, how: &str) -> String {
        let labels = match self {
            Offers::OneOf(Some(labels)) => labels.as_slice(),
            _ => &[],
        };
        match (self, nearest(how, labels.iter().map(String::as_str))) {
            (_, Some(near)) => format!("did you mean {near:?}?"),
            (Offers::YesNo, None) => "write `always`, `never` or a share: 0.3, 30%".to_owned(),
            (offers, None) => format!("write `random`, or {}", offers.words()),
        }
    }
}

/// A share, `0.3` or `30%`, in parts of [`CHANCE_SIDES`].
fn parts(share: &str) -> Option<u32> {
    let (number, whole) = match share.strip_suffix('%') {
        Some(number) => (number.trim_end(), 100.0),
        None => (share, 1.0),
    };
    let share = number.parse::<f64>().ok()? / whole;
    let is_share = (0.0..=1.0).contains(&share);
    is_share.then(|| (share * f64::from(CHANCE_SIDES)).round() as u32)
}
