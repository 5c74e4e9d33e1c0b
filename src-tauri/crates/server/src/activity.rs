//! Who called the server, and the last calls, in memory.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use inklings_app::features::server::{ServerCall, ServerClient};

const MAX_CALLS: usize = 100;
/// A program can state any number of names.
const MAX_CLIENTS: usize = 100;
const MAX_PROGRAM_CHARS: usize = 64;

#[derive(Debug, Default)]
pub struct Activity(Mutex<Record>);

#[derive(Debug, Default)]
struct Record {
    /// The last caller at the end.
    clients: Vec<ServerClient>,
    /// The newest at the end.
    calls: VecDeque<ServerCall>,
}

impl Activity {
    fn lock(&self) -> MutexGuard<'_, Record> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn record(&self, call: ServerCall) {
        let mut record = self.lock();
        let is_same =
            |client: &ServerClient| (client.protocol, &client.caller, &client.program) == (call.protocol, &call.caller, &call.program);
        let known = record.clients.iter().position(is_same).map(|at| record.clients.remove(at));
        let mut client = known.unwrap_or_else(|| ServerClient {
            protocol: call.protocol,
            caller: call.caller.clone(),
            program: call.program.clone(),
            first_seen_at: call.at,
            last_call_at: call.at,
            calls: 0,
        });
        client.calls += 1;
        client.last_call_at = client.last_call_at.max(call.at);
        if record.clients.len() == MAX_CLIENTS {
            record.clients.remove(0);
        }
        record.clients.push(client);
        if record.calls.len() == MAX_CALLS {
            record.calls.pop_front();
        }
        record.calls.push_back(call);
    }

    /// The last caller first.
    pub(crate) fn clients(&self) -> Vec<ServerClient> {
        self.lock().clients.iter().rev().cloned().collect()
    }

    /// Newest first.
    pub(crate) fn calls(&self) -> Vec<ServerCall> {
        self.lock().calls.iter().rev().cloned().collect()
    }
}

/// The name that a program states, as it can be shown. None if nothing of it can.
pub(crate) fn program_name(stated: &str) -> Option<String> {
    let is_plain = |ch: &char| ch.is_alphanumeric() || " -_./()+;:,".contains(*ch);
    let plain: String = stated.chars().filter(is_plain).take(MAX_PROGRAM_CHARS).collect();
    Some(plain.trim().to_owned()).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use inklings_app::features::server::ServerProtocol;
    use inklings_core::Time;

    use super::*;

    fn call(second: i64, caller: &str, program: Option<&str>) -> ServerCall {
        ServerCall {
            at: Time::from_millis(second * 1_000),
            protocol: ServerProtocol::Http,
            caller: caller.to_owned(),
            program: program.map(str::to_owned),
            method: "POST".to_owned(),
            target: Some("skill/list".to_owned()),
            status: Some(200),
            failed: false,
            milliseconds: 1,
        }
    }

    #[test]
    fn a_client_is_a_caller_and_its_program() {
        let activity = Activity::default();
        for (second, caller, program) in
            [(1, "token:ci", Some("curl")), (2, "local", None), (3, "token:ci", None), (4, "token:ci", Some("curl"))]
        {
            activity.record(call(second, caller, program));
        }
        let clients: Vec<_> =
            activity.clients().into_iter().map(|one| (one.caller, one.program, one.calls, one.first_seen_at.millis())).collect();
        let expected = [("token:ci", Some("curl"), 2, 1_000), ("token:ci", None, 1, 3_000), ("local", None, 1, 2_000)];
        assert_eq!(clients, expected.map(|(caller, program, calls, first)| (caller.to_owned(), program.map(str::to_owned), calls, first)));
        assert_eq!(activity.clients()[0].last_call_at, Time::from_millis(4_000));
    }

    #[test]
    fn old_calls_and_clients_make_room_for_new_ones() {
        let activity = Activity::default();
        for second in 0..1_000 {
            activity.record(call(second, &format!("token:{second}"), None));
            activity.record(call(second, "token:busy", None));
        }
        let (clients, calls) = (activity.clients(), activity.calls());
        assert_eq!((clients.len(), calls.len()), (MAX_CLIENTS, MAX_CALLS));
        assert_eq!((clients[0].caller.as_str(), clients[0].calls), ("token:busy", 1_000));
        assert_eq!(calls[0].at, Time::from_millis(999_000));
    }

    #[test]
    fn a_program_cannot_state_what_would_not_be_shown_as_it_is() {
        assert_eq!(program_name("curl/8.5.0").as_deref(), Some("curl/8.5.0"));
        assert_eq!(program_name("a\u{202e}b\n<i>").as_deref(), Some("abi"));
        assert_eq!(program_name(" \n\u{0}"), None);
        assert_eq!(program_name(&"x".repeat(5_000)).map(|name| name.len()), Some(MAX_PROGRAM_CHARS));
    }
}
