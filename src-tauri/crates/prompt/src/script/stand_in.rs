//! A script's template as Python that can be compiled before there are values.

use super::tags::{self, Untagged};
use crate::engine::PromptEngine;
use crate::error::{Problem, PromptEngineError, SourceSpan};

/// Python with a name for each value.
pub struct StandIn {
    whole: Untagged,
    /// Bytes of the file before the template's own text.
    skipped: usize,
}

impl StandIn {
    /// Python.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.whole.text
    }

    /// A fault that Python names by line and column of [`StandIn::source`], both from 1, in the words of `template`'s own lines.
    #[must_use]
    pub fn fault(&self, template: &str, message: String, line: usize, column: usize) -> PromptEngineError {
        let text = &self.whole.text;
        let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
        let rest = text.get(start..).unwrap_or_default().lines().next().unwrap_or_default();
        let at = rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(at, _)| at);
        let origin = self.whole.origin(&(start + at..start + rest.len().max(at)));
        let place = SourceSpan::of(template, origin.start + self.skipped..origin.end + self.skipped);
        let hint = "correct it: the script doesn't begin to run like this";
        PromptEngineError { problem: Problem::Script { message, hint }, place: Some(place) }
    }
}

impl PromptEngine {
    /// The script as Python; none where its template can't be read, or where branches or loops decide what it is.
    #[must_use]
    pub fn stand_in(&self, template: &str) -> Option<StandIn> {
        let (body, skipped) = self.readable(template).ok()?;
        let whole = tags::untag(body, &self.syntax, false).filter(|whole| !whole.varies)?;
        Some(StandIn { whole, skipped })
    }
}
