//! What traits change about an attack: the d20 that it is rolled with, dice that are added to its
//! damage, and what follows when somebody falls.

use super::creatures::{once_field, remembers_turn};
use super::facts::{Binding, Scene, Truth};
use super::{Writer, is_one_of, name_and};
use crate::front::encounter::plan::{Condition, Dice, Extra, ExtraDice, Kind, RollRule, Strike};

impl Writer<'_> {
    /// What traits of the two make different about an attack roll, and an expression for when.
    pub(super) fn edges(&self, kind: &Kind, strike: &Strike) -> Vec<(RollRule, String)> {
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
        let mut codes: Vec<(RollRule, String)> = Vec::new();
        for (rule, truth) in all {
            let code = (rule, truth.text(Binding::Or));
            if truth != Truth::Never && !codes.contains(&code) {
                codes.push(code);
            }
        }
        codes
    }

    /// Attacks that hit or miss whatever is rolled: by traits, and on those whom `self` holds.
    pub(super) fn sure_results(
        &self,
        kind: &Kind,
        deed: usize,
        edges: &[(RollRule, String)],
    ) -> Sure {
        let mut certain: Vec<String> = those(edges, RollRule::Succeeds).collect();
        certain.extend(self.certain_by_holding(kind, deed));
        let mut never = self.having("self", kind.side, |one| one == Condition::Harmless);
        never.extend(those(edges, RollRule::Fails));
        Sure::new(&certain, &never)
    }

    /// An attack that misses is over.
    pub(super) fn write_miss(&mut self, strike: &Strike, total: &str, sure: &Sure) {
        let rolled = format!("face == 1 || face != 20 && {total} < foe.ac");
        self.line(format!("if ({}) {{", sure.misses(&rolled)));
        self.tell(&format!(
            "self.name + \" misses \" + foe.name + \" with {}{}",
            strike.name,
            sure.told_miss(total)
        ));
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

    /// Keeps what is asked about the edge of a roll before the next one is made.
    pub(super) fn write_roll_facts(&mut self, kind: &Kind, strike: &Strike, roll: [Truth; 2]) {
        let scene = Scene {
            roll,
            ..Scene::own(kind, strike)
        };
        for (index, extra) in kind.traits.extras.iter().enumerate() {
            if extra.when.is_about_roll() {
                let name = roll_variable(kind, index);
                let truth = self.truth(&extra.when, &scene).text(Binding::Or);
                self.line(format!("{name} = {truth};"));
            }
        }
    }

    /// Dice that traits add to a hit, as a part of the damage that is `to`.
    pub(super) fn write_extra(&mut self, kind: &Kind, strike: &Strike, to: &str) {
        let scene = Scene::own(kind, strike);
        let mut once = 0;
        for (index, extra) in kind.traits.extras.iter().enumerate() {
            let truth = match extra.when.is_about_roll() {
                true => Truth::of(roll_variable(kind, index), Binding::Name),
                false => self.truth(&extra.when, &scene),
            };
            let field = format!("self.{}", once_field(once));
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
        field: &str,
        to: &str,
    ) {
        let dice = critical(dice);
        if !extra.is_once_a_turn {
            self.line(match truth {
                Truth::Always => format!("{to} += {dice};"),
                truth => format!("if ({}) {{ {to} += {dice}; }}", truth.text(Binding::Or)),
            });
            return;
        }
        let unused = Truth::of(format!("!{field}"), Binding::Name);
        let both = Truth::all([unused, truth.clone()]);
        self.line(format!("if ({}) {{", both.text(Binding::Or)));
        self.line(format!("{field} = true; {to} += {dice};"));
        self.line("}");
    }

    /// What traits ask for to make a hit critical.
    pub(super) fn criticals(&self, kind: &Kind, strike: &Strike) -> Vec<String> {
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
            let is_new = Truth::of(is_new.to_owned(), Binding::Name);
            let truth = self.truth(&berserk.when, &Scene::alone(kind));
            if truth == Truth::Never {
                continue;
            }
            let both = Truth::all([is_new, truth]).text(Binding::Or);
            self.line(format!("if ({both}) {{"));
            self.line(format!("self.berserk = {begins};"));
            self.tell(&name_and(
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
        let fallen = Truth::of("foe.hp <= 0".to_owned(), Binding::Comparison);
        let truth = self.truth(&rampage.when, &Scene::own(kind, strike));
        if truth != Truth::Never {
            let both = Truth::all([fallen, truth]).text(Binding::Or);
            self.line(format!("if ({both}) {{ self.rampaging = true; }}"));
        }
    }
}

/// The expressions of edges of one rule.
pub(super) fn those(edges: &[(RollRule, String)], rule: RollRule) -> impl Iterator<Item = String> {
    let own = edges.iter().filter(move |edge| edge.0 == rule);
    own.map(|edge| edge.1.clone())
}

/// When an attack hits and when it misses, whatever is rolled.
pub(super) struct Sure {
    /// An expression for those that hit; empty if none does.
    certain: String,
    /// An expression for those that miss, even if they would certainly hit; empty if none does.
    never: String,
}

impl Sure {
    pub(super) fn new(certain: &[String], never: &[String]) -> Self {
        let joined = |all: &[String]| match all {
            [] => String::new(),
            all => format!("({})", all.join(" || ")),
        };
        Self {
            certain: joined(certain),
            never: joined(never),
        }
    }

    /// Whether an attack misses, of which an expression says so if nothing is certain.
    pub(super) fn misses(&self, rolled: &str) -> String {
        match (self.never.as_str(), self.certain.as_str()) {
            ("", "") => rolled.to_owned(),
            ("", certain) => format!("!{certain} && ({rolled})"),
            (never, "") => format!("{never} || {rolled}"),
            (never, certain) => format!("{never} || !{certain} && ({rolled})"),
        }
    }

    /// A condition for attacks that do not certainly hit, as ` && !(...)`.
    pub(super) fn unless_certain(&self) -> String {
        match self.certain.as_str() {
            "" => String::new(),
            certain => format!(" && !{certain}"),
        }
    }

    /// The end of the line of a hit: its total, or that it could not miss.
    pub(super) fn told_hit(&self, total: &str) -> String {
        told(&self.certain, ", which cannot miss", total)
    }

    /// The end of the line of a miss: its total, or that it could not hit.
    pub(super) fn told_miss(&self, total: &str) -> String {
        told(&self.never, ", which cannot hit", total)
    }
}

/// `sure` is an expression for rolls of which only words are told.
fn told(sure: &str, words: &str, total: &str) -> String {
    match sure {
        "" => format!(": \" + ({total}) + \" against \" + foe.ac"),
        sure => {
            format!("\" + ({sure} ? \"{words}\" : \": \" + ({total}) + \" against \" + foe.ac)")
        }
    }
}

/// What an attack on those who have begun a turn asks.
fn begun() -> Truth {
    Truth::of("foe.reckless".to_owned(), Binding::Name)
}

/// Whether an attack roll has advantage and disadvantage, given what gives it either.
pub(super) fn edge_of_roll(gains: &str, hinders: &str) -> [Truth; 2] {
    let name = |name: &str| Truth::of(name.to_owned(), Binding::Name);
    match (gains, hinders) {
        ("", "") => [Truth::Never, Truth::Never],
        ("true", "") => [Truth::Always, Truth::Never],
        (_, "") => [name("hasAdvantage"), Truth::Never],
        ("", "true") => [Truth::Never, Truth::Always],
        ("", hinders) => [Truth::Never, Truth::of(hinders.to_owned(), Binding::Or)],
        _ => [name("hasAdvantage"), name("isHindered")],
    }
}

/// The variable of what an extra of a kind asks about the edge of the roll.
fn roll_variable(kind: &Kind, index: usize) -> String {
    let before = kind.traits.extras.iter().take(index);
    match before.filter(|extra| extra.when.is_about_roll()).count() {
        0 => "isSneaking".to_owned(),
        others => format!("isSneaking{}", others + 1),
    }
}

/// Dice that a critical hit has twice, in parentheses.
fn critical(dice: &Dice) -> String {
    let (twice, once) = (dice.text(true), dice.text(false));
    format!("(isCritical ? roll({twice}) : roll({once}))")
}
