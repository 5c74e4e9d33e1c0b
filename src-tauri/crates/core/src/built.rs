//! Where a source tree keeps what was built beside a program: machine code, other programs.

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::{env, io};

/// For everyone, and for the members of the file's group.
const OTHERS_WRITE: u32 = 0o002;
const GROUP_WRITES: u32 = 0o020;

/// The file at `below`, such as `sandbox/python.cwasm`, in the nearest folder above this program that has it. An installed app has it
/// elsewhere.
///
/// What is found is run as it is, so only such folders are looked into that nobody can write who couldn't as well change this program:
/// a program that was unpacked below `/tmp` doesn't take what somebody else has laid there.
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
        // The folders between may have been opened to others.
        let between = || file.ancestors().take_while(|place| *place != folder);
        if file.is_file() && between().map(fs::metadata).all(|place| place.is_ok_and(|place| is_as_safe(&place, &own))) {
            return Ok(Some(file));
        }
    }
    Ok(None)
}

/// Whether nobody writes there but who owns the program, or its group where that may write too.
fn is_as_safe(place: &Metadata, program: &Metadata) -> bool {
    let mode = place.mode();
    place.uid() == program.uid() && mode & OTHERS_WRITE == 0 && (mode & GROUP_WRITES == 0 || place.gid() == program.gid())
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
        for (path, usual) in [("mine", 0o755), ("mine/debug", 0o755), ("mine/sandbox", 0o755), ("mine/sandbox/python.cwasm", 0o644)] {
            open(path, 0o777);
            assert_eq!(found(), None, "{path}");
            open(path, usual);
        }
        // As where programs are unpacked side by side, one of them below `/tmp`.
        fs::rename(top.path().join("mine/sandbox"), top.path().join("sandbox")).unwrap();
        assert!(found().is_some());
        open("", 0o1777);
        assert_eq!(found(), None);
        open("", 0o700);
    }
}
