//! `inklings import` and `inklings export`

use std::path::Path;

use anyhow::Context as _;
use inklings_app::ops::target::ListTargets;
use inklings_app::ops::transfer::{Export, ExportParams, Import, ImportItem, ImportParams, ImportReport, ImportStatus};
use inklings_app::wire::NoParams;
use inklings_core::Diagnostic;

use crate::Ended;
use crate::args::{ExportArgs, Format, ImportArgs};
use crate::commands::Session;
use crate::out::{Out, table};

pub(crate) async fn import(session: &Session, args: ImportArgs, out: &Out) -> Result<(), Ended> {
    let paths = args.paths.iter().map(std::path::absolute).collect::<Result<_, _>>().context("a path")?;
    let params = ImportParams { paths, scope: args.scope.map(Into::into), dry_run: args.dry_run, rename: args.rename };
    let report = session.call::<Import>(params).await?;
    out.diagnostics(&report.diagnostics);
    for item in &report.items {
        out.diagnostics(&placed(item));
    }
    out.result(&report, summary)?;
    let refused = report.items.iter().any(|item| item.status == ImportStatus::Refused);
    if refused || report.items.is_empty() { Err(Ended::Findings) } else { Ok(()) }
}

/// An item's findings with the folder before the file, so that those of many folders can be told apart.
fn placed(item: &ImportItem) -> Vec<Diagnostic> {
    let place = |finding: &Diagnostic| {
        // A file that is named from the root stays as it is.
        let folder = Path::new(&item.path);
        let file = finding.file.as_ref().map_or_else(|| folder.to_owned(), |file| folder.join(file));
        finding.clone().in_file(file.display())
    };
    item.diagnostics.iter().map(place).collect()
}

fn summary(report: &ImportReport) -> String {
    if report.items.is_empty() {
        return "no skill was found there: a skill is a folder with a SKILL.md".to_owned();
    }
    let row = |item: &ImportItem| {
        let slug = item.slug.as_ref().map(ToString::to_string).unwrap_or_default();
        vec![word(item.status).to_owned(), slug, item.path.clone()]
    };
    let mut text = table(&report.items.iter().map(row).collect::<Vec<_>>());
    if report.dry_run {
        text.push_str("\nnothing was stored: this was a look only");
    }
    text
}

const fn word(status: ImportStatus) -> &'static str {
    match status {
        ImportStatus::New => "new",
        ImportStatus::Update => "update",
        ImportStatus::Unchanged => "unchanged",
        ImportStatus::Locked => "locked",
        ImportStatus::Refused => "refused",
    }
}

/// `inklings target list`
pub(crate) async fn targets(session: &Session, out: &Out) -> Result<(), Ended> {
    let found = session.call::<ListTargets>(NoParams {}).await?;
    for target in &found.targets {
        out.diagnostics(&target.diagnostics);
    }
    out.result(&found, |found| {
        if found.targets.is_empty() {
            return "no other agent has a folder of skills here".to_owned();
        }
        let mut rows = Vec::new();
        for target in &found.targets {
            rows.push(vec![format!("{}: {}", target.name, target.path)]);
            for item in &target.skills {
                let slug = item.slug.as_ref().map(ToString::to_string).unwrap_or_default();
                rows.push(vec![format!("  {}", word(item.status)), slug, item.path.clone()]);
            }
        }
        format!("{}\n{} new; take what you want with: inklings import FOLDER", table(&rows), found.new)
    })
}

pub(crate) async fn export(session: &Session, args: ExportArgs, out: &Out) -> Result<(), Ended> {
    let Format::Folder = args.format;
    let folder = std::path::absolute(&args.out).context("the output folder")?;
    let params = ExportParams { skills: args.skills, scope: None, out: folder, normalise: args.normalise, replace: args.replace };
    let report = session.call::<Export>(params).await?;
    out.result(&report, |report| {
        let row = |item: &inklings_app::ops::transfer::ExportItem| {
            vec![item.slug.to_string(), format!("{} files", item.files), item.path.clone()]
        };
        table(&report.items.iter().map(row).collect::<Vec<_>>())
    })
}
