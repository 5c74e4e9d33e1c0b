//! The JSON-RPC connection to one process: open jobs by id, and outgoing lines in order.
//!
//! A job's messages go to its caller through a bounded queue without waiting, so that a slow caller delays nobody else. Lines to
//! the process wait for capacity, which slows down their sender.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use inklings_core::program::ProgramProgress;
use tokio::io::AsyncWriteExt as _;
use tokio::process::ChildStdin;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};
use tokio::task::JoinHandle;

use crate::health::{Health, truncate};
use crate::message::{self, Params, SidecarMessage};
use crate::protocol::{ErrorKind, JobRef, Log, Progress, RpcError};

/// Unread messages of one job.
pub(crate) const JOB_EVENT_CAPACITY: usize = 256;
/// Unread lines of jobs.
const MAX_UNSENT_JOB_LINES: usize = 16;
/// Unread lines of the supervisor.
const MAX_UNSENT_CONTROL_LINES: usize = 1_024;

/// What a job receives before its result.
pub(crate) enum JobEvent {
    /// A request of the process.
    Call {
        id: u64,
        method: String,
        params: Params,
    },
    Progress(ProgramProgress),
    Log(String),
}

/// The answer of the process, or why there is none.
pub(crate) type JobResult = Result<Result<Params, RpcError>, String>;

/// The receiving ends of a job.
pub(crate) struct Job {
    pub(crate) events: mpsc::Sender<JobEvent>,
    pub(crate) result: oneshot::Sender<JobResult>,
}

#[derive(Clone)]
pub(crate) struct Outbox {
    lines: mpsc::UnboundedSender<(String, OwnedSemaphorePermit)>,
    capacity: Arc<Semaphore>,
}

impl Outbox {
    /// Waits for capacity, then sends. Without effect if the process has ended, which its jobs learn by their result.
    pub(crate) async fn send(&self, line: String) {
        if let Ok(permit) = Arc::clone(&self.capacity).acquire_owned().await {
            let _ = self.lines.send((line, permit));
        }
    }
}

/// The open jobs and the way to the process.
pub(crate) struct Connection {
    outbox: Outbox,
    control_capacity: Arc<Semaphore>,
    writer: JoinHandle<()>,
    jobs: HashMap<u64, Job>,
    /// Cancelled jobs that haven't answered yet.
    abandoned: HashSet<u64>,
    next: u64,
}

impl Connection {
    pub(crate) fn new(mut pipe: ChildStdin) -> Self {
        let (lines, mut waiting) = mpsc::unbounded_channel::<(String, OwnedSemaphorePermit)>();
        let outbox = Outbox { lines, capacity: Arc::new(Semaphore::new(MAX_UNSENT_JOB_LINES)) };
        let writer = tokio::spawn(async move {
            while let Some((line, _permit)) = waiting.recv().await {
                if pipe.write_all(line.as_bytes()).await.is_err() {
                    // The process closed its input; the end of its output reports that.
                    return;
                }
            }
        });
        let control_capacity = Arc::new(Semaphore::new(MAX_UNSENT_CONTROL_LINES));
        Self { outbox, control_capacity, writer, jobs: HashMap::new(), abandoned: HashSet::new(), next: 1 }
    }

    pub(crate) fn outbox(&self) -> Outbox {
        self.outbox.clone()
    }

    /// Number of open jobs.
    pub(crate) fn jobs(&self) -> usize {
        self.jobs.len()
    }

    /// Whether a cancelled job hasn't answered yet.
    pub(crate) fn has_abandoned(&self) -> bool {
        !self.abandoned.is_empty()
    }

    /// Returns the id of the new job.
    pub(crate) fn open(&mut self, job: Job) -> u64 {
        let id = self.next;
        self.next += 1;
        self.jobs.insert(id, job);
        id
    }

    /// Cancels the job unless it has ended.
    pub(crate) fn close(&mut self, id: u64) -> Result<(), String> {
        if self.jobs.remove(&id).is_none() {
            return Ok(());
        }
        self.abandoned.insert(id);
        self.send(message::notice("cancel", &JobRef { job: id })?)
    }

    pub(crate) fn fail(&mut self, reason: &str) {
        for (_, job) in self.jobs.drain() {
            let _ = job.result.send(Err(reason.to_owned()));
        }
    }

    /// Handles one line. An error is a protocol violation.
    pub(crate) fn handle_line(&mut self, line: &[u8], health: &Health) -> Result<(), String> {
        match read(line)? {
            SidecarMessage::Answer { id: Some(id), outcome } => self.on_answer(id, outcome),
            SidecarMessage::Answer { id: None, outcome } => {
                let message = outcome.err().map_or_else(String::new, |error| error.message);
                Err(format!("couldn't read a message of the app: {}", truncate(&message)))
            }
            SidecarMessage::Call { id, method, params } => self.on_call(id, method, params),
            SidecarMessage::Notice { method, params } => self.on_notification(&method, &params, health),
        }
    }

    fn on_answer(&mut self, id: u64, outcome: Result<Params, RpcError>) -> Result<(), String> {
        if let Some(job) = self.jobs.remove(&id) {
            // Fails if the caller dropped its future.
            let _ = job.result.send(Ok(outcome));
            return Ok(());
        }
        if self.abandoned.remove(&id) {
            return Ok(());
        }
        Err(format!("answered unknown request {id}"))
    }

    fn on_call(&mut self, id: u64, method: String, params: Params) -> Result<(), String> {
        let refused = match params.read::<JobRef>().map(|named| (self.jobs.get(&named.job), named.job)) {
            Ok((Some(job), _)) => match job.events.try_send(JobEvent::Call { id, method, params }) {
                Ok(()) => return Ok(()),
                Err(_) => message::error(ErrorKind::Protocol, "too many requests at once"),
            },
            Ok((None, job)) if job < self.next => message::error(ErrorKind::Cancelled, "the job has ended"),
            Ok((None, job)) => message::error(ErrorKind::Protocol, format!("unknown job {job}")),
            Err(why) => message::error(ErrorKind::Protocol, format!("missing job: {why}")),
        };
        self.send(message::answer(id, Err::<(), _>(refused)))
    }

    fn on_notification(&mut self, method: &str, params: &Params, health: &Health) -> Result<(), String> {
        let unreadable = |why: serde_json::Error| format!("sent an invalid {method:?} message: {why}");
        match method {
            "ping" => {}
            "log" => {
                let Log { text, job, .. } = params.read().map_err(unreadable)?;
                health.log(&text);
                self.notify(job, JobEvent::Log(text));
            }
            "progress" => {
                let Progress { job, progress } = params.read().map_err(unreadable)?;
                self.notify(Some(job), JobEvent::Progress(progress));
            }
            other => return Err(format!("sent an unknown message {:?}", truncate(other))),
        }
        Ok(())
    }

    /// Passes an event to its job. It is dropped if the job's queue is full.
    fn notify(&self, job: Option<u64>, event: JobEvent) {
        if let Some(job) = job.and_then(|job| self.jobs.get(&job)) {
            let _ = job.events.try_send(event);
        }
    }

    fn send(&self, line: String) -> Result<(), String> {
        let permit = Arc::clone(&self.control_capacity).try_acquire_owned().map_err(|_| "doesn't read its input".to_owned())?;
        let _ = self.outbox.lines.send((line, permit));
        Ok(())
    }
}

impl Drop for Connection {
    /// Closes the process's input, even if it doesn't read pending lines.
    fn drop(&mut self) {
        self.writer.abort();
        self.outbox.capacity.close();
    }
}

/// The error quotes the beginning of an invalid line.
pub(crate) fn read(line: &[u8]) -> Result<SidecarMessage, String> {
    SidecarMessage::read(line).map_err(|why| format!("sent an invalid message ({why}): {}", truncate(&String::from_utf8_lossy(line))))
}
