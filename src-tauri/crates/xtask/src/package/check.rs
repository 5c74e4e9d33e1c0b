//! Tests the installed package in a system with only its dependencies, without network, as an
//! ordinary user.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::root::{HOME, Root, succeeded};
use super::screen::Screen;
use crate::bench;
use crate::paths::Paths;
use crate::process;

const NAME: &str = "inklings-studio";
/// Where the machine's files are bound in the minimal system.
const BROUGHT: &str = "/mnt";
/// An empty window has one or two colors, and text in a window has hundreds.
const COLORS: usize = 64;
const DEADLINE: Duration = Duration::from_mins(2);

/// Runs all checks in order, up to the first failure, and compares sizes with budgets.
pub(super) fn run(paths: &Paths, package: &Path) -> Result<bool> {
    let model = scripted_model(paths)?;
    let root = Root::make(paths)?;
    let installed = install(&root, package)?;
    step("the script of a skill runs on the sample workspace", || script(&root))?;
    step("a DSPy module runs in its process", || module(&root, &model))?;
    step("the window opens and is painted", || window(&root))?;
    step("completions and the copyright file are there", || documents(&root))?;
    step("the manual page can be read", || manual(&root))?;
    step("removing it leaves nothing but the user's data", || remove(&root, &installed))?;
    let bytes = fs::metadata(package).with_context(|| format!("cannot read {}", package.display()))?.len();
    bench::sizes_of_package(paths, bytes, installed.bytes)
}

fn step(name: &str, check: impl FnOnce() -> Result<()>) -> Result<()> {
    let started = Instant::now();
    check().with_context(|| format!("checking that {name}"))?;
    println!("-- {name}: ok in {:.1} s", started.elapsed().as_secs_f64());
    Ok(())
}

/// The size of the installed files in bytes.
struct Installed {
    files: Vec<String>,
    bytes: u64,
}

fn install(root: &Root, package: &Path) -> Result<Installed> {
    let started = Instant::now();
    let to = root.place("/root/package.deb");
    // The folder belongs to root; with sudo it can't be written from here.
    succeeded(copy(package, &to), "copying the package")?;
    root.as_admin(
        "apt-get update --quiet=2 && apt-get install --yes --quiet=2 --no-install-recommends /root/package.deb && rm /root/package.deb",
    )?;
    let files = root.as_admin(&format!("dpkg-query --listfiles {NAME}"))?;
    let bytes = files.lines().filter_map(|file| fs::symlink_metadata(root.place(file)).ok()).filter(fs::Metadata::is_file);
    let installed = Installed { bytes: bytes.map(|about| about.len()).sum(), files: files.lines().map(str::to_owned).collect() };
    println!("-- installed with its dependencies: ok in {:.1} s", started.elapsed().as_secs_f64());
    Ok(installed)
}

fn copy(from: &Path, to: &Path) -> Command {
    let sudo = process::first_line("id", &["-u"]).as_deref() != Some("0");
    let mut command = Command::new(if sudo { "sudo" } else { "cp" });
    if sudo {
        command.arg("cp");
    }
    command.arg(from).arg(to);
    command
}

/// The scripted model server of the tests.
fn scripted_model(paths: &Paths) -> Result<PathBuf> {
    let mut build = process::cargo(paths);
    // With the selection of the tests, so that nothing is built twice.
    build.args(["build", "--workspace", "--bin", "scripted-model", "--test", "xtask"]).args(crate::process::FEATURES);
    process::check(&mut build, "cargo build of the scripted model")?;
    Ok(paths.built("scripted-model"))
}

/// A command line of the user, without a keychain; returns its standard output as JSON.
fn answer(root: &Root, binds: &[(&Path, &str)], script: &str) -> Result<Value> {
    let mut command = root.as_user(binds, &[("INKLINGS_KEYS", "file")]);
    command.arg(script);
    let said = succeeded(command, script)?;
    serde_json::from_str(&said).with_context(|| format!("no JSON: {said}"))
}

fn script(root: &Root) -> Result<()> {
    let found = answer(
        root,
        &[],
        "cp -r /usr/lib/inklings-studio/seed/workspace sample
         inklings --json --workspace sample run workspace-link-auditor",
    )?;
    let broken = found["value"]["broken_links"].as_array().map_or(0, Vec::len);
    if found["status"] != "ok" || broken == 0 {
        bail!("it found {broken} broken links: {found}");
    }
    Ok(())
}

fn module(root: &Root, model: &Path) -> Result<()> {
    let declared = json!({ "artifacts": [{ "path": "dspy/answer.json", "kind": "dspy_module", "name": "Answer", "ordinal": 1 }] });
    let said = "[[ ## color ## ]]\nblue\n\n[[ ## completed ## ]]";
    let steps = json!({ "steps": [{ "then": { "reply": { "text": said } }, "repeat": 0 }] });
    let script = format!(
        r#"mkdir -p colors/dspy
        printf -- '---\nname: colors\ndescription: Names colors.\n---\n\nName it.\n' > colors/SKILL.md
        echo '{{"template_id": "predict", "signature": "thing -> color"}}' > colors/dspy/answer.json
        echo '{declared}' > colors/skill.json
        mkfifo hold port
        {BROUGHT}/scripted-model --script '{steps}' < hold > port &
        exec 9> hold
        read -r said < port
        number=${{said//[^0-9]/}}
        inklings import colors >&2
        inklings model add local --kind openai-compatible --base-url "http://127.0.0.1:$number/v1" --model tiny >&2
        inklings --json run colors --param 'thing=the sea'"#
    );
    let brought = format!("{BROUGHT}/scripted-model");
    let found = answer(root, &[(model, &brought)], &script)?;
    let kinds: Vec<&str> = found["traces"].as_array().into_iter().flatten().filter_map(|row| row["artifact_kind"].as_str()).collect();
    // With the fallback prompt, it would be the last request.
    if found["value"]["color"] != "blue" || kinds.last() != Some(&"dspy_module") {
        bail!("it answered {found}");
    }
    Ok(())
}

fn window(root: &Root) -> Result<()> {
    let screen = Screen::start()?;
    let socket = screen.socket();
    let inside = socket.display().to_string();
    let display = screen.name();
    let environment =
        [("DISPLAY", display.as_str()), ("LIBGL_ALWAYS_SOFTWARE", "1"), ("WEBKIT_DISABLE_DMABUF_RENDERER", "1"), ("INKLINGS_KEYS", "file")];
    let mut command = root.as_user(&[(&socket, &inside)], &environment);
    let log = std::env::temp_dir().join(format!("inklings-window{}.log", std::process::id()));
    let output = fs::File::create(&log).with_context(|| format!("cannot write {}", log.display()))?;
    command.arg("exec inklings-studio").stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
    let mut studio = command.spawn().context("can't start the app")?;
    let painted = screen.painted(COLORS, DEADLINE, || match studio.try_wait()? {
        Some(status) => bail!("the Studio ended ({status})"),
        None => Ok(()),
    });
    // bwrap kills all processes that it started.
    studio.kill().context("can't end the app")?;
    studio.wait().context("can't end the app")?;
    let said = fs::read_to_string(&log).unwrap_or_default();
    let _ = fs::remove_file(&log);
    painted.map(drop).with_context(|| format!("the Studio said: {}", said.trim()))
}

fn documents(root: &Root) -> Result<()> {
    let mut command = root.as_user(&[], &[]);
    command.arg(
        ". /usr/share/bash-completion/completions/inklings
         complete -p inklings
         test -s /usr/share/zsh/vendor-completions/_inklings
         test -s /usr/share/fish/vendor_completions.d/inklings.fish
         for word in wasmtime CPython SQLite codemirror dspy 'Permission is hereby granted' 'PYTHON SOFTWARE FOUNDATION LICENSE'; do
           grep -q \"$word\" /usr/share/doc/inklings-studio/copyright || { echo \"the copyright file lacks $word\"; exit 1; }
         done",
    );
    succeeded(command, "completions and copyright").map(drop)
}

/// `man` is installed only now, since nothing of the package requires it.
fn manual(root: &Root) -> Result<()> {
    root.as_admin("apt-get install --yes --quiet=2 --no-install-recommends man-db")?;
    let mut command = root.as_user(&[], &[("MANPAGER", "cat"), ("MANWIDTH", "80")]);
    command.arg("man inklings");
    let page = succeeded(command, "man inklings")?;
    if !page.contains("SYNOPSIS") || !page.contains("validate") {
        bail!("man inklings shows: {page}");
    }
    Ok(())
}

fn remove(root: &Root, installed: &Installed) -> Result<()> {
    root.as_admin(&format!("apt-get purge --yes --quiet=2 {NAME}"))?;
    let left: Vec<&String> = installed.files.iter().filter(|file| !is_folder(&root.place(file)) && exists(&root.place(file))).collect();
    if !left.is_empty() {
        bail!("files left after removal: {left:?}");
    }
    let named = root.as_admin(&format!("find / -xdev -path /proc -prune -o -path {HOME} -prune -o -iname '*inklings*' -print"))?;
    let named: Vec<&str> = named.lines().filter(|path| !path.starts_with("/var/lib/apt") && !path.starts_with("/var/log")).collect();
    if !named.is_empty() {
        bail!("these stayed: {named:?}");
    }
    if !exists(&root.place(&format!("{HOME}/.inklings/agents.db"))) {
        bail!("the user's skills were deleted");
    }
    Ok(())
}

fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|about| about.is_dir())
}
