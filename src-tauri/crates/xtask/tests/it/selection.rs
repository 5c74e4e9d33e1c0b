//! `cargo xtask run` builds a subset of what the tests build, so that the first test run rebuilds no dependencies.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use sha2::{Digest, Sha256};

/// All units that cargo would build, with everything that distinguishes them.
fn units(selection: &[&str]) -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let target = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO"))
        .current_dir(root)
        .args(["build", "--workspace", "--features", "inklings-studio/custom-protocol", "--offline"])
        .args(selection)
        .args(["--unit-graph", "-Z", "unstable-options"])
        // Only the unit graph shows this, which requires the nightly channel.
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_TARGET_DIR", target.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let graph: Value = serde_json::from_slice(&output.stdout).unwrap();
    let units = graph["units"].as_array().unwrap();
    let own: Vec<String> = units
        .iter()
        .map(|unit| ["pkg_id", "target", "mode", "profile", "features", "platform"].map(|key| unit[key].to_string()).concat())
        .collect();
    let mut whole = vec![None; units.len()];
    (0..units.len()).map(|at| closure(at, units, &own, &mut whole)).collect()
}

/// A hash of a unit with all of its inputs.
fn closure(at: usize, units: &[Value], own: &[String], whole: &mut Vec<Option<String>>) -> String {
    if let Some(known) = &whole[at] {
        return known.clone();
    }
    let below = units[at]["dependencies"].as_array().unwrap();
    let mut parts: Vec<String> =
        below.iter().map(|one| closure(usize::try_from(one["index"].as_u64().unwrap()).unwrap(), units, own, whole)).collect();
    parts.sort();
    let hash = format!("{} {:x}", units[at]["pkg_id"], Sha256::digest(format!("{}{}", own[at], parts.concat())));
    whole[at] = Some(hash.clone());
    hash
}

#[test]
fn the_tests_use_everything_that_a_run_built() {
    let run = units(&["--bin", "inklings-studio", "--bin", "inklings", "--bin", "inklings-confine", "--test", "xtask"]);
    let test = units(&["--all-targets"]);
    let again: Vec<&String> = run.difference(&test).collect();
    assert!(again.is_empty(), "{again:#?}");
    assert!(run.len() < test.len());
}
