//! Values of nodes that lead back to each other, by value iteration from both sides. From below,
//! play that did not end counts as the worst end; the limit is the value of the best strategy that
//! ends. From above, a guess is a bound if some steps make it no greater at any node (optimistic
//! value iteration; Hartmanns and Kaminski 2020). If two players decide, both sides are iterated.
//! A statistic, whose sum has no bound that is known before, is guessed from both sides.
//!
//! One player who minimises maximises the negative values: then what holds from below holds for
//! both.

use super::graph::{Edge, Expansion, Kind, Mover};
use super::value::{TIE, Value, extreme};
use crate::ExactError;
use dicec_runtime::pmf::Budget;
use rustc_hash::FxHashMap;

/// Iteration ends if no value changes by more than this, relative to its size.
const ENOUGH: f64 = 1e-15;

/// The steps in which a guess must become a bound.
const STEPS: usize = 400;

/// The guesses: this much from the value, relative to its size.
const GUESSES: [f64; 5] = [1e-13, 1e-11, 1e-9, 1e-7, 1e-5];

/// A target of an edge: a member of the component, or a node with a value.
#[derive(Clone, Copy)]
enum Target {
    Member(usize),
    Solved { value: f64 },
}

/// A member with its edges.
struct Member {
    kind: Kind,
    edges: Vec<(Target, f64, f64)>,
    /// The expected sum of the statistic, whatever follows.
    reward: f64,
}

pub(super) struct Component {
    members: Vec<Member>,
    /// The greatest error and left-out probability of the nodes that follow.
    error: f64,
    left_out: f64,
    /// The least and greatest value that follow; none if nothing does.
    ends: Option<(f64, f64)>,
    has_rewards: bool,
    fuel: u32,
    /// Whether both players decide.
    is_contested: bool,
    /// -1 if all values are negated.
    sign: f64,
}

impl Component {
    pub(super) fn new(nodes: &[(u32, Expansion)], values: &[Value]) -> Self {
        let places: FxHashMap<u32, usize> = nodes.iter().map(|(node, _)| *node).zip(0..).collect();
        let mut component = Self {
            members: Vec::with_capacity(nodes.len()),
            error: 0.0,
            left_out: 0.0,
            ends: None,
            has_rewards: false,
            fuel: 0,
            is_contested: false,
            sign: 1.0,
        };
        let decides = |wanted| {
            let is_its =
                |kind: &Kind| matches!(kind, Kind::Choice { mover, .. } if *mover == wanted);
            nodes.iter().any(|(_, expansion)| is_its(&expansion.kind))
        };
        match [Mover::Maximiser, Mover::Minimiser].map(decides) {
            [true, true] => component.is_contested = true,
            [false, true] => component.sign = -1.0,
            _ => {}
        }
        let sign = component.sign;
        for (_, expansion) in nodes {
            let all: f64 = expansion.edges.iter().map(|edge| edge.p).sum();
            let is_random = matches!(expansion.kind, Kind::Random);
            let edges = expansion.edges.iter().map(|edge| {
                let p = if is_random { edge.p / all } else { 1.0 };
                let (target, reward) = component.target(edge, &places, values);
                (target, p, reward)
            });
            let edges = edges.collect();
            component.has_rewards |= expansion.reward != 0.0;
            component.left_out = component.left_out.max(expansion.left_out);
            component.members.push(Member {
                kind: match expansion.kind {
                    Kind::Choice { first, .. } if sign < 0.0 => Kind::Choice {
                        mover: Mover::Maximiser,
                        first,
                    },
                    kind => kind,
                },
                edges,
                reward: sign * expansion.reward,
            });
        }
        component
    }

    /// Where an edge leads, and the reward on the way; of an edge that leaves, the reward is a part
    /// of the value.
    fn target(
        &mut self,
        edge: &Edge,
        places: &FxHashMap<u32, usize>,
        values: &[Value],
    ) -> (Target, f64) {
        let reward = self.sign * edge.reward;
        if let Some(place) = places.get(&edge.to) {
            self.has_rewards |= reward != 0.0;
            return (Target::Member(*place), reward);
        }
        let Value {
            value,
            error,
            left_out,
            fuel,
            ..
        } = values[edge.to as usize];
        self.error = self.error.max(error);
        self.left_out = self.left_out.max(left_out);
        self.fuel = self.fuel.max(fuel.saturating_add(edge.fuel));
        let value = reward + self.sign * value;
        let (least, most) = self.ends.unwrap_or((value, value));
        self.ends = Some((least.min(value), most.max(value)));
        (Target::Solved { value }, 0.0)
    }

    /// The value of a member from guesses of all.
    fn backed_up(&self, member: &Member, guesses: &[f64]) -> f64 {
        let values = member.edges.iter().map(|(target, p, reward)| {
            let value = match target {
                Target::Member(place) => guesses[*place],
                Target::Solved { value } => *value,
            };
            (p, reward + value)
        });
        let value = match member.kind {
            Kind::End(value) => value,
            Kind::Random => values.fold(0.0, |sum, (p, value)| sum + p * value),
            Kind::Choice { mover, .. } => {
                let values = values.map(|(_, value)| value);
                match mover {
                    Mover::Maximiser => values.fold(f64::NEG_INFINITY, f64::max),
                    Mover::Minimiser => values.fold(f64::INFINITY, f64::min),
                }
            }
        };
        member.reward + value
    }

    fn answers(&self, member: &Member, guesses: &[f64]) -> Vec<f64> {
        let values = member.edges.iter().map(|(target, _, reward)| match target {
            Target::Member(place) => reward + guesses[*place],
            Target::Solved { value } => reward + value,
        });
        values.collect()
    }

    /// One step for all members, in place; the greatest relative change.
    fn step(&self, guesses: &mut [f64]) -> f64 {
        let mut change: f64 = 0.0;
        for (place, member) in self.members.iter().enumerate().rev() {
            let new = self.backed_up(member, guesses);
            let size = new.abs().max(guesses[place].abs()).max(1e-300);
            change = change.max((new - guesses[place]).abs() / size);
            guesses[place] = new;
        }
        change
    }

    /// How many steps each member is from an end, at least; `None` if it never ends.
    ///
    /// # Errors
    /// It exceeds the budget, of which an iteration costs `work`.
    fn distances(&self, budget: &mut Budget, work: u64) -> Result<Vec<Option<u32>>, ExactError> {
        let mut distances: Vec<Option<u32>> = vec![None; self.members.len()];
        loop {
            budget.spend(work, 0)?;
            let mut changes = false;
            for (place, member) in self.members.iter().enumerate().rev() {
                let next = member.edges.iter().filter_map(|(target, ..)| match target {
                    Target::Member(other) => distances[*other],
                    Target::Solved { .. } => Some(0),
                });
                let new = next.min().map(|least| least + 1);
                if new.is_some() && distances[place].is_none_or(|old| new < Some(old)) {
                    distances[place] = new;
                    changes = true;
                }
            }
            if !changes {
                return Ok(distances);
            }
        }
    }
}

/// The values of the members; `None` if play goes on forever.
pub(super) fn solve(
    component: &Component,
    budget: &mut Budget,
) -> Result<Option<Vec<Value>>, ExactError> {
    let Some((least, most)) = component.ends else {
        return Ok(None);
    };
    let edges = component
        .members
        .iter()
        .map(|member| member.edges.len() as u64);
    let work = 4 + edges.sum::<u64>() + component.members.len() as u64;
    let distances = component.distances(budget, work)?;
    if distances.iter().any(Option::is_none) {
        return Ok(None);
    }
    let budget = (budget, work);
    let start = if component.has_rewards { 0.0 } else { least };
    let mut best = Answers::first(component, &distances);
    let (values, budget) = iterated(component, start, Some(&mut best), budget)?;
    let (below, above, budget) = match (component.has_rewards, component.is_contested) {
        (false, true) => {
            let (above, budget) = iterated(component, most, None, budget)?;
            (values.clone(), above, budget)
        }
        (false, false) => {
            // From the start on, the values are below the limit.
            let (above, budget) = bounded(component, &values, 1.0, budget)?;
            let above = above.unwrap_or_else(|| vec![most; values.len()]);
            (values.clone(), above, budget)
        }
        (true, _) => {
            let (above, budget) = bounded(component, &values, 1.0, budget)?;
            let (below, budget) = bounded(component, &values, -1.0, budget)?;
            let none = |side: f64| vec![side * f64::INFINITY; values.len()];
            let below = below.unwrap_or_else(|| none(-1.0));
            (below, above.unwrap_or_else(|| none(1.0)), budget)
        }
    };
    let ends = best.ends(component, budget)?;
    let unknown = match component.has_rewards {
        true => f64::INFINITY,
        false => most - least,
    };
    let sides = below.iter().zip(&above).zip(&best.answers).zip(ends);
    let solved = sides
        .zip(&values)
        .map(|((((below, above), best), ends), value)| {
            let apart = (above - value).abs().max((value - below).abs());
            Value {
                value: component.sign * value,
                error: component.error + if ends { apart } else { unknown },
                left_out: component.left_out,
                best: *best as u32,
                component: 0,
                fuel: component.fuel,
            }
        });
    Ok(Some(solved.collect()))
}

/// A budget and the cost of a step.
type Paid<'b> = (&'b mut Budget, u64);

/// The limit of values that are all the same at first.
fn iterated<'b>(
    component: &Component,
    start: f64,
    mut best: Option<&mut Answers>,
    (budget, work): Paid<'b>,
) -> Result<(Vec<f64>, Paid<'b>), ExactError> {
    let mut values = vec![start; component.members.len()];
    loop {
        budget.spend(work, values.len() as u64)?;
        let change = component.step(&mut values);
        if let Some(best) = &mut best {
            best.improve(component, &values);
        }
        if change <= ENOUGH {
            return Ok((values, (budget, work)));
        }
    }
}

/// A bound on the values from one side (1 or -1), near them.
fn bounded<'b>(
    component: &Component,
    values: &[f64],
    side: f64,
    (budget, work): Paid<'b>,
) -> Result<(Option<Vec<f64>>, Paid<'b>), ExactError> {
    for guess in GUESSES {
        let first: Vec<f64> = values
            .iter()
            .map(|value| value + side * guess * value.abs().max(1e-3))
            .collect();
        let mut now = first.clone();
        for _ in 0..STEPS {
            budget.spend(work, 0)?;
            component.step(&mut now);
            let mut pairs = now.iter().zip(&first);
            if pairs.all(|(now, first)| (now - first) * side <= 0.0) {
                return Ok((Some(first), (budget, work)));
            }
        }
    }
    Ok((None, (budget, work)))
}

/// The best answers so far. One is replaced only by a better one, so that play ends: an answer that
/// is as good may lead around in a circle.
struct Answers {
    answers: Vec<usize>,
}

impl Answers {
    /// Those that lead to an end.
    fn first(component: &Component, distances: &[Option<u32>]) -> Self {
        let first = |member: &Member| {
            let steps = member.edges.iter().map(|(target, ..)| match target {
                Target::Member(place) => distances[*place].unwrap_or(u32::MAX),
                Target::Solved { .. } => 0,
            });
            let steps = steps.enumerate().min_by_key(|(_, steps)| *steps);
            steps.map_or(0, |(answer, _)| answer)
        };
        Self {
            answers: component.members.iter().map(first).collect(),
        }
    }

    fn improve(&mut self, component: &Component, values: &[f64]) {
        for (member, held) in component.members.iter().zip(&mut self.answers) {
            let Kind::Choice { mover, .. } = member.kind else {
                continue;
            };
            let answers = component.answers(member, values);
            let best = extreme(mover, &answers);
            let tie = TIE * best.abs().max(1.0);
            if (answers[*held] - best).abs() > tie {
                let found = answers.iter().position(|answer| *answer == best);
                *held = found.unwrap_or(*held);
            }
        }
    }
    /// Whether play surely ends from each member.
    ///
    /// # Errors
    /// It exceeds the budget.
    fn ends(
        &self,
        component: &Component,
        (budget, work): Paid<'_>,
    ) -> Result<Vec<bool>, ExactError> {
        let mut ends = vec![false; component.members.len()];
        loop {
            budget.spend(work, 0)?;
            let mut changes = false;
            for (place, member) in component.members.iter().enumerate().rev() {
                let all = 0..member.edges.len();
                let taken = match member.kind {
                    Kind::Choice { .. } => self.answers[place]..self.answers[place] + 1,
                    _ => all,
                };
                let mut targets = member.edges[taken].iter();
                let new = targets.any(|(target, ..)| match target {
                    Target::Member(other) => ends[*other],
                    Target::Solved { .. } => true,
                });
                changes |= new && !ends[place];
                ends[place] |= new;
            }
            if !changes {
                return Ok(ends);
            }
        }
    }
}
