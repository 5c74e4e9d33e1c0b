use std::collections::BTreeMap;
use std::path::PathBuf;

use inklings_core::path::SKILL_JSON;
use inklings_core::skill::State;
use inklings_core::user::{DraftKey, DraftMove};
use inklings_core::{ArtifactKind, Diagnostic, Package, Skill, SkillFile, SkillPath, StorageError, TreeFile};
use inklings_folder::{Declaration, Folder, disk, used_paths};
use serde_json::{Map, Value};

use super::api::{AddedFiles, FileMove, OnExisting};
use super::deleting::remove;
use super::error::FileError;
use crate::editing::{SkillEditor, ensure_unlocked};
use crate::features::draft::DraftMigration;
use crate::wire::EditResult;

/// Copies files into a skill, or moves them there if `remove` is set. Failing to delete the originals is reported in the result, since
/// the copies are already stored.
pub(super) fn copy(
    editor: &SkillEditor<'_>,
    source: &Skill,
    target: &Skill,
    files: &[FileMove],
    on_existing: OnExisting,
    remove: bool,
) -> Result<AddedFiles, FileError> {
    let is_same = (target.head.scope, target.head.id) == (source.head.scope, source.head.id);
    if remove && is_same {
        return Err(FileError::SameSkill);
    }
    // Refused before anything is copied.
    editor.ensure_trusted(source.head.scope, target.head.scope)?;
    if remove {
        ensure_unlocked(source)?;
        editor.caller.ensure_may_change(source)?;
    }
    let copies = copies_of(source, files)?;
    let what = count(files.len());
    let why = if is_same { format!("duplicated {what}") } else { format!("copied {what} from {}", source.package.slug) };
    let mut added = store(editor, target, &copies, on_existing, &why)?;
    if !remove || added.files.is_empty() {
        return Ok(added);
    }
    match remove_originals(editor, source, &added) {
        Ok(result) => {
            added.source_before = Some(result.before);
            added.source = Some(result.skill);
        }
        Err(error) => added.failure = Some(error.into()),
    }
    Ok(added)
}

/// Deletes the copied files and moves their drafts to the copies.
fn remove_originals(editor: &SkillEditor<'_>, source: &Skill, added: &AddedFiles) -> Result<EditResult, FileError> {
    let paths: Vec<SkillPath> = added.files.iter().map(|one| one.from.clone()).collect();
    let why = format!("moved {} to {}", count(paths.len()), added.skill.summary.slug);
    let drafts = DraftMigration::begin(editor.user, draft_moves(editor, source, added))?;
    let source = editor.catalog.require(&source.head.id.to_string(), Some(source.head.scope));
    let removed = source.map_err(FileError::from).and_then(|source| {
        ensure_unlocked(&source)?;
        editor.change_values(&source, &why, |package| paths.iter().try_for_each(|path| remove_if_there(package, path)))
    });
    match removed {
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

/// A state in the selection may already have been removed together with its module.
fn remove_if_there(package: &mut Package, path: &SkillPath) -> Result<(), FileError> {
    if used_paths(package).contains(path) { remove(package, path) } else { Ok(()) }
}

fn count(files: usize) -> String {
    if files == 1 { "1 file".to_owned() } else { format!("{files} files") }
}

/// The drafts of moved files are then based on the copies.
fn draft_moves(editor: &SkillEditor<'_>, source: &Skill, added: &AddedFiles) -> Vec<DraftMove> {
    let target = &added.skill;
    let key = |scope, skill, path: &SkillPath| DraftKey { workspace: editor.caller.draft_key(scope), skill, path: path.clone() };
    let hash = |path: &SkillPath| target.entries.iter().find(|entry| entry.path == *path).map(|entry| entry.sha256);
    let moves = added.files.iter().map(|one| DraftMove {
        from: key(source.head.scope, source.head.id, &one.from),
        to: key(target.summary.scope, target.summary.id, &one.to),
        base: Some((target.summary.revision, hash(&one.to))),
    });
    moves.collect()
}

/// Adds files and folders of the disk to a skill, below `into` if that is given; all or none.
pub(super) fn add(
    editor: &SkillEditor<'_>,
    target: &Skill,
    paths: &[PathBuf],
    into: Option<&SkillPath>,
    on_existing: OnExisting,
) -> Result<AddedFiles, FileError> {
    ensure_unlocked(target)?;
    if let Some(path) = paths.iter().find(|path| !path.is_absolute()) {
        return Err(FileError::RelativePath(path.clone()));
    }
    let (tree, findings) = disk::read_some(paths)?;
    if findings.iter().any(Diagnostic::is_error) {
        return Err(StorageError::Invalid(findings).into());
    }
    let mut by_path = BTreeMap::new();
    for (path, file) in tree {
        let path_in_skill = match into {
            Some(folder) => SkillPath::parse(&format!("{folder}/{path}"))?,
            None => path,
        };
        by_path.insert(path_in_skill, file);
    }
    if by_path.is_empty() {
        return Err(FileError::NoFiles);
    }
    let why = format!("added {} from the disk", count(by_path.len()));
    let copies: Vec<_> = by_path.into_iter().map(|(to, entry)| FileCopy { from: None, to, entry, artifact: None }).collect();
    let mut added = store(editor, target, &copies, on_existing, &why)?;
    added.diagnostics.extend(findings);
    Ok(added)
}

fn store(
    editor: &SkillEditor<'_>,
    target: &Skill,
    copies: &[FileCopy],
    on_existing: OnExisting,
    why: &str,
) -> Result<AddedFiles, FileError> {
    ensure_unlocked(target)?;
    let mut files = Vec::new();
    let saved = editor.change_values(target, why, |package| {
        files = add_to(editor.folder, package, copies, on_existing)?;
        Ok::<_, FileError>(())
    })?;
    let result = editor.edit_result(saved);
    Ok(AddedFiles {
        before: result.before,
        skill: result.skill,
        files,
        source: None,
        source_before: None,
        failure: None,
        diagnostics: result.diagnostics,
    })
}

/// A file to put into a package.
struct FileCopy {
    from: Option<SkillPath>,
    to: SkillPath,
    entry: TreeFile,
    artifact: Option<Declared>,
}

impl FileCopy {
    fn moved_to(&self, to: SkillPath) -> FileMove {
        FileMove { from: self.from.clone().unwrap_or_else(|| self.to.clone()), to }
    }
}

/// The declaration of an artifact in its old skill.
#[derive(Clone)]
struct Declared {
    kind: ArtifactKind,
    name: String,
    variant: Option<String>,
    metadata: Map<String, Value>,
    state: Option<State>,
}

/// Returns the final path of each file.
fn add_to(folder: &Folder, package: &mut Package, copies: &[FileCopy], on_existing: OnExisting) -> Result<Vec<FileMove>, FileError> {
    let overlaps =
        |known: &str, wanted: &str| known == wanted || wanted.starts_with(&format!("{known}/")) || known.starts_with(&format!("{wanted}/"));
    let mut taken: Vec<String> = used_paths(package).iter().map(SkillPath::folded).collect();
    if on_existing == OnExisting::Refuse {
        let existing: Vec<SkillPath> =
            copies.iter().map(|one| &one.to).filter(|to| taken.iter().any(|known| overlaps(known, &to.folded()))).cloned().collect();
        if !existing.is_empty() {
            return Err(FileError::Exist(existing));
        }
    }
    let mut moves = Vec::new();
    for one in copies {
        let wanted = one.to.folded();
        let to = match on_existing {
            _ if !taken.iter().any(|known| overlaps(known, &wanted)) => one.to.clone(),
            OnExisting::Refuse => return Err(FileError::Twice(one.to.clone())),
            OnExisting::Skip => continue,
            OnExisting::Both => free_path(&one.to, |path| taken.iter().any(|known| overlaps(known, path)))?,
            OnExisting::Replace => {
                replace(package, one)?;
                moves.push(one.moved_to(one.to.clone()));
                continue;
            }
        };
        taken.push(to.folded());
        package.files.push(SkillFile { path: to.clone(), entry: one.entry.clone() });
        package.files.sort_by(|a, b| a.path.cmp(&b.path));
        if let Some(declared) = &one.artifact {
            declare(folder, package, &to, declared.clone())?;
            taken = used_paths(package).iter().map(SkillPath::folded).collect();
        }
        moves.push(one.moved_to(to));
    }
    Ok(moves)
}

/// Replaces the content of the file with the same path, ignoring case. Its declaration is kept.
fn replace(package: &mut Package, one: &FileCopy) -> Result<(), FileError> {
    let wanted = one.to.folded();
    if one.to.folded() == package.main_path.folded() || wanted == SKILL_JSON {
        return Err(FileError::ReplacesMain(one.to.clone()));
    }
    if let Some(file) = package.files.iter_mut().find(|file| file.path.folded() == wanted) {
        file.entry = one.entry.clone();
        return Ok(());
    }
    if let Some(artifact) = package.artifacts.iter_mut().find(|artifact| artifact.path.folded() == wanted) {
        let text = one.entry.editable_text();
        let text = text.ok_or_else(|| FileError::ReplacesArtifact(one.to.clone()))?;
        artifact.content = text.into();
        artifact.executable = one.entry.executable;
        return Ok(());
    }
    let state = package.artifacts.iter_mut().filter_map(|artifact| artifact.state.as_mut()).find(|state| state.path.folded() == wanted);
    match state {
        Some(state) => {
            state.bytes = one.entry.bytes.clone();
            Ok(())
        }
        None => Err(FileError::PathOverlap(one.to.clone())),
    }
}

/// `name-copy.md`, `name-copy-2.md`, … until one is free.
fn free_path(path: &SkillPath, is_taken: impl Fn(&str) -> bool) -> Result<SkillPath, FileError> {
    let (folder, name) =
        path.as_str().rsplit_once('/').map_or(("", path.as_str()), |(_, name)| (&path.as_str()[..path.as_str().len() - name.len()], name));
    let (stem, ending) = name.char_indices().skip(1).find(|(_, ch)| *ch == '.').map_or((name, ""), |(at, _)| name.split_at(at));
    for number in 1.. {
        let suffix = if number == 1 { "copy".to_owned() } else { format!("copy-{number}") };
        let wanted = SkillPath::parse(&format!("{folder}{stem}-{suffix}{ending}"))?;
        if !is_taken(&wanted.folded()) {
            return Ok(wanted);
        }
    }
    Err(FileError::NoFreeName(path.clone()))
}

/// Declares a file as in its old skill, under an unused name.
fn declare(folder: &Folder, package: &mut Package, path: &SkillPath, declared: Declared) -> Result<(), FileError> {
    let Declared { kind, name, variant, metadata, state } = declared;
    let is_taken = |wanted: &str| package.artifacts.iter().any(|known| known.name == wanted && known.variant == variant);
    let names = (1..).map(|number| match number {
        1 => format!("{name} copy"),
        number => format!("{name} copy {number}"),
    });
    let free = std::iter::once(name.clone()).chain(names).find(|wanted| !is_taken(wanted)).unwrap_or(name);
    let state = match state {
        Some(state) => {
            let taken = used_paths(package);
            let is_taken = taken.iter().any(|known| known.folded() == state.path.folded());
            let path =
                if is_taken { inklings_folder::default_state_path(&free, &taken.iter().collect::<Vec<_>>()) } else { state.path.clone() };
            Some(State { path, ..state })
        }
        None => None,
    };
    folder.declare(package, Declaration { path: path.clone(), kind, name: free, variant })?;
    if let Some(artifact) = package.artifacts.iter_mut().find(|artifact| artifact.path == *path) {
        artifact.metadata = metadata;
        artifact.state = state;
    }
    Ok(())
}

/// The files to copy, with the states of their modules.
fn copies_of(skill: &Skill, files: &[FileMove]) -> Result<Vec<FileCopy>, FileError> {
    let (package, tree) = (&skill.package, skill.package.tree());
    let mut all = Vec::with_capacity(files.len());
    for one in files {
        if one.from == package.main_path || one.from.as_str() == SKILL_JSON {
            return Err(FileError::DefinesSkill(one.from.clone()));
        }
        let artifact = package.artifacts.iter().find(|artifact| artifact.path == one.from);
        let entry = tree.get(&one.from).cloned();
        let entry = entry.ok_or_else(|| FileError::NotFound(one.from.clone()))?;
        all.push(FileCopy {
            from: Some(one.from.clone()),
            to: one.to.clone(),
            entry,
            artifact: artifact.map(|artifact| Declared {
                kind: artifact.kind,
                name: artifact.name.clone(),
                variant: artifact.variant.clone(),
                metadata: artifact.metadata.clone(),
                // If the state is in the selection too, its new path is given.
                state: artifact.state.clone().map(|state| {
                    let wanted = files.iter().find(|other| other.from == state.path).map(|other| other.to.clone());
                    State { path: wanted.unwrap_or_else(|| state_path_beside(&one.to, &state.path)), ..state }
                }),
            }),
        });
    }
    let states: Vec<SkillPath> =
        all.iter().filter_map(|one| one.artifact.as_ref()?.state.as_ref()).map(|state| state.path.clone()).collect();
    // A state that is copied with its module isn't copied again as a file.
    all.retain(|one| one.artifact.is_some() || !states.contains(&one.to));
    Ok(all)
}

/// The path of a state in the new folder of its module.
fn state_path_beside(module: &SkillPath, state: &SkillPath) -> SkillPath {
    let name = state.as_str().rsplit('/').next().unwrap_or_default();
    let folder = module.as_str().rsplit_once('/').map(|(folder, _)| format!("{folder}/")).unwrap_or_default();
    SkillPath::parse(&format!("{folder}{name}")).unwrap_or_else(|_| state.clone())
}
