//! Exact odds: nanoseconds per answer of each engine.

use crate::report::Row;
use dicec_benches::measure::Variant;
use dicec_benches::question::Question;

pub(crate) fn measure(question: &Question) -> Row {
    let (program, peer) = (question.program(), question.peer());
    let engines = [
        Variant::new("dicec", |times| question.answer(&program, times)),
        Variant::new("dicec_fractions", |times| {
            question.answer_in_fractions(&program, times);
        }),
        Variant::new("xdy", |times| question.answer_by_peer(&peer, times)),
    ];
    Row::new(question.rule, &engines)
}
