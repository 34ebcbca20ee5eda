//! Changes of a scenario by name, for columns of a table and flags: `Scav.count`, `first.ws`,
//! `Vessa Korr.armour.head`.
//!
//! Changes are made before the script is written, so a changed scenario is as fast, and as exact,
//! as one that was written that way.

use super::cell::{check_damage, check_quality, count, number, value, words};
use super::combatant::CHARACTERISTICS;
use super::condition::{Condition, check_condition};
use super::json::{Wrong, instead};
use super::location::LOCATIONS;
use super::model::{Actor, Armour, AttackScenario, Craftsmanship, Fighter, Weapon};
use super::modifier::slug;
use super::scenario::Scenario;
use dicec_lang::syntax::nearest;

/// Something about a scenario that a text can change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The name that was used.
    pub(super) name: String,
    pub(super) owner: Owner,
    pub(super) member: Member,
}

/// The owner of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// The scenario's.
    Whole,
    /// That of all fighters of a side, by its index.
    Side(usize),
    /// That of everybody of a name.
    Named(String),
    /// The attacker's.
    Attacker,
    /// The target's.
    Target,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Member {
    Rounds,
    Count,
    Tactic,
    Defence,
    Mode,
    Weapon,
    Options,
    Called,
    Wounds,
    Fatigue,
    Conditions,
    /// All armour, or that of a location.
    Armour(Option<&'static str>),
    Characteristic(&'static str),
    /// The tier of a skill, by its slug.
    Tier(String),
    // These are of the weapon that is used.
    Damage,
    Bonus,
    Penetration,
    Qualities,
    Craftsmanship,
}

/// The members of fighters in a fight.
const OF_FIGHTERS: [(&str, Member); 6] = [
    ("count", Member::Count),
    ("tactic", Member::Tactic),
    ("defence", Member::Defence),
    ("mode", Member::Mode),
    ("weapon", Member::Weapon),
    ("options", Member::Options),
];

/// The members of attackers in an attack.
const OF_ATTACKERS: [(&str, Member); 4] = [
    ("mode", Member::Mode),
    ("weapon", Member::Weapon),
    ("options", Member::Options),
    ("called", Member::Called),
];

/// The members of all actors.
const OF_ACTORS: [(&str, Member); 9] = [
    ("wounds", Member::Wounds),
    ("fatigue", Member::Fatigue),
    ("conditions", Member::Conditions),
    ("armour", Member::Armour(None)),
    ("damage", Member::Damage),
    ("bonus", Member::Bonus),
    ("penetration", Member::Penetration),
    ("qualities", Member::Qualities),
    ("craftsmanship", Member::Craftsmanship),
];

impl Change {
    /// The change that a name stands for: `rounds`, or a member of a side, of an actor, or of the
    /// `attacker` or the `target`. `None` if the name refers to something else.
    ///
    /// # Errors
    /// There is no such member, or no such name.
    pub fn named(name: &str, scenario: &Scenario) -> Result<Option<Self>, Wrong> {
        let is_fight = matches!(scenario, Scenario::Fight(_));
        if is_fight && is_same(name, "rounds") {
            return Ok(Some(Self {
                name: name.to_owned(),
                owner: Owner::Whole,
                member: Member::Rounds,
            }));
        }
        let owners = owners(scenario);
        // A name may have points itself.
        let found = owners.iter().find_map(|(written, owner)| {
            let (before, after) = name.split_at_checked(written.len())?;
            let member = after.strip_prefix('.')?;
            is_same(before, written).then_some((owner, member))
        });
        let Some((owner, written)) = found else {
            return stranger(name, &owners).map_or(Ok(None), Err);
        };
        let member = member(written, owner, scenario);
        member.map(|member| {
            Some(Self {
                name: name.to_owned(),
                owner: owner.clone(),
                member,
            })
        })
    }

    /// The possible owners in names of changes: sides, and the actors of the scenario.
    pub fn owners(scenario: &Scenario) -> Vec<String> {
        owners(scenario).into_iter().map(|(name, _)| name).collect()
    }

    /// Changes a scenario; an empty text changes nothing. Several words are separated by
    /// semicolons.
    ///
    /// # Errors
    /// The error in the text; the path is the name of the change.
    pub fn apply(&self, text: &str, scenario: &mut Scenario) -> Result<(), Wrong> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(());
        }
        let applied = self.apply_text(text, scenario);
        applied.map_err(|wrong| Wrong {
            path: self.name.clone(),
            ..wrong
        })
    }

    fn apply_text(&self, text: &str, scenario: &mut Scenario) -> Result<(), Wrong> {
        match (scenario, &self.owner) {
            (Scenario::Fight(fight), Owner::Whole) => fight.rounds = value(text)?,
            (Scenario::Fight(fight), owner) => {
                for (index, side) in fight.sides.iter_mut().enumerate() {
                    for fighter in &mut side.fighters {
                        if owner.has(index, &fighter.actor) {
                            self.member.of_fighter(text, fighter)?;
                        }
                    }
                }
            }
            (Scenario::Attack(attack), Owner::Target) => {
                let target = &mut attack.target;
                self.member.of_actor(text, target, None)?;
            }
            (Scenario::Attack(attack), _) => self.member.of_attacker(text, attack)?,
        }
        Ok(())
    }
}

impl Owner {
    /// Whether it includes a fighter on the side with this index.
    pub(super) fn has(&self, side: usize, actor: &Actor) -> bool {
        match self {
            Self::Side(wanted) => *wanted == side,
            Self::Named(name) => actor.name == *name,
            Self::Whole | Self::Attacker | Self::Target => false,
        }
    }
}

/// Everybody by the names that changes may use, the longest first.
fn owners(scenario: &Scenario) -> Vec<(String, Owner)> {
    let mut all = Vec::new();
    match scenario {
        Scenario::Attack(attack) => {
            all.push(("attacker".to_owned(), Owner::Attacker));
            all.push(("target".to_owned(), Owner::Target));
            all.push((attack.attacker.name.clone(), Owner::Attacker));
            all.push((attack.target.name.clone(), Owner::Target));
        }
        Scenario::Fight(fight) => {
            for (index, (side, word)) in fight.sides.iter().zip(["first", "second"]).enumerate() {
                let names = side.fighters.iter().map(|fighter| &fighter.actor.name);
                all.extend(names.map(|name| (name.clone(), Owner::Named(name.clone()))));
                all.push((side.name.clone(), Owner::Side(index)));
                all.push((word.to_owned(), Owner::Side(index)));
            }
        }
    }
    all.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    all
}

/// An error if a name seems to refer to an actor, but no actor has that name.
fn stranger(name: &str, owners: &[(String, Owner)]) -> Option<Wrong> {
    let (owner, member) = name.split_once('.')?;
    let near = nearest(owner, owners.iter().map(|(name, _)| name.as_str()))?;
    let wrong = Wrong::new(name, "names nobody in this scenario");
    Some(wrong.help(format!("did you mean `{near}.{member}`?")))
}

/// The member that a name refers to.
fn member(written: &str, owner: &Owner, scenario: &Scenario) -> Result<Member, Wrong> {
    let own = match (scenario, owner) {
        (Scenario::Fight(_), _) => &OF_FIGHTERS[..],
        (Scenario::Attack(_), Owner::Attacker) => &OF_ATTACKERS[..],
        (Scenario::Attack(_), _) => &[],
    };
    let mut listed = own.iter().chain(&OF_ACTORS);
    if let Some((_, member)) = listed.find(|(name, _)| is_same(name, written)) {
        return Ok(member.clone());
    }
    let mut characteristics = CHARACTERISTICS.into_iter();
    let characteristic =
        characteristics.find(|(short, full)| is_same(short, written) || is_same(full, written));
    if let Some((short, _)) = characteristic {
        return Ok(Member::Characteristic(short));
    }
    let place = written.get(..7).filter(|word| is_same(word, "armour."));
    let place = place.and_then(|word| written.strip_prefix(word));
    let is_armour = place.is_some();
    let mut locations = LOCATIONS.into_iter();
    if let Some(place) = place.and_then(|place| locations.find(|known| is_same(known, place))) {
        return Ok(Member::Armour(Some(place)));
    }
    let mut skills = actors(scenario, owner)
        .into_iter()
        .flat_map(|actor| &actor.skills);
    if skills.any(|skill| slug(&skill.name) == slug(written)) {
        return Ok(Member::Tier(slug(written)));
    }
    let known = own.iter().chain(&OF_ACTORS).map(|(name, _)| *name);
    let known = known.chain(CHARACTERISTICS.map(|(short, _)| short));
    let mut known: Vec<String> = known.map(str::to_owned).collect();
    if is_armour {
        known = LOCATIONS.map(|at| format!("armour.{at}")).into();
    }
    let skills = actors(scenario, owner)
        .into_iter()
        .flat_map(|actor| &actor.skills);
    for skill in skills {
        if !known.contains(&skill.name) {
            known.push(skill.name.clone());
        }
    }
    let wrong = Wrong::new(written, "is nothing of a fighter that can be changed");
    Err(wrong.help(instead(written, known.iter().map(String::as_str))))
}

/// All actors that an owner includes.
fn actors<'s>(scenario: &'s Scenario, owner: &Owner) -> Vec<&'s Actor> {
    match (scenario, owner) {
        (Scenario::Attack(attack), Owner::Target) => vec![&attack.target],
        (Scenario::Attack(attack), _) => vec![&attack.attacker],
        (Scenario::Fight(fight), owner) => {
            let sides = fight.sides.iter().enumerate();
            let actors = sides.flat_map(|(index, side)| {
                let actors = side.fighters.iter().map(|fighter| &fighter.actor);
                actors.filter(move |actor| owner.has(index, actor))
            });
            actors.collect()
        }
    }
}

impl Member {
    fn of_fighter(&self, text: &str, fighter: &mut Fighter) -> Result<(), Wrong> {
        match self {
            Self::Count => fighter.count = value(text)?,
            Self::Tactic => fighter.tactic = value(text)?,
            Self::Defence => fighter.defence = Some(text.to_owned()),
            Self::Mode => fighter.mode = value(text)?,
            Self::Weapon => fighter.weapon = Some(text.to_owned()),
            Self::Options => fighter.options = words(text),
            _ => {
                let weapon = fighter.weapon.clone();
                self.of_actor(text, &mut fighter.actor, weapon.as_deref())?;
            }
        }
        Ok(())
    }

    fn of_attacker(&self, text: &str, attack: &mut AttackScenario) -> Result<(), Wrong> {
        match self {
            Self::Mode => attack.mode = value(text)?,
            Self::Weapon => attack.weapon = Some(text.to_owned()),
            Self::Options => attack.options = words(text),
            Self::Called => attack.called = Some(text.to_owned()),
            _ => {
                let weapon = attack.weapon.clone();
                self.of_actor(text, &mut attack.attacker, weapon.as_deref())?;
            }
        }
        Ok(())
    }

    /// Changes an actor with this weapon, or with its first one.
    fn of_actor(&self, text: &str, actor: &mut Actor, weapon: Option<&str>) -> Result<(), Wrong> {
        match self {
            Self::Wounds => actor.wounds = count(text)?,
            Self::Fatigue => actor.fatigue = count(text)?,
            Self::Conditions => {
                let names = words(text);
                names
                    .iter()
                    .try_for_each(|name| check_condition(name, text))?;
                actor.conditions = names.into_iter().map(Condition::Endless).collect();
            }
            Self::Characteristic(name) => {
                let characteristics = &mut actor.characteristics;
                characteristics.insert((*name).to_owned(), number(text)?);
            }
            Self::Armour(location) => cover(actor, *location, number(text)?),
            Self::Tier(skill) => {
                let mut skills = actor.skills.iter_mut();
                if let Some(skill) = skills.find(|one| slug(&one.name) == *skill) {
                    skill.tier = value(text)?;
                }
            }
            Self::Damage => {
                check_damage(text)?;
                in_hand(actor, weapon, text)?.damage = text.to_owned();
            }
            Self::Bonus => in_hand(actor, weapon, text)?.bonus = number(text)?,
            Self::Penetration => in_hand(actor, weapon, text)?.penetration = number(text)?,
            Self::Qualities => {
                let qualities = words(text);
                qualities.iter().try_for_each(|one| check_quality(one))?;
                in_hand(actor, weapon, text)?.qualities = qualities;
            }
            Self::Craftsmanship => in_hand(actor, weapon, text)?.craftsmanship = value(text)?,
            // Names were held to what somebody has.
            Self::Rounds
            | Self::Count
            | Self::Tactic
            | Self::Defence
            | Self::Mode
            | Self::Weapon
            | Self::Options
            | Self::Called => {}
        }
        Ok(())
    }
}

/// Gives somebody this many armour points everywhere or at a location, whatever was worn there.
fn cover(actor: &mut Actor, location: Option<&str>, points: i64) {
    let place = location.unwrap_or("all");
    match location {
        None => actor.armour.clear(),
        Some(place) => {
            for piece in &mut actor.armour {
                piece.points.insert(place.to_owned(), 0);
            }
        }
    }
    actor.armour.push(Armour {
        name: "armour".to_owned(),
        points: [(place.to_owned(), points)].into(),
        craftsmanship: Craftsmanship::Common,
    });
}

/// The weapon that somebody uses.
fn in_hand<'a>(
    actor: &'a mut Actor,
    wanted: Option<&str>,
    text: &str,
) -> Result<&'a mut Weapon, Wrong> {
    let mut weapons = actor.weapons.iter_mut();
    let found = match wanted {
        None => weapons.next(),
        Some(wanted) => weapons.find(|weapon| weapon.name == wanted),
    };
    let name = &actor.name;
    found.ok_or_else(|| Wrong::new(text, format!("is for a weapon, and {name} has none of it")))
}

fn is_same(one: &str, other: &str) -> bool {
    one.trim().eq_ignore_ascii_case(other.trim())
}
