//! The answer to one question, where the settings want it: in this process, or in one of its own.

use crate::isolated::{self, Hears};
use crate::response::{Answer, Refused};
use crate::settings::Settings;
use dicec_api::{Endpoint, Partial, Watch};
use dicec_compiler::Control;

/// An observer of the work on a question.
pub(crate) trait Follows: Hears + Partial {}

impl<F: Hears + Partial> Follows for F {}

/// The answer to a question, by this process or by one of its own.
pub(crate) fn answer(
    settings: &Settings,
    question: (Endpoint, &[u8]),
    control: &Control,
    follows: Option<&dyn Follows>,
) -> Result<Answer, Refused> {
    if let Some(isolation) = &settings.isolation {
        let hears = follows.map(|follows| follows as &dyn Hears);
        return isolated::answer(isolation, question, (settings.time, control), hears);
    }
    let (endpoint, body) = question;
    let partial = follows.map(|follows| follows as &dyn Partial);
    let watch = Watch { control, partial };
    Ok(dicec_api::answer(endpoint, body, &settings.bounds, &watch)?.into())
}
