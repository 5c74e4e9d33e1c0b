use std::collections::BTreeSet;

use inklings_core::{CancellationToken, ProgressReporter, Scope};
use inklings_targets::{Target, skills};

use super::api::{TargetList, TargetSkills};
use crate::editing::SkillEditor;
use crate::features::skill::{ImportError, ImportParams, ImportStatus, import};

/// The skills in the folders of agents, each with the result of a dry-run import.
pub(super) fn list(
    editor: &SkillEditor<'_>,
    targets: Vec<Target>,
    cancel: &CancellationToken,
    progress: &ProgressReporter,
) -> Result<TargetList, ImportError> {
    let (mut list, mut new_slugs) = (Vec::new(), BTreeSet::new());
    for target in targets {
        let Some(found) = skills(&target.path) else { continue };
        let scope = if target.of_workspace { Scope::Workspace } else { Scope::Account };
        // One dry run for each folder: the same skill in two of them conflicts only if both are imported.
        let params = ImportParams { paths: found.paths, scope: Some(scope), dry_run: true, ..ImportParams::default() };
        let report = import(editor, &params, cancel, progress)?;
        new_slugs.extend(report.items.iter().filter(|item| item.status == ImportStatus::New).filter_map(|item| item.slug.clone()));
        list.push(TargetSkills {
            agent: target.agent.id.to_owned(),
            name: target.agent.name.to_owned(),
            of_workspace: target.of_workspace,
            path: target.path.display().to_string(),
            skills: report.items,
            diagnostics: [found.diagnostics, report.diagnostics].concat(),
        });
    }
    Ok(TargetList { targets: list, new: new_slugs.len() })
}
