use std::collections::HashSet;
use std::path::Path;

use inklings_core::binding::Bindings;
use inklings_core::skill::skill_md;
use inklings_core::{CancellationToken, Diagnostic, ProgressReporter, Skill, SkillCatalog, Tree, TreeFile};
use inklings_folder::disk::Output;
use inklings_folder::package::{Pack, PackageFormat, pack};
use inklings_folder::{Existing, Folder};

use super::api::{ExportItem, ExportParams, ExportReport};
use super::error::ExportError;

/// Exports skills one by one: a failure of one doesn't affect the others. `references` are those of the open workspace, which aren't
/// exported.
pub(crate) fn export(
    catalog: &SkillCatalog,
    folder: &Folder,
    references: Option<&dyn Bindings>,
    params: &ExportParams,
    cancel: &CancellationToken,
    progress: &ProgressReporter,
) -> Result<ExportReport, ExportError> {
    match &params.out {
        Some(out) if !out.is_absolute() => return Err(ExportError::RelativePath(out.clone())),
        None if !params.dry_run => return Err(ExportError::NoFolder),
        _ => {}
    }
    // All skills must exist before anything is written.
    let skills = params.skills.iter().map(|named| catalog.require(&named.skill, named.scope)).collect::<Result<Vec<_>, _>>()?;
    let mut items: Vec<ExportItem> = Vec::with_capacity(skills.len());
    let mut slugs = HashSet::new();
    for skill in &skills {
        if cancel.is_cancelled() {
            break;
        }
        let slug = &skill.package.slug;
        let mut item = if slugs.insert(slug) {
            export_one(folder, params, skill)
        } else {
            ExportItem::failed(skill, ExportError::SameName(slug.clone()))
        };
        if item.failure.is_none() {
            item.diagnostics.extend(references.and_then(|references| unexported_references(references, skill)));
        }
        items.push(item);
        progress.report(items.len(), Some(skills.len()));
    }
    Ok(ExportReport { stopped: items.len() < skills.len(), items, dry_run: params.dry_run })
}

/// References belong to the workspace and aren't exported. An error while counting them is only logged.
fn unexported_references(references: &dyn Bindings, skill: &Skill) -> Option<Diagnostic> {
    let found = references.references(skill.head.id);
    let count = found.inspect_err(|error| tracing::warn!(%error, "references can't be counted")).ok()?.len();
    let what = match count {
        0 => return None,
        1 => "1 reference isn't exported".to_owned(),
        count => format!("{count} references aren't exported"),
    };
    Some(Diagnostic::info("package/references", what).hint("copy what other users need into the skill"))
}

fn export_one(folder: &Folder, params: &ExportParams, skill: &Skill) -> ExportItem {
    let package = &skill.package;
    let mut item = ExportItem::of(skill);
    let Some(form) = params.form else {
        let tree = if params.normalize { folder.normalized(package).tree() } else { package.tree() };
        item.files = tree.len();
        item.write(params, Output::Folder(&package.slug, &tree));
        return item;
    };
    match pack(form, package) {
        Ok(Pack { name, bytes, omitted, findings }) => {
            (item.files, item.left_out, item.diagnostics) = (package.tree().len() - omitted.len(), omitted, findings);
            if form == PackageFormat::ClaudeSkill {
                item.write(params, Output::Folder(&package.slug, &Tree::from([(skill_md(), TreeFile::new(bytes))])));
            } else {
                item.write(params, Output::File(&name, &bytes));
            }
        }
        Err(error) => return ExportItem::failed(skill, error.into()),
    }
    item
}

impl ExportItem {
    fn of(Skill { head, package }: &Skill) -> Self {
        Self {
            id: head.id,
            scope: head.scope,
            slug: package.slug.clone(),
            name: package.name.clone(),
            path: String::new(),
            files: 0,
            left_out: Vec::new(),
            diagnostics: Vec::new(),
            failure: None,
        }
    }

    fn failed(skill: &Skill, error: ExportError) -> Self {
        Self { failure: Some(error.into()), ..Self::of(skill) }
    }

    fn write(&mut self, params: &ExportParams, output: Output<'_>) {
        let existing = if params.replace { Existing::Replace } else { Existing::Refuse };
        let out = params.out.as_deref();
        self.path = output.path(out.unwrap_or(Path::new(""))).display().to_string();
        let result = match out {
            None => Ok(()),
            Some(out) if params.dry_run => output.is_there(out, existing).map(drop),
            Some(out) => output.write(out, existing).map(drop),
        };
        self.failure = result.err().map(Into::into);
    }
}
