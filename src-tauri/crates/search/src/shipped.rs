//! Precomputed vectors of the shipped skills, so that the first search of an account doesn't compute them.

use std::collections::HashMap;
use std::sync::OnceLock;

use inklings_core::Digest;

use crate::index::SkillVectors;

/// Written by `inklings dev vectors`.
const SHIPPED: &[u8] = include_bytes!("../data/shipped-skills.vectors");

/// The vectors of a shipped skill, by [`SkillText::digest`](crate::SkillText::digest). `None` for all other texts, and once the model or
/// the skill has changed.
#[must_use]
pub fn shipped_vectors(digest: Digest) -> Option<&'static SkillVectors> {
    static VECTORS: OnceLock<HashMap<Digest, SkillVectors>> = OnceLock::new();
    let read = || postcard::from_bytes::<Vec<_>>(SHIPPED).unwrap_or_default().into_iter().collect();
    VECTORS.get_or_init(read).get(&digest)
}

/// The file that [`shipped_vectors`] reads.
pub fn pack_vectors(vectors: &[(Digest, SkillVectors)]) -> Result<Vec<u8>, postcard::Error> {
    postcard::to_allocvec(vectors)
}
