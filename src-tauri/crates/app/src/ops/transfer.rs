//! `skill/import` and `skill/export`: folders in and out.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use inklings_core::Projection as _;
use inklings_core::{
    ArtifactId, ChangeSet, Diagnostic, Expected, Package, Scope, Skill, SkillId, SkillStorageRepository, SkillSummary, Slug,
};
use inklings_folder::{Existing, disk};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::app::App;
use crate::context::{CallContext, Permission};
use crate::error::Failure;
use crate::operation::{Blocking, Effect, Entry};
use crate::ops::skill::{new_head, target_scope};

/// Skills read and stored at a time.
const BATCH: usize = 500;

/// What to import.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportParams {
    /// Skill folders, folders of skill folders, or SKILL.md files; absolute.
    pub paths: Vec<PathBuf>,
    /// Where to put them; the workspace when one is open, else the account.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Only say what would happen.
    #[serde(default)]
    pub dry_run: bool,
    /// Give a skill whose name is taken in the batch another name.
    #[serde(default)]
    pub rename: bool,
}

/// What happened, or would happen, to one folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ImportStatus {
    /// A new skill.
    New,
    /// A new revision of a skill that is there.
    Update,
    /// The same as what is there.
    Unchanged,
    /// The skill that is there is locked.
    Locked,
    /// It can't be read as a skill; the diagnostics say why.
    Refused,
}

/// One folder of an import.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ImportItem {
    /// The folder.
    pub path: String,
    /// The skill's slug.
    pub slug: Option<Slug>,
    /// Its title.
    pub name: Option<String>,
    /// What happened.
    pub status: ImportStatus,
    /// The stored revision.
    pub revision: Option<i64>,
    /// What was odd.
    pub diagnostics: Vec<Diagnostic>,
}

/// What an import did.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ImportReport {
    /// By folder, in byte order.
    pub items: Vec<ImportItem>,
    /// Where the skills are.
    pub scope: Scope,
    /// Whether nothing was stored because only a look was asked for.
    pub dry_run: bool,
    /// What was odd while looking for skills: folders without rights, links that were not followed.
    pub diagnostics: Vec<Diagnostic>,
}

/// `skill/import`
pub struct Import;

impl Blocking for Import {
    const NAME: &'static str = "skill/import";
    const NEEDS: Permission = Permission::Write;
    const EFFECT: Effect = Effect::Writes(&["skill"]);
    type Params = ImportParams;
    type Output = ImportReport;

    fn run(app: &App, cx: &CallContext, params: ImportParams) -> Result<ImportReport, Failure> {
        let scope = target_scope(cx, params.scope)?;
        let catalog = app.catalog(cx)?;
        let repository = catalog
            .repository(scope)
            .ok_or_else(|| Failure::invalid("no workspace is open").hint("open a folder, or use the account scope"))?;
        let (mut folders, mut remarks) = (Vec::new(), Vec::new());
        for path in &params.paths {
            let (mut found, mut findings) = disk::discover(path)?;
            folders.append(&mut found);
            remarks.append(&mut findings);
        }
        folders.sort();
        folders.dedup();
        let known = repository.list_skills()?;
        let mut batch = Batch {
            app,
            cx,
            scope,
            repository: repository.as_ref(),
            taken: taken(known),
            seen: HashMap::new(),
            artifacts: HashSet::new(),
            skills: HashSet::new(),
            params: &params,
        };
        let mut items = Vec::with_capacity(folders.len());
        for chunk in folders.chunks(BATCH) {
            items.append(&mut batch.import(chunk)?);
        }
        Ok(ImportReport { items, scope, dry_run: params.dry_run, diagnostics: remarks })
    }
}

fn taken(known: Vec<SkillSummary>) -> HashMap<Slug, SkillSummary> {
    known.into_iter().map(|summary| (summary.slug.clone(), summary)).collect()
}

struct Batch<'a> {
    app: &'a App,
    cx: &'a CallContext,
    scope: Scope,
    repository: &'a dyn SkillStorageRepository,
    taken: HashMap<Slug, SkillSummary>,
    /// Which folder of this import has a slug.
    seen: HashMap<Slug, PathBuf>,
    /// Ids that folders of this import have brought.
    artifacts: HashSet<ArtifactId>,
    skills: HashSet<SkillId>,
    params: &'a ImportParams,
}

impl Batch<'_> {
    /// Reads a few folders and stores them together, each all or nothing.
    fn import(&mut self, folders: &[PathBuf]) -> Result<Vec<ImportItem>, Failure> {
        let mut items = Vec::with_capacity(folders.len());
        let mut writes = Vec::new();
        for path in folders {
            let (item, write) = self.prepare(path)?;
            if let Some(write) = write.filter(|_| !self.params.dry_run) {
                writes.push((items.len(), write));
            }
            items.push(item);
        }
        let (indices, changes): (Vec<_>, Vec<_>) = writes.into_iter().unzip();
        for (index, result) in indices.into_iter().zip(self.repository.commit_all(&changes)?) {
            let item: &mut ImportItem = &mut items[index];
            match result {
                Ok(revision) => item.revision = Some(revision),
                Err(error) => {
                    item.status = ImportStatus::Refused;
                    item.diagnostics.push(from_failure("import/refused", &item.path, error.into()));
                }
            }
        }
        Ok(items)
    }

    fn prepare(&mut self, path: &Path) -> Result<(ImportItem, Option<(ChangeSet, Expected)>), Failure> {
        let mut item = ImportItem {
            path: path.display().to_string(),
            slug: None,
            name: None,
            status: ImportStatus::Refused,
            revision: None,
            diagnostics: Vec::new(),
        };
        let tree = match disk::read_dir(path) {
            Ok((tree, mut findings)) => {
                item.diagnostics.append(&mut findings);
                tree
            }
            Err(error) => {
                item.diagnostics.push(from_failure("import/unreadable", &item.path, error.into()));
                return Ok((item, None));
            }
        };
        if item.diagnostics.iter().any(Diagnostic::is_error) {
            return Ok((item, None));
        }
        let folder = disk::folder_name(path);
        let reading = match self.app.folder.read(&tree, &folder, None) {
            Ok(reading) => reading,
            Err(mut findings) => {
                item.diagnostics.append(&mut findings);
                return Ok((item, None));
            }
        };
        item.diagnostics.extend(reading.diagnostics);
        let mut package = reading.package;
        if !self.claim(&mut package, path, &mut item) {
            return Ok((item, None));
        }
        item.slug = Some(package.slug.clone());
        item.name = Some(package.name.clone());
        let present = match self.taken.get(&package.slug) {
            Some(summary) => self.repository.get_skill(summary.id)?,
            None => None,
        };
        match present {
            None => self.create(item, package, reading.id),
            Some(present) => Ok(self.update(item, &tree, &folder, &present)),
        }
    }

    /// Claims the slug within the batch: the first folder in byte order has it.
    fn claim(&mut self, package: &mut Package, path: &Path, item: &mut ImportItem) -> bool {
        if let Some(first) = self.seen.get(&package.slug) {
            if !self.params.rename {
                let message = format!("{} and {} are both the skill {}", first.display(), path.display(), package.slug);
                item.diagnostics.push(
                    Diagnostic::error("import/duplicate", message)
                        .hint("import one of them, or use --rename to keep both")
                        .in_file(path.display()),
                );
                item.slug = Some(package.slug.clone());
                return false;
            }
            let mut n = 2;
            while self.seen.contains_key(&package.slug.numbered(n)) || self.taken.contains_key(&package.slug.numbered(n)) {
                n += 1;
            }
            package.slug = package.slug.numbered(n);
            package.name = format!("{} {n}", package.name);
            item.diagnostics.append(&mut self.app.folder.settle(package));
        }
        self.seen.insert(package.slug.clone(), path.to_owned());
        true
    }

    fn create(
        &mut self,
        mut item: ImportItem,
        package: Package,
        claimed: Option<SkillId>,
    ) -> Result<(ImportItem, Option<(ChangeSet, Expected)>), Failure> {
        let mut head = new_head(self.app, self.cx, self.scope);
        // An id that the folder brings is kept when it is free here.
        if let Some(id) = claimed
            && self.skills.insert(id)
            && self.repository.get_skill(id)?.is_none()
        {
            head.id = id;
        }
        head.provenance = Some(json!({ "imported_from": item.path, "at": self.app.clock.now() }));
        item.status = ImportStatus::New;
        let (id, why) = (head.id, format!("imported from {}", item.path));
        let package = self.free_ids(package)?;
        let change = ChangeSet::between(None, Some(Skill { head, package }), id, self.cx.actor.as_str(), why);
        Ok((item, Some((change, Expected::Absent))))
    }

    /// Ids that the folder brings and that are taken, here or in this import, are replaced. Ids that we made just now are free.
    fn free_ids(&mut self, mut package: Package) -> Result<Package, Failure> {
        let Some(brought) = package.sources.skill_json.clone() else { return Ok(package) };
        let mut replaced = false;
        for artifact in package.artifacts.iter_mut().filter(|artifact| brought.contains(&artifact.id.to_string())) {
            if !self.artifacts.insert(artifact.id) || self.repository.get_artifact(artifact.id)?.is_some() {
                artifact.id = self.app.ids.artifact();
                replaced = true;
            }
        }
        if replaced {
            self.app.folder.settle_strictly(&mut package)?;
        }
        Ok(package)
    }

    fn update(
        &self,
        mut item: ImportItem,
        tree: &inklings_core::Tree,
        folder: &str,
        present: &Skill,
    ) -> (ImportItem, Option<(ChangeSet, Expected)>) {
        item.revision = Some(present.head.revision);
        if *tree == present.package.tree() {
            item.status = ImportStatus::Unchanged;
            return (item, None);
        }
        if present.head.source.is_locked() {
            item.status = ImportStatus::Locked;
            let message = format!("the skill {} already exists and is locked", present.package.slug);
            item.diagnostics.push(
                Diagnostic::warning("import/locked", message)
                    .hint("import it into a workspace to override it there, or rename it")
                    .in_file(&item.path),
            );
            return (item, None);
        }
        let reading = match self.app.folder.read(tree, folder, Some(&present.package)) {
            Ok(reading) => reading,
            Err(mut findings) => {
                item.diagnostics.append(&mut findings);
                return (item, None);
            }
        };
        item.status = ImportStatus::Update;
        let after = Skill { head: present.head.clone(), package: reading.package };
        let why = format!("imported from {}", item.path);
        let change = ChangeSet::between(Some(present), Some(after), present.head.id, self.cx.actor.as_str(), why);
        (item, Some((change, Expected::Revision(present.head.revision))))
    }
}

/// Why one folder of a batch did not become a skill.
fn from_failure(rule: &str, path: &str, failure: Failure) -> Diagnostic {
    Diagnostic { hint: failure.hint, ..Diagnostic::error(rule, failure.message).in_file(path) }
}

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

pub(crate) const TABLE: &[Entry] = &[Entry::of::<Import>(), Entry::of::<Export>()];
