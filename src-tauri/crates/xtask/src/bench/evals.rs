//! Eval runs beside promptfoo's, with the same cases and model server.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::paths::Paths;
use crate::setup;
use crate::test;

fn folder(paths: &Paths) -> PathBuf {
    paths.root.join("tests/bench/promptfoo")
}

/// Installs promptfoo.
pub(crate) fn ensure(paths: &Paths) -> Result<()> {
    setup::npm::ensure(paths, &folder(paths))
}

/// Times in nanoseconds and peak memory in bytes by benchmark id. Fails if a verdict differs.
pub(crate) fn measure(paths: &Paths) -> Result<BTreeMap<String, f64>> {
    // Any Python would do, since the script needs no packages.
    let mut compare = Command::new(test::reference_python(paths)?);
    compare.arg("-B").arg(folder(paths).join("compare.py"));
    compare.args(["inklings", "scripted-model"].map(|program| paths.measured(program)));
    let output = compare.stdin(Stdio::null()).stderr(Stdio::inherit()).output().context("can't start Python")?;
    if !output.status.success() {
        bail!("the comparison with promptfoo failed ({})", output.status);
    }
    serde_json::from_slice(&output.stdout).context("compare.py printed no measurements")
}
