//! Aborts at each failpoint of each kind of change: the stored state is that before or after the change, and repeating
//! the change gives the same result as without an abort.

use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use inklings_app::features::file::Read;
use inklings_app::features::proposal::{ListProposals, ProposalListParams};
use inklings_app::features::skill::{
    Delete, DeleteParams, Fork, Get, HistoryParams, List, ListDeleted, ListParams, ListRevisions, ListView,
};
use inklings_app::features::target::GetTargetStatus;
use inklings_app::wire::{FileRef, SkillRef};
use inklings_core::failpoint::FAILPOINT;
use inklings_core::{Failpoint, ProposalId, SkillId, SkillPath};
use inklings_engine::{AGENTS_DB, Engine, Options, database};
use inklings_rpc::{BlockingOperation, CallContext, CancellationToken, NoParams};

use crate::proposed::{SHIPPED, proposed};
use crate::support::{World, arg};

const SIGABRT: i32 = 6;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    Edit,
    Import,
    /// Over a skill that was changed since its import: two revisions.
    ImportMerge,
    Delete,
    Restore,
    /// Of a skill in the account.
    Accept,
    /// Of a locked skill, which is forked into the account.
    AcceptFork,
    AcceptInWorkspace,
    AcceptForkInWorkspace,
    ExportNew,
    /// Over a former export with additional files.
    ExportOver,
    ExportFile,
    DeployNew,
    /// Over a copy of a former revision.
    DeployOver,
    DeployLink,
    RemoveCopy,
    RemoveLink,
    RestoreDatabase,
}

use Change::{
    Accept, AcceptFork, AcceptForkInWorkspace, AcceptInWorkspace, DeployLink, DeployNew, DeployOver, Edit, ExportFile, ExportNew,
    ExportOver, Import, ImportMerge, RemoveCopy, RemoveLink, Restore, RestoreDatabase,
};

const COMMITS: &[Change] =
    &[Edit, Import, ImportMerge, Change::Delete, Restore, Accept, AcceptFork, AcceptInWorkspace, AcceptForkInWorkspace];

/// The changes that pass a failpoint.
fn changes(point: Failpoint) -> &'static [Change] {
    match point {
        Failpoint::CommitBegun
        | Failpoint::CommitSuperseded
        | Failpoint::CommitRows
        | Failpoint::CommitRevision
        | Failpoint::CommitBefore
        | Failpoint::CommitAfter => COMMITS,
        Failpoint::BatchSkill | Failpoint::BatchCommitted => &[Import],
        Failpoint::AcceptRevisions => &[Accept, AcceptFork],
        Failpoint::AcceptStored => &[AcceptInWorkspace, AcceptForkInWorkspace],
        Failpoint::ExportFile => &[ExportNew, ExportOver, DeployNew, DeployOver, DeployLink],
        Failpoint::ExportWritten => &[ExportNew, ExportOver, ExportFile, DeployNew, DeployOver, DeployLink],
        Failpoint::ExportExchanged => &[ExportOver, DeployOver, RemoveCopy],
        Failpoint::ExportMoved => &[ExportOver],
        Failpoint::DeployRecorded | Failpoint::DeployWritten => &[DeployNew, DeployOver, DeployLink],
        Failpoint::DeployEmptied => &[RemoveCopy],
        Failpoint::DeployRemoved => &[RemoveCopy, RemoveLink],
        Failpoint::RestoreCopied | Failpoint::RestoreKept | Failpoint::RestoreLogsRemoved | Failpoint::RestoreReplaced => {
            &[RestoreDatabase]
        }
    }
}

/// Everything that is visible to users, without times and ids.
#[derive(Debug, Clone, PartialEq)]
struct State {
    /// Slug, revision, files and history by scope and slug.
    skills: BTreeMap<String, String>,
    deleted: Vec<String>,
    proposals: Vec<String>,
    exported: BTreeMap<String, Vec<u8>>,
    /// Files and links in the folder of an agent.
    deployed: BTreeMap<String, Vec<u8>>,
    /// What is recorded of them.
    copies: Vec<String>,
}

impl State {
    /// Without the record of copies: it is written before them, and says so.
    fn unrecorded(&self) -> Self {
        Self { copies: Vec::new(), ..self.clone() }
    }
}

/// A world with data of each kind, and a copy to restore it from.
struct Stage {
    world: World,
    /// Proposals.
    own: ProposalId,
    locked: ProposalId,
    in_workspace: ProposalId,
    /// A deleted skill.
    deleted: SkillId,
}

/// Paths that changes touch; the copies are beside them.
const TOUCHED: [&str; 4] = ["home", "notes", "new", "over"];
/// A file in the export folder that isn't part of the skill.
const FOREIGN: &str = "over/victim/.git/config";

impl Stage {
    fn new() -> Self {
        let world = World::new();
        let skill = |name: &str, more: &str| format!("---\nname: {name}\ndescription: Arrives as {name}.\n---\n\nRead it.{more}\n");
        let edit = |slug: &str, text: &str| {
            let from = world.file("text.md", text);
            world.json(&["skill", "edit", slug, "--path", "notes.md", "--from", arg(&from)]);
        };
        for title in ["Victim", "Deleted", "Copied", "Linked"] {
            world.json(&["skill", "create", title, "--description", "is changed while its writer dies"]);
        }
        edit("victim", "One.\n");
        for name in ["first", "second"] {
            world.file(&format!("in/{name}/SKILL.md"), skill(name, ""));
            world.file(&format!("in/{name}/references/long.md"), "Long. ".repeat(2_000));
        }
        world.file("merge/merged/SKILL.md", skill("merged", ""));
        world.json(&["import", arg(&world.root.path().join("merge"))]);
        edit("merged", "Ours.\n");
        world.file("merge/merged/SKILL.md", skill("merged", " Twice."));
        edit("copied", "One.\n");
        world.json(&["target", "deploy", "copied", "--to", "agents", "--create"]);
        world.json(&["target", "deploy", "linked", "--to", "agents", "--link"]);
        edit("copied", "Two.\n");
        let over = world.root.path().join("over");
        world.json(&["export", "victim", "--out", arg(&over)]);
        world.json(&["export", "victim", "--format", "skill", "--out", arg(&over)]);
        world.file(FOREIGN, "kept\n");
        world.file("over/victim/gone.md", "Gone with the next export.\n");
        std::fs::create_dir(world.root.path().join("new")).unwrap();
        world.json(&["db", "backup", "--to", arg(&world.root.path().join("copy.db"))]);
        edit("victim", "Two.\n");

        let engine = Engine::start(Options { agents: None, clients: None, ..Options::with_home(Some(world.home())) }).unwrap();
        let workspace = world.workspace();
        let locked = proposed(engine.app(), &ask::<Get>(&engine, None, named(SHIPPED)));
        let own = ask::<Fork>(&engine, None, named(SHIPPED));
        let forked = ask::<Fork>(&engine, Some(&workspace), named(own.summary.slug.as_str()));
        let (own, in_workspace) = (proposed(engine.app(), &own), proposed(engine.app(), &forked));
        let params = DeleteParams { skill: "deleted".to_owned(), scope: None, expected: None };
        let deleted = ask::<Delete>(&engine, Some(&workspace), params).id;
        drop(engine);
        let stage = Self { world, own, locked, in_workspace, deleted };
        stage.copy("", "kept");
        stage
    }

    fn copy(&self, from: &str, to: &str) {
        let root = self.world.root.path();
        let (from, to) = (root.join(from), root.join(to));
        std::fs::create_dir_all(&to).unwrap();
        for name in TOUCHED {
            let target = to.join(name);
            if target.exists() {
                std::fs::remove_dir_all(&target).unwrap();
            }
            let copied = Command::new("cp").arg("-a").arg(from.join(name)).arg(&target).status().unwrap();
            assert!(copied.success());
        }
    }

    /// Makes the change, aborting at a failpoint if one is given.
    fn run(&self, change: Change, point: Option<Failpoint>) -> ExitStatus {
        let at = |name: &str| arg(&self.world.root.path().join(name)).to_owned();
        let (own, locked, in_workspace) = (self.own.to_string(), self.locked.to_string(), self.in_workspace.to_string());
        let (deleted, text, new, over, copy) = (self.deleted.to_string(), at("text.md"), at("new"), at("over"), at("copy.db"));
        let (incoming, merge) = (at("in"), at("merge"));
        let args: &[&str] = match change {
            Edit => &["skill", "edit", "victim", "--path", "notes.md", "--from", &text],
            Import => &["import", &incoming],
            ImportMerge => &["import", &merge],
            Change::Delete => &["skill", "delete", "victim"],
            Restore => &["skill", "restore", &deleted, "--scope", "workspace"],
            Accept => &["proposal", "accept", &own],
            AcceptFork | AcceptForkInWorkspace => &["proposal", "accept", &locked],
            AcceptInWorkspace => &["proposal", "accept", &in_workspace],
            ExportNew => &["export", "victim", "--out", &new],
            ExportOver => &["export", "victim", "--out", &over, "--replace"],
            DeployNew => &["target", "deploy", "victim", "--to", "agents"],
            DeployOver => &["target", "deploy", "copied", "--to", "agents"],
            DeployLink => &["target", "deploy", "victim", "--to", "agents", "--link"],
            RemoveCopy => &["target", "remove", "copied"],
            RemoveLink => &["target", "remove", "linked"],
            ExportFile => &["export", "victim", "--format", "skill", "--out", &over, "--replace"],
            RestoreDatabase => &["db", "restore", "--from", &copy],
        };
        std::fs::write(&text, "Three.\n").unwrap();
        let mut command = self.world.command();
        if !matches!(change, Accept | AcceptFork) {
            command.arg("--workspace").arg(self.world.workspace());
        }
        if let Some(point) = point {
            command.env(FAILPOINT, point.name());
        }
        command.args(args).stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap()
    }

    fn state(&self) -> State {
        let workspace = self.world.workspace();
        for folder in [&self.world.home(), &workspace] {
            assert_eq!(database::check(&folder.join(AGENTS_DB), &CancellationToken::default()).unwrap(), [""; 0]);
        }
        let engine = Engine::start(Options { agents: None, clients: None, ..Options::with_home(Some(self.world.home())) }).unwrap();
        let here = Some(workspace.as_path());
        let mut skills = BTreeMap::new();
        for one in ask::<List>(&engine, here, ListParams { view: ListView::All }).skills {
            let skill = one.slug.to_string();
            let detail = ask::<Get>(&engine, here, SkillRef { skill: skill.clone(), scope: Some(one.scope) });
            let mut files: Vec<_> = detail.entries.iter().map(|file| (file.path.to_string(), file.sha256.to_string())).collect();
            // A fork has new ids.
            if let Some((_, content)) = files.iter_mut().find(|(path, _)| path == "skill.json") {
                let path = SkillPath::parse("skill.json").unwrap();
                *content = ask::<Read>(&engine, here, FileRef { skill: skill.clone(), scope: Some(one.scope), path }).text.unwrap();
                for (id, path) in detail.entries.iter().filter_map(|file| Some((file.artifact.as_ref()?.id, &file.path))) {
                    *content = content.replace(&id.to_string(), path.as_str());
                }
                *content = content.replace(&one.id.to_string(), &skill);
            }
            let params = HistoryParams { skill: skill.clone(), scope: Some(one.scope), path: None, before: None, limit: None };
            let history = ask::<ListRevisions>(&engine, here, params).revisions;
            let history: Vec<_> = history.iter().map(|revision| (revision.number, &revision.why)).collect();
            skills.insert(format!("{:?} {skill}", one.scope), format!("{} {} {files:?} {history:?}", one.name, one.revision));
        }
        let deleted = ask::<ListDeleted>(&engine, here, NoParams {}).skills.iter().map(|one| one.slug.to_string()).collect();
        let proposals = ask::<ListProposals>(&engine, here, ProposalListParams::default()).proposals;
        let proposals = proposals.iter().map(|one| format!("{} {:?} {:?}", one.skill.slug, one.status, one.revision)).collect();
        let mut exported = BTreeMap::new();
        for name in ["new", "over"] {
            files_below(self.world.root.path(), Path::new(name), &mut exported);
        }
        let mut deployed = BTreeMap::new();
        files_below(self.world.root.path(), Path::new("notes/.agents"), &mut deployed);
        let targets = ask::<GetTargetStatus>(&engine, here, NoParams {}).targets;
        let copies = targets.iter().flat_map(|target| &target.copies).map(|copy| format!("{} {:?}", copy.slug, copy.status)).collect();
        State { skills, deleted, proposals, exported, deployed, copies }
    }
}

/// The files in a folder, without temporary ones.
fn files_below(root: &Path, folder: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(root.join(folder)).unwrap() {
        let entry = entry.unwrap();
        let path = folder.join(entry.file_name());
        if entry.file_name().to_str().unwrap().starts_with(".inklings-") {
            continue;
        }
        let kind = entry.file_type().unwrap();
        if kind.is_symlink() {
            found.insert(path.display().to_string(), std::fs::read_link(entry.path()).unwrap().into_os_string().into_encoded_bytes());
        } else if kind.is_dir() {
            files_below(root, &path, found);
        } else {
            found.insert(path.display().to_string(), std::fs::read(entry.path()).unwrap());
        }
    }
}

fn named(skill: &str) -> SkillRef {
    SkillRef { skill: skill.to_owned(), scope: None }
}

fn ask<T: BlockingOperation<App = inklings_app::App>>(engine: &Engine, workspace: Option<&Path>, params: T::Params) -> T::Output {
    T::run(engine.app(), &CallContext::local(workspace.map(Path::to_owned), "failpoints"), params).unwrap()
}

#[test]
fn a_change_whose_process_dies_at_any_point_is_done_or_not_begun() {
    let stage = Stage::new();
    let before = stage.state();
    let mut done = Vec::<(Change, State)>::new();
    for (point, change) in Failpoint::ALL.iter().flat_map(|point| changes(*point).iter().map(move |change| (*point, *change))) {
        let known = done.iter().find(|(known, _)| *known == change).map(|(_, after)| after.clone());
        let after = known.unwrap_or_else(|| {
            stage.copy("kept", "");
            assert!(stage.run(change, None).success(), "{change:?}");
            let after = stage.state();
            assert_ne!(after, before, "{change:?} changes something");
            done.push((change, after.clone()));
            after
        });
        stage.copy("kept", "");
        let ended = stage.run(change, Some(point));
        assert_eq!(ended.signal(), Some(SIGABRT), "{change:?} comes by {point:?}: {ended}");
        let mut found = stage.state();
        // The next export restores files that aren't part of the skill.
        if (point, change) == (Failpoint::ExportExchanged, ExportOver) {
            assert_eq!(found.exported.remove(FOREIGN), None);
            found.exported.insert(FOREIGN.to_owned(), before.exported[FOREIGN].clone());
        }
        // No transaction spans both databases. The next attempt records a decision that is already applied in the workspace.
        let undecided = State { proposals: before.proposals.clone(), ..after.clone() };
        let is_undecided = matches!(change, AcceptInWorkspace | AcceptForkInWorkspace) && found == undecided;
        assert!(
            found.unrecorded() == before.unrecorded() || found.unrecorded() == after.unrecorded() || is_undecided,
            "{change:?} at {point:?}: {found:#?} is neither\n{before:#?} nor\n{after:#?}"
        );
        if found != after || point == Failpoint::ExportExchanged {
            assert!(stage.run(change, None).success(), "{change:?} after {point:?}");
            assert!(stage.state() == after, "{change:?} once more after {point:?}");
        }
    }
}
