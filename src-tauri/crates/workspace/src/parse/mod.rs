//! What a page's text says: title, type, tags, links. Pure: a path and a text in, a [`Parsed`] out, never an error.
//!
//! Deliberately absent: where links lead; that depends on the other pages and is asked of the index.

mod front;
mod links;
mod markup;

use inklings_core::name::fold;
use serde_json::{Map, Value};

pub use front::{Front, front};
pub use links::Link;
pub use markup::{Markup, read_markup};

use crate::names;

/// Characters of a title, type, tag or alias; what is longer is cut.
const MAX_NAME_CHARS: usize = 300;

/// A page as its file says it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed<'a> {
    /// From the frontmatter, else the first heading of the first level, else the file's name.
    pub title: String,
    /// The frontmatter's `type`.
    pub kind: Option<String>,
    /// Lower case, sorted, each once.
    pub tags: Vec<String>,
    /// The frontmatter's `aliases`.
    pub aliases: Vec<String>,
    /// All of the frontmatter.
    pub frontmatter: Map<String, Value>,
    /// The text below the frontmatter.
    pub body: &'a str,
    /// The line of the file, from 1, at which the body begins.
    pub body_line: u32,
    /// Links to pages, in order.
    pub links: Vec<Link>,
    /// What was odd.
    pub remark: Option<String>,
}

/// Reads a page. `path` is relative to the workspace.
#[must_use]
pub fn parse<'a>(path: &str, text: &'a str) -> Parsed<'a> {
    let Front { fields, body, body_line, remark } = front(text);
    let Markup { heading, tags: mut found, links, cut } = read_markup(path, body, body_line);
    let stem = names::without_ending(names::last(path));
    let title = field(&fields, "title").and_then(one).or_else(|| heading.and_then(|text| short(&text))).unwrap_or_else(|| stem.to_owned());
    let kind = field(&fields, "type").and_then(one);
    let listed = ["tags", "tag"].iter().filter_map(|name| field(&fields, name)).flat_map(|value| list(value, true));
    found.extend(listed.map(|tag| fold(tag.trim_start_matches('#').trim())).filter(|tag| !tag.is_empty()));
    found.sort();
    found.dedup();
    let aliases = ["aliases", "alias"].iter().filter_map(|name| field(&fields, name)).flat_map(|value| list(value, false)).collect();
    let remark = remark.or_else(|| cut.then(|| "it has more links than are followed".to_owned()));
    Parsed { title, kind, tags: found, aliases, body, body_line, links, remark, frontmatter: fields }
}

/// A field of the frontmatter, whichever case its name has.
fn field<'a>(fields: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    fields.get(name).or_else(|| fields.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value))
}

/// A single value as text on one line.
fn one(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => short(text),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(yes) => Some(yes.to_string()),
        _ => None,
    }
}

/// A list, or a text with commas (and blanks, where a value has none).
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
