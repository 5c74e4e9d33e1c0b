//! Which crate may know which. Arrows point downwards only; a heavy or dangerous library has one home.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Our crates and which of ours each may name. A new crate gets a row.
const ARROWS: &[(&str, &[&str])] = &[
    ("core", &[]),
    ("sqlite", &["core"]),
    ("store", &["core", "sqlite"]),
    ("folder", &["core"]),
    ("prompt", &["core"]),
    ("lint", &["core", "evals", "folder", "prompt"]),
    ("symbols", &["core", "prompt"]),
    ("evals", &["core", "folder"]),
    ("models", &["core"]),
    ("runtime", &["core", "lint", "prompt"]),
    ("sandbox", &["core"]),
    ("search", &["core", "sqlite"]),
    ("confine", &[]),
    ("sidecar", &["core"]),
    ("testkit", &[]),
    ("workspace", &["core", "sqlite"]),
    ("git", &["core"]),
    ("links", &["core", "folder", "targets"]),
    ("registry", &["core", "folder"]),
    ("targets", &["core", "folder"]),
    ("clients", &[]),
    ("agent", &["core", "prompt"]),
    ("rpc", &["core", "folder", "runtime"]),
    (
        "app",
        &[
            "agent", "clients", "core", "evals", "folder", "git", "links", "lint", "prompt", "registry", "rpc", "runtime", "search",
            "symbols", "targets",
        ],
    ),
    (
        "engine",
        &[
            "app",
            "clients",
            "core",
            "folder",
            "lint",
            "models",
            "prompt",
            "rpc",
            "runtime",
            "sandbox",
            "search",
            "sidecar",
            "sqlite",
            "store",
            "links",
            "targets",
            "workspace",
        ],
    ),
    ("server", &["app", "core", "rpc"]),
    ("cli", &["app", "core", "engine", "git", "rpc", "server"]),
    ("studio", &["app", "core", "engine", "rpc", "server"]),
    ("xtask", &[]),
];

/// Libraries and the crates that alone may name them.
const HOMES: &[(&str, &[&str])] = &[
    ("tauri", &["studio"]),
    ("tauri-plugin-dialog", &["studio"]),
    ("tauri-plugin-shell", &["studio"]),
    ("rusqlite", &["search", "sqlite", "store", "workspace"]),
    ("rusqlite_migration", &["sqlite"]),
    ("axum", &["server", "testkit"]),
    ("rmcp", &["server"]),
    ("wasmtime", &["sandbox"]),
    ("wasmtime-wasi", &["sandbox"]),
    ("rten", &["search"]),
    ("rten-text", &["search"]),
    ("rig", &["models"]),
    ("keyring", &["models"]),
    ("age", &["models"]),
    ("hyper", &["testkit"]),
    ("reqwest", &["registry"]),
    ("ed25519-dalek", &["registry"]),
    ("minijinja", &["prompt"]),
    ("cap-std", &["folder", "links", "workspace"]),
    ("zip", &["folder"]),
    ("notify", &["links", "workspace"]),
    ("toml_edit", &["clients"]),
    ("tree-sitter", &["prompt"]),
    ("landlock", &["confine"]),
    ("seccompiler", &["confine"]),
    ("nix", &["confine"]),
];

/// The platform that is shipped; other platforms' libraries need not be on this machine.
const PLATFORM: &str = "x86_64-unknown-linux-gnu";

/// What core may not reach at all, through anyone.
const NOT_IN_CORE: &[&str] = &["tokio", "rusqlite", "tauri", "reqwest", "cap-std", "minijinja"];

fn metadata() -> Value {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--offline", "--filter-platform", PLATFORM, "--manifest-path"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../Cargo.toml"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Direct dependencies of each of our crates, development ones left out.
fn direct(metadata: &Value) -> BTreeMap<String, BTreeSet<String>> {
    let packages = metadata["packages"].as_array().unwrap().iter();
    let ours = packages.filter_map(|package| Some((package["name"].as_str()?.strip_prefix("inklings-")?, package)));
    let names = |package: &Value| {
        let all = package["dependencies"].as_array().unwrap().iter();
        all.filter(|one| one["kind"] != "dev").map(|one| one["name"].as_str().unwrap().to_owned()).collect()
    };
    ours.map(|(name, package)| (name.to_owned(), names(package))).collect()
}

#[test]
fn arrows_point_downwards() {
    let direct = direct(&metadata());
    let known: BTreeSet<_> = ARROWS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(direct.keys().cloned().collect::<BTreeSet<_>>(), known, "every crate has a row here, and every row a crate");
    for (name, allowed) in ARROWS {
        let ours = direct[*name].iter().filter_map(|dependency| dependency.strip_prefix("inklings-"));
        let strange: Vec<_> = ours.filter(|dependency| !allowed.contains(dependency)).collect();
        assert!(strange.is_empty(), "{name} may not know {strange:?}");
    }
}

#[test]
fn heavy_libraries_stay_in_their_homes() {
    for (name, dependencies) in direct(&metadata()) {
        for (library, homes) in HOMES {
            assert!(!dependencies.contains(*library) || homes.contains(&name.as_str()), "{library} belongs to {homes:?}, not to {name}");
        }
    }
}

#[test]
fn core_reaches_no_runtime_and_no_storage() {
    let metadata = metadata();
    let nodes: BTreeMap<&str, &Value> =
        metadata["resolve"]["nodes"].as_array().unwrap().iter().map(|node| (node["id"].as_str().unwrap(), node)).collect();
    let names: BTreeMap<&str, &str> =
        metadata["packages"].as_array().unwrap().iter().map(|one| (one["id"].as_str().unwrap(), one["name"].as_str().unwrap())).collect();
    let core = names.iter().find(|(_, name)| **name == "inklings-core").unwrap().0;
    let (mut reached, mut waiting) = (BTreeSet::new(), vec![*core]);
    while let Some(id) = waiting.pop() {
        for dependency in nodes[id]["deps"].as_array().unwrap() {
            let normal = dependency["dep_kinds"].as_array().unwrap().iter().any(|kind| kind["kind"].is_null());
            let target = dependency["pkg"].as_str().unwrap();
            if normal && reached.insert(names[target]) {
                waiting.push(target);
            }
        }
    }
    assert!(reached.contains("serde"), "the walk works");
    let bad: Vec<_> = NOT_IN_CORE.iter().filter(|name| reached.contains(**name)).collect();
    assert!(bad.is_empty(), "core reaches {bad:?}");
}

/// Blocks of unsafe code in the product; each has its reason beside it and is counted here.
const UNSAFE_BLOCKS: usize = 1;

#[test]
fn unsafe_code_is_counted() {
    let (mut found, mut waiting) = (Vec::new(), vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")]);
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("target") && !path.ends_with("gen") {
                waiting.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                let word = ["unsafe", " {"].concat();
                found
                    .extend(text.lines().filter(|line| line.contains(&word) && !line.trim_start().starts_with("//")).map(|_| path.clone()));
            }
        }
    }
    assert_eq!(found.len(), UNSAFE_BLOCKS, "{found:?}");
}
