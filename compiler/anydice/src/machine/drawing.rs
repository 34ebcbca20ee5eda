//! Trials: of each expansion one call is made, with arguments that are drawn by their weights, so
//! that a trial takes about as long as one roll, however many rolls there are.
//!
//! Premise: a trial meets no draw twice (`draws`). A value that depends on draws may be combined
//! with others, be an argument and be shown; several dice with its faces, its explosion, its
//! greatest result and the list of its results would be nonlinear in it.

use super::Machine;
use super::frames::Frames;
use crate::ast::Block;
use crate::draws::Draws;
use crate::failure::Failure;
use crate::settings::Settings;
use crate::value::Value;
use dicec_lang::syntax::{Code, Diagnostic};
use dicec_runtime::pmf::{Pmf, Weight};
use dicec_runtime::rng::Stream;
use dicec_runtime::span::Span;

/// The number of times that the arguments of an expansion are drawn until a call has a result other
/// than the empty die.
const MAX_REDRAWS: u32 = 1_000;

/// 2^53: the number of fractions below 1 that a random word is mapped to.
const FRACTIONS: f64 = (1_u64 << 53) as f64;

/// The result of an output in a trial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sampled {
    /// The name of the output.
    pub name: String,
    /// The name with variables whose values are given as the program writes them.
    pub heading: String,
    /// A number; none if the output has no outcomes, as `d{}`.
    pub result: Option<i64>,
}

/// The state of a trial.
pub(super) struct Drawing {
    stream: Stream,
    /// The number of draws of this trial.
    count: u32,
    /// The draws of which the arguments of the running calls depend.
    within: Draws,
}

impl Drawing {
    /// A number of this distribution.
    pub(super) fn number<W: Weight>(&mut self, of: &Pmf<W>) -> i64 {
        let mut left = (self.stream.word() >> 11) as f64 / FRACTIONS;
        for (number, probability) in of.probabilities() {
            if left < probability {
                return number;
            }
            left -= probability;
        }
        // The probabilities are rounded, so that their sum can be just below 1.
        of.max()
    }

    /// The faces of some dice, in the order of sequences.
    pub(super) fn roll<W: Weight>(
        &mut self,
        die: &Pmf<W>,
        count: u64,
        lowest_first: bool,
    ) -> Vec<i64> {
        let mut faces: Vec<i64> = (0..count).map(|_| self.number(die)).collect();
        match lowest_first {
            true => faces.sort_unstable(),
            false => faces.sort_unstable_by(|one, two| two.cmp(one)),
        }
        faces
    }
}

impl<W: Weight> Machine<'_, '_, W> {
    /// Runs trials until `each`, which is told the results and the work of one, has enough of them,
    /// and says what was noted.
    ///
    /// # Errors
    /// As for a run, with the budget for each trial; and a value that would depend on the same draw
    /// twice.
    pub(crate) fn trials(
        mut self,
        program: &Block,
        seed: u64,
        mut each: impl FnMut(&[Sampled], u64) -> bool,
    ) -> Result<Vec<Diagnostic>, Failure> {
        let mut drawing = Drawing {
            stream: Stream::from_seed(seed),
            count: 0,
            within: Draws::default(),
        };
        loop {
            self.restart();
            (drawing.count, drawing.within) = (0, Draws::default());
            self.drawing = Some(drawing);
            self.block(program)?;
            let Some(mut after) = self.drawing.take() else {
                return Ok(self.notes);
            };
            let sampled = self.outputs.drain(..).map(|output| Sampled {
                name: output.name,
                heading: output.heading,
                result: output.odds.map(|odds| after.number(&*odds)),
            });
            let sampled: Vec<Sampled> = sampled.collect();
            if !each(&sampled, self.engine.budget.spent()) {
                return Ok(self.notes);
            }
            drawing = after;
        }
    }

    /// The state of the start, but for the dice that the engine has made.
    fn restart(&mut self) {
        self.settings = Settings::default();
        self.functions.clear();
        self.effects.forget();
        self.frames = Frames::new(self.names.variables());
        for (&variable, &value) in &self.given {
            self.frames.assign(variable, Value::Number(value));
        }
        *self.engine.budget = self.engine.budget.renewed();
    }

    /// The draws of values that take part in one operation.
    ///
    /// # Errors
    /// Two of them depend on the same draw.
    pub(super) fn joined(&self, values: &[&Value<W>], span: Span) -> Result<Draws, Failure> {
        let mut all = Draws::default();
        if self.drawing.is_some() {
            for value in values {
                let draws = value.draws();
                if all.meet(&draws) {
                    return Err(twice(span).into());
                }
                all = all.with(&draws);
            }
        }
        Ok(all)
    }

    /// Refuses a value that depends on the same draw as an argument of the running calls.
    pub(super) fn check_free(&self, value: &Value<W>, span: Span) -> Result<(), Failure> {
        match &self.drawing {
            Some(drawing) if drawing.within.meet(&value.draws()) => Err(twice(span).into()),
            _ => Ok(()),
        }
    }

    /// Refuses a value that depends on a draw, where all of its results are needed.
    pub(super) fn check_undrawn(&self, value: &Value<W>, span: Span) -> Result<(), Failure> {
        match value.draws().are_none() {
            true => Ok(()),
            false => Err(twice(span).into()),
        }
    }

    /// An expansion to the one call that `call` makes with drawn arguments; of its result it gives
    /// the draws and the value. A call without a result or with the empty die, which an expansion
    /// leaves out, is made again. `given` are the values that are expanded.
    ///
    /// # Errors
    /// Those of the call, and an expansion that is left out each time.
    pub(super) fn one_call(
        &mut self,
        given: &[&Value<W>],
        span: Span,
        mut call: impl FnMut(&mut Self) -> Result<(Draws, Value<W>), Failure>,
    ) -> Result<Value<W>, Failure> {
        let mut draws = self.joined(given, span)?;
        // The empty die has no results to call with.
        if given.iter().any(|value| is_empty(value)) {
            return Ok(Value::empty());
        }
        let outer = self.enter(&draws);
        for _ in 0..MAX_REDRAWS {
            let (inner, mixture) = call(self)?;
            if is_empty(&mixture) {
                continue;
            }
            if let (Some(drawing), Some(outer)) = (&mut self.drawing, outer) {
                drawing.within = outer;
                drawing.count += 1;
                draws = draws.with(&Draws::one(drawing.count));
            }
            return Ok(mixture.depending(draws.with(&inner)));
        }
        let message = format!("each of {MAX_REDRAWS} draws of these arguments gave the empty die");
        let found = Diagnostic::error(Code::AnyDiceUnsampled, span, message);
        Err(found.help(EXACT).into())
    }

    /// Calls begin whose arguments depend on these draws; gives those of the calls around them.
    fn enter(&mut self, draws: &Draws) -> Option<Draws> {
        let drawing = self.drawing.as_mut()?;
        let inside = drawing.within.with(draws);
        Some(std::mem::replace(&mut drawing.within, inside))
    }
}

/// The help for what cannot be simulated.
const EXACT: &str = "dicec odds computes the exact odds; --max-work raises their budget";

fn is_empty<W>(value: &Value<W>) -> bool {
    matches!(value, Value::Dice(dice) if dice.die.is_none())
}

/// Two uses of a value are independent of each other in AnyDice.
fn twice(span: Span) -> Diagnostic {
    let message = "a trial would use one draw twice here, and AnyDice draws for each use";
    let found = Diagnostic::error(Code::AnyDiceUnsampled, span, message);
    found.help(EXACT)
}

/// The calls of an expansion see each other's variables.
pub(super) fn shared(span: Span) -> Diagnostic {
    let message = "the calls for the results of these dice share a variable, so one of them says \
                   nothing alone";
    let found = Diagnostic::error(Code::AnyDiceUnsampled, span, message);
    found.help(EXACT)
}
