//! Rules for people: a decision tree over the variables of the states in which an option is met,
//! grown where it saves the most loss. A test that saves nothing by itself may make the next one
//! save much, so what it separates counts a little, too.

use std::collections::{BTreeMap, BTreeSet};

/// Rules are found for this many states, the first ones; their loss is that in all.
const MAX_CASES: usize = 20_000;

/// The maximum number of answers of a tree.
const MAX_LEAVES: usize = 24;

/// The weight of what a test separates, next to what it saves.
const SEPARATED: f64 = 1e-3;

/// A loss below this share of the loss of the best single answer is none.
const NONE: f64 = 1e-9;

/// A value of a variable.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Feature {
    Number(f64),
    Truth(bool),
    Text(String),
}

/// A state: its variables, and what each answer loses, weighted by how often it is met.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) features: Vec<(String, Feature)>,
    pub(super) losses: Vec<(String, f64)>,
}

/// A test of a variable.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// It is at least this number.
    AtLeast(String, f64),
    /// It is true.
    Holds(String),
    /// It is this text.
    Is(String, String),
}

/// An answer, or a test with what to do if it holds and if it does not.
#[derive(Clone, Debug, PartialEq)]
pub enum Rule {
    /// The answer, and the number of states that it is given in.
    Answer(String, usize),
    /// A test.
    If(Test, Box<Rule>, Box<Rule>),
}

impl Case {
    /// The best answer, and what the next one loses.
    fn best(&self) -> (&str, f64) {
        let best = self.losses.iter().position(|(_, loss)| *loss == 0.0);
        let others = self.losses.iter().enumerate();
        let others = others.filter(|(index, _)| Some(*index) != best);
        let next = others.map(|(_, (_, loss))| *loss).reduce(f64::min);
        let name = best.map_or("", |best| &self.losses[best].0);
        (name, next.unwrap_or(0.0))
    }
}

/// A part of the tree: some of the cases, with the best single answer for them.
struct Leaf {
    cases: Vec<usize>,
    answer: String,
    loss: f64,
    /// The test that is worth the most, and how much that is.
    split: Option<(Test, f64)>,
}

enum Node {
    Leaf(Leaf),
    If(Test, usize, usize),
}

/// The rules, and the loss that they leave.
pub(super) fn rules(cases: &[Case]) -> (Rule, f64) {
    let first = leaf(cases, (0..cases.len().min(MAX_CASES)).collect());
    let enough = NONE * first.loss;
    let mut nodes = vec![Node::Leaf(first)];
    let mut leaves = 1;
    while leaves < MAX_LEAVES {
        let gains = nodes
            .iter()
            .enumerate()
            .filter_map(|(index, node)| match node {
                Node::Leaf(leaf) => leaf.split.as_ref().map(|(_, gain)| (index, *gain)),
                Node::If(..) => None,
            });
        let most = gains.max_by(|one, other| one.1.total_cmp(&other.1));
        let Some((index, _)) = most.filter(|(_, gain)| *gain > enough) else {
            break;
        };
        let Node::Leaf(Leaf {
            cases: some,
            split: Some((test, _)),
            ..
        }) = &nodes[index]
        else {
            break;
        };
        let test = test.clone();
        let (yes, no): (Vec<usize>, Vec<usize>) =
            some.iter().partition(|case| test.holds(&cases[**case]));
        let at = nodes.len();
        nodes.push(Node::Leaf(leaf(cases, yes)));
        nodes.push(Node::Leaf(leaf(cases, no)));
        nodes[index] = Node::If(test, at, at + 1);
        leaves += 1;
    }
    let rules = written(&nodes, 0);
    let loss: f64 = cases.iter().map(|case| rules.loss(case)).sum();
    (rules, if loss <= enough { 0.0 } else { loss })
}

impl Rule {
    /// What the rules lose in a case; if they give an answer that it does not offer, as much as the
    /// worst.
    fn loss(&self, case: &Case) -> f64 {
        match self {
            Rule::If(test, yes, _) if test.holds(case) => yes.loss(case),
            Rule::If(_, _, no) => no.loss(case),
            Rule::Answer(answer, _) => {
                let mut losses = case.losses.iter();
                let found = losses.find(|(name, _)| name == answer);
                let worst = case
                    .losses
                    .iter()
                    .map(|(_, loss)| *loss)
                    .fold(0.0, f64::max);
                found.map_or(worst, |(_, loss)| *loss)
            }
        }
    }
}

fn written(nodes: &[Node], index: usize) -> Rule {
    match &nodes[index] {
        Node::Leaf(leaf) => Rule::Answer(leaf.answer.clone(), leaf.cases.len()),
        Node::If(test, yes, no) => {
            let (yes, no) = (written(nodes, *yes), written(nodes, *no));
            match (&yes, &no) {
                (Rule::Answer(one, some), Rule::Answer(other, more)) if one == other => {
                    Rule::Answer(one.clone(), some + more)
                }
                _ => Rule::If(test.clone(), Box::new(yes), Box::new(no)),
            }
        }
    }
}

/// The losses of all answers; one that some case does not offer is left out.
#[derive(Clone, Default)]
struct Losses<'c> {
    /// The sum of the losses, and the number of cases that offer the answer.
    all: BTreeMap<&'c str, (f64, usize)>,
    cases: usize,
    /// What the next answers lose, by the best answer.
    bests: BTreeMap<&'c str, f64>,
}

impl<'c> Losses<'c> {
    fn add(&mut self, case: &'c Case, sign: f64) {
        let one = if sign > 0.0 { 1 } else { usize::MAX };
        self.cases = self.cases.wrapping_add(one);
        for (answer, loss) in &case.losses {
            let known = self.all.entry(answer).or_default();
            known.0 += sign * loss;
            known.1 = known.1.wrapping_add(one);
        }
        let (best, next) = case.best();
        *self.bests.entry(best).or_default() += sign * next;
    }

    /// How mixed the best answers are (Gini), in units of loss.
    fn mixed(&self) -> f64 {
        let all: f64 = self.bests.values().map(|loss| loss.max(0.0)).sum();
        let squares = self.bests.values().map(|loss| loss * loss);
        match all > 0.0 {
            true => all - squares.sum::<f64>() / all,
            false => 0.0,
        }
    }

    /// What is bad about giving one answer.
    fn cost(&self) -> f64 {
        self.least() + SEPARATED * self.mixed()
    }

    /// The answer with the least loss.
    fn best(&self) -> Option<(&'c str, f64)> {
        let offered = self
            .all
            .iter()
            .filter(|(_, (_, cases))| *cases == self.cases);
        let losses = offered.map(|(answer, (loss, _))| (*answer, loss.max(0.0)));
        losses.min_by(|one, other| one.1.total_cmp(&other.1))
    }

    fn least(&self) -> f64 {
        self.best().map_or(f64::INFINITY, |(_, loss)| loss)
    }
}

fn leaf(cases: &[Case], some: Vec<usize>) -> Leaf {
    let mut losses = Losses::default();
    some.iter().for_each(|case| losses.add(&cases[*case], 1.0));
    let (answer, loss) = losses.best().unwrap_or(("(depends on the offer)", 0.0));
    let is_open = loss > 0.0 || losses.best().is_none();
    Leaf {
        split: is_open.then(|| split(cases, &some, &losses)).flatten(),
        answer: answer.to_owned(),
        loss,
        cases: some,
    }
}

/// The test that is worth the most.
fn split(cases: &[Case], some: &[usize], losses: &Losses<'_>) -> Option<(Test, f64)> {
    let names = some.iter().flat_map(|case| &cases[*case].features);
    let names: BTreeSet<&str> = names.map(|(name, _)| name.as_str()).collect();
    let before = match losses.cost() {
        // One answer does not fit all.
        cost if cost.is_infinite() => losses.all.values().map(|(loss, _)| loss).sum::<f64>() + 1.0,
        cost => cost,
    };
    let mut best: Option<(Test, f64)> = None;
    let mut consider = |test: Test, after: f64| {
        let gain = before - after.min(before);
        if best.as_ref().is_none_or(|(_, known)| gain > *known) {
            best = Some((test, gain));
        }
    };
    for name in names {
        numbers(cases, some, name, losses, &mut consider);
        words(cases, some, name, losses, &mut consider);
    }
    best.filter(|(_, gain)| *gain > 0.0)
}

/// Considers each threshold of a variable that is a number in all cases.
fn numbers<'c>(
    cases: &'c [Case],
    some: &[usize],
    name: &str,
    losses: &Losses<'c>,
    consider: &mut impl FnMut(Test, f64),
) {
    let number = |case: &usize| match cases[*case].feature(name) {
        Some(Feature::Number(number)) => Some((*number, *case)),
        _ => None,
    };
    let Some(mut sorted) = some.iter().map(number).collect::<Option<Vec<_>>>() else {
        return;
    };
    sorted.sort_by(|one, other| other.0.total_cmp(&one.0));
    let (mut above, mut below) = (Losses::default(), losses.clone());
    for pair in sorted.windows(2) {
        above.add(&cases[pair[0].1], 1.0);
        below.add(&cases[pair[0].1], -1.0);
        if pair[0].0 > pair[1].0 {
            let test = Test::AtLeast(name.to_owned(), pair[0].0);
            consider(test, above.cost() + below.cost());
        }
    }
}

/// Considers each value of a variable that is a truth value or a text.
fn words<'c>(
    cases: &'c [Case],
    some: &[usize],
    name: &str,
    losses: &Losses<'c>,
    consider: &mut impl FnMut(Test, f64),
) {
    let mut tests: Vec<Test> = Vec::new();
    for case in some {
        let test = match cases[*case].feature(name) {
            Some(Feature::Truth(_)) => Test::Holds(name.to_owned()),
            Some(Feature::Text(text)) => Test::Is(name.to_owned(), text.clone()),
            _ => continue,
        };
        if !tests.contains(&test) {
            tests.push(test);
        }
    }
    for test in tests {
        let (mut yes, mut no) = (Losses::default(), losses.clone());
        for case in some.iter().filter(|case| test.holds(&cases[**case])) {
            yes.add(&cases[*case], 1.0);
            no.add(&cases[*case], -1.0);
        }
        if yes.cases > 0 && no.cases > 0 {
            consider(test, yes.cost() + no.cost());
        }
    }
}

impl Case {
    fn feature(&self, name: &str) -> Option<&Feature> {
        let mut features = self.features.iter();
        features
            .find(|(known, _)| known == name)
            .map(|(_, feature)| feature)
    }
}

impl Test {
    fn holds(&self, case: &Case) -> bool {
        match self {
            Test::AtLeast(name, least) => {
                matches!(case.feature(name), Some(Feature::Number(number)) if number >= least)
            }
            Test::Holds(name) => case.feature(name) == Some(&Feature::Truth(true)),
            Test::Is(name, text) => {
                matches!(case.feature(name), Some(Feature::Text(known)) if known == text)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A case with two numbers, in which `yes` or `no` is better by this much.
    fn case(x: f64, y: f64, is_yes: bool, loss: f64) -> Case {
        let [yes, no] = [is_yes, !is_yes].map(|best| if best { 0.0 } else { loss });
        Case {
            features: vec![
                ("x".to_owned(), Feature::Number(x)),
                ("y".to_owned(), Feature::Number(y)),
            ],
            losses: vec![("no".to_owned(), no), ("yes".to_owned(), yes)],
        }
    }

    fn answer(name: &str, states: usize) -> Box<Rule> {
        Box::new(Rule::Answer(name.to_owned(), states))
    }

    #[test]
    fn a_threshold_is_found() {
        let cases: Vec<Case> = (0..30)
            .map(|x| case(f64::from(x), f64::from(x * 7 % 5), x >= 21, 1.0))
            .collect();
        let test = Test::AtLeast("x".to_owned(), 21.0);
        let expected = Rule::If(test, answer("yes", 9), answer("no", 21));
        assert_eq!(rules(&cases), (expected, 0.0));
    }

    #[test]
    fn a_test_that_saves_nothing_alone_is_found() {
        // Yes if both are high or both are low, and slightly more cases of the latter.
        let mut cases = Vec::new();
        for x in 0..4 {
            for y in 0..4 {
                let is_yes = (x >= 2) == (y >= 2);
                cases.push(case(
                    f64::from(x),
                    f64::from(y),
                    is_yes,
                    1.0 + 0.01 * f64::from(4 - x),
                ));
            }
        }
        assert_eq!(rules(&cases).1, 0.0);
    }

    #[test]
    fn states_in_which_all_answers_are_as_good_need_no_rule() {
        let cases = [case(1.0, 0.0, true, 0.0), case(2.0, 0.0, false, 1.0)];
        assert_eq!(rules(&cases), (*answer("no", 2), 0.0));
    }
}
