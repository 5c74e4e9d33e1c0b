//! What the module `inklings` offers to scripts: one table for the validator, completion, hover texts and the test against
//! the module itself. Who may call what is decided where calls are answered, not here.

use schemars::JsonSchema;
use serde::Serialize;

/// What a member of the module is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MemberKind {
    /// Is called.
    Function,
    /// Its objects are returned.
    Class,
    /// Is raised.
    Exception,
}

/// A member of the module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct HostFunction {
    /// Its name below `inklings`, e.g. `search` or `skills.list`.
    pub name: &'static str,
    /// What it is.
    pub kind: MemberKind,
    /// As Python writes it, without the module, e.g. `search(query, limit=20)`.
    pub signature: &'static str,
    /// What it gives, in Python's words; empty for a class or an exception.
    pub returns: &'static str,
    /// One or two sentences.
    pub doc: &'static str,
}

/// The module's name.
pub const MODULE: &str = "inklings";

const fn function(name: &'static str, signature: &'static str, returns: &'static str, doc: &'static str) -> HostFunction {
    HostFunction { name, kind: MemberKind::Function, signature, returns, doc }
}

/// Every member, in the order in which it is shown.
pub const FUNCTIONS: &[HostFunction] = &[
    function(
        "search",
        "search(query, limit=20)",
        "list of {slug, title, type, tags, snippet, score}",
        "Finds pages of the workspace by their words, best first, at most 1,000. An empty query lists all pages by slug, without \
         snippets, at most 100,000.",
    ),
    function(
        "workspace_search",
        "workspace_search(query, limit=20)",
        "list of {slug, title, type, tags, snippet, score}",
        "Another name of search.",
    ),
    function("get_page", "get_page(slug)", "Page", "Reads a page. Raises LookupError when there is none."),
    function(
        "get_pages",
        "get_pages(slugs)",
        "list of Page",
        "Reads several pages, one for each slug, in their order. Raises LookupError that names those that don't exist.",
    ),
    function("get_pages_by_type", "get_pages_by_type(type)", "list of Page", "Reads all pages whose frontmatter says this type."),
    function("get_tags", "get_tags()", "dict of tag to number of pages", "Lists the tags of the workspace."),
    function(
        "get_references",
        "get_references(slug)",
        "{out, in, broken}",
        "Lists the links of a page: those out of it, those from other pages to it, and those that lead nowhere.",
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
        "Asks the model. With a JSON Schema the answer is a value that follows it.",
    ),
    function(
        "llm_query_batched",
        "llm_query_batched(prompts, schema=None)",
        "list, one answer for each prompt",
        "Asks the model several things at the same time.",
    ),
    function(
        "checkpoint",
        "checkpoint(key, value=None)",
        "the stored value, or None",
        "Stores a value of at most 1 MiB under a key, so that a later run of the same skill can continue from it; without a value, \
         reads it. A skill has at most 64 MiB of them in a workspace.",
    ),
    function(
        "submit",
        "submit(value)",
        "None",
        "Hands in the result, which must be JSON. Called exactly once: a second call raises, a script without one fails.",
    ),
    function("run_skill", "run_skill(name, params=None)", "the skill's result", "Runs another skill."),
    function(
        "skills.list",
        "skills.list(tag=None)",
        "list of {name, title, description, tags}",
        "Lists the skills that can be run or read, or those with a tag.",
    ),
    function(
        "skills.read",
        "skills.read(name)",
        "{name, title, description, content, tags}",
        "Reads a skill; its instructions are the content.",
    ),
    function("log", "log(text)", "None", "Writes a line into the log of the run."),
    function("progress", "progress(fraction, text=\"\")", "None", "Says how far the script is, from 0 to 1, and what it is doing."),
    HostFunction {
        name: "Page",
        kind: MemberKind::Class,
        signature: "class Page(str)",
        returns: "",
        doc: "The body of a page, with slug, title, type, tags, path, frontmatter and body_line (the line of the file at which it \
              begins) as attributes and as items.",
    },
    HostFunction {
        name: "HostError",
        kind: MemberKind::Exception,
        signature: "class HostError(RuntimeError)",
        returns: "",
        doc: "A call that failed outside of the script.",
    },
    HostFunction {
        name: "BadResult",
        kind: MemberKind::Exception,
        signature: "class BadResult(ValueError)",
        returns: "",
        doc: "A result that is no JSON. Raised by submit.",
    },
];

/// The member of a name such as `search` or `skills.list`.
#[must_use]
pub fn member(name: &str) -> Option<&'static HostFunction> {
    FUNCTIONS.iter().find(|one| one.name == name)
}

/// A right of a script, as `metadata.rights` names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capability {
    /// Read the workspace's pages.
    Pages,
    /// Ask models.
    Models,
    /// Read and run other skills.
    Skills,
    /// Keep values for later runs.
    Checkpoints,
}

/// Every right with its name.
pub const CAPABILITIES: [(Capability, &str); 4] = [
    (Capability::Pages, "pages"),
    (Capability::Models, "models"),
    (Capability::Skills, "skills"),
    (Capability::Checkpoints, "checkpoints"),
];

impl Capability {
    /// Its name.
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
