//! A process that writes as fast as it can and acknowledges each write, for tests that kill it or race with it.
//!
//! It is this test binary started again with `INKLINGS_TEST_WRITER` set: `<home>|<workspace>|<skill>|<path>|<count>`.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use inklings_app::features::skill::{Change, Edit, EditParams, Get};
use inklings_app::wire::SkillRef;
use inklings_core::SkillPath;
use inklings_engine::{Engine, Options};
use inklings_rpc::{CallContext, call};

use crate::support::World;

const JOB: &str = "INKLINGS_TEST_WRITER";

/// The job of this process, if it was started for one.
#[test]
fn writer_process() {
    let Ok(job) = std::env::var(JOB) else { return };
    let parts: Vec<&str> = job.split('|').collect();
    let [home, workspace, skill, path, count] = parts[..] else { panic!("{job}") };
    let engine = Engine::start(Options::with_home(Some(home.into()))).unwrap();
    let workspace = Some(PathBuf::from(workspace));
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let cx = || CallContext::local(workspace.clone(), "writer");
        let mut revision =
            call::<Get>(engine.app(), cx(), SkillRef { skill: skill.to_owned(), scope: None }).await.unwrap().summary.revision;
        for n in 1..=count.parse::<u64>().unwrap() {
            let change = Change::Write { path: SkillPath::parse(path).unwrap(), text: body(n) };
            let params = EditParams { skill: skill.to_owned(), scope: None, expected: revision, changes: vec![change], why: None };
            revision = call::<Edit>(engine.app(), cx(), params).await.unwrap().revision;
            println!("ack {n} {revision}");
            std::io::stdout().flush().unwrap();
        }
    });
}

/// The content of the n-th write. Larger than a database page, so that a torn write would be visible.
pub(crate) fn body(n: u64) -> String {
    format!("write {n}\n{}\n", format!("{n:08} ").repeat(1_500))
}

/// Starts a writer.
pub(crate) fn start(world: &World, skill: &str, path: &str, count: u64) -> Child {
    let job = format!("{}|{}|{skill}|{path}|{count}", world.home().display(), world.workspace().display());
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "writer::writer_process", "--nocapture", "--test-threads=1"])
        .env(JOB, job)
        .env("HOME", world.person())
        .env_remove("XDG_CONFIG_HOME")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The writer's acknowledgements: number of the write and its revision.
pub(crate) fn acks(child: &mut Child) -> impl Iterator<Item = (u64, i64)> + use<> {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines.map_while(Result::ok).filter_map(|line| {
        // The test harness prints other text before the first one.
        let rest = line.split_once("ack ")?.1.to_owned();
        let (n, revision) = rest.split_once(' ')?;
        Some((n.parse().ok()?, revision.trim().parse().ok()?))
    })
}
