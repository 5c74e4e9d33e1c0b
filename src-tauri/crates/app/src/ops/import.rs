//! `skill/import`: skills in, after a look at what each would do.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use inklings_core::SkillFormat as _;
use inklings_core::three_way::{ChangedBy, PathMerge, compare_trees, merge_trees};
use inklings_core::{
    ArtifactId, BatchCommit, ChangeSet, Diagnostic, Expected, Package, Scope, Skill, SkillId, SkillPath, SkillStorageRepository,
    SkillSummary, Slug, Source, Tree,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::features::check::strict_findings;
use crate::incoming::{self, Examined, Incoming};
use crate::ops::history::RevisionFile;
use crate::ops::home;
use crate::ops::skill::target_scope;
use crate::provenance::Provenance;
use inklings_rpc::{CallContext, Failure, operations};

/// Skills read and stored at a time.
const BATCH: usize = 500;

/// What to import.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportParams {
    /// Skill folders, folders of skill folders, SKILL.md files, or packages; absolute.
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
    /// Refuse what the Agent Skills standard refuses.
    #[serde(default)]
    pub strict: bool,
    /// What to do with single skills.
    #[serde(default)]
    pub choices: Vec<ImportChoice>,
    /// Store nothing but what has a choice of its own; without it new skills and updates are stored.
    #[serde(default)]
    pub only_chosen: bool,
    /// What to do with conflicts and locked skills that have no choice of their own.
    #[serde(default)]
    pub conflicts: Take,
    /// Keep new skills as third-party ones: locked, changed only by importing them again.
    #[serde(default)]
    pub third_party: bool,
}

/// What to do with one skill that arrives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Take {
    /// Nothing.
    #[default]
    Skip,
    /// Store it as it arrives; what was changed here since goes into the history.
    Replace,
    /// Store what both sides changed; of files that both changed, ours, or theirs where `theirs` names them.
    Merge,
    /// Store it beside the one that is here, under another name.
    Both,
    /// Store it in the open workspace, where it hides the account's.
    Override,
}

/// What to do with one of the skills.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportChoice {
    /// Its path, as the report has it.
    pub path: String,
    /// What to do.
    pub take: Take,
    /// With `merge`: the files that are taken as they arrive.
    #[serde(default)]
    pub theirs: Vec<SkillPath>,
}

/// What happened, or would happen, to one skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ImportStatus {
    /// A new skill.
    New,
    /// A new revision of a skill that is there; what was changed here since it was imported stays.
    Update,
    /// Files were changed here and there, or it isn't known what the skill here came from.
    Conflict,
    /// Nothing in it that isn't here.
    Unchanged,
    /// The skill that is there is locked.
    Locked,
    /// It can't be read as a skill; the diagnostics say why.
    Refused,
}

/// One skill of an import.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ImportItem {
    /// Its folder or file; inside a package the place in it follows.
    pub path: String,
    /// The skill's slug.
    pub slug: Option<Slug>,
    /// Its title.
    pub name: Option<String>,
    /// What it is to the skills here.
    pub status: ImportStatus,
    /// Whether it was stored.
    pub stored: bool,
    /// The skill that is here, or the one that was made.
    pub skill: Option<SkillId>,
    /// The revision here.
    pub revision: Option<i64>,
    /// The revision that both sides come from, if that is known.
    pub base: Option<i64>,
    /// The files that differ from it, by path: of updates and conflicts.
    pub changes: Vec<PathMerge>,
    /// What was odd.
    pub diagnostics: Vec<Diagnostic>,
}

/// What an import did.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ImportReport {
    /// By path, in byte order.
    pub items: Vec<ImportItem>,
    /// Where the skills are.
    pub scope: Scope,
    /// Whether nothing was stored because only a look was asked for.
    pub dry_run: bool,
    /// Whether it ended before all were done; the items are those that were.
    pub stopped: bool,
    /// How many skills were found.
    pub found: usize,
    /// What was odd while looking for skills: folders without rights, links that were not followed.
    pub diagnostics: Vec<Diagnostic>,
    /// What ended it early, such as a full disk; the items are those that were done before. An import that fails before anything is
    /// stored is refused instead.
    pub failure: Option<Failure>,
}

fn import(app: &App, cx: &CallContext, params: ImportParams) -> Result<ImportReport, Failure> {
    let scope = target_scope(cx, params.scope)?;
    let (found, remarks) = incoming::find(&params.paths)?;
    let choices: HashMap<&str, &ImportChoice> = params.choices.iter().map(|choice| (choice.path.as_str(), choice)).collect();
    // Nearly always there are none, and then nothing has to be named.
    let overriding: HashSet<&str> =
        params.choices.iter().filter(|choice| choice.take == Take::Override).map(|choice| choice.path.as_str()).collect();
    let overrides = |skill: &Incoming| scope == Scope::Account && !overriding.is_empty() && overriding.contains(skill.label().as_str());
    let (above, here): (Vec<Incoming>, Vec<Incoming>) = found.into_iter().partition(overrides);
    if !above.is_empty() && cx.workspace.is_none() {
        return Err(Failure::invalid("no workspace is open that could override a skill").hint("open a folder, or keep both"));
    }
    let total = here.len() + above.len();
    let mut items = Vec::with_capacity(total);
    let mut failure = None;
    'scopes: for (scope, skills) in [(scope, here), (Scope::Workspace, above)] {
        if skills.is_empty() {
            continue;
        }
        let mut batch = match Batch::begin(app, cx, scope, &params, &choices) {
            Ok(batch) => batch,
            Err(error) => {
                failure = Some(error);
                break;
            }
        };
        for chunk in skills.chunks(BATCH) {
            let done = items.len();
            failure = batch.import(chunk, &mut items, |more| cx.watch.tell(done + more, Some(total))).err();
            if failure.is_some() || cx.watch.is_stopped() {
                break 'scopes;
            }
        }
    }
    // What is stored has to be told, whatever came after it.
    if let Some(failure) = failure.take_if(|_| !items.iter().any(|item| item.stored)) {
        return Err(failure);
    }
    items.sort_by(|a, b| a.path.as_bytes().cmp(b.path.as_bytes()));
    let stopped = items.len() < total;
    Ok(ImportReport { items, scope, dry_run: params.dry_run, stopped, found: total, diagnostics: remarks, failure })
}

struct Batch<'a> {
    app: &'a App,
    cx: &'a CallContext,
    scope: Scope,
    repository: std::sync::Arc<dyn SkillStorageRepository>,
    taken: HashMap<Slug, SkillSummary>,
    /// Which skill of this import has a slug.
    seen: HashMap<Slug, String>,
    /// Ids that skills of this import have brought.
    artifacts: HashSet<ArtifactId>,
    skills: HashSet<SkillId>,
    params: &'a ImportParams,
    choices: &'a HashMap<&'a str, &'a ImportChoice>,
}

/// What is to be written of one skill: in one transaction, one revision for each.
type Writes = Vec<(ChangeSet, Expected)>;

/// A skill that was read.
struct Arrival<'a> {
    skill: &'a Incoming,
    tree: Tree,
    package: Package,
    claimed: Option<SkillId>,
}

impl<'a> Batch<'a> {
    fn begin(
        app: &'a App,
        cx: &'a CallContext,
        scope: Scope,
        params: &'a ImportParams,
        choices: &'a HashMap<&'a str, &'a ImportChoice>,
    ) -> Result<Self, Failure> {
        let catalog = app.catalog(cx)?;
        let repository = catalog
            .repository(scope)
            .ok_or_else(|| Failure::invalid("no workspace is open").hint("open a folder, or use the account scope"))?
            .clone();
        let taken = repository.list_skills()?.into_iter().map(|summary| (summary.slug.clone(), summary)).collect();
        let (seen, artifacts, skills) = (HashMap::new(), HashSet::new(), HashSet::new());
        Ok(Self { app, cx, scope, repository, taken, seen, artifacts, skills, params, choices })
    }

    /// Reads a few skills and stores them together, each all or nothing. Nothing is stored of what was read when it is stopped. After
    /// a fault `done` has those that were stored before it.
    fn import(&mut self, skills: &[Incoming], done: &mut Vec<ImportItem>, tell: impl Fn(usize)) -> Result<(), Failure> {
        let mut items = Vec::with_capacity(skills.len());
        let (mut single, mut several) = (Vec::new(), Vec::new());
        for skill in skills {
            if self.cx.watch.is_stopped() {
                return Ok(());
            }
            let (item, mut writes) = self.prepare(skill)?;
            match (writes.pop(), writes.is_empty()) {
                _ if self.params.dry_run => {}
                (Some(only), true) => single.push((items.len(), only)),
                (Some(last), false) => several.push((items.len(), writes.into_iter().chain([last]).collect::<Vec<_>>())),
                (None, _) => {}
            }
            items.push(item);
            tell(items.len());
        }
        let (indices, changes): (Vec<usize>, Writes) = single.into_iter().unzip();
        let BatchCommit { results, fault } = self.repository.commit_all(&changes);
        let mut waiting: HashSet<usize> = indices.iter().chain(several.iter().map(|(index, _)| index)).copied().collect();
        for (index, result) in indices.into_iter().zip(results) {
            waiting.remove(&index);
            settle(&mut items[index], result.map_err(Failure::from));
        }
        for (index, changes) in several.into_iter().take_while(|_| fault.is_none()) {
            waiting.remove(&index);
            let result = self.repository.commit_together(&changes).map(|revisions| revisions.last().copied().unwrap_or_default());
            settle(&mut items[index], result.map_err(Failure::from));
        }
        done.extend(items.into_iter().enumerate().filter(|(index, _)| !waiting.contains(index)).map(|(_, item)| item));
        fault.map_or(Ok(()), |fault| Err(fault.into()))
    }

    fn prepare(&mut self, skill: &Incoming) -> Result<(ImportItem, Writes), Failure> {
        let mut item = ImportItem {
            path: skill.label(),
            slug: None,
            name: None,
            status: ImportStatus::Refused,
            stored: false,
            skill: None,
            revision: None,
            base: None,
            changes: Vec::new(),
            diagnostics: Vec::new(),
        };
        let Some(mut arrival) = self.read(skill, &mut item) else { return Ok((item, Vec::new())) };
        if !self.claim(&mut arrival, &mut item) {
            return Ok((item, Vec::new()));
        }
        item.slug = Some(arrival.package.slug.clone());
        item.name = Some(arrival.package.name.clone());
        let present = match self.taken.get(&arrival.package.slug) {
            Some(summary) => self.repository.get_skill(summary.id)?,
            None => None,
        };
        let take = self.choices.get(item.path.as_str()).map(|choice| choice.take);
        let Some(present) = present else {
            item.status = ImportStatus::New;
            let wanted = take.map_or(!self.params.only_chosen, |take| take != Take::Skip);
            let writes = if wanted { vec![self.create(&mut item, arrival)?] } else { Vec::new() };
            return Ok((item, writes));
        };
        self.compare(&mut item, &arrival, &present)?;
        let by_rule = match item.status {
            ImportStatus::Update if !self.params.only_chosen => Take::Merge,
            ImportStatus::Conflict | ImportStatus::Locked => self.params.conflicts,
            _ => Take::Skip,
        };
        let writes = match (take.unwrap_or(by_rule), item.status) {
            // An override is imported into the workspace; what is there already is compared with that one.
            (Take::Skip, _)
            | (_, ImportStatus::Unchanged | ImportStatus::Refused)
            | (Take::Replace | Take::Override | Take::Merge, ImportStatus::Locked) => Vec::new(),
            (Take::Both, _) => {
                self.number(&mut arrival.package, &mut item);
                item.slug = Some(arrival.package.slug.clone());
                item.name = Some(arrival.package.name.clone());
                vec![self.create(&mut item, arrival)?]
            }
            (Take::Replace, _) => self.update(&mut item, &arrival.tree, None, &present, skill)?,
            (Take::Merge | Take::Override, _) => {
                let theirs = self.choices.get(item.path.as_str()).map(|choice| choice.theirs.as_slice()).unwrap_or_default();
                let merged = merge_trees(&item.changes, &present.package.tree(), &arrival.tree, |path| theirs.contains(path));
                self.update(&mut item, &arrival.tree, Some(&merged), &present, skill)?
            }
        };
        Ok((item, writes))
    }

    fn read<'b>(&self, skill: &'b Incoming, item: &mut ImportItem) -> Option<Arrival<'b>> {
        let mut contents = match skill.read() {
            Ok(contents) => contents,
            Err(error) => {
                item.diagnostics.push(from_failure("import/unreadable", &item.path, error));
                return None;
            }
        };
        let folder = skill.folder();
        if self.params.strict {
            contents.diagnostics.append(&mut strict_findings(&contents.tree, &folder));
        }
        let Examined { tree, reading, mut diagnostics } = contents.examine(&folder, self.app.folder.as_ref());
        item.diagnostics.append(&mut diagnostics);
        reading.map(|reading| Arrival { skill, tree, package: reading.package, claimed: reading.id })
    }

    /// Claims the slug within the import: the first skill in byte order has it.
    fn claim(&mut self, arrival: &mut Arrival<'_>, item: &mut ImportItem) -> bool {
        if let Some(first) = self.seen.get(&arrival.package.slug) {
            if !self.params.rename {
                let message = format!("{first} and {} are both the skill {}", item.path, arrival.package.slug);
                item.diagnostics.push(
                    Diagnostic::error("import/duplicate", message)
                        .hint("import one of them, or use --rename to keep both")
                        .in_file(&item.path),
                );
                item.slug = Some(arrival.package.slug.clone());
                return false;
            }
            self.number(&mut arrival.package, item);
        }
        self.seen.insert(arrival.package.slug.clone(), item.path.clone());
        true
    }

    /// Gives a package the first free name of the form `name 2`.
    fn number(&mut self, package: &mut Package, item: &mut ImportItem) {
        let is_free = |slug: &Slug| !self.seen.contains_key(slug) && !self.taken.contains_key(slug);
        let mut number = 2;
        while !is_free(&package.slug.numbered(number)) {
            number += 1;
        }
        package.slug = package.slug.numbered(number);
        package.name = format!("{} {number}", package.name);
        item.diagnostics.append(&mut self.app.folder.sync_sources(package));
        self.seen.insert(package.slug.clone(), item.path.clone());
    }

    fn create(&mut self, item: &mut ImportItem, arrival: Arrival<'_>) -> Result<(ChangeSet, Expected), Failure> {
        let source = if self.params.third_party { Source::Imported } else { Source::User };
        let mut head = self.app.editor(self.cx)?.new_head(self.scope, source);
        // An id that the skill brings is kept when it is free here.
        if let Some(id) = arrival.claimed
            && self.skills.insert(id)
            && self.repository.get_skill(id)?.is_none()
        {
            head.id = id;
        }
        let package = self.free_ids(arrival.package, None)?;
        let as_it_came = package.tree() == arrival.tree;
        head.provenance = Some(Provenance::imported(&arrival.skill.label(), self.app.clock.now(), as_it_came.then_some(1)));
        (item.skill, item.base) = (Some(head.id), None);
        let (id, why) = (head.id, format!("imported from {}", item.path));
        let change = ChangeSet::between(None, Some(Skill { head, package }), id, self.cx.actor.as_str(), why);
        Ok((change, Expected::Absent))
    }

    /// Ids that the skill brings and that others have, here or in this import, are replaced. Ids that it has here already are its own,
    /// and ids that we made just now are free.
    fn free_ids(&mut self, mut package: Package, present: Option<&Package>) -> Result<Package, Failure> {
        let Some(brought) = package.sources.skill_json.clone() else { return Ok(package) };
        let own: HashMap<&SkillPath, ArtifactId> =
            present.into_iter().flat_map(|package| &package.artifacts).map(|artifact| (&artifact.path, artifact.id)).collect();
        let mut replaced = false;
        let is_brought = |id: ArtifactId| !own.values().any(|own| *own == id) && brought.contains(&id.to_string());
        for artifact in package.artifacts.iter_mut().filter(|artifact| is_brought(artifact.id)) {
            if !self.artifacts.insert(artifact.id) || self.repository.get_artifact(artifact.id)?.is_some() {
                artifact.id = own.get(&artifact.path).copied().unwrap_or_else(|| self.app.ids.artifact());
                replaced = true;
            }
        }
        if replaced {
            self.app.folder.sync_sources_strictly(&mut package)?;
        }
        Ok(package)
    }

    /// Says what an arrival is to the skill that is here.
    fn compare(&self, item: &mut ImportItem, arrival: &Arrival<'_>, present: &Skill) -> Result<(), Failure> {
        item.skill = Some(present.head.id);
        item.revision = Some(present.head.revision);
        let mine = present.package.tree();
        if arrival.tree == mine {
            item.status = ImportStatus::Unchanged;
            return Ok(());
        }
        if present.head.source == Source::Imported {
            // A third-party skill can't be changed here, so what is here is what both come from.
            item.status = ImportStatus::Update;
            item.base = item.revision;
            item.changes = compare_trees(Some(&mine), &mine, &arrival.tree);
            return Ok(());
        }
        if present.head.source.is_locked() {
            item.status = ImportStatus::Locked;
            let message = format!("the skill {} already exists and is locked", present.package.slug);
            item.diagnostics.push(
                Diagnostic::warning("import/locked", message)
                    .hint("import it into a workspace to override it there, or keep both")
                    .in_file(&item.path),
            );
            return Ok(());
        }
        let base = self.base(present, &arrival.tree)?;
        item.base = base.as_ref().map(|(number, _)| *number);
        item.changes = compare_trees(base.as_ref().map(|(_, tree)| tree), &mine, &arrival.tree);
        let any = |by: ChangedBy| item.changes.iter().any(|one| one.by == by);
        item.status = if any(ChangedBy::Conflict) {
            ImportStatus::Conflict
        } else if any(ChangedBy::Theirs) {
            ImportStatus::Update
        } else {
            let message = format!("the skill {} here has everything that is in it, and changes of your own", present.package.slug);
            item.diagnostics.push(Diagnostic::info("import/older", message).hint("nothing is to be done").in_file(&item.path));
            ImportStatus::Unchanged
        };
        if item.status == ImportStatus::Conflict {
            let clashing = item.changes.iter().filter(|one| one.by == ChangedBy::Conflict).count();
            let files = if clashing == 1 { "1 file is".to_owned() } else { format!("{clashing} files are") };
            let why = if item.base.is_some() { "changed here and there" } else { "different, with no common origin known" };
            let message = format!("the skill {} is here already: {files} {why}", present.package.slug);
            item.diagnostics.push(
                Diagnostic::warning("import/conflict", message).hint("choose one side, merge them, or keep both").in_file(&item.path),
            );
        }
        Ok(())
    }

    /// The folder that the skill here and the arrival come from: what was imported last, or an earlier revision that is the arrival.
    fn base(&self, present: &Skill, arrival: &Tree) -> Result<Option<(i64, Tree)>, Failure> {
        if let Some(number) = self.repository.revision_with(present.head.id, arrival)? {
            return Ok(Some((number, arrival.clone())));
        }
        let Some(number) = Provenance::base(&present.head) else { return Ok(None) };
        // History may have been thinned out since.
        Ok(self.repository.revision_tree(present.head.id, number).ok().map(|tree| (number, tree)))
    }

    /// A revision that is the arrival, so that the next import knows where it came from, and one with what was changed here.
    fn update(
        &mut self,
        item: &mut ImportItem,
        arrival: &Tree,
        merged: Option<&Tree>,
        present: &Skill,
        skill: &Incoming,
    ) -> Result<Writes, Failure> {
        let mut writes = Vec::new();
        let mut before = present.clone();
        let steps = [(arrival, format!("imported from {}", item.path))];
        let merge = merged.filter(|merged| *merged != arrival).map(|merged| (merged, "merged with what was changed here".to_owned()));
        for (tree, why) in steps.into_iter().chain(merge) {
            match self.app.folder.read(tree, &skill.folder(), Some(&before.package)) {
                Ok(reading) => {
                    let revision = before.head.revision;
                    let mut head = before.head.clone();
                    if writes.is_empty() {
                        head.provenance = Some(Provenance::imported(&item.path, self.app.clock.now(), Some(revision + 1)));
                    }
                    let after = Skill { head, package: self.free_ids(reading.package, Some(&before.package))? };
                    let id = present.head.id;
                    let change = ChangeSet::between(Some(&before), Some(after.clone()), id, self.cx.actor.as_str(), why);
                    writes.push((change, Expected::Revision(revision)));
                    before = after;
                    before.head.revision = revision + 1;
                }
                Err(mut findings) => {
                    item.diagnostics.append(&mut findings);
                    item.status = ImportStatus::Refused;
                    return Ok(Vec::new());
                }
            }
        }
        Ok(writes)
    }
}

/// Notes what came of a write.
fn settle(item: &mut ImportItem, result: Result<i64, Failure>) {
    match result {
        Ok(revision) => {
            item.stored = true;
            item.revision = Some(revision);
        }
        Err(error) => {
            item.status = ImportStatus::Refused;
            item.diagnostics.push(from_failure("import/refused", &item.path, error));
        }
    }
}

/// Why one skill of a batch was not stored.
fn from_failure(rule: &str, path: &str, failure: Failure) -> Diagnostic {
    Diagnostic { hint: failure.hint, ..Diagnostic::error(rule, failure.message).in_file(path) }
}

/// A file of a skill that arrives.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArrivingFileParams {
    /// The path of the skill that arrives, as the report has it.
    pub path: String,
    /// The skill that is here.
    pub skill: SkillId,
    /// Its scope.
    pub scope: Scope,
    /// The revision that both come from, if that is known.
    #[serde(default)]
    pub base: Option<i64>,
    /// The file.
    pub file: SkillPath,
}

/// A file on three sides.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ThreeFiles {
    /// What both come from; a file that wasn't there if that isn't known.
    pub base: RevisionFile,
    /// As it is here.
    pub mine: RevisionFile,
    /// As it arrives.
    pub theirs: RevisionFile,
}

fn file(app: &App, cx: &CallContext, params: ArrivingFileParams) -> Result<ThreeFiles, Failure> {
    let catalog = app.catalog(cx)?;
    let skill = catalog.require(&params.skill.to_string(), Some(params.scope))?;
    let arriving = Incoming::labelled(&params.path)?.read()?;
    let base = match params.base {
        Some(number) => home(&catalog, &skill)?.revision_file(skill.head.id, number, &params.file)?,
        None => None,
    };
    Ok(ThreeFiles {
        base: RevisionFile::of(base.as_ref()),
        mine: RevisionFile::of(skill.package.tree().get(&params.file)),
        theirs: RevisionFile::of(arriving.tree.get(&params.file)),
    })
}

operations! { App;
    Import = "skill/import", Write["skill"], blocking import(ImportParams) -> ImportReport;
    /// One file of an update or a conflict, before anything is stored.
    ArrivingFile = "import/file", Read, blocking file(ArrivingFileParams) -> ThreeFiles;
}
