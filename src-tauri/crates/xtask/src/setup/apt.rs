//! System packages of Debian and Ubuntu.

use std::env;
use std::io::{self, BufRead, IsTerminal, Write};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::Purpose;
use crate::process;

/// For compiling and opening the window, and for building the Python sandbox.
const BUILD: &[&str] =
    &["python3-venv", "pkg-config", "libwebkit2gtk-4.1-dev", "librsvg2-dev", "libssl-dev", "libxdo-dev", "libayatana-appindicator3-dev"];
/// For tests and benchmarks that serve a registry.
const CHECK: &[&str] = &["nginx"];
/// For window tests without a display, and for a test with a full disk.
const WINDOW: &[&str] = &["webkit2gtk-driver", "xvfb", "xauth", "dbus", "dbus-x11", "at-spi2-core", "fonts-dejavu-core", "bubblewrap"];

/// Sends requests to measure servers.
const BENCH: &[&str] = &["wrk"];
/// For creating a minimal system and testing the package in it.
const PACKAGE: &[&str] = &["debootstrap", "dpkg-dev"];

/// The packages that `purpose` requires.
pub(crate) fn wanted(purpose: Purpose) -> Vec<&'static str> {
    let check = if purpose >= Purpose::Check { CHECK } else { &[] };
    let window = if purpose >= Purpose::Window { WINDOW } else { &[] };
    let bench = if purpose >= Purpose::Bench { BENCH } else { &[] };
    let package = if purpose >= Purpose::Package { PACKAGE } else { &[] };
    BUILD.iter().chain(check).chain(window).chain(bench).chain(package).copied().collect()
}

/// The packages that aren't installed.
pub(crate) fn missing(purpose: Purpose) -> Result<Vec<&'static str>> {
    let wanted = wanted(purpose);
    let output = Command::new("dpkg-query")
        .args(["--show", "--showformat", "${db:Status-Status} ${binary:Package}\\n"])
        .args(&wanted)
        .stdin(Stdio::null())
        .output()
        .with_context(|| {
            let list = wanted.join(" ");
            format!("apt not found; on systems other than Debian and Ubuntu, install the equivalents of: {list}")
        })?;
    Ok(difference(&wanted, &String::from_utf8_lossy(&output.stdout)))
}

/// The packages of `wanted` that `dpkg-query` doesn't report as installed.
fn difference(wanted: &[&'static str], listing: &str) -> Vec<&'static str> {
    let installed: Vec<&str> = listing
        .lines()
        .filter_map(|line| line.strip_prefix("installed "))
        // Packages with several architectures are listed as `name:amd64`.
        .map(|name| name.split(':').next().unwrap_or(name))
        .collect();
    wanted.iter().copied().filter(|name| !installed.contains(name)).collect()
}

/// The command for a user.
pub(crate) fn command_line(packages: &[&str]) -> String {
    let sudo = if is_root() { "" } else { "sudo " };
    format!("{sudo}apt-get install -y {}", packages.join(" "))
}

/// Installs what is missing: immediately as root or in CI, after confirmation on a terminal.
pub(crate) fn ensure(purpose: Purpose) -> Result<()> {
    let packages = missing(purpose)?;
    if packages.is_empty() {
        return Ok(());
    }
    let line = command_line(&packages);
    match consent(in_ci(), is_root(), io::stdin().is_terminal()) {
        Consent::Given => {}
        Consent::Ask => {
            print!("System packages are missing. Run `{line}`? [Y/n] ");
            io::stdout().flush()?;
            let mut answer = String::new();
            io::stdin().lock().read_line(&mut answer)?;
            if !matches!(answer.trim().to_lowercase().as_str(), "" | "y" | "yes") {
                bail!("system packages are missing; run {line}");
            }
        }
        Consent::Impossible => bail!("system packages are missing; run {line}"),
    }
    println!("installing {}", packages.join(" "));
    process::check(apt_get().args(["update", "--quiet=2"]), "apt-get update")?;
    process::check(
        apt_get().args(["install", "--yes", "--quiet=2", "--no-install-recommends", "-o", "Dpkg::Use-Pty=0"]).args(&packages),
        &line,
    )
}

fn apt_get() -> Command {
    let mut command = if is_root() { Command::new("apt-get") } else { Command::new("sudo") };
    if !is_root() {
        command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get"]);
    }
    command.env("DEBIAN_FRONTEND", "noninteractive");
    command
}

#[derive(Debug, PartialEq, Eq)]
enum Consent {
    Given,
    Ask,
    Impossible,
}

fn consent(ci: bool, root: bool, terminal: bool) -> Consent {
    match (ci, root, terminal) {
        (true, ..) | (false, true, false) => Consent::Given,
        (false, _, true) => Consent::Ask,
        (false, false, false) => Consent::Impossible,
    }
}

fn in_ci() -> bool {
    env::var("CI").is_ok_and(|value| !matches!(value.as_str(), "" | "0" | "false"))
}

fn is_root() -> bool {
    process::first_line("id", &["-u"]).as_deref() == Some("0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_fully_installed_counts() {
        let listing = "installed xvfb\ninstalled libssl-dev:amd64\nconfig-files dbus\nnot-installed xauth\n";
        assert_eq!(difference(&["xvfb", "libssl-dev", "dbus", "xauth", "dbus-x11"], listing), ["dbus", "xauth", "dbus-x11"]);
        assert_eq!(difference(&["xvfb"], listing), [""; 0]);
    }

    #[test]
    fn a_name_that_begins_like_an_installed_one_is_still_missing() {
        assert_eq!(difference(&["dbus"], "installed dbus-x11\n"), ["dbus"]);
    }

    #[test]
    fn each_purpose_includes_the_smaller_ones() {
        assert!(!wanted(Purpose::Run).contains(&"xvfb"));
        assert!(wanted(Purpose::Run).iter().all(|name| wanted(Purpose::Window).contains(name)));
    }

    #[test]
    fn people_are_asked_and_machines_are_not() {
        assert_eq!(consent(true, false, false), Consent::Given);
        assert_eq!(consent(false, true, false), Consent::Given);
        assert_eq!(consent(false, true, true), Consent::Ask);
        assert_eq!(consent(false, false, true), Consent::Ask);
        assert_eq!(consent(false, false, false), Consent::Impossible);
    }
}
