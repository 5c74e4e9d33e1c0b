//! What can be wrong with a template, and where.

use std::fmt;
use std::ops::Range;

use inklings_core::Diagnostic;
use inklings_core::check::line_column;
use minijinja::ErrorKind;

use crate::script::Misplaced;

/// What is wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// It can't be read.
    #[error("{0}")]
    Syntax(String),
    /// A filter that doesn't exist.
    #[error("unknown filter {name:?}")]
    UnknownFilter {
        /// As written.
        name: String,
    },
    /// A test that doesn't exist.
    #[error("unknown test {name:?}")]
    UnknownTest {
        /// As written.
        name: String,
    },
    /// A call of something that is no function.
    #[error("unknown function {name:?}")]
    UnknownFunction {
        /// As written.
        name: String,
    },
    /// A call of something that belongs to a value.
    #[error("values have no methods: `{name}()` can't be called")]
    UnknownMethod {
        /// As written.
        name: String,
    },
    /// A statement that needs another template.
    #[error("a template can't use another one: `{statement}` has nothing to load")]
    NoOtherTemplates {
        /// `include`, `import` or `extends`.
        statement: &'static str,
    },
    /// A value that was not given.
    #[error("{0}")]
    Undefined(String),
    /// Too many steps: most likely a loop without end.
    #[error("the template takes more than {0} steps")]
    OutOfFuel(u64),
    /// Nested or chained deeper than is safe to compile.
    #[error("the template is nested too deeply here")]
    TooDeep,
    /// The template's text is too long.
    #[error("the template has {found} bytes, at most {limit} are allowed")]
    TemplateTooLong {
        /// Its length.
        found: usize,
        /// What is allowed.
        limit: usize,
    },
    /// The rendered text is too long.
    #[error("the rendered text is longer than {0} bytes")]
    OutputTooLong(usize),
    /// A step would build a text or list that is too large.
    #[error("{0}")]
    Grows(String),
    /// A value in a script where none can stand.
    #[error("{0}")]
    Misplaced(Misplaced),
    /// A value in a script that Python can't write.
    #[error("this can't be written as a value in Python: {0}")]
    NoLiteral(String),
    /// A script that is no Python.
    #[error("{message}")]
    Script {
        /// What is wrong.
        message: String,
        /// What to do about it.
        hint: &'static str,
    },
    /// The engine met a case that it didn't expect; a fault of ours.
    #[error("the template engine can't handle this template")]
    EngineFault,
    /// An operation that its values don't allow.
    #[error("{0}")]
    Failed(String),
}

impl Problem {
    /// The stable id of the rule behind it.
    #[must_use]
    pub const fn rule(&self) -> &'static str {
        match self {
            Self::Syntax(_) => "template/syntax",
            Self::UnknownFilter { .. } => "template/unknown-filter",
            Self::UnknownTest { .. } => "template/unknown-test",
            Self::UnknownFunction { .. } => "template/unknown-function",
            Self::UnknownMethod { .. } => "template/unknown-method",
            Self::NoOtherTemplates { .. } => "template/other-template",
            Self::Undefined(_) => "template/undefined",
            Self::OutOfFuel(_) | Self::TooDeep | Self::TemplateTooLong { .. } | Self::OutputTooLong(_) | Self::Grows(_) => "template/limit",
            Self::Misplaced(_) | Self::NoLiteral(_) => "template/value-place",
            Self::Script { .. } => "script/syntax",
            Self::EngineFault | Self::Failed(_) => "template/failed",
        }
    }

    /// The name that was likely meant in place of an unknown one.
    #[must_use]
    pub fn meant(&self) -> Option<&'static str> {
        let (name, known) = match self {
            Self::UnknownFilter { name } => (name, crate::names::FILTERS),
            Self::UnknownTest { name } => (name, crate::names::TESTS),
            Self::UnknownFunction { name } => (name, crate::names::FUNCTIONS),
            _ => return None,
        };
        inklings_core::manifest::nearest(name, known.iter().copied())
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let meant = |known: &[&'static str]| match self.meant() {
            Some(word) => format!("did you mean {word:?}?"),
            None => format!("known here: {}", known.join(", ")),
        };
        match self {
            Self::UnknownFilter { .. } => Some(meant(crate::names::FILTERS)),
            Self::UnknownTest { .. } => Some(meant(crate::names::TESTS)),
            Self::UnknownFunction { .. } => Some(meant(crate::names::FUNCTIONS)),
            Self::UnknownMethod { name } => Some(method(name)),
            Self::NoOtherTemplates { .. } => Some("put the text into this template, or use a macro".to_owned()),
            Self::Undefined(_) => Some("give it a value, or write `| default('')` behind it".to_owned()),
            Self::OutOfFuel(_) => Some("loop over less, or move the work into a script".to_owned()),
            Self::TooDeep => Some("split the expression with `set`, or the block into macros".to_owned()),
            Self::TemplateTooLong { .. } => Some("move long material into references/".to_owned()),
            Self::OutputTooLong(_) | Self::Grows(_) => Some("repeat less, or pass shorter values".to_owned()),
            Self::Misplaced(misplaced) => Some(misplaced.hint().to_owned()),
            Self::Script { hint, .. } => Some((*hint).to_owned()),
            Self::NoLiteral(_) => Some("print a text, a number, a list or an object".to_owned()),
            Self::Syntax(_) | Self::EngineFault | Self::Failed(_) => None,
        }
    }
}

/// Where in a template. Lines and columns count from 1, columns in characters; the end is just after the last one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceSpan {
    /// First line.
    pub line: u32,
    /// First column.
    pub column: u32,
    /// Last line.
    pub end_line: u32,
    /// Column after the last character.
    pub end_column: u32,
    /// The same as bytes of the template's text.
    pub range: Range<usize>,
}

impl SourceSpan {
    pub(crate) fn of(text: &str, range: Range<usize>) -> Self {
        let range = within(text, range);
        let (line, column) = line_column(text, range.start);
        let (end_line, end_column) = line_column(text, range.end);
        Self { line, column, end_line, end_column, range }
    }
}

/// The range, moved onto whole characters inside the text.
fn within(text: &str, range: Range<usize>) -> Range<usize> {
    let edge = |offset: usize| text.floor_char_boundary(offset);
    let start = edge(range.start);
    start..edge(range.end).max(start)
}

/// A template that can't be read or rendered: what is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptEngineError {
    /// What.
    pub problem: Problem,
    /// Where; none for what concerns the template as a whole.
    pub place: Option<SourceSpan>,
}

impl fmt::Display for PromptEngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.problem)?;
        match &self.place {
            Some(place) => write!(f, " (line {}, column {})", place.line, place.column),
            None => Ok(()),
        }
    }
}

impl std::error::Error for PromptEngineError {}

impl PromptEngineError {
    /// A problem of the whole template.
    pub(crate) const fn whole(problem: Problem) -> Self {
        Self { problem, place: None }
    }

    /// A problem at some bytes of a template.
    pub(crate) fn at(problem: Problem, text: &str, range: Range<usize>) -> Self {
        Self { problem, place: Some(SourceSpan::of(text, range)) }
    }

    /// The engine's own error; `text` is the template as given, `skipped` the bytes of its byte order mark.
    pub(crate) fn from_engine(error: &minijinja::Error, text: &str, skipped: usize) -> Self {
        let detail = || error.detail().map_or_else(|| error.kind().to_string(), str::to_owned);
        let problem = match error.kind() {
            ErrorKind::SyntaxError | ErrorKind::InvalidOperation if detail().contains("recursion limit") => Problem::TooDeep,
            ErrorKind::SyntaxError | ErrorKind::BadEscape => Problem::Syntax(syntax(&detail())),
            ErrorKind::UnknownFilter => Problem::UnknownFilter { name: quoted(&detail()) },
            ErrorKind::UnknownTest => Problem::UnknownTest { name: quoted(&detail()) },
            ErrorKind::UnknownFunction => Problem::UnknownFunction { name: quoted(&detail()) },
            ErrorKind::UnknownMethod => Problem::UnknownMethod { name: last_word(&detail()) },
            ErrorKind::UndefinedError => Problem::Undefined(undefined(&detail())),
            ErrorKind::OutOfFuel => Problem::OutOfFuel(crate::engine::FUEL),
            _ if detail().starts_with(crate::output_limit::TOO_LARGE_PREFIX) => Problem::Grows(detail()),
            _ => Problem::Failed(failed(error)),
        };
        let place = error.range().map(|range| SourceSpan::of(text, range.start + skipped..range.end + skipped));
        Self { problem, place }
    }

    /// As a finding about the template's file.
    #[must_use]
    pub fn to_diagnostic(&self, file: &str) -> Diagnostic {
        let mut finding = Diagnostic::error(self.problem.rule(), self.problem.to_string()).in_file(file);
        finding.hint = self.problem.hint();
        finding.meant = self.problem.meant().map(str::to_owned);
        match &self.place {
            Some(place) => finding.at(place.line, place.column).to(place.end_line, place.end_column),
            None => finding,
        }
    }
}

/// The engine's message and the messages of what caused it.
fn failed(error: &minijinja::Error) -> String {
    let mut message = error.detail().map_or_else(|| error.kind().to_string(), str::to_owned);
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        message = format!("{message}: {cause}");
        source = cause.source();
    }
    message
}

/// What to write in place of a method that Python has.
fn method(name: &str) -> String {
    let filter = match name {
        "strip" | "lstrip" | "rstrip" => "trim",
        "keys" | "values" | "get" => "items",
        "startswith" => return "write `is startingwith`".to_owned(),
        "endswith" => return "write `is endingwith`".to_owned(),
        "splitlines" => "lines",
        other => match crate::names::FILTERS.iter().find(|filter| **filter == other) {
            Some(filter) => filter,
            None => return "use a filter: `value | filter`".to_owned(),
        },
    };
    format!("use the filter: `| {filter}`")
}

/// The engine quotes signs, but not keywords: `expected in` reads as if it were cut off.
fn syntax(detail: &str) -> String {
    match detail.split_once(", expected ") {
        Some((found, keyword @ ("in" | "as" | "import" | "context"))) => format!("{found}, expected `{keyword}`"),
        _ => detail.to_owned(),
    }
}

fn last_word(detail: &str) -> String {
    detail.split_whitespace().last().unwrap_or(detail).to_owned()
}

/// The name in a message such as `filter foo is unknown`.
fn quoted(detail: &str) -> String {
    detail.split_whitespace().nth(1).unwrap_or(detail).trim_matches(|ch| matches!(ch, '"' | '\'' | '`')).to_owned()
}

fn undefined(detail: &str) -> String {
    detail.replace("undefined value (", "").replace("` is undefined)", "` is undefined")
}
