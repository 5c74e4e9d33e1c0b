//! `inklings serve` under load, beside a bare handler, and beside another MCP server for skills.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::paths::Paths;
use crate::setup;

/// What is read, by the name of its benchmarks.
const ADDRESSES: [&str; 4] = [
    "skill=/api/skills/skill-05000",
    "page=/api/skills?limit=100&cursor=skill-05000",
    "file=/api/skills/skill-05000/files/SKILL.md",
    // Another each time, which is in no cache.
    "any_skill=/api/skills/skill-NUMBER",
];

/// Times in nanoseconds by benchmark id. Fails if a request fails or answers differ.
pub(crate) fn measure(paths: &Paths) -> Result<BTreeMap<String, f64>> {
    let folder = paths.root.join("tests/bench/serve");
    let python = setup::python::environment(paths, &folder.join("requirements.txt"), (3, 12))?;
    let [inklings, bare] = ["inklings", "bare-server"].map(|program| paths.measured(program));
    let mut load = Command::new(&python);
    load.arg("-B").arg(folder.join("load.py")).arg(&inklings).arg(bare).args(ADDRESSES);
    let mut resources = Command::new(python);
    resources.arg("-B").arg(folder.join("resources.py")).arg(inklings);
    let mut measured = printed(load)?;
    measured.extend(printed(resources)?);
    Ok(measured)
}

fn printed(mut script: Command) -> Result<BTreeMap<String, f64>> {
    let output = script.stdin(Stdio::null()).stderr(Stdio::inherit()).output().context("can't start Python")?;
    if !output.status.success() {
        bail!("{script:?} failed ({})", output.status);
    }
    serde_json::from_slice(&output.stdout).with_context(|| format!("{script:?} printed no measurements"))
}
