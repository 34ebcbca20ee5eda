//! The combined effects of all items of an actor: the modifiers, options and adjustments that rolls
//! look up (seed 003, "Synthetics Registry").

use super::element::{
    AttributeOverride, DegreeAdjustment, DiceOverride, Element, Item, OptionElement, Resistance,
    ToughnessAdjustment, read_element, read_modifier,
};
use super::json::{At, Notes, Wrong, instead};
use super::members::note_rules;
use super::modifier::{Asked, Domain, Modifier, Resolved, resolve};
use super::predicate::{Options, Predicate};
use dicec_lang::syntax::nearest;
use serde_json::Value;

/// The form of items, as advice.
const ITEMS: &str = "an item is `{\"name\": \"Scope\", \"rules\": [...]}`, a modifier \
                     `{\"label\": \"Aim\", \"value\": 10}`";

/// The effects of an actor's items, in the order of the items.
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
    /// A value of another form, or an invalid element.
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
            _ => Err(json
                .wrong("is not a list of items or modifiers")
                .help(ITEMS)),
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
                rating: rating.map(|rating| rating.whole()).transpose()?,
            };
            if !rules.value().is_array() {
                let help = "write `[{\"key\": \"FlatModifier\", ...}]`";
                return Err(rules.wrong("is not a list of rule elements").help(help));
            }
            return rules
                .elements()
                .try_for_each(|rule| self.add_rule(&rule, item, notes));
        }
        if json.member("key").is_some() {
            let name = json
                .member("label")
                .map_or(Ok("item"), |label| label.text())?;
            return self.add_rule(json, Item { name, rating: None }, notes);
        }
        if json.member("value").is_some() {
            self.modifiers.push(read_modifier(json, notes)?);
            return Ok(());
        }
        match json.member("name") {
            // Most possessions do nothing.
            Some(_) => {
                note_rules(json, notes);
                Ok(())
            }
            None => Err(json
                .wrong("is not an item with `rules`, nor a modifier with a `value`")
                .help(ITEMS)),
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
        self.predicates()
            .any(|predicate| predicate.mentions(option))
    }

    /// The predicates of all elements.
    fn predicates(&self) -> impl Iterator<Item = &Predicate> {
        let modifiers = self.modifiers.iter().map(|one| &one.predicate);
        modifiers
            .chain(self.options.iter().map(|one| &one.predicate))
            .chain(self.degrees.iter().map(|one| &one.predicate))
            .chain(self.dice.iter().map(|one| &one.predicate))
            .chain(self.toughness.iter().map(|one| &one.predicate))
            .chain(self.resistances.iter().map(|one| &one.predicate))
            .chain(self.attributes.iter().map(|one| &one.predicate))
    }

    /// Notes an option at a path that nothing tests, if its name is almost that of one that is
    /// tested: it is probably a typo.
    pub fn note_option(&self, option: &str, path: &str, notes: &mut Notes) {
        if let Some(near) = self.near_option(option).filter(|_| !self.mention(option)) {
            notes.push(unasked(option, path).help(format!("did you mean `{near}`?")));
        }
    }

    /// Notes an option at a path that may change during play, if nothing tests it.
    pub(super) fn note_changing(&self, option: &str, path: &str, notes: &mut Notes) {
        if self.mention(option) {
            return;
        }
        notes.push(unasked(option, path).help(match self.near_option(option) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "leave it out".to_owned(),
        }));
    }

    /// The tested option with a name close to this one.
    fn near_option(&self, option: &str) -> Option<&str> {
        let asked: Vec<&str> = self.predicates().flat_map(Predicate::options).collect();
        // `self:aim` is an option of its own, whatever asks for `self:aim:full`.
        let refines = |near: &str| {
            near.strip_prefix(option)
                .is_some_and(|rest| rest.starts_with(':'))
        };
        nearest(option, asked).filter(|near| !refines(near))
    }

    /// The same of a domain that no modifier belongs to.
    pub fn note_domain(&self, domain: &str, path: &str, notes: &mut Notes) {
        let domains = self.modifiers.iter().filter_map(|one| one.domain.as_ref());
        let near = nearest(domain, domains.map(Domain::name));
        if let Some(near) = near.filter(|near| *near != domain) {
            let noted = Wrong::new(path, format!("is `{domain}`, which nothing belongs to"));
            notes.push(noted.help(format!("did you mean `{near}`?")));
        }
    }

    /// Whether any modifier is of this domain.
    pub(super) fn has_domain(&self, domain: &str) -> bool {
        let mut domains = self.modifiers.iter().filter_map(|one| one.domain.as_ref());
        domains.any(|one| one.name() == domain)
    }

    /// Switches the modifiers with these labels that users may switch.
    ///
    /// # Errors
    /// A label that no such modifier has, among the items at a path.
    pub fn toggle(&mut self, labels: &[String], path: &str) -> Result<(), Wrong> {
        for label in labels {
            let all = self.modifiers.iter_mut();
            let mut found = false;
            for modifier in all.filter(|modifier| modifier.toggleable && modifier.label == *label) {
                modifier.enabled = !modifier.enabled;
                found = true;
            }
            if !found {
                return Err(self.untoggled(label, path));
            }
        }
        Ok(())
    }

    /// No modifier of this label may be switched.
    fn untoggled(&self, label: &str, path: &str) -> Wrong {
        let all = self.modifiers.iter();
        let known = all.clone().filter(|modifier| modifier.toggleable);
        let known: Vec<&str> = known.map(|modifier| modifier.label.as_str()).collect();
        let help = match all.clone().any(|modifier| modifier.label == label) {
            true => "add `\"toggleable\": true` to it".to_owned(),
            false => instead(label, known),
        };
        let what = format!("has no modifier `{label}` that may be switched");
        Wrong::new(path, what).help(help)
    }

    /// The resolved modifiers of a roll.
    pub fn resolve(&self, asked: Asked<'_>, options: &Options) -> Resolved {
        resolve(&self.modifiers, asked, options)
    }
}

fn unasked(option: &str, path: &str) -> Wrong {
    Wrong::new(path, format!("is `{option}`, which nothing asks for"))
}
