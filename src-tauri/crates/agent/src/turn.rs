//! One answer: the model responds, tools are called, the model responds again, until it is done.

use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use inklings_core::chat::{ChatError, ChatMessage, ChatStep, ToolPreview, ToolStatus, ToolStep};
use inklings_core::model::{Completion, Finish, Message, Request, Role, ToolCall};
use inklings_core::trace::Usage;
use inklings_core::{CancellationToken, LanguageModel, ModelError, StorageError};
use inklings_prompt::tokens;

use crate::decision::{self, ASK_USER, AskUser, Parsed};
use crate::history::{self, Calling, round_of};
use crate::tool_box::{Outcome, Review, ToolBox};

/// Maximum number of responses of the model to one message.
pub const MAX_RESPONSES: u32 = 16;
/// Attempts to get a valid JSON object from a model that can't call tools.
const MAX_REPAIRS: u32 = 2;
/// Attempts to make a request shorter that the provider found too long.
const MAX_CUTS: u32 = 3;
/// Maximum length of a tool's result.
const MAX_RESULT_BYTES: usize = 16 * 1024;
/// The size of the context of models for which it is unknown.
const DEFAULT_CONTEXT_TOKENS: u64 = 32 * 1024;
/// Part of the context that is kept free for the response, as a divisor.
const RESPONSE_SHARE: usize = 5;
/// How often a text that is arriving is stored.
const SAVE_INTERVAL: Duration = Duration::from_secs(1);

/// Where the steps of an answer are recorded.
#[async_trait]
pub trait Journal: Send + Sync {
    async fn put(&self, position: usize, step: &ChatStep) -> Result<(), StorageError>;
    /// Stores the beginning of a text of which `on_text` has told all.
    async fn put_part(&self, position: usize, step: &ChatStep) -> Result<(), StorageError>;
    /// A piece of the text at a position arrived. Must not block.
    fn on_text(&self, position: usize, text: &str);
}

/// What the model is told.
#[derive(Debug, Clone, Default)]
pub struct Conversation {
    pub system: String,
    /// The messages before, oldest first.
    pub past: Vec<ChatMessage>,
    pub message: String,
}

/// An answer in progress.
pub struct Turn<'a> {
    pub model: &'a dyn LanguageModel,
    pub tools: &'a dyn ToolBox,
    pub journal: &'a dyn Journal,
    pub conversation: &'a Conversation,
    pub calling: Calling,
    pub cancel: &'a CancellationToken,
}

#[derive(Debug, Clone, PartialEq)]
pub enum TurnEnd {
    Done,
    /// A tool needs the user's permission.
    Waiting,
    Stopped,
    Failed(ChatError),
}

#[derive(Debug, Clone, PartialEq)]
pub struct TurnReport {
    pub end: TurnEnd,
    pub usage: Usage,
    /// As reported by the provider.
    pub model: Option<String>,
    /// [`Calling::Text`] if the model turned out to be unable to call tools.
    pub calling: Calling,
}

impl Turn<'_> {
    /// Goes on from `steps`, which are those recorded so far.
    pub async fn run(self, steps: &mut Vec<ChatStep>) -> TurnReport {
        let calling = self.calling;
        let mut progress = Progress { turn: self, steps, usage: Usage::default(), model: None, calling, cuts: 0 };
        let end = match progress.run().await {
            Ok(end) => end,
            Err(Stop::Cancelled) => TurnEnd::Stopped,
            Err(Stop::Failed(error)) => TurnEnd::Failed(error),
        };
        TurnReport { end, usage: progress.usage, model: progress.model, calling: progress.calling }
    }
}

/// Why a turn ends early.
enum Stop {
    Cancelled,
    Failed(ChatError),
}

impl From<StorageError> for Stop {
    fn from(error: StorageError) -> Self {
        Self::Failed(ChatError { message: error.to_string(), retry: true })
    }
}

impl From<ModelError> for Stop {
    fn from(error: ModelError) -> Self {
        let retry = !matches!(error, ModelError::NotConfigured | ModelError::UnknownProvider { .. });
        if error == ModelError::Cancelled { Self::Cancelled } else { Self::Failed(ChatError { message: error.to_string(), retry }) }
    }
}

struct Progress<'a, 'b> {
    turn: Turn<'a>,
    steps: &'b mut Vec<ChatStep>,
    usage: Usage,
    model: Option<String>,
    calling: Calling,
    /// How often the request was made shorter: the past and the context are halved each time.
    cuts: u32,
}

impl Progress<'_, '_> {
    async fn run(&mut self) -> Result<TurnEnd, Stop> {
        loop {
            if self.call_tools().await? {
                return Ok(TurnEnd::Waiting);
            }
            let round = self.next_round();
            if round > 0 && self.is_answered(round - 1) {
                return Ok(TurnEnd::Done);
            }
            self.respond(round).await?;
        }
    }

    /// The number of the next response.
    fn next_round(&self) -> u32 {
        self.steps.iter().filter_map(round_of).max().map_or(0, |last| last + 1)
    }

    fn is_answered(&self, round: u32) -> bool {
        self.steps.iter().any(|step| match step {
            ChatStep::Text { round: of, last, .. } => *last && *of == round,
            ChatStep::Question { round: of, .. } => *of == round,
            _ => false,
        })
    }

    async fn add(&mut self, step: ChatStep) -> Result<usize, Stop> {
        self.steps.push(step);
        let position = self.steps.len() - 1;
        self.turn.journal.put(position, &self.steps[position]).await?;
        Ok(position)
    }

    // ---- responses

    async fn respond(&mut self, round: u32) -> Result<(), Stop> {
        let mut repairs = Vec::new();
        loop {
            let request = self.request(round, &repairs).await?;
            let completion = match self.complete(&request, round).await {
                Err(error) if self.calling == Calling::Tools && lacks_tools(&error) => {
                    self.calling = Calling::Text;
                    continue;
                }
                Err(error) if is_too_long(&error) && self.cut() => continue,
                completed => completed?,
            };
            let parsed = match self.calling {
                Calling::Tools => Parsed { text: completion.text, calls: completion.tool_calls },
                Calling::Text => match decision::parse(&completion.text, round) {
                    Ok(parsed) => parsed,
                    Err(_) if repairs.len() >= 2 * MAX_REPAIRS as usize => {
                        let text = "The model's response isn't in the expected format, so it is shown as it is.";
                        self.add(ChatStep::Notice { text: text.to_owned() }).await?;
                        Parsed { text: completion.text, calls: Vec::new() }
                    }
                    Err(error) => {
                        repairs.push(Message::text(Role::Assistant, completion.text));
                        let ask = format!("This isn't a valid response: {error}. Respond again, with one JSON object of the format above.");
                        repairs.push(Message::text(Role::User, ask));
                        continue;
                    }
                },
            };
            return self.record(round, parsed, completion.finish).await;
        }
    }

    /// Sends the request, and records its text as it arrives if it is shown as such.
    async fn complete(&mut self, request: &Request, round: u32) -> Result<Completion, ModelError> {
        let streams = self.calling == Calling::Tools;
        let position = self.steps.len();
        let text = Mutex::new(String::new());
        let arrived = || text.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let on_text = |piece: &str| {
            if streams {
                text.lock().unwrap_or_else(PoisonError::into_inner).push_str(piece);
                self.turn.journal.on_text(position, piece);
            }
        };
        let completed = {
            let mut completed = std::pin::pin!(self.turn.model.complete(request, &on_text, self.turn.cancel));
            let mut interval = tokio::time::interval(SAVE_INTERVAL);
            let mut saved = 0;
            loop {
                tokio::select! {
                    biased;
                    completed = &mut completed => break completed,
                    _ = interval.tick() => {
                        let text = arrived();
                        if text.len() > saved {
                            saved = text.len();
                            if let Err(error) = self.turn.journal.put_part(position, &ChatStep::Text { round, text, last: false }).await {
                                tracing::warn!(%error, "can't store a part of an answer");
                            }
                        }
                    }
                }
            }
        };
        match completed {
            Ok(completion) => {
                self.usage.add(Usage::of(completion.usage, self.turn.model.price()));
                self.model = Some(completion.model.clone());
                Ok(completion)
            }
            Err(error) => {
                // What the user has seen stays.
                let text = arrived();
                if !text.is_empty() {
                    self.steps.push(ChatStep::Text { round, text, last: false });
                    if let Err(error) = self.turn.journal.put(position, &self.steps[position]).await {
                        tracing::warn!(%error, "can't store a part of an answer");
                    }
                }
                Err(error)
            }
        }
    }

    async fn record(&mut self, round: u32, parsed: Parsed, finish: Finish) -> Result<(), Stop> {
        let Parsed { text, calls } = parsed;
        let last = calls.is_empty() || round >= MAX_RESPONSES;
        if !text.is_empty() || last {
            let position = self.add(ChatStep::Text { round, text: text.clone(), last }).await?;
            if self.calling == Calling::Text {
                self.turn.journal.on_text(position, &text);
            }
        }
        if round == 0 {
            self.add(ChatStep::Decided { decision: decision::kind_of(&calls) }).await?;
        }
        match finish {
            Finish::Length => {
                let text = "The response was cut off at the model's output limit.";
                self.add(ChatStep::Notice { text: text.to_owned() }).await?;
            }
            Finish::Refused => {
                self.add(ChatStep::Notice { text: "The model declined to answer.".to_owned() }).await?;
            }
            _ if text.is_empty() && calls.is_empty() => {
                self.add(ChatStep::Notice { text: "The model returned an empty response.".to_owned() }).await?;
            }
            _ => {}
        }
        if round >= MAX_RESPONSES {
            let text = format!("Stopped after {MAX_RESPONSES} steps. Send a message to go on.");
            self.add(ChatStep::Notice { text }).await?;
            return Ok(());
        }
        for call in calls {
            if call.name == ASK_USER
                && let Ok(AskUser { question, options }) = serde_json::from_value(call.arguments.clone())
            {
                self.add(ChatStep::Question { round, call: Some(call), question, options }).await?;
                continue;
            }
            let step = ToolStep { call, status: ToolStatus::Allowed, preview: None, result: None, change: None, run: None, proposal: None };
            self.add(ChatStep::Tool { round, step: Box::new(step) }).await?;
        }
        Ok(())
    }

    async fn request(&mut self, round: u32, repairs: &[Message]) -> Result<Request, Stop> {
        let Conversation { system, past, message } = self.turn.conversation;
        let past = history::exchanges(past, self.calling);
        let mut tools = self.turn.tools.tools();
        tools.push(decision::ask_user());
        let mut request = Request { system: system.clone(), ..Request::default() };
        let tool_tokens: usize =
            tools.iter().map(|tool| tokens::count(&tool.description) + tokens::count(&tool.parameters.to_string())).sum();
        decision::offer(&mut request, tools, self.calling);
        let mut current = vec![Message::text(Role::User, message.as_str())];
        current.extend(history::rounds(self.steps, self.calling));
        current.extend_from_slice(repairs);
        if round >= MAX_RESPONSES {
            let text = format!("You have used all {MAX_RESPONSES} steps for this message. Answer now with what you have, without tools.");
            current.push(Message::text(Role::User, text));
        } else if current.last().is_some_and(|last| last.role == Role::Assistant) {
            // The answer was interrupted after this text.
            current.push(Message::text(Role::User, "Go on."));
        }
        let context = self.turn.model.context_tokens().unwrap_or(DEFAULT_CONTEXT_TOKENS);
        let context = usize::try_from(context).unwrap_or(usize::MAX) >> self.cuts;
        let budget = (context - context / RESPONSE_SHARE).saturating_sub(tokens::count(&request.system) + tool_tokens);
        let recent = &past[past.len() - (past.len() >> self.cuts)..];
        let fitted = history::fit(recent, current, budget);
        let dropped = fitted.dropped + past.len() - recent.len();
        if dropped > 0 {
            let text = match dropped {
                1 => "The oldest message is left out: the conversation is longer than the model's context.".to_owned(),
                _ => format!("The {dropped} oldest messages are left out: the conversation is longer than the model's context."),
            };
            let notice = ChatStep::Notice { text };
            if !self.steps.contains(&notice) {
                self.add(notice).await?;
            }
        }
        Ok(Request { messages: fitted.messages, ..request })
    }

    /// Prepares a shorter request. Returns false if it has been made shorter often enough.
    fn cut(&mut self) -> bool {
        self.cuts += 1;
        self.cuts <= MAX_CUTS
    }

    // ---- tools

    /// Calls the tools that may be called. Returns whether one waits for the user's permission.
    async fn call_tools(&mut self) -> Result<bool, Stop> {
        let mut waiting = false;
        for position in 0..self.steps.len() {
            let ChatStep::Tool { step, .. } = &self.steps[position] else { continue };
            if step.result.is_some() {
                continue;
            }
            if self.turn.cancel.is_cancelled() {
                return Err(Stop::Cancelled);
            }
            let call = step.call.clone();
            match step.status {
                ToolStatus::Denied => {
                    let text = "The user did not permit this call. Don't repeat it; ask what to do instead.";
                    self.set(position, |step| step.result = Some(text.to_owned())).await?;
                }
                ToolStatus::Running => {
                    let text = "The app stopped during this call. It may have taken effect: look before you repeat it.";
                    self.set(position, |step| {
                        step.status = ToolStatus::Failed;
                        step.result = Some(text.to_owned());
                    })
                    .await?;
                }
                status => {
                    // A preview means that it was reviewed; the user has permitted it since.
                    let permitted = step.preview.clone().filter(|_| status == ToolStatus::Allowed);
                    waiting |= self.review(position, &call, permitted.as_ref()).await?;
                }
            }
        }
        Ok(waiting)
    }

    /// Calls the tool, or asks for permission; returns whether it asks. What the user has permitted isn't asked again, unless the call would
    /// do something else by now.
    async fn review(&mut self, position: usize, call: &ToolCall, permitted: Option<&ToolPreview>) -> Result<bool, Stop> {
        let reviewed = match call.check_arguments() {
            Ok(()) if self.turn.tools.accepts(call) => self.turn.tools.review(call).await,
            Ok(()) => Err(format!("there is no tool {:?}", call.name)),
            Err(why) => Err(why),
        };
        match reviewed {
            Ok(Review::Free) => self.call(position, call).await.map(|()| false),
            Ok(Review::Ask(preview)) if permitted == Some(&preview) => self.call(position, call).await.map(|()| false),
            Ok(Review::Granted(preview)) => {
                self.set(position, |step| step.preview = Some(preview)).await?;
                self.call(position, call).await.map(|()| false)
            }
            Ok(Review::Ask(preview)) => {
                let asks = |step: &mut ToolStep| {
                    step.status = ToolStatus::Asked;
                    step.preview = Some(preview);
                };
                self.set(position, asks).await.map(|()| true)
            }
            Err(why) => self.finish(position, Outcome::failed(why)).await.map(|()| false),
        }
    }

    async fn call(&mut self, position: usize, call: &ToolCall) -> Result<(), Stop> {
        self.set(position, |step| step.status = ToolStatus::Running).await?;
        let outcome = self.turn.tools.call(call).await;
        self.finish(position, outcome).await
    }

    async fn finish(&mut self, position: usize, outcome: Outcome) -> Result<(), Stop> {
        let Outcome { result, change, run, proposal } = outcome;
        let (status, text) = match result {
            Ok(text) => (ToolStatus::Done, text),
            Err(text) => (ToolStatus::Failed, format!("Error: {text}")),
        };
        self.set(position, |step| {
            step.status = status;
            step.result = Some(bounded(text));
            step.change = change;
            step.run = run;
            step.proposal = proposal;
        })
        .await
    }

    async fn set(&mut self, position: usize, change: impl FnOnce(&mut ToolStep)) -> Result<(), Stop> {
        if let Some(ChatStep::Tool { step, .. }) = self.steps.get_mut(position) {
            change(step);
        }
        Ok(self.turn.journal.put(position, &self.steps[position]).await?)
    }
}

fn bounded(mut text: String) -> String {
    if text.len() > MAX_RESULT_BYTES {
        let total = text.len();
        text.truncate(text.floor_char_boundary(MAX_RESULT_BYTES));
        let _ = write!(text, "\n[cut: the first {MAX_RESULT_BYTES} of {total} bytes]");
    }
    text
}

fn refusal(error: &ModelError) -> Option<String> {
    if let ModelError::Refused { detail, .. } = error { Some(detail.to_lowercase()) } else { None }
}

/// Whether a provider refused a request since the model can't call tools. There is no code for it.
pub(crate) fn lacks_tools(error: &ModelError) -> bool {
    refusal(error).is_some_and(|detail| {
        ["tool", "function call"].iter().any(|what| detail.contains(what))
            && ["not support", "unsupported", "not available", "no endpoints", "not enabled", "requires --jinja"]
                .iter()
                .any(|how| detail.contains(how))
    })
}

/// Whether a provider refused a request since it is longer than the model's context.
fn is_too_long(error: &ModelError) -> bool {
    const WORDS: [&str; 6] =
        ["context length", "context window", "maximum context", "context size", "prompt is too long", "too many tokens"];
    refusal(error).is_some_and(|detail| WORDS.iter().any(|words| detail.contains(words)))
}
