//! `inklings skill promote`, `deprecate`, `archive`, `reinstate`, `merge` and `deps`.

use inklings_app::features::skill::{
    Archive, ArchiveParams, Deprecate, DeprecateParams, ListDependencies, ListDependents, Merge, MergeParams, MergePreview, MergedSkill,
    PreviewMerge, Promote, PromoteParams, Reinstate, RelatedSkill, RelatedSkills,
};
use inklings_core::SkillSummary;

use crate::args::{ArchiveArgs, DeprecateArgs, DepsArgs, MergeArgs, SkillArg};
use crate::commands::common::{label, skill_ref};
use crate::commands::session::Session;
use crate::error::CliError;
use crate::out::{Out, table};

pub(crate) async fn promote(session: &Session, skill: SkillArg, out: &Out) -> Result<(), CliError> {
    out.result(
        &session.call::<Promote>(PromoteParams { skill: skill.skill, scope: skill.scope.map(Into::into), expected: None }).await?,
        changed,
    )
}

pub(crate) async fn deprecate(session: &Session, args: DeprecateArgs, out: &Out) -> Result<(), CliError> {
    let params = DeprecateParams { skill: args.skill.skill, scope: args.skill.scope.map(Into::into), reason: args.reason, expected: None };
    out.result(&session.call::<Deprecate>(params).await?, changed)
}

pub(crate) async fn archive(session: &Session, args: ArchiveArgs, out: &Out) -> Result<(), CliError> {
    let params = ArchiveParams { skill: args.skill.skill, scope: args.skill.scope.map(Into::into), reason: args.reason };
    out.result(&session.call::<Archive>(params).await?, changed)
}

pub(crate) async fn reinstate(session: &Session, skill: SkillArg, out: &Out) -> Result<(), CliError> {
    out.result(&session.call::<Reinstate>(skill_ref(skill)).await?, changed)
}

fn changed(skill: &SkillSummary) -> String {
    format!("{} is {}", label(skill), skill.lifecycle.as_str())
}

pub(crate) async fn merge(session: &Session, args: MergeArgs, out: &Out) -> Result<(), CliError> {
    let MergeArgs { target, source, scope, source_scope, dry_run } = args;
    let (target_scope, source_scope) = (scope.map(Into::into), source_scope.map(Into::into));
    let params = MergeParams { target, target_scope, source, source_scope, expected: None };
    if dry_run {
        return out.result(&session.call::<PreviewMerge>(params).await?, preview);
    }
    let merged = session.call::<Merge>(params).await?;
    out.result(&merged, text)?;
    let what = format!("{} was not archived", merged.source.slug);
    merged.failure.map_or(Ok(()), |partial| Err(partial.into_failure(&what).into()))
}

fn text(MergedSkill { skill, source, omitted, .. }: &MergedSkill) -> String {
    let merged = format!("merged {} into {}, revision {}", source.slug, label(&skill.summary), skill.summary.revision);
    std::iter::once(merged).chain(omitted.iter().map(|path| format!("not added: {path}"))).collect::<Vec<_>>().join("\n")
}

fn preview(MergePreview { files, omitted, dependents }: &MergePreview) -> String {
    let mut parts = Vec::new();
    for file in files {
        match &file.after {
            Some(after) => parts.push(format!("--- {}\n{}", file.path, after.trim_end())),
            None => parts.push(format!("--- {} (deleted)", file.path)),
        }
    }
    parts.extend(omitted.iter().map(|path| format!("not added: {path}")));
    if !dependents.is_empty() {
        parts.push(format!("needed by {}", dependents.join(", ")));
    }
    if parts.is_empty() { "no changes".to_owned() } else { parts.join("\n\n") }
}

pub(crate) async fn deps(session: &Session, args: DepsArgs, out: &Out) -> Result<(), CliError> {
    let skill = skill_ref(args.skill);
    let related =
        if args.dependents { session.call::<ListDependents>(skill).await? } else { session.call::<ListDependencies>(skill).await? };
    out.result(&related, list)
}

fn list(RelatedSkills { skills, cycle }: &RelatedSkills) -> String {
    let row = |one: &RelatedSkill| {
        let indent = "  ".repeat(usize::try_from(one.depth.saturating_sub(1)).unwrap_or_default());
        let state = one.lifecycle.map_or("not found", |lifecycle| lifecycle.as_str());
        vec![format!("{indent}{}", one.name), state.to_owned(), one.title.clone().unwrap_or_default()]
    };
    let rows = if skills.is_empty() { "none".to_owned() } else { table(&skills.iter().map(row).collect::<Vec<_>>()) };
    match cycle {
        Some(cycle) => format!("{rows}\ncycle: {}", cycle.join(" -> ")),
        None => rows,
    }
}
