//! The newer version of a stored skill in a list of JSON packages, where positions change.

use inklings_core::{Skill, SkillFormat as _, Slug};

use super::error::ImportError;
use crate::discovery::Discovery;
use crate::editing::SkillEditor;
use crate::provenance::Provenance;

/// Of the skills of a list, only the one with the ID of the stored skill, or with the slug that it was imported with. What isn't a list
/// stays as it is.
pub(super) fn version_of(editor: &SkillEditor<'_>, stored: &Skill, mut found: Discovery) -> Result<Discovery, ImportError> {
    let skills = &mut found.skills;
    let Some(list) = skills.iter().find(|skill| skill.is_listed()).map(|skill| skill.path().to_owned()) else { return Ok(found) };
    let slug = imported_slug(editor, stored).unwrap_or_else(|| stored.package.slug.clone());
    let at = skills
        .iter()
        .position(|skill| skill.packed_id() == Some(stored.head.id))
        .or_else(|| skills.iter().position(|skill| skill.folder() == slug.as_str()))
        // It was imported beside another skill of its name.
        .or_else(|| skills.iter().position(|skill| Slug::parse(&skill.folder()).is_ok_and(|plain| number_of(&slug, &plain).is_some())))
        .ok_or_else(|| ImportError::NotInList { slug: stored.package.slug.clone(), list })?;
    *skills = vec![skills.swap_remove(at)];
    Ok(found)
}

/// None if the skill's files were changed by the import, or if the revision was pruned.
fn imported_slug(editor: &SkillEditor<'_>, stored: &Skill) -> Option<Slug> {
    let number = Provenance::base(&stored.head)?;
    let tree = editor.repository_of(stored).ok()?.revision_tree(stored.head.id, number).ok()?;
    Some(editor.folder.read(&tree, stored.package.slug.as_str(), None).ok()?.package.slug)
}

/// The number of a slug that is `plain` with a number.
pub(super) fn number_of(slug: &Slug, plain: &Slug) -> Option<usize> {
    let (_, number) = slug.as_str().rsplit_once('-')?;
    number.parse().ok().filter(|number| plain.numbered(*number) == *slug)
}
