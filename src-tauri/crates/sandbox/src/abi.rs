//! What a script can call. All of it is JSON through one import, `call(name, arguments)`, so that a new function changes a name here
//! and a few lines in `guest/app/inklings.py`, but never the component.
//!
//! A script can reach the import itself. Names may be anything, arguments any JSON of up to [`CALL_BYTES`]: whoever answers checks
//! both.
//!
//! # Answered by `HostFunctions`
//! | name | arguments | answer |
//! |---|---|---|
//! | `search` | `{query, limit}` | `[{slug, title, type, tags, snippet, score}]`; of an empty query all pages, by slug |
//! | `get_page` | `{slug}` | page |
//! | `get_pages` | `{slugs}` | `[page]`, one for each of `slugs`, in their order |
//! | `get_pages_by_type` | `{type}` | `[page]` |
//! | `get_tags` | `{}` | `{tag: number}` |
//! | `get_references` | `{slug}` | `{out, in, broken}`, each a list of objects |
//! | `get_history` | `{slug, limit}` | `[{id, time, author, summary}]` |
//! | `llm_query` | `{prompt}` or `{prompt, schema}` | a string, or the value that the schema describes |
//! | `llm_query_batched` | `{prompts}` or `{prompts, schema}` | a list of such, in the order of `prompts` |
//! | `checkpoint` | `{key}` or `{key, value}` | what is kept, `null` if nothing; with a value that value |
//! | `run_skill` | `{name, params}` | the skill's result |
//! | `skills.list` | `{}` or `{tag}` | `[{name, title, description, tags}]` |
//! | `skills.read` | `{name}` | `{name, title, description, content, tags}` |
//!
//! A page is `{slug, title, type, tags, path, frontmatter, body, body_line}` and more; what has a `body` becomes a `Page`, a string
//! with these fields as attributes and items, and everything else stays as it is. `limit` and lists are whatever the script gave: a
//! number may be a float, negative or a string. Refusals become exceptions: `Denied` a `PermissionError`, `NotFound` a `LookupError`,
//! `BadCall` a `ValueError`, `Failed` an `inklings.HostError` (a `RuntimeError`); after `Fatal` no Python runs any more.
//!
//! # Answered here
//! | name | arguments | |
//! |---|---|---|
//! | `submit` | the value | a second one is refused |
//! | `progress` | `{fraction, text}` | held to 0..=1 and [`PROGRESS_CHARS`]; the first [`PROGRESS_REPORTS`] are passed on |
//! | `ended` | how the script failed | ours: what `guest/app/report.py` makes |

/// Hands in the result.
pub(crate) const SUBMIT: &str = "submit";
/// Says how far the script is.
pub(crate) const PROGRESS: &str = "progress";
/// Says how the script failed.
pub(crate) const ENDED: &str = "ended";

/// Bytes of a function's name.
pub const NAME_BYTES: usize = 256;
/// Bytes of a call's arguments as JSON.
pub const CALL_BYTES: usize = 8 << 20;
/// Characters of a progress report's text.
pub const PROGRESS_CHARS: usize = 500;
/// Progress reports of one run.
pub const PROGRESS_REPORTS: u32 = 10_000;
