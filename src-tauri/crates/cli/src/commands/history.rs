//! `inklings skill history`, `rollback`, `revert` and `diff`.

use inklings_app::features::compare::{
    CompareFileParams, CompareFiles, CompareParams, CompareTexts, ComparedFile, Comparison, FileTexts, FileVersion, Side, Version,
};
use inklings_app::features::skill::{
    History, HistoryParams, ListRevisions, ReadRevision, RestoreFiles, RestoreFilesParams, Revert, RevertParams, RevisionParams, Rollback,
    RollbackParams,
};
use inklings_app::wire::EditResult;
use inklings_core::{RevisionInfo, SkillPath};
use inklings_rpc::{Code, Failure};
use serde_json::{Value, json};

use crate::args::{DiffArgs, SkillArg};
use crate::commands::common::{NamedText, parse_path, unified};
use crate::commands::session::Session;
use crate::error::CliError;
use crate::out::{Out, table};

const PAGE_SIZE: usize = 200;

pub(crate) async fn list(
    session: &Session,
    skill: SkillArg,
    path: Option<String>,
    limit: Option<usize>,
    out: &Out,
) -> Result<(), CliError> {
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
            limit: Some(left.min(PAGE_SIZE)),
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

/// Restores the given files, or the whole skill if there are none.
pub(crate) async fn roll_back(session: &Session, skill: SkillArg, to: i64, paths: Vec<String>) -> Result<EditResult, CliError> {
    let scope = skill.scope.map(Into::into);
    if paths.is_empty() {
        return Ok(session.call::<Rollback>(RollbackParams { skill: skill.skill, scope, number: to, expected: None }).await?);
    }
    let paths = paths.iter().map(|path| parse_path(path)).collect::<Result<_, _>>()?;
    let params = RestoreFilesParams { skill: skill.skill, scope, number: to, paths, expected: None };
    Ok(session.call::<RestoreFiles>(params).await?)
}

/// Undoes the revisions after `to` up to `from`; `to` defaults to the one before.
pub(crate) async fn revert(session: &Session, skill: SkillArg, from: i64, to: Option<i64>) -> Result<EditResult, CliError> {
    let to = to.unwrap_or(from - 1);
    if to < 1 || to >= from {
        return Err(Failure::invalid(format!("can't revert revision {from} to {to}"))
            .hint("--to must be an earlier revision; run `inklings skill history`")
            .into());
    }
    Ok(session.call::<Revert>(RevertParams { skill: skill.skill, scope: skill.scope.map(Into::into), from, to }).await?)
}

pub(crate) async fn show(session: &Session, skill: SkillArg, path: &str, number: i64, out: &Out) -> Result<(), CliError> {
    let params = RevisionParams { skill: skill.skill, scope: skill.scope.map(Into::into), number, path: parse_path(path)? };
    let file = session.call::<ReadRevision>(params).await?;
    match (&file.text, file.size) {
        (_, Some(_)) if out.is_json() => out.result(&file, |_| String::new()),
        (Some(text), _) => out.exact(text.as_bytes()).map(drop),
        (None, Some(size)) => Err(Failure::invalid(format!("{path} is binary ({size} bytes)"))
            .hint("restore it with `inklings skill rollback --path`")
            .into()),
        (None, None) => Err(Failure::new(Code::NotFound, format!("file {path} not found in revision {number}")).into()),
    }
}

pub(crate) async fn diff(session: &Session, args: DiffArgs, out: &Out) -> Result<(), CliError> {
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
        let rows = |found: &Comparison| {
            let lines = |sign: char, count: Option<usize>| count.map(|count| format!("{sign}{count}")).unwrap_or_default();
            let row = |file: &ComparedFile| {
                let mode = modes(file).map(|(old, new)| format!("mode {old} => {new}")).unwrap_or_default();
                vec![file.path.to_string(), file.change.as_str().to_owned(), lines('+', file.added), lines('-', file.removed), mode]
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
        let content = if texts.left.sha256 == texts.right.sha256 {
            String::new()
        } else if file.text {
            unified_diff(path, &texts, &found.left, &found.right)
        } else {
            format!("Binary files {path} differ\n")
        };
        let diff = mode_lines(file) + &content;
        files.push(json!({ "path": path, "change": file.change, "diff": diff }));
    }
    let joined = |value: &Value| {
        let texts = value["files"].as_array().into_iter().flatten().filter_map(|file| file["diff"].as_str());
        texts.collect::<Vec<_>>().join("")
    };
    out.content(&json!({ "from": found.left.revision, "to": found.right.revision, "files": files }), joined)
}

/// The modes of a file whose execute bit differs, as git has them.
fn modes(file: &ComparedFile) -> Option<(&'static str, &'static str)> {
    let (plain, executable) = ("100644", "100755");
    file.mode.then_some(if file.executable { (plain, executable) } else { (executable, plain) })
}

fn mode_lines(file: &ComparedFile) -> String {
    let path = &file.path;
    let modes = modes(file);
    modes.map(|(old, new)| format!("diff --git a/{path} b/{path}\nold mode {old}\nnew mode {new}\n")).unwrap_or_default()
}

fn unified_diff(path: &str, texts: &FileTexts, left: &Side, right: &Side) -> String {
    let (before, after) = (texts.left.text.as_deref().unwrap_or_default(), texts.right.text.as_deref().unwrap_or_default());
    let name = |letter: char, side: &Side| match (&side.copy, side.revision) {
        (Some(folder), _) => format!("{folder}/{path}"),
        (None, Some(revision)) => format!("{letter}/{path} r{revision}"),
        (None, None) => format!("{letter}/{path}"),
    };
    unified(NamedText { name: &name('a', left), text: before }, NamedText { name: &name('b', right), text: after })
}

#[cfg(test)]
mod tests {
    use inklings_core::change::PathChange;

    use super::*;

    #[test]
    fn a_changed_execute_bit_is_shown_as_git_does() {
        let path = SkillPath::parse("scripts/run.py").unwrap();
        let (change, text, lines) = (PathChange::Modified, true, Some(0));
        let mut file = ComparedFile { path, change, text, mode: true, executable: true, added: lines, removed: lines };
        let shown = "diff --git a/scripts/run.py b/scripts/run.py\nold mode 100644\nnew mode 100755\n";
        assert_eq!(mode_lines(&file), shown);
        file.executable = false;
        assert_eq!(modes(&file), Some(("100755", "100644")));
        file.mode = false;
        assert_eq!(mode_lines(&file), "");
    }
}
