//! Errors when the machine code is missing or of another version.

use std::fs;

use inklings_core::CancellationToken;
use inklings_core::sandbox::{Sandbox, ScriptError};
use inklings_sandbox::PythonSandbox;

use rustix::process::{Resource, Rlimit, setrlimit};
use tokio::runtime::Runtime;

use crate::support::{Host, alone, memory, run, script};

#[tokio::test]
async fn a_missing_or_damaged_file_is_one_sentence_with_a_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let (missing, wrong) = (folder.path().join("gone.cwasm"), folder.path().join("python.cwasm"));
    fs::write(&wrong, "no machine code").unwrap();
    for (file, why) in [(None, "not found"), (Some(missing), "not found"), (Some(wrong), "doesn't match this version")] {
        let python = PythonSandbox::new(file);
        let sentence = python.unavailable().unwrap();
        assert!(sentence.contains(why) && sentence.contains("reinstall the app"), "{sentence}");
        let outcome = python.run(&script("inklings.submit(1)"), &Host::deaf(), &CancellationToken::new()).await;
        assert_eq!(outcome, Err(ScriptError::Unavailable(sentence)));
    }
}

#[test]
fn a_process_without_address_space_is_not_the_scripts_fault() {
    if !alone("unavailable::a_process_without_address_space_is_not_the_scripts_fault") {
        return;
    }
    let runtime = Runtime::new().unwrap();
    assert_eq!(runtime.block_on(run("inklings.submit(1)")), Ok(1.into()));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "mebibytes of a process")]
    let taken = (memory("VmSize") as u64) << 20;
    setrlimit(Resource::As, Rlimit { current: Some(taken + (1 << 30)), maximum: None }).unwrap();
    let outcome = runtime.block_on(run("inklings.submit(1)"));
    assert!(matches!(&outcome, Err(ScriptError::Unavailable(why)) if why.contains("can't reserve memory")), "{outcome:?}");
}
