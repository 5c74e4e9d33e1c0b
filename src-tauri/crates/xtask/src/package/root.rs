//! A minimal Debian or Ubuntu system of the machine's release in a folder, which proves that a package's dependencies
//! are complete.
//!
//! Downloaded packages are cached; the system is created for each check and removed afterwards.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, Result, bail};

use crate::paths::Paths;
use crate::process;

/// The user of the installed package.
pub(super) const HOME: &str = "/home/tester";
const USER: &str = "1000";

/// A system in a folder.
pub(super) struct Root {
    folder: PathBuf,
    archives: PathBuf,
}

impl Root {
    /// Creates a system with a user and nothing else.
    pub(super) fn make(paths: &Paths) -> Result<Self> {
        let kept = paths.cache.join("bare");
        let archives = kept.join("archives");
        fs::create_dir_all(archives.join("partial")).with_context(|| format!("cannot make {}", archives.display()))?;
        let root = Self { folder: kept.join(format!("root{}", std::process::id())), archives };
        let suite = suite(&fs::read_to_string("/etc/os-release").context("cannot read /etc/os-release")?)?;
        let mut make = as_root("debootstrap");
        make.args(["--variant=minbase", &format!("--cache-dir={}", root.archives.display()), &suite]).arg(&root.folder);
        println!("-- a bare {suite}");
        let output = make.output().context("can't start debootstrap")?;
        if !output.status.success() {
            bail!("debootstrap failed: {}", tail(&output));
        }
        root.as_admin(&format!("useradd --create-home --home-dir {HOME} --uid {USER} --shell /bin/bash tester"))?;
        Ok(root)
    }

    /// A command that runs as root, with network access.
    pub(super) fn as_admin(&self, script: &str) -> Result<String> {
        let mut command = self.enter(&[]);
        // Uses the machine's name resolution.
        command.args(["--ro-bind", "/etc/resolv.conf", "/etc/resolv.conf"]);
        command.arg("--bind").arg(&self.archives).arg("/var/cache/apt/archives");
        command.args(["--setenv", "DEBIAN_FRONTEND", "noninteractive", "sh", "-euc", script]);
        succeeded(command, script)
    }

    /// A command that runs as the user, with an isolated network. `binds` are pairs of a path on the machine and its path in the system.
    pub(super) fn as_user(&self, binds: &[(&Path, &str)], environment: &[(&str, &str)]) -> Command {
        let mut command = self.enter(binds);
        command.args(["--unshare-net", "--chdir", HOME, "--setenv", "HOME", HOME, "--setenv", "LANG", "C.UTF-8"]);
        for (name, value) in environment {
            command.args(["--setenv", name, value]);
        }
        command.args(["setpriv", "--reuid", USER, "--regid", USER, "--clear-groups", "bash", "-euo", "pipefail", "-c"]);
        command
    }

    /// A path of the system, as the machine sees it.
    pub(super) fn place(&self, path: &str) -> PathBuf {
        self.folder.join(path.trim_start_matches('/'))
    }

    fn enter(&self, binds: &[(&Path, &str)]) -> Command {
        let mut command = as_root("bwrap");
        command
            .arg("--bind")
            .arg(&self.folder)
            .args(["/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/run", "--perms", "1777", "--tmpfs", "/tmp"]);
        // The first X server would create it for root only.
        command.args(["--perms", "1777", "--dir", "/tmp/.X11-unix"]);
        for (from, to) in binds {
            command.arg("--bind").arg(from).arg(to);
        }
        command.args(["--unshare-pid", "--die-with-parent", "--new-session", "--cap-add", "ALL", "--clearenv"]);
        command.args(["--setenv", "PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]);
        command
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        // It contains files of another user. Leftovers don't matter.
        let _ = as_root("rm").args(["-rf", "--one-file-system", "--"]).arg(&self.folder).status();
    }
}

/// The output of a command; an error if it failed.
pub(super) fn succeeded(mut command: Command, what: &str) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot start {}", command.get_program().to_string_lossy()))?;
    if !output.status.success() {
        bail!("{what}: {}", tail(&output));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn tail(output: &Output) -> String {
    const LINES: usize = 30;
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(LINES)..].join("\n")
}

fn as_root(program: &str) -> Command {
    if process::first_line("id", &["-u"]).as_deref() == Some("0") {
        return Command::new(program);
    }
    let mut command = Command::new("sudo");
    command.arg(program);
    command
}

/// The code name from `/etc/os-release`. Debootstrap knows the mirrors of each release.
fn suite(text: &str) -> Result<String> {
    let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('=')).map(|value| value.trim_matches('"'));
    match value("ID") {
        Some("debian" | "ubuntu") => {}
        other => bail!("--check requires Debian or Ubuntu, this is {}", other.unwrap_or("unknown")),
    }
    value("VERSION_CODENAME").filter(|name| !name.is_empty()).map(str::to_owned).context("/etc/os-release has no VERSION_CODENAME")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machines_own_release_is_made() {
        let debian = "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nVERSION_CODENAME=bookworm\nID=debian\n";
        assert_eq!(suite(debian).unwrap(), "bookworm");
        let ubuntu = "ID=ubuntu\nID_LIKE=debian\nVERSION_CODENAME=\"noble\"\n";
        assert_eq!(suite(ubuntu).unwrap(), "noble");
        assert!(suite("ID=fedora\nVERSION_CODENAME=f43\n").is_err());
        assert!(suite("ID=debian\nVERSION_CODENAME=\"\"\n").is_err());
    }
}
