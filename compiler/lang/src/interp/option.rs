//! Options: their players, questions and possible answers.

use super::heap::Value;
use super::host::{Decision, Host, Offer, OptionSite};
use super::walk::{Walk, at};
use crate::hir::{Answers, Expr, ExprKind, Type, UserOption, distinct};
use dicec_runtime::bug;
use dicec_runtime::span::Span;
use dicec_runtime::text::Text;
use dicec_runtime::trap::Trap;

/// A question, evaluated.
struct Question {
    who: String,
    pieces: Option<Vec<Text>>,
}

impl<'w, H: Host> Walk<'w, H> {
    /// Whether an option is taken.
    pub(super) fn option(&mut self, option: &UserOption, span: Span) -> Result<bool, Trap> {
        let question = self.question(option)?;
        let site = question.site(self.path.text(), option);
        let taken = self.host.option(site);
        self.mark('u');
        taken.map_err(at(span))
    }

    /// The number of the answer to an option.
    pub(super) fn answer(&mut self, option: &UserOption, span: Span) -> Result<i64, Trap> {
        let Some(answers) = &option.answers else {
            return Err(at(span)(bug!("an answer that is yes or no").into()));
        };
        let question = self.question(option)?;
        let [first, last] = &answers.bounds;
        let offer = Offer {
            first: self.int(first)?,
            last: self.int(last)?,
            labels: self.labels(answers)?,
        };
        let site = question.site(self.path.text(), option);
        let decision = self.host.answer(site, offer);
        self.mark('u');
        match decision.map_err(at(span))? {
            Decision::Number(number) => Ok(number),
            Decision::Random => self.int(&answers.random),
        }
    }

    fn question(&mut self, option: &UserOption) -> Result<Question, Trap> {
        let who = match &option.who {
            Some(who) => self.who(who, &option.written)?,
            None => String::new(),
        };
        let pieces = match option.text.as_ref().map(|text| (&text.kind, text)) {
            Some((ExprKind::Join(parts), _)) => Some(self.texts(parts)?),
            Some((_, text)) => Some(vec![self.text(text)?]),
            None => None,
        };
        Ok(Question { who, pieces })
    }

    /// The names for players of the elements to choose from, if any player is asked.
    fn labels(&mut self, answers: &Answers) -> Result<Option<Vec<String>>, Trap> {
        let Some(list) = answers.list.as_ref().filter(|_| H::PATHS) else {
            return Ok(None);
        };
        let elements = self.expr(list)?;
        let mut labels: Vec<String> = Vec::new();
        while let Some(element) = {
            let part = self.heap.part(&elements, labels.len());
            part.map_err(at(list.span))?
        } {
            let label = self.label(&element, list)?;
            labels.push(distinct(label, &labels));
        }
        Ok(Some(labels))
    }

    /// The name for players of a list element.
    fn label(&mut self, element: &Value<'w>, list: &Expr) -> Result<String, Trap> {
        let Type::List(ty) = &list.ty else {
            return Err(at(list.span)(bug!("{:?} is not a list", list.ty).into()));
        };
        Ok(match (element, &**ty) {
            (Value::Text(text), _) => text.to_string(),
            (Value::Bool(truth), _) => truth.to_string(),
            (Value::Int(rung), Type::Degree(ladder)) => ladder.name(*rung).to_owned(),
            (Value::Int(value), Type::Enum(id) | Type::Flags(id)) => {
                let written = self.module.choice(*id).written(*value);
                let written =
                    written.ok_or_else(|| at(list.span)(bug!("no constant {value}").into()))?;
                written.into_owned()
            }
            (Value::Int(number), _) => number.to_string(),
            (Value::Float(number), _) => Text::float(*number).to_string(),
            (record, Type::Record(id)) => self.name_of(record, *id, list.span)?,
            (other, _) => return Err(at(list.span)(bug!("{other:?} as an answer").into())),
        })
    }
}

impl Question {
    fn site<'q>(&'q self, path: &'q str, option: &UserOption) -> OptionSite<'q> {
        OptionSite {
            path,
            option: option.option,
            who: &self.who,
            pieces: self.pieces.as_deref(),
        }
    }
}
