//! `inklings file` and `inklings artifact`.

use anyhow::Context as _;
use inklings_app::features::artifact::{Declare, DeclareParams, Undeclare, UndeclareParams};
use inklings_app::features::file::{
    AddFiles, AddParams, AddedFiles, CopyFiles, CopyParams, DeleteFiles, DeleteFilesParams, FileMove, Find, FindParams, Move, MoveParams,
    NameMatch, NameMatches, OnExisting,
};
use inklings_app::features::skill::Get;
use inklings_app::wire::SkillDetail;
use inklings_core::SkillPath;
use inklings_core::limits::ARTIFACT_BYTES;
use inklings_rpc::{Code, Failure};

use crate::args::{ArtifactCommand, FileCommand, OnConflict, ScopeArg, SkillArg};
use crate::commands::common::{label, parse_path, saved, skill_ref};
use crate::commands::session::Session;
use crate::error::CliError;
use crate::input::read_text;
use crate::out::{Out, table};

impl From<OnConflict> for OnExisting {
    fn from(action: OnConflict) -> Self {
        match action {
            OnConflict::Refuse => Self::Refuse,
            OnConflict::Replace => Self::Replace,
            OnConflict::KeepBoth => Self::Both,
            OnConflict::Skip => Self::Skip,
        }
    }
}

pub(crate) async fn run(session: &Session, command: FileCommand, out: &Out) -> Result<(), CliError> {
    match command {
        FileCommand::Find { query, limit } => {
            let params = FindParams { query, limit: Some(limit), recent: Vec::new() };
            let names = session.call::<Find>(params).await?;
            let is_empty = names.found.is_empty();
            out.result(&names, format_matches)?;
            if is_empty { Err(CliError::Findings) } else { Ok(()) }
        }
        FileCommand::Add { skill, paths, folder, on_conflict } => {
            let params = AddParams {
                skill: skill.skill,
                scope: skill.scope.map(Into::into),
                folder: folder.as_deref().map(parse_path).transpose()?,
                paths: paths.iter().map(std::path::absolute).collect::<Result<_, _>>().context("can't resolve the path")?,
                on_existing: on_conflict.into(),
            };
            print_added(&session.call::<AddFiles>(params).await?, "added", out)
        }
        FileCommand::Copy { skill, from, to, to_skill, to_scope, on_conflict } => {
            let params = copy_params(skill, file_move(&from, &to)?, to_skill, to_scope, on_conflict);
            print_added(&session.call::<CopyFiles>(params).await?, "copied", out)
        }
        FileCommand::Move { skill, from, to, to_skill: None, .. } => {
            let params = MoveParams { skill: skill.skill, scope: skill.scope.map(Into::into), moves: vec![file_move(&from, &to)?] };
            saved(&session.call::<Move>(params).await?, out)
        }
        FileCommand::Move { skill, from, to, to_skill, to_scope, on_conflict } => {
            let params = CopyParams { remove: true, ..copy_params(skill, file_move(&from, &to)?, to_skill, to_scope, on_conflict) };
            print_added(&session.call::<CopyFiles>(params).await?, "moved", out)
        }
        FileCommand::Delete { skill, paths } => {
            let paths = paths.iter().map(|path| parse_path(path)).collect::<Result<_, _>>()?;
            let params = DeleteFilesParams { skill: skill.skill, scope: skill.scope.map(Into::into), paths, expected: None };
            saved(&session.call::<DeleteFiles>(params).await?, out)
        }
    }
}

fn copy_params(
    skill: SkillArg,
    file: FileMove,
    to_skill: Option<String>,
    to_scope: Option<ScopeArg>,
    on_conflict: OnConflict,
) -> CopyParams {
    CopyParams {
        skill: skill.skill,
        scope: skill.scope.map(Into::into),
        to_skill,
        to_scope: to_scope.map(Into::into),
        files: vec![file],
        remove: false,
        on_existing: on_conflict.into(),
    }
}

fn file_move(from: &str, to: &str) -> Result<FileMove, Failure> {
    Ok(FileMove { from: parse_path(from)?, to: parse_path(to)? })
}

fn format_matches(names: &NameMatches) -> String {
    if names.found.is_empty() {
        return "no matches".to_owned();
    }
    let row = |one: &NameMatch| {
        let path = one.path.as_ref().map(|path| format!("/{path}")).unwrap_or_default();
        let kind = one.kind.map(|kind| kind.as_str().to_owned()).unwrap_or_default();
        vec![format!("{}{path}", one.slug), one.scope.to_string(), kind, one.name.clone()]
    };
    let mut rows: Vec<_> = names.found.iter().map(row).collect();
    if names.more {
        rows.push(vec!["… more results; use --limit".to_owned()]);
    }
    table(&rows)
}

/// Prints the added files. It is an error if the originals of moved files couldn't be removed.
fn print_added(result: &AddedFiles, verb: &str, out: &Out) -> Result<(), CliError> {
    out.diagnostics(&result.diagnostics);
    out.result(result, |result| {
        let mut rows: Vec<_> = result.files.iter().map(|one| vec![format!("{verb} {}", one.from), one.to.to_string()]).collect();
        rows.push(vec![format!("saved {}", label(&result.skill.summary))]);
        table(&rows)
    })?;
    result.failure.clone().map_or(Ok(()), |partial| Err(partial.into_failure("the originals were not removed").into()))
}

pub(crate) async fn artifact(session: &Session, command: ArtifactCommand, out: &Out) -> Result<(), CliError> {
    match command {
        ArtifactCommand::Declare { skill, kind, name, variant, path, from } => {
            let params = DeclareParams {
                skill: skill.skill,
                scope: skill.scope.map(Into::into),
                kind,
                name,
                variant,
                path: path.as_deref().map(parse_path).transpose()?,
                text: from.map(|file| read_text(&file, ARTIFACT_BYTES)).transpose()?,
            };
            saved(&session.call::<Declare>(params).await?, out)
        }
        ArtifactCommand::Undeclare { skill, artifact } => {
            let detail = session.call::<Get>(skill_ref(skill.clone())).await?;
            let params =
                UndeclareParams { skill: skill.skill, scope: skill.scope.map(Into::into), path: artifact_path(&detail, &artifact)? };
            saved(&session.call::<Undeclare>(params).await?, out)
        }
    }
}

/// The file of an artifact that is given by name or path.
pub(crate) fn artifact_path(skill: &SkillDetail, wanted: &str) -> Result<SkillPath, Failure> {
    let matches = |name: &str, path: &SkillPath| path.as_str() == wanted || name == wanted;
    let found = skill.entries.iter().find(|entry| entry.artifact.as_ref().is_some_and(|one| matches(&one.name, &entry.path)));
    found.map(|entry| entry.path.clone()).ok_or_else(|| {
        let slug = &skill.summary.slug;
        Failure::new(Code::NotFound, format!("artifact {wanted:?} not found in {slug}"))
            .hint(format!("run `inklings skill show {slug}` to list artifacts"))
    })
}

/// A skill with the file of one of its artifacts.
pub(crate) async fn with_artifact(session: &Session, skill: SkillArg, artifact: &str) -> Result<(SkillDetail, SkillPath), CliError> {
    let detail = session.call::<Get>(skill_ref(skill)).await?;
    let path = artifact_path(&detail, artifact)?;
    Ok((detail, path))
}
