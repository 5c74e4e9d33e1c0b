//! Messages that are answered with a SKILL.md as instructions.

use inklings_core::model::{Finish, Part, Request, Role};
use inklings_core::trace::TraceFilter;
use inklings_core::{ArtifactKind, TraceStatus, TraceStore as _};
use inklings_runtime::{RunRequest, SkillError};
use serde_json::json;

use crate::support::{Answer, World, skill, world};

const FRONT: &str = "---\nname: tested\ndescription: Is tested.\n---\n\nDo it well, see references/how.md.\n";

fn plain() -> inklings_core::Skill {
    skill(&[
        ("SKILL.md", FRONT),
        ("references/how.md", "Slowly.\n"),
        ("assets/long.txt", &"x".repeat(100_000)),
        ("assets/logo.bin", "\0\0"),
    ])
}

fn requests(world: &World) -> Vec<Request> {
    world.model.as_ref().unwrap().asked.lock().unwrap().clone()
}

fn results(request: &Request) -> Vec<&str> {
    let parts = request.messages.iter().flat_map(|message| &message.parts);
    parts.filter_map(|part| if let Part::ToolResult { text, .. } = part { Some(text.as_str()) } else { None }).collect()
}

#[tokio::test]
async fn the_skill_and_its_files_are_the_instructions() {
    let world = world(vec![Answer::Says("fine")]);
    let request = world.request(&plain(), json!({"message": "Try it."}));
    let (run, report) = (request.run, world.run(request).await.unwrap());
    assert_eq!((report.status, report.output.unwrap().text.as_str()), (TraceStatus::Ok, "fine"));
    let asked = world.asked();
    assert!(asked.system.starts_with("Do it well") && asked.system.contains("\n- references/how.md (8 bytes)"), "{}", asked.system);
    assert!(!asked.system.contains("SKILL.md"), "{}", asked.system);
    assert_eq!((asked.tools.len(), asked.tools[0].name.as_str()), (1, "read_file"));
    assert_eq!((asked.messages.len(), asked.messages[0].role), (1, Role::User));
    let [row] = &*world.rows(run) else { panic!("one row") };
    assert_eq!((row.artifact_kind, row.is_context()), (ArtifactKind::Description, false));
    assert_eq!(row.params.as_ref().unwrap()["message"], "Try it.");
    assert!(row.rendered_input.as_deref().unwrap().ends_with("--- user ---\nTry it."));
    // What it used counts for the run, as that of any step does.
    let summary = world.store.runs(&TraceFilter::default(), None, 10).unwrap().items.remove(0);
    assert_eq!((summary.usage.input_tokens, summary.usage.cost.is_some()), (Some(100), true));
}

#[tokio::test]
async fn files_are_read_when_the_model_asks_for_them() {
    let paths = &["references/how.md", "./assets/long.txt", "assets/logo.bin", "../../etc/passwd", "missing.md"];
    let world = world(vec![Answer::Reads("Let me look.", paths), Answer::Says("Slowly, then.")]);
    let request = world.request(&plain(), json!({"message": "How?"}));
    let (run, report) = (request.run, world.run(request).await.unwrap());
    let output = report.output.unwrap();
    assert_eq!((output.text.as_str(), output.tools_used.as_slice()), ("Let me look.\n\nSlowly, then.", &["read_file".to_owned()][..]));
    let all = requests(&world);
    let given = results(&all[1]);
    assert_eq!((all.len(), given.len(), given[0]), (2, 5, "Slowly.\n"));
    assert!(given[1].len() < 70_000 && given[1].ends_with("[cut off after 65536 of 100000 bytes]"));
    assert_eq!(given[2], "assets/logo.bin is not a text file");
    assert_eq!(given[3], "file \"../../etc/passwd\" not found in the skill");
    assert_eq!(given[4], "file \"missing.md\" not found in the skill");
    assert_eq!(all[1].tools.len(), 1, "a request with results offers the tool, too");
    let [row] = &*world.rows(run) else { panic!("one row") };
    assert!(row.log.as_deref().unwrap().starts_with("read references/how.md\nread assets/long.txt\n"));
    assert!(row.rendered_input.as_deref().unwrap().contains("calls read_file {\"path\":\"references/how.md\"}"));
    assert_eq!(row.usage.input_tokens, Some(200));
}

#[tokio::test]
async fn a_model_that_reads_for_ever_is_stopped() {
    let world = world((0..40).map(|_| Answer::Reads("", &["references/how.md"])).collect());
    let request = world.request(&plain(), json!({"message": "How?"}));
    let (run, report) = (request.run, world.run(request).await.unwrap());
    assert_eq!((report.status, requests(&world).len()), (TraceStatus::Ok, 16));
    assert!(world.rows(run)[0].cut_off);
}

#[tokio::test]
async fn an_answer_that_its_provider_ends_is_incomplete() {
    let world = world(vec![Answer::Ends("The steps are: 1.", Finish::Refused)]);
    let request = world.request(&plain(), json!({"message": "How?"}));
    let (run, report) = (request.run, world.run(request).await.unwrap());
    assert_eq!((report.status, world.rows(run)[0].cut_off), (TraceStatus::Ok, true));
}

#[tokio::test]
async fn a_model_without_tools_gets_the_small_files() {
    let world = world(vec![Answer::NoTools, Answer::Says("fine")]);
    let request = world.request(&plain(), json!({"message": "Try it."}));
    let (run, report) = (request.run, world.run(request).await.unwrap());
    assert_eq!(report.status, TraceStatus::Ok);
    let all = requests(&world);
    assert!(all[1].tools.is_empty() && all[1].system.contains("# File references/how.md\n\nSlowly."), "{}", all[1].system);
    assert!(all[1].system.len() < 40_000);
    let log = world.rows(run)[0].log.clone().unwrap();
    assert_eq!(log, "the model has no tools: the skill's files are part of the instructions except 2 that are too long or not texts\n");
}

#[tokio::test]
async fn without_a_message_nothing_is_sent() {
    let world = world(vec![Answer::Says("fine")]);
    let error = world.run(world.request(&plain(), json!({}))).await.unwrap_err();
    assert!(matches!(error, SkillError::Missing(_)), "{error}");
    // SKILL.md of a skill with more to run.
    let prompts = skill(&[
        ("SKILL.md", FRONT),
        ("prompts/ask.j2", "Ask."),
        ("skill.json", r#"{"artifacts": [{"path": "prompts/ask.j2", "kind": "prompt_template", "name": "Ask"}]}"#),
    ]);
    let request = RunRequest { artifact: Some("SKILL.md".to_owned()), ..world.request(&prompts, json!({"message": "Hi"})) };
    world.run(request).await.unwrap();
    assert!(requests(&world)[0].system.contains("- prompts/ask.j2 (4 bytes)"));
}
