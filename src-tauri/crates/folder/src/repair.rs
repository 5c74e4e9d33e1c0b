//! Repairs common mistakes in frontmatter by quoting values that YAML rejects.
//!
//! Only called after a parse error. Works on one top-level key at a time, so that the rest of
//! the text is unchanged, and never adds or removes lines.

use std::ops::Range;

use crate::lines::Lines;
use crate::scalar;
use crate::yaml;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FrontmatterProblem {
    pub(crate) rule: &'static str,
    /// Line in the YAML, from 0.
    pub(crate) line: usize,
    pub(crate) key: String,
}

impl FrontmatterProblem {
    pub(crate) fn message(&self) -> String {
        let key = &self.key;
        match self.rule {
            TAB => format!("{key:?} is indented with tabs, which YAML doesn't allow"),
            COLON => format!("the value of {key:?} contains ': ' and must be quoted"),
            QUOTES => format!("the quotes in the value of {key:?} don't match"),
            _ => format!("the value of {key:?} starts with a reserved YAML character and must be quoted"),
        }
    }

    pub(crate) fn hint(&self) -> &'static str {
        if self.rule == TAB { "indent with spaces" } else { "enclose the value in double quotes, and escape inner quotes with a backslash" }
    }
}

const TAB: &str = "frontmatter/tab";
const COLON: &str = "frontmatter/unquoted-colon";
const QUOTES: &str = "frontmatter/quotes";
const CHARACTER: &str = "frontmatter/unquoted-character";

/// The repaired text of one key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Patch {
    /// Byte range of the key and its value.
    pub(crate) range: Range<usize>,
    pub(crate) fixed: String,
    pub(crate) problems: Vec<FrontmatterProblem>,
}

/// The repaired YAML and the repairs; `None` if it can't be repaired.
pub(crate) fn repair(text: &str) -> Option<(String, Vec<FrontmatterProblem>)> {
    let mut out = String::with_capacity(text.len() + 16);
    let mut problems = Vec::new();
    let mut done = 0;
    for patch in patches(text)? {
        out.push_str(&text[done..patch.range.start]);
        out.push_str(&patch.fixed);
        done = patch.range.end;
        problems.extend(patch.problems);
    }
    out.push_str(&text[done..]);
    (yaml::parse(&out).is_ok() && !problems.is_empty()).then_some((out, problems))
}

/// The repairs by key; `None` if a key can't be repaired, or the text exceeds the YAML limit: each line
/// may be parsed several times.
pub(crate) fn patches(text: &str) -> Option<Vec<Patch>> {
    if text.len() > yaml::MAX_BYTES {
        return None;
    }
    let mut patches = Vec::new();
    let (mut line, mut next_line, mut start) = (0, 0, 0);
    for segment in segments(text) {
        line += next_line;
        next_line = segment.matches('\n').count();
        let range = start..start + segment.len();
        start = range.end;
        if reads(segment) || (segment.contains(": *") && text.contains('&')) {
            continue;
        }
        let (fixed, rules) = fix(segment)?;
        let key = segment.split(':').next().unwrap_or_default().trim().to_owned();
        let problems = rules.into_iter().map(|rule| FrontmatterProblem { rule, line, key: key.clone() }).collect();
        patches.push(Patch { range, fixed, problems });
    }
    Some(patches)
}

fn reads(segment: &str) -> bool {
    matches!(yaml::parse(segment), Ok(root) if root.as_ref().is_none_or(|root| root.pairs().len() == 1))
}

/// The text split at top-level keys.
fn segments(text: &str) -> Vec<&str> {
    let mut starts: Vec<usize> = Lines { text, at: 0 }.filter(|line| begins_key(&text[line.clone()])).map(|line| line.start).collect();
    if starts.first() != Some(&0) {
        starts.insert(0, 0);
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).map(|(start, end)| &text[*start..end]).collect()
}

fn begins_key(line: &str) -> bool {
    let plain = line.starts_with(|ch: char| ch.is_alphanumeric() || matches!(ch, '_' | '"' | '\''));
    plain && value_start(line).is_some()
}

/// Start of the value of `key: value`: after the first colon that ends a key, and spaces.
fn value_start(line: &str) -> Option<usize> {
    let colon =
        line.match_indices(':').map(|(at, _)| at + 1).find(|after| line[*after..].chars().next().is_none_or(char::is_whitespace))?;
    let line_end = line.find(['\r', '\n']).unwrap_or(line.len()).max(colon);
    let blanks = line[colon..line_end].len() - line[colon..line_end].trim_start().len();
    Some(colon + blanks)
}

fn fix(segment: &str) -> Option<(String, Vec<&'static str>)> {
    let untabbed = untab(segment);
    let mut tries: Vec<(String, Vec<&'static str>)> = Vec::new();
    if untabbed != segment {
        tries.push((untabbed.clone(), vec![TAB]));
    }
    for (base, tab) in [(segment, None), (untabbed.as_str(), (untabbed != segment).then_some(TAB))] {
        let all = |rule| tab.into_iter().chain([rule]).collect();
        if let Some((fixed, rule)) = quote(base) {
            tries.push((fixed, all(rule)));
        }
        if let Some((fixed, rule)) = quote_lines(base) {
            tries.push((fixed, all(rule)));
        }
    }
    tries.into_iter().find(|(fixed, _)| reads(fixed))
}

fn untab(segment: &str) -> String {
    let mut out = String::with_capacity(segment.len());
    for line in segment.split_inclusive('\n') {
        let content = line.trim_start_matches([' ', '\t']);
        out.push_str(&line[..line.len() - content.len()].replace('\t', "  "));
        out.push_str(content);
    }
    out
}

/// Quotes the whole value of a key, including its continuation lines.
fn quote(segment: &str) -> Option<(String, &'static str)> {
    let start = value_start(segment)?;
    let value = segment[start..].trim_end();
    if value.is_empty() || value.starts_with(['|', '\n', '\r']) {
        return None;
    }
    let rule = match value.chars().next() {
        Some('"' | '\'') => QUOTES,
        _ if value.contains(": ") || value.ends_with(':') || value.contains(":\n") => COLON,
        _ => CHARACTER,
    };
    let inner = ['"', '\''].into_iter().find_map(|quote| value.strip_prefix(quote)?.strip_suffix(quote).filter(|_| value.len() > 1));
    let quoted: Vec<String> = inner
        .unwrap_or(value)
        .split('\n')
        .map(|line| {
            let line_text = line.strip_suffix('\r').unwrap_or(line);
            let escaped = scalar::double(line_text);
            let bare = escaped[1..escaped.len() - 1].replace("\\t", "\t");
            format!("{bare}{}", &line[line_text.len()..])
        })
        .collect();
    let rest = &segment[start + value.len()..];
    let gap = if segment[..start].ends_with(':') { " " } else { "" };
    Some((format!("{}{gap}\"{}\"{rest}", &segment[..start], quoted.join("\n")), rule))
}

/// Quotes the values of single lines inside a nested mapping or list.
fn quote_lines(segment: &str) -> Option<(String, &'static str)> {
    let mut found = None;
    let mut out = String::with_capacity(segment.len() + 8);
    for (index, line) in segment.split_inclusive('\n').enumerate() {
        let content = line.trim_start();
        let indent = &line[..line.len() - content.len()];
        let dash = if content.starts_with("- ") { 2 } else { 0 };
        match (index > 0 && !reads_alone(content)).then(|| quote(&content[dash..])).flatten() {
            Some((fixed, rule)) => {
                out.push_str(indent);
                out.push_str(&content[..dash]);
                out.push_str(&fixed);
                found = Some(rule);
            }
            None => out.push_str(line),
        }
    }
    Some((out, found?))
}

fn reads_alone(line: &str) -> bool {
    yaml::parse(line).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_to_be_read_is_not_repaired_line_by_line() {
        assert_eq!(patches(&"d: a: b\n".repeat(8_000)).unwrap().len(), 8_000);
        assert_eq!(patches(&"d: a: b\n".repeat(9_000)), None);
    }

    /// The reported rules and the value of `d` (or of `m.d`) afterwards.
    fn check(text: &str, rules: &[&str], value: &str) {
        assert!(yaml::parse(text).is_err(), "{text:?} needs no repair");
        let (fixed, problems) = repair(text).unwrap_or_else(|| panic!("{text:?}"));
        assert_eq!(problems.iter().map(|problem| problem.rule).collect::<Vec<_>>(), rules, "{text:?}");
        assert_eq!(fixed.matches('\n').count(), text.matches('\n').count());
        let root = yaml::parse(&fixed).unwrap().unwrap();
        let node = root.get("d").or_else(|| root.get("m")?.get("d")).unwrap();
        assert_eq!(node.text(), Some(value), "{fixed:?}");
    }

    #[test]
    fn what_people_write_is_understood() {
        check("n: x\nd: Use when: always\n", &[COLON], "Use when: always");
        check("d: Use \"it\" when: C:\\x\r\nn: y\r\n", &[COLON], "Use \"it\" when: C:\\x");
        check("d: first: one\n  and: two\nn: y\n", &[COLON], "first: one and: two");
        check("d: @mention\n", &[CHARACTER], "@mention");
        check("d: *.pdf files\n", &[CHARACTER], "*.pdf files");
        check("d: [beta] does x\n", &[CHARACTER], "[beta] does x");
        check("d: \"a\" and \"b\"\n", &[QUOTES], "a\" and \"b");
        check("d: 'it's'\n", &[QUOTES], "it's");
        check("m:\n\td: b\n", &[TAB], "b");
        check("m:\n  d: a: b\n", &[COLON], "a: b");
        check("m:\n\td: a: b\n", &[TAB, COLON], "a: b");
    }

    #[test]
    fn what_nobody_understands_is_not() {
        assert_eq!(
            repair("a: {\n"),
            Some(("a: \"{\"\n".to_owned(), vec![FrontmatterProblem { rule: CHARACTER, line: 0, key: "a".into() }]))
        );
        assert_eq!(repair("\u{0}"), None);
        assert_eq!(repair("a: |\n x\n\u{1}"), None);
    }

    #[test]
    fn the_line_is_that_of_the_key() {
        let (_, problems) = repair("n: x\n# c\nd: a: b\n").unwrap();
        assert_eq!((problems[0].line, problems[0].key.as_str()), (2, "d"));
    }
}
