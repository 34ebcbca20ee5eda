//! Takes single states through a roll, up to the next roll of dice, decision or end. Segments are
//! computed by the engine; only calls of functions that decide something are stepped into here.

use super::super::case::{Case, Draft};
use super::super::dist::Dist;
use super::super::engine::{Engine, Frame, Run};
use super::super::notes::Notes;
use super::super::plan::{Decision, Exit, Head, Pure, Segment};
use super::super::reads::Word;
use super::super::share::Share;
use super::control::{Control, Next, Spot};
use crate::ExactError;
use dicec_lang::hir::{FunctionId, StatId};
use dicec_runtime::bug;
use dicec_runtime::trap::{Trap, TrapCode};
use rustc_hash::FxHashMap;

/// A state at a place.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) spot: Spot,
    pub(super) row: Vec<i64>,
}

/// Where a state went.
pub(super) enum Arrived {
    /// It rolls or decides.
    At(State),
    /// The roll is over, with this row of its result.
    End(Vec<i64>),
}

/// An outcome of a step.
pub(super) struct Outcome {
    pub(super) arrived: Arrived,
    pub(super) p: f64,
    /// The expected sum of the wanted statistic after the roll of the step.
    pub(super) reward: f64,
    /// The fuel burnt.
    pub(super) fuel: u64,
}

/// The outcomes of a random step.
pub(super) struct Rolled {
    pub(super) outcomes: Vec<Outcome>,
    /// The expected sum of the wanted statistic in the step itself.
    pub(super) reward: f64,
    /// The probability that dice without an end leave out.
    pub(super) left_out: f64,
    /// A bound on the roundings of each probability.
    pub(super) roundings: u64,
}

/// A question to a player.
pub(super) struct Asked<'p> {
    pub(super) decision: &'p Decision,
    /// The first and the last answer.
    pub(super) answers: [i64; 2],
    /// The player; empty if nobody is named.
    pub(super) who: String,
}

/// An outcome of a segment.
struct Left {
    exit: Exit,
    row: Vec<i64>,
    p: f64,
    fuel: u64,
}

pub(super) struct Stepper<'p> {
    pub(super) engine: Engine<'p, f64>,
    pub(super) control: Control<'p>,
    /// Whether each function is stepped into.
    inside: Vec<bool>,
    /// The statistic that is added up.
    stat: Option<StatId>,
    is_float: bool,
    /// The expected sum of it in each call of the engine.
    of_calls: FxHashMap<usize, f64>,
}

impl<'p> Stepper<'p> {
    /// `inside` are the functions that decide something.
    pub(super) fn new(
        engine: Engine<'p, f64>,
        inside: Vec<bool>,
        (stat, is_float): (Option<StatId>, bool),
    ) -> Self {
        let control = Control::new(engine.plans, engine.question.function);
        Self {
            engine,
            control,
            inside,
            stat,
            is_float,
            of_calls: FxHashMap::default(),
        }
    }

    /// Steps into all functions, as a trial does.
    pub(super) fn enters_all(&mut self) {
        self.inside.fill(true);
    }

    /// The first state of a roll with these arguments, up to its first roll or decision.
    pub(super) fn start(
        &mut self,
        function: FunctionId,
        args: &[Pure],
    ) -> Result<Outcome, ExactError> {
        let plan = &self.engine.plans.functions[function.index()];
        let Engine {
            machine,
            world,
            copier,
            shapes,
            ..
        } = &mut self.engine;
        machine.reads.begin(0);
        machine.unpack(plan.locals.len(), (&plan.end, &[]), std::iter::empty());
        let words = args.iter().map(|arg| machine.copy(arg, world));
        let words: Vec<Word> = words.collect::<Result<_, _>>()?;
        machine.locals[..words.len()].copy_from_slice(&words);
        let mut row = Vec::new();
        copier.pack(shapes, machine, (&plan.begin, &[]), false, &mut row);
        let row = row.iter().map(|word| machine.reads.look(*word)).collect();
        let next = self.control.start(function, 0);
        self.arrive(next, row, 0)
    }

    /// What a state asks, if it is at a decision.
    pub(super) fn asked(&mut self, state: &State) -> Result<Option<Asked<'p>>, ExactError> {
        let segment = self.control.segment(state.spot);
        let Some(Head::Decision(decision)) = &segment.head else {
            return Ok(None);
        };
        self.with_run(state.spot, |engine, run| {
            engine.begin(run, &state.row, 0);
            let Engine { machine, world, .. } = engine;
            let answers = match &decision.bounds {
                None => [0, 1],
                Some([first, last]) => [machine.eval(first, world)?, machine.eval(last, world)?],
            };
            let who = match &decision.who {
                Some(who) => {
                    let who = machine.eval(who, world)?;
                    world.values.template(who).to_owned()
                }
                None => String::new(),
            };
            Ok(Some(Asked {
                decision,
                answers,
                who,
            }))
        })
    }

    /// The word of an expression in a state.
    pub(super) fn word(&mut self, state: &State, value: &Pure) -> Result<i64, ExactError> {
        self.with_run(state.spot, |engine, run| {
            engine.begin(run, &state.row, 0);
            Ok(engine.machine.eval(value, &mut engine.world)?)
        })
    }

    /// The outcome of a result of the roll, option or decision that a state is at.
    pub(super) fn with(
        &mut self,
        state: &State,
        result: i64,
        fuel: u64,
    ) -> Result<Outcome, ExactError> {
        let segment = self.control.segment(state.spot);
        let into = segment.head.as_ref().and_then(Head::into);
        let into = into.unwrap_or_else(|| bug!("nothing takes a result").raise());
        let case = self.with_run(state.spot, |engine, run| {
            engine.begin(run, &state.row, fuel);
            engine.machine.locals[into] = Word::new(result);
            let mut draft = Draft::new();
            engine.follow(run, &mut draft, Share::certain(0))?;
            Ok(draft.finish())
        })?;
        self.only(state.spot, &state.row, &case, fuel)
    }

    /// The outcomes of the roll, option or call that a state is at.
    pub(super) fn rolled(&mut self, state: &State) -> Result<Rolled, ExactError> {
        let case = self.case(state.spot, &state.row, 0)?;
        let roundings = case.flights.iter().flat_map(|flight| &flight.outcomes);
        let roundings = roundings.map(Share::roundings).max().unwrap_or(0);
        let of_call = case
            .count
            .call
            .map(|call| self.engine.calls.done[call].residual);
        let left_out = case.count.residual + of_call.unwrap_or(0.0);
        let reward = self.reward(&case);
        let mut outcomes = Vec::with_capacity(case.outcomes());
        for left in left(&case, &state.row) {
            let next = self.control.follow(state.spot, left.exit);
            let mut outcome = self.arrive(next, left.row, left.fuel)?;
            outcome.p = left.p;
            outcomes.push(outcome);
        }
        Ok(Rolled {
            outcomes,
            reward,
            left_out,
            roundings,
        })
    }

    /// Takes a state to the next roll or decision: nothing on the way is random.
    fn arrive(
        &mut self,
        mut next: Next,
        mut row: Vec<i64>,
        mut fuel: u64,
    ) -> Result<Outcome, ExactError> {
        let mut reward = 0.0;
        loop {
            let (spot, case) = match next {
                Next::End => return Ok(certain(Arrived::End(row), reward, fuel)),
                Next::Return(context) => {
                    let (caller, case) = self.resume(context, &row, fuel)?;
                    row.clear();
                    (caller, case)
                }
                Next::At(spot) => match &self.control.segment(spot).head {
                    None => (spot, self.case(spot, &row, fuel)?),
                    Some(Head::Call {
                        function,
                        args,
                        span,
                        ..
                    }) if self.inside[function.index()] => {
                        let call = (*function, args.as_slice(), *span);
                        (next, row, fuel) = self.enter(spot, &row, call, fuel)?;
                        continue;
                    }
                    Some(_) => return Ok(certain(Arrived::At(State { spot, row }), reward, fuel)),
                },
            };
            reward += self.reward(&case);
            let outcome = left(&case, &row).next();
            let outcome = outcome.unwrap_or_else(|| bug!("a step without an outcome").raise());
            fuel = fuel.saturating_add(outcome.fuel);
            next = self.control.follow(spot, outcome.exit);
            row = outcome.row;
        }
    }

    /// The only outcome of a case, and what follows.
    fn only(
        &mut self,
        spot: Spot,
        row: &[i64],
        case: &Case<f64>,
        fuel: u64,
    ) -> Result<Outcome, ExactError> {
        let reward = self.reward(case);
        let outcome = left(case, row).next();
        let outcome = outcome.unwrap_or_else(|| bug!("a step without an outcome").raise());
        let next = self.control.follow(spot, outcome.exit);
        let mut arrived = self.arrive(next, outcome.row, fuel.saturating_add(outcome.fuel))?;
        arrived.reward += reward;
        Ok(arrived)
    }

    fn case(&mut self, spot: Spot, row: &[i64], fuel: u64) -> Result<Case<f64>, ExactError> {
        // The body of the roll is active, but not a call.
        self.engine.calls.depth = 1 + self.control.depth(spot.context);
        self.with_run(spot, |engine, run| engine.work_row(run, row, 1.0, fuel))
    }

    /// Calls `go` with the engine at a segment.
    pub(super) fn with_run<R>(
        &mut self,
        spot: Spot,
        go: impl FnOnce(&mut Engine<'p, f64>, &mut Run<'_, 'p, f64>) -> Result<R, ExactError>,
    ) -> Result<R, ExactError> {
        let segment: &'p Segment = self.control.segment(spot);
        let (plan, pins) = self.control.function(spot.context);
        let pins = pins.to_vec();
        let pinned = match self.engine.pins.get_index_of(&pins) {
            Some(pinned) => pinned,
            None => self.engine.pins.insert_full(pins.clone()).0,
        };
        let mut frame = Frame {
            plan,
            pins,
            pinned,
            returns: Dist::new(plan.end.clone()),
            loops: self.control.exits(spot).into_iter().collect(),
            scale: 1.0,
            residual: 0.0,
            notes: Notes::default(),
            calls: FxHashMap::default(),
            height: 0,
        };
        let mut next = Dist::new(self.control.live_after(spot));
        let input = Dist::new(segment.live.clone());
        let entries = segment.entries();
        let inner = entries
            .iter()
            .map(|entry| Dist::new(segment.begin(entry, &next.live)));
        let inner = inner.collect();
        let mut run = Run::new(&mut frame, segment, &input, &mut next, inner);
        go(&mut self.engine, &mut run)
    }

    /// The expected sum of the wanted statistic in a case.
    fn reward(&mut self, case: &Case<f64>) -> f64 {
        let Some(stat) = self.stat else {
            return 0.0;
        };
        let here = case.count.notes.sum(stat, self.number());
        here + case
            .count
            .call
            .map_or(0.0, |call| self.reward_of_call(call, stat))
    }

    fn number(&self) -> impl Fn(i64) -> f64 + use<> {
        let is_float = self.is_float;
        move |word| match is_float {
            true => dicec_runtime::float::from_key(word),
            false => word as f64,
        }
    }

    fn reward_of_call(&mut self, call: usize, stat: StatId) -> f64 {
        if let Some(known) = self.of_calls.get(&call) {
            return *known;
        }
        let done = self.engine.calls.done[call].clone();
        let mut sum = done.notes.sum(stat, self.number());
        for (inner, times) in &done.calls {
            sum += times.value * self.reward_of_call(*inner, stat);
        }
        self.of_calls.insert(call, sum);
        sum
    }

    /// The trap of a roll that goes on forever.
    pub(super) fn endless(&self, spot: Spot) -> ExactError {
        let span = self.control.segment(spot).span;
        ExactError::Trap(Trap {
            code: TrapCode::OutOfFuel,
            span,
        })
    }
}

fn certain(arrived: Arrived, reward: f64, fuel: u64) -> Outcome {
    Outcome {
        arrived,
        p: 1.0,
        reward,
        fuel,
    }
}

/// The outcomes of a case for a state with this row.
fn left<'c>(case: &'c Case<f64>, row: &'c [i64]) -> impl Iterator<Item = Left> + 'c {
    let flights = case.flights.iter();
    flights.flat_map(move |flight| {
        let rows = flight.rows(row);
        rows.map(|(row, share)| Left {
            exit: flight.exit,
            row,
            p: share.weight / case.total,
            fuel: share.fuel(),
        })
    })
}
