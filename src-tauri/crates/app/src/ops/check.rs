//! `check/*`: the validator, for what is typed and for what is stored.

use std::sync::Arc;

use inklings_core::{ArtifactKind, BriefPlace, Diagnostic, Fix, Scope, Severity, SkillBrief, SkillId, SkillPath};
use inklings_lint::Context;
use inklings_runtime::script::compile;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::ops::run::blocking;
use crate::ops::tree::TreeSome;
use crate::wire::SkillRef;
use inklings_rpc::{CallContext, Failure, operations};

/// A text to check in its place.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckFileParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The file, which need not exist yet.
    pub path: SkillPath,
    /// Its text.
    pub text: String,
}

/// A fix for one of some findings.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct OfferedFix {
    /// Which finding, by its place in the list.
    pub finding: usize,
    /// What to do about it.
    #[serde(flatten)]
    pub fix: Fix,
}

/// What was found in a text.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CheckedFile {
    /// By place.
    pub diagnostics: Vec<Diagnostic>,
    /// What can be done about them, best first for each; nothing in a locked skill.
    pub fixes: Vec<OfferedFix>,
}

/// What was found.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Findings {
    /// By place.
    pub diagnostics: Vec<Diagnostic>,
}

async fn file(app: Arc<App>, cx: CallContext, params: CheckFileParams) -> Result<CheckedFile, Failure> {
    let CheckFileParams { skill, scope, path, text } = params;
    let (at, of) = (path.clone(), text.clone());
    let checked = blocking(&app, move |app| {
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

/// A finding to do something about.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FixesParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The file.
    pub path: SkillPath,
    /// Its text; as it is stored without it.
    #[serde(default)]
    pub text: Option<String>,
    /// Only findings of this rule.
    #[serde(default)]
    pub rule: Option<String>,
    /// Only findings that begin on this line.
    #[serde(default)]
    pub line: Option<u32>,
}

/// What can be done.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Fixes {
    /// Best first.
    pub fixes: Vec<Fix>,
    /// The text that they are for.
    pub text: String,
    /// The skill can't be edited: it has to be duplicated first, and there are no fixes.
    pub locked: bool,
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

/// Which skills: a page of all, or just some.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckAllParams {
    /// Where the page begins, as the page before said; at the first skill without it.
    #[serde(default)]
    pub from: Option<BriefPlace>,
    /// Skills to check; 200 unless said, at most 1,000.
    #[serde(default)]
    pub limit: Option<u32>,
    /// Just these, as after a change; those that are gone are left out.
    #[serde(default)]
    pub only: Option<TreeSome>,
    /// Only findings at least this bad are listed; warnings unless said.
    #[serde(default)]
    pub least: Option<Severity>,
}

/// How many findings a skill has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SeverityCounts {
    /// Errors.
    pub errors: usize,
    /// Warnings.
    pub warnings: usize,
    /// Informations.
    pub infos: usize,
    /// Hints.
    pub hints: usize,
}

/// What was found in a skill as it is stored.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SkillFindings {
    /// The skill.
    pub id: SkillId,
    /// Its scope.
    pub scope: Scope,
    /// The revision that was checked.
    pub revision: i64,
    /// All findings, whether listed or not.
    pub counts: SeverityCounts,
    /// By file and place: those that are bad enough, at most 200.
    pub diagnostics: Vec<Diagnostic>,
}

/// What was found in some skills.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CheckedSkills {
    /// Those with anything to list, the workspace's first, each scope by title.
    pub skills: Vec<SkillFindings>,
    /// How many skills were looked at.
    pub checked: u32,
    /// Where the next page begins; null when this is the last.
    pub next: Option<BriefPlace>,
    /// How many skills there are in all.
    pub total: u32,
}

fn all(app: &App, cx: &CallContext, params: CheckAllParams) -> Result<CheckedSkills, Failure> {
    let catalog = app.catalog(cx)?;
    let total = catalog.count()?;
    app.checks.thin_out(usize::try_from(total).unwrap_or(usize::MAX));
    let (briefs, next) = if let Some(only) = params.only {
        (catalog.briefs(only.scope, &only.ids)?, None)
    } else {
        let limit = params.limit.unwrap_or(PAGE).clamp(1, LARGEST);
        let page = catalog.brief_page(params.from, usize::try_from(limit).unwrap_or(usize::MAX))?;
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

fn listed(brief: &SkillBrief, found: &[Diagnostic], least: Severity) -> Option<SkillFindings> {
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
    let SkillBrief { id, scope, revision, .. } = *brief;
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
