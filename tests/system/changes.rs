//! kill -9 during each kind of change: nothing that was acknowledged is lost, and every change is atomic.
//!
//! The process that is killed is this test binary started again with `INKLINGS_TEST_CHANGES` set: `<the world's folder>|<first
//! number>`. It prints a line before each change and one when the change is acknowledged.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use inklings_app::features::proposal::{Accept, AcceptParams, AcceptedProposal};
use inklings_app::features::skill::{
    Change, Delete, DeleteParams, Edit, EditParams, Fork, Get, Import, ImportParams, Restore, RestoreParams,
};
use inklings_app::wire::{SkillDetail, SkillRef};
use inklings_core::{ProposalId, Scope, SkillPath};
use inklings_engine::{AGENTS_DB, Engine, Options, database};
use inklings_rpc::{BlockingOperation, CallContext, CancellationToken, Operation as _, ProgressReporter};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::proposed::{SHIPPED, proposed};
use crate::support::{Seeded, World, arg, finish, full};
use crate::writer::body;

const JOB: &str = "INKLINGS_TEST_CHANGES";
/// Kills in the normal run and in the long one.
const KILLS: u64 = 20;
const MANY_KILLS: u64 = 500;
/// Kills per world, so that its lists stay short.
const KILLS_A_WORLD: u64 = 25;

/// The skill that is edited.
const EDITED: &str = "victim";
/// The workspace whose database is restored, and the two backups that alternate.
const SPARE: &str = "spare";
const WITH_ONE: &str = "one.db";
const WITH_BOTH: &str = "both.db";

/// A change that is about to happen, or was acknowledged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Step {
    /// The number of the text, and the revision that has it.
    Edit(u64, i64),
    Import(String),
    Delete(String),
    Restore(String),
    /// The copy's slug; empty before it is known.
    Fork(String),
    /// The proposal, its skill and the skill's revision.
    Accept(String, String, i64),
    /// Whether the restored backup has the second skill.
    RestoreDatabase(bool),
}

/// The job of this process, if it was started for one.
#[test]
fn changes_process() {
    let Ok(job) = std::env::var(JOB) else { return };
    let (root, first) = job.split_once('|').unwrap();
    let root = PathBuf::from(root);
    let engine = Engine::start(Options { agents: None, clients: None, ..Options::with_home(Some(root.join("home"))) }).unwrap();
    let worker = Worker { engine, workspace: root.join("notes"), incoming: root.join("incoming"), spare: root.join(SPARE), root };
    let first: u64 = first.parse().unwrap();
    for n in first..first + 10_000 {
        worker.round(n);
    }
}

struct Worker {
    engine: Engine,
    workspace: PathBuf,
    incoming: PathBuf,
    /// A workspace that isn't open elsewhere.
    spare: PathBuf,
    root: PathBuf,
}

impl Worker {
    fn ask<T: BlockingOperation<App = inklings_app::App>>(&self, workspace: Option<&Path>, params: T::Params) -> T::Output {
        let cx = CallContext::local(workspace.map(Path::to_owned), "changes");
        T::run(self.engine.app(), &cx, params).unwrap()
    }

    fn accept(&self, id: ProposalId) -> AcceptedProposal {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let params = AcceptParams { id, reason: None, paths: None, scope: None };
        runtime.block_on(Accept::call(self.engine.app().clone(), CallContext::local(None, "changes"), params)).unwrap()
    }

    fn get(&self, skill: &str, workspace: Option<&Path>) -> SkillDetail {
        self.ask::<Get>(workspace, SkillRef { skill: skill.to_owned(), scope: None })
    }

    fn round(&self, n: u64) {
        let here = Some(self.workspace.as_path());

        let expected = self.get(EDITED, here).summary.revision;
        say("begin", &Step::Edit(n, expected + 1));
        let change = Change::Write { path: SkillPath::parse("notes.md").unwrap(), text: body(n) };
        let params = EditParams { skill: EDITED.to_owned(), scope: None, expected, changes: vec![change], why: None };
        say("ack", &Step::Edit(n, self.ask::<Edit>(here, params).revision));

        let slug = format!("arrival-{n}");
        let folder = self.incoming.join(&slug);
        std::fs::create_dir_all(folder.join("references")).unwrap();
        std::fs::write(folder.join("SKILL.md"), format!("---\nname: {slug}\ndescription: Arrives as number {n}.\n---\n\nRead it.\n"))
            .unwrap();
        std::fs::write(folder.join("references/long.md"), body(n)).unwrap();
        say("begin", &Step::Import(slug.clone()));
        self.ask::<Import>(here, ImportParams { paths: vec![folder], ..ImportParams::default() });
        say("ack", &Step::Import(slug.clone()));

        say("begin", &Step::Delete(slug.clone()));
        let deleted = self.ask::<Delete>(here, DeleteParams { skill: slug.clone(), scope: None, expected: None });
        say("ack", &Step::Delete(slug.clone()));

        say("begin", &Step::Restore(slug.clone()));
        self.ask::<Restore>(here, RestoreParams { id: deleted.id, scope: deleted.scope });
        say("ack", &Step::Restore(slug));

        say("begin", &Step::Fork(String::new()));
        let fork = self.ask::<Fork>(None, SkillRef { skill: SHIPPED.to_owned(), scope: None });
        say("ack", &Step::Fork(fork.summary.slug.to_string()));

        let (id, slug) = (proposed(self.engine.app(), &fork), fork.summary.slug.to_string());
        say("begin", &Step::Accept(id.to_string(), slug.clone(), 2));
        let accepted = self.accept(id);
        say("ack", &Step::Accept(id.to_string(), slug, accepted.revision));

        let with_both = n.is_multiple_of(2);
        say("begin", &Step::RestoreDatabase(with_both));
        let from = self.root.join(if with_both { WITH_BOTH } else { WITH_ONE });
        let spare = self.spare.join(AGENTS_DB);
        database::restore(Scope::Account, &spare, &from, &CancellationToken::default(), &ProgressReporter::default()).unwrap();
        say("ack", &Step::RestoreDatabase(with_both));
    }
}

fn say(what: &str, step: &Step) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{what} {}", serde_json::to_string(step).unwrap()).unwrap();
    out.flush().unwrap();
}

fn start(world: &World, first: u64) -> Child {
    let job = format!("{}|{first}", world.root.path().display());
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "changes::changes_process", "--nocapture", "--test-threads=1"])
        .env(JOB, job)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// The steps in order, each with whether it was acknowledged.
fn steps(child: &mut Child) -> impl Iterator<Item = (bool, Step)> + use<> {
    BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok).filter_map(|line| {
        // The test harness prints other text before the first one.
        let (acknowledged, step) = match line.split_once("ack ") {
            Some((_, step)) => (true, step),
            None => (false, line.split_once("begin ")?.1),
        };
        Some((acknowledged, serde_json::from_str(step).ok()?))
    })
}

/// The expected contents.
#[derive(Default)]
struct Acknowledged {
    edit: Option<(u64, i64)>,
    present: BTreeSet<String>,
    absent: BTreeSet<String>,
    accepted: BTreeMap<String, i64>,
    /// Whether the database that is restored has the second skill.
    restored: Option<bool>,
    /// Started but not acknowledged: must be complete or absent.
    open: Option<Step>,
    /// Acknowledged steps by kind.
    counts: [u64; 7],
}

impl Acknowledged {
    fn note(&mut self, acknowledged: bool, step: Step) {
        if !acknowledged {
            self.open = Some(step);
            return;
        }
        self.open = None;
        let kind = match step {
            Step::Edit(n, revision) => {
                self.edit = Some((n, revision));
                0
            }
            Step::Import(slug) => {
                self.present.insert(slug);
                1
            }
            Step::Delete(slug) => {
                self.present.remove(&slug);
                self.absent.insert(slug);
                2
            }
            Step::Restore(slug) => {
                self.absent.remove(&slug);
                self.present.insert(slug);
                3
            }
            Step::Fork(slug) => {
                self.present.insert(slug);
                4
            }
            Step::Accept(id, _, revision) => {
                self.accepted.insert(id, revision);
                5
            }
            Step::RestoreDatabase(with_both) => {
                self.restored = Some(with_both);
                6
            }
        };
        self.counts[kind] += 1;
    }

    fn check(&mut self, world: &World, round: u64) {
        let checked = world.json(&["db", "check"]);
        assert_eq!(checked["ok"], true, "kill {round}: {checked}");
        let open = self.open.take();

        let listed = world.json(&["skill", "list"]);
        let skills: BTreeMap<&str, i64> = listed["skills"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| (one["slug"].as_str().unwrap(), one["revision"].as_i64().unwrap()))
            .collect();
        let in_flight = match &open {
            Some(Step::Delete(slug) | Step::Restore(slug)) => Some(slug.as_str()),
            _ => None,
        };
        for slug in self.present.iter().filter(|slug| Some(slug.as_str()) != in_flight) {
            assert!(skills.contains_key(slug.as_str()), "kill {round} in {open:?}: {slug} was acknowledged and is gone");
        }
        for slug in self.absent.iter().filter(|slug| Some(slug.as_str()) != in_flight) {
            assert!(!skills.contains_key(slug.as_str()), "kill {round} in {open:?}: {slug} was deleted and is back");
        }
        // The actual outcome of the unacknowledged step is expected from now on.
        if let Some(slug) = in_flight {
            let (to, from) =
                if skills.contains_key(slug) { (&mut self.present, &mut self.absent) } else { (&mut self.absent, &mut self.present) };
            from.remove(slug);
            to.insert(slug.to_owned());
        }

        if let Some((n, revision)) = self.edit {
            let shown = world.json(&["skill", "show", EDITED, "--path", "notes.md"]);
            let (stored, text) = (shown["revision"].as_i64().unwrap(), shown["text"].as_str().unwrap());
            let next = match open {
                Some(Step::Edit(next, to)) if stored == to => next,
                _ => {
                    assert_eq!(stored, revision, "kill {round} in {open:?}: {}", &text[..20]);
                    n
                }
            };
            assert!(text == body(next), "kill {round} in {open:?}: write {next} was acknowledged, found {}", &text[..20]);
            self.edit = Some((next, stored));
        }

        let spare = in_spare(world, &["db", "check"]);
        assert_eq!(spare["ok"], true, "kill {round} in {open:?}: {spare}");
        let spare = in_spare(world, &["skill", "list"]);
        let has = |slug: &str| spare["skills"].as_array().unwrap().iter().any(|one| one["slug"] == slug);
        assert!(has("one"), "kill {round} in {open:?}: {spare}");
        let expected = match open {
            Some(Step::RestoreDatabase(with_both)) => [Some(with_both), self.restored],
            _ => [self.restored, self.restored],
        };
        assert!(self.restored.is_none() || expected.contains(&Some(has("two"))), "kill {round} in {open:?}: {spare}");
        self.restored = Some(has("two"));

        let proposals = world.json(&["proposal", "list", "--all"]);
        for proposal in proposals["proposals"].as_array().unwrap() {
            let (id, slug) = (proposal["id"].as_str().unwrap(), proposal["skill_slug"].as_str().unwrap());
            let (status, revision) = (proposal["status"].as_str().unwrap(), proposal["revision"].as_i64());
            match self.accepted.get(id) {
                Some(accepted) => assert_eq!((status, revision), ("accepted", Some(*accepted)), "kill {round}: {proposal}"),
                None if status == "accepted" => drop(self.accepted.insert(id.to_owned(), revision.unwrap())),
                None => assert_eq!(status, "open", "kill {round}: {proposal}"),
            }
            // The decision and the revision that it made are stored together.
            assert_eq!(skills.get(slug), Some(&if status == "accepted" { 2 } else { 1 }), "kill {round} in {open:?}: {proposal}");
        }
        let known: BTreeSet<&str> = proposals["proposals"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
        assert!(self.accepted.keys().all(|id| known.contains(id.as_str())), "kill {round}: a proposal is gone");
    }
}

/// Runs the command in the workspace whose database is restored.
fn in_spare(world: &World, args: &[&str]) -> Value {
    let run = finish(world.command().arg("--json").arg("--workspace").arg(world.root.path().join(SPARE)).args(args));
    assert!(run.ok, "{args:?}: {run:?}");
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn no_acknowledged_change_of_any_kind_is_lost_by_kill_9() {
    let kills = if full() { MANY_KILLS } else { KILLS };
    let mut random = Seeded(0x5eed_ed17);
    let mut counts = [0; 7];
    let mut done = 0;
    while done < kills {
        let world = World::new();
        world.json(&["skill", "create", "Victim", "--description", "is written to while its writer is killed"]);
        std::fs::create_dir(world.root.path().join(SPARE)).unwrap();
        for (title, copy) in [("One", WITH_ONE), ("Two", WITH_BOTH)] {
            in_spare(&world, &["skill", "create", title, "--description", "is in a database that is restored"]);
            in_spare(&world, &["db", "backup", "--to", arg(&world.root.path().join(copy))]);
        }
        let mut acknowledged = Acknowledged::default();
        for _ in 0..KILLS_A_WORLD.min(kills - done) {
            done += 1;
            let mut child = start(&world, done * 10_000);
            let mut steps = steps(&mut child);
            // At a random point of a later step. Busy waiting, since a sleep is coarser than the duration of a change.
            for _ in 0..=random.below(28) {
                let (was, step) = steps.next().expect("the changes go on");
                acknowledged.note(was, step);
            }
            let until = Instant::now() + Duration::from_micros(random.below(6_000));
            while Instant::now() < until {
                std::hint::spin_loop();
            }
            child.kill().unwrap();
            for (was, step) in steps {
                acknowledged.note(was, step);
            }
            child.wait().unwrap();
            acknowledged.check(&world, done);
        }
        for (sum, count) in counts.iter_mut().zip(acknowledged.counts) {
            *sum += count;
        }
    }
    println!("{done} kills; acknowledged edits, imports, deletions, restores, forks, accepted proposals, restored databases: {counts:?}");
    assert!(counts.iter().all(|count| *count > 0), "each kind of change was acknowledged at least once: {counts:?}");
}
