//! The texts of a module, their ids, and the sites that output lines.

use dicec_runtime::script::Site;
use indexmap::IndexSet;
use std::sync::Arc;

/// Texts and sites, each once.
#[derive(Debug)]
pub(super) struct TextTable {
    texts: IndexSet<String>,
    sites: IndexSet<Site>,
}

impl Default for TextTable {
    fn default() -> Self {
        Self {
            texts: IndexSet::new(),
            sites: IndexSet::from([Site::default()]),
        }
    }
}

impl TextTable {
    /// The id of a text.
    pub(super) fn id(&mut self, text: &str) -> i64 {
        let place = match self.texts.get_index_of(text) {
            Some(place) => place,
            None => self.texts.insert_full(text.to_owned()).0,
        };
        // There are no more of them than bytes of source.
        place as i64
    }

    /// The text of an id.
    pub(super) fn text(&self, id: i64) -> Option<&str> {
        let text = self.texts.get_index(usize::try_from(id).ok()?)?;
        Some(text)
    }

    /// The number of a site. That of lines that consist of one text is 0.
    pub(super) fn site(&mut self, site: Site) -> u32 {
        self.sites.insert_full(site).0 as u32
    }

    /// All texts, by their ids.
    pub(super) fn iter(&self) -> impl Iterator<Item = &String> {
        self.texts.iter()
    }

    pub(super) fn finish(self) -> (Arc<[String]>, Arc<[Site]>) {
        (
            self.texts.into_iter().collect(),
            self.sites.into_iter().collect(),
        )
    }
}
