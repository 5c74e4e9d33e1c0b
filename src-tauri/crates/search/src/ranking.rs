//! Scores, what is left out, and why.

use std::cmp::Ordering;
use std::hash::Hash;

use serde::{Deserialize, Serialize};

use crate::index::{Entry, NumberedQuery, SkillIndex};

/// Numbers of the score, tuned on the training half of `tests/retrieval`.
#[derive(Debug, Clone, Copy)]
pub struct Weights {
    /// Of the coverage of the message's terms, beside the cosine.
    pub coverage: f32,
    /// Of the coverage: above 1, few matched words count less.
    pub coverage_power: f32,
    /// Of what `when_not_to_use` fits better than the rest of the skill does.
    pub avoided: f32,
    /// A skill isn't for messages of whose terms at least this share is in `when_not_to_use` alone.
    pub avoided_share: f32,
    /// Least cosine at which a skill fits by its meaning alone.
    pub floor: f32,
    /// Least cosine at which an uncommon term of the message makes it fit.
    pub term_floor: f32,
    /// Share of the message's terms, if it has several, with which a skill fits whatever its cosine is.
    pub covered: f32,
    /// Terms that more than this share of the skills have are common.
    pub common_share: f32,
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            coverage: 0.3,
            coverage_power: 2.0,
            avoided: 0.3,
            avoided_share: 0.5,
            floor: 0.3,
            term_floor: 0.2,
            covered: 0.9,
            common_share: 0.1,
        }
    }
}

/// How a message fits a skill, before it is ranked.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Match {
    pub(crate) bm25: f32,
    /// Share of the message's terms that the skill has, weighted by their rarity.
    pub(crate) coverage: f32,
    pub(crate) has_uncommon: bool,
}

/// Why a skill isn't recommended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Exclusion {
    Disabled,
    Deprecated,
    Archived,
    /// A model wrote it, and it wasn't verified and didn't prove itself.
    Unproven,
    /// It must not be used with one that fits better.
    Conflict,
    /// The message asks for what `when_not_to_use` names.
    Avoided,
    /// Neither a word nor the meaning of the message shows that it fits.
    Weak,
    /// Others fit better.
    Rank,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Ranked<K> {
    pub key: K,
    pub score: f32,
    /// The name or trigger that the message contains.
    pub exact: Option<String>,
    /// `None` without vectors.
    pub cosine: Option<f32>,
    pub coverage: f32,
    /// Words of the message that the skill has, with any ending.
    pub terms: Vec<String>,
    /// What was subtracted since `when_not_to_use` fits.
    pub avoided: f32,
    pub quality: f32,
}

#[derive(Debug, Clone, PartialEq)]
pub struct RankedOut<K> {
    pub skill: Ranked<K>,
    pub why: Exclusion,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Ranking<K> {
    pub recommended: Vec<Ranked<K>>,
    /// The best of the others.
    pub left_out: Vec<RankedOut<K>>,
}

/// Equal scores on every machine.
const STEPS: f32 = 4096.0;
/// More than any other part of a score.
const EXACT: f32 = 2.0;
/// A BM25 score of this much counts as half of the best one.
const HALF_BM25: f32 = 8.0;

/// A skill whose score isn't known exactly yet.
#[derive(Clone, Copy)]
struct Candidate {
    slot: usize,
    /// The score without what is subtracted for `when_not_to_use`, which takes another vector.
    at_most: f32,
    cosine: Option<f32>,
    why: Option<Exclusion>,
}

struct Scored<'a, K> {
    entry: &'a Entry<K>,
    coverage: f32,
    score: f32,
    cosine: Option<f32>,
    avoided: f32,
    exact: Option<String>,
    why: Option<Exclusion>,
}

/// Candidates whose scores are computed at a time.
const BATCH: usize = 64;

pub(crate) fn rank<K: Clone + Eq + Hash>(index: &SkillIndex<K>, matches: &[Match], query: &NumberedQuery<'_>, limit: usize) -> Ranking<K> {
    let limit = limit.min(index.entries.len());
    let (fitting, others) = candidates(index, matches, query);
    let best = |candidates: Vec<Candidate>, count: usize| best(index, matches, query, candidates, count);
    let (mut fitting, mut others) = (best(fitting, 2 * limit), best(others, limit));
    others.extend(take_conflicting(&mut fitting));
    others.extend(fitting.split_off(limit.min(fitting.len())));
    keep_best(&mut others, limit);
    let left_out = |one: &Scored<'_, K>| RankedOut { skill: one.ranked(query), why: one.why.unwrap_or(Exclusion::Rank) };
    Ranking { recommended: fitting.iter().map(|one| one.ranked(query)).collect(), left_out: others.iter().map(left_out).collect() }
}

/// Removes skills that must not be used with one before them.
fn take_conflicting<'a, K>(fitting: &mut Vec<Scored<'a, K>>) -> Vec<Scored<'a, K>> {
    let conflict = |a: &Entry<K>, b: &Entry<K>| a.conflicts.contains(&b.slug) || b.conflicts.contains(&a.slug);
    let mut taken = Vec::new();
    let mut at = 0;
    while at < fitting.len() {
        if fitting[..at].iter().any(|better| conflict(better.entry, fitting[at].entry)) {
            taken.push(Scored { why: Some(Exclusion::Conflict), ..fitting.remove(at) });
        } else {
            at += 1;
        }
    }
    taken
}

/// The skills that fit, and the others. There may be a hundred thousand, so nothing is done for one that isn't needed to tell them apart.
fn candidates<K: Clone + Eq + Hash>(
    index: &SkillIndex<K>,
    matches: &[Match],
    query: &NumberedQuery<'_>,
) -> (Vec<Candidate>, Vec<Candidate>) {
    let weights = index.weights;
    let mut is_exact = vec![false; index.entries.len()];
    for slot in index.named(query.query) {
        is_exact[slot] = is_exact[slot] || index.entries[slot].as_ref().is_some_and(|entry| exact(entry, query).is_some());
    }
    let mut cosines = query.query.vector.as_ref().map(|vector| index.purposes.dots(vector));
    let (mut fitting, mut others) = (Vec::new(), Vec::new());
    for (slot, (entry, found)) in index.entries.iter().zip(matches).enumerate() {
        let cosine = cosines.as_mut().and_then(Iterator::next).flatten();
        let Some(entry) = entry else { continue };
        let fits = is_exact[slot]
            || cosine.is_some_and(|cosine| cosine >= weights.floor)
            || found.has_uncommon && cosine.is_none_or(|cosine| cosine >= weights.term_floor)
            || found.has_uncommon && found.coverage >= weights.covered && query.terms.len() > 1;
        let at_most = rounded(base(weights, found, cosine), entry.quality, is_exact[slot]);
        if at_most <= 0.0 {
            continue;
        }
        let is_avoided = || !is_exact[slot] && share_avoided(entry, query) >= weights.avoided_share;
        let why = entry.excluded.or_else(|| (!fits).then_some(Exclusion::Weak)).or_else(|| is_avoided().then_some(Exclusion::Avoided));
        let candidate = Candidate { slot, at_most, cosine, why };
        if why.is_none() { fitting.push(candidate) } else { others.push(candidate) }
    }
    (fitting, others)
}

/// The best candidates. Scores are computed from the most promising one on, until no other one can be better.
fn best<'a, K: Clone + Eq + Hash>(
    index: &'a SkillIndex<K>,
    matches: &[Match],
    query: &NumberedQuery<'_>,
    mut candidates: Vec<Candidate>,
    count: usize,
) -> Vec<Scored<'a, K>> {
    let mut found: Vec<Scored<'a, K>> = Vec::new();
    let mut batch = BATCH.max(2 * count);
    while !candidates.is_empty() {
        let taken = batch.min(candidates.len());
        if taken < candidates.len() {
            candidates.select_nth_unstable_by(taken, |a, b| b.at_most.total_cmp(&a.at_most));
        }
        let rest = candidates.split_off(taken);
        let scored =
            candidates.iter().filter_map(|one| Some(score(index, index.entries[one.slot].as_ref()?, &matches[one.slot], query, one)));
        found.extend(scored.filter(|one| one.score > 0.0));
        keep_best(&mut found, count);
        let next = rest.iter().map(|one| one.at_most).fold(0.0, f32::max);
        if found.len() == count && found.last().is_none_or(|last| last.score > next) {
            break;
        }
        candidates = rest;
        batch *= 4;
    }
    found
}

/// Sorts the best, and drops the others unsorted.
fn keep_best<K>(all: &mut Vec<Scored<'_, K>>, count: usize) {
    let order = |a: &Scored<'_, K>, b: &Scored<'_, K>| b.score.total_cmp(&a.score).then_with(|| a.entry.slug.cmp(&b.entry.slug));
    if all.len() > count {
        all.select_nth_unstable_by(count, order);
        all.truncate(count);
    }
    all.sort_unstable_by(order);
}

fn score<'a, K: Clone + Eq + Hash>(
    index: &SkillIndex<K>,
    entry: &'a Entry<K>,
    found: &Match,
    query: &NumberedQuery<'_>,
    candidate: &Candidate,
) -> Scored<'a, K> {
    let weights = index.weights;
    let Candidate { cosine, why, .. } = *candidate;
    let against =
        query.query.vector.as_ref().zip(entry.avoided.as_ref()).filter(|_| cosine.is_some()).map(|(query, avoided)| query.dot(avoided));
    let avoided = match against {
        Some(against) => weights.avoided * (against - cosine.unwrap_or_default()).max(0.0),
        None => weights.avoided * share_avoided(entry, query),
    };
    let exact = exact(entry, query);
    let score = rounded(base(weights, found, cosine) - avoided, entry.quality, exact.is_some());
    Scored { entry, coverage: found.coverage, score, cosine, avoided, exact, why }
}

fn base(weights: Weights, found: &Match, cosine: Option<f32>) -> f32 {
    cosine.map_or_else(
        || found.bm25 / (found.bm25 + HALF_BM25),
        |cosine| weights.coverage.mul_add(found.coverage.powf(weights.coverage_power), cosine.max(0.0)),
    )
}

fn rounded(base: f32, quality: f32, is_exact: bool) -> f32 {
    ((base.max(0.0) * quality + if is_exact { EXACT } else { 0.0 }) * STEPS).round() / STEPS
}

/// The longest name or trigger that the message contains.
fn exact<K>(entry: &Entry<K>, query: &NumberedQuery<'_>) -> Option<String> {
    let said = entry.phrases.iter().filter(|(phrase, is_name)| is_said(phrase, *is_name, &query.query.words));
    said.map(|(phrase, _)| phrase.clone()).max_by(longest)
}

fn longest(a: &String, b: &String) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| b.cmp(a))
}

/// Share of the message's terms that only `when_not_to_use` has.
#[expect(clippy::cast_precision_loss, reason = "numbers of terms")]
fn share_avoided<K>(entry: &Entry<K>, query: &NumberedQuery<'_>) -> f32 {
    let is_only = |term: u32| entry.avoided_terms.binary_search(&term).is_ok() && !entry.declares(term);
    let only = query.terms.iter().flatten().filter(|term| is_only(**term)).count();
    only as f32 / query.terms.len().max(1) as f32
}

/// Whether the message contains the phrase as whole words. A single word is only said if it is all of the message, or if the message says
/// that it means a skill, as in "use the pdf skill".
fn is_said(phrase: &str, is_name: bool, message: &[String]) -> bool {
    let length = phrase.split(' ').count();
    if length > 1 {
        return message.windows(length).any(|part| part.iter().map(String::as_str).eq(phrase.split(' ')));
    }
    let means_skill =
        |index: usize| message.get(index + 1).is_some_and(|next| next == "skill") || index > 0 && message[index - 1] == "skill";
    matches!(message, [only] if only == phrase)
        || is_name && message.iter().enumerate().any(|(index, said)| said == phrase && means_skill(index))
}

impl<K: Clone> Scored<'_, K> {
    fn ranked(&self, query: &NumberedQuery<'_>) -> Ranked<K> {
        Ranked {
            key: self.entry.key.clone(),
            score: self.score,
            exact: self.exact.clone(),
            cosine: self.cosine,
            coverage: self.coverage,
            terms: query
                .terms
                .iter()
                .zip(&query.query.said)
                .filter(|(term, _)| term.is_some_and(|term| self.entry.declares(term)))
                .map(|(_, said)| said.clone())
                .collect(),
            avoided: self.avoided,
            quality: self.entry.quality,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::{IndexedSkill, Query, SkillText};

    fn skill(slug: &str, description: &str) -> IndexedSkill {
        let text =
            SkillText { slug: slug.to_owned(), name: slug.replace('-', " "), description: description.to_owned(), ..SkillText::default() };
        IndexedSkill { text, vectors: None, quality: 1.0, excluded: None, conflicts: Vec::new() }
    }

    fn index() -> SkillIndex<u32> {
        let mut index = SkillIndex::default();
        let skills = [
            ("release-notes", "Writes release notes from commits."),
            ("pdf", "Extracts text and tables from documents."),
            ("link-auditor", "Finds broken links in notes."),
            ("invoices", "Books invoices. Sends reminders."),
        ];
        for (key, (slug, description)) in (0..).zip(skills) {
            index.insert(key, skill(slug, description));
        }
        index
    }

    fn keys(index: &SkillIndex<u32>, message: &str) -> Vec<u32> {
        index.search(&Query::new(message, None), 5).recommended.into_iter().map(|one| one.key).collect()
    }

    #[test]
    fn what_a_skill_is_not_for_excludes_it_unless_it_is_named() {
        let mut index = SkillIndex::default();
        let mut one = skill("skill-reviewer", "Reviews skills and says what to improve.");
        one.text.when_not_to_use = Some("Not for code or a pull request.".to_owned());
        index.insert(0, one);
        assert_eq!(keys(&index, "Review this skill"), [0]);
        assert_eq!(keys(&index, "Review my pull request"), [0; 0]);
        assert_eq!(keys(&index, "Use the skill reviewer on my pull request"), [0]);
    }

    #[test]
    fn words_find_skills_and_names_come_first() {
        let index = index();
        assert_eq!(keys(&index, "Which links are broken?"), [2]);
        assert_eq!(keys(&index, "write the release notes, and check the links")[..2], [0, 2]);
        assert_eq!(keys(&index, "use the pdf skill on my notes")[0], 1);
        assert!(keys(&index, "what a nice day").is_empty(), "nothing fits");
        let exact = index.search(&Query::new("pdf", None), 5).recommended.remove(0);
        assert_eq!((exact.key, exact.exact.as_deref()), (1, Some("pdf")));
        assert!(index.search(&Query::new("a pdf of my notes", None), 5).recommended.iter().all(|one| one.exact.is_none()));
        assert_eq!(keys(&index, "prereleases notesbook"), [0_u32; 0], "parts of words are none");
    }

    #[test]
    fn what_is_left_out_says_why() {
        let mut index = index();
        index.insert(2, IndexedSkill { excluded: Some(Exclusion::Disabled), ..skill("link-auditor", "Finds broken links in notes.") });
        let found = index.search(&Query::new("broken links", None), 5);
        assert_eq!((found.recommended.len(), found.left_out[0].skill.key, found.left_out[0].why), (0, 2, Exclusion::Disabled));
        assert_eq!(found.left_out[0].skill.terms, ["broken", "links"]);
        let found = index.search(&Query::new("release notes or invoices", None), 1);
        assert_eq!((found.recommended.len(), found.left_out[0].why), (1, Exclusion::Rank));
    }

    #[test]
    fn skills_that_conflict_are_not_recommended_together() {
        let mut index = index();
        let conflicting = IndexedSkill { conflicts: vec!["link-auditor".to_owned()], ..skill("z-links", "Finds broken links.") };
        index.insert(7, conflicting);
        let found = index.search(&Query::new("find broken links in notes", None), 5);
        assert_eq!(found.recommended.iter().map(|one| one.key).collect::<Vec<_>>(), [2, 0], "{found:?}");
        assert_eq!((found.left_out[0].skill.key, found.left_out[0].why), (7, Exclusion::Conflict));
        index.set_rating(&2, 1.0, Some(Exclusion::Unproven));
        assert_eq!(keys(&index, "find broken links in notes")[0], 7, "only recommended ones count");
    }

    #[test]
    fn a_warning_against_a_use_counts() {
        let mut index = index();
        let text =
            |slug: &str, not: Option<&str>| SkillText { when_not_to_use: not.map(str::to_owned), ..skill(slug, "Formats tables.").text };
        index.insert(11, IndexedSkill { text: text("a-tables", Some("Not for spreadsheets.")), ..skill("", "") });
        index.insert(12, IndexedSkill { text: text("b-tables", None), ..skill("", "") });
        assert_eq!(keys(&index, "format tables in spreadsheets")[..2], [12, 11]);
        assert_eq!(keys(&index, "format tables")[..2], [11, 12]);
    }

    #[test]
    fn scores_are_rounded_to_1_4096() {
        for (is_exact, steps) in [(false, 1_229.0), (true, 9_421.0)] {
            let score = rounded(0.3, 1.0, is_exact);
            assert!((score * 4_096.0 - steps).abs() < f32::EPSILON, "{score}");
        }
    }

    #[test]
    fn equal_scores_are_in_order_of_slugs() {
        let order = |quality: f32| {
            let mut index = SkillIndex::default();
            for (key, slug, quality) in [(0, "b-tables", 1.0), (1, "a-tables", quality)] {
                let text = SkillText { name: "Tables".to_owned(), ..skill(slug, "Formats tables.").text };
                index.insert(key, IndexedSkill { text, quality, ..skill(slug, "") });
            }
            keys(&index, "format tables")
        };
        assert_eq!(order(0.999_999), [1, 0], "less than a step apart");
        assert_eq!(order(0.9), [0, 1]);
    }

    #[test]
    fn changes_count_at_once_and_leave_nothing() {
        let mut index = index();
        index.insert(1, skill("pdf", "Signs contracts."));
        assert_eq!(keys(&index, "sign a contract"), [1]);
        assert!(keys(&index, "extract tables").is_empty());
        for key in 0..4 {
            index.remove(&key);
        }
        assert!(index.is_empty() && index.postings.iter().all(Vec::is_empty));
        index.insert(9, skill("pdf", "Signs contracts."));
        assert_eq!((index.entries.len(), keys(&index, "contracts")), (4, vec![9]));
    }
}
