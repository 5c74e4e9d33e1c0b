//! Finds build artifacts of a source tree beside a program: machine code and other programs.

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::{env, io};

/// Mode bits: writable by everyone, by the group.
const OTHERS_WRITE: u32 = 0o002;
const GROUP_WRITES: u32 = 0o020;

/// The file at `below`, such as `sandbox/python.cwasm`, in the nearest ancestor folder of this program that contains it. Not for
/// installed apps.
///
/// The file will be executed, so a folder is searched only if whoever can write to it could also change this program. Otherwise a
/// program unpacked below `/tmp` would execute files that others put there.
#[must_use]
pub fn find(below: &str) -> Option<PathBuf> {
    above(&env::current_exe().ok()?, below).ok()?
}

fn above(program: &Path, below: &str) -> io::Result<Option<PathBuf>> {
    let own = fs::metadata(program)?;
    for folder in program.ancestors().skip(1) {
        if !is_as_safe(&fs::metadata(folder)?, &own) {
            return Ok(None);
        }
        let file = folder.join(below);
        // The folders in between may be writable by others.
        let between = || file.ancestors().take_while(|ancestor| *ancestor != folder);
        if file.is_file()
            && between().map(fs::metadata).all(|path_metadata| path_metadata.is_ok_and(|path_metadata| is_as_safe(&path_metadata, &own)))
        {
            return Ok(Some(file));
        }
    }
    Ok(None)
}

/// Whether only users who can write to the program can write to the path.
fn is_as_safe(path_metadata: &Metadata, program: &Metadata) -> bool {
    let mode = path_metadata.mode();
    path_metadata.uid() == program.uid() && mode & OTHERS_WRITE == 0 && (mode & GROUP_WRITES == 0 || path_metadata.gid() == program.gid())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn only_what_others_cannot_write_is_found() {
        let top = tempfile::tempdir().unwrap();
        let (program, code) = (top.path().join("mine/debug/deps/it"), top.path().join("mine/sandbox/python.cwasm"));
        let found = || above(&program, "sandbox/python.cwasm").unwrap();
        for file in [&program, &code] {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "x").unwrap();
        }
        let open = |path: &str, mode| fs::set_permissions(top.path().join(path), fs::Permissions::from_mode(mode)).unwrap();
        assert_eq!(found(), Some(code.clone()));
        for (path, mode) in [("mine", 0o755), ("mine/debug", 0o755), ("mine/sandbox", 0o755), ("mine/sandbox/python.cwasm", 0o644)] {
            open(path, 0o777);
            assert_eq!(found(), None, "{path}");
            open(path, mode);
        }
        // As where programs are unpacked side by side, one of them below `/tmp`.
        fs::rename(top.path().join("mine/sandbox"), top.path().join("sandbox")).unwrap();
        assert!(found().is_some());
        open("", 0o1777);
        assert_eq!(found(), None);
        open("", 0o700);
    }
}
