//! Prunes old history: all revisions of [`RETENTION_DAYS`], then one a day. Revisions that something is based on stay.

use std::collections::BTreeSet;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use inklings_core::trace::{Retention, TRACE_RETENTION};
use inklings_core::{SkillId, SkillLinks, SkillStorageRepository, TraceStore, UserData};
use inklings_folder::deploy::DeployLock;
use inklings_store::Store;

const RETENTION_DAYS: i64 = 90;

/// Prunes the history of a scope on a background thread. `workspace` is empty for the account.
pub(crate) fn prune_history(store: Arc<Store>, account: Arc<Store>, workspace: String, deploy_lock: PathBuf) {
    let run = move || match prune(&store, &account, &workspace, &deploy_lock) {
        Ok(pruned) => tracing::debug!(pruned, "pruned old history"),
        Err(error) => tracing::warn!(%error, "can't prune old history"),
    };
    if let Err(error) = std::thread::Builder::new().name("maintenance".to_owned()).spawn(run) {
        tracing::warn!(%error, "can't prune old history");
    }
}

fn prune(store: &Store, account: &Store, workspace: &str, deploy_lock: &Path) -> Result<usize, Box<dyn Error>> {
    let retention: Retention = inklings_core::user::setting(account, TRACE_RETENTION)?;
    TraceStore::prune_traces(store, retention)?;
    let bases = bases(store, account, workspace, deploy_lock)?;
    // Not of a skill that is missing for another reason: a backup may have it.
    let mut deleted = BTreeSet::new();
    for draft in UserData::draft_marks(account, workspace)? {
        if !deleted.contains(&draft.skill) && store.deleted(draft.skill)?.is_some() {
            deleted.insert(draft.skill);
        }
    }
    let pruned = store.prune(RETENTION_DAYS, &bases)?;
    for skill in deleted {
        if store.deleted(skill)?.is_none() {
            UserData::discard_draft(account, workspace, skill, None)?;
        }
    }
    Ok(pruned)
}

/// The revisions that drafts, proposals, deployed copies, links, imports and forks are based on. Forks in other workspaces
/// are unknown.
fn bases(store: &Store, account: &Store, workspace: &str, deploy_lock: &Path) -> Result<Vec<(SkillId, i64)>, Box<dyn Error>> {
    let mut bases = account.proposal_bases()?;
    bases.extend(UserData::draft_marks(account, workspace)?.iter().map(|draft| (draft.skill, draft.base_revision)));
    for link in SkillLinks::links(account, workspace)? {
        bases.extend(link.base.revisions().into_iter().map(|revision| (link.skill, revision)));
    }
    for copy in DeployLock::read(deploy_lock)?.entries() {
        bases.push((copy.skill, copy.revision));
        bases.extend(copy.previous_revision.map(|revision| (copy.skill, revision)));
    }
    let merged = account.proposed_merges()?;
    bases.append(&mut account.merge_bases(&merged)?);
    if !workspace.is_empty() {
        bases.append(&mut store.merge_bases(&merged)?);
    }
    Ok(bases)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Mutex;

    use inklings_core::change::{FileStamp, RevisionFilter};
    use inklings_core::edit::{self, TreeEdit};
    use inklings_core::link::FileStat;
    use inklings_core::proposal::{ProposalKind, ProposalStatus};
    use inklings_core::trace::TracedSkill;
    use inklings_core::user::Draft;
    use inklings_core::{
        Clock, Digest, Head, IdSource as _, LinkBase, LinkedFile, Origin, Proposal, ProposalId, Proposals, Scope, Skill, SkillLink,
        SkillPath, Source, Time, Tree, TreeFile,
    };
    use inklings_folder::Folder;
    use inklings_folder::deploy::{DeployEntry, DeployedFiles, EntryState, LockFile};
    use serde_json::{Value, json};

    use super::*;
    use crate::SystemIds;

    struct SetClock(Mutex<Time>);

    impl SetClock {
        fn set(&self, text: &str) {
            *self.0.lock().unwrap() = text.parse().unwrap();
        }
    }

    impl Clock for SetClock {
        fn now(&self) -> Time {
            *self.0.lock().unwrap()
        }
    }

    struct World {
        folder: tempfile::TempDir,
        clock: Arc<SetClock>,
        account: Store,
    }

    impl World {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let clock = Arc::new(SetClock(Mutex::new(Time::from_millis(0))));
            let format = Arc::new(Folder::new(Arc::new(SystemIds)));
            let account = Store::open(Scope::Account, &folder.path().join("agents.db"), "test", clock.clone(), format).unwrap();
            Self { folder, clock, account }
        }

        fn deploy_lock(&self) -> PathBuf {
            self.folder.path().join("deployed.json")
        }

        fn prune(&self) -> usize {
            prune(&self.account, &self.account, "", &self.deploy_lock()).unwrap()
        }

        /// A stored skill.
        fn create(&self, slug: &str, provenance: Option<Value>) -> Skill {
            let text = format!("---\nname: {slug}\ndescription: Does {slug}.\n---\n\nText.\n");
            let tree: Tree = [(SkillPath::parse("SKILL.md").unwrap(), TreeFile::new(text.as_bytes()))].into();
            let package = self.account.skill_format().read(&tree, slug, None).unwrap().package;
            let head = Head::new(SystemIds.skill(), Scope::Account, Source::User, Origin::Human, self.clock.now());
            let skill = Skill { head: Head { provenance, ..head }, package };
            self.account.create_skill(&skill, "test").unwrap();
            self.account.present(skill.head.id).unwrap()
        }

        fn edit(&self, id: SkillId) {
            let revision = self.account.present(id).unwrap().head.revision;
            let text = format!("after revision {revision}");
            let write = TreeEdit::Write(SkillPath::parse("note.md").unwrap(), text.as_bytes().into());
            edit::save(&self.account, id, &[write], revision, "test", "edited").unwrap();
        }

        /// Newest first.
        fn revisions(&self, id: SkillId) -> Vec<i64> {
            let page = self.account.revisions(id, &RevisionFilter::default(), 100).unwrap();
            page.revisions.iter().map(|revision| revision.number).collect()
        }

        fn put_deployed(&self, skill: &Skill, revision: i64) {
            let entry = DeployEntry {
                target: "/target".into(),
                name: skill.package.slug.clone(),
                skill: skill.head.id,
                revision,
                state: EntryState::Written,
                files: DeployedFiles::new(),
                link: None,
                watch: false,
                previous: None,
                previous_revision: None,
            };
            LockFile::open(&self.deploy_lock()).unwrap().put(entry).unwrap();
        }

        fn put_draft(&self, skill: SkillId, base_revision: i64) {
            let (workspace, path, content) = (String::new(), SkillPath::parse("note.md").unwrap(), "draft".to_owned());
            let draft = Draft { workspace, skill, path, base_revision, base_sha256: None, content, updated_at: self.clock.now() };
            UserData::put_draft(&self.account, &draft).unwrap();
        }

        fn put_proposal(&self, skill: &Skill, revision: i64, status: ProposalStatus, body: Value) {
            let proposal = Proposal {
                id: ProposalId::new(SystemIds.uuid()),
                kind: ProposalKind::Composer,
                workspace: String::new(),
                skill: TracedSkill { revision, ..TracedSkill::of(skill) },
                artifact_path: None,
                title: "Merge".to_owned(),
                status,
                body,
                revision: None,
                created_at: self.clock.now(),
                decided_at: None,
            };
            Proposals::put_proposal(&self.account, &proposal).unwrap();
        }
    }

    #[test]
    fn all_revisions_of_90_days_are_kept_and_of_earlier_days_the_last_and_the_deployed_one() {
        let world = World::new();
        world.clock.set("2026-01-01T07:00:00Z");
        let skill = world.create("checker", None);
        let id = skill.head.id;
        for hour in 8..12 {
            world.clock.set(&format!("2026-01-01T{hour:02}:00:00Z"));
            world.edit(id);
        }
        world.clock.set("2026-01-02T08:00:00Z");
        world.edit(id);
        world.put_deployed(&skill, 1);

        // 90 days after revision 3.
        world.clock.set("2026-04-01T09:00:00Z");
        assert_eq!(world.prune(), 1);
        assert_eq!(world.revisions(id), [6, 5, 4, 3, 1]);
        world.clock.set("2026-04-01T09:00:00.001Z");
        assert_eq!(world.prune(), 1);
        assert_eq!(world.revisions(id), [6, 5, 4, 1]);
        world.clock.set("2027-01-01T00:00:00Z");
        assert_eq!(world.prune(), 1);
        assert_eq!(world.revisions(id), [6, 5, 1]);
        assert!(world.account.revision_tree(id, 1).is_ok());

        // Once nothing is deployed, it is a revision as any other.
        LockFile::open(&world.deploy_lock()).unwrap().forget(Path::new("/target"), &skill.package.slug).unwrap();
        assert_eq!(world.prune(), 1);
    }

    #[test]
    fn revisions_that_something_is_based_on_are_kept() {
        let world = World::new();
        world.clock.set("2026-01-01T08:00:00Z");
        let skill = world.create("checker", Some(json!({ "imported_from": "/elsewhere", "revision": 2 })));
        let id = skill.head.id;
        for _ in 0..9 {
            world.edit(id);
        }
        let origin = json!({ "id": id, "slug": "checker", "scope": "account", "revision": 3, "version": "1.0.0" });
        let fork = world.create("copy", Some(json!({ "forked_from": origin })));
        let original = |revision: i64| json!({ "original": { "revision": revision, "version": "1.0.0" } });
        world.put_proposal(&fork, 1, ProposalStatus::Accepted, original(4));
        world.put_proposal(&fork, 1, ProposalStatus::Rejected, original(5));
        world.put_proposal(&skill, 6, ProposalStatus::Open, json!({}));
        world.put_proposal(&skill, 7, ProposalStatus::Rejected, json!({}));
        world.put_draft(id, 8);
        let content = FileStamp { sha256: Digest::of(b"agreed"), executable: false };
        let refused = LinkedFile { content, stat: FileStat::default(), revision: Some(5) };
        let link = SkillLink {
            workspace: String::new(),
            skill: id,
            folder: "/linked".into(),
            agent: None,
            active: true,
            base: LinkBase { revision: 9, files: BTreeMap::from([(SkillPath::parse("refused.md").unwrap(), refused)]) },
            problem: None,
        };
        SkillLinks::put_links(&world.account, &[link]).unwrap();

        world.clock.set("2026-06-01T08:00:00Z");
        assert_eq!(world.prune(), 2);
        assert_eq!(world.revisions(id), [10, 9, 8, 6, 5, 4, 3, 2]);
    }

    #[test]
    fn unsaved_text_of_a_deleted_skill_is_kept_until_the_skill_cant_be_restored() {
        let world = World::new();
        world.clock.set("2026-01-01T08:00:00Z");
        let (deleted, missing) = (world.create("checker", None).head.id, SystemIds.skill());
        for skill in [deleted, missing] {
            world.put_draft(skill, 1);
        }
        world.account.delete_skill(deleted, "test").unwrap();
        let has_draft = |id: SkillId| UserData::draft_marks(&world.account, "").unwrap().iter().any(|draft| draft.skill == id);
        world.clock.set("2026-04-01T08:00:00Z");
        assert_eq!(world.prune(), 0);
        assert!(has_draft(deleted));
        world.clock.set("2026-04-01T08:00:00.001Z");
        assert_eq!(world.prune(), 2);
        assert!(!has_draft(deleted) && has_draft(missing), "a backup may have the missing one");
    }

    #[test]
    fn without_the_record_of_deployed_copies_nothing_is_pruned() {
        let world = World::new();
        world.clock.set("2026-01-01T08:00:00Z");
        let id = world.create("checker", None).head.id;
        world.edit(id);
        std::fs::write(world.deploy_lock(), "{").unwrap();
        world.clock.set("2026-06-01T08:00:00Z");
        assert!(prune(&world.account, &world.account, "", &world.deploy_lock()).is_err());
        assert_eq!(world.revisions(id), [2, 1]);
    }
}
