//! Conditions of features on an attack, checked when it is made or when it hits.

use super::attached::Attached;
use super::flags::{Flag, Flags};
use super::parts::{GRAPPLED, condition_named, nouns_are, operands_are, split};
use crate::encounter::plan::{Condition, Fact, Health, Whose};
use crate::features::{
    Attribute, Binary, Event, EventKind, Expr, ExprKind, Noun, Place, Query, die,
};

/// An attack by the creature with a feature, or on it.
#[derive(Clone, Copy)]
pub(super) struct Attack<'a> {
    attached: &'a Attached,
    flags: Option<&'a Flags>,
    /// Whether the creature with the feature attacks.
    is_own: bool,
    /// The noun of the other one.
    other: &'a Noun,
    /// Whether dice may be rolled for it.
    is_rolling: bool,
}

impl<'a> Attack<'a> {
    /// The attack of a trigger, and whether the feature's owner makes it.
    pub(super) fn of(
        event: &'a Event,
        attached: &'a Attached,
        flags: &'a Flags,
    ) -> Option<(Self, bool)> {
        let is_attack = matches!(event.kind, EventKind::Attacks | EventKind::Hits);
        let (is_own, other) = match &event.nouns[..] {
            [Noun::Myself, other @ (Noun::Creature | Noun::Any)] => (true, other),
            [other @ (Noun::Creature | Noun::Any), Noun::Myself] => (false, other),
            _ => return None,
        };
        let attack = Self {
            attached,
            flags: Some(flags),
            is_own,
            other,
            is_rolling: false,
        };
        is_attack.then_some((attack, is_own))
    }

    /// The attack of a hit, or of a touch, which is a hit in melee.
    pub(super) fn at_hit(
        event: &'a Event,
        attached: &'a Attached,
        flags: &'a Flags,
    ) -> Option<Self> {
        match (event.kind, &event.nouns[..]) {
            (EventKind::Touches, [Noun::Myself, other]) => {
                Some(Self::own(attached, Some(flags), other))
            }
            _ => Some(Self::of(event, attached, flags)?.0),
        }
    }

    /// An attack by the creature with a feature.
    pub(super) fn own(attached: &'a Attached, flags: Option<&'a Flags>, other: &'a Noun) -> Self {
        Self {
            attached,
            flags,
            is_own: true,
            other,
            is_rolling: false,
        }
    }

    /// The same for conditions that are evaluated only once: dice may be rolled for them.
    pub(super) fn rolling(self) -> Self {
        Self {
            is_rolling: true,
            ..self
        }
    }

    /// The conjunction of conditions; `None` if one of them is not understood.
    ///
    /// A creature that the trigger does not name is existentially quantified: in `["N attacks N",
    /// "self", "creature"]`, it is `any`.
    pub(super) fn all(&self, conditions: impl IntoIterator<Item = &'a Expr>) -> Option<Fact> {
        let mut leaves = Vec::new();
        for condition in conditions {
            split(condition, Binary::And, &mut leaves);
        }
        let (of_third, others): (Vec<&Expr>, Vec<&Expr>) =
            leaves.into_iter().partition(|leaf| self.is_of_third(leaf));
        let mut facts = Vec::new();
        for leaf in others {
            facts.push(self.fact(leaf)?);
        }
        if !of_third.is_empty() {
            facts.push(self.ally(&of_third)?);
        }
        Some(match facts.len() {
            1 => facts.remove(0),
            _ => Fact::All(facts),
        })
    }

    fn fact(&self, expr: &'a Expr) -> Option<Fact> {
        if let Some(number) = self.attached.number(expr) {
            return Some(Fact::known(number != 0.0));
        }
        match &expr.kind {
            ExprKind::Not(inner) => Some(Fact::Not(Box::new(self.all([&**inner])?))),
            ExprKind::Binary(Binary::And, ..) => self.all([expr]),
            ExprKind::Binary(Binary::Or, ..) => {
                let mut leaves = Vec::new();
                split(expr, Binary::Or, &mut leaves);
                let facts: Option<Vec<Fact>> =
                    leaves.into_iter().map(|leaf| self.all([leaf])).collect();
                Some(Fact::Any(facts?))
            }
            ExprKind::Attribute(place) => match self.flags.and_then(|flags| flags.asked(expr)) {
                Some(Flag::Begun) => Some(Fact::Begun),
                Some(Flag::Hurt(_) | Flag::Felled(_)) => None,
                None => self.attribute(place),
            },
            ExprKind::Query(Query::MadeAttack, operands) => match &operands[..] {
                [_, attack] => Some(Fact::With(self.attached.word(attack)?)),
                _ => None,
            },
            ExprKind::Binary(operator, left, right) => match (&left.kind, operator) {
                (ExprKind::Query(Query::Distance, operands), Binary::Le)
                    if operands_are(operands, &Noun::Myself, self.other) =>
                {
                    self.attached.feet(right).map(Fact::Within)
                }
                (ExprKind::Query(Query::Roll, operands), _) if self.is_rolling => {
                    self.die(operands, *operator, right)
                }
                (_, Binary::Eq) => {
                    let same = self.same(left, right);
                    same.or_else(|| self.health(*operator, left, right))
                }
                _ => self.health(*operator, left, right),
            },
            _ => None,
        }
    }

    /// A die of the creature with the feature, compared with a number.
    fn die(&self, operands: &[Expr], operator: Binary, right: &Expr) -> Option<Fact> {
        let [who, what] = operands else {
            return None;
        };
        let sides = die(&self.attached.word(what)?)?;
        let number = self.attached.number(right)?;
        let is_own = who.kind == ExprKind::Noun(Noun::Myself);
        let is_known = is_own && is_order(operator) && number.fract() == 0.0;
        is_known.then_some(Fact::Die(sides, operator, number as i64))
    }

    fn attribute(&self, place: &Place) -> Option<Fact> {
        let whose = self.whose(&place.owner)?;
        let is_attacker = (whose == Whose::Own) == self.is_own;
        match place.attribute.to_string().as_str() {
            "ATTACK.MELEE" if is_attacker => Some(Fact::Melee),
            "ATTACK.ADVANTAGE" if is_attacker => Some(Fact::Advantage),
            "ATTACK.DISADVANTAGE" if is_attacker => Some(Fact::Disadvantage),
            "SURPRISED" => Some(Fact::Surprised(whose)),
            "TURNS" => Some(Fact::Not(Box::new(Fact::Waiting(whose)))),
            GRAPPLED => Some(Fact::Held(whose)),
            _ => condition_named(place).map(|condition| Fact::Suffers(whose, condition)),
        }
    }

    /// That somebody has taken no turn yet, or is held by one of the two.
    fn same(&self, left: &Expr, right: &Expr) -> Option<Fact> {
        let ExprKind::Attribute(place) = &left.kind else {
            return None;
        };
        let whose = self.whose(&place.owner)?;
        match (place.attribute.to_string().as_str(), &right.kind) {
            ("TURNS", ExprKind::Number(0.0)) => Some(Fact::Waiting(whose)),
            (GRAPPLED, ExprKind::Noun(by)) => {
                let by = self.whose(by).filter(|by| *by != whose)?;
                Some(Fact::Holds(by))
            }
            _ => None,
        }
    }

    fn whose(&self, owner: &Noun) -> Option<Whose> {
        match owner {
            Noun::Myself => Some(Whose::Own),
            owner if owner == self.other => Some(Whose::Other),
            _ => None,
        }
    }

    /// Whether a condition is about a creature that the trigger does not name. Each alternative of
    /// a disjunction is about a creature of its own.
    fn is_of_third(&self, condition: &Expr) -> bool {
        let third = self.third();
        let is_choice = matches!(condition.kind, ExprKind::Binary(Binary::Or, ..));
        !is_choice
            && condition.any(&|part| match &part.kind {
                ExprKind::Noun(noun) => *noun == third,
                ExprKind::Attribute(place) => place.owner == third,
                _ => false,
            })
    }

    fn third(&self) -> Noun {
        match self.other {
            Noun::Any => Noun::Creature,
            _ => Noun::Any,
        }
    }

    /// The fact that an ally of the creature, other than itself, can act and is close to the other
    /// creature.
    fn ally(&self, conditions: &[&Expr]) -> Option<Fact> {
        let third = self.third();
        let (mut is_allied, mut is_another, mut is_able, mut feet) = (false, false, false, None);
        for condition in conditions {
            match &condition.kind {
                ExprKind::Query(Query::Allied, operands)
                    if operands_are(operands, &third, &Noun::Myself) =>
                {
                    is_allied = true;
                }
                ExprKind::Binary(Binary::Le, left, right) => match &left.kind {
                    ExprKind::Query(Query::Distance, operands)
                        if operands_are(operands, &third, self.other) && feet.is_none() =>
                    {
                        feet = Some(self.attached.feet(right)?);
                    }
                    _ => return None,
                },
                ExprKind::Not(inner) => match &inner.kind {
                    ExprKind::Binary(Binary::Eq, left, right)
                        if nouns_are([&**left, &**right], &third, &Noun::Myself) =>
                    {
                        is_another = true;
                    }
                    ExprKind::Attribute(place)
                        if place.owner == third
                            && condition_named(place) == Some(Condition::Incapacitated) =>
                    {
                        is_able = true;
                    }
                    _ => return None,
                },
                _ => return None,
            }
        }
        let feet = feet.filter(|_| is_allied && is_another && is_able)?;
        Some(match self.attached.has_positions {
            true => Fact::Ally(feet),
            // Everybody is at a distance of 5 feet.
            false if feet >= 5 => Fact::Ally(5),
            false => Fact::known(false),
        })
    }

    /// A comparison of somebody's hit points with a number or with a share of their maximum.
    fn health(&self, operator: Binary, left: &Expr, right: &Expr) -> Option<Fact> {
        let (mut owner, mut sum) = (None, [0.0; 3]);
        if !is_order(operator)
            || !self.add(left, 1.0, &mut owner, &mut sum)
            || !self.add(right, -1.0, &mut owner, &mut sum)
        {
            return None;
        }
        let whose = self.whose(&owner?)?;
        // The smallest multiple of the sum that has whole numbers only.
        let whole = (1..=100).map(f64::from).find(|times| {
            let mut parts = sum.iter();
            parts.all(|part| (part * times).fract() == 0.0 && (part * times).abs() <= 1e6)
        })?;
        let [hit_points, maximum, number] = sum.map(|part| (part * whole) as i64);
        let (sign, is) = match hit_points {
            0 => return None,
            1.. => (1, operator),
            _ => (-1, mirrored(operator)),
        };
        let health = Health {
            hit_points: sign * hit_points,
            maximum: sign * maximum,
            number: sign * number,
            is,
        };
        Some(Fact::Health(whose, health))
    }

    /// Adds a multiple of an expression to a sum of one creature's hit points, of their maximum and
    /// of numbers. Returns whether it has that form.
    fn add(&self, expr: &Expr, times: f64, owner: &mut Option<Noun>, sum: &mut [f64; 3]) -> bool {
        if let Some(number) = self.attached.number(expr) {
            sum[2] += times * number;
            return true;
        }
        match &expr.kind {
            ExprKind::Attribute(place) => {
                let at = match hit_points(place.attribute) {
                    Some(at) => at,
                    None => return false,
                };
                sum[at] += times;
                *owner.get_or_insert_with(|| place.owner.clone()) == place.owner
            }
            ExprKind::Binary(operator, left, right) => {
                let of_left = self.attached.number(left);
                let of_right = self.attached.number(right);
                match (operator, of_left, of_right) {
                    (Binary::Add, ..) => {
                        self.add(left, times, owner, sum) && self.add(right, times, owner, sum)
                    }
                    (Binary::Sub, ..) => {
                        self.add(left, times, owner, sum) && self.add(right, -times, owner, sum)
                    }
                    (Binary::Mul, Some(number), _) => self.add(right, times * number, owner, sum),
                    (Binary::Mul, _, Some(number)) => self.add(left, times * number, owner, sum),
                    (Binary::Div, _, Some(number)) if number != 0.0 => {
                        self.add(left, times / number, owner, sum)
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }
}

/// Whether it compares numbers.
fn is_order(operator: Binary) -> bool {
    use Binary::{Eq, Ge, Gt, Le, Lt};
    matches!(operator, Lt | Le | Gt | Ge | Eq)
}

/// Where hit points and their maximum are in a sum.
fn hit_points(attribute: Attribute) -> Option<usize> {
    match attribute.to_string().as_str() {
        "HP" => Some(0),
        "MAXHP" => Some(1),
        _ => None,
    }
}

/// A comparison with its sides exchanged.
fn mirrored(operator: Binary) -> Binary {
    match operator {
        Binary::Lt => Binary::Gt,
        Binary::Le => Binary::Ge,
        Binary::Gt => Binary::Lt,
        Binary::Ge => Binary::Le,
        other => other,
    }
}
