//! Composes consecutive segments into one distribution, here called a *composite*: an attack,
//! whatever its dice and branches, becomes one distribution of damage. It is computed for all
//! states of a column at once, and reused by later iterations of a loop.
//!
//! States go through the segments as pieces ([`super::piece`]). The words of a piece are symbolic,
//! so it is not as long as the column, and the column is written only once, at the end. The effect
//! of a segment on a piece comes from the segment's cached cases. If the states of a piece answer a
//! question differently, the piece is split in halves. If the answer depends on the column itself,
//! or more than one number of a piece would vary, the composite ends before that segment and the
//! remaining segments follow one by one.
//!
//! Premise: weights are floats. Which segments are composed, and in which order their weights are
//! added, depends only on the states of the question.

use super::case::{self, Case, Count};
use super::column::Column;
use super::composite::{Composed, Composite};
use super::cost::{LOOKED_UP_COST, OUTCOME_COST};
use super::dist::Dist;
use super::engine::{Engine, Frame, Run, STACK_ADDED, STACK_LEFT};
use super::flight::Flight;
use super::known::Shared;
use super::live::Live;
use super::needs::Needs;
use super::notes::Mean;
use super::piece::Piece;
use super::plan::{Entry, Exit, Head, Segment, Tail};
use super::reads::Word;
use super::seen::Seen;
use super::share::Share;
use crate::{ExactError, Shortcuts};
use dicec_runtime::pmf::Weight;
use std::sync::Arc;

/// The maximum number of pieces at one point, and of numbers of a piece that is split.
const MAX_PIECES: usize = 16;
const MAX_NUMBERS: usize = 1 << 12;

/// The maximum number of cached composites that begin with the same segment.
const MAX_KEPT: usize = 4;

/// A composite under construction.
struct Draft<'a, W> {
    input: &'a Column<W>,
    needs: Needs,
    /// The pieces that left the block, with their exits.
    left: Vec<(Exit, Piece<W>)>,
    fuel: u64,
    counts: Vec<(Arc<Count>, Mean)>,
}

/// The number of segments that were composed, if any were, and the distribution before the next
/// segment of the block.
type Taken<W> = Option<(usize, Option<Dist<W>>)>;

/// The error of segments that cannot be composed.
struct Apart;

/// Whether a segment and its branches contain no loop.
fn is_plain(segment: &Segment) -> bool {
    match &segment.tail {
        Tail::Loop(_) => false,
        Tail::If(_, then, otherwise) => {
            let mut blocks = [then, otherwise].into_iter();
            blocks.all(|block| block.segments.iter().all(is_plain))
        }
        _ => true,
    }
}

impl<'p, W: Weight> Engine<'p, W> {
    /// Takes the states of a column through a composite of as many segments as possible, from the
    /// first on. Returns how many there are.
    pub(super) fn at_once(
        &mut self,
        frame: &mut Frame<'p, W>,
        block: &'p [Segment],
        input: &Dist<W>,
        out: &mut Dist<W>,
    ) -> Result<Taken<W>, ExactError> {
        let composes = self.shortcuts.contains(Shortcuts::COMPOSITES) && W::ROUNDING > 0.0;
        let Some(column) = input.column().filter(|_| composes) else {
            return Ok(None);
        };
        let composite = match self.composite(frame, block, column, &out.live) {
            Ok(Some(composite)) => composite,
            Ok(None) => return Ok(None),
            Err(error) => {
                let run = Run::new(frame, &block[0], input, out, Vec::new());
                return Err(self.explosion(&run, error));
            }
        };
        let limit = u64::from(self.world.limits.fuel);
        if column.fuel.saturating_add(composite.fuel) > limit {
            // Taken one by one, the segments show where the fuel runs out.
            return Ok(None);
        }
        self.longest = self.longest.max(input.longest());
        self.mixed |= column.mixed || composite.mixed;
        self.takes(Shortcuts::COMPOSITES);
        let mut after = block
            .get(composite.length)
            .map(|next| Dist::new(next.live.clone()));
        let next = after.as_mut().unwrap_or(out);
        let mut run = Run::new(&mut *frame, &block[0], input, next, Vec::new());
        let poured = self.pour_composite(&mut run, column, &composite);
        poured.map_err(|error| self.explosion(&run, error))?;
        for (count, share) in &composite.counts {
            let mean = input.mean(0..column.weights.len());
            self.note(frame, count, share.times(mean));
        }
        Ok(Some((composite.length, after)))
    }

    /// Accumulates the outcomes of a composite for the states of a column.
    fn pour_composite(
        &mut self,
        run: &mut Run<'_, 'p, W>,
        column: &Column<W>,
        composite: &Composite<W>,
    ) -> Result<(), ExactError> {
        let states = 0..column.weights.len();
        let work = composite.outcomes.saturating_mul(states.len() as u64);
        self.pay(run, work.saturating_add(LOOKED_UP_COST))?;
        let (input, total) = (run.input, W::from_u64(1));
        let mut packed = None;
        for (exit, piece) in &composite.pieces {
            if !piece.pour((column, states.clone()), &total, run.to(*exit)) {
                let part = packed.get_or_insert_with(|| input.part(column, states.clone()));
                self.pour_packed(run, (part, &total), &Flight::of_piece(*exit, piece))?;
            }
        }
        Ok(())
    }

    /// The longest composite that this block allows: a cached one, or a new one.
    fn composite(
        &mut self,
        frame: &mut Frame<'p, W>,
        block: &'p [Segment],
        column: &Column<W>,
        end: &Arc<Live>,
    ) -> Result<Option<Arc<Composite<W>>>, ExactError> {
        let place = (block[0].number, frame.pinned);
        let plain = || block.iter().take_while(|segment| is_plain(segment)).count();
        let known = self
            .composites
            .blocks
            .entry(place)
            .or_insert_with(|| Composed {
                length: plain(),
                kept: Vec::new(),
            });
        let words = column.words();
        let fits = |kept: &&Arc<Composite<W>>| kept.words == words && kept.needs.hold(column);
        if let Some(kept) = known.kept.iter().rev().find(fits) {
            return Ok(Some(kept.clone()));
        }
        let mut length = known.length;
        while length > 1 || length == 1 && !block[0].entries().is_empty() {
            let end = block.get(length).map_or(end, |next| &next.live);
            let composed = self.compose(frame, &block[..length], column, end)?;
            let Some(known) = self.composites.blocks.get_mut(&place) else {
                break;
            };
            match composed {
                Ok(composite) => {
                    let composite = Arc::new(composite);
                    if known.kept.len() == MAX_KEPT {
                        known.kept.remove(0);
                    }
                    known.kept.push(composite.clone());
                    return Ok(Some(composite));
                }
                Err(apart) => {
                    length = apart;
                    known.length = apart;
                }
            }
        }
        Ok(None)
    }

    /// Composes these segments; the error is the number of segments that can be composed.
    fn compose(
        &mut self,
        frame: &mut Frame<'p, W>,
        block: &'p [Segment],
        input: &Column<W>,
        end: &Arc<Live>,
    ) -> Result<Result<Composite<W>, usize>, ExactError> {
        let words = input.words();
        let mut draft = Draft {
            input,
            needs: Needs::default(),
            left: Vec::new(),
            fuel: 0,
            counts: Vec::new(),
        };
        let mut pieces = vec![Piece::entering(words)];
        for (index, segment) in block.iter().enumerate() {
            let after = block.get(index + 1).map_or(end, |next| &next.live);
            match self.through(frame, &mut draft, (segment, after), pieces)? {
                Ok(after) => pieces = after,
                Err(Apart) => return Ok(Err(index)),
            }
        }
        let next = pieces.into_iter().map(|piece| (Exit::Next, piece));
        let left = draft.left.into_iter().chain(next);
        let left: Vec<(Exit, Piece<W>)> = left.collect();
        Ok(Ok(Composite {
            words,
            needs: draft.needs,
            length: block.len(),
            mixed: left.iter().any(|(_, piece)| piece.mixed),
            outcomes: left.iter().map(|(_, piece)| piece.outcomes()).sum(),
            pieces: left,
            fuel: draft.fuel,
            counts: draft.counts,
        }))
    }

    /// Takes pieces through a segment and its branches.
    fn through(
        &mut self,
        frame: &mut Frame<'p, W>,
        draft: &mut Draft<'_, W>,
        (segment, after): (&'p Segment, &Arc<Live>),
        pieces: Vec<Piece<W>>,
    ) -> Result<Result<Vec<Piece<W>>, Apart>, ExactError> {
        if let Some(Head::Call { function, .. }) = &segment.head
            && self.calls.active[function.index()] > 0
        {
            return Ok(Err(Apart));
        }
        let entries = segment.entries();
        let mut inner: Vec<Vec<Piece<W>>> = entries.iter().map(|_| Vec::new()).collect();
        let mut next = Vec::new();
        for piece in pieces {
            if let Some((exit, moved)) = self.moved(frame, draft, (segment, after), &piece)? {
                if !draft.lead(exit, moved, (&mut next, &mut inner)) {
                    return Ok(Err(Apart));
                }
                continue;
            }
            let mut rest = Vec::new();
            let mut first = Some(piece);
            while let Some(piece) = first.take().or_else(|| rest.pop()) {
                let case = match self.shared_case(frame, draft, (segment, after), &piece)? {
                    Some(case) => case,
                    None if piece.len() == 1 || piece.len() > MAX_NUMBERS => return Ok(Err(Apart)),
                    None => {
                        // The lower half is taken next.
                        rest.extend(piece.halves());
                        continue;
                    }
                };
                draft.note(&piece, &case);
                let work = (case.outcomes() as u64 + OUTCOME_COST) * piece.len() as u64;
                self.budget
                    .spend(work.saturating_add(LOOKED_UP_COST), piece.len() as u64)?;
                for flight in &case.flights {
                    let after = flight.piece().and_then(|next| piece.then(next));
                    let Some(after) = after else {
                        return Ok(Err(Apart));
                    };
                    self.peak = self.peak.max(after.len() as u64);
                    if !draft.lead(flight.exit, after, (&mut next, &mut inner)) {
                        return Ok(Err(Apart));
                    }
                }
            }
        }
        for (entry, pieces) in entries.into_iter().zip(inner) {
            if pieces.is_empty() {
                continue;
            }
            let ends = stacker::maybe_grow(STACK_LEFT, STACK_ADDED, || {
                self.entry(frame, draft, (entry, after), pieces)
            })?;
            let Ok(ends) = ends else {
                return Ok(Err(Apart));
            };
            for end in ends {
                if !draft.join(&mut next, end) {
                    return Ok(Err(Apart));
                }
            }
        }
        Ok(Ok(next))
    }

    /// The effect of a segment without dice on a piece whose number it moves but does not read,
    /// with its exit.
    fn moved(
        &mut self,
        frame: &mut Frame<'p, W>,
        draft: &mut Draft<'_, W>,
        (segment, after): (&'p Segment, &Arc<Live>),
        piece: &Piece<W>,
    ) -> Result<Option<(Exit, Piece<W>)>, ExactError> {
        let local = piece.local(&segment.live);
        let Some(local) = local.filter(|_| segment.head.is_none()) else {
            return Ok(None);
        };
        let seen = Seen {
            piece,
            input: draft.input,
        };
        let row = seen.row();
        self.pay_work(1, row.len())?;
        let input = Dist::new(segment.live.clone());
        let mut next = Dist::new(after.clone());
        let inner = segment.entries().into_iter();
        let inner = inner.map(|entry| Dist::new(segment.begin(entry, after)));
        let mut run = Run::new(frame, segment, &input, &mut next, inner.collect());
        self.begin(&run, &row, 0);
        let ends = piece.numbers_that_vary();
        self.machine.reads.begin_roll(ends.clone());
        self.machine.locals[local] = Word::rolled(*ends.start());
        let mut found = case::Draft::new();
        if !self.fly(&mut run, &mut found, (ends, 0), piece.results())? {
            return Ok(None);
        }
        let mut needs = draft.needs.clone();
        for (question, answer) in std::mem::take(&mut self.machine.reads).asked {
            if question.resolved(&seen, &self.world.resources) != Some(answer) {
                return Ok(None);
            }
            seen.note(question, answer, false, &mut needs);
        }
        let case = found.finish();
        let moved = case.flights.first().and_then(|flight| {
            let moved = piece.without_numbers().then(flight.piece()?)?;
            Some((flight.exit, moved))
        });
        if moved.is_some() {
            draft.needs = needs;
            draft.note(piece, &case);
        }
        Ok(moved)
    }

    fn entry(
        &mut self,
        frame: &mut Frame<'p, W>,
        draft: &mut Draft<'_, W>,
        (entry, end): (Entry<'p>, &Arc<Live>),
        mut pieces: Vec<Piece<W>>,
    ) -> Result<Result<Vec<Piece<W>>, Apart>, ExactError> {
        for (index, segment) in entry.iter().enumerate() {
            let after = entry.get(index + 1).map_or(end, |next| &next.live);
            match self.through(frame, draft, (segment, after), pieces)? {
                Ok(after) => pieces = after,
                Err(Apart) => return Ok(Err(Apart)),
            }
        }
        Ok(Ok(pieces))
    }

    /// The case that all states of a piece share, if there is one.
    fn shared_case(
        &mut self,
        frame: &mut Frame<'p, W>,
        draft: &mut Draft<'_, W>,
        (segment, after): (&'p Segment, &Arc<Live>),
        piece: &Piece<W>,
    ) -> Result<Option<Arc<Case<W>>>, ExactError> {
        let place = (segment.number, frame.pinned);
        let seen = Seen {
            piece,
            input: draft.input,
        };
        for _ in 0..2 {
            // The path condition keeps these constraints even if a later question splits the piece.
            let needs = &mut draft.needs;
            let note = |question, answer, again| seen.note(question, answer, again, needs);
            match self.cases.shared(place, &seen, note) {
                Shared::Case(case) => {
                    self.pay_again(&case)?;
                    let fits = |call| self.calls.fits(call, 1.0, self.world.limits);
                    return Ok(Some(case).filter(|case| case.count.call.is_none_or(fits)));
                }
                Shared::Differs => return Ok(None),
                Shared::Unknown => {
                    let mut one = Dist::new(segment.live.clone());
                    one.add(&seen.row(), Share::certain(0));
                    let fuel = draft.input.fuel.saturating_add(piece.fuel);
                    self.first_case(frame, (segment, after), (&one, fuel))?;
                }
            }
        }
        Ok(None)
    }

    /// Computes the case of a state, which burnt this much fuel, for the first time.
    fn first_case(
        &mut self,
        frame: &mut Frame<'p, W>,
        (segment, after): (&'p Segment, &Arc<Live>),
        (state, fuel): (&Dist<W>, u64),
    ) -> Result<(), ExactError> {
        let mut next = Dist::new(after.clone());
        let inner = segment.entries().into_iter();
        let inner = inner.map(|entry| Dist::new(segment.begin(entry, after)));
        let inner = inner.collect();
        let mut run = Run::new(frame, segment, state, &mut next, inner);
        self.new_case(&mut run, 0, (1.0, fuel))?;
        Ok(())
    }
}

impl<W: Weight> Draft<'_, W> {
    /// Records the fuel and the counts of a piece that goes through a case.
    fn note(&mut self, piece: &Piece<W>, case: &Case<W>) {
        self.fuel = self.fuel.max(piece.fuel.saturating_add(case.fuel));
        if !case.count.is_empty() {
            let (value, roundings) = piece.mass();
            let mean = Mean { value, roundings };
            self.counts.push((case.count.clone(), mean));
        }
    }

    /// Adds a piece to those at an exit; `false` if there are too many.
    fn lead(
        &mut self,
        exit: Exit,
        piece: Piece<W>,
        (next, inner): (&mut Vec<Piece<W>>, &mut [Vec<Piece<W>>]),
    ) -> bool {
        match exit {
            Exit::Next => self.join(next, piece),
            Exit::Inner(entry) => self.join(&mut inner[entry], piece),
            exit => self.leave(exit, piece),
        }
    }

    /// Merges a piece into those at one point; `false` if there are too many.
    fn join(&mut self, pieces: &mut Vec<Piece<W>>, mut piece: Piece<W>) -> bool {
        for known in &mut *pieces {
            if known.join(&mut piece, self.input, &mut self.needs) {
                return true;
            }
        }
        pieces.push(piece);
        pieces.len() <= MAX_PIECES
    }

    /// Adds a piece that leaves the block; `false` if there are too many.
    fn leave(&mut self, exit: Exit, mut piece: Piece<W>) -> bool {
        for (known, other) in &mut self.left {
            if *known == exit && other.join(&mut piece, self.input, &mut self.needs) {
                return true;
            }
        }
        self.left.push((exit, piece));
        self.left.len() <= MAX_PIECES
    }
}
