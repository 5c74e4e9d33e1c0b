//! Messages between a job and its host.

use std::time::Duration;

use futures_util::future::join_all;
use inklings_core::program::{ProgramError, ProgramRunner as _, Score};
use inklings_core::{CancellationToken, HostError, ModelError};
use serde_json::{Value, json};
use tokio::join;
use tokio::sync::Barrier;

use crate::support::{CALM, Host, Stage, completion, job, until};

#[tokio::test]
async fn values_come_back_as_they_went() {
    Stage::new("well", CALM).works().await;
}

#[tokio::test]
async fn questions_of_a_job_are_answered_at_the_same_time() {
    let stage = Stage::new("well", CALM);
    let host = Host { together: Barrier::new(16), ..Host::with_model(|request| Ok(completion(&format!("{:?}", request.messages)))) };
    let outputs = stage.run_on(&host, "ask", 16).await.unwrap().outputs;
    let texts: std::collections::BTreeSet<_> =
        outputs["answers"].as_array().unwrap().iter().map(|answer| answer["text"].as_str().unwrap()).collect();
    assert_eq!(texts.len(), 16, "each has its own");
}

#[tokio::test]
async fn a_job_has_16_questions_answered_at_a_time_and_the_others_wait() {
    let stage = Stage::new("well", CALM);
    let (host, cancel) = (Host::that_waits(), CancellationToken::new());
    let asking = job("ask", json!({ "count": 64 }));
    let watch = async {
        until("16 questions are received", || host.questions() >= 16).await;
        // Once this job is answered, all earlier requests have been read.
        stage.works().await;
        let received = host.questions();
        cancel.cancel();
        received
    };
    let (ended, received) = join!(stage.process.execute(&asking, &host, &cancel), watch);
    assert_eq!((ended, received), (Err(ProgramError::Cancelled), 16));
    let outputs = stage.run_on(&Host::default(), "ask", 64).await.unwrap().outputs;
    assert_eq!(outputs["answers"].as_array().unwrap().len(), 64, "each has its turn");
}

#[tokio::test]
async fn questions_of_32_jobs_are_answered_at_the_same_time() {
    let stage = Stage::new("well", CALM);
    let host = Host { together: Barrier::new(64), ..Host::default() };
    for outcome in join_all((0..32).map(|_| stage.run_on(&host, "ask", 2))).await {
        assert_eq!(outcome.unwrap().outputs["answers"].as_array().unwrap().len(), 2);
    }
}

#[tokio::test]
async fn more_than_32_jobs_wait_in_line() {
    let stage = Stage::new("well", CALM);
    let host = Host::that_waits();
    let cancels: Vec<_> = (0..40).map(|_| CancellationToken::new()).collect();
    let asking = job("ask", json!({ "count": 1 }));
    let jobs = join_all(cancels.iter().map(|cancel| stage.process.execute(&asking, &host, cancel)));
    let watch = async {
        until("32 jobs ask", || host.questions() == 32).await;
        assert_eq!(stage.process.status().jobs, 32);
        // The next job starts.
        cancels[..4].iter().for_each(CancellationToken::cancel);
        until("36 jobs have asked", || host.questions() == 36).await;
        assert_eq!(stage.process.status().jobs, 32);
        cancels.iter().for_each(CancellationToken::cancel);
    };
    let (ended, ()) = join!(jobs, watch);
    assert_eq!(ended.len(), 40);
    assert!(ended.iter().all(|one| *one == Err(ProgramError::Cancelled)));
    assert_eq!(host.questions(), 36, "who waited in line never asked");
    stage.works().await;
}

#[tokio::test]
async fn scores_and_tools_reach_their_host() {
    let stage = Stage::new("well", CALM);
    let mut host = Host {
        judge: Box::new(|(example, outputs)| {
            assert!(example.inputs.is_empty());
            Ok(Score { score: 0.25, feedback: outputs["n"].to_string() })
        }),
        tool: Box::new(|(name, arguments)| Ok(json!([name, arguments]))),
        ..Host::default()
    };
    assert_eq!(stage.run_on(&host, "score", 1).await.unwrap().outputs["answers"], json!([{ "score": 0.25, "feedback": "0" }]));
    assert_eq!(stage.run_on(&host, "tool", 1).await.unwrap().outputs["answers"], json!([["get_page", { "n": 0 }]]));
    host.tool = Box::new(|_| Err(HostError::Denied("not yours".to_owned())));
    let answers = stage.run_on(&host, "tool", 1).await.unwrap().outputs["answers"].clone();
    assert_eq!(answers, json!([{ "code": -32000, "message": "not yours", "data": { "kind": "tool" } }]));
}

#[tokio::test]
async fn a_failed_model_is_reported_as_it_failed() {
    let stage = Stage::new("well", CALM);
    let refused = ModelError::Refused { provider: "p".to_owned(), status: 413, detail: "too long".to_owned() };
    let over_budget = ModelError::OverBudget { detail: "10 questions are the limit".to_owned() };
    for error in [refused, over_budget] {
        let said = error.clone();
        let host = Host::with_model(move |_| Err(said.clone()));
        assert_eq!(stage.run_on(&host, "ask", 1).await, Err(ProgramError::Model(error)));
    }
    // A limit of the run, reached by a tool or a metric.
    let fatal = || HostError::Fatal("enough".to_owned());
    let host = Host { tool: Box::new(move |_| Err(fatal())), judge: Box::new(move |_| Err(fatal())), ..Host::default() };
    for template in ["tool", "score"] {
        let over_budget = ModelError::OverBudget { detail: "enough".to_owned() };
        assert_eq!(stage.run_on(&host, template, 1).await, Err(ProgramError::Model(over_budget)));
    }
}

#[tokio::test]
async fn each_kind_of_failure_has_its_error() {
    let stage = Stage::new("well", CALM);
    let said = |kind: &str| format!("it is {kind}");
    for (kind, error) in [
        ("invalid", ProgramError::Invalid(said("invalid"))),
        ("failed", ProgramError::Failed(said("failed"))),
        ("model", ProgramError::Failed(said("model"))),
        ("cancelled", ProgramError::Cancelled),
        ("internal", ProgramError::Broken(said("internal"))),
        ("protocol", ProgramError::Broken(said("protocol"))),
    ] {
        assert_eq!(stage.run(&format!("fail {kind}")).await, Err(error), "{kind}");
    }
    assert_eq!(stage.process.status().failures, 0);
}

#[tokio::test]
async fn questions_that_make_no_sense_are_refused() {
    let stage = Stage::new("well", CALM);
    let kind = |outputs: &Value| (outputs["answers"][0]["data"]["kind"].clone(), outputs["answers"][0]["message"].clone());
    let stray = Value::Object(stage.run("stray").await.unwrap().outputs);
    assert_eq!(kind(&stray), (json!("protocol"), json!("unknown job 4242")));
    let strange = Value::Object(stage.run("strange").await.unwrap().outputs);
    assert_eq!(kind(&strange), (json!("protocol"), json!("unknown method \"strange.question\"")));
}

#[tokio::test]
async fn progress_and_log_are_received_in_order_and_before_the_end() {
    let stage = Stage::new("well", CALM);
    // Repeated, since the result and earlier events may arrive together.
    for _ in 0..100 {
        let host = Host::default();
        stage.run_on(&host, "progress", 1).await.unwrap();
        assert_eq!(*host.received.lock().unwrap(), ["line 0", "line 1", "line 2"]);
        let fractions: Vec<_> = host.progress.lock().unwrap().iter().map(|one| one.fraction).collect();
        assert_eq!(fractions, [0.0, 0.5, 1.0]);
    }
    assert_eq!(stage.process.status().log[197..], ["line 0", "line 1", "line 2"]);
}

#[tokio::test]
async fn a_flood_of_log_stops_nobody() {
    let stage = Stage::new("well", CALM);
    for template in ["flood", "noise"] {
        let host = Host::default();
        let (flood, ()) = join!(stage.run_on(&host, template, 50_000), stage.works());
        flood.unwrap();
        assert!(host.received.lock().unwrap().len() <= 50_000);
        let word = if template == "flood" { "line 49999" } else { "noise 49999" };
        until("the last line is there", || stage.process.status().log.last().is_some_and(|line| line == word)).await;
        assert_eq!(stage.process.status().log.len(), 200);
    }
    assert_eq!(stage.process.status().failures, 0);
}

#[tokio::test]
async fn a_slow_host_holds_up_its_own_job_only() {
    let stage = Stage::new("well", CALM);
    let slow = Host::that_waits();
    let waiting = stage.run_on(&slow, "ask", 300);
    tokio::select! {
        ended = waiting => panic!("{ended:?}"),
        () = async {
            until("it asks", || slow.questions() > 0).await;
            stage.works().await;
        } => {}
    }
}

#[tokio::test]
async fn a_process_that_reads_nothing_holds_up_nobody_who_stops() {
    let stage = Stage::new("well", CALM);
    let (cancel, host) = (CancellationToken::new(), Host::default());
    let large = job("echo", json!({ "text": "x".repeat(1 << 20) }));
    let stop = async {
        until("it is there", || stage.process.status().jobs > 0).await;
        // More than the pipe and the queue can hold.
        let more = join_all((0..30).map(|_| stage.process.execute(&large, &host, &cancel)));
        let stop = async {
            until("they wait", || stage.process.status().jobs == 31).await;
            cancel.cancel();
        };
        let (more, ()) = join!(more, stop);
        assert!(more.iter().all(|one| *one == Err(ProgramError::Cancelled)));
    };
    let asleep = job("sleep", json!({}));
    let never = CancellationToken::new();
    let sleeping = stage.process.execute(&asleep, &host, &never);
    tokio::select! {
        ended = sleeping => panic!("{ended:?}"),
        () = stop => {}
    }
}

#[tokio::test]
async fn values_that_are_too_large_to_send() {
    let stage = Stage::new("well", CALM);
    let large = job("echo", json!({ "text": "x".repeat(33 << 20) }));
    let Err(ProgramError::Invalid(why)) = stage.process.execute(&large, &Host::default(), &CancellationToken::new()).await else {
        panic!()
    };
    assert!(why.contains("33 MiB, the limit is 32 MiB"), "{why}");
    // An answer that is too large fails its request.
    let host = Host { tool: Box::new(|_| Ok(Value::String("x".repeat(33 << 20)))), pause: Duration::ZERO, ..Host::default() };
    let answers = stage.run_on(&host, "tool", 1).await.unwrap().outputs["answers"].clone();
    assert_eq!(answers[0]["data"]["kind"], "tool");
    stage.works().await;
}
