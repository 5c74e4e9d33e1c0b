//! The functions of the module `inklings`: calls to the host, and their results in the script.

use inklings_core::sandbox::{HostError, ScriptError};
use inklings_core::sandbox_api::FUNCTIONS;
use serde_json::{Value, json};

use crate::support::{Host, run, run_on, script};

fn page(slug: &str) -> Value {
    json!({"slug": slug, "title": "Mara", "type": "character", "tags": ["crew"], "path": "characters/mara.md",
        "frontmatter": {"age": 30, "lower": 1}, "body": "A sailor.\n"})
}

/// Answers like a workspace.
fn workspace() -> Host {
    Host::new(|name, arguments| match name {
        "get_page" => Ok(page(arguments["slug"].as_str().unwrap())),
        "get_pages" | "get_pages_by_type" => Ok(json!([page("one"), page("two")])),
        "search" => Ok(json!([{"slug": "one", "title": "One", "type": null, "tags": [], "snippet": "…", "score": 1.5}])),
        "llm_query" => Ok(if arguments["schema"].is_null() { json!("text") } else { json!({"n": 1}) }),
        "llm_query_batched" => Ok(json!(["a", "b"])),
        "checkpoint" => Ok(arguments.get("value").cloned().unwrap_or(Value::Null)),
        _ => Ok(json!({"called": name})),
    })
}

#[tokio::test]
async fn each_function_sends_its_arguments() {
    let source = "
from inklings import *
search('salt'); workspace_search('salt', limit=3)
get_page('a'); get_pages(x for x in 'ab'); get_pages_by_type('character')
get_tags(); get_references('a'); get_history('a'); get_history('a', 5)
llm_query('hi'); llm_query('hi', {'type': 'object'}); llm_query_batched(['a', 'b']); llm_query_batched(('a',), schema={})
checkpoint('k'); checkpoint('k', {'n': 1})
run_skill('other', {'a': 1}); run_skill('other')
skills.list(); skills.list('tag'); skills.read('other')
files.list(); files.read('scripts/../data.csv')
submit(0)";
    let host = workspace();
    run_on(&host, &script(source)).await.unwrap();
    let expected = [
        ("search", json!({"query": "salt", "limit": 20})),
        ("search", json!({"query": "salt", "limit": 3})),
        ("get_page", json!({"slug": "a"})),
        ("get_pages", json!({"slugs": ["a", "b"]})),
        ("get_pages_by_type", json!({"type": "character"})),
        ("get_tags", json!({})),
        ("get_references", json!({"slug": "a"})),
        ("get_history", json!({"slug": "a", "limit": 20})),
        ("get_history", json!({"slug": "a", "limit": 5})),
        ("llm_query", json!({"prompt": "hi"})),
        ("llm_query", json!({"prompt": "hi", "schema": {"type": "object"}})),
        ("llm_query_batched", json!({"prompts": ["a", "b"]})),
        ("llm_query_batched", json!({"prompts": ["a"], "schema": {}})),
        ("checkpoint", json!({"key": "k"})),
        ("checkpoint", json!({"key": "k", "value": {"n": 1}})),
        ("run_skill", json!({"name": "other", "params": {"a": 1}})),
        ("run_skill", json!({"name": "other", "params": {}})),
        ("skills.list", json!({})),
        ("skills.list", json!({"tag": "tag"})),
        ("skills.read", json!({"name": "other"})),
        ("files.list", json!({})),
        ("files.read", json!({"path": "data.csv"})),
    ];
    let expected: Vec<_> = expected.into_iter().map(|(name, arguments)| (name.to_owned(), arguments)).collect();
    assert_eq!(*host.calls.lock().unwrap(), expected);
}

#[tokio::test]
async fn a_page_is_its_text_with_fields() {
    let source = "
import copy, json, pickle
page = inklings.get_page('mara')
again = pickle.loads(pickle.dumps(copy.deepcopy(page)))
inklings.submit({
    'text': page, 'shown': f'<{page}>', 'words': page.split(), 'length': len(page), 'first': page[0], 'part': page[2:4],
    'attributes': [page.slug, page.title, page.type, page.tags, page.path, page.frontmatter['age']],
    'items': [page['slug'], page['title'], page['type'], page.get('tags'), page.get('nothing', 5)],
    'is': [isinstance(page, str), isinstance(page, inklings.Page), 'sailor' in page, hasattr(page, 'nothing'), again == page, again.slug],
    'hit': inklings.search('x')[0]['title'],
    'many': [[other.slug for other in inklings.get_pages(['one', 'two'])], [str(p) for p in inklings.get_pages_by_type('t')]],
    'model': [inklings.llm_query('x'), inklings.llm_query('x', {}), inklings.llm_query_batched(['a', 'b'])],
})";
    let value = run_on(&workspace(), &script(source)).await.unwrap().value;
    let expected = json!({
        "text": "A sailor.\n", "shown": "<A sailor.\n>", "words": ["A", "sailor."], "length": 10, "first": "A", "part": "sa",
        "attributes": ["mara", "Mara", "character", ["crew"], "characters/mara.md", 30],
        "items": ["mara", "Mara", "character", ["crew"], 5],
        "is": [true, true, true, false, true, "mara"],
        "hit": "One",
        "many": [["one", "two"], ["A sailor.\n", "A sailor.\n"]],
        "model": ["text", {"n": 1}, ["a", "b"]],
    });
    assert_eq!(value, expected);
}

#[tokio::test]
async fn a_refusal_is_an_exception_with_the_hosts_words() {
    let source = "
found = []
for slug in ('denied', 'not found', 'bad call', 'failed'):
    try:
        inklings.get_page(slug)
    except Exception as error:
        found.append([type(error).__name__, isinstance(error, (PermissionError, LookupError, ValueError, RuntimeError)), str(error)])
inklings.submit(found)";
    let host = Host::new(|_, arguments| {
        let words = "because of ‘this’".to_owned();
        Err(match arguments["slug"].as_str().unwrap() {
            "denied" => HostError::Denied(words),
            "not found" => HostError::NotFound(words),
            "bad call" => HostError::BadCall(words),
            _ => HostError::Failed(words),
        })
    });
    let kinds = ["PermissionError", "LookupError", "ValueError", "HostError"];
    let expected: Vec<_> = kinds.map(|kind| json!([kind, true, "because of ‘this’"])).into();
    assert_eq!(run_on(&host, &script(source)).await.unwrap().value, Value::from(expected));
}

#[tokio::test]
async fn an_uncaught_refusal_names_the_line_and_a_fatal_one_ends_the_run() {
    let host = Host::new(|_, _| Err(HostError::Denied("no".to_owned())));
    let Err(ScriptError::Exception(exception)) = run_on(&host, &script("x = 1\ninklings.get_tags()")).await else { panic!() };
    assert_eq!((exception.kind.as_str(), exception.message.as_str(), exception.line), ("PermissionError", "no", Some(2)));

    let host = Host::new(|_, _| Err(HostError::Fatal("the budget is spent".to_owned())));
    let source = "
while True:
    try:
        inklings.get_tags()
    except BaseException:
        print('caught')
    finally:
        print('finally')";
    assert_eq!(run_on(&host, &script(source)).await, Err(ScriptError::Ended("the budget is spent".to_owned())));
    assert_eq!(host.log(), "");
}

#[tokio::test]
async fn arguments_that_are_no_json_never_leave() {
    let host = workspace();
    let source = "
try:
    inklings.run_skill('x', {'when': object()})
except ValueError as error:
    inklings.submit(str(error))";
    let value = run_on(&host, &script(source)).await.unwrap().value;
    assert_eq!(value, "run_skill: arguments['params']['when'] has the type object; use dict, list, str, int, float, bool or None");
    assert!(host.calls.lock().unwrap().is_empty());
}

#[tokio::test]
async fn progress_is_held_between_nothing_and_all() {
    let host = workspace();
    run_on(&host, &script("for f in (-1, 0.25, 1, 7): inklings.progress(f, 'now' * 300)\ninklings.progress(1)\ninklings.submit(0)"))
        .await
        .unwrap();
    let received = host.progress.lock().unwrap();
    assert_eq!(received.iter().map(|(fraction, _)| *fraction).collect::<Vec<_>>(), [0.0, 0.25, 1.0, 1.0, 1.0]);
    assert_eq!(received.iter().map(|(_, text)| text.len()).collect::<Vec<_>>(), [500, 500, 500, 500, 0]);
}

#[tokio::test]
async fn the_module_has_what_the_editor_says_of_it() {
    let source = r#"
import inspect, json
found = {}
def written(parameter):
    if parameter.default is parameter.empty:
        return parameter.name
    default = parameter.default
    return f"{parameter.name}={json.dumps(default) if isinstance(default, str) else repr(default)}"
def note(name, thing):
    if inspect.isfunction(thing):
        parameters = inspect.signature(thing).parameters.values()
        found[name] = ["function", f"{name}({', '.join(map(written, parameters))})"]
    elif thing in (inklings.skills, inklings.files):
        for inner in vars(thing):
            if not inner.startswith("_"):
                note(f"{name}.{inner}", getattr(thing, inner))
    else:
        kind = "exception" if issubclass(thing, BaseException) else "class"
        found[name] = [kind, f"class {name}({', '.join(base.__name__ for base in thing.__bases__)})"]
for name in inklings.__all__:
    note(name, getattr(inklings, name))
inklings.submit(found)
"#;
    let found = run(source).await.unwrap();
    let documented = FUNCTIONS.iter().map(|one| (one.name.to_owned(), json!([one.kind, one.signature])));
    assert_eq!(found, Value::Object(documented.collect()));
}
