//! Exact odds: nanoseconds an answer of each engine.

use crate::report::Row;
use dicec_benches::measure::Variant;
use dicec_benches::question::Question;

pub(crate) fn measure(question: &Question) -> Row {
    let (program, peer) = (question.program(), question.peer());
    let engine = |name, run| Variant {
        name,
        slowness: 1,
        run,
    };
    let engines = [
        engine(
            "dicec",
            Box::new(|times| question.answer(&program, times)) as Box<dyn Fn(u64) + '_>,
        ),
        engine(
            "dicec_fractions",
            Box::new(|times| question.answer_in_fractions(&program, times)),
        ),
        engine(
            "xdy",
            Box::new(|times| question.answer_by_peer(&peer, times)),
        ),
    ];
    Row::new(question.rule, &engines, question.times)
}
