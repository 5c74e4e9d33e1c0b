//! The server beside a window, over real connections.

#![expect(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod background;
