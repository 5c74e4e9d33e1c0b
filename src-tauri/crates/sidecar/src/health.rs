//! What others may know of the process at any time. One lock, held for a few lines and never across a wait.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use inklings_core::Clock;
use inklings_core::program::{ProcessState, ProgramManifest, ProgramStatus};

use crate::restarts::{RestartDecision, Restarts};

/// Lines of the log that are kept.
const LOG_LINES: usize = 200;
/// Characters of a line that are kept.
const LOG_CHARS: usize = 500;

/// Shared by the thread that owns the process and everyone who asks.
pub(crate) struct Health {
    clock: Arc<dyn Clock>,
    facts: Mutex<Facts>,
}

struct Facts {
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
    /// `dspy` is the version that ships, until a process says its own.
    pub(crate) fn new(clock: Arc<dyn Clock>, first_pause: Duration, dspy: Option<String>) -> Self {
        let restarts = Restarts::new(first_pause);
        let facts = Facts { restarts, process: Process::None, dspy, jobs: 0, log: VecDeque::new(), manifest: None };
        Self { clock, facts: Mutex::new(facts) }
    }

    fn facts(&self) -> MutexGuard<'_, Facts> {
        // Nothing panics while it holds the lock.
        self.facts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Everything, for people. `missing` says why it can't even be tried.
    pub(crate) fn status(&self, missing: Option<String>) -> ProgramStatus {
        let (now, facts) = (self.clock.now(), self.facts());
        let (state, pid) = match (facts.process, facts.restarts.next(now)) {
            (Process::Starting(pid), _) => (ProcessState::Starting, pid),
            (Process::Ready(pid), _) => (ProcessState::Ready, pid),
            _ if missing.is_some() => (ProcessState::Unavailable, None),
            (Process::None, RestartDecision::Never(_)) => (ProcessState::Unavailable, None),
            (Process::None, RestartDecision::After(_)) => (ProcessState::Waiting, None),
            (Process::None, RestartDecision::Now) => (ProcessState::Idle, None),
        };
        let absent = matches!(state, ProcessState::Waiting | ProcessState::Unavailable);
        let reason = missing.or_else(|| facts.restarts.reason(now).map(str::to_owned)).filter(|_| absent);
        ProgramStatus {
            state,
            reason,
            pid,
            dspy: facts.dspy.clone(),
            jobs: u32::try_from(facts.jobs).unwrap_or(u32::MAX),
            failures: u32::try_from(facts.restarts.recent(now)).unwrap_or(u32::MAX),
            log: facts.log.iter().cloned().collect(),
        }
    }

    /// Why it isn't tried any more.
    pub(crate) fn given_up(&self) -> Option<String> {
        match self.next() {
            RestartDecision::Never(reason) => Some(reason),
            RestartDecision::Now | RestartDecision::After(_) => None,
        }
    }

    /// Whether it may be started.
    pub(crate) fn next(&self) -> RestartDecision {
        let now = self.clock.now();
        self.facts().restarts.next(now)
    }

    pub(crate) fn retry(&self) {
        self.facts().restarts.retry();
    }

    pub(crate) fn starting(&self, pid: Option<u32>) {
        self.facts().process = Process::Starting(pid);
    }

    /// It takes jobs. What another version of DSPy said counts no more.
    pub(crate) fn ready(&self, pid: Option<u32>, dspy: &str) {
        let mut facts = self.facts();
        facts.process = Process::Ready(pid);
        facts.manifest.take_if(|manifest| manifest.dspy != dspy);
        facts.dspy = Some(dspy.to_owned());
    }

    /// It is gone, as was wanted.
    pub(crate) fn ended(&self) {
        let mut facts = self.facts();
        (facts.process, facts.jobs) = (Process::None, 0);
    }

    /// It is gone, as was not.
    pub(crate) fn failed(&self, reason: &str, again: bool) {
        tracing::warn!(reason, "the DSPy process failed");
        let now = self.clock.now();
        let mut facts = self.facts();
        facts.restarts.failed(now, reason, again);
        (facts.process, facts.jobs) = (Process::None, 0);
    }

    pub(crate) fn set_jobs(&self, jobs: usize) {
        self.facts().jobs = jobs;
    }

    pub(crate) fn log(&self, line: &str) {
        let line = cut(line.trim_end());
        if line.is_empty() {
            return;
        }
        tracing::debug!(line, "the DSPy process says");
        let mut facts = self.facts();
        if facts.log.len() == LOG_LINES {
            facts.log.pop_front();
        }
        facts.log.push_back(line.to_owned());
    }

    pub(crate) fn manifest(&self) -> Option<ProgramManifest> {
        self.facts().manifest.clone()
    }

    pub(crate) fn set_manifest(&self, manifest: &ProgramManifest) {
        self.facts().manifest = Some(manifest.clone());
    }
}

/// The beginning of a text that may be long.
pub(crate) fn cut(text: &str) -> &str {
    text.char_indices().nth(LOG_CHARS).map_or(text, |(end, _)| &text[..end])
}
