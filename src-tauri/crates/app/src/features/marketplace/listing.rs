//! The skills of all registries, and finding them.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use inklings_core::Slug;
use inklings_core::name::fold;
use inklings_registry::client::{Catalogs, MarketplaceId, Offer};
use inklings_registry::format::IndexLine;
use inklings_search::{IndexedSkill, Query, SkillIndex, SkillText};
use semver::Version;

use super::error::MarketplaceError;

/// Built once for each state of the registries.
pub(crate) struct Listing {
    pub(crate) catalogs: Catalogs,
    /// By name.
    rows: Vec<Row>,
    /// Of `rows`, made for the first search with words: syncs and lists don't need it.
    index: OnceLock<SkillIndex<usize>>,
    /// Of the app.
    client: Version,
}

struct Row {
    id: MarketplaceId,
    category: String,
    /// Case-folded name and title.
    names: String,
}

/// The version of a skill that represents it.
pub(crate) fn representative<'a>(offer: &Offer<'a>, client: &Version) -> Option<(&'a IndexLine, bool)> {
    let slug = &offer.versions.first()?.entry.slug;
    let latest = offer.catalog.latest(slug, client);
    latest.map(|line| (line, true)).or_else(|| Some((offer.versions.last()?, false)))
}

/// A page of a search.
pub(crate) struct Found {
    pub(crate) ids: Vec<MarketplaceId>,
    pub(crate) total: usize,
    pub(crate) categories: BTreeMap<String, usize>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Search<'a> {
    pub(crate) query: &'a str,
    pub(crate) category: Option<&'a str>,
    pub(crate) registry: Option<&'a str>,
    pub(crate) offset: usize,
    pub(crate) limit: usize,
}

impl Listing {
    pub(crate) fn new(catalogs: Catalogs, client: Version) -> Self {
        let row = |offer: Offer<'_>| {
            let (line, _) = representative(&offer, &client)?;
            let entry = &line.entry;
            Some(Row {
                id: MarketplaceId::of(&offer, line),
                category: entry.category.clone(),
                names: format!("{}\n{}", fold(entry.slug.as_str()), fold(&entry.title)),
            })
        };
        let rows = catalogs.offers().into_iter().filter_map(row).collect();
        Self { catalogs, rows, index: OnceLock::new(), client }
    }

    fn index(&self) -> &SkillIndex<usize> {
        self.index.get_or_init(|| {
            let mut index = SkillIndex::default();
            for (at, row) in self.rows.iter().enumerate() {
                let offer = self.catalogs.get(&row.id);
                let Some((IndexLine { entry, .. }, _)) = offer.and_then(|offer| representative(&offer, &self.client)) else { continue };
                let text = SkillText {
                    slug: entry.slug.to_string(),
                    name: entry.title.clone(),
                    description: entry.description.clone(),
                    tags: entry.tags.iter().cloned().collect(),
                    triggers: Vec::new(),
                    intent_patterns: Vec::new(),
                    when_not_to_use: None,
                    body: entry.category.clone(),
                };
                index.insert(at, IndexedSkill { text, vectors: None, quality: 1.0, excluded: None, conflicts: Vec::new() });
            }
            index
        })
    }

    /// The skill of an ID, or of a name in the registry with the highest priority.
    pub(crate) fn find(&self, id: &str) -> Result<Offer<'_>, MarketplaceError> {
        let offer = match id.parse::<MarketplaceId>() {
            Ok(id) => self.catalogs.get(&id),
            Err(_) => Slug::parse(id).ok().and_then(|slug| self.catalogs.find(&slug)),
        };
        offer.ok_or_else(|| MarketplaceError::NotFound(id.to_owned()))
    }

    /// A version of a skill, or the newest one that can be installed.
    pub(crate) fn version<'a>(&self, offer: &Offer<'a>, version: Option<&str>) -> Result<&'a IndexLine, MarketplaceError> {
        let slug = || offer.versions.first().map(|line| line.entry.slug.clone());
        let Some(slug) = slug() else { return Err(MarketplaceError::NotFound(String::new())) };
        let Some(version) = version else {
            return offer.catalog.latest(&slug, &self.client).ok_or(MarketplaceError::Unavailable(slug));
        };
        let parsed = Version::parse(version).ok();
        let line = offer.versions.iter().find(|line| Some(&line.entry.version) == parsed.as_ref());
        line.ok_or_else(|| MarketplaceError::NoVersion { slug, version: version.to_owned() })
    }

    /// Skills that fit the words, then those with a name that contains them. Without words, all by name.
    pub(crate) fn search(&self, search: Search<'_>) -> Found {
        let wanted = fold(search.query.trim());
        let mut order: Vec<usize> = Vec::new();
        if wanted.is_empty() {
            order.extend(0..self.rows.len());
        } else {
            let ranking = self.index().search(&Query::new(search.query, None), self.rows.len());
            order.extend(ranking.recommended.iter().map(|found| found.key));
            let mut is_found = vec![false; self.rows.len()];
            for at in &order {
                is_found[*at] = true;
            }
            order.extend((0..self.rows.len()).filter(|at| !is_found[*at] && self.rows[*at].names.contains(&wanted)));
        }
        let of_registry = |row: &Row| search.registry.is_none_or(|registry| row.id.registry.as_str() == registry);
        order.retain(|at| of_registry(&self.rows[*at]));
        let mut categories = BTreeMap::new();
        for at in &order {
            *categories.entry(self.rows[*at].category.clone()).or_default() += 1;
        }
        order.retain(|at| search.category.is_none_or(|category| self.rows[*at].category == category));
        let ids = order.iter().skip(search.offset).take(search.limit).map(|at| self.rows[*at].id.clone()).collect();
        Found { ids, total: order.len(), categories }
    }
}
