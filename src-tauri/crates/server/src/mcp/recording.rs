//! Recording calls in the server's [`Activity`].

use std::sync::Arc;
use std::time::Instant;

use inklings_app::features::server::{ServerCall, ServerProtocol};
use inklings_core::Time;
use rmcp::model::Implementation;

use crate::activity::program_name;
use crate::{Activity, Caller};

/// A call that runs. When it is dropped, it is recorded as failed, also if the client went away.
pub(super) struct Recording {
    activity: Arc<Activity>,
    started: Instant,
    call: Option<ServerCall>,
}

impl Recording {
    /// `method` is one of MCP; `target` must be a name that the server knows.
    pub(super) fn begin(
        activity: &Arc<Activity>,
        at: Time,
        caller: Caller,
        client: Option<&Implementation>,
        method: &str,
        target: Option<&str>,
    ) -> Self {
        let call = ServerCall {
            at,
            protocol: ServerProtocol::Mcp,
            caller: caller.actor,
            program: client.and_then(|client| program_name(&format!("{} {}", client.name, client.version))),
            method: method.to_owned(),
            target: target.map(str::to_owned),
            status: None,
            failed: true,
            milliseconds: 0,
        };
        Self { activity: activity.clone(), started: Instant::now(), call: Some(call) }
    }

    pub(super) fn succeed(mut self) {
        if let Some(call) = &mut self.call {
            call.failed = false;
        }
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        if let Some(mut call) = self.call.take() {
            call.milliseconds = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
            self.activity.record(call);
        }
    }
}

#[cfg(test)]
mod tests {
    use inklings_rpc::RemoteRole;

    use super::*;

    #[test]
    fn a_call_that_did_not_succeed_is_recorded_as_failed() {
        let activity = Arc::new(Activity::default());
        let client = Implementation::new("probe\u{7}", "1.2");
        let begin = |target| {
            let caller = Caller { actor: "token:ci".to_owned(), role: RemoteRole::Viewer, external: false, token: None };
            Recording::begin(&activity, Time::from_millis(0), caller, Some(&client), "tools/call", Some(target))
        };
        begin("list_skills").succeed();
        drop(begin("run_skill"));
        let calls: Vec<_> = activity.calls().into_iter().map(|call| (call.target, call.failed, call.program)).collect();
        let program = Some("probe 1.2".to_owned());
        assert_eq!(calls, [(Some("run_skill".to_owned()), true, program.clone()), (Some("list_skills".to_owned()), false, program)]);
    }
}
