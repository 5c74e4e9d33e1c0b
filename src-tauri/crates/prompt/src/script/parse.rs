//! Python's grammar.

use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

/// Steps of one parse, in hundreds: far more than a script as long as is allowed takes, unless it is made to be slow.
const STEPS: usize = 2_000_000;

/// A text's tree; none when it takes too long to read.
pub(super) fn tree(text: &str) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_python::LANGUAGE.into()).ok()?;
    let mut left = STEPS;
    let mut bounded = |_: &ParseState| {
        left -= 1;
        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let bytes = text.as_bytes();
    let options = ParseOptions::new().progress_callback(&mut bounded);
    parser.parse_with_options(&mut |at, _| bytes.get(at..).unwrap_or_default(), None, Some(options))
}
