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
    for (skill, source) in wanted(session, &args).await? {
        let scope = source.scope;
        // The others are updated even if one source is gone.
        let report = update(session, source, &args, out).await.unwrap_or_else(|failure| ImportReport {
            items: Vec::new(),
            scope,
            dry_run: args.dry_run,
            stopped: failure.code == Code::Cancelled,
            found: 0,
            diagnostics: Vec::new(),
            failure: Some(Failure { message: format!("{skill}: {}", failure.message), ..failure }),
        });
        print_findings(&report, out);
        let stopped = report.stopped;
        reports.push(report);
        if stopped {
            break;
        }
    }
    let text = |reports: &Vec<ImportReport>| {
        if reports.is_empty() {
            return "no imported skills".to_owned();
        }
        reports.iter().map(summary).filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
    };
    out.result(&reports, text)?;
    if reports.iter().all(is_complete) { Ok(()) } else { Err(CliError::Findings) }
}

async fn update(session: &Session, source: ImportSource, args: &UpdateArgs, out: &Out) -> Result<ImportReport, Failure> {
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
    call(session, params, out).await
}

/// The skills to update, by the name that the user knows.
async fn wanted(session: &Session, args: &UpdateArgs) -> Result<Vec<(String, ImportSource)>, CliError> {
    let mut found = Vec::new();
    if args.all {
        let list = session.call::<List>(ListParams { view: ListView::All }).await?;
        for skill in list.skills {
            let reference = SkillRef { skill: skill.id.to_string(), scope: Some(skill.scope) };
            match session.call::<GetImportSource>(reference).await {
                Ok(source) => found.push((skill.slug.to_string(), source)),
                // Most skills weren't imported.
                Err(failure) if failure.code == Code::NotFound => {}
                Err(failure) => return Err(failure.into()),
            }
        }
        return Ok(found);
    }
    for skill in &args.skills {
        let source = session.call::<GetImportSource>(SkillRef { skill: skill.clone(), scope: None }).await?;
        found.push((skill.clone(), source));
    }
    Ok(found)
}
