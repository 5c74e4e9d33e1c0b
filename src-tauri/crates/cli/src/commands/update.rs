//! `inklings skill update`

use inklings_app::features::import::{FetchParams, GetImportSource, ImportSource};
use inklings_app::features::skill::{ImportParams, ImportReport, List, ListParams, ListView};
use inklings_app::wire::SkillRef;
use inklings_rpc::{Code, Failure};

use crate::args::{ImportAction, UpdateArgs};
use crate::commands::session::Session;
use crate::commands::transfer::{call, fetch, is_complete, print_findings, summary};
use crate::error::CliError;
use crate::out::Out;

pub(crate) async fn run(session: &Session, args: UpdateArgs, out: &Out) -> Result<(), CliError> {
    if args.conflicts == ImportAction::Override {
        return Err(Failure::invalid("override isn't available for updates").hint("use merge or replace").into());
    }
    let mut reports: Vec<ImportReport> = Vec::new();
    for source in wanted(session, &args).await? {
        let mut params = ImportParams {
            updates: Some(source.skill),
            scope: Some(source.scope),
            dry_run: args.dry_run,
            conflicts: args.conflicts.into(),
            ..ImportParams::default()
        };
        match source.repository {
            None => params.paths.push(source.name.into()),
            Some(source) => {
                let wanted = FetchParams { address: source.url, branch: source.branch, folder: Some(source.folder) };
                let fetched = fetch(session, wanted, out).await?;
                params.paths.push(fetched.path.clone());
                params.repositories.push(fetched);
            }
        }
        let report = call(session, params, out).await?;
        print_findings(&report, out);
        reports.push(report);
    }
    let text = |reports: &Vec<ImportReport>| {
        if reports.is_empty() { "no imported skills".to_owned() } else { reports.iter().map(summary).collect::<Vec<_>>().join("\n") }
    };
    out.result(&reports, text)?;
    if reports.iter().all(is_complete) { Ok(()) } else { Err(CliError::Findings) }
}

async fn wanted(session: &Session, args: &UpdateArgs) -> Result<Vec<ImportSource>, CliError> {
    let mut found = Vec::new();
    if args.all {
        let list = session.call::<List>(ListParams { view: ListView::All }).await?;
        for skill in list.skills {
            let skill = SkillRef { skill: skill.id.to_string(), scope: Some(skill.scope) };
            match session.call::<GetImportSource>(skill).await {
                Ok(source) => found.push(source),
                // Most skills weren't imported.
                Err(failure) if failure.code == Code::NotFound => {}
                Err(failure) => return Err(failure.into()),
            }
        }
        return Ok(found);
    }
    for skill in &args.skills {
        found.push(session.call::<GetImportSource>(SkillRef { skill: skill.clone(), scope: None }).await?);
    }
    Ok(found)
}
