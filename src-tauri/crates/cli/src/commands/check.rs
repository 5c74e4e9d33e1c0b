//! `inklings skill check`: the problems of stored skills, and their quick fixes.

use std::collections::{BTreeSet, HashMap};

use inklings_app::features::check::{CheckAll, CheckAllParams, CheckSkill, FindFixes, Fixes, FixesParams};
use inklings_app::features::skill::{Change, Edit, EditParams, Get, List, ListParams, ListView};
use inklings_app::wire::{SkillDetail, SkillRef};
use inklings_core::{Diagnostic, Scope, Severity, SkillPath, Slug};
use serde::Serialize;

use crate::args::CheckArgs;
use crate::commands::common::parse_path;
use crate::commands::common::skill_count;
use crate::commands::session::Session;
use crate::error::CliError;
use crate::out::Out;

/// Per file, since a fix can reveal another problem with a fix.
const MAX_FIXES: usize = 100;

#[derive(Serialize)]
struct CheckedSkill {
    slug: Slug,
    scope: Scope,
    diagnostics: Vec<Diagnostic>,
}

#[derive(Serialize)]
struct CheckReport {
    /// Skills with problems only.
    skills: Vec<CheckedSkill>,
    /// Number of checked skills.
    total: usize,
    /// Number of applied fixes.
    fixed: usize,
}

pub(crate) async fn run(session: &Session, args: CheckArgs, out: &Out) -> Result<(), CliError> {
    let least = if args.all { Severity::Hint } else { Severity::Warning };
    let checked = if args.skills.is_empty() { all(session, least).await? } else { some(session, &args, least).await? };
    if !out.is_json() {
        for skill in &checked.skills {
            let place = |finding: &Diagnostic| {
                let file = finding.file.as_deref().map_or_else(|| skill.slug.to_string(), |file| format!("{}/{file}", skill.slug));
                finding.clone().in_file(file)
            };
            out.diagnostics(&skill.diagnostics.iter().map(place).collect::<Vec<_>>());
        }
    }
    out.result(&checked, |checked| {
        let fixed = if checked.fixed > 0 { format!("fixed {} problems; ", checked.fixed) } else { String::new() };
        match checked.skills.len() {
            0 => format!("{fixed}no problems in {}", skill_count(checked.total)),
            count => format!("{fixed}problems in {count} of {}", skill_count(checked.total)),
        }
    })?;
    let failed = checked.skills.iter().flat_map(|skill| &skill.diagnostics).any(Diagnostic::is_error);
    if failed { Err(CliError::Findings) } else { Ok(()) }
}

async fn all(session: &Session, least: Severity) -> Result<CheckReport, CliError> {
    let list = session.call::<List>(ListParams { view: ListView::All }).await?;
    let slugs: HashMap<_, _> = list.skills.iter().map(|skill| ((skill.scope, skill.id), &skill.slug)).collect();
    let mut done = CheckReport { skills: Vec::new(), total: 0, fixed: 0 };
    let mut from = None;
    loop {
        let page = session.call::<CheckAll>(CheckAllParams { from, least: Some(least), ..CheckAllParams::default() }).await?;
        done.total += page.checked as usize;
        for skill in page.skills {
            // A skill that was created since the list was read.
            let Some(slug) = slugs.get(&(skill.scope, skill.id)) else { continue };
            done.skills.push(CheckedSkill { slug: (*slug).clone(), scope: skill.scope, diagnostics: skill.diagnostics });
        }
        if page.next.is_none() {
            return Ok(done);
        }
        from = page.next;
    }
}

async fn some(session: &Session, args: &CheckArgs, least: Severity) -> Result<CheckReport, CliError> {
    let mut done = CheckReport { skills: Vec::new(), total: 0, fixed: 0 };
    for name in &args.skills {
        let skill = session.call::<Get>(SkillRef { skill: name.clone(), scope: args.scope.map(Into::into) }).await?;
        let named = || SkillRef { skill: skill.summary.id.to_string(), scope: Some(skill.summary.scope) };
        let mut diagnostics = session.call::<CheckSkill>(named()).await?.diagnostics;
        if args.fix {
            let fixed = fix(session, &skill, &diagnostics).await?;
            if fixed > 0 {
                done.fixed += fixed;
                diagnostics = session.call::<CheckSkill>(named()).await?.diagnostics;
            }
        }
        diagnostics.retain(|finding| finding.severity <= least);
        done.total += 1;
        if !diagnostics.is_empty() {
            done.skills.push(CheckedSkill { slug: skill.summary.slug.clone(), scope: skill.summary.scope, diagnostics });
        }
    }
    Ok(done)
}

/// Applies the fixes of a skill's files, as one revision. Returns how many.
async fn fix(session: &Session, skill: &SkillDetail, findings: &[Diagnostic]) -> Result<usize, CliError> {
    let (id, scope) = (skill.summary.id.to_string(), Some(skill.summary.scope));
    let files: BTreeSet<SkillPath> = findings.iter().filter_map(|finding| parse_path(finding.file.as_deref()?).ok()).collect();
    let (mut changes, mut fixed) = (Vec::new(), 0);
    for path in files {
        let (mut text, mut applied) = (None, 0);
        while applied < MAX_FIXES {
            let params = FixesParams { skill: id.clone(), scope, path: path.clone(), text: text.clone(), rule: None, line: None };
            let Fixes { fixes, text: present, .. } = session.call::<FindFixes>(params).await?;
            // Fixes that rename a file aren't applied.
            let Some(after) = fixes.iter().filter(|fix| fix.rename.is_none()).find_map(|fix| fix.apply(&present)) else { break };
            text = Some(after);
            applied += 1;
        }
        if let Some(text) = text {
            changes.push(Change::Write { path, text });
            fixed += applied;
        }
    }
    if !changes.is_empty() {
        let why = Some("Apply quick fixes".to_owned());
        session.call::<Edit>(EditParams { skill: id, scope, expected: skill.summary.revision, changes, why }).await?;
    }
    Ok(fixed)
}
