//! Several registries. A skill comes from the first registry that has it, so that a registry of lower priority can't replace it.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use inklings_core::Slug;
use schemars::JsonSchema;

use super::Catalog;
use crate::format::{IndexLine, RegistryId};
use crate::text::serde_as_text;

/// Text form is `<registry>/<slug>`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema)]
#[schemars(with = "String", inline)]
pub struct MarketplaceId {
    pub registry: RegistryId,
    pub slug: Slug,
}

impl MarketplaceId {
    /// `line` is one of the offer's versions.
    #[must_use]
    pub fn of(offer: &Offer<'_>, line: &IndexLine) -> Self {
        Self { registry: offer.catalog.registry().clone(), slug: line.entry.slug.clone() }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} isn't a marketplace ID: expected <registry>/<name>")]
pub struct ParseMarketplaceIdError(String);

impl fmt::Display for MarketplaceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.registry, self.slug)
    }
}

impl FromStr for MarketplaceId {
    type Err = ParseMarketplaceIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parsed = text.split_once('/').and_then(|(registry, slug)| Some((registry.parse().ok()?, Slug::parse(slug).ok()?)));
        parsed.map(|(registry, slug)| Self { registry, slug }).ok_or_else(|| ParseMarketplaceIdError(text.chars().take(150).collect()))
    }
}

serde_as_text!(MarketplaceId);

/// A skill of a registry.
#[derive(Debug, Clone, Copy)]
pub struct Offer<'a> {
    pub catalog: &'a Catalog,
    /// Oldest first.
    pub versions: &'a [IndexLine],
    /// A registry of higher priority that has a skill of this name.
    pub hidden_by: Option<&'a RegistryId>,
}

/// Catalogs, those with the highest priority first.
#[derive(Debug, Clone, Default)]
pub struct Catalogs(Vec<Arc<Catalog>>);

impl Catalogs {
    /// Of equal priorities, the first in the list wins. A second catalog of the same registry is ignored.
    #[must_use]
    pub fn new(mut catalogs: Vec<(i32, Arc<Catalog>)>) -> Self {
        catalogs.sort_by_key(|(priority, _)| std::cmp::Reverse(*priority));
        let mut unique: Vec<Arc<Catalog>> = Vec::new();
        for (_, catalog) in catalogs {
            if unique.iter().all(|known| known.registry() != catalog.registry()) {
                unique.push(catalog);
            }
        }
        Self(unique)
    }

    /// The skill of the registry with the highest priority, even if all of its versions are yanked or revoked.
    #[must_use]
    pub fn find(&self, slug: &Slug) -> Option<Offer<'_>> {
        self.0.iter().find_map(|catalog| {
            let versions = catalog.versions(slug);
            (!versions.is_empty()).then_some(Offer { catalog, versions, hidden_by: None })
        })
    }

    #[must_use]
    pub fn get(&self, id: &MarketplaceId) -> Option<Offer<'_>> {
        let catalog = self.0.iter().find(|catalog| *catalog.registry() == id.registry)?;
        let versions = catalog.versions(&id.slug);
        let first = self.find(&id.slug)?.catalog.registry();
        (!versions.is_empty()).then_some(Offer { catalog, versions, hidden_by: (*first != id.registry).then_some(first) })
    }

    /// All skills of all registries, by slug, then by priority.
    #[must_use]
    pub fn offers(&self) -> Vec<Offer<'_>> {
        let mut by_slug: BTreeMap<&Slug, Vec<Offer<'_>>> = BTreeMap::new();
        for catalog in &self.0 {
            for versions in catalog.skills() {
                let Some(line) = versions.first() else { continue };
                let offers = by_slug.entry(&line.entry.slug).or_default();
                let hidden_by = offers.first().map(|offer| offer.catalog.registry());
                offers.push(Offer { catalog, versions, hidden_by });
            }
        }
        by_slug.into_values().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_read_back() {
        let id: MarketplaceId = "skills.example/link-auditor".parse().unwrap();
        assert_eq!((id.registry.as_str(), id.slug.as_str()), ("skills.example", "link-auditor"));
        assert_eq!(id.to_string(), "skills.example/link-auditor");
        for bad in ["", "a", "a/", "/a", "a/b/c", "A/b", "a/B"] {
            assert!(bad.parse::<MarketplaceId>().is_err(), "{bad}");
        }
    }
}
