use inklings_core::path::SKILL_JSON;
use inklings_core::user::{DraftKey, DraftMove};
use inklings_core::{Package, Skill, SkillPath};
use inklings_folder::used_paths;
use inklings_prompt::PromptEngine;

use super::api::FileMove;
use super::error::FileError;
use super::relinking::relink;
use crate::editing::{SkillEditor, ensure_unlocked};
use crate::features::draft::DraftMigration;
use crate::wire::EditResult;

/// Renames files, all or none, with their artifacts, states, drafts and the links to them in Markdown.
pub(super) fn move_files(
    editor: &SkillEditor<'_>,
    prompts: &PromptEngine,
    skill: &Skill,
    moves: &[FileMove],
) -> Result<EditResult, FileError> {
    let why = match moves {
        [one] => format!("renamed {} to {}", one.from, one.to),
        many => format!("renamed {} files", many.len()),
    };
    ensure_unlocked(skill)?;
    let key =
        |path: &SkillPath| DraftKey { workspace: editor.caller.draft_key(skill.head.scope), skill: skill.head.id, path: path.clone() };
    let draft_moves = moves.iter().map(|one| DraftMove { from: key(&one.from), to: key(&one.to), base: None });
    let unsaved = editor.draft_paths(skill)?;
    let drafts = DraftMigration::begin(editor.user, draft_moves.collect())?;
    let saved = editor.change_values(skill, &why, |package| {
        relink(package, prompts, moves, &unsaved);
        for one in moves {
            let taken = used_paths(package).into_iter().find(|known| *known != one.from && known.folded() == one.to.folded());
            if let Some(known) = taken {
                return Err(FileError::NameTaken(known));
            }
            rename(package, &one.from, &one.to)?;
        }
        Ok(())
    });
    match saved {
        Ok(saved) => {
            drafts.commit();
            Ok(editor.edit_result(saved))
        }
        Err(error) => {
            drafts.roll_back();
            Err(error)
        }
    }
}

fn rename(package: &mut Package, from: &SkillPath, to: &SkillPath) -> Result<(), FileError> {
    let main = *from == package.main_path;
    // Both spellings, `SKILL.md` and `skill.md`, are valid here, but other agents may know only one.
    if (main && !to.is_skill_md()) || from.as_str() == SKILL_JSON {
        return Err(FileError::FixedName(from.clone()));
    }
    if main {
        package.main_path = to.clone();
        if !package.artifacts.iter().any(|artifact| artifact.path == *from) {
            return Ok(());
        }
    }
    let artifact = package.artifacts.iter_mut().find(|artifact| artifact.path == *from).map(|artifact| &mut artifact.path);
    let path = match artifact {
        Some(path) => Some(path),
        None => match package.files.iter_mut().find(|file| file.path == *from) {
            Some(file) => Some(&mut file.path),
            None => package
                .artifacts
                .iter_mut()
                .filter_map(|artifact| artifact.state.as_mut())
                .map(|state| &mut state.path)
                .find(|path| *path == from),
        },
    };
    *path.ok_or_else(|| FileError::NotFound(from.clone()))? = to.clone();
    package.files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(())
}
