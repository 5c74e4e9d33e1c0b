//! `skill/export`: skills out, as folders or in one of the forms of a package.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use inklings_core::skill::skill_md;
use inklings_core::tree::{Tree, TreeFile};
use inklings_core::{Diagnostic, Scope, Skill, SkillId, SkillPath, Slug};
use inklings_folder::Existing;
use inklings_folder::disk::Output;
pub use inklings_folder::package::Form;
use inklings_folder::package::{Pack, pack};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::wire::SkillRef;
use inklings_rpc::{CallContext, Code, Failure, operations};

/// What to export.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExportParams {
    /// The skills.
    pub skills: Vec<SkillRef>,
    /// Folder to write into; absolute. Each skill gets a folder or a file named by its slug. Without one it is only a look.
    #[serde(default)]
    pub out: Option<PathBuf>,
    /// The form of a package; a folder without one.
    #[serde(default)]
    pub form: Option<Form>,
    /// Make the frontmatter name the slug; of folders.
    #[serde(default)]
    pub normalise: bool,
    /// Replace what is there already under that name; without it that is an error, unless it is the same.
    #[serde(default)]
    pub replace: bool,
    /// Only say what would be written and what would be left out.
    #[serde(default)]
    pub dry_run: bool,
}

/// One skill: exported as a whole or not at all.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ExportItem {
    /// Its id.
    pub id: SkillId,
    /// Its scope.
    pub scope: Scope,
    /// Its slug.
    pub slug: Slug,
    /// Its title.
    pub name: String,
    /// The folder or file; below the folder written into where none was given.
    pub path: String,
    /// Number of files of the skill that are in it.
    pub files: usize,
    /// Files that the form has no place for.
    pub left_out: Vec<SkillPath>,
    /// What to know before it is handed out.
    pub diagnostics: Vec<Diagnostic>,
    /// Why it is not written; the others are.
    pub failure: Option<Failure>,
}

/// What an export did.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ExportReport {
    /// In the order asked for.
    pub items: Vec<ExportItem>,
    /// Whether nothing was written because only a look was asked for.
    pub dry_run: bool,
    /// Whether it was stopped; the items are those that were done.
    pub stopped: bool,
}

fn export(app: &App, cx: &CallContext, params: ExportParams) -> Result<ExportReport, Failure> {
    match &params.out {
        Some(out) if !out.is_absolute() => {
            return Err(Failure::invalid(format!("{} is no absolute path", out.display())).hint("give the whole path of a folder"));
        }
        None if !params.dry_run => {
            return Err(Failure::invalid("no folder to write into was given").hint("give `out`, or look only with `dry_run`"));
        }
        _ => {}
    }
    let catalog = app.catalog(cx)?;
    // What is asked for is known before anything is written.
    let skills = params.skills.iter().map(|named| catalog.require(&named.skill, named.scope)).collect::<Result<Vec<_>, _>>()?;
    let mut items: Vec<ExportItem> = Vec::with_capacity(skills.len());
    let mut slugs = HashSet::new();
    for skill in &skills {
        if cx.watch.is_stopped() {
            break;
        }
        let is_first = slugs.insert(&skill.package.slug);
        let mut item = if is_first { one(app, &params, skill) } else { ExportItem::failed(skill, second(&skill.package.slug)) };
        if item.failure.is_none() {
            item.diagnostics.extend(left_references(app, cx, skill));
        }
        items.push(item);
        cx.watch.tell(items.len(), Some(skills.len()));
    }
    Ok(ExportReport { stopped: items.len() < skills.len(), items, dry_run: params.dry_run })
}

/// That the references of a skill stay in the workspace. Whether there are any is beside the point of an export: not being able to tell
/// refuses none.
fn left_references(app: &App, cx: &CallContext, skill: &Skill) -> Option<Diagnostic> {
    let bindings = app.scopes.bindings(cx.workspace.as_deref()?);
    let references = bindings.and_then(|bindings| Ok(bindings.references(skill.head.id)?));
    let count = references.inspect_err(|error| tracing::warn!(code = ?error.code, "references can't be counted")).ok()?.len();
    let what = match count {
        0 => return None,
        1 => "1 reference stays".to_owned(),
        count => format!("{count} references stay"),
    };
    Some(Diagnostic::info("package/references", format!("{what} in the workspace")).hint("copy into the skill what others need of them"))
}

/// A skill of the workspace may have the name of one of the account.
fn second(slug: &Slug) -> Failure {
    Failure::new(Code::Exists, format!("another skill with the name {slug} goes there")).hint("export one of them into another folder")
}

fn one(app: &App, params: &ExportParams, skill: &Skill) -> ExportItem {
    let package = &skill.package;
    let mut item = ExportItem::of(skill);
    let Some(form) = params.form else {
        let tree = if params.normalise { app.folder.normalised(package).tree() } else { package.tree() };
        item.files = tree.len();
        item.put(params, Output::Folder(&package.slug, &tree));
        return item;
    };
    match pack(form, package) {
        Ok(Pack { name, bytes, left_out, findings }) => {
            (item.files, item.left_out, item.diagnostics) = (package.tree().len() - left_out.len(), left_out, findings);
            if form == Form::ClaudeSkill {
                item.put(params, Output::Folder(&package.slug, &Tree::from([(skill_md(), TreeFile::new(bytes))])));
            } else {
                item.put(params, Output::File(&name, &bytes));
            }
        }
        Err(error) => return ExportItem::failed(skill, error.into()),
    }
    item
}

impl ExportItem {
    fn of(Skill { head, package }: &Skill) -> Self {
        Self {
            id: head.id,
            scope: head.scope,
            slug: package.slug.clone(),
            name: package.name.clone(),
            path: String::new(),
            files: 0,
            left_out: Vec::new(),
            diagnostics: Vec::new(),
            failure: None,
        }
    }

    fn failed(skill: &Skill, failure: Failure) -> Self {
        Self { failure: Some(failure), ..Self::of(skill) }
    }

    fn put(&mut self, params: &ExportParams, output: Output<'_>) {
        let existing = if params.replace { Existing::Replace } else { Existing::Refuse };
        let out = params.out.as_deref();
        self.path = output.path(out.unwrap_or(Path::new(""))).display().to_string();
        let done = match out {
            None => Ok(()),
            Some(out) if params.dry_run => output.is_there(out, existing).map(drop),
            Some(out) => output.write(out, existing).map(drop),
        };
        self.failure = done.err().map(Failure::from);
    }
}

operations! { App;
    Export = "skill/export", Write["export"], blocking export(ExportParams) -> ExportReport;
}
