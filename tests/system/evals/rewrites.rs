//! Rewrites whose cases can't be graded, and their limits.

use inklings_testkit::{Action, PartialReply, Reply, Script, Step};
use serde_json::{Value, json};

use super::{always, evaluated, good, refusal, rewriting};
use crate::support::finish;

fn helpful() -> Value {
    json!({ "find": "", "replace": "Say good." })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_candidate_whose_training_cases_could_not_be_graded_is_not_kept() {
    let mut steps = rewriting([helpful()]);
    steps.insert(1, Step::from(Action::from(Reply::chunks(["good"]))).when_anywhere("Say good."));
    steps.insert(2, refusal().when_anywhere("Say good."));
    let evaluated = evaluated(&good(), steps).await;
    let (found, run) = evaluated.eval(&["rewrite", "terse", "--iterations", "1"]);
    let attempt = &found["attempts"][0];
    assert!(run.ok && attempt["outcome"] == "rejected" && found["proposal"].is_null(), "{found}");
    let reason = attempt["reason"].as_str().unwrap();
    assert!(reason.contains("4 of 5 training cases") && reason.contains("no capacity"), "{reason}");
    evaluated.server.set_script(Script::new(rewriting([helpful()])));
    let (found, _) = evaluated.eval(&["rewrite", "terse", "--iterations", "1"]);
    assert_eq!(found["attempts"][0]["outcome"], "kept", "the same edits may be tried again: {found}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rewrite_is_not_promoted_while_a_validation_case_is_not_graded() {
    let mut steps = rewriting([helpful()]);
    steps.insert(1, refusal().when_anywhere("Question 3?"));
    let evaluated = evaluated(&good(), steps).await;
    evaluated.declare_threshold();
    let (found, _) = evaluated.eval(&["rewrite", "terse"]);
    assert!(found["validation"].is_null() && found["promoted"].is_null(), "{found}");
    assert!(found["validation_run"].is_string() && found["proposal"].is_string(), "a person decides: {found}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rewrite_says_why_no_training_case_could_be_graded() {
    let evaluated = evaluated(&good(), [refusal()]).await;
    let refused = finish(&mut evaluated.command(&["rewrite", "terse"]));
    assert!(!refused.ok && refused.stderr.contains("5 of 5 training cases") && refused.stderr.contains("no capacity"), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rewrite_ends_at_its_time_limit_and_says_so() {
    let hang = Step::from(Action::Hang(PartialReply::default())).repeat(0).when_anywhere("You improve the instructions");
    let evaluated = evaluated(&good(), [hang, always("bad")]).await;
    let (found, run) = evaluated.eval(&["rewrite", "terse", "--timeout", "3"]);
    assert_eq!((&found["over_budget"], &found["attempts"], run.code), (&json!(true), &json!([]), Some(1)), "{found}");
    let said = finish(evaluated.world.command().args(["eval", "rewrite", "terse", "--timeout", "3"]));
    assert!(said.stdout.contains("A limit was reached"), "{said:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_that_can_not_hold_are_refused_before_anything_is_asked() {
    let evaluated = evaluated(&good(), [always("good")]).await;
    let action = ["action", "run", "optimize-skill", "-p", "skill=terse"];
    for command in [&["eval", "run", "terse"][..], &["eval", "rewrite", "terse"], &action] {
        for (limit, reason) in [("1", "the price of local/tiny is unknown"), ("0", "above 0"), ("-1", "above 0"), ("nan", "above 0")] {
            let refused = finish(evaluated.world.command().args(command).arg(format!("--max-cost={limit}")));
            assert!(!refused.ok && refused.stderr.contains(reason), "{command:?} {limit}: {refused:?}");
        }
    }
    assert_eq!(evaluated.requests(), 0);
}
