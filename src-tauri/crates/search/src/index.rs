//! What is kept of each skill, and looking them up.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::Hash;

use inklings_core::Digest;
use serde::{Deserialize, Serialize};

use crate::embedding::{EmbeddingError, EmbeddingModel, MODEL};
use crate::ranking::{Exclusion, Match, Ranking, Weights, rank};
use crate::snapshot::Stored;
use crate::vector::{Vector, VectorTable};
use crate::words::{all_terms, terms, terms_as_said, words};

/// The texts of a skill that say what it does.
#[derive(Debug, Clone, Default)]
pub struct SkillText {
    pub slug: String,
    pub name: String,
    pub description: String,
    pub tags: Vec<String>,
    pub triggers: Vec<String>,
    pub intent_patterns: Vec<String>,
    pub when_not_to_use: Option<String>,
    /// Its instructions.
    pub body: String,
}

/// The vectors of a skill.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SkillVectors {
    pub(crate) purpose: Vector,
    /// Of `when_not_to_use`.
    pub(crate) avoided: Option<Vector>,
}

impl SkillText {
    /// Takes tens of milliseconds.
    pub fn vectors(&self, model: &EmbeddingModel) -> Result<SkillVectors, EmbeddingError> {
        let avoided = self.when_not_to_use.as_deref().map(|text| model.document("", text)).transpose()?;
        Ok(SkillVectors { purpose: model.document(&self.name, &self.purpose())?, avoided })
    }

    /// Of all that its vectors are of.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let avoided = self.when_not_to_use.as_deref();
        let parts = [MODEL, &self.name, &self.purpose(), avoided.unwrap_or_default(), if avoided.is_some() { "avoided" } else { "" }];
        Digest::of(parts.join("\0").as_bytes())
    }

    /// What it does and when it is used, in one text.
    #[must_use]
    pub fn purpose(&self) -> String {
        let mut text = self.description.clone();
        for phrase in self.triggers.iter().chain(&self.intent_patterns) {
            text.push('\n');
            text.push_str(phrase);
        }
        text
    }
}

#[derive(Debug, Clone)]
pub struct IndexedSkill {
    pub text: SkillText,
    /// `None` until they are computed, and without an embedding model.
    pub vectors: Option<SkillVectors>,
    /// What scores are multiplied by, up to 1.
    pub quality: f32,
    /// Why it isn't recommended, whatever the message.
    pub excluded: Option<Exclusion>,
    /// Slugs of skills that it must not be used with.
    pub conflicts: Vec<String>,
}

/// A message.
#[derive(Debug, Clone)]
pub struct Query {
    pub(crate) words: Vec<String>,
    pub(crate) terms: Vec<String>,
    /// The terms as they are in the message.
    pub(crate) said: Vec<String>,
    pub(crate) vector: Option<Vector>,
}

impl Query {
    #[must_use]
    pub fn new(message: &str, vector: Option<Vector>) -> Self {
        let (terms, said) = terms_as_said(message).into_iter().unzip();
        Self { words: words(message), terms, said, vector }
    }

    /// The words that may tell what the message is about.
    #[must_use]
    pub fn topical_words(&self) -> &[String] {
        &self.said
    }
}

/// A message with the numbers of its terms, `None` for those that no skill has.
pub(crate) struct NumberedQuery<'a> {
    pub(crate) query: &'a Query,
    pub(crate) terms: Vec<Option<u32>>,
}

/// The skills of a catalog by their words and vectors. Its serialized form is for this version of the program only.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Stored<K>", bound(deserialize = "K: Clone + Eq + Hash + Deserialize<'de>"))]
pub struct SkillIndex<K> {
    pub(crate) entries: Vec<Option<Entry<K>>>,
    slots: HashMap<K, usize>,
    pub(crate) free: Vec<usize>,
    /// Terms by number, which only this index knows.
    pub(crate) vocabulary: HashMap<String, u32>,
    /// By number of the term.
    pub(crate) postings: Vec<Vec<Posting>>,
    /// Slots by the first words of their names and triggers.
    phrase_starts: HashMap<String, Vec<u32>>,
    pub(crate) purposes: VectorTable,
    total_length: f32,
    pub(crate) weights: Weights,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Entry<K> {
    pub(crate) key: K,
    pub(crate) slug: String,
    /// Names and triggers, as words with a space between them; and whether it is a name.
    pub(crate) phrases: Vec<(String, bool)>,
    /// Of `when_not_to_use`.
    pub(crate) avoided: Option<Vector>,
    /// Sorted.
    pub(crate) avoided_terms: Vec<u32>,
    pub(crate) quality: f32,
    pub(crate) excluded: Option<Exclusion>,
    pub(crate) conflicts: Vec<String>,
    /// Sorted by number.
    pub(crate) terms: Vec<EntryTerm>,
    pub(crate) length: f32,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct EntryTerm {
    pub(crate) term: u32,
    /// Occurrences, weighted by field.
    pub(crate) weight: f32,
    /// Whether it is in more than the instructions.
    pub(crate) is_declared: bool,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Posting {
    pub(crate) slot: u32,
    /// Occurrences, weighted by field.
    pub(crate) weight: f32,
    /// Whether the term is in more than the instructions.
    pub(crate) is_declared: bool,
}

/// Weights of fields.
const NAME: f32 = 3.0;
const TRIGGER: f32 = 2.0;
const TAG: f32 = 2.0;
const DESCRIPTION: f32 = 1.0;
const BODY: f32 = 0.1;
/// Skills that a term may be in without being common, however few there are.
const FEW: f32 = 3.0;

impl<K> Entry<K> {
    /// Whether a term is in more than the instructions.
    pub(crate) fn declares(&self, term: u32) -> bool {
        self.terms.binary_search_by_key(&term, |known| known.term).is_ok_and(|at| self.terms[at].is_declared)
    }
}

impl<K: Clone + Eq + Hash> Default for SkillIndex<K> {
    fn default() -> Self {
        Self::new(Weights::default())
    }
}

impl<K: Clone + Eq + Hash> SkillIndex<K> {
    #[must_use]
    pub fn new(weights: Weights) -> Self {
        Self {
            entries: Vec::new(),
            slots: HashMap::new(),
            free: Vec::new(),
            vocabulary: HashMap::new(),
            postings: Vec::new(),
            phrase_starts: HashMap::new(),
            purposes: VectorTable::default(),
            total_length: 0.0,
            weights,
        }
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Replaces a skill of the same key.
    pub fn insert(&mut self, key: K, skill: IndexedSkill) {
        let IndexedSkill { text, vectors, quality, excluded, conflicts } = skill;
        let mut weights: BTreeMap<u32, (f32, bool)> = BTreeMap::new();
        let mut length = 0.0;
        let mut count = |text: &str, weight: f32, is_declared: bool| {
            for term in all_terms(text) {
                length += weight;
                let known = weights.entry(number_of(&mut self.vocabulary, term)).or_default();
                known.0 += weight;
                known.1 |= is_declared;
            }
        };
        count(&text.name, NAME, true);
        count(&text.description, DESCRIPTION, true);
        text.tags.iter().for_each(|tag| count(tag, TAG, true));
        text.triggers.iter().chain(&text.intent_patterns).for_each(|phrase| count(phrase, TRIGGER, true));
        count(&text.body, BODY, false);
        let phrase = |text: &str| words(text).join(" ");
        let names = [&text.name, &text.slug].map(|name| (phrase(name), true));
        let mut phrases: Vec<_> = names.into_iter().chain(text.triggers.iter().map(|trigger| (phrase(trigger), false))).collect();
        phrases.retain(|(phrase, _)| !phrase.is_empty());
        phrases.dedup();
        let avoided = terms(text.when_not_to_use.as_deref().unwrap_or_default());
        let mut avoided_terms: Vec<u32> = avoided.into_iter().map(|term| number_of(&mut self.vocabulary, term)).collect();
        avoided_terms.sort_unstable();
        let terms = weights.into_iter().map(|(term, (weight, is_declared))| EntryTerm { term, weight, is_declared }).collect();
        let (purpose, avoided) = vectors.map_or((None, None), |vectors| (Some(vectors.purpose), vectors.avoided));
        let entry = Entry { key, slug: text.slug, phrases, avoided, avoided_terms, quality, excluded, conflicts, terms, length };
        self.put(entry, purpose.as_ref());
    }

    fn put(&mut self, entry: Entry<K>, purpose: Option<&Vector>) {
        self.remove(&entry.key);
        let slot = self.free.pop().unwrap_or_else(|| {
            self.entries.push(None);
            self.entries.len() - 1
        });
        self.purposes.set(slot, purpose);
        self.link(slot, &entry);
        self.entries[slot] = Some(entry);
    }

    /// Makes an entry known in all tables but the one of entries.
    pub(crate) fn link(&mut self, slot: usize, entry: &Entry<K>) {
        let number = u32::try_from(slot).unwrap_or(u32::MAX);
        for start in starts(&entry.phrases) {
            self.phrase_starts.entry(start.to_owned()).or_default().push(number);
        }
        if self.postings.len() < self.vocabulary.len() {
            self.postings.resize_with(self.vocabulary.len(), Vec::new);
        }
        for EntryTerm { term, weight, is_declared } in &entry.terms {
            self.postings[*term as usize].push(Posting { slot: number, weight: *weight, is_declared: *is_declared });
        }
        self.total_length += entry.length;
        self.slots.insert(entry.key.clone(), slot);
    }

    /// Does nothing if there is no such skill.
    pub fn remove(&mut self, key: &K) {
        let Some(slot) = self.slots.remove(key) else { return };
        let Some(entry) = self.entries[slot].take() else { return };
        for one in &entry.terms {
            self.postings[one.term as usize].retain(|posting| posting.slot as usize != slot);
        }
        for start in starts(&entry.phrases) {
            if let Some(list) = self.phrase_starts.get_mut(start) {
                list.retain(|phrase| *phrase as usize != slot);
                if list.is_empty() {
                    self.phrase_starts.remove(start);
                }
            }
        }
        self.purposes.set(slot, None);
        self.total_length -= entry.length;
        self.free.push(slot);
    }

    /// Sets what the score is multiplied by, and why the skill isn't recommended.
    pub fn set_rating(&mut self, key: &K, quality: f32, excluded: Option<Exclusion>) {
        if let Some(entry) = self.slots.get(key).and_then(|slot| self.entries[*slot].as_mut()) {
            (entry.quality, entry.excluded) = (quality, excluded);
        }
    }

    /// The skills that fit, best first, at most `limit`; and as many that were left out, with the reason.
    #[must_use]
    pub fn search(&self, query: &Query, limit: usize) -> Ranking<K> {
        rank(self, &self.matches(query), &self.numbered(query), limit)
    }

    fn postings_of(&self, term: &str) -> Option<&Vec<Posting>> {
        self.postings.get(*self.vocabulary.get(term)? as usize)
    }

    /// The slots of skills with a name or trigger that begins with a word of the message.
    pub(crate) fn named(&self, query: &Query) -> impl Iterator<Item = usize> {
        let words: HashSet<&String> = query.words.iter().collect();
        words.into_iter().filter_map(|word| self.phrase_starts.get(word)).flatten().map(|slot| *slot as usize)
    }

    fn numbered<'a>(&self, query: &'a Query) -> NumberedQuery<'a> {
        NumberedQuery { query, terms: query.terms.iter().map(|term| self.vocabulary.get(term).copied()).collect() }
    }

    #[expect(clippy::cast_precision_loss, reason = "numbers of skills and terms")]
    fn matches(&self, query: &Query) -> Vec<Match> {
        let mut matches = vec![Match::default(); self.entries.len()];
        let count = self.len() as f32;
        let average = (self.total_length / count.max(1.0)).max(1.0);
        let rarity = |df: usize| (1.0 + (count - df as f32 + 0.5) / (df as f32 + 0.5)).ln();
        let total: f32 = query.terms.iter().map(|term| rarity(self.postings_of(term).map_or(0, Vec::len))).sum();
        for term in &query.terms {
            let Some(postings) = self.postings_of(term) else { continue };
            let idf = rarity(postings.len());
            let is_uncommon = (postings.len() as f32) <= (self.weights.common_share * count).max(FEW);
            for posting in postings {
                let found = &mut matches[posting.slot as usize];
                let length = self.entries[posting.slot as usize].as_ref().map_or(average, |entry| entry.length);
                found.bm25 += idf * posting.weight * 2.2 / (posting.weight + 1.2 * (0.25 + 0.75 * length / average));
                if posting.is_declared {
                    found.coverage += idf / total;
                    found.has_uncommon |= is_uncommon;
                }
            }
        }
        matches
    }
}

/// The first words of phrases, each once.
fn starts(phrases: &[(String, bool)]) -> HashSet<&str> {
    phrases.iter().filter_map(|(phrase, _)| phrase.split(' ').next()).collect()
}

fn number_of(vocabulary: &mut HashMap<String, u32>, term: String) -> u32 {
    let next = u32::try_from(vocabulary.len()).unwrap_or(u32::MAX);
    *vocabulary.entry(term).or_insert(next)
}
