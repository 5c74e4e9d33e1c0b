//! `inklings reference`

use std::path::Path;

use inklings_app::features::reference::{
    AttachParams, AttachReference, ListReferences, ReadReference, ReferenceForm, ReferenceOffers, ReferenceParams, ReferenceSearchParams,
    RemoveReference, SearchTargets, SkillReference, SkillReferences,
};
use inklings_app::wire::SkillRef;
use inklings_core::binding::TargetKind;
use inklings_rpc::{Code, Failure};

use crate::args::{AttachArgs, ReferenceCommand, SkillArg};
use crate::commands::common::skill_ref;
use crate::commands::session::Session;
use crate::error::CliError;
use crate::out::{Out, table};

pub(crate) async fn run(session: &Session, command: ReferenceCommand, out: &Out) -> Result<(), CliError> {
    match command {
        ReferenceCommand::List { skill } => out.result(&session.call::<ListReferences>(skill_ref(skill)).await?, list),
        ReferenceCommand::Search { query, limit } => {
            let params = ReferenceSearchParams { query: query.join(" "), limit: Some(limit) };
            out.result(&session.call::<SearchTargets>(params).await?, offers)
        }
        ReferenceCommand::Attach(args) => attach(session, args, out).await,
        ReferenceCommand::Show { skill, reference } => {
            let params = find_reference(session, skill, &reference).await?;
            let found = session.call::<ReadReference>(params).await?;
            if found.text.is_none() && !out.is_json() {
                let failure = Failure::invalid(format!("{} isn't UTF-8 text or is larger than 1 MiB", found.file.path));
                return Err(failure.hint("open it with another program").into());
            }
            out.content(&found, |found| found.text.clone().unwrap_or_default())
        }
        ReferenceCommand::Remove { skill, reference } => {
            let params = find_reference(session, skill, &reference).await?;
            out.result(&session.call::<RemoveReference>(params).await?, |removed| format!("removed reference {}", removed.target_ref))
        }
    }
}

async fn attach(session: &Session, args: AttachArgs, out: &Out) -> Result<(), CliError> {
    let SkillRef { skill, scope } = skill_ref(args.skill);
    let (target_kind, target_ref) = match (args.page, args.target) {
        (Some(page), _) => (TargetKind::Entity, page),
        (None, target) => (TargetKind::Document, target.map(|target| relative(session.workspace(), target)).unwrap_or_default()),
    };
    let params = AttachParams { skill, scope, target_kind, target_ref, position: args.position, allow_missing: args.allow_missing };
    let attached = session.call::<AttachReference>(params).await?;
    out.result(&attached, |attached| format!("attached {} {}", form(attached.form), attached.binding.target_ref))
}

/// A path relative to the workspace, since shells complete absolute paths.
fn relative(workspace: Option<&Path>, target: String) -> String {
    let below = workspace.and_then(|workspace| Path::new(&target).strip_prefix(workspace).ok()?.to_str());
    below.map(str::to_owned).unwrap_or(target)
}

/// `reference` is a target or an id.
async fn find_reference(session: &Session, skill: SkillArg, reference: &str) -> Result<ReferenceParams, CliError> {
    let SkillRef { skill, scope } = skill_ref(skill);
    let listed = session.call::<ListReferences>(SkillRef { skill: skill.clone(), scope }).await?.references;
    let matches = |one: &SkillReference| one.binding.target_ref == reference || one.binding.id.to_string() == reference;
    let missing = || {
        let failure = Failure::new(Code::NotFound, format!("reference {reference:?} not found in {skill}"));
        failure.hint(format!("run `inklings reference list {skill}` to list references"))
    };
    let id = listed.iter().find(|one| matches(one)).ok_or_else(missing)?.binding.id;
    Ok(ReferenceParams { skill, scope, id })
}

const fn form(form: ReferenceForm) -> &'static str {
    match form {
        ReferenceForm::Page => "page",
        ReferenceForm::File => "file",
        ReferenceForm::Address => "address",
    }
}

fn list(skill: &SkillReferences) -> String {
    let row = |one: &SkillReference| {
        let state = one.problem.clone().unwrap_or_else(|| one.title.clone());
        vec![one.binding.position.to_string(), form(one.form).to_owned(), one.binding.target_ref.clone(), state]
    };
    if skill.references.is_empty() { "no references".to_owned() } else { table(&skill.references.iter().map(row).collect::<Vec<_>>()) }
}

fn offers(found: &ReferenceOffers) -> String {
    let row = |one: &inklings_app::features::reference::ReferenceOffer| {
        vec![form(one.form).to_owned(), one.target_ref.clone(), one.title.clone()]
    };
    let mut rows: Vec<_> = found.offers.iter().map(row).collect();
    if found.is_partial {
        rows.push(vec!["… some files were not searched".to_owned()]);
    }
    if rows.is_empty() { "no matches".to_owned() } else { table(&rows) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absolute_path_in_the_workspace_is_stored_relative_to_it() {
        let workspace = Some(Path::new("/home/ann/notes"));
        assert_eq!(relative(workspace, "/home/ann/notes/data/costs.csv".to_owned()), "data/costs.csv");
        for kept in ["data/costs.csv", "/home/ann/notes-2/a", "https://example.org/a"] {
            assert_eq!(relative(workspace, kept.to_owned()), kept);
        }
        assert_eq!(relative(None, "/a".to_owned()), "/a");
    }
}
