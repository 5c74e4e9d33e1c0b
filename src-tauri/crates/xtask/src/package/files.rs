//! What the command writes about itself: man pages and completions, where shells and `man` look for them.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};

use super::text;
use crate::process;

/// Shells, and where each finds the completions of a program.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "/usr/share/bash-completion/completions/inklings"),
    ("zsh", "/usr/share/zsh/vendor-completions/_inklings"),
    ("fish", "/usr/share/fish/vendor_completions.d/inklings.fish"),
];

/// Made by `inklings` in `staged`: where each file goes, and where it lies.
pub(super) fn made(inklings: &Path, staged: &Path) -> Result<Map<String, Value>> {
    let mut files = Map::new();
    for (shell, place) in COMPLETIONS {
        let output = Command::new(inklings).args(["completions", shell]).output().context("cannot start inklings")?;
        if !output.status.success() || output.stdout.is_empty() {
            bail!("inklings completions {shell} failed: {}", String::from_utf8_lossy(&output.stderr).trim());
        }
        let file = staged.join(format!("inklings.{shell}"));
        fs::write(&file, output.stdout).with_context(|| format!("cannot write {}", file.display()))?;
        files.insert(place.to_owned(), text(&file));
    }
    let pages = staged.join("man");
    fs::create_dir_all(&pages).with_context(|| format!("cannot make {}", pages.display()))?;
    process::check(Command::new(inklings).args(["dev", "man"]).arg(&pages), "inklings dev man")?;
    for entry in fs::read_dir(&pages).with_context(|| format!("cannot list {}", pages.display()))?.flatten() {
        let page = entry.path();
        // Without name and time in it, so that the same page gives the same bytes.
        process::check(Command::new("gzip").args(["-9", "--no-name"]).arg(&page), "gzip")?;
        let name = entry.file_name().to_string_lossy().into_owned();
        files.insert(format!("/usr/share/man/man1/{name}.gz"), text(&pages.join(format!("{name}.gz"))));
    }
    Ok(files)
}
