//! An actor with the effects of its items applied: the numbers for scripts.

use super::condition::{check_condition, is_ruled};
use super::element::{Element, ResistanceChange, ToughnessChange};
use super::json::{At, MOST, Notes, Wrong, instead};
use super::location::LOCATIONS;
use super::members::near_damage_type;
use super::model::{Actor, Craftsmanship, Weapon};
use super::modifier::{Asked, Domain, Modifier};
use super::predicate::Options;
use super::quality::Quality;
use super::synthetics::Synthetics;
use crate::script_text::{Joined, ScriptCode, code};

/// The characteristics by their short names, with their full ones.
pub(super) const CHARACTERISTICS: [(&str, &str); 10] = [
    ("ws", "Weapon Skill"),
    ("bs", "Ballistic Skill"),
    ("s", "Strength"),
    ("t", "Toughness"),
    ("ag", "Agility"),
    ("int", "Intelligence"),
    ("per", "Perception"),
    ("wp", "Willpower"),
    ("fel", "Fellowship"),
    ("inf", "Influence"),
];

/// Notes a characteristic, given at a path, that there is not and that no modifier of items is for.
pub fn note_characteristic(name: &str, items: &Synthetics, path: &str, notes: &mut Notes) {
    let known = CHARACTERISTICS.map(|(short, _)| short);
    if !known.contains(&name) && !items.has_domain(&format!("characteristic:{name}")) {
        let noted = Wrong::new(path, format!("is `{name}`, which is not a characteristic"));
        notes.push(noted.help(instead(name, known)));
    }
}

/// The full name of a characteristic.
pub(super) fn characteristic_name(short: &str) -> &str {
    let mut known = CHARACTERISTICS.iter();
    known
        .find(|(name, _)| *name == short)
        .map_or(short, |(_, full)| full)
}

/// Advice about a characteristic that an actor does not have.
fn characteristic_help(name: &str, actor: &Actor) -> String {
    let mut known = CHARACTERISTICS.iter();
    let found = known.find(|(short, full)| *short == name || full.eq_ignore_ascii_case(name));
    match found {
        Some((short, _)) if *short == name => format!("add `\"{name}\": 30`, or what it is"),
        Some((short, full)) => format!("the short name of {full} is `{short}`"),
        None => instead(name, actor.characteristics.keys().map(String::as_str)),
    }
}

/// An actor with the effects of its items.
#[derive(Clone, Debug)]
pub(super) struct Combatant<'a> {
    /// The actor.
    pub(super) actor: &'a Actor,
    /// The effects of its items.
    pub(super) synthetics: Synthetics,
    /// Where the actor is in its document.
    path: String,
}

impl<'a> Combatant<'a> {
    /// The actor at a path of a document.
    ///
    /// # Errors
    /// The errors in its items or numbers.
    pub(super) fn new(actor: &'a Actor, path: &str, notes: &mut Notes) -> Result<Self, Wrong> {
        let mut synthetics = Synthetics::default();
        for (index, item) in actor.items.iter().enumerate() {
            let item = At::new(item, format!("{path}.items[{index}]"));
            synthetics.add_items(&item, notes)?;
        }
        let path = path.to_owned();
        let made = Self {
            actor,
            synthetics,
            path,
        };
        let mut names = actor.characteristics.keys();
        let known = |name: &str| CHARACTERISTICS.iter().any(|(short, _)| *short == name);
        if let Some(name) = names.find(|name| !known(name)) {
            let part = format!("characteristics.{name}");
            let known = CHARACTERISTICS.iter().map(|(short, _)| *short);
            let wrong = made.wrong(&part, "is not a characteristic");
            return Err(wrong.help(instead(name, known)));
        }
        made.check_numbers()?;
        made.check_armour()?;
        made.check_conditions()?;
        Ok(made)
    }

    /// Whether all armour is at locations that exist.
    fn check_armour(&self) -> Result<(), Wrong> {
        let known = || LOCATIONS.into_iter().chain(["all"]);
        for (index, piece) in self.actor.armour.iter().enumerate() {
            let mut locations = piece.points.keys();
            if let Some(other) = locations.find(|at| !known().any(|known| known == at.as_str())) {
                let part = format!("armour[{index}].points.{other}");
                let wrong = self.wrong(&part, "is not a location");
                return Err(wrong.help(instead(other, known())));
            }
        }
        Ok(())
    }

    /// Checks that all numbers are within [`MOST`], so that sums and products of them fit.
    fn check_numbers(&self) -> Result<(), Wrong> {
        let actor = self.actor;
        let mut all = vec![
            ("wounds".to_owned(), actor.wounds),
            ("fatigue".to_owned(), actor.fatigue),
        ];
        let characteristics = actor.characteristics.iter();
        all.extend(
            characteristics.map(|(name, value)| (format!("characteristics.{name}"), *value)),
        );
        for (index, weapon) in actor.weapons.iter().enumerate() {
            all.push((format!("weapons[{index}].bonus"), weapon.bonus));
            all.push((format!("weapons[{index}].penetration"), weapon.penetration));
        }
        for (index, piece) in actor.armour.iter().enumerate() {
            let points = piece.points.iter();
            all.extend(points.map(|(at, value)| (format!("armour[{index}].points.{at}"), *value)));
        }
        for (index, power) in actor.powers.iter().enumerate() {
            all.push((format!("powers[{index}].focus"), power.focus));
        }
        if let Some((part, number)) = all.iter().find(|(_, number)| number.unsigned_abs() > MOST) {
            let wrong = self.wrong(part, format!("is {number}, beyond ±{MOST}"));
            return Err(wrong.help("write a smaller number"));
        }
        let mut counted = all.iter().take(2);
        match counted.find(|(_, number)| *number < 0) {
            Some((part, number)) => {
                let wrong = self.wrong(part, format!("is {number}"));
                Err(wrong.help("wounds and fatigue count from 0 on"))
            }
            None => Ok(()),
        }
    }

    /// Refuses conditions that are probably typos.
    fn check_conditions(&self) -> Result<(), Wrong> {
        let mut conditions = self.actor.conditions.iter().enumerate();
        conditions.try_for_each(|(index, condition)| {
            let path = format!("{}.conditions[{index}]", self.path);
            check_condition(condition.name(), &path)
        })
    }

    /// Notes the conditions without effect: they have no rules, and none of these synthetics tests
    /// their options.
    pub(super) fn note_conditions(&self, all: &[&Synthetics], notes: &mut Notes) {
        for (index, condition) in self.actor.conditions.iter().enumerate() {
            let name = condition.name();
            let options = ["self", "target"].map(|who| format!("{who}:{name}"));
            let is_asked = || {
                let mut asked = all
                    .iter()
                    .flat_map(|one| options.iter().map(|name| one.mention(name)));
                asked.any(|asked| asked)
            };
            if !is_ruled(name) && !is_asked() {
                let what = format!("is `{name}`, a condition without rules that nothing asks for");
                notes.push(self.wrong(&format!("conditions[{index}]"), what));
            }
        }
    }

    /// The same with a weapon in its hands: with the elements of the weapon and its qualities.
    ///
    /// # Errors
    /// The errors in them.
    pub(super) fn with(&self, weapon: &Weapon, notes: &mut Notes) -> Result<Self, Wrong> {
        let mut armed = self.clone();
        for (index, quality) in qualities(weapon).enumerate() {
            if quality.needs_number() {
                let part = format!("{}.qualities[{index}]", self.path_of(weapon));
                let what = format!("is `{}`, which needs its number", quality.label);
                let help = format!("write it in parentheses: `{}(3)`", quality.label);
                return Err(self.wrong(&part, what).help(help));
            }
            quality
                .elements()
                .into_iter()
                .for_each(|element| armed.synthetics.add(element));
        }
        if let Some(element) = craftsmanship(weapon) {
            armed.synthetics.add(element);
        }
        let path = format!("{}.{}", self.path, self.path_of(weapon));
        let json = serde_json::json!({"name": weapon.name, "rules": weapon.rules});
        armed.synthetics.add_items(&At::new(&json, path), notes)?;
        armed.note_qualities(weapon, notes);
        if let Some(near) = near_damage_type(&weapon.damage_type) {
            let part = format!("{}.damageType", self.path_of(weapon));
            let what = format!("is `{}`, a type of damage of its own", weapon.damage_type);
            notes.push(
                self.wrong(&part, what)
                    .help(format!("did you mean `{near}`?")),
            );
        }
        Ok(armed)
    }

    /// Notes the qualities of a weapon without effect: nothing tests their options.
    fn note_qualities(&self, weapon: &Weapon, notes: &mut Notes) {
        for (index, quality) in qualities(weapon).enumerate() {
            let option = quality.option();
            if quality.is_known() || self.synthetics.mention(&option) {
                continue;
            }
            let part = format!("{}.qualities[{index}]", self.path_of(weapon));
            let what = format!("is a quality without rules here: it only sets `{option}`");
            let noted = self.wrong(&part, what);
            notes.push(match quality.nearest() {
                Some(near) => noted.help(format!("did you mean `{near}`?")),
                None => noted,
            });
        }
    }

    /// An error about a part of the actor.
    pub(super) fn wrong(&self, part: &str, what: impl Into<String>) -> Wrong {
        let path = match part {
            "" => self.path.clone(),
            part => format!("{}.{part}", self.path),
        };
        Wrong::new(path, what)
    }

    /// The path of one of its weapons, within the actor: `weapons[1]`.
    pub(super) fn path_of(&self, weapon: &Weapon) -> String {
        let mut weapons = self.actor.weapons.iter();
        let index = weapons.position(|one| std::ptr::eq(one, weapon));
        index.map_or_else(|| "weapons".to_owned(), |index| format!("weapons[{index}]"))
    }

    /// The value of a characteristic, without fatigue.
    ///
    /// # Errors
    /// The actor has none.
    pub(super) fn characteristic(&self, name: &str) -> Result<i64, Wrong> {
        let value = self.actor.characteristics.get(name).copied();
        value.ok_or_else(|| {
            let help = characteristic_help(name, self.actor);
            let wrong = self.wrong("characteristics", format!("needs `{name}`"));
            wrong.help(help)
        })
    }

    /// The bonus of a characteristic: its tens digit.
    ///
    /// # Errors
    /// The actor does not have this characteristic.
    pub(super) fn bonus(&self, name: &str) -> Result<i64, Wrong> {
        Ok(self.characteristic(name)?.div_euclid(10))
    }

    /// Sets the options of `self` that follow from its state, and then from its items.
    pub(super) fn set_options(&self, options: &mut Options) {
        self.set_state("self", options);
        self.synthetics.set_options(options);
    }

    /// Sets the options of `self` or of `target` that follow from its state.
    pub(super) fn set_state(&self, who: &str, options: &mut Options) {
        for condition in &self.actor.conditions {
            options.set(format!("{who}:{}", condition.name()));
        }
        if self.actor.fatigue > 0 {
            options.set(format!("{who}:fatigued"));
        }
    }

    /// The characteristic that a roll of a domain tests: the usual one, or the one of an item
    /// (`AttributeOverride`), of several the last.
    pub(super) fn tested<'c>(&'c self, domain: &str, usual: &'c str, options: &Options) -> &'c str {
        let asked = Asked {
            domain,
            characteristic: None,
        };
        let overrides = self.synthetics.attributes.iter().rev();
        let mut overrides =
            overrides.filter(|other| asked.takes(&other.domain) && other.predicate.holds(options));
        overrides
            .next()
            .map_or(usual, |other| &other.characteristic)
    }

    /// The degrees that are added after a roll of a domain.
    pub(super) fn degrees(&self, asked: Asked<'_>, options: &Options) -> i64 {
        let all = self.synthetics.degrees.iter();
        let belongs =
            |domain: &Option<Domain>| domain.as_ref().is_none_or(|domain| asked.takes(domain));
        all.filter(|one| belongs(&one.domain) && one.predicate.holds(options))
            .map(|one| one.amount)
            .sum()
    }

    /// The armour points of a location: those of all pieces, and modifiers of the domains
    /// `armour:all` and `armour:LOCATION`; at least 0.
    pub(super) fn armour(&self, location: &str, options: &Options) -> i64 {
        let pieces = self.actor.armour.iter().map(|piece| {
            let points = piece
                .points
                .get(location)
                .or_else(|| piece.points.get("all"));
            let points = points.copied().unwrap_or(0);
            // Seed 003, "Craftsmanship Modifiers", of a piece that covers the location.
            let made = match piece.craftsmanship {
                _ if points == 0 => 0,
                Craftsmanship::Poor => -1,
                Craftsmanship::Common | Craftsmanship::Good => 0,
                Craftsmanship::Best => 1,
            };
            points + made
        });
        let domain = format!("armour:{location}");
        let asked = Asked {
            domain: &domain,
            characteristic: None,
        };
        let bonus = self.synthetics.resolve(asked, options).total;
        (pieces.sum::<i64>() + bonus).max(0)
    }

    /// The toughness bonus after its adjustments, in their order. Felling removes at most the
    /// amount that was added.
    ///
    /// # Errors
    /// The actor has no Toughness.
    pub(super) fn toughness(&self, felling: i64, options: &Options) -> Result<i64, Wrong> {
        let own = self.bonus("t")?;
        let adjustments = self.synthetics.toughness.iter();
        let adjustments = adjustments.filter(|one| one.predicate.holds(options));
        let adjusted = adjustments.fold(own, |bonus, one| match one.change {
            ToughnessChange::Add(more) => bonus.saturating_add(more),
            ToughnessChange::Multiply(times) => bonus.saturating_mul(times),
        });
        Ok(adjusted
            .saturating_sub(felling)
            .max(adjusted.min(own))
            .max(0))
    }

    /// The resistances against a type of damage, in their order, as a list of the script.
    pub(super) fn resistances(&self, damage_type: &str, options: &Options) -> ScriptCode {
        let all = self.synthetics.resistances.iter();
        let apply = all.filter(|one| one.is_against(damage_type) && one.predicate.holds(options));
        let written: Vec<ScriptCode> = apply
            .map(|one| match one.change {
                ResistanceChange::Flat(less) => {
                    code!("resistance{{ kind: flat, value: {less} }}", less)
                }
                ResistanceChange::Half => "resistance{ kind: half }".into(),
            })
            .collect();
        match &written[..] {
            // Brackets around a single value would be a resource.
            [only] => code!("[{only},]", only),
            all => code!("[{}]", all.joined(", ")),
        }
    }

    /// The damage of a type before armour, as an expression of the damage: resistances in their
    /// order.
    pub(super) fn resisted(
        &self,
        damage: ScriptCode,
        damage_type: &str,
        options: &Options,
    ) -> ScriptCode {
        let all = self.synthetics.resistances.iter();
        let apply = all.filter(|one| one.is_against(damage_type) && one.predicate.holds(options));
        apply.fold(damage, |damage, one| match one.change {
            ResistanceChange::Flat(less) => code!("max(0, {damage} - {less})", damage, less),
            ResistanceChange::Half if damage.as_str().contains(' ') => {
                code!("({damage}) / 2", damage)
            }
            ResistanceChange::Half => code!("{damage} / 2", damage),
        })
    }
}

/// The qualities of a weapon.
pub(super) fn qualities(weapon: &Weapon) -> impl Iterator<Item = Quality> {
    weapon.qualities.iter().map(|text| Quality::read(text))
}

/// The effect of a weapon's craftsmanship on attacks (seed 003, "Craftsmanship Modifiers").
fn craftsmanship(weapon: &Weapon) -> Option<Element> {
    let (label, value) = match weapon.craftsmanship {
        Craftsmanship::Poor => ("Poor craftsmanship", -10),
        Craftsmanship::Common => return None,
        Craftsmanship::Good => ("Good craftsmanship", 5),
        Craftsmanship::Best => ("Best craftsmanship", 10),
    };
    let modifier = Modifier::bonus(label, "attack", value, "craftsmanship");
    Some(Element::Modifier(modifier))
}
