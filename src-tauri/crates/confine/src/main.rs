//! `inklings-confine [--parent PID] [--allow PATH]... -- PROGRAM [ARGUMENT]...`: drops privileges, then executes PROGRAM.
//!
//! PROGRAM can read and execute the system's libraries and everything below each PATH, and use threads and the
//! standard streams. It has no sockets, other files, writing, new processes, other processes or environment. With `--parent` the
//! program is killed when the process PID ends, which must be its parent. Linux only, without configuration: to allow
//! more, add a row to [`calls`] or [`files`] with a test. Deliberately absent: knowledge of the program.

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

const ENVIRONMENT: [(&str, &str); 1] = [("LANG", "C.UTF-8")];

/// `RLIMIT_DATA` counts writable memory and not reserved address space, of which threads take a lot.
const LIMITS: [(Resource, u64); 4] = [
    (Resource::RLIMIT_CORE, 0),
    (Resource::RLIMIT_FSIZE, 0),
    (Resource::RLIMIT_NOFILE, 256),
    (Resource::RLIMIT_DATA, 2 * 1024 * 1024 * 1024),
];

#[derive(Debug, thiserror::Error)]
enum LaunchError {
    #[error("{0}; usage: inklings-confine [--parent PID] [--allow PATH]... -- PROGRAM [ARGUMENT]...")]
    Usage(&'static str),
    #[error("the parent process has ended")]
    Orphan,
    #[error("can't {0}: {1}")]
    System(&'static str, #[source] io::Error),
    #[error("can't close inherited files: {0}")]
    Inherited(#[source] io::Error),
    #[error("can't limit file access: {0}")]
    Files(#[from] landlock::RulesetError),
    #[error("can't limit system calls: {0}")]
    Calls(#[from] seccompiler::Error),
    #[error("can't execute {0}: {1}")]
    Execute(String, #[source] io::Error),
}

fn main() -> ExitCode {
    let Err(refused) = run();
    print_error(&refused);
    ExitCode::from(126)
}

/// Returns only if it fails.
fn run() -> Result<std::convert::Infallible, LaunchError> {
    let arguments = Arguments::read(std::env::args_os().skip(1)).map_err(LaunchError::Usage)?;
    if let Some(parent) = arguments.parent {
        prctl::set_pdeathsig(Signal::SIGKILL).map_err(|why| LaunchError::System("follow the parent", why.into()))?;
        // The parent may have ended before the line above.
        if unistd::getppid() != parent {
            return Err(LaunchError::Orphan);
        }
    }
    match unistd::setsid() {
        // Already a group leader.
        Ok(_) | Err(Errno::EPERM) => {}
        Err(why) => return Err(LaunchError::System("leave the terminal", why.into())),
    }
    close_inherited().map_err(LaunchError::Inherited)?;
    for (resource, limit) in LIMITS {
        setrlimit(resource, limit, limit).map_err(|why| LaunchError::System("set limits", why.into()))?;
    }
    if !files::confine(&arguments.allowed)? {
        print_error(&"the kernel doesn't support Landlock: the program can read the user's files, but not write or send them");
    }
    calls::confine()?;
    let failed = Command::new(&arguments.program).args(&arguments.args).env_clear().envs(ENVIRONMENT).exec();
    Err(LaunchError::Execute(arguments.program.to_string_lossy().into_owned(), failed))
}

/// Closes everything but the standard streams.
fn close_inherited() -> io::Result<()> {
    let open = fs::read_dir("/proc/self/fd")?.map(|entry| Ok(number(&entry?.file_name()))).collect::<io::Result<Vec<_>>>()?;
    for inherited in open.into_iter().flatten().filter(|number| *number > 2) {
        // The list includes the closed descriptor of the folder itself.
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

fn print_error(text: &dyn std::fmt::Display) {
    // A failure can't be reported.
    let _ = writeln!(io::stderr(), "inklings-confine: {text}");
}
