//! Parses a page: title, type, tags, links. Pure, and never an error.
//!
//! Deliberately absent: link targets, which depend on the other pages and are resolved by the index.

mod front;
mod links;
mod markup;

use inklings_core::name::fold;
use serde_json::{Map, Value};

pub use front::{Front, front};
pub use links::Link;
pub use markup::{Markup, read_markup};

use crate::names;

/// Maximum characters of a title, type, tag or alias; longer ones are truncated.
const MAX_NAME_CHARS: usize = 300;

#[derive(Debug, Clone, PartialEq)]
pub struct ParsedPage<'a> {
    /// From the frontmatter, else the first heading of level 1, else the file name.
    pub title: String,
    /// The frontmatter's `type`.
    pub kind: Option<String>,
    /// Lowercase, sorted, without duplicates.
    pub tags: Vec<String>,
    /// The frontmatter's `aliases`.
    pub aliases: Vec<String>,
    pub frontmatter: Map<String, Value>,
    /// Without frontmatter.
    pub body: &'a str,
    /// The line of the file, from 1, at which the body begins.
    pub body_line: u32,
    /// Links to pages, in order.
    pub links: Vec<Link>,
    pub remark: Option<String>,
}

/// Parses a page. `path` is relative to the workspace.
#[must_use]
pub fn parse<'a>(path: &str, text: &'a str) -> ParsedPage<'a> {
    let Front { fields, body, body_line, remark } = front(text);
    let Markup { heading, tags: mut found, links, cut } = read_markup(path, body, body_line);
    let stem = names::without_extension(names::last(path));
    let title = field(&fields, "title").and_then(one).or_else(|| heading.and_then(|text| short(&text))).unwrap_or_else(|| stem.to_owned());
    let kind = field(&fields, "type").and_then(one);
    let listed = ["tags", "tag"].iter().filter_map(|name| field(&fields, name)).flat_map(|value| list(value, true));
    found.extend(listed.map(|tag| fold(tag.trim_start_matches('#').trim())).filter(|tag| !tag.is_empty()));
    found.sort();
    found.dedup();
    let aliases = ["aliases", "alias"].iter().filter_map(|name| field(&fields, name)).flat_map(|value| list(value, false)).collect();
    let remark = remark.or_else(|| cut.then(|| "too many links: some are ignored".to_owned()));
    ParsedPage { title, kind, tags: found, aliases, body, body_line, links, remark, frontmatter: fields }
}

/// A field of the frontmatter, ignoring case.
fn field<'a>(fields: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    fields.get(name).or_else(|| fields.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value))
}

/// A scalar as text on one line.
fn one(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => short(text),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(yes) => Some(yes.to_string()),
        _ => None,
    }
}

/// A list, or a string split at commas (with `blanks` also at whitespace).
fn list(value: &Value, blanks: bool) -> Vec<String> {
    match value {
        Value::Array(values) => values.iter().filter_map(one).collect(),
        Value::String(text) => text.split(|ch: char| ch == ',' || (blanks && ch.is_whitespace())).filter_map(short).collect(),
        other => one(other).into_iter().collect(),
    }
}

fn short(text: &str) -> Option<String> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then(|| text.chars().take(MAX_NAME_CHARS).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_title_is_the_frontmatters_then_the_headings_then_the_files() {
        assert_eq!(parse("a/b.md", "---\ntitle: T\n---\n# H\n").title, "T");
        assert_eq!(parse("a/b.md", "text\n\n## Two\n\n# The *first* `one`\n# second").title, "The first one");
        assert_eq!(parse("a/My Page.md", "## only two").title, "My Page");
        assert_eq!(parse("a.md", "---\ntitle: 2024\ntype: Note\n---\n").title, "2024");
        assert_eq!(parse("a.md", "---\ntitle: [x]\n---\n").title, "a");
    }

    #[test]
    fn tags_come_from_both_places() {
        let page = parse("a.md", "---\nTags: [One, '#two', 3]\ntag: four five\naliases: Big Ben, Tower\n---\n#Six and #one\n");
        assert_eq!(page.tags, ["3", "five", "four", "one", "six", "two"]);
        assert_eq!(page.aliases, ["Big Ben", "Tower"]);
    }
}
