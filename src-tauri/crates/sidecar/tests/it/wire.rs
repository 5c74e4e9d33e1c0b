//! The shipped process behind a proxy that alters a line.

use std::fs;
use std::sync::Arc;

use inklings_core::CancellationToken;
use inklings_core::program::{ProcessState, ProgramError, ProgramRunner as _};
use inklings_sidecar::{DspyProcess, Launch};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::real::{asking, built, knowing, works};
use crate::support::{CALM, Ticks, peer};

/// The process behind a proxy.
struct Line {
    process: DspyProcess,
    plan: Launch,
    _folder: TempDir,
}

impl Line {
    /// Replaces `from` by `into` in the first matching line to `end`.
    fn new(end: &str, from: &str, into: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let plan = Launch { launcher: peer(), program: folder.path().join("plan") };
        let process = DspyProcess::new(Some(plan.clone()), Arc::new(Ticks::default()), CALM);
        let line = Self { process, plan, _folder: folder };
        line.plan(&json!({ end: { "from": from, "into": into } }));
        line
    }

    /// Stops altering lines from the next start on.
    fn restore(&self) {
        self.plan(&json!({}));
    }

    fn plan(&self, changes: &Value) {
        let Launch { launcher, program } = built();
        let mut plan = changes.clone();
        plan["command"] = json!([launcher, "--allow", program.parent(), "--", program]);
        fs::write(&self.plan.program, plan.to_string()).unwrap();
    }

    /// The failure of the job with the altered line.
    async fn fails(&self) -> ProgramError {
        self.process.execute(&asking("predict"), &knowing(), &CancellationToken::new()).await.unwrap_err()
    }

    fn pid(&self) -> Option<u32> {
        self.process.status().pid
    }
}

/// The job fails for this reason, and the next one runs in a new process.
async fn breaks(end: &str, from: &str, into: &str, why: &str) {
    let line = Line::new(end, from, into);
    let failure = line.fails().await;
    assert!(matches!(&failure, ProgramError::Broken(reason) if reason.contains(why)), "{into}: {failure:?}");
    assert_eq!(line.process.status().failures, 1, "{into}");
    line.restore();
    works(&line.process).await;
    let status = line.process.status();
    assert_eq!((status.state, status.failures, status.reason), (ProcessState::Ready, 1, None), "{into}");
}

#[tokio::test]
async fn what_the_process_says_is_broken() {
    // A truncated line, one of another protocol, and an answer without a request.
    breaks("to_app", r#""method":"lm.complete""#, r#""method":"#, "an invalid message (expected value").await;
    breaks("to_app", r#""2.0","id":1,"result""#, r#""1.0","id":1,"result""#, "not JSON-RPC 2.0").await;
    breaks("to_app", r#""id":1,"result""#, r#""id":4242,"result""#, "answered unknown request 4242").await;
}

#[tokio::test]
async fn a_damaged_message_to_the_process_is_refused() {
    let why = "couldn't read a message of the app: ";
    breaks("to_process", r#""method":"execute""#, r#""method":execute"#, &format!("{why}not JSON")).await;
    breaks("to_process", r#""2.0","id":1,"result""#, r#""1.0","id":1,"result""#, &format!("{why}not a JSON-RPC 2.0")).await;
}

#[tokio::test]
async fn what_the_process_doesnt_know_breaks_its_job_alone() {
    let line = Line::new("to_process", r#""method":"execute""#, r#""method":"dance""#);
    let failure = line.fails().await;
    assert!(matches!(&failure, ProgramError::Broken(reason) if reason.contains("unknown request 'dance'")), "{failure:?}");
    let pid = line.pid();
    works(&line.process).await;
    assert_eq!((line.pid(), line.process.status().failures), (pid, 0));
}

#[tokio::test]
async fn another_version_isnt_tried_again() {
    let line = Line::new("to_app", r#""protocol":1"#, r#""protocol":2"#);
    let failure = line.fails().await;
    let why = "protocol version 2 doesn't match the app's version 1; reinstall the app";
    assert_eq!(failure, ProgramError::Unavailable(why.to_owned()));
    assert_eq!((line.process.unavailable().as_deref(), line.pid()), (Some(why), None));
    line.restore();
    assert_eq!(line.fails().await, failure, "not before someone asks");
    line.process.retry();
    works(&line.process).await;
}
