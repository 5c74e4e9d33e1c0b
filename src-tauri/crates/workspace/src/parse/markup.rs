//! Parses a page's body: its first heading, `#tags`, `[[wikilinks]]` and Markdown links.
//!
//! Code, HTML and URLs, as found by a Markdown parser, are skipped. Deliberately absent: rendering.

use std::ops::Range;

use inklings_core::name::fold;
use pulldown_cmark::{Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd};

use super::links::{self, Link};
use crate::names::is_mark;

/// Per page.
const MAX_LINKS: usize = 20_000;
/// Distinct tags per page.
const MAX_TAGS: usize = 1_000;
/// Bytes between the brackets of a wikilink.
const MAX_WIKILINK_BYTES: usize = 2_000;
/// Characters of a tag.
const MAX_TAG_CHARS: usize = 100;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Markup {
    /// The first heading of level 1.
    pub heading: Option<String>,
    /// Lowercase, without `#`, in order.
    pub tags: Vec<String>,
    /// Links to pages, by line.
    pub links: Vec<Link>,
    /// Whether links beyond the maximum were dropped.
    pub cut: bool,
}

/// Parses the body of the page at `path`, which begins at line `first` of the file.
#[must_use]
pub fn read_markup(path: &str, body: &str, first: u32) -> Markup {
    let starts: Vec<usize> = std::iter::once(0).chain(body.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let line = |at: usize| first.saturating_add(u32::try_from(starts.partition_point(|start| *start <= at) - 1).unwrap_or(u32::MAX));
    let Structure { heading, mut hidden, found } = structure(body);
    let mut links: Vec<(usize, Link)> = Vec::new();
    for (at, destination, text) in found {
        links.extend(links::markdown(&destination, &text, path, line(at)).map(|link| (at, link)));
    }
    let mut brackets = Vec::new();
    for range in wikilinks(body, &hidden) {
        let inner = &body[range.start + 2..range.end - 2];
        links.extend(links::wiki(inner, path, line(range.start)).map(|link| (range.start, link)));
        brackets.push(range);
    }
    hidden.extend(brackets);
    hidden.sort_by_key(|range| range.start);
    links.sort_by_key(|(at, _)| *at);
    let cut = links.len() > MAX_LINKS;
    Markup { heading, tags: tags(body, &hidden), links: links.into_iter().take(MAX_LINKS).map(|(_, link)| link).collect(), cut }
}

struct Structure {
    heading: Option<String>,
    /// Ranges without tags and wikilinks, by start.
    hidden: Vec<Range<usize>>,
    /// Links: offset, destination, text.
    found: Vec<(usize, String, String)>,
}

fn structure(body: &str) -> Structure {
    let parser = Parser::new_ext(body, Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES);
    let mut hidden: Vec<_> = parser.reference_definitions().iter().map(|(_, definition)| definition.span.clone()).collect();
    let (mut heading, mut open, mut found): (Option<String>, bool, Vec<(usize, String, String)>) = (None, false, Vec::new());
    let mut link: Option<(usize, String, String)> = None;
    for (event, range) in parser.into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(_) | Tag::HtmlBlock | Tag::Link { link_type: LinkType::Autolink | LinkType::Email, .. })
            | Event::Html(_)
            | Event::InlineHtml(_) => hidden.push(range),
            Event::Start(Tag::Heading { level: HeadingLevel::H1, .. }) if heading.is_none() => {
                (open, heading) = (true, Some(String::new()));
            }
            Event::End(TagEnd::Heading(HeadingLevel::H1)) => {
                open = false;
                heading = heading.filter(|text| !text.trim().is_empty());
            }
            Event::Start(Tag::Link { dest_url, .. }) => link = Some((range.start, dest_url.into_string(), String::new())),
            Event::End(TagEnd::Link) => {
                // The destination follows the last `](`; tags and brackets in it are part of a URL.
                if let Some(at) = body[range.clone()].rfind("](") {
                    hidden.push(range.start + at..range.end);
                }
                found.extend(link.take());
            }
            Event::Text(ref text) | Event::Code(ref text) => {
                if let (true, Some(heading)) = (open, &mut heading) {
                    heading.push_str(text);
                }
                if let Some((_, _, shown)) = &mut link {
                    shown.push_str(text);
                }
                if matches!(event, Event::Code(_)) {
                    hidden.push(range);
                }
            }
            _ => {}
        }
    }
    hidden.sort_by_key(|range| range.start);
    Structure { heading, hidden, found }
}

/// Tests whether offsets are in hidden ranges; offsets must be increasing.
struct HiddenRanges<'a> {
    ranges: &'a [Range<usize>],
    next: usize,
    end: usize,
}

impl<'a> HiddenRanges<'a> {
    fn new(ranges: &'a [Range<usize>]) -> Self {
        Self { ranges, next: 0, end: 0 }
    }

    fn covers(&mut self, at: usize) -> bool {
        while let Some(range) = self.ranges.get(self.next).filter(|range| range.start <= at) {
            self.end = self.end.max(range.end);
            self.next += 1;
        }
        at < self.end
    }
}

/// `[[...]]` with its brackets.
fn wikilinks(body: &str, hidden: &[Range<usize>]) -> Vec<Range<usize>> {
    let (mut hidden, mut found, mut from) = (HiddenRanges::new(hidden), Vec::new(), 0);
    let bytes = body.as_bytes();
    while let Some(at) = body[from..].find("[[").map(|at| at + from) {
        // With more than two brackets, the innermost two.
        let start = at + bytes[at..].iter().take_while(|byte| **byte == b'[').count() - 2;
        from = start + 2;
        let escaped = bytes[..at].iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1;
        if hidden.covers(start) || escaped {
            continue;
        }
        let end = bytes[from..].iter().take(MAX_WIKILINK_BYTES).position(|byte| matches!(byte, b']' | b'[' | b'\n')).map(|at| at + from);
        if let Some(end) = end.filter(|end| bytes[*end..].starts_with(b"]]")) {
            found.push(start..end + 2);
            from = end + 2;
        }
    }
    found
}

/// `#tags`: after whitespace or an opening bracket; letters, digits, `_`, `-` and `/`, but not only digits.
fn tags(body: &str, hidden: &[Range<usize>]) -> Vec<String> {
    let (mut hidden, mut found) = (HiddenRanges::new(hidden), std::collections::BTreeSet::new());
    for (at, _) in body.match_indices('#') {
        let before = &body[..at];
        let opens = match before.chars().next_back() {
            None => true,
            Some('(') => !before.ends_with("]("),
            Some(ch) => ch.is_whitespace(),
        };
        if !opens || hidden.covers(at) {
            continue;
        }
        let rest = &body[at + 1..];
        let stop = |ch: char| !(ch.is_alphanumeric() || matches!(ch, '_' | '-' | '/') || is_mark(ch));
        let tag = rest.find(stop).map_or(rest, |end| &rest[..end]).trim_end_matches(['/', '-']);
        let named = tag.chars().any(|ch| !ch.is_numeric() && !matches!(ch, '/' | '-' | '_'));
        if named && !tag.starts_with('/') && tag.chars().nth(MAX_TAG_CHARS).is_none() && found.len() < MAX_TAGS {
            found.insert(fold(tag));
        }
    }
    found.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn targets(body: &str) -> Vec<(String, u32)> {
        read_markup("a/p.md", body, 1).links.into_iter().map(|link| (link.target, link.line)).collect()
    }

    fn found(pairs: &[(&str, u32)]) -> Vec<(String, u32)> {
        pairs.iter().map(|(target, line)| ((*target).to_owned(), *line)).collect()
    }

    #[test]
    fn links_of_both_kinds_with_their_lines() {
        let body = "one [[A]] and [b](b.md)\n\n| x |\n|---|\n| [[C\\|see]] |\n\n[ref][r] [[[D]]]\n\n[r]: ../r.md\n![[E#part]]\n";
        assert_eq!(targets(body), found(&[("A", 1), ("b.md", 1), ("C", 5), ("../r.md", 7), ("D", 7), ("E#part", 10)]));
    }

    #[test]
    fn code_html_and_escapes_have_no_links() {
        let body = "`[[A]]` ``[[B]] ` ``\n\n```\n[[C]]\n#no\n[x](x.md)\n```\n\n    [[D]]\n\n<!-- [[E]] -->\n\n\\[[F]] [[G\nH]] [[]] [[I]\n\n\
                    <div>\n[[J]]\n</div>\n\n<https://x.example/[[K]]> [[L]]\n";
        assert_eq!(targets(body), found(&[("L", 20)]));
    }

    #[test]
    fn tags_are_words_after_a_blank() {
        let body = "#One and (#two/sub), #3 #4th x#no [l](#no) [m](a.md#no) https://x.example/#no\n\n`#no` # no\n\\#no ##no\n[[#no]] #日本 #नमस्ते #-- #end-.\n\n[r]: #no\n";
        assert_eq!(read_markup("p.md", body, 1).tags, ["4th", "end", "one", "two/sub", "नमस्ते", "日本"]);
    }

    #[test]
    fn the_heading_is_the_first_of_the_first_level() {
        assert_eq!(read_markup("p.md", "#\n\nTitle *here*\n=====\n# no", 1).heading.as_deref(), Some("Title here"));
        assert_eq!(read_markup("p.md", "> # Quoted `x`\n", 1).heading.as_deref(), Some("Quoted x"));
        assert_eq!(read_markup("p.md", "```\n# no\n```\n", 1).heading, None);
    }
}
