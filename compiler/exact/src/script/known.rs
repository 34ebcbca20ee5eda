//! The cached cases of a segment, in a decision tree: the answers so far decide which question is
//! next, because that is the order in which the first state of each case was computed
//! ([`super::reads::Reads`]).

use super::case::Case;
use super::column::Ranges;
use super::question::{Question, constant};
use dicec_runtime::pmf::Weight;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The maximum number of words in the cache; beyond it, all cases are dropped.
pub(super) const MAX_WORDS: u64 = 1 << 22;

/// A node of the tree of questions.
enum Node<W> {
    /// Nothing is cached here yet.
    Open,
    /// A question, and one answer with its child node; the other answers are in [`Tree::answers`].
    Asks(Question, (i64, u32)),
    Case(usize, Arc<Case<W>>),
}

/// The cases of a segment.
struct Tree<W> {
    nodes: Vec<Node<W>>,
    answers: FxHashMap<(u32, i64), u32>,
    /// The root, by the set of the caller's objects.
    roots: FxHashMap<usize, u32>,
    /// The number of words in the cache.
    words: u64,
    /// The node where the last walk began.
    last: Option<Last>,
}

/// A node that all states with these words in these columns lead to.
struct Last {
    root: usize,
    words: Vec<(u32, i64)>,
    /// The number of the question, on which the resources depend.
    question: u64,
    node: u32,
}

impl<W> Default for Tree<W> {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            answers: FxHashMap::default(),
            roots: FxHashMap::default(),
            words: 0,
            last: None,
        }
    }
}

impl<W> Tree<W> {
    fn node(&mut self) -> u32 {
        self.nodes.push(Node::Open);
        // `MAX_WORDS` bounds the number of nodes.
        self.nodes.len() as u32 - 1
    }

    /// The child of a node for an answer, if there is one.
    fn next(&self, node: u32, answer: i64) -> Option<u32> {
        match &self.nodes[node as usize] {
            Node::Asks(_, (known, next)) if *known == answer => Some(*next),
            _ => self.answers.get(&(node, answer)).copied(),
        }
    }

    /// The child of a node for an answer, created if there is none.
    fn next_or_new(&mut self, node: u32, question: Question, answer: i64) -> Option<u32> {
        match self.nodes[node as usize] {
            Node::Open => {
                let next = self.node();
                self.nodes[node as usize] = Node::Asks(question, (answer, next));
                Some(next)
            }
            Node::Asks(asked, _) if asked != question => None,
            Node::Asks(_, (known, next)) if known == answer => Some(next),
            Node::Asks(..) => Some(match self.answers.get(&(node, answer)) {
                Some(next) => *next,
                None => {
                    let next = self.node();
                    self.answers.insert((node, answer), next);
                    next
                }
            }),
            Node::Case(..) => None,
        }
    }

    /// Adds a case; `false` if it contradicts the tree: a call had another result before.
    fn insert(
        &mut self,
        root: usize,
        asked: &[(Question, i64)],
        case: (usize, Arc<Case<W>>),
    ) -> bool {
        let mut node = match self.roots.get(&root) {
            Some(node) => *node,
            None => {
                let node = self.node();
                self.roots.insert(root, node);
                node
            }
        };
        for (question, answer) in asked {
            match self.next_or_new(node, *question, *answer) {
                Some(next) => node = next,
                None => return false,
            }
        }
        let free = matches!(self.nodes[node as usize], Node::Open);
        if free {
            self.nodes[node as usize] = Node::Case(case.0, case.1);
        }
        free
    }
}

/// The cases of all segments.
pub(super) struct Cases<W> {
    trees: Vec<Tree<W>>,
    /// The number of cases so far.
    made: usize,
    /// The number of words that this question uses.
    words: u64,
    /// How often the cache was dropped.
    forgotten: usize,
    /// The number of the question.
    question: u64,
    /// One value per resource.
    resources: Vec<i64>,
}

/// The result of looking up one case for several states.
pub(super) enum Shared<W> {
    Case(Arc<Case<W>>),
    /// The states answer a question differently.
    Differs,
    /// No case is cached for their answers.
    Unknown,
}

/// A node of the decision tree at which walks begin.
pub(super) struct Begin {
    node: u32,
    /// The count of drops at that time; the node is invalid after another one.
    forgotten: usize,
}

impl<W: Weight> Cases<W> {
    pub(super) fn new(segments: usize, resources: &[i64]) -> Self {
        Self {
            resources: resources.to_vec(),
            trees: (0..segments).map(|_| Tree::default()).collect(),
            made: 0,
            words: 0,
            forgotten: 0,
            question: 0,
        }
    }

    /// The resources of the question.
    pub(super) fn resources(&self) -> &[i64] {
        &self.resources
    }

    /// Begins another question, with these resources.
    pub(super) fn renew(&mut self, resources: &[i64]) {
        self.resources.clear();
        self.resources.extend_from_slice(resources);
        self.words = 0;
        self.question += 1;
    }

    /// The number of the question.
    pub(super) fn question(&self) -> u64 {
        self.question
    }

    /// A number for a case that is not cached.
    pub(super) fn number(&mut self) -> usize {
        self.made += 1;
        self.made
    }

    /// The number of words in the cache.
    pub(super) fn words(&self) -> u64 {
        self.trees.iter().map(|tree| tree.words).sum()
    }

    /// Counts a case of an earlier question; returns the number of words that this question uses.
    pub(super) fn recall(&mut self, words: u64) -> u64 {
        self.words += words;
        self.words
    }

    /// The node of the first question that these states can answer differently.
    pub(super) fn begin(
        &mut self,
        (segment, root): (usize, usize),
        states: &impl Ranges,
    ) -> Option<Begin> {
        let tree = &mut self.trees[segment];
        let question = self.question;
        let last = tree.last.take();
        let mut last = last.filter(|last| (last.root, last.question) == (root, question));
        let has = |(place, word): &(u32, i64)| constant(states, *place) == Some(*word);
        if let Some(found) = &last
            && !found.words.iter().all(has)
        {
            last = None;
        }
        let mut last = match last {
            Some(last) => last,
            None => Last {
                root,
                words: Vec::new(),
                question,
                node: *tree.roots.get(&root)?,
            },
        };
        let mut next = Some(last.node);
        let mut node = last.node;
        let mut varies = false;
        while let Node::Asks(asked, _) = &tree.nodes[node as usize]
            && let Some(answer) = asked.resolved(states, &self.resources)
        {
            next = tree.next(node, answer);
            let Some(found) = next else { break };
            node = found;
            if varies {
                continue;
            }
            let known = last.words.len();
            for place in asked.columns() {
                match constant(states, place) {
                    Some(word) => last.words.push((place, word)),
                    None => varies = true,
                }
            }
            match varies {
                true => last.words.truncate(known),
                false => last.node = node,
            }
        }
        tree.last = Some(last);
        Some(Begin {
            node: next?,
            forgotten: self.forgotten,
        })
    }

    /// Looks up the case that all of these states share. Calls `see` with each question and its
    /// answer, and with whether more questions about the same words follow, for which it is not
    /// called.
    pub(super) fn shared(
        &self,
        (segment, root): (usize, usize),
        states: &impl Ranges,
        mut see: impl FnMut(Question, i64, bool),
    ) -> Shared<W> {
        let tree = &self.trees[segment];
        let Some(mut node) = tree.roots.get(&root).copied() else {
            return Shared::Unknown;
        };
        // The pair of words that was compared last. A roll is compared with an armor class once for
        // each of its results, so one pair answers many questions.
        let mut pair = None;
        let mut is_told = false;
        loop {
            match &tree.nodes[node as usize] {
                Node::Open => return Shared::Unknown,
                Node::Case(_, case) => return Shared::Case(case.clone()),
                Node::Asks(asked, _) => {
                    let answer = match asked.of_pair(pair) {
                        Some(answer) => {
                            if !is_told {
                                see(*asked, answer, true);
                                is_told = true;
                            }
                            answer
                        }
                        None => {
                            let Some(answer) = asked.resolved(states, &self.resources) else {
                                return Shared::Differs;
                            };
                            (pair, is_told) = (asked.pair(states), false);
                            see(*asked, answer, false);
                            answer
                        }
                    };
                    match tree.next(node, answer) {
                        Some(next) => node = next,
                        None => return Shared::Unknown,
                    }
                }
            }
        }
    }

    /// The cached case that all of these states share.
    pub(super) fn common(
        &mut self,
        place: (usize, usize),
        states: &impl Ranges,
    ) -> Option<&Arc<Case<W>>> {
        let begin = self.begin(place, states)?;
        self.only(place.0, &begin)
    }

    /// The same, if no question that they can answer differently is left.
    pub(super) fn only(&self, segment: usize, begin: &Begin) -> Option<&Arc<Case<W>>> {
        match &self.trees[segment].nodes[begin.node as usize] {
            Node::Case(_, case) => Some(case),
            Node::Open | Node::Asks(..) => None,
        }
    }

    /// The question at this node, if there is one.
    pub(super) fn asks(&self, segment: usize, begin: &Begin) -> Option<Question> {
        match &self.trees[segment].nodes[begin.node as usize] {
            Node::Asks(question, _) => Some(*question),
            Node::Open | Node::Case(..) => None,
        }
    }

    /// Whether the node is still valid.
    pub(super) fn holds(&self, begin: &Begin) -> bool {
        begin.forgotten == self.forgotten
    }

    /// The cached case of a row, with its number.
    pub(super) fn find(
        &self,
        segment: usize,
        begin: &Begin,
        read: impl Fn(usize) -> i64,
    ) -> Option<(usize, &Arc<Case<W>>)> {
        let tree = &self.trees[segment];
        let mut node = begin.node;
        loop {
            match &tree.nodes[node as usize] {
                Node::Open => return None,
                Node::Case(number, case) => return Some((*number, case)),
                Node::Asks(question, _) => {
                    node = tree.next(node, question.answer(&read, &self.resources))?;
                }
            }
        }
    }

    /// Adds a case under the questions that led to it; returns its number.
    pub(super) fn insert(
        &mut self,
        (segment, root): (usize, usize),
        asked: &[(Question, i64)],
        words: u64,
        case: &Arc<Case<W>>,
    ) -> usize {
        self.words += words;
        if self.words > MAX_WORDS {
            self.trees
                .iter_mut()
                .for_each(|tree| *tree = Tree::default());
            self.words = 0;
            self.forgotten += 1;
        }
        self.made += 1;
        let tree = &mut self.trees[segment];
        if !tree.insert(root, asked, (self.made, case.clone())) {
            *tree = Tree::default();
            self.forgotten += 1;
            tree.insert(root, asked, (self.made, case.clone()));
        }
        tree.words += words;
        self.made
    }

    /// Drops the cases of a segment.
    pub(super) fn forget(&mut self, segment: usize) {
        self.trees[segment] = Tree::default();
        self.forgotten += 1;
    }
}
