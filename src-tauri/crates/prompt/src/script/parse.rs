//! Parses Python with tree-sitter.

use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

/// Limit of one parse, in hundreds of steps: far more than a script of maximum length needs, unless it is crafted to be slow.
const MAX_STEPS: usize = 2_000_000;

/// None if parsing takes too long.
pub(super) fn tree(text: &str) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_python::LANGUAGE.into()).ok()?;
    let mut remaining = MAX_STEPS;
    let mut bounded = |_: &ParseState| {
        remaining -= 1;
        if remaining == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let bytes = text.as_bytes();
    let options = ParseOptions::new().progress_callback(&mut bounded);
    parser.parse_with_options(&mut |at, _| bytes.get(at..).unwrap_or_default(), None, Some(options))
}
