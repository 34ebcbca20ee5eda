//! The reference: a trial of the interpreter with everything observable about it, and the modules
//! that must draw the same words.

use super::{Difference, Effort, SEED};
use dicec_exact::Question;
use dicec_lang::interp::{Interpreter, Simulated, Value};
use dicec_native::eval::{Observed, Trials};
use dicec_native::ir::Module;
use dicec_runtime::events::Events;
use dicec_runtime::rng::{Dice, Stream};
use std::sync::Arc;

/// Runs trials of a question, one at a time.
pub(super) struct Reference<'q> {
    question: &'q Question<'q>,
    interpreter: Interpreter<'q>,
}

impl<'q> Reference<'q> {
    pub(super) fn new(question: &'q Question<'q>) -> Self {
        let Question {
            function, rolls, ..
        } = *question;
        Self {
            question,
            interpreter: Interpreter::new(question.module, function, rolls, question.limits),
        }
    }

    /// One trial with these dice.
    pub(super) fn run(&self, dice: &mut impl Dice) -> Observed {
        let names = &self.question.module.stats;
        let mut events = Events::new(names);
        let mut host = Simulated {
            dice,
            policies: self.question.policies,
            events: &mut events,
            observer: (),
        };
        let (args, resources) = (self.question.args, self.question.resources);
        let ended = self.interpreter.run(args, resources, &mut host);
        let ended = ended.map(|value| value.map_or(0, Value::to_cell));
        Observed::new(ended, &events, names)
    }
}

/// Compares trials of a module that draws every die by itself with those of the interpreter;
/// returns how many trials were compared before the blocks of `effort` were used up.
///
/// # Errors
/// The first difference: before is the interpreter.
pub fn module_differs(
    question: &Question<'_>,
    module: &Arc<Module>,
    inputs: &[i64],
    effort: &Effort,
) -> Result<usize, Difference> {
    let reference = Reference::new(question);
    let Ok(trials) = Trials::new(module, inputs) else {
        return Err(Difference {
            of: "its input".to_owned(),
            before: "accepted".to_owned(),
            after: "refused".to_owned(),
        });
    };
    let mut blocks = effort.blocks;
    for (number, seed) in (SEED..).take(effort.trials).enumerate() {
        let [mut first, mut second] = [seed; 2].map(Stream::from_seed);
        let Some(found) = trials.run(&mut second, &mut blocks) else {
            return Ok(number);
        };
        let expected = reference.run(&mut first);
        if (&expected, first.state()) != (&found.observed, second.state()) {
            return Err(Difference {
                of: format!("the trial of seed {seed}"),
                before: expected.to_string(),
                after: found.observed.to_string(),
            });
        }
    }
    Ok(effort.trials)
}
