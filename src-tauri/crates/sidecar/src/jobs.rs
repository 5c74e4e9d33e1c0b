//! One job, seen by its caller: what it asks is answered by its host, many questions at the same time, until it ends.

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

/// Questions of one job that are answered at the same time; the others wait in line. Each may be a paid call to a model.
pub(crate) const MAX_CONCURRENT_ANSWERS: usize = 16;

/// Opens the job, asks `method` of the process, and answers what comes until the answer is there.
pub(crate) async fn run<T: DeserializeOwned>(
    supervisor: &Supervisor,
    method: &str,
    params: &(impl Serialize + Sync),
    host: &dyn ProgramHost,
) -> Result<T, ProgramError> {
    let (to_us, mut heard) = mpsc::channel(JOB_EVENT_CAPACITY);
    let (ended, mut end) = oneshot::channel();
    let ticket = supervisor.open(Job { heard: to_us, ended }).await?;
    let question = message::request(ticket.job, method, params).map_err(ProgramError::Invalid)?;
    let asked = Asked { ticket, host, room: Semaphore::new(MAX_CONCURRENT_ANSWERS), failure: Mutex::default() };
    asked.ticket.outbox.send(question).await;
    let mut answers = FuturesUnordered::new();
    let ended = loop {
        tokio::select! {
            ended = &mut end => break ended,
            Some(heard) = heard.recv() => match heard {
                JobEvent::Call { id, method, params } => answers.push(asked.answer(id, method, params)),
                other => tell(host, other),
            },
            Some(()) = answers.next(), if !answers.is_empty() => {}
        }
    };
    drop(answers);
    // What was said before the end is heard before the end.
    while let Ok(rest) = heard.try_recv() {
        tell(host, rest);
    }
    match ended {
        Ok(Ok(Ok(result))) => result.read().map_err(|why| ProgramError::Broken(format!("its answer can't be read: {why}"))),
        Ok(Ok(Err(error))) => Err(asked.failed(error)),
        Ok(Err(reason)) => Err(ProgramError::Broken(reason)),
        Err(_) => Err(ProgramError::Broken("its supervisor ended".to_owned())),
    }
}

fn tell(host: &dyn ProgramHost, heard: JobEvent) {
    match heard {
        JobEvent::Progress(progress) => host.progress(progress),
        JobEvent::Log(text) => host.log(&text),
        // Nobody waits for the answer any more.
        JobEvent::Call { .. } => {}
    }
}

/// A job that was asked for.
struct Asked<'a> {
    ticket: JobHandle,
    host: &'a dyn ProgramHost,
    room: Semaphore,
    /// What the last question to a model failed with; the process only hears that it did.
    failure: Mutex<Option<ModelError>>,
}

impl Asked<'_> {
    async fn answer(&self, id: u64, method: String, params: Params) {
        // It is never closed.
        let room = self.room.acquire().await;
        let outcome = match method.as_str() {
            "lm.complete" => self.complete(&params).await,
            "metric.score" => self.score(&params).await,
            "tool.call" => self.call_tool(&params).await,
            other => Err(message::error(ErrorKind::Protocol, format!("there is no {other:?}"))),
        };
        drop(room);
        self.ticket.outbox.send(message::answer(id, outcome)).await;
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
        let told = message::error(kind, error.to_string());
        *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        told
    }

    fn host_failed(&self, error: HostError) -> RpcError {
        match error {
            // A limit of the run: it must not go on, but an optimisation may say what it has.
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
    message::error(ErrorKind::Protocol, format!("the question can't be read: {why}"))
}

/// For questions that ask nothing in return.
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
        Err(HostError::Failed("nothing is scored here".to_owned()))
    }

    fn progress(&self, _: ProgramProgress) {}

    fn log(&self, _: &str) {}
}
