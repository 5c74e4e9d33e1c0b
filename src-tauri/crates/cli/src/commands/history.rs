//! `skill history`, `skill rollback`, `skill diff`: the past of a skill, and what differs.

use inklings_app::features::compare::{CompareFileParams, CompareFiles, CompareParams, CompareTexts, FileVersion, Side, TwoFiles, Version};
use inklings_app::features::skill::{
    History, HistoryParams, ListRevisions, ReadRevision, RestoreFiles, RestoreFilesParams, Revert, RevertParams, RevisionParams, Rollback,
    RollbackParams,
};
use inklings_app::wire::EditResult;
use inklings_core::{RevisionInfo, SkillPath};
use inklings_rpc::{Code, Failure};
use serde_json::{Value, json};

use crate::Ended;
use crate::args::{DiffArgs, SkillArg};
use crate::commands::{Session, skill::parse_path};
use crate::out::{Out, table};

/// Revisions that are read at a time.
const PAGE: usize = 200;

pub(crate) async fn list(session: &Session, skill: SkillArg, path: Option<String>, limit: Option<usize>, out: &Out) -> Result<(), Ended> {
    let path = path.as_deref().map(parse_path).transpose()?;
    let wanted = limit.unwrap_or(usize::MAX);
    let mut history = History { revisions: Vec::new(), next: None };
    loop {
        let left = wanted - history.revisions.len();
        let params = HistoryParams {
            skill: skill.skill.clone(),
            scope: skill.scope.map(Into::into),
            path: path.clone(),
            before: history.next,
            limit: Some(left.min(PAGE)),
        };
        let mut page = session.call::<ListRevisions>(params).await?;
        history.revisions.append(&mut page.revisions);
        history.next = page.next;
        if history.next.is_none() || history.revisions.len() >= wanted {
            break;
        }
    }
    let row = |revision: &RevisionInfo| {
        let paths: Vec<_> = revision.changed.iter().map(|changed| changed.path.to_string()).collect();
        vec![
            format!("r{}", revision.number),
            revision.created_at.to_string(),
            revision.actor.clone(),
            revision.why.clone(),
            paths.join(" "),
        ]
    };
    out.result(&history, |history| table(&history.revisions.iter().map(row).collect::<Vec<_>>()))
}

/// The whole skill, or the files that were named.
pub(crate) async fn go_back(session: &Session, skill: SkillArg, to: i64, paths: Vec<String>) -> Result<EditResult, Ended> {
    let scope = skill.scope.map(Into::into);
    if paths.is_empty() {
        return Ok(session.call::<Rollback>(RollbackParams { skill: skill.skill, scope, number: to, expected: None }).await?);
    }
    let paths = paths.iter().map(|path| parse_path(path)).collect::<Result<_, _>>()?;
    let params = RestoreFilesParams { skill: skill.skill, scope, number: to, paths, expected: None };
    Ok(session.call::<RestoreFiles>(params).await?)
}

/// One stretch of the history undone.
pub(crate) async fn revert(session: &Session, skill: SkillArg, from: i64, to: Option<i64>) -> Result<EditResult, Ended> {
    let to = to.unwrap_or(from - 1);
    if to < 1 || to >= from {
        return Err(Failure::invalid(format!("revision {from} can't be undone to {to}"))
            .hint("the first revision has none before it; see `inklings skill history`")
            .into());
    }
    Ok(session.call::<Revert>(RevertParams { skill: skill.skill, scope: skill.scope.map(Into::into), from, to }).await?)
}

/// A file as it was.
pub(crate) async fn show(session: &Session, skill: SkillArg, path: &str, number: i64, out: &Out) -> Result<(), Ended> {
    let params = RevisionParams { skill: skill.skill, scope: skill.scope.map(Into::into), number, path: parse_path(path)? };
    let file = session.call::<ReadRevision>(params).await?;
    match (&file.text, file.size) {
        (_, Some(_)) if out.is_json() => out.result(&file, |_| String::new()),
        (Some(text), _) => out.exact(text.as_bytes()).map(drop),
        (None, Some(size)) => {
            Err(Failure::invalid(format!("{path} is binary ({size} bytes)")).hint("restore it with `skill rollback --path`").into())
        }
        (None, None) => Err(Failure::new(Code::NotFound, format!("revision {number} has no file {path}")).into()),
    }
}

/// What differs, as unified diffs of the text files, or as a list of files.
pub(crate) async fn diff(session: &Session, args: DiffArgs, out: &Out) -> Result<(), Ended> {
    let here = Version { skill: args.skill.skill, scope: args.skill.scope.map(Into::into), revision: args.to, copy: None };
    let before = match (args.copy, args.with) {
        (Some(copy), _) => Version { revision: None, copy: Some(copy), ..here.clone() },
        (_, Some(with)) => Version { skill: with, scope: args.with_scope.map(Into::into), revision: None, copy: None },
        (None, None) => Version { revision: args.from, ..here.clone() },
    };
    let paths = args.path.iter().map(|path| parse_path(path)).collect::<Result<Vec<SkillPath>, _>>()?;
    let mut found = session.call::<CompareFiles>(CompareParams { left: before.clone(), right: here.clone() }).await?;
    found.files.retain(|file| paths.is_empty() || paths.contains(&file.path));
    if args.stat {
        let rows = |found: &inklings_app::features::compare::Compared| {
            let lines = |sign: char, count: Option<usize>| count.map(|count| format!("{sign}{count}")).unwrap_or_default();
            let row = |file: &inklings_app::features::compare::ComparedFile| {
                vec![file.path.to_string(), file.change.as_str().to_owned(), lines('+', file.added), lines('-', file.removed)]
            };
            table(&found.files.iter().map(row).collect::<Vec<_>>())
        };
        return out.result(&found, rows);
    }
    let mut files = Vec::new();
    for file in &found.files {
        let side = |version: &Version| FileVersion { of: version.clone(), path: file.path.clone() };
        let texts = session.call::<CompareTexts>(CompareFileParams { left: side(&before), right: side(&here) }).await?;
        let path = file.path.as_str();
        let diff = if file.text { between(path, &texts, &found.left, &found.right) } else { format!("{path} is binary and differs\n") };
        files.push(json!({ "path": path, "change": file.change, "diff": diff }));
    }
    let joined = |value: &Value| {
        let texts = value["files"].as_array().into_iter().flatten().filter_map(|file| file["diff"].as_str());
        texts.collect::<Vec<_>>().join("")
    };
    out.content(&json!({ "from": found.left.revision, "to": found.right.revision, "files": files }), joined)
}

fn between(path: &str, texts: &TwoFiles, left: &Side, right: &Side) -> String {
    let (before, after) = (texts.left.text.as_deref().unwrap_or_default(), texts.right.text.as_deref().unwrap_or_default());
    let name = |letter: char, side: &Side| match (&side.copy, side.revision) {
        (Some(folder), _) => format!("{folder}/{path}"),
        (None, Some(revision)) => format!("{letter}/{path} r{revision}"),
        (None, None) => format!("{letter}/{path}"),
    };
    unified((&name('a', left), before), (&name('b', right), after))
}

/// What differs between two named texts, as `diff -u` writes it.
pub(crate) fn unified((left, before): (&str, &str), (right, after): (&str, &str)) -> String {
    similar::TextDiff::from_lines(before, after).unified_diff().header(left, right).to_string()
}
