//! Finding and replacing in a text: a literal or a regular expression, with lines and columns as editors count them.

use regex::{Captures, NoExpand, Regex, RegexBuilder};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use inklings_rpc::{CallContext, CancellationToken, Failure, Role};

/// Characters that are shown on each side of a match.
const CONTEXT_CHARS: usize = 120;
/// Bytes of a compiled expression.
const MAX_REGEX_BYTES: usize = 4 * 1024 * 1024;
/// The same for remote callers: the larger it is, the longer a search may keep a processor busy.
const MAX_REMOTE_REGEX_BYTES: usize = 256 * 1024;

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Query {
    pub text: String,
    /// Regular expression. `^` and `$` match at the ends of a line; `.` doesn't match a line break.
    #[serde(default)]
    pub regex: bool,
    /// Match case.
    #[serde(default)]
    pub case: bool,
    /// Match whole words.
    #[serde(default)]
    pub word: bool,
}

/// Lines and columns count from 1, columns in characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Match {
    pub line: usize,
    pub column: usize,
    pub end_line: usize,
    /// The column after its end.
    pub end_column: usize,
    /// Text before it in its line, truncated.
    pub before: String,
    pub text: String,
    /// Text after it in the line of its end, truncated.
    pub after: String,
    /// What would replace it; null without a replacement.
    pub instead: Option<String>,
}

/// Why a query can't be searched for.
#[derive(Debug, thiserror::Error)]
pub(crate) enum QueryError {
    #[error("the search text is empty")]
    Empty,
    #[error("{text:?} isn't a valid regular expression: {reason}")]
    Regex { text: String, reason: String },
}

impl From<QueryError> for Failure {
    fn from(error: QueryError) -> Self {
        let message = error.to_string();
        match error {
            QueryError::Empty => Self::invalid(message).hint("enter a text to search for"),
            QueryError::Regex { .. } => Self::invalid(message).hint("correct it, or search for plain text"),
        }
    }
}

/// A compiled query.
pub(crate) struct Finder {
    pattern: Regex,
    literal: bool,
    /// Ends a search.
    cancel: CancellationToken,
}

impl Finder {
    pub(crate) fn new(query: &Query) -> Result<Self, QueryError> {
        Self::within(query, MAX_REGEX_BYTES)
    }

    /// For a call, whose cancellation ends searches.
    pub(crate) fn of_call(query: &Query, cx: &CallContext) -> Result<Self, QueryError> {
        let limit = if query.regex && matches!(cx.role, Role::Remote(_)) { MAX_REMOTE_REGEX_BYTES } else { MAX_REGEX_BYTES };
        Ok(Self { cancel: cx.cancel.clone(), ..Self::within(query, limit)? })
    }

    fn within(query: &Query, max_regex_bytes: usize) -> Result<Self, QueryError> {
        if query.text.is_empty() {
            return Err(QueryError::Empty);
        }
        let core = if query.regex { query.text.clone() } else { regex::escape(&query.text) };
        let source = if query.word { format!(r"\b{{start-half}}(?:{core})\b{{end-half}}") } else { core };
        let built =
            RegexBuilder::new(&source).case_insensitive(!query.case).multi_line(true).crlf(true).size_limit(max_regex_bytes).build();
        let pattern = built.map_err(|error| {
            let reason = error.to_string();
            let reason = reason.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
            QueryError::Regex { text: query.text.clone(), reason }
        })?;
        Ok(Self { pattern, literal: !query.regex, cancel: CancellationToken::new() })
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// The matches in a text, at most `limit`, and whether there are more. Empty matches don't count. Once it is cancelled, matches are
    /// missing.
    pub(crate) fn find(&self, text: &str, replacement: Option<&str>, limit: usize) -> (Vec<Match>, bool) {
        let mut positions = Positions::new(text);
        let mut found = Vec::new();
        for captures in self.pattern.captures_iter(text).take_while(|_| !self.is_cancelled()) {
            let Some(whole) = captures.get(0).filter(|whole| !whole.is_empty()) else { continue };
            if found.len() == limit {
                return (found, true);
            }
            let ((line, column), (end_line, end_column)) = (positions.at(whole.start()), positions.at(whole.end()));
            let (from, to) = (line_start(text, whole.start()), line_end(text, whole.end()));
            found.push(Match {
                line,
                column,
                end_line,
                end_column,
                before: last_of(&text[from..whole.start()], CONTEXT_CHARS),
                text: first_of(whole.as_str(), 4 * CONTEXT_CHARS),
                after: first_of(&text[whole.end()..to], CONTEXT_CHARS),
                instead: replacement.map(|replacement| first_of(&self.expand(&captures, replacement), 4 * CONTEXT_CHARS)),
            });
        }
        (found, false)
    }

    /// The text with some of its matches replaced, by their order, or all; and how many were.
    pub(crate) fn replace(&self, text: &str, replacement: &str, only: Option<&[usize]>) -> (String, usize) {
        let (mut out, mut done, mut count, mut index) = (String::with_capacity(text.len()), 0, 0, 0);
        for captures in self.pattern.captures_iter(text) {
            let Some(whole) = captures.get(0).filter(|whole| !whole.is_empty()) else { continue };
            if only.is_none_or(|only| only.contains(&index)) {
                out.push_str(&text[done..whole.start()]);
                out.push_str(&self.expand(&captures, replacement));
                done = whole.end();
                count += 1;
            }
            index += 1;
        }
        out.push_str(&text[done..]);
        (out, count)
    }

    /// `$1` refers to a group in a regular expression only.
    fn expand(&self, captures: &Captures<'_>, replacement: &str) -> String {
        let mut out = String::new();
        if self.literal {
            use regex::Replacer as _;
            NoExpand(replacement).replace_append(captures, &mut out);
        } else {
            captures.expand(replacement, &mut out);
        }
        out
    }
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |before| before + 1)
}

fn line_end(text: &str, at: usize) -> usize {
    let end = text[at..].find('\n').map_or(text.len(), |after| at + after);
    if text[at..end].ends_with('\r') { end - 1 } else { end }
}

fn first_of(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn last_of(text: &str, characters: usize) -> String {
    let count = text.chars().count();
    match count.checked_sub(characters).filter(|cut| *cut > 0).and_then(|cut| text.char_indices().nth(cut)) {
        Some((start, _)) => format!("…{}", &text[start..]),
        None => text.to_owned(),
    }
}

/// Lines and columns of ascending offsets, in one pass over the text.
struct Positions<'a> {
    text: &'a str,
    offset: usize,
    line: usize,
    column: usize,
}

impl<'a> Positions<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, offset: 0, line: 1, column: 1 }
    }

    fn at(&mut self, offset: usize) -> (usize, usize) {
        for ch in self.text[self.offset..offset].chars() {
            if ch == '\n' {
                self.line += 1;
                self.column = 1;
            } else {
                self.column += 1;
            }
        }
        self.offset = offset;
        (self.line, self.column)
    }
}

#[cfg(test)]
mod tests {
    use inklings_rpc::RemoteRole;

    use super::*;

    fn finder(text: &str, change: impl FnOnce(&mut Query)) -> Finder {
        let mut query = Query { text: text.to_owned(), regex: false, case: false, word: false };
        change(&mut query);
        Finder::new(&query).unwrap()
    }

    fn found(finder: &Finder, text: &str) -> Vec<(usize, usize, String)> {
        finder.find(text, None, 100).0.into_iter().map(|one| (one.line, one.column, one.text)).collect()
    }

    #[test]
    fn a_text_is_found_as_it_is_written() {
        let text = "Ünder (a.b)\r\nA.B and axb\n";
        assert_eq!(found(&finder("a.b", |_| ()), text), [(1, 8, "a.b".into()), (2, 1, "A.B".into())]);
        assert_eq!(found(&finder("a.b", |query| query.case = true), text), [(1, 8, "a.b".into())]);
        assert_eq!(found(&finder("a.b$", |query| query.regex = true), text), [(2, 9, "axb".into())]);
        assert_eq!(
            found(&finder("x", |query| query.word = true), "x xx x-x"),
            [(1, 1, "x".into()), (1, 6, "x".into()), (1, 8, "x".into())]
        );
        assert_eq!(found(&finder("(a)", |query| query.word = true), "(a)b (a)"), [(1, 6, "(a)".into())]);
    }

    #[test]
    fn what_is_around_is_shown_of_its_line_only() {
        let text = format!("one\n{} here {}\r\nthree", "é".repeat(500), "z".repeat(500));
        let (found, more) = finder("here", |_| ()).find(&text, Some("there"), 1);
        let one = &found[0];
        assert!(!more && one.before.starts_with('…') && one.before.ends_with("é ") && one.before.chars().count() == CONTEXT_CHARS + 1);
        assert!(one.after.ends_with('…') && one.after.starts_with(" z"));
        assert_eq!((one.line, one.end_line, one.instead.as_deref()), (2, 2, Some("there")));
        let (found, more) = finder("e", |_| ()).find("eee", None, 2);
        assert_eq!((found.len(), more), (2, true));
        let (found, _) = finder("b\nc", |_| ()).find("ab\ncd", None, 9);
        assert_eq!((found[0].before.as_str(), found[0].after.as_str(), found[0].end_line, found[0].end_column), ("a", "d", 2, 2));
    }

    #[test]
    fn all_or_some_are_replaced() {
        let plain = finder("a", |_| ());
        assert_eq!(plain.replace("a b A", "$0!", None), ("$0! b $0!".to_owned(), 2));
        assert_eq!(plain.replace("a b a", "x", Some(&[1, 7])), ("a b x".to_owned(), 1));
        let swap = finder(r"(\w+)=(\w+)", |query| query.regex = true);
        assert_eq!(swap.replace("k=v, a=b", "$2=$1", None), ("v=k, b=a".to_owned(), 2));
        assert_eq!(finder("x*", |query| query.regex = true).replace("abc", "-", None), ("abc".to_owned(), 0));
    }

    #[test]
    fn an_invalid_query_is_refused_with_the_reason() {
        let refused = |text: &str| Finder::new(&Query { text: text.to_owned(), regex: true, case: false, word: false }).err().unwrap();
        assert!(matches!(refused(""), QueryError::Empty));
        assert!(refused("a(").to_string().contains("unclosed group"), "{}", refused("a("));
        assert!(refused(r"\w{1000}{1000}{10}").to_string().contains("isn't a valid regular expression"));
    }

    #[test]
    fn a_remote_caller_searches_with_small_expressions_only() {
        let compiles = |text: &str, role| {
            let query = Query { text: text.to_owned(), regex: true, case: false, word: false };
            Finder::of_call(&query, &CallContext { role, ..CallContext::local(None, "test") }).is_ok()
        };
        let (large, viewer) = ("(?:[a-z ]?){3000}[0-9]", Role::Remote(RemoteRole::Viewer));
        assert!(compiles(large, Role::Local) && !compiles(large, viewer));
        assert!(compiles(r"^\s*(\w+)\s*=\s*(\w+)$", viewer));
    }

    #[test]
    fn a_cancelled_search_ends() {
        let cx = CallContext::local(None, "test");
        let query = Query { text: "a".to_owned(), regex: false, case: false, word: false };
        let finder = Finder::of_call(&query, &cx).unwrap();
        assert_eq!(finder.find("a a", None, 9).0.len(), 2);
        cx.cancel.cancel();
        assert!(finder.is_cancelled() && finder.find("a a", None, 9).0.is_empty());
    }
}
