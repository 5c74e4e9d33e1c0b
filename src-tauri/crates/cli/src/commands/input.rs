//! `inklings input` and `inklings draft`.

use inklings_app::features::draft::{DiscardDraft, DiscardDraftParams, DraftList, GetDrafts, ListDrafts};
use inklings_app::features::input::{DeleteInput, DeleteInputParams, InputEntry, ListInputs, SaveInput, SaveInputParams};
use inklings_app::features::skill::Get;
use inklings_app::wire::{DraftMark, FileRef, SkillRef};
use inklings_core::SkillPath;
use inklings_rpc::{Code, Failure, NoParams};
use serde::Serialize;
use serde_json::Value;

use crate::args::{DraftCommand, InputCommand};
use crate::commands::common::{parse_path, skill_ref};
use crate::commands::file::{artifact_path, with_artifact};
use crate::commands::session::Session;
use crate::commands::values::values;
use crate::error::CliError;
use crate::out::{Out, table};

#[derive(Serialize)]
struct Inputs {
    path: SkillPath,
    inputs: Vec<InputEntry>,
}

#[derive(Serialize)]
struct InputsOfSkill {
    artifacts: Vec<Inputs>,
}

pub(crate) async fn run(session: &Session, command: InputCommand, out: &Out) -> Result<(), CliError> {
    match command {
        InputCommand::List { skill, artifact } => {
            let detail = session.call::<Get>(skill_ref(skill)).await?;
            let paths: Vec<SkillPath> = match artifact {
                Some(artifact) => vec![artifact_path(&detail, &artifact)?],
                None => detail.entries.iter().filter(|entry| entry.artifact.is_some()).map(|entry| entry.path.clone()).collect(),
            };
            let mut artifacts = Vec::new();
            for path in paths {
                let file = FileRef { skill: detail.summary.id.to_string(), scope: Some(detail.summary.scope), path: path.clone() };
                let inputs = session.call::<ListInputs>(file).await?.inputs;
                if !inputs.is_empty() {
                    artifacts.push(Inputs { path, inputs });
                }
            }
            out.result(&InputsOfSkill { artifacts }, list)
        }
        InputCommand::Save { skill, artifact, name, values: given } => {
            let params = values(session, &given, Some(skill_ref(skill.clone())), Some(&artifact)).await?;
            let (detail, path) = with_artifact(session, skill, &artifact).await?;
            let params = SaveInputParams {
                skill: detail.summary.id.to_string(),
                scope: Some(detail.summary.scope),
                path,
                name: name.clone(),
                params,
            };
            out.result(&session.call::<SaveInput>(params).await?, |_| format!("saved input {name}"))
        }
        InputCommand::Delete { skill, artifact, name } => {
            let (detail, path) = with_artifact(session, skill, &artifact).await?;
            let (skill, scope) = (detail.summary.id.to_string(), Some(detail.summary.scope));
            let file = FileRef { skill: skill.clone(), scope, path: path.clone() };
            if !session.call::<ListInputs>(file).await?.inputs.iter().any(|input| input.name == name) {
                let failure = Failure::new(Code::NotFound, format!("saved input {name:?} not found for {path}"));
                return Err(failure.hint(format!("run `inklings input list {}` to list saved inputs", detail.summary.slug)).into());
            }
            let params = DeleteInputParams { skill, scope, path, name: name.clone() };
            out.result(&session.call::<DeleteInput>(params).await?, |_| format!("deleted input {name}"))
        }
    }
}

fn list(skill: &InputsOfSkill) -> String {
    let row = |path: &SkillPath, input: &InputEntry| {
        let name = if input.name.is_empty() { "(last used)".to_owned() } else { input.name.clone() };
        vec![path.to_string(), name, input.updated_at.to_string(), Value::Object(input.params.clone()).to_string()]
    };
    let rows: Vec<_> = skill.artifacts.iter().flat_map(|one| one.inputs.iter().map(|input| row(&one.path, input))).collect();
    if rows.is_empty() { "no saved inputs".to_owned() } else { table(&rows) }
}

pub(crate) async fn draft(session: &Session, command: DraftCommand, out: &Out) -> Result<(), CliError> {
    match command {
        DraftCommand::List => out.result(&session.call::<ListDrafts>(NoParams {}).await?, drafts),
        DraftCommand::Show { skill, path } => {
            let path = parse_path(&path)?;
            let kept = session.call::<GetDrafts>(skill_ref(skill)).await?.drafts.into_iter().find(|draft| draft.path == path);
            out.content(&kept.ok_or_else(|| no_draft(&path))?, |draft| draft.text.clone())
        }
        DraftCommand::Discard { skill, path } => {
            let path = parse_path(&path)?;
            let SkillRef { skill, scope } = skill_ref(skill);
            let kept = session.call::<GetDrafts>(SkillRef { skill: skill.clone(), scope }).await?;
            if !kept.drafts.iter().any(|draft| draft.path == path) {
                return Err(no_draft(&path).into());
            }
            let done = session.call::<DiscardDraft>(DiscardDraftParams { skill, scope, path: path.clone(), updated_at: None }).await?;
            out.result(&done, |_| format!("discarded the unsaved changes of {path}"))
        }
    }
}

fn no_draft(path: &SkillPath) -> Failure {
    Failure::new(Code::NotFound, format!("no unsaved changes in {path}")).hint("run `inklings draft list` to list unsaved changes")
}

fn drafts(list: &DraftList) -> String {
    if list.drafts.is_empty() {
        return "no unsaved changes".to_owned();
    }
    let row = |one: &DraftMark| vec![one.skill_id.to_string(), one.scope.to_string(), one.path.to_string(), one.updated_at.to_string()];
    table(&list.drafts.iter().map(row).collect::<Vec<_>>())
}
