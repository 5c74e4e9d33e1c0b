//! Files of eval cases, and edits of them.
#![no_main]

use inklings_core::manifest::Evals;
use inklings_evals::cases::{Case, CaseEdit, CaseFile, from_csv, from_json_lines, read};
use libfuzzer_sys::fuzz_target;
use serde_json::json;

/// Edited per input.
const MAX_CASES: usize = 3;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for path in ["evals/fuzzed.yaml", "evals/fuzzed.json"] {
        check(path, text);
    }
    let _ = (from_csv(text), from_json_lines(text));
});

fn check(path: &str, text: &str) {
    let list = read(&Evals::default(), [(path, text)]);
    inklings_fuzz::locates(&list.diagnostics);
    let file = CaseFile { path, text: Some(text) };
    for Case { pointer, .. } in list.cases.iter().take(MAX_CASES) {
        let set = |value| CaseEdit::Set { pointer: pointer.clone(), key: "name".to_owned(), value };
        let edits = [
            (CaseEdit::Remove { pointer: pointer.clone() }, list.cases.len() - 1),
            (CaseEdit::Duplicate { pointer: pointer.clone() }, list.cases.len() + 1),
            (set(Some(json!("a: \"new\" #name"))), list.cases.len()),
            (set(None), list.cases.len()),
        ];
        for (edit, count) in edits {
            let Ok(Some(edited)) = file.edit(&edit) else { continue };
            let after = read(&Evals::default(), [(path, &*edited)]).cases;
            assert!(after.len() == count || !list.diagnostics.is_empty(), "{edit:?} of:\n{text}\nbecame:\n{edited}");
            if let CaseEdit::Set { value, .. } = &edit
                && list.diagnostics.is_empty()
            {
                let name = after.iter().find(|case| case.pointer == *pointer).and_then(|case| case.name.as_deref());
                assert_eq!(name, value.as_ref().and_then(|value| value.as_str()), "{edit:?} of:\n{text}\nbecame:\n{edited}");
            }
        }
    }
}
