//! `skill/export`: skills out, as folders or in one of the forms of a package.

use std::path::PathBuf;

use inklings_core::{Diagnostic, Scope, Skill, SkillPath, Slug};
pub use inklings_folder::package::Form;
use inklings_folder::package::{self, pack};
use inklings_folder::{Existing, disk};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::context::{CallContext, Permission};
use crate::error::Failure;
use crate::operation::{Blocking, Effect, Entry};

/// What to export.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExportParams {
    /// Ids, slugs or titles.
    pub skills: Vec<String>,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Folder to write into; absolute. Each skill gets a folder or a file named by its slug.
    pub out: PathBuf,
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

/// One exported skill.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ExportItem {
    /// Its slug.
    pub slug: Slug,
    /// The folder or file that was written.
    pub path: String,
    /// Number of files of the skill that are in it.
    pub files: usize,
    /// Files that the form has no place for.
    pub left_out: Vec<SkillPath>,
    /// What to know before it is handed out.
    pub diagnostics: Vec<Diagnostic>,
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

/// `skill/export`
pub struct Export;

impl Blocking for Export {
    const NAME: &'static str = "skill/export";
    // It changes nothing here, but it writes where the caller says.
    const NEEDS: Permission = Permission::Write;
    const EFFECT: Effect = Effect::Writes(&["export"]);
    type Params = ExportParams;
    type Output = ExportReport;

    fn run(app: &App, cx: &CallContext, params: ExportParams) -> Result<ExportReport, Failure> {
        let catalog = app.catalog(cx)?;
        // Everything is found and allowed before anything is written.
        let skills = params.skills.iter().map(|name| catalog.require(name, params.scope)).collect::<Result<Vec<_>, _>>()?;
        if let Some(form) = params.form {
            skills.iter().try_for_each(|skill| package::allowed(form, &skill.package))?;
        }
        let mut items = Vec::with_capacity(skills.len());
        for skill in &skills {
            if cx.watch.is_stopped() {
                break;
            }
            items.push(match params.form {
                None => folder(&params, skill)?,
                Some(form) => packed(&params, form, skill)?,
            });
            cx.watch.tell(items.len(), Some(skills.len()));
        }
        Ok(ExportReport { stopped: items.len() < skills.len(), items, dry_run: params.dry_run })
    }
}

const fn existing(params: &ExportParams) -> Existing {
    if params.replace { Existing::Replace } else { Existing::Refuse }
}

fn folder(params: &ExportParams, Skill { package, .. }: &Skill) -> Result<ExportItem, Failure> {
    let path = if params.dry_run {
        params.out.join(package.slug.as_str())
    } else {
        disk::export(&params.out, package, params.normalise, existing(params))?
    };
    let (left_out, diagnostics) = (Vec::new(), Vec::new());
    Ok(ExportItem { slug: package.slug.clone(), path: path.display().to_string(), files: package.tree().len(), left_out, diagnostics })
}

fn packed(params: &ExportParams, form: Form, Skill { package, .. }: &Skill) -> Result<ExportItem, Failure> {
    let pack = pack(form, package)?;
    let path =
        if params.dry_run { params.out.join(&pack.name) } else { disk::write_pack(&params.out, &package.slug, &pack, existing(params))? };
    Ok(ExportItem {
        slug: package.slug.clone(),
        path: path.display().to_string(),
        files: package.tree().len() - pack.left_out.len(),
        left_out: pack.left_out,
        diagnostics: pack.findings,
    })
}

pub(crate) const TABLE: &[Entry] = &[Entry::of::<Export>()];
