//! Dice, groups and what follows them, as text.

use super::{CALL, Printer, TIGHTEST};
use crate::front::notation::ast::pool::{
    Condition, Dice, Die, Explosion, Face, Group, Modifier, ModifierKind,
};
use crate::front::notation::ast::{Ast, CompareOp};
use crate::front::notation::dialect::Dialect;
use dicec_runtime::span::Span;
use std::fmt::Display;

impl Printer<'_> {
    pub(super) fn dice(&mut self, dice: &Dice, span: Span) {
        for _ in 0..dice.modifiers.iter().map(|modifier| modifier.closes).sum() {
            self.page.push("(");
        }
        match &dice.count {
            Some(count) => self.dice_number(count, CALL),
            None if self.in_full => self.page.push("1"),
            None => {}
        }
        self.page.push("d");
        match &dice.die {
            Die::Sides(sides) => self.dice_number(sides, TIGHTEST),
            Die::Percent if self.in_full => self.page.push("100"),
            Die::Percent => self.page.push("%"),
            Die::Fate => self.page.push("F"),
            Die::Faces(faces) => self.listed_faces(faces),
        }
        self.modifiers(&dice.modifiers, false);
        if let Some(faces) = self.faces {
            faces.dice(dice, span, &mut self.page);
        }
    }

    /// A count or sides; a shown roll has the number that they come to, if no dice or resources
    /// decide it.
    fn dice_number(&mut self, number: &Ast, least: u8) {
        match number
            .written()
            .filter(|value| *value >= 0 && self.faces.is_some())
        {
            Some(value) => self.page.show(value),
            None => self.at(number, least),
        }
    }

    fn listed_faces(&mut self, faces: &[Face]) {
        self.page
            .show(format_args!("{{{}}}", short(faces).join(",")));
    }

    pub(super) fn group(&mut self, group: &Group) {
        self.page.push(if group.round { "(" } else { "{" });
        for (index, member) in group.members.iter().enumerate() {
            if index > 0 {
                self.page.push(", ");
            }
            self.member(member);
        }
        self.page.push(if group.round { ")" } else { "}" });
        self.modifiers(&group.modifiers, group.members.len() == 1);
    }

    /// A member of a group; a dropped one is struck whole.
    fn member(&mut self, member: &Ast) {
        let dropped = self
            .faces
            .is_some_and(|faces| faces.is_dropped(member.unwrapped().span));
        let outer = self.page.strike(false);
        self.page.strike(outer || dropped);
        self.node(member);
        self.page.strike(outer);
    }

    /// A shown roll leaves out marks, and selections that no other modifier follows, unless they
    /// are `of_one`, a group whose dice are shown in it.
    fn modifiers(&mut self, modifiers: &[Modifier], of_one: bool) {
        let selects = |modifier: &Modifier| modifier.kind.selects();
        let marks = |modifier: &Modifier| {
            matches!(
                modifier.kind,
                ModifierKind::Critical(_) | ModifierKind::Fumble(_)
            )
        };
        let others = |modifier: &Modifier| !selects(modifier) && !marks(modifier);
        let last = modifiers.iter().rposition(others).unwrap_or(0);
        // A bare `!` or `cs` would take the comparison after it as its condition.
        let mut before: Option<&ModifierKind> = None;
        for (index, modifier) in modifiers.iter().enumerate() {
            for _ in 0..modifier.closes {
                self.page.push(")");
                before = None;
            }
            let kind = &modifier.kind;
            let hidden = marks(modifier) || selects(modifier) && index >= last && !of_one;
            if hidden && self.faces.is_some() {
                continue;
            }
            match (before, kind) {
                (Some(ModifierKind::Explode(_, None)), ModifierKind::Success(conditions))
                    if self.success_word(conditions).is_empty() =>
                {
                    self.page.push(" ");
                }
                (
                    Some(ModifierKind::Critical(None) | ModifierKind::Fumble(None)),
                    ModifierKind::Success(conditions),
                ) if self.success_word(conditions).is_empty() => self.page.push(" count"),
                _ => {}
            }
            let after_mark = matches!(
                before,
                Some(ModifierKind::Critical(None) | ModifierKind::Fumble(None))
            );
            match kind {
                // `!=` after parentheses would be a check, after a bare mark its condition.
                ModifierKind::Explode(how @ Explosion::Extra, Some(condition))
                    if (modifier.closes > 0 || after_mark) && condition.op == CompareOp::Equal =>
                {
                    self.condition(how, &"==", &condition.threshold);
                }
                _ => self.modifier(kind),
            }
            before = Some(kind);
        }
    }

    fn modifier(&mut self, kind: &ModifierKind) {
        match kind {
            ModifierKind::Select(selector, count) => {
                self.page.show(selector);
                if let Some(count) = count {
                    self.at(count, TIGHTEST);
                }
            }
            ModifierKind::Middle(count) => {
                self.page.push("km");
                if let Some(count) = count {
                    self.at(count, TIGHTEST);
                }
            }
            ModifierKind::Explode(explosion, None) => self.page.show(explosion),
            ModifierKind::Explode(explosion, Some(condition)) => {
                self.explosion_on(*explosion, condition);
            }
            ModifierKind::Reroll { once, condition } => {
                let word = if *once { "ro" } else { "r" };
                self.condition(&word, &condition.op, &condition.threshold);
            }
            ModifierKind::Bound(how, bound) => self.condition(how, &"", bound),
            ModifierKind::Success(conditions) => {
                let word = self.success_word(conditions);
                self.conditions(word, conditions);
            }
            ModifierKind::Double(conditions) => self.conditions(" double", conditions),
            ModifierKind::Failure(conditions) => self.failure(conditions),
            ModifierKind::Critical(condition) => self.mark("cs", condition.as_ref()),
            ModifierKind::Fumble(condition) => self.mark("cf", condition.as_ref()),
            ModifierKind::Sort(order) => self.page.show(order),
        }
    }

    fn explosion_on(&mut self, explosion: Explosion, condition: &Condition) {
        let op: &dyn Display = match (explosion, condition.op, self.dialect) {
            (Explosion::Extra, CompareOp::Equal, Dialect::Rulebook) => &"==",
            // `!!=` would be another explosion.
            (_, CompareOp::NotEqual, _) => &"≠",
            _ => &condition.op,
        };
        self.condition(&explosion, op, &condition.threshold);
    }

    /// The word before the comparison of a count, with a space before it.
    fn success_word(&self, conditions: &[Condition]) -> &'static str {
        match (self.dialect, conditions) {
            // In the notation dialect `!=` would be an explosion.
            (Dialect::Rulebook, _) => " count",
            (_, [condition]) if condition.op == CompareOp::NotEqual => " count",
            _ => "",
        }
    }

    fn failure(&mut self, conditions: &[Condition]) {
        match (self.dialect, conditions) {
            (Dialect::Rulebook, _) => self.conditions(" fail", conditions),
            (Dialect::Notation, [condition]) if condition.op == CompareOp::Equal => {
                self.condition(&"f", &"", &condition.threshold);
            }
            (Dialect::Notation, _) => self.conditions("f", conditions),
        }
    }

    /// A comparison, or several numbers in braces.
    fn conditions(&mut self, word: &str, conditions: &[Condition]) {
        if let [condition] = conditions {
            return self.condition(&word, &condition.op, &condition.threshold);
        }
        self.page.show(format_args!("{word}={{"));
        for (index, condition) in conditions.iter().enumerate() {
            if index > 0 {
                self.page.push(",");
            }
            self.at(&condition.threshold, TIGHTEST);
        }
        self.page.push("}");
    }

    fn condition(&mut self, word: &dyn Display, op: &dyn Display, threshold: &Ast) {
        self.page.show(format_args!("{word}{op}"));
        self.at(threshold, TIGHTEST);
    }

    fn mark(&mut self, word: &str, condition: Option<&Condition>) {
        match condition {
            None => self.page.push(word),
            Some(condition) => self.condition(&word, &condition.op, &condition.threshold),
        }
    }
}

/// At least this many faces in a row are written as a range or a weight.
const SHORT: usize = 4;

/// The parts of a list of faces: numbers that follow each other as a range, equal ones with their
/// weight.
fn short(faces: &[Face]) -> Vec<String> {
    let mut parts = Vec::new();
    let mut rest = faces;
    while let Some(first) = rest.first() {
        let equal = rest.iter().take_while(|face| *face == first).count();
        let rising = match first {
            Face::Number(from) => {
                let wanted = (*from..).map(Face::Number);
                rest.iter().zip(wanted).take_while(|(a, b)| *a == b).count()
            }
            Face::Label(_) => 1,
        };
        let taken = if equal >= SHORT {
            parts.push(format!("{first}:{equal}"));
            equal
        } else if rising >= SHORT {
            parts.push(format!("{first}..{}", rest[rising - 1]));
            rising
        } else {
            parts.push(first.to_string());
            1
        };
        rest = &rest[taken..];
    }
    parts
}
