//! How much skills have in common, by the words of their titles and descriptions.

use std::collections::{HashMap, HashSet};

use inklings_core::{SkillSummary, Slug};

/// The words of many skills, with the skills that have each.
pub(super) struct Similarity<'a> {
    skills: &'a [SkillSummary],
    /// Numbers of different words, by skill.
    sizes: Vec<usize>,
    /// Positions of skills.
    with_word: HashMap<String, Vec<usize>>,
}

impl<'a> Similarity<'a> {
    pub(super) fn of(skills: &'a [SkillSummary]) -> Self {
        let (mut sizes, mut with_word) = (Vec::with_capacity(skills.len()), HashMap::<String, Vec<usize>>::new());
        for (position, skill) in skills.iter().enumerate() {
            let words = words(&skill.name, &skill.description);
            sizes.push(words.len());
            for word in words {
                with_word.entry(word).or_default().push(position);
            }
        }
        Self { skills, sizes, with_word }
    }

    /// The share of common words, and the other skill that has most of them.
    #[expect(clippy::cast_precision_loss, reason = "numbers of words")]
    pub(super) fn most_similar(&self, slug: &Slug, title: &str, description: &str) -> (f32, Option<Slug>) {
        let own = words(title, description);
        let mut common: HashMap<usize, usize> = HashMap::new();
        for position in own.iter().filter_map(|word| self.with_word.get(word)).flatten() {
            *common.entry(*position).or_default() += 1;
        }
        let others = common.into_iter().filter(|(position, _)| self.skills[*position].slug != *slug);
        let shares = others.map(|(position, common)| (common as f32 / (own.len() + self.sizes[position] - common) as f32, position));
        // Of equals, the first.
        let best = shares.max_by(|(one, first), (other, second)| one.total_cmp(other).then(second.cmp(first)));
        best.map_or((0.0, None), |(share, position)| (share, Some(self.skills[position].slug.clone())))
    }
}

fn words(title: &str, description: &str) -> HashSet<String> {
    let all = [title, description].into_iter().flat_map(|text| text.split(|letter: char| !letter.is_alphanumeric()));
    all.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use inklings_core::id::SkillId;
    use inklings_core::{Head, Origin, Package, Scope, Skill, Source, Time};

    use super::*;
    use crate::wire::summary;

    fn skill(slug: &str, title: &str, description: &str) -> SkillSummary {
        let head = Head::new(SkillId::new(uuid::Uuid::nil()), Scope::Account, Source::User, Origin::Human, Time::from_millis(0));
        summary(&Skill { head, package: Package::new(Slug::parse(slug).unwrap(), title, description) }, false)
    }

    #[test]
    fn the_share_of_common_words_is_counted_without_the_skill_itself() {
        let all = [skill("a", "Write", "release notes"), skill("b", "Release-Notes!", "write"), skill("c", "Brew", "write tea")];
        let similarity = Similarity::of(&all);
        let of = |index: usize| similarity.most_similar(&all[index].slug, &all[index].name, &all[index].description);
        assert!((of(0).0 - 1.0).abs() < f32::EPSILON && of(0).1.unwrap().as_str() == "b");
        // One of five words, with the first of two equals.
        assert!((of(2).0 - 0.2).abs() < f32::EPSILON && of(2).1.unwrap().as_str() == "a");
        let alone = [skill("a", "Write", "notes")];
        assert_eq!(Similarity::of(&alone).most_similar(&alone[0].slug, "Write", "notes"), (0.0, None));
    }
}
