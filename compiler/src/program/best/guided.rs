//! A host around another one that follows the trial in the solved process: it answers options for
//! the best, or only notes what would be best.

use super::Advisor;
use super::naming::Named;
use crate::program::failure::Failure;
use crate::program::played::Played;
use crate::program::replay::Source;
use crate::program::session::ScriptSession;
use dicec_exact::{Choice, ExactError, Tracker};
use dicec_lang::hir::StatId;
use dicec_lang::interp::{Decision, Dice, Host, Offer, OptionSite, Outcome, RollSite};
use dicec_runtime::span::Span;
use dicec_runtime::text::Text;
use dicec_runtime::trap::TrapCode;

/// What is best at a choice of a player.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The answer that is best: `yes`, a number, or an element of a list.
    pub best: String,
    /// All answers with the values of play after them.
    pub answers: Vec<(String, f64)>,
    /// The value that the second best answer loses; none if there is only one answer.
    pub loss: Option<f64>,
}

impl Advice {
    fn of(choice: &Choice, yes_or_no: bool) -> Self {
        let name = |index: usize| choice.answers[index].name(yes_or_no);
        let answers = choice.answers.iter().enumerate();
        Self {
            best: name(choice.best),
            answers: answers
                .map(|(index, answer)| (name(index), answer.value))
                .collect(),
            loss: choice.loss(),
        }
    }
}

/// An execution, with the advice for each of its options; none for an option that is not decided
/// for the best.
#[derive(Debug)]
pub struct Advised {
    /// The execution.
    pub played: Played,
    /// The advice, by the index of the option.
    pub advice: Vec<Option<Advice>>,
}

impl Advisor<'_, '_, '_> {
    /// Executes the roll for a player like [`Bound::play`](crate::Bound::play), with what is best
    /// at each option.
    ///
    /// # Errors
    /// As for [`Bound::play`](crate::Bound::play).
    pub fn play(&mut self, session: &mut ScriptSession) -> Result<Advised, Failure> {
        let (bound, decided) = (self.bound, self.decided);
        let tracker = self.solved.track();
        let tracker = tracker.map_err(|error| bound.failed(error.into()))?;
        let mut noted = Noted::default();
        let played = bound.played_by(
            Source::Session(session),
            self.control,
            |interpreter, replay| {
                let mut guided = Guided {
                    inner: replay,
                    tracker,
                    decided,
                    answers: false,
                    noted: &mut noted,
                };
                interpreter.run(bound.arguments(), bound.resources(), &mut guided)
            },
        );
        if let Some(error) = noted.failed {
            return Err(bound.failed(error.into()));
        }
        let played = played?;
        let advice = noted.choices.iter().map(|choice| {
            let choice = choice.as_ref()?;
            let offers = &bound.program().hir().offers[choice.option.index()];
            Some(Advice::of(
                choice,
                *offers == dicec_lang::hir::Offers::YesNo,
            ))
        });
        Ok(Advised {
            advice: advice.collect(),
            played,
        })
    }
}

/// What was found out during a trial.
#[derive(Default)]
pub(super) struct Noted {
    /// The decision at each option, if answers are only noted.
    pub(super) choices: Vec<Option<Choice>>,
    /// A failure of the tracker, which ended the trial.
    pub(super) failed: Option<ExactError>,
    /// The number of rolls and options.
    pub(super) events: u64,
}

pub(super) struct Guided<'t, 's, 'p, 'a, H> {
    pub(super) inner: &'t mut H,
    pub(super) tracker: Tracker<'s, 'p, 'a>,
    /// Whether each option is decided for the best.
    pub(super) decided: &'t [bool],
    /// Whether options get the best answer; otherwise the inner host answers.
    pub(super) answers: bool,
    pub(super) noted: &'t mut Noted,
}

impl<H: Host> Guided<'_, '_, '_, '_, H> {
    /// The best answer at an option, if it is to be given; otherwise it is noted.
    fn best(&mut self, site: &OptionSite<'_>) -> Result<Option<i64>, TrapCode> {
        self.noted.events += 1;
        let is_decided = self.decided.get(site.option.index()) == Some(&true);
        let found = match (is_decided, self.answers) {
            (false, true) => return Ok(None),
            (true, true) => self.tracker.best(),
            (true, false) => self.tracker.choice().map(|choice| {
                self.noted.choices.push(choice);
                None
            }),
            (false, false) => {
                self.noted.choices.push(None);
                return Ok(None);
            }
        };
        found.map_err(|error| {
            self.noted.failed = Some(error);
            TrapCode::Cancelled
        })
    }
}

impl<H: Host> Host for Guided<'_, '_, '_, '_, H> {
    type Dice = H::Dice;
    type Observer = H::Observer;

    const PATHS: bool = H::PATHS;

    fn dice(&mut self) -> &mut Self::Dice {
        self.inner.dice()
    }

    fn observer(&mut self) -> &mut Self::Observer {
        self.inner.observer()
    }

    fn begin_roll(&mut self, site: RollSite<'_>) -> Result<(), TrapCode> {
        self.inner.begin_roll(site)
    }

    fn end_roll(&mut self, site: RollSite<'_>, outcome: Option<&Outcome>) {
        self.noted.events += 1;
        if let Some(outcome) = outcome {
            self.tracker.rolled(outcome.value.to_cell());
        }
        self.inner.end_roll(site, outcome);
    }

    fn no_element(&mut self, index: i64, length: usize) {
        self.inner.no_element(index, length);
    }

    fn clamped(&mut self, raw: i64, span: Span) {
        self.inner.clamped(raw, span);
    }

    fn option(&mut self, site: OptionSite<'_>) -> Result<bool, TrapCode> {
        let taken = match self.best(&site)? {
            Some(answer) => answer == 1,
            None => self.inner.option(site)?,
        };
        self.tracker.answered(i64::from(taken));
        Ok(taken)
    }

    fn answer(&mut self, site: OptionSite<'_>, offer: Offer) -> Result<Decision, TrapCode> {
        let is_decided = self.decided.get(site.option.index()) == Some(&true);
        let [first, last] = [offer.first, offer.last];
        let decision = match self.best(&site)? {
            Some(answer) => Decision::Number(answer),
            None => self.inner.answer(site, offer)?,
        };
        if !is_decided {
            // The process knows the policy.
            return Ok(decision);
        }
        let number = match decision {
            Decision::Number(number) => number,
            Decision::Random => {
                let count = last.abs_diff(first).saturating_add(1);
                first + self.inner.dice().roll(count)? as i64 - 1
            }
        };
        self.tracker.answered(number);
        Ok(Decision::Number(number))
    }

    fn is_cancelled(&self) -> bool {
        self.inner.is_cancelled()
    }

    fn output(&mut self, line: &Text) -> Result<(), TrapCode> {
        self.inner.output(line)
    }

    fn start_group(&mut self) -> Result<(), TrapCode> {
        self.inner.start_group()
    }

    fn end_group(&mut self) {
        self.inner.end_group();
    }

    fn stat(&mut self, stat: StatId, value: i64) -> Result<(), TrapCode> {
        self.inner.stat(stat, value)
    }

    fn named_stat(&mut self, name: &Text, value: i64) -> Result<(), TrapCode> {
        self.inner.named_stat(name, value)
    }
}
