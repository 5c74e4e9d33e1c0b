//! Which skills fit a message. Deterministic, and without a language model: the words of the message are looked up in the skills' names,
//! descriptions and triggers, and its meaning is compared with theirs by a sentence embedding. Without the embedding model, words decide
//! alone.
//!
//! [`SkillIndex`] keeps what is needed of each skill; [`SkillIndex::search`] ranks them, leaves out what doesn't fit, and says why.

mod cache;
mod embedding;
mod index;
mod ranking;
mod shipped;
mod snapshot;
mod vector;
mod words;

pub use cache::VectorCache;
pub use embedding::{EmbeddingError, EmbeddingModel, find_built};
pub use index::{IndexedSkill, Query, SkillIndex, SkillText, SkillVectors};
pub use ranking::{Exclusion, Ranked, RankedOut, Ranking, Weights};
pub use shipped::{pack_vectors, shipped_vectors};
pub use vector::{DIMENSIONS, Vector};
pub use words::terms;
