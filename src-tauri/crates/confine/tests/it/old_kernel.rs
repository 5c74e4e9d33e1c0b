//! Kernels that have less, played by a filter that was there before.

use std::process::Command;

use crate::support::{PYTHON, confined};

/// Lets `number` look unknown to what comes after, and becomes the rest of the command line.
const WITHOUT: &str = "
import ctypes, os, struct, sys
number, command = int(sys.argv[1]), sys.argv[2:]
code = [(0x20, 0, 0, 0), (0x15, 0, 1, number), (0x06, 0, 0, 0x00050000 | 38), (0x06, 0, 0, 0x7fff0000)]
program = ctypes.create_string_buffer(b''.join(struct.pack('HBBI', *one) for one in code))
libc = ctypes.CDLL(None)
filter = ctypes.create_string_buffer(struct.pack('HL', len(code), ctypes.addressof(program)))
assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, filter, 0, 0) == 0
os.execv(command[0], command)
";

/// What the confined script says on a kernel without the call: its exit code, output and errors.
fn on_a_kernel_without(number: i64, script: &str) -> (Option<i32>, String, String) {
    let inner = confined(script);
    let mut command = Command::new(&PYTHON.0);
    command.args(["-I", "-c", WITHOUT, &number.to_string()]).arg(inner.get_program()).args(inner.get_args());
    let output = command.output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn without_landlock_it_says_so_and_the_rest_holds() {
    let script = "
import socket
print(len(open('/etc/passwd').read()) > 0)
for what in (lambda: open('/tmp/inklings-confine-test', 'w'), socket.socket):
    try:
        what()
    except PermissionError:
        print('denied')";
    let (code, said, complained) = on_a_kernel_without(libc::SYS_landlock_create_ruleset, script);
    assert_eq!((code, said.as_str()), (Some(0), "True\ndenied\ndenied\n"), "{complained}");
    assert!(complained.contains("the kernel doesn't support Landlock"), "{complained}");
}

#[test]
fn with_landlock_it_says_nothing() {
    let (code, said, complained) = on_a_kernel_without(libc::SYS_acct, "print(1)");
    assert_eq!((code, said.as_str(), complained.as_str()), (Some(0), "1\n", ""));
}

#[test]
fn without_seccomp_nothing_starts() {
    let (code, said, complained) = on_a_kernel_without(libc::SYS_seccomp, "print(1)");
    assert_eq!((code, said.as_str()), (Some(126), ""));
    assert!(complained.contains("can't limit system calls"), "{complained}");
}
