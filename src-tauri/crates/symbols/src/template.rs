//! Templates: their variables, and the outputs of other artifacts.

use std::sync::LazyLock;

use inklings_core::SkillPath;
use regex::Regex;

use crate::{Mention, Role, Symbol, Texts};

/// The variable with the outputs of artifacts.
const OUTPUTS: &str = "outputs";

/// Access to a field of `outputs`, as `.name` or `["name"]`.
#[expect(clippy::expect_used, reason = "a literal that compiles; a test uses it")]
static FIELD: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"^\s*(?:\.\s*([A-Za-z_]\w*)|\[\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*\])"#).expect("a valid expression"));

pub(crate) fn mentions(texts: &Texts<'_>, path: &SkillPath, text: &str) -> Vec<Mention> {
    // The template of SKILL.md is its body.
    let front = if *path == texts.package.main_path { texts.package.sources.frontmatter.as_deref().unwrap_or_default() } else { "" };
    let Some(body) = text.strip_prefix(front) else { return Vec::new() };
    let mut found = Vec::new();
    for (name, span) in texts.prompts.uses(body).unwrap_or_default() {
        let range = span.range.start + front.len()..span.range.end + front.len();
        if name != OUTPUTS {
            found.push(Mention::new(Symbol::Variable { name }, range, Role::Uses));
            continue;
        }
        let field = FIELD.captures(&text[range.end..]).and_then(|captures| captures.iter().skip(1).flatten().next());
        let Some(field) = field else { continue };
        if let Some(artifact) = texts.output(field.as_str()) {
            let at = range.end + field.start()..range.end + field.end();
            found.push(Mention::new(Symbol::Artifact { name: artifact.name.clone() }, at, Role::Uses));
        }
    }
    found
}
