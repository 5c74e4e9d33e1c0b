//! Scripts: calls of host functions that reference a skill or a page by a string literal.

use std::sync::LazyLock;

use regex::Regex;

use crate::{Mention, Role, Symbol};

/// A call up to its first argument, a string without escapes. Comments are skipped.
#[expect(clippy::expect_used, reason = "a literal that compiles; a test uses it")]
static CALL: LazyLock<Regex> = LazyLock::new(|| {
    let names = "run_skill|skills\\.read|get_page|get_references|get_history";
    Regex::new(&format!(r#"(?m)^[^#\n]*?\b({names})\s*\(\s*(?:name\s*=\s*|slug\s*=\s*)?(?:"([^"'\\{{}}\n]+)"|'([^"'\\{{}}\n]+)')"#))
        .expect("a valid expression")
});

pub(crate) fn mentions(text: &str) -> Vec<Mention> {
    let mut found = Vec::new();
    let mut from = 0;
    // A line may contain several calls.
    while let Some(captures) = text.get(from..).and_then(|rest| CALL.captures(rest)) {
        let (Some(function), Some(name)) = (captures.get(1), captures.get(2).or_else(|| captures.get(3))) else { break };
        let range = from + name.start()..from + name.end();
        let text = name.as_str().to_owned();
        let symbol = if matches!(function.as_str(), "run_skill" | "skills.read") {
            Symbol::Skill { name: text }
        } else {
            Symbol::Page { name: text }
        };
        from = range.end + 1;
        found.push(Mention::new(symbol, range, Role::Uses));
    }
    found
}
