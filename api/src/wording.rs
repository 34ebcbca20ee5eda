//! The libraries' advice, phrased in terms of requests.

use dicec_lang::syntax::{Advice, Limit};

/// Advice for the author of a request.
pub(crate) fn words(advice: &Advice) -> String {
    match advice {
        Advice::RaiseLimit(Limit::Exact) => "ask for less at once".to_owned(),
        Advice::RaiseLimit(_) | Advice::RaiseLimitTo(..) => {
            "use the command, whose limits can be raised".to_owned()
        }
        Advice::GiveResource(name) => format!("give it a value: \"set\": {{\"{name}\": 4}}"),
        Advice::UseNotation => "use \"dialect\": \"notation\"".to_owned(),
        Advice::Simulate => "sample instead: /api/sim".to_owned(),
        Advice::Uncheck => "take the answer unchecked with \"check\": \"off\"".to_owned(),
        other => other.to_string(),
    }
}
