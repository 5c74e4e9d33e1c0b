//! One job on the caller's side: its host answers the requests of the process, several at a time, until the job ends.

use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use inklings_core::model::{Completion, Request};
use inklings_core::program::{ProgramError, ProgramExample, ProgramHost, ProgramProgress, Score};
use inklings_core::{HostError, ModelError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use tokio::sync::{Semaphore, mpsc, oneshot};

use crate::connection::{JOB_EVENT_CAPACITY, Job, JobEvent};
use crate::message::{self, Params};
use crate::protocol::{Complete, ErrorKind, RpcError, ScoreRequest, ToolRequest};
use crate::supervisor::{JobHandle, Supervisor};

/// Requests of one job that are answered at the same time. Each may be a paid model call.
pub(crate) const MAX_CONCURRENT_ANSWERS: usize = 16;

/// Sends the request `method` and answers the requests of the process until its result arrives.
pub(crate) async fn run<T: DeserializeOwned>(
    supervisor: &Supervisor,
    method: &str,
    params: &(impl Serialize + Sync),
    host: &dyn ProgramHost,
) -> Result<T, ProgramError> {
    let (events, mut received) = mpsc::channel(JOB_EVENT_CAPACITY);
    let (result, mut end) = oneshot::channel();
    let handle = supervisor.open(Job { events, result }).await?;
    let request = message::request(handle.job, method, params).map_err(ProgramError::Invalid)?;
    let job = RunningJob { handle, host, room: Semaphore::new(MAX_CONCURRENT_ANSWERS), failure: Mutex::default() };
    job.handle.outbox.send(request).await;
    let mut answers = FuturesUnordered::new();
    let ended = loop {
        tokio::select! {
            ended = &mut end => break ended,
            Some(event) = received.recv() => match event {
                JobEvent::Call { id, method, params } => answers.push(job.answer(id, method, params)),
                other => notify(host, other),
            },
            Some(()) = answers.next(), if !answers.is_empty() => {}
        }
    };
    drop(answers);
    // Events that were sent before the result are delivered before it.
    while let Ok(rest) = received.try_recv() {
        notify(host, rest);
    }
    match ended {
        Ok(Ok(Ok(result))) => result.read().map_err(|why| ProgramError::Broken(format!("sent an invalid result: {why}"))),
        Ok(Ok(Err(error))) => Err(job.failed(error)),
        Ok(Err(reason)) => Err(ProgramError::Broken(reason)),
        Err(_) => Err(ProgramError::Broken("the supervisor thread ended".to_owned())),
    }
}

fn notify(host: &dyn ProgramHost, event: JobEvent) {
    match event {
        JobEvent::Progress(progress) => host.progress(progress),
        JobEvent::Log(text) => host.log(&text),
        // The job has ended, so no answer is expected.
        JobEvent::Call { .. } => {}
    }
}

struct RunningJob<'a> {
    handle: JobHandle,
    host: &'a dyn ProgramHost,
    room: Semaphore,
    /// The error of the last failed model call; the process only learns that it failed.
    failure: Mutex<Option<ModelError>>,
}

impl RunningJob<'_> {
    async fn answer(&self, id: u64, method: String, params: Params) {
        let room = self.room.acquire().await;
        let outcome = match method.as_str() {
            "lm.complete" => self.complete(&params).await,
            "metric.score" => self.score(&params).await,
            "tool.call" => self.call_tool(&params).await,
            other => Err(message::error(ErrorKind::Protocol, format!("unknown method {other:?}"))),
        };
        drop(room);
        self.handle.outbox.send(message::answer(id, outcome)).await;
    }

    async fn complete(&self, params: &Params) -> Result<Value, RpcError> {
        let Complete { request, .. } = params.read().map_err(unreadable)?;
        let completion = self.host.complete(&request).await.map_err(|error| self.model_failed(error))?;
        serde_json::to_value(completion).map_err(unreadable)
    }

    async fn score(&self, params: &Params) -> Result<Value, RpcError> {
        let ScoreRequest { example, prediction, .. } = params.read().map_err(unreadable)?;
        let score = self.host.score(&example, &prediction).await.map_err(|error| self.host_failed(error))?;
        serde_json::to_value(score).map_err(unreadable)
    }

    async fn call_tool(&self, params: &Params) -> Result<Value, RpcError> {
        let ToolRequest { name, args, .. } = params.read().map_err(unreadable)?;
        self.host.call_tool(&name, Value::Object(args)).await.map_err(|error| self.host_failed(error))
    }

    fn model_failed(&self, error: ModelError) -> RpcError {
        let kind = match error {
            ModelError::OverBudget { .. } => ErrorKind::OverBudget,
            ModelError::Cancelled => ErrorKind::Cancelled,
            _ => ErrorKind::Model,
        };
        let reply = message::error(kind, error.to_string());
        *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        reply
    }

    fn host_failed(&self, error: HostError) -> RpcError {
        match error {
            // A limit of the run: an optimization may still return its best candidate.
            HostError::Fatal(detail) => self.model_failed(ModelError::OverBudget { detail }),
            other => message::error(ErrorKind::Tool, other.to_string()),
        }
    }

    fn failed(self, error: RpcError) -> ProgramError {
        let RpcError { message, data, .. } = error;
        match data.kind {
            ErrorKind::Invalid => ProgramError::Invalid(message),
            ErrorKind::Failed | ErrorKind::Tool => ProgramError::Failed(message),
            ErrorKind::Model | ErrorKind::OverBudget => {
                let failure = self.failure.into_inner().unwrap_or_else(PoisonError::into_inner);
                failure.map_or(ProgramError::Failed(message), ProgramError::Model)
            }
            ErrorKind::Cancelled => ProgramError::Cancelled,
            ErrorKind::Protocol | ErrorKind::Internal => ProgramError::Broken(message),
        }
    }
}

fn unreadable(why: serde_json::Error) -> RpcError {
    message::error(ErrorKind::Protocol, format!("invalid request: {why}"))
}

/// For requests during which the process sends none.
pub(crate) struct NoopHost;

#[async_trait]
impl ProgramHost for NoopHost {
    async fn complete(&self, _: &Request) -> Result<Completion, ModelError> {
        Err(ModelError::NotConfigured)
    }

    async fn call_tool(&self, name: &str, _: Value) -> Result<Value, HostError> {
        Err(HostError::NotFound(name.to_owned()))
    }

    async fn score(&self, _: &ProgramExample, _: &Map<String, Value>) -> Result<Score, HostError> {
        Err(HostError::Failed("scoring isn't available".to_owned()))
    }

    fn progress(&self, _: ProgramProgress) {}

    fn log(&self, _: &str) {}
}
