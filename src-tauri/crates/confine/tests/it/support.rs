//! A confined Python and what it says.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

/// The interpreter itself, not a shim before it, and the folder of its library.
pub(crate) static PYTHON: LazyLock<(PathBuf, PathBuf)> = LazyLock::new(|| {
    let wanted = "import os, sys; print(os.path.realpath(sys.executable)); print(sys.base_prefix)";
    let output = Command::new("python3").args(["-c", wanted]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let (program, library) = text.trim().split_once('\n').unwrap();
    (program.into(), library.into())
});

/// The launcher, with what a Python needs, before its script.
pub(crate) fn confined(script: &str) -> Command {
    let (program, library) = &*PYTHON;
    let mut command = Command::new(env!("CARGO_BIN_EXE_inklings-confine"));
    command.arg("--allow").arg(program).arg("--allow").arg(library).arg("--").arg(program);
    command.args(["-I", "-c", script]).stdin(Stdio::null());
    command
}

/// Runs the script and gives what it printed; it has to end well.
pub(crate) fn printed(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let (said, complained) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{status}: {said}{complained}");
    said.trim().to_owned()
}

/// What `expression` ends with when it is evaluated inside: the exception's class, or `fine`.
pub(crate) fn tried(expression: &str) -> String {
    let script = format!(
        "import asyncio, ctypes, os, resource, signal, socket, subprocess, sys, threading
try:
    {expression}
    print('fine')
except BaseException as failure:
    print(type(failure).__name__)"
    );
    printed(&mut confined(&script))
}

/// What a raw system call gives inside: `0` or the name of its error.
pub(crate) fn called(number: libc::c_long, arguments: &str) -> String {
    printed(&mut confined(&format!(
        "import ctypes, errno
libc = ctypes.CDLL(None, use_errno=True)
given = libc.syscall(ctypes.c_long({number}), {arguments})
print(errno.errorcode[ctypes.get_errno()] if given == -1 else given)"
    )))
}
