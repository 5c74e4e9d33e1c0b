//! Templates of prompts and scripts.
#![no_main]

use std::collections::HashMap;
use std::panic;
use std::process;
use std::sync::{LazyLock, Once};

use inklings_prompt::engine::OUTPUT_BYTES;
use inklings_prompt::{PromptEngine, Shape, Variable};
use libfuzzer_sys::fuzz_target;
use serde_json::{Map, Value, json};

static ENGINE: LazyLock<PromptEngine> = LazyLock::new(PromptEngine::new);
/// Occurs in no seed.
const NEW_NAME: &str = "renamed_1";

fuzz_target!(|bytes: &[u8]| {
    survive_caught_panics();
    if let Ok(template) = std::str::from_utf8(bytes) {
        check(template);
    }
});

fn check(template: &str) {
    let errors = ENGINE.check(template);
    inklings_fuzz::locates(&errors.iter().map(|error| error.to_diagnostic("prompts/fuzzed.j2")).collect::<Vec<_>>());
    let Ok(variables) = ENGINE.variables(template) else {
        assert!(!errors.is_empty(), "no variables, and yet no error");
        return;
    };
    for (name, span) in ENGINE.uses(template).expect("a template with variables") {
        assert_eq!(template.get(span.range), Some(&*name));
    }
    let values: HashMap<String, Value> = variables.iter().map(|variable| (variable.name.clone(), value_of(variable))).collect();
    let _ = ENGINE.render_script(template, &values);
    let Ok(text) = ENGINE.render_str(template, &values) else { return };
    assert!(text.len() <= OUTPUT_BYTES);
    for Variable { name, .. } in variables.iter().take(3) {
        // `debug()` prints all names.
        let Ok(Some(renamed)) = ENGINE.renamed(template, name, NEW_NAME) else { continue };
        if !template.contains("debug") && !values.contains_key(NEW_NAME) {
            let value = |key: &String| if key == name { NEW_NAME.to_owned() } else { key.clone() };
            let values = values.iter().map(|(key, one)| (value(key), one.clone())).collect();
            assert_eq!(ENGINE.render_str(&renamed, &values).as_deref(), Ok(&*text), "{name} renamed in:\n{template}");
        }
    }
}

/// A value of the shape that the template's uses of the variable suggest.
fn value_of(variable: &Variable) -> Value {
    let fields = || variable.fields.iter().map(|field| (field.clone(), json!("a word"))).collect::<Map<_, _>>();
    match variable.shape {
        Shape::Text => json!("some words"),
        Shape::List if variable.fields.is_empty() => json!(["one", "two"]),
        Shape::List => json!([fields(), fields()]),
        Shape::Object => fields().into(),
    }
}

/// The engine turns a panic of the template library into an error; the fuzzer would end at once.
fn survive_caught_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        panic::set_hook(Box::new(|panic| {
            if !panic.location().is_some_and(|location| location.file().contains("minijinja")) {
                eprintln!("{panic}");
                process::abort();
            }
        }));
    });
}
