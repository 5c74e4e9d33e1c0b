//! Choosing skills from the whole list: what fits, in which order, and how many each further choice would leave. Pure.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use inklings_core::{Lifecycle, Origin, SkillId, SkillSummary, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Values of one kind that are counted; those in use come first.
const VALUES: usize = 300;

/// By which door skills came, in two groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LibraryScope {
    /// System, community and imported skills: they are locked.
    Platform,
    /// The user's own.
    Team,
}

/// What a list is in order of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LibrarySort {
    /// The title; numbers in it by their value.
    #[default]
    Name,
    /// The slug.
    Slug,
    /// The time of the present revision, newest first.
    Changed,
    /// The time of the last run, newest first.
    Used,
    /// What the last 30 days cost, most first.
    Cost,
    /// Bytes of the folder, most first.
    Size,
}

/// Which skills, in which order. Conditions of different kinds all hold; of one kind, one of its values does, but all tags do.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LibraryQuery {
    /// Words; each stands in the title, slug, description or a tag.
    pub text: String,
    /// By which door they came.
    pub place: Option<LibraryScope>,
    /// Who wrote them.
    pub origin: Option<Origin>,
    /// Whether they are switched on.
    pub enabled: Option<bool>,
    /// Where they stand; anywhere when empty.
    pub lifecycles: Vec<Lifecycle>,
    /// Their category; any when empty.
    pub categories: Vec<String>,
    /// Tags that they have.
    pub tags: Vec<String>,
    /// Also the account's skills that the workspace hides.
    pub hidden: bool,
    /// The order.
    pub sort: LibrarySort,
    /// The other way round.
    pub reverse: bool,
}

/// How many skills one more choice would leave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LibraryCount {
    /// The choice.
    pub value: String,
    /// Skills that it leaves.
    pub count: usize,
}

/// How many skills each value leaves while the conditions of the other kinds hold.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LibraryFacets {
    /// `platform`, `team`.
    pub places: Vec<LibraryCount>,
    /// `human`, `llm`.
    pub origins: Vec<LibraryCount>,
    /// `on`, `off`.
    pub switches: Vec<LibraryCount>,
    /// In the order of a skill's life.
    pub lifecycles: Vec<LibraryCount>,
    /// Most frequent first.
    pub categories: Vec<LibraryCount>,
    /// Most frequent first; of what all other tags leave.
    pub tags: Vec<LibraryCount>,
    /// The account's skills that the workspace hides, whether they are asked for or not.
    pub hidden: usize,
}

/// What skills are put in order by beside their summary.
#[derive(Debug, Default)]
pub(crate) struct Weights {
    pub(crate) used: HashMap<SkillId, Time>,
    pub(crate) cost: HashMap<SkillId, f64>,
}

/// A condition that a skill misses, as a bit.
mod miss {
    pub(super) const PLACE: u8 = 1;
    pub(super) const ORIGIN: u8 = 2;
    pub(super) const SWITCH: u8 = 4;
    pub(super) const LIFECYCLE: u8 = 8;
    pub(super) const CATEGORY: u8 = 16;
    pub(super) const TAG: u8 = 32;
}

/// The chosen ones, by their place in `all`, in no order yet, and the counts.
pub(crate) fn choose(all: &[SkillSummary], query: &LibraryQuery) -> (Vec<usize>, LibraryFacets) {
    let words = Words::of(&query.text);
    let wanted_tags: HashSet<String> = query.tags.iter().map(|tag| tag.to_lowercase()).collect();
    let mut chosen = Vec::new();
    let mut facets = LibraryFacets::default();
    let mut places = [0; 2];
    let mut origins = [0; 2];
    let mut switches = [0; 2];
    let mut lifecycles = [0; LIFECYCLES.len()];
    let (mut categories, mut tags): (HashMap<&str, usize>, HashMap<&str, usize>) = (HashMap::new(), HashMap::new());
    for (index, skill) in all.iter().enumerate() {
        if !words.fit(skill) {
            continue;
        }
        facets.hidden += usize::from(skill.shadowed);
        if skill.shadowed && !query.hidden {
            continue;
        }
        let place = if skill.locked { LibraryScope::Platform } else { LibraryScope::Team };
        let missed = [
            (query.place.is_some_and(|wanted| wanted != place), miss::PLACE),
            (query.origin.is_some_and(|wanted| wanted != skill.origin), miss::ORIGIN),
            (query.enabled.is_some_and(|wanted| wanted != skill.enabled), miss::SWITCH),
            (!query.lifecycles.is_empty() && !query.lifecycles.contains(&skill.lifecycle), miss::LIFECYCLE),
            (!query.categories.is_empty() && !query.categories.contains(&skill.category), miss::CATEGORY),
            (!has_all(skill, &wanted_tags), miss::TAG),
        ];
        let missed = missed.iter().filter(|(missed, _)| *missed).fold(0, |bits, (_, bit)| bits | bit);
        let leaves = |bit: u8| missed & !bit == 0;
        if leaves(0) {
            chosen.push(index);
        }
        places[usize::from(place == LibraryScope::Team)] += usize::from(leaves(miss::PLACE));
        origins[usize::from(skill.origin == Origin::Llm)] += usize::from(leaves(miss::ORIGIN));
        switches[usize::from(!skill.enabled)] += usize::from(leaves(miss::SWITCH));
        if leaves(miss::LIFECYCLE)
            && let Some(at) = LIFECYCLES.iter().position(|one| *one == skill.lifecycle)
        {
            lifecycles[at] += 1;
        }
        if leaves(miss::CATEGORY) {
            *categories.entry(&skill.category).or_default() += 1;
        }
        // Tags narrow each other down, so what counts is what all chosen ones leave.
        if leaves(0) {
            for tag in &skill.tags {
                *tags.entry(tag).or_default() += 1;
            }
        }
    }
    let named = |names: &[&str], counts: &[usize]| {
        names.iter().zip(counts).map(|(name, count)| LibraryCount { value: (*name).to_owned(), count: *count }).collect()
    };
    facets.places = named(&["platform", "team"], &places);
    facets.origins = named(&["human", "llm"], &origins);
    facets.switches = named(&["on", "off"], &switches);
    facets.lifecycles = named(&LIFECYCLES.map(Lifecycle::as_str), &lifecycles);
    facets.categories = most(categories, &query.categories);
    facets.tags = most(tags, &query.tags);
    (chosen, facets)
}

const LIFECYCLES: [Lifecycle; 6] =
    [Lifecycle::Candidate, Lifecycle::Verified, Lifecycle::Released, Lifecycle::Degraded, Lifecycle::Deprecated, Lifecycle::Archived];

fn has_all(skill: &SkillSummary, wanted: &HashSet<String>) -> bool {
    wanted.is_empty() || wanted.iter().all(|tag| skill.tags.iter().any(|one| one.to_lowercase() == *tag))
}

/// The most frequent values; what is chosen is among them, so that it can be given up.
fn most(counts: HashMap<&str, usize>, chosen: &[String]) -> Vec<LibraryCount> {
    let mut all: Vec<LibraryCount> = counts.into_iter().map(|(value, count)| LibraryCount { value: value.to_owned(), count }).collect();
    for value in chosen {
        if !all.iter().any(|one| one.value == *value) {
            all.push(LibraryCount { value: value.clone(), count: 0 });
        }
    }
    all.sort_by(|a, b| {
        (!chosen.contains(&a.value), Reverse(a.count), &a.value).cmp(&(!chosen.contains(&b.value), Reverse(b.count), &b.value))
    });
    all.truncate(VALUES.max(chosen.len()));
    all
}

/// Puts the chosen ones in order. What was searched for in words comes first where it is in the name.
pub(crate) fn arrange(all: &[SkillSummary], chosen: &mut [usize], query: &LibraryQuery, weights: &Weights) {
    let words = Words::of(&query.text);
    let name = |index: usize| natural(&all[index].name);
    let scope = |index: usize| Reverse(all[index].scope);
    match query.sort {
        LibrarySort::Name => chosen.sort_by_cached_key(|&at| (!words.name(&all[at]), name(at), &all[at].slug, scope(at))),
        LibrarySort::Slug => chosen.sort_by(|&a, &b| (&all[a].slug, scope(a)).cmp(&(&all[b].slug, scope(b)))),
        LibrarySort::Changed => chosen.sort_by_cached_key(|&at| (Reverse(all[at].updated_at), name(at), scope(at))),
        LibrarySort::Used => chosen.sort_by_cached_key(|&at| (Reverse(weights.used.get(&all[at].id).copied()), name(at), scope(at))),
        LibrarySort::Cost => {
            let cost = |at: usize| weights.cost.get(&all[at].id).copied().unwrap_or_default();
            chosen.sort_by_cached_key(|&at| (name(at), scope(at)));
            chosen.sort_by(|&a, &b| cost(b).total_cmp(&cost(a)));
        }
        LibrarySort::Size => chosen.sort_by_cached_key(|&at| (Reverse(all[at].bytes), name(at), scope(at))),
    }
    if query.reverse {
        chosen.reverse();
    }
}

/// The next one whose title begins so, from `after` on and around.
pub(crate) fn seek(all: &[SkillSummary], chosen: &[usize], prefix: &str, after: Option<usize>) -> Option<usize> {
    let prefix = prefix.to_lowercase();
    let start = after.map_or(0, |index| index + 1);
    let fits = |place: &usize| all[chosen[*place]].name.to_lowercase().starts_with(&prefix);
    (start.min(chosen.len())..chosen.len()).find(fits).or_else(|| (0..start.min(chosen.len())).find(fits))
}

/// A text whose order is that of people: no difference of case, and numbers by their value.
fn natural(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut number = String::new();
    for ch in text.chars().flat_map(char::to_lowercase) {
        if ch.is_ascii_digit() {
            number.push(ch);
            continue;
        }
        put_number(&mut out, &mut number);
        out.push(ch);
    }
    put_number(&mut out, &mut number);
    out
}

/// The number of digits comes first, so that a longer number is a later one.
fn put_number(out: &mut String, number: &mut String) {
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
struct Words(Vec<String>);

impl Words {
    fn of(text: &str) -> Self {
        Self(text.split_whitespace().map(str::to_lowercase).collect())
    }

    fn fit(&self, skill: &SkillSummary) -> bool {
        if self.0.is_empty() {
            return true;
        }
        let fields = [skill.name.to_lowercase(), skill.description.to_lowercase(), skill.tags.join("\n").to_lowercase()];
        self.0.iter().all(|word| skill.slug.as_str().contains(word) || fields.iter().any(|field| field.contains(word)))
    }

    /// Whether the name alone is reason enough.
    fn name(&self, skill: &SkillSummary) -> bool {
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

    fn shelf() -> Vec<SkillSummary> {
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
        let (mut chosen, _) = choose(all, query);
        arrange(all, &mut chosen, query, &Weights::default());
        chosen.into_iter().map(|at| all[at].name.clone()).collect()
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
        let all = shelf();
        assert_eq!(names(&all, &LibraryQuery::default()), ["part 9", "Part 10", "Ärger"]);
        assert_eq!(names(&all, &with(|query| query.hidden = true)).len(), 4);
        assert_eq!(names(&all, &with(|query| query.place = Some(LibraryScope::Platform))), ["part 9"]);
        assert_eq!(names(&all, &with(|query| query.tags = vec!["LAW".to_owned()])), ["part 9", "Part 10"]);
        let both = with(|query| query.tags = vec!["law".to_owned(), "draft".to_owned()]);
        assert_eq!(names(&all, &both), ["Part 10"]);
        let either = with(|query| query.lifecycles = vec![Lifecycle::Verified, Lifecycle::Candidate]);
        assert_eq!(names(&all, &either), ["part 9", "Ärger"]);
        let none = with(|query| (query.place, query.origin) = (Some(LibraryScope::Platform), Some(Origin::Llm)));
        assert!(names(&all, &none).is_empty());
        assert_eq!(names(&all, &with(|query| query.enabled = Some(false))), ["Ärger"]);
    }

    #[test]
    fn words_are_looked_for_everywhere_and_the_name_comes_first() {
        let all = shelf();
        assert_eq!(names(&all, &with(|query| query.text = "PART".to_owned())), ["part 9", "Part 10", "Ärger"]);
        assert_eq!(names(&all, &with(|query| query.text = "part law draft".to_owned())), ["Part 10"]);
        assert_eq!(names(&all, &with(|query| query.text = "ärg".to_owned())), ["Ärger"]);
        assert!(names(&all, &with(|query| query.text = "part nothing".to_owned())).is_empty());
    }

    #[test]
    fn counts_say_what_one_more_choice_leaves() {
        let all = shelf();
        let (_, facets) = choose(&all, &LibraryQuery::default());
        assert_eq!((count(&facets.places, "platform"), count(&facets.places, "team"), facets.hidden), (1, 2, 1));
        assert_eq!((count(&facets.tags, "law"), count(&facets.tags, "Draft")), (2, 1));
        assert_eq!(facets.lifecycles.iter().map(|one| one.count).collect::<Vec<_>>(), [1, 1, 1, 0, 0, 0]);
        // A choice of one kind doesn't change the counts of its own kind, only of the others.
        let query = with(|query| (query.place, query.categories) = (Some(LibraryScope::Platform), vec!["gone".to_owned()]));
        let (chosen, facets) = choose(&all, &query);
        assert!(chosen.is_empty());
        assert_eq!((count(&facets.places, "platform"), count(&facets.categories, "general")), (0, 1));
        assert_eq!(facets.categories[0], LibraryCount { value: "gone".to_owned(), count: 0 });
        let (_, facets) = choose(&all, &with(|query| query.place = Some(LibraryScope::Platform)));
        assert_eq!((count(&facets.places, "team"), count(&facets.origins, "llm"), count(&facets.origins, "human")), (2, 0, 1));
    }

    #[test]
    fn orders_are_total_and_can_be_turned_round() {
        let all = shelf();
        let sorted = |sort: LibrarySort, reverse: bool| names(&all, &with(|query| (query.sort, query.reverse) = (sort, reverse)));
        assert_eq!(sorted(LibrarySort::Changed, false)[0], "Ärger");
        assert_eq!(sorted(LibrarySort::Size, true)[0], "part 9");
        assert_eq!(sorted(LibrarySort::Name, true), ["Ärger", "Part 10", "part 9"]);
        assert_eq!(sorted(LibrarySort::Slug, false), ["Ärger", "Part 10", "part 9"]);
        let query = with(|query| query.sort = LibrarySort::Cost);
        let (mut chosen, _) = choose(&all, &query);
        let weights =
            Weights { cost: HashMap::from([(all[2].id, 0.5), (all[0].id, 2.0)]), used: HashMap::from([(all[1].id, Time::from_millis(1))]) };
        arrange(&all, &mut chosen, &query, &weights);
        assert_eq!(chosen, [0, 2, 1]);
        arrange(&all, &mut chosen, &with(|query| query.sort = LibrarySort::Used), &weights);
        assert_eq!(chosen[0], 1);
    }

    #[test]
    fn typing_goes_to_the_next_title_and_around() {
        let all = shelf();
        let chosen = [1, 0, 2];
        assert_eq!(seek(&all, &chosen, "PART", None), Some(0));
        assert_eq!(seek(&all, &chosen, "part", Some(0)), Some(1));
        assert_eq!(seek(&all, &chosen, "part", Some(1)), Some(0));
        assert_eq!(seek(&all, &chosen, "ä", Some(2)), Some(2));
        assert_eq!(seek(&all, &chosen, "x", Some(9)), None);
    }

    #[test]
    fn numbers_are_in_order_of_their_value() {
        let mut all = ["a10", "a9", "a", "a 1", "a007", "b", "a99999999999999999999"];
        all.sort_by_key(|one| natural(one));
        assert_eq!(all, ["a", "a 1", "a007", "a9", "a10", "a99999999999999999999", "b"]);
    }
}
