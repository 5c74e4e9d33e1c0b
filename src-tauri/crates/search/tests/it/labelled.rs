//! A labelled set of requests, and how well the right skill is found on it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use inklings_search::{EmbeddingModel, IndexedSkill, Query, SkillIndex, SkillText, SkillVectors, Vector, Weights};
use serde::Deserialize;

pub(crate) const GROUPS: [&str; 3] = ["direct", "paraphrase", "near"];
const NONE: &str = "none";

#[derive(Debug, Deserialize)]
pub(crate) struct Skill {
    pub(crate) slug: String,
    pub(crate) name: String,
    pub(crate) description: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Request {
    pub(crate) query: String,
    /// None if no skill fits.
    pub(crate) skill: Option<String>,
    pub(crate) group: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Half {
    Tuning,
    Test,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    /// BM25 alone.
    Words,
    /// Cosine alone.
    Meaning,
    Both,
}

#[derive(Debug, Default)]
pub(crate) struct Row {
    pub(crate) count: usize,
    pub(crate) at_1: f64,
    pub(crate) at_5: f64,
    pub(crate) ndcg: f64,
}

pub(crate) struct Set {
    pub(crate) skills: Vec<Skill>,
    pub(crate) requests: Vec<(Request, Vector)>,
    pub(crate) vectors: Vec<SkillVectors>,
}

/// By the name of its skill, so that no skill is in both.
fn half_of(text: &str) -> Half {
    let sum: u32 = text.bytes().fold(7, |sum, byte| sum.wrapping_mul(31).wrapping_add(u32::from(byte)));
    if (sum >> 3).is_multiple_of(2) { Half::Tuning } else { Half::Test }
}

fn read<T: for<'de> Deserialize<'de>>(name: &str) -> Vec<T> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../tests/retrieval").join(name);
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

pub(crate) fn text(skill: &Skill) -> SkillText {
    let Skill { slug, name, description } = skill;
    SkillText { slug: slug.clone(), name: name.clone(), description: description.clone(), ..SkillText::default() }
}

pub(crate) fn model() -> EmbeddingModel {
    EmbeddingModel::load(&inklings_search::find_built().unwrap()).unwrap()
}

impl Set {
    pub(crate) fn load() -> Self {
        let model = model();
        let skills: Vec<Skill> = read("skills.jsonl");
        let requests: Vec<Request> = read("queries.jsonl");
        let vectors = skills.iter().map(|skill| text(skill).vectors(&model).unwrap()).collect();
        let requests = requests.into_iter().map(|request| {
            let vector = model.query(&request.query).unwrap();
            (request, vector)
        });
        Self { requests: requests.collect(), skills, vectors }
    }

    fn index(&self, method: Method, weights: Weights) -> SkillIndex<usize> {
        let mut index = SkillIndex::new(weights);
        for (key, skill) in self.skills.iter().enumerate() {
            let vectors = (method != Method::Words).then(|| self.vectors[key].clone());
            index.insert(key, IndexedSkill { text: text(skill), vectors, quality: 1.0, excluded: None, conflicts: Vec::new() });
        }
        index
    }

    fn of(&self, half: Half) -> impl Iterator<Item = &(Request, Vector)> {
        self.requests.iter().filter(move |(request, _)| half_of(request.skill.as_deref().unwrap_or(&request.query)) == half)
    }

    /// Found skills, best first; those that are left out as weak, too, unless `gated`.
    fn found(index: &SkillIndex<usize>, request: &Request, vector: &Vector, gated: bool) -> Vec<usize> {
        let ranking = index.search(&Query::new(&request.query, Some(vector.clone())), 10);
        let mut found: Vec<_> = ranking.recommended;
        if !gated {
            found.extend(ranking.left_out.into_iter().map(|one| one.skill));
            found.sort_by(|a, b| b.score.total_cmp(&a.score));
        }
        found.into_iter().map(|one| one.key).collect()
    }

    pub(crate) fn evaluate(&self, method: Method, half: Half, weights: Weights) -> BTreeMap<String, Row> {
        let weights = if method == Method::Meaning { Weights { coverage: 0.0, avoided: 0.0, ..weights } } else { weights };
        let index = self.index(method, weights);
        let mut rows: BTreeMap<String, Row> = BTreeMap::new();
        for (request, vector) in self.of(half).filter(|(request, _)| request.group != NONE) {
            let place =
                Self::found(&index, request, vector, false).iter().position(|key| Some(&self.skills[*key].slug) == request.skill.as_ref());
            let row = rows.entry(request.group.clone()).or_default();
            row.count += 1;
            row.at_1 += f64::from(u8::from(place == Some(0)));
            row.at_5 += f64::from(u8::from(place.is_some_and(|place| place < 5)));
            row.ndcg += place.filter(|place| *place < 10).map_or(0.0, |place| 1.0 / f64::from(u8::try_from(place + 2).unwrap()).log2());
        }
        for row in rows.values_mut() {
            let count = f64::from(u32::try_from(row.count).unwrap());
            (row.at_1, row.at_5, row.ndcg) = (row.at_1 / count, row.at_5 / count, row.ndcg / count);
        }
        rows
    }

    /// Shares of requests that are answered with no skill: of those that fit none, and of those that fit one.
    pub(crate) fn silent(&self, method: Method, half: Half, weights: Weights) -> (f64, f64) {
        let index = self.index(method, weights);
        let share = |fits: bool| {
            let of_kind: Vec<_> = self.of(half).filter(|(request, _)| request.skill.is_some() == fits).collect();
            let silent = of_kind.iter().filter(|(request, vector)| Self::found(&index, request, vector, true).is_empty()).count();
            f64::from(u32::try_from(silent).unwrap()) / f64::from(u32::try_from(of_kind.len()).unwrap())
        };
        (share(false), share(true))
    }
}
