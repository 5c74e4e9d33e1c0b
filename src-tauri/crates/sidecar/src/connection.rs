//! What is said over the pipes of one process: who asked what, and lines to it in the order they were said.
//!
//! A job's messages go to its caller through a short queue that is never waited for, so a slow caller holds up nobody else. Lines to
//! the process wait for room instead, which slows down who says them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use inklings_core::program::ProgramProgress;
use tokio::io::AsyncWriteExt as _;
use tokio::process::ChildStdin;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};
use tokio::task::JoinHandle;

use crate::health::{Health, cut};
use crate::message::{self, Params, SidecarMessage};
use crate::protocol::{ErrorKind, JobRef, Log, Progress, RpcError};

/// Messages that a job may not have read yet.
pub(crate) const JOB_EVENT_CAPACITY: usize = 256;
/// Lines of jobs that the process may not have read yet.
const MAX_UNSENT_JOB_LINES: usize = 16;
/// Lines of ours that it may not have read yet.
const MAX_UNSENT_CONTROL_LINES: usize = 1_024;

/// What a job hears before its end.
pub(crate) enum JobEvent {
    /// It wants an answer.
    Call { id: u64, method: String, params: Params },
    /// How far it is.
    Progress(ProgramProgress),
    /// A line of its log.
    Log(String),
}

/// How a job ends: its answer, or why there won't be one.
pub(crate) type JobResult = Result<Result<Params, RpcError>, String>;

/// Where a job listens.
pub(crate) struct Job {
    pub(crate) heard: mpsc::Sender<JobEvent>,
    pub(crate) ended: oneshot::Sender<JobResult>,
}

/// The lines to the process.
#[derive(Clone)]
pub(crate) struct Outbox {
    lines: mpsc::UnboundedSender<(String, OwnedSemaphorePermit)>,
    room: Arc<Semaphore>,
}

impl Outbox {
    /// Waits for room, then says it. Without effect when the process is gone: its jobs hear of that otherwise.
    pub(crate) async fn send(&self, line: String) {
        if let Ok(room) = Arc::clone(&self.room).acquire_owned().await {
            let _ = self.lines.send((line, room));
        }
    }
}

/// Who waits for what, and the way to the process.
pub(crate) struct Connection {
    outbox: Outbox,
    ours: Arc<Semaphore>,
    writer: JoinHandle<()>,
    jobs: HashMap<u64, Job>,
    /// Jobs that were left by their caller and haven't ended yet.
    left: HashSet<u64>,
    next: u64,
}

impl Connection {
    /// To a process with this input.
    pub(crate) fn new(mut pipe: ChildStdin) -> Self {
        let (lines, mut waiting) = mpsc::unbounded_channel::<(String, OwnedSemaphorePermit)>();
        let outbox = Outbox { lines, room: Arc::new(Semaphore::new(MAX_UNSENT_JOB_LINES)) };
        let writer = tokio::spawn(async move {
            while let Some((line, _room)) = waiting.recv().await {
                if pipe.write_all(line.as_bytes()).await.is_err() {
                    // It doesn't listen any more: the end of its output says the rest.
                    return;
                }
            }
        });
        let ours = Arc::new(Semaphore::new(MAX_UNSENT_CONTROL_LINES));
        Self { outbox, ours, writer, jobs: HashMap::new(), left: HashSet::new(), next: 1 }
    }

    pub(crate) fn outbox(&self) -> Outbox {
        self.outbox.clone()
    }

    /// Jobs under way.
    pub(crate) fn jobs(&self) -> usize {
        self.jobs.len()
    }

    /// Whether a job goes on that nobody waits for.
    pub(crate) fn has_left(&self) -> bool {
        !self.left.is_empty()
    }

    /// A number for a new job.
    pub(crate) fn open(&mut self, job: Job) -> u64 {
        let id = self.next;
        self.next += 1;
        self.jobs.insert(id, job);
        id
    }

    /// Its caller is gone; if it hasn't ended, it is told to.
    pub(crate) fn close(&mut self, id: u64) -> Result<(), String> {
        if self.jobs.remove(&id).is_none() {
            return Ok(());
        }
        self.left.insert(id);
        self.say(message::notice("cancel", &JobRef { job: id })?)
    }

    /// Ends every job without an answer.
    pub(crate) fn fail(&mut self, reason: &str) {
        for (_, job) in self.jobs.drain() {
            let _ = job.ended.send(Err(reason.to_owned()));
        }
    }

    /// Takes one line; fails when the process is out of its mind.
    pub(crate) fn hear(&mut self, line: &[u8], health: &Health) -> Result<(), String> {
        match read(line)? {
            SidecarMessage::Answer { id: Some(id), outcome } => self.answered(id, outcome),
            SidecarMessage::Answer { id: None, outcome } => {
                let said = outcome.err().map_or_else(String::new, |error| error.message);
                Err(format!("it couldn't read a message of the app: {}", cut(&said)))
            }
            SidecarMessage::Call { id, method, params } => self.called(id, method, params),
            SidecarMessage::Notice { method, params } => self.noticed(&method, &params, health),
        }
    }

    fn answered(&mut self, id: u64, outcome: Result<Params, RpcError>) -> Result<(), String> {
        if let Some(job) = self.jobs.remove(&id) {
            // A caller that is gone needs no answer.
            let _ = job.ended.send(Ok(outcome));
            return Ok(());
        }
        if self.left.remove(&id) {
            return Ok(());
        }
        Err(format!("it answered a question {id} that it was not asked"))
    }

    fn called(&mut self, id: u64, method: String, params: Params) -> Result<(), String> {
        let refused = match params.read::<JobRef>().map(|named| (self.jobs.get(&named.job), named.job)) {
            Ok((Some(job), _)) => match job.heard.try_send(JobEvent::Call { id, method, params }) {
                Ok(()) => return Ok(()),
                Err(_) => message::error(ErrorKind::Protocol, "the job asks for too much at once"),
            },
            Ok((None, job)) if job < self.next => message::error(ErrorKind::Cancelled, "the job is over"),
            Ok((None, job)) => message::error(ErrorKind::Protocol, format!("there is no job {job}")),
            Err(why) => message::error(ErrorKind::Protocol, format!("it names no job: {why}")),
        };
        self.say(message::answer(id, Err::<(), _>(refused)))
    }

    fn noticed(&mut self, method: &str, params: &Params, health: &Health) -> Result<(), String> {
        let unreadable = |why: serde_json::Error| format!("its message {method:?} can't be read: {why}");
        match method {
            "ping" => {}
            "log" => {
                let Log { text, job, .. } = params.read().map_err(unreadable)?;
                health.log(&text);
                self.tell(job, JobEvent::Log(text));
            }
            "progress" => {
                let Progress { job, progress } = params.read().map_err(unreadable)?;
                self.tell(Some(job), JobEvent::Progress(progress));
            }
            other => return Err(format!("it sent a message {:?} that isn't in the protocol", cut(other))),
        }
        Ok(())
    }

    /// Says it to a job that listens; one that doesn't keep up misses it.
    fn tell(&self, job: Option<u64>, what: JobEvent) {
        if let Some(job) = job.and_then(|job| self.jobs.get(&job)) {
            let _ = job.heard.try_send(what);
        }
    }

    fn say(&self, line: String) -> Result<(), String> {
        let room = Arc::clone(&self.ours).try_acquire_owned().map_err(|_| "it doesn't read what it is told".to_owned())?;
        let _ = self.outbox.lines.send((line, room));
        Ok(())
    }
}

impl Drop for Connection {
    /// Closes the process's input, also when lines wait that it doesn't read.
    fn drop(&mut self) {
        self.writer.abort();
        self.outbox.room.close();
    }
}

/// Reads a line; what can't be read is shown in part.
pub(crate) fn read(line: &[u8]) -> Result<SidecarMessage, String> {
    SidecarMessage::read(line)
        .map_err(|why| format!("it sent a line that isn't in the protocol ({why}): {}", cut(&String::from_utf8_lossy(line))))
}
