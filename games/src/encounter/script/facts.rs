//! Compiles facts about an attack to expressions of the script.

use super::{Writer, is_one_of};
use crate::encounter::plan::{Condition, Fact, Health, Kind, Strike, Whose};
use crate::features::Binary;
use crate::script_text::{Joined, ScriptCode, code};

/// A fact, as far as it is known when the script is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Truth {
    Never,
    Always,
    /// An expression, and how tightly it binds.
    Code(ScriptCode, Binding),
}

/// How tightly an expression binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Binding {
    Or,
    And,
    Comparison,
    Name,
}

/// An attack of the script: `self` attacks `foe`.
#[derive(Clone, Debug)]
pub(super) struct Scene<'s> {
    /// The attack; `None` for facts about the creature outside of an attack.
    pub(super) strike: Option<&'s Strike>,
    /// The kind of the creature with the feature.
    pub(super) kind: usize,
    /// Whether the creature with the feature attacks.
    pub(super) is_own: bool,
    /// The side of the creature with the feature.
    pub(super) side: usize,
    /// Whether the attack roll has advantage, and disadvantage.
    pub(super) roll: [Truth; 2],
}

impl<'s> Scene<'s> {
    /// An attack by creatures of a kind.
    pub(super) fn own(kind: &Kind, strike: &'s Strike) -> Self {
        Self {
            strike: Some(strike),
            kind: kind.number,
            is_own: true,
            side: kind.side,
            roll: [Truth::Never, Truth::Never],
        }
    }

    /// A scene without an attack: facts only about creatures of a kind.
    pub(super) fn alone(kind: &Kind) -> Self {
        Self {
            strike: None,
            kind: kind.number,
            is_own: true,
            side: kind.side,
            roll: [Truth::Never, Truth::Never],
        }
    }

    /// An attack on creatures of a kind.
    pub(super) fn on(kind: &Kind, strike: &'s Strike) -> Self {
        Self {
            is_own: false,
            ..Self::own(kind, strike)
        }
    }

    /// The variable and the side of somebody.
    fn who(&self, whose: Whose) -> (&'static str, usize) {
        let side = match whose {
            Whose::Own => self.side,
            Whose::Other => 1 - self.side,
        };
        match (whose == Whose::Own) == self.is_own {
            true => ("self", side),
            false => ("foe", side),
        }
    }
}

impl Truth {
    pub(super) fn of(code: ScriptCode, binding: Binding) -> Self {
        Self::Code(code, binding)
    }

    fn known(is_so: bool) -> Self {
        match is_so {
            true => Self::Always,
            false => Self::Never,
        }
    }

    /// The expression, in parentheses if it binds less tightly than this.
    pub(super) fn text(&self, wanted: Binding) -> ScriptCode {
        match self {
            Self::Never => ScriptCode::from("false"),
            Self::Always => ScriptCode::from("true"),
            Self::Code(code, binding) if *binding >= wanted => code.clone(),
            Self::Code(code, _) => code!("({code})", code),
        }
    }

    fn not(self) -> Self {
        match self {
            Self::Never => Self::Always,
            Self::Always => Self::Never,
            code => Self::Code(code!("!{}", code.text(Binding::Name)), Binding::Name),
        }
    }

    /// All of these.
    pub(super) fn all(parts: impl IntoIterator<Item = Truth>) -> Self {
        Self::joined(parts, Self::Never, Self::Always, Binding::And)
    }

    /// Any of these.
    pub(super) fn any(parts: impl IntoIterator<Item = Truth>) -> Self {
        Self::joined(parts, Self::Always, Self::Never, Binding::Or)
    }

    /// Parts joined by an operator: one that decides, and one that changes nothing.
    fn joined(
        parts: impl IntoIterator<Item = Truth>,
        decides: Self,
        is_neutral: Self,
        binding: Binding,
    ) -> Self {
        let mut codes = Vec::new();
        for part in parts {
            if part == decides {
                return decides;
            }
            if part != is_neutral {
                codes.push(part);
            }
        }
        let operator = if binding == Binding::And {
            " && "
        } else {
            " || "
        };
        match codes.len() {
            0 => is_neutral,
            1 => codes.remove(0),
            _ => {
                let texts: Vec<ScriptCode> = codes.iter().map(|code| code.text(binding)).collect();
                Self::Code(texts.joined(operator), binding)
            }
        }
    }
}

impl Writer<'_> {
    /// The value of a fact in an attack.
    pub(super) fn truth(&self, fact: &Fact, scene: &Scene<'_>) -> Truth {
        let each = |facts: &[Fact]| -> Vec<Truth> {
            facts.iter().map(|fact| self.truth(fact, scene)).collect()
        };
        match fact {
            Fact::Advantage => scene.roll[0].clone(),
            Fact::Disadvantage => scene.roll[1].clone(),
            Fact::Melee => Truth::known(scene.strike.is_some_and(|strike| strike.is_melee)),
            Fact::With(name) => {
                let is_it = |strike: &Strike| strike.name.eq_ignore_ascii_case(name);
                Truth::known(scene.strike.is_some_and(is_it))
            }
            Fact::Ally(feet) => Truth::of(self.has_ally(scene.is_own, *feet), Binding::Name),
            Fact::Within(feet) => Truth::of(
                code!("distance(self, foe) <= {feet}", feet),
                Binding::Comparison,
            ),
            Fact::Suffers(whose, condition) => self.suffers(*whose, *condition, scene),
            Fact::Surprised(whose) => {
                let first = self.any(|kind| kind.is_surprised);
                let first = first
                    .then(|| Truth::of(code!("{}.surprised", scene.who(*whose).0), Binding::Name));
                let later = self.suffers(*whose, Condition::Surprised, scene);
                Truth::any(first.into_iter().chain([later]))
            }
            Fact::Waiting(whose) => {
                Truth::of(code!("!{}.hasActed", scene.who(*whose).0), Binding::Name)
            }
            Fact::Held(whose) => {
                let (variable, side) = scene.who(*whose);
                let held = self.is_held(variable, side).into_iter();
                Truth::any(held.map(|code| Truth::of(code, Binding::Comparison)))
            }
            Fact::Holds(whose) => self.holds_other(*whose, scene),
            Fact::Health(whose, health) => {
                Truth::of(health_of(scene.who(*whose).0, health), Binding::Comparison)
            }
            Fact::Die(sides, is, number) => Truth::of(
                code!("roll(d{sides}) {} {number}", compares(*is), sides, number),
                Binding::Comparison,
            ),
            // Those who attack have begun their turn.
            Fact::Begun if scene.is_own => Truth::Always,
            Fact::Begun => Truth::of(ScriptCode::from("foe.reckless"), Binding::Name),
            Fact::Enabled(name) => {
                let (variable, side) = scene.who(Whose::Own);
                let disabled = self.disabled(variable, side, name).into_iter();
                Truth::any(disabled.map(|code| Truth::of(code, Binding::Comparison))).not()
            }
            Fact::Affects(name) => {
                let (variable, side) = scene.who(Whose::Other);
                let immune = self.immune_to(side, name);
                match immune.is_empty() {
                    true => Truth::Always,
                    false => Truth::of(is_one_of(variable, &immune), Binding::Comparison).not(),
                }
            }
            Fact::Not(inner) => self.truth(inner, scene).not(),
            Fact::All(parts) => Truth::all(each(parts)),
            Fact::Any(parts) => Truth::any(each(parts)),
        }
    }

    /// Whether somebody has a condition. Several others make somebody incapacitated, too.
    fn suffers(&self, whose: Whose, condition: Condition, scene: &Scene<'_>) -> Truth {
        let (variable, side) = scene.who(whose);
        let passes = |one: Condition| {
            one == condition || condition == Condition::Incapacitated && one.incapacitates()
        };
        let all = self.having(variable, side, passes).into_iter();
        Truth::any(all.map(|code| Truth::of(code, Binding::Comparison)))
    }

    /// Whether somebody holds the other one.
    fn holds_other(&self, whose: Whose, scene: &Scene<'_>) -> Truth {
        let (holder, side) = scene.who(whose);
        let held = if holder == "self" { "foe" } else { "self" };
        let holds = self.plan.holds_on(1 - side);
        let holds = holds.filter(|hold| whose == Whose::Other || hold.kind == scene.kind);
        let mut slots: Vec<&ScriptCode> = holds.flat_map(|hold| &hold.slots).collect();
        slots.sort_unstable();
        slots.dedup();
        let is_held = |slot: &ScriptCode| {
            let code = code!("{holder}.{slot} == {held}.number", holder, slot, held);
            Truth::of(code, Binding::Comparison)
        };
        Truth::any(slots.into_iter().map(is_held))
    }

    /// Whether an ally of one of the two that can act is close to the other one.
    fn has_ally(&self, is_of_attacker: bool, feet: u32) -> ScriptCode {
        let [own, other, friends] = match is_of_attacker {
            true => ["self", "foe", "friends"],
            false => ["foe", "self", "foes"],
        };
        match self.plan.has_positions() {
            true => code!(
                "{}({own}, {other}, {friends})",
                ally_function(feet),
                own,
                other,
                friends
            ),
            false => code!("{}({friends})", ally_function(feet), friends),
        }
    }
}

/// The function of allies within some feet.
pub(super) fn ally_function(feet: u32) -> ScriptCode {
    match feet {
        5 => ScriptCode::from("hasAlly"),
        feet => code!("hasAlly{feet}", feet),
    }
}

/// An operator that compares, as scripts write it.
fn compares(operator: Binary) -> &'static str {
    match operator {
        Binary::Lt => "<",
        Binary::Le => "<=",
        Binary::Gt => ">",
        Binary::Ge => ">=",
        _ => "==",
    }
}

/// A comparison of hit points with their maximum and a number.
fn health_of(variable: &'static str, health: &Health) -> ScriptCode {
    let times = |count: i64, what: ScriptCode| match count {
        1 => what,
        count => code!("{count} * {what}", count, what),
    };
    let operator = compares(health.is);
    let left = times(health.hit_points, code!("{variable}.hp", variable));
    let most = times(-health.maximum, code!("{variable}.most", variable));
    let right = match (health.maximum, -health.number) {
        (0, number) => ScriptCode::from(number),
        (_, 0) => most,
        (_, number) => most.plus(number),
    };
    code!("{left} {operator} {right}", left, operator, right)
}
