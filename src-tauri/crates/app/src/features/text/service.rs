use std::collections::BTreeMap;

use inklings_core::edit::TreeEdit;
use inklings_core::{Scope, Skill, SkillCatalog, SkillId, SkillPath};

use super::api::{FileMatches, ReplaceFile, ReplacedSkill, SearchParams, SearchResult, SkillMatches};
use super::error::{ReplaceError, TextSearchError};
use crate::editing::{SkillEditor, ensure_unlocked};
use crate::find::Finder;

/// Matches of a search.
const DEFAULT_LIMIT: usize = 2_000;
const MAX_LIMIT: usize = 20_000;
/// Characters of a text that the history quotes.
const QUOTE_CHARS: usize = 40;

/// Searches the saved texts.
pub(super) fn search(catalog: &SkillCatalog, finder: &Finder, params: &SearchParams) -> Result<SearchResult, TextSearchError> {
    let limit = params.limit.unwrap_or(DEFAULT_LIMIT).clamp(1, MAX_LIMIT);
    let only = params.skill.as_deref().map(|name| catalog.require(name, params.scope)).transpose()?.map(|skill| skill.head.id);
    let mut result = SearchResult { skills: Vec::new(), matches: 0, files: 0, more: false };
    for summary in catalog.list_both()? {
        if result.more || params.scope.is_some_and(|scope| scope != summary.scope) || only.is_some_and(|id| id != summary.id) {
            continue;
        }
        // It may have been deleted since it was listed.
        let Some(skill) = catalog.holder(summary.id, summary.scope)?.get_skill(summary.id)? else { continue };
        let mut files = Vec::new();
        for (path, text) in texts(&skill) {
            if params.path.as_ref().is_some_and(|part| !path.as_str().contains(part.as_str())) {
                continue;
            }
            let (matches, more) = finder.find(&text, params.replacement.as_deref(), limit - result.matches);
            if finder.is_cancelled() {
                return Err(TextSearchError::Cancelled);
            }
            result.more |= more;
            if !matches.is_empty() {
                result.matches += matches.len();
                result.files += 1;
                files.push(FileMatches { path, matches });
            }
        }
        if !files.is_empty() {
            result.skills.push(SkillMatches {
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
    Ok(result)
}

/// The text files of a skill.
fn texts(skill: &Skill) -> Vec<(SkillPath, String)> {
    let tree = skill.package.tree();
    tree.into_iter().filter_map(|(path, entry)| Some((path, entry.text()?.to_owned()))).collect()
}

/// Replaces the matches of a search.
pub(super) struct Replacer<'a> {
    pub(super) editor: SkillEditor<'a>,
    pub(super) finder: Finder,
    /// For the history.
    pub(super) query: String,
    pub(super) replacement: String,
}

#[derive(Debug, Default)]
pub(super) struct ReplaceOutcome {
    pub(super) changed: Vec<ReplacedSkill>,
    pub(super) refused: Vec<(SkillId, Scope, ReplaceError)>,
}

impl Replacer<'_> {
    /// Changes each skill as a whole or not at all.
    pub(super) fn replace(&self, files: Vec<ReplaceFile>) -> ReplaceOutcome {
        let mut by_skill: BTreeMap<(Scope, SkillId), Vec<ReplaceFile>> = BTreeMap::new();
        for file in files {
            by_skill.entry((file.scope, file.skill)).or_default().push(file);
        }
        let mut outcome = ReplaceOutcome::default();
        for ((scope, id), files) in by_skill {
            match self.replace_in_skill(scope, id, &files) {
                Ok(Some(replaced)) => outcome.changed.push(replaced),
                Ok(None) => {}
                Err(error) => outcome.refused.push((id, scope, error)),
            }
        }
        outcome
    }

    /// None if nothing changes.
    fn replace_in_skill(&self, scope: Scope, id: SkillId, files: &[ReplaceFile]) -> Result<Option<ReplacedSkill>, ReplaceError> {
        let skill = self.editor.catalog.holder(id, scope)?.present(id)?;
        ensure_unlocked(&skill)?;
        let slug = &skill.package.slug;
        if files.iter().any(|file| file.revision != skill.head.revision) {
            return Err(ReplaceError::ChangedSince(slug.clone()));
        }
        let drafts = self.editor.draft_paths(&skill)?;
        let texts: BTreeMap<SkillPath, String> = texts(&skill).into_iter().collect();
        let (mut edits, mut matches) = (Vec::new(), 0);
        for file in files {
            if drafts.contains(&file.path) {
                return Err(ReplaceError::UnsavedDraft { slug: slug.clone(), path: file.path.clone() });
            }
            let text = texts.get(&file.path).ok_or_else(|| ReplaceError::ChangedSince(slug.clone()))?;
            let (after, count) = self.finder.replace(text, &self.replacement, file.matches.as_deref());
            if count > 0 && after != *text {
                matches += count;
                edits.push(TreeEdit::Write(file.path.clone(), after.into_bytes().into()));
            }
        }
        if edits.is_empty() {
            return Ok(None);
        }
        let why = format!("replaced {} with {}", quote(&self.query), quote(&self.replacement));
        let saved = self.editor.save(&skill, &edits, skill.head.revision, &why)?;
        Ok(Some(ReplacedSkill {
            id,
            slug: saved.skill.package.slug.clone(),
            scope,
            revision: saved.skill.head.revision,
            matches,
            files: edits.into_iter().filter_map(|edit| if let TreeEdit::Write(path, _) = edit { Some(path) } else { None }).collect(),
        }))
    }
}

/// A text as the history names it.
fn quote(text: &str) -> String {
    let line: String = text.chars().take(QUOTE_CHARS).map(|ch| if ch.is_control() { ' ' } else { ch }).collect();
    if line.len() < text.len() { format!("\u{201c}{line}…\u{201d}") } else { format!("\u{201c}{line}\u{201d}") }
}
