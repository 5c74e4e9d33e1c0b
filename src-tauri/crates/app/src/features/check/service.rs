use std::path::Path;

use inklings_core::{ArtifactKind, Diagnostic, Severity, Skill, SkillCatalog, SkillFormat, SkillListItem, SkillPath, StorageError};
use inklings_lint::Context;

use super::api::{CheckAllParams, CheckedFile, CheckedSkills, Fixes, OfferedFix, SeverityCounts, SkillFindings};
use crate::check_cache::CheckCache;

const DEFAULT_PAGE_SIZE: u32 = 200;
const MAX_PAGE_SIZE: u32 = 1_000;

/// Listed diagnostics of one skill; all are counted.
const MAX_LISTED: usize = 200;

/// Checks `text` as the content of the skill's file `path`.
pub(super) fn check_text(skill: &Skill, format: &dyn SkillFormat, path: &SkillPath, text: &str) -> CheckedFile {
    let context = Context { package: &skill.package, format };
    let diagnostics = inklings_lint::check_file(&context, path, text);
    let locked = skill.head.source.is_locked();
    let offers = if locked { Vec::new() } else { inklings_lint::offers(&context, path, text, &diagnostics) };
    let fixes = offers.into_iter().map(|offer| OfferedFix { finding: offer.finding, fix: offer.fix }).collect();
    CheckedFile { diagnostics, fixes }
}

pub(super) fn is_script(skill: &Skill, path: &SkillPath) -> bool {
    skill.package.artifacts.iter().any(|artifact| artifact.path == *path && artifact.kind == ArtifactKind::CodeTemplate)
}

/// The diagnostics whose fixes are asked for.
pub(super) struct FixFilter {
    pub(super) rule: Option<String>,
    pub(super) line: Option<u32>,
}

impl FixFilter {
    fn matches(&self, diagnostic: &Diagnostic) -> bool {
        self.rule.as_ref().is_none_or(|rule| diagnostic.rule == *rule) && (self.line.is_none() || diagnostic.line == self.line)
    }
}

/// The fixes for a file with `text`, or as it is stored.
pub(super) fn fixes(skill: &Skill, format: &dyn SkillFormat, path: &SkillPath, text: Option<String>, filter: &FixFilter) -> Fixes {
    let stored = || skill.package.tree().get(path).and_then(|entry| entry.text().map(str::to_owned));
    let text = text.or_else(stored).unwrap_or_default();
    if skill.head.source.is_locked() {
        return Fixes { fixes: Vec::new(), text, locked: true };
    }
    let context = Context { package: &skill.package, format };
    let diagnostics = inklings_lint::check_file(&context, path, &text);
    let offers = inklings_lint::offers(&context, path, &text, &diagnostics).into_iter();
    let fixes = offers.filter(|offer| filter.matches(&diagnostics[offer.finding])).map(|offer| offer.fix).collect();
    Fixes { fixes, text, locked: false }
}

/// Checks a page of all skills, or some of them, as they are stored.
pub(super) fn check_all(
    catalog: &SkillCatalog,
    cache: &CheckCache,
    format: &dyn SkillFormat,
    workspace: Option<&Path>,
    params: CheckAllParams,
) -> Result<CheckedSkills, StorageError> {
    let total = catalog.count()?;
    cache.evict_above(usize::try_from(total).unwrap_or(usize::MAX));
    let (items, next) = if let Some(only) = params.only {
        (catalog.list_items(only.scope, &only.ids)?, None)
    } else {
        let limit = params.limit.unwrap_or(DEFAULT_PAGE_SIZE).clamp(1, MAX_PAGE_SIZE);
        let page = catalog.list_page(params.from, usize::try_from(limit).unwrap_or(usize::MAX))?;
        (page.rows, page.next)
    };
    let least = params.least.unwrap_or(Severity::Warning);
    let mut skills = Vec::new();
    for item in &items {
        let Some(diagnostics) = cache.of_item(catalog, format, workspace, item)? else { continue };
        skills.extend(findings(item, &diagnostics, least));
    }
    Ok(CheckedSkills { skills, checked: u32::try_from(items.len()).unwrap_or(u32::MAX), next, total })
}

/// None if no diagnostic is at least as severe as `least`.
fn findings(item: &SkillListItem, diagnostics: &[Diagnostic], least: Severity) -> Option<SkillFindings> {
    let mut counts = SeverityCounts::default();
    for diagnostic in diagnostics {
        *match diagnostic.severity {
            Severity::Error => &mut counts.errors,
            Severity::Warning => &mut counts.warnings,
            Severity::Info => &mut counts.infos,
            Severity::Hint => &mut counts.hints,
        } += 1;
    }
    let severe = diagnostics.iter().filter(|diagnostic| diagnostic.severity <= least);
    let diagnostics: Vec<Diagnostic> = severe.take(MAX_LISTED).cloned().collect();
    let SkillListItem { id, scope, revision, .. } = *item;
    (!diagnostics.is_empty()).then_some(SkillFindings { id, scope, revision, counts, diagnostics })
}

/// The guide's page of rules, as markdown.
#[must_use]
pub fn rules_page() -> String {
    inklings_lint::page()
}
