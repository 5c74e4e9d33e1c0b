//! Forks and duplicates of skills.

use inklings_core::name::fold;
use inklings_core::{Head, Package, Scope, Skill, SkillFormat as _, Source, StorageError};

use super::{Caller, SkillEditor};
use crate::provenance::{ForkOrigin, Provenance};

/// Whether a fork of a skill overrides it in the open workspace, instead of getting a name of its own beside it. A program's doesn't: it
/// would hide the skill before anybody has reviewed it.
pub(crate) fn forks_to_workspace(caller: Caller<'_>, parent: &Skill) -> bool {
    caller.workspace.is_some() && parent.head.scope == Scope::Account && !caller.is_supervised
}

impl SkillEditor<'_> {
    /// A copy with its provenance, not stored yet: an override of the same name in the workspace, or one under a free name in the same
    /// scope. The second value is the message for the history.
    pub(crate) fn unsaved_copy(&self, parent: &Skill, overriding: bool) -> Result<(Skill, String), StorageError> {
        let mut package = parent.package.clone();
        self.renew_ids(&mut package);
        let scope = if overriding { Scope::Workspace } else { parent.head.scope };
        let repository = self.catalog.holder(parent.head.id, scope)?;
        if !overriding {
            let Package { slug, name, .. } = &parent.package;
            let mut number = 1;
            loop {
                let numbered = |separator: char| if number == 1 { "copy".to_owned() } else { format!("copy{separator}{number}") };
                package.slug = slug.with_suffix(&numbered('-'));
                // A title that follows from the slug still does, so the copy needs no skill.json for it.
                package.name = if *name == slug.humanised() { package.slug.humanised() } else { format!("{name} {}", numbered(' ')) };
                let matches = repository.name_matches(&[(package.slug.clone(), fold(&package.name))])?;
                if !matches.iter().any(|found| found.same_slug || found.same_title.is_some()) {
                    break;
                }
                number += 1;
            }
        }
        self.folder.sync_sources_strictly(&mut package)?;
        let head = Head {
            parent_skill_id: Some(parent.head.id),
            provenance: Some(Provenance::forked(&ForkOrigin::of(parent))),
            ..self.new_head(scope, Source::User)
        };
        let why = format!("duplicated from {} ({}, revision {})", parent.package.slug, parent.head.scope, parent.head.revision);
        Ok((Skill { head, package }, why))
    }
}
