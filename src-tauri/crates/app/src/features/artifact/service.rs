use inklings_core::{ArtifactKind, Skill, SkillFile, SkillPath, TreeFile};
use inklings_folder::{Declaration, default_path, used_paths};

use super::api::DeclareParams;
use super::error::ArtifactError;
use crate::editing::{SkillEditor, ensure_unlocked};
use crate::wire::EditResult;

/// Declares a file of a skill, or a new one, as an artifact.
pub(super) fn declare(editor: &SkillEditor<'_>, skill: &Skill, params: &DeclareParams) -> Result<EditResult, ArtifactError> {
    ensure_unlocked(skill)?;
    let name = params.name.trim();
    let why = format!("declared {} {name:?}", params.kind);
    let saved = editor.change_values(skill, &why, |package| {
        let taken = used_paths(package);
        let default = || default_path(params.kind, name, params.variant.as_deref(), &taken.iter().collect::<Vec<_>>());
        let path = params.path.clone().unwrap_or_else(default);
        if !package.files.iter().any(|file| file.path == path) {
            if taken.iter().any(|known| known.folded() == path.folded()) {
                return Err(ArtifactError::PathExists(path));
            }
            let text = params.text.clone().unwrap_or_else(|| starter(params.kind, name));
            package.files.push(SkillFile { path: path.clone(), entry: TreeFile::new(text.into_bytes()) });
            package.files.sort_by(|a, b| a.path.cmp(&b.path));
        }
        let declaration = Declaration { path, kind: params.kind, name: name.to_owned(), variant: params.variant.clone() };
        editor.folder.declare(package, declaration)?;
        Ok(())
    })?;
    Ok(editor.edit_result(saved))
}

/// Makes an artifact a plain file.
pub(super) fn undeclare(editor: &SkillEditor<'_>, skill: &Skill, path: &SkillPath) -> Result<EditResult, ArtifactError> {
    ensure_unlocked(skill)?;
    let saved = editor.change_values(skill, &format!("undeclared {path}"), |package| {
        editor.folder.undeclare(package, path)?;
        Ok::<_, ArtifactError>(())
    })?;
    Ok(editor.edit_result(saved))
}

/// The text of a new file.
fn starter(kind: ArtifactKind, name: &str) -> String {
    match kind {
        ArtifactKind::Description => format!("# {name}\n\nWhat this part of the skill is about.\n"),
        ArtifactKind::PromptTemplate => "Read the following text and say what matters most in it:\n\n{{ text }}\n".to_owned(),
        ArtifactKind::CodeTemplate => "import inklings\n\npages = inklings.search('{{ query }}')\n\
            inklings.submit({'pages': [page['slug'] for page in pages]})\n"
            .to_owned(),
        ArtifactKind::DspyModule => "{\n  \"template_id\": \"predict\",\n  \"signature\": \"text: str -> summary: str\"\n}\n".to_owned(),
        ArtifactKind::Approach => "Work in small steps. Say what you checked and what you could not check.\n".to_owned(),
        ArtifactKind::Example => "{\n  \"input\": {},\n  \"output\": \"\"\n}\n".to_owned(),
    }
}
