//! Parses the frontmatter of a page leniently.
//!
//! Invalid YAML is read line by line as `name: value`, so that a page with a mistake keeps its title and tags. Deliberately
//! absent: TOML and JSON frontmatter.

use inklings_core::frontmatter::{self, split};
use serde_json::{Map, Value};

/// Longer frontmatter is read line by line only.
const MAX_YAML_BYTES: usize = 64 * 1024;
/// Maximum number of fields when it is read line by line.
const MAX_FIELDS: usize = 200;

#[derive(Debug, Clone, PartialEq)]
pub struct Front<'a> {
    pub fields: Map<String, Value>,
    /// The text without frontmatter.
    pub body: &'a str,
    /// The line of the file, from 1, at which the body begins.
    pub body_line: u32,
    /// Why the fields may be incomplete.
    pub remark: Option<String>,
}

#[must_use]
pub fn front(text: &str) -> Front<'_> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let none = Front { fields: Map::new(), body: text, body_line: 1, remark: None };
    let Ok(split) = split(text, frontmatter::PAGE) else { return none };
    let Some(yaml) = split.yaml.map(|range| &text[range]) else { return none };
    let body_line = u32::try_from(text[..split.body].lines().count() + 1).unwrap_or(u32::MAX);
    let (fields, remark) = if yaml.len() > MAX_YAML_BYTES {
        (by_lines(yaml), Some("the frontmatter is too large: read line by line".to_owned()))
    } else {
        match serde_saphyr::from_str::<Value>(yaml) {
            Ok(Value::Object(fields)) => (fields, None),
            Ok(Value::Null) => (Map::new(), None),
            // Prose between two horizontal rules.
            Ok(_) => return none,
            Err(error) => {
                let why = error.without_snippet().to_string();
                let why = why.lines().next().unwrap_or_default();
                (by_lines(yaml), Some(format!("invalid YAML in the frontmatter: {why}")))
            }
        }
    };
    if fields.is_empty() && remark.is_some() {
        return none;
    }
    Front { fields, body: &text[split.body..], body_line, remark }
}

/// `name: value` lines, and lists of `- value` or `[value, value]`.
fn by_lines(yaml: &str) -> Map<String, Value> {
    let mut fields = Map::new();
    let mut open: Option<String> = None;
    for line in yaml.lines() {
        if let (Some(name), Some(item)) = (&open, line.trim_start().strip_prefix("- ")) {
            let list = fields.entry(name.clone()).or_insert_with(|| Value::Array(Vec::new()));
            if let Value::Array(list) = list {
                list.push(text(item));
            }
            continue;
        }
        let named = line.split_once(':').filter(|(name, _)| {
            name.starts_with(|ch: char| ch.is_alphanumeric()) && name.chars().all(|ch| ch.is_alphanumeric() || matches!(ch, '_' | '-'))
        });
        let Some((name, value)) = named.filter(|_| fields.len() < MAX_FIELDS) else {
            open = None;
            continue;
        };
        let value = value.trim();
        open = value.is_empty().then(|| name.to_owned());
        if let Some(items) = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            fields.insert(name.to_owned(), items.split(',').map(text).collect());
        } else if !value.is_empty() {
            fields.insert(name.to_owned(), text(value));
        }
    }
    fields
}

fn text(value: &str) -> Value {
    let value = value.trim();
    let unquoted = ['"', '\''].iter().find_map(|quote| value.strip_prefix(*quote)?.strip_suffix(*quote));
    Value::String(unquoted.unwrap_or(value).to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_and_body_are_separated() {
        let page = front("\u{feff}---\r\ntitle: A\r\nn: 1\r\n---\r\nbody\r\n");
        assert_eq!(Value::Object(page.fields), json!({"title": "A", "n": 1}));
        assert_eq!((page.body, page.body_line, page.remark), ("body\r\n", 5, None));
    }

    #[test]
    fn a_rule_is_no_frontmatter() {
        for text in ["---\nnever closed\n", "---\nsome prose\n---\nmore", "a\n---\nb: c\n---\n", "--- \n", "---", ""] {
            let page = front(text);
            assert_eq!((page.body, page.body_line, page.fields.len()), (text, 1, 0), "{text:?}");
        }
        assert_eq!(front("---\n---\nx").body, "x");
    }

    #[test]
    fn a_slip_costs_no_more_than_its_line() {
        let page = front("---\ntitle: Mara: a \"life\"\ntags:\n  - one\n  - 'two'\nlist: [a, b]\nbad: [\n---\ntext");
        assert!(page.remark.unwrap().contains("invalid YAML"));
        assert_eq!(page.fields["title"], "Mara: a \"life\"");
        assert_eq!(page.fields["tags"], json!(["one", "two"]));
        assert_eq!(page.fields["list"], json!(["a", "b"]));
        assert_eq!((page.body, page.body_line), ("text", 9));
    }

    #[test]
    fn hostile_yaml_is_only_a_problem() {
        let deep = format!("---\ntitle: T\na: {}\n---\nx", "[".repeat(20_000));
        let bomb = "---\ntitle: T\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\n\
                    d: &d [*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e]\n---\nx";
        let large = format!("---\ntitle: T\n{}---\nx", "name: value\n".repeat(10_000));
        for text in [deep.as_str(), bomb, &large] {
            let page = front(text);
            assert_eq!(page.body, "x");
            assert_eq!(page.fields["title"], "T");
        }
    }
}
