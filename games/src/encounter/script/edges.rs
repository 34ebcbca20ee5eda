//! Advantage, here called *edge*, and other effects of traits on an attack: the d20, extra damage
//! dice, and effects when a creature falls.

use super::creatures::{once_field, remembers_turn};
use super::facts::{Binding, Scene, Truth};
use super::{Writer, is_one_of, name_and};
use crate::encounter::plan::{Condition, Dice, Extra, ExtraDice, Kind, RollRule, Strike};
use crate::script_text::{IsCode, Joined, ScriptCode, code, quoted};

impl Writer<'_> {
    /// The changes of an attack roll by traits of both creatures, each with its condition.
    pub(super) fn edges(&self, kind: &Kind, strike: &Strike) -> Vec<(RollRule, ScriptCode)> {
        let mut all = Vec::new();
        let scene = Scene::own(kind, strike);
        for edge in &kind.traits.attacks {
            all.push((edge.rule, self.truth(&edge.when, &scene)));
        }
        for foe in self.plan.on_side(1 - kind.side) {
            let scene = Scene::on(foe, strike);
            for edge in &foe.traits.attacked {
                let truth = self.truth(&edge.when, &scene);
                // Nobody else has that field set.
                let is_marked = remembers_turn(foe) && truth == begun();
                let is_it = match is_marked {
                    true => Truth::Always,
                    false => self.is_of_kind(foe),
                };
                all.push((edge.rule, Truth::all([is_it, truth])));
            }
        }
        let mut codes: Vec<(RollRule, ScriptCode)> = Vec::new();
        for (rule, truth) in all {
            let code = (rule, truth.text(Binding::Or));
            if truth != Truth::Never && !codes.contains(&code) {
                codes.push(code);
            }
        }
        codes
    }

    /// Attacks that always hit or miss: because of traits, or on creatures that `self` holds.
    pub(super) fn sure_results(
        &self,
        kind: &Kind,
        deed: usize,
        edges: &[(RollRule, ScriptCode)],
    ) -> Sure {
        let mut certain: Vec<ScriptCode> = those(edges, RollRule::Succeeds).collect();
        certain.extend(self.certain_by_holding(kind, deed));
        let mut never = self.having("self", kind.side, |one| one == Condition::Harmless);
        never.extend(those(edges, RollRule::Fails));
        Sure::new(&certain, &never, self.armour(1 - kind.side))
    }

    /// An attack that misses is over.
    pub(super) fn write_miss(&mut self, kind: &Kind, deed: usize, total: &ScriptCode, sure: &Sure) {
        let Some(strike) = kind.deeds[deed].strike() else {
            return;
        };
        let ac = self.armour(1 - kind.side);
        let rolled = code!("face == 1 || face != 20 && {total} < {ac}", total, ac);
        self.line(code!("if ({}) {{", sure.misses(&rolled)));
        self.tell(&code!(
            "self.name + \" misses \" + foe.name + {}",
            sure.told_miss(&format!(" with {}", strike.name), total)
        ));
        self.write_graze(kind, deed, strike);
        self.line("return;");
        self.line("}");
    }

    /// Whether `foe` is of a kind.
    fn is_of_kind(&self, kind: &Kind) -> Truth {
        match self.plan.on_side(kind.side).count() {
            1 => Truth::Always,
            _ => Truth::of(is_one_of("foe", &[kind.number]), Binding::Comparison),
        }
    }

    /// Stores facts about the advantage of a roll before the next roll.
    pub(super) fn write_roll_facts(&mut self, kind: &Kind, strike: &Strike, roll: [Truth; 2]) {
        let scene = Scene {
            roll,
            ..Scene::own(kind, strike)
        };
        for (index, extra) in kind.traits.extras.iter().enumerate() {
            if extra.when.is_about_roll() {
                let name = roll_variable(kind, index);
                let truth = self.truth(&extra.when, &scene).text(Binding::Or);
                self.line(code!("{name} = {truth};", name, truth));
            }
        }
    }

    /// Dice that traits add to a hit, as a part of the damage that is `to`.
    pub(super) fn write_extra(&mut self, kind: &Kind, strike: &Strike, to: impl IsCode + Copy) {
        self.write_martial_damage(kind, strike, to);
        let scene = Scene::own(kind, strike);
        let mut once = 0;
        for (index, extra) in kind.traits.extras.iter().enumerate() {
            let truth = match extra.when.is_about_roll() {
                true => Truth::of(roll_variable(kind, index), Binding::Name),
                false => self.truth(&extra.when, &scene),
            };
            let field = code!("self.{}", once_field(once));
            once += usize::from(extra.is_once_a_turn);
            let dice = match &extra.dice {
                ExtraDice::Known(dice) => Some(dice.clone()),
                ExtraDice::OfWeapon(count) => {
                    let weapon = strike.damage.first();
                    weapon.and_then(|part| part.dice.more(*count))
                }
            };
            if let Some(dice) = dice.filter(|_| truth != Truth::Never) {
                self.write_extra_dice((extra, &dice), &truth, &field, to);
            }
        }
    }

    fn write_extra_dice(
        &mut self,
        (extra, dice): (&Extra, &Dice),
        truth: &Truth,
        field: &ScriptCode,
        to: impl IsCode,
    ) {
        let dice = critical(dice);
        if !extra.is_once_a_turn {
            self.line(match truth {
                Truth::Always => code!("{to} += {dice};", to, dice),
                truth => code!(
                    "if ({}) {{ {to} += {dice}; }}",
                    truth.text(Binding::Or),
                    to,
                    dice
                ),
            });
            return;
        }
        let unused = Truth::of(code!("!{field}", field), Binding::Name);
        let both = Truth::all([unused, truth.clone()]);
        self.line(code!("if ({}) {{", both.text(Binding::Or)));
        self.line(code!("{field} = true; {to} += {dice};", field, to, dice));
        self.line("}");
    }

    /// The conditions of traits for critical hits.
    pub(super) fn criticals(&self, kind: &Kind, strike: &Strike) -> Vec<ScriptCode> {
        let scene = Scene::own(kind, strike);
        let truths = kind.traits.criticals.iter();
        let truths = truths.map(|fact| self.truth(fact, &scene));
        let truths = truths.filter(|truth| *truth != Truth::Never);
        truths.map(|truth| truth.text(Binding::And)).collect()
    }

    /// At the start of its turn somebody may begin to attack the nearest enemy, or cease to.
    pub(super) fn write_berserk(&mut self, kind: &Kind) {
        for berserk in &kind.traits.berserk {
            let begins = berserk.begins;
            let is_new = match begins {
                true => "!self.berserk",
                false => "self.berserk",
            };
            let is_new = Truth::of(is_new.into(), Binding::Name);
            let truth = self.truth(&berserk.when, &Scene::alone(kind));
            if truth == Truth::Never {
                continue;
            }
            let both = Truth::all([is_new, truth]).text(Binding::Or);
            self.line(code!("if ({both}) {{", both));
            self.line(code!("self.berserk = {begins};", begins));
            self.tell(name_and(
                "self",
                match begins {
                    true => " goes berserk",
                    false => " is no longer berserk",
                },
            ));
            self.line("}");
        }
    }

    /// A hit that makes somebody fall may give a bonus action.
    pub(super) fn write_felled(&mut self, kind: &Kind, strike: &Strike) {
        let Some(rampage) = &kind.traits.rampage else {
            return;
        };
        let fallen = Truth::of(ScriptCode::from("foe.hp <= 0"), Binding::Comparison);
        let truth = self.truth(&rampage.when, &Scene::own(kind, strike));
        if truth != Truth::Never {
            let both = Truth::all([fallen, truth]).text(Binding::Or);
            self.line(code!("if ({both}) {{ self.rampaging = true; }}", both));
        }
    }
}

/// The expressions of edges of one rule.
pub(super) fn those(
    edges: &[(RollRule, ScriptCode)],
    rule: RollRule,
) -> impl Iterator<Item = ScriptCode> {
    let own = edges.iter().filter(move |edge| edge.0 == rule);
    own.map(|edge| edge.1.clone())
}

/// When an attack hits and when it misses, whatever is rolled.
pub(super) struct Sure {
    /// An expression for those that hit; empty if none does.
    certain: ScriptCode,
    /// An expression for those that miss, even if they would certainly hit; empty if none does.
    never: ScriptCode,
    /// The armour class of the target.
    armour: &'static str,
}

impl Sure {
    pub(super) fn new(certain: &[ScriptCode], never: &[ScriptCode], armour: &'static str) -> Self {
        let joined = |all: &[ScriptCode]| match all {
            [] => ScriptCode::default(),
            all => code!("({})", all.joined(" || ")),
        };
        Self {
            certain: joined(certain),
            never: joined(never),
            armour,
        }
    }

    /// Whether an attack misses: by `rolled`, unless it always hits or misses.
    pub(super) fn misses(&self, rolled: impl IsCode) -> ScriptCode {
        let (never, certain) = (&self.never, &self.certain);
        match (never.as_str(), certain.as_str()) {
            ("", "") => code!("{rolled}", rolled),
            ("", _) => code!("!{certain} && ({rolled})", certain, rolled),
            (_, "") => code!("{never} || {rolled}", never, rolled),
            _ => code!(
                "{never} || !{certain} && ({rolled})",
                never,
                certain,
                rolled
            ),
        }
    }

    /// A condition for attacks that do not certainly hit, as ` && !(...)`.
    pub(super) fn unless_certain(&self) -> ScriptCode {
        match &self.certain {
            certain if certain.is_empty() => ScriptCode::default(),
            certain => code!(" && !{certain}", certain),
        }
    }

    /// The end of the line of a hit, after some text: its total, or that it could not miss.
    pub(super) fn told_hit(&self, text: &str, total: impl IsCode) -> ScriptCode {
        told(
            text,
            &self.certain,
            ", which cannot miss",
            (total, self.armour),
        )
    }

    /// The end of the line of a miss, after some text: its total, or that it could not hit.
    pub(super) fn told_miss(&self, text: &str, total: impl IsCode) -> ScriptCode {
        told(
            text,
            &self.never,
            ", which cannot hit",
            (total, self.armour),
        )
    }
}

/// `sure` is an expression for rolls that are only described in words.
fn told(
    text: &str,
    sure: &ScriptCode,
    words: &str,
    (total, armour): (impl IsCode, &'static str),
) -> ScriptCode {
    let against = code!("({total}) + \" against \" + {armour}", total, armour);
    match sure.is_empty() {
        true => code!("{} + {against}", quoted(&format!("{text}: ")), against),
        false => code!(
            "{} + ({sure} ? {} : \": \" + {against})",
            quoted(text),
            quoted(words),
            sure,
            against
        ),
    }
}

/// The fact that the target has begun a turn.
fn begun() -> Truth {
    Truth::of(ScriptCode::from("foe.reckless"), Binding::Name)
}

/// Whether an attack roll has advantage and disadvantage, given the conditions for either.
pub(super) fn edge_of_roll(gains: &ScriptCode, hinders: &ScriptCode) -> [Truth; 2] {
    let name = |name: &'static str| Truth::of(name.into(), Binding::Name);
    match (gains.as_str(), hinders.as_str()) {
        ("", "") => [Truth::Never, Truth::Never],
        ("true", "") => [Truth::Always, Truth::Never],
        (_, "") => [name("hasAdvantage"), Truth::Never],
        ("", "true") => [Truth::Never, Truth::Always],
        ("", _) => [Truth::Never, Truth::of(hinders.clone(), Binding::Or)],
        _ => [name("hasAdvantage"), name("isHindered")],
    }
}

/// The variable of an extra's facts about the advantage of the roll.
fn roll_variable(kind: &Kind, index: usize) -> ScriptCode {
    let before = kind.traits.extras.iter().take(index);
    match before.filter(|extra| extra.when.is_about_roll()).count() {
        0 => ScriptCode::from("isSneaking"),
        others => code!("isSneaking{}", others + 1),
    }
}

/// Dice that a critical hit has twice, in parentheses.
fn critical(dice: &Dice) -> ScriptCode {
    let (twice, once) = (dice.text(true), dice.text(false));
    code!("(isCritical ? roll({twice}) : roll({once}))", twice, once)
}
