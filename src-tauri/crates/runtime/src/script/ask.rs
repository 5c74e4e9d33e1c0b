//! `llm_query` and `llm_query_batched`: a script's questions to the run's model.

use futures_util::StreamExt as _;
use futures_util::stream;
use inklings_core::HostError;
use inklings_core::model::{Finish, Message, ModelError, Request, Role};
use inklings_lint::json_schema::JsonSchema;
use serde_json::Value;

use crate::assertions::json_in;
use crate::context::ExecutionContext;
use crate::error::SkillError;

/// Questions that are asked at the same time.
const MAX_CONCURRENT_QUESTIONS: usize = 8;
/// Questions of one call.
pub(super) const MAX_QUESTIONS: usize = 1_000;

/// Why a question has no answer.
pub(super) enum QuestionError {
    /// The script may go on.
    Here(HostError),
    /// The run must end.
    Everywhere(SkillError),
}

/// Asks everything, some at a time; the answers are in the order of the questions. The first failure ends it.
pub(super) async fn ask_all(
    context: &ExecutionContext<'_>,
    prompts: Vec<String>,
    schema: Option<&Value>,
) -> Result<Vec<Value>, QuestionError> {
    if prompts.is_empty() {
        return Ok(Vec::new());
    }
    let schema = schema.map(Schema::new).transpose().map_err(QuestionError::Here)?;
    let count = prompts.len();
    let question = |(at, prompt): (usize, String)| {
        let schema = schema.as_ref();
        async move {
            let number = |detail: String| if count > 1 { format!("question {}: {detail}", at + 1) } else { detail };
            ask(context, prompt, schema).await.map_err(|error| match error {
                QuestionError::Here(HostError::Failed(detail)) => QuestionError::Here(HostError::Failed(number(detail))),
                other => other,
            })
        }
    };
    let mut answers = stream::iter(prompts.into_iter().enumerate().map(question)).buffered(MAX_CONCURRENT_QUESTIONS);
    let mut all = Vec::with_capacity(count);
    while let Some(answer) = answers.next().await {
        all.push(answer?);
    }
    Ok(all)
}

async fn ask(context: &ExecutionContext<'_>, prompt: String, schema: Option<&Schema<'_>>) -> Result<Value, QuestionError> {
    let request = Request {
        messages: vec![Message::text(Role::User, prompt)],
        schema: schema.map(|schema| schema.text.clone()),
        ..Request::default()
    };
    let model = context.model().await.map_err(failed)?;
    let completion = model.complete(&request, &|_| (), context.cancel).await.map_err(failed)?;
    if completion.finish == Finish::Refused && completion.text.trim().is_empty() {
        return Err(QuestionError::Here(HostError::Failed(format!("{} declined to answer", completion.model))));
    }
    match schema {
        None => Ok(Value::String(completion.text)),
        Some(schema) => schema.read(&completion.text, completion.finish == Finish::Length).map_err(QuestionError::Here),
    }
}

/// A limit of the run and a stop end the script too: it could go on asking for ever.
fn failed(error: ModelError) -> QuestionError {
    match error {
        ModelError::OverBudget { .. } | ModelError::Cancelled => QuestionError::Everywhere(SkillError::Model(error)),
        other => QuestionError::Here(HostError::Failed(other.to_string())),
    }
}

/// What an answer must look like.
struct Schema<'a> {
    text: &'a Value,
    compiled: JsonSchema,
}

impl<'a> Schema<'a> {
    fn new(text: &'a Value) -> Result<Self, HostError> {
        let compiled = JsonSchema::compile(text).map_err(|error| HostError::BadCall(format!("the schema can't be used: {error}")))?;
        Ok(Self { text, compiled })
    }

    fn read(&self, answer: &str, cut_off: bool) -> Result<Value, HostError> {
        let failed = |detail: String| Err(HostError::Failed(format!("the model's answer doesn't fit the schema: {detail}")));
        let Some(value) = json_in(answer) else {
            return failed(if cut_off { "it was cut off".to_owned() } else { "it has no JSON".to_owned() });
        };
        let faults = match self.compiled.faults(&value, 1) {
            Ok(faults) => faults,
            Err(error) => return Err(HostError::Failed(format!("the model's answer can't be checked: {error}"))),
        };
        match faults.first() {
            None => Ok(value),
            Some(fault) => failed(format!("at {:?}: {}", fault.path, fault.message)),
        }
    }
}
