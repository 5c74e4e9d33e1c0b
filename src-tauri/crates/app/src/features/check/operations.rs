//! `check/*`: the validator, for what is typed and for what is stored.

use std::sync::Arc;

use inklings_core::{ArtifactKind, Diagnostic, Severity, SkillListItem};
use inklings_lint::Context;
use inklings_rpc::{CallContext, Failure, operations};
use inklings_runtime::script::compile;

use super::api::{
    CheckAllParams, CheckFileParams, CheckedFile, CheckedSkills, Findings, Fixes, FixesParams, OfferedFix, SeverityCounts, SkillFindings,
};
use crate::app::App;
use crate::wire::SkillRef;

async fn file(app: Arc<App>, cx: CallContext, params: CheckFileParams) -> Result<CheckedFile, Failure> {
    let CheckFileParams { skill, scope, path, text } = params;
    let (at, of) = (path.clone(), text.clone());
    let checked = app.blocking(move |app| {
        let skill = app.catalog(&cx)?.require(&skill, scope)?;
        let context = Context { package: &skill.package, format: app.folder.as_ref() };
        let script = skill.package.artifacts.iter().any(|one| one.path == at && one.kind == ArtifactKind::CodeTemplate);
        let diagnostics = inklings_lint::check_file(&context, &at, &of);
        let locked = skill.head.source.is_locked();
        let offers = if locked { Vec::new() } else { inklings_lint::offers(&context, &at, &of, &diagnostics) };
        let fixes = offers.into_iter().map(|one| OfferedFix { finding: one.finding, fix: one.fix }).collect();
        Ok((CheckedFile { diagnostics, fixes }, script))
    });
    let (mut checked, script) = checked.await?;
    // Python's own word costs a run of the sandbox; where something is wrong already there is enough to do.
    if script && !checked.diagnostics.iter().any(Diagnostic::is_error) {
        checked.diagnostics.extend(compile(app.sandbox.as_ref(), &app.prompts, &path, &text).await);
    }
    Ok(checked)
}

fn skill(app: &App, cx: &CallContext, params: SkillRef) -> Result<Findings, Failure> {
    let skill = app.catalog(cx)?.require(&params.skill, params.scope)?;
    Ok(Findings { diagnostics: inklings_lint::check_skill(&skill.package, app.folder.as_ref()) })
}

fn fixes(app: &App, cx: &CallContext, params: FixesParams) -> Result<Fixes, Failure> {
    let FixesParams { skill, scope, path, text, rule, line } = params;
    let skill = app.catalog(cx)?.require(&skill, scope)?;
    let stored = || skill.package.tree().get(&path).and_then(|entry| entry.text().map(str::to_owned));
    let text = text.or_else(stored).unwrap_or_default();
    if skill.head.source.is_locked() {
        return Ok(Fixes { fixes: Vec::new(), text, locked: true });
    }
    let context = Context { package: &skill.package, format: app.folder.as_ref() };
    let findings = inklings_lint::check_file(&context, &path, &text);
    let asked = |finding: &Diagnostic| rule.as_ref().is_none_or(|rule| finding.rule == *rule) && (line.is_none() || finding.line == line);
    let offers = inklings_lint::offers(&context, &path, &text, &findings).into_iter();
    let fixes = offers.filter(|offer| asked(&findings[offer.finding])).map(|offer| offer.fix).collect();
    Ok(Fixes { fixes, text, locked: false })
}

/// Skills of a page unless said, and at most.
const PAGE: u32 = 200;

const LARGEST: u32 = 1_000;

/// Findings of one skill that are listed; all are counted.
const LISTED: usize = 200;

fn all(app: &App, cx: &CallContext, params: CheckAllParams) -> Result<CheckedSkills, Failure> {
    let catalog = app.catalog(cx)?;
    let total = catalog.count()?;
    app.checks.thin_out(usize::try_from(total).unwrap_or(usize::MAX));
    let (briefs, next) = if let Some(only) = params.only {
        (catalog.list_items(only.scope, &only.ids)?, None)
    } else {
        let limit = params.limit.unwrap_or(PAGE).clamp(1, LARGEST);
        let page = catalog.list_page(params.from, usize::try_from(limit).unwrap_or(usize::MAX))?;
        (page.rows, page.next)
    };
    let least = params.least.unwrap_or(Severity::Warning);
    let mut skills = Vec::new();
    for brief in &briefs {
        let Some(found) = app.checks.of(app, cx, &catalog, brief)? else { continue };
        skills.extend(listed(brief, &found, least));
    }
    Ok(CheckedSkills { skills, checked: u32::try_from(briefs.len()).unwrap_or(u32::MAX), next, total })
}

fn listed(brief: &SkillListItem, found: &[Diagnostic], least: Severity) -> Option<SkillFindings> {
    let mut counts = SeverityCounts::default();
    for finding in found {
        *match finding.severity {
            Severity::Error => &mut counts.errors,
            Severity::Warning => &mut counts.warnings,
            Severity::Info => &mut counts.infos,
            Severity::Hint => &mut counts.hints,
        } += 1;
    }
    let bad = found.iter().filter(|finding| finding.severity <= least);
    let diagnostics: Vec<Diagnostic> = bad.take(LISTED).cloned().collect();
    let SkillListItem { id, scope, revision, .. } = *brief;
    (!diagnostics.is_empty()).then_some(SkillFindings { id, scope, revision, counts, diagnostics })
}

/// The guide's page of rules, as markdown.
#[must_use]
pub fn rules_page() -> String {
    inklings_lint::page()
}

operations! { App;
    CheckFile = "check/file", Read, async file(CheckFileParams) -> CheckedFile;
    CheckSkill = "check/skill", Read, blocking skill(SkillRef) -> Findings;
    FindFixes = "check/fixes", Read, blocking fixes(FixesParams) -> Fixes;
    /// The problems of every skill, page by page. What didn't change isn't checked again.
    CheckAll = "check/all", Read, blocking all(CheckAllParams) -> CheckedSkills;
}
