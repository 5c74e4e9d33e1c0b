//! `inklings skill readiness` and `inklings page skills`

use inklings_app::features::manifest::{
    CheckReadiness, GetPageSkills, PageSkill, PageSkills, PageSkillsParams, Readiness, Requirement, RequirementStatus,
};

use crate::args::SkillArg;
use crate::commands::common::skill_ref;
use crate::commands::session::Session;
use crate::error::CliError;
use crate::out::{Out, table};

pub(crate) async fn skill(session: &Session, skill: SkillArg, out: &Out) -> Result<(), CliError> {
    let found = session.call::<CheckReadiness>(skill_ref(skill)).await?;
    out.result(&found, |found| report(&found.readiness))?;
    if found.readiness.ready { Ok(()) } else { Err(CliError::Findings) }
}

pub(crate) async fn page(session: &Session, page: String, out: &Out) -> Result<(), CliError> {
    out.result(&session.call::<GetPageSkills>(PageSkillsParams { page }).await?, skills)
}

fn report(found: &Readiness) -> String {
    let row = |one: &Requirement| {
        let status = match one.status {
            RequirementStatus::Ok => "ok",
            RequirementStatus::Missing => "missing",
            RequirementStatus::Unknown => "unknown",
        };
        let advice = one.advice.as_ref().map(|advice| format!(": {advice}")).unwrap_or_default();
        vec![status.to_owned(), one.name.clone(), format!("{}{advice}", one.detail)]
    };
    let rows: Vec<_> = found.requirements.iter().map(row).collect();
    if rows.is_empty() { "the manifest requires nothing".to_owned() } else { table(&rows) }
}

fn skills(page: &PageSkills) -> String {
    if !page.declared {
        return "the page has no list \"skills\"".to_owned();
    }
    let row = |one: &PageSkill| {
        let state = match &one.skill {
            None => "not found".to_owned(),
            Some(skill) if skill.readiness.ready => "ready".to_owned(),
            Some(skill) => format!("missing: {}", skill.readiness.blockers.join(", ")),
        };
        vec![one.name.clone(), state]
    };
    table(&page.skills.iter().map(row).collect::<Vec<_>>())
}
