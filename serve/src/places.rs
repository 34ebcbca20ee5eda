//! The addresses elsewhere that the page links to: it reads them from `places.json`. The file in
//! `page/` has none; whoever hosts the page without a server writes them into it.

use thiserror::Error;

/// Addresses that the page links to, each with `http://` or `https://`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    page: Option<String>,
    documents: Option<String>,
}

/// A text that is not an address of the web.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is not an address of the web, without `#`")]
pub struct NoPlace(String);

impl Places {
    /// The page without a server, to which links for others lead, and the documents.
    ///
    /// # Errors
    /// The first of them that is not an address.
    pub fn new(page: Option<String>, documents: Option<String>) -> Result<Self, NoPlace> {
        for place in [&page, &documents].into_iter().flatten() {
            if !is_address(place) {
                return Err(NoPlace(place.clone()));
            }
        }
        Ok(Self { page, documents })
    }

    /// The document that the page reads. Nothing in an address has to be escaped.
    pub(crate) fn document(&self) -> String {
        let members = [("page", &self.page), ("documents", &self.documents)];
        let members = members
            .into_iter()
            .filter_map(|(name, place)| Some(format!("\"{name}\":\"{}\"", place.as_ref()?)));
        format!("{{{}}}", members.collect::<Vec<_>>().join(","))
    }
}

/// Whether a text is an address to which a fragment can be added, and that JSON has as it is.
fn is_address(text: &str) -> bool {
    let rest = ["https://", "http://"]
        .into_iter()
        .find_map(|scheme| text.strip_prefix(scheme));
    let is_plain = |c: char| c.is_ascii_graphic() && !"\"\\<>`#".contains(c);
    rest.is_some_and(|rest| !rest.is_empty() && rest.chars().all(is_plain))
}

#[cfg(test)]
mod tests {
    use super::Places;

    #[test]
    fn addresses_are_written_as_they_are() {
        let given = |text: &str| Some(text.to_owned());
        let places = Places::new(given("https://a.example/dice/"), None).expect("an address");
        assert_eq!(places.document(), r#"{"page":"https://a.example/dice/"}"#);
        let both = Places::new(given("https://a.example/"), given("http://b.example/book"));
        assert_eq!(
            both.expect("addresses").document(),
            r#"{"page":"https://a.example/","documents":"http://b.example/book"}"#
        );
        assert_eq!(Places::default().document(), "{}");
    }

    #[test]
    fn other_texts_are_none() {
        for text in [
            "",
            "a.example",
            "https://",
            "javascript:alert(1)",
            "https://a/\"b",
            "https://a/#x",
            "https://a b",
        ] {
            assert!(Places::new(None, Some(text.to_owned())).is_err(), "{text}");
        }
    }
}
