//! Filtering, sorting and counting the list of all skills. Pure.
//!
//! The summaries of all skills are in memory. What only cards show is read for one page at a time; usage of runs is read for all skills, since
//! the list can be sorted by it.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use inklings_core::{Lifecycle, Origin, SkillId, SkillSummary, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Values of a facet; the selected ones come first.
const MAX_FACET_VALUES: usize = 300;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ownership {
    /// Built-in and third-party skills, which are locked.
    BuiltIn,
    Yours,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LibrarySort {
    /// By title, with numbers in numeric order.
    #[default]
    Name,
    Slug,
    /// Last changed first.
    Changed,
    /// Last used first.
    Used,
    /// By cost of the last 30 days, highest first.
    Cost,
    /// Largest first.
    Size,
}

/// A skill matches if it meets every condition: for categories and lifecycles one of the values, for tags all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LibraryQuery {
    /// Words that all occur in the title, slug, description or a tag.
    pub text: String,
    pub ownership: Option<Ownership>,
    pub origin: Option<Origin>,
    pub enabled: Option<bool>,
    /// Empty for any.
    pub lifecycles: Vec<Lifecycle>,
    /// Empty for any.
    pub categories: Vec<String>,
    pub tags: Vec<String>,
    /// Include the account's skills that the workspace overrides.
    pub hidden: bool,
    pub sort: LibrarySort,
    /// Reverse the order.
    pub reverse: bool,
}

/// Number of skills that match with one more filter value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LibraryCount {
    pub value: String,
    pub count: usize,
}

/// Numbers of matching skills by value, each with the conditions of the other facets.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LibraryFacets {
    /// `built_in`, `yours`.
    pub ownerships: Vec<LibraryCount>,
    /// `human`, `llm`.
    pub origins: Vec<LibraryCount>,
    /// `on`, `off`.
    pub switches: Vec<LibraryCount>,
    /// In the order of the lifecycle.
    pub lifecycles: Vec<LibraryCount>,
    /// Most frequent first.
    pub categories: Vec<LibraryCount>,
    /// Most frequent first, among the skills that match all conditions.
    pub tags: Vec<LibraryCount>,
    /// Number of the account's skills that the workspace overrides, whether or not they are included.
    pub hidden: usize,
}

/// Sort keys beside the summary.
#[derive(Debug, Default)]
pub(crate) struct Weights {
    pub(crate) last_used: HashMap<SkillId, Time>,
    pub(crate) cost: HashMap<SkillId, f64>,
}

/// Conditions that a skill doesn't meet, as bits.
mod unmet {
    pub(super) const OWNERSHIP: u8 = 1;
    pub(super) const ORIGIN: u8 = 2;
    pub(super) const SWITCH: u8 = 4;
    pub(super) const LIFECYCLE: u8 = 8;
    pub(super) const CATEGORY: u8 = 16;
    pub(super) const TAG: u8 = 32;
}

/// Indices of the matching skills in `all`, unsorted, and the counts.
pub(crate) fn filter(all: &[SkillSummary], query: &LibraryQuery) -> (Vec<usize>, LibraryFacets) {
    let terms = SearchTerms::parse(&query.text);
    let wanted_tags: HashSet<String> = query.tags.iter().map(|tag| tag.to_lowercase()).collect();
    let mut matching = Vec::new();
    let mut facets = LibraryFacets::default();
    let mut ownerships = [0; 2];
    let mut origins = [0; 2];
    let mut switches = [0; 2];
    let mut lifecycles = [0; LIFECYCLES.len()];
    let (mut categories, mut tags): (HashMap<&str, usize>, HashMap<&str, usize>) = (HashMap::new(), HashMap::new());
    for (index, skill) in all.iter().enumerate() {
        if !terms.match_skill(skill) {
            continue;
        }
        facets.hidden += usize::from(skill.shadowed);
        if skill.shadowed && !query.hidden {
            continue;
        }
        let ownership = if skill.locked { Ownership::BuiltIn } else { Ownership::Yours };
        let unmet_conditions = [
            (query.ownership.is_some_and(|wanted| wanted != ownership), unmet::OWNERSHIP),
            (query.origin.is_some_and(|wanted| wanted != skill.origin), unmet::ORIGIN),
            (query.enabled.is_some_and(|wanted| wanted != skill.enabled), unmet::SWITCH),
            (!query.lifecycles.is_empty() && !query.lifecycles.contains(&skill.lifecycle), unmet::LIFECYCLE),
            (!query.categories.is_empty() && !query.categories.contains(&skill.category), unmet::CATEGORY),
            (!has_tags(skill, &wanted_tags), unmet::TAG),
        ];
        let unmet = unmet_conditions.iter().filter(|(is_unmet, _)| *is_unmet).fold(0, |bits, (_, bit)| bits | bit);
        let matches_without = |bit: u8| unmet & !bit == 0;
        if matches_without(0) {
            matching.push(index);
        }
        ownerships[usize::from(ownership == Ownership::Yours)] += usize::from(matches_without(unmet::OWNERSHIP));
        origins[usize::from(skill.origin == Origin::Llm)] += usize::from(matches_without(unmet::ORIGIN));
        switches[usize::from(!skill.enabled)] += usize::from(matches_without(unmet::SWITCH));
        if matches_without(unmet::LIFECYCLE)
            && let Some(at) = LIFECYCLES.iter().position(|one| *one == skill.lifecycle)
        {
            lifecycles[at] += 1;
        }
        if matches_without(unmet::CATEGORY) {
            *categories.entry(&skill.category).or_default() += 1;
        }
        // Selected tags must all match, so each tag counts within the others.
        if matches_without(0) {
            for tag in &skill.tags {
                *tags.entry(tag).or_default() += 1;
            }
        }
    }
    let named = |names: &[&str], counts: &[usize]| {
        names.iter().zip(counts).map(|(name, count)| LibraryCount { value: (*name).to_owned(), count: *count }).collect()
    };
    facets.ownerships = named(&["built_in", "yours"], &ownerships);
    facets.origins = named(&["human", "llm"], &origins);
    facets.switches = named(&["on", "off"], &switches);
    facets.lifecycles = named(&LIFECYCLES.map(Lifecycle::as_str), &lifecycles);
    facets.categories = most_frequent(categories, &query.categories);
    facets.tags = most_frequent(tags, &query.tags);
    (matching, facets)
}

const LIFECYCLES: [Lifecycle; 6] =
    [Lifecycle::Candidate, Lifecycle::Verified, Lifecycle::Released, Lifecycle::Degraded, Lifecycle::Deprecated, Lifecycle::Archived];

fn has_tags(skill: &SkillSummary, wanted: &HashSet<String>) -> bool {
    wanted.is_empty() || wanted.iter().all(|tag| skill.tags.iter().any(|one| one.to_lowercase() == *tag))
}

/// The most frequent values and all selected ones, so that they can be deselected.
fn most_frequent(counts: HashMap<&str, usize>, selected: &[String]) -> Vec<LibraryCount> {
    let mut all: Vec<LibraryCount> = counts.into_iter().map(|(value, count)| LibraryCount { value: value.to_owned(), count }).collect();
    for value in selected {
        if !all.iter().any(|one| one.value == *value) {
            all.push(LibraryCount { value: value.clone(), count: 0 });
        }
    }
    all.sort_by(|a, b| {
        (!selected.contains(&a.value), Reverse(a.count), &a.value).cmp(&(!selected.contains(&b.value), Reverse(b.count), &b.value))
    });
    all.truncate(MAX_FACET_VALUES.max(selected.len()));
    all
}

/// Sorts the matching skills. Sorted by name, those whose name has the search terms come first.
pub(crate) fn sort(all: &[SkillSummary], matching: &mut [usize], query: &LibraryQuery, weights: &Weights) {
    let terms = SearchTerms::parse(&query.text);
    let name = |index: usize| natural_key(&all[index].name);
    let scope = |index: usize| Reverse(all[index].scope);
    match query.sort {
        LibrarySort::Name => matching.sort_by_cached_key(|&at| (!terms.match_name(&all[at]), name(at), &all[at].slug, scope(at))),
        LibrarySort::Slug => matching.sort_by(|&a, &b| (&all[a].slug, scope(a)).cmp(&(&all[b].slug, scope(b)))),
        LibrarySort::Changed => matching.sort_by_cached_key(|&at| (Reverse(all[at].updated_at), name(at), scope(at))),
        LibrarySort::Used => matching.sort_by_cached_key(|&at| (Reverse(weights.last_used.get(&all[at].id).copied()), name(at), scope(at))),
        LibrarySort::Cost => {
            let cost = |at: usize| weights.cost.get(&all[at].id).copied().unwrap_or_default();
            matching.sort_by_cached_key(|&at| (name(at), scope(at)));
            matching.sort_by(|&a, &b| cost(b).total_cmp(&cost(a)));
        }
        LibrarySort::Size => matching.sort_by_cached_key(|&at| (Reverse(all[at].bytes), name(at), scope(at))),
    }
    if query.reverse {
        matching.reverse();
    }
}

/// The next skill whose title begins with `prefix`, after the one at `after` and wrapping around.
pub(crate) fn seek(all: &[SkillSummary], matching: &[usize], prefix: &str, after: Option<usize>) -> Option<usize> {
    let prefix = prefix.to_lowercase();
    let start = after.map_or(0, |index| index.saturating_add(1)).min(matching.len());
    let is_match = |index: &usize| all[matching[*index]].name.to_lowercase().starts_with(&prefix);
    (start..matching.len()).find(is_match).or_else(|| (0..start).find(is_match))
}

/// The key of natural sort order: case-insensitive, numbers by value.
fn natural_key(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut number = String::new();
    for ch in text.chars().flat_map(char::to_lowercase) {
        if ch.is_ascii_digit() {
            number.push(ch);
            continue;
        }
        push_number(&mut out, &mut number);
        out.push(ch);
    }
    push_number(&mut out, &mut number);
    out
}

/// Writes the number of digits first, so that longer numbers sort later.
fn push_number(out: &mut String, number: &mut String) {
    if number.is_empty() {
        return;
    }
    let digits = number.trim_start_matches('0');
    out.push('0');
    out.push(char::from_u32(u32::from('0') + u32::try_from(digits.len()).unwrap_or(u32::from(u8::MAX))).unwrap_or('0'));
    out.push_str(digits);
    number.clear();
}

/// The words of a search, in lower case.
struct SearchTerms(Vec<String>);

impl SearchTerms {
    fn parse(text: &str) -> Self {
        Self(text.split_whitespace().map(str::to_lowercase).collect())
    }

    fn match_skill(&self, skill: &SkillSummary) -> bool {
        if self.0.is_empty() {
            return true;
        }
        let fields = [skill.name.to_lowercase(), skill.description.to_lowercase(), skill.tags.join("\n").to_lowercase()];
        self.0.iter().all(|word| skill.slug.as_str().contains(word) || fields.iter().any(|field| field.contains(word)))
    }

    /// Whether all words are in the name or the slug.
    fn match_name(&self, skill: &SkillSummary) -> bool {
        self.0.is_empty() || {
            let name = skill.name.to_lowercase();
            self.0.iter().all(|word| name.contains(word) || skill.slug.as_str().contains(word))
        }
    }
}

#[cfg(test)]
mod tests {
    use inklings_core::{Scope, Slug, Source};

    use super::*;

    fn skill(number: u128, name: &str, change: impl FnOnce(&mut SkillSummary)) -> SkillSummary {
        let mut skill = SkillSummary {
            id: SkillId::new(uuid::Uuid::from_u128(number)),
            scope: Scope::Account,
            slug: Slug::of_name(name),
            name: name.to_owned(),
            description: format!("What {name} does."),
            version: "1.0.0".to_owned(),
            tags: Vec::new(),
            category: "general".to_owned(),
            source: Source::User,
            origin: Origin::Human,
            lifecycle: Lifecycle::Released,
            trust_tier: 3,
            enabled: true,
            user_invocable: true,
            revision: 1,
            author: None,
            created_at: Time::from_millis(0),
            updated_at: Time::from_millis(0),
            locked: false,
            shadows: false,
            shadowed: false,
            collides_with: None,
            kinds: Vec::new(),
            files: 1,
            bytes: 100,
        };
        change(&mut skill);
        skill
    }

    fn library() -> Vec<SkillSummary> {
        vec![
            skill(1, "Part 10", |one| one.tags = vec!["Draft".to_owned(), "law".to_owned()]),
            skill(2, "part 9", |one| {
                (one.locked, one.source, one.lifecycle) = (true, Source::System, Lifecycle::Verified);
                one.tags = vec!["law".to_owned()];
                one.bytes = 5;
            }),
            skill(3, "Ärger", |one| {
                (one.origin, one.lifecycle, one.enabled) = (Origin::Llm, Lifecycle::Candidate, false);
                one.category = "mood".to_owned();
                one.description = "Finds the parts that are angry.".to_owned();
                one.updated_at = Time::from_millis(7);
            }),
            skill(4, "Hidden", |one| one.shadowed = true),
        ]
    }

    fn names(all: &[SkillSummary], query: &LibraryQuery) -> Vec<String> {
        let (mut matching, _) = filter(all, query);
        sort(all, &mut matching, query, &Weights::default());
        matching.into_iter().map(|at| all[at].name.clone()).collect()
    }

    fn with(change: impl FnOnce(&mut LibraryQuery)) -> LibraryQuery {
        let mut query = LibraryQuery::default();
        change(&mut query);
        query
    }

    fn count(all: &[LibraryCount], value: &str) -> usize {
        all.iter().find(|one| one.value == value).map_or(0, |one| one.count)
    }

    #[test]
    fn conditions_of_different_kinds_hold_together() {
        let all = library();
        assert_eq!(names(&all, &LibraryQuery::default()), ["part 9", "Part 10", "Ärger"]);
        assert_eq!(names(&all, &with(|query| query.hidden = true)).len(), 4);
        assert_eq!(names(&all, &with(|query| query.ownership = Some(Ownership::BuiltIn))), ["part 9"]);
        assert_eq!(names(&all, &with(|query| query.tags = vec!["LAW".to_owned()])), ["part 9", "Part 10"]);
        let both = with(|query| query.tags = vec!["law".to_owned(), "draft".to_owned()]);
        assert_eq!(names(&all, &both), ["Part 10"]);
        let either = with(|query| query.lifecycles = vec![Lifecycle::Verified, Lifecycle::Candidate]);
        assert_eq!(names(&all, &either), ["part 9", "Ärger"]);
        let none = with(|query| (query.ownership, query.origin) = (Some(Ownership::BuiltIn), Some(Origin::Llm)));
        assert!(names(&all, &none).is_empty());
        assert_eq!(names(&all, &with(|query| query.enabled = Some(false))), ["Ärger"]);
    }

    #[test]
    fn words_are_searched_everywhere_and_names_come_first() {
        let all = library();
        assert_eq!(names(&all, &with(|query| query.text = "PART".to_owned())), ["part 9", "Part 10", "Ärger"]);
        assert_eq!(names(&all, &with(|query| query.text = "part law draft".to_owned())), ["Part 10"]);
        assert_eq!(names(&all, &with(|query| query.text = "ärg".to_owned())), ["Ärger"]);
        assert!(names(&all, &with(|query| query.text = "part nothing".to_owned())).is_empty());
    }

    #[test]
    fn counts_say_what_one_more_filter_leaves() {
        let all = library();
        let (_, facets) = filter(&all, &LibraryQuery::default());
        assert_eq!((count(&facets.ownerships, "built_in"), count(&facets.ownerships, "yours"), facets.hidden), (1, 2, 1));
        assert_eq!((count(&facets.tags, "law"), count(&facets.tags, "Draft")), (2, 1));
        assert_eq!(facets.lifecycles.iter().map(|one| one.count).collect::<Vec<_>>(), [1, 1, 1, 0, 0, 0]);
        // A condition doesn't change the counts of its own facet, only of the others.
        let query = with(|query| (query.ownership, query.categories) = (Some(Ownership::BuiltIn), vec!["deleted".to_owned()]));
        let (matching, facets) = filter(&all, &query);
        assert!(matching.is_empty());
        assert_eq!((count(&facets.ownerships, "built_in"), count(&facets.categories, "general")), (0, 1));
        assert_eq!(facets.categories[0], LibraryCount { value: "deleted".to_owned(), count: 0 });
        let (_, facets) = filter(&all, &with(|query| query.ownership = Some(Ownership::BuiltIn)));
        assert_eq!((count(&facets.ownerships, "yours"), count(&facets.origins, "llm"), count(&facets.origins, "human")), (2, 0, 1));
    }

    #[test]
    fn orders_are_total_and_can_be_reversed() {
        let all = library();
        let sorted = |sort: LibrarySort, reverse: bool| names(&all, &with(|query| (query.sort, query.reverse) = (sort, reverse)));
        assert_eq!(sorted(LibrarySort::Changed, false)[0], "Ärger");
        assert_eq!(sorted(LibrarySort::Size, true)[0], "part 9");
        assert_eq!(sorted(LibrarySort::Name, true), ["Ärger", "Part 10", "part 9"]);
        assert_eq!(sorted(LibrarySort::Slug, false), ["Ärger", "Part 10", "part 9"]);
        let query = with(|query| query.sort = LibrarySort::Cost);
        let (mut matching, _) = filter(&all, &query);
        let weights = Weights {
            cost: HashMap::from([(all[2].id, 0.5), (all[0].id, 2.0)]),
            last_used: HashMap::from([(all[1].id, Time::from_millis(1))]),
        };
        sort(&all, &mut matching, &query, &weights);
        assert_eq!(matching, [0, 2, 1]);
        sort(&all, &mut matching, &with(|query| query.sort = LibrarySort::Used), &weights);
        assert_eq!(matching[0], 1);
    }

    #[test]
    fn seeking_goes_to_the_next_title_and_wraps_around() {
        let all = library();
        let matching = [1, 0, 2];
        assert_eq!(seek(&all, &matching, "PART", None), Some(0));
        assert_eq!(seek(&all, &matching, "part", Some(0)), Some(1));
        assert_eq!(seek(&all, &matching, "part", Some(1)), Some(0));
        assert_eq!(seek(&all, &matching, "ä", Some(2)), Some(2));
        assert_eq!(seek(&all, &matching, "x", Some(9)), None);
        assert_eq!(seek(&all, &matching, "part", Some(usize::MAX)), Some(0));
    }

    #[test]
    fn numbers_sort_by_value() {
        let mut all = ["a10", "a9", "a", "a 1", "a007", "b", "a99999999999999999999"];
        all.sort_by_key(|one| natural_key(one));
        assert_eq!(all, ["a", "a 1", "a007", "a9", "a10", "a99999999999999999999", "b"]);
    }
}
