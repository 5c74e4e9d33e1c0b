//! Edits single values of frontmatter in place: order, comments, unknown keys and line ends are preserved.
//!
//! Each edit is followed by a parse, which detects edits that went wrong; the caller then
//! rewrites the frontmatter with [`canonical`].

use std::ops::Range;

use inklings_core::skill::Package;

use crate::front::{Front, KeyPath};
use crate::lines::{Lines, newline_of};
use crate::scalar;
use crate::yaml::{self, Content, Node, Style};

/// The value can't be edited in place.
#[derive(Debug)]
pub(crate) struct NotPatchable;

/// Frontmatter that is being edited.
pub(crate) struct FrontEdit {
    before: String,
    yaml: String,
    after: String,
    root: Option<Node>,
    newline: &'static str,
    /// Whether blocks are replaced by quoted strings instead of keeping their style.
    quoted: bool,
}

impl FrontEdit {
    pub(crate) fn new(front: &Front<'_>, quoted: bool) -> Self {
        Self {
            before: front.before.to_owned(),
            yaml: front.yaml.to_string(),
            after: front.after.to_owned(),
            root: front.root.clone(),
            newline: newline_of(front.before),
            quoted,
        }
    }

    /// The whole text.
    pub(crate) fn text(&self) -> String {
        format!("{}{}{}", self.before, self.yaml, self.after)
    }

    /// Ensures that a body can follow.
    pub(crate) fn close_line(&mut self) {
        if !self.after.ends_with('\n') {
            self.after.push_str(self.newline);
        }
    }

    /// Sets a scalar. A missing top-level key is added.
    pub(crate) fn set_text(&mut self, path: &[&str], text: &str) -> Result<(), NotPatchable> {
        let (range, replacement) = match self.entry(path) {
            Some(entry) => self.replacement(&entry, text),
            None => match path {
                [key] => self.insertion(key, text),
                _ => return Err(NotPatchable),
            },
        };
        self.apply(range, &replacement)
    }

    /// Sets the tags at an existing path, preserving their form (list or comma-separated string).
    pub(crate) fn set_tags(&mut self, path: &[&str], tags: &[String]) -> Result<(), NotPatchable> {
        let entry = self.entry(path).ok_or(NotPatchable)?;
        let list = || {
            let items: Vec<String> = tags.iter().map(|tag| scalar::canonical(tag, true)).collect();
            format!("[{}]", items.join(", "))
        };
        let joinable = !tags.is_empty() && !tags.iter().any(|tag| tag.contains(','));
        match &entry.node.content {
            Content::Scalar { .. } if entry.node.text().is_some() && joinable => self.set_text(path, &tags.join(", ")),
            Content::Sequence { flow: true, .. } => self.apply(entry.node.span, &list()),
            Content::Sequence { items, flow: false } if !tags.is_empty() => {
                let start = self.first_dash(entry.after_colon).ok_or(NotPatchable)?;
                let mut known = self.item_lines(items, self.line_start(start)).ok_or(NotPatchable)?;
                let range = self.line_start(start)..known.last().map_or(entry.end, |(_, lines)| lines.end);
                let indent = self.indent(start);
                let mut lines = Vec::with_capacity(tags.len());
                for tag in tags {
                    lines.push(match known.iter().position(|(text, _)| text == tag) {
                        Some(at) => self.yaml[known.remove(at).1].to_owned(),
                        None => format!("{indent}- {}{}", scalar::canonical(tag, false), self.newline),
                    });
                }
                self.apply(range, &lines.concat())
            }
            _ => self.apply(entry.after_colon..entry.end, &format!(" {}", list())),
        }
    }

    /// The text of each item of a block list whose lines begin at `at`, and its lines with the comments above it.
    fn item_lines(&self, items: &[Node], mut at: usize) -> Option<Vec<(String, Range<usize>)>> {
        let lines = |item: &Node| {
            let lines = at..self.line_end(self.yaml.get(..item.span.end)?.trim_end().len());
            at = lines.end;
            let text = item.text().unwrap_or_default().trim().to_owned();
            self.yaml.get(lines.clone())?.ends_with('\n').then_some((text, lines))
        };
        items.iter().map(lines).collect()
    }

    /// Removes a key, and its parent if that is empty afterwards.
    pub(crate) fn remove(&mut self, path: KeyPath) -> Result<(), NotPatchable> {
        let entry = self.entry(path).ok_or(NotPatchable)?;
        if entry.flow {
            return self.apply(entry.after_colon..entry.end, " null");
        }
        let parent = &path[..path.len() - 1];
        if !parent.is_empty() && self.entry(parent).is_some_and(|parent| parent.node.pairs().len() == 1) {
            return self.remove(parent);
        }
        let lines = self.lines(&entry).ok_or(NotPatchable)?;
        self.apply(lines, "")
    }

    /// Keeps only the last of duplicate top-level keys, which is the one that counts.
    pub(crate) fn keep_last(&mut self, key: &str) -> Result<(), NotPatchable> {
        loop {
            let pairs = self.root.as_ref().map(Node::pairs).unwrap_or_default();
            let mut same = pairs.iter().filter(|(name, _)| name.text() == Some(key));
            let (Some(first), Some(_)) = (same.next(), same.next()) else { return Ok(()) };
            let entry = self.entry_of(first, self.flow()).ok_or(NotPatchable)?;
            let lines = self.lines(&entry).ok_or(NotPatchable)?;
            self.apply(lines, "")?;
        }
    }

    /// Moves a top-level key to `metadata`, which is created if missing.
    pub(crate) fn move_under_metadata(&mut self, key: &str) -> Result<(), NotPatchable> {
        const METADATA: &str = "metadata";
        let entry = self.entry(&[key]).ok_or(NotPatchable)?;
        let lines = self.lines(&entry).ok_or(NotPatchable)?;
        let outer = self.indent(entry.key.start);
        let block = self.yaml[lines.clone()].to_owned();
        let below = |indent: &str| {
            let deeper =
                block.split_inclusive('\n').map(|line| if line.trim().is_empty() { line.to_owned() } else { format!("{indent}{line}") });
            deeper.collect::<String>()
        };
        let Some(metadata) = self.entry(&[METADATA]) else {
            return self.apply(lines, &format!("{outer}{METADATA}:{}{}", self.newline, below("  ")));
        };
        let (at, indent) = match &metadata.node.content {
            Content::Mapping { pairs, flow: false } if metadata.node.get(key).is_none() => {
                let first = pairs.first().ok_or(NotPatchable)?;
                let inner = self.indent(first.0.span.start);
                let indent = inner.strip_prefix(outer.as_str()).ok_or(NotPatchable)?.to_owned();
                (self.lines(&metadata).ok_or(NotPatchable)?.end, indent)
            }
            Content::Scalar { .. } if metadata.node.is_null() && metadata.node.span.is_empty() => {
                (self.line_end(metadata.after_colon), "  ".to_owned())
            }
            _ => return Err(NotPatchable),
        };
        let text = below(&indent);
        // The later edit first, so that the offsets of the earlier one stay valid.
        if at >= lines.end {
            self.yaml.insert_str(at, &text);
            self.apply(lines, "")
        } else {
            self.yaml.replace_range(lines, "");
            self.apply(at..at, &text)
        }
    }

    /// Replaces a block list of words by one line with spaces between them.
    pub(crate) fn join_list(&mut self, key: &str, items: &[&str]) -> Result<(), NotPatchable> {
        let entry = self.entry(&[key]).ok_or(NotPatchable)?;
        if self.yaml[entry.after_colon..entry.end].contains('#') {
            return Err(NotPatchable);
        }
        let line = scalar::canonical(&items.join(" "), entry.flow);
        self.apply(entry.after_colon..entry.end, &format!(" {line}"))
    }

    /// Parses the current values.
    pub(crate) const fn root(&self) -> Option<&Node> {
        self.root.as_ref()
    }

    /// The lines of a key and of the comments that belong to it.
    fn lines(&self, entry: &MappingEntry) -> Option<Range<usize>> {
        let start = self.line_start(entry.key.start);
        let alone = !entry.flow && self.yaml[start..entry.key.start].trim().is_empty();
        alone.then(|| start..self.comments_end(self.line_end(entry.end), entry.key.start - start))
    }

    fn flow(&self) -> bool {
        matches!(self.root, Some(Node { content: Content::Mapping { flow: true, .. }, .. }))
    }

    /// The end of the comments after `at` that are indented more than `indent`. They belong to the key
    /// above, and would become content of a block scalar there.
    fn comments_end(&self, at: usize, indent: usize) -> usize {
        let mut end = at;
        for line in (Lines { text: &self.yaml, at }) {
            let content = self.yaml[line.clone()].trim_start();
            if content.starts_with('#') && line.len() - content.len() > indent {
                end = line.end;
            } else if !content.is_empty() {
                break;
            }
        }
        end
    }

    fn apply(&mut self, range: Range<usize>, replacement: &str) -> Result<(), NotPatchable> {
        if self.yaml.get(range.clone()).is_none() {
            return Err(NotPatchable);
        }
        self.yaml.replace_range(range, replacement);
        self.root = yaml::parse(&self.yaml).map_err(|_| NotPatchable)?;
        Ok(())
    }

    /// The key and value at a path.
    fn entry(&self, path: &[&str]) -> Option<MappingEntry> {
        let (key, parents) = path.split_last()?;
        let parent = parents.iter().try_fold(self.root.as_ref()?, |node, key| node.get(key))?;
        let Content::Mapping { pairs, flow } = &parent.content else { return None };
        self.entry_of(pairs.iter().rev().find(|(name, _)| name.text() == Some(key))?, *flow)
    }

    fn entry_of(&self, (name, node): &(Node, Node), flow: bool) -> Option<MappingEntry> {
        let colon = name.span.end + self.yaml.get(name.span.end..)?.find(':')? + 1;
        let end = match node.content {
            // The blank lines after a block aren't part of its value.
            _ if node.span.is_empty() => colon,
            _ => self.yaml[..node.span.end].trim_end().len().max(colon),
        };
        Some(MappingEntry { key: name.span.clone(), after_colon: colon, end, node: node.clone(), flow })
    }

    fn replacement(&self, entry: &MappingEntry, text: &str) -> (Range<usize>, String) {
        let MappingEntry { node, flow, .. } = entry;
        match &node.content {
            Content::Scalar { style: style @ (Style::Literal | Style::Folded), .. } if !node.span.is_empty() => {
                let indent = self.indent(node.span.start);
                let lines = scalar::block(text, *style, &indent, self.newline).filter(|_| !self.quoted);
                match lines {
                    Some(lines) => (node.span.start..entry.end, lines),
                    None => (entry.after_colon..entry.end, format!(" {}", scalar::canonical(text, *flow))),
                }
            }
            Content::Scalar { style: Style::Literal | Style::Folded, .. } => {
                let line_end = self.yaml[entry.after_colon..].find(['\r', '\n']).map_or(self.yaml.len(), |end| entry.after_colon + end);
                (entry.after_colon..line_end, format!(" {}", scalar::canonical(text, *flow)))
            }
            Content::Scalar { style, .. } if !node.span.is_empty() => (node.span.clone(), scalar::inline(text, *style, *flow)),
            _ => (entry.after_colon..entry.end, format!(" {}", scalar::canonical(text, *flow))),
        }
    }

    /// Where to insert a top-level key: `name` first, others after `name`, else at the end.
    fn insertion(&self, key: &str, text: &str) -> (Range<usize>, String) {
        let pairs = self.root.as_ref().map(Node::pairs).unwrap_or_default();
        if let Some(Node { content: Content::Mapping { flow: true, .. }, span }) = &self.root {
            let comma = if pairs.is_empty() { "" } else { ", " };
            let at = self.yaml[..span.end - 1].trim_end().trim_end_matches(',').len();
            return (at..span.end - 1, format!("{comma}{key}: {}", scalar::canonical(text, true)));
        }
        let indent = pairs.first().map(|(first, _)| self.indent(first.span.start)).unwrap_or_default();
        let at = match self.entry(&["name"]) {
            Some(name) if key != "name" => self.line_end(name.end),
            _ if key == "name" => pairs.first().map_or(0, |(first, _)| self.line_start(first.span.start)),
            _ => self.yaml.len(),
        };
        (at..at, format!("{indent}{key}: {}{}", scalar::canonical(text, false), self.newline))
    }

    /// The next line after `at` that begins with a dash. (The span of an unindented list
    /// begins after the dash.)
    fn first_dash(&self, at: usize) -> Option<usize> {
        let mut lines = Lines { text: &self.yaml, at: self.line_end(at) };
        lines.find_map(|line| {
            let content = self.yaml[line.clone()].trim_start();
            content.starts_with('-').then(|| line.end - content.len())
        })
    }

    fn line_start(&self, at: usize) -> usize {
        self.yaml[..at].rfind('\n').map_or(0, |newline| newline + 1)
    }

    fn line_end(&self, at: usize) -> usize {
        self.yaml[at..].find('\n').map_or(self.yaml.len(), |newline| at + newline + 1)
    }

    /// The indentation before `at`; a dash counts as a space.
    fn indent(&self, at: usize) -> String {
        let before = &self.yaml[self.line_start(at)..at];
        before.chars().map(|ch| if ch == '\t' { '\t' } else { ' ' }).collect()
    }
}

/// The position of a value.
struct MappingEntry {
    key: Range<usize>,
    after_colon: usize,
    end: usize,
    node: Node,
    /// Inside `{…}`.
    flow: bool,
}

/// New frontmatter with name, description and the unknown keys of `old`.
pub(crate) fn canonical(package: &Package, old: Option<&Front<'_>>, newline: &str) -> String {
    const READ_KEYS: [&str; 7] = ["name", "description", "slug", "version", "author", "tags", "trigger_pattern"];
    let name = scalar::canonical(package.slug.as_str(), false);
    let description = scalar::canonical(&package.description, false);
    let head = format!("---{newline}name: {name}{newline}description: {description}{newline}");
    let mut rest = String::new();
    if let Some(front) = old
        && let Some(Node { content: Content::Mapping { pairs, flow: false }, .. }) = &front.root
    {
        let starts: Vec<usize> =
            pairs.iter().map(|(key, _)| front.yaml[..key.span.start].rfind('\n').map_or(0, |newline| newline + 1)).collect();
        for (index, (key, _)) in pairs.iter().enumerate() {
            let end = starts.get(index + 1).copied().unwrap_or(front.yaml.len());
            if !key.text().is_some_and(|key| READ_KEYS.contains(&key)) {
                rest.push_str(&front.yaml[starts[index]..end]);
            }
        }
    }
    let whole = format!("{head}{rest}---{newline}");
    let reads = yaml::parse(&whole[3 + newline.len()..whole.len() - 3 - newline.len()]).is_ok();
    if reads { whole } else { format!("{head}---{newline}") }
}
