//! The life of the process: one thread that starts it, listens to it, ends it.
//!
//! The thread has a runtime of its own. It doesn't depend on who calls, and it is the thread that the process dies with: the kernel
//! ends a confined child together with the *thread* that started it, and threads of a caller's pool come and go.

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
use crate::health::{Health, cut};
use crate::lines::{Lines, ReadLineError};
use crate::message::SidecarMessage;
use crate::process::{Launch, Process};
use crate::protocol::{Hello, LINE_BYTES, PROTOCOL};
use crate::restarts::RestartDecision;
use crate::settings::Settings;

/// The thread's door. When the last one is dropped, the process is ended and the thread ends.
pub(crate) struct Supervisor(mpsc::UnboundedSender<Command>);

enum Command {
    /// A job wants a process.
    Open(Open),
    /// The caller of a job is gone.
    Close { job: u64, generation: u64 },
    /// Someone asked to try again: there is nothing to wait for.
    Retry,
}

struct Open {
    job: Job,
    opened: oneshot::Sender<Result<JobHandle, ProgramError>>,
}

/// A place in the process. Dropping it stops the job, if it hasn't ended.
pub(crate) struct JobHandle {
    pub(crate) job: u64,
    pub(crate) outbox: Outbox,
    /// Which of the processes, one after the other.
    generation: u64,
    sender: mpsc::UnboundedSender<Command>,
}

impl Drop for JobHandle {
    fn drop(&mut self) {
        // A supervisor that is gone has no jobs.
        let _ = self.sender.send(Command::Close { job: self.job, generation: self.generation });
    }
}

impl Supervisor {
    /// Starts the thread, not the process.
    pub(crate) fn start(launch: Launch, settings: Settings, health: Arc<Health>) -> Result<Self, String> {
        let (sender, commands) = mpsc::unbounded_channel();
        let weak = sender.downgrade();
        let task = move || {
            let runtime = match tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build() {
                Ok(runtime) => runtime,
                Err(why) => return health.failed(&format!("its supervisor can't run: {why}"), false),
            };
            runtime.block_on(
                SupervisorTask { launch, settings, health, commands, sender: weak, generations: 0, stopping: JoinSet::new() }.run(),
            );
        };
        thread::Builder::new().name("dspy".into()).spawn(task).map_err(|why| format!("its supervisor can't be started: {why}"))?;
        Ok(Self(sender))
    }

    /// A place for a job; starts the process if there is none.
    pub(crate) async fn open(&self, job: Job) -> Result<JobHandle, ProgramError> {
        let (opened, answer) = oneshot::channel();
        let _ = self.0.send(Command::Open(Open { job, opened }));
        answer.await.unwrap_or_else(|_| Err(ProgramError::Unavailable("its supervisor ended".to_owned())))
    }

    /// Ends a pause before the next start.
    pub(crate) fn retry(&self) {
        let _ = self.0.send(Command::Retry);
    }
}

/// What the thread has.
struct SupervisorTask {
    launch: Launch,
    settings: Settings,
    health: Arc<Health>,
    commands: mpsc::UnboundedReceiver<Command>,
    /// Weak: the callers' doors decide how long the thread lives.
    sender: mpsc::WeakUnboundedSender<Command>,
    generations: u64,
    /// Processes that were told to end and have a moment for it.
    stopping: JoinSet<()>,
}

/// A process that greeted.
struct RunningProcess {
    process: Process,
    output: Lines<ChildStdout>,
    connection: Connection,
}

/// Why a process isn't listened to any more.
enum StopReason {
    /// It is not needed for now.
    Idle,
    /// Nobody will need it.
    Closed,
    /// It failed.
    Failed(String),
}

/// Why there is no process after a start.
enum StartError {
    /// Nobody will need it.
    Closed,
    /// It isn't tried any more.
    GivenUp(String),
    /// It failed; another try may help or not.
    Failed { reason: String, again: bool },
}

impl SupervisorTask {
    async fn run(mut self) {
        while let Some(command) = self.commands.recv().await {
            // What concerns a process that is gone needs nothing.
            if let Command::Open(first) = command
                && self.run_process(vec![first]).await.is_none()
            {
                break;
            }
        }
        while self.stopping.join_next().await.is_some() {}
    }

    /// From the first job to the end of a process; none when it was the last one.
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
            // First the failure, then the news of it: who hears of it and looks, or asks again, finds it.
            self.health.failed(&reason, true);
            connection.fail(&reason);
            process.kill().await;
            return Some(());
        }
        self.health.ended();
        drop((connection, output));
        let grace = self.settings.grace;
        self.stopping.spawn(async move { process.end(grace).await });
        matches!(stopped, StopReason::Idle).then_some(())
    }

    /// Waits out the pause that failures brought, starts it and hears its first message. Jobs that come meanwhile wait.
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
            Process::start(&self.launch, &self.health).map_err(|why| failed(format!("it can't be started: {why}")))?;
        self.health.starting(process.id());
        let (connection, mut output) = (Connection::new(input), Lines::new(output, LINE_BYTES));
        let limit = self.settings.start;
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
                Ok(Err(ReadLineError::End)) => return Err(failed(process.exit_description(self.settings.grace).await)),
                Ok(Err(other)) => return Err(failed(describe(other))),
                Err(_) => return Err(failed(format!("it said nothing within {} s of its start", limit.as_secs_f32()))),
            };
        };
        self.health.ready(process.id(), &hello.dspy);
        Ok(RunningProcess { process, output, connection })
    }

    /// Listens until there is a reason not to.
    async fn serve(&mut self, running: &mut RunningProcess) -> StopReason {
        let RunningProcess { process, output, connection } = running;
        let Settings { silence, idle, stuck, grace, .. } = self.settings;
        let (mut heard, mut needed) = (Instant::now(), Instant::now());
        loop {
            let jobs = connection.jobs();
            self.health.set_jobs(jobs);
            let unneeded = if connection.has_left() { stuck.min(idle) } else { idle };
            let line = tokio::select! {
                line = output.next() => Some(line),
                command = self.commands.recv() => match command {
                    None => return StopReason::Closed,
                    Some(Command::Open(open)) => {
                        self.open(connection, open);
                        None
                    }
                    Some(Command::Close { job, generation }) if generation == self.generations => {
                        needed = Instant::now();
                        if let Err(reason) = connection.close(job) {
                            return StopReason::Failed(reason);
                        }
                        None
                    }
                    Some(Command::Close { .. } | Command::Retry) => None,
                },
                () = sleep(silence.saturating_sub(heard.elapsed())) => {
                    // After a long pause of the whole machine there are signs of life that just weren't read.
                    match timeout(Duration::ZERO, unconstrained(output.next())).await {
                        Ok(line) => Some(line),
                        Err(_) => return StopReason::Failed(format!("it gave no sign of life for {} s", silence.as_secs_f32())),
                    }
                }
                () = sleep(unneeded.saturating_sub(needed.elapsed())), if jobs == 0 => return StopReason::Idle,
            };
            match line {
                None => {}
                Some(Ok(line)) => {
                    heard = Instant::now();
                    if jobs > 0 {
                        needed = heard;
                    }
                    if let Err(reason) = connection.hear(line, &self.health) {
                        return StopReason::Failed(reason);
                    }
                }
                Some(Err(ReadLineError::End)) => return StopReason::Failed(process.exit_description(grace).await),
                Some(Err(other)) => return StopReason::Failed(describe(other)),
            }
        }
    }

    /// Gives a job its number; a caller that is gone meanwhile drops the ticket, which closes it.
    fn open(&self, connection: &mut Connection, open: Open) {
        if let Some(sender) = self.sender.upgrade() {
            let job = connection.open(open.job);
            let _ = open.opened.send(Ok(JobHandle { job, outbox: connection.outbox(), generation: self.generations, sender }));
        }
    }
}

/// Keeps what comes while there is no process yet.
fn queue_command(command: Option<Command>, waiting: &mut Vec<Open>) -> Result<(), StartError> {
    match command {
        None => return Err(StartError::Closed),
        Some(Command::Open(open)) => waiting.push(open),
        Some(Command::Close { .. } | Command::Retry) => {}
    }
    Ok(())
}

/// Its first message.
fn read_hello(line: &[u8]) -> Result<Hello, StartError> {
    let failed = |reason| StartError::Failed { reason, again: true };
    let hello: Hello = match read(line).map_err(failed)? {
        SidecarMessage::Notice { method, params } if method == "hello" => {
            params.read().map_err(|why| failed(format!("its first message can't be read: {why}")))?
        }
        _ => return Err(failed(format!("its first message is no greeting: {}", cut(&String::from_utf8_lossy(line))))),
    };
    if hello.protocol == PROTOCOL {
        return Ok(hello);
    }
    let reason = format!("it speaks version {} of the protocol, the app version {PROTOCOL}; install the app again", hello.protocol);
    Err(StartError::Failed { reason, again: false })
}

fn describe(why: ReadLineError) -> String {
    match why {
        ReadLineError::End => "it closed its output".to_owned(),
        ReadLineError::TooLong => "it sent a line that is too long".to_owned(),
        ReadLineError::Failed(why) => format!("it can't be listened to: {why}"),
    }
}
