//! A script's template as Python that can be compiled without values.

use super::tags::{self, UntaggedScript};
use crate::engine::PromptEngine;
use crate::error::{Problem, PromptEngineError, SourceSpan};

/// Python with a name for each value.
pub struct StandIn {
    whole: UntaggedScript,
    /// Offset of the template's text in the file.
    skipped: usize,
}

impl StandIn {
    /// The Python source.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.whole.text
    }

    /// Maps a syntax error at a line and column of [`StandIn::source`], both from 1, to the position in `template`.
    #[must_use]
    pub fn fault(&self, template: &str, message: String, line: usize, column: usize) -> PromptEngineError {
        let text = &self.whole.text;
        let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
        let rest = text.get(start..).unwrap_or_default().lines().next().unwrap_or_default();
        let at = rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(at, _)| at);
        let origin = self.whole.origin(&(start + at..start + rest.len().max(at)));
        let span = SourceSpan::of(template, origin.start + self.skipped..origin.end + self.skipped);
        let hint = "fix the syntax: the script can't start";
        PromptEngineError { problem: Problem::Script { message, hint }, span: Some(span) }
    }
}

impl PromptEngine {
    /// None if the template has errors, or if branches or loops determine its text.
    #[must_use]
    pub fn stand_in(&self, template: &str) -> Option<StandIn> {
        let (body, skipped) = self.readable(template).ok()?;
        let whole = tags::untag(body, &self.syntax, false).filter(|whole| !whole.varies)?;
        Some(StandIn { whole, skipped })
    }
}
