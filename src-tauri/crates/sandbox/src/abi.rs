//! The functions that a script can call, as JSON through one import, `call(name, arguments)`. A new function changes a line here
//! and a few lines in `guest/app/inklings.py`, but not the component.
//!
//! A script can call the import itself. Names may be anything, arguments any JSON of up to [`MAX_CALL_BYTES`]: the host checks
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
//! | `checkpoint` | `{key}` or `{key, value}` | the stored value or `null`; with a value, that value |
//! | `run_skill` | `{name, params}` | the skill's result |
//! | `skills.list` | `{}` or `{tag}` | `[{name, title, description, tags}]` |
//! | `skills.read` | `{name}` | `{name, title, description, content, tags}` |
//! | `files.list` | `{}` | `[path]`, of the script's own skill |
//! | `files.read` | `{path}` | the text of one of them |
//!
//! A page is `{slug, title, type, tags, path, frontmatter, body, body_line}` and more; what has a `body` becomes a `Page`, a string
//! with these fields as attributes and items; everything else is passed unchanged. `limit` and lists are unvalidated: a
//! number may be a float, negative or a string. Refusals become exceptions: `Denied` a `PermissionError`, `NotFound` a `LookupError`,
//! `BadCall` a `ValueError`, `Failed` an `inklings.HostError` (a `RuntimeError`); after `Fatal` no Python runs any more.
//!
//! # Answered here
//! | name | arguments | |
//! |---|---|---|
//! | `submit` | the value | a second call is refused |
//! | `progress` | `{fraction, text}` | limited to 0..=1 and [`MAX_PROGRESS_CHARS`]; the first [`MAX_PROGRESS_REPORTS`] are passed on |
//! | `ended` | how the script failed | internal: the report of `guest/app/report.py` |

pub(crate) const SUBMIT: &str = "submit";
pub(crate) const PROGRESS: &str = "progress";
pub(crate) const ENDED: &str = "ended";

pub const MAX_NAME_BYTES: usize = 256;
/// Of the arguments as JSON.
pub const MAX_CALL_BYTES: usize = 8 << 20;
/// Of the text.
pub const MAX_PROGRESS_CHARS: usize = 500;
/// Per run.
pub const MAX_PROGRESS_REPORTS: u32 = 10_000;
