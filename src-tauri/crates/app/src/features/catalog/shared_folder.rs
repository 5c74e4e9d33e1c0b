//! `.cortex/skills` of a workspace, where other systems keep the skills that people write.

use std::path::{Path, PathBuf};

use inklings_core::SkillCatalog;

use super::api::{ExportSharedParams, LoadSharedParams};
use super::error::CatalogError;
use crate::features::skill::{ExportParams, ImportParams};
use crate::wire::SkillRef;

const FOLDER: [&str; 2] = [".cortex", "skills"];

/// Refuses links, since nobody but the person at this machine may name other folders.
fn folder(workspace: &Path) -> Result<PathBuf, CatalogError> {
    let mut path = workspace.to_owned();
    for part in FOLDER {
        path.push(part);
        if path.is_symlink() {
            return Err(CatalogError::Link(path));
        }
    }
    Ok(path)
}

pub(super) fn import_params(workspace: &Path, params: &LoadSharedParams) -> Result<ImportParams, CatalogError> {
    let folder = folder(workspace)?;
    if !folder.is_dir() {
        return Err(CatalogError::NoSharedFolder);
    }
    Ok(ImportParams { paths: vec![folder], dry_run: params.dry_run, ..ImportParams::default() })
}

pub(super) fn export_params(catalog: &SkillCatalog, workspace: &Path, params: ExportSharedParams) -> Result<ExportParams, CatalogError> {
    let out = folder(workspace)?;
    let skills = match params.skills {
        Some(named) => named.into_iter().map(|skill| SkillRef { skill, scope: None }).collect(),
        None => catalog.list_all()?.into_iter().map(|skill| SkillRef { skill: skill.id.to_string(), scope: Some(skill.scope) }).collect(),
    };
    Ok(ExportParams { skills, out: Some(out), replace: params.replace, dry_run: params.dry_run, ..ExportParams::default() })
}
