//! The builder with which every front end makes a [`Module`]: it interns names.

use super::{Module, Offers, OptionId, ResourceUse, Roll, Slot, StatId};
use dicec_runtime::resource::ResourceName;
use dicec_runtime::span::Span;
use rustc_hash::FxHashMap;

/// A module that is being built.
#[derive(Debug, Default)]
pub struct Builder {
    /// The module so far.
    pub module: Module,
    resources: FxHashMap<ResourceName, Slot>,
    field_names: FxHashMap<String, u32>,
    options: FxHashMap<String, OptionId>,
    stats: FxHashMap<String, StatId>,
}

// A text below 4 GiB has fewer names than there are indices.
impl Builder {
    /// A resource's index; the same name always has the same one.
    pub fn resource(&mut self, name: &ResourceName, span: Span) -> Slot {
        let next = Slot(self.module.resources.len() as u32);
        let slot = *self.resources.entry(name.clone()).or_insert(next);
        if slot == next {
            let name = name.clone();
            self.module.resources.push(ResourceUse { name, span });
        }
        slot
    }

    /// The index of a field's name, which represents the field until its record is known: see
    /// [`Module::field_names`].
    pub fn field_name(&mut self, name: &str) -> u32 {
        let next = self.module.field_names.len() as u32;
        let index = *self.field_names.entry(name.to_owned()).or_insert(next);
        if index == next {
            self.module.field_names.push(name.to_owned());
        }
        index
    }

    /// An option's index, by its text.
    pub fn option(&mut self, text: &str) -> OptionId {
        let next = OptionId(self.module.options.len() as u32);
        let option = *self.options.entry(text.to_owned()).or_insert(next);
        if option == next {
            self.module.options.push(text.to_owned());
            self.module.offers.push(Offers::YesNo);
        }
        option
    }

    /// The index of an option with a joined text, or with these answers. [`crate::check`] names it.
    pub fn unnamed_option(&mut self, offers: Offers) -> OptionId {
        let option = OptionId(self.module.options.len() as u32);
        self.module.options.push(String::new());
        self.module.offers.push(offers);
        option
    }

    /// A statistic's index, by its name.
    pub fn stat(&mut self, name: &str) -> StatId {
        let next = StatId(self.module.stats.len() as u32);
        let stat = *self.stats.entry(name.to_owned()).or_insert(next);
        if stat == next {
            self.module.stats.push(name.to_owned());
        }
        stat
    }

    /// The module of one rule.
    pub fn rule(self, roll: Roll) -> Module {
        Module::of_rule(self.module.resources, roll)
    }
}
