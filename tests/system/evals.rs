//! Eval runs with the real command and a scripted model server that counts requests.

mod rewrites;
mod subjects;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use inklings_testkit::{Action, PartialReply, Reply, Script, ScriptedModel, Status, Step};
use serde_json::{Value, json};

use crate::chats::call;
use crate::support::{Run, World, arg, finish};

pub(crate) struct Evaluated {
    pub(crate) world: World,
    pub(crate) server: ScriptedModel,
}

const CASES: usize = 8;

/// Answers that stay the same.
fn always(text: &str) -> Step {
    Step::from(Action::from(Reply::chunks([text]))).repeat(0)
}

/// The provider refuses every request.
fn refusal() -> Step {
    Step::from(Action::from(Status::error(400, "no capacity"))).repeat(0)
}

/// With the skill's instructions, the request contains its word.
fn with_skill(text: &str) -> Step {
    always(text).when_anywhere("TERSELY")
}

/// A skill with cases that expect the answer `good`, and a model server.
pub(crate) async fn evaluated(checks: &Value, steps: impl IntoIterator<Item = Step>) -> Evaluated {
    evaluated_in(World::new(), checks, steps).await
}

async fn evaluated_in(world: World, checks: &Value, steps: impl IntoIterator<Item = Step>) -> Evaluated {
    let server = ScriptedModel::start(Script::new(steps)).await.unwrap();
    world.file(
        "skills/terse/SKILL.md",
        "---\nname: terse\ndescription: Answers briefly. Use when a short answer is asked for.\n---\n\nAnswer TERSELY.\n",
    );
    let cases: Vec<_> = (1..=CASES).map(|id| json!({ "id": id, "prompt": format!("Question {id}?"), "assertions": checks })).collect();
    world.file("skills/terse/evals/evals.json", json!({ "skill_name": "terse", "evals": cases }).to_string());
    let imported = finish(world.command().args(["import", arg(&world.root.path().join("skills/terse"))]));
    assert!(imported.ok, "{imported:?}");
    let url = format!("{}/v1", server.url());
    let added =
        finish(world.command().args(["model", "add", "local", "--kind", "openai-compatible", "--base-url", &url, "--model", "tiny"]));
    assert!(added.ok, "{added:?}");
    Evaluated { world, server }
}

pub(crate) fn good() -> Value {
    json!([{ "type": "equals", "value": "good" }])
}

impl Evaluated {
    fn command(&self, args: &[&str]) -> Command {
        let mut command = self.world.command();
        command.args(["--json", "eval"]).args(args);
        command
    }

    /// The report, and how the command ended.
    fn eval(&self, args: &[&str]) -> (Value, Run) {
        let run = finish(&mut self.command(args));
        let report = serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{args:?}: {error}: {run:?}"));
        (report, run)
    }

    fn requests(&self) -> usize {
        self.server.requests().len()
    }

    /// Waits for a request that contains a text.
    async fn wait_for_request(&self, text: &str) {
        let asked = async {
            loop {
                let requests = self.server.requests();
                if requests.iter().any(|request| request.body.to_string().contains(text)) {
                    return;
                }
                self.server.wait_for_requests(requests.len() + 1).await;
            }
        };
        tokio::time::timeout(Duration::from_mins(1), asked).await.unwrap();
    }

    /// Declares that a rewrite that passes the validation cases is accepted without a person.
    fn declare_threshold(&self) {
        let promotion = json!({ "mode": "autonomous_threshold", "minOverallScore": 4.5 });
        let manifest = json!({ "version": 1, "evals": { "optimization": { "promotion": promotion } } });
        self.world.file("skills/terse/skill.json", json!({ "metadata": { "manifest": manifest } }).to_string());
        let imported = finish(self.world.command().args(["import", arg(&self.world.root.path().join("skills/terse"))]));
        assert!(imported.ok, "{imported:?}");
    }

    fn wait_for_requests(&self, count: usize) {
        let deadline = Instant::now() + Duration::from_mins(1);
        while self.requests() < count {
            assert!(Instant::now() < deadline, "{} requests", self.requests());
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

fn rates(report: &Value) -> Vec<f64> {
    report["variants"].as_array().unwrap().iter().map(|one| one["rate"]["rate"].as_f64().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_verdict_says_whether_a_skill_helps_harms_or_does_nothing() {
    let evaluated = evaluated(&good(), []).await;
    for (with, without, verdict) in [("good", "bad", "better"), ("bad", "good", "worse"), ("good", "good", "no_difference_shown")] {
        evaluated.server.set_script(Script::new([with_skill(with), always(without)]));
        let (report, run) = evaluated.eval(&["run", "terse", "--fresh", "--fail-under", "0.9"]);
        assert_eq!((report["variants"][1]["comparison"]["verdict"].as_str(), run.ok), (Some(verdict), with == "good"), "{report}");
        let regressions = report["cases"].as_array().unwrap().iter().filter(|case| case["regressions"] == json!([1])).count();
        assert_eq!(regressions, if verdict == "worse" { CASES } else { 0 });
    }
    let runs = evaluated.eval(&["list", "terse"]).0["runs"].as_array().unwrap().clone();
    assert_eq!(runs.len(), 3);
    let id = |at: usize| runs[at]["run"]["id"].as_str().unwrap();
    let (compared, run) = evaluated.eval(&["compare", id(2), id(1)]);
    assert_eq!((compared["comparison"]["verdict"].as_str(), run.code), (Some("worse"), Some(1)), "{compared}");
    let shown = evaluated.eval(&["show", id(1)]).0;
    assert_eq!((shown["done"].as_u64(), shown["cases"][0]["results"][1][0]["output"].as_str()), (Some(16), Some("bad")));
    let junit = evaluated.eval(&["export", id(1), "--format", "junit"]).0;
    assert!(junit["text"].as_str().unwrap().contains("tests=\"16\" failures=\"8\" errors=\"0\""), "{junit}");
}

#[tokio::test(flavor = "multi_thread")]
async fn flaky_cases_are_named_and_a_rate_limit_is_waited_for() {
    let busy = Action::from(Status::error(429, "slow down").header("retry-after", "0"));
    let steps = [Step::from(busy), Step::from(Action::from(Reply::chunks(["bad"]))), always("good")];
    let evaluated = evaluated(&good(), steps).await;
    let (report, run) = evaluated.eval(&["run", "terse", "--without-baseline", "--repeat", "2", "--concurrency", "1"]);
    assert!(run.ok, "{run:?}");
    assert_eq!(report["variants"][0]["flaky"], json!(["evals/evals.json#1"]), "{report}");
    assert_eq!((rates(&report), evaluated.requests()), (vec![7.5 / 8.0], 17));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_was_killed_goes_on_without_paying_twice() {
    let replies = (0..3).map(|_| Step::from(Action::from(Reply::chunks(["good"]))));
    let hang = Step::from(Action::Hang(PartialReply::default()));
    let evaluated = evaluated(&good(), replies.chain([hang])).await;
    let mut child = evaluated.command(&["run", "terse", "--concurrency", "1"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    evaluated.wait_for_requests(4);
    child.kill().unwrap();
    child.wait().unwrap();
    let found = evaluated.eval(&["list"]).0["runs"][0].clone();
    assert_eq!(
        (found["run"]["status"].as_str(), found["done"].as_u64(), found["cells"].as_u64()),
        (Some("interrupted"), Some(3), Some(16))
    );
    evaluated.server.set_script(Script::new([always("good")]));
    let before = evaluated.requests();
    let (report, run) = evaluated.eval(&["run", "--resume", found["run"]["id"].as_str().unwrap()]);
    assert!(run.ok && report["run"]["status"] == "complete", "{report}");
    assert_eq!((rates(&report), evaluated.requests() - before), (vec![1.0, 1.0], 13), "only what had no answer is asked again");
    let (report, _) = evaluated.eval(&["run", "terse"]);
    assert_eq!((rates(&report), evaluated.requests() - before), (vec![1.0, 1.0], 13), "all answers are cached");
    assert!(report["paid"]["input_tokens"].is_null() && report["variants"][1]["usage"]["input_tokens"].as_u64() > Some(0), "{report}");
    let estimate = evaluated.eval(&["run", "terse", "--estimate", "--repeat", "2"]).0;
    assert_eq!((estimate["cells"].as_u64(), estimate["cached"].as_u64()), (Some(32), Some(16)), "{estimate}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_ends_a_run_that_can_go_on_with_another() {
    let evaluated = evaluated(&good(), [always("good")]).await;
    let (report, run) = evaluated.eval(&["run", "terse", "--concurrency", "1", "--max-tokens", "40"]);
    assert_eq!((report["run"]["status"].as_str(), report["done"].as_u64(), run.code), (Some("over_budget"), Some(1), Some(1)), "{report}");
    let id = report["run"]["id"].as_str().unwrap();
    let (report, run) = evaluated.eval(&["run", "--resume", id, "--max-tokens", "100000"]);
    assert!(run.ok && report["done"] == 16, "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_exceeds_the_limit_of_a_run_is_not_sent() {
    let evaluated = evaluated(&good(), [always("good")]).await;
    let (report, run) = evaluated.eval(&["run", "terse", "--max-tokens", "1"]);
    assert_eq!((report["run"]["status"].as_str(), run.code, evaluated.requests()), (Some("over_budget"), Some(1), 0), "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_without_answers_says_why_and_goes_on_later() {
    let refused = Step::from(Action::from(Status::error(400, "no such model"))).repeat(0);
    let evaluated = evaluated(&good(), [refused]).await;
    let (report, run) = evaluated.eval(&["run", "terse"]);
    assert_eq!((report["run"]["status"].as_str(), run.code), (Some("failed"), Some(1)), "{report}");
    assert!(report["variants"][1]["rate"].is_null(), "{report}");
    let id = report["run"]["id"].as_str().unwrap();
    let shown = finish(evaluated.world.command().args(["eval", "show", id]));
    assert_eq!(shown.stdout.matches("no such model").count(), 2, "once for each variant: {shown:?}");
    evaluated.server.set_script(Script::new([always("good")]));
    let (report, run) = evaluated.eval(&["run", "--resume", id]);
    assert!(run.ok && report["run"]["status"] == "complete" && report["done"] == 16, "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_replaces_no_other_file() {
    let evaluated = evaluated(&good(), [always("good")]).await;
    let notes = evaluated.world.file("notes.txt", "precious");
    let refused = finish(&mut evaluated.command(&["run", "terse", "--junit", arg(&notes)]));
    assert!(refused.stderr.contains("isn't a JUnit report"), "{refused:?}");
    assert_eq!(evaluated.requests(), 0, "nothing was paid for");
    let junit = evaluated.world.root.path().join("junit.xml");
    let (report, _) = evaluated.eval(&["run", "terse", "--junit", arg(&junit)]);
    std::fs::write(&junit, std::fs::read_to_string(&junit).unwrap().replace("terse", "older")).unwrap();
    assert!(evaluated.eval(&["run", "terse", "--junit", arg(&junit)]).1.ok);
    assert!(std::fs::read_to_string(&junit).unwrap().contains("<testsuites name=\"terse\""));
    let export = ["export", report["run"]["id"].as_str().unwrap(), "--format", "csv", "--out", arg(&notes)];
    let refused = finish(&mut evaluated.command(&export));
    assert!(refused.stderr.contains("already exists"), "{refused:?}");
    assert_eq!(std::fs::read_to_string(&notes).unwrap(), "precious");
    assert!(evaluated.eval(&[&export[..], &["--replace"]].concat()).1.ok);
    assert_ne!(std::fs::read_to_string(&notes).unwrap(), "precious");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_judge_that_answers_garbage_passes_nothing_and_is_asked_again() {
    let judge = |text: &str| always(text).when_anywhere("Rubric: ");
    let evaluated = evaluated(&json!(["It is good"]), [judge("I like it!"), always("good")]).await;
    let (report, _) = evaluated.eval(&["run", "terse", "--without-baseline", "--fail-under", "0", "--concurrency", "1"]);
    assert!(report["variants"][0]["rate"].is_null() && report["variants"][0]["not_graded"] == 8, "{report}");
    assert_eq!(report["cases"][0]["results"][0][0]["outcome"], "not_run", "{report}");
    let before = evaluated.requests();
    evaluated.server.set_script(Script::new([judge("{\"reason\": \"fine\", \"score\": 5}"), always("bad")]));
    let (report, _) = evaluated.eval(&["run", "terse", "--without-baseline", "--concurrency", "1"]);
    assert_eq!((rates(&report), evaluated.requests() - before), (vec![1.0], 1), "only the judge is asked again, once for equal outputs");
    let (report, _) = evaluated.eval(&["run", "terse", "--without-baseline"]);
    assert_eq!((rates(&report), evaluated.requests() - before), (vec![1.0], 1), "grading again is free");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_triggers_of_a_shipped_skill_are_tested_without_a_model() {
    let evaluated = evaluated(&good(), []).await;
    let (report, _) = evaluated.eval(&["triggers", "skill-reviewer"]);
    assert_eq!((report["results"].as_array().unwrap().len(), evaluated.requests()), (7, 0), "{report}");
    let cases = evaluated.eval(&["cases", "skill-reviewer"]).0;
    assert_eq!((cases["cases"].as_array().unwrap().len(), &cases["diagnostics"]), (11, &json!([])));
    let none = finish(&mut evaluated.command(&["triggers", "terse"]));
    assert!(!none.ok && none.stderr.contains("no trigger cases"), "{none:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_hangs_ends_with_the_time_limit_of_the_run() {
    let evaluated = evaluated(&good(), [Step::from(Action::Hang(PartialReply::default())).repeat(0)]).await;
    let (report, run) = evaluated.eval(&["run", "terse", "--timeout", "2"]);
    assert_eq!((report["run"]["status"].as_str(), report["done"].as_u64(), run.code), (Some("over_budget"), Some(0), Some(1)), "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn cases_are_imported_saved_from_a_run_and_removed() {
    let evaluated = evaluated(&good(), [always("Short.")]).await;
    let table = evaluated.world.file("disk/cases.csv", "name,prompt,expected_output,tags\nSum,\"What is 1, 2?\",3,\"sums,easy\"\n");
    let last = |edited: &Value| edited["cases"].as_array().unwrap().last().unwrap().clone();
    let (edited, run) = evaluated.eval(&["import", "terse", arg(&table)]);
    let case = last(&edited);
    assert!(run.ok && edited["cases"].as_array().unwrap().len() == CASES + 1, "{edited}");
    assert_eq!(
        (&case["name"], &case["tags"], &case["input"]["message"]),
        (&json!("Sum"), &json!(["sums", "easy"]), &json!("What is 1, 2?"))
    );
    let bad = evaluated.world.file("disk/bad.csv", "prompt,should_trigger\nHi,perhaps\n");
    let refused = finish(&mut evaluated.command(&["import", "terse", arg(&bad)]));
    assert!(!refused.ok && refused.stderr.contains("line 2"), "{refused:?}");

    let ran = finish(evaluated.world.command().args(["--json", "run", "terse", "--message", "Say something"]));
    let ran: Value = serde_json::from_str(&ran.stdout).unwrap();
    let (edited, _) = evaluated.eval(&["save", "terse", "--run", ran["run"].as_str().unwrap(), "--name", "Said"]);
    let case = last(&edited);
    assert_eq!((&case["input"], &case["expected_output"]), (&json!({ "message": "Say something" }), &json!("Short.")));
    let key = case["key"].as_str().unwrap();
    let (edited, _) = evaluated.eval(&["remove", "terse", key]);
    assert_eq!(edited["cases"].as_array().unwrap().len(), CASES + 1);
    let missing = finish(&mut evaluated.command(&["remove", "terse", key]));
    assert!(missing.stderr.contains("notFound") || missing.stdout.contains("notFound"), "{missing:?}");
    let history = evaluated.world.json(&["skill", "history", "terse"]);
    assert_eq!(history["revisions"].as_array().unwrap().len(), 4, "{history}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_is_asked_which_skill_it_would_use() {
    let read = |skill: &str| Step::from(call("a", "read_skill", json!({ "name": skill }))).repeat(0);
    let evaluated =
        evaluated(&good(), [read("terse").when_anywhere("FIRST"), read("skill-reviewer").when_anywhere("SECOND"), always("Hello.")]).await;
    let triggers = json!([
        { "query": "FIRST", "should_trigger": true }, { "query": "SECOND", "should_trigger": true }, { "query": "third", "should_trigger": false },
    ]);
    let lines = triggers.as_array().unwrap().iter().map(Value::to_string).collect::<Vec<_>>().join("\n");
    evaluated.eval(&["import", "terse", arg(&evaluated.world.file("disk/triggers.jsonl", lines))]);
    let (report, run) = evaluated.eval(&["triggers", "terse", "--ask"]);
    assert_eq!((run.code, evaluated.requests()), (Some(1), 3), "{report}");
    let passed: Vec<_> = report["results"].as_array().unwrap().iter().map(|one| one["passed"].as_bool().unwrap()).collect();
    assert_eq!(passed, [true, false, true], "{report}");
    assert_eq!(report["confusions"], json!([{ "skill": "skill-reviewer", "queries": ["SECOND"] }]));
    let index = evaluated.server.requests()[0].body["messages"].to_string();
    assert!(index.contains("Answers briefly") && index.contains("skill-reviewer"), "all enabled skills are listed");
    evaluated.eval(&["triggers", "terse", "--ask"]);
    assert_eq!(evaluated.requests(), 3, "the answers are cached");
    let stages = evaluated.eval(&["status", "terse"]).0;
    assert_eq!((stages["ready"].as_u64(), stages["stages"][2]["status"].as_str()), (Some(2), Some("ready")), "{stages}");
}

/// A server that answers well once the instructions say so, and proposes these edits.
pub(crate) fn rewriting(edits: impl IntoIterator<Item = Value>) -> Vec<Step> {
    let propose = |edit: Value| {
        let text = json!({ "reason": "better", "edits": [edit] }).to_string();
        Step::from(Action::from(Reply::chunks([text.as_str()]))).when_anywhere("You improve the instructions")
    };
    edits.into_iter().map(propose).chain([always("good").when_anywhere("Say good."), always("bad")]).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn edits_that_help_become_a_proposal_and_others_are_remembered() {
    let useless = || json!({ "find": "Answer TERSELY.", "replace": "Answer VERY tersely." });
    let helpful = json!({ "find": "", "replace": "Say good." });
    let evaluated = evaluated(&good(), rewriting([useless(), helpful])).await;
    let (found, run) = evaluated.eval(&["rewrite", "terse"]);
    let outcomes: Vec<_> = found["attempts"].as_array().unwrap().iter().map(|one| one["outcome"].as_str().unwrap()).collect();
    assert_eq!((run.ok, outcomes), (true, vec!["rejected", "kept"]), "{found}");
    assert!(found["validation_run"].is_string(), "{found}");
    assert_eq!((&found["train"], &found["validation"]), (&json!({ "before": 0.0, "after": 1.0 }), &json!({ "before": 0.0, "after": 1.0 })));
    assert!(found["promoted"].is_null(), "a person decides: {found}");
    let show = || evaluated.world.json(&["skill", "show", "terse", "--path", "SKILL.md"]).to_string();
    assert!(!show().contains("Say good."));
    let proposal = found["proposal"].as_str().unwrap();
    let asked = evaluated.requests();
    let (report, _) = evaluated.eval(&["run", "terse", "--proposal", proposal]);
    let rates: Vec<_> = report["variants"].as_array().unwrap().iter().map(|one| (&one["label"], &one["rate"]["rate"])).collect();
    assert_eq!(rates, [(&json!("revision 1"), &json!(0.0)), (&json!("proposal"), &json!(1.0))], "{report}");
    assert_eq!(evaluated.requests(), asked, "both were run by the rewrite");
    let refused = finish(&mut evaluated.command(&["run", "skill-reviewer", "--proposal", proposal]));
    assert!(refused.stderr.contains("is for terse"), "{refused:?}");
    evaluated.world.json(&["proposal", "accept", proposal]);
    assert!(show().contains("Say good."));
    assert!(!finish(&mut evaluated.command(&["run", "terse", "--proposal", proposal])).ok, "it was decided");
    let run = report["run"]["id"].as_str().unwrap();
    assert_eq!(evaluated.eval(&["delete", run]).0["deleted"], 1);
    assert!(!finish(&mut evaluated.command(&["show", run])).ok);
    evaluated.world.json(&["skill", "rollback", "terse", "--to", "1"]);

    evaluated.server.set_script(Script::new(rewriting([useless(), useless(), useless()])));
    let (found, _) = evaluated.eval(&["rewrite", "terse"]);
    let outcomes: Vec<_> = found["attempts"].as_array().unwrap().iter().map(|one| one["outcome"].as_str().unwrap()).collect();
    assert_eq!((outcomes, &found["proposal"]), (vec!["repeated"; 3], &Value::Null), "{found}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_declared_threshold_promotes_without_a_person_and_one_click_undoes_it() {
    let evaluated = evaluated(&good(), rewriting([json!({ "find": "", "replace": "Say good." })])).await;
    evaluated.declare_threshold();
    let (found, _) = evaluated.eval(&["rewrite", "terse"]);
    let promoted = found["promoted"]["revision"].as_i64().unwrap_or_else(|| panic!("{found}"));
    let history = evaluated.world.json(&["skill", "history", "terse"]);
    assert_eq!(history["revisions"][0]["number"].as_i64(), Some(promoted), "{history}");
    evaluated.world.json(&["skill", "rollback", "terse", "--to", &(promoted - 1).to_string()]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_skill_that_is_edited_during_a_rewrite_keeps_the_edit_and_waits_for_a_person() {
    let idea = json!({ "reason": "better", "edits": [{ "find": "", "replace": "Say good." }] }).to_string();
    let held = Action::from(Reply { held: true, ..Reply::chunks([idea.as_str()]) });
    let steps = [Step::from(held).when_anywhere("You improve the instructions"), always("good").when_anywhere("Say good."), always("bad")];
    let evaluated = evaluated(&good(), steps).await;
    evaluated.declare_threshold();
    let mut command = evaluated.command(&["rewrite", "terse"]);
    let rewrite = std::thread::spawn(move || finish(&mut command));
    evaluated.wait_for_request("You improve the instructions").await;
    let edited = "---\nname: terse\ndescription: Answers in one word. Use when a short answer is asked for.\n---\n\nAnswer TERSELY.\n";
    let edited = evaluated.world.file("edited.md", edited);
    evaluated.world.json(&["skill", "edit", "terse", "--from", arg(&edited)]);
    evaluated.server.release();
    let run = rewrite.join().unwrap();
    let found: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"));
    assert!(run.ok && found["validation"]["after"] == 1.0 && found["promoted"].is_null(), "{found}");
    let show = || evaluated.world.json(&["skill", "show", "terse", "--path", "SKILL.md"]).to_string();
    let shown = show();
    assert!(shown.contains("in one word") && !shown.contains("Say good."), "{shown}");
    let proposal = found["proposal"].as_str().unwrap();
    assert_eq!(evaluated.world.json(&["proposal", "show", proposal])["stale"], true);
    evaluated.world.json(&["proposal", "rebase", proposal]);
    evaluated.world.json(&["proposal", "accept", proposal]);
    let shown = show();
    assert!(shown.contains("in one word") && shown.contains("Say good."), "{shown}");
}

const SHIPPED: [&str; 5] =
    ["consistency-checker", "quarterly-report-standards", "skill-reviewer", "timeline-consistency", "workspace-link-auditor"];

/// The model answers each case as it asks for, and the judge likes nothing else.
#[tokio::test(flavor = "multi_thread")]
async fn the_cases_of_every_shipped_skill_pass_by_the_answers_that_they_expect() {
    let evaluated = evaluated(&good(), []).await;
    for skill in SHIPPED {
        let file = format!("{}/../../../seed/skills/{skill}/evals/evals.json", env!("CARGO_MANIFEST_DIR"));
        let file: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        let cases = file["evals"].as_array().unwrap();
        let part = |case: &Value, field: &str| case[field].as_str().unwrap().chars().take(30).collect::<String>();
        let liked = cases.iter().map(|case| always("{\"reason\": \"fine\", \"score\": 5}").when_anywhere(&part(case, "expected_output")));
        let disliked = always("{\"reason\": \"no\", \"score\": 1}").when_anywhere("Rubric: ");
        let answers = cases.iter().map(|case| always(case["expected_output"].as_str().unwrap()).when_anywhere(&part(case, "prompt")));
        evaluated.server.set_script(Script::new(liked.chain([disliked.clone()]).chain(answers)));
        // The manifest's scenarios are cases as well, which expect no certain answer.
        let (listed, _) = evaluated.eval(&["cases", skill]);
        let keys = listed["cases"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|case| case["key"].as_str())
            .filter(|key| key.starts_with("evals/evals.json"));
        let run =
            [&["run", skill, "--without-baseline", "--fail-under", "1"][..], &keys.flat_map(|key| ["--case", key]).collect::<Vec<_>>()];
        let (report, ended) = evaluated.eval(&run.concat());
        assert!(ended.ok && rates(&report) == [1.0] && report["cases"].as_array().unwrap().len() == cases.len(), "{skill}: {report}");
        evaluated.server.set_script(Script::new([disliked, always("Something else.")]));
        let (report, run) = evaluated.eval(&[&run.concat()[..], &["--fresh"]].concat());
        assert!(!run.ok && rates(&report) == [0.0], "{skill}: {report}");
    }
}

#[test]
fn shipped_skills_fire_as_their_trigger_cases_say() {
    let world = World::new();
    for skill in SHIPPED {
        let tested = finish(world.command().args(["eval", "triggers", skill]));
        assert!(tested.ok, "{skill}: {tested:?}");
    }
}
