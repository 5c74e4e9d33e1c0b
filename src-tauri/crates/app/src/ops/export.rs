//! `skill/export`: skills out, as folders.

use std::path::PathBuf;

use inklings_core::{Scope, Slug};
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
    /// Folder to write into; absolute. Each skill gets a folder named by its slug.
    pub out: PathBuf,
    /// Make the frontmatter name the slug.
    #[serde(default)]
    pub normalise: bool,
    /// Replace the files of a folder that is there already; without it such a folder is an error, unless it holds the same.
    #[serde(default)]
    pub replace: bool,
}

/// One exported skill.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ExportItem {
    /// Its slug.
    pub slug: Slug,
    /// The folder that was written.
    pub path: String,
    /// Number of files.
    pub files: usize,
}

/// What an export did.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ExportReport {
    /// In the order asked for.
    pub items: Vec<ExportItem>,
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
        // Everything is found before anything is written.
        let skills = params.skills.iter().map(|name| catalog.require(name, params.scope)).collect::<Result<Vec<_>, _>>()?;
        let existing = if params.replace { Existing::Replace } else { Existing::Refuse };
        let mut items = Vec::with_capacity(skills.len());
        for skill in skills {
            let path = disk::export(&params.out, &skill.package, params.normalise, existing)?;
            items.push(ExportItem { files: skill.package.tree().len(), slug: skill.package.slug, path: path.display().to_string() });
        }
        Ok(ExportReport { items })
    }
}

pub(crate) const TABLE: &[Entry] = &[Entry::of::<Export>()];
