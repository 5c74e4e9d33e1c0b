//! `inklings skill list` and changes to many skills at once.

use std::fmt::Write as _;

use inklings_app::features::library::{
    Apply, ApplyParams, BulkAction, BulkReport, LibraryPage, LibraryParams, LibraryRow, LibraryStats, ListLibrary, Stats,
};
use inklings_app::features::skill::{
    Delete, DeleteParams, Deletion, Describe, DescribeParams, Enable, EnableParams, List, ListParams, ListView, SkillList, SkillValues,
};
use inklings_app::library::{LibraryQuery, LibrarySort, Ownership};
use inklings_app::wire::SkillRef;
use inklings_core::{Origin, Scope, SkillSummary};
use inklings_rpc::{Code, Failure, NoParams};

use crate::args::{SkillListArgs, SkillSetArgs, SkillsArg, SortArg};
use crate::commands::common::{label, saved};
use crate::commands::session::Session;
use crate::error::CliError;
use crate::hints;
use crate::out::{Out, table};

/// Skills per call.
const CHUNK_SIZE: usize = 1_000;

pub(crate) async fn list(session: &Session, args: SkillListArgs, out: &Out) -> Result<(), CliError> {
    let is_filtered = args.search.is_some()
        || [args.built_in, args.yours, args.human_written, args.ai_generated, args.enabled, args.disabled, args.reverse].contains(&true)
        || args.sort.is_some()
        || args.limit.is_some()
        || !(args.lifecycle.is_empty() && args.category.is_empty() && args.tag.is_empty());
    if !is_filtered {
        let view = if args.all { ListView::All } else { ListView::Merged };
        return out.result(&session.call::<List>(ListParams { view }).await?, format_list);
    }
    let query = LibraryQuery {
        text: args.search.unwrap_or_default(),
        ownership: either(args.built_in, Ownership::BuiltIn, args.yours, Ownership::Yours),
        origin: either(args.human_written, Origin::Human, args.ai_generated, Origin::Llm),
        enabled: either(args.enabled, true, args.disabled, false),
        lifecycles: args.lifecycle,
        categories: args.category,
        tags: args.tag,
        hidden: args.all,
        sort: match args.sort {
            None | Some(SortArg::Name) => LibrarySort::Slug,
            Some(SortArg::Title) => LibrarySort::Name,
            Some(SortArg::Changed) => LibrarySort::Changed,
            Some(SortArg::Used) => LibrarySort::Used,
            Some(SortArg::Cost) => LibrarySort::Cost,
            Some(SortArg::Size) => LibrarySort::Size,
        },
        reverse: args.reverse,
    };
    out.result(&session.call::<ListLibrary>(LibraryParams { query, offset: 0, limit: args.limit }).await?, format_page)
}

fn either<T>(one: bool, first: T, other: bool, second: T) -> Option<T> {
    if one { Some(first) } else { other.then_some(second) }
}

fn remarks(skill: &SkillSummary) -> String {
    let all =
        [(skill.shadows, "overrides account"), (skill.shadowed, "overridden"), (!skill.enabled, "disabled"), (skill.locked, "locked")];
    all.iter().filter(|(applies, _)| *applies).map(|(_, remark)| *remark).collect::<Vec<_>>().join(", ")
}

fn columns(skill: &SkillSummary) -> Vec<String> {
    vec![skill.slug.to_string(), skill.scope.to_string(), format!("r{}", skill.revision), remarks(skill), skill.name.clone()]
}

fn format_list(list: &SkillList) -> String {
    if list.skills.is_empty() {
        return "no skills".to_owned();
    }
    table(&list.skills.iter().map(columns).collect::<Vec<_>>())
}

fn format_page(page: &LibraryPage) -> String {
    if page.skills.is_empty() {
        return "no matches".to_owned();
    }
    let row = |row: &LibraryRow| {
        let mut cells = columns(&row.summary);
        let used = row.last_used_at.map_or_else(|| "never used".to_owned(), |time| time.to_string());
        cells.splice(4..4, [row.summary.lifecycle.as_str().to_owned(), used, cost(row.runs, row.estimated_cost, row.unpriced)]);
        cells
    };
    let mut text = table(&page.skills.iter().map(row).collect::<Vec<_>>());
    if page.total > page.skills.len() {
        let _ = write!(text, "\n{} of {}", page.skills.len(), page.total);
    }
    text
}

/// Empty if nothing is known.
fn cost(runs: u32, cost: Option<f64>, unpriced: u32) -> String {
    match cost {
        _ if runs == 0 => String::new(),
        Some(cost) if unpriced > 0 => format!("at least ${cost:.4}"),
        Some(cost) => format!("${cost:.4}"),
        None if unpriced > 0 => "cost unknown".to_owned(),
        None => String::new(),
    }
}

pub(crate) async fn stats(session: &Session, out: &Out) -> Result<(), CliError> {
    let text = |stats: &LibraryStats| {
        let mut lines = vec![
            vec!["skills".to_owned(), stats.skills.to_string()],
            vec!["active".to_owned(), stats.active.to_string()],
            vec!["deprecated".to_owned(), stats.deprecated.to_string()],
            vec!["runs (30 days)".to_owned(), stats.runs.to_string()],
        ];
        let cost = cost(stats.runs, stats.estimated_cost, stats.unpriced);
        if !cost.is_empty() {
            lines.push(vec!["cost (30 days)".to_owned(), cost]);
        }
        if let Some(freshness) = stats.freshness {
            lines.push(vec!["mean freshness".to_owned(), format!("{:.0}%", freshness * 100.0)]);
        }
        table(&lines)
    };
    out.result(&session.call::<Stats>(NoParams {}).await?, text)
}

pub(crate) async fn switch(session: &Session, named: SkillsArg, on: bool, out: &Out) -> Result<(), CliError> {
    let [skill] = named.skills.as_slice() else {
        return apply(session, named, BulkAction::Enable { on }, if on { "enabled" } else { "disabled" }, out).await;
    };
    let params = EnableParams { skill: skill.clone(), scope: named.scope.map(Into::into), enabled: on };
    let text = |skill: &SkillSummary| format!("{} {}", if skill.enabled { "enabled" } else { "disabled" }, label(skill));
    out.result(&session.call::<Enable>(params).await?, text)
}

pub(crate) async fn delete(session: &Session, named: SkillsArg, out: &Out) -> Result<(), CliError> {
    let [skill] = named.skills.as_slice() else {
        return apply(session, named, BulkAction::Delete {}, "deleted", out).await;
    };
    let params = DeleteParams { skill: skill.clone(), scope: named.scope.map(Into::into), expected: None };
    let text = |deleted: &Deletion| {
        let workspace = session.workspace().filter(|_| deleted.scope == Scope::Workspace);
        let workspace = workspace.map(|folder| hints::shell_quoted(&folder.display().to_string()));
        let workspace = workspace.map(|folder| format!(" --workspace {folder}")).unwrap_or_default();
        format!("deleted {}\nundo: inklings skill restore {} --scope {}{workspace}", deleted.slug, deleted.id, deleted.scope)
    };
    out.result(&session.call::<Delete>(params).await?, text)
}

/// Changes all named skills. It is an error if some couldn't be changed, after the others were.
pub(crate) async fn apply(session: &Session, named: SkillsArg, action: BulkAction, verb: &str, out: &Out) -> Result<(), CliError> {
    let scope: Option<Scope> = named.scope.map(Into::into);
    let mut report = BulkReport { done: Vec::new(), failed: Vec::new() };
    for part in named.skills.chunks(CHUNK_SIZE) {
        let skills = part.iter().map(|skill| SkillRef { skill: skill.clone(), scope }).collect();
        let mut more = session.call::<Apply>(ApplyParams { skills, action: action.clone() }).await?;
        report.done.append(&mut more.done);
        report.failed.append(&mut more.failed);
    }
    let text = |report: &BulkReport| {
        let rows = report.done.iter().map(|one| {
            let what = if one.undo.is_some() { verb } else { "unchanged" };
            vec![one.slug.to_string(), one.scope.to_string(), what.to_owned()]
        });
        table(&rows.collect::<Vec<_>>())
    };
    out.result(&report, text)?;
    for one in &report.failed {
        let hint = hints::hint(&one.failure).map(|hint| format!("; {hint}")).unwrap_or_default();
        out.note(&format!("{}: {}{hint}", one.name.as_ref().unwrap_or(&one.skill), one.failure.message));
    }
    match report.failed.first() {
        None => Ok(()),
        Some(_) => {
            Err(Failure::new(Code::Invalid, format!("{} of {} skills were not changed", report.failed.len(), named.skills.len())).into())
        }
    }
}

pub(crate) async fn set(session: &Session, args: SkillSetArgs, out: &Out) -> Result<(), CliError> {
    let some = |text: Option<String>| text.map(|text| Some(text).filter(|text| !text.trim().is_empty()));
    let values = SkillValues {
        name: args.title,
        description: args.description,
        category: args.category,
        tags: args.tags.map(|text| text.split(',').map(str::to_owned).collect()),
        triggers: args.triggers,
        when_not_to_use: some(args.when_not_to_use),
        version: args.version,
        author: some(args.author),
        user_invocable: args.user_invocable,
    };
    let params = DescribeParams { skill: args.skill.skill, scope: args.skill.scope.map(Into::into), expected: args.expected, values };
    saved(&session.call::<Describe>(params).await?, out)
}
