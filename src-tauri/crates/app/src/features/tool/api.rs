//! Parameters and results of `tool/*`. The description of a parameter type is the tool's, for the model.

#![expect(clippy::doc_markdown, reason = "the descriptions are sent to models as they are")]

use inklings_core::chat::ToolChange;
use inklings_core::{ArtifactKind, ModelRef, ProposalId, RunId, Scope, Source, TraceId, TraceStatus};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::text_edit::EditOperation;

/// Creates a skill. Its description decides when it is used: say what it does and when to use it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateSkillCall {
    /// Unique slug in lowercase with hyphens, such as quarterly-reports.
    pub name: String,
    /// Title for people.
    pub title: String,
    /// What it does and when to use it, in one or two sentences.
    pub description: String,
    /// Instructions in Markdown, without frontmatter.
    pub content: String,
    #[serde(default)]
    pub tags: Vec<String>,
    /// [default: the workspace if one is open, else the account]
    #[serde(default)]
    pub scope: Option<Scope>,
}

/// Changes the instructions or the metadata of a skill. Prefer the smallest edit: find_replace, append, prepend or delete.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct UpdateSkillCall {
    /// Slug of the skill.
    pub name: String,
    /// New title.
    pub title: Option<String>,
    /// New description.
    pub description: Option<String>,
    /// New tags, replacing all.
    pub tags: Option<Vec<String>>,
    /// Edit of the instructions. Omit it to change metadata only.
    pub operation: Option<EditOperation>,
    /// For replace: the new instructions. For append and prepend: the text to add. For delete: the text to remove.
    pub content: Option<String>,
    /// For find_replace: the exact text to find. It must be there once, unless replace_all is set.
    pub find: Option<String>,
    /// For find_replace: the new text.
    pub replace: Option<String>,
    /// For find_replace and delete: change all occurrences.
    pub replace_all: bool,
    /// [default: workspace, then account]
    pub scope: Option<Scope>,
}

/// Proposes a skill with its files, or changes of several files of a skill. Nothing changes until the user accepts it, so no permission is
/// needed; the files are checked, and problems come back to be corrected.
///
/// Files of a skill: SKILL.md (required): frontmatter with name (the slug) and description (what it does and when to use it), then
/// instructions. prompts/NAME.j2: a prompt template in MiniJinja; its variables are inputs. scripts/NAME.py: Python for a sandbox
/// without packages, network or files, with `import inklings`: the dict params has the inputs, inklings.search(query) and
/// inklings.get_page(slug) read the workspace, and inklings.submit(value) ends it with the result. dspy/NAME.json: a DSPy module,
/// {"template_id": "predict" or "chain_of_thought", "signature": "a: str, b: list[str] -> answer: str", "instructions": "..."}; it needs a
/// prompt as its fallback. examples/NAME.json: {"input": {...}, "output": ...}. approach/NAME.md: strategy for the system prompt. Files at
/// these paths are declared in skill.json by themselves.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProposeSkillCall {
    /// Slug of the skill to change, or of a new one.
    pub name: String,
    /// What is proposed, in a short sentence.
    pub summary: String,
    /// The new and the changed files, each with its whole text. Files that aren't listed stay as they are.
    pub files: Vec<ProposedText>,
    /// ID of your earlier proposal, to revise it. Its other files stay proposed.
    #[serde(default)]
    pub proposal: Option<ProposalId>,
    /// [default: the skill's, or for a new one the workspace if one is open]
    #[serde(default)]
    pub scope: Option<Scope>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProposedText {
    /// Path in the skill's folder.
    pub path: String,
    /// The whole text. Null deletes the file.
    pub content: Option<String>,
    /// For a DSPy module: path or name of the prompt that runs if DSPy is unavailable.
    #[serde(default)]
    pub fallback: Option<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ProposedSkill {
    pub proposal: ProposalId,
    /// Paths of all proposed files.
    pub files: Vec<String>,
    /// What the validator says about them.
    pub problems: Vec<String>,
    /// Whether the model should correct them.
    pub repair: bool,
    /// What to do now.
    pub next: String,
}

/// Deletes a skill. It can be restored.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeleteSkillCall {
    /// Slug of the skill.
    pub name: String,
    /// [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
}

/// Lists the skills.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ListSkillsCall {
    /// List those with this tag only.
    pub tag: Option<String>,
    pub include_disabled: bool,
    /// [default: workspace, then account]
    pub scope: Option<Scope>,
}

/// Reads the instructions of a skill.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadSkillCall {
    /// Slug of the skill.
    pub name: String,
    /// [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
}

/// Enables a skill, so that agents find it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EnableSkillCall {
    /// Slug of the skill.
    pub name: String,
    /// [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
}

/// Disables a skill, so that agents don't find it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DisableSkillCall {
    /// Slug of the skill.
    pub name: String,
    /// [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
}

/// Runs a skill, or one of its artifacts: renders and sends its prompts, runs its scripts and DSPy programs.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunSkillCall {
    /// Slug of the skill.
    pub name: String,
    /// Path or name of one artifact. [default: the skill's plan]
    #[serde(default)]
    pub artifact: Option<String>,
    /// Values of its variables.
    #[serde(default)]
    pub params: Map<String, Value>,
    /// [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// [default: the default model]
    #[serde(default)]
    pub model: Option<ModelRef>,
}

/// Runs a Python file of a skill as a program, in a sandbox without network and packages: it has Python's standard library, the skill's
/// modules, and its files with inklings.files.read(path). Other languages can't run.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExecuteScriptCall {
    /// Slug of the skill.
    pub skill: String,
    /// Path of the file, such as scripts/report.py.
    pub path: String,
    /// Command-line arguments.
    #[serde(default)]
    pub args: Vec<String>,
    /// Standard input.
    #[serde(default)]
    pub stdin: String,
    /// Time limit in seconds. [default: 600]
    #[serde(default)]
    pub timeout_s: Option<u32>,
    /// [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
}

/// Lists the files of a skill, or reads one of them.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ViewArtifactCall {
    /// Slug of the skill, or ID of an open proposal of this chat.
    pub skill: String,
    /// Path of a file. [default: list the files]
    #[serde(default)]
    pub path: Option<String>,
    /// Number of characters to skip.
    #[serde(default)]
    pub offset: usize,
    /// Maximum number of characters, at most 16,000. [default: 16000]
    #[serde(default)]
    pub limit: Option<usize>,
    /// [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
}

/// Searches the workspace's pages.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchWorkspaceCall {
    /// Search terms, without syntax.
    pub query: String,
    /// Maximum number of results, at most 50. [default: 10]
    #[serde(default)]
    pub limit: Option<usize>,
}

/// Reads a page of the workspace.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetPageCall {
    /// Slug, title or alias.
    pub slug: String,
}

/// Changes the standing notes, which are part of every system prompt: short facts and preferences of the user. Instructions for a task
/// belong in a skill.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EditNotesCall {
    pub operation: EditOperation,
    /// For replace: the new notes. For append and prepend: the text to add. For delete: the text to remove.
    #[serde(default)]
    pub content: Option<String>,
    /// For find_replace: the exact text to find. It must be there once, unless replace_all is set.
    #[serde(default)]
    pub find: Option<String>,
    /// For find_replace: the new text.
    #[serde(default)]
    pub replace: Option<String>,
    /// For find_replace and delete: change all occurrences.
    #[serde(default)]
    pub replace_all: bool,
    /// Notes about the workspace, or about the user in general. [default: account]
    #[serde(default)]
    pub scope: Option<Scope>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct WrittenSkill {
    pub name: String,
    /// Number of the revision.
    pub version: i64,
    pub change: ToolChange,
    /// What is wrong with the skill now.
    pub problems: Vec<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DeletedSkill {
    pub deleted: bool,
    pub change: ToolChange,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ListedSkill {
    pub name: String,
    pub title: String,
    pub description: String,
    pub tags: Vec<String>,
    pub source: Source,
    /// Number of the revision.
    pub version: i64,
    pub enabled: bool,
    /// Why it shouldn't be used.
    pub warning: Option<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ListedSkills {
    pub skills: Vec<ListedSkill>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ReadSkillResult {
    pub name: String,
    pub title: String,
    pub description: String,
    pub content: String,
    pub tags: Vec<String>,
    pub source: Source,
    /// Number of the revision.
    pub version: i64,
    /// Paths of its other files.
    pub files: Vec<String>,
    /// Why it shouldn't be used.
    pub warning: Option<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct EnabledSkill {
    pub name: String,
    pub enabled: bool,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RunSkillResult {
    pub run: RunId,
    pub status: TraceStatus,
    pub text: Option<String>,
    /// The output as a value, if it is structured.
    pub value: Option<Value>,
    pub error: Option<String>,
    pub warning: Option<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ExecuteScriptResult {
    /// Null if it was stopped or aborted.
    pub exit_code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    /// Whether a part of the output is missing.
    pub truncated: bool,
    pub trace_id: Option<TraceId>,
    pub run: RunId,
    /// Why it failed. Set for every exit code but 0.
    pub error: Option<String>,
    pub warning: Option<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ViewedFile {
    pub path: String,
    /// Null for a file that is no artifact.
    pub kind: Option<ArtifactKind>,
    /// Null for binary files.
    pub content: Option<String>,
    pub truncated: bool,
    pub total_bytes: u64,
    /// Why the skill shouldn't be used.
    pub warning: Option<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ListedFile {
    pub path: String,
    pub kind: Option<ArtifactKind>,
    pub bytes: u64,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum ViewArtifactResult {
    Tree {
        tree: Vec<ListedFile>,
        /// Why the skill shouldn't be used.
        warning: Option<String>,
    },
    File(ViewedFile),
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct EditedNotes {
    pub scope: Scope,
    pub text: String,
}
