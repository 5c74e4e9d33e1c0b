//! The host functions of a script. Capabilities are checked before the arguments are read.
//!
//! A reached limit of the run ends the script, whatever it catches. `run_skill` is a nested run: same session and budget, one level
//! deeper, with traces of its own. Checkpoints are stored in the account's database by workspace, skill, hash of the script and key,
//! and are pruned with the traces.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use async_trait::async_trait;
use inklings_core::manifest::forbidden_tools;
use inklings_core::pages::{Hit, Page, PageFilter, PageSummary, Pages, PagesError};
use inklings_core::sandbox_api::Capability;
use inklings_core::user::{CHECKPOINT_BYTES, CHECKPOINT_KEY_CHARS, CheckpointKey};
use inklings_core::{Digest, HostError, HostFunctions, Skill, SkillPath, SkillSummary, StorageError, Tree};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::ask::{MAX_PROMPTS, PromptError, ask_all};
use super::capabilities::Capabilities;
use crate::context::ExecutionContext;
use crate::error::SkillError;

/// Of a search, and of the changes of a page.
const DEFAULT_HITS: usize = 20;
const MAX_HITS: usize = 1_000;
/// High, because a list has only summaries and a script must be able to see every page.
const MAX_LISTED_PAGES: usize = 100_000;
/// Missing pages that one error names.
const MAX_NAMED_PAGES: usize = 20;
/// Page text in one answer.
const MAX_PAGES_BYTES: usize = 32 * 1024 * 1024;

pub(crate) struct ScriptHost<'a> {
    context: &'a ExecutionContext<'a>,
    capabilities: Capabilities,
    script: Digest,
    /// The files of the skill, once they were asked for.
    files: OnceLock<Tree>,
    /// Functions that the skill's manifest forbids as tools.
    forbidden: Vec<String>,
    called: Mutex<Vec<String>>,
    /// An error that ends the run, whatever the script makes of it.
    fatal: Mutex<Option<SkillError>>,
}

pub(crate) struct ScriptReport {
    pub(crate) skills: Vec<String>,
    pub(crate) fatal: Option<SkillError>,
}

impl<'a> ScriptHost<'a> {
    /// `script` is the hash of the script's text, part of the key of its checkpoints.
    pub(crate) fn new(context: &'a ExecutionContext<'a>, capabilities: Capabilities, script: Digest) -> Self {
        let forbidden = forbidden_tools(&context.skill.package.metadata);
        Self { context, capabilities, script, files: OnceLock::new(), forbidden, called: Mutex::default(), fatal: Mutex::default() }
    }

    pub(crate) fn into_report(self) -> ScriptReport {
        let skills = self.called.into_inner().unwrap_or_else(PoisonError::into_inner);
        ScriptReport { skills, fatal: self.fatal.into_inner().unwrap_or_else(PoisonError::into_inner) }
    }

    fn needs(&self, capability: Capability) -> Result<(), HostError> {
        if self.capabilities.has(capability) {
            return Ok(());
        }
        Err(HostError::Denied(format!(
            "the script doesn't have the capability {0:?}; add it to its metadata.rights in skill.json",
            capability.name()
        )))
    }

    /// Refuses a function that the manifest forbids, by its name or by the tool that does the same.
    fn ensure_allowed(&self, name: &str) -> Result<(), HostError> {
        let tool = match name {
            "search" => "workspace_search",
            "get_pages" | "get_pages_by_type" => "get_page",
            other => other,
        };
        if self.forbidden.iter().any(|one| one == name || one == tool) {
            return Err(HostError::Denied(format!("the manifest of the skill forbids the tool {tool:?}")));
        }
        Ok(())
    }

    fn files(&self) -> &Tree {
        self.files.get_or_init(|| self.context.skill.package.tree())
    }

    /// The text of a file of the script's own skill. There is no way to another one: a [`SkillPath`] never leaves its folder.
    fn read_file(&self, asked: &str) -> Result<Value, HostError> {
        let path = SkillPath::parse(asked).map_err(|error| HostError::BadCall(error.to_string()))?;
        let Some(file) = self.files().get(&path) else {
            return Err(HostError::NotFound(format!("file {asked:?} not found in the skill")));
        };
        let text = file.text().ok_or_else(|| HostError::BadCall(format!("{path} isn't UTF-8 text")))?;
        Ok(Value::from(text))
    }

    /// Records an error that ends the run.
    fn fail_run(&self, error: SkillError) -> HostError {
        let text = error.to_string();
        self.fatal.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        HostError::Fatal(text)
    }

    async fn pages<T: Send + 'static>(
        &self,
        question: impl FnOnce(&dyn Pages) -> Result<T, PagesError> + Send + 'static,
    ) -> Result<T, HostError> {
        self.read_pages(|pages| question(pages).map_err(from_pages)).await
    }

    async fn read_pages<T: Send + 'static>(
        &self,
        reading: impl FnOnce(&dyn Pages) -> Result<T, HostError> + Send + 'static,
    ) -> Result<T, HostError> {
        let pages = self.context.resources.pages.clone();
        let pages = pages.ok_or_else(|| HostError::Failed("no workspace is open".to_owned()))?;
        blocking(move || reading(pages.as_ref())).await
    }

    async fn ask(&self, prompts: Vec<String>, schema: Option<Value>) -> Result<Vec<Value>, HostError> {
        if prompts.len() > MAX_PROMPTS {
            return Err(HostError::BadCall(format!("{} prompts exceed the limit of {MAX_PROMPTS} per call", prompts.len())));
        }
        let schema = schema.filter(|schema| !schema.is_null());
        ask_all(self.context, prompts, schema.as_ref()).await.map_err(|error| match error {
            PromptError::Script(error) => error,
            PromptError::Run(error) => self.fail_run(error),
        })
    }

    async fn checkpoint(&self, key: String, value: Option<Value>) -> Result<Value, HostError> {
        if key.is_empty() || key.chars().count() > CHECKPOINT_KEY_CHARS {
            return Err(HostError::BadCall(format!("a checkpoint's key must have 1 to {CHECKPOINT_KEY_CHARS} characters")));
        }
        let checkpoints = self.context.resources.checkpoints.clone();
        let (skill, script) = (self.context.skill.head.id, self.script);
        let workspace = self.context.workspace.map(|path| path.display().to_string()).unwrap_or_default();
        blocking(move || {
            let key = CheckpointKey { workspace: &workspace, skill, script, key: &key };
            let Some(value) = value.filter(|value| !value.is_null()) else {
                return Ok(checkpoints.checkpoint(key).map_err(from_storage)?.unwrap_or(Value::Null));
            };
            let bytes = value.to_string().len();
            if bytes > CHECKPOINT_BYTES {
                return Err(HostError::BadCall(format!("the checkpoint has {bytes} bytes as JSON, the limit is {CHECKPOINT_BYTES}")));
            }
            checkpoints.put_checkpoint(key, &value).map_err(from_storage)?;
            Ok(value)
        })
        .await
    }

    async fn list_skills(&self, tag: Option<String>) -> Result<Value, HostError> {
        let skills = self.context.resources.skills.clone();
        blocking(move || {
            let tagged = |one: &&SkillSummary| tag.as_ref().is_none_or(|tag| one.tags.iter().any(|own| own.eq_ignore_ascii_case(tag)));
            let row = |one: &SkillSummary| json!({"name": one.slug, "title": one.name, "description": one.description, "tags": one.tags});
            Ok(Value::Array(skills.list().map_err(from_storage)?.iter().filter(tagged).map(row).collect()))
        })
        .await
    }

    async fn read_skill(&self, name: String) -> Result<Value, HostError> {
        let package = self.load(name).await?.package;
        let main = package.tree().get(&package.main_path).and_then(|entry| entry.text().map(str::to_owned));
        Ok(json!({
            "name": package.slug,
            "title": package.name,
            "description": package.description,
            "content": main.unwrap_or_default(),
            "tags": package.tags,
        }))
    }

    async fn load(&self, name: String) -> Result<Skill, HostError> {
        let skills = self.context.resources.skills.clone();
        blocking(move || skills.load(&name).map_err(from_storage)).await
    }

    async fn run_skill(&self, name: String, params: Map<String, Value>) -> Result<Value, HostError> {
        let skill = Arc::new(self.load(name).await?);
        let slug = skill.package.slug.to_string();
        let (skills, asked) = (self.context.resources.skills.clone(), skill.clone());
        blocking(move || {
            skills.may_run(&asked).map_err(|error| match error {
                SkillError::Trace(error) => from_storage(error),
                denied => HostError::Denied(denied.to_string()),
            })
        })
        .await?;
        self.called.lock().unwrap_or_else(PoisonError::into_inner).push(slug.clone());
        let failed = |error: SkillError| match error {
            SkillError::Cancelled | SkillError::Budget { .. } | SkillError::TooDeep { .. } => self.fail_run(error),
            other => HostError::Failed(format!("{slug}: {other}")),
        };
        let report = self.context.run_skill(skill, params).await.map_err(failed)?;
        match report.error {
            Some(error) => Err(failed(error)),
            None => Ok(report.output.map_or(Value::Null, |output| output.value.unwrap_or(Value::String(output.text)))),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SearchArgs {
    query: String,
    #[serde(default)]
    limit: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PageArgs {
    slug: String,
    #[serde(default)]
    limit: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PagesArgs {
    slugs: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TypeArgs {
    r#type: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct QueryArgs {
    prompt: String,
    #[serde(default)]
    schema: Option<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BatchArgs {
    prompts: Vec<String>,
    #[serde(default)]
    schema: Option<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckpointArgs {
    key: String,
    #[serde(default)]
    value: Option<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RunArgs {
    name: String,
    #[serde(default)]
    params: Map<String, Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ListArgs {
    #[serde(default)]
    tag: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoArgs {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileArgs {
    path: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NameArgs {
    name: String,
}

#[async_trait]
impl HostFunctions for ScriptHost<'_> {
    async fn call(&self, name: &str, arguments: Value) -> Result<Value, HostError> {
        let limit = |asked: Option<usize>| asked.unwrap_or(DEFAULT_HITS).min(MAX_HITS);
        if let Some(capability) = capability_for(name)? {
            self.needs(capability)?;
        }
        self.ensure_allowed(name)?;
        match name {
            "search" | "workspace_search" => {
                let SearchArgs { query, limit: most } = read(name, arguments)?;
                if query.trim().is_empty() {
                    let most = most.unwrap_or(DEFAULT_HITS).min(MAX_LISTED_PAGES);
                    let listed = self.pages(move |pages| pages.list(&PageFilter::default(), 0, most)).await?;
                    return value(&listed.pages.into_iter().map(unranked).collect::<Vec<_>>());
                }
                self.pages(move |pages| pages.search(&query, limit(most))).await.and_then(|hits| value(&hits))
            }
            "get_page" => {
                let PageArgs { slug, .. } = read(name, arguments)?;
                self.pages(move |pages| pages.page(&slug)).await.and_then(|page| value(&page))
            }
            "get_pages" => {
                let PagesArgs { slugs } = read(name, arguments)?;
                self.read_pages(move |pages| pages_by_slug(pages, &slugs)).await.and_then(|pages| value(&pages))
            }
            "get_pages_by_type" => {
                let TypeArgs { r#type } = read(name, arguments)?;
                let of_type = move |pages: &dyn Pages| {
                    let slugs: Vec<_> = pages.pages_by_type(&r#type).map_err(from_pages)?.into_iter().map(|page| page.slug).collect();
                    // Ignores pages that were removed in the meantime.
                    texts(pages, &slugs, |_| ())
                };
                self.read_pages(of_type).await.and_then(|pages| value(&pages))
            }
            "get_tags" => self.pages(|pages| pages.tags()).await.and_then(|tags| value(&tags)),
            "get_references" => {
                let PageArgs { slug, .. } = read(name, arguments)?;
                self.pages(move |pages| pages.references(&slug)).await.and_then(|references| value(&references))
            }
            "get_history" => {
                let PageArgs { slug, limit: most } = read(name, arguments)?;
                self.pages(move |pages| pages.history(&slug, limit(most))).await.and_then(|history| value(&history))
            }
            "llm_query" => {
                let QueryArgs { prompt, schema } = read(name, arguments)?;
                Ok(self.ask(vec![prompt], schema).await?.pop().unwrap_or(Value::Null))
            }
            "llm_query_batched" => {
                let BatchArgs { prompts, schema } = read(name, arguments)?;
                Ok(Value::Array(self.ask(prompts, schema).await?))
            }
            "checkpoint" => {
                let CheckpointArgs { key, value } = read(name, arguments)?;
                self.checkpoint(key, value).await
            }
            "skills.list" => {
                let ListArgs { tag } = read(name, arguments)?;
                self.list_skills(tag).await
            }
            "skills.read" => {
                let NameArgs { name } = read(name, arguments)?;
                self.read_skill(name).await
            }
            "run_skill" => {
                let RunArgs { name, params } = read(name, arguments)?;
                self.run_skill(name, params).await
            }
            "files.list" => {
                let NoArgs {} = read(name, arguments)?;
                Ok(self.files().keys().map(|path| Value::from(path.as_str())).collect())
            }
            "files.read" => {
                let FileArgs { path } = read(name, arguments)?;
                self.read_file(&path)
            }
            // `capability_for` refuses unknown names.
            _ => Err(unknown(name)),
        }
    }

    fn log(&self, text: &str) {
        self.context.log(text);
    }

    fn output(&self, text: &str) {
        self.context.text(text);
    }

    fn truncated(&self) {
        self.context.set_truncated();
    }

    fn progress(&self, fraction: f64, text: &str) {
        self.context.progress(fraction, text);
    }
}

/// None for what every script may do: read its own skill.
fn capability_for(name: &str) -> Result<Option<Capability>, HostError> {
    let capability = match name {
        "files.list" | "files.read" => return Ok(None),
        "search" | "workspace_search" | "get_page" | "get_pages" | "get_pages_by_type" | "get_tags" | "get_references" | "get_history" => {
            Capability::Pages
        }
        "llm_query" | "llm_query_batched" => Capability::Models,
        "checkpoint" => Capability::Checkpoints,
        "skills.list" | "skills.read" | "run_skill" => Capability::Skills,
        _ => return Err(unknown(name)),
    };
    Ok(Some(capability))
}

fn unknown(name: &str) -> HostError {
    HostError::Denied(format!("function {name:?} not found"))
}

fn read<T: DeserializeOwned>(name: &str, arguments: Value) -> Result<T, HostError> {
    serde_json::from_value(arguments).map_err(|error| HostError::BadCall(format!("{name}: {error}")))
}

fn value(answer: &impl serde::Serialize) -> Result<Value, HostError> {
    serde_json::to_value(answer).map_err(|error| HostError::Failed(error.to_string()))
}

fn from_pages(error: PagesError) -> HostError {
    match error {
        PagesError::NotFound { .. } => HostError::NotFound(error.to_string()),
        other => HostError::Failed(other.to_string()),
    }
}

/// A listed page in the form of a search hit.
fn unranked(page: PageSummary) -> Hit {
    Hit { slug: page.slug, title: page.title, kind: page.kind, tags: page.tags, snippet: String::new(), score: 0.0 }
}

/// One page per slug, in order. An error names the missing ones.
fn pages_by_slug(pages: &dyn Pages, slugs: &[String]) -> Result<Vec<Page>, HostError> {
    let mut missing = Vec::new();
    let found = texts(pages, slugs, |slug| missing.push(format!("{slug:?}")))?;
    match missing.len() {
        0 => Ok(found),
        1 => Err(HostError::NotFound(format!("page {} not found", missing[0]))),
        many => {
            let more = if many > MAX_NAMED_PAGES { format!(" and {} more", many - MAX_NAMED_PAGES) } else { String::new() };
            missing.truncate(MAX_NAMED_PAGES);
            Err(HostError::NotFound(format!("pages {}{more} not found", missing.join(", "))))
        }
    }
}

/// Pages with their texts. An error if they exceed [`MAX_PAGES_BYTES`].
fn texts(pages: &dyn Pages, slugs: &[String], mut missing: impl FnMut(String)) -> Result<Vec<Page>, HostError> {
    let (mut found, mut bytes) = (Vec::new(), 0);
    for slug in slugs {
        match pages.page(slug) {
            Ok(page) => {
                bytes += page.body.len();
                found.push(page);
            }
            Err(PagesError::NotFound { slug }) => missing(slug),
            Err(other) => return Err(from_pages(other)),
        }
        if bytes > MAX_PAGES_BYTES {
            let mib = MAX_PAGES_BYTES / 1024 / 1024;
            return Err(HostError::BadCall(format!("these {} pages have more than {mib} MiB of text; request fewer at once", slugs.len())));
        }
    }
    Ok(found)
}

fn from_storage(error: StorageError) -> HostError {
    match error {
        StorageError::NotFound { .. } => HostError::NotFound(error.to_string()),
        other => HostError::Failed(other.to_string()),
    }
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T, HostError> + Send + 'static) -> Result<T, HostError> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err(HostError::Failed("internal error".to_owned())))
}
