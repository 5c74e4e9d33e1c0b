//! `target/*`: the skills that a person's other agents have.

use std::collections::BTreeSet;

use inklings_core::{Diagnostic, Scope};
use inklings_targets::{skills, targets};
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;
use crate::ops::import::{Import, ImportItem, ImportParams, ImportStatus};
use inklings_rpc::{BlockingOperation as _, CallContext, Failure, NoParams, operations};

/// An agent's folder of skills.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TargetSkills {
    /// Short name of the agent.
    pub agent: String,
    /// The agent's own name.
    pub name: String,
    /// Whether the folder is the workspace's, and not the person's.
    pub of_workspace: bool,
    /// The folder.
    pub path: String,
    /// Its skills, with what an import would do to each: of a workspace's folder into the workspace, else into the account.
    pub skills: Vec<ImportItem>,
    /// What is odd about the folder.
    pub diagnostics: Vec<Diagnostic>,
}

/// The skills of other agents.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TargetList {
    /// The folders that are there, the workspace's first.
    pub targets: Vec<TargetSkills>,
    /// Different skills, by name, that aren't here yet.
    pub new: usize,
}

fn list(app: &App, cx: &CallContext, _: NoParams) -> Result<TargetList, Failure> {
    let (mut list, mut new) = (Vec::new(), BTreeSet::new());
    for target in targets(app.places.as_ref(), cx.workspace.as_deref()) {
        let Some(found) = skills(&target.path) else { continue };
        let scope = if target.of_workspace { Scope::Workspace } else { Scope::Account };
        // Each folder by itself: the same skill in two of them is no clash before both are wanted.
        let params = ImportParams { paths: found.paths, scope: Some(scope), dry_run: true, ..ImportParams::default() };
        let report = Import::run(app, cx, params)?;
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

operations! { App;
    /// Looks into the folders where other agents keep skills, and changes nothing. `skill/import` takes what is wanted.
    ListTargets = "target/list", Read, blocking list(NoParams) -> TargetList;
}
