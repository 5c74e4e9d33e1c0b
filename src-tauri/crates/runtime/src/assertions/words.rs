//! What is checked on plain text: exact texts, patterns, edits, names.

use inklings_core::check::line_column;
use inklings_lint::assertion::{PATTERN_BYTES, compile};
use regex::Regex;

use super::Found;

/// Characters that a quotation shows.
const QUOTED: usize = 120;
/// Characters on either side that edits are counted for: the work grows with their product.
const COMPARED: usize = 20_000;
/// Bytes of a compiled pattern times bytes of an output that a search may take: at worst it goes through the whole pattern
/// at every byte, some seconds for this much.
const SEARCHED: usize = 64 * 1024 * 1024 * 1024;
/// Names or texts that a list shows.
const LISTED: usize = 8;

/// A text in quotation marks, on one line, cut where it is long.
pub(super) fn quote(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{:?}…", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// A pattern as it was written, on one line, cut where it is long.
pub(super) fn code(text: &str) -> String {
    let text = text.replace('\n', "\\n");
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}

/// Texts in quotation marks, the last behind `and` or `or`.
pub(super) fn list(texts: &[String], joined_by: &str) -> String {
    let mut shown: Vec<String> = texts.iter().take(LISTED).map(|text| quote(text)).collect();
    if texts.len() > LISTED {
        shown.push(format!("{} more", texts.len() - LISTED));
    }
    match shown.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} {joined_by} {last}", rest.join(", ")),
        _ => shown.concat(),
    }
}

/// A compiled pattern, and how long an output it is searched in.
#[derive(Debug)]
pub(super) struct Pattern {
    regex: Regex,
    longest: usize,
}

impl Pattern {
    pub(super) fn compile(pattern: &str, flags: &str) -> Result<Self, regex::Error> {
        // The size is found by trying: nothing tells it.
        let mut bytes = 16 * 1024;
        loop {
            match compile(pattern, flags, bytes) {
                Ok(regex) => return Ok(Self { regex, longest: SEARCHED / bytes }),
                Err(regex::Error::CompiledTooBig(_)) if bytes < PATTERN_BYTES => bytes *= 2,
                Err(error) => return Err(error),
            }
        }
    }

    pub(super) fn as_str(&self) -> &str {
        self.regex.as_str()
    }
}

pub(super) fn find_pattern(text: &str, pattern: &Pattern) -> Found {
    if text.len() > pattern.longest {
        return Found::Unknown(format!(
            "the output is too long to search it for so large a pattern: at most {} KiB",
            pattern.longest / 1024
        ));
    }
    match pattern.regex.find(text) {
        Some(found) => {
            let (line, column) = line_column(text, found.start());
            Found::Plain(true, format!("the pattern matches {} at line {line}, column {column}", quote(found.as_str())))
        }
        None => Found::Plain(false, "nothing matches the pattern".to_owned()),
    }
}

pub(super) fn equals(text: &str, wanted: &str) -> Found {
    if text == wanted {
        return Found::Plain(true, "the output is the same text".to_owned());
    }
    if text.trim() == wanted.trim() {
        return Found::Plain(false, "the output differs only in blanks at its start or end".to_owned());
    }
    let same = text.bytes().zip(wanted.bytes()).take_while(|(a, b)| a == b).count();
    let same = text.floor_char_boundary(same);
    let (line, column) = line_column(text, same);
    Found::Plain(false, format!("the output differs from line {line}, column {column} on: {}", quote(&text[same..])))
}

fn at(text: &str, wanted: &str) -> Option<String> {
    let (line, column) = line_column(text, text.find(wanted)?);
    Some(format!("{} is at line {line}, column {column}", quote(wanted)))
}

pub(super) fn contains(text: &str, wanted: &str) -> Found {
    at(text, wanted)
        .map_or_else(|| Found::Plain(false, format!("{} is not in the output", quote(wanted))), |place| Found::Plain(true, place))
}

pub(super) fn contains_any(text: &str, wanted: &[String]) -> Found {
    match wanted.iter().find_map(|wanted| at(text, wanted)) {
        Some(place) => Found::Plain(true, place),
        None => Found::Plain(false, format!("the output has none of {}", list(wanted, "and"))),
    }
}

pub(super) fn contains_all(text: &str, wanted: &[String], share: f64) -> Found {
    let missing: Vec<String> = wanted.iter().filter(|wanted| !text.contains(wanted.as_str())).cloned().collect();
    share_of(wanted.len(), &missing, share, "text")
}

/// A degree: how many of all are there.
pub(super) fn share_of(all: usize, missing: &[String], wanted: f64, what: &str) -> Found {
    if missing.is_empty() {
        return Found::Graded(true, 1.0, if all == 1 { format!("the {what} is there") } else { format!("all {all} {what}s are there") });
    }
    #[expect(clippy::cast_precision_loss, reason = "lists of an assertion are short")]
    let score = (all - missing.len()) as f64 / all as f64;
    Found::Graded(score >= wanted, score, format!("{} of {all} missing: {}", missing.len(), list(missing, "and")))
}

pub(super) fn contains_ignoring_case(text: &str, wanted: &str) -> Found {
    let holds = text.to_lowercase().contains(&wanted.to_lowercase());
    Found::Plain(holds, format!("{} is {}in the output, ignoring case", quote(wanted), if holds { "" } else { "not " }))
}

pub(super) fn starts_with(text: &str, wanted: &str) -> Found {
    Found::Plain(text.starts_with(wanted), format!("the output starts with {}", quote(text)))
}

/// Edits between the output and a text: characters put in, taken out or replaced.
pub(super) fn distance(text: &str, to: &str, most: f64) -> Found {
    let (text, to): (Vec<char>, Vec<char>) = (text.chars().collect(), to.chars().collect());
    // What both begin or end with needs no edit, and is most of a text that is nearly right.
    let start = text.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let (text, to) = (&text[start..], &to[start..]);
    let end = text.iter().rev().zip(to.iter().rev()).take_while(|(a, b)| a == b).count();
    let (text, to) = (&text[..text.len() - end], &to[..to.len() - end]);
    #[expect(clippy::cast_precision_loss, reason = "texts in memory are shorter than 2^52")]
    let within = |edits: usize| edits as f64 <= most;
    let least = text.len().abs_diff(to.len());
    if !within(least) {
        return Found::Plain(false, format!("the output is {least} or more edits away"));
    }
    if text.len().max(to.len()) > COMPARED {
        return Found::Unknown(format!("texts of more than {COMPARED} differing characters are too long for counting edits"));
    }
    let edits = strsim::generic_levenshtein(&Slice(text), &Slice(to));
    Found::Plain(within(edits), format!("the output is {edits} {} away", if edits == 1 { "edit" } else { "edits" }))
}

/// Characters that can be gone through again and again.
struct Slice<'a>(&'a [char]);

impl<'s> IntoIterator for &'s Slice<'_> {
    type Item = &'s char;
    type IntoIter = std::slice::Iter<'s, char>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// Whether all of these were used, or any of them.
pub(super) fn used(what: &str, names: &[String], used: &[String], any: bool) -> Found {
    let (there, missing): (Vec<String>, Vec<String>) = names.iter().cloned().partition(|name| used.contains(name));
    let holds = if any { !there.is_empty() } else { missing.is_empty() };
    let what = if names.len() == 1 { what.to_owned() } else { format!("{what}s") };
    let fact = match (there.is_empty(), missing.is_empty()) {
        (false, true) => format!("the run used the {what} {}", list(&there, "and")),
        (true, _) => format!("the run did not use the {what} {}", list(&missing, "or")),
        (false, false) => format!("of the {what} the run used {} but not {}", list(&there, "and"), list(&missing, "or")),
    };
    Found::Plain(holds, fact)
}
