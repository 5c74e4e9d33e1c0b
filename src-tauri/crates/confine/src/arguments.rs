//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use nix::unistd::Pid;

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Arguments {
    /// The program is killed when this process ends.
    pub(crate) parent: Option<Pid>,
    /// Paths that the program may read and execute, besides the system's libraries.
    pub(crate) allowed: Vec<PathBuf>,
    pub(crate) program: PathBuf,
    pub(crate) args: Vec<OsString>,
}

impl Arguments {
    /// Parses the arguments after the program's own name.
    pub(crate) fn read(mut words: impl Iterator<Item = OsString>) -> Result<Self, &'static str> {
        let (mut parent, mut allowed) = (None, Vec::new());
        loop {
            let word = words.next().ok_or("missing program")?;
            match word.to_str() {
                Some("--parent") => {
                    let id = words.next().and_then(|id| id.to_str()?.parse().ok()).filter(|id| *id > 0);
                    parent = Some(Pid::from_raw(id.ok_or("--parent requires a process id")?));
                }
                Some("--allow") => allowed.push(words.next().ok_or("--allow requires a path")?.into()),
                Some("--") => break,
                _ => return Err("missing -- before the program"),
            }
        }
        let program = words.next().ok_or("missing program")?.into();
        Ok(Self { parent, allowed, program, args: words.collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Arguments, &'static str> {
        Arguments::read(line.split_whitespace().map(OsString::from))
    }

    #[test]
    fn what_follows_the_dashes_is_the_programs() {
        let read = read("--allow /a --parent 7 --allow /b -- /p --allow x --").unwrap();
        assert_eq!((read.parent, read.allowed), (Some(Pid::from_raw(7)), vec!["/a".into(), "/b".into()]));
        assert_eq!((read.program, read.args), ("/p".into(), vec!["--allow".into(), "x".into(), "--".into()]));
    }

    #[test]
    fn anything_else_is_refused() {
        for bad in
            ["", "/p", "--allow", "--allow /a", "--allow /a --", "--parent -- /p", "--parent 0 -- /p", "--parent -1 -- /p", "--x -- /p"]
        {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
