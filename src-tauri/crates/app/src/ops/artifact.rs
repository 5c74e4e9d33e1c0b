//! `artifact/*`: which files of a skill are artifacts. The rules of names and paths are the folder's; a view only asks.

use inklings_core::user::{DraftKey, DraftMove};
use inklings_core::{ArtifactKind, Package, Scope, SkillFile, SkillPath, SkillSummary, TreeFile};
use inklings_folder::{Declaration, default_path, taken_paths};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::features::draft::DraftMigration;
use crate::ops::skill::{EditResult, result};
use crate::ops::{after_write, change_values, draft_key, unlocked};
use inklings_rpc::{CallContext, Code, Failure, operations};

/// A file that becomes an artifact, or a new artifact.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeclareParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// What it becomes.
    pub kind: ArtifactKind,
    /// Its name, unique in the skill together with the variant.
    pub name: String,
    /// Model family that it is for; the default without one.
    #[serde(default)]
    pub variant: Option<String>,
    /// A file of the skill; a new one at the kind's usual place without it.
    #[serde(default)]
    pub path: Option<SkillPath>,
    /// Text of a new file; a starter of its kind without it.
    #[serde(default)]
    pub text: Option<String>,
}

fn declare(app: &App, cx: &CallContext, params: DeclareParams) -> Result<EditResult, Failure> {
    let name = params.name.trim().to_owned();
    if name.is_empty() {
        return Err(Failure::invalid("the artifact has no name").hint("give it one"));
    }
    let why = format!("declared {} {name:?}", params.kind);
    change(app, cx, &params.skill, params.scope, &why, |package| {
        let taken = taken_paths(package);
        let usual = || default_path(params.kind, &name, params.variant.as_deref(), &taken.iter().collect::<Vec<_>>());
        let path = params.path.clone().unwrap_or_else(usual);
        if !package.files.iter().any(|file| file.path == path) {
            if taken.iter().any(|known| known.folded() == path.folded()) {
                return Err(Failure::new(Code::Exists, format!("there is already a file {path}")).hint("choose another path"));
            }
            let text = params.text.clone().unwrap_or_else(|| starter(params.kind, &name));
            package.files.push(SkillFile { path: path.clone(), entry: TreeFile::new(text.into_bytes()) });
            package.files.sort_by(|a, b| a.path.cmp(&b.path));
        }
        app.folder.declare(package, Declaration { path, kind: params.kind, name: name.clone(), variant: params.variant.clone() })?;
        Ok(())
    })
}

/// What a new file of a kind begins with.
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

/// An artifact that becomes a plain file.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UndeclareParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The artifact.
    pub path: SkillPath,
}

fn undeclare(app: &App, cx: &CallContext, params: UndeclareParams) -> Result<EditResult, Failure> {
    let why = format!("{} is a plain file", params.path);
    change(app, cx, &params.skill, params.scope, &why, |package| {
        app.folder.undeclare(package, &params.path)?;
        Ok(())
    })
}

/// One renamed file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Moved {
    /// The file.
    pub from: SkillPath,
    /// Its new path.
    pub to: SkillPath,
}

/// Renames files together with what names them: an artifact's entry and the path of its state.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The files, all or none.
    pub moves: Vec<Moved>,
}

fn move_file(app: &App, cx: &CallContext, params: MoveParams) -> Result<EditResult, Failure> {
    let why = match params.moves.as_slice() {
        [one] => format!("renamed {} to {}", one.from, one.to),
        many => format!("renamed {} files", many.len()),
    };
    let catalog = app.catalog(cx)?;
    let skill = catalog.require(&params.skill, params.scope)?;
    unlocked(&skill)?;
    let key = |path: &SkillPath| DraftKey { workspace: draft_key(cx, skill.head.scope), skill: skill.head.id, path: path.clone() };
    let draft_moves = params.moves.iter().map(|one| DraftMove { from: key(&one.from), to: key(&one.to), base: None });
    let drafts = DraftMigration::begin(app.user.as_ref(), draft_moves.collect())?;
    let moved = change_values(app, cx, &catalog, &skill, &why, |package| {
        for one in &params.moves {
            let clash = taken_paths(package).into_iter().find(|known| *known != one.from && known.folded() == one.to.folded());
            if let Some(known) = clash {
                return Err(Failure::new(Code::Exists, format!("there is already a file {known}")).hint("choose another name"));
            }
            rename(package, &one.from, &one.to)?;
        }
        Ok(())
    });
    match moved {
        Ok(saved) => {
            drafts.commit();
            Ok(result(app, cx, &catalog, saved))
        }
        Err(error) => {
            drafts.roll_back();
            Err(error)
        }
    }
}

fn rename(package: &mut Package, from: &SkillPath, to: &SkillPath) -> Result<(), Failure> {
    let main = *from == package.main_path;
    // Of its two spellings one is as good as the other here, and only one of them elsewhere.
    if (main && !to.is_skill_md()) || from.as_str() == inklings_core::path::SKILL_JSON {
        return Err(Failure::invalid(format!("{from} keeps its name: it is what makes the folder a skill")));
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
    let missing = || Failure::new(Code::NotFound, format!("there is no file {from} in this skill"));
    *path.ok_or_else(missing)? = to.clone();
    package.files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(())
}

/// Files to remove.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeleteFilesParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The files, all or none.
    pub paths: Vec<SkillPath>,
}

fn delete(app: &App, cx: &CallContext, params: DeleteFilesParams) -> Result<EditResult, Failure> {
    let why = match params.paths.as_slice() {
        [one] => format!("deleted {one}"),
        many => format!("deleted {} files", many.len()),
    };
    let result =
        change(app, cx, &params.skill, params.scope, &why, |package| params.paths.iter().try_for_each(|path| remove(package, path)))?;
    let SkillSummary { id, scope, .. } = result.skill.summary;
    for path in &params.paths {
        after_write("discarding the draft of a deleted file", app.user.discard_draft(&draft_key(cx, scope), id, Some(path)));
    }
    Ok(result)
}

pub(crate) fn remove(package: &mut Package, path: &SkillPath) -> Result<(), Failure> {
    if *path == package.main_path {
        return Err(
            Failure::invalid(format!("{path} can't be deleted: it is what makes the folder a skill")).hint("delete the skill instead")
        );
    }
    if path.as_str() == inklings_core::path::SKILL_JSON {
        return Err(Failure::invalid(format!("{path} can't be deleted: it declares this skill's artifacts"))
            .hint("undeclare the artifacts instead; the file goes when nothing needs it"));
    }
    let before = package.artifacts.len() + package.files.len();
    let gone = package.artifacts.iter().find(|artifact| artifact.path == *path).map(|artifact| artifact.name.clone());
    package.artifacts.retain(|artifact| artifact.path != *path);
    package.files.retain(|file| file.path != *path);
    let mut found = package.artifacts.len() + package.files.len() < before;
    for artifact in &mut package.artifacts {
        found |= artifact.state.take_if(|state| state.path == *path).is_some();
    }
    // A plan that names what is gone would name nothing; another variant may still have the name.
    if let (Some(name), Some(run)) = (gone, &mut package.run)
        && package.artifacts.iter().all(|artifact| artifact.name != name)
    {
        run.retain(|step| *step != name);
    }
    if found { Ok(()) } else { Err(Failure::new(Code::NotFound, format!("there is no file {path} in this skill"))) }
}

/// [`change_values`] of a skill that is named and not locked.
pub(crate) fn change(
    app: &App,
    cx: &CallContext,
    skill: &str,
    scope: Option<Scope>,
    why: &str,
    with: impl FnMut(&mut Package) -> Result<(), Failure>,
) -> Result<EditResult, Failure> {
    let catalog = app.catalog(cx)?;
    let skill = catalog.require(skill, scope)?;
    unlocked(&skill)?;
    let saved = change_values(app, cx, &catalog, &skill, why, with)?;
    Ok(result(app, cx, &catalog, saved))
}

operations! { App;
    Declare = "artifact/declare", Write["skill"], blocking declare(DeclareParams) -> EditResult;
    Undeclare = "artifact/undeclare", Write["skill"], blocking undeclare(UndeclareParams) -> EditResult;
    Move = "file/move", Write["skill", "draft"], blocking move_file(MoveParams) -> EditResult;
    DeleteFiles = "file/delete", Write["skill", "draft"], blocking delete(DeleteFilesParams) -> EditResult;
}
