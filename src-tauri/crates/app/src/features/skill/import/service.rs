use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use inklings_core::name::fold;
use inklings_core::three_way::{ChangedBy, compare_trees};
use inklings_core::{
    ArtifactId, BatchCommit, CancellationToken, ChangeSet, Diagnostic, Expected, Package, ProgressReporter, Scope, Skill, SkillFormat as _,
    SkillId, SkillStorageRepository, SkillSummary, Slug, Source, StorageError, Tree,
};

use super::api::{ImportAction, ImportChoice, ImportItem, ImportParams, ImportReport, ImportStatus};
use super::error::ImportError;
use super::listed;
use super::merging::merged;
use crate::discovery::{self, DiscoveredSkill, Discovery, ValidatedSkill, refusal};
use crate::editing::{EditError, SkillEditor, new_assertion_faults};
use crate::features::check::folders::strict_diagnostics;
use crate::provenance::{ImportOrigin, Provenance};

/// Skills read and stored at a time.
const BATCH_SIZE: usize = 500;

pub(crate) fn import(
    editor: &SkillEditor<'_>,
    params: &ImportParams,
    cancel: &CancellationToken,
    progress: &ProgressReporter,
) -> Result<ImportReport, ImportError> {
    let scope = editor.caller.target_scope(params.scope)?;
    let updated = params.updates.map(|id| editor.catalog.require(&id.to_string(), Some(scope))).transpose().map_err(EditError::from)?;
    let Discovery { skills: found, diagnostics } = match &updated {
        Some(skill) => listed::version_of(editor, skill, discovery::find_newer(&params.paths, &params.texts)?)?,
        None => discovery::find(&params.paths, &params.texts)?,
    };
    let choices: HashMap<&str, &ImportChoice> = params.choices.iter().map(|choice| (choice.path.as_str(), choice)).collect();
    // Labels are only computed if there are overrides, which is rare.
    let overriding: HashSet<&str> =
        params.choices.iter().filter(|choice| choice.action == ImportAction::Override).map(|choice| choice.path.as_str()).collect();
    let is_override =
        |skill: &DiscoveredSkill| scope == Scope::Account && !overriding.is_empty() && overriding.contains(skill.label().as_str());
    let (overrides, others): (Vec<DiscoveredSkill>, Vec<DiscoveredSkill>) = found.into_iter().partition(is_override);
    if !overrides.is_empty() && editor.caller.workspace.is_none() {
        return Err(ImportError::NoWorkspaceToOverride);
    }
    let total = others.len() + overrides.len();
    if updated.is_some() && total > 1 {
        return Err(ImportError::SeveralUpdates(total));
    }
    let mut items = Vec::with_capacity(total);
    let mut failure = None;
    'scopes: for (scope, skills) in [(scope, others), (Scope::Workspace, overrides)] {
        if skills.is_empty() {
            continue;
        }
        let mut batch = match Batch::begin(editor, cancel, scope, params, &choices) {
            Ok(batch) => batch,
            Err(error) => {
                failure = Some(error);
                break;
            }
        };
        for chunk in skills.chunks(BATCH_SIZE) {
            let done = items.len();
            failure = batch.import(chunk, &mut items, |more| progress.report(done + more, Some(total))).err();
            if failure.is_some() || cancel.is_cancelled() {
                break 'scopes;
            }
        }
    }
    // Skills that are already stored must be reported in spite of the failure.
    if let Some(failure) = failure.take_if(|_| !items.iter().any(|item: &ImportItem| item.stored)) {
        return Err(failure);
    }
    items.sort_by(|a, b| a.path.as_bytes().cmp(b.path.as_bytes()));
    let stopped = items.len() < total;
    Ok(ImportReport { items, scope, dry_run: params.dry_run, stopped, found: total, diagnostics, failure: failure.map(Into::into) })
}

struct Batch<'a> {
    editor: &'a SkillEditor<'a>,
    cancel: &'a CancellationToken,
    scope: Scope,
    repository: Arc<dyn SkillStorageRepository>,
    existing: HashMap<Slug, SkillSummary>,
    /// Slugs of the stored and the new skills, by folded title.
    titles: HashMap<String, Slug>,
    /// Paths of the skills of this import, by slug.
    seen: HashMap<Slug, String>,
    /// IDs claimed by skills of this import.
    artifacts: BTreeSet<ArtifactId>,
    skills: HashSet<SkillId>,
    /// Updates under another name: the path, the former name and the new one.
    renames: Vec<(String, Slug, Slug)>,
    params: &'a ImportParams,
    choices: &'a HashMap<&'a str, &'a ImportChoice>,
}

/// The revisions of a skill to store in one transaction.
type Writes = Vec<(ChangeSet, Expected)>;

struct Candidate {
    tree: Tree,
    package: Package,
    claimed: Option<SkillId>,
}

impl<'a> Batch<'a> {
    fn begin(
        editor: &'a SkillEditor<'a>,
        cancel: &'a CancellationToken,
        scope: Scope,
        params: &'a ImportParams,
        choices: &'a HashMap<&'a str, &'a ImportChoice>,
    ) -> Result<Self, ImportError> {
        let repository = editor.catalog.repository(scope).ok_or(EditError::NoWorkspace)?.clone();
        let existing: HashMap<_, _> = repository.list_skills()?.into_iter().map(|summary| (summary.slug.clone(), summary)).collect();
        let titles = existing.values().map(|summary| (fold(&summary.name), summary.slug.clone())).collect();
        let (seen, artifacts, skills) = (HashMap::new(), BTreeSet::new(), HashSet::new());
        Ok(Self { editor, cancel, scope, repository, existing, titles, seen, artifacts, skills, renames: Vec::new(), params, choices })
    }

    /// Reads and stores a chunk of skills, each as a whole or not at all. If it is cancelled, nothing of the chunk is stored. After an
    /// error, `done` has the skills stored before it.
    fn import(&mut self, skills: &[DiscoveredSkill], done: &mut Vec<ImportItem>, on_progress: impl Fn(usize)) -> Result<(), ImportError> {
        let mut items = Vec::with_capacity(skills.len());
        let (mut single, mut several) = (Vec::new(), Vec::new());
        for skill in skills {
            if self.cancel.is_cancelled() {
                return Ok(());
            }
            let (mut item, mut writes) = self.prepare(skill)?;
            let after = writes.last().and_then(|(change, _)| change.after.as_ref());
            // A skill that keeps its name hides what it hid before.
            if let Some(Skill { head, package }) = after
                && self.existing.get(&package.slug).is_none_or(|present| present.id != head.id)
                && let Err(error) = self.editor.ensure_hides_nothing(self.scope, &package.slug)
            {
                record_result(&mut item, Err(error));
                writes.clear();
            }
            match (writes.pop(), writes.is_empty()) {
                _ if self.params.dry_run => {}
                (Some(only), true) => single.push((items.len(), only)),
                (Some(last), false) => several.push((items.len(), writes.into_iter().chain([last]).collect::<Vec<_>>())),
                (None, _) => {}
            }
            items.push(item);
            on_progress(items.len());
        }
        let (indices, changes): (Vec<usize>, Writes) = single.into_iter().unzip();
        let BatchCommit { results, fault } = self.repository.commit_all(&changes);
        let mut waiting: HashSet<usize> = indices.iter().chain(several.iter().map(|(index, _)| index)).copied().collect();
        for (index, result) in indices.into_iter().zip(results) {
            waiting.remove(&index);
            record_result(&mut items[index], result);
        }
        for (index, changes) in several.into_iter().take_while(|_| fault.is_none()) {
            waiting.remove(&index);
            let result = self.repository.commit_together(&changes).map(|revisions| revisions.last().copied().unwrap_or_default());
            record_result(&mut items[index], result);
        }
        for (path, from, to) in self.renames.drain(..) {
            if items.iter().any(|item| item.path == path && item.stored) {
                self.editor.follow_rename(self.scope, &from, &to);
            }
        }
        done.extend(items.into_iter().enumerate().filter(|(index, _)| !waiting.contains(index)).map(|(_, item)| item));
        fault.map_or(Ok(()), |fault| Err(fault.into()))
    }

    fn prepare(&mut self, skill: &DiscoveredSkill) -> Result<(ImportItem, Writes), StorageError> {
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
        let Some(mut candidate) = self.read(skill, &mut item) else { return Ok((item, Vec::new())) };
        if !self.claim(&mut candidate, &mut item)? {
            return Ok((item, Vec::new()));
        }
        item.slug = Some(candidate.package.slug.clone());
        item.name = Some(candidate.package.name.clone());
        // A skill that got a number beside another one of its title keeps it.
        let slug = &candidate.package.slug;
        if self.params.rename
            && self.params.updates.is_none()
            && !self.existing.contains_key(slug)
            && self.has_title_of_other(&candidate, slug)
            && let Some(number) = self.former_number(slug, &item)?
        {
            self.rename(&mut candidate, number, &mut item);
        }
        let known = self.params.updates.or_else(|| self.existing.get(&candidate.package.slug).map(|summary| summary.id));
        let present = known.map(|id| self.repository.get_skill(id)).transpose()?.flatten();
        let chosen = self.choices.get(item.path.as_str()).map(|choice| choice.action);
        let Some(present) = present else {
            item.status = ImportStatus::New;
            let wanted = chosen.map_or(!self.params.only_chosen, |action| action != ImportAction::Skip);
            if wanted && self.has_title_of_other(&candidate, &candidate.package.slug) {
                if !self.params.rename && chosen.unwrap_or(self.params.conflicts) != ImportAction::Both {
                    let taken = StorageError::Exists { what: "title", value: candidate.package.name };
                    record_result(&mut item, Err(taken));
                    return Ok((item, Vec::new()));
                }
                self.number(&mut candidate, &mut item);
            }
            let writes = if wanted { vec![self.create(&mut item, candidate)?] } else { Vec::new() };
            return without_new_faults(item, writes, None);
        };
        // An update keeps the number that the skill got beside another one of its name.
        let has_slug_of_other = self.existing.get(&candidate.package.slug).is_some_and(|other| other.id != present.head.id);
        if (has_slug_of_other || self.has_title_of_other(&candidate, &present.package.slug))
            && let Some(number) = listed::number_of(&present.package.slug, &candidate.package.slug)
        {
            self.rename(&mut candidate, number, &mut item);
        }
        self.compare(&mut item, &candidate, &present)?;
        let by_rule = match item.status {
            ImportStatus::Update if !self.params.only_chosen => ImportAction::Merge,
            ImportStatus::Conflict | ImportStatus::Locked => self.params.conflicts,
            _ => ImportAction::Skip,
        };
        let writes = match (chosen.unwrap_or(by_rule), item.status) {
            // An override is compared with the skill in the workspace.
            (ImportAction::Skip, _)
            | (_, ImportStatus::Unchanged | ImportStatus::Refused)
            | (ImportAction::Replace | ImportAction::Override | ImportAction::Merge, ImportStatus::Locked) => Vec::new(),
            (ImportAction::Both, _) => {
                self.number(&mut candidate, &mut item);
                vec![self.create(&mut item, candidate)?]
            }
            (ImportAction::Replace, _) => self.update(&mut item, &candidate.tree, None, &present, skill)?,
            (ImportAction::Merge | ImportAction::Override, _) => {
                let theirs = self.choices.get(item.path.as_str()).map(|choice| choice.theirs.as_slice()).unwrap_or_default();
                let merged = merged(self.editor.folder, &skill.folder(), &item.changes, &present.package, &candidate.tree, theirs);
                self.update(&mut item, &candidate.tree, Some(&merged), &present, skill)?
            }
        };
        without_new_faults(item, writes, Some(&present))
    }

    fn read(&self, skill: &DiscoveredSkill, item: &mut ImportItem) -> Option<Candidate> {
        let mut contents = match skill.read() {
            Ok(contents) => contents,
            Err(error) => {
                item.diagnostics.push(refusal("import/unreadable", &item.path, error));
                return None;
            }
        };
        let folder = skill.folder();
        if self.params.strict {
            contents.diagnostics.append(&mut strict_diagnostics(&contents.tree, &folder));
        }
        let ValidatedSkill { tree, reading, mut diagnostics } = contents.validate(&folder, self.editor.folder);
        item.diagnostics.append(&mut diagnostics);
        reading.map(|reading| Candidate { tree, package: reading.package, claimed: reading.id })
    }

    /// Claims the slug within the import: the first skill in byte order has it.
    fn claim(&mut self, candidate: &mut Candidate, item: &mut ImportItem) -> Result<bool, StorageError> {
        if let Some(first) = self.seen.get(&candidate.package.slug) {
            if !self.params.rename {
                let message = format!("{first} and {} both contain the skill {}", item.path, candidate.package.slug);
                item.diagnostics.push(
                    Diagnostic::error("import/duplicate", message).hint("import only one of them, or rename one").in_file(&item.path),
                );
                item.slug = Some(candidate.package.slug.clone());
                return Ok(false);
            }
            match self.former_number(&candidate.package.slug, item)? {
                Some(number) => self.rename(candidate, number, item),
                None => self.number(candidate, item),
            }
        }
        self.seen.insert(candidate.package.slug.clone(), item.path.clone());
        Ok(true)
    }

    /// Whether another skill than the one with the slug `own` has the title.
    fn has_title_of_other(&self, candidate: &Candidate, own: &Slug) -> bool {
        self.titles.get(&fold(&candidate.package.name)).is_some_and(|slug| slug != own)
    }

    /// The number that the skill from the same path got when it was imported before.
    fn former_number(&self, slug: &Slug, item: &ImportItem) -> Result<Option<usize>, StorageError> {
        let origin = self.origin(item);
        for stored in self.existing.values().filter(|stored| !self.seen.contains_key(&stored.slug)) {
            if let Some(number) = listed::number_of(&stored.slug, slug)
                && let Some(skill) = self.repository.get_skill(stored.id)?
                && Provenance::imported_from(&skill.head) == Some(origin.name.as_str())
            {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    /// Gives a skill the first free slug and title of the form `name 2`.
    fn number(&mut self, candidate: &mut Candidate, item: &mut ImportItem) {
        let Package { slug, name, .. } = &candidate.package;
        let is_free = |number: usize| {
            let numbered = slug.numbered(number);
            let is_used = self.seen.contains_key(&numbered) || self.existing.contains_key(&numbered);
            !is_used && !self.titles.contains_key(&fold(&format!("{name} {number}")))
        };
        let mut number = 2;
        while !is_free(number) {
            number += 1;
        }
        self.rename(candidate, number, item);
    }

    /// The files with the new name are what later versions are compared with.
    fn rename(&mut self, candidate: &mut Candidate, number: usize, item: &mut ImportItem) {
        let package = &mut candidate.package;
        package.slug = package.slug.numbered(number);
        package.name = format!("{} {number}", package.name);
        item.diagnostics.append(&mut self.editor.folder.sync_sources(package));
        item.slug = Some(package.slug.clone());
        item.name = Some(package.name.clone());
        candidate.tree = package.tree();
        self.seen.insert(package.slug.clone(), item.path.clone());
    }

    fn create(&mut self, item: &mut ImportItem, candidate: Candidate) -> Result<(ChangeSet, Expected), StorageError> {
        let source = if self.params.third_party { Source::Imported } else { Source::User };
        let mut head = self.editor.new_head(self.scope, source);
        // The skill keeps its ID if no other skill has it.
        if let Some(id) = candidate.claimed
            && self.skills.insert(id)
            && self.repository.get_skill(id)?.is_none()
        {
            head.id = id;
        }
        let package = self.editor.free_ids(self.repository.as_ref(), candidate.package, None, &mut self.artifacts)?;
        let is_unchanged = package.tree() == candidate.tree;
        let origin = self.origin(item);
        head.provenance = Some(Provenance::imported(&origin, self.editor.clock.now(), is_unchanged.then_some(1)));
        self.titles.insert(fold(&package.name), package.slug.clone());
        (item.skill, item.base) = (Some(head.id), None);
        let (id, why) = (head.id, format!("imported from {}", origin.name));
        let change = ChangeSet::between(None, Some(Skill { head, package }), id, self.editor.caller.actor, why);
        Ok((change, Expected::Absent))
    }

    fn origin(&self, item: &ImportItem) -> ImportOrigin {
        ImportOrigin::of(&item.path, &self.params.repositories)
    }

    /// Compares a candidate with the stored skill.
    fn compare(&self, item: &mut ImportItem, candidate: &Candidate, present: &Skill) -> Result<(), StorageError> {
        item.skill = Some(present.head.id);
        item.revision = Some(present.head.revision);
        let ours = present.package.tree();
        if candidate.tree == ours {
            item.status = ImportStatus::Unchanged;
            return Ok(());
        }
        if present.head.source == Source::Imported {
            // A third-party skill is locked, so the stored files are the common base.
            item.status = ImportStatus::Update;
            item.base = item.revision;
            item.changes = compare_trees(Some(&ours), &ours, &candidate.tree);
            return Ok(());
        }
        if present.head.source.is_locked() {
            item.status = ImportStatus::Locked;
            let message = format!("the skill {} already exists and is locked", present.package.slug);
            item.diagnostics
                .push(Diagnostic::warning("import/locked", message).hint("override it in a workspace, or keep both").in_file(&item.path));
            return Ok(());
        }
        let base = self.base(present, &candidate.tree)?;
        item.base = base.as_ref().map(|(number, _)| *number);
        item.changes = compare_trees(base.as_ref().map(|(_, tree)| tree), &ours, &candidate.tree);
        let any = |by: ChangedBy| item.changes.iter().any(|one| one.by == by);
        item.status = if any(ChangedBy::Conflict) {
            ImportStatus::Conflict
        } else if any(ChangedBy::Theirs) {
            ImportStatus::Update
        } else {
            let message = format!("the skill {} already has all of these changes, and newer ones of your own", present.package.slug);
            item.diagnostics.push(Diagnostic::info("import/older", message).in_file(&item.path));
            ImportStatus::Unchanged
        };
        if item.status == ImportStatus::Conflict {
            let conflicting = item.changes.iter().filter(|one| one.by == ChangedBy::Conflict).count();
            let files = if conflicting == 1 { "1 file is".to_owned() } else { format!("{conflicting} files are") };
            let why = if item.base.is_some() { "changed in both versions" } else { "different, and their common base is unknown" };
            let message = format!("the skill {} already exists: {files} {why}", present.package.slug);
            item.diagnostics.push(
                Diagnostic::warning("import/conflict", message).hint("choose a version, merge them, or keep both").in_file(&item.path),
            );
        }
        Ok(())
    }

    /// The common base: an earlier revision with the candidate's files, or the last imported one.
    fn base(&self, present: &Skill, candidate: &Tree) -> Result<Option<(i64, Tree)>, StorageError> {
        if let Some(number) = self.repository.revision_with(present.head.id, candidate)? {
            return Ok(Some((number, candidate.clone())));
        }
        let Some(number) = Provenance::base(&present.head) else { return Ok(None) };
        // The revision may have been pruned.
        Ok(self.repository.revision_tree(present.head.id, number).ok().map(|tree| (number, tree)))
    }

    /// A revision with the candidate's files, as the base of the next import, and one with the merged files if they differ.
    fn update(
        &mut self,
        item: &mut ImportItem,
        candidate: &Tree,
        merged: Option<&Tree>,
        present: &Skill,
        skill: &DiscoveredSkill,
    ) -> Result<Writes, StorageError> {
        let mut writes = Vec::new();
        let mut before = present.clone();
        let origin = self.origin(item);
        let steps = [(candidate, format!("imported from {}", origin.name))];
        let merge = merged.filter(|merged| *merged != candidate).map(|merged| (merged, "merged with local changes".to_owned()));
        for (tree, why) in steps.into_iter().chain(merge) {
            match self.editor.folder.read(tree, &skill.folder(), Some(&before.package)) {
                Ok(reading) => {
                    let revision = before.head.revision;
                    let mut head = before.head.clone();
                    if writes.is_empty() {
                        head.provenance = Some(Provenance::imported(&origin, self.editor.clock.now(), Some(revision + 1)));
                    }
                    let after = Skill {
                        head,
                        package: self.editor.free_ids(
                            self.repository.as_ref(),
                            reading.package,
                            Some(&before.package),
                            &mut self.artifacts,
                        )?,
                    };
                    let id = present.head.id;
                    let change = ChangeSet::between(Some(&before), Some(after.clone()), id, self.editor.caller.actor, why);
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
        let (from, to) = (&present.package.slug, before.package.slug);
        if *from != to {
            self.renames.push((item.path.clone(), from.clone(), to));
        }
        Ok(writes)
    }
}

/// Stores nothing of a skill with faults that a save refuses.
fn without_new_faults(mut item: ImportItem, writes: Writes, present: Option<&Skill>) -> Result<(ImportItem, Writes), StorageError> {
    let Some(after) = writes.last().and_then(|(change, _)| change.after.as_ref()) else { return Ok((item, writes)) };
    // The findings of a new skill have all of its faults.
    if present.is_none() && !item.diagnostics.iter().any(|one| one.is_error() && one.rule.starts_with("assertion/")) {
        return Ok((item, writes));
    }
    let mut faults = new_assertion_faults(&after.package, || Ok(present.map(|skill| skill.package.clone())))?;
    if faults.is_empty() {
        return Ok((item, writes));
    }
    item.status = ImportStatus::Refused;
    faults.retain(|fault| !item.diagnostics.iter().any(|known| known.message == fault.message));
    item.diagnostics.append(&mut faults);
    Ok((item, Vec::new()))
}

fn record_result(item: &mut ImportItem, result: Result<i64, StorageError>) {
    match result {
        Ok(revision) => {
            item.stored = true;
            item.revision = Some(revision);
        }
        Err(error) => {
            item.status = ImportStatus::Refused;
            item.diagnostics.push(refusal("import/refused", &item.path, error));
        }
    }
}
