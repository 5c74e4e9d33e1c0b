//! Scripts in the real sandbox: parameters, host functions, capabilities and traces.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use inklings_core::{
    ArtifactId, CancellationToken, LanguageModel as _, ScriptError, ScriptOutcome, Skill, SkillId, SkillPath, SkillStorageRepository as _,
    TraceStatus,
};
use inklings_prompt::PromptEngine;
use inklings_runtime::script::compile;
use inklings_runtime::{Limits, RunEventKind, RunReport, RunRequest, SkillError};
use inklings_sandbox::PythonSandbox;
use inklings_workspace::Index;
use serde_json::{Value, json};

use crate::support::{Answer, EventRecorder, World, skill, world};

/// A skill with one script.
fn script(slug: &str, source: &str) -> Skill {
    script_with(slug, source, json!({}))
}

fn script_with(slug: &str, source: &str, metadata: Value) -> Skill {
    let front = format!("---\nname: {slug}\ndescription: Is tested.\n---\n");
    let json = json!({ "artifacts": [
        { "path": "scripts/main.py", "kind": "code_template", "name": "Main", "ordinal": 1, "metadata": metadata },
    ] });
    let mut made = skill(&[("SKILL.md", &front), ("scripts/main.py", source), ("skill.json", &json.to_string())]);
    // Skills are identified by name.
    let of_slug = slug.bytes().fold(0, |sum, byte| sum * 31 + u64::from(byte));
    made.head.id = SkillId::new(uuid::Uuid::from_u64_pair(7, of_slug));
    for (at, artifact) in (0..).zip(&mut made.package.artifacts) {
        artifact.id = ArtifactId::new(uuid::Uuid::from_u64_pair(of_slug, at));
    }
    made
}

async fn run(world: &World, skill: &Skill, params: Value) -> RunReport {
    world.run(world.request(skill, params)).await.unwrap()
}

/// The submitted value for these parameters.
async fn value(world: &World, source: &str, params: Value) -> Value {
    let report = run(world, &script("tested", source), params).await;
    assert!(report.error.is_none(), "{:?}", report.error);
    report.output.unwrap().value.unwrap()
}

#[tokio::test]
async fn a_judge_model_is_resolved_only_if_needed() {
    for (assertion, times) in
        [(json!({ "type": "contains", "value": "honey" }), 0), (json!({ "type": "llm-rubric", "value": "is about honey" }), 1)]
    {
        let world = world(vec![Answer::Says("{\"reason\": \"it is\", \"score\": 5}")]);
        let judged = script_with("tested", "inklings.submit('honey')", json!({ "assertions": [assertion] }));
        let model = world.model.as_ref().unwrap().id().clone();
        let report = world.run(RunRequest { model: Some(model), ..world.request(&judged, json!({})) }).await.unwrap();
        let last = report.traces.last().unwrap();
        assert_eq!((last.assertions_run, last.assertions_passed), (1, 1), "{:?}", last.verdicts);
        assert_eq!(world.lookups.load(Ordering::Relaxed), times, "{:?}", last.verdicts);
    }
}

#[tokio::test]
async fn a_skill_that_a_script_runs_shares_its_model() {
    let world = world(vec![Answer::Says("one"), Answer::Says("two")]);
    let inner = script("inner", "inklings.submit(inklings.llm_query('And?'))");
    world.store.create_skill(&inner, "test").unwrap();
    let outer = script("outer", "inklings.submit(inklings.llm_query('So?') + inklings.run_skill('inner', {}))");
    let report = run(&world, &outer, json!({})).await;
    assert_eq!(report.output.unwrap().value.unwrap(), "onetwo");
    assert_eq!(world.lookups.load(Ordering::Relaxed), 1);
}

/// A workspace of three pages.
fn with_pages(mut world: World) -> (World, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let pages = [
        ("ada.md", "---\ntype: person\ntags: [poet]\n---\n# Ada\nKnows [[Charles]] and [[Nobody]].\n"),
        ("charles.md", "---\ntype: person\n---\n# Charles\nBuilds engines.\n"),
        ("notes/plan.md", "# Plan\nAn engine for [[ada]].\n"),
    ];
    for (path, text) in pages {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    world.resources.pages = Some(Arc::new(Index::new(folder.path(), world.recorder.clock.clone())));
    (world, folder)
}

#[tokio::test]
async fn a_script_is_given_values_and_gives_one() {
    let world = world(Vec::new());
    let source = "import inklings\nname = \"{{ name }}\"\nprint('hello', name)\ninklings.progress(0.5, 'half')\n\
                  inklings.submit({'name': name, 'many': {{ many }}, 'same': params['name'] == name, 'global': many})";
    let skill = script("tested", source);
    let hostile = "\"; import os #";
    let received = EventRecorder(std::sync::Mutex::default(), |_| ());
    let request = world.request(&skill, json!({ "name": hostile, "many": [1, true, null] }));
    let id = request.run;
    let report = world.runner.run(request, &world.recorder, &received).await.unwrap();
    let expected = json!({ "name": hostile, "many": [1, true, null], "same": true, "global": [1, true, null] });
    assert_eq!(report.output.as_ref().and_then(|output| output.value.clone()), Some(expected.clone()), "{:?}", report.error);
    let row = world.rows(id).pop().unwrap();
    assert_eq!(row.log.as_deref(), Some("hello \"; import os #\n"));
    assert_eq!(serde_json::from_str::<Value>(&row.raw_output.unwrap()).unwrap(), expected);
    assert!(row.rendered_input.unwrap().contains("[1, True, None]"));
    let events = received.0.into_inner().unwrap();
    assert!(events.iter().any(|event| matches!(&event.what, RunEventKind::Log { text, .. } if text.starts_with("hello"))));
    assert!(events.iter().any(
        |event| matches!(&event.what, RunEventKind::Progress { fraction, text, .. } if (0.4..0.6).contains(fraction) && text == "half")
    ));
}

#[tokio::test]
async fn pages_are_found_read_and_followed() {
    let (world, _folder) = with_pages(world(Vec::new()));
    let source = r#"
import inklings
ada = inklings.get_page("Ada")
missing = None
try:
    inklings.get_page("nobody")
except LookupError as error:
    missing = str(error)
inklings.submit({
    "found": [hit["slug"] for hit in inklings.search("engines")],
    "same": inklings.workspace_search("engines") == inklings.search("engines"),
    "page": [str(ada), ada.slug, ada["title"], ada.type, ada.tags, ada.path, ada.get("nothing", 1)],
    "several": [page.slug for page in inklings.get_pages(["charles", "ada"])],
    "typed": [page.slug for page in inklings.get_pages_by_type("person")],
    "tags": inklings.get_tags(),
    "links": {key: len(found) for key, found in inklings.get_references("ada").items()},
    "history": len(inklings.get_history("ada")),
    "missing": missing,
})
"#;
    let given = value(&world, source, json!({})).await;
    assert_eq!(
        given,
        json!({
            "found": ["charles"],
            "same": true,
            "page": ["# Ada\nKnows [[Charles]] and [[Nobody]].\n", "ada", "Ada", "person", ["poet"], "ada.md", 1],
            "several": ["charles", "ada"],
            "typed": ["ada", "charles"],
            "tags": {"poet": 1},
            "links": {"out": 1, "in": 1, "broken": 1},
            "history": 1,
            "missing": "page \"nobody\" not found",
        })
    );
}

#[tokio::test]
async fn without_a_workspace_pages_are_an_error_that_a_script_can_catch() {
    let world = world(Vec::new());
    let source = "import inklings\ntry:\n    inklings.get_tags()\nexcept inklings.HostError as error:\n    inklings.submit(str(error))";
    assert_eq!(value(&world, source, json!({})).await, "no workspace is open");
}

#[tokio::test]
async fn models_are_asked_on_the_runs_account() {
    let answers = vec![
        Answer::Says("blue"),
        Answer::Says("```json\n{\"n\": 3}\n```"),
        Answer::Says("not json"),
        Answer::Says("a"),
        Answer::Says("b"),
    ];
    let world = world(answers);
    let source = r#"
import inklings
schema = {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}
plain = inklings.llm_query("colour?")
typed = inklings.llm_query("number?", schema=schema)
try:
    inklings.llm_query("number?", schema=schema)
except inklings.HostError as error:
    wrong = str(error)
try:
    inklings.llm_query("number?", schema={"type": "nonsense"})
except ValueError as error:
    bad = str(error)
inklings.submit([plain, typed, wrong, bad[:26], sorted(inklings.llm_query_batched(["1", "2"])), inklings.llm_query_batched([])])
"#;
    let skill = script("tested", source);
    let request = world.request(&skill, json!({}));
    let id = request.run;
    let report = world.run(request).await.unwrap();
    let given = report.output.unwrap_or_else(|| panic!("{:?}", report.error)).value.unwrap();
    let wrong = "the model's answer doesn't match the schema: it contains no JSON";
    assert_eq!(given, json!(["blue", {"n": 3}, wrong, "invalid schema: \"nonsense\"", ["a", "b"], []]));
    let row = world.rows(id).pop().unwrap();
    assert_eq!((row.usage.input_tokens, row.usage.output_tokens), (Some(500), Some(50)));
    assert_eq!(row.model_id.as_deref(), Some("listed-1"));
    assert_eq!(report.usage.input_tokens, Some(500));
}

#[tokio::test]
async fn a_reached_limit_ends_the_script_whatever_it_catches() {
    let world = world((0..50).map(|_| Answer::Says("more")).collect());
    let source = "import inklings\nwhile True:\n    try:\n        inklings.llm_query('more?')\n    except BaseException:\n        pass";
    let request = world.request(&script("tested", source), json!({}));
    let limits = Limits { tokens: Some(250), ..Limits::default() };
    let report = world.run(RunRequest { limits, ..request }).await.unwrap();
    assert!(report.error.as_ref().is_some_and(|error| error.to_string().contains("250 tokens")), "{:?}", report.error);
    assert_eq!(report.traces[0].status, TraceStatus::Error);
}

#[tokio::test]
async fn a_checkpoint_is_seen_by_the_same_script_only() {
    let world = world(Vec::new());
    let source =
        "import inklings\nbefore = inklings.checkpoint('done')\ninklings.checkpoint('done', (before or 0) + 1)\ninklings.submit(before)";
    let mut mine = script("mine", source);
    for expected in [json!(null), json!(1), json!(2)] {
        assert_eq!(run(&world, &mine, json!({})).await.output.unwrap().value, Some(expected));
    }
    let other = script("other", source);
    assert_ne!(other.head.id, mine.head.id);
    assert_eq!(run(&world, &other, json!({})).await.output.unwrap().value, Some(Value::Null));
    let content = &mut mine.package.artifacts.iter_mut().find(|one| one.name == "Main").unwrap().content;
    *content = format!("{content}\n# changed").into();
    assert_eq!(run(&world, &mine, json!({})).await.output.unwrap().value, Some(Value::Null));
    // As JSON, a string has two more bytes.
    let source = r#"
import inklings
inklings.checkpoint("x", "y" * 1_048_574)
try:
    inklings.checkpoint("x", "z" * 1_048_575)
except ValueError as error:
    inklings.submit([inklings.checkpoint("x") == "y" * 1_048_574, str(error)[:32]])
"#;
    assert_eq!(value(&world, source, json!({})).await, json!([true, "the checkpoint has 1048577 bytes"]));
}

#[tokio::test]
async fn skills_call_skills_on_the_same_account_with_traces_of_their_own() {
    let world = world(vec![Answer::Says("from the model")]);
    let child = "import inklings\ninklings.submit({'doubled': params['n'] * 2, 'said': inklings.llm_query('x')})";
    for one in [script("child", child), script("locked-one", "import inklings\ninklings.submit(1)")] {
        world.store.create_skill(&one, "test").unwrap();
    }
    let source = r#"
import inklings
try:
    inklings.run_skill("locked-one", {})
except PermissionError as error:
    denied = str(error)
try:
    inklings.run_skill("none", {})
except LookupError as error:
    missing = str(error)
listed = [one["name"] for one in inklings.skills.list()]
read = inklings.skills.read("child")["content"].startswith("---")
inklings.submit([inklings.run_skill("child", {"n": 21}), denied, missing, listed, read])
"#;
    let request = world.request(&script("parent", source), json!({}));
    let id = request.run;
    let report = world.run(request).await.unwrap();
    let given = report.output.unwrap_or_else(|| panic!("{:?}", report.error)).value.unwrap();
    assert_eq!(given[0], json!({ "doubled": 42, "said": "from the model" }));
    assert_eq!(given[1], "the workspace isn't trusted, so its skills can't run");
    assert_eq!(given[3], json!(["child", "locked-one"]));
    assert_eq!(given[4], true);
    assert_eq!(report.traces.len(), 1, "the child's rows are its own");
    let filter = inklings_core::trace::TraceFilter { session: Some(report.session), ..Default::default() };
    let all = inklings_core::TraceStore::traces(world.store.as_ref(), &filter, None, 10).unwrap().items;
    let nested = all.iter().find(|row| row.parent_run_id == Some(id)).unwrap();
    assert_eq!((nested.skill.slug.as_str(), nested.usage.input_tokens), ("child", Some(100)));
    assert_eq!(report.traces[0].usage.input_tokens, None);
    assert_eq!(report.usage.input_tokens, Some(100), "one account");
}

#[tokio::test]
async fn a_circle_of_skills_ends() {
    let world = world(Vec::new());
    let circle = script(
        "circle",
        "import inklings\ntry:\n    inklings.submit(inklings.run_skill('circle', {}))\nexcept BaseException:\n    inklings.submit('caught')",
    );
    world.store.create_skill(&circle, "test").unwrap();
    let report = run(&world, &circle, json!({})).await;
    assert!(matches!(report.error, Some(SkillError::TooDeep { limit: 8 })), "{:?}", report.error);
}

#[tokio::test]
async fn a_script_that_declares_its_rights_has_no_others() {
    let (world, _folder) = with_pages(world((0..9).map(|_| Answer::Says("x")).collect()));
    let source = r#"
import inklings
refused = []
for name, call in [
    ("pages", inklings.get_tags),
    ("models", lambda: inklings.llm_query("x")),
    ("skills", inklings.skills.list),
    ("checkpoints", lambda: inklings.checkpoint("k")),
]:
    try:
        call()
    except PermissionError:
        refused.append(name)
inklings.submit(refused)
"#;
    let all = ["pages", "models", "skills", "checkpoints"];
    for (rights, refused) in [(json!([]), &all[..]), (json!(["pages", "models"]), &all[2..]), (json!("pages"), &all[..])] {
        let skill = script_with("tested", source, json!({ "rights": rights }));
        assert_eq!(run(&world, &skill, json!({})).await.output.unwrap().value, Some(json!(refused)), "{rights}");
    }
    assert_eq!(value(&world, source, json!({})).await, json!([]));
}

#[tokio::test]
async fn a_failure_names_the_line_of_the_file_and_keeps_log_and_traceback() {
    let world = world(Vec::new());
    let source = "import inklings\n{% for n in numbers %}\nprint({{ n }})\n{% endfor %}\ndef inner():\n    raise KeyError('my-very-own-key')\n\ninner()\n";
    let skill = script("tested", source);
    let request = world.request(&skill, json!({ "numbers": [1, 2, 3] }));
    let id = request.run;
    let report = world.run(request).await.unwrap();
    let Some(SkillError::Script { error, detail, .. }) = report.error else { panic!("{:?}", report.error) };
    let ScriptError::Exception(exception) = *error else { panic!("{error:?}") };
    assert_eq!((exception.kind.as_str(), exception.line), ("KeyError", Some(6)));
    assert_eq!(detail.line, Some(6));
    let row = world.rows(id).pop().unwrap();
    assert_eq!((row.status, row.log.as_deref()), (TraceStatus::Error, Some("1\n2\n3\n")));
    let traceback = row.detail.unwrap().traceback.unwrap();
    assert!(traceback.contains("File \"scripts/main.py\", line 8") && traceback.contains("line 6, in inner"), "{traceback}");
    assert!(!traceback.contains("my-very-own-key") && !row.error.unwrap().contains("my-very-own-key"));
    // The next run isn't affected.
    assert_eq!(value(&world, "import inklings\ninklings.submit(1)", json!({})).await, 1);
}

#[tokio::test]
async fn what_was_paid_before_a_failure_or_a_stop_is_in_the_trace() {
    let paid = "import inklings\ninklings.llm_query('one?')\n";
    let cancel = CancellationToken::new();
    let world = world(vec![Answer::Says("1"), Answer::Says("2"), Answer::Stops(cancel.clone())]);
    let skill = script("tested", &format!("{paid}raise ValueError('after it')"));
    let request = world.request(&skill, json!({}));
    let id = request.run;
    assert!(matches!(world.run(request).await.unwrap().error, Some(SkillError::Script { .. })));
    let row = world.rows(id).pop().unwrap();
    assert_eq!((row.status, row.usage.input_tokens, row.model_id.as_deref()), (TraceStatus::Error, Some(100), Some("listed-1")));
    assert!(row.usage.cost.is_some());

    let mut request = world.request(&script("tested", &format!("{paid}{}", &paid[16..])), json!({}));
    let id = request.run;
    request.cancel = cancel;
    assert_eq!(world.run(request).await.unwrap().status, TraceStatus::Cancelled);
    let row = world.rows(id).pop().unwrap();
    assert_eq!((row.usage.input_tokens, row.model_id.as_deref()), (Some(100), Some("listed-1")));
}

#[tokio::test]
async fn a_result_that_is_no_json_names_the_line_of_the_file() {
    let world = world(Vec::new());
    let source = "import inklings\n{% for n in numbers %}\nprint({{ n }})\n{% endfor %}\ninklings.submit({1, 2})\n";
    let request = world.request(&script("tested", source), json!({ "numbers": [1, 2, 3] }));
    let id = request.run;
    let report = world.run(request).await.unwrap();
    assert!(report.error.unwrap().to_string().contains("line 5: "));
    let detail = world.rows(id).pop().unwrap().detail.unwrap();
    assert_eq!((detail.outcome, detail.line), (ScriptOutcome::BadResult, Some(5)));
}

#[tokio::test]
async fn python_says_what_is_wrong_before_anything_runs() {
    let sandbox = PythonSandbox::new(inklings_sandbox::find_built());
    let (prompts, path) = (PromptEngine::new(), SkillPath::parse("scripts/main.py").unwrap());
    let fault = async |text: &str| {
        let found = compile(&sandbox, &prompts, &path, text).await?;
        assert_eq!((found.rule.as_str(), found.file.as_deref()), ("script/syntax", Some("scripts/main.py")));
        Some((found.message, found.line, found.column))
    };
    let said = |message: &str, line, column| Some((message.to_owned(), Some(line), Some(column)));
    assert_eq!(fault("a = 1\nreturn a\n").await, said("'return' outside function", 2, 1));
    assert_eq!(fault("é = {{ a }}; b = '{{ long_name }}'; yield b\n").await, said("'yield' outside function", 1, 38));
    assert_eq!(fault("def f(a, a): pass").await, said("duplicate argument 'a' in function definition", 1, 10));
    assert_eq!(fault("if x:\n    a = 1\n  b = 2\n").await.map(|(_, line, _)| line), Some(Some(3)));
    assert_eq!(fault("import inklings\ninklings.submit({{ a }})\nx = '\\d'").await, None);
    // The source depends on a value.
    assert_eq!(fault("{% if a %}return 1{% endif %}").await, None);
    // It is compiled but not run.
    assert_eq!(fault("raise SystemExit(1)").await, None);
    let absent = PythonSandbox::new(None);
    assert_eq!(compile(&absent, &prompts, &path, "return 1").await, None);
}

#[tokio::test]
async fn a_value_where_it_would_be_code_is_refused_before_anything_runs() {
    let world = world(Vec::new());
    let report = run(&world, &script("tested", "import inklings\ninklings.submit(f\"{{ name }}\")"), json!({ "name": "x" })).await;
    let Some(SkillError::Template(finding)) = report.error else { panic!("{:?}", report.error) };
    assert_eq!((finding.line, finding.file.as_deref()), (Some(2), Some("scripts/main.py")));
}

#[tokio::test]
async fn a_script_is_stopped_at_once() {
    let world = world(Vec::new());
    let cancel = CancellationToken::new();
    let skill = script("tested", "import inklings\ninklings.log('begun')\nwhile True:\n    pass");
    let (stop, request) = (cancel.clone(), RunRequest { cancel, ..world.request(&skill, json!({})) });
    let received = EventRecorder(std::sync::Mutex::default(), move |event: &inklings_runtime::RunEvent| {
        if matches!(event.what, RunEventKind::Log { .. }) {
            stop.cancel();
        }
    });
    let report = world.runner.run(request, &world.recorder, &received).await.unwrap();
    assert_eq!(report.status, TraceStatus::Cancelled);
    assert_eq!(report.traces[0].log.as_deref(), Some("begun\n"));
}

#[tokio::test]
async fn a_parameter_that_a_script_relies_on_is_asked_for() {
    let world = world(vec![]);
    let skill = script("tested", "inklings.submit(params['page'] + str(params.get('times') or 2))");
    let refused = world.run(world.request(&skill, json!({}))).await.unwrap_err();
    let SkillError::Missing(missing) = refused else { panic!("{refused}") };
    assert_eq!(missing.into_iter().map(|one| one.variable).collect::<Vec<_>>(), ["page"]);
    let report = run(&world, &skill, json!({ "page": "a" })).await;
    assert_eq!(report.output.unwrap().value.unwrap(), "a2");
}
