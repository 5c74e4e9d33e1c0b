//! `inklings skill check`: the problems of stored skills, and their quick fixes.

use std::collections::{BTreeSet, HashMap};

use inklings_app::features::check::{CheckAll, CheckAllParams, CheckSkill, FindFixes, Fixes, FixesParams};
use inklings_app::features::skill::{Change, Edit, EditParams, Get, List, ListParams, ListView};
use inklings_app::wire::{SkillDetail, SkillRef};
use inklings_core::{Diagnostic, Scope, Severity, SkillPath, Slug};
use serde::Serialize;

use crate::Ended;
use crate::args::CheckArgs;
use crate::commands::Session;
use crate::commands::skill::parse_path;
use crate::commands::validate::many;
use crate::out::Out;

/// Fixes of one file: a fix may bring a problem up that has one as well.
const MAX_FIXES: usize = 100;

/// A skill with its problems.
#[derive(Serialize)]
struct CheckedSkill {
    slug: Slug,
    scope: Scope,
    diagnostics: Vec<Diagnostic>,
}

/// What was checked.
#[derive(Serialize)]
struct Checked {
    /// Those with problems.
    skills: Vec<CheckedSkill>,
    /// Number of skills that were checked.
    total: usize,
    /// Number of fixes that were applied.
    fixed: usize,
}

pub(crate) async fn run(session: &Session, args: CheckArgs, out: &Out) -> Result<(), Ended> {
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
        let fixed = if checked.fixed > 0 { format!("{} problems fixed; ", checked.fixed) } else { String::new() };
        match checked.skills.len() {
            0 => format!("{fixed}{} without problems", many(checked.total)),
            count => format!("{fixed}{count} of {} with problems", many(checked.total)),
        }
    })?;
    let failed = checked.skills.iter().flat_map(|skill| &skill.diagnostics).any(Diagnostic::is_error);
    if failed { Err(Ended::Findings) } else { Ok(()) }
}

async fn all(session: &Session, least: Severity) -> Result<Checked, Ended> {
    let list = session.call::<List>(ListParams { view: ListView::All }).await?;
    let slugs: HashMap<_, _> = list.skills.iter().map(|skill| ((skill.scope, skill.id), &skill.slug)).collect();
    let mut done = Checked { skills: Vec::new(), total: 0, fixed: 0 };
    let mut from = None;
    loop {
        let page = session.call::<CheckAll>(CheckAllParams { from, least: Some(least), ..CheckAllParams::default() }).await?;
        done.total += page.checked as usize;
        for skill in page.skills {
            // One that was made since the list was read is checked the next time.
            let Some(slug) = slugs.get(&(skill.scope, skill.id)) else { continue };
            done.skills.push(CheckedSkill { slug: (*slug).clone(), scope: skill.scope, diagnostics: skill.diagnostics });
        }
        if page.next.is_none() {
            return Ok(done);
        }
        from = page.next;
    }
}

async fn some(session: &Session, args: &CheckArgs, least: Severity) -> Result<Checked, Ended> {
    let mut done = Checked { skills: Vec::new(), total: 0, fixed: 0 };
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
async fn fix(session: &Session, skill: &SkillDetail, findings: &[Diagnostic]) -> Result<usize, Ended> {
    let (id, scope) = (skill.summary.id.to_string(), Some(skill.summary.scope));
    let files: BTreeSet<SkillPath> = findings.iter().filter_map(|finding| parse_path(finding.file.as_deref()?).ok()).collect();
    let (mut changes, mut fixed) = (Vec::new(), 0);
    for path in files {
        let (mut text, mut applied) = (None, 0);
        while applied < MAX_FIXES {
            let params = FixesParams { skill: id.clone(), scope, path: path.clone(), text: text.clone(), rule: None, line: None };
            let Fixes { fixes, text: present, .. } = session.call::<FindFixes>(params).await?;
            // A file that is moved is another change than a text; the next call offers it again.
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
        let why = Some("applied quick fixes".to_owned());
        session.call::<Edit>(EditParams { skill: id, scope, expected: skill.summary.revision, changes, why }).await?;
    }
    Ok(fixed)
}
