//! The messages that tests of both languages parse must equal the output of our types.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use inklings_core::model::Completion;
use inklings_core::program::{Execution, Optimization, OptimizationResult, Prediction, ProgramManifest, Score};
use inklings_sidecar::protocol::{Complete, Hello, JobRef, Log, Progress, RpcError, ScoreRequest, ToolRequest, schema};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

fn again<T: DeserializeOwned + Serialize>(value: &Value) -> Value {
    serde_json::to_value(T::deserialize(value).unwrap()).unwrap()
}

#[test]
fn each_message_is_written_as_it_was_read() {
    let mut seen = BTreeSet::new();
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/contract/sidecar")).unwrap() {
        let path = entry.unwrap().path();
        let file: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let part = ["params", "result", "error"].iter().find_map(|part| file["message"].get(part)).unwrap();
        let Some(name) = file["type"].as_str() else { continue };
        let written = match name {
            "Complete" => again::<Complete>(part),
            "Completion" => again::<Completion>(part),
            "Execution" => again::<Execution>(part),
            "Hello" => again::<Hello>(part),
            "JobRef" => again::<JobRef>(part),
            "Log" => again::<Log>(part),
            "Optimization" => again::<Optimization>(part),
            "OptimizationResult" => again::<OptimizationResult>(part),
            "Prediction" => again::<Prediction>(part),
            "ProgramManifest" => again::<ProgramManifest>(part),
            "Progress" => again::<Progress>(part),
            "RpcError" => again::<RpcError>(part),
            "Score" => again::<Score>(part),
            "ScoreRequest" => again::<ScoreRequest>(part),
            "ToolRequest" => again::<ToolRequest>(part),
            other => panic!("{other} is no type of the protocol"),
        };
        assert_eq!(written, *part, "{}", path.display());
        seen.insert(name.to_owned());
    }
    let types = schema()["properties"]
        .as_object()
        .unwrap()
        .values()
        .map(|one| one["$ref"].as_str().unwrap().rsplit('/').next().unwrap().to_owned())
        .collect();
    assert_eq!(seen, types, "there is a message of each type");
}
