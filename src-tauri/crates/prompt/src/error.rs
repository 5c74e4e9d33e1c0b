//! Errors in templates, with their positions.

use std::fmt;
use std::ops::Range;

use inklings_core::Diagnostic;
use inklings_core::check::line_column;
use minijinja::ErrorKind;

use crate::script::Misplaced;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// A syntax error.
    #[error("{0}")]
    Syntax(String),
    #[error("unknown filter {name:?}")]
    UnknownFilter {
        /// As written.
        name: String,
    },
    #[error("unknown test {name:?}")]
    UnknownTest {
        /// As written.
        name: String,
    },
    #[error("unknown function {name:?}")]
    UnknownFunction {
        /// As written.
        name: String,
    },
    /// A call of an unknown method.
    #[error("values have no methods: can't call `{name}()`")]
    UnknownMethod {
        /// As written.
        name: String,
    },
    /// A statement that requires another template.
    #[error("`{statement}` isn't supported: a template can't load another one")]
    NoOtherTemplates {
        /// `include`, `import` or `extends`.
        statement: &'static str,
    },
    /// A missing value.
    #[error("{0}")]
    Undefined(String),
    /// Most likely an endless loop.
    #[error("the template exceeded the limit of {0} steps")]
    OutOfFuel(u64),
    /// Nested or chained too deeply to compile safely.
    #[error("the template is nested too deeply")]
    TooDeep,
    #[error("the template is too long: {found} bytes (maximum {limit})")]
    TemplateTooLong {
        /// In bytes.
        found: usize,
        limit: usize,
    },
    #[error("the rendered text is too long (maximum {0} bytes)")]
    OutputTooLong(usize),
    #[error("{0}")]
    Grows(String),
    #[error("{0}")]
    Misplaced(Misplaced),
    /// A value in a script that Python can't represent.
    #[error("this value can't be represented in Python: {0}")]
    NoLiteral(String),
    #[error("{message}")]
    Script { message: String, hint: &'static str },
    /// An internal error of the engine.
    #[error("internal error of the template engine")]
    EngineFault,
    /// An operation that isn't defined for its operands.
    #[error("{0}")]
    Failed(String),
}

impl Problem {
    /// The id of the diagnostic rule.
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

    /// Suggested name in place of an unknown one.
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

    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let meant = |known: &[&'static str]| match self.meant() {
            Some(word) => format!("did you mean {word:?}?"),
            None => format!("available: {}", known.join(", ")),
        };
        match self {
            Self::UnknownFilter { .. } => Some(meant(crate::names::FILTERS)),
            Self::UnknownTest { .. } => Some(meant(crate::names::TESTS)),
            Self::UnknownFunction { .. } => Some(meant(crate::names::FUNCTIONS)),
            Self::UnknownMethod { name } => Some(method(name)),
            Self::NoOtherTemplates { .. } => Some("copy the text into this template, or use a macro".to_owned()),
            Self::Undefined(_) => Some("provide a value, or add `| default('')`".to_owned()),
            Self::OutOfFuel(_) => Some("reduce the loops, or move the work into a script".to_owned()),
            Self::TooDeep => Some("split the expression with `set`, or the block into macros".to_owned()),
            Self::TemplateTooLong { .. } => Some("move long content into references/".to_owned()),
            Self::OutputTooLong(_) | Self::Grows(_) => Some("reduce the repetition, or pass shorter values".to_owned()),
            Self::Misplaced(misplaced) => Some(misplaced.hint().to_owned()),
            Self::Script { hint, .. } => Some((*hint).to_owned()),
            Self::NoLiteral(_) => Some("use a string, a number, a list or an object".to_owned()),
            Self::Syntax(_) | Self::EngineFault | Self::Failed(_) => None,
        }
    }
}

/// A range in a template. Lines and columns count from 1, columns in characters; the end is exclusive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceSpan {
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    /// Column after the last character.
    pub end_column: u32,
    /// Byte range in the template's text.
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

/// The range, rounded to character boundaries inside the text.
fn within(text: &str, range: Range<usize>) -> Range<usize> {
    let edge = |offset: usize| text.floor_char_boundary(offset);
    let start = edge(range.start);
    start..edge(range.end).max(start)
}

/// An error in a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptEngineError {
    pub problem: Problem,
    /// `None` if it concerns the whole template.
    pub span: Option<SourceSpan>,
}

impl fmt::Display for PromptEngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.problem)?;
        match &self.span {
            Some(span) => write!(f, " (line {}, column {})", span.line, span.column),
            None => Ok(()),
        }
    }
}

impl std::error::Error for PromptEngineError {}

impl PromptEngineError {
    /// An error of the whole template.
    pub(crate) const fn whole(problem: Problem) -> Self {
        Self { problem, span: None }
    }

    /// An error at a byte range of a template.
    pub(crate) fn at(problem: Problem, text: &str, range: Range<usize>) -> Self {
        Self { problem, span: Some(SourceSpan::of(text, range)) }
    }

    /// Converts the engine's error. `text` is the template as given, `skipped` the length of its byte order mark.
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
        let span = error.range().map(|range| SourceSpan::of(text, range.start + skipped..range.end + skipped));
        Self { problem, span }
    }

    /// As a diagnostic of the template's file.
    #[must_use]
    pub fn to_diagnostic(&self, file: &str) -> Diagnostic {
        let mut finding = Diagnostic::error(self.problem.rule(), self.problem.to_string()).in_file(file);
        finding.hint = self.problem.hint();
        finding.meant = self.problem.meant().map(str::to_owned);
        match &self.span {
            Some(span) => finding.at(span.line, span.column).to(span.end_line, span.end_column),
            None => finding,
        }
    }
}

/// The engine's message followed by those of its causes.
fn failed(error: &minijinja::Error) -> String {
    let mut message = error.detail().map_or_else(|| error.kind().to_string(), str::to_owned);
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        message = format!("{message}: {cause}");
        source = cause.source();
    }
    message
}

/// The replacement for a Python method.
fn method(name: &str) -> String {
    let filter = match name {
        "strip" | "lstrip" | "rstrip" => "trim",
        "keys" | "values" | "get" => "items",
        "startswith" => return "use `is startingwith`".to_owned(),
        "endswith" => return "use `is endingwith`".to_owned(),
        "splitlines" => "lines",
        other => match crate::names::FILTERS.iter().find(|filter| **filter == other) {
            Some(filter) => filter,
            None => return "use a filter: `value | filter`".to_owned(),
        },
    };
    format!("use the filter: `| {filter}`")
}

/// The engine quotes symbols, but not keywords.
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
