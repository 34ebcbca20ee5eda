//! The subtotals of a rule whose terms have labels: `2d6[fire] + 1d8[cold] + 3` gives a fire
//! subtotal, a cold subtotal and 3 without a label. Each is the result of a rule of its own.

use super::bind::Bound;
use super::dice_session::Session;
use super::failure::Failure;
use super::program::{Program, Written};
use crate::answer::{Distribution, Exactness};
use dicec_lang::check;
use dicec_lang::front::notation::{Ast, Others, Share, labels, share, share_to_hir};
use dicec_lang::interp::Value;
use dicec_lang::syntax::Sources;
use dicec_runtime::bug;
use dicec_runtime::control::Control;
use dicec_runtime::pmf::Limits;
use dicec_runtime::rng::{Dice, given_face};
use dicec_runtime::trap::TrapCode;

/// The contribution of the terms with one label to the total of a rule, before it is clamped to 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Subtotal<T> {
    /// The label; `None` for the terms without one.
    pub label: Option<String>,
    /// The contribution.
    pub value: T,
}

impl Bound {
    /// The rule of each label's subtotal, in written order, and last that of the terms without a
    /// label. Empty for a rule without labels, and for a script. The odds of a subtotal are those
    /// of its rule.
    ///
    /// # Errors
    /// A bug.
    pub fn subtotals(&self) -> Result<Vec<Subtotal<Bound>>, Failure> {
        self.shares(Others::Dropped)
    }

    /// The exact odds of each of the [subtotals](Bound::subtotals).
    ///
    /// # Errors
    /// As for [`Bound::answer`].
    pub fn subtotal_odds(
        &self,
        limits: &Limits,
        exactness: Exactness,
        control: &Control,
    ) -> Result<Vec<Subtotal<Distribution>>, Failure> {
        let parts = self.subtotals()?.into_iter();
        let solved = parts.map(|part| {
            let answer = part.value.answer(limits, exactness, control)?;
            let odds = answer.result;
            Ok(Subtotal {
                label: part.label,
                value: odds.ok_or_else(|| self.bug(bug!("a subtotal without odds")))?,
            })
        });
        solved.collect()
    }

    /// The subtotals of the roll of these faces.
    ///
    /// # Errors
    /// A trap, which the roll itself would have hit.
    pub(super) fn subtotals_of(&self, faces: &[i64]) -> Result<Vec<Subtotal<Value>>, Failure> {
        let shares = self.shares(Others::Rolled)?.into_iter();
        let values = shares.map(|share| {
            let rolled = share.value.total(&mut Session::scripted(faces.to_vec()))?;
            let value = rolled.ok_or_else(|| self.bug(bug!("a subtotal without a value")))?;
            Ok(Subtotal {
                label: share.label,
                value,
            })
        });
        values.collect()
    }

    fn shares(&self, others: Others) -> Result<Vec<Subtotal<Bound>>, Failure> {
        let Some((rule, _)) = self.program().notation() else {
            return Ok(Vec::new());
        };
        let labels = labels(rule);
        let rest = (!labels.is_empty()).then_some(Share::Rest);
        let wanted = labels.into_iter().map(Share::Of).chain(rest);
        let found = wanted.filter_map(|wanted| {
            let share = share(rule, wanted, others)?;
            let label = match wanted {
                Share::Of(label) => Some(label.to_owned()),
                Share::Rest => None,
            };
            let value = self.program().part(&share).and_then(|part| {
                let of_part = part.resources().iter();
                let values: Option<Vec<i64>> = of_part
                    .map(|used| self.program().slot_of(&used.name))
                    .map(|slot| self.resources().get(slot?).copied())
                    .collect();
                part.bind_values(&values?).ok()
            });
            let value = value.ok_or_else(|| self.bug(bug!("a subtotal that does not compile")));
            Some(value.map(|value| Subtotal { label, value }))
        });
        found.collect()
    }
}

impl Program {
    /// The program of an expression that consists of parts of this rule; never `None`.
    fn part(&self, expression: &Ast) -> Option<Program> {
        let (_, dialect) = self.notation()?;
        let mut hir = share_to_hir(expression, dialect);
        let notes = check::check(&mut hir, self.limits().roll);
        let written = Written {
            text: self.text().into(),
            dialect,
            ast: Some(expression.clone()),
        };
        let sources = Sources::single("", self.text());
        let part = Program::new(sources, Some(written), hir, self.limits(), notes);
        (!part.notes().has_errors()).then_some(part)
    }
}

/// Records the faces that a roll takes from a session.
pub(super) struct Recorder<'s> {
    session: &'s mut Session,
    pub(super) faces: Vec<i64>,
}

impl<'s> Recorder<'s> {
    pub(super) fn new(session: &'s mut Session) -> Self {
        Self {
            session,
            faces: Vec::new(),
        }
    }
}

impl Dice for Recorder<'_> {
    fn roll(&mut self, sides: u64) -> Result<u64, TrapCode> {
        let face = self.session.roll(sides)?;
        self.faces.push(face.cast_signed());
        Ok(face)
    }

    fn face_of(&mut self, faces: &[i64]) -> Result<u64, TrapCode> {
        let place = self.session.face_of(faces)?;
        self.faces.push(given_face(faces, place));
        Ok(place)
    }
}
