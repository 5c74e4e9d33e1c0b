//! Starting: what is refused, and with which words.

use std::process::Command;

use crate::support::{confined, printed};

fn refusal(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_inklings-confine")).args(arguments).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(126), 0));
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn an_unclear_command_line_starts_nothing() {
    assert!(refusal(&[]).contains("usage: "));
    assert!(refusal(&["/bin/true"]).contains("missing -- before the program"));
}

#[test]
fn a_program_that_is_missing_or_not_allowed_is_named() {
    assert!(refusal(&["--", "/nowhere/program"]).contains("can't execute /nowhere/program: No such file"));
    assert!(refusal(&["--", "/bin/true"]).contains("can't execute /bin/true: Permission denied"));
}

#[test]
fn it_becomes_the_program_and_hands_over_its_arguments() {
    let mut command = confined("import os, sys; print(sys.argv[1:], os.getpid() == os.getpgrp())");
    assert_eq!(printed(command.args(["--allow", "/etc", "--"])), "['--allow', '/etc', '--'] True");
}

#[test]
fn a_place_that_is_missing_is_no_obstacle() {
    let inner = confined("print(1)");
    let mut command = Command::new(inner.get_program());
    assert_eq!(printed(command.args(["--allow", "/nowhere"]).args(inner.get_args())), "1");
}
