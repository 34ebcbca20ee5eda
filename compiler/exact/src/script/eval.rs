//! Evaluates expressions in one state. The interpreter defines the meaning.

use super::floors::{Floor, Holder};
use super::machine::Machine;
use super::plan::{Piece, Pure, WordOrder};
use super::reads::Word;
use super::values::Values;
use crate::float::{Unary, binary};
use dicec_lang::hir::{ArithOp, CompareOp, Math, written_set};
use dicec_runtime::bug;
use dicec_runtime::limits::{MAX_TEXT, ScriptLimits, join_cost};
use dicec_runtime::span::Span;
use dicec_runtime::text::HOLE;
use dicec_runtime::trap::{Trap, TrapCode};
use std::cmp::Ordering;

/// The maximum that is subtracted at once from a saturating number. A trial runs out of fuel before
/// it could subtract this often enough for a trap by overflow.
const MAX_DOWN: i64 = 1 << 16;

/// The context that all states share.
pub(super) struct World {
    pub(super) values: Values,
    pub(super) limits: ScriptLimits,
    /// One value per resource.
    pub(super) resources: Vec<i64>,
}

/// A trap of this kind, at `span`.
pub(super) fn at(span: Span) -> impl Fn(TrapCode) -> Trap {
    move |code| Trap { code, span }
}

/// Longer lists are not kept sorted: sorting reads all elements at each append.
const MAX_SORTED: i64 = 256;

impl Machine {
    /// Burns fuel.
    pub(super) fn burn(&mut self, units: u64, world: &World, span: Span) -> Result<(), Trap> {
        self.fuel = self.fuel.saturating_add(units);
        if self.fuel > u64::from(world.limits.fuel) {
            return Err(at(span)(TrapCode::OutOfFuel));
        }
        Ok(())
    }

    pub(super) fn truth(&mut self, value: &Pure, world: &mut World) -> Result<bool, Trap> {
        Ok(self.eval(value, world)? != 0)
    }

    /// Aborts the question, so that it is asked again without this saturation bound. The trap
    /// itself is only a signal.
    fn refute(&mut self, floor: Floor) -> Trap {
        self.refuted = Some(floor.holder);
        at(Span::default())(TrapCode::OutOfFuel)
    }

    fn all(&mut self, parts: &[Pure], world: &mut World) -> Result<Vec<i64>, Trap> {
        parts.iter().map(|part| self.eval(part, world)).collect()
    }

    fn words(&mut self, parts: &[Pure], world: &mut World) -> Result<Vec<Word>, Trap> {
        parts.iter().map(|part| self.copy(part, world)).collect()
    }

    /// The value of an expression, read.
    pub(super) fn eval(&mut self, value: &Pure, world: &mut World) -> Result<i64, Trap> {
        let word = self.copy(value, world)?;
        Ok(self.reads.look(word))
    }

    /// The word of an expression; a word of the state is copied without reading it.
    pub(super) fn copy(&mut self, value: &Pure, world: &mut World) -> Result<Word, Trap> {
        Ok(Word::new(match value {
            Pure::Word(word) => *word,
            Pure::Resource(slot) => {
                let value = world.resources[*slot];
                self.reads.resource(*slot, value);
                value
            }
            Pure::Local(local) => return Ok(self.locals[*local]),
            Pure::Unary(Unary::AtLeast(least), value, _) => {
                let word = self.copy(value, world)?;
                if !self.compare(CompareOp::Less, word, Word::new(*least)) {
                    return Ok(word);
                }
                self.clamped = true;
                *least
            }
            Pure::Unary(unary, value, span) => {
                let word = self.eval(value, world)?;
                unary.apply(word).map_err(at(*span))?
            }
            Pure::Not(value) => i64::from(!self.truth(value, world)?),
            Pure::Arith(op, of_floats, pair, span) => {
                let left = self.copy(&pair[0], world)?;
                let right = self.copy(&pair[1], world)?;
                let moved = match op {
                    ArithOp::Add if !of_floats => self.reads.sum(left, right),
                    ArithOp::Sub if !of_floats => self.reads.difference(left, right),
                    _ => None,
                };
                let result = match moved {
                    Some(moved) => moved,
                    None => {
                        let [left, right] = [left, right].map(|word| self.reads.look(word));
                        Word::new(binary(*op, *of_floats)(left, right).map_err(at(*span))?)
                    }
                };
                self.large |= !of_floats && !result.is_small();
                return Ok(result);
            }
            Pure::Compare(op, pair) => {
                let left = self.copy(&pair[0], world)?;
                let right = self.copy(&pair[1], world)?;
                i64::from(self.compare(*op, left, right))
            }
            Pure::And(pair) => {
                i64::from(self.truth(&pair[0], world)? && self.truth(&pair[1], world)?)
            }
            Pure::Or(pair) => {
                i64::from(self.truth(&pair[0], world)? || self.truth(&pair[1], world)?)
            }
            Pure::Choose(parts) => {
                let taken = if self.truth(&parts[0], world)? { 1 } else { 2 };
                return self.copy(&parts[taken], world);
            }
            Pure::Extreme(extreme, parts) => return self.extreme(*extreme, parts, world),
            Pure::Fixed(record, place) => {
                let tuple = self.eval(record, world)?;
                let found = word(world.values.words(tuple), *place as i64);
                found.unwrap_or_else(|| bug!("a constant has no field {place}").raise())
            }
            Pure::Slot(record, place) => {
                let record = self.eval(record, world)?;
                return Ok(self.word(record + *place as i64));
            }
            Pure::Len(list, object) => {
                let list = self.eval(list, world)?;
                self.length(list, *object, world)
            }
            Pure::Element(pair, object, span) => {
                let [list, index] = self.pair(pair, world)?;
                return self
                    .element(list, index, *object, world)
                    .ok_or(TrapCode::NoElement)
                    .map_err(at(*span));
            }
            Pure::Tuple(parts) => {
                let words = self.all(parts, world)?;
                world.values.tuple(&words)
            }
            Pure::Object(parts) => {
                let words = self.words(parts, world)?;
                self.place(&words)
            }
            Pure::List(parts) => {
                let mut body = vec![Word::new(parts.len() as i64)];
                body.extend(self.words(parts, world)?);
                let body = self.place(&body);
                self.place(&[Word::new(body)])
            }
            Pure::Above(value, floor) => {
                let word = self.copy(value, world)?;
                let least = Word::new(floor.least.into());
                if !self.compare(CompareOp::Greater, word, least) {
                    return Err(self.refute(*floor));
                }
                return Ok(word);
            }
            Pure::Down(value, floor) => {
                let by = self.copy(value, world)?;
                if self.reads.is_rolled(by) {
                    let [least, most] = [0, MAX_DOWN].map(Word::new);
                    let fits = self.compare(CompareOp::GreaterEqual, by, least)
                        && self.compare(CompareOp::LessEqual, by, most);
                    return if fits {
                        Ok(by)
                    } else {
                        Err(self.refute(*floor))
                    };
                }
                let by = self.reads.look(by);
                if !(0..=MAX_DOWN).contains(&by) {
                    return Err(self.refute(*floor));
                }
                by
            }
            Pure::Floored(value, floor) => {
                let word = self.copy(value, world)?;
                let has = self.floors || matches!(floor.holder, Holder::Local(..));
                return Ok(match has && word.is_small() {
                    true => {
                        self.floored += 1;
                        word.with_floor(floor.least)
                    }
                    false => word,
                });
            }
            Pure::Sorted(list, object, order) => {
                let list = self.eval(list, world)?;
                match self.sorts {
                    true => self.sorted(list, *object, *order, world),
                    false => list,
                }
            }
            Pure::Inserted(list, order) => {
                let list = self.eval(list, world)?;
                if self.sorts {
                    self.insert_last(list, *order, world);
                }
                list
            }
            Pure::Copied(list) => {
                let list = self.eval(list, world)?;
                let body = self.look(list);
                let last = body + self.look(body);
                let words: Vec<Word> = (body..=last).map(|at| self.word(at)).collect();
                let body = self.place(&words);
                self.place(&[Word::new(body)])
            }
            Pure::Paid(value, units, span) => {
                let word = self.copy(value, world)?;
                self.burn(*units, world, *span)?;
                return Ok(word);
            }
            Pure::Join(parts, values, span) => self.join(parts, *values, *span, world)?,
        }))
    }

    fn pair(&mut self, pair: &[Pure; 2], world: &mut World) -> Result<[i64; 2], Trap> {
        let left = self.eval(&pair[0], world)?;
        Ok([left, self.eval(&pair[1], world)?])
    }

    fn extreme(&mut self, extreme: Math, parts: &[Pure], world: &mut World) -> Result<Word, Trap> {
        let better = match extreme {
            Math::Min => CompareOp::Less,
            _ => CompareOp::Greater,
        };
        let mut best: Option<Word> = None;
        for part in parts {
            let value = self.copy(part, world)?;
            best = match best {
                Some(best) if !self.compare(better, value, best) => Some(best),
                _ => Some(value),
            };
        }
        Ok(best.unwrap_or_else(|| bug!("the extreme of nothing").raise()))
    }

    fn length(&mut self, list: i64, object: bool, world: &World) -> i64 {
        if object {
            let body = self.look(list);
            self.look(body)
        } else {
            world.values.words(list).len() as i64
        }
    }

    fn element(&mut self, list: i64, index: i64, object: bool, world: &World) -> Option<Word> {
        if !object {
            return word(world.values.words(list), index).map(Word::new);
        }
        let body = self.look(list);
        (0..self.look(body))
            .contains(&index)
            .then(|| self.word(body + 1 + index))
    }

    /// The list with its elements sorted.
    fn sorted(&mut self, list: i64, object: bool, order: WordOrder, world: &mut World) -> i64 {
        let compare = |world: &World, a: &i64, b: &i64| order.compare(&world.values, *a, *b);
        if !object {
            let mut words = world.values.words(list).to_vec();
            self.longest_sorted = self.longest_sorted.max(words.len() as u64);
            words.sort_unstable_by(|a, b| compare(world, a, b));
            return world.values.tuple(&words);
        }
        let first = self.look(list) + 1;
        let length = self.length(list, object, world);
        let mut words: Vec<i64> = (first..first + length).map(|at| self.look(at)).collect();
        self.longest_sorted = self.longest_sorted.max(words.len() as u64);
        words.sort_unstable_by(|a, b| compare(world, a, b));
        for (at, word) in (first..).zip(words) {
            self.put(at, Word::new(word));
        }
        list
    }

    /// Moves the last element of a list object to its position among the sorted others.
    fn insert_last(&mut self, list: i64, order: WordOrder, world: &World) {
        let body = self.look(list);
        let length = self.look(body);
        if length > MAX_SORTED {
            return;
        }
        self.longest_sorted = self.longest_sorted.max(length.unsigned_abs());
        let last = self.look(body + length);
        let mut at = body + length;
        while at > body + 1 {
            let before = self.look(at - 1);
            if order.compare(&world.values, before, last).is_le() {
                break;
            }
            self.put(at, Word::new(before));
            at -= 1;
        }
        self.put(at, Word::new(last));
    }

    /// Writes an element of a list object; `None` if the index is out of range.
    pub(super) fn put_element(&mut self, list: i64, index: i64, word: Word) -> Option<()> {
        let body = self.look(list);
        (0..self.look(body))
            .contains(&index)
            .then(|| self.put(body + 1 + index, word))
    }

    /// Appends to a list object. The list gets a new body, because other words may follow the old
    /// one.
    ///
    /// # Errors
    /// The list has its maximum length.
    pub(super) fn append(&mut self, list: i64, word: Word, world: &World) -> Result<(), TrapCode> {
        let from = self.look(list);
        let length = self.look(from);
        if length >= i64::from(world.limits.list) {
            return Err(TrapCode::ListTooLong);
        }
        let body = self.place(&[Word::new(length + 1)]);
        let old = usize::try_from(from);
        let old = old.unwrap_or_else(|_| bug!("a list at {from}").raise()) + 1;
        // The length of a list is that of its body.
        self.heap.extend_from_within(old..old + length as usize);
        self.heap.push(word);
        self.put(list, Word::new(body));
        Ok(())
    }

    /// Removes the element at an index of a list object, which it has; returns the number of
    /// elements after it.
    pub(super) fn remove(&mut self, list: i64, index: i64) -> u64 {
        let body = self.look(list);
        let last = body + self.look(body);
        let first = body + 1 + index;
        for at in first..last {
            let next = self.word(at + 1);
            self.put(at, next);
        }
        self.shorten(list);
        (last - first).unsigned_abs()
    }

    /// Removes the last element of a list object that has one.
    pub(super) fn shorten(&mut self, list: i64) {
        let body = self.look(list);
        let length = self.look(body);
        self.put(body, Word::new(length - 1));
        self.moved = true;
    }

    fn join(
        &mut self,
        parts: &[(Pure, Piece)],
        values: u64,
        span: Span,
        world: &mut World,
    ) -> Result<i64, Trap> {
        let mut template = String::new();
        for (part, piece) in parts {
            let word = self.copy(part, world)?;
            let set;
            template.push_str(match piece {
                // A number in a text is not read.
                Piece::Number => HOLE,
                Piece::Text => world.values.template(self.reads.look(word)),
                Piece::Truth if self.reads.look(word) != 0 => "true",
                Piece::Truth => "false",
                Piece::Degree(ladder) => ladder.name(self.reads.look(word)),
                Piece::Constant(names) => {
                    let number = self.reads.look(word);
                    let place = usize::try_from(number).ok();
                    let name = place.and_then(|place| names.get(place));
                    name.ok_or_else(|| at(span)(bug!("no constant {number}").into()))?
                }
                Piece::Set(names) => {
                    set = written_set(names, self.reads.look(word));
                    &set
                }
            });
        }
        if template.len() > MAX_TEXT {
            return Err(at(span)(TrapCode::TextTooLong));
        }
        self.burn(join_cost(values, template.len()), world, span)?;
        Ok(world.values.text(&template))
    }
}

impl WordOrder {
    fn compare(self, values: &Values, left: i64, right: i64) -> Ordering {
        match self {
            WordOrder::Numbers => left.cmp(&right),
            WordOrder::Tuples => values.words(left).cmp(values.words(right)),
        }
    }
}

/// The word at an index.
fn word(words: &[i64], place: i64) -> Option<i64> {
    let place = usize::try_from(place).ok()?;
    words.get(place).copied()
}
