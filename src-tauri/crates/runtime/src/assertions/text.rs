//! Checks on plain text: equality, containment, patterns, edit distance, names.

use inklings_core::check::line_column;
use inklings_lint::assertion::{PATTERN_BYTES, compile};
use regex::Regex;

use super::CheckResult;

const MAX_QUOTE_CHARS: usize = 120;
/// Of each text in an edit distance, whose cost grows with their product.
const MAX_COMPARED_CHARS: usize = 20_000;
/// Bytes of the compiled pattern times bytes of the output: the worst case of a search visits the whole pattern
/// at every byte, which takes seconds for this much.
const MAX_SEARCH_WORK: usize = 64 * 1024 * 1024 * 1024;
const MAX_LISTED_TEXTS: usize = 8;

/// In quotation marks, on one line, truncated.
pub(super) fn quote(text: &str) -> String {
    match text.char_indices().nth(MAX_QUOTE_CHARS) {
        Some((end, _)) => format!("{:?}…", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// A pattern in backticks, on one line, truncated.
pub(super) fn code(text: &str) -> String {
    let text = text.replace('\n', "\\n");
    match text.char_indices().nth(MAX_QUOTE_CHARS) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}

/// `"a", "b" and "c"`; `joined_by` is `and` or `or`.
pub(super) fn list(texts: &[String], joined_by: &str) -> String {
    let mut shown: Vec<String> = texts.iter().take(MAX_LISTED_TEXTS).map(|text| quote(text)).collect();
    if texts.len() > MAX_LISTED_TEXTS {
        shown.push(format!("{} more", texts.len() - MAX_LISTED_TEXTS));
    }
    match shown.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} {joined_by} {last}", rest.join(", ")),
        _ => shown.concat(),
    }
}

#[derive(Debug)]
pub(super) struct Pattern {
    regex: Regex,
    max_text_bytes: usize,
}

impl Pattern {
    pub(super) fn compile(pattern: &str, flags: &str) -> Result<Self, regex::Error> {
        // The compiled size is found by trying, since `regex` doesn't report it.
        let mut bytes = 16 * 1024;
        loop {
            match compile(pattern, flags, bytes) {
                Ok(regex) => return Ok(Self { regex, max_text_bytes: MAX_SEARCH_WORK / bytes }),
                Err(regex::Error::CompiledTooBig(_)) if bytes < PATTERN_BYTES => bytes *= 2,
                Err(error) => return Err(error),
            }
        }
    }

    pub(super) fn as_str(&self) -> &str {
        self.regex.as_str()
    }
}

pub(super) fn find_pattern(text: &str, pattern: &Pattern) -> CheckResult {
    if text.len() > pattern.max_text_bytes {
        return CheckResult::Unknown(format!("the output is too long for this pattern: at max {} KiB", pattern.max_text_bytes / 1024));
    }
    match pattern.regex.find(text) {
        Some(found) => {
            let (line, column) = line_column(text, found.start());
            CheckResult::Plain(true, format!("the pattern matches {} at line {line}, column {column}", quote(found.as_str())))
        }
        None => CheckResult::Plain(false, "nothing matches the pattern".to_owned()),
    }
}

pub(super) fn equals(text: &str, wanted: &str) -> CheckResult {
    if text == wanted {
        return CheckResult::Plain(true, "the output is equal".to_owned());
    }
    if text.trim() == wanted.trim() {
        return CheckResult::Plain(false, "the output differs only in leading or trailing whitespace".to_owned());
    }
    let same = text.bytes().zip(wanted.bytes()).take_while(|(a, b)| a == b).count();
    let same = text.floor_char_boundary(same);
    let (line, column) = line_column(text, same);
    CheckResult::Plain(false, format!("the output differs at line {line}, column {column}: {}", quote(&text[same..])))
}

fn at(text: &str, wanted: &str) -> Option<String> {
    let (line, column) = line_column(text, text.find(wanted)?);
    Some(format!("{} is at line {line}, column {column}", quote(wanted)))
}

pub(super) fn contains(text: &str, wanted: &str) -> CheckResult {
    at(text, wanted).map_or_else(
        || CheckResult::Plain(false, format!("{} isn't in the output", quote(wanted))),
        |place| CheckResult::Plain(true, place),
    )
}

pub(super) fn contains_any(text: &str, wanted: &[String]) -> CheckResult {
    match wanted.iter().find_map(|wanted| at(text, wanted)) {
        Some(place) => CheckResult::Plain(true, place),
        None => CheckResult::Plain(false, format!("the output contains none of {}", list(wanted, "and"))),
    }
}

pub(super) fn contains_all(text: &str, wanted: &[String], share: f64) -> CheckResult {
    let missing: Vec<String> = wanted.iter().filter(|wanted| !text.contains(wanted.as_str())).cloned().collect();
    share_of(wanted.len(), &missing, share, "text")
}

/// The score is the share of the texts that were found.
pub(super) fn share_of(all: usize, missing: &[String], wanted: f64, what: &str) -> CheckResult {
    if missing.is_empty() {
        return CheckResult::Graded(true, 1.0, if all == 1 { format!("{what} found") } else { format!("all {all} {what}s found") });
    }
    #[expect(clippy::cast_precision_loss, reason = "lists of an assertion are short")]
    let score = (all - missing.len()) as f64 / all as f64;
    CheckResult::Graded(score >= wanted, score, format!("{} of {all} missing: {}", missing.len(), list(missing, "and")))
}

pub(super) fn contains_ignoring_case(text: &str, wanted: &str) -> CheckResult {
    let holds = text.to_lowercase().contains(&wanted.to_lowercase());
    CheckResult::Plain(holds, format!("{} {} in the output, ignoring case", quote(wanted), if holds { "is" } else { "isn't" }))
}

pub(super) fn starts_with(text: &str, wanted: &str) -> CheckResult {
    CheckResult::Plain(text.starts_with(wanted), format!("the output starts with {}", quote(text)))
}

/// Levenshtein distance in characters.
pub(super) fn distance(text: &str, to: &str, max: f64) -> CheckResult {
    let (text, to): (Vec<char>, Vec<char>) = (text.chars().collect(), to.chars().collect());
    // Common prefixes and suffixes need no edits and are most of two similar texts.
    let start = text.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let (text, to) = (&text[start..], &to[start..]);
    let end = text.iter().rev().zip(to.iter().rev()).take_while(|(a, b)| a == b).count();
    let (text, to) = (&text[..text.len() - end], &to[..to.len() - end]);
    #[expect(clippy::cast_precision_loss, reason = "texts in memory are shorter than 2^52")]
    let within = |edits: usize| edits as f64 <= max;
    let least = text.len().abs_diff(to.len());
    if !within(least) {
        return CheckResult::Plain(false, format!("the output is at least {least} edits away"));
    }
    if text.len().max(to.len()) > MAX_COMPARED_CHARS {
        return CheckResult::Unknown(format!("the texts differ in more than {MAX_COMPARED_CHARS} characters, too many to count edits"));
    }
    let edits = strsim::generic_levenshtein(&Slice(text), &Slice(to));
    CheckResult::Plain(within(edits), format!("the output is {edits} {} away", if edits == 1 { "edit" } else { "edits" }))
}

/// An iterable slice, as `generic_levenshtein` requires.
struct Slice<'a>(&'a [char]);

impl<'s> IntoIterator for &'s Slice<'_> {
    type Item = &'s char;
    type IntoIter = std::slice::Iter<'s, char>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// Holds if all of `names` were used, or with `any` at least one.
pub(super) fn used(what: &str, names: &[String], used: &[String], any: bool) -> CheckResult {
    let (found, missing): (Vec<String>, Vec<String>) = names.iter().cloned().partition(|name| used.contains(name));
    let holds = if any { !found.is_empty() } else { missing.is_empty() };
    let what = if names.len() == 1 { what.to_owned() } else { format!("{what}s") };
    let fact = match (found.is_empty(), missing.is_empty()) {
        (false, true) => format!("the run used the {what} {}", list(&found, "and")),
        (true, _) => format!("the run didn't use the {what} {}", list(&missing, "or")),
        (false, false) => format!("the run used the {what} {}, but not {}", list(&found, "and"), list(&missing, "or")),
    };
    CheckResult::Plain(holds, fact)
}
