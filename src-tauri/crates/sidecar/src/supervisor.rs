//! The supervisor: one thread that starts the process, reads its messages, and ends it.
//!
//! At most three restarts in five minutes; then the process stays off until a person retries.
//!
//! The thread has a runtime of its own, so that it doesn't depend on its callers: the kernel
//! kills a confined child together with the *thread* that started it, and threads of a caller's pool come and go.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use inklings_core::program::ProgramError;
use tokio::process::ChildStdout;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use tokio::task::coop::unconstrained;
use tokio::time::{Instant, sleep, timeout, timeout_at};

use crate::connection::{Connection, Job, Outbox, read};
use crate::health::{Health, truncate};
use crate::lines::{Lines, ReadLineError};
use crate::message::SidecarMessage;
use crate::process::{Launch, Process};
use crate::protocol::{Hello, LINE_BYTES, PROTOCOL};
use crate::restarts::RestartDecision;
use crate::timeouts::Timeouts;

/// A handle to the thread. Dropping it ends the process and the thread.
pub(crate) struct Supervisor(mpsc::UnboundedSender<Command>);

enum Command {
    Open(Open),
    /// A [`JobHandle`] was dropped.
    Close {
        job: u64,
        generation: u64,
    },
    /// Ends the pause before a restart.
    Retry,
}

struct Open {
    job: Job,
    opened: oneshot::Sender<Result<JobHandle, ProgramError>>,
}

/// Dropping it cancels the job unless it has ended.
pub(crate) struct JobHandle {
    pub(crate) job: u64,
    pub(crate) outbox: Outbox,
    /// The number of the process among all that were started.
    generation: u64,
    sender: mpsc::UnboundedSender<Command>,
}

impl Drop for JobHandle {
    fn drop(&mut self) {
        // Fails if the supervisor has ended.
        let _ = self.sender.send(Command::Close { job: self.job, generation: self.generation });
    }
}

impl Supervisor {
    /// Starts the thread, not the process.
    pub(crate) fn start(launch: Launch, timeouts: Timeouts, health: Arc<Health>) -> Result<Self, String> {
        let (sender, commands) = mpsc::unbounded_channel();
        let weak = sender.downgrade();
        let task = move || {
            let runtime = match tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build() {
                Ok(runtime) => runtime,
                Err(why) => return health.failed(&format!("can't run the supervisor thread: {why}"), false),
            };
            runtime.block_on(
                SupervisorTask { launch, timeouts, health, commands, sender: weak, generations: 0, stopping: JoinSet::new() }.run(),
            );
        };
        thread::Builder::new().name("dspy".into()).spawn(task).map_err(|why| format!("can't start the supervisor thread: {why}"))?;
        Ok(Self(sender))
    }

    /// Registers a job, and starts the process if there is none.
    pub(crate) async fn open(&self, job: Job) -> Result<JobHandle, ProgramError> {
        let (opened, answer) = oneshot::channel();
        let _ = self.0.send(Command::Open(Open { job, opened }));
        answer.await.unwrap_or_else(|_| Err(ProgramError::Unavailable("the supervisor thread ended".to_owned())))
    }

    /// Ends a pause before the next start.
    pub(crate) fn retry(&self) {
        let _ = self.0.send(Command::Retry);
    }
}

struct SupervisorTask {
    launch: Launch,
    timeouts: Timeouts,
    health: Arc<Health>,
    commands: mpsc::UnboundedReceiver<Command>,
    /// Weak, so that the thread ends with its last handle.
    sender: mpsc::WeakUnboundedSender<Command>,
    generations: u64,
    /// Processes in their grace time.
    stopping: JoinSet<()>,
}

/// A process that sent its `hello`.
struct RunningProcess {
    process: Process,
    output: Lines<ChildStdout>,
    connection: Connection,
}

enum StopReason {
    Idle,
    /// All handles were dropped.
    Closed,
    Failed(String),
}

enum StartError {
    /// All handles were dropped.
    Closed,
    GivenUp(String),
    /// `again`: a restart may help.
    Failed {
        reason: String,
        again: bool,
    },
}

impl SupervisorTask {
    async fn run(mut self) {
        while let Some(command) = self.commands.recv().await {
            // Other commands concern a process that has ended.
            if let Command::Open(first) = command
                && self.run_process(vec![first]).await.is_none()
            {
                break;
            }
        }
        while self.stopping.join_next().await.is_some() {}
    }

    /// Serves from the first job to the end of a process. None if the thread must end.
    async fn run_process(&mut self, mut waiting: Vec<Open>) -> Option<()> {
        let mut running = match self.start(&mut waiting).await {
            Ok(started) => started,
            Err(why) => {
                let reason = match why {
                    StartError::Closed => {
                        self.health.ended();
                        return None;
                    }
                    StartError::GivenUp(reason) => reason,
                    StartError::Failed { reason, again } => {
                        self.health.failed(&reason, again);
                        reason
                    }
                };
                for open in waiting {
                    let _ = open.opened.send(Err(ProgramError::Unavailable(reason.clone())));
                }
                return Some(());
            }
        };
        self.generations += 1;
        for open in waiting {
            self.open(&mut running.connection, open);
        }
        let stopped = self.serve(&mut running).await;
        let RunningProcess { mut process, output, mut connection } = running;
        if let StopReason::Failed(reason) = stopped {
            // Recorded before the jobs fail, so that their callers see it.
            self.health.failed(&reason, true);
            connection.fail(&reason);
            process.kill().await;
            return Some(());
        }
        self.health.ended();
        drop((connection, output));
        let grace = self.timeouts.grace;
        self.stopping.spawn(async move { process.end(grace).await });
        matches!(stopped, StopReason::Idle).then_some(())
    }

    /// Waits for the pause after failures, starts the process and reads its `hello`. Jobs that come meanwhile are queued.
    async fn start(&mut self, waiting: &mut Vec<Open>) -> Result<RunningProcess, StartError> {
        loop {
            match self.health.next() {
                RestartDecision::Now => break,
                RestartDecision::Never(reason) => return Err(StartError::GivenUp(reason)),
                RestartDecision::After(pause) => {
                    tokio::select! {
                        () = sleep(pause) => {}
                        command = self.commands.recv() => queue_command(command, waiting)?,
                    }
                }
            }
        }
        self.health.starting(None);
        let failed = |reason: String| StartError::Failed { reason, again: true };
        let (mut process, input, output) =
            Process::start(&self.launch, &self.health).map_err(|why| failed(format!("can't start: {why}")))?;
        self.health.starting(process.id());
        let (connection, mut output) = (Connection::new(input), Lines::new(output, LINE_BYTES));
        let limit = self.timeouts.start;
        let until = Instant::now() + limit;
        let hello = loop {
            let line = tokio::select! {
                line = timeout_at(until, output.next()) => line,
                command = self.commands.recv() => {
                    queue_command(command, waiting)?;
                    continue;
                }
            };
            break match line {
                Ok(Ok(line)) => read_hello(line)?,
                Ok(Err(ReadLineError::End)) => return Err(failed(process.exit_description(self.timeouts.grace).await)),
                Ok(Err(other)) => return Err(failed(describe(other))),
                Err(_) => return Err(failed(format!("no message within {} s after the start", limit.as_secs_f32()))),
            };
        };
        self.health.ready(process.id(), &hello.dspy);
        Ok(RunningProcess { process, output, connection })
    }

    async fn serve(&mut self, running: &mut RunningProcess) -> StopReason {
        let RunningProcess { process, output, connection } = running;
        let Timeouts { silence, idle, stuck, grace, .. } = self.timeouts;
        let (mut last_message, mut last_used) = (Instant::now(), Instant::now());
        loop {
            let jobs = connection.jobs();
            self.health.set_jobs(jobs);
            let idle_limit = if connection.has_abandoned() { stuck.min(idle) } else { idle };
            let line = tokio::select! {
                line = output.next() => Some(line),
                command = self.commands.recv() => match command {
                    None => return StopReason::Closed,
                    Some(Command::Open(open)) => {
                        self.open(connection, open);
                        None
                    }
                    Some(Command::Close { job, generation }) if generation == self.generations => {
                        last_used = Instant::now();
                        if let Err(reason) = connection.close(job) {
                            return StopReason::Failed(reason);
                        }
                        None
                    }
                    Some(Command::Close { .. } | Command::Retry) => None,
                },
                () = sleep(silence.saturating_sub(last_message.elapsed())) => {
                    // After a suspend of the machine there may be unread messages.
                    match timeout(Duration::ZERO, unconstrained(output.next())).await {
                        Ok(line) => Some(line),
                        Err(_) => return StopReason::Failed(format!("no message for {} s", silence.as_secs_f32())),
                    }
                }
                () = sleep(idle_limit.saturating_sub(last_used.elapsed())), if jobs == 0 => return StopReason::Idle,
            };
            match line {
                None => {}
                Some(Ok(line)) => {
                    last_message = Instant::now();
                    if jobs > 0 {
                        last_used = last_message;
                    }
                    if let Err(reason) = connection.handle_line(line, &self.health) {
                        return StopReason::Failed(reason);
                    }
                }
                Some(Err(ReadLineError::End)) => return StopReason::Failed(process.exit_description(grace).await),
                Some(Err(other)) => return StopReason::Failed(describe(other)),
            }
        }
    }

    /// If the caller has dropped its future meanwhile, the handle is dropped, which closes the job.
    fn open(&self, connection: &mut Connection, open: Open) {
        if let Some(sender) = self.sender.upgrade() {
            let job = connection.open(open.job);
            let _ = open.opened.send(Ok(JobHandle { job, outbox: connection.outbox(), generation: self.generations, sender }));
        }
    }
}

/// Queues jobs while there is no process.
fn queue_command(command: Option<Command>, waiting: &mut Vec<Open>) -> Result<(), StartError> {
    match command {
        None => return Err(StartError::Closed),
        Some(Command::Open(open)) => waiting.push(open),
        Some(Command::Close { .. } | Command::Retry) => {}
    }
    Ok(())
}

fn read_hello(line: &[u8]) -> Result<Hello, StartError> {
    let failed = |reason| StartError::Failed { reason, again: true };
    let hello: Hello = match read(line).map_err(failed)? {
        SidecarMessage::Notice { method, params } if method == "hello" => {
            params.read().map_err(|why| failed(format!("sent an invalid first message: {why}")))?
        }
        _ => return Err(failed(format!("sent an unexpected first message: {}", truncate(&String::from_utf8_lossy(line))))),
    };
    if hello.protocol == PROTOCOL {
        return Ok(hello);
    }
    let reason = format!("protocol version {} doesn't match the app's version {PROTOCOL}; reinstall the app", hello.protocol);
    Err(StartError::Failed { reason, again: false })
}

fn describe(why: ReadLineError) -> String {
    match why {
        ReadLineError::End => "closed its output".to_owned(),
        ReadLineError::TooLong => "sent a line that is too long".to_owned(),
        ReadLineError::Failed(why) => format!("can't read its output: {why}"),
    }
}
