//! Quick fixes of frontmatter.

use inklings_core::Fix;
use inklings_core::check::Diagnostic;
use inklings_core::frontmatter;
use inklings_core::name::Slug;

use super::Subject;
use crate::front::Front;
use crate::front_edit::{FrontEdit, NotPatchable};
use crate::json::{self, Json};
use crate::lines::{Lines, newline_of};
use crate::repair::{self, FrontmatterProblem};
use crate::scalar;
use crate::values::{Identity, Values};
use crate::yaml::{self, Content, Node};

pub(super) fn fix(subject: &Subject<'_>, finding: &Diagnostic) -> Option<Fix> {
    match finding.rule.as_str() {
        "frontmatter/blank-lines" => without_blank_lines(subject),
        "frontmatter/unclosed" => closed(subject),
        "frontmatter/missing" => headed(subject),
        "frontmatter/tab" | "frontmatter/unquoted-colon" | "frontmatter/unquoted-character" | "frontmatter/quotes" => {
            repaired(subject, finding)
        }
        "frontmatter/description" if frontmatter::split(subject.text, frontmatter::SKILL).ok()?.yaml.is_none() => headed(subject),
        rule => edited(subject, finding, rule),
    }
}

fn without_blank_lines(subject: &Subject<'_>) -> Option<Fix> {
    let text = subject.text;
    let bare = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let bom = &text[..text.len() - bare.len()];
    Fix::between("Remove the blank lines", subject.path, text, &format!("{bom}{}", bare.trim_start()))
}

/// Closes the frontmatter after the last line that can only be part of it.
fn closed(subject: &Subject<'_>) -> Option<Fix> {
    let text = subject.text;
    frontmatter::split(text, frontmatter::SKILL).err()?;
    let mut lines = Lines { text, at: 0 };
    let opening = lines.find(|line| text[line.clone()].trim_start_matches('\u{FEFF}').starts_with("---"))?;
    let mut end = opening.end;
    for line in lines {
        let content = &text[line.clone()];
        let continued = end > opening.end && content.starts_with([' ', '\t', '-']) && !content.trim().is_empty();
        let key = is_key(content) && reads(&text[opening.end..line.end]);
        if !continued && !key {
            break;
        }
        end = line.end;
    }
    if end == opening.end {
        return None;
    }
    let newline = newline_of(text);
    let gap = if text[..end].ends_with('\n') { "" } else { newline };
    let new = format!("{}{gap}---{newline}{}", &text[..end], &text[end..]);
    Fix::between("Close the frontmatter", subject.path, text, &new)
}

fn is_key(line: &str) -> bool {
    let key = line.split_once(':').filter(|(_, rest)| rest.is_empty() || rest.starts_with(char::is_whitespace));
    key.is_some_and(|(key, _)| !key.is_empty() && key.chars().all(|ch| ch.is_alphanumeric() || matches!(ch, '-' | '_')))
}

fn reads(yaml: &str) -> bool {
    yaml::parse(yaml).is_ok() || repair::repair(yaml).is_some()
}

/// Adds frontmatter with name and description to a text without any.
fn headed(subject: &Subject<'_>) -> Option<Fix> {
    let text = subject.text;
    let bare = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let bom = &text[..text.len() - bare.len()];
    let (json, newline) = (declared(subject), newline_of(text));
    let values = Values::of(None, &json, text, subject.folder);
    let name = scalar::canonical(values.slug.as_str(), false);
    let description = scalar::canonical(&described(&values), false);
    let new = format!("{bom}---{newline}name: {name}{newline}description: {description}{newline}---{newline}{bare}");
    Fix::between("Add frontmatter with name and description", subject.path, text, &new)
}

/// The current description, else a placeholder.
fn described(values: &Values) -> String {
    let present = values.description.trim();
    if present.is_empty() { format!("What {} does, and when to use it.", values.name) } else { present.to_owned() }
}

/// `skill.json`, as far as it is valid.
fn declared(subject: &Subject<'_>) -> Json {
    let text = subject.tree.get(&inklings_core::skill::skill_json()).and_then(inklings_core::tree::TreeFile::text);
    text.and_then(|text| json::read(text, &mut Vec::new()).ok()).unwrap_or_default()
}

/// Quotes or indents the value of one key as YAML requires.
fn repaired(subject: &Subject<'_>, finding: &Diagnostic) -> Option<Fix> {
    let text = subject.text;
    let range = frontmatter::split(text, frontmatter::SKILL).ok()?.yaml?;
    let above = text[..range.start].matches('\n').count() + 1;
    let wanted = usize::try_from(finding.line?).ok()?.checked_sub(above)?;
    let patches = repair::patches(&text[range.clone()])?;
    let patch = patches.into_iter().find(|patch| patch.problems.first().is_some_and(|problem| problem.line == wanted))?;
    let of = range.start + patch.range.start..range.start + patch.range.end;
    let new = format!("{}{}{}", &text[..of.start], patch.fixed, &text[of.end..]);
    Fix::between(title_of(&patch.problems), subject.path, text, &new)
}

fn title_of(problems: &[FrontmatterProblem]) -> &'static str {
    let tab = |problem: &FrontmatterProblem| problem.rule == "frontmatter/tab";
    match (problems.iter().any(tab), problems.iter().all(tab)) {
        (true, true) => "Indent with spaces",
        (true, false) => "Indent with spaces and quote the value",
        _ => "Quote the value",
    }
}

/// Edits of keys and values, if the YAML is valid as written.
fn edited(subject: &Subject<'_>, finding: &Diagnostic, rule: &str) -> Option<Fix> {
    let text = subject.text;
    let split = frontmatter::split(text, frontmatter::SKILL).ok()?;
    let front = Front::read(text, &split, subject.path, &mut Vec::new()).ok()??;
    if front.repaired {
        return None;
    }
    let mut edit = FrontEdit::new(&front, false);
    let (title, edited) = match rule {
        "frontmatter/name" | "frontmatter/name-mismatch" => name(subject, &front, &mut edit, rule)?,
        "frontmatter/description" => {
            let values = Values::of(Some(&front), &declared(subject), &text[split.body..], subject.folder);
            ("Add a description".to_owned(), edit.set_text(&["description"], &described(&values)))
        }
        "frontmatter/duplicate-key" => {
            let key = key_at(subject, &front, finding)?;
            (format!("Keep only the last “{key}”"), edit.keep_last(key))
        }
        "frontmatter/unknown-key" => {
            let key = key_at(subject, &front, finding)?;
            (format!("Move “{key}” to metadata"), moved(&front, &mut edit, key))
        }
        "frontmatter/allowed-tools" => ("Write the tools on one line".to_owned(), joined(&front, &mut edit)?),
        _ => return None,
    };
    edited.ok()?;
    Fix::between(title, subject.path, text, &format!("{}{}", edit.text(), &text[split.body..]))
}

/// A valid name: the folder's name if the name differs or is missing, else a slug of the name.
fn name(subject: &Subject<'_>, front: &Front<'_>, edit: &mut FrontEdit, rule: &str) -> Option<(String, Result<(), NotPatchable>)> {
    let slug = if rule == "frontmatter/name-mismatch" {
        Slug::parse(subject.folder).ok()?
    } else {
        Identity::of(Some(front), &declared(subject), subject.folder).slug
    };
    let verb = if rule == "frontmatter/name-mismatch" { "Use the folder name" } else { "Rename to" };
    Some((format!("{verb} “{slug}”"), edit.set_text(&["name"], slug.as_str())))
}

/// The top-level key of a diagnostic.
fn key_at<'a>(subject: &Subject<'_>, front: &'a Front<'_>, finding: &Diagnostic) -> Option<&'a str> {
    let at = subject.start(finding)?.checked_sub(front.before.len())?;
    let pairs = front.root.as_ref().map(Node::pairs).unwrap_or_default();
    pairs.iter().find(|(key, _)| key.span.start == at)?.0.text()
}

/// Moves a key, and checks that all values are unchanged.
fn moved(front: &Front<'_>, edit: &mut FrontEdit, key: &str) -> Result<(), NotPatchable> {
    let before = front.get(&[key]).ok_or(NotPatchable)?;
    edit.move_under_metadata(key)?;
    let root = edit.root().ok_or(NotPatchable)?;
    let after = root.get("metadata").and_then(|metadata| metadata.get(key)).ok_or(NotPatchable)?;
    let others = front.root.as_ref().map(Node::pairs).unwrap_or_default().iter();
    let others_unchanged = others.filter_map(|(name, value)| Some((name.text()?, value))).all(|(name, value)| {
        let same = |other: &Node| if name == "metadata" { holds(other, value) } else { alike(other, value) };
        name == key || root.get(name).is_some_and(same)
    });
    if alike(before, after) && others_unchanged && root.get(key).is_none() { Ok(()) } else { Err(NotPatchable) }
}

/// Whether two nodes have the same value, ignoring spans.
fn alike(one: &Node, other: &Node) -> bool {
    match (&one.content, &other.content) {
        (Content::Scalar { .. }, Content::Scalar { .. }) => one.text() == other.text(),
        (Content::Sequence { items: one, .. }, Content::Sequence { items: other, .. }) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| alike(one, other))
        }
        (Content::Mapping { pairs: one, .. }, Content::Mapping { pairs: other, .. }) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| alike(&one.0, &other.0) && alike(&one.1, &other.1))
        }
        (one, other) => one == other,
    }
}

/// Whether a mapping contains all entries of another.
fn holds(mapping: &Node, other: &Node) -> bool {
    let has = |(key, value): &(Node, Node)| key.text().and_then(|key| mapping.get(key)).is_some_and(|one| alike(one, value));
    other.is_null() || (!other.pairs().is_empty() && other.pairs().iter().all(has))
}

fn joined(front: &Front<'_>, edit: &mut FrontEdit) -> Option<Result<(), NotPatchable>> {
    let Content::Sequence { items, .. } = &front.get(&["allowed-tools"])?.content else { return None };
    let tools: Option<Vec<&str>> = items.iter().map(|item| item.text().map(str::trim).filter(|tool| is_one_word(tool))).collect();
    Some(edit.join_list("allowed-tools", &tools.filter(|tools| !tools.is_empty())?))
}

/// Whether a tool has spaces only inside parentheses; otherwise it would become two tools.
fn is_one_word(tool: &str) -> bool {
    let mut depth = 0_i32;
    let outside = |ch: char| {
        depth += i32::from(ch == '(') - i32::from(ch == ')');
        depth == 0 && ch.is_whitespace()
    };
    !tool.is_empty() && !tool.chars().any(outside)
}
