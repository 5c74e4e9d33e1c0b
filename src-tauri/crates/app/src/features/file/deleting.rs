use inklings_core::path::SKILL_JSON;
use inklings_core::{Package, Skill, SkillPath};

use super::error::FileError;
use crate::editing::{SkillEditor, ensure_unlocked};
use crate::wire::EditResult;

/// Deletes files, all or none. Their drafts stay: unsaved text may be someone else's.
pub(super) fn delete(editor: &SkillEditor<'_>, skill: &Skill, paths: &[SkillPath], expected: Option<i64>) -> Result<EditResult, FileError> {
    let why = match paths {
        [one] => format!("deleted {one}"),
        many => format!("deleted {} files", many.len()),
    };
    ensure_unlocked(skill)?;
    let change = |package: &mut Package| paths.iter().try_for_each(|path| remove(package, path));
    let saved = match expected {
        // What was changed since then isn't deleted.
        Some(expected) => editor.change_values_at(skill, expected, &why, change)?,
        None => editor.change_values(skill, &why, change)?,
    };
    Ok(editor.edit_result(saved))
}

/// Removes a file from a package, and from its `run` list.
pub(super) fn remove(package: &mut Package, path: &SkillPath) -> Result<(), FileError> {
    if *path == package.main_path {
        return Err(FileError::DeletesMain(path.clone()));
    }
    if path.as_str() == SKILL_JSON {
        return Err(FileError::DeletesManifest(path.clone()));
    }
    let before = package.artifacts.len() + package.files.len();
    let removed = package.artifacts.iter().find(|artifact| artifact.path == *path).map(|artifact| artifact.name.clone());
    package.artifacts.retain(|artifact| artifact.path != *path);
    package.files.retain(|file| file.path != *path);
    let mut found = package.artifacts.len() + package.files.len() < before;
    for artifact in &mut package.artifacts {
        found |= artifact.state.take_if(|state| state.path == *path).is_some();
    }
    // Another variant may still have the name.
    if let (Some(name), Some(run)) = (removed, &mut package.run)
        && package.artifacts.iter().all(|artifact| artifact.name != name)
    {
        run.retain(|step| *step != name);
    }
    if found { Ok(()) } else { Err(FileError::NotFound(path.clone())) }
}
