//! `inklings import` and `inklings export`

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Context as _;
use inklings_app::features::import::{FetchParams, FetchRepository, ImportFile, ImportFileParams};
use inklings_app::features::skill::{
    self, Export, ExportItem, ExportParams, Import, ImportChoice, ImportItem, ImportParams, ImportReport, ImportStatus, List, ListParams,
    ListView, PackageFormat,
};
use inklings_app::features::target::ListTargets;
use inklings_app::wire::{MergeVersions, RevisionFile, SkillRef};
use inklings_core::three_way::ChangedBy;
use inklings_git::{FetchedRepository, RepositoryAddress};
use inklings_rpc::{Code, Failure, NoParams};

use crate::args::{ExportArgs, Format, ImportAction, ImportArgs};
use crate::commands::common::{NamedText, unified};
use crate::commands::session::Session;
use crate::commands::validate::with_folder;
use crate::error::CliError;
use crate::out::{Out, one_line, table};
use crate::progress::CallProgress;

pub(crate) async fn import(session: &Session, args: ImportArgs, out: &Out) -> Result<(), CliError> {
    if args.conflicts == ImportAction::Override {
        return Err(Failure::invalid("override isn't available for all skills")
            .hint("choose each skill with --choose SKILL=override")
            .into());
    }
    let (mut paths, mut repositories) = (Vec::new(), Vec::new());
    for path in &args.paths {
        match path.to_str().filter(|text| RepositoryAddress::is_url(text)) {
            Some(url) => {
                let params = FetchParams { address: url.to_owned(), branch: args.branch.clone(), folder: None };
                let fetched = fetch(session, params, out).await?;
                paths.push(fetched.path.clone());
                repositories.push(fetched);
            }
            None => paths.push(std::path::absolute(path).context("can't resolve the path")?),
        }
    }
    let mut params = ImportParams {
        texts: Vec::new(),
        paths,
        repositories,
        updates: None,
        scope: args.scope.map(Into::into),
        dry_run: args.dry_run,
        rename: args.rename,
        strict: args.strict,
        conflicts: args.conflicts.into(),
        only_chosen: args.only_chosen,
        third_party: args.third_party,
        choices: Vec::new(),
    };
    if !args.choose.is_empty() || !args.theirs.is_empty() {
        let preview = ImportParams { dry_run: true, ..params.clone() };
        params.choices = choices(&session.call::<Import>(preview).await?.items, &args)?;
    }
    let report = call(session, params, out).await?;
    print_findings(&report, out);
    let conflicts = if report.dry_run && !out.is_json() { conflict_diffs(session, &report).await? } else { String::new() };
    out.result(&report, |report| conflicts + &summary(report))?;
    if is_complete(&report) { Ok(()) } else { Err(CliError::Findings) }
}

pub(crate) async fn call(session: &Session, params: ImportParams, out: &Out) -> Result<ImportReport, Failure> {
    let progress = CallProgress::begin(if params.dry_run { "checking" } else { "importing" }, out);
    let report = session.call_with_progress::<Import>(params, &progress).await?;
    progress.end();
    Ok(report)
}

/// Copies a repository, from which its skills are imported then.
pub(crate) async fn fetch(session: &Session, params: FetchParams, out: &Out) -> Result<FetchedRepository, Failure> {
    let progress = CallProgress::begin("fetching", out);
    let fetched = session.call_with_progress::<FetchRepository>(params, &progress).await?;
    progress.end();
    Ok(fetched)
}

/// What was found in the skills, and why the import ended early.
pub(crate) fn print_findings(report: &ImportReport, out: &Out) {
    out.diagnostics(&report.diagnostics);
    for item in &report.items {
        out.diagnostics(&with_folder(&item.path, &item.diagnostics));
    }
    if let Some(failure) = &report.failure {
        out.failure(failure);
    }
}

/// Whether there was something to import, and all of it could be.
pub(crate) fn is_complete(report: &ImportReport) -> bool {
    let is_failed = |item: &ImportItem| match item.status {
        ImportStatus::Refused => true,
        ImportStatus::Conflict => !item.stored,
        _ => false,
    };
    !report.stopped && !report.items.is_empty() && !report.items.iter().any(is_failed)
}

impl From<ImportAction> for skill::ImportAction {
    fn from(action: ImportAction) -> Self {
        match action {
            ImportAction::Skip => Self::Skip,
            ImportAction::Replace => Self::Replace,
            ImportAction::Merge => Self::Merge,
            ImportAction::Both => Self::Both,
            ImportAction::Override => Self::Override,
        }
    }
}

/// The choices for single skills, by the paths of the import.
fn choices(items: &[ImportItem], args: &ImportArgs) -> Result<Vec<ImportChoice>, Failure> {
    let path_of = |skill: &str| {
        let path = std::path::absolute(skill).unwrap_or_default();
        let is_named = |item: &&ImportItem| item.slug.as_ref().is_some_and(|slug| slug.as_str() == skill) || Path::new(&item.path) == path;
        let missing = || {
            Failure::new(Code::NotFound, format!("skill {skill:?} not found in the import"))
                .hint("run `inklings import --dry-run` to list names and paths")
        };
        items.iter().find(is_named).map(|item| item.path.clone()).ok_or_else(missing)
    };
    let mut choices: Vec<ImportChoice> = Vec::new();
    for (skill, action) in &args.choose {
        choices.push(ImportChoice { path: path_of(skill)?, action: (*action).into(), theirs: Vec::new() });
    }
    for (skill, file) in &args.theirs {
        let path = path_of(skill)?;
        if let Some(choice) = choices.iter_mut().find(|choice| choice.path == path) {
            if choice.action != skill::ImportAction::Merge {
                return Err(Failure::invalid(format!("--theirs requires merging {skill}")).hint(format!("use --choose {skill}=merge")));
            }
            choice.theirs.push(file.clone());
        } else {
            choices.push(ImportChoice { path, action: skill::ImportAction::Merge, theirs: vec![file.clone()] });
        }
    }
    Ok(choices)
}

/// Conflicting files that are shown as diffs: each reads its skill again, and a package may have thousands.
const MAX_SHOWN_FILES: usize = 20;

/// The changed files of each conflicting skill, with diffs of the conflicting files.
async fn conflict_diffs(session: &Session, report: &ImportReport) -> Result<String, CliError> {
    let (mut parts, mut remaining, mut more) = (Vec::new(), MAX_SHOWN_FILES, 0);
    for item in report.items.iter().filter(|item| item.status == ImportStatus::Conflict) {
        let Some(skill) = item.skill else { continue };
        parts.push(format!("{}\n", one_line(&item.path)));
        for change in &item.changes {
            parts.push(format!("  {}: {}\n", change.path, merge_label(change.by)));
        }
        let conflicts = item.changes.iter().filter(|change| change.by == ChangedBy::Conflict);
        more += conflicts.clone().count().saturating_sub(remaining);
        for change in conflicts.take(remaining) {
            remaining -= 1;
            let (path, file) = (item.path.clone(), change.path.clone());
            let params = ImportFileParams { path, skill, scope: report.scope, base: item.base, file, texts: Vec::new() };
            let MergeVersions { base, ours, theirs } = session.call::<ImportFile>(params).await?;
            let binary = [&base, &ours, &theirs].iter().any(|side| side.size.is_some() && side.text.is_none());
            if binary {
                parts.push(format!("{} is binary\n", change.path));
                continue;
            }
            let text = |side: &RevisionFile| side.text.clone().unwrap_or_default();
            let path = &change.path;
            let (base_name, base) = (format!("base/{path}"), text(&base));
            let base = NamedText { name: &base_name, text: &base };
            parts.push(unified(base, NamedText { name: &format!("yours/{path}"), text: &text(&ours) }));
            parts.push(unified(base, NamedText { name: &format!("imported/{path}"), text: &text(&theirs) }));
        }
    }
    if more > 0 {
        parts.push(format!("… {more} more conflicting files\n"));
    }
    Ok(parts.concat())
}

pub(crate) const fn merge_label(by: ChangedBy) -> &'static str {
    match by {
        ChangedBy::Ours => "changed by you",
        ChangedBy::Theirs => "changed in the import",
        ChangedBy::Both => "same change in both",
        ChangedBy::Conflict => "conflict",
    }
}

pub(crate) fn summary(report: &ImportReport) -> String {
    if report.items.is_empty() {
        // The failure was printed already.
        let no_skills = if report.failure.is_some() { "" } else { "no skills found; a skill is a folder with a SKILL.md file" };
        return no_skills.to_owned();
    }
    let row = |item: &ImportItem| {
        let slug = item.slug.as_ref().map(ToString::to_string).unwrap_or_default();
        vec![status_text(item, report.dry_run), slug, item.path.clone()]
    };
    let mut text = table(&report.items.iter().map(row).collect::<Vec<_>>());
    if report.dry_run {
        text.push_str("\ndry run: nothing was imported");
    }
    if report.stopped {
        // Writing to a string can't fail.
        let _ = write!(text, "\ncanceled after {} of {} skills", report.items.len(), report.found);
    }
    text
}

/// The status of an item, and whether it was skipped.
fn status_text(item: &ImportItem, dry_run: bool) -> String {
    let skipped = matches!(item.status, ImportStatus::Conflict | ImportStatus::Locked) && !item.stored && !dry_run;
    let files = item.changes.iter().filter(|one| one.by == ChangedBy::Conflict).count();
    match (item.status, skipped) {
        (ImportStatus::Conflict, false) if files > 0 => format!("conflict in {files} files"),
        (status, true) => format!("{}, skipped", status_name(status)),
        (status, false) => status_name(status).to_owned(),
    }
}

const fn status_name(status: ImportStatus) -> &'static str {
    match status {
        ImportStatus::New => "new",
        ImportStatus::Update => "update",
        ImportStatus::Conflict => "conflict",
        ImportStatus::Unchanged => "unchanged",
        ImportStatus::Locked => "locked",
        ImportStatus::Refused => "refused",
    }
}

/// `inklings target list`
pub(crate) async fn targets(session: &Session, out: &Out) -> Result<(), CliError> {
    let found = session.call::<ListTargets>(NoParams {}).await?;
    for target in &found.targets {
        out.diagnostics(&target.diagnostics);
    }
    out.result(&found, |found| {
        if found.targets.is_empty() {
            return "no skills of other agents found".to_owned();
        }
        let mut rows = Vec::new();
        for target in &found.targets {
            rows.push(vec![format!("{}: {}", target.name, target.path)]);
            for item in &target.skills {
                let slug = item.slug.as_ref().map(ToString::to_string).unwrap_or_default();
                rows.push(vec![format!("  {}", status_name(item.status)), slug, item.path.clone()]);
            }
        }
        format!("{}\n{} new; import them with `inklings import FOLDER`", table(&rows), found.new)
    })
}

pub(crate) async fn export(session: &Session, args: ExportArgs, out: &Out) -> Result<(), CliError> {
    let form = match args.format {
        Format::Folder => None,
        Format::Json => Some(PackageFormat::Json),
        Format::Skill => Some(PackageFormat::Skill),
        Format::Markdown => Some(PackageFormat::Markdown),
        Format::ClaudeSkill => Some(PackageFormat::ClaudeSkill),
        Format::OpenaiGpt => Some(PackageFormat::OpenaiGpt),
        Format::Cowork => Some(PackageFormat::Cowork),
        Format::Amble => Some(PackageFormat::Amble),
    };
    let folder = std::path::absolute(&args.out).context("can't resolve the output folder")?;
    let skills = if args.all {
        let listed = session.call::<List>(ListParams { view: ListView::Merged }).await?.skills;
        listed.into_iter().map(|one| SkillRef { skill: one.id.to_string(), scope: Some(one.scope) }).collect()
    } else {
        args.skills.into_iter().map(|skill| SkillRef { skill, scope: None }).collect()
    };
    let params = ExportParams { skills, out: Some(folder), form, normalize: args.normalize, replace: args.replace, dry_run: args.dry_run };
    let progress = CallProgress::begin("exporting", out);
    let report = session.call_with_progress::<Export>(params, &progress).await?;
    progress.end();
    if let [ExportItem { failure: Some(failure), .. }] = report.items.as_slice() {
        return Err(failure.clone().into());
    }
    for item in &report.items {
        out.diagnostics(&with_folder(item.slug.as_str(), &item.diagnostics));
    }
    out.result(&report, |report| {
        let mut text = table(&report.items.iter().map(export_row).collect::<Vec<_>>());
        if report.dry_run {
            text.push_str("\ndry run: nothing was exported");
        }
        text
    })?;
    let complete = !report.stopped && report.items.iter().all(|item| item.failure.is_none());
    if complete { Ok(()) } else { Err(CliError::Findings) }
}

fn export_row(item: &ExportItem) -> Vec<String> {
    let what = match (&item.failure, item.files) {
        (Some(_), _) => "not exported".to_owned(),
        (None, 1) => "1 file".to_owned(),
        (None, count) => format!("{count} files"),
    };
    let path = item.failure.as_ref().map_or_else(|| item.path.clone(), |failure| failure.message.clone());
    vec![item.slug.to_string(), what, path]
}
