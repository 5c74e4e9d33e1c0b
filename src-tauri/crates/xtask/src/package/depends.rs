//! The system packages that the programs depend on, determined from their linked libraries by `dpkg-shlibdeps`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// Not linked: the CA certificates for connections to model servers. Without them no HTTP client can be created,
/// not even for a server on the same machine.
const UNLINKED: [&str; 1] = ["ca-certificates"];

/// The packages with minimum versions that `programs` and the frozen process require, except for libraries in the frozen folder.
pub(super) fn depends(programs: &[PathBuf], frozen: &Path, work: &Path) -> Result<Vec<String>> {
    let folder = work.join("debian");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    // It only reads package names from here.
    fs::write(folder.join("control"), "Source: inklings-studio\n\nPackage: inklings-studio\nArchitecture: amd64\n")
        .with_context(|| format!("cannot write {}", folder.display()))?;
    let mut command = Command::new("dpkg-shlibdeps");
    command.current_dir(work).args(["-O", "--ignore-missing-info"]);
    let private = frozen.join("_internal");
    command.arg(format!("-l{}", private.display()));
    for program in programs {
        command.arg("-e").arg(program);
    }
    for file in binaries(frozen)? {
        command.arg("-e").arg(file);
    }
    let output = command.output().context("can't start dpkg-shlibdeps")?;
    if !output.status.success() {
        bail!("dpkg-shlibdeps failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    parse(&String::from_utf8_lossy(&output.stdout))
}

/// The ELF files in a folder.
fn binaries(folder: &Path) -> Result<Vec<PathBuf>> {
    const ELF: &[u8] = b"\x7fELF";
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(binaries(&path)?);
        } else if fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?.starts_with(ELF) {
            found.push(path);
        }
    }
    Ok(found)
}

/// `shlibs:Depends=libc6 (>= 2.36), libgtk-3-0 (>= 3.21.4)`.
fn parse(said: &str) -> Result<Vec<String>> {
    let list = said.lines().find_map(|line| line.strip_prefix("shlibs:Depends=")).context("dpkg-shlibdeps found no package")?;
    Ok(list.split(", ").chain(UNLINKED).map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_keep_their_least_versions() {
        assert_eq!(
            parse("shlibs:Depends=libc6 (>= 2.36), libgtk-3-0 (>= 3.21.4)\n").unwrap(),
            ["libc6 (>= 2.36)", "libgtk-3-0 (>= 3.21.4)", "ca-certificates"]
        );
        assert!(parse("").is_err());
    }

    #[test]
    fn programs_are_recognized_by_their_first_bytes() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("deep")).unwrap();
        for (name, body) in [("a", "\u{7f}ELF..."), ("deep/b.so", "\u{7f}ELF..."), ("c.so", "text")] {
            fs::write(folder.path().join(name), body).unwrap();
        }
        let mut found = binaries(folder.path()).unwrap();
        found.sort();
        assert_eq!(found, [folder.path().join("a"), folder.path().join("deep/b.so")]);
    }
}
