//! `llm_query` and `llm_query_batched`: a script's calls to the run's model.

use futures_util::StreamExt as _;
use futures_util::stream;
use inklings_core::HostError;
use inklings_core::model::{Finish, Message, ModelError, Request, Role};
use inklings_lint::json_schema::JsonSchema;
use serde_json::Value;

use crate::assertions::json_in;
use crate::context::ExecutionContext;
use crate::error::SkillError;

const MAX_CONCURRENT_PROMPTS: usize = 8;
/// Per call.
pub(super) const MAX_PROMPTS: usize = 1_000;

pub(super) enum PromptError {
    /// Raised in the script, which may handle it.
    Script(HostError),
    /// Ends the run.
    Run(SkillError),
}

/// Answers in the order of the prompts. The first failure ends it.
pub(super) async fn ask_all(
    context: &ExecutionContext<'_>,
    prompts: Vec<String>,
    schema: Option<&Value>,
) -> Result<Vec<Value>, PromptError> {
    if prompts.is_empty() {
        return Ok(Vec::new());
    }
    let schema = schema.map(Schema::new).transpose().map_err(PromptError::Script)?;
    let count = prompts.len();
    let question = |(at, prompt): (usize, String)| {
        let schema = schema.as_ref();
        async move {
            let number = |detail: String| if count > 1 { format!("prompt {}: {detail}", at + 1) } else { detail };
            ask(context, prompt, schema).await.map_err(|error| match error {
                PromptError::Script(HostError::Failed(detail)) => PromptError::Script(HostError::Failed(number(detail))),
                other => other,
            })
        }
    };
    let mut answers = stream::iter(prompts.into_iter().enumerate().map(question)).buffered(MAX_CONCURRENT_PROMPTS);
    let mut all = Vec::with_capacity(count);
    while let Some(answer) = answers.next().await {
        all.push(answer?);
    }
    Ok(all)
}

async fn ask(context: &ExecutionContext<'_>, prompt: String, schema: Option<&Schema<'_>>) -> Result<Value, PromptError> {
    let request = Request {
        messages: vec![Message::text(Role::User, prompt)],
        schema: schema.map(|schema| schema.text.clone()),
        ..Request::default()
    };
    let model = context.model().await.map_err(failed)?;
    let completion = model.complete(&request, &|_| (), context.cancel).await.map_err(failed)?;
    if completion.finish == Finish::Refused {
        return Err(PromptError::Script(HostError::Failed(format!("{} declined to answer", completion.model))));
    }
    match schema {
        None => Ok(Value::String(completion.text)),
        Some(schema) => schema.read(&completion.text, completion.finish == Finish::Length).map_err(PromptError::Script),
    }
}

/// A limit of the run and a cancellation also end the script, since it could retry forever.
fn failed(error: ModelError) -> PromptError {
    match error {
        ModelError::OverBudget { .. } | ModelError::Cancelled => PromptError::Run(SkillError::Model(error)),
        other => PromptError::Script(HostError::Failed(other.to_string())),
    }
}

struct Schema<'a> {
    text: &'a Value,
    compiled: JsonSchema,
}

impl<'a> Schema<'a> {
    fn new(text: &'a Value) -> Result<Self, HostError> {
        let compiled = JsonSchema::compile(text).map_err(|error| HostError::BadCall(format!("invalid schema: {error}")))?;
        Ok(Self { text, compiled })
    }

    fn read(&self, answer: &str, cut_off: bool) -> Result<Value, HostError> {
        let failed = |detail: String| Err(HostError::Failed(format!("the model's answer doesn't match the schema: {detail}")));
        let Some(value) = json_in(answer) else {
            return failed(if cut_off { "it was cut off".to_owned() } else { "it contains no JSON".to_owned() });
        };
        let faults = match self.compiled.faults(&value, 1) {
            Ok(faults) => faults,
            Err(error) => return Err(HostError::Failed(format!("can't validate the model's answer: {error}"))),
        };
        match faults.first() {
            None => Ok(value),
            Some(fault) => failed(format!("at {:?}: {}", fault.path, fault.message)),
        }
    }
}
