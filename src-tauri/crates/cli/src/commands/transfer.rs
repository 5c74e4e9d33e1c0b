//! `inklings import` and `inklings export`

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Context as _;
use inklings_app::features::import::{ArrivingFile, ArrivingFileParams, ThreeFiles};
use inklings_app::features::skill::{
    self, Export, ExportItem, ExportParams, Form, Import, ImportChoice, ImportItem, ImportParams, ImportReport, ImportStatus, List,
    ListParams, ListView,
};
use inklings_app::features::target::ListTargets;
use inklings_app::wire::SkillRef;
use inklings_core::three_way::ChangedBy;
use inklings_rpc::{Code, Failure, NoParams};

use crate::Ended;
use crate::args::{ExportArgs, Format, ImportAction, ImportArgs};
use crate::commands::Session;
use crate::commands::history::unified;
use crate::commands::validate::placed;
use crate::out::{Out, table};
use crate::progress::Progressing;

pub(crate) async fn import(session: &Session, args: ImportArgs, out: &Out) -> Result<(), Ended> {
    let paths = args.paths.iter().map(std::path::absolute).collect::<Result<_, _>>().context("a path")?;
    if args.conflicts == ImportAction::Override {
        return Err(Failure::invalid("only single skills can override others").hint("name each with --choose SKILL=override").into());
    }
    let mut params = ImportParams {
        paths,
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
        let look = ImportParams { dry_run: true, ..params.clone() };
        params.choices = choices(&session.call::<Import>(look).await?.items, &args)?;
    }
    let progressing = Progressing::begin(if args.dry_run { "looking" } else { "importing" }, out);
    let report = session.call_watched::<Import>(params, progressing.watch().clone()).await?;
    progressing.end();
    out.diagnostics(&report.diagnostics);
    for item in &report.items {
        out.diagnostics(&placed(&item.path, &item.diagnostics));
    }
    let sides = if report.dry_run && !out.is_json() { three_sides(session, &report).await? } else { String::new() };
    out.result(&report, |report| sides + &summary(report))?;
    let left = |item: &ImportItem| match item.status {
        ImportStatus::Refused => true,
        ImportStatus::Conflict => !item.stored,
        _ => false,
    };
    if let Some(failure) = &report.failure {
        out.failure(failure);
    }
    let complete = !report.stopped && !report.items.is_empty() && !report.items.iter().any(left);
    if complete { Ok(()) } else { Err(Ended::Findings) }
}

impl From<ImportAction> for skill::ImportAction {
    fn from(take: ImportAction) -> Self {
        match take {
            ImportAction::Skip => Self::Skip,
            ImportAction::Replace => Self::Replace,
            ImportAction::Merge => Self::Merge,
            ImportAction::Both => Self::Both,
            ImportAction::Override => Self::Override,
        }
    }
}

/// The choices of single skills, by the paths that the import knows them by.
fn choices(items: &[ImportItem], args: &ImportArgs) -> Result<Vec<ImportChoice>, Failure> {
    let path_of = |skill: &str| {
        let path = std::path::absolute(skill).unwrap_or_default();
        let is_named = |item: &&ImportItem| item.slug.as_ref().is_some_and(|slug| slug.as_str() == skill) || Path::new(&item.path) == path;
        let missing = || {
            Failure::new(Code::NotFound, format!("no skill {skill:?} among those that arrive"))
                .hint("`inklings import --dry-run` lists their slugs and paths")
        };
        items.iter().find(is_named).map(|item| item.path.clone()).ok_or_else(missing)
    };
    let mut choices: Vec<ImportChoice> = Vec::new();
    for (skill, take) in &args.choose {
        choices.push(ImportChoice { path: path_of(skill)?, action: (*take).into(), theirs: Vec::new() });
    }
    for (skill, file) in &args.theirs {
        let path = path_of(skill)?;
        if let Some(choice) = choices.iter_mut().find(|choice| choice.path == path) {
            if choice.action != skill::ImportAction::Merge {
                return Err(Failure::invalid(format!("--theirs needs {skill} to be merged")).hint(format!("use --choose {skill}=merge")));
            }
            choice.theirs.push(file.clone());
        } else {
            choices.push(ImportChoice { path, action: skill::ImportAction::Merge, theirs: vec![file.clone()] });
        }
    }
    Ok(choices)
}

/// Files whose text is shown in all: each one reads its skill again, and a package may hold thousands. The window shows every one.
const SHOWN: usize = 20;

/// The files of each conflict: who changed them, and what both sides made of those that both did.
async fn three_sides(session: &Session, report: &ImportReport) -> Result<String, Ended> {
    let (mut parts, mut left, mut more) = (Vec::new(), SHOWN, 0);
    for item in report.items.iter().filter(|item| item.status == ImportStatus::Conflict) {
        let Some(skill) = item.skill else { continue };
        parts.push(format!("{}\n", item.path));
        for change in &item.changes {
            parts.push(format!("  {}: {}\n", change.path, changed(change.by)));
        }
        let clashing = item.changes.iter().filter(|change| change.by == ChangedBy::Conflict);
        more += clashing.clone().count().saturating_sub(left);
        for change in clashing.take(left) {
            left -= 1;
            let params =
                ArrivingFileParams { path: item.path.clone(), skill, scope: report.scope, base: item.base, file: change.path.clone() };
            let ThreeFiles { base, mine, theirs } = session.call::<ArrivingFile>(params).await?;
            let binary = [&base, &mine, &theirs].iter().any(|side| side.size.is_some() && side.text.is_none());
            if binary {
                parts.push(format!("{} is binary\n", change.path));
                continue;
            }
            let [before, here, there] = [&base, &mine, &theirs].map(|side| side.text.as_deref().unwrap_or_default());
            let path = &change.path;
            parts.push(unified((&format!("before/{path}"), before), (&format!("here/{path}"), here)));
            parts.push(unified((&format!("before/{path}"), before), (&format!("arriving/{path}"), there)));
        }
    }
    if more > 0 {
        parts.push(format!("and {more} more files that both sides changed\n"));
    }
    Ok(parts.concat())
}

const fn changed(by: ChangedBy) -> &'static str {
    match by {
        ChangedBy::Mine => "changed here",
        ChangedBy::Theirs => "changed there",
        ChangedBy::Both => "the same change on both sides",
        ChangedBy::Conflict => "changed on both sides",
    }
}

fn summary(report: &ImportReport) -> String {
    if report.items.is_empty() {
        return "no skill was found there: a skill is a folder with a SKILL.md".to_owned();
    }
    let row = |item: &ImportItem| {
        let slug = item.slug.as_ref().map(ToString::to_string).unwrap_or_default();
        vec![told(item, report.dry_run), slug, item.path.clone()]
    };
    let mut text = table(&report.items.iter().map(row).collect::<Vec<_>>());
    if report.dry_run {
        text.push_str("\nnothing was stored: this was a look only");
    }
    if report.stopped {
        // Writing to a string can't fail.
        let _ = write!(text, "\nstopped after {} of {} skills; what is listed is done", report.items.len(), report.found);
    }
    text
}

/// What an item is, or what was done with it where that isn't the same.
fn told(item: &ImportItem, dry_run: bool) -> String {
    let kept_out = matches!(item.status, ImportStatus::Conflict | ImportStatus::Locked) && !item.stored && !dry_run;
    let files = item.changes.iter().filter(|one| one.by == ChangedBy::Conflict).count();
    match (item.status, kept_out) {
        (ImportStatus::Conflict, false) if files > 0 => format!("conflict in {files}"),
        (status, true) => format!("{}, left out", word(status)),
        (status, false) => word(status).to_owned(),
    }
}

const fn word(status: ImportStatus) -> &'static str {
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
    let form = match args.format {
        Format::Folder => None,
        Format::Json => Some(Form::Json),
        Format::Skill => Some(Form::Skill),
        Format::Markdown => Some(Form::Markdown),
        Format::ClaudeSkill => Some(Form::ClaudeSkill),
        Format::OpenaiGpt => Some(Form::OpenaiGpt),
        Format::Cowork => Some(Form::Cowork),
        Format::Amble => Some(Form::Amble),
    };
    let folder = std::path::absolute(&args.out).context("the output folder")?;
    let skills = if args.all {
        let listed = session.call::<List>(ListParams { view: ListView::Merged }).await?.skills;
        listed.into_iter().map(|one| SkillRef { skill: one.id.to_string(), scope: Some(one.scope) }).collect()
    } else {
        args.skills.into_iter().map(|skill| SkillRef { skill, scope: None }).collect()
    };
    let params = ExportParams { skills, out: Some(folder), form, normalise: args.normalise, replace: args.replace, dry_run: args.dry_run };
    let progressing = Progressing::begin("exporting", out);
    let report = session.call_watched::<Export>(params, progressing.watch().clone()).await?;
    progressing.end();
    if let [ExportItem { failure: Some(failure), .. }] = report.items.as_slice() {
        return Err(failure.clone().into());
    }
    for item in &report.items {
        out.diagnostics(&placed(item.slug.as_str(), &item.diagnostics));
    }
    out.result(&report, |report| {
        let mut text = table(&report.items.iter().map(exported).collect::<Vec<_>>());
        if report.dry_run {
            text.push_str("\nnothing was written: this was a look only");
        }
        text
    })?;
    let complete = !report.stopped && report.items.iter().all(|item| item.failure.is_none());
    if complete { Ok(()) } else { Err(Ended::Findings) }
}

fn exported(item: &ExportItem) -> Vec<String> {
    let what = match (&item.failure, item.files) {
        (Some(_), _) => "not exported".to_owned(),
        (None, 1) => "1 file".to_owned(),
        (None, count) => format!("{count} files"),
    };
    let path = item.failure.as_ref().map_or_else(|| item.path.clone(), |failure| failure.message.clone());
    vec![item.slug.to_string(), what, path]
}
