//! `inklings link`

use std::fmt::Write as _;

use anyhow::Context as _;
use inklings_app::features::link::{
    LinkFolder, LinkFolderParams, LinkList, LinkedSkill, ListLinks, ListLinksParams, SyncLinks, SyncLinksParams, UnlinkSkill,
};
use inklings_app::wire::SkillRef;

use crate::args::LinkCommand;
use crate::commands::common::skill_ref;
use crate::commands::session::Session;
use crate::error::CliError;
use crate::out::{Out, table};

pub(crate) async fn run(session: &Session, command: LinkCommand, out: &Out) -> Result<(), CliError> {
    let only = |skill: Option<String>| skill.map(|skill| SkillRef { skill, scope: None });
    match command {
        LinkCommand::List { skill } => out.result(&session.call::<ListLinks>(ListLinksParams { skill: only(skill) }).await?, list),
        LinkCommand::Add(args) => {
            let folder = std::path::absolute(&args.folder).context("can't resolve the folder")?;
            let params = LinkFolderParams { folder, scope: args.scope.map(Into::into) };
            out.result(&session.call::<LinkFolder>(params).await?, |link| format!("linked {}", row(link).join("  ")))
        }
        LinkCommand::Remove(skill) => {
            out.result(&session.call::<UnlinkSkill>(skill_ref(skill)).await?, |link| format!("unlinked {}", link.folder))
        }
        LinkCommand::Sync { skill } => out.result(&session.call::<SyncLinks>(SyncLinksParams { skill: only(skill) }).await?, list),
    }
}

fn list(found: &LinkList) -> String {
    if found.links.is_empty() {
        return "no linked skills".to_owned();
    }
    let mut text = table(&found.links.iter().map(row).collect::<Vec<_>>());
    if let Some(git) = &found.git {
        let state = match git.modified {
            Some(true) => ", modified",
            Some(false) => ", unmodified",
            None => "",
        };
        let _ = write!(text, "\ngit: {}{state}", git.branch);
    }
    text
}

fn row(link: &LinkedSkill) -> Vec<String> {
    let agent = link.agent_name.clone().unwrap_or_default();
    vec![link.scope.to_string(), agent, link.folder.clone(), link.problem.clone().unwrap_or_default()]
}
