//! Full-text search: parses a query, ranks pages and extracts snippets.
//!
//! Queries have no syntax: each word becomes a quoted string. Scripts without spaces between words are indexed character by
//! character and searched as phrases, so that parts of words are found. Deliberately absent: stemming and spelling correction.

use std::borrow::Cow;
use std::collections::HashSet;

use inklings_core::pages::{Hit, PagesError};
use inklings_sqlite::{Database, Fault};
use rusqlite::{Connection, OptionalExtension};
use unicode_normalization::UnicodeNormalization;

use crate::names::is_mark;
use crate::query::{self, COLUMNS};

const MAX_QUERY_CHARS: usize = 1_000;
const MAX_WORDS: usize = 24;
/// Maximum hits of a search.
const MAX_HITS: usize = 1_000;
/// Maximum pages of a search that are ranked.
const MAX_RANKED: usize = 1_000;
/// Minimum characters of a prefix, in titles and tags, and in bodies. Shorter ones match most pages.
const OPEN_IN_TITLES: usize = 2;
const OPEN_IN_TEXTS: usize = 3;
/// Bytes of a page that are searched for the snippet.
const SNIPPET_SEARCH_BYTES: usize = 256 * 1024;
/// A separator for the tokenizer that belongs to no script.
const SEPARATOR: char = '\u{200b}';
/// Characters of a snippet before the match, and in total.
const SNIPPET_LEAD: usize = 60;
const SNIPPET_CHARS: usize = 200;

/// Matching pages, best first.
pub(crate) fn search(database: &Database, text: &str, limit: usize) -> Result<Vec<Hit>, PagesError> {
    let Some(query) = Query::new(text) else { return Ok(Vec::new()) };
    let limit = limit.min(MAX_HITS);
    Ok(database.snapshot(|connection| {
        let mut found = matching(connection, &query, " AND ", limit)?;
        if found.is_empty() && query.words.len() > 1 {
            found = matching(connection, &query, " OR ", limit)?;
        }
        found.into_iter().filter_map(|(id, score)| hit(connection, &query, id, score).transpose()).collect()
    })?)
}

/// The best pages with their scores. For very common words only the most recently indexed pages are ranked, and
/// those with the words in their title or tags, since ranking all would take too long.
fn matching(connection: &Connection, query: &Query, operator: &str, limit: usize) -> Result<Vec<(i64, f64)>, Fault> {
    let expression = query.expression(operator);
    let max_ranked = MAX_RANKED.max(limit);
    let mut found = ranked(connection, &expression, max_ranked)?;
    if found.len() == max_ranked {
        let known: HashSet<i64> = found.iter().map(|(id, _)| *id).collect();
        let titled = ranked(connection, &format!("{{title tags}} : ({expression})"), max_ranked)?;
        found.extend(titled.into_iter().filter(|(id, _)| !known.contains(id)));
    }
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then(b.0.cmp(&a.0)));
    found.truncate(limit);
    Ok(found)
}

pub(crate) fn indexed(text: &str) -> Cow<'_, str> {
    if !text.chars().any(stands_alone) {
        return Cow::Borrowed(text);
    }
    let mut spaced = String::with_capacity(text.len() * 2);
    for ch in text.chars() {
        if stands_alone(ch) {
            spaced.extend([SEPARATOR, ch, SEPARATOR]);
        } else {
            spaced.push(ch);
        }
    }
    Cow::Owned(spaced)
}

/// A character of a script without spaces between words: Thai to Khmer, Kana, Han, Hangul.
fn stands_alone(ch: char) -> bool {
    matches!(u32::from(ch), 0x0e00..=0x0fff | 0x1000..=0x109f | 0x1100..=0x11ff | 0x1780..=0x17ff | 0x3040..=0x318f | 0x31a0..=0x31ff
        | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xac00..=0xd7ff | 0xf900..=0xfaff | 0xff66..=0xff9f | 0x20000..=0x3ffff)
        && ch.is_alphanumeric()
}

struct Query {
    words: Vec<String>,
    /// Whether the last word may be a prefix.
    open: bool,
}

impl Query {
    /// `None` if the query has no words.
    fn new(text: &str) -> Option<Self> {
        let text: String = text.chars().take(MAX_QUERY_CHARS).map(|ch| if ch == '\0' { ' ' } else { ch }).collect();
        let words = text.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)).take(MAX_WORDS);
        let words: Vec<String> = words.map(str::to_owned).collect();
        // A trailing `*` is accepted as well.
        let open = text.trim_end_matches('*').ends_with(|ch: char| ch.is_alphanumeric() || is_mark(ch));
        (!words.is_empty()).then_some(Self { words, open })
    }

    /// As an FTS5 expression.
    fn expression(&self, operator: &str) -> String {
        let quoted = |word: &String| format!("\"{}\"", indexed(word).replace('"', "\"\""));
        let mut words: Vec<String> = self.words.iter().map(quoted).collect();
        if let Some(last) = words.last_mut().filter(|_| self.open) {
            // A non-ASCII character is more selective than a letter.
            let letters = self.words.last().map_or(0, |word| if word.is_ascii() { word.len() } else { OPEN_IN_TEXTS });
            if letters >= OPEN_IN_TEXTS {
                last.push('*');
            } else if letters >= OPEN_IN_TITLES {
                *last = format!("({last} OR {{title tags}} : {last}*)");
            }
        }
        words.join(operator)
    }
}

/// Matching pages with their scores, most recently indexed first.
fn ranked(connection: &Connection, expression: &str, limit: usize) -> Result<Vec<(i64, f64)>, Fault> {
    // Titles have the highest weight, then tags. SQLite's ranks are negative; the lowest is the best.
    let sql = "SELECT rowid, -bm25(search, 10.0, 5.0, 1.0) FROM search WHERE search MATCH ?1 ORDER BY rowid DESC LIMIT ?2";
    let mut statement = connection.prepare_cached(sql)?;
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let rows = statement.query_map((expression, limit), |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// `None` if the page was removed between two statements.
fn hit(connection: &Connection, query: &Query, id: i64, score: f64) -> Result<Option<Hit>, Fault> {
    let sql = format!("SELECT {COLUMNS}, (SELECT body FROM texts WHERE page = p.id) FROM pages p WHERE p.id = ?1");
    let found = connection.prepare_cached(&sql)?.query_row([id], |row| Ok((query::summary(row)?, row.get::<_, String>(8)?))).optional()?;
    Ok(found.map(|(page, body)| {
        let snippet = snippet(&body, query);
        Hit { slug: page.slug, title: page.title, kind: page.kind, tags: page.tags, snippet, score }
    }))
}

/// Text around the first passage with most of the query's words.
fn snippet(body: &str, query: &Query) -> String {
    let head = &body[..body.floor_char_boundary(SNIPPET_SEARCH_BYTES)];
    let start = place(head, query).map_or(0, |at| lead(head, at));
    let (mut shown, mut chars, mut blank) = (String::new(), 0, false);
    let mut rest = body[start..].chars();
    for ch in rest.by_ref() {
        if chars >= SNIPPET_CHARS && (ch.is_whitespace() || stands_alone(ch) || chars >= 2 * SNIPPET_CHARS) {
            break;
        }
        if ch.is_whitespace() || ch.is_control() {
            blank = !shown.is_empty();
        } else {
            if std::mem::take(&mut blank) {
                shown.push(' ');
            }
            shown.push(ch);
        }
        chars += 1;
    }
    let more = rest.any(|ch| !ch.is_whitespace());
    format!("{}{shown}{}", if start > 0 { "…" } else { "" }, if more { "…" } else { "" })
}

/// The start of a word some characters before `at`.
fn lead(text: &str, at: usize) -> usize {
    let from = text[..at].char_indices().rev().take(SNIPPET_LEAD).last().map_or(at, |(from, _)| from);
    if from == 0 {
        return 0;
    }
    text[from..at].char_indices().find(|(_, ch)| ch.is_whitespace() || stands_alone(*ch)).map_or(at, |(offset, _)| from + offset)
}

/// Offset of the first match of a query word.
fn place(text: &str, query: &Query) -> Option<usize> {
    let parts = |word: &str| word.split(|ch: char| !is_of_word(ch)).filter(|part| !part.is_empty()).map(folded).collect::<Vec<_>>();
    let wanted: Vec<String> = query.words.iter().flat_map(|word| parts(word)).collect();
    let whole = if query.open { wanted.len().saturating_sub(1) } else { wanted.len() };
    if let Some(sign) = wanted.iter().find(|word| word.contains(stands_alone))
        && let Some(at) = text.find(sign.as_str())
    {
        return Some(at);
    }
    words(text).find_map(|(at, word)| {
        let matches = |(n, wanted): (usize, &String)| {
            let plain = word.len() >= wanted.len() && word.as_bytes()[..wanted.len()].eq_ignore_ascii_case(wanted.as_bytes());
            if word.is_ascii() {
                plain && (n >= whole || word.len() == wanted.len())
            } else {
                let word = folded(word);
                if n >= whole { word.starts_with(wanted.as_str()) } else { word == *wanted }
            }
        };
        wanted.iter().enumerate().any(matches).then_some(at)
    })
}

fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(is_of_word)?;
        let end = text[start..].find(|ch| !is_of_word(ch)).map_or(text.len(), |end| start + end);
        at = end;
        Some((start, &text[start..end]))
    })
}

fn is_of_word(ch: char) -> bool {
    ch.is_alphanumeric() || is_mark(ch)
}

/// Normalizes as the index does: lowercase, without diacritics.
fn folded(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    // Scripts without spaces are matched verbatim.
    if word.contains(stands_alone) {
        return word.to_owned();
    }
    word.nfd().filter(|ch| !is_mark(*ch)).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expression(text: &str) -> Option<String> {
        Query::new(text).map(|query| query.expression(" AND "))
    }

    #[test]
    fn typed_text_is_never_syntax() {
        assert_eq!(expression("salt led").unwrap(), "\"salt\" AND \"led\"*");
        assert_eq!(expression("a OR \"b* NEAR(c) title:x ").unwrap(), "\"a\" AND \"OR\" AND \"\"\"b*\" AND \"NEAR(c)\" AND \"title:x\"");
        assert_eq!(expression("x\0yes").unwrap(), "\"x\" AND \"yes\"*");
        assert_eq!(expression("salt le").unwrap(), "\"salt\" AND (\"le\" OR {title tags} : \"le\"*)");
        assert_eq!(expression("salt l").unwrap(), "\"salt\" AND \"l\"");
        for nothing in ["", "  ", "\"", "* - ^", "\0"] {
            assert_eq!(expression(nothing), None);
        }
    }

    #[test]
    fn a_snippet_shows_the_match_on_one_line() {
        let query = Query::new("Éclair ").unwrap();
        let body = format!("{} the\n\neclair, again. {}", "before ".repeat(40), "after ".repeat(80));
        let shown = snippet(&body, &query);
        assert!(shown.starts_with("…before") && shown.ends_with("after…") && shown.contains("the eclair, again."), "{shown}");
        assert!(shown.chars().count() < SNIPPET_CHARS + 20);
        assert_eq!(snippet("short text", &query), "short text");
        assert_eq!(snippet("", &query), "");
        let shown = snippet(&"東京は大きい。".repeat(60), &Query::new("大き").unwrap());
        assert!(shown.contains("大き"), "{shown}");
    }
}
