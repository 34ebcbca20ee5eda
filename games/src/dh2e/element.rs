//! Rule elements: the effects of items, as JSON (seed 003, "Synthetics Registry").
//!
//! An invalid element is an error; one of an unknown kind, or without effect on rolls, is noted.

use super::json::{At, Notes, Wrong, instead};
use super::members::{note_damage_type, note_domain, note_members};
use super::modifier::{Domain, Modifier};
use super::predicate::Predicate;

/// An effect of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Element {
    /// `FlatModifier`: a bonus or a penalty to rolls.
    Modifier(Modifier),
    /// `RollOption`: an option that is set.
    Option(OptionElement),
    /// `AdjustDegree`: degrees that are added after a roll.
    Degrees(DegreeAdjustment),
    /// `DiceOverride`: a change to the dice of damage.
    Dice(DiceOverride),
    /// `AdjustToughness`: a change to a toughness bonus.
    Toughness(ToughnessAdjustment),
    /// `Resistance`: damage of a type that counts less.
    Resistance(Resistance),
    /// `AttributeOverride`: another characteristic for rolls of a domain.
    Attribute(AttributeOverride),
}

/// An option that an item sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionElement {
    /// Its name: `self:dark-sight`.
    pub option: String,
    /// When it is set.
    pub predicate: Predicate,
}

/// Degrees that are added to the result of a roll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DegreeAdjustment {
    /// What people call it.
    pub label: String,
    /// The number of dice; negative for fewer.
    pub amount: i64,
    /// The rolls that it belongs to; `None` for all.
    pub domain: Option<Domain>,
    /// When it applies.
    pub predicate: Predicate,
}

/// A change to the dice of damage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiceOverride {
    /// What people call it: `Tearing`.
    pub label: String,
    /// The damage that it belongs to.
    pub domain: Domain,
    /// What it does.
    pub change: DiceChange,
    /// When it applies.
    pub predicate: Predicate,
}

/// A change to the dice of damage (seed 003, "Damage Calculation").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiceChange {
    /// Tearing: one more die, of which the lowest is dropped.
    RerollLowest,
    /// Proven: lower dice count as this.
    AtLeast(i64),
    /// Primitive: higher dice count as this.
    AtMost(i64),
}

/// A change to a toughness bonus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToughnessAdjustment {
    /// What people call it: `Daemonic`.
    pub label: String,
    /// What it does.
    pub change: ToughnessChange,
    /// When it applies.
    pub predicate: Predicate,
}

/// A change to a toughness bonus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToughnessChange {
    /// This is added.
    Add(i64),
    /// It is multiplied by this.
    Multiply(i64),
}

/// Damage of a type that counts less.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resistance {
    /// What people call it.
    pub label: String,
    /// The type of damage, or `all`.
    pub damage: String,
    /// What it does.
    pub change: ResistanceChange,
    /// When it applies.
    pub predicate: Predicate,
}

impl Resistance {
    /// Whether it applies to damage of a type.
    pub(super) fn is_against(&self, damage_type: &str) -> bool {
        let is = |other| self.damage.eq_ignore_ascii_case(other);
        is(damage_type) || is("all")
    }
}

/// The change to the damage that a resistance applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResistanceChange {
    /// This is subtracted.
    Flat(i64),
    /// It is halved, rounded down.
    Half,
}

/// Another characteristic for the rolls of a domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttributeOverride {
    /// What people call it.
    pub label: String,
    /// The rolls: `initiative`.
    pub domain: Domain,
    /// The characteristic: `int`.
    pub characteristic: String,
    /// When it applies.
    pub predicate: Predicate,
}

/// An item, as far as its elements need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Item<'a> {
    /// Its name, which labels elements without one.
    pub name: &'a str,
    /// The value of elements that say `"rating"`.
    pub rating: Option<i64>,
}

/// Elements with an effect on rolls.
const WITH_EFFECT: [&str; 7] = [
    "FlatModifier",
    "RollOption",
    "AdjustDegree",
    "DiceOverride",
    "AdjustToughness",
    "Resistance",
    "AttributeOverride",
];

/// Elements without an effect on rolls.
const WITHOUT_EFFECT: [&str; 5] = [
    "VFXOverride",
    "vfxOverrides",
    "GrantItem",
    "ChoiceSet",
    "ActorValue",
];

/// Reads an element of an item; `None` for one without effect, which is noted.
///
/// # Errors
/// A member that is missing or invalid.
pub(super) fn read_element(
    json: &At<'_>,
    item: Item<'_>,
    notes: &mut Notes,
) -> Result<Option<Element>, Wrong> {
    let key = json.needed("key")?;
    let reader = Reader { json, item };
    let kind = key.text()?;
    if WITH_EFFECT.contains(&kind) {
        note_members(json, Some(kind), notes);
    }
    Ok(Some(match kind {
        "FlatModifier" => Element::Modifier(reader.modifier(notes)?),
        "RollOption" => Element::Option(OptionElement {
            option: json.needed("option")?.text()?.to_owned(),
            predicate: reader.predicate(notes),
        }),
        "AdjustDegree" => Element::Degrees(DegreeAdjustment {
            label: reader.label()?,
            amount: reader.number("amount")?,
            domain: reader.domain(notes)?,
            predicate: reader.predicate(notes),
        }),
        "DiceOverride" => Element::Dice(DiceOverride {
            label: reader.label()?,
            domain: reader.needed_domain(notes)?,
            change: reader.dice_change()?,
            predicate: reader.predicate(notes),
        }),
        "AdjustToughness" => Element::Toughness(ToughnessAdjustment {
            label: reader.label()?,
            change: reader.toughness_change()?,
            predicate: reader.predicate(notes),
        }),
        "Resistance" => Element::Resistance(Resistance {
            label: reader.label()?,
            damage: reader.damage_type(notes)?,
            change: reader.resistance_change()?,
            predicate: reader.predicate(notes),
        }),
        "AttributeOverride" => Element::Attribute(AttributeOverride {
            label: reader.label()?,
            domain: reader.needed_domain(notes)?,
            characteristic: json.needed("characteristic")?.text()?.to_owned(),
            predicate: reader.predicate(notes),
        }),
        known if WITHOUT_EFFECT.contains(&known) => {
            notes.add(
                json,
                format!("is a `{known}`, which has no effect on rolls"),
            );
            return Ok(None);
        }
        unknown => {
            let what = format!("is an element that is not known, `{unknown}`: it has no effect");
            notes.push(key.wrong(what).help(instead(unknown, WITH_EFFECT)));
            return Ok(None);
        }
    }))
}

/// Reads a bare modifier: one with a `label` and a `value`. It applies to every domain, unless it
/// names one.
///
/// # Errors
/// A member that is missing or invalid.
pub(super) fn read_modifier(json: &At<'_>, notes: &mut Notes) -> Result<Modifier, Wrong> {
    let label = json.needed("label")?;
    let item = Item {
        name: label.text()?,
        rating: None,
    };
    note_members(json, None, notes);
    Reader { json, item }.any_modifier(notes)
}

/// An element, and the item that has it.
struct Reader<'r, 'v> {
    json: &'r At<'v>,
    item: Item<'r>,
}

impl Reader<'_, '_> {
    fn modifier(&self, notes: &mut Notes) -> Result<Modifier, Wrong> {
        self.json.needed("domain")?;
        self.any_modifier(notes)
    }

    fn any_modifier(&self, notes: &mut Notes) -> Result<Modifier, Wrong> {
        let text = |name| self.json.member(name).map(|json| json.text()).transpose();
        let truth = |name| self.json.member(name).map(|json| json.truth()).transpose();
        Ok(Modifier {
            label: self.label()?,
            value: self.number("value")?,
            source: text("source")?.unwrap_or("item").to_owned(),
            domain: self.domain(notes)?,
            // A group without a name is none (issue 15, 4).
            group: text("exclusionGroup")?
                .filter(|group| !group.is_empty())
                .map(str::to_owned),
            predicate: self.predicate(notes),
            enabled: truth("enabled")?.unwrap_or(true),
            toggleable: truth("toggleable")?.unwrap_or(false),
        })
    }

    fn label(&self) -> Result<String, Wrong> {
        let label = self
            .json
            .member("label")
            .map(|label| label.text())
            .transpose()?;
        Ok(label.unwrap_or(self.item.name).to_owned())
    }

    fn domain(&self, notes: &mut Notes) -> Result<Option<Domain>, Wrong> {
        match self.json.member("domain") {
            Some(_) => self.needed_domain(notes).map(Some),
            None => Ok(None),
        }
    }

    fn needed_domain(&self, notes: &mut Notes) -> Result<Domain, Wrong> {
        let domain = self.json.needed("domain")?;
        note_domain(&domain, notes);
        Ok(Domain::new(domain.text()?))
    }

    fn damage_type(&self, notes: &mut Notes) -> Result<String, Wrong> {
        let damage_type = self.json.needed("damageType")?;
        if damage_type.value() != "all" {
            note_damage_type(&damage_type, notes);
        }
        Ok(damage_type.text()?.to_owned())
    }

    fn predicate(&self, notes: &mut Notes) -> Predicate {
        let json = self.json.member("predicate");
        json.map_or(Predicate::ALWAYS, |json| Predicate::read(json, notes))
    }

    /// A whole number, or the item's rating.
    fn number(&self, name: &str) -> Result<i64, Wrong> {
        let value = self.json.needed(name)?;
        match value.value().as_str() {
            Some("rating") => self.item.rating.ok_or_else(|| {
                value
                    .wrong("is \"rating\", and the item has none")
                    .help("write a number, or add a `rating` to the item")
            }),
            Some(_) => Err(value
                .wrong("is neither a whole number nor \"rating\"")
                .help("write a number without quotes, or \"rating\" for the item's own")),
            None => value.whole(),
        }
    }

    fn dice_change(&self) -> Result<DiceChange, Wrong> {
        let mode = self.json.needed("mode")?;
        match mode.text()? {
            "rerollLowest" => Ok(DiceChange::RerollLowest),
            "minimumDie" => Ok(DiceChange::AtLeast(self.number("value")?)),
            "maximizeDie" | "maximumDie" => Ok(DiceChange::AtMost(self.number("value")?)),
            other => Err(mode.wrong("is not a change of dice").help(instead(
                other,
                ["rerollLowest", "minimumDie", "maximizeDie"],
            ))),
        }
    }

    fn toughness_change(&self) -> Result<ToughnessChange, Wrong> {
        let value = self.number("value")?;
        match self.json.member("mode") {
            None => Ok(ToughnessChange::Add(value)),
            Some(mode) => match mode.text()? {
                "add" => Ok(ToughnessChange::Add(value)),
                "multiply" => Ok(ToughnessChange::Multiply(value)),
                other => Err(mode
                    .wrong("is not a change of toughness")
                    .help(instead(other, ["add", "multiply"]))),
            },
        }
    }

    fn resistance_change(&self) -> Result<ResistanceChange, Wrong> {
        let Some(mode) = self.json.member("mode") else {
            return Ok(ResistanceChange::Flat(self.number("value")?));
        };
        match mode.text()? {
            "flat" => Ok(ResistanceChange::Flat(self.number("value")?)),
            "half" => Ok(ResistanceChange::Half),
            other => Err(mode
                .wrong("is not a kind of resistance")
                .help(instead(other, ["flat", "half"]))),
        }
    }
}
