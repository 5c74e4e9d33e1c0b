//! Markdown: headings, links to files, headings and pages, and paths between backticks.

use std::collections::HashMap;
use std::ops::Range;

use inklings_core::SkillPath;
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

use crate::{Mention, Role, Symbol, Texts};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Heading {
    /// Anchor without `#`.
    pub(crate) anchor: String,
    pub(crate) range: Range<usize>,
}

pub(crate) fn mentions(texts: &Texts<'_>, path: &SkillPath, text: &str) -> Vec<Mention> {
    let mut found: Vec<Mention> = headings(text)
        .into_iter()
        .map(|one| Mention::new(Symbol::Heading { path: path.clone(), anchor: one.anchor }, one.range, Role::Defines))
        .collect();
    for (event, range) in Parser::new_ext(text, options()).into_offset_iter() {
        match event {
            Event::Start(Tag::Link { link_type, dest_url, .. } | Tag::Image { link_type, dest_url, .. }) => {
                let written = inside(text, &range, &dest_url);
                let symbol = if matches!(link_type, LinkType::WikiLink { .. }) { page(&dest_url) } else { target(texts, path, &dest_url) };
                found.extend(symbol.map(|symbol| Mention::new(symbol, written, Role::Uses)));
            }
            Event::Code(code) => {
                let symbol = file(texts, path, &code);
                found.extend(symbol.map(|symbol| Mention::new(symbol, inside(text, &range, &code), Role::Uses)));
            }
            _ => {}
        }
    }
    found
}

/// Headings with their anchors as on GitHub.
fn headings(text: &str) -> Vec<Heading> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let (mut found, mut open): (Vec<Heading>, Option<(Range<usize>, String)>) = (Vec::new(), None);
    for (event, range) in Parser::new_ext(text, options()).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { .. }) => {
                let end = range.start + text[range.clone()].trim_end().len();
                open = Some((range.start..end, String::new()));
            }
            Event::Text(part) | Event::Code(part) => {
                if let Some((_, title)) = &mut open {
                    title.push_str(&part);
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                let Some((range, title)) = open.take() else { continue };
                let plain = anchor(&title);
                let count = seen.entry(plain.clone()).or_insert(0);
                let anchor = if *count == 0 { plain } else { format!("{plain}-{count}") };
                *count += 1;
                found.push(Heading { anchor, range });
            }
            _ => {}
        }
    }
    found
}

fn options() -> Options {
    Options::ENABLE_YAML_STYLE_METADATA_BLOCKS | Options::ENABLE_WIKILINKS | Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES
}

fn anchor(title: &str) -> String {
    let anchor_chars = title.trim().chars().filter(|ch| ch.is_alphanumeric() || matches!(ch, ' ' | '-' | '_'));
    anchor_chars.flat_map(char::to_lowercase).map(|ch| if ch == ' ' { '-' } else { ch }).collect()
}

/// The range of a part within a range; the whole range if the part is spelled differently.
fn inside(text: &str, range: &Range<usize>, part: &str) -> Range<usize> {
    let span = &text[range.clone()];
    match span.rfind(part).filter(|_| !part.is_empty()) {
        Some(at) => range.start + at..range.start + at + part.len(),
        None => range.clone(),
    }
}

fn page(name: &str) -> Option<Symbol> {
    let name = name.split('#').next().unwrap_or_default().trim();
    (!name.is_empty()).then(|| Symbol::Page { name: name.to_owned() })
}

/// The target of a link in the file `from`, if it is inside the skill.
fn target(texts: &Texts<'_>, from: &SkillPath, link: &str) -> Option<Symbol> {
    let (path, anchor) = link.split_once('#').map_or((link, None), |(path, anchor)| (path, Some(anchor)));
    let path = if path.is_empty() { from.clone() } else { resolved(texts, from, &unescaped(path)?)? };
    match anchor.filter(|anchor| !anchor.is_empty()) {
        Some(anchor) => Some(Symbol::Heading { path, anchor: unescaped(anchor)?.to_lowercase() }),
        None => (!link.is_empty()).then_some(Symbol::File { path }),
    }
}

/// A path in backticks that exists in the skill.
fn file(texts: &Texts<'_>, from: &SkillPath, code: &str) -> Option<Symbol> {
    let path = resolved(texts, from, code)?;
    texts.has(&path).then_some(Symbol::File { path })
}

/// Relative to the file, else relative to the skill's folder.
fn resolved(texts: &Texts<'_>, from: &SkillPath, path: &str) -> Option<SkillPath> {
    if path.contains(':') || path.starts_with('/') || path.chars().any(char::is_control) {
        return None;
    }
    let folder = from.as_str().rsplit_once('/').map_or("", |(folder, _)| folder);
    let beside = joined(folder, path).and_then(|path| SkillPath::parse(&path).ok());
    let at_top = || joined("", path).and_then(|path| SkillPath::parse(&path).ok()).filter(|path| texts.has(path));
    match beside {
        Some(path) if texts.has(&path) => Some(path),
        beside => at_top().or(beside),
    }
}

fn joined(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Percent-decoded; `None` if the result isn't UTF-8.
fn unescaped(link: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(link.len());
    let mut rest = link.as_bytes();
    while let [first, tail @ ..] = rest {
        let code = match (first, tail) {
            (b'%', [high, low, ..]) => std::str::from_utf8(&[*high, *low]).ok().and_then(|hex| u8::from_str_radix(hex, 16).ok()),
            _ => None,
        };
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8(bytes).ok()
}
