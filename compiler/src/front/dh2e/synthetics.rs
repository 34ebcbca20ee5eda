//! What all items of an actor come to: the modifiers, options and adjustments that their rolls look
//! up (seed 003, "Synthetics Registry").

use super::element::{
    AttributeOverride, DegreeAdjustment, DiceOverride, Element, Item, OptionElement, Resistance,
    ToughnessAdjustment, read_element, read_modifier,
};
use super::json::{At, Notes, Wrong};
use super::modifier::{Asked, Modifier, Resolved, resolve};
use super::predicate::Options;
use serde_json::Value;

/// What the items of an actor do, in the order of the items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Synthetics {
    /// Bonuses and penalties.
    pub modifiers: Vec<Modifier>,
    /// Options that are set.
    pub options: Vec<OptionElement>,
    /// Degrees that are added after rolls.
    pub degrees: Vec<DegreeAdjustment>,
    /// Changes to the dice of damage.
    pub dice: Vec<DiceOverride>,
    /// Changes to the toughness bonus.
    pub toughness: Vec<ToughnessAdjustment>,
    /// Damage that counts less.
    pub resistances: Vec<Resistance>,
    /// Other characteristics for some rolls.
    pub attributes: Vec<AttributeOverride>,
}

impl Synthetics {
    /// Reads items: a list, whose elements are items with `rules` (of their own or in `system`),
    /// single rule elements, or modifiers with a `label` and a `value`; or one item; or an object
    /// with a list `items`.
    ///
    /// # Errors
    /// Something that is none of these, or an element that is wrong.
    pub fn read(json: &At<'_>, notes: &mut Notes) -> Result<Self, Wrong> {
        let mut all = Self::default();
        all.add_items(json, notes)?;
        Ok(all)
    }

    /// Adds items that [`Self::read`] can read.
    ///
    /// # Errors
    /// As for reading them.
    pub fn add_items(&mut self, json: &At<'_>, notes: &mut Notes) -> Result<(), Wrong> {
        match (json.value(), json.member("items")) {
            (Value::Array(_), _) => json
                .elements()
                .try_for_each(|item| self.add_item(&item, notes)),
            (Value::Object(_), Some(items)) => self.add_items(&items, notes),
            (Value::Object(_), None) => self.add_item(json, notes),
            _ => Err(json.wrong("is not a list of items or modifiers")),
        }
    }

    fn add_item(&mut self, json: &At<'_>, notes: &mut Notes) -> Result<(), Wrong> {
        let system = json.member("system");
        let rules = json
            .member("rules")
            .or_else(|| system.as_ref()?.member("rules"));
        if let Some(rules) = rules {
            let rating = json
                .member("rating")
                .or_else(|| system.as_ref()?.member("rating"));
            let item = Item {
                name: json.member("name").map_or(Ok("item"), |name| name.text())?,
                rating: rating.map_or(Ok(0), |rating| rating.whole())?,
            };
            if !rules.value().is_array() {
                return Err(rules.wrong("is not a list of rule elements"));
            }
            return rules
                .elements()
                .try_for_each(|rule| self.add_rule(&rule, item, notes));
        }
        if json.member("key").is_some() {
            let name = json
                .member("label")
                .map_or(Ok("item"), |label| label.text())?;
            return self.add_rule(json, Item { name, rating: 0 }, notes);
        }
        if json.member("value").is_some() {
            self.modifiers.push(read_modifier(json, notes)?);
            return Ok(());
        }
        match json.member("name") {
            // Most possessions do nothing.
            Some(_) => Ok(()),
            None => Err(json.wrong("is not an item with `rules`, nor a modifier with a `value`")),
        }
    }

    fn add_rule(&mut self, json: &At<'_>, item: Item<'_>, notes: &mut Notes) -> Result<(), Wrong> {
        if let Some(element) = read_element(json, item, notes)? {
            self.add(element);
        }
        Ok(())
    }

    /// Adds an element.
    pub fn add(&mut self, element: Element) {
        match element {
            Element::Modifier(modifier) => self.modifiers.push(modifier),
            Element::Option(option) => self.options.push(option),
            Element::Degrees(degrees) => self.degrees.push(degrees),
            Element::Dice(dice) => self.dice.push(dice),
            Element::Toughness(toughness) => self.toughness.push(toughness),
            Element::Resistance(resistance) => self.resistances.push(resistance),
            Element::Attribute(attribute) => self.attributes.push(attribute),
        }
    }

    /// Sets the options of the items whose predicates hold, in written order: an option may depend
    /// on one that was set before it.
    pub fn set_options(&self, options: &mut Options) {
        for element in &self.options {
            if element.predicate.holds(options) {
                options.set(element.option.as_str());
            }
        }
    }

    /// Whether any element depends on an option.
    pub fn mention(&self, option: &str) -> bool {
        let modifiers = self.modifiers.iter().map(|one| &one.predicate);
        let all = modifiers
            .chain(self.options.iter().map(|one| &one.predicate))
            .chain(self.degrees.iter().map(|one| &one.predicate))
            .chain(self.dice.iter().map(|one| &one.predicate))
            .chain(self.toughness.iter().map(|one| &one.predicate))
            .chain(self.resistances.iter().map(|one| &one.predicate));
        let mut all = all.chain(self.attributes.iter().map(|one| &one.predicate));
        all.any(|predicate| predicate.mentions(option))
    }

    /// Switches the modifiers of these labels that the user may switch.
    ///
    /// # Errors
    /// A label that no such modifier has.
    pub fn toggle<'l>(&mut self, labels: impl IntoIterator<Item = &'l str>) -> Result<(), &'l str> {
        for label in labels {
            let all = self.modifiers.iter_mut();
            let mut found = false;
            for modifier in all.filter(|modifier| modifier.toggleable && modifier.label == label) {
                modifier.enabled = !modifier.enabled;
                found = true;
            }
            if !found {
                return Err(label);
            }
        }
        Ok(())
    }

    /// What the modifiers of a roll come to.
    pub fn resolve(&self, asked: Asked<'_>, options: &Options) -> Resolved {
        resolve(&self.modifiers, asked, options)
    }
}
