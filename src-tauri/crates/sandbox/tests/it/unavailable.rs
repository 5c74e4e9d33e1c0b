//! What a person is told when the machine code is missing or not ours.

use std::fs;

use inklings_core::Cancel;
use inklings_core::sandbox::{Sandbox, ScriptError};
use inklings_sandbox::PythonSandbox;

use crate::support::{Host, script};

#[tokio::test]
async fn a_missing_or_damaged_file_is_one_sentence_with_a_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let (gone, wrong) = (folder.path().join("gone.cwasm"), folder.path().join("python.cwasm"));
    fs::write(&wrong, "no machine code").unwrap();
    for (file, why) in [(None, "is missing"), (Some(gone), "is missing"), (Some(wrong), "doesn't fit this app")] {
        let python = PythonSandbox::new(file);
        let sentence = python.unavailable().unwrap();
        assert!(sentence.contains(why) && sentence.contains("install the app again"), "{sentence}");
        let outcome = python.run(&script("inklings.submit(1)"), &Host::deaf(), &Cancel::new()).await;
        assert_eq!(outcome, Err(ScriptError::Unavailable(sentence)));
    }
}
