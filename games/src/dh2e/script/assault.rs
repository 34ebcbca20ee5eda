//! An attack with a weapon before the roll: its test, its shots and its damage (seed 003, "Attack
//! Flow").

use super::damage::damage;
use super::write::{Changing, ScriptText, breakdown, by_options, counted};
use crate::dh2e::combatant::{Combatant, characteristic_name, qualities};
use crate::dh2e::element::Element;
use crate::dh2e::json::{Notes, Wrong, instead};
use crate::dh2e::location::LOCATIONS;
use crate::dh2e::model::{Mode, Rounds, Weapon};
use crate::dh2e::modifier::{Asked, Modifier, Resolved, slug};
use crate::dh2e::predicate::Options;
use crate::script_text::{ScriptCode, code};

/// The option of a target that a blow hits by itself.
const HELPLESS: &str = "target:helpless";

/// An attack with a weapon.
#[derive(Clone, Debug)]
pub(super) struct Assault<'a> {
    /// The attacker, with the weapon in hand.
    pub(super) attacker: Combatant<'a>,
    pub(super) weapon: &'a Weapon,
    pub(super) mode: Mode,
    /// The location that it is aimed at.
    pub(super) called: Option<&'a str>,
    /// The constant options, without those that items set.
    pub(super) options: Options,
    /// The options that may change.
    pub(super) changing: Vec<Changing>,
}

/// How an attack is made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner<'a, 'p> {
    /// The path in the document.
    pub(super) path: &'p str,
    pub(super) weapon: &'a Weapon,
    pub(super) mode: Mode,
    pub(super) called: Option<&'a str>,
    pub(super) options: &'a [String],
}

impl<'a> Assault<'a> {
    /// An attack of somebody; of `changing`, the options that make a difference are conditions of
    /// the script.
    ///
    /// # Errors
    /// A mode that does not exist, or an element that is wrong.
    pub(super) fn new(
        attacker: &Combatant<'a>,
        manner: Manner<'a, '_>,
        changing: Vec<Changing>,
        notes: &mut Notes,
    ) -> Result<Self, Wrong> {
        let attacker = attacker.with(manner.weapon, notes)?;
        let mut made = Self {
            attacker,
            weapon: manner.weapon,
            mode: manner.mode,
            called: manner.called,
            options: Options::default(),
            changing,
        };
        made.check(manner.path)?;
        made.add_situation();
        made.set_options(manner.options);
        for (index, option) in manner.options.iter().enumerate() {
            let path = format!("{}.options[{index}]", manner.path);
            made.attacker.synthetics.note_option(option, &path, notes);
        }
        for one in &made.changing {
            made.options.unset(&one.option);
        }
        Ok(made)
    }

    /// Whether the mode and the location that is aimed at are possible.
    fn check(&self, path: &str) -> Result<(), Wrong> {
        let (name, mode) = (&self.weapon.name, self.mode_name());
        let wrong = |member: &str, what: String| Wrong::new(format!("{path}.{member}"), what);
        if self.is_melee() && self.mode != Mode::Single {
            let what = format!("is `{mode}`, and `{name}` is a melee weapon");
            return Err(wrong("mode", what).help("leave the mode out"));
        }
        if self.rate() == 0 {
            let what = format!("is `{mode}`, which `{name}` has no rate of fire for");
            let help =
                format!("give the weapon `\"rof\": {{\"{mode}\": 3}}`, or fire single shots");
            return Err(wrong("mode", what).help(help));
        }
        match self.called {
            Some(called) if !LOCATIONS.contains(&called) => {
                let what = format!("is `{called}`, which is not a location");
                Err(wrong("called", what).help(instead(called, LOCATIONS)))
            }
            _ => Ok(()),
        }
    }

    /// Whether there are enough rounds in the weapon (seed 003, "Attack Flow", 1).
    ///
    /// # Errors
    /// There are too few.
    pub(super) fn check_rounds(&self) -> Result<(), Wrong> {
        let needed = self.rate();
        match &self.weapon.loaded {
            Some(loaded) if rounds(loaded) < u64::from(needed) => {
                let part = format!("{}.loaded", self.attacker.path_of(self.weapon));
                let rounds = counted(rounds(loaded), "round");
                let wrong = self
                    .attacker
                    .wrong(&part, format!("has {rounds}, and {needed} are needed"));
                Err(wrong.help("load more, or choose another mode"))
            }
            _ => Ok(()),
        }
    }

    /// The modifiers of the target's state and of a called shot (seed 003, "Attack Flow", 5).
    fn add_situation(&mut self) {
        let at = |label, domain, value| Modifier::bonus(label, domain, value, "situation");
        let mut all = vec![
            at("Target stunned", "attack", 20).when("target:stunned"),
            at("Target prone", "attack:melee", 10).when("target:prone"),
            at("Target prone", "attack:ranged", -10).when("target:prone"),
        ];
        if self.called.is_some() {
            all.push(at("Called shot", "attack", -20));
        }
        let synthetics = &mut self.attacker.synthetics;
        all.into_iter()
            .for_each(|one| synthetics.add(Element::Modifier(one)));
    }

    fn set_options(&mut self, given: &[String]) {
        self.options.set(class_option(self.weapon));
        if let Some(mode) = match self.mode {
            Mode::Single => None,
            Mode::Semi => Some("semi"),
            Mode::Full => Some("full"),
        } {
            self.options.set(format!("weapon:firemode:{mode}"));
        }
        given.iter().for_each(|option| self.options.set(option));
        self.attacker.set_state("self", &mut self.options);
    }

    /// These options, with those that items set because of them.
    fn with_items(&self, options: &Options) -> Options {
        let mut all = options.clone();
        self.attacker.synthetics.set_options(&mut all);
        all
    }

    pub(super) fn is_melee(&self) -> bool {
        is_melee(self.weapon)
    }

    /// The maximum number of shots.
    pub(super) fn rate(&self) -> u32 {
        match self.mode {
            Mode::Single => 1,
            Mode::Semi => self.weapon.rof.semi,
            Mode::Full => self.weapon.rof.full,
        }
    }

    /// The mode as the library names it.
    fn mode_name(&self) -> &'static str {
        match self.mode {
            Mode::Single => "single",
            Mode::Semi => "semi",
            Mode::Full => "full",
        }
    }

    fn range(&self) -> &'static str {
        if self.is_melee() { "melee" } else { "ranged" }
    }

    /// The characteristic that the attack tests when these options are set.
    pub(super) fn characteristic(&self, options: &Options) -> &str {
        let usual = if self.is_melee() { "ws" } else { "bs" };
        let domain = format!("attack:{}", self.range());
        let options = self.with_items(options);
        self.attacker.tested(&domain, usual, &options)
    }

    /// The value of that characteristic, without fatigue, as an expression.
    ///
    /// # Errors
    /// The attacker has no such characteristic.
    pub(super) fn skill(&self) -> Result<ScriptCode, Wrong> {
        by_options(&self.changing, &self.options, &mut |options| {
            let value = self.attacker.characteristic(self.characteristic(options))?;
            Ok(value.into())
        })
    }

    /// Its modifiers when these options are set.
    pub(super) fn resolved(&self, options: &Options) -> Resolved {
        let domain = format!("attack:{}", self.range());
        let asked = self.asked(&domain, options);
        let options = self.with_items(options);
        self.attacker.synthetics.resolve(asked, &options)
    }

    /// The degrees that are added to its test when these options are set.
    fn degrees(&self, options: &Options) -> i64 {
        let domain = format!("attack:{}", self.range());
        let asked = self.asked(&domain, options);
        self.attacker.degrees(asked, &self.with_items(options))
    }

    /// The option that changes and that a modifier waits for, by the modifier's index.
    fn awaited(&self, index: usize) -> Option<String> {
        let applies = |option: &str| {
            let mut options = self.options.clone();
            options.set(option);
            self.resolved(&options).lines[index].why_not.is_none()
        };
        let mut all = self.changing.iter().map(|one| one.option.as_str());
        all.find(|option| applies(option)).map(str::to_owned)
    }

    fn asked<'d>(&'d self, domain: &'d str, options: &Options) -> Asked<'d> {
        Asked {
            domain,
            characteristic: Some(self.characteristic(options)),
        }
    }

    /// Whether the weapon has a quality, by its slug; its rating, or 1.
    pub(super) fn quality(&self, slug: &str) -> Option<i64> {
        let mut all = qualities(self.weapon);
        let found = all.find(|quality| quality.slug == slug)?;
        Some(found.rating.unwrap_or(1))
    }

    /// Writes the test: `face` is the roll, `dos` the degrees, `shots` the number of hits. `skill`
    /// is the characteristic as a script expression.
    pub(super) fn write_test(
        &self,
        skill: &'static str,
        out: &mut ScriptText,
    ) -> Result<(), Wrong> {
        let every = |value: &mut dyn FnMut(&Options) -> i64| {
            let mut text = |options: &Options| Ok::<_, Wrong>(value(options).into());
            by_options(&self.changing, &self.options, &mut text)
        };
        let tested = self.characteristic(&self.options);
        let value = self.attacker.characteristic(tested)?;
        out.comment(format!("{} {value}", characteristic_name(tested)));
        breakdown(out, &self.resolved(&self.options), |index| {
            self.awaited(index)
        });
        let bonus = every(&mut |options| self.resolved(options).total)?;
        let degrees = every(&mut |options| self.degrees(options))?;
        let target = match bonus == "0" {
            true => code!("max(1, {skill})", skill),
            false => code!("max(1, {})", ScriptCode::from(skill).plus(bonus)),
        };
        let rolled = match degrees == "0" {
            true => code!("degrees(face, {target})", target),
            false => code!(
                "adjusted(degrees(face, {target}), {degrees})",
                target,
                degrees
            ),
        };
        out.line("face = roll(d100);");
        out.line(code!("dos = {};", self.or_automatic(skill, rolled)));
        let (mode, rate) = (self.mode_name(), self.rate());
        out.line(code!("shots = hits({mode}, dos, {rate});", mode, rate));
        Ok(())
    }

    /// Whether this option lets the attack hit by itself.
    pub(super) fn is_automatic_at(&self, option: &str) -> bool {
        self.is_melee() && option == HELPLESS
    }

    /// The degrees of a blow: one at a helpless target hits by itself (seed 003, "Attack Flow", 6).
    fn or_automatic(&self, skill: &'static str, rolled: ScriptCode) -> ScriptCode {
        let automatic = code!("automaticDegrees({skill})", skill);
        let condition = self.changing.iter().find(|one| one.option == HELPLESS);
        match condition {
            _ if !self.is_melee() => rolled,
            Some(one) => code!(
                "{} ? {automatic} : {rolled}",
                one.condition,
                automatic,
                rolled
            ),
            None if self.options.is_set(HELPLESS) => automatic,
            None => rolled,
        }
    }

    /// Where a hit goes, as an expression: `i` counts the hits. Only the first is aimed (seed 003,
    /// "Attack Flow", 9).
    pub(super) fn place(&self) -> ScriptCode {
        let called = self.called.and_then(|called| {
            let mut all = LOCATIONS.into_iter();
            all.find(|location| *location == called)
        });
        match (called, self.rate()) {
            (Some(called), 1) => called.into(),
            (Some(called), _) => code!("i == 1 ? {called} : location(roll(d100))", called),
            (None, 1) => ScriptCode::from("location(face)"),
            (None, _) => ScriptCode::from("location(i == 1 ? face : roll(d100))"),
        }
    }

    /// The damage roll of a hit, as an expression.
    pub(super) fn damage(&self) -> Result<ScriptCode, Wrong> {
        let domain = format!("damage:{}", self.range());
        by_options(&self.changing, &self.options, &mut |options| {
            let options = self.with_items(options);
            let dice = damage(&self.attacker, self.weapon, &domain, &options)?;
            Ok(code!("roll({dice})", dice))
        })
    }

    /// How much armour a hit ignores, as an expression of `penetration`.
    pub(super) fn penetration(&self, penetration: impl Into<ScriptCode>) -> ScriptCode {
        let penetration = penetration.into();
        match self.quality("razor-sharp") {
            Some(_) => code!("penetrationAt({penetration}, razorSharp, dos)", penetration),
            None => penetration,
        }
    }
}

/// The option that a weapon in hand sets: `weapon:class:las`.
pub(super) fn class_option(weapon: &Weapon) -> String {
    format!("weapon:class:{}", slug(&weapon.class))
}

/// Whether a weapon is used at arm's length.
pub(super) fn is_melee(weapon: &Weapon) -> bool {
    slug(&weapon.class) == "melee"
}

/// The number of loaded rounds.
pub(super) fn rounds(loaded: &[Rounds]) -> u64 {
    loaded.iter().map(|rounds| u64::from(rounds.count)).sum()
}

/// A weapon of somebody: the one of a name, which the document has at `path`, or the first one.
///
/// # Errors
/// There is none.
pub(super) fn weapon<'a>(
    attacker: &Combatant<'a>,
    wanted: Option<&str>,
    path: &str,
) -> Result<&'a Weapon, Wrong> {
    let weapons = &attacker.actor.weapons;
    let Some(first) = weapons.first() else {
        let help =
            "add `\"weapons\": [{\"name\": ..., \"class\": \"melee\", \"damage\": \"1d10\"}]`";
        let who = format!("{} needs a weapon", attacker.actor.name);
        return Err(attacker.wrong("", who).help(help));
    };
    let Some(wanted) = wanted else {
        return Ok(first);
    };
    let found = weapons.iter().find(|weapon| weapon.name == wanted);
    found.ok_or_else(|| {
        let who = &attacker.actor.name;
        let what = format!("is `{wanted}`, a weapon that {who} does not have");
        let names = weapons.iter().map(|weapon| weapon.name.as_str());
        Wrong::new(path, what).help(instead(wanted, names))
    })
}
