//! A JSON Schema and a value for it, separated by a zero byte.
#![no_main]

use inklings_lint::json_schema::JsonSchema;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

const MAX_FAULTS: usize = 10;

fuzz_target!(|bytes: &[u8]| {
    let mut parts = bytes.splitn(2, |byte| *byte == 0);
    let mut json = || serde_json::from_slice::<Value>(parts.next()?).ok();
    let (Some(schema), Some(value)) = (json(), json()) else { return };
    let Ok(compiled) = JsonSchema::compile(&schema) else { return };
    let Ok(faults) = compiled.faults(&value, MAX_FAULTS) else { return };
    assert!(faults.len() <= MAX_FAULTS);
    for fault in faults {
        assert!(!fault.message.is_empty() && value.pointer(&fault.path).is_some(), "{fault:?}");
    }
});
