use std::collections::BTreeSet;

use inklings_core::{CancellationToken, Scope};
use inklings_targets::{Target, skills};

use super::api::{TargetList, TargetSkills};
use crate::editing::SkillEditor;
use crate::features::skill::{ImportError, ImportParams, ImportStatus, import};

/// What is in some folders of agents, and what an import of it would do.
pub(super) fn list(
    editor: &SkillEditor<'_>,
    targets: Vec<Target>,
    cancel: &CancellationToken,
    on_progress: &dyn Fn(usize, usize),
) -> Result<TargetList, ImportError> {
    let (mut list, mut new) = (Vec::new(), BTreeSet::new());
    for target in targets {
        let Some(found) = skills(&target.path) else { continue };
        let scope = if target.of_workspace { Scope::Workspace } else { Scope::Account };
        // Each folder by itself: the same skill in two of them is no conflict before both are wanted.
        let params = ImportParams { paths: found.paths, scope: Some(scope), dry_run: true, ..ImportParams::default() };
        let report = import(editor, &params, cancel, on_progress)?;
        let unknown = report.items.iter().filter(|item| item.status == ImportStatus::New).filter_map(|item| item.slug.clone());
        new.extend(unknown);
        list.push(TargetSkills {
            agent: target.agent.id.to_owned(),
            name: target.agent.name.to_owned(),
            of_workspace: target.of_workspace,
            path: target.path.display().to_string(),
            skills: report.items,
            diagnostics: [found.diagnostics, report.diagnostics].concat(),
        });
    }
    Ok(TargetList { targets: list, new: new.len() })
}
