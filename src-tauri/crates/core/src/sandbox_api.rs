//! Members of the module `inklings`: one table for the validator, completion, hover texts and the test against
//! the module itself. Capabilities are checked where calls are handled.

use schemars::JsonSchema;
use serde::Serialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MemberKind {
    Function,
    Class,
    Exception,
}

/// A member of the module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct HostFunction {
    /// Name within the module, e.g. `search` or `skills.list`.
    pub name: &'static str,
    pub kind: MemberKind,
    /// Python signature without the module, e.g. `search(query, limit=20)`.
    pub signature: &'static str,
    /// Return type in Python syntax. Empty for a class or an exception.
    pub returns: &'static str,
    /// One or two sentences.
    pub doc: &'static str,
}

pub const MODULE: &str = "inklings";

const fn function(name: &'static str, signature: &'static str, returns: &'static str, doc: &'static str) -> HostFunction {
    HostFunction { name, kind: MemberKind::Function, signature, returns, doc }
}

/// In display order.
pub const FUNCTIONS: &[HostFunction] = &[
    function(
        "search",
        "search(query, limit=20)",
        "list of {slug, title, type, tags, snippet, score}",
        "Searches the pages of the workspace, best match first (maximum 1,000). An empty query lists all pages by slug, without \
         snippets (maximum 100,000).",
    ),
    function(
        "workspace_search",
        "workspace_search(query, limit=20)",
        "list of {slug, title, type, tags, snippet, score}",
        "Alias of search.",
    ),
    function("get_page", "get_page(slug)", "Page", "Reads a page. Raises LookupError if it doesn't exist."),
    function(
        "get_pages",
        "get_pages(slugs)",
        "list of Page",
        "Reads several pages in the order of their slugs. Raises LookupError with the slugs that don't exist.",
    ),
    function("get_pages_by_type", "get_pages_by_type(type)", "list of Page", "Reads all pages that have this type in their frontmatter."),
    function("get_tags", "get_tags()", "dict of tag to number of pages", "Lists the tags in the workspace."),
    function(
        "get_references",
        "get_references(slug)",
        "{out, in, broken}",
        "Lists the outgoing links, backlinks and broken links of a page.",
    ),
    function(
        "get_history",
        "get_history(slug, limit=20)",
        "list of {id, time, author, summary}",
        "Lists the changes of a page, newest first.",
    ),
    function(
        "llm_query",
        "llm_query(prompt, schema=None)",
        "str, or the parsed value when a schema is given",
        "Sends a prompt to the model. With a JSON Schema the response is parsed into a value that matches it.",
    ),
    function(
        "llm_query_batched",
        "llm_query_batched(prompts, schema=None)",
        "list, one response per prompt",
        "Sends several prompts to the model concurrently.",
    ),
    function(
        "checkpoint",
        "checkpoint(key, value=None)",
        "the stored value, or None",
        "Stores a value (maximum 1 MiB) under a key, so that a later run of the same skill can continue from it. Without a value, \
         returns the stored one. A skill can store up to 64 MiB per workspace.",
    ),
    function(
        "submit",
        "submit(value)",
        "None",
        "Submits the result, which must be JSON. Call it exactly once: a second call raises, and a script without one fails.",
    ),
    function("run_skill", "run_skill(name, params=None)", "the skill's result", "Runs another skill."),
    function(
        "skills.list",
        "skills.list(tag=None)",
        "list of {name, title, description, tags}",
        "Lists the available skills, or those with a tag.",
    ),
    function(
        "skills.read",
        "skills.read(name)",
        "{name, title, description, content, tags}",
        "Reads a skill. `content` holds its instructions.",
    ),
    function("files.list", "files.list()", "list of str", "Lists the paths of the skill's files, relative to its folder."),
    function("files.read", "files.read(path)", "str", "Reads a text file of the skill. Raises LookupError if it doesn't exist."),
    function("log", "log(text)", "None", "Writes a line to the log of the run."),
    function(
        "progress",
        "progress(fraction, text=\"\")",
        "None",
        "Reports the progress of the script, from 0 to 1, with an optional message.",
    ),
    HostFunction {
        name: "Page",
        kind: MemberKind::Class,
        signature: "class Page(str)",
        returns: "",
        doc: "The body of a page, with slug, title, type, tags, path, frontmatter and body_line (the line of the file at which it \
              starts) as attributes and as items.",
    },
    HostFunction {
        name: "HostError",
        kind: MemberKind::Exception,
        signature: "class HostError(RuntimeError)",
        returns: "",
        doc: "A host function failed.",
    },
    HostFunction {
        name: "BadResult",
        kind: MemberKind::Exception,
        signature: "class BadResult(ValueError)",
        returns: "",
        doc: "The result isn't JSON. Raised by submit.",
    },
];

/// The member of a name such as `search` or `skills.list`.
#[must_use]
pub fn member(name: &str) -> Option<&'static HostFunction> {
    FUNCTIONS.iter().find(|one| one.name == name)
}

/// What a script may use, as declared in `metadata.rights`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capability {
    Pages,
    /// Call models.
    Models,
    /// Read and run other skills.
    Skills,
    /// Store values for later runs.
    Checkpoints,
}

/// Capabilities with their names in `metadata.rights`.
pub const CAPABILITIES: [(Capability, &str); 4] = [
    (Capability::Pages, "pages"),
    (Capability::Models, "models"),
    (Capability::Skills, "skills"),
    (Capability::Checkpoints, "checkpoints"),
];

impl Capability {
    #[must_use]
    pub fn name(self) -> &'static str {
        CAPABILITIES.iter().find(|(right, _)| *right == self).map_or("", |(_, name)| name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_complete_and_has_one_row() {
        for (index, one) in FUNCTIONS.iter().enumerate() {
            assert!(FUNCTIONS[..index].iter().all(|other| other.name != one.name), "{}", one.name);
            assert_eq!(one.kind == MemberKind::Function, one.signature.starts_with(&format!("{}(", one.name)), "{}", one.name);
            assert_eq!(one.kind == MemberKind::Function, !one.returns.is_empty(), "{}", one.name);
            assert!(one.doc.ends_with('.'), "{}", one.name);
        }
        assert_eq!(member("skills.read").map(|one| one.signature), Some("skills.read(name)"));
        assert_eq!(member("serach"), None);
    }
}
