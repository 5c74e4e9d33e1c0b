//! `text/*`: searching and replacing in the texts of all skills.

use std::collections::BTreeMap;

use inklings_core::edit::TreeEdit;
use inklings_core::{Scope, Skill, SkillId, SkillPath};
use inklings_rpc::{CallContext, Code, Failure, operations};

use super::api::{FileMatches, Kept, Matches, ReplaceFile, ReplaceParams, Replaced, Replacement, SearchParams, SkillMatches};
use crate::app::App;
use crate::editing::ensure_unlocked;
use crate::find::Finder;

/// Matches that a search gives, unless said otherwise.
const USUAL: usize = 2_000;

/// Most matches of a search.
const MOST: usize = 20_000;

fn search(app: &App, cx: &CallContext, params: SearchParams) -> Result<Matches, Failure> {
    let finder = Finder::new(&params.query)?;
    let limit = params.limit.unwrap_or(USUAL).clamp(1, MOST);
    let catalog = app.catalog(cx)?;
    let only = params.skill.as_deref().map(|name| catalog.require(name, params.scope)).transpose()?.map(|skill| skill.head.id);
    let mut found = Matches { skills: Vec::new(), matches: 0, files: 0, more: false };
    for summary in catalog.list_both()? {
        if found.more || params.scope.is_some_and(|scope| scope != summary.scope) || only.is_some_and(|id| id != summary.id) {
            continue;
        }
        // It may have gone since it was listed.
        let Some(skill) = catalog.holder(summary.id, summary.scope)?.get_skill(summary.id)? else { continue };
        let mut files = Vec::new();
        for (path, text) in texts(&skill) {
            if params.path.as_ref().is_some_and(|part| !path.as_str().contains(part.as_str())) {
                continue;
            }
            let (matches, more) = finder.find(&text, params.replacement.as_deref(), limit - found.matches);
            found.more |= more;
            if !matches.is_empty() {
                found.matches += matches.len();
                found.files += 1;
                files.push(FileMatches { path, matches });
            }
        }
        if !files.is_empty() {
            found.skills.push(SkillMatches {
                id: summary.id,
                slug: summary.slug,
                name: summary.name,
                scope: summary.scope,
                revision: skill.head.revision,
                locked: ensure_unlocked(&skill).is_err(),
                files,
            });
        }
    }
    Ok(found)
}

/// The text files of a skill.
fn texts(skill: &Skill) -> Vec<(SkillPath, String)> {
    let tree = skill.package.tree();
    tree.into_iter().filter_map(|(path, entry)| Some((path, entry.text()?.to_owned()))).collect()
}

fn replace(app: &App, cx: &CallContext, params: ReplaceParams) -> Result<Replacement, Failure> {
    let finder = Finder::new(&params.query)?;
    let mut by_skill: BTreeMap<(Scope, SkillId), Vec<ReplaceFile>> = BTreeMap::new();
    for file in params.files {
        by_skill.entry((file.scope, file.skill)).or_default().push(file);
    }
    let mut done = Replacement { changed: Vec::new(), kept: Vec::new() };
    for ((scope, id), files) in by_skill {
        match in_skill(app, cx, (scope, id), &files, &finder, &params.query.text, &params.replacement) {
            Ok(Some(replaced)) => done.changed.push(replaced),
            Ok(None) => {}
            Err(failure) => done.kept.push(Kept { id, scope, failure }),
        }
    }
    Ok(done)
}

fn in_skill(
    app: &App,
    cx: &CallContext,
    (scope, id): (Scope, SkillId),
    files: &[ReplaceFile],
    finder: &Finder,
    query: &str,
    replacement: &str,
) -> Result<Option<Replaced>, Failure> {
    let editor = app.editor(cx)?;
    let skill = editor.catalog.holder(id, scope)?.present(id)?;
    ensure_unlocked(&skill)?;
    let changed = || {
        let what = format!("{} was changed since the search", skill.package.slug);
        Failure::new(Code::RevisionConflict, what).hint("search again")
    };
    if files.iter().any(|file| file.revision != skill.head.revision) {
        return Err(changed());
    }
    let typed = editor.draft_paths(&skill)?;
    let texts: BTreeMap<SkillPath, String> = texts(&skill).into_iter().collect();
    let (mut edits, mut matches) = (Vec::new(), 0);
    for file in files {
        if typed.contains(&file.path) {
            return Err(Failure::unsaved_draft(skill.package.slug.as_str(), &file.path, "search again"));
        }
        let text = texts.get(&file.path).ok_or_else(changed)?;
        let (after, count) = finder.replace(text, replacement, file.matches.as_deref());
        if count > 0 && after != *text {
            matches += count;
            edits.push(TreeEdit::Write(file.path.clone(), after.into_bytes().into()));
        }
    }
    if edits.is_empty() {
        return Ok(None);
    }
    let why = format!("replaced {} by {}", short(query), short(replacement));
    let saved = editor.save(&skill, &edits, skill.head.revision, &why)?;
    Ok(Some(Replaced {
        id,
        slug: saved.skill.package.slug.clone(),
        scope,
        revision: saved.skill.head.revision,
        matches,
        files: edits.into_iter().filter_map(|edit| if let TreeEdit::Write(path, _) = edit { Some(path) } else { None }).collect(),
    }))
}

/// A text as the history names it.
fn short(text: &str) -> String {
    let line: String = text.chars().take(40).map(|ch| if ch.is_control() { ' ' } else { ch }).collect();
    if line.len() < text.len() { format!("\u{201c}{line}…\u{201d}") } else { format!("\u{201c}{line}\u{201d}") }
}

operations! { App;
    /// What is saved; unsaved typing is the editor's own.
    Search = "text/search", Read, blocking search(SearchParams) -> Matches;
    /// A revision for each skill. A skill that is locked, was changed since the search, or has unsaved typing in one of the
    /// files stays as it is and is named.
    Replace = "text/replace", Write["skill"], blocking replace(ReplaceParams) -> Replacement;
}
