//! A message that is answered with a skill's SKILL.md as instructions, as agents use a skill: its other files are listed and read on
//! demand, and nothing of it is executed. The skill, its files and the answers are untrusted.

use std::fmt::Write as _;

use inklings_core::manifest::forbidden_tools;
use inklings_core::model::{Completion, Finish, Message, ModelError, Part, Request, Role, Tool, ToolCall};
use inklings_core::{Artifact, Package, SkillPath, Tree, TreeFile};
use serde_json::{Value, json};

use crate::context::ExecutionContext;
use crate::error::SkillError;
use crate::output::ArtifactOutput;
use crate::plan::MESSAGE;
use crate::request_text::{append_messages, request_text};

const READ_FILE: &str = "read_file";
/// Model calls per message.
const MAX_CALLS: usize = 16;
/// A longer file is cut off.
const MAX_FILE_BYTES: usize = 64 * 1024;
/// Files in the list.
const MAX_LISTED_FILES: usize = 200;
/// For models without tools: of all files together.
const MAX_INLINE_BYTES: usize = 32 * 1024;

/// The first request: SKILL.md and the list of files as instructions, the message, and the tool that reads a file.
#[must_use]
pub fn request(package: &Package, artifact: &Artifact, message: &str) -> Request {
    let files = files(package);
    let mut system = artifact.content.trim().to_owned();
    let mut tools = Vec::new();
    if !files.is_empty() && !forbidden_tools(&package.metadata).iter().any(|tool| tool == READ_FILE) {
        system.push_str("\n\n# Files of this skill\n\nRead a file with the tool read_file when the instructions refer to it.\n");
        for (path, file) in files.iter().take(MAX_LISTED_FILES) {
            // Writing to a String can't fail.
            let _ = write!(system, "\n- {path} ({} bytes)", file.bytes.len());
        }
        if files.len() > MAX_LISTED_FILES {
            let _ = write!(system, "\n- and {} more", files.len() - MAX_LISTED_FILES);
        }
        tools.push(read_file_tool());
    }
    Request { system, messages: vec![Message::text(Role::User, message)], tools, ..Request::default() }
}

/// The same for a model without tools: small text files are part of the instructions. Also returns how many aren't.
fn request_without_tools(package: &Package, artifact: &Artifact, message: &str) -> (Request, usize) {
    let (mut system, mut omitted) = (artifact.content.trim().to_owned(), 0);
    let mut left = MAX_INLINE_BYTES;
    for (path, file) in files(package) {
        match file.editable_text().filter(|text| text.len() <= left) {
            Some(text) => {
                left -= text.len();
                let _ = write!(system, "\n\n# File {path}\n\n{}", text.trim_end());
            }
            None => omitted += 1,
        }
    }
    (Request { system, messages: vec![Message::text(Role::User, message)], ..Request::default() }, omitted)
}

/// The files besides SKILL.md and skill.json, which isn't written for models.
fn files(package: &Package) -> Vec<(SkillPath, TreeFile)> {
    let tree: Tree = package.tree();
    tree.into_iter().filter(|(path, _)| *path != package.main_path && path.as_str() != "skill.json").collect()
}

fn read_file_tool() -> Tool {
    Tool {
        name: READ_FILE.to_owned(),
        description: "Reads a text file of the skill.".to_owned(),
        parameters: json!({
            "type": "object",
            "properties": {"path": {"type": "string", "description": "Path of the file, as listed."}},
            "required": ["path"],
        }),
    }
}

pub(crate) async fn answer(artifact: &Artifact, context: &ExecutionContext<'_>) -> Result<ArtifactOutput, SkillError> {
    let package = &context.skill.package;
    let message = match context.values.get(MESSAGE) {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    };
    let mut exchange = Exchange { context, request: request(package, artifact, &message), texts: Vec::new() };
    context.set_rendered(&request_text(&exchange.request));
    let first = match exchange.ask().await {
        Err(SkillError::Model(ModelError::Refused { status: 400, detail, .. })) if has_no_tools(&detail, &exchange.request) => {
            let (request, omitted) = request_without_tools(package, artifact, &message);
            context.log(&format!("{}\n", without_tools(omitted)));
            context.set_rendered(&request_text(&request));
            exchange.request = request;
            exchange.ask().await?
        }
        other => other?,
    };
    let last = exchange.read_files(first).await?;
    if last.finish == Finish::Refused && exchange.texts.is_empty() {
        return Err(SkillError::Declined { model: last.model });
    }
    Ok(ArtifactOutput {
        text: exchange.texts.join("\n\n"),
        cut_off: matches!(last.finish, Finish::Length | Finish::Refused) || !last.tool_calls.is_empty(),
        tools_used: if exchange.request.messages.len() > 1 { vec![READ_FILE.to_owned()] } else { Vec::new() },
        ..ArtifactOutput::default()
    })
}

/// Servers say this in different words: "does not support tools", "tool use is not supported", "tools: extra inputs are not permitted".
fn has_no_tools(detail: &str, request: &Request) -> bool {
    !request.tools.is_empty() && detail.to_lowercase().contains("tool")
}

fn without_tools(omitted: usize) -> String {
    let left = match omitted {
        0 => String::new(),
        1 => " except one that is too long or not a text".to_owned(),
        count => format!(" except {count} that are too long or not texts"),
    };
    format!("the model has no tools: the skill's files are part of the instructions{left}")
}

/// A message with its answer, and the files that were read in between.
struct Exchange<'a, 'b> {
    context: &'a ExecutionContext<'b>,
    request: Request,
    texts: Vec<String>,
}

impl Exchange<'_, '_> {
    async fn ask(&mut self) -> Result<Completion, SkillError> {
        let model = self.context.model().await?;
        let completion = model.complete(&self.request, &|piece| self.context.text(piece), self.context.cancel).await?;
        if !completion.text.trim().is_empty() {
            self.texts.push(completion.text.clone());
        }
        Ok(completion)
    }

    /// Answers the tool calls until there are none. After the last permitted call the answer is incomplete.
    async fn read_files(&mut self, mut completion: Completion) -> Result<Completion, SkillError> {
        for _ in 1..MAX_CALLS {
            if completion.tool_calls.is_empty() {
                break;
            }
            if !completion.text.trim().is_empty() {
                self.context.text("\n\n");
            }
            let results =
                completion.tool_calls.iter().map(|call| Part::ToolResult { id: call.id.clone(), text: self.read(call) }).collect();
            let mut parts: Vec<Part> = Vec::new();
            if !completion.text.is_empty() {
                parts.push(Part::Text { text: completion.text.clone() });
            }
            parts.extend(completion.tool_calls.iter().cloned().map(Part::ToolCall));
            let messages = [Message { role: Role::Assistant, parts }, Message { role: Role::User, parts: results }];
            self.context.append_rendered(|text| append_messages(text, &messages));
            self.request.messages.extend(messages);
            completion = self.ask().await?;
        }
        self.context.emit_rendered();
        Ok(completion)
    }

    /// The text of the file that a call asks for, or why there is none.
    fn read(&self, call: &ToolCall) -> String {
        if call.name != READ_FILE {
            return format!("there is no tool {:?}; use {READ_FILE}", call.name);
        }
        if let Err(why) = call.check_arguments() {
            return why;
        }
        let asked = call.arguments.get("path").and_then(Value::as_str).unwrap_or_default();
        let path = SkillPath::parse(asked.strip_prefix("./").unwrap_or(asked));
        let file = path.ok().and_then(|path| self.context.skill.package.tree().remove(&path).map(|file| (path, file)));
        let Some((path, file)) = file else {
            self.context.log(&format!("{asked:?} not found\n"));
            return format!("file {asked:?} not found in the skill");
        };
        let Some(text) = file.editable_text() else {
            self.context.log(&format!("{path} is not a text\n"));
            return format!("{path} is not a text file");
        };
        self.context.log(&format!("read {path}\n"));
        if text.len() <= MAX_FILE_BYTES {
            return text.to_owned();
        }
        let end = text.floor_char_boundary(MAX_FILE_BYTES);
        format!("{}\n\n[cut off after {end} of {} bytes]", &text[..end], text.len())
    }
}
