//! `inklings-confine [--parent PID] [--allow PATH]... -- PROGRAM [ARGUMENT]...`: becomes PROGRAM after it gave up nearly everything.
//!
//! What is left: reading the system's libraries and each PATH (with what is below it), executing from there, threads, the three
//! standard streams. Gone are sockets, other files, writing, new processes, other processes, the environment. With `--parent` the
//! program dies when the process PID does, which must be the one that starts it. Linux only, without a configuration: to allow
//! more, add a row to [`calls`] or [`files`] with a test. Deliberately absent: what the program is.

mod arguments;
mod calls;
mod files;

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, ExitCode};

use nix::errno::Errno;
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::{prctl, signal::Signal};
use nix::unistd;

use self::arguments::Arguments;

/// All of the program's environment.
const ENVIRONMENT: [(&str, &str); 1] = [("LANG", "C.UTF-8")];

/// What the program may use. Memory is what it can write to; reserved address space doesn't count, of which threads take a lot.
const LIMITS: [(Resource, u64); 4] = [
    (Resource::RLIMIT_CORE, 0),
    (Resource::RLIMIT_FSIZE, 0),
    (Resource::RLIMIT_NOFILE, 256),
    (Resource::RLIMIT_DATA, 2 * 1024 * 1024 * 1024),
];

/// Why the program was not started.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error("{0}; usage: inklings-confine [--parent PID] [--allow PATH]... -- PROGRAM [ARGUMENT]...")]
    Usage(&'static str),
    #[error("the process that this was started for is gone")]
    Orphan,
    #[error("cannot {0}: {1}")]
    System(&'static str, #[source] io::Error),
    #[error("cannot close inherited files: {0}")]
    Inherited(#[source] io::Error),
    #[error("cannot limit files: {0}")]
    Files(#[from] landlock::RulesetError),
    #[error("cannot limit system calls: {0}")]
    Calls(#[from] seccompiler::Error),
    #[error("cannot execute {0}: {1}")]
    Execute(String, #[source] io::Error),
}

fn main() -> ExitCode {
    let Err(refused) = run();
    say(&refused);
    ExitCode::from(126)
}

/// Comes back only with a failure.
fn run() -> Result<std::convert::Infallible, Refused> {
    let arguments = Arguments::read(std::env::args_os().skip(1)).map_err(Refused::Usage)?;
    if let Some(parent) = arguments.parent {
        prctl::set_pdeathsig(Signal::SIGKILL).map_err(|why| Refused::System("follow the parent", why.into()))?;
        // It may have died before the line above.
        if unistd::getppid() != parent {
            return Err(Refused::Orphan);
        }
    }
    match unistd::setsid() {
        // It leads a group already.
        Ok(_) | Err(Errno::EPERM) => {}
        Err(why) => return Err(Refused::System("leave the terminal", why.into())),
    }
    close_inherited().map_err(Refused::Inherited)?;
    for (resource, most) in LIMITS {
        setrlimit(resource, most, most).map_err(|why| Refused::System("set limits", why.into()))?;
    }
    if !files::confine(&arguments.allowed)? {
        say(&"this kernel has no Landlock: the program can read files of its user, but neither write nor send them");
    }
    calls::confine()?;
    let failed = Command::new(&arguments.program).args(&arguments.words).env_clear().envs(ENVIRONMENT).exec();
    Err(Refused::Execute(arguments.program.to_string_lossy().into_owned(), failed))
}

/// Closes everything but the standard streams: what the app has open is not for the program.
fn close_inherited() -> io::Result<()> {
    let open = fs::read_dir("/proc/self/fd")?.map(|entry| Ok(number(&entry?.file_name()))).collect::<io::Result<Vec<_>>>()?;
    for inherited in open.into_iter().flatten().filter(|number| *number > 2) {
        // The folder's own is among them and closed by now.
        match unistd::close(inherited) {
            Ok(()) | Err(Errno::EBADF) => {}
            Err(why) => return Err(why.into()),
        }
    }
    Ok(())
}

fn number(name: &OsStr) -> Option<i32> {
    name.to_str()?.parse().ok()
}

/// Whoever started this reads it as the program's standard error.
fn say(text: &dyn std::fmt::Display) {
    // Nobody to tell if this fails.
    let _ = writeln!(io::stderr(), "inklings-confine: {text}");
}
