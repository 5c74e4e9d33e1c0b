//! Hostile states in the shipped process: each has the same effect as a clean one with the same instructions and demos.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use inklings_core::CancellationToken;
use inklings_core::model::Request;
use inklings_core::program::{Execution, ProgramRunner as _};
use inklings_sidecar::DspyProcess;
use serde_json::{Map, Value, json};

use crate::real::{asking, real, works};
use crate::support::{Host, completion};

/// The table of the process's own tests.
fn table() -> Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../sidecar/tests/hostile_states.json");
    expanded(&serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap())
}

/// Expands `{"repeat": "x", "times": 3}` to `"xxx"`; also for lists.
fn expanded(value: &Value) -> Value {
    let times = || value["times"].as_u64().and_then(|times| usize::try_from(times).ok()).unwrap();
    match value {
        Value::Array(items) => items.iter().map(expanded).collect(),
        Value::Object(members) if members.len() == 2 && members.contains_key("repeat") && members.contains_key("times") => {
            match expanded(&members["repeat"]) {
                Value::String(text) => Value::String(text.repeat(times())),
                Value::Array(items) => (0..times()).flat_map(|_| items.clone()).collect(),
                other => panic!("{other} can't be repeated"),
            }
        }
        Value::Object(members) => members.iter().map(|(key, item)| (key.clone(), expanded(item))).collect::<Map<_, _>>().into(),
        other => other.clone(),
    }
}

/// The requests to the model, and the diagnostics of the state.
async fn asked(process: &DspyProcess, signature: &str, state: Option<Value>) -> (Request, Vec<String>) {
    let mut job = Execution { state_blob: state, ..asking("predict") };
    signature.clone_into(&mut job.program.signature);
    job.params = Map::from_iter([("claims".to_owned(), json!(["It rains."])), ("n".to_owned(), json!(1))]);
    let host = Host::with_model(|_| Ok(completion("[[ ## answer ## ]]\nfine\n\n[[ ## kind ## ]]\na\n\n[[ ## completed ## ]]")));
    let prediction = process.execute(&job, &host, &CancellationToken::new()).await.unwrap();
    assert_eq!(Value::Object(prediction.outputs), json!({ "answer": "fine", "kind": "a" }));
    let mut asked = host.asked.into_inner().unwrap();
    assert_eq!(asked.len(), 1);
    (asked.remove(0), prediction.diagnostics)
}

#[tokio::test]
async fn nothing_but_instructions_and_demonstrations_comes_out_of_a_hostile_state() {
    let (process, table) = (real(), table());
    let signature = table["signature"].as_str().unwrap();
    let states = table["states"].as_object().unwrap();
    assert!(states.len() >= 80, "{}", states.len());
    let mut clean: HashMap<String, Request> = HashMap::new();
    for (name, about) in states {
        let (instructions, demos) = (&about["instructions"], &about["demos"]);
        let state =
            json!({ "template_id": "predict", "state": { "predict": { "signature": { "instructions": instructions }, "demos": demos } } });
        let key = state.to_string();
        if !clean.contains_key(&key) {
            let (request, said) = asked(&process, signature, Some(state)).await;
            assert_eq!(said, Vec::<String>::new(), "{name}: what should be left of it");
            clean.insert(key.clone(), request);
        }
        let (request, said) = asked(&process, signature, Some(about["blob"].clone())).await;
        assert!(!said.is_empty() && said.iter().all(|line| line.chars().count() < 300), "{name}: {said:?}");
        assert_eq!(request, clean[&key], "{name}");
    }
    // The rows differ in their remaining content, so the comparison is meaningful.
    assert!(clean.len() >= 5, "{}", clean.len());
    let (plain, _) = asked(&process, signature, None).await;
    assert!(clean.values().any(|request| *request == plain) && clean.values().any(|request| *request != plain));
    works(&process).await;
    assert_eq!(process.status().failures, 0);
}
