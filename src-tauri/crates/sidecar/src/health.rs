//! The state of the process, shared by all threads. Its one lock is never held across an await.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use inklings_core::Clock;
use inklings_core::program::{ProcessState, ProgramManifest, ProgramStatus};

use crate::restarts::{RestartDecision, Restarts};

const MAX_LOG_LINES: usize = 200;
/// Of each line.
const MAX_LINE_CHARS: usize = 500;

pub(crate) struct Health {
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
}

struct State {
    restarts: Restarts,
    process: Process,
    dspy: Option<String>,
    jobs: usize,
    log: VecDeque<String>,
    manifest: Option<ProgramManifest>,
}

#[derive(Clone, Copy)]
enum Process {
    None,
    Starting(Option<u32>),
    Ready(Option<u32>),
}

impl Health {
    /// `dspy` is the shipped version, until a process reports its own.
    pub(crate) fn new(clock: Arc<dyn Clock>, first_pause: Duration, dspy: Option<String>) -> Self {
        let restarts = Restarts::new(first_pause);
        let state = State { restarts, process: Process::None, dspy, jobs: 0, log: VecDeque::new(), manifest: None };
        Self { clock, state: Mutex::new(state) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// `missing` is why the process can't be started at all.
    pub(crate) fn status(&self, missing: Option<String>) -> ProgramStatus {
        let (now, shared) = (self.clock.now(), self.state());
        let (state, pid) = match (shared.process, shared.restarts.next(now)) {
            (Process::Starting(pid), _) => (ProcessState::Starting, pid),
            (Process::Ready(pid), _) => (ProcessState::Ready, pid),
            _ if missing.is_some() => (ProcessState::Unavailable, None),
            (Process::None, RestartDecision::Never(_)) => (ProcessState::Unavailable, None),
            (Process::None, RestartDecision::After(_)) => (ProcessState::Waiting, None),
            (Process::None, RestartDecision::Now) => (ProcessState::Idle, None),
        };
        let absent = matches!(state, ProcessState::Waiting | ProcessState::Unavailable);
        let reason = missing.or_else(|| shared.restarts.reason(now).map(str::to_owned)).filter(|_| absent);
        ProgramStatus {
            state,
            reason,
            pid,
            dspy: shared.dspy.clone(),
            jobs: u32::try_from(shared.jobs).unwrap_or(u32::MAX),
            failures: u32::try_from(shared.restarts.recent(now)).unwrap_or(u32::MAX),
            log: shared.log.iter().cloned().collect(),
        }
    }

    /// Why it isn't restarted any more.
    pub(crate) fn given_up(&self) -> Option<String> {
        match self.next() {
            RestartDecision::Never(reason) => Some(reason),
            RestartDecision::Now | RestartDecision::After(_) => None,
        }
    }

    pub(crate) fn next(&self) -> RestartDecision {
        let now = self.clock.now();
        self.state().restarts.next(now)
    }

    pub(crate) fn retry(&self) {
        self.state().restarts.retry();
    }

    pub(crate) fn starting(&self, pid: Option<u32>) {
        self.state().process = Process::Starting(pid);
    }

    /// Discards the manifest of another version of DSPy.
    pub(crate) fn ready(&self, pid: Option<u32>, dspy: &str) {
        let mut state = self.state();
        state.process = Process::Ready(pid);
        state.manifest.take_if(|manifest| manifest.dspy != dspy);
        state.dspy = Some(dspy.to_owned());
    }

    /// The process ended as intended.
    pub(crate) fn ended(&self) {
        let mut state = self.state();
        (state.process, state.jobs) = (Process::None, 0);
    }

    /// The process failed. `again`: a restart may help.
    pub(crate) fn failed(&self, reason: &str, again: bool) {
        tracing::warn!(reason, "the DSPy process failed");
        let now = self.clock.now();
        let mut state = self.state();
        state.restarts.failed(now, reason, again);
        (state.process, state.jobs) = (Process::None, 0);
    }

    pub(crate) fn set_jobs(&self, jobs: usize) {
        self.state().jobs = jobs;
    }

    pub(crate) fn log(&self, line: &str) {
        let line = truncate(line.trim_end());
        if line.is_empty() {
            return;
        }
        tracing::debug!(line, "log of the DSPy process");
        let mut state = self.state();
        if state.log.len() == MAX_LOG_LINES {
            state.log.pop_front();
        }
        state.log.push_back(line.to_owned());
    }

    pub(crate) fn manifest(&self) -> Option<ProgramManifest> {
        self.state().manifest.clone()
    }

    pub(crate) fn set_manifest(&self, manifest: &ProgramManifest) {
        self.state().manifest = Some(manifest.clone());
    }
}

/// At most [`MAX_LINE_CHARS`] characters.
pub(crate) fn truncate(text: &str) -> &str {
    text.char_indices().nth(MAX_LINE_CHARS).map_or(text, |(end, _)| &text[..end])
}
