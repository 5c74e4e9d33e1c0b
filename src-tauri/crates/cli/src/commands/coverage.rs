//! Tests that every operation has a command, or a reason for having none. A source file of the command must call the operation by
//! its type.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use inklings_app::REGISTRY;

const WITHOUT_COMMAND: &[(&str, &str)] = &[
    ("catalog/create", "for programs; people use `skill`, `file`, `import` and `export`"),
    ("catalog/dependencies", "for programs; people use `skill`, `file`, `import` and `export`"),
    ("catalog/export_shared", "for programs; people use `skill`, `file`, `import` and `export`"),
    ("catalog/get", "for programs; people use `skill`, `file`, `import` and `export`"),
    ("catalog/health", "for programs; people use `skill`, `file`, `import` and `export`"),
    ("catalog/list", "for programs; people use `skill`, `file`, `import` and `export`"),
    ("catalog/load_shared", "for programs; people use `skill`, `file`, `import` and `export`"),
    ("catalog/maintain", "for programs; people use `skill`, `file`, `import` and `export`"),
    ("catalog/pack", "for programs; people use `skill`, `file`, `import` and `export`"),
    ("catalog/tree", "for programs; people use `skill`, `file`, `import` and `export`"),
    ("catalog/update", "for programs; people use `skill`, `file`, `import` and `export`"),
    ("chat/attach", "reads what is dropped on a window; `chat send --attach` reads its files itself"),
    ("check/file", "for text that is being typed; `skill check` is for what is stored"),
    ("check/folders", "`validate` calls the function behind it, which needs no account"),
    ("db/backup", "`db backup` calls the function behind it, which opens nothing else"),
    ("db/check", "`db check` calls the function behind it, which opens nothing else"),
    ("db/restore", "`db restore` calls the function behind it, which opens nothing else"),
    ("draft/save", "autosave of an open editor; `skill edit` saves"),
    ("library/keys", "selects rows of a list that is shown in parts"),
    ("library/seek", "jumps within a list that is shown in parts"),
    ("library/undo", "needs the steps that the same window has just done; `skill rollback` and `skill restore` undo for good"),
    ("log/read", "the log of this process; `diagnostics` prints the Studio's"),
    ("log/report", "writes a window's errors to the log"),
    ("path/complete", "shells complete paths"),
    ("path/status", "judges what is dropped on a window"),
    ("program/status", "`dspy status` starts the process first, since the command has none running"),
    ("resource/external", "for callers outside; `export` has the formats without instructions"),
    ("resource/get", "for other agents; `skill show` prints a skill"),
    ("resource/list", "for other agents; `skill list` prints all"),
    ("resource/read", "for other agents; `file show` prints a file"),
    ("search/status", "what the background of a window does; `search` waits for all vectors"),
    ("server/start", "`serve` serves until it is ended; this is the server of the window"),
    ("server/status", "the server of the window"),
    ("server/stop", "the server of the window"),
    ("skill/tree", "the sidebar's parts; `skill list` prints all"),
    ("symbol/at", "what stands under the cursor of an editor"),
    ("symbol/names", "completion in an editor"),
    ("symbol/language", "completion in an editor"),
    ("tool/create_skill", "for models; people use `skill`, `run`, `page` and `notes`"),
    ("tool/delete_skill", "for models; people use `skill`, `run`, `page` and `notes`"),
    ("tool/disable_skill", "for models; people use `skill`, `run`, `page` and `notes`"),
    ("tool/edit_system_prompt", "for models; people use `skill`, `run`, `page` and `notes`"),
    ("tool/enable_skill", "for models; people use `skill`, `run`, `page` and `notes`"),
    ("tool/execute_plugin_script", "for models; people use `skill`, `run`, `page` and `notes`"),
    ("tool/get_page", "for models; people use `skill`, `run`, `page` and `notes`"),
    ("tool/list_skills", "for models; people use `skill`, `run`, `page` and `notes`"),
    ("tool/load_instructions", "for models; people use `skill`, `run`, `page` and `notes`"),
    ("tool/load_skill", "for models; people use `skill`, `run`, `page` and `notes`"),
    ("tool/propose_skill", "for models; people use `skill`, `run`, `page` and `notes`"),
    ("tool/read_skill", "for models; people use `skill`, `run`, `page` and `notes`"),
    ("tool/run_skill", "for models; people use `skill`, `run`, `page` and `notes`"),
    ("tool/skill_read", "for models; people use `skill`, `run`, `page` and `notes`"),
    ("tool/skill_write", "for models; people use `skill`, `run`, `page` and `notes`"),
    ("tool/update_skill", "for models; people use `skill`, `run`, `page` and `notes`"),
    ("tool/view_skill_artifact", "for models; people use `skill`, `run`, `page` and `notes`"),
    ("tool/workspace_search", "for models; people use `skill`, `run`, `page` and `notes`"),
    ("workspace/open", "`--workspace` opens a folder for one command; `studio FOLDER` opens it in the window"),
];

#[test]
fn every_operation_has_a_command_or_a_reason() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let types = operation_types(&crates.join("app/src/features"));
    let sources: Vec<String> = files(&crates.join("cli/src")).iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    let is_called = |(module, name): &(String, String)| {
        let calls = ["call", "call_with_progress", "follow", "run_to_end"].map(|function| format!("{function}::<{name}>("));
        sources.iter().any(|source| source.contains(&format!("features::{module}::")) && calls.iter().any(|call| source.contains(call)))
    };
    let reasons: BTreeMap<_, _> = WITHOUT_COMMAND.iter().copied().collect();
    for entry in REGISTRY.operations() {
        let implementation = types.get(entry.name).unwrap_or_else(|| panic!("no source has {}", entry.name));
        match (is_called(implementation), reasons.get(entry.name)) {
            (false, None) => panic!("{} has no command: add one, or say here why it needs none", entry.name),
            (true, Some(_)) => panic!("{} has a command now: take it off this list", entry.name),
            _ => {}
        }
    }
    for name in reasons.keys() {
        assert!(REGISTRY.operations().any(|entry| entry.name == *name), "{name} is no operation any more");
    }
}

/// The module and the type of each operation, by its name.
fn operation_types(folder: &Path) -> BTreeMap<String, (String, String)> {
    let mut types = BTreeMap::new();
    for file in files(folder) {
        let source = fs::read_to_string(&file).unwrap();
        let module = file.strip_prefix(folder).unwrap().components().next().unwrap();
        let module = Path::new(&module).file_stem().unwrap().to_str().unwrap().to_owned();
        for line in source.lines() {
            let Some((name, rest)) = line.trim().split_once(" = \"") else { continue };
            let operation = rest.split('"').next().filter(|operation| operation.contains('/'));
            if let Some(operation) = operation.filter(|_| name.chars().all(char::is_alphanumeric)) {
                types.insert(operation.to_owned(), (module.clone(), name.to_owned()));
            }
        }
    }
    types
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("coverage.rs") {
            found.push(path);
        }
    }
    found
}
