//! The serialized form of an index: what can't be derived from the rest.

use std::collections::HashMap;
use std::hash::Hash;

use serde::ser::SerializeTuple as _;
use serde::{Deserialize, Serialize, Serializer};

use crate::index::{Entry, SkillIndex};
use crate::ranking::Weights;
use crate::vector::VectorTable;

#[derive(Deserialize)]
pub(crate) struct Stored<K> {
    /// By number.
    vocabulary: Vec<String>,
    /// By slot.
    entries: Vec<Option<Entry<K>>>,
    purposes: VectorTable,
}

impl<K: Serialize> Serialize for SkillIndex<K> {
    /// As [`Stored`].
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut vocabulary = vec![""; self.vocabulary.len()];
        for (term, number) in &self.vocabulary {
            vocabulary[*number as usize] = term;
        }
        let mut parts = serializer.serialize_tuple(3)?;
        parts.serialize_element(&vocabulary)?;
        parts.serialize_element(&self.entries)?;
        parts.serialize_element(&self.purposes)?;
        parts.end()
    }
}

impl<K: Clone + Eq + Hash> TryFrom<Stored<K>> for SkillIndex<K> {
    type Error = &'static str;

    fn try_from(stored: Stored<K>) -> Result<Self, Self::Error> {
        let Stored { vocabulary, mut entries, purposes } = stored;
        let known = vocabulary.len();
        let is_sound = |entry: &Entry<K>| entry.terms.iter().all(|one| (one.term as usize) < known);
        if !purposes.is_of(entries.len()) || !entries.iter().flatten().all(is_sound) {
            return Err("the parts of the index don't fit");
        }
        let mut index = Self::new(Weights::default());
        index.vocabulary = vocabulary.into_iter().zip(0..).collect::<HashMap<_, _>>();
        index.purposes = purposes;
        for (slot, entry) in entries.iter().enumerate() {
            match entry {
                Some(entry) => index.link(slot, entry),
                None => index.free.push(slot),
            }
        }
        index.entries.append(&mut entries);
        Ok(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::{IndexedSkill, Query, SkillText};
    use crate::vector::{DIMENSIONS, Vector};
    use crate::{Exclusion, SkillVectors};

    fn skill(slug: &str, description: &str, seed: f32) -> IndexedSkill {
        let vector = |seed: f32| Vector::of(&std::array::from_fn(|n| (seed + f32::from(u16::try_from(n).unwrap())).sin()));
        let text = SkillText {
            slug: slug.to_owned(),
            name: slug.replace('-', " "),
            description: description.to_owned(),
            triggers: vec!["make some tea".to_owned()],
            when_not_to_use: Some("Not for coffee.".to_owned()),
            ..SkillText::default()
        };
        let vectors = Some(SkillVectors { purpose: vector(seed), avoided: Some(vector(seed + 1.0)) });
        IndexedSkill { text, vectors, quality: 0.9, excluded: None, conflicts: Vec::new() }
    }

    #[test]
    fn an_index_is_the_same_after_it_was_stored() {
        let mut index = SkillIndex::default();
        for (key, slug) in (0_u32..).zip(["tea-times", "gone", "coffee-maker", "link-auditor"]) {
            index.insert(key, skill(slug, &format!("Makes {slug} for guests."), f32::from(u16::try_from(key).unwrap())));
        }
        index.insert(2, IndexedSkill { excluded: Some(Exclusion::Disabled), ..skill("coffee-maker", "Brews coffee.", 7.0) });
        index.remove(&1);
        let bytes = postcard::to_allocvec(&index).unwrap();
        let mut stored: SkillIndex<u32> = postcard::from_bytes(&bytes).unwrap();
        let vector = Vector::of(&[0.1; DIMENSIONS]);
        let same = |a: &SkillIndex<u32>, b: &SkillIndex<u32>| {
            for message in ["make some tea", "coffee for guests", "use the gone skill", "auditor"] {
                for vector in [None, Some(vector.clone())] {
                    let query = Query::new(message, vector);
                    assert_eq!(a.search(&query, 3), b.search(&query, 3), "{message}");
                }
            }
        };
        same(&index, &stored);
        for index in [&mut index, &mut stored] {
            index.insert(9, skill("new-tea", "Makes tea quickly.", 3.0));
            index.remove(&0);
        }
        same(&index, &stored);
        for end in 0..bytes.len() {
            assert!(postcard::from_bytes::<SkillIndex<u32>>(&bytes[..end]).is_err(), "{end}");
        }
    }
}
