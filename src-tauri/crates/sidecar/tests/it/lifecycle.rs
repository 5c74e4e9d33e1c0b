//! Start, idle timeout and shutdown.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use inklings_core::CancellationToken;
use inklings_core::program::{ProcessState, ProgramError, ProgramRunner as _};
use inklings_sidecar::Timeouts;
use serde_json::json;
use tokio::join;

use crate::support::{CALM, Host, Stage, job, launcher, lives, peer, until};

const SHORT: Duration = Duration::from_millis(100);

#[tokio::test]
async fn nothing_is_started_before_it_is_needed() {
    let stage = Stage::new("well", CALM);
    let status = stage.process.status();
    assert_eq!((status.state, status.pid, status.dspy, status.jobs), (ProcessState::Idle, None, None, 0));
    assert_eq!(stage.process.unavailable(), None);
    stage.works().await;
    let status = stage.process.status();
    assert_eq!((status.state, status.dspy.as_deref()), (ProcessState::Ready, Some("well")));
    until("the job is over for it", || stage.process.status().jobs == 0).await;
}

#[tokio::test]
async fn warming_up_is_shown() {
    let stage = Stage::new("silent", CALM);
    tokio::select! {
        ended = stage.run("echo") => panic!("{ended:?}"),
        () = until("it starts", || matches!(stage.process.status(), status if status.state == ProcessState::Starting && status.pid.is_some())) => {}
    }
}

#[tokio::test]
async fn it_is_ended_when_nobody_needs_it() {
    let stage = Stage::new("well", Timeouts { idle: SHORT, ..CALM });
    stage.works().await;
    let first = stage.pid();
    until("it rests", || stage.process.status().state == ProcessState::Idle).await;
    until("its process is gone", || !lives(first)).await;
    let status = stage.process.status();
    assert_eq!((status.pid, status.failures, status.reason), (None, 0, None));
    stage.works().await;
    assert_ne!(stage.pid(), first);
}

#[tokio::test]
async fn a_job_keeps_it_and_its_end_begins_the_rest() {
    let stage = Stage::new("well", Timeouts { idle: Duration::from_secs(1), ..CALM });
    stage.works().await;
    let pid = stage.pid();
    let host = Host { pause: Duration::from_millis(1_200), ..Host::default() };
    stage.run_on(&host, "ask", 1).await.unwrap();
    stage.works().await;
    assert_eq!(stage.pid(), pid);
}

#[tokio::test]
async fn a_stopped_job_that_goes_on_is_ended_with_the_process() {
    let stage = Stage::new("well", Timeouts { stuck: SHORT, ..CALM });
    let (cancel, host) = (CancellationToken::new(), Host::default());
    let deaf = job("deaf", json!({}));
    let stop = async {
        until("it runs", || !host.received.lock().unwrap().is_empty()).await;
        let pid = stage.pid();
        cancel.cancel();
        pid
    };
    let (ended, first) = join!(stage.process.execute(&deaf, &host, &cancel), stop);
    assert_eq!(ended, Err(ProgramError::Cancelled));
    until("its process is gone", || !lives(first)).await;
    stage.works().await;
    assert_eq!(stage.process.status().failures, 0);
}

/// Number of `cancel` notifications to the fake process.
async fn cancelled(stage: &Stage) -> u64 {
    stage.run("cancelled").await.unwrap().outputs["count"].as_u64().unwrap()
}

#[tokio::test]
async fn stopping_is_received_by_both_at_once() {
    let stage = Stage::new("well", CALM);
    for (count, template) in (1..).zip(["wait", "ask"]) {
        let (cancel, host) = (CancellationToken::new(), Host::that_waits());
        let waiting = job(template, json!({}));
        let stop = async {
            until("it runs", || !host.received.lock().unwrap().is_empty() || host.questions() > 0).await;
            cancel.cancel();
            Instant::now()
        };
        let run = async { (stage.process.execute(&waiting, &host, &cancel).await, Instant::now()) };
        let ((ended, at), stopped) = join!(run, stop);
        assert_eq!(ended, Err(ProgramError::Cancelled));
        assert!(at.duration_since(stopped) < Duration::from_secs(1));
        assert_eq!(cancelled(&stage).await, count);
    }
    stage.works().await;
    assert_eq!(stage.process.status().failures, 0);
}

#[tokio::test]
async fn a_dropped_job_is_stopped() {
    let stage = Stage::new("well", CALM);
    let host = Host::default();
    tokio::select! {
        ended = stage.run_on(&host, "wait", 1) => panic!("{ended:?}"),
        () = until("it runs", || !host.received.lock().unwrap().is_empty()) => {}
    }
    assert_eq!(cancelled(&stage).await, 1);
    until("it is gone", || stage.process.status().jobs == 0).await;
}

#[tokio::test]
async fn a_job_that_was_stopped_before_starts_nothing() {
    let stage = Stage::new("well", CALM);
    let cancel = CancellationToken::new();
    cancel.cancel();
    assert_eq!(stage.process.execute(&job("echo", json!({})), &Host::default(), &cancel).await, Err(ProgramError::Cancelled));
    assert_eq!(stage.process.status().state, ProcessState::Idle);
    // While it warms up.
    let (stage, cancel) = (Stage::new("silent", CALM), CancellationToken::new());
    let (echo, host) = (job("echo", json!({})), Host::default());
    let stop = async {
        until("it starts", || stage.process.status().state == ProcessState::Starting).await;
        cancel.cancel();
    };
    assert_eq!(join!(stage.process.execute(&echo, &host, &cancel), stop).0, Err(ProgramError::Cancelled));
}

#[tokio::test]
async fn it_goes_with_its_supervisor() {
    let Stage { process, .. } = stage_that_works("well", CALM).await;
    let pid = process.status().pid.unwrap();
    drop(process);
    until("its process is gone", || !lives(pid)).await;
}

#[tokio::test]
async fn one_that_lingers_is_killed() {
    let Stage { process, .. } = stage_that_works("lingers", Timeouts { grace: SHORT, ..CALM }).await;
    let pid = process.status().pid.unwrap();
    drop(process);
    until("its process is gone", || !lives(pid)).await;
}

#[tokio::test]
async fn it_goes_while_it_starts() {
    let stage = Stage::new("silent", CALM);
    let pid = tokio::select! {
        ended = stage.run("echo") => panic!("{ended:?}"),
        () = until("it starts", || stage.process.status().pid.is_some()) => stage.pid(),
    };
    drop(stage.process);
    until("its process is gone", || !lives(pid)).await;
}

async fn stage_that_works(start: &str, settings: Timeouts) -> Stage {
    let stage = Stage::new(start, settings);
    stage.works().await;
    stage
}

#[tokio::test]
async fn it_outlives_the_runtime_that_first_asked() {
    let stage = Stage::new("well", CALM);
    std::thread::scope(|scope| {
        let first = || tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(stage.works());
        scope.spawn(first).join().unwrap();
    });
    let pid = stage.pid();
    stage.works().await;
    assert_eq!(stage.pid(), pid);
}

#[tokio::test]
async fn what_it_can_do_is_asked_once_for_each_version() {
    let stage = Stage::new("first", Timeouts { idle: SHORT, ..CALM });
    assert_eq!(stage.process.manifest().await.unwrap().dspy, "first");
    until("it rests", || stage.process.status().state == ProcessState::Idle).await;
    assert_eq!(stage.process.manifest().await.unwrap().dspy, "first");
    assert_eq!(stage.process.status().state, ProcessState::Idle, "nothing was started for it");
    stage.starts("second");
    stage.works().await;
    assert_eq!(stage.process.manifest().await.unwrap().dspy, "second");
}

#[tokio::test]
async fn it_is_started_with_nothing_of_the_apps() {
    let stage = Stage::new("well", CALM);
    let outputs = stage.run("whoami").await.unwrap().outputs;
    assert_eq!((&outputs["env"], &outputs["folder"]), (&json!({ "LANG": "C.UTF-8" }), &json!("/")));
    let (program, own) = (stage.launch.program.to_str().unwrap(), std::process::id().to_string());
    let folder = stage.launch.program.parent().unwrap().to_str().unwrap();
    assert_eq!(outputs["arguments"], json!([peer().to_str().unwrap(), "--parent", own, "--allow", folder, "--", program]));
}

#[tokio::test]
async fn an_app_that_is_killed_leaves_no_process() {
    // A fake app that starts a fake process with the real launcher.
    let mut app = Command::new(peer());
    let mut app = app.arg("host").arg(launcher()).arg(peer()).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(app.stdout.take().unwrap()), &mut line).unwrap();
    let pid = line.trim().parse().unwrap();
    assert!(lives(pid));
    app.kill().unwrap();
    app.wait().unwrap();
    until("its process is gone", || !lives(pid)).await;
}
