//! Faults of the process. After each one, the next job succeeds.

use std::sync::Arc;
use std::time::Duration;

use inklings_core::CancellationToken;
use inklings_core::program::{ProcessState, ProgramError, ProgramRunner as _};
use inklings_sidecar::{DspyProcess, Launch, Timeouts};
use serde_json::json;
use tokio::join;

use crate::support::{CALM, Host, LONG, Stage, Ticks, job, until};

fn broken<T: std::fmt::Debug>(outcome: Result<T, ProgramError>) -> String {
    match outcome {
        Err(ProgramError::Broken(reason)) => reason,
        other => panic!("{other:?}"),
    }
}

fn unavailable<T: std::fmt::Debug>(outcome: Result<T, ProgramError>) -> String {
    match outcome {
        Err(ProgramError::Unavailable(reason)) => reason,
        other => panic!("{other:?}"),
    }
}

/// The job fails for this reason, and the next one runs in a new process.
async fn breaks(template: &str, why: &str) {
    let stage = Stage::new("well", CALM);
    stage.works().await;
    let before = stage.pid();
    let reason = broken(stage.run(template).await);
    assert!(reason.contains(why), "{template}: {reason}");
    stage.works().await;
    assert_ne!(stage.pid(), before, "{template}");
    let status = stage.process.status();
    assert_eq!((status.state, status.failures, status.reason), (ProcessState::Ready, 1, None), "{template}");
}

#[tokio::test]
async fn words_outside_the_protocol() {
    breaks("nonsense", "an invalid message (expected value at line 1 column 1): Traceback (most").await;
    breaks("unknown_id", "answered unknown request 4242").await;
    breaks("unknown_notice", "an unknown message \"gossip\"").await;
    breaks("long_line", "a line that is too long").await;
}

#[tokio::test]
async fn death() {
    breaks("die", "exited with code 7").await;
    breaks("closes", "exited with code 0").await;
}

#[tokio::test]
async fn being_killed_breaks_every_job() {
    let stage = Stage::new("well", CALM);
    let host = Host::that_waits();
    let kill = async {
        until("three jobs ask", || host.questions() == 3).await;
        rustix::process::kill_process(rustix::process::Pid::from_raw(stage.pid().cast_signed()).unwrap(), rustix::process::Signal::KILL)
            .unwrap();
    };
    let (a, b, c, ()) = join!(stage.run_on(&host, "ask", 1), stage.run_on(&host, "ask", 1), stage.run_on(&host, "ask", 1), kill);
    for one in [a, b, c] {
        assert!(broken(one).contains("killed by signal 9"));
    }
    stage.works().await;
    assert_eq!(stage.process.status().failures, 1);
}

#[tokio::test]
async fn no_sign_of_life() {
    let stage = Stage::new("well", Timeouts { silence: Duration::from_secs(1), ..CALM });
    let reason = broken(stage.run("hang").await);
    assert!(reason.contains("no message for 1 s"), "{reason}");
    stage.works().await;
}

#[tokio::test]
async fn an_answer_of_another_shape_breaks_its_job_alone() {
    let stage = Stage::new("well", CALM);
    let (bad, ()) = join!(stage.run("bad_result"), stage.works());
    assert!(broken(bad).contains("sent an invalid result"));
    assert_eq!(stage.process.status().failures, 0);
}

#[tokio::test]
async fn it_asks_and_asks_and_doesnt_listen() {
    let stage = Stage::new("well", CALM);
    let reason = broken(stage.run_on(&Host::default(), "questions", 100_000).await);
    assert!(reason.contains("doesn't read its input"), "{reason}");
    stage.works().await;
}

#[tokio::test]
async fn a_start_that_fails_is_tried_three_times_more_until_someone_asks() {
    let stage = Stage::new("exit", CALM);
    for failures in 1..=4 {
        let reason = unavailable(stage.run("echo").await);
        assert_eq!(reason, "exited with code 3: there is no room here");
        assert_eq!(stage.process.status().failures, failures);
    }
    stage.starts("well");
    let reason = unavailable(stage.run("echo").await);
    assert!(reason.contains("no room"), "{reason}");
    assert!(unavailable(stage.process.manifest().await).contains("no room"));
    let status = stage.process.status();
    assert_eq!((status.state, status.reason, status.pid), (ProcessState::Unavailable, Some(reason.clone()), None));
    assert_eq!((stage.process.unavailable(), status.log.last().map(String::as_str)), (Some(reason), Some("there is no room here")));
    stage.process.retry();
    assert_eq!((stage.process.unavailable(), stage.process.status().state), (None, ProcessState::Idle));
    stage.works().await;
}

#[tokio::test]
async fn another_version_isnt_tried_again() {
    let stage = Stage::new("version", CALM);
    let reason = unavailable(stage.run("echo").await);
    assert!(reason.contains("protocol version 2 doesn't match the app's version 1"), "{reason}");
    assert_eq!((stage.process.unavailable(), stage.process.status().failures), (Some(reason), 1));
    stage.starts("well");
    stage.process.retry();
    stage.works().await;
}

#[tokio::test]
async fn no_greeting() {
    for (start, why) in
        [("silent", "no message within 0.5 s"), ("nonsense", "an invalid message"), ("rude", "unexpected first message: {\"jsonrpc\"")]
    {
        let stage = Stage::new(start, Timeouts { start: Duration::from_millis(500), ..CALM });
        let reason = unavailable(stage.run("echo").await);
        assert!(reason.contains(why), "{start}: {reason}");
    }
}

#[tokio::test]
async fn after_a_failure_there_is_a_pause_that_asking_ends() {
    let stage = Stage::new("well", Timeouts { first_pause: Duration::from_hours(1), ..CALM });
    broken(stage.run("die").await);
    let status = stage.process.status();
    assert_eq!((status.state, status.pid), (ProcessState::Waiting, None));
    assert!(status.reason.unwrap().contains("exited with code 7"));
    // The next job waits for the start, which waits for the pause.
    let mut next = std::pin::pin!(stage.works());
    assert!(tokio::time::timeout(Duration::from_millis(100), &mut next).await.is_err());
    assert_eq!(stage.process.status().state, ProcessState::Waiting);
    stage.process.retry();
    next.await;
}

#[tokio::test]
async fn what_isnt_there_is_known_without_a_start() {
    let none = DspyProcess::new(None, Arc::new(Ticks::default()), Timeouts::default());
    assert!(none.unavailable().unwrap().contains("not installed"));
    let here = std::env::current_exe().unwrap();
    for (launcher, program) in [(here.clone(), "/nowhere/dspy".into()), ("/nowhere/confine".into(), here)] {
        let process = DspyProcess::new(Some(Launch { launcher, program }), Arc::new(Ticks::default()), Timeouts::default());
        let why = process.unavailable().unwrap();
        assert!(why.contains("/nowhere/"), "{why}");
        let status = process.status();
        assert_eq!((status.state, status.reason.as_deref(), status.failures), (ProcessState::Unavailable, Some(why.as_str()), 0));
        let outcome = process.execute(&job("echo", json!({})), &Host::default(), &CancellationToken::new()).await;
        assert_eq!(outcome, Err(ProgramError::Unavailable(why)));
        assert!(process.status().log.is_empty());
    }
}

#[tokio::test]
async fn a_program_that_cant_be_executed() {
    let stage = Stage::new("well", CALM);
    // A file that isn't executable.
    let launch = Launch { launcher: stage.launch.program.clone(), program: stage.launch.program.clone() };
    let process = DspyProcess::new(Some(launch), Arc::new(Ticks::default()), Timeouts { start: LONG, ..CALM });
    let reason = unavailable(process.execute(&job("echo", json!({})), &Host::default(), &CancellationToken::new()).await);
    assert!(reason.contains("can't start: Permission denied"), "{reason}");
}
